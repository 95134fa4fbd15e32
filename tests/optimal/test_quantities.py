"""What tasks are written in, one by one: actuators, ends, costs and paths, each against an answer that is known."""

import numpy as np
import pytest
from scipy.linalg import expm
from scipy.optimize import minimize_scalar

from softdock import Simulation, optimal
from softdock.dynamics import Dynamics
from softdock.optimal import Condition, Cost, Limits, Task, at_rest, joints_at
from softdock.world import (
    Actuator,
    Body,
    Fixed,
    Frame,
    Free,
    Orbit,
    Planar,
    Pose,
    Prismatic,
    Revolute,
    Spherical,
    Thruster,
    World,
    modal,
)  # fmt: skip

J, T, N = 3.0, 4.0, 40
TENSOR = ((2.0, 0.0, 0.0), (0.0, 2.5, 0.0), (0.0, 0.0, J))
AXES = ("x", "y", "z", "wx", "wy", "wz")


def rotor() -> Dynamics:
    return Dynamics(World(name="rotor", bodies=(Body(name="rotor", joint=Revolute(), mass=1.0, inertia=TENSOR),)))


def turned(world: Dynamics, a: float, **how) -> optimal.Plan:
    """A rotor's joint from rest to rest at a."""
    end = how.pop("end", [joints_at({"rotor": a}), at_rest("rotor")])
    return optimal.plan(Task(world, *world.state(), **({"duration": T, "steps": N} | how), end=end))


@pytest.fixture(scope="module")
def wheel() -> Dynamics:
    return rotor()


@pytest.fixture(scope="module")
def bus() -> Dynamics:
    """A free body with a thruster each way along x on either side, and a frame that is turned and off its centre."""
    pairs = [(sign, side) for sign in (1.0, -1.0) for side in (1.0, -1.0)]
    thrusters = [
        Thruster(name=f"t{k}", body="bus", position=(-0.5 * sign, 0.5 * side, 0), direction=(sign, 0, 0), thrust=10.0)
        for k, (sign, side) in enumerate(pairs)
    ]  # fmt: skip
    body = Body(name="bus", joint=Free(), mass=40.0, inertia=TENSOR)
    tool = Frame(name="tool", body="bus", placement=Pose(position=(0.3, 0.2, 0.1), rpy=(0.1, 0.2, 0.3)))
    return Dynamics(World(name="bus", bodies=(body,), frames=(tool,), thrusters=thrusters))


def flown(bus: Dynamics, *end: Condition, actuators=tuple(f"bus.{axis}" for axis in AXES), **how) -> optimal.Plan:
    q, v = bus.state()
    return optimal.plan(
        Task(bus, q, v, **({"duration": T, "steps": N} | how), end=list(end), actuators=list(actuators))
    )


# --- costs -------------------------------------------------------------------------------------


