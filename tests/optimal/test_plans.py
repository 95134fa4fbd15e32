"""Plans: they replay in the simulator, are optimal by an analytic solution and from several starts, and what cannot be
planned is told."""

import casadi as ca
import numpy as np
import pytest

from softdock import optimal
from softdock.dynamics import Dynamics, rollout
from softdock.optimal import Condition, Cost, Limits, Planner, Task, at_rest, gauss_newton, joints_at
from softdock.optimal.guess import Guesser, units_of
from softdock.optimal.multipliers import carried
from softdock.spatial import quaternion_of_matrix
from softdock.world import (
    Body,
    Contact,
    Fixed,
    Frame,
    Free,
    Latch,
    Pose,
    Prismatic,
    Revolute,
    Servo,
    Sphere,
    Uniform,
    World,
)  # fmt: skip


def rod(mass: float, length: float) -> tuple:
    I = mass * length**2 / 12
    return ((I / 50, 0.0, 0.0), (0.0, I, 0.0), (0.0, 0.0, I))


def chaser(**joint) -> World:
    """A free body with an arm of two joints whose axes differ: 8 velocities, one structure for all tests."""
    cube = ((12.0, 0.0, 0.0), (0.0, 14.0, 0.0), (0.0, 0.0, 16.0))
    return World(
        name="chaser",
        bodies=(
            Body(name="base", joint=Free(), mass=80.0, inertia=cube),
            Body(
                name="upper", parent="base", placement=Pose(position=(0.5, 0.0, 0.1)), joint=Revolute(**joint),
                mass=6.0, center=(0.4, 0.0, 0.0), inertia=rod(6.0, 0.8),
            ),
            Body(
                name="lower", parent="upper", placement=Pose(position=(0.8, 0.0, 0.0)),
                joint=Revolute(axis=(0.0, 1.0, 0.0), **joint), mass=4.0, center=(0.3, 0.0, 0.0), inertia=rod(4.0, 0.6),
            ),
        ),
        frames=(Frame(name="tool", body="lower", placement=Pose(position=(0.6, 0.0, 0.0))),),
    )  # fmt: skip


def with_load() -> Dynamics:
    """The chaser with a free payload welded to its tool."""
    world = chaser()
    ball = ((0.8, 0.0, 0.0), (0.0, 0.8, 0.0), (0.0, 0.0, 0.8))
    load = Body(name="load", joint=Free(), mass=20.0, inertia=ball, shapes=(Sphere(radius=0.2),))
    wall = Body(name="wall", parent="base", joint=Fixed(), placement=Pose(position=(-3.0, 0.0, 0.0)), mass=0.0,
                shapes=(Sphere(radius=0.1),))  # fmt: skip
    world = world.altered(
        bodies=(*world.bodies, load, wall),
        latches=(Latch(name="grasp", kind="weld", frame_a="tool", frame_b="load", engaged=True),),
        contacts=(Contact(name="bump", body_a="load", body_b="wall", restitution=0.5),),
    )
    return Dynamics(world)


JOINTS = ("upper", "lower")


@pytest.fixture(scope="module")
def dynamics() -> Dynamics:
    return Dynamics(chaser())


def task(dynamics: Dynamics, end=None, *, goal=(0.9, -0.7), **more) -> Task:
    q, v = dynamics.state({"upper": {"position": 0.2}, "lower": {"position": 0.5}})
    if "load" in dynamics.layout.q:
        R, p = dynamics.pose("tool", q)
        q[dynamics.layout.q["load"]] = [*p, *quaternion_of_matrix(R)]
    end = [joints_at(dict(zip(JOINTS, goal, strict=True))), at_rest(*JOINTS)] if end is None else end
    return Task(dynamics, q, v, **({"duration": 6.0, "steps": 30} | more), end=end)


@pytest.fixture(scope="module")
def planner(dynamics: Dynamics) -> Planner:
    return Planner(task(dynamics, limits=Limits(torque=2.0)))


@pytest.fixture(scope="module")
def plan(planner: Planner):
    return planner.plan(starts=3)


