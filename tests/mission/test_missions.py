"""Phases as a coroutine, parts on a world, truth and belief apart: on the mission of docs/missions.md."""

import gc
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any
from weakref import ReferenceType

import numpy as np
import pytest

import softdock as sd
from softdock import mission as ms
from softdock.campaign import run as run_campaign
from softdock.dynamics import Motion
from softdock.mission.arm import Still
from softdock.mission.craft import OwnState
from softdock.runs.recording import Run, read_run
from softdock.runs.simulation import Simulation
from softdock.scenarios import Mission, RunSettings, load
from softdock.scenarios.faults import HookFailed
from softdock.scenarios.runner import DONE, FAILED, Runner
from softdock.world import Actuator, Fixed, JointState, Limits, Pose, Revolute, World

SHORT = RunSettings(h=0.02, duration=2.0, record_every=5)


@pytest.fixture(scope="module")
def fetched(file: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("fetched") / "run"
    assert Runner(load(file)).record(folder).status == DONE
    return read_run(folder)


def made(fetch: ModuleType, phases: Callable[..., Any], **parts: Any) -> Runner:
    """The mission with other phases, for two seconds; with other parts, if any are given."""

    class Other(fetch.Fetch):  # type: ignore[misc, name-defined]
        def phases(self, **known: Any) -> Any:
            return phases(**known)

        def parts(self) -> dict[str, Any]:
            return parts or super().parts()

    return Runner(Other(scenario="other", run=SHORT))


def ran(fetch: ModuleType, phases: Callable[..., Any], **parts: Any) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Metrics and events."""
    runner = made(fetch, phases, **parts)
    return runner.run(), runner.simulation.events


# --- the mission of the page ------------------------------------------------------------------------


def test_the_client_is_fetched_and_momentum_is_kept(fetched: Run) -> None:
    """No force from outside acts: arm, wheels and gripper exchange momentum, and make none."""
    metrics = fetched.metrics
    assert metrics["outcome"] == "success" and metrics["reason"] is None
    (closed,) = (event for event in fetched.events if event["kind"] == "closed")
    assert closed["held"] and closed["distance"] < 0.01 and closed["momentum_change"] < 1e-12
    assert metrics["momentum_drift"] < 1e-12 and metrics["angular_momentum_balance_error"] < 1e-9
    joints = [fetched.states[f"q.{name}"][-1] for name in ("upper", "fore", "wrist")]
    assert np.allclose(joints, (1.2, -2.2, 1.0), atol=2e-3), "drawn in, with the client's mass in the model"


def test_phases_are_recorded_with_start_end_and_result(fetched: Run) -> None:
    table = fetched.table("phases")
    assert table["name"].tolist() == ["observe", "reach", "close", "draw in"]
    assert np.array_equal(table["t"][1:], table["end"][:-1]) and table["t"][0] == 0.0
    assert set(table["result"]) == {"done"}
    assert [event["name"] for event in fetched.events if event["kind"] == "phase"] == table["name"].tolist()
    assert {"measurements"} <= fetched.tables.keys()


def test_the_bus_keeps_its_attitude_by_its_wheels(fetched: Run) -> None:
    w = np.abs(fetched.states["q.bus.qw"])
    assert 2 * np.arccos(w.clip(0, 1)).max() < np.radians(0.5)
    assert np.abs(fetched.states["v.bus.wheel3"]).max() > 1.0


def test_one_call_runs_it_and_records_it(file: Path, tmp_path: Path) -> None:
    outcome = sd.run(file, ["run.duration=1.0"], out=tmp_path / "run", figures=False)
    assert (outcome.status, outcome.metrics["outcome"]) == (DONE, "unfinished")
    assert read_run(tmp_path / "run").metrics["outcome"] == "unfinished"
    again = sd.run(load(file, ["run.duration=1.0"]))
    assert again.metrics["phases"] == outcome.metrics["phases"]


def test_a_campaign_takes_a_mission(file: Path) -> None:
    far = "choice([2.0, 0.7, 0.0], [9.0, 0.7, 0.0])"
    rows = run_campaign(str(file), {"initial.client.position": far}, design="grid").to_pydict()
    assert sorted(rows["outcome"]) == ["aborted", "success"]
    assert sorted(rows["success"]) == [False, True]


# --- the coroutine -----------------------------------------------------------------------------------


class Counted(ms.Phase):
    """Ends after a number of calls, with that number."""

    kind = "counted"

    def __init__(self, count: int, **other: Any) -> None:
        super().__init__(**other)
        self.count = count

    def update(self, t: float) -> ms.Done | None:
        self.count -= 1
        return ms.Done("ended") if self.count == 0 else None


def test_a_yield_returns_the_result_and_raises_failures_inside(fetch: ModuleType) -> None:
    said = []

    def never(t: float) -> None:
        if t > 1.0:
            raise ms.Unsure("too late")

    def phases(**parts: Any) -> Any:
        said.append((yield Counted(3)))
        try:
            yield ms.Wait(until=lambda t: False, limit=0.5, name="sleep")
        except ms.TimedOut as why:
            said.append(str(why))
        try:
            yield ms.Wait(5.0, guards=[never], name="doze")
        except ms.Unsure as why:
            said.append(str(why))
        try:
            yield ms.Move(parts["arm"], [1.0, 2.0], 1.0)
        except ms.Unreachable as why:
            said.append(str(why))
        return ms.Success("well done")

    metrics, events = ran(fetch, phases)
    assert said[0] == "ended"
    assert said[1] == "phase 'sleep' did not end within 0.5 s"
    assert said[2] == "too late" and said[3] == "arm has 3 joints; 'move' gives 2 values"
    assert metrics["outcome"] == "well done"
    phases_ = {phase["name"]: phase for phase in metrics["phases"]}
    assert phases_["counted"]["end"] == pytest.approx(0.2), "asked when it begins, and every 0.1 s"
    assert phases_["sleep"]["end"] - phases_["sleep"]["start"] == pytest.approx(0.5)
    assert phases_["doze"]["end"] == pytest.approx(1.1) and phases_["doze"]["result"] == "Unsure: too late"
    assert [event["name"] for event in events if event["kind"] == "phase failed"] == ["sleep", "doze", "move"]


def test_an_arm_that_does_not_follow_ends_the_phase(fetch: ModuleType) -> None:
    def phases(arm: ms.Arm, **parts: Any) -> Any:
        yield ms.Wait(0.3)
        arm.motion = Still(arm.q + np.array([0.0, 2.0, 0.0]))
        yield ms.Wait(5.0, name="jump")

    metrics, _ = ran(fetch, phases)
    assert metrics["outcome"] == "aborted"
    assert metrics["reason"].startswith("arm: joint ") and metrics["reason"].endswith("away from its motion")


def test_a_failure_that_is_not_caught_aborts_and_the_run_goes_on(fetch: ModuleType) -> None:
    def phases(**parts: Any) -> Any:
        yield ms.Wait(until=lambda t: False, limit=1.0, name="wait for Godot")

    metrics, _ = ran(fetch, phases)
    assert metrics["outcome"] == "aborted"
    assert metrics["reason"] == "phase 'wait for Godot' did not end within 1 s"
    assert metrics["steps"] == 100


def test_a_mission_that_has_not_ended_says_where_it_is(fetch: ModuleType) -> None:
    def phases(**parts: Any) -> Any:
        yield ms.Wait(100.0, name="long")

    metrics, _ = ran(fetch, phases)
    assert (metrics["outcome"], metrics["reason"]) == ("unfinished", "phase 'long' had not ended")
    assert metrics["phases"] == [{"name": "long", "start": 0.0, "end": 2.0, "result": "going on"}]


def test_a_coroutine_that_raises_is_recorded_and_saved(file: Path, tmp_path: Path) -> None:
    text = file.read_text(encoding="utf-8").replace(
        'name="observe")', 'name="observe").seconds', 1
    )  # fmt: skip
    broken = tmp_path / "broken.py"
    broken.write_text(
        text.replace("limit=60.0, name", "limit=1.0, name").replace(
            "        yield ms.Wait(until", "        yield ms.Wait(1.0)\n        yield ms.Wait(until"
        ),
        encoding="utf-8",
    )
    outcome = Runner(load(broken, ["run.duration=3.0"])).record(tmp_path / "run")
    line = text[: text.index(".seconds")].count("\n") + 2
    assert outcome.status == FAILED
    assert outcome.reason == f"AttributeError: 'Wait' object has no attribute 'seconds' ({broken}:{line})"
    run = read_run(tmp_path / "run")
    assert run.table("phases")["name"].tolist() == ["wait"] and run.states["t"][-1] == pytest.approx(1.0)


class Unmade(ms.Phase):
    """Its author forgot what a phase is made with."""

    def __init__(self) -> None:
        pass


def trying_again(arm: ms.Arm) -> Any:
    while True:
        with suppress(ms.Failure):
            yield ms.Move(arm, [9.0, 9.0, 9.0], 2.0)


@pytest.mark.parametrize(
    ("phases", "message"),
    [
        (lambda **parts: None, "phases() must yield phases: it has no yield in it"),
        (lambda **parts: (x for x in [3]), "phases() yielded 3, which is no phase"),
        (lambda **parts: (ms.Wait(0.0) for _ in range(2000)), "phases follow each other without end"),
        (lambda **parts: (ms.Phase() for _ in range(1)), "Phase must say when it is done"),
        (lambda **parts: trying_again(parts["arm"]), "1000 phases in a row failed as they began, at t = 0 s"),
        (lambda **parts: (Unmade() for _ in range(1)), "phase Unmade: its __init__ must call super().__init__()"),
    ],
)
def test_what_is_no_coroutine_of_phases_is_told(fetch: ModuleType, phases: Any, message: str) -> None:
    runner = made(fetch, phases)
    with pytest.raises((ms.PartError, NotImplementedError)) as error:
        runner.run()
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("end", "message"),
    [("fine", "must return Success"), (ms.Success(""), "must be a word"), (ms.Ended(None), "a word")],
)  # type: ignore[arg-type]
def test_what_phases_returns_must_be_an_end(fetch: ModuleType, end: Any, message: str) -> None:
    def phases(**parts: Any) -> Any:
        yield ms.Wait(0.5)
        return end

    with pytest.raises(ms.PartError, match=message):
        ran(fetch, phases)


def test_a_failure_without_words_is_told_by_its_kind(fetch: ModuleType) -> None:
    def phases(**parts: Any) -> Any:
        yield ms.Wait(0.2)
        raise ms.Unsure

    assert ran(fetch, phases)[0]["reason"] == "Unsure"


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: ms.Wait(-1.0), "its seconds must be 0 or more, not -1.0"),
        (lambda: ms.Wait(np.nan), "its seconds must be 0 or more, not nan"),
        (lambda: ms.Move(ms.Arm("gripper"), [0.0], 1.0, after=-3.0), "after must be a finite number, 0 or more"),
        (lambda: ms.Move(ms.Arm("gripper"), [0.0], 1.0, after=np.nan), "after must be a finite number, 0 or more"),
        (lambda: ms.Arm("gripper", encoder_noise=-1e-4), "encoder_noise must be a finite number, 0 or more"),
        (lambda: ms.Bus("bus", attitude_error=np.nan), "attitude_error must be a finite number, 0 or more"),
        (lambda: ms.Gripper("grasp", closing=np.nan), "closing must be a finite number, 0 or more, not nan"),
        (lambda: ms.PoseCamera("camera", "client", of="handle", position=np.nan), "position must be a finite number"),
        (lambda: ms.PoseCamera("camera", "client", of="handle", outliers=2.0), "outliers must be a fraction"),
        (lambda: ms.PoseCamera("camera", "client", of="handle", period=0.0), "period must be positive"),
        (lambda: ms.PoseCamera("camera", "client", of="handle", tilt=(0.0, 0.0)), "tilt must be three finite numbers"),
        (lambda: ms.PoseCamera("camera", "client", of="handle", blocked=[(5.0, 2.0)]), "from a time to a later one"),
    ],
)
def test_numbers_that_make_no_sense_are_refused(make: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()


# --- parts on a world --------------------------------------------------------------------------------


def idle(**parts: Any) -> Any:
    yield ms.Wait(1.0)


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"arm": ms.Arm("griper")}, "arm: no body or frame 'griper'; did you mean 'gripper'?"),
        ({"a": ms.Arm("gripper"), "b": ms.Arm("wrist")}, "b: actuator 'upper' is commanded by 'a' already"),
        ({"a": ms.Arm("gripper", joints=["uper"])}, "a: joint 'uper' is not between 'bus' and 'gripper'"),
        ({"arm": ms.Arm("camera")}, "arm: there is no joint between 'bus' and 'camera'"),
        ({"bus": ms.Bus("client")}, "bus: 'client' has no wheels; `with_wheels` adds some"),
        ({"bus": ms.Bus("upper")}, "bus: 'upper' is not free to turn: it has no attitude to hold"),
        ({"hand": ms.Gripper("gras")}, "hand: no latch 'gras'; did you mean 'grasp'?"),
        ({"eye": ms.PoseCamera("camera", "bus", of="handle")}, "eye: 'bus' is on the same craft as 'camera'"),
        ({"eye": ms.PoseCamera("camera", "client", of="gripper")}, "eye: 'gripper' is not on 'client'"),
        ({"eye": ms.PoseCamera("camera", "client", of="handle", period=0.33)}, "eye: the period of its sensor must be"),
        ({"arm": 3}, "parts: 'arm' is 3, which is no Part"),
        (
            dict.fromkeys(("a", "b"), ms.Bus("bus")),
            "parts: 'b' was 'a' before: make parts anew for each run, each once",
        ),
    ],
)
def test_parts_that_do_not_fit_are_refused_in_one_line(fetch: ModuleType, parts: Any, message: str) -> None:
    with pytest.raises(HookFailed) as error:
        made(fetch, idle, **parts)
    assert message in str(error.value) and "\n" not in str(error.value)


@pytest.mark.parametrize(("meant", "message"), [(["tuch"], "the world has no contact 'tuch'"), ("abc", "not the text")])
def test_contacts_that_are_meant_must_be_there(fetch: ModuleType, meant: Any, message: str) -> None:
    class Other(fetch.Fetch):  # type: ignore[misc, name-defined]
        def meant(self) -> Any:
            return meant

    with pytest.raises(HookFailed, match=message):
        Runner(Other(scenario="other", run=SHORT))


@pytest.mark.parametrize(
    ("joint", "message"),
    [
        (Revolute(axis=(0, 0, 1), actuator=Actuator(rate=1.0)), "joint 'fore' has no limits"),
        (Revolute(axis=(0, 0, 1), limits=Limits(lower=-1, upper=1)), "joint 'fore' has no actuator.rate"),
    ],
)
def test_an_arm_without_limits_is_refused(fetch: ModuleType, joint: Revolute, message: str) -> None:
    world = fetch.WORLD
    bodies = tuple(body.altered(joint=joint) if body.name == "fore" else body for body in world.bodies)
    with pytest.raises(HookFailed, match=message):
        Runner(fetch.Fetch(scenario="other", run=SHORT, world=world.altered(bodies=bodies)))


# --- truth and belief --------------------------------------------------------------------------------


def reachable(thing: object) -> list[object]:
    """Everything that an object holds, directly or not; modules and classes are not followed.

    Only an object's own type is asked, never the object: one may answer to any name, another is a weak
    reference to what is gone.
    """
    seen, waiting = {}, [thing]
    while waiting:
        one = waiting.pop()
        if id(one) in seen or issubclass(type(one), type | ModuleType):
            continue
        seen[id(one)] = one
        if type(one) is FunctionType:  # what it closes over, not the globals of its module
            waiting += [cell.cell_contents for cell in one.__closure__ or ()]
            continue
        waiting += [one()] if type(one) is ReferenceType else gc.get_referents(one)
    return list(seen.values())


def test_no_part_can_reach_the_truth(fetch: ModuleType) -> None:
    """Nothing that a part holds, at the end of a run, leads to the simulation, its state, or a sensor."""
    runner = made(fetch, idle)
    runner.run()
    conductor = Mission.conductor(runner.simulation)
    hidden = (Simulation, Motion, ms.Truth, OwnState)
    for part in conductor.parts.values():
        held = reachable(part)
        assert len(held) > 20, "the search goes somewhere"
        assert [one for one in held if issubclass(type(one), hidden) or hasattr(type(one), "measure")] == []
        assert conductor.dynamics not in [one for one in held if type(one) is type(conductor.dynamics)]
    assert any(type(one) is Simulation for one in reachable(conductor)), "and it would find it"


def test_the_arm_goes_by_its_encoders(fetch: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """An encoder that reads 0.1 rad too much: the joint ends 0.1 rad short."""
    honest = OwnState.measure

    def measure(self: OwnState, truth: ms.Truth) -> Any:
        q, v = honest(self, truth)
        q = q.copy()
        q[8] += 0.1
        return q, v

    monkeypatch.setattr(OwnState, "measure", measure)

    def phases(arm: ms.Arm, **parts: Any) -> Any:
        yield ms.Move(arm, [1.2, -2.0, 1.0], 1.0)
        yield ms.Wait(1.0)

    runner = made(fetch, phases)
    runner.run()
    q = runner.simulation.q
    assert q[7:10] == pytest.approx([1.2, -2.1, 1.0], abs=5e-3)


# --- other crafts ------------------------------------------------------------------------------------


def test_an_arm_on_a_base_that_is_held(fetch: ModuleType) -> None:
    """The same arm on a table: its tip arrives at a pose, with nothing to hold an attitude."""
    table = fetch.BUS.altered(joint=Fixed())
    arm = [body for body in fetch.WORLD.bodies if body.name in ("upper", "fore", "wrist")]
    frames = tuple(frame for frame in fetch.WORLD.frames if frame.body == "wrist")
    goal = Pose(position=(1.6, 0.8, 0.0), rpy=(0.0, 0.0, 0.3))

    class OnTable(Mission):
        run: RunSettings = RunSettings(h=0.02, duration=6.0)
        world: World = World(bodies=(table, *arm), frames=frames)

        def parts(self) -> dict[str, ms.Part]:
            return {"arm": ms.Arm("gripper")}

        def phases(self, arm: ms.Arm) -> Any:
            yield ms.Reach(arm, lambda t: goal, seconds=5.0)

    bent = {"upper": JointState(position=0.5), "fore": JointState(position=-0.6)}
    runner = Runner(OnTable(scenario="table", initial=bent))
    assert runner.run()["outcome"] == "success"
    R, p = runner.dynamics.pose("gripper", runner.simulation.q)
    np.testing.assert_allclose(p, goal.position, atol=1e-3)
    np.testing.assert_allclose(R, goal.rotation, atol=1e-3)
