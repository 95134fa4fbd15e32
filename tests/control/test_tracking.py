"""PD against its closed form, computed torque along a plan, and what limits cut off."""

import numpy as np
import pytest
from craft import ARM, GOAL, START, berthing_craft

from softdock.control import PD, ComputedTorque, Follow, Hold, Limited, ReactionWheels
from softdock.dynamics import Dynamics
from softdock.planning import minimum_acceleration
from softdock.runs.simulation import Simulation
from softdock.world import Body, Free, Planar, Pose, Prismatic, Revolute, Servo, Spherical, Spring, World

ATTITUDE = ("A.wx", "A.wy", "A.wz")


def wheel(joint=Revolute()) -> Dynamics:  # noqa: B008
    return Dynamics(World(name="disc", bodies=(Body(name="disc", joint=joint, mass=3.0, inertia=(1.0, 1.0, 2.0)),)))


def test_pd_is_the_sampled_oscillator() -> None:
    """J q̈ = −kp q − kd q̇ with the force held over a period: its exact discrete solution, state by state."""
    J, kp, kd, T = 2.0, 8.0, 3.0, 0.05
    d = wheel()
    controller = PD(d, Hold(d, [0.0]), kp=kp, kd=kd, period=T)
    path = Simulation(d, [0.7], [0.2], h=T, controllers=[controller]).run(5.0)
    held = np.array([[1, T], [0, 1]]) + np.outer([T * T / 2, T], [-kp / J, -kd / J])
    x = np.array([0.7, 0.2])
    for q, v in zip(path.q[:, 0], path.v[:, 0], strict=True):
        assert abs(q - x[0]) < 1e-13 and abs(v - x[1]) < 1e-13
        x = held @ x


def test_pd_approaches_the_damped_oscillator() -> None:
    J, kp, kd = 2.0, 8.0, 3.0
    d, errors = wheel(), []
    decay, omega = kd / (2 * J), np.sqrt(kp / J - (kd / (2 * J)) ** 2)
    exact = 0.7 * np.exp(-2 * decay) * (np.cos(2 * omega) + decay / omega * np.sin(2 * omega))
    for T in (0.02, 0.01):
        controller = PD(d, Hold(d, [0.0]), kp=kp, kd=kd, period=T)
        errors.append(abs(Simulation(d, [0.7], [0.0], h=T, controllers=[controller]).run(2.0).q[-1, 0] - exact))
    assert errors[1] < 5e-3 and 1.8 < errors[0] / errors[1] < 2.2


def test_pd_turns_a_body_in_space_the_short_way() -> None:
    d = wheel(Spherical())
    half = 1.4
    goal, _ = d.state({"disc": {"quaternion": [-np.cos(half), 0, 0, -np.sin(half)]}})
    controller = PD(d, Hold(d, goal), kp=4.0, kd=6.0, period=0.01, actuators=["disc"])
    path = Simulation(d, *d.state(), h=0.01, controllers=[controller]).run(20.0)
    assert abs(abs(path.q[-1] @ goal) - 1) < 1e-10
    assert np.all(path.v[:, 2] > -1e-9) and np.abs(path.v[:, :2]).max() < 1e-12


@pytest.fixture(scope="module")
def craft() -> tuple[Dynamics, tuple[str, ...]]:
    world, wheels = berthing_craft()
    return Dynamics(world), wheels


def ready(d: Dynamics) -> tuple[np.ndarray, np.ndarray]:
    return d.state({name: {"position": x} for name, x in zip(ARM, START, strict=True)})


