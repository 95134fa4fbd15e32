"""Is the arm clear of its target: on the craft of docs/missions.md, whose base gives way."""

from types import ModuleType

import numpy as np
import pytest
from scipy.interpolate import CubicSpline
from scipy.spatial.transform import Rotation

from softdock import mission as ms
from softdock.dynamics import Dynamics
from softdock.mission.craft import Crafts, OwnState
from softdock.mission.keeping_clear import FloatingMotion, KeepingClear
from softdock.world import Box, Pose

KNOTS = np.linspace(0.0, 6.0, 7)


@pytest.fixture(scope="module")
def arm(fetch: ModuleType) -> ms.Arm:
    crafts, arm, bus = Crafts(fetch.WORLD), ms.Arm("gripper"), ms.Bus("bus")
    for name, part in (("arm", arm), ("bus", bus)):
        part.name = name
        part.fit(crafts)
    craft = arm.craft
    craft.measured(0.0, craft.dynamics.layout.neutral(), np.zeros(craft.dynamics.nv))
    bus.update(0.0)
    return arm


def moving(arm: ms.Arm) -> FloatingMotion:
    joints = np.random.default_rng(3).uniform(-1.5, 1.5, (len(KNOTS), 3))
    return FloatingMotion(arm.craft.dynamics, arm.joints, arm.craft.q, CubicSpline(KNOTS, joints))


def test_poses_are_those_of_a_base_that_gives_way(arm: ms.Arm) -> None:
    course, t = moving(arm), np.linspace(0.0, 6.0, 11)
    tip = np.array([Pose(position=(0.75, 0, 0)).matrix()])
    X = course.poses("wrist", t) @ tip
    for k, x in enumerate(course._states(t, t)[0]):
        R, p, _ = arm.kinematics.forward(x)
        np.testing.assert_allclose(X[k, :3, :3], R, atol=1e-12)
        np.testing.assert_allclose(X[k, :3, 3], p, atol=1e-12)
    assert np.ptp(course.poses("bus", t)[:, :3, 3], axis=0).max() > 0.005, "the base moves"


@pytest.mark.parametrize("body", ["bus", "upper", "fore", "wrist"])
def test_no_point_is_faster_than_its_bound(arm: ms.Arm, body: str) -> None:
    """By differences over 2e-5 s of points within 0.7 m of the body's origin."""
    course, h, rng = moving(arm), 1e-5, np.random.default_rng(0)
    begin, end = KNOTS[:-1], KNOTS[1:]
    bounds = course.bounds(body, 0.7, begin, end)
    points = rng.standard_normal((20, 3))
    points *= 0.7 / np.linalg.norm(points, axis=1)[:, None]
    for k in range(len(begin)):
        t = np.linspace(begin[k] + h, end[k] - h, 40)
        X, Y = course.poses(body, t - h), course.poses(body, t + h)
        moved = np.einsum("kij,nj->kni", Y[:, :3, :3] - X[:, :3, :3], points) + (Y - X)[:, None, :3, 3]
        fastest = np.linalg.norm(moved, axis=2).max() / (2 * h)
        assert fastest <= bounds.speed[k] + 1e-6


def at_height(arm: ms.Arm, y: float) -> Pose:
    """The client beside the middle of the forearm when all joints are zero; y is the same in A."""
    center = arm.craft.dynamics.balance(arm.craft.dynamics.layout.neutral(), np.zeros(arm.craft.dynamics.nv)).center
    return Pose(position=(1.55 - center[0], y, 0.0))


def test_the_margin_is_kept_at_an_instant(arm: ms.Arm, fetch: ModuleType) -> None:
    """The client's half edge is 0.15 m, the tube's radius 0.04 m: they are 0.05 m apart at y = 0.24 m."""
    clear = KeepingClear(arm, {"client": fetch.CLIENT.shapes}, margin=0.05)
    assert clear.at(np.zeros(3), at_height(arm, 0.2401).matrix())
    assert not clear.at(np.zeros(3), at_height(arm, 0.2399).matrix())
    assert ("wrist", "client") not in clear.pairs, "the tip's body is to meet the client"


def test_what_happens_between_knots_is_seen(arm: ms.Arm, fetch: ModuleType) -> None:
    """A rod turns half a turn between two knots: it is along the forearm, 0.5 m off, at all of them, and sweeps through
    it in between."""
    rod = fetch.CLIENT.altered(shapes=(Box(size=(1.6, 0.05, 0.05)),))
    clear, still = KeepingClear(arm, {"client": rod.shapes}, margin=0.05), CubicSpline(KNOTS, np.zeros((len(KNOTS), 3)))

    def turning(t: float) -> np.ndarray:
        return (at_height(arm, 0.6) @ Pose(rpy=(0.0, 0.0, np.pi * t))).matrix()

    assert all(clear.at(np.zeros(3), turning(t)) for t in KNOTS)
    assert not clear.along(still, turning, (0.0, np.pi))
    assert clear.along(still, lambda t: at_height(arm, 0.6).matrix(), (0.0, 0.0))


# --- wrong beliefs -----------------------------------------------------------------------------------


def test_encoders_and_attitude_err_as_they_are_told_to(fetch: ModuleType) -> None:
    crafts = Crafts(fetch.WORLD)
    arm, bus = ms.Arm("gripper", encoder_noise=1e-3), ms.Bus("bus", attitude_error=2e-3)
    for name, part in (("arm", arm), ("bus", bus)):
        part.name = name
        part.fit(crafts)
    dynamics = Dynamics(fetch.WORLD)
    sensor = OwnState(arm.craft, dynamics, 0.1, np.random.SeedSequence(5))
    truth = ms.Truth(0.0, dynamics.layout.neutral(), np.zeros(dynamics.nv), dynamics)
    rows = np.array([sensor.measure(truth)[0] for _ in range(4000)])
    joints = rows[:, 7:10]
    assert np.std(joints) == pytest.approx(1e-3, rel=0.05) and abs(np.mean(joints)) < 1e-4
    turns = Rotation.from_quat(rows[:, 3:7], scalar_first=True).magnitude()
    np.testing.assert_allclose(turns, 2e-3, rtol=1e-9)
    assert np.ptp(rows[:, 3:7], axis=0).max() == 0.0, "an error, not noise"
    others = np.delete(rows, [*range(3, 10)], axis=1)
    assert np.abs(others).max() == 0.0


def test_a_tilted_camera_and_a_wrong_payload(fetch: ModuleType) -> None:
    crafts, tilt = Crafts(fetch.WORLD), (0.0, 0.01, 0.0)
    eye, hand = (
        ms.PoseCamera("camera", "client", of="handle", position=1e-9, angle=1e-9, tilt=tilt),
        ms.Gripper("grasp", mass=1.2, inertia=0.7),
    )
    for name, part in (("eye", eye), ("hand", hand)):
        part.name = name
        part.fit(crafts)
    dynamics = Dynamics(fetch.WORLD)
    q, v = dynamics.state({"client": {"position": (2.4, 0.0, 0.2)}})
    (sensor,) = eye.sensors(dynamics, np.random.SeedSequence(0))
    seen = sensor.measure(ms.Truth(0.0, q, v, dynamics)).pose
    # the handle is 1.8 m ahead on the axis; the camera looks 0.01 rad to its own +x: it appears at −x
    np.testing.assert_allclose(seen.position, (-1.8 * np.sin(0.01), 0.0, 1.8 * np.cos(0.01)), atol=1e-7)
    assert hand.target.mass == pytest.approx(1.2 * 20.0)
    np.testing.assert_allclose(hand.target.inertia, 0.7 * 0.5 * np.eye(3))
