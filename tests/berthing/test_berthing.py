"""Asci & Nanjangud's berthing: reach, couple, drag (issue 4)."""

import numpy as np
import pytest
from by_coal import Recorded

from softdock import figures
from softdock.dynamics import Dynamics
from softdock.runs.recording import read_run
from softdock.scenarios import load
from softdock.scenarios.berthing.published_hinge import PublishedHinge
from softdock.scenarios.berthing.scenario import Berthing
from softdock.scenarios.runner import Runner


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("berthing") / "run"
    assert Runner(load("berthing")).record(folder, check=True).status == "done"
    return read_run(folder)


def test_the_end_effector_goes_where_table_2_says(run):
    scenario = load("berthing")
    start, goal = (scenario.arm_at(angles)[0] for angles in (scenario.reach.start, scenario.reach.goal))
    assert np.allclose(start, (0.3, -1.0), atol=1e-12)
    assert np.allclose(goal, (3.00, 0.235), atol=5e-3)  # its printed digits
    assert np.allclose(run.metrics["end_effector_at_contact"], goal, atol=1e-3)
    assert run.metrics["tracking_error_max"] < 1e-3
    assert run.metrics["base_attitude_error_max_while_reaching"] < 1e-4


def test_the_latch_holds_the_coupling_points(run):
    assert run.metrics["coupling_distance_max_after_contact"] < 1e-11
    assert run.metrics["target_final_distance_from_base"] < 2.8  # from 3.03 m; 2.70 measured


def test_nothing_is_lost_but_in_contact(run):
    metrics = run.metrics
    assert metrics["angular_momentum_drift"] < 1e-12 and metrics["momentum_drift"] < 1e-12
    assert metrics["contact_energy_loss"] >= 0.0
    ledger = run.ledger
    exchanged = np.abs(ledger["work_actuators"]).max()
    assert metrics["energy_balance_error"] < 1e-6 * exchanged
    assert 0 < metrics["wheel_momentum_max"] < load("berthing").wheels.momentum and metrics["saturations"] == []


def test_the_reference_integrator_follows_the_same_law(run):
    """Controllers, wheels, the latch and the contact over a patch: 8.4e-5 rad/s of the last link, of order 2. It was
    2.3e-3 at any step, as the reference's contacts did not remember what they took (eq. 4 of contact.md)."""
    assert run.metrics["reference_difference"] < 1.5e-4
    assert run.metrics["reference_until"] == pytest.approx(7.0)


def test_wheels_that_are_too_weak_are_reported():
    scenario = load("berthing", ["wheels.torque=5.0", "run.duration=2.0", "run.h=1e-3"])
    simulation = scenario.simulation(Dynamics(scenario.world))
    simulation.run(2.0, record_every=20)
    (cut,) = [cut for (_, actuator), cut in simulation.all_controllers[1].saturations.items() if actuator == "A.wheel3"]
    assert cut.calls > 0 and abs(cut.asked) > 5.0


def test_a_target_out_of_the_hinge_s_reach_is_a_result():
    """Weak wheels let the base turn; before, that ended the run."""
    scenario = load("berthing", ["wheels.torque=5.0", "run.duration=5.5", "run.h=1e-3"])
    simulation = scenario.simulation(Dynamics(scenario.world))
    metrics = scenario.metrics(simulation, simulation.run(5.5, record_every=20))
    assert metrics["outcome"] == "missed" and "capture envelope" in metrics["reason"]


def test_the_published_hinge_opens_where_the_latch_does_not():
    """At a coarse step and to 5.4 s only; the whole of Fig. 4 is in docs/scenarios/berthing.md."""
    scenario = load(
        "berthing", ["hinge=published-off", "published.period=1e-3", "run.duration=5.4", "run.record_every=20"]
    )
    dynamics = Dynamics(scenario.world)
    rows = scenario.simulation(dynamics).run(5.4, record_every=20)
    distance = scenario.columns(dynamics, rows)["coupling_distance"][0]
    after = rows.t >= 5.0 - 1e-9
    assert distance[after][0] == pytest.approx(scenario.published.offset, abs=1e-4)
    assert 0.04 < distance[-1] < 0.06  # 0.050 m at the scenario's own step
    total = dynamics.balance(rows.q, rows.v).momentum
    assert np.abs(total - total[0]).max() < 1e-12  # its force is internal


