"""Arms on a free base: no reaction where none is wanted, and the generalised Jacobian."""

import numpy as np
import pytest
from craft import BENT, JOINTS, seven_joint_flyer

from softdock.control import (
    CartesianControl,
    ComputedTorque,
    Follow,
    Hold,
    Reactionless,
    ReactionWheels,
    Target,
    generalised_jacobian,
)
from softdock.control.damped import inverse
from softdock.dynamics import Dynamics, Motion
from softdock.planning import Unreachable, minimum_acceleration, reach
from softdock.runs.simulation import Simulation
from softdock.spatial import matrix_of_vector, vector_of_matrix
from softdock.world import with_wheels


@pytest.fixture(scope="module")
def flyer() -> Dynamics:
    return Dynamics(seven_joint_flyer())


def at_rest(d: Dynamics) -> tuple[np.ndarray, np.ndarray]:
    q = d.layout.neutral()
    q[7:14] = BENT
    return q, np.zeros(d.nv)


def test_reactionless_motion_leaves_the_base_within_1e_9_rad(flyer: Dynamics) -> None:
    """10 s, joints by 0.8 rad; the same plan under computed torque turns the base by 0.4 rad."""
    q, v = at_rest(flyer)
    goal = q[7:] + np.array([0.8, -0.6, 0.9, 0.5, -0.7, 0.6, -0.4])
    wanted = Follow(flyer, minimum_acceleration(q[7:], goal, 10.0), JOINTS, q)
    controller = Reactionless(flyer, "base", wanted, period=0.005, kd=2.0)
    path = Simulation(flyer, q, v, h=0.005, controllers=[controller]).run(10.0)
    assert 2 * np.abs(path.q[:, 4:7]).max() < 1e-9
    assert np.abs(path.q[-1, 7:] - q[7:]).max() > 0.5
    plain = ComputedTorque(flyer, wanted, kp=100.0, kd=20.0, period=0.02)
    assert 2 * np.abs(Simulation(flyer, q, v, h=0.02, controllers=[plain]).run(10.0).q[:, 4:7]).max() > 0.1


def test_reactionless_needs_joints_to_spare() -> None:
    d = Dynamics(seven_joint_flyer(3))
    with pytest.raises(ValueError, match="3 actuators leave no motion without reaction"):
        Reactionless(d, "base", Hold(d, d.layout.neutral()), period=0.1)
    with pytest.raises(ValueError, match="'link1' has no attitude"):
        Reactionless(d, "link1", Hold(d, d.layout.neutral()), period=0.1)


def test_generalised_jacobian_against_motion_that_keeps_momentum(flyer: Dynamics) -> None:
    """Actuator each joint from rest with the true dynamics; the tip's displacement over the joints' is J*."""
    q, _ = at_rest(flyer)
    J = generalised_jacobian(flyer, "link7", q)
    rng = np.random.default_rng(1)
    rate = 1e-4 * rng.normal(size=7)
    M = flyer.mass_matrix(q)
    v = np.concatenate([-np.linalg.solve(M[:6, :6], M[:6, 6:] @ rate), rate])
    assert np.abs(flyer.balance(q, v).momentum).max() < 1e-15
    ends = []
    for sign in (1, -1):
        motion = Motion(flyer, q, sign * v, h=0.01)
        motion.run(10)
        ends.append((motion.q, *flyer.pose("link7", motion.q)))
    (qa, Ra, pa), (qb, Rb, pb) = ends
    moved = (qa - qb)[7:]
    turn = (Ra @ Rb.T - (Ra @ Rb.T).T) / 2
    measured = np.concatenate([[turn[2, 1], turn[0, 2], turn[1, 0]], pa - pb])
    assert np.abs(measured - J @ moved).max() < 1e-7 * np.abs(measured).max()


def circle(p: np.ndarray, R: np.ndarray, radius: float = 0.15, rate: float = 0.5):  # type: ignore[no-untyped-def]
    def target(t: float) -> Target:
        c, s = np.cos(rate * t), np.sin(rate * t)
        at = p + radius * np.array([0.0, s, 1 - c])
        v = radius * rate * np.array([0.0, c, s])
        return Target(R, at, v=v, a=radius * rate**2 * np.array([0.0, -s, c]))

    return target


@pytest.mark.parametrize("drifting", [False, True])
def test_the_hand_follows_a_circle_in_space(flyer: Dynamics, drifting: bool) -> None:
    """Whatever momentum the craft has; the error falls with the period."""
    q, v = at_rest(flyer)
    if drifting:
        v[:6], v[6:] = (0.02, -0.01, 0.015, 0.01, -0.02, 0.015), 0.02
    R, p = flyer.pose("link7", q)
    errors = []
    for period in (0.02, 0.01):
        control = CartesianControl(flyer, "link7", circle(p, R), kp=16.0, kd=8.0, period=period, actuators=JOINTS)
        path = Simulation(flyer, q, v, h=0.01, controllers=[control]).run(6.0)
        late = path.t > 4.0
        at = flyer.pose("link7", path.q[late])[1]
        errors.append(np.abs(at - [circle(p, R)(t).p for t in path.t[late]]).max())
        assert control.least_singular_value > 0.02 and not control.events
    assert errors[1] < 1e-6 and errors[0] / errors[1] > 2.5
    assert np.abs(flyer.pose("link7", path.q[-1])[0] - R).max() < 1e-4
    assert 2 * np.abs(path.q[-1, 4:7]).max() > 1e-4  # the base is free, and gives way


