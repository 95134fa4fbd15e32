"""Sloshing analogues: published values, frequencies in uniform acceleration, under thrust, and on springs."""

from typing import Any

import numpy as np
import pytest

import softdock as sd
from softdock.world.tanks import FIRST_ROOT, Tank

CYLINDER: dict[str, Any] = {
    "name": "tank", "radius": 0.5, "height": 1.2, "fill": 0.5, "density": 1000.0
}  # fmt: skip
SPHERE: dict[str, Any] = {"name": "tank", "shape": "sphere", "radius": 0.5, "fill": 0.5, "density": 1000.0}


def test_cylinder_has_the_published_analogue() -> None:
    """SP-106, table 6.1: m₁/m = (d/4.4 h) tanh(3.68 h/d), L = (d/3.68) coth(3.68 h/d); J₁'(ξ) = 0."""
    from scipy.special import jvp

    assert abs(jvp(1, FIRST_ROOT)) < 1e-15
    liquid, h, d = Tank(**CYLINDER).liquid(), 0.6, 1.0
    assert liquid.mass == pytest.approx(1000 * np.pi * 0.25 * h, rel=1e-14)
    assert liquid.slosh_mass / liquid.mass == pytest.approx(d / (4.4 * h) * np.tanh(3.68 * h / d), rel=2e-3)
    assert liquid.arm == pytest.approx(d / 3.68 / np.tanh(3.68 * h / d), rel=2e-3)
    # where the mass hangs: h/2 − (2R/ξ) tanh(ξh/2R) above the centre (Dodge, ch. 3)
    hangs = liquid.hinge - liquid.arm - liquid.center
    assert hangs == pytest.approx(h / 2 - 1 / FIRST_ROOT * np.tanh(FIRST_ROOT * h), rel=1e-13)


def test_sphere_has_the_published_frequency_and_mass() -> None:
    """Half full: λR = 1.5602 (McIver, J. Fluid Mech. 201, 1989); nearly empty, a point on a pendulum of R."""
    half = Tank(**SPHERE).liquid()
    assert 0.5 / half.arm == pytest.approx(1.5602, abs=1e-4)
    assert half.mass == pytest.approx(1000 * 2 / 3 * np.pi * 0.125, rel=1e-14)
    assert half.center == pytest.approx(-3 / 8 * 0.5, rel=1e-14)
    low = Tank(**{**SPHERE, "fill": 0.011}).liquid()
    assert 0.5 / low.arm == pytest.approx(1.0, abs=0.05)
    assert 0.95 < low.slosh_mass / low.mass < 1.0
    shares = [
        t.slosh_mass / t.mass for f in (0.1, 0.3, 0.6, 0.9, 0.98) for t in [Tank(**{**SPHERE, "fill": f}).liquid()]
    ]
    assert np.all(np.diff(shares) < 0)


def test_deep_cylinder_is_damped_as_the_boundary_layer_says() -> None:
    """ζ = ½ √(ν/2ω) (ξ² + 1)/((ξ² − 1) R): the wall's share of a mode that dies out downward (Case and Parkinson)."""
    tank = Tank(**{**CYLINDER, "height": 20.0}, acceleration=9.81, viscosity=1e-6)
    rate = tank.liquid().rate(9.81)
    square = FIRST_ROOT**2
    expected = np.sqrt(1e-6 / (2 * rate)) * (square + 1) / (square - 1) / (2 * 0.5)
    assert tank.ratio() == pytest.approx(expected, rel=1e-12)
    ball = Tank(**SPHERE, acceleration=9.81, viscosity=1e-6)
    assert 0.3 < ball.ratio() / expected < 3


