"""Intercepts of a handle that moves in a known way, by a planar arm of three joints; and stops of a tumbling body."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from softdock.dynamics import Dynamics
from softdock.planning import Infeasible, RigidMotion, Swept
from softdock.planning.braking import stopping
from softdock.planning.intercept import Moving, Reacher, Search, Timing
from softdock.world import Body, Capsule, Pose, Revolute, Sphere, World

LENGTHS = np.array([1.0, 0.8, 0.3])
TIMING = Timing(align=5.0, least=3.0, most=8.0, closing=1.0, standoff=0.2, approach=2.0)
START = np.array([1.2, -1.0, -0.6])


def forward(q: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Three links in the plane, from the origin."""
    heading = np.cumsum(q)
    ends = np.cumsum(LENGTHS[:, None] * np.stack([np.cos(heading), np.sin(heading), 0 * heading], axis=1), axis=0)
    joints = np.vstack([np.zeros(3), ends[:-1]])
    z = np.array([0.0, 0.0, 1.0])
    J = np.vstack([np.tile(z[:, None], 3), np.cross(z, ends[-1] - joints).T])
    return Rotation.from_euler("z", heading[-1]).as_matrix(), ends[-1], J


def handle(t: float) -> Moving:
    """On a disc about (1.9, 0, 0) that turns at 0.1 rad/s; it looks at the arm at 30 s."""
    w, angle = np.array([0.0, 0.0, 0.1]), 0.1 * (t - 30.0)
    R = Rotation.from_euler("z", angle).as_matrix()
    arm = R @ np.array([-0.3, 0.0, 0.0])
    return Moving(R, np.array([1.9, 0.0, 0.0]) + arm, np.cross(w, arm), w)


def search(rate: float = 1.0, reach: float = 1.0) -> Search:
    def seen(t: float) -> Moving:
        there = handle(t)
        return there._replace(p=reach * there.p, v=reach * there.v)

    arm = Reacher(forward, np.full(3, -2.8), np.full(3, 2.8), rate)
    return Search(arm, START, seen, lambda t, q: True, timing=TIMING)


def test_the_gripper_is_on_the_handle_with_its_velocity_while_it_closes() -> None:
    plan = search().best(0.0, np.arange(20.0, 40.0, 1.0), [Pose()])
    for t in np.linspace(plan.closes, plan.closed, 21):
        q, qd, _ = plan.at(t)
        R, p, J = forward(q)
        there, velocity = handle(t), J @ qd
        assert np.linalg.norm(p - there.p) < 1e-4
        assert np.abs(R - there.R).max() < 1e-4
        assert np.linalg.norm(velocity[3:] - there.v) < 1e-3
        assert abs(velocity[2] - 0.1) < 1e-3


def test_it_begins_at_rest_keeps_its_distance_and_its_limits() -> None:
    plan = search(rate=0.4).best(0.0, np.arange(20.0, 40.0, 1.0), [Pose()])
    np.testing.assert_allclose(plan.at(plan.begins).q, START, atol=1e-9)
    np.testing.assert_allclose(plan.at(plan.begins).qd, 0, atol=1e-9)
    assert np.linalg.norm(forward(plan.at(plan.tracks).q)[1] - handle(plan.tracks).p) == pytest.approx(0.2, abs=1e-6)
    samples = [plan.at(t) for t in np.linspace(plan.begins, plan.closed, 500)]
    assert np.abs([sample.qd for sample in samples]).max() <= 0.4 * 1.02
    jumps = np.diff([sample.q for sample in samples], axis=0)
    assert np.abs(jumps).max() <= 0.4 * 1.02 * (plan.closed - plan.begins) / 499


def test_it_is_the_cheapest_of_all_candidates() -> None:
    times = np.arange(20.0, 40.0, 2.0)
    best = search().best(0.0, times, [Pose()])
    each = []
    for t in times:
        try:
            each.append(search().best(0.0, [t], [Pose()]).cost + 0.05 * (t - times[0]))
        except Infeasible:
            continue
    assert len(each) > 3
    assert best.cost == pytest.approx(min(each), rel=1e-9)