def test_a_published_hinge_is_run_in_steps_of_its_period():
    scenario = load("berthing", ["hinge=published-off", "published.period=3e-4"])
    assert scenario.run.h == pytest.approx(2.5e-4) and scenario.run.record_every == 20  # rows every 5 ms, as before
    assert scenario.altered_parts(hinge="exact").run == scenario.run
    exact = load("berthing")
    assert exact.run.h == 1e-3 and exact.altered_parts(hinge="published-on").run.h == pytest.approx(1e-4)


def test_hinges_are_compared_as_far_as_they_go(monkeypatch):
    """A published hinge may tear: no step follows, and it is drawn until then."""
    monkeypatch.setattr(PublishedHinge, "__call__", lambda self, t, q, v: np.full(self.dynamics.nv, 1e12))
    runner = Runner(load("berthing", ["compare=true", "published.period=1e-3", "run.duration=5.02"]))
    rows = runner.simulation.run(5.02, record_every=5)
    tables = runner.scenario.tables(runner.simulation, rows)
    assert tables["berthing"]["t"][0][-1] == pytest.approx(5.02)
    for hinge in ("published_off", "published_on"):
        assert 4.99 < tables[f"berthing_{hinge}"]["t"][0][-1] < 5.02


def test_figures_are_drawn(run):
    files = figures.draw(run, Berthing.figures())
    assert {file.stem for file in files} == {"path", "distance", "configurations", "wheels", "ledger"}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("hinge=glued", "hinge: Input should be 'exact', 'published-off' or 'published-on'"),
        ("wheels.mass=7.0", "three wheels must be lighter"),
        ("bodies.B.half=[0.5, 0.0, 0.05]", "bodies.B.half"),
        ("contact.stiffness=-1.0", "contact.stiffness"),
    ],
)
def test_bad_keys_are_named(change, message):
    with pytest.raises(ValueError, match=message):
        load("berthing", [change])


def test_bounds_that_cannot_be_met_are_named():
    with pytest.raises(ValueError, match="rate"):
        Runner(load("berthing", ["reach.rate=0.1"]))


def test_a_run_that_ends_before_contact_is_a_run(tmp_path):
    runner = Runner(load("berthing", ["run.duration=0.2", "compare=false"]))
    outcome = runner.record(tmp_path / "run")
    assert (outcome.status, outcome.reason) == ("done", "")
    assert "end_effector_at_contact" not in outcome.metrics
    warned = []
    runner.draw(tmp_path / "run", warned.append)
    assert warned == []
    assert (tmp_path / "run" / "replay.html").exists()


def test_a_reach_planned_by_optimal_control():
    """A twentieth of the effort (0.052 measured) to the same place and attitude at the same time; it touches nothing on
    the way, and the coupling engages."""
    scenario = load("berthing", ["reach.plan=optimal", "run.h=0.001", "run.duration=5.2"])
    simulation = scenario.simulation(Dynamics(scenario.world))
    rows = simulation.run(scenario.run.duration)
    found = scenario.metrics(simulation, rows)
    assert found["effort_ratio"] < 0.06
    assert found["kkt_residual"] < 1e-8 and found["replay_error"] < 1e-9
    assert np.allclose(found["end_effector_at_contact"], scenario.arm_at(scenario.reach.goal)[0], atol=2e-3)
    assert found["tracking_error_max"] < 5e-3 and found["coupling_distance_max_after_contact"] < 1e-11
    at = int(np.searchsorted(rows.t, 5.0 - 1e-9))
    assert np.abs(rows.q[at, 4:7]).max() < 2e-3  # the base is turned as before


def test_coupled_is_what_the_recorded_states_say(run):
    """By other kinematics: from when the hinge engages, its two points are one, and turn about it."""
    (engaged,) = [event["time"] for event in run.events if event["kind"] == "engaged"]
    recorded = Recorded(run.scenario["world"], run.states)
    before, moved, turned = recorded.between("E", "P", engaged)
    after = recorded.t > engaged
    assert run.metrics["outcome"] == "coupled" and np.linalg.norm(before[:3, 3]) < 0.01
    assert moved[after].max() < 1e-10 and turned[after].max() > 0.1 and moved[~after].max() > 1.0
