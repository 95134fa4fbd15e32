"""Booms and panels as rods: frequencies and deflections of Euler and Bernoulli's beam, momentum, and a fast spin-up."""

from functools import cache

import numpy as np
import pytest
from scipy.linalg import eigh

import softdock as sd

L, EI, LINE = 5.0, 200.0, 2.0
UNIT = np.sqrt(EI / LINE / L**4)
CLAMPED = np.array([1.8751040687119612, 4.694091132974175, 7.854757438237613]) ** 2 * UNIT
"""Roots of cos x cosh x = −1 (Blevins, Formulas for Natural Frequency and Mode Shape, table 8-1)."""
FREE = np.array([4.730040744862704, 7.853204624095838]) ** 2 * UNIT
"""Roots of cos x cosh x = 1."""
BOOM = {"name": "b", "length": L, "line_mass": LINE, "bending_z": EI}
HUB = sd.Body(name="hub", mass=40.0, inertia=(8.0, 8.0, 8.0))
OFFSET = 0.5


def frequencies(dynamics: sd.Dynamics) -> np.ndarray:
    """Of undamped vibrations about rest (rad/s), lowest first."""
    A, _ = dynamics.linearise(*dynamics.state())
    found = np.linalg.eigvals(A)
    return np.sort(np.abs(found[found.imag > 1e-4 * np.abs(found).max()]))


@cache
def clamped(rods: int) -> sd.Dynamics:
    return sd.Dynamics(sd.beam(**BOOM, rods=rods))


def on_free_hub(functions: int = 16) -> np.ndarray:
    """First three frequencies of the continuous beam on a free hub, by Ritz's method with polynomials."""
    one = np.polynomial.Polynomial
    x, w = np.polynomial.legendre.leggauss(60)
    at, w = (x + 1) / 2, w / 2
    legendre = [np.polynomial.legendre.Legendre.basis(k, domain=[0, 1]).convert(kind=one) for k in range(functions)]
    basis = [one([1.0]), one([OFFSET / L, 1.0]), *(one([0, 0, 1.0]) * each for each in legendre)]
    shapes, bends = np.array([f(at) for f in basis]), np.array([f.deriv(2)(at) for f in basis])
    M, K = LINE * L * (shapes * w) @ shapes.T, EI / L**3 * (bends * w) @ bends.T
    M[0, 0] += HUB.mass
    M[1, 1] += HUB.inertia[2][2] / L**2
    return np.sqrt(np.abs(eigh(K, M, eigvals_only=True)[2:5]))


def test_cantilever_has_the_continuous_beams_frequencies() -> None:
    assert np.all(np.abs(frequencies(clamped(8))[:3] / CLAMPED - 1) < [1e-4, 1e-3, 5e-3])


def test_so_has_a_beam_on_a_free_hub() -> None:
    root = sd.Pose(position=(OFFSET, 0.0, 0.0))
    world = sd.beam(sd.World(bodies=(HUB,)), **BOOM, on="hub", placement=root)
    assert np.all(np.abs(frequencies(sd.Dynamics(world))[:3] / on_free_hub() - 1) < [2e-4, 1e-3, 5e-3])


def test_beam_with_free_ends() -> None:
    """Midpoint rule: 0.007 and 0.05 % off with eight hinges (studies/flexible.py)."""
    world = sd.beam(**BOOM, free=True, gyration=(0.001, 0.001, 0.0))
    assert np.all(np.abs(frequencies(sd.Dynamics(world))[:2] / FREE - 1) < [2e-4, 1e-3])


@pytest.mark.parametrize("rods", [2, 8])
def test_deflections_of_the_tip_are_exact(rods: int) -> None:
    """Under a force and a moment at it: L³/3EI, L²/2EI and L/EI."""
    dynamics = clamped(rods)
    q, v = dynamics.state()
    A, _ = dynamics.linearise(q, v)
    stiffness = -dynamics.mass_matrix(q) @ A[rods:, :rods]
    J = dynamics.jacobian("b.tip", q)[[4, 2]]  # along y, about z
    expected = [[L**3 / 3, L**2 / 2], [L**2 / 2, L]] / np.float64(EI)
    np.testing.assert_allclose(J @ np.linalg.solve(stiffness, J.T), expected, rtol=1e-13)


def test_first_mode_has_its_damping_ratio_and_others_in_proportion() -> None:
    keys = {**BOOM, "bending_z": (300.0, 100.0), "line_mass": (3.0, 2.0, 1.0)}
    dynamics = sd.Dynamics(sd.beam(**keys, rods=8, damping_ratio=0.01))
    found = np.linalg.eigvals(dynamics.linearise(*dynamics.state())[0])
    found = found[found.imag > 0]
    found = found[np.argsort(np.abs(found))]
    ratios = -found.real / np.abs(found)
    np.testing.assert_allclose(ratios[0], 0.01, rtol=1e-9)
    np.testing.assert_allclose(ratios[1] / ratios[0], np.abs(found[1] / found[0]), rtol=1e-9)


