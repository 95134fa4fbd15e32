"""Hard cases: rest, dry friction, steps too large, fast spins, long chains. A bad step is never accepted."""

import numpy as np
import pytest
from worlds import free_flyer, mixed, mixed_state, tumbler

from softdock.dynamics import Dynamics, Motion, StepFailed, rollout
from softdock.world import Body, Friction, Pose, Revolute, Servo, Spherical, Spring, Uniform, World


def hanging_arm(joints: int = 4, **joint) -> Dynamics:  # type: ignore[no-untyped-def]
    """Links of 0.5 m under gravity, about y."""
    bodies = [
        Body(
            name=f"link{k}",
            parent=f"link{k - 1}" if k else "world",
            joint=Revolute(axis=(0, 1, 0), **joint),
            placement=Pose(position=(0.5 if k else 0.0, 0, 0)),
            mass=2.0 + k,
            center=(0.25, 0.01, 0.02),
            inertia=(0.01, 0.05, 0.05),
        )
        for k in range(joints)
    ]
    return Dynamics(World(name="arm", gravity=Uniform(), bodies=tuple(bodies)))


RESTING = {
    "damped": {"damping": 20.0},
    "sprung": {"damping": 5.0, "spring": Spring(stiffness=40.0)},
    "servo": {"servo": Servo(kp=100.0, kd=20.0)},
    "stiff servo": {"servo": Servo(kp=1e5, kd=1e3)},
}


@pytest.mark.parametrize(("name", "order"), [*((name, 2) for name in RESTING), ("sprung", 6), ("servo", 6)])
def test_an_arm_comes_to_rest_and_stays(name: str, order: int) -> None:
    """Held by what does not vanish at rest, while its kinetic energy decays to nothing.

    (Dampers that the step does not resolve are refused by orders 4 and 6: those have steps backward in time.)
    """
    dynamics = hanging_arm(**RESTING[name])
    h = 0.004 if (name, order) == ("servo", 6) else 0.01
    motion = Motion(dynamics, np.full(4, 0.3), np.zeros(4), h=h, order=order)
    steps = round(300.0 / h)
    motion.run(steps, every=steps)
    assert np.abs(motion.v).max() < 1e-6
    still = dynamics.inverse_dynamics(motion.q, np.zeros(4), np.zeros(4))
    gains = RESTING[name].get("servo", Servo())
    np.testing.assert_allclose(still, -gains.kp * motion.q, atol=1e-4)


def test_spherical_joints_come_to_rest_and_stay() -> None:
    joint = {"mass": 2.0, "center": (0.3, 0.1, 0.2), "inertia": (0.1, 0.1, 0.1)}
    bodies = (
        Body(name="a", joint=Spherical(damping=1.0), **joint),
        Body(name="b", parent="a", joint=Spherical(damping=1.0), placement=Pose(position=(0.3, 0.1, 0.2)), **joint),
    )
    dynamics = Dynamics(World(gravity=Uniform(), bodies=bodies))
    motion = Motion(dynamics, *dynamics.state(), h=0.01)
    motion.run(30000, every=30000)
    assert np.abs(motion.v).max() < 1e-6


@pytest.mark.parametrize("force", [0.5, 5.0, 50.0])
def test_dry_friction_brings_an_arm_to_a_stop(force: float) -> None:
    """With friction's default smoothing (1 mrad/s), at an ordinary step."""
    dynamics = hanging_arm(friction=Friction(force=force))
    motion = Motion(dynamics, np.full(4, 0.3), np.ones(4), h=0.01)
    run = motion.run(1000, ledger=True)
    work = np.diff(run.account[:, 2], prepend=0.0)
    assert np.all(work <= 0)


def test_a_table_of_friction_alone_stops_where_coulomb_says() -> None:
    """A turntable with friction F stops after I ω/F seconds, having turned by I ω²/(2F)."""
    table = Body(name="table", joint=Revolute(friction=Friction(force=2.0, speed=1e-6)), mass=1.0, inertia=(3, 3, 4))
    dynamics = Dynamics(World(bodies=(table,)))
    motion = Motion(dynamics, [0.0], [3.0], h=0.01)
    run = motion.run(1000)
    assert abs(motion.v[0]) < 1e-5
    assert motion.q[0] == pytest.approx(4 * 3.0**2 / (2 * 2.0), abs=1e-3)
    assert np.all(run.v > -1e-5)