def test_paper_004s_reach_under_computed_torque(craft: tuple[Dynamics, tuple[str, ...]]) -> None:
    """End-effector (0.3, −1) → (3.00, 0.235) m in 5 s, base attitude held by wheels, momentum kept."""
    d, wheels = craft
    q, v = ready(d)
    plan = minimum_acceleration(START, GOAL, 5.0, names=ARM)
    errors = []
    for period in (0.02, 0.01):
        controller = ComputedTorque(
            d, Follow(d, plan, ARM, q), kp=100.0, kd=20.0, period=period, actuators=(*ARM, *wheels),
            tracked=(*ARM, *ATTITUDE),
        )  # fmt: skip
        path = Simulation(d, q, v, h=0.005, controllers=[controller]).run(5.0)
        errors.append(np.abs(path.q[:, 7:11] - plan.at(path.t).q).max())
        assert 2 * np.abs(path.q[:, 4:7]).max() < 3e-6
        kept = d.balance(path.q, path.v)
        assert np.abs(kept.angular_momentum).max() < 1e-12 and np.abs(kept.momentum).max() < 1e-12
    assert errors[1] < 2e-5 and errors[0] / errors[1] > 3.5  # second order in the period
    assert np.abs(d.pose("tip", q)[1] - (0.3, -1.0, 0.0)).max() < 1e-15
    assert np.abs(d.pose("tip", path.q[-1])[1] - path.q[-1, :3] - (3.0028, 0.2350, 0)).max() < 1e-4


def test_what_is_too_much_is_asked_for_in_part(craft: tuple[Dynamics, tuple[str, ...]]) -> None:
    """Too weak for a reach that jumps at its start: no torque is beyond its limit, and accelerations keep the direction
    of those wanted, the base's none; torques that are cut one by one turn the base."""
    d, wheels = craft
    q, v = ready(d)
    jump = q.copy()
    jump[d.layout.flat(ARM)[0]] += [0.5, -0.3, 0.2, 0.1]
    asked = {"kp": 4.0, "kd": 4.0, "period": 0.01, "actuators": (*ARM, *wheels), "tracked": (*ARM, *ATTITUDE)}
    all_ = ComputedTorque(d, Hold(d, jump), **asked)(0.0, q, v)
    largest = np.full(d.nv, 0.3 * np.abs(all_).max())
    part = ComputedTorque(d, Hold(d, jump), **asked, largest=largest)(0.0, q, v)
    in_arm, turns = d.layout.flat(ARM)[1], d.layout.velocities(ATTITUDE)
    accelerations = [np.linalg.solve(d.mass_matrix(q), u) for u in (all_, part, np.clip(all_, -largest, largest))]
    assert np.abs(part).max() == pytest.approx(largest[0])
    np.testing.assert_allclose(accelerations[1][in_arm], 0.3 * accelerations[0][in_arm], rtol=1e-6)
    turned = [float(np.abs(a[turns]).max()) for a in accelerations]
    assert turned[1] < 1e-9 and turned[2] > 1e-3


def test_a_floating_arm_tracks_its_joints(craft: tuple[Dynamics, tuple[str, ...]]) -> None:
    d, _ = craft
    q, v = ready(d)
    plan = minimum_acceleration(START, GOAL, 5.0)
    controller = ComputedTorque(d, Follow(d, plan, ARM, q), kp=100.0, kd=20.0, period=0.01, actuators=ARM)
    path = Simulation(d, q, v, h=0.01, controllers=[controller]).run(5.0)
    assert np.abs(path.q[:, 7:11] - plan.at(path.t).q).max() < 2e-5
    assert 2 * np.abs(path.q[:, 4:7]).max() > 0.1  # the base is free, and turns
    assert np.abs(d.balance(path.q, path.v).angular_momentum).max() < 1e-12