@pytest.mark.parametrize("keys", [CYLINDER, SPHERE], ids=["cylinder", "sphere"])
@pytest.mark.parametrize("analogue", ["pendulum", "spring"])
def test_frequency_in_uniform_acceleration_is_the_analogues(keys: dict[str, Any], analogue: str) -> None:
    tank = {**keys, "analogue": analogue, "acceleration": 3.0, "damping_ratio": 0.02}
    world = sd.slosh(**tank)
    if analogue == "pendulum":
        world = world.altered(gravity=sd.Uniform(acceleration=(0, 0, -3.0)))
    found = sd.Dynamics(world).modes()
    swing = found.frequency[np.abs(found.damping) < 0.5]
    np.testing.assert_allclose(2 * np.pi * swing, Tank(**tank).liquid().rate(3.0), rtol=1e-12)
    np.testing.assert_allclose(found.damping[np.abs(found.damping) < 0.5], 0.02, rtol=1e-9)


def test_centre_of_mass_at_rest_is_the_liquids() -> None:
    for analogue in ("pendulum", "spring"):
        for keys in (CYLINDER, SPHERE):
            tank = {**keys, "analogue": analogue, "acceleration": 3.0}
            world = sd.slosh(sd.World(bodies=(sd.Body(name="bus", mass=1e-3, inertia=(1, 1, 1)),)), **tank, on="bus")
            z = sum(
                body.mass * (body.center[2] + (body.placement.position[2] if body.name != "tank" else 0.0))
                for body in world.bodies
                if body.name in ("tank", "tank.slosh")
            )
            if analogue == "spring":
                z += world.body("tank.slosh").mass * world.body("tank.sloshx").placement.position[2]
            liquid = Tank(**tank).liquid()
            assert z == pytest.approx(liquid.mass * liquid.center, rel=1e-12)


def test_thrust_on_a_free_craft_makes_the_pendulum_swing() -> None:
    """No gravity: the thrust alone holds the liquid down. By Lagrange in the plane, force fixed in space."""
    bus = sd.Body(name="bus", mass=1000.0, inertia=(400, 400, 400))
    world = sd.slosh(sd.World(bodies=(bus,)), **SPHERE, on="bus", placement=sd.Pose(position=(0, 0, 0.3)))
    dynamics, F, e = sd.Dynamics(world), 500.0, 0.3
    command = dynamics.command(force={"bus": (0, 0, F, 0, 0, 0)})
    found = dynamics.modes(command=command)
    still, bob = world.body("tank"), world.body("tank.slosh")
    m, l, k = bob.mass, -bob.center[2], bob.inertia[0][0]
    M, z0 = 1000.0 + still.mass, still.mass * (e + still.center[2])
    J = 400.0 + still.mass * (e + still.center[2]) ** 2
    # x, θ of the bus, ψ of the pendulum in space, for small angles
    mass = np.array(
        [[M + m, z0 + m * e, -m * l], [z0 + m * e, J + m * e * e, -m * e * l], [-m * l, -m * e * l, m * l * l + k]]
    )
    a = F / (M + m)
    stiffness = np.diag([0.0, -a * (z0 + m * e), a * m * l])
    expected = np.linalg.eigvals(np.linalg.solve(mass, stiffness)).real
    swings = np.sqrt(expected[expected > 1e-9].max())
    assert np.min(np.abs(2 * np.pi * found.frequency / swings - 1)) < 1e-9


BAD = {
    "cylinder without height": ({"height": None}, "a cylinder needs 'height'"),
    "sphere with height": ({"shape": "sphere"}, "a sphere takes no 'height'"),
    "empty": ({"fill": 0.0}, "greater than 0.01"),
    "full": ({"fill": 1.0}, "less than 0.99"),
    "springs without acceleration": ({"analogue": "spring"}, "need 'acceleration'"),
    "damped twice": ({"damping_ratio": 0.01, "viscosity": 1e-6, "acceleration": 1.0}, "not both"),
}


@pytest.mark.parametrize(("keys", "words"), BAD.values(), ids=BAD)
def test_what_cannot_be_is_refused(keys: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        sd.slosh(**{**CYLINDER, **keys})
