"""Torque limits and clearances: met at every time, at a cost not below the convex one; reasons when they are not."""

import numpy as np
import pytest

from softdock.dynamics import Dynamics
from softdock.planning import Infeasible, minimum_acceleration, plan_motion
from softdock.planning.constraints import Clearances, Torques
from softdock.world import Body, Capsule, Fixed, Planar, Pose, Revolute, Sphere, Spring, Uniform, World

ARM = ["upper", "fore"]


def planar_arm(base: object = Fixed(), rock: tuple[float, float] | None = None) -> Dynamics:
    tube = Capsule(radius=0.05, length=0.9, placement=Pose(position=(0.5, 0, 0), rpy=(0, np.pi / 2, 0)))
    link = {"mass": 4.0, "center": (0.5, 0, 0), "inertia": (0.01, 0.34, 0.34), "shapes": (tube,)}
    bodies = [
        Body(name="base", joint=base, mass=40.0, inertia=(4.0, 4.0, 4.0)),
        Body(name="upper", parent="base", joint=Revolute(), **link),
        Body(name="fore", parent="upper", joint=Revolute(), placement=Pose(position=(1.0, 0, 0)), **link),
    ]
    if rock:
        ball = (Sphere(radius=0.15),)
        bodies.append(Body(name="rock", joint=Fixed(), placement=Pose(position=(*rock, 0)), mass=1.0, shapes=ball))
    return Dynamics(World(name="arm", bodies=tuple(bodies)))


START, GOAL, T = np.array([-0.6, 0.3]), np.array([0.8, 1.0]), 3.0
FINE = np.linspace(0, T, 3001)


def at_start(d: Dynamics) -> np.ndarray:
    return d.state({name: {"position": x} for name, x in zip(ARM, START, strict=True)})[0]


@pytest.mark.parametrize("floating", [False, True], ids=["held", "floating"])
def test_active_torque_limits_hold_at_all_times(floating: bool) -> None:
    d = planar_arm(Planar())
    q, free = at_start(d), ["base"] if floating else []
    convex = minimum_acceleration(START, GOAL, T)
    peak = np.abs(Torques(d, ARM, q, {"upper": 1.0, "fore": 1.0}, free).values(*convex.at(FINE))).max(axis=0)
    limit = {"upper": 0.8 * peak[0], "fore": 0.9 * peak[1]}
    plan = plan_motion(d, ARM, q, GOAL, T, torque=limit, floating=free, rate=3.0)
    used = np.abs(Torques(d, ARM, q, limit, free).values(*plan.at(FINE))).max(axis=0)
    assert np.all(used <= list(limit.values())) and used[0] > 0.99 * limit["upper"]
    assert convex.cost < plan.cost < 1.5 * convex.cost
    assert np.abs(plan.q[-1] - GOAL).max() < 1e-8 and np.abs(plan.qd[-1]).max() < 1e-8
    assert plan.kkt < 1e-3


def test_torques_of_a_floating_base_are_those_of_its_motion() -> None:
    """The planner's torques against forward dynamics: driven so from rest, the joints accelerate as planned."""
    d = planar_arm(Planar())
    q = at_start(d)
    rng = np.random.default_rng(4)
    x, xd, xdd = rng.normal(size=(3, 1, 2))
    torque = Torques(d, ARM, q, {"upper": 1.0, "fore": 1.0}, ["base"]).values(x, xd, xdd)[0]
    whole, v = q.copy(), np.zeros(5)
    whole[3:], v[3:] = x[0], xd[0]
    M = d.mass_matrix(whole)
    v[:3] = -np.linalg.solve(M[:3, :3], M[:3, 3:] @ xd[0])
    assert np.abs(d.balance(whole, v).momentum).max() < 1e-12
    a = d.forward_dynamics(whole, v, np.concatenate([np.zeros(3), torque]))
    assert np.abs(a[3:] - xdd[0]).max() < 1e-10


def test_limits_that_do_not_matter_change_nothing() -> None:
    d = planar_arm()
    plan = plan_motion(d, ARM, at_start(d), GOAL, T, torque={"upper": 1e4}, knots=100)
    assert np.abs(plan.q - minimum_acceleration(START, GOAL, T).q).max() < 1e-12


@pytest.mark.parametrize("rock", [(1.75, 0.75), (1.65, 0.85)])
def test_an_arm_goes_round_an_obstacle(rock: tuple[float, float]) -> None:
    d = planar_arm(rock=rock)
    q, margin = at_start(d), {("fore", "rock"): 0.05, ("upper", "rock"): 0.05}
    gaps = Clearances(d, ARM, q, margin)
    convex = minimum_acceleration(START, GOAL, T)
    assert gaps.values(*convex.at(FINE)).min() < 0.0
    plan = plan_motion(d, ARM, q, GOAL, T, clearance=margin)
    least = gaps.values(*plan.at(FINE)).min()
    assert 0.05 <= least < 0.052
    assert plan.cost > convex.cost
    # the gaps again from the tubes' and the ball's geometry alone
    for a, b in plan.at(FINE).q:
        R = [np.array([[np.cos(x), -np.sin(x)], [np.sin(x), np.cos(x)]]) for x in (a, a + b)]
        for start, turn in ((np.zeros(2), R[0]), (R[0] @ (1.0, 0.0), R[1])):
            p0, p1 = start + turn @ (0.05, 0.0), start + turn @ (0.95, 0.0)
            s = np.clip((np.array(rock) - p0) @ (p1 - p0) / 0.81, 0, 1)
            assert np.linalg.norm(p0 + s * (p1 - p0) - rock) - 0.2 > 0.05 - 1e-9


