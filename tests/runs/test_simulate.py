"""The loop: controllers at their periods, actions at their times, events, and rows."""

import gc
from dataclasses import dataclass, field
from weakref import ref

import numpy as np
import pytest

from softdock.control import Limited
from softdock.dynamics import Dynamics, StepFailed, rollout
from softdock.runs.ledger import Ledger
from softdock.runs.simulation import Simulation, engage, release, touch

START = {"bus": {"angular_velocity": (0.3, 0.1, 0.0)}, "arm": {"velocity": 0.5}}


@dataclass
class Push:
    """Commands a torque on the arm, and remembers when it was asked."""

    period: float
    torque: object
    calls: list[float] = field(default_factory=list)

    def __call__(self, t: float, q: np.ndarray, v: np.ndarray) -> object:
        self.calls.append(t)
        return self.torque(t) if callable(self.torque) else self.torque


def torque(dynamics: Dynamics, value: float) -> np.ndarray:
    return dynamics.command(force={"arm": value})


def test_controllers_are_called_at_their_periods_and_their_commands_add_up(dynamics: Dynamics) -> None:
    quick = Push(0.02, lambda t: torque(dynamics, 0.1 * np.sin(5 * t)))
    slow = Push(0.05, lambda t: torque(dynamics, -0.2 * t))
    rows = Simulation(dynamics, *dynamics.state(START), h=0.01, controllers=[quick, slow]).run(0.4)
    assert quick.calls == pytest.approx([0.02 * k for k in range(20)], abs=1e-12)
    assert slow.calls == pytest.approx([0.05 * k for k in range(8)], abs=1e-12)
    table = [
        torque(dynamics, 0.1 * np.sin(5 * 0.02 * (k // 2)) - 0.2 * 0.05 * (k // 5)) for k in range(40)
    ]  # each held until its next call
    same = rollout(dynamics, *dynamics.state(START), h=0.01, steps=40, commands=table)
    np.testing.assert_allclose(rows.q[1:], same.q, rtol=0, atol=1e-13)


def test_a_command_table_gives_exactly_the_rollout(dynamics: Dynamics) -> None:
    table = np.random.default_rng(1).normal(size=(50, dynamics.nv)) * 0.1
    rows = Simulation(dynamics, *dynamics.state(START), h=0.01).run(0.5, commands=table, record_every=5)
    same = rollout(dynamics, *dynamics.state(START), h=0.01, steps=50, commands=table, every=5)
    np.testing.assert_array_equal(rows.q[1:], same.q)
    np.testing.assert_array_equal(rows.v[1:], same.v)


@pytest.mark.parametrize("period", [0.015, 0.0, -1.0, float("nan")])
def test_a_period_must_be_whole_steps(dynamics: Dynamics, period: float) -> None:
    with pytest.raises(ValueError, match=r"period of controller Push must be a whole number of steps of 0\.01 s"):
        Simulation(dynamics, *dynamics.state(START), h=0.01, controllers=[Push(period, 0.0)])


@pytest.mark.parametrize("duration", [0.125, -1.0, float("inf")])
def test_a_duration_must_be_whole_steps(dynamics: Dynamics, duration: float) -> None:
    with pytest.raises(ValueError, match="duration must be a whole number"):
        Simulation(dynamics, *dynamics.state(START), h=0.01).run(duration)


@pytest.mark.parametrize("command", [np.zeros(3), np.full(7, np.nan), np.zeros((2, 7))])
def test_a_wrong_command_is_refused_with_its_author_and_time(dynamics: Dynamics, command: np.ndarray) -> None:
    simulation = Simulation(dynamics, *dynamics.state(START), h=0.01, controllers=[Push(0.1, lambda t: command)])
    with pytest.raises(ValueError, match="at t = 0 s the command of controller Push"):
        simulation.run(0.1)


@pytest.mark.parametrize("table", [np.zeros((3, 7)), np.zeros(6), np.full(7, np.inf)])
def test_a_wrong_command_table_is_refused(dynamics: Dynamics, table: np.ndarray) -> None:
    with pytest.raises(ValueError, match="commands"):
        Simulation(dynamics, *dynamics.state(START), h=0.01).run(0.1, commands=table)


def test_rows_come_at_their_spacing_whatever_the_controllers_period(dynamics: Dynamics) -> None:
    push = Push(0.03, lambda t: torque(dynamics, 0.1))
    simulation = Simulation(dynamics, *dynamics.state(START), h=0.01, controllers=[push])
    rows = simulation.run(0.5, record_every=10)
    assert rows.t == pytest.approx([0.0, 0.1, 0.2, 0.3, 0.4, 0.5], abs=1e-15)
    more = simulation.run(0.2, record_every=10)
    assert more.t == pytest.approx([0.5, 0.6, 0.7], abs=1e-15)
    np.testing.assert_array_equal(more.q[0], rows.q[-1])


def test_actions_happen_at_their_times_and_leave_events(dynamics: Dynamics) -> None:
    start = {"bus": {"angular_velocity": (0.0, 0.0, 0.1)}, "arm": {"velocity": 0.2}}
    simulation = Simulation(dynamics, *dynamics.state(start), h=0.01)
    simulation.at(0.3, release("stow"))
    simulation.at(0.1, engage("stow"))
    rows = simulation.run(0.5)
    engaged, released = simulation.events
    assert (engaged["time"], engaged["kind"], engaged["latch"]) == (pytest.approx(0.1), "engaged", "stow")
    assert engaged["energy_lost"] > 0
    assert (released["time"], released["kind"]) == (pytest.approx(0.3), "released")
    angle = rows.q[:, dynamics.layout.q["arm"].start]
    assert np.ptp(angle[10:31]) < 1e-12 < np.ptp(angle[:11])


@dataclass
class Deciding(Push):
    """Engages the latch at the first call after a time, 7 ms later; it is given the simulation."""

    def bind(self, simulation: Simulation) -> None:
        self.simulation = simulation

    def __call__(self, t: float, q: np.ndarray, v: np.ndarray) -> object:
        if t > 0.15 and not self.simulation.motion.engaged:
            self.simulation.at(t + 0.007, engage("stow"))
        return super().__call__(t, q, v)


def test_a_controller_is_given_the_simulation_it_acts_in(dynamics: Dynamics) -> None:
    start = dynamics.state({"arm": {"velocity": 0.2}})
    deciding = Deciding(0.1, np.zeros(dynamics.nv))
    for controller in (deciding, Limited(deciding, dynamics)):
        simulation = Simulation(dynamics, *start, h=0.01, controllers=[controller])
        simulation.run(0.3)
        assert [(e["kind"], e["time"]) for e in simulation.events] == [("engaged", pytest.approx(0.207, abs=1e-12))]


def test_a_simulation_that_is_gone_leaves_nothing_to_the_garbage_collector(dynamics: Dynamics) -> None:
    simulation = Simulation(dynamics, *dynamics.state(), h=0.01)
    simulation.run(0.05)
    motion = ref(simulation.motion)
    gc.disable()
    try:
        del simulation
        assert motion() is None
    finally:
        gc.enable()


def test_an_action_within_a_step_is_at_its_instant(dynamics: Dynamics) -> None:
    """The same as a run whose steps meet the instant, to the step's own error, which a whole step's delay is not."""
    start = dynamics.state({"arm": {"velocity": 0.2}})

    def last(h: float, time: float) -> np.ndarray:
        simulation = Simulation(dynamics, *start, h=h)
        simulation.at(time, engage("stow"))
        rows = simulation.run(0.3)
        assert simulation.events[0]["time"] == pytest.approx(time, abs=1e-12)
        assert np.array_equal(rows.t, np.arange(len(rows)) * h)
        return rows.q[-1]

    fine = last(0.001, 0.107)
    assert np.abs(last(0.01, 0.107) - fine).max() < 1e-5
    assert np.abs(last(0.01, 0.11) - fine).max() > 1e-4


def test_a_condition_is_looked_at_each_period_until_it_holds(dynamics: Dynamics) -> None:
    looked: list[float] = []

    def far(simulation: Simulation) -> bool:
        looked.append(simulation.t)
        return bool(simulation.q[dynamics.layout.q["arm"].start] > 0.045)

    simulation = Simulation(dynamics, *dynamics.state({"arm": {"velocity": 0.2}}), h=0.01)
    simulation.when(far, engage("stow"), period=0.1)
    simulation.run(0.6)
    assert looked == pytest.approx([0.0, 0.1, 0.2, 0.3], abs=1e-12)
    assert [e["time"] for e in simulation.events] == pytest.approx([0.3], abs=1e-12)


def test_a_touch_is_acted_on_at_its_instant_and_once(dynamics: Dynamics) -> None:
    bus, arm = dynamics.world.bodies
    stop = arm.joint.altered(limits=arm.joint.limits.altered(restitution=0.5))
    stopped = Dynamics(dynamics.world.altered(bodies=(bus, arm.altered(joint=stop))))
    simulation = Simulation(stopped, *stopped.state({"arm": {"position": 0.9, "velocity": 1.0}}), h=0.01)
    (gap,) = [name for name in stopped.contact_names if "upper" in name] or stopped.contact_names[-1:]
    simulation.when(touch(gap), lambda sim: sim.note("touched", speed=sim.v[-1]))
    rows = simulation.run(0.3, record_every=3)
    impact, touched = simulation.events
    assert (impact["kind"], touched["kind"]) == ("impact", "touched")
    assert touched["time"] == impact["time"]
    assert touched["speed"] < 0  # it has rebounded
    assert len(rows) == 11 and len(rows.impacts) == 1
    plain = Simulation(stopped, *stopped.state({"arm": {"position": 0.9, "velocity": 1.0}}), h=0.01)
    np.testing.assert_allclose(rows.q, plain.run(0.3, record_every=3).q, rtol=0, atol=1e-9)


def test_a_command_is_held_until_it_is_changed_within_a_step_too(dynamics: Dynamics) -> None:
    """The same as with steps that meet the instant of the change, to the step's own error."""

    def turn_round(sim: Simulation) -> None:
        sim.command = torque(dynamics, -0.1)

    def last(h: float, time: float) -> np.ndarray:
        simulation = Simulation(dynamics, *dynamics.state(), h=h, command=torque(dynamics, 0.1))
        simulation.at(time, turn_round)
        return simulation.run(0.21).v[-1]

    fine, split = last(0.001, 0.105), last(0.01, 0.105)
    assert np.abs(split - fine).max() < 0.01 * np.abs(last(0.01, 0.11) - fine).max()


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        (touch("no such"), "touch: no contact 'no such'"),
        (lambda sim: True, "needs the period"),
        ("no such", "a condition must be a function of the simulation, not 'no such'"),
    ],
)
def test_a_wrong_condition_is_refused(dynamics: Dynamics, condition: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Simulation(dynamics, *dynamics.state(), h=0.01).when(condition, engage("stow"))


@pytest.mark.parametrize("period", [0.0, 0.015, -0.1])
def test_a_condition_is_looked_at_after_whole_steps(dynamics: Dynamics, period: float) -> None:
    with pytest.raises(ValueError, match="when: the period must be a whole number of steps"):
        Simulation(dynamics, *dynamics.state(), h=0.01).when(lambda s: True, engage("stow"), period=period)


def test_a_run_of_less_than_a_step_is_refused(dynamics: Dynamics) -> None:
    """It was taken as none, without a word; what is left by rounding of a difference of times is none."""
    simulation = Simulation(dynamics, *dynamics.state(START), h=0.01)
    for short in (1e-9, -1e-9, 0.004):
        with pytest.raises(ValueError, match=r"the duration must be a whole number of steps of 0\.01 s"):
            simulation.run(short)
    assert len(simulation.run(0.3 - 0.1 - 0.2).t) <= 1 and simulation.t == 0


def test_a_limit_is_reported_the_first_time_it_is_crossed(dynamics: Dynamics) -> None:
    simulation = Simulation(dynamics, *dynamics.state({"arm": {"position": 0.9, "velocity": 1.0}}), h=0.01)
    simulation.run(0.3)
    simulation.run(0.3)
    (event,) = simulation.events
    assert (event["kind"], event["joint"], event["limit"]) == ("limit", "arm", 1.0)
    assert 0.1 <= event["time"] <= 0.12
    assert event["value"] > 1.0


def test_an_impact_on_a_stop_is_an_event_and_not_a_crossed_limit(dynamics: Dynamics) -> None:
    bus, arm = dynamics.world.bodies
    stop = arm.joint.altered(limits=arm.joint.limits.altered(restitution=0.5))
    stopped = Dynamics(dynamics.world.altered(bodies=(bus, arm.altered(joint=stop))))
    simulation = Simulation(stopped, *stopped.state({"arm": {"position": 0.9, "velocity": 1.0}}), h=0.01)
    rows = simulation.run(0.3, record_every=3)
    (event,) = simulation.events
    assert event["kind"] == "impact"
    assert 0.1 <= event["time"] <= 0.12
    ledger = Ledger(stopped, rows).columns(rows, np.zeros(len(rows)), np.zeros(len(rows)))
    assert ledger["lost_impacts"][0][-1] == pytest.approx(-event["energy_change"])
    assert np.abs(ledger["energy_error"][0]).max() < 1e-3 * ledger["lost_impacts"][0][-1]


def test_a_failed_step_carries_every_row_before_it(dynamics: Dynamics) -> None:
    spin_up = dynamics.command(force={"bus": (0, 0, 0, 0, 0, 500.0)})
    simulation = Simulation(dynamics, *dynamics.state(), h=0.01)
    with pytest.raises(StepFailed, match=r"at t = \d") as caught:
        simulation.run(100.0, commands=spin_up, record_every=2)
    rows = caught.value.trajectory
    assert len(rows) > 10
    assert caught.value.time - 0.03 < rows.t[-1] <= caught.value.time
    assert np.all(np.isfinite(rows.q))
    (event,) = (event for event in simulation.events if event["kind"] == "failed")
    assert event["time"] == pytest.approx(caught.value.time, abs=1e-9)


def test_a_run_within_a_run_is_refused(dynamics: Dynamics) -> None:
    simulation = Simulation(dynamics, *dynamics.state(), h=0.01)
    simulation.at(0.055, lambda s: s.run(0.1))
    with pytest.raises(ValueError, match="within a run"):
        simulation.run(0.5)


def test_after_an_action_that_raised_within_a_step_nothing_goes_on_with_a_wrong_clock(dynamics: Dynamics) -> None:
    simulation = Simulation(dynamics, *dynamics.state(), h=0.01)
    simulation.at(0.055, lambda s: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        simulation.run(0.5)
    with pytest.raises(ValueError, match=r"ended within a step, at t = 0\.055 s"):
        simulation.run(0.5)


def test_what_is_no_action_is_refused_at_once(dynamics: Dynamics) -> None:
    simulation = Simulation(dynamics, *dynamics.state(), h=0.01)
    for act in (3, "stow"):
        with pytest.raises(ValueError, match="an action must be a function of the simulation, not"):
            simulation.at(0.1, act)  # type: ignore[arg-type]
        with pytest.raises(ValueError, match="an action must be a function of the simulation, not"):
            simulation.when(lambda s: True, act, period=0.1)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="must be a number of seconds, not soon"):
        simulation.at("soon", engage("stow"))  # type: ignore[arg-type]


@pytest.mark.parametrize("thing", [lambda t, q, v: np.zeros(7), 3])
def test_what_is_no_controller_is_refused_at_once(dynamics: Dynamics, thing: object) -> None:
    with pytest.raises(ValueError, match=r"a controller has a period \(s\) and is called with \(t, q, v\); .* is none"):
        Simulation(dynamics, *dynamics.state(), h=0.01, controllers=[thing])  # type: ignore[list-item]


@pytest.mark.parametrize("every", [2.5, 0, -1, "2", None])
def test_rows_come_every_whole_number_of_steps(dynamics: Dynamics, every: object) -> None:
    with pytest.raises(ValueError, match="record_every must be a whole number of steps, at least 1, not"):
        Simulation(dynamics, *dynamics.state(), h=0.01).run(0.1, record_every=every)  # type: ignore[arg-type]


def test_commands_of_a_wrong_kind_are_told_in_one_line(dynamics: Dynamics) -> None:
    simulation = Simulation(dynamics, *dynamics.state(), h=0.01)
    with pytest.raises(ValueError, match=r"^commands must have 1 row, not 3$"):
        simulation.run(0.01, commands=np.zeros((3, dynamics.nv)))
    with pytest.raises(ValueError, match=r"^commands must have 1 or 5 rows, not 3$"):
        simulation.motion.run(5, np.zeros((3, dynamics.nv)))
    with pytest.raises(ValueError, match=r"^commands must be 7 numbers, or rows of them, not {'arm': 1}"):
        simulation.run(0.01, commands={"arm": 1})  # type: ignore[arg-type]


@pytest.mark.parametrize("time", [0.05, 0.055])
def test_actions_may_schedule_others_for_their_instant_but_not_without_end(dynamics: Dynamics, time: float) -> None:
    def again(simulation: Simulation) -> None:
        simulation.note("again")
        if len(simulation.events) < most:
            simulation.at(simulation.t, again)

    most, simulation = 500, Simulation(dynamics, *dynamics.state(), h=0.01)
    simulation.at(time, again)
    simulation.run(0.1)
    assert len(simulation.events) == 500 and {event["time"] for event in simulation.events} == {time}
    most, simulation = 10**9, Simulation(dynamics, *dynamics.state(), h=0.01)
    simulation.at(time, again)
    with pytest.raises(ValueError, match=rf"at t = {time} s actions schedule others for the same instant without end"):
        simulation.run(0.1)


def test_controllers_that_replace_each_other_without_end_are_refused(dynamics: Dynamics) -> None:
    class Restless(Push):
        def bind(self, simulation: Simulation) -> None:
            self.simulation = simulation

        def __call__(self, t: float, q: np.ndarray, v: np.ndarray) -> object:
            self.simulation.control(Restless(0.01, 0.0))
            return np.zeros(7)

    simulation = Simulation(dynamics, *dynamics.state(), h=0.01, controllers=[Restless(0.01, 0.0)])
    with pytest.raises(ValueError, match="at t = 0 s controllers are replaced by new ones without end"):
        simulation.run(0.1)