def test_a_better_forecast_moves_the_plan_smoothly() -> None:
    planner = search()
    old = planner.best(0.0, [30.0], [Pose()])
    planner.forecast = lambda t: handle(t)._replace(p=handle(t).p + np.array([0.004, -0.003, 0.0]))
    now = old.tracks + 1.0
    new = planner.replanned(now, old)
    assert new is not None
    np.testing.assert_allclose(new.at(now).q, old.at(now).q, atol=1e-9)
    np.testing.assert_allclose(new.at(now).qd, old.at(now).qd, atol=1e-9)
    assert np.linalg.norm(forward(new.at(30.0).q)[1] - planner.forecast(30.0).p) < 1e-5


@pytest.mark.parametrize("shift", [0.004, 0.02, 0.05, 0.2])
@pytest.mark.parametrize("after", [-4.0, -1.0, 0.5, 3.0, 6.0])
def test_what_is_replanned_keeps_rates_and_closes_without_slip_or_is_refused(after: float, shift: float) -> None:
    planner = search(rate=0.4)
    old = planner.best(0.0, [30.0], [Pose()])
    planner.forecast = lambda t: handle(t)._replace(p=handle(t).p + np.array([0.0, -shift, 0.0]))
    now = old.tracks + after
    new = planner.replanned(now, old)
    if new is None:
        assert shift > 0.004
        return
    assert np.abs([new.at(t).qd for t in np.linspace(now, new.closed, 2000)]).max() <= 0.4 * (1 + 1e-5)
    q, qd, _ = new.at(new.closes)
    J = forward(q)[2]
    assert np.linalg.norm((J @ qd)[3:] - handle(new.closes).v) <= 2e-3
    assert abs((J @ qd)[2] - 0.1) <= 2e-3


def test_a_shift_that_comes_too_late_is_refused_before_the_gripper_closes() -> None:
    """0.1 s before a gripper closes in 0.05 s, the handle is found to be 20 cm off: the old plan came back."""
    planner = search()
    planner.timing = replace(TIMING, closing=0.05)
    old = planner.best(0.0, [30.0], [Pose()])
    planner.forecast = lambda t: handle(t)._replace(p=handle(t).p + np.array([0.0, -0.2, 0.0]))
    assert planner.replanned(old.closes - 0.1, old) is None
    planner.forecast = lambda t: handle(t)._replace(w=handle(t).w + np.array([0.0, 0.0, 0.003]))
    assert planner.replanned(old.closes - 0.1, old) is None  # there, but turning 3 mrad/s otherwise
    planner.forecast = lambda t: handle(t)._replace(p=handle(t).p + np.array([0.0, -0.0015, 0.0]))
    assert planner.replanned(old.closes - 0.1, old) is old
    assert planner.replanned(old.closed - 0.01, old) is old  # it has closed, there or not


def world_of_arm() -> Dynamics:
    tubes = [
        Capsule(
            radius=0.02, length=float(x) - 0.1, placement=Pose(position=(float(x) / 2, 0, 0), rpy=(0, np.pi / 2, 0))
        )
        for x in LENGTHS
    ]
    bodies = [
        Body(name=f"link{k}", parent=f"link{k - 1}" if k else "world", joint=Revolute(), mass=1.0, inertia=(1, 1, 1),
             placement=Pose(position=(float(LENGTHS[k - 1]) if k else 0.0, 0, 0)), shapes=(tube,))
        for k, tube in enumerate(tubes)
    ]  # fmt: skip
    return Dynamics(World(bodies=tuple(bodies)))