def test_cost_of_rates(wheel) -> None:
    """min ∫ u² + w ω² of J ω̇ = u, rest to rest by a: ω = c (1 − cosh k(t − T/2)/cosh(kT/2)), k = √w/J, costs w c a."""
    a, w = 1.2, 20.0
    k = np.sqrt(w) / J
    c = a / (T - 2 / k * np.tanh(k * T / 2))
    plan = turned(wheel, a, cost=Cost(rates=w))
    assert plan.cost == pytest.approx(w * c * a, rel=1e-3)
    np.testing.assert_allclose(plan.v[N // 2, 0], c * (1 - 1 / np.cosh(k * T / 2)), rtol=1e-3)


def test_cost_of_time(wheel) -> None:
    """12 J² a²/T³ + w T is least at T⁴ = 36 J² a²/w."""
    a, w = 1.2, 5.0
    plan = turned(wheel, a, duration=(1.0, 20.0), cost=Cost(time=w))
    assert plan.duration == pytest.approx((36 * J**2 * a**2 / w) ** 0.25, rel=1e-3)


def test_running_and_final_costs(wheel) -> None:
    """A running cost of u² is the effort, in N m; with c q it is 12 J² a²/T³ + c a T/2 − c² T⁵/(2880 J²), to second
    order in h; and of x where rest ends, 12 J² x²/T³ + w (x − a)² is least at x = a w/(w + 12 J²/T³)."""
    a, w, c = 1.2, 2.0, 3.0

    def weighed(by: float, steps: int) -> optimal.Plan:
        cost = Cost(effort=0.0, running=lambda s, goal: s.u[0] ** 2 + goal[0] * s.q[0], goal=(by,))
        return turned(wheel, a, cost=cost, steps=steps)

    own = weighed(0.0, N)
    assert own.cost == pytest.approx(turned(wheel, a).cost, rel=1e-8)
    assert own.cost == pytest.approx(own.effort, rel=1e-8)
    exact = 12 * J**2 * a**2 / T**3 + c * a * T / 2 - c**2 * T**5 / (2880 * J**2)
    errors = [weighed(c, steps).cost - exact for steps in (N // 2, N)]
    assert abs(errors[1]) < 1e-3 * exact and errors[0] / errors[1] == pytest.approx(4.0, rel=0.05)
    off = Cost(final=lambda s, goal: goal[0] * (s.coordinates("rotor")[0] - goal[1]) ** 2, goal=(w, a))
    plan = turned(wheel, a, end=[at_rest("rotor")], cost=off)
    assert plan.q[-1, 0] == pytest.approx(a * w / (w + 12 * J**2 / T**3), rel=1e-3)


def test_cost_of_base_motion_and_a_wheel_s_limits() -> None:
    """A craft on its axis with a wheel: ω of the craft is −r times the wheel's relative rate, r = J_w/(J + J_w), so
    that `base` weighs as `rates` times r² (see above, with the inertia between them); time-optimal within the wheel's
    own effort and rate, the turn takes a/ω + ω/α."""
    Jw, a, w = 0.5, -8.0, 400.0
    r, reduced = Jw / (J + Jw), J * Jw / (J + Jw)
    spin = Body(name="wheel", parent="rotor", joint=Revolute(actuator=Actuator(effort=2.0, rate=5.0)), mass=1.0,
                inertia=((0.3, 0.0, 0.0), (0.0, 0.3, 0.0), (0.0, 0.0, Jw)))  # fmt: skip
    craft = Dynamics(World(name="craft", bodies=(rotor().world.bodies[0], spin)))
    q, v = craft.state()
    end = [joints_at({"wheel": a}), at_rest("wheel")]
    k = np.sqrt(w) * r / reduced
    c = a / (T - 2 / k * np.tanh(k * T / 2))
    free = Limits(torque=100.0, rate=100.0)
    plan = optimal.plan(
        Task(craft, q, v, duration=T, steps=N, end=end, actuators=["wheel"], cost=Cost(base=w), limits=free)
    )
    assert plan.cost == pytest.approx(w * r**2 * c * a, rel=1e-3)
    assert plan.q[-1, 0] == pytest.approx(-r * a, abs=1e-9)  # the craft's own turn
    soon = Cost(effort=0.0, time=1.0)
    fast = optimal.plan(Task(craft, q, v, duration=(1.0, 9.0), steps=N, end=end, actuators=["wheel"], cost=soon))
    assert fast.duration == pytest.approx(abs(a) / 5.0 + 5.0 / (2.0 / reduced), rel=2e-3)
    assert np.abs(fast.motion.xi[:, 1]).max() <= 5.0 + 1e-9 and np.abs(fast.torques).max() <= 2.0 + 1e-9
    assert fast.check().replay_error < 1e-9


@pytest.mark.parametrize("further", [0.0, 1e-9])
def test_a_motion_that_needs_next_to_no_command(wheel, further) -> None:
    """ω T and then 1e-9 rad further at the same rate: 12 J² (1e-9)²/T³, beside a momentum of J ω."""
    q, v = wheel.state({"rotor": {"velocity": 0.5}})
    end = [joints_at({"rotor": 0.5 * T + further}), optimal.rates_at({"rotor": 0.5})]
    plan = optimal.plan(Task(wheel, q, v, duration=T, steps=N, end=end))
    exact = 12 * J**2 * further**2 / T**3
    assert plan.optimal and plan.cost == pytest.approx(exact, rel=2e-3, abs=1e-28)


# --- ends --------------------------------------------------------------------------------------


def test_a_frame_s_pose_at_rest(bus) -> None:
    """From rest along x and about z at once; x is m d²·12/T³ and z J² a²·12/T³ where the body's own axis is met."""
    d, a = 0.5, 0.8
    turn = np.array([np.cos(a / 2), 0.0, 0.0, np.sin(a / 2)])
    rest = [at_rest(*(f"bus.{axis}" for axis in AXES))]
    plan = flown(bus, optimal.frame_at("bus", (d, 0.0, 0.0)), optimal.frame_turned("bus", turn), *rest)
    assert plan.cost == pytest.approx(12 * (40.0**2 * d**2 + J**2 * a**2) / T**3, rel=1e-3)
    R, p = bus.pose("bus", plan.q[-1])
    np.testing.assert_allclose(p, (d, 0.0, 0.0), atol=1e-9)
    np.testing.assert_allclose(R, [[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]], atol=1e-9)
    assert plan.check().replay_error < 1e-9


def test_a_frame_that_moves_and_turns(bus) -> None:
    """A handle's pose and velocity, off the body's centre: by the simulator's own pose and Jacobian."""
    place, linear, angular = (0.8, 0.3, -0.2), (0.05, -0.02, 0.03), (0.02, 0.1, -0.05)
    turn = np.array([0.9, 0.2, -0.3, 0.1])
    plan = flown(
        bus, optimal.frame_at("tool", place), optimal.frame_turned("tool", turn),
        optimal.frame_moving("tool", linear, angular),
    )  # fmt: skip
    R, p = bus.pose("tool", plan.q[-1])
    w, x, y, z = turn / np.linalg.norm(turn)
    np.testing.assert_allclose(p, place, atol=1e-9)
    np.testing.assert_allclose(R[:, 0], [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)], atol=1e-9)
    np.testing.assert_allclose(bus.jacobian("tool", plan.q[-1]) @ plan.v[-1], [*angular, *linear], atol=1e-9)
    assert plan.check().replay_error < 1e-9


def test_momenta(bus) -> None:
    """To a momentum P and an angular momentum H about an own axis with constant torques: P²/T + H²/T."""
    P, H = (3.0, -2.0, 1.0), (0.0, 0.0, 0.7)
    plan = flown(bus, optimal.momentum_at(P), optimal.angular_momentum_at(H))
    assert plan.cost == pytest.approx((np.dot(P, P) + np.dot(H, H)) / T, rel=1e-6)
    balance = bus.balance(plan.q[-1], plan.v[-1])
    np.testing.assert_allclose(balance.momentum, P, atol=1e-8)


def test_what_cannot_be_reached_is_told_by_how_much(wheel, bus) -> None:
    """Nothing that turns a body gives it momentum; m T/J is all the rate that m gives, or takes."""
    with pytest.raises(optimal.NoPlan, match=r"the end's 'momentum \[0\]' stays off by 1 at"):
        flown(bus, optimal.momentum_at((1.0, 0.0, 0.0)), actuators=["bus.wx", "bus.wy", "bus.wz"])
    fast = Condition("fast", lambda s, goal: s.rates("rotor"), low=1.5, high=3.0)
    with pytest.raises(optimal.NoPlan, match=r"the end's 'fast' stays off by 0\.16[67]"):
        turned(wheel, 0.0, end=[fast], limits=Limits(torque=1.0))
    q, v = wheel.state({"rotor": {"velocity": 0.5}})
    with pytest.raises(optimal.NoPlan, match=r"the end's 'rest of rotor' stays off by 0\.1 at") as failure:
        optimal.plan(Task(wheel, q, v, duration=T, steps=N, end=[at_rest("rotor")], limits=Limits(torque=0.3)))
    assert failure.value.kind == "infeasible"


def test_attitude_returned() -> None:
    """A planar craft moves its two joints and ends as it was turned before: without momentum, by a detour of the joints
    alone, which costs more."""
    inertia = ((0.05, 0.0, 0.0), (0.0, 0.3, 0.0), (0.0, 0.0, 0.3))
    arm = [
        Body(name=name, parent=parent, joint=Revolute(), placement=Pose(position=at), mass=5.0, center=(0.5, 0.0, 0.0),
             inertia=inertia) for name, parent, at in (("one", "craft", (0.4, 0, 0)), ("two", "one", (1.0, 0, 0)))
    ]  # fmt: skip
    craft = Dynamics(World(name="planar", bodies=(Body(name="craft", joint=Planar(), mass=20.0, inertia=TENSOR), *arm)))
    q, v = craft.state({"one": {"position": 0.4}, "two": {"position": 0.6}})
    end = [joints_at({"one": 1.0, "two": 0.2}), at_rest("one", "two")]
    task = {"duration": 6.0, "steps": 60, "actuators": ["one", "two"]}
    direct = optimal.plan(Task(craft, q, v, end=end, **task))
    back = optimal.plan(Task(craft, q, v, end=[*end, joints_at({"craft.angle": 0.0})], **task))
    assert abs(direct.q[-1, 2]) > 0.05 and back.cost > direct.cost
    motion, rows = back.replay()
    assert abs(motion.q[2]) < 1e-9 and np.abs(rows.q[:, 2]).max() > 1e-3
    balance = craft.balance(rows.q, rows.v)
    assert np.abs(balance.momentum).max() < 1e-9 and np.abs(balance.angular_momentum).max() < 1e-9


# --- paths -------------------------------------------------------------------------------------


def test_a_camera_s_view_and_a_clearance(bus) -> None:
    """On the way past a ball the body keeps clear of it, and a mark stays within 20° of its own x axis: by poses."""
    ball, radius, mark, cone = np.array([0.5, 0.1, 0.0]), 0.4, np.array([3.0, 1.0, 0.0]), np.cos(np.radians(20.0))

    def clear(s, goal):
        p = s.position("bus")
        return (p[0] - goal[0]) ** 2 + (p[1] - goal[1]) ** 2 + (p[2] - goal[2]) ** 2 - goal[3] ** 2

    def seen(s, goal):
        R, p = s.pose("bus")
        x, y, z = (goal[k] - p[k] for k in range(3))
        along = R[0, 0] * x + R[1, 0] * y + R[2, 0] * z
        return along / (x * x + y * y + z * z) ** 0.5 - goal[3]

    paths = [
        Condition("clearance", clear, (*ball, radius), 0.0, np.inf),
        Condition("view", seen, (*mark, cone), 0.0, np.inf),
    ]
    end = [
        optimal.frame_at("bus", (1.0, 0.0, 0.0)), optimal.frame_turned("bus", (np.cos(0.35), 0.0, 0.0, np.sin(0.35))),
        at_rest(*(f"bus.{axis}" for axis in AXES)),
    ]  # fmt: skip

    def looked(plan):
        R, p = bus.pose("bus", plan.q[1:])
        ray = mark - p
        return (
            np.linalg.norm(p - ball, axis=1).min(),
            (np.einsum("ni,ni->n", R[:, :, 0], ray) / np.linalg.norm(ray, axis=1)).min(),
        )

    q, v = bus.state({"bus": {"quaternion": (np.cos(0.15), 0, 0, np.sin(0.15))}})
    task = {"duration": T, "steps": N, "end": end, "actuators": [f"bus.{axis}" for axis in AXES]}
    straight, kept = (optimal.plan(Task(bus, q, v, **task, paths=given)) for given in ((), paths))
    assert looked(straight)[0] < radius - 0.05
    near, angle = looked(kept)
    assert near >= radius - 1e-7 and angle >= cone - 1e-8
    assert near == pytest.approx(radius, abs=1e-6)  # it is what the way is bent by


# --- actuators ---------------------------------------------------------------------------------


def test_thrusters_push_as_they_can(bus) -> None:
    """Least time along x by d: half the way with 20 N, half against, T = 2 √(m d/F); and turned first, the same in the
    body's own direction. The plan's forces replay, and its valves' on-times lead there in a simulation, too."""
    d, F = 0.5, 20.0
    names, rest = ("t0", "t1", "t2", "t3"), at_rest(*(f"bus.{axis}" for axis in AXES))
    q, v = bus.state({"bus": {"quaternion": (np.cos(0.4), 0.0, 0.0, np.sin(0.4))}})
    way = d * np.array([np.cos(0.8), np.sin(0.8), 0.0])
    task = Task(
        bus, q, v, duration=(0.5, 9.0), steps=N, end=[optimal.frame_at("bus", way), rest], actuators=names,
        cost=Cost(effort=1e-9, time=1.0),
    )  # fmt: skip
    plan = optimal.plan(task)
    assert plan.duration == pytest.approx(2 * np.sqrt(40.0 * d / F), rel=1e-4)
    assert plan.torques.min() >= -1e-9 and plan.torques.max() <= 10.0 + 1e-9
    assert plan.check().replay_error < 1e-9
    simulation = Simulation(bus, q, v, h=float(plan.motion.h[0]))
    for k, h in enumerate(plan.motion.h):
        simulation.fire({name: min(float(times[k]), h) for name, times in plan.on_times.items()}, period=float(h))
        simulation.run(float(h))
    np.testing.assert_allclose(simulation.motion.q[:3], way, atol=1e-4)


def test_thrusters_that_cannot_serve_are_told(bus) -> None:
    end = [optimal.frame_at("bus", (0.1, 0.0, 0.0))]
    stuck = bus.world.altered(thrusters=(bus.world.thrusters[0].model_copy(update={"stuck": "on"}),))
    with pytest.raises(ValueError, match="'t0' is stuck on"):
        Task(Dynamics(stuck), *bus.state(), duration=1.0, steps=4, end=end, actuators=["t0"])
    with pytest.raises(ValueError, match="named twice"):
        Task(bus, *bus.state(), duration=1.0, steps=4, end=end, actuators=["t0", "t0"])
    with pytest.raises(optimal.NoPlan, match="found no motion that meets"):  # two push one way only
        flown(bus, optimal.frame_at("bus", (-0.1, 0.0, 0.0)), actuators=("t0", "t1"))


def test_a_rotation_in_space_is_driven_about_an_axis() -> None:
    """A spherical joint from rest to rest about a principal axis: 12 J² a²/T³."""
    ball = Dynamics(World(name="ball", bodies=(
        Body(name="mount", joint=Fixed(), mass=0.0),
        Body(name="ball", parent="mount", joint=Spherical(), mass=2.0, inertia=TENSOR),
    )))  # fmt: skip
    a = 0.9
    end = [optimal.frame_turned("ball", (np.cos(a / 2), 0.0, 0.0, np.sin(a / 2))), at_rest("ball")]
    plan = optimal.plan(Task(ball, *ball.state(), duration=T, steps=N, end=end, actuators=["ball"]))
    assert plan.cost == pytest.approx(12 * J**2 * a**2 / T**3, rel=1e-3)
    assert plan.check().replay_error < 1e-9


def test_a_slew_leaves_no_vibration_of_a_modal_panel() -> None:
    """A joint on a bus with a modal panel, rest to rest: with the mode among what is to be at rest, it is; without, it
    rings. The difference costs effort. Plans replay."""
    M, P = np.diag([20.0, 20.0, 20.0, 3.0, 60.0, 60.0]), np.zeros((6, 1))
    M[1, 5] = M[5, 1] = 30.0
    M[2, 4] = M[4, 2] = -30.0
    P[2], P[4] = 3.5, -7.0
    arm = Body(
        name="arm", parent="bus", joint=Revolute(axis=(0, 1, 0)), mass=10.0, center=(0.5, 0, 0), inertia=(0.1, 1, 1)
    )
    world = modal(
        World(bodies=(Body(name="bus", mass=250, inertia=(45, 40, 50)), arm)), name="panel", on="bus",
        frequencies=(0.21,), damping_ratio=0.005, participation=P, mass_matrix=M,
    )  # fmt: skip
    dynamics = Dynamics(world)
    mode, efforts = "panel.mode1", []
    for also in ((), (mode,)):
        end = [joints_at(dict.fromkeys(("arm", *also), 0.0) | {"arm": 0.8}), at_rest("arm", *also)]
        plan = optimal.plan(Task(dynamics, *dynamics.state(), duration=8.0, steps=40, actuators=("arm",), end=end))
        assert plan.optimal and plan.check().replay_error < 1e-9
        swings = abs(plan.q[-1][dynamics.layout.q[mode]][0]) + abs(plan.v[-1][dynamics.layout.v[mode]][0])
        assert (swings < 1e-9) == bool(also)
        efforts.append(plan.effort)
    assert efforts[0] < efforts[1] < 1.1 * efforts[0]


@pytest.mark.parametrize(("change", "told"), [("q", "q of the start must have shape"), ("v", "v of the start")])
def test_starts_of_the_wrong_size_are_told(change: str, told: str) -> None:
    arm = Body(name="arm", joint=Revolute(axis=(0, 1, 0)), mass=10.0, center=(0.5, 0, 0), inertia=(0.1, 1, 1))
    dynamics = Dynamics(World(bodies=(arm,)))
    start = {"q": np.zeros(1), "v": np.zeros(1)} | {change: np.zeros(3)}
    with pytest.raises(ValueError, match=told):
        Task(dynamics, start["q"], start["v"], duration=1.0, steps=5, end=[at_rest("arm")])


def test_a_free_duration_in_orbit_is_the_best_of_fixed_ones() -> None:
    """Gravity is at the times at which steps are taken, also in the conditions of optimality for the duration."""
    cube = ((2.0, 0.0, 0.0), (0.0, 2.0, 0.0), (0.0, 0.0, 2.0))
    craft = Body(name="craft", joint=Free(), mass=10.0, inertia=cube)
    quick = Orbit(semi_major_axis=1e4, eccentricity=0.2, mu=(2 * np.pi / 100.0) ** 2 * 1e12)  # once in 100 s
    dynamics = Dynamics(World(name="transfer", bodies=(craft,), gravity=quick))
    q, v = dynamics.state({"craft": {"position": (-5.0, 3.0, 1.0)}})
    place = ("craft.x", "craft.y", "craft.z")
    end = [joints_at(dict.fromkeys(place, 0.0)), at_rest(*place)]

    def planned(duration):
        how = {"steps": 30, "actuators": place, "cost": Cost(effort=1.0, time=0.3), "end": end}
        return optimal.plan(Task(dynamics, q, v, duration=duration, **how))

    free = planned((10.0, 60.0))
    assert free.optimal and free.check().replay_error < 1e-9
    costs = [planned((1.0 + off) * free.duration).cost for off in (-0.01, 0.0, 0.01)]
    assert costs[1] == pytest.approx(free.cost, rel=1e-9)
    least = 0.01 * (costs[0] - costs[2]) / (2 * (costs[0] + costs[2] - 2 * costs[1]))  # of the parabola through them
    assert abs(least) < 1e-3 and costs[1] < min(costs[0], costs[2])


def test_a_far_transfer_is_that_of_clohessy_and_wiltshire() -> None:
    """Two turns from 1 km away: ∫u² = m² x₀ᵀ W⁻¹ x₀ of Hill's linear equations. The craft, which nothing turns, does
    not turn but by rounding; the end is met to what rounding of the orbit's radius of 7e6 m makes on the way."""
    craft = Body(name="craft", joint=Free(), mass=10.0, inertia=(2.0, 2.0, 2.0))
    dynamics = Dynamics(World(name="far", bodies=(craft,), gravity=Orbit(semi_major_axis=7e6)))
    place, n = ("craft.x", "craft.y", "craft.z"), np.sqrt(Orbit(semi_major_axis=7e6).mu / 7e6**3)
    q, v = dynamics.state({"craft": {"position": (-1000.0, 300.0, 200.0), "velocity": (0.2, -0.5, 0.1)}})
    end, T = [joints_at(dict.fromkeys(place, 0.0)), at_rest(*place)], 4 * np.pi / n
    efforts = []
    for steps in (120, 240):
        plan = optimal.plan(Task(dynamics, q, v, duration=T, steps=steps, actuators=place, end=end))
        assert plan.optimal and plan.solved.iterations < 10
        check = plan.check()
        assert check.replay_error < 1e-12 and check.end_error < 1e-8
        assert np.abs(plan.q[:, 4:]).max() < 1e-6
        efforts.append(plan.effort)
    found = efforts[1] + (efforts[1] - efforts[0]) / 3  # of steps of order 2
    A = np.zeros((6, 6))
    A[:3, 3:], A[3, 0], A[3, 4], A[4, 3], A[5, 2] = np.eye(3), 3 * n * n, 2 * n, -2 * n, -n * n
    up, along = dynamics.reference_orbit(np.zeros(1))[0][0], dynamics.reference_orbit(np.zeros(1))[1][0]
    R = np.array([up / np.linalg.norm(up), along / np.linalg.norm(along), np.zeros(3)])
    R[2] = np.cross(R[0], R[1])
    at = R @ q[:3]
    x = np.concatenate([at, R @ v[:3] - n * np.array([-at[1], at[0], 0.0])])
    B = np.vstack([np.zeros((3, 3)), np.eye(3)])
    both = expm(np.block([[-A, B @ B.T], [np.zeros((6, 6)), A.T]]) * T)  # Van Loan's
    Phi = both[6:, 6:].T
    assert found == pytest.approx(100.0 * (Phi @ x) @ np.linalg.solve(Phi @ both[:6, 6:], Phi @ x), rel=1e-3)


def least_effort(h: np.ndarray, mass: float, way: float) -> float:
    """Σ h u² of a mass from rest to rest: a program of two rows, x' = x + h ξ, mξ = p + (h/2) u, p' = p + h u."""
    after = h.sum() - np.cumsum(h)
    A = np.array([h * (h / 2 + after), h]) / mass
    return float(np.array([way, 0.0]) @ np.linalg.solve(A / h @ A.T, np.array([way, 0.0])))


def test_a_last_step_of_another_size_counts_by_its_own() -> None:
    """One that is left over, and one that ends at a touch: with a cost of time, that ends where both together are
    least. (Weighed as a whole step, neither is.)"""
    mass = 2.0
    world = Dynamics(
        World(bodies=(Body(name="x", joint=Prismatic(axis=(1.0, 0.0, 0.0)), mass=mass, inertia=(1, 1, 1)),))
    )
    q, v = world.state()
    rest, there = at_rest("x"), joints_at({"x": 0.7})
    plan = optimal.plan(Task(world, q, v, duration=1.0, h=0.3, end=[there, rest]))
    assert plan.motion.h == pytest.approx([0.3, 0.3, 0.3, 0.1])
    assert plan.effort == pytest.approx(least_effort(plan.motion.h, mass, 0.7), rel=1e-9)

    def whole(last: float) -> float:
        h = np.array([0.2] * 9 + [last])
        return least_effort(h, mass, 0.7) + weight * h.sum()

    weight = 36 * mass**2 * 0.7**2 / 1.9**4  # of continuous time: the least is at 1.9 s
    best = minimize_scalar(whole, bounds=(0.01, 0.2), method="bounded", options={"xatol": 1e-10})
    assert 0.05 < best.x < 0.15
    plan = optimal.plan(Task(world, q, v, duration=2.0, steps=10, touch=there, end=[rest], cost=Cost(time=weight)))
    assert plan.motion.h[-1] == pytest.approx(best.x, abs=1e-6)
    assert plan.solved.cost == pytest.approx(best.fun, rel=1e-9)