def test_tapered_beam_converges_to_its_integral() -> None:
    """Tip compliance of EI(x) = 300 to 100 N m²: ∫ (L − x)²/EI dx."""
    x, w = np.polynomial.legendre.leggauss(40)
    at, w = (x + 1) / 2, w / 2
    expected = L**3 * np.sum(w * (1 - at) ** 2 / (300 - 200 * at))
    part = sd.Beam(**{**BOOM, "bending_z": (300.0, 100.0)}, rods=8)
    hinges, _ = part.hinges()
    np.testing.assert_allclose(np.sum((L - hinges) ** 2 / part.springs()["z"]), expected, rtol=1e-6)


def craft(rods: int) -> sd.World:
    """A free bus with two panels on hinged yokes and an arm of two joints."""
    world = sd.World(bodies=(sd.Body(name="bus", mass=250.0, inertia=(45, 40, 50)),))
    for name, side in (("left", 1.0), ("right", -1.0)):
        world = sd.panel(
            world, name=name, on="bus", placement=sd.Pose(position=(0, side / 2, 0), rpy=(0, 0, side * np.pi / 2)),
            length=5.0, width=1.5, mass=20.0, rods=rods, frequency=0.2, in_plane=4e3, torsion=100.0, damping_ratio=0.0,
            yoke_length=0.5, yoke_mass=1.0, hinge_stiffness=500.0,
        )  # fmt: skip
    arm = [
        sd.Body(
            name=name, parent=parent, placement=sd.Pose(position=(x, 0, 0)), joint=sd.Revolute(axis=axis), mass=12.0,
            center=(0.5, 0, 0), inertia=(0.02, 1.0, 1.0),
        )
        for name, parent, x, axis in (("upper", "bus", 0.6, (0, 0, 1)), ("lower", "upper", 1.0, (0, 1, 0)))
    ]  # fmt: skip
    return world.altered(bodies=(*world.bodies, *arm))


def test_free_craft_with_panels_and_an_arm_keeps_its_momentum() -> None:
    dynamics = sd.Dynamics(craft(2))
    q, v = dynamics.state(
        {"upper": {"velocity": 0.3}, "lower": {"velocity": -0.4}, "left.1y": {"position": 0.02},
         "bus": {"angular_velocity": (0.02, 0.05, 0.1), "velocity": (0.01, 0.02, 0.0)}}
    )  # fmt: skip
    before = dynamics.balance(q, v)
    rows = sd.Motion(dynamics, q, v, h=0.01).run(2000, every=100)
    after = dynamics.balance(rows.q, rows.v)
    for name in ("momentum", "angular_momentum"):
        start = getattr(before, name)
        assert np.abs(getattr(after, name) - start).max() < 1e-12 * np.linalg.norm(start)
    energy = after.kinetic + after.spring
    assert np.abs(energy / (before.kinetic + before.spring) - 1).max() < 2e-3


SPIN = {"length": 8.0, "line_mass": 2766.67 * 7.2968e-5, "bending_z": 6.8952e10 * 8.2181e-9}
"""Kane, Ryan and Banerjee (1987): a beam spun up to 6 rad/s in 15 s."""


def test_beam_that_is_spun_up_stiffens_and_comes_back() -> None:
    """Least deflection of the tip −0.7508 m by Exudyn's ANCF cables (studies/flexible.py): a beam without the
    stiffening by its own tension diverges here. With 6 rods, 2 %; with 16, 0.5 % (the study)."""
    hub = sd.Body(name="hub", joint=sd.Revolute(), mass=1.0, inertia=(1e8, 1e8, 1e8))
    world = sd.beam(sd.World(bodies=(hub,)), name="b", on="hub", rods=6, **SPIN)
    dynamics, h, end, rise = sd.Dynamics(world), 0.02, 18.0, 15.0
    t = np.arange(round(end / h) + 1) * h
    rate = np.where(t < rise, 6 / rise * (t - rise / 2 / np.pi * np.sin(2 * np.pi * t / rise)), 6.0)
    commands = np.zeros((len(t) - 1, dynamics.nv))
    commands[:, 0] = 1e8 * np.diff(rate) / h
    rows = sd.Motion(dynamics, *dynamics.state(), h=h).run(len(commands), commands)
    tip, turn = dynamics.pose("b.tip", rows.q)[1], rows.q[:, 0]
    deflection = -np.sin(turn) * tip[:, 0] + np.cos(turn) * tip[:, 1]
    assert deflection.min() == pytest.approx(-0.7508, rel=0.02)
    assert np.abs(deflection[rows.t > 16]).max() < 0.01