def test_it_replays_and_is_optimal(dynamics, plan) -> None:
    """Same minimum from three starts; KKT 1e-8; the simulator lands where the plan does; momentum stays zero."""
    assert plan.optimal and plan.status == "optimal" and len(plan.costs) == 3
    assert plan.solved.kkt < 1e-8
    check = plan.check()
    assert check.replay_error < 1e-9 and check.end_error < 1e-9
    assert check.conditioning > 0.5 and check.minimum == "the same, from 3 starts"
    rows = rollout(dynamics, *plan.start[:2], h=plan.motion.h[0], steps=30, commands=plan.commands)
    np.testing.assert_allclose(rows.q, plan.q[1:], atol=1e-9)
    balance = dynamics.balance(plan.q, plan.v)
    assert np.abs(balance.momentum).max() < 1e-10
    assert np.abs(balance.angular_momentum).max() < 1e-10


def test_a_plan_is_a_reference(plan) -> None:
    for k in (0, 7, 29):
        wanted = plan(plan.t[k] + 1e-12)
        np.testing.assert_allclose(wanted.q, plan.q[k], atol=1e-10)
        middle, e = plan.t[k] + 0.11, 1e-5
        slope = (plan(middle + e).q - plan(middle - e).q) / (2 * e)
        np.testing.assert_allclose(slope[7:], plan(middle).v[6:], atol=2e-3)
        q, rate, _ = plan.at(middle)
        np.testing.assert_array_equal(q, plan(middle).q[7:])
        np.testing.assert_array_equal(rate, plan(middle).v[6:])
    assert not plan(1e3).v.any()


def test_warm_and_other_starts_need_few_iterations(planner, plan) -> None:
    again = planner.plan(warm=plan)
    assert again.solved.iterations <= 3 and again.minimum == "local, from one start"
    assert again.cost == pytest.approx(plan.cost, rel=1e-9)
    q = plan.start[0].copy()
    q[7:] += (0.01, -0.01)
    moved = planner.plan(q, warm=plan)
    assert moved.optimal and moved.solved.iterations < plan.solved.iterations
    np.testing.assert_array_equal(moved.q[0], q)


@pytest.mark.parametrize(("mass", "length", "time"), [(1e-4, 0.1, 1.0), (1e4, 10.0, 1.0), (1e-2, 0.1, 1e3)])
def test_small_and_large_worlds_have_the_same_plan(dynamics, mass, length, time) -> None:
    """By dimensions: masses, lengths and durations times factors leave the angles as they are, and torques go with
    M L²/T². (Costs of 1e-9 were below the solver's tolerances, and 30 % worse plans were called optimal.)"""
    unit = mass * length**2 / time**2

    def scaled(body: Body) -> Body:
        place = Pose(position=tuple(length * x for x in body.placement.position))
        inertia = tuple(tuple(mass * length**2 * x for x in row) for row in body.inertia)
        center = tuple(length * x for x in body.center)
        return body.model_copy(
            update={"placement": place, "inertia": inertia, "center": center, "mass": mass * body.mass}
        )

    world = chaser()
    other = Dynamics(world.altered(bodies=tuple(map(scaled, world.bodies))))
    for most in (np.inf, 0.3):  # N m: at the limit for a part of the time
        own = Planner(task(dynamics, limits=Limits(torque=most))).plan()
        its = Planner(task(other, duration=6.0 * time, limits=Limits(torque=unit * most))).plan()
        assert its.cost == pytest.approx(own.cost * unit**2 * time, rel=1e-8)
        np.testing.assert_allclose(its.q[:, 7:], own.q[:, 7:], atol=1e-7)
        assert its.check().active == own.check().active and bool(own.check().active) == np.isfinite(most)


def test_minimum_effort_of_a_rotor_is_the_textbook_s() -> None:
    """J q̈ = u, rest to rest by a in T: ∫u² = 12 J² a²/T³, the least over all u; of torques held through N steps it is
    more by 1/N² to first order; time-optimal with |u| ≤ m: T = 2 √(J a/m)."""
    J, a, T, m = 3.0, 1.2, 4.0, 2.5
    body = Body(name="rotor", joint=Revolute(), mass=1.0, inertia=((2.0, 0, 0), (0, 2.0, 0), (0, 0, J)))
    world = Dynamics(World(name="rotor", bodies=(body,)))
    end, still = [joints_at({"rotor": a}), at_rest("rotor")], world.state()
    exact = 12 * J**2 * a**2 / T**3
    costs = [optimal.plan(Task(world, *still, duration=T, steps=n, end=end)).effort for n in (20, 40)]
    assert costs[1] == pytest.approx(exact, rel=1e-3)
    assert (costs[0] - exact) / (costs[1] - exact) == pytest.approx(4.0, rel=0.02)
    fast = optimal.plan(
        Task(
            world,
            *still,
            duration=(0.5, 10.0),
            steps=40,
            end=end,
            limits=Limits(torque=m),
            cost=Cost(effort=0.0, time=1.0),
        )
    )
    assert fast.duration == pytest.approx(2 * np.sqrt(J * a / m), rel=1e-6)
    assert np.abs(fast.torques).max() <= m * (1 + 1e-9)
    assert any(name.startswith("torque of rotor") for name in fast.check().active)


