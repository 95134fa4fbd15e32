"""What actuators did, as recorded: against statics, the ledger's own account of their work, and the commands given."""

from pathlib import Path

import numpy as np
import pytest

from softdock.dynamics import Dynamics
from softdock.runs.recorder import Recorder
from softdock.runs.recording import Run, read_run
from softdock.runs.simulation import Simulation
from softdock.world import Body, Prismatic, Revolute, Servo, Uniform, World

G = 9.81


def recorded(path: Path, dynamics: Dynamics, start: dict, duration: float, h: float = 0.01, **how: object) -> Run:
    """A run directory; `how` goes to the simulation, but for commands and record_every."""
    rows = {key: how.pop(key) for key in ("commands", "record_every") if key in how}
    with Recorder(path, dynamics.world) as recorder:
        Simulation(dynamics, *dynamics.state(start), h=h, **how).run(duration, recorder=recorder, **rows)
    return read_run(path)


@pytest.fixture(scope="module")
def crane() -> Dynamics:
    """An arm on a servo joint, and a slide along it with a servo too, upright in gravity."""
    arm = Revolute(axis=(0, 1, 0), servo=Servo(kp=400.0, kd=60.0))
    slide = Prismatic(axis=(1, 0, 0), servo=Servo(kp=900.0, kd=90.0), damping=(2.0,))
    return Dynamics(
        World(
            name="crane",
            gravity=Uniform(acceleration=(0, 0, -G)),
            bodies=(
                Body(name="arm", mass=3.0, center=(0.5, 0, 0), inertia=(0.01, 0.3, 0.3), joint=arm),
                Body(name="trolley", parent="arm", mass=2.0, inertia=(0.02, 0.02, 0.02), joint=slide),
            ),
        )
    )


def test_at_rest_drives_hold_the_weight(crane: Dynamics, tmp_path: Path) -> None:
    """An arm that points down by θ needs −(m_a l/2 + m_t s) g cos θ about y, its slide −m_t g sin θ: plain statics."""
    target = crane.command(position={"arm": 0.4, "trolley": 0.8})
    run = recorded(tmp_path / "run", crane, {"arm": {"position": 0.4}, "trolley": {"position": 0.8}}, 12.0,
                   commands=target, record_every=10)  # fmt: skip
    forces, states = run.table("forces"), run.states
    assert list(forces) == ["t", "arm", "trolley"]
    assert (forces.unit("t"), forces.unit("arm"), forces.unit("trolley")) == ("s", "N m", "N")
    np.testing.assert_array_equal(forces["t"], states["t"])
    assert (forces["arm"][0], forces["trolley"][0]) == pytest.approx((0.0, 0.0), abs=1e-12)  # at its target, at rest
    angle, slid = states["q.arm"][-1], states["q.trolley"][-1]
    assert abs(states["v.arm"][-1]) < 1e-6
    assert forces["arm"][-1] == pytest.approx(-(3.0 * 0.5 + 2.0 * slid) * G * np.cos(angle), rel=1e-5)
    assert forces["trolley"][-1] == pytest.approx(-2.0 * G * np.sin(angle), rel=1e-5)


def work(run: Run) -> float:
    """∫ Σ force × velocity, by trapezoids over the rows (J)."""
    forces, states = run.table("forces"), run.states
    power = sum(forces[name] * states[f"v.{name}"] for name in forces if name != "t")
    return float(np.trapezoid(power, forces["t"]))


def test_their_work_is_the_ledgers_at_the_order_of_the_step(crane: Dynamics, tmp_path: Path) -> None:
    """The ledger adds up power in the middle of steps, by the step's own kernel; the slide's damper is no actuator."""
    errors = []
    for h in (0.004, 0.002, 0.001):
        target = crane.command(position={"arm": -0.3, "trolley": 0.5})
        run = recorded(tmp_path / f"{h}", crane, {"arm": {"velocity": 1.0}, "trolley": {"position": 0.3}}, 2.0, h=h,
                       commands=target)  # fmt: skip
        account = run.ledger["work_actuators"][-1]
        assert run.ledger["work_dampers"][-1] < -0.01
        errors.append(abs(work(run) - account))
    assert errors[-1] < 1e-3 * abs(account)
    assert np.log2(errors[0] / errors[1]) == pytest.approx(2.0, abs=0.1)
    assert np.log2(errors[1] / errors[2]) == pytest.approx(2.0, abs=0.1)