@pytest.mark.parametrize("axis", [(1, 0, 0), (0, 1, 0), (0, 0, 1)])
def test_a_target_half_a_turn_away_does_not_tear_the_arm(flyer: Dynamics, axis: tuple[int, int, int]) -> None:
    """150°, with the defaults, past singular poses: it diverged, and the step was blamed."""
    q, v = at_rest(flyer)
    R, p = flyer.pose("link7", q)
    goal = matrix_of_vector(np.radians(150) * np.array(axis)) @ R
    control = CartesianControl(
        flyer, "link7", lambda t: Target(goal, p), kp=16.0, kd=8.0, period=0.02, actuators=JOINTS
    )
    path = Simulation(flyer, q, v, h=0.02, controllers=[control]).run(15.0)
    assert np.abs(path.v[:, 6:]).max() < 2.5
    left = np.linalg.norm(vector_of_matrix(goal @ flyer.pose("link7", path.q[-1])[0].T))
    assert left < np.radians(6)
    assert control.least_singular_value < 0.02  # which says that it was not exactly resolved
    off = np.linalg.norm(flyer.pose("link7", path.q[-1])[1] - p)
    told = control.events[-1] if control.events else {"kind": "recovered"}
    assert (told["kind"] == "stalled") == (max(off, left) > 1e-3), "where it rests off its place, it says so"
    if told["kind"] == "stalled":
        assert told["off"] == pytest.approx(off, abs=0.01) and told["turned"] == pytest.approx(left, abs=0.02)
        with pytest.raises(Unreachable):  # the arm cannot get there from where its base has turned to
            reach(flyer, "link7", p, goal, joints=JOINTS, q=path.q[-1])


def test_the_hand_moves_and_wheels_keep_the_base_still() -> None:
    world, wheels = with_wheels(seven_joint_flyer(), "base", inertia=0.05, mass=3.0)
    d = Dynamics(world)
    q, v = at_rest(d)
    R, p = d.pose("link7", q)
    control = CartesianControl(
        d, "link7", circle(p, R), kp=16.0, kd=8.0, period=0.02, actuators=JOINTS, wheels=ReactionWheels(d, wheels)
    )
    path = Simulation(d, q, v, h=0.02, controllers=[control]).run(6.0)
    assert 2 * np.abs(path.q[:, 4:7]).max() < 1e-4
    assert np.abs(d.pose("link7", path.q[-1])[1] - circle(p, R)(6.0).p).max() < 1e-3
    assert np.abs(d.balance(path.q, path.v).angular_momentum).max() < 1e-12


def test_a_hand_at_the_edge_of_its_reach_stays_calm(flyer: Dynamics) -> None:
    """A target out of reach: the arm stretches, J* loses rank; damped, the joints' rates stay moderate."""
    q, v = at_rest(flyer)
    p = flyer.pose("link7", q)[1]
    away = p + 1.0 * (p - flyer.pose("link1", q)[1])
    control = CartesianControl(
        flyer, "link7", lambda t: Target(None, away), kp=0.2, kd=0.9, period=0.02, actuators=JOINTS, damping=0.2
    )
    path = Simulation(flyer, q, v, h=0.01, controllers=[control]).run(12.0)
    assert control.least_singular_value < 0.1
    assert np.abs(path.v[:, 6:]).max() < 1.5
    last = path.q[-1]
    assert np.linalg.norm(flyer.pose("link7", last)[1] - flyer.pose("link1", last)[1]) > 0.97 * 6 * 0.4


def test_the_damped_inverse_is_bounded_and_exact_where_it_can_be() -> None:
    rng = np.random.default_rng(0)
    A = rng.normal(size=(6, 7))
    assert np.abs(inverse(A, 0.02) - np.linalg.pinv(A)).max() < 1e-12
    U, sigma, Vt = np.linalg.svd(A, full_matrices=False)
    for least in (1e-2, 1e-4, 1e-16):
        near = (U * [*sigma[:5], least]) @ Vt
        assert np.linalg.norm(inverse(near, 0.05), 2) <= 1 / 0.05 + 1e-9


def test_an_unknown_frame(flyer: Dynamics) -> None:
    with pytest.raises(ValueError, match="no frame 'hand'"):
        CartesianControl(
            flyer, "hand", lambda t: Target(None, np.zeros(3)), kp=1.0, kd=1.0, period=0.1, actuators=JOINTS
        )
