"""Derivatives of the step: against differences of the step itself, and of its equations solved to 50 digits."""

import casadi as ca
import mpmath as mp
import numpy as np
import pytest
from digits import in_digits
from test_derivatives import differences, displaced
from worlds import ISS_ORBIT, free_flyer, mixed, planar_iss, random_state

from softdock.dynamics import Dynamics, Motion
from softdock.mechanics import step
from softdock.mechanics.derivatives import _step, tangent
from softdock.mechanics.numbers import Numbers
from softdock.world import Uniform

H = 0.02


def given(dynamics: Dynamics, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    q, v = random_state(dynamics, rng)
    return q, dynamics.momenta(q, 0.5 * v), rng.normal(size=dynamics.nv)


def off(dynamics: Dynamics, q: np.ndarray, other: np.ndarray) -> np.ndarray:
    """The displacement from q to one nearby."""
    T = ca.Function("T", [x := ca.SX.sym("x", dynamics.nq)], [tangent(dynamics.tree, x)])
    return np.array(T(q)) @ (other - q)


@pytest.mark.parametrize(
    "world",
    [mixed(ISS_ORBIT), free_flyer(1).model_copy(update={"gravity": Uniform(acceleration=(1.0, -2.0, -9.0))})],
    ids=lambda world: world.gravity.kind,
)
def test_they_are_differences_of_the_step(world) -> None:
    """Rotations, springs, dampers, friction, servos, gravity that changes with place and time."""
    dynamics = Dynamics(world)
    q, p, u = given(dynamics, 5)
    n, t = dynamics.nv, 40.0
    found = dynamics.step_derivatives(q, p, u, H, t)

    def end(x: np.ndarray) -> np.ndarray:
        after = dynamics.step_derivatives(
            displaced(dynamics, q, x[:n]), p + x[n : 2 * n], u + x[2 * n : -1], H + x[-1], t
        )
        return np.concatenate([off(dynamics, found.q, after.q), after.p])

    by = differences(end, 3 * n + 1)
    every = np.hstack([found.by_state, found.by_command, found.by_h[:, None]])
    # a rotation's displacement is exact to first order only: its third is what differences of order 6 see
    np.testing.assert_allclose(every, by, atol=2e-6 * np.abs(by).max(axis=0).max())
    np.testing.assert_allclose(every[n:], by[n:], atol=1e-9 * np.abs(by[n:]).max())


def test_the_step_is_the_motions_own() -> None:
    dynamics = Dynamics(planar_iss(kp=10.0, kd=2.0))
    q, v = random_state(dynamics, np.random.default_rng(3))
    u = np.array([0, 0, 0, 1.0, -2.0, 3.0])
    motion = Motion(dynamics, q, v, h=H)
    motion.run(1, u)
    found = dynamics.step_derivatives(q, dynamics.momenta(q, v), u, H)
    np.testing.assert_array_equal(found.q, motion.q)
    np.testing.assert_allclose(found.p, dynamics.momenta(motion.q, motion.v), rtol=1e-13)


def test_rows_do_not_see_each_other() -> None:
    """Steps are taken four at a time: each is as alone to the last bit, whatever stands beside it (steps of another
    size, one that takes Newton's own method), and whatever is left over."""
    dynamics = Dynamics(mixed(ISS_ORBIT))
    rows = [given(dynamics, seed) for seed in range(6)]
    q, p, u = map(np.array, zip(*rows, strict=True))
    h = np.array([0.02, 0.001, 0.02, 0.015, 0.01, 0.02])
    p[2] *= 40.0
    together = dynamics.step_derivatives(q, p, u, h, 40.0)
    for k in range(6):
        alone = dynamics.step_derivatives(q[k], p[k], u[k], h[k], 40.0)
        for a, b in zip(alone, together, strict=True):
            np.testing.assert_array_equal(a, b[k])


def test_fifty_digits() -> None:
    """Free arm of 7 joints: 1e-12 of central differences of the step solved to 50 digits. Some of the columns;
    studies/step_derivatives.py has all (worst 3e-14)."""
    assert worst_column(Dynamics(free_flyer(7)), [0, 4, 9, 14, 17, 22, 30, 36, 39]) < 1e-12


def worst_column(dynamics: Dynamics, columns: list[int], h: float = 0.01, seed: int = 1) -> float:
    """Largest error of the columns by (δ, p, u, h), relative to the column's largest entry."""
    q, p, u = given(dynamics, seed)
    found = dynamics.step_derivatives(q, p, u, h)
    every = np.hstack([found.by_state, found.by_command, found.by_h[:, None]])
    with mp.workdps(50):
        end = _exactly(dynamics, q, p, u, h)
        small, worst = mp.mpf(10) ** -17, 0.0
        for c in columns:
            ahead, behind = (end(c, sign * small) for sign in (1, -1))
            by = np.array([float((a - b) / (2 * small)) for a, b in zip(ahead, behind, strict=True)])
            worst = max(worst, np.abs(by - every[:, c]).max() / np.abs(by).max())
    return worst


def _exactly(dynamics: Dynamics, q: np.ndarray, p: np.ndarray, u: np.ndarray, h: float):
    """(column, nudge) → (δ', p'), δ' = 2 Im(q'₀* ⊗ q') for rotations, from the step's equations in mpmath."""
    tree, n = dynamics.tree, dynamics.nv
    numbers, s, x = Numbers(tree), step.StepSymbols(tree), ca.SX.sym("x", 3 * n + 1)
    q_ = ca.SX.sym("q_", tree.nq)
    s.p, s.command, s.h, s.r = p + x[n : 2 * n], u + x[2 * n : -1], h + x[-1], ca.SX.zeros(3)
    row, after = _step(tree, numbers, s, step.moved(tree, ca.SX(q), x[:n], ca.SX(1)))
    T = ca.diagcat(tangent(tree, q_), ca.SX.eye(n))
    exact = [ca.substitute(f, numbers.theta, ca.DM(dynamics.theta)) for f in (row, T @ after, ca.jacobian(row, s.xi))]
    f = ca.Function("f", [x, s.xi, q_], exact[:2], {"cse": True})
    slope = ca.Function("slope", [x, s.xi], [exact[2]])
    run = in_digits(f)
    motion = Motion(dynamics, q, np.linalg.solve(dynamics.mass_matrix(q), p), h=h)
    start = list(map(mp.mpf, motion.v.tolist()))
    inverse = mp.matrix(np.linalg.inv(np.array(slope(0, motion.v))).tolist())
    base = list(map(mp.mpf, dynamics.step_derivatives(q, p, u, h).q.tolist()))

    def end(column: int, nudge):
        x_ = [mp.mpf(0)] * (3 * n + 1)
        x_[column], xi = nudge, start
        for _ in range(40):
            change = inverse * mp.matrix(run([x_, xi, base])[0])
            xi = [a - b for a, b in zip(xi, change, strict=True)]
            if max(map(abs, change)) < mp.mpf(10) ** -42:
                break
        start[:] = xi
        return run([x_, xi, base])[1]

    return end


@pytest.mark.parametrize("h", [0.0, -1.0, np.nan])
def test_bad_steps_are_refused(h: float) -> None:
    dynamics = Dynamics(planar_iss())
    q, p, u = given(dynamics, 1)
    with pytest.raises(ValueError, match="positive number"):
        dynamics.step_derivatives(q, p, u, h)


def test_a_servo_that_the_step_does_not_follow_is_refused() -> None:
    dynamics = Dynamics(planar_iss(kp=1e4, kd=1e6))
    q, p, u = given(dynamics, 1)
    with pytest.raises(ValueError, match="settles faster than the step"):
        dynamics.step_derivatives(q, p, u, 1.0)