def test_a_step_too_large_fails_with_time_residual_and_what_was_done() -> None:
    """A double pendulum that falls: at h = 0.9 s some step has no solution near its prediction."""
    dynamics = hanging_arm(3)
    q, v = np.array([0.1, 0.2, -0.3]), np.array([6.0, -9.0, 12.0])
    with pytest.raises(
        StepFailed, match=r"at t = .* s the step of 0.9 s did not converge \(residual .*smaller step"
    ) as failed:
        Motion(dynamics, q, v, h=0.9).run(2000)
    error = failed.value
    assert np.isfinite(error.time) and error.residual > 0
    kept = error.trajectory
    assert len(kept) == round(error.time / 0.9)
    assert np.all(np.isfinite(kept.q)) and np.all(np.isfinite(kept.v))


def test_what_a_long_step_accepts_solves_its_equations() -> None:
    """Large steps either fail or conserve: never a step that was not solved."""
    dynamics = Dynamics(free_flyer(3))
    q, v = dynamics.layout.neutral(), np.zeros(dynamics.nv)
    q[7:], v[6:] = 0.5, (2.0, -3.0, 4.0)
    for h in (0.05, 0.1, 0.2, 0.4):
        try:
            run = Motion(dynamics, q, v, h=h).run(500)
        except StepFailed as failed:
            run = failed.trajectory
        if len(run):
            balance = dynamics.balance(run.q, run.v)
            began = dynamics.balance(q, v)
            np.testing.assert_allclose(
                balance.momentum, np.broadcast_to(began.momentum, balance.momentum.shape), atol=1e-9
            )
            np.testing.assert_allclose(
                balance.angular_momentum, np.broadcast_to(began.angular_momentum, balance.momentum.shape), atol=1e-9
            )


@pytest.mark.parametrize("order", [2, 4])
def test_a_body_that_turns_more_than_two_radians_in_a_step(order: int) -> None:
    dynamics = Dynamics(tumbler())
    q, v = dynamics.layout.neutral(), np.array([0, 0, 0, 0.3, 0.2, 25.0])
    with pytest.raises(StepFailed, match=r"turns more than 2 rad within the step of 0\.4 s|did not converge") as failed:
        Motion(dynamics, q, v, h=0.4, order=order).run(10)
    assert len(failed.value.trajectory) == 0 and failed.value.time < 0.4
    Motion(dynamics, q, v, h=0.04).run(10)


def test_a_failed_motion_can_be_placed_anew() -> None:
    dynamics = Dynamics(tumbler())
    q = dynamics.layout.neutral()
    motion = Motion(dynamics, q, [0, 0, 0, 0.3, 0.2, 25.0], h=0.4)
    with pytest.raises(StepFailed):
        motion.run(10)
    motion.place(q, [0, 0, 0, 0.3, 0.2, 1.0])
    again = motion.run(10)
    fresh = Motion(dynamics, q, [0, 0, 0, 0.3, 0.2, 1.0], h=0.4).run(10)
    np.testing.assert_array_equal(again.q, fresh.q)


def test_one_of_many_that_fails_is_reported() -> None:
    dynamics = Dynamics(tumbler())
    q = dynamics.layout.neutral()
    rates = np.array([[0, 0, 0, 0.1, 0.2, 0.3], [0, 0, 0, 0.3, 0.2, 50.0]])
    with pytest.raises(StepFailed, match=r"turns more than 2 rad|did not converge"):
        rollout(dynamics, q, rates, h=0.4, steps=5)


def test_a_chain_of_64_joints_steps_and_keeps_momentum() -> None:
    dynamics = Dynamics(free_flyer(64))
    q, v = dynamics.layout.neutral(), np.zeros(dynamics.nv)
    q[7:], v[6:] = 0.02 * np.sin(np.arange(64)), 0.01 * np.cos(np.arange(64))
    run = Motion(dynamics, q, v, h=0.01).run(200, every=20)
    balance, began = dynamics.balance(run.q, run.v), dynamics.balance(q, v)
    size = np.linalg.norm(began.angular_momentum)
    assert np.abs(balance.angular_momentum - began.angular_momentum).max() < 1e-11 * size
    assert np.abs(balance.kinetic / began.kinetic - 1).max() < 1e-3


def test_rest_without_any_force_is_exact() -> None:
    dynamics = Dynamics(mixed(resisting=False))
    q, _ = mixed_state(dynamics)
    run = Motion(dynamics, q, np.zeros(dynamics.nv), h=0.1).run(50)
    np.testing.assert_array_equal(run.v, 0.0)
    np.testing.assert_allclose(run.q, np.broadcast_to(q, run.q.shape), atol=1e-15)
