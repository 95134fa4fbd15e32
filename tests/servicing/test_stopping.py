"""A stack is stopped by a plan of least effort: rest, momentum and limits, what thrusters can push, and the course."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy.interpolate import CubicSpline
from scipy.optimize import lsq_linear
from scipy.spatial.transform import Rotation

from softdock import mission as ms
from softdock.control.reference import Wanted
from softdock.mission.arm import Still
from softdock.mission.craft import Crafts, turned_hill
from softdock.mission.flying import BaseArm
from softdock.mission.passivating import PlannedCourse, pushed, stopping
from softdock.mission.reaching import SHARE, _through, held
from softdock.optimal import Plan
from softdock.planning.flight import Stopping
from softdock.planning.intercept import Intercept
from softdock.scenarios import load
from softdock.world import Body, Fixed, Pose

RATE = np.array([0.05, -0.08, 0.07])


@pytest.fixture(scope="module")
def stack() -> tuple[ms.Arm, ms.Pilot, Body]:
    """The craft of 'servicing' turns with what it holds about a point 2.5 m before it, 100 s after the start."""
    scenario = load("servicing", [])
    crafts, arm, pilot = Crafts(scenario.make_world()), ms.Arm("gripper"), ms.Pilot("chaser")
    for name, part in (("arm", arm), ("pilot", pilot)):
        part.name = name
        part.fit(crafts)
    craft, layout = arm.craft, arm.craft.dynamics.layout
    q, v = layout.neutral(), np.zeros(craft.dynamics.nv)
    q[layout.flat(arm.joints)[0]] = scenario.arm.ready
    place, R_WA = layout.v["chaser"], turned_hill(craft.n, 100.0)
    q[layout.q["chaser"]][:3] = (0.3, -2.0, 0.4)
    v[place][3:] = RATE
    v[place][:3] = np.cross(RATE, (-2.5, 0.0, 0.0)) + R_WA @ np.cross([0, 0, craft.n], R_WA.T @ (0.3, -2.0, 0.4))
    craft.measured(100.0, q, v)
    pilot.update(100.0)
    box = ((4.0, 0.3, 0.0), (0.3, 8.0, -0.2), (0.0, -0.2, 5.0))
    load_ = Body(
        name="load", parent=arm.tip_body, joint=Fixed(), placement=Pose(position=(0.9, 0, 0)), mass=80.0, inertia=box
    )
    return arm, pilot, load_


@pytest.fixture(scope="module")
def plan(stack) -> Plan:
    arm, pilot, load_ = stack
    rest = Stopping(pilot.believed(), np.array([2.8, -2.0, 0.4]), begin=100.0, seconds=30.0).at(130.0)
    return stopping(arm, pilot, load_, rest, 30.0)


def test_it_comes_to_rest_within_all_limits(stack, plan) -> None:
    arm, pilot, _ = stack
    craft = arm.craft
    check, dynamics = plan.check(), plan.made.dynamics
    assert plan.optimal and plan.solved.kkt < 1e-8 and check.replay_error < 1e-7

    course = PlannedCourse(plan, "chaser", craft.n)
    last = course.at(course.end - 1e-6)
    assert np.abs(last.v).max() < 1e-4 and np.abs(last.w).max() < 1e-4  # in A
    joints = dynamics.layout.velocities(arm.joints)
    assert np.abs(plan.v[-1][joints]).max() < 1e-9

    names, force = list(plan.made.task.names), plan.torques[:, -3:]
    assert names[-3:] == ["chaser.x", "chaser.y", "chaser.z"]
    assert np.abs(force).max() <= pushed(pilot) + 1e-9
    wheels = dynamics.layout.velocities(pilot.wheels)
    motor = craft.world.body(pilot.wheels[0]).joint.actuator
    assert np.abs(plan.motion.xi[:, wheels]).max() <= motor.rate and np.abs(plan.torques[:, 7:10]).max() <= motor.effort
    assert np.abs(plan.torques[:, :7]).max() <= arm.efforts.min()
    at = dynamics.layout.flat(arm.joints)[0]
    assert np.abs(plan.q[:, at] - plan.q[0, at]).max() <= 0.3 + 1e-9

    # the thrusters' impulse is what takes the momentum off; gravity's part is known by free flight from the same start
    balance = dynamics.balance(plan.q, plan.v)
    impulse = (plan.motion.h[:, None] * force).sum(axis=0)
    gained = np.asarray(balance.momentum[-1] - balance.momentum[0])
    np.testing.assert_allclose(gained, impulse, atol=30.0 * dynamics.mass * 3 * craft.n**2 * 10.0)


def test_the_course_is_the_plan_as_the_pilot_wants_it(stack, plan) -> None:
    """Turned into A and back again by `Pilot.want`, which knows nothing of plans."""
    arm, pilot, _ = stack
    craft, layout = arm.craft, arm.craft.dynamics.layout
    pilot.course = PlannedCourse(plan, "chaser", craft.n)
    for t in (100.0, 100.3):
        wanted, told = Wanted(craft.q.copy(), np.zeros(craft.dynamics.nv), np.zeros(craft.dynamics.nv)), plan(t)
        pilot.want(t, wanted)
        own = plan.made.dynamics.layout
        np.testing.assert_allclose(wanted.q[layout.q["chaser"]], told.q[own.q["chaser"]], atol=1e-12)
        np.testing.assert_allclose(wanted.v[layout.v["chaser"]], told.v[own.v["chaser"]], atol=1e-12)
        np.testing.assert_allclose(wanted.a[layout.v["chaser"]], told.a[own.v["chaser"]], atol=1e-12)


def test_what_thrusters_push_is_given_whatever_way_the_body_is_turned(stack) -> None:
    """By bounded least squares: corners of the cube of forces in world axes, of 40 attitudes, without a moment."""
    pilot = stack[1]
    W, most = np.array([one.wrench for one in pilot.thrusters]).T, pushed(pilot)
    assert most > 2.0
    for R in Rotation.random(40, random_state=3).as_matrix():
        corner = R.T @ (most * np.sign(R[0] - 0.1))
        found = lsq_linear(W, np.concatenate([corner, np.zeros(3)]), bounds=(0.0, 1.0), tol=1e-12)
        assert np.linalg.norm(found.fun) < 1e-6


def test_a_reach_of_least_effort(stack) -> None:
    """Against the usual blend to the same joint values, by inverse dynamics along both; and where a handle moves on."""
    arm, pilot, _ = stack
    start = arm.q.copy()
    arm.motion = Still(start)
    R, p, _ = BaseArm(arm).forward(start + np.array([0.4, 0.3, 0.5, -0.6, -0.4, 0.3, 0.5]))
    here = pilot.believed()
    handle = Pose.of(here.R @ R, here.p + here.R @ (p + R @ (0.3, 0.0, 0.0)))
    nav = SimpleNamespace(forecast=lambda t: SimpleNamespace(pose=handle))
    reach = ms.ReachOptimally(arm, pilot, nav, Pose(), seconds=15.0, standoff=0.3)
    reach.begin(100.0)
    assert reach.planned.startswith("optimal")
    R_there, p_there, _ = BaseArm(arm).forward(reach.at(115.0).q)
    np.testing.assert_allclose(np.column_stack([R_there, p_there]), np.column_stack([R, p]), atol=1e-6)

    times = 100.0 + 0.05 * (np.arange(300) + 0.5)
    ways = [[one(reach, t) for t in times] for one in (ms.ReachOptimally.at, ms.ReachBeside.at)]
    torques = [held(arm).inverse_dynamics(*map(np.array, zip(*way, strict=True))) for way in ways]
    efforts = [0.05 * (u**2).sum() for u in torques]
    told = float(reach.planned.split("effort ")[1].split()[0])
    assert efforts[0] == pytest.approx(told, rel=0.02)
    assert efforts[0] < 0.75 * efforts[1]  # 12 : 120/7, were its inertia constant
    q, qd, _ = map(np.array, zip(*ways[0], strict=True))
    assert np.all(np.abs(torques[0]) <= arm.efforts) and np.all(np.abs(qd) <= arm.rates)
    assert np.all(q >= arm.lower) and np.all(q <= arm.upper)

    reach.servo._t, reach.servo._rate = 100.0, np.full(len(start), 2e-3)  # the handle goes on
    first, last, there = reach.at(100.0), reach.at(115.0), reach.servo.at(115.0)
    np.testing.assert_allclose(first.q, start, atol=1e-12)
    np.testing.assert_allclose([last.q, last.qd], [there.q, there.qd], atol=1e-6)


def test_a_way_through_a_plan_is_as_bounded_as_the_plan() -> None:
    """Of any steps within SHARE of a rate of 1, from and to any rates: it ends where they do, and is never faster."""
    rng, h = np.random.default_rng(4), 0.1
    for _ in range(20):
        xi, (first, last) = SHARE * rng.choice([-1.0, 0.3, 1.0], (60, 2)), rng.choice([-1.0, 1.0], (2, 2))
        q = np.vstack([np.zeros((1, 2)), h * np.cumsum(xi, axis=0)])
        plan = SimpleNamespace(
            t=7.0 + h * np.arange(61), q=q, motion=SimpleNamespace(xi=xi), solved=SimpleNamespace(kkt=0.0)
        )
        way = _through(("a", "b"), plan, first, last)
        times = np.linspace(0.0, 6.0, 2401)
        found = way.at(times)
        np.testing.assert_allclose([way.at(6.0).q, way.at(6.0).qd, way.at(0.0).qd], [q[-1], last, first], atol=1e-12)
        assert np.abs(found.qd).max() <= 1.0 and np.abs(found.qdd).max() <= 2.0 / (h / 2)
        trapezoids = (found.qd[1:] + found.qd[:-1]) / 2 * np.diff(times)[:, None]  # exact: knots are among the times
        np.testing.assert_allclose(np.diff(found.q, axis=0), trapezoids, atol=1e-12)


def test_moves_and_intercepts_of_least_effort(stack) -> None:
    """Of the least accelerations, which an arm's inertia knows nothing of, the torques are larger; a way that a search
    does not admit is not taken."""
    arm = stack[0]
    start = arm.q.copy()
    arm.motion = Still(start)
    to = start + np.array([0.4, 0.3, 0.5, -0.6, -0.4, 0.3, 0.5])
    move = ms.MoveOptimally(arm, to, 15.0)
    usual, best = ms.Move.planned(move, 100.0), move.planned(100.0)
    assert move.told.startswith("optimal")
    np.testing.assert_allclose([best.at(15.0).q, best.at(15.0).qd], [to, 0 * to], atol=1e-8)
    times = 0.05 * (np.arange(300) + 0.5)
    efforts = [0.05 * (held(arm).inverse_dynamics(*way.at(times)) ** 2).sum() for way in (best, usual)]
    assert efforts[0] == pytest.approx(float(move.told.split("effort ")[1].split()[0]), rel=0.02)
    assert efforts[0] < efforts[1]

    knots = np.array([115.0, 118.0, 121.0])
    along = CubicSpline(knots, to + 0.01 * (knots[:, None] - 115.0))  # at a constant rate
    found = Intercept(Pose(), 100.0, 115.0, 119.0, 121.0, usual, along, knots, along(knots))
    chase = ms.ChaseOptimally.__new__(ms.ChaseOptimally)
    chase.arm = arm
    led = chase._led(100.0, SimpleNamespace(admits=lambda plan, now: True), found)
    assert chase.reached.startswith("optimal")
    for k, rate in enumerate((along(115.0), along(115.0, 1))):
        np.testing.assert_allclose(led.align.at(15.0)[k], rate, atol=1e-8)
    assert chase._led(100.0, SimpleNamespace(admits=lambda plan, now: False), found) is found
    assert chase.reached.startswith("not kept")
