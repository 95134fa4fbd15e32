"""The paper's docking run: when it hits and docks, what is conserved, and what balances (issue 3)."""

import json

import numpy as np
import pytest
from by_coal import Recorded
from scipy.optimize import brentq

from softdock import figures
from softdock.dynamics import Dynamics, StepFailed, reference
from softdock.runs.recording import read_run
from softdock.runs.simulation import Simulation
from softdock.scenarios import load
from softdock.scenarios.iss_docking.scenario import DOCK, GRASP, JOINTS, IssDocking
from softdock.scenarios.runner import Runner
from softdock.world import Fixed, Pose, World


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("docking") / "run"
    assert Runner(load("iss-docking")).record(folder).status == "done"
    return read_run(folder)


def simulated(*changes: str) -> tuple[IssDocking, Simulation, np.ndarray, dict]:
    """Scenario, simulation, last configuration and metrics of a run with changes."""
    scenario = load("iss-docking", changes)
    docking = scenario.simulation(Dynamics(scenario.world))
    rows = docking.run(scenario.run.duration)
    return scenario, docking, rows.q[-1], scenario.metrics(docking, rows)


def test_the_paper_s_two_impacts_and_no_other(run):
    assert [hit["bodies"][0] for hit in run.metrics["impacts"]] == ["side walls", "end wall"]
    assert [hit["time"] for hit in run.metrics["impacts"]] == pytest.approx([12.50, 27.51], abs=0.01)


def test_docks_at_the_end_wall_and_is_released(run):
    metrics = run.metrics
    assert metrics["outcome"] == "docked"
    assert metrics["docked_at"] == metrics["impacts"][1]["time"]
    assert metrics["released_at"] == pytest.approx(metrics["docked_at"] + 0.5, abs=1e-12)
    assert metrics["steps"] == 4000
    assert np.array_equal(run.states["t"], np.arange(4001) * 0.01)
    kinds = [(event["kind"], event.get("latch", event.get("contact", event.get("name")))) for event in run.events]
    assert kinds == [
        ("engaged", GRASP), ("phase", "bring"), ("impact", "side walls"), ("impact", "end wall"), ("phase", "dock"),
        ("engaged", DOCK), ("phase", "hand over"), ("phase", "release"), ("released", GRASP), ("mission ended", None),
    ]  # fmt: skip


def test_its_phases_begin_at_the_instants_of_what_they_wait_for(run):
    docked, released = run.metrics["docked_at"], run.metrics["released_at"]
    assert run.table("phases")["name"].tolist() == ["bring", "dock", "hand over", "release"]
    assert run.table("phases")["t"].tolist() == [0.0, docked, docked, released]


def test_what_is_conserved_is_conserved_and_the_rest_balances(run):
    metrics = run.metrics
    assert metrics["angular_momentum_drift"] <= 1e-13
    assert metrics["angular_momentum_balance_error"] <= 1e-9
    assert metrics["energy_balance_error"] <= 1e-5
    assert metrics["max_penetration"] <= 1e-9
    assert metrics["max_latch_violation"] <= 1e-11


def test_the_docked_payload_rides_with_the_station(run):
    """After docking, where it is in the station's frame no longer changes."""
    states = run.states
    after = states["t"] > run.metrics["docked_at"]
    angle = states["q.iss.angle"][after]
    x, y = (states[f"q.payload.{axis}"][after] - states[f"q.iss.{axis}"][after] for axis in "xy")
    place = np.stack([np.cos(angle) * x + np.sin(angle) * y, np.cos(angle) * y - np.sin(angle) * x])
    assert np.ptp(place, axis=1).max() <= 1e-11
    assert np.ptp(states["q.payload.angle"][after] - angle) <= 1e-11


def test_the_arm_goes_back_to_where_it_started(run):
    start = run.scenario["arm"]["start"]
    away = [
        max(abs(run.states[f"q.{name}"][row] - a) for name, a in zip(JOINTS, start, strict=True)) for row in (2751, -1)
    ]
    assert away[1] < 0.6 * away[0]