def test_frames_attitude_and_paths(dynamics) -> None:
    """The tool over a point in the plane, moving along with it; and its height kept below a ceiling."""
    over = Condition("tool over a point", lambda s, goal: s.position("tool")[:2] - goal, (1.45, 0.55))
    along = Condition("tool's velocity", lambda s, goal: s.twist("tool")[1][:2] - goal, (0.02, -0.03))
    met = optimal.plan(task(dynamics, [over, along]))
    np.testing.assert_allclose(dynamics.pose("tool", met.q[-1])[1][:2], (1.45, 0.55), atol=1e-9)
    velocity = dynamics.jacobian("tool", met.q[-1])[3:5] @ met.v[-1]
    np.testing.assert_allclose(velocity, (0.02, -0.03), atol=1e-9)
    ceiling = Condition("ceiling", lambda s, goal: s.position("tool")[2:3], low=-np.inf, high=0.12)
    over = optimal.plan(task(dynamics, goal=(0.9, 0.5)))
    under = optimal.plan(task(dynamics, goal=(0.9, 0.5), paths=[ceiling]))
    heights = [dynamics.pose("tool", p.q)[1][1:, 2].max() for p in (over, under)]
    assert heights[1] <= 0.12 + 1e-8
    assert under.cost >= over.cost - 1e-12


def test_servos_are_part_of_the_torque_and_hold_the_plan(plan) -> None:
    """The same plan in a world whose joints have servos: same cost, and the run with them follows it."""
    world = Dynamics(chaser(servo=Servo(kp=3.0, kd=2.0)))
    served = optimal.plan(task(world, limits=Limits(torque=2.0)))
    assert served.cost == pytest.approx(plan.cost, rel=1e-8)
    np.testing.assert_allclose(served.torques, plan.torques, atol=1e-6)
    assert served.check().replay_error < 1e-9


def test_a_latched_payload_is_planned_with_the_latch_s_own_step() -> None:
    """A free payload welded to the tool, with what is held as the run holds it: replay to rounding, and heavier work
    than without."""
    held = with_load()
    end = [joints_at({"upper": 0.9, "lower": -0.7}), at_rest(*JOINTS)]
    plan = optimal.plan(task(held, end, actuators=JOINTS))
    check = plan.check()
    assert check.replay_error < 1e-9 and check.impacts == ()
    assert plan.motion.impulses.shape == (30, 6) and np.abs(plan.motion.impulses).max() > 0.1


def test_multipliers_go_over_to_another_grid() -> None:
    """Of a latched payload, from 24 steps to 60 in other units: what the rest of the motion costs by its momenta is as
    the finer plan has it; with its own multipliers that needs one iteration at most."""
    held = with_load()
    ways = [Planner(task(held, steps=n, actuators=JOINTS)) for n in (24, 60)]
    coarse, alone = ways[0].plan(), ways[1].plan()
    known, made = carried(coarse, ways[1].made, alone.motion.h), ways[1].made
    got, wanted = (
        x[: made.program.starts[1]].reshape(60, -1)[:, made.tree.nq : made.nx]
        for x in (known.multipliers, alone.solved.multipliers)
    )
    assert np.abs(got - wanted)[5:-5].max() < 0.1 * np.abs(wanted).max()
    fine = ways[1].plan(guess=coarse)
    assert abs(fine.cost / alone.cost - 1) < 1e-7 and fine.check().replay_error < 1e-9
    assert ways[1].plan(warm=fine).solved.iterations <= 1