def test_servos_own_gains_are_counted() -> None:
    """The same tracking whether or not the joints have servos of their own, driven or not."""
    errors = []
    for servo in (None, Servo(kp=30.0, kd=4.0)):
        link = {"mass": 2.0, "center": (0.5, 0, 0), "inertia": (0.1, 0.2, 0.2)}
        joint = Revolute(servo=servo)
        bodies = (
            Body(name="base", joint=Planar(), mass=20.0, inertia=(1, 1, 1)),
            Body(name="a", parent="base", joint=joint, **link),
            Body(name="b", parent="a", joint=joint, placement=Pose(position=(1, 0, 0)), **link),
        )
        d = Dynamics(World(name="servoed", bodies=bodies))
        q, v = d.state()
        plan = minimum_acceleration([0.0], [1.0], 2.0)
        controller = ComputedTorque(d, Follow(d, plan, ["a"], q), kp=100.0, kd=20.0, period=0.002, actuators=["a"])
        path = Simulation(d, q, v, h=0.002, controllers=[controller]).run(2.0)
        errors.append(np.abs(path.q[:, 3] - plan.at(path.t).q[:, 0]).max())
    assert max(errors) < 1e-5


def test_cut_torques_are_reported(craft: tuple[Dynamics, tuple[str, ...]]) -> None:
    d, wheels = craft
    q, v = ready(d)
    plan = minimum_acceleration(START, GOAL, 5.0)
    tracking = ComputedTorque(
        d, Follow(d, plan, ARM, q), kp=25.0, kd=10.0, period=0.02, actuators=(*ARM, *wheels), tracked=(*ARM, *ATTITUDE)
    )
    seen: list[np.ndarray] = []

    class Watched:
        period = 0.02
        limited = Limited(tracking, d, torque={"B": 6.5, "C": 50.0})

        def __call__(self, t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
            seen.append(self.limited(t, q, v))
            return seen[-1]

    path = Simulation(d, q, v, h=0.01, controllers=[Watched()]).run(5.0)
    assert np.abs(path.q[-1, 7:11] - GOAL).max() < 0.05  # late, but not lost
    commands, limited = np.array(seen), Watched.limited
    assert np.abs(commands[:, 6]).max() == 6.5
    assert set(limited.saturations) == {("torque", "B")}
    cut = limited.saturations["torque", "B"]
    assert cut.calls == np.sum(np.abs(commands[:, 6]) == 6.5) and abs(cut.asked) > 6.5 and cut.first < cut.last
    assert [e["kind"] for e in limited.events[:2]] == ["saturated", "recovered"]
    assert limited.events[0] == {"time": cut.first, "kind": "saturated", "limit": "torque", "actuator": "B"}


def test_what_makes_no_sense_is_refused(craft: tuple[Dynamics, tuple[str, ...]]) -> None:
    d, wheels = craft
    q, _ = ready(d)
    hold = Hold(d, q)
    with pytest.raises(ValueError, match="4 actuators cannot track 7"):
        ComputedTorque(d, hold, kp=1, kd=1, period=0.1, actuators=ARM, tracked=(*ARM, *ATTITUDE))
    with pytest.raises(ValueError, match="no coordinate 'X'"):
        PD(d, hold, kp=1, kd=1, period=0.1, actuators=["X"])
    with pytest.raises(ValueError, match="the period must be a positive number"):
        PD(d, hold, kp=1, kd=1, period=0.0)
    with pytest.raises(ValueError, match="kp must be a number that is not negative, or 7"):
        PD(d, hold, kp=[1, 2], kd=1, period=0.1)
    with pytest.raises(ValueError, match="q must be 14 finite numbers"):
        Hold(d, [1, 2])
    with pytest.raises(ValueError, match="the plan has 4 coordinates, not 3"):
        Follow(d, minimum_acceleration(START, GOAL, 5.0), ARM[:3], q)
    with pytest.raises(ValueError, match="largest force of 'B' must be positive"):
        Limited(PD(d, hold, kp=1, kd=1, period=0.1), d, torque={"B": 0.0})
    with pytest.raises(ValueError, match="must be on a revolute joint of the same body"):
        ReactionWheels(d, [*wheels, "C"])


def test_computed_torque_knows_springs_that_it_does_not_drive() -> None:
    """A panel on the base and a hand on a spring swing as they like; the driven joints follow all the same, to second
    order in the period."""
    link, end = (
        {"mass": 2.0, "inertia": (0.05, 0.06, 0.07), "center": (0.3, 0.02, 0.03)},
        {"mass": 1.0, "inertia": (0.01, 0.01, 0.01), "center": (0.2, 0, 0)},
    )
    soft = {"spring": Spring(stiffness=25.0), "damping": 0.1}
    world = World(
        bodies=(
            Body(name="base", joint=Free(), mass=50.0, inertia=(5, 6, 7)),
            Body(name="a", parent="base", joint=Revolute(), placement=Pose(position=(0.5, 0, 0)), **link),
            Body(name="b", parent="a", joint=Revolute(axis=(0, 1, 0)), placement=Pose(position=(0.6, 0, 0)), **link),
            Body(name="panel", parent="base", joint=Revolute(axis=(0, 1, 0), **soft), **end),
            Body(name="hand", parent="b", joint=Revolute(**soft), placement=Pose(position=(0.6, 0, 0)), **end),
        )
    )
    d, errors = Dynamics(world), []
    q, v = d.layout.neutral(), np.zeros(d.nv)
    wanted = Follow(d, minimum_acceleration(np.zeros(2), np.array([0.8, -0.6]), 4.0), ["a", "b"], q)
    for period in (0.02, 0.01):
        control = ComputedTorque(d, wanted, kp=25.0, kd=10.0, period=period)  # springs are not taken for motors
        path = Simulation(d, q, v, h=period, controllers=[control]).run(4.0)
        errors.append(np.abs(path.q[:, 7:9] - [wanted(t).q[7:9] for t in path.t]).max())
    assert np.abs(path.q[:, 9:]).max() > 1e-3
    assert errors[0] < 5e-5 and errors[0] / errors[1] > 3


@pytest.mark.parametrize(
    "finger",
    [{"servo": Servo(kp=4000.0, kd=160.0)}, {"servo": Servo(kp=1e7, kd=1e5)}, {"damping": 1e4},
     {"spring": Spring(stiffness=1e5), "damping": 1.0}],
)  # fmt: skip
def test_fingers_held_far_more_stiffly_than_a_period_resolves_do_not_swing_the_arm(finger: dict) -> None:
    """They settle within a period; foreseen as if they did not, their forces swung ever wider until a step failed. The
    arm follows its plan all the same, though they begin in motion."""
    link = {"mass": 2.0, "inertia": (0.05, 0.06, 0.07), "center": (0.3, 0.02, 0.03)}
    tip = {"mass": 0.4, "inertia": (1e-3, 1e-3, 1e-3), "center": (0.05, 0, 0)}
    world = World(
        bodies=(
            Body(name="base", joint=Free(), mass=50.0, inertia=(5, 6, 7)),
            Body(name="a", parent="base", joint=Revolute(), placement=Pose(position=(0.5, 0, 0)), **link),
            Body(name="b", parent="a", joint=Revolute(axis=(0, 1, 0)), placement=Pose(position=(0.6, 0, 0)), **link),
            *(Body(name=f"finger{s}", parent="b", joint=Prismatic(axis=(0, s, 0), **finger),
                   placement=Pose(position=(0.6, 0.05 * s, 0)), **tip) for s in (1, -1)),
        )
    )  # fmt: skip
    d = Dynamics(world)
    q, v = d.layout.neutral(), np.zeros(d.nv)
    v[-2:] = 0.02, 0.01
    wanted = Follow(d, minimum_acceleration(np.zeros(2), np.array([0.8, -0.6]), 4.0), ["a", "b"], q)
    control = ComputedTorque(d, wanted, kp=25.0, kd=10.0, period=0.02, actuators=["a", "b"])
    path = Simulation(d, q, v, h=0.02, controllers=[control]).run(4.0)
    off = np.abs(path.q[:, 7:9] - [wanted(t).q[7:9] for t in path.t]).max(axis=1)
    assert off.max() < 3e-4 and off[-1] < 1e-4
    assert np.abs(path.q[:, 9:]).max() < 2e-3