def test_times_final_angles_and_energy_converge_at_second_order():
    found, errors = [], []
    for h in (0.04, 0.02, 0.01):
        _, _, q, metrics = simulated(f"run.h={h}")
        found.append([metrics["impacts"][0]["time"], metrics["docked_at"], *q[2:6]])
        errors.append(metrics["energy_balance_error"])
    coarse, fine = np.diff(found, axis=0)
    assert np.log2(np.abs(coarse / fine)) == pytest.approx(2.0, abs=0.1)
    assert np.log2(np.divide(errors[:-1], errors[1:])) == pytest.approx(2.0, abs=0.1)


def carried(world: World) -> World:
    """The same system without latches and gaps: the payload is fixed to the arm."""
    placement = Pose(position=world.frame("tip").placement.position)
    payload = world.body("payload").altered(parent=JOINTS[-1], joint=Fixed(), placement=placement)
    return World(gravity=world.gravity, bodies=(*(b for b in world.bodies if b.name in ("iss", *JOINTS)), payload))


def test_the_reference_integrator_with_its_own_event_location_agrees():
    """DOP853 on a tree without latches, impacts found by Brent's method in plain geometry, to the docking impact."""
    scenario = load("iss-docking")
    dynamics = Dynamics(carried(scenario.world))
    command = dynamics.command(position=dict(zip(JOINTS, scenario.arm.docked, strict=True)))
    q, v = dynamics.state({name: scenario.initial[name] for name in ("iss", *JOINTS)})
    axis, room = np.array([np.cos(scenario.bay.angle), np.sin(scenario.bay.angle)]), scenario.bay.width / 2
    aside = np.array([-axis[1], axis[0]])

    def rows(q):
        heading, L = np.cumsum(q[3:6]), np.array(scenario.arm.lengths)
        tip = np.array([np.cos(heading) @ L, np.sin(heading) @ L]) - scenario.bay.position
        links = np.stack([-np.sin(heading) * L, np.cos(heading) * L])
        return tip, np.hstack([np.zeros((2, 3)), np.cumsum(links[:, ::-1], axis=1)[:, ::-1]])

    def at(t, start):
        Q, V = reference(dynamics, *start[1:], [start[0], t], command)
        return Q[-1], V[-1]

    def side(q):
        return room - abs(rows(q)[0] @ aside) - scenario.payload.radius

    def end(q):
        return -rows(q)[0] @ axis - scenario.payload.radius

    start = (0.0, q, v)
    hit = brentq(lambda t: side(at(t, start)[0]), 12.0, 13.0, xtol=1e-12)
    q, v = at(hit, start)
    row = aside @ rows(q)[1]
    answer = np.linalg.solve(dynamics.mass_matrix(q), row)
    start = (hit, q, v - 2 * (row @ v) / (row @ answer) * answer)
    docked = brentq(lambda t: end(at(t, start)[0]), 26.0, 28.5, xtol=1e-12)
    differences = []
    for h in (0.02, 0.01):
        _, _, _, metrics = simulated(f"run.h={h}")
        differences.append([metrics["impacts"][0]["time"] - hit, metrics["docked_at"] - docked])
    assert np.abs(differences[1]).max() < 3e-5
    assert np.log2(np.abs(np.divide(*differences))) == pytest.approx(2.0, abs=0.1)


@pytest.mark.parametrize("restitution", [0.0, 0.5])
def test_lossy_walls_lose_what_the_law_says(restitution):
    _, _, _, metrics = simulated(f"contact.restitution={restitution}")
    for hit in metrics["impacts"]:
        assert hit["speed_after"] == pytest.approx(-restitution * hit["speed_before"])
        lost = 0.5 * (1 - restitution) * hit["speed_before"] * hit["impulse"]
        assert hit["energy_change"] == pytest.approx(lost, rel=1e-9)
    assert metrics["energy_balance_error"] <= 3e-5
    assert metrics["max_penetration"] <= 1e-9