@pytest.mark.parametrize("latched", [False, True])
def test_an_iteration_of_gauss_and_newton_solves_its_quadratic_problem(dynamics, latched) -> None:
    """Against the dense system of the same problem: the program's Jacobian and the weights of squares."""
    cost = Cost(effort=0.7, rates={"upper": 0.4}, base=0.3)
    how = task(with_load(), actuators=JOINTS, cost=cost) if latched else task(dynamics, cost=cost)
    made = Planner(how).made
    guesser = Guesser(made)
    motion = guesser.default(how.q, how.v, 0.0)
    made.scale(units_of(made, motion))
    x = made.pack(motion) + 1e-2 * np.random.default_rng(5).normal(size=made.size)
    change, multipliers = gauss_newton._iteration(made, x)
    program = made.program
    J = program._jacobian.transposed(program.jacobian(x)).toarray().T
    curvature = program.hessian(x, 1.0, np.zeros(program.rows))  # of the cost, which is all squares
    H = np.zeros((made.size, made.size))
    H[program._hessian.rows, np.repeat(np.arange(made.size), np.diff(program._hessian._starts))] = curvature
    H = H + np.triu(H, 1).T
    free = slice(made.nx, None)  # the start is given
    n, m = made.size - made.nx, program.rows
    system = np.block([[H[free, free], J[:, free].T], [J[:, free], np.zeros((m, m))]])
    right = -np.concatenate([program.gradient(x)[free], program.value(x)[1]])
    found = np.linalg.solve(system, right)
    assert not change[: made.nx].any()
    np.testing.assert_allclose(change[free], found[:n], rtol=1e-7, atol=1e-9 * np.abs(found[:n]).max())
    np.testing.assert_allclose(multipliers, found[n:], rtol=1e-7, atol=1e-8 * np.abs(found[n:]).max())


@pytest.mark.parametrize("speed", [0.1, 1e-3])
def test_a_touch_that_takes_all_the_time_is_located(speed) -> None:
    """Least effort takes all of the last step: the replay meets the ball all the same, when and as fast as planned."""
    ball = Body(name="ball", joint=Free(), mass=10.0, inertia=(2.0, 2.0, 2.0), shapes=(Sphere(radius=0.2),))
    port = Body(
        name="port", joint=Fixed(), mass=0.0, placement=Pose(position=(3.0, 0.1, 0.0)), shapes=(Sphere(radius=0.1),)
    )
    bump = Contact(name="bump", body_a="ball", body_b="port", restitution=0.5)
    world = Dynamics(World(bodies=(ball, port), contacts=(bump,)))
    q, v = world.state()
    v[:3] = (0.01, -0.02, 0.0)

    def apart(s):
        return ca.norm_2(s.position("ball") - s.position("port"))

    touch = Condition("touch", lambda s, goal: apart(s) - goal, (0.3,))
    end = [Condition("speed", lambda s, goal: s.rate(apart(s)) + goal, (speed,))]
    force = ("ball.x", "ball.y", "ball.z")
    plan = optimal.plan(Task(world, q, v, duration=5.0, steps=25, touch=touch, end=end, actuators=force))
    check = plan.check(contact="bump")
    assert [hit.contact for hit in check.impacts] == ["bump"] and check.touched == pytest.approx(plan.t[-1], abs=1e-9)
    assert check.impacts[0].speed_before == pytest.approx(-speed, abs=1e-10)
    assert check.replay_error < 1e-9 and check.end_error < 1e-9


def test_half_a_turn_is_planned() -> None:
    """From where no way is the shortest: 12 J² π²/T³ about the axis of the least inertia among equals."""
    cube = Dynamics(World(bodies=(Body(name="bus", joint=Free(), mass=10.0, inertia=(2.0, 2.0, 2.0)),)))
    torques = ("bus.wx", "bus.wy", "bus.wz")
    end = [optimal.frame_turned("bus", (0.0, 0.0, 0.0, 1.0)), at_rest(*torques)]
    plan = optimal.plan(Task(cube, *cube.state(), duration=5.0, steps=50, actuators=torques, end=end))
    assert plan.optimal and plan.check().replay_error < 1e-9
    assert plan.cost == pytest.approx(12 * 4.0 * np.pi**2 / 125 / (1 - 1 / 50**2), rel=1e-9)