def test_a_small_ball_between_the_samples_is_seen() -> None:
    """A tool of 3 mm and balls of 1 cm on its way, with few knots, so that it is past one between two of them."""
    free, tool = minimum_acceleration(START, GOAL, 1.0), (Sphere(radius=0.003, placement=Pose(position=(1, 0, 0))),)

    def tip(q: np.ndarray) -> np.ndarray:
        turn = np.cumsum(q, axis=-1)
        return np.stack([np.cos(turn).sum(axis=-1), np.sin(turn).sum(axis=-1), 0 * q[..., 0]], axis=-1)

    link = {"mass": 4.0, "center": (0.5, 0, 0), "inertia": (0.01, 0.34, 0.34)}
    for part in (0.32, 0.41, 0.52, 0.69):
        ball = tip(free.at(part).q)
        d = Dynamics(
            World(
                bodies=(
                    Body(name="upper", joint=Revolute(), **link),
                    Body(name="fore", parent="upper", joint=Revolute(), placement=Pose(position=(1, 0, 0)),
                         shapes=tool, **link),
                    Body(name="ball", joint=Fixed(), placement=Pose(position=tuple(ball.tolist())), mass=1.0,
                         shapes=(Sphere(radius=0.01),)),
                )
            )
        )  # fmt: skip
        plan = plan_motion(d, ARM, at_start(d), GOAL, 1.0, clearance={("fore", "ball"): 0.005}, knots=8)
        gap = np.linalg.norm(tip(plan.at(np.linspace(0.0, 1.0, 20_001)).q) - ball, axis=1) - 0.013
        assert 0.005 <= gap.min() < 0.006


def test_what_cannot_be_met_is_named() -> None:
    d = planar_arm(rock=(1.75, 0.75))
    q = at_start(d)
    with pytest.raises(Infeasible, match="no plan found: torque of 'upper' is"):
        plan_motion(d, ARM, q, GOAL, T, torque={"upper": 0.2}, rate=1.5, knots=20)
    with pytest.raises(Infeasible, match="start: clearance 'fore – rock' is"):
        plan_motion(d, ARM, q, GOAL, T, clearance={("fore", "rock"): 5.0})
    with pytest.raises(Infeasible, match="'fore' cannot reach the goal in 3 s"):
        plan_motion(d, ARM, q, GOAL, T, torque={"upper": 9.0}, rate=[1.0, 0.2])
    with pytest.raises(ValueError, match="the torque limit of 'upper' must be positive"):
        plan_motion(d, ARM, q, GOAL, T, torque={"upper": 0.0})
    with pytest.raises(ValueError, match="clearances of a floating base are not planned"):
        plan_motion(d, ARM, q, GOAL, T, clearance={("fore", "rock"): 0.1}, floating=["base"])


def test_ends_that_cannot_be_held_and_joints_that_nothing_holds_are_refused() -> None:
    """At the goal both links are level: 2 × 4 kg at 0.5 and 1.5 m under 9.81 m/s² take 78.5 N m of the first joint."""
    link = {"mass": 4.0, "center": (0.5, 0, 0), "inertia": (0.01, 0.34, 0.34)}
    upper = Body(name="upper", joint=Revolute(axis=(0, 1, 0)), **link)
    fore = Body(name="fore", parent="upper", joint=Revolute(axis=(0, 1, 0)), placement=Pose(position=(1, 0, 0)), **link)
    d = Dynamics(World(bodies=(upper, fore), gravity=Uniform(acceleration=(0, 0, -9.81))))
    hanging = d.state({"upper": {"position": np.pi / 2}})[0]
    with pytest.raises(Infeasible, match=r"goal: 'upper' cannot be held: that takes -78.48, and its limit is 50"):
        plan_motion(d, ARM, hanging, [0.0, 0.0], 3.0, torque={"upper": 50.0})
    assert plan_motion(d, ARM, hanging, [0.0, 0.0], 3.0, torque={"upper": 90.0}).duration == 3.0
    with pytest.raises(Infeasible, match="start: 'upper' cannot be held"):
        plan_motion(d, ARM, d.layout.neutral(), [np.pi / 2, 0.0], 3.0, torque={"upper": 50.0})
    elastic = fore.altered(joint=Revolute(axis=(0, 1, 0), spring=Spring(stiffness=5.0)))
    soft = Dynamics(d.world.altered(bodies=(upper, elastic)))
    with pytest.raises(ValueError, match="the joint of 'fore' has a spring and no servo: nothing holds it"):
        plan_motion(soft, ["upper"], soft.layout.neutral(), [0.4], 3.0, torque={"upper": 90.0})
    with pytest.raises(ValueError, match="'fore' is not a base"):
        plan_motion(soft, ["upper"], soft.layout.neutral(), [0.4], 3.0, torque={"upper": 90.0}, floating=["fore"])