class Steps:
    """Commands the number of the call, in N m on the arm."""

    def __init__(self, dynamics: Dynamics, period: float) -> None:
        self.dynamics, self.period, self.calls = dynamics, period, 0

    def __call__(self, t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        self.calls += 1
        return self.dynamics.command(force={"arm": float(self.calls)})


def test_a_row_has_the_mean_command_of_the_steps_that_meet_at_it(dynamics: Dynamics, tmp_path: Path) -> None:
    """A joint without a servo gets its command and nothing else, from controllers and from a table, in lots."""
    run = recorded(tmp_path / "calls", dynamics, {}, 0.12, controllers=[Steps(dynamics, 0.04)], record_every=2)
    np.testing.assert_array_equal(run.table("forces")["arm"], [1, 1, 1.5, 2, 2.5, 3, 3])
    table = np.outer(np.arange(1, 13), dynamics.command(force={"arm": 1.0}))
    run = recorded(tmp_path / "table", dynamics, {}, 0.12, commands=table, record_every=3)
    np.testing.assert_array_equal(run.table("forces")["arm"], [0.5, 3.5, 6.5, 9.5, 12.5])
    assert not any(np.any(run.table("forces")[f"bus.{axis}"]) for axis in ("x", "y", "z", "wx", "wy", "wz"))


def test_a_servo_that_follows_a_moving_target_has_the_forces_of_the_motion(crane: Dynamics, tmp_path: Path) -> None:
    """With a target that moves each step, the torque is that of inverse dynamics along the motion, not off by what the
    target gains within a step (kp × rate × h/2 = 1 N m here)."""
    h, n = 0.01, 200
    t = h * (np.arange(n) + 0.5)
    target = crane.command(position={"arm": 0.5 * np.sin(t), "trolley": np.full(n, 0.6)}, rate={"arm": 0.5 * np.cos(t)})
    start = {"arm": {"velocity": 0.5}, "trolley": {"position": 0.6}}
    run = recorded(tmp_path / "run", crane, start, n * h, h=h, commands=target)
    q, v = (np.stack([run.states[f"{x}.{name}"] for name in ("arm", "trolley")], axis=-1) for x in "qv")
    a = np.gradient(v, h, axis=0)
    wanted = crane.inverse_dynamics(q, v, a)[:, 0]
    inner = slice(30, None)
    assert np.abs(run.table("forces")["arm"] - wanted)[inner].max() < 0.01


def test_a_run_that_fails_at_once_still_says_what_was_commanded(dynamics: Dynamics, tmp_path: Path) -> None:
    command = dynamics.command(force={"arm": 1e9})
    with pytest.raises(Exception, match="smaller step"):
        recorded(tmp_path / "run", dynamics, {}, 1.0, h=0.1, commands=command)
    assert read_run(tmp_path / "run").table("forces")["arm"][0] == 1e9


def test_written_in_lots_they_are_the_same(dynamics: Dynamics, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command of a lot's last row is known with the next lot; none is lost, none is written twice."""
    table = np.outer(np.sin(np.arange(60)), dynamics.command(force={"arm": 1.0}))
    whole, lots = tmp_path / "whole", tmp_path / "lots"
    one = recorded(whole, dynamics, {}, 0.6, commands=table, controllers=[Steps(dynamics, 0.04)], record_every=2)
    monkeypatch.setattr("softdock.runs.rows.MOST_ROWS", 3)
    many = recorded(lots, dynamics, {}, 0.6, commands=table, controllers=[Steps(dynamics, 0.04)], record_every=2)
    assert (lots / "forces.parquet").exists()
    for name in one.table("forces"):
        np.testing.assert_array_equal(one.table("forces")[name], many.table("forces")[name])
    np.testing.assert_array_equal(many.table("forces")["t"], many.states["t"])


def test_a_run_that_is_not_recorded_asks_for_no_forces(dynamics: Dynamics, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> None:
        raise AssertionError("asked")

    for question in ("actuator_forces", "contacts"):
        monkeypatch.setattr(Dynamics, question, never)
    rows = Simulation(dynamics, *dynamics.state({}), h=0.01, controllers=[Steps(dynamics, 0.04)]).run(0.2)
    assert len(rows) == 21