def test_bad_input_is_told_apart_in_one_line(dynamics, planner, plan) -> None:
    def told(kind: str | None, match: str, of) -> None:
        with pytest.raises(ValueError, match=match) as error:
            of()
        assert len(str(error.value)) < 300 and "\n" not in str(error.value)
        assert getattr(error.value, "kind", None) == kind

    far = [optimal.frame_at("tool", (9.0, 0.0, 0.0)), at_rest(*JOINTS)]
    told(
        "infeasible",
        r"the end's 'position of tool \[0\]' stays off by [67]\.",
        lambda: optimal.plan(task(dynamics, far)),
    )
    near = optimal.frame_at("tool", dynamics.pose("tool", plan.q[0])[1] + (0.05, 0.0, 0.0))
    coarse = optimal.plan(
        task(dynamics, [near], steps=4)
    )  # not by turns of 3 rad in a step, which no simulator follows
    assert np.abs(np.diff(coarse.q[:, 7:], axis=0)).max() <= 2.0 + 1e-9 and coarse.check().replay_error < 1e-9
    weak = Limits(torque=0.01)
    told("infeasible", "found no motion that meets", lambda: optimal.plan(task(dynamics, limits=weak)))
    told("stopped early", "limit of iterations", lambda: planner.plan(max_iter=3))
    told(None, r"outside its limits -0.5 to 0.6", lambda: task(dynamics, limits=Limits(joints={"upper": (-0.5, 0.6)})))
    told(None, "the start has 'upper' at 0.2", lambda: task(dynamics, limits=Limits(joints={"upper": (0.5, 1.0)})))
    told(None, "contradict", lambda: task(dynamics, limits=Limits(joints={"upper": (1.0, -1.0)})))
    told(
        None, r"a guess has shape \(31, 14\)|a guess has shape \(31, 9\)", lambda: planner.plan(guess=np.zeros((30, 9)))
    )
    told(None, "not finite", lambda: planner.plan(guess=np.full((31, 2), np.nan)))
    told(None, "a plan or an array", lambda: planner.plan(guess={"upper": 0.3}))
    told(None, "earlier plan of this planner", lambda: Planner(task(dynamics, steps=20)).plan(warm=plan))
    told(None, "starts must be a whole number", lambda: planner.plan(starts=0))
    told(None, "No such IPOPT option: foo", lambda: planner.plan(foo=1))
    told(None, "weight of effort", lambda: Cost(effort=np.nan))
    told(None, "weight of rates", lambda: Cost(rates={"upper": -1.0}))
    told(None, "'joints upper' is not a finite", lambda: task(dynamics, [joints_at({"upper": np.inf})]))
    told(None, "end takes conditions", lambda: task(dynamics, at_rest("upper")))
    told(None, "names none", lambda: joints_at({}))
    told(None, "4 finite numbers", lambda: optimal.frame_turned("tool", np.eye(3)))
    broken = Condition("broken", lambda s, goal: s.coordinates("upper") / 0.0, low=-1.0, high=1.0)
    told(None, "the start violates the path 'broken', by inf", lambda: optimal.plan(task(dynamics, paths=[broken])))
    told(None, "either the number of steps", lambda: task(dynamics, steps=None))
    told(None, "positive number", lambda: task(dynamics, duration=-1.0))
    told(None, "no torque of 'elbow'", lambda: task(dynamics, limits=Limits(torque={"elbow": 1.0})))
    told(None, "no frame 'tol'", lambda: optimal.plan(task(dynamics, [optimal.frame_at("tol", (1.0, 0, 0))])))
    told(None, "no coordinate 'elbow'", lambda: task(dynamics, [joints_at({"elbow": 1.0})]))
    told(None, "names of latches, of none", lambda: task(dynamics, engaged=["grip"]))
    nothing = Condition("nothing", lambda s, goal: None)
    told(None, "'nothing': NotImplementedError", lambda: optimal.plan(task(dynamics, paths=[nothing])))
    told(
        None,
        "cost.running must be one number, not 9 by 1",
        lambda: optimal.plan(task(dynamics, cost=Cost(running=lambda s, goal: s.q))),
    )
    told(None, "cost.final: KeyError", lambda: optimal.plan(task(dynamics, cost=Cost(final=lambda s, g: {}["upper"]))))
    odd = Condition("odd", lambda s, goal: s.q[:2], low=(0.0, 0.0, 0.0), high=1.0)
    told(None, "2 rows, but 3 and 1 bounds", lambda: optimal.plan(task(dynamics, paths=[odd])))
    spun = [optimal.angular_momentum_at((0.0, 0.0, 5.0))]  # which no torque inside the world gives it
    told("infeasible", r"angular momentum \[2\]' stays off by 5 ", lambda: optimal.plan(task(dynamics, spun)))