def test_the_arm_may_release_at_once():
    """Then both latches change at the instant of the impact, and the latch takes what motion is left."""
    _, docking, _, metrics = simulated("handover.release_after=0.0")
    assert metrics["released_at"] == metrics["docked_at"] == metrics["impacts"][-1]["time"]
    lost = next(event["energy_lost"] for event in docking.events if event.get("energy_lost"))
    assert lost > 0
    assert metrics["energy_balance_error"] <= 1e-5


def test_missing_the_bay_is_a_result(tmp_path):
    outcome = Runner(load("iss-docking", ["arm.kp=1.0"])).record(tmp_path / "run")
    assert outcome.status == "done"
    assert outcome.metrics["docked_at"] is None
    assert outcome.metrics["released_at"] is None
    assert outcome.metrics["outcome"] == "not docked"
    assert json.loads((tmp_path / "run" / "metrics.json").read_text())["docked_at"] is None


def test_out_of_the_latch_s_reach_is_a_result():
    _, docking, _, metrics = simulated("bay.capture_distance=1e-9")
    assert metrics["docked_at"] is None
    (refused,) = [event for event in docking.events if event["kind"] == "phase failed"]
    assert refused["name"] == "dock" and "capture envelope" in refused["reason"]
    assert metrics["outcome"] == "touched the end wall outside the capture envelope"


def test_every_figure_is_drawn(run):
    assert {file.stem for file in figures.draw(run, IssDocking.figures())} == {
        "orientations",
        "snapshots",
        "orbit",
        "ledger",
    }


def test_a_failed_run_is_saved_and_drawn(tmp_path, monkeypatch):
    """A step that fails leaves the rows before it, and figures of them."""
    runner = Runner(load("iss-docking"))
    motion, take = runner.simulation.motion, runner.simulation.motion.run

    def fail(steps, *arguments, **options):
        rows = take(500, *arguments, **options)
        raise StepFailed("no more", motion.t, 1.0, rows)

    monkeypatch.setattr(motion, "run", fail)
    assert runner.record(tmp_path / "run").status == "failed"
    run = read_run(tmp_path / "run")
    assert run.states["t"][-1] == pytest.approx(5.0)
    assert len(figures.draw(run, IssDocking.figures())) == 4


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ('contact.style="soft"', r"contact.style.*'soft'.*impact"),
        ("contact.restitution=1.5", r"contact.restitution"),
        ("bay.width=0.4", r"bay.width.*no room"),
        ("bay.wdith=1.0", r"did you mean 'width'"),
        ("arm.lengths=[1.0, 2.0]", r"arm.lengths"),
        ("payload.mass=-1", r"payload.mass"),
        ("world.name=\"other\"", r"world"),
    ],
)  # fmt: skip
def test_wrong_requests_name_the_key(change, message):
    with pytest.raises(ValueError, match=message):
        load("iss-docking", [change])


def test_starting_inside_a_wall_is_refused():
    with pytest.raises(ValueError, match="contact 'end wall' is penetrated"):
        Runner(load("iss-docking", ["bay.position=[-1.7, -3.0]"]))


def test_what_a_run_wrote_runs_again(run, tmp_path):
    again = load(str(run.path / "scenario.toml"))
    assert again.world == load("iss-docking").world
    with pytest.raises(ValueError, match="world: is made from the other keys"):
        load(str(run.path / "scenario.toml"), ["bay.width=1.2"])


def test_docked_is_what_the_recorded_states_say(run):
    """By other kinematics and coal: at the end wall, in the latch's envelope, and at rest in the bay from then on."""
    recorded, since = Recorded(run.scenario["world"], run.states), run.metrics["docked_at"]
    before, moved, turned = recorded.between("port", "payload", since)
    after = recorded.t > since
    assert np.linalg.norm(before[:3, 3]) < 0.1 and np.linalg.norm(before[:3, :3] - np.eye(3)) < np.sqrt(2) * 0.2
    assert moved[after].max() < 1e-11 and turned[after].max() < 1e-11 and moved[~after].max() > 1.0
    assert abs(recorded.least("payload", "end wall", np.flatnonzero(after))) < 1e-11
