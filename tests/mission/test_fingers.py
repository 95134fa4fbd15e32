"""A gripper with fingers, closed by contact and friction: by itself, and as a part of a mission."""

from types import ModuleType
from typing import Any

import numpy as np
import pytest
from gripping import grasp, gripping

import softdock as sd
from softdock import mission as ms
from softdock.dynamics import Dynamics
from softdock.scenarios import RunSettings
from softdock.scenarios.faults import HookFailed
from softdock.scenarios.runner import Runner

FINGERS = sd.Fingers()


def test_ten_grasps_of_ten_at_the_edge_of_the_envelope() -> None:
    """10 mm, 2°, 10 mm/s, 0.5°/s; `studies/grasp.py` has 30 of 30. Fingers travel 32 mm at 25 mm/s: 1.28 s; a finger's
    45 N are on two rods, and more only while the palm is accelerated; the latch finds the handle nearly at rest."""
    dynamics, rng = Dynamics(gripping(FINGERS)), np.random.default_rng(2)
    grasps = [grasp(dynamics, rng, FINGERS) for _ in range(10)]
    assert all(one.held for one in grasps)
    assert all(1.25 < one.stopped < 1.6 and 22.0 < one.peak < 60.0 and one.lost < 1e-4 for one in grasps)


# --- as a part --------------------------------------------------------------------------------------


def fingered(fetch: ModuleType) -> sd.World:
    """The world of docs/missions.md with a bar on the client, and fingers on the arm."""
    handle = sd.Pose(position=(-0.2, 0.0, 0.0))
    rod = sd.Capsule(radius=0.01, length=0.1)
    bar = sd.Body(name="bar", parent="client", joint=sd.Fixed(), mass=0.0, placement=handle, shapes=(rod,))
    world = fetch.WORLD.altered(bodies=(*fetch.WORLD.bodies, bar), latches=())
    return sd.with_fingers(world, "gripper", on="handle", bar="bar")


@pytest.fixture(scope="module")
def world(fetch: ModuleType) -> sd.World:
    return fingered(fetch)


class Grasping:
    """Missions that begin with the handle between the fingers, off by `off` (m)."""

    def __init__(self, fetch: ModuleType, world: sd.World) -> None:
        self.fetch, self.world = fetch, world
        dynamics = Dynamics(world)
        joints = {"upper": {"position": 0.7}, "fore": {"position": -1.2}, "wrist": {"position": 0.8}}
        q, _ = dynamics.state(joints)
        self.R, self.p = dynamics.pose("gripper", q)
        self.joints = {name: sd.JointState(**state) for name, state in joints.items()}

    def ran(self, phases: Any, off: tuple[float, float, float], duration: float) -> Runner:
        fetch, world = self.fetch, self.world
        turn = sd.Pose.of(self.R, self.p + self.R @ np.array(off)) @ sd.Pose(position=(0.2, 0.0, 0.0))
        x, y, z = turn.position

        class Grasp(fetch.Fetch):  # type: ignore[misc, name-defined]
            def parts(self) -> dict[str, Any]:
                return super().parts() | {"hand": ms.Gripper("grasp", kind="fingers", bar=0.01)}

            def phases(self, hand: ms.Gripper, **others: Any) -> Any:
                return phases(hand)

        runner = Runner(
            Grasp(
                scenario="grasp", run=RunSettings(h=1e-3, duration=duration, record_every=10), world=world,
                initial=self.joints | {
                    "client": sd.JointState(
                        position=(x, y, z), quaternion=turn.quaternion, angular_velocity=(0.0, 0.0, 0.01)
                    ),
                    "gripper.left": sd.JointState(position=0.042), "gripper.right": sd.JointState(position=0.042),
                },
            )
        )  # fmt: skip
        self.metrics = runner.run()
        return runner


@pytest.fixture(scope="module")
def grasping(fetch: ModuleType, world: sd.World) -> Grasping:
    return Grasping(fetch, world)


def test_fingers_close_hold_rigidise_and_open(grasping: Grasping) -> None:
    def phases(hand: ms.Gripper) -> Any:
        yield ms.Close(hand)
        yield ms.Rigidise(hand)
        yield ms.Wait(0.5)
        yield ms.Open(hand)

    runner = grasping.ran(phases, (0.004, 0.006, 0.0), 4.5)
    metrics, simulation = grasping.metrics, runner.simulation
    assert metrics["outcome"] == "success"
    times = {phase["name"]: phase["end"] for phase in metrics["phases"]}
    assert 1.6 < times["close"] <= 2.0 and times["rigidise"] == times["close"]
    assert times["open"] == pytest.approx(times["wait"] + 1.3, abs=0.15)
    (closed,) = (event for event in simulation.events if event["kind"] == "closed")
    assert closed["kind_of_grasp"] == "fingers" and closed["held"] and closed["momentum_change"] < 1e-12
    assert closed["distance"] < 0.008, "the fingers have centred the bar, but for along the approach"
    assert metrics["momentum_drift"] < 1e-12 and metrics["angular_momentum_balance_error"] < 1e-7
    assert simulation.motion.engaged == []


def test_nothing_between_the_fingers_is_missed(grasping: Grasping) -> None:
    def phases(hand: ms.Gripper) -> Any:
        try:
            yield ms.Close(hand)
        except ms.Missed as why:
            yield ms.Open(hand)
            return ms.Aborted(why)

    grasping.ran(phases, (0.2, 0.0, 0.0), 4.0)
    assert grasping.metrics["outcome"] == "aborted"
    assert "not between the fingers" in grasping.metrics["reason"]


@pytest.mark.parametrize(
    ("world_of", "hand", "words"),
    [
        (lambda fetch: fetch.WORLD, {"kind": "fingers"}, "no 'gripper.palm'; `with_fingers` adds fingers"),
        (fingered, {"kind": "fingers", "bar": 0.05}, "does not go between fingers that open to 0.042 m"),
    ],
)
def test_what_does_not_fit_is_told(fetch: ModuleType, world_of: Any, hand: dict[str, Any], words: str) -> None:
    class Wrong(fetch.Fetch):  # type: ignore[misc, name-defined]
        def parts(self) -> dict[str, Any]:
            return super().parts() | {"hand": ms.Gripper("grasp", **hand)}

    with pytest.raises(HookFailed, match=words):
        Runner(Wrong(scenario="wrong", world=world_of(fetch)))
    with pytest.raises(ValueError, match="kind 'ideal' or 'fingers'"):
        ms.Gripper("grasp", kind="suction")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="must be positive"):
        sd.with_fingers(fetch.WORLD, "gripper", fingers=sd.Fingers(rod=0.0))