@pytest.mark.parametrize("duration", [1e-300, 1e-50, 1e50, 1e300])
def test_durations_whose_squares_are_no_numbers_are_refused(dynamics, duration) -> None:
    with pytest.raises(ValueError, match="a duration is between"):
        task(dynamics, duration=duration)


def test_numbers_change_without_compiling(dynamics, planner, monkeypatch) -> None:
    """Costs, bounds and goals."""
    from softdock.kernels import library

    monkeypatch.setattr(library, "_compile", lambda *_: pytest.fail("compiled"))
    other = task(
        dynamics, goal=(0.8, -0.4), limits=Limits(torque=1.5, rate=0.8), cost=Cost(effort=2.0, rates=0.1, base=0.3)
    )
    assert optimal.plan(other).optimal


def two_sliders() -> Dynamics:
    """A point of 1 kg in a plane."""
    inertia = ((0.1, 0.0, 0.0), (0.0, 0.1, 0.0), (0.0, 0.0, 0.1))
    cart = Body(name="x", joint=Prismatic(axis=(1.0, 0.0, 0.0)), mass=0.5, inertia=inertia)
    point = Body(name="y", parent="x", joint=Prismatic(axis=(0.0, 1.0, 0.0)), mass=1.0, inertia=inertia)
    return Dynamics(World(name="plane", bodies=(cart, point)))


def test_a_saddle_is_left() -> None:
    """Straight over a hill everything is symmetric, and stationary; beside it, either way, costs less. A cost without
    a least value is not called optimal where it is stationary."""
    plane = two_sliders()
    q, v = plane.state({"x": {"position": -1.0}})
    how = {"duration": 4.0, "steps": 40, "end": [joints_at({"x": 1.0, "y": 0.0}), at_rest("x", "y")]}

    def hill(s, goal):
        return goal[0] * ca.exp(-ca.sumsqr(s.q) / 0.1)

    over = optimal.plan(Task(plane, q, v, cost=Cost(running=hill, goal=(1.0,)), **how))
    aside = np.column_stack([over.q[:, 0], 1e-3 * np.sin(np.linspace(0.0, np.pi, 41))])
    beside = Planner(Task(plane, q, v, cost=Cost(running=hill, goal=(1.0,)), **how)).plan(guess=aside)
    assert over.optimal and over.cost == pytest.approx(beside.cost, rel=1e-9) and np.abs(over.q[:, 1]).max() > 0.1
    endless = Cost(effort=0.0, running=lambda s, goal: -ca.sumsqr(s.u))
    try:
        plan = optimal.plan(Task(plane, q, v, cost=endless, **(how | {"steps": 4})), max_iter=50)
        assert not plan.optimal and "not known to be a minimum" in plan.check().minimum
    except optimal.NoPlan:
        pass


def test_what_a_call_asks_for_is_that_call_s(dynamics) -> None:
    """Another duration leaves the task and earlier plans as they were; rates in a path hold; a start off a path, and a
    touch without a fixed duration, are told."""
    six = task(dynamics)
    planner = Planner(six)
    first = planner.plan()
    gains = optimal.gains(first)
    assert planner.plan(duration=3.0).duration == pytest.approx(3.0)
    assert planner.plan().cost == pytest.approx(first.cost, rel=1e-9) and six.span == (6.0, 6.0)
    with pytest.raises(AttributeError, match="a task stays as it was made, with its limits: make another"):
        six.limits = Limits(torque=0.5)
    planner.plan(duration=3.0)
    np.testing.assert_array_equal(optimal.gains(first), gains)
    slow = Condition("slow", lambda s, goal: s.rates("upper"), low=-0.15, high=0.15)
    limited = optimal.plan(task(dynamics, limits=Limits(rate={"upper": 0.15})))
    plan = optimal.plan(task(dynamics, paths=[slow]))
    assert plan.cost == pytest.approx(limited.cost, rel=1e-6) and any("slow" in one for one in plan.check().active)
    high = Condition("high", lambda s, goal: s.coordinates("upper"), low=0.5, high=2.0)
    with pytest.raises(ValueError, match=r"the start violates the path 'high', by 0\.3"):
        optimal.plan(task(dynamics, paths=[high]))
    with pytest.raises(ValueError, match="a touch takes a fixed duration"):
        task(dynamics, touch=high, duration=(1.0, 6.0))