def test_a_post_that_flies_through_the_way_is_certified_to_be_missed() -> None:
    """A ball of 2 cm crosses the arm's alignment, at 1 m/s: six instants do not see it. Against the geometry of tubes
    and ball, at 20,001 times of the plan."""
    free = search().best(0.0, [30.0], [Pose()])
    d, names = world_of_arm(), ["link0", "link1", "link2"]
    hit = free.begins + 0.535 * (free.tracks - free.begins)
    aim = d.pose("link1", free.at(hit).q)[1] + np.array([0.0, 0.0, 0.0])

    def pose(t: float) -> np.ndarray:
        X = np.eye(4)
        X[:3, 3] = aim + np.array([0.0, 0.0, 1.0]) * (t - hit)
        return X

    ball = RigidMotion(pose, speed=1.0, acceleration=0.0, angular_acceleration=0.0)
    shapes = {body.name: body.shapes for body in d.world.bodies} | {"ball": (Sphere(radius=0.02),)}
    least = {(name, "ball"): 0.03 for name in names}
    clear = Swept(d, names, d.layout.neutral(), {"ball": ball}, shapes, least)
    assert all(clear(free.begins + s, free.at(free.begins + s).q) for s in 5.0 * np.linspace(0.0, 1.0, 8)[1:-1])
    assert not clear(hit, free.at(hit).q) and not clear.along(free.align.cubics(free.begins))
    arm = Reacher(forward, np.full(3, -2.8), np.full(3, 2.8), 1.0)
    planned = Search(arm, START, handle, clear, timing=TIMING).best(0.0, np.arange(26.0, 36.0, 1.0), [Pose()])
    for t in np.linspace(planned.begins, planned.closed, 20_001):
        turn = np.cumsum(planned.at(t).q)
        ends = np.vstack([np.zeros(2), np.cumsum(LENGTHS[:, None] * np.stack([np.cos(turn), np.sin(turn)], 1), axis=0)])
        x = pose(t)[:3, 3]
        if abs(x[2]) > 0.1:
            continue
        for k in range(3):
            along = (ends[k + 1] - ends[k]) / LENGTHS[k]
            s = np.clip((x[:2] - ends[k]) @ along, 0.05, LENGTHS[k] - 0.05)
            assert np.linalg.norm([*(ends[k] + s * along - x[:2]), x[2]]) - 0.04 >= 0.03 - 1e-9


@pytest.mark.parametrize(("reach", "rate", "words"), [(2.0, 1.0, "out of reach"), (1.0, 0.01, "while closing")])
def test_it_says_why_there_is_none(reach: float, rate: float, words: str) -> None:
    with pytest.raises(Infeasible, match=words):
        search(rate=rate, reach=reach).best(0.0, np.arange(25.0, 35.0, 2.0), [Pose()])


@pytest.mark.parametrize("none", ["moment", "force", "least"])
def test_what_nothing_stops_is_refused(none: str) -> None:
    given = {"moment": 1.0, "force": 1.0, "least": 0.5, none: 0.0}
    with pytest.raises(ValueError, match=f"{none} must be positive"):
        stopping(handle(0.0), np.eye(3), np.zeros(3), 80.0, **given)


def test_a_handle_on_the_far_side_is_not_grasped() -> None:
    with pytest.raises(Infeasible, match="faced away"):
        search().best(30.0, np.arange(57.0, 66.0, 2.0), [Pose()])


@pytest.mark.parametrize("rate", [0.137, 1.0, 2.0])
def test_a_tumble_is_stopped_in_the_least_time_that_its_momentum_allows(rate: float) -> None:
    """Against Euler's equations under the moment −m h/|h|, which no moment of that size can beat: d|h|/dt ≥ −m."""
    inertia, moment = np.diag([4.0, 8.0, 5.0]), 0.25
    w = rate / 0.137477 * np.array([0.08, 0.05, 0.10])
    R0 = Rotation.from_euler("xyz", [0.3, -0.4, 0.8])
    still = Moving(R0.as_matrix(), np.zeros(3), np.zeros(3), R0.apply(w))
    stop = stopping(still, inertia, np.zeros(3), 80.0, moment=moment, force=5.0)
    assert stop.t[-1] == pytest.approx(np.linalg.norm(inertia @ w) / moment)

    def euler(t: float, y: np.ndarray) -> np.ndarray:
        q, w = Rotation.from_quat(y[:4]), y[4:]
        h = inertia @ w
        rate = np.linalg.solve(inertia, -moment * h / np.linalg.norm(h) - np.cross(w, h))
        x, y_, z, s = q.as_quat()
        spin = 0.5 * np.array([s * w[0] + y_ * w[2] - z * w[1], s * w[1] + z * w[0] - x * w[2], s * w[2] + x * w[1] - y_ * w[0], -x * w[0] - y_ * w[1] - z * w[2]])  # noqa: E501  # fmt: skip
        return np.concatenate([spin, rate])

    k = int(np.searchsorted(stop.t, 0.98 * stop.t[-1]))
    found = solve_ivp(euler, (0, stop.t[k]), np.concatenate([R0.as_quat(), w]), method="DOP853", rtol=1e-10, atol=1e-12)
    assert np.linalg.norm(found.y[4:, -1]) < 0.05 * np.linalg.norm(w)
    last = Rotation.from_quat(found.y[:4, -1])
    assert (last.inv() * Rotation.from_matrix(stop.R[k])).magnitude() < 1e-6
