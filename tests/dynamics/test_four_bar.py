"""A four-bar linkage closed by a hinge latch follows its analytic motion.

One degree of freedom: the closure gives coupler and rocker from the crank, energy gives the crank's
rate at every angle, and a quadrature the time. The hinge's five rows are two more than the plane
needs, and one of those is redundant.
"""

import itertools

import numpy as np
import pytest
from scipy.integrate import quad
from worlds import FOUR_BAR, four_bar, order_of

from softdock.dynamics import Dynamics, Motion

GROUND, CRANK, COUPLER, ROCKER = FOUR_BAR
MASSES = (2.0, 3.0, 2.5)


def angles(crank: float) -> np.ndarray:
    """Absolute angles of the three bars (Freudenstein): elbow up."""
    reach = np.array([GROUND - CRANK * np.cos(crank), -CRANK * np.sin(crank)])
    d = np.hypot(*reach)
    bend = np.arccos((COUPLER**2 + d**2 - ROCKER**2) / (2 * COUPLER * d))
    coupler = np.arctan2(reach[1], reach[0]) + bend
    left = reach - COUPLER * np.array([np.cos(coupler), np.sin(coupler)])
    return np.array([crank, coupler, np.arctan2(left[1], left[0])])


def ratios(crank: float) -> np.ndarray:
    """Rates of the bars per unit rate of the crank."""
    a = angles(crank)
    l2, l3 = COUPLER, ROCKER
    A = np.array([[l2 * np.sin(a[1]), l3 * np.sin(a[2])], [l2 * np.cos(a[1]), l3 * np.cos(a[2])]])
    return np.array([1.0, *np.linalg.solve(A, -CRANK * np.array([np.sin(crank), np.cos(crank)]))])


def inertia(crank: float) -> float:
    """Twice the kinetic energy at unit rate of the crank."""
    a, w = angles(crank), ratios(crank)
    tip, total = np.zeros(2), 0.0
    for angle, rate, length, mass in zip(a, w, FOUR_BAR[1:], MASSES, strict=True):
        across = rate * np.array([-np.sin(angle), np.cos(angle)])
        center = tip + length / 2 * across
        total += mass * center @ center + mass * length**2 / 12 * rate**2
        tip = tip + length * across
    return total


def closed(crank: float, rate: float) -> tuple[np.ndarray, np.ndarray]:
    a, w = angles(crank), ratios(crank)
    return np.diff(a, prepend=0.0), rate * np.diff(w, prepend=0.0)


def time_to(crank: float, start: float, rate: float) -> float:
    """When the crank gets there."""
    twice_energy = inertia(start) * rate**2
    ends = np.linspace(start, crank, 9)
    pieces = itertools.pairwise(ends)
    return sum(
        quad(lambda x: np.sqrt(inertia(x) / twice_energy), a, b, epsabs=1e-13, epsrel=1e-13)[0] for a, b in pieces
    )


@pytest.fixture(scope="module")
def dynamics() -> Dynamics:
    return Dynamics(four_bar())


def run(dynamics: Dynamics, h: float, order: int, span: float = 4.0) -> Motion:
    motion = Motion(dynamics, *closed(0.4, 1.5), h=h, order=order)
    motion.engage("pin")
    motion.run(round(span / h), every=round(span / h))
    return motion


def test_engaging_a_chain_that_is_closed_loses_nothing(dynamics: Dynamics) -> None:
    q, v = closed(0.4, 1.5)
    motion = Motion(dynamics, q, v, h=0.01)
    assert abs(motion.engage("pin")) < 1e-12 * dynamics.balance(q, v).kinetic
    np.testing.assert_allclose(motion.v, v, atol=1e-12)


@pytest.mark.parametrize(
    ("order", "sizes"), [(2, (0.04, 0.02, 0.01)), (4, (0.04, 0.025, 0.02)), (6, (0.05, 0.04, 0.025, 0.02))]
)
def test_the_crank_keeps_the_analytic_time(dynamics: Dynamics, order: int, sizes: tuple[float, ...]) -> None:
    errors = []
    for h in sizes:
        motion = run(dynamics, h, order)
        errors.append(abs(time_to(motion.q[0], 0.4, 1.5) - 4.0))
    assert order_of(np.array(sizes), np.array(errors)) == pytest.approx(order, abs=0.2), errors


def test_order_6_reaches_ten_digits(dynamics: Dynamics) -> None:
    motion = run(dynamics, 0.01, 6)
    assert abs(time_to(motion.q[0], 0.4, 1.5) - 4.0) < 1e-10
    np.testing.assert_allclose(np.cumsum(motion.q), angles(motion.q[0]), atol=1e-11)
    rate = np.sqrt(inertia(0.4) * 1.5**2 / inertia(motion.q[0]))
    np.testing.assert_allclose(np.cumsum(motion.v), rate * ratios(motion.q[0]), atol=1e-9)


def test_many_turns_keep_closure_and_energy(dynamics: Dynamics) -> None:
    motion = Motion(dynamics, *closed(0.4, 1.5), h=0.01)
    motion.engage("pin")
    energies = []
    for _ in range(20):
        motion.run(1000)
        assert motion.violation() < 1e-11
        energies.append(dynamics.balance(motion.q, motion.v).kinetic)
    energies = np.array(energies) / dynamics.balance(*closed(0.4, 1.5)).kinetic - 1
    assert np.abs(energies).max() < 1e-3
    assert np.abs(energies[-5:]).max() < 2 * np.abs(energies[:10]).max()