def test_a_straight_arm_folds_and_a_pendulum_swings_up() -> None:
    """Where a motion exists there is no word of none: b = 120° from straight; upright with 2.1 N m of 9.8."""
    inertia = ((0.01, 0.0, 0.0), (0.0, 0.05, 0.0), (0.0, 0.0, 0.05))
    upper = Body(name="a", joint=Revolute(), mass=1.0, center=(0.5, 0.0, 0.0), inertia=inertia)
    lower = Body(name="b", parent="a", placement=Pose(position=(1.0, 0.0, 0.0)), joint=Revolute(), mass=1.0,
                 center=(0.5, 0.0, 0.0), inertia=inertia)  # fmt: skip
    tool = Frame(name="tool", body="b", placement=Pose(position=(1.0, 0.0, 0.0)))
    arm = Dynamics(World(name="straight", bodies=(upper, lower), frames=(tool,)))
    end = [optimal.frame_at("tool", (1.0, 0.0, 0.0)), at_rest("a", "b")]
    folded = optimal.plan(Task(arm, *arm.state(), duration=4.0, steps=40, end=end))
    np.testing.assert_allclose(np.abs(folded.q[-1]), np.radians([60.0, 120.0]), atol=1e-8)
    rod = Body(name="p", joint=Revolute(axis=(0.0, 1.0, 0.0)), mass=1.0, center=(0.0, 0.0, -1.0), inertia=inertia)
    hanging = Dynamics(World(name="pendulum", bodies=(rod,), gravity=Uniform()))
    end = [joints_at({"p": np.pi}), at_rest("p")]
    swung = optimal.plan(Task(hanging, *hanging.state(), duration=6.0, steps=60, end=end, limits=Limits(torque=2.1)))
    assert swung.optimal and swung.check().end_error < 1e-9


def test_what_is_too_weak_to_lift_swings_up() -> None:
    """A pendulum with 1.5 N m of 9.8, whose energy pushing its way fills in 7.1 s; with strength enough for one swing a
    cheaper motion of more; a double one that only its elbow drives."""
    inertia = ((0.01, 0.0, 0.0), (0.0, 0.05, 0.0), (0.0, 0.0, 0.05))
    rod = Body(name="p", joint=Revolute(axis=(0.0, 1.0, 0.0)), mass=1.0, center=(0.0, 0.0, -1.0), inertia=inertia)
    hanging = Dynamics(World(name="pendulum", bodies=(rod,), gravity=Uniform()))
    up = {"duration": 8.0, "steps": 60, "end": [joints_at({"p": np.pi}), at_rest("p")]}
    weak = optimal.plan(Task(hanging, *hanging.state(), limits=Limits(torque=1.5), **up))
    assert weak.optimal and weak.check().end_error < 1e-9
    strong = Planner(Task(hanging, *hanging.state(), limits=Limits(torque=8.0), **up))
    costs = strong.plan(starts=2).costs
    assert costs[1] < 0.9 * costs[0]
    upper = rod.altered(name="a", center=(0.0, 0.0, -0.5))
    lower = upper.altered(name="b", parent="a", placement=Pose(position=(0.0, 0.0, -1.0)))
    double = Dynamics(World(name="double", bodies=(upper, lower), gravity=Uniform()))
    end = [joints_at({"a": np.pi, "b": 0.0}), at_rest("a", "b")]
    elbow = {"duration": 3.0, "steps": 30, "actuators": ["b"], "end": end, "limits": Limits(torque=20.0)}
    plan = optimal.plan(Task(double, *double.state(), **elbow))
    assert plan.optimal and plan.check().end_error < 1e-9


def test_a_thin_obstacle_that_is_jumped_over_is_told() -> None:
    """|x| ≥ 0.1 m from 0.2 to −0.4 m: kept at the ends of steps, violated by 0.1 m within one."""
    slide = Body(name="x", joint=Prismatic(axis=(1.0, 0.0, 0.0)), mass=2.0, inertia=(1.0, 1.0, 1.0))
    world = Dynamics(World(name="slide", bodies=(slide,)))
    q, v = world.state({"x": {"position": 0.2}})
    wall = Condition("wall", lambda s, goal: ca.fabs(s.coordinates("x")), low=0.1, high=9.0)
    how = {"duration": 2.0, "steps": 20, "end": [joints_at({"x": -0.4}), at_rest("x")]}
    jumped = optimal.plan(Task(world, q, v, paths=[wall], **how))
    assert 0.01 < jumped.check().between <= 0.1 + 1e-9
    assert optimal.plan(Task(world, q, v, **how)).check().between == 0.0
