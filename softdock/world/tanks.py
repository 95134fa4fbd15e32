"""Propellant in a tank that is partly full: a rigid part and one slosh mass, on a pendulum or on springs.

Linear sloshing of an ideal liquid under an acceleration g: its first mode has ω² = λ g, and acts on the tank as the
mass m₁ = ρ λ (∫φ x dS)²/∫φ² dS on a pendulum of length 1/λ (Abramson, The Dynamic Behavior of Liquids in Moving
Containers, NASA SP-106, 1966, ch. 6; Dodge, The New …, Southwest Research Institute, 2000). A cylinder's mode is known;
a sphere's is found by Ritz's method with harmonic polynomials (docs/theory/flexible.md, eq. 6).
"""

from typing import Annotated, Any, Literal, NamedTuple

import numpy as np
from pydantic import Field, model_validator

from softdock.world.appendage import Appendage, Made, Ratio, attached
from softdock.world.joints import Fixed, NonNegative, Prismatic, Spherical, Spring
from softdock.world.model import Body, Frame, World
from softdock.world.pose import Pose
from softdock.world.shapes import Positive

FIRST_ROOT = 1.8411837813406593
"""ξ of a cylinder's first mode: the first maximum of Bessel's J₁."""
HARMONICS, POINTS = 14, 80
"""Of the Ritz method for a sphere: functions, and points of quadrature on wall and surface."""
SPREAD = 0.02
"""Radius of gyration of a pendulum's mass, over its length: it has inertia about its own axis too."""


class Analogue(NamedTuple):
    """What stands for the liquid; heights are from the tank's origin, along z."""

    mass: float
    """Of all liquid (kg)."""
    center: float
    """Height of its centre of mass at rest (m)."""
    slosh_mass: float
    """(kg)."""
    hinge: float
    """Height of the pendulum's hinge (m)."""
    arm: float
    """Its length 1/λ (m)."""
    friction: float
    """Damping ratio × √(ω/ν) by the laminar boundary layer at the wall (1/m)."""

    def rate(self, acceleration: float) -> float:
        """ω (rad/s) under an acceleration (m/s²)."""
        return float(np.sqrt(acceleration / self.arm))


class Tank(Appendage):
    """A tank whose z points against the acceleration that holds the liquid down: a cylinder on its origin, or a sphere
    about it."""

    shape: Literal["cylinder", "sphere"] = "cylinder"
    radius: Positive
    """(m)."""
    height: Positive | None = None
    """Of a cylinder (m)."""
    fill: Annotated[float, Field(gt=0.01, lt=0.99)]
    """Share of its volume (-)."""
    density: Positive
    """Of the liquid (kg/m³)."""
    analogue: Literal["pendulum", "spring"] = "pendulum"
    """A pendulum swings as fast as the acceleration makes it; springs have the frequency at `acceleration`."""
    acceleration: Positive | None = None
    """For which springs, and dampers, are made (m/s²)."""
    damping_ratio: Ratio | None = None
    """Of the slosh mass, at `acceleration`; or give `viscosity` (-)."""
    viscosity: NonNegative | None = None
    """Kinematic: damping by the laminar boundary layer at a smooth wall (m²/s)."""

    @model_validator(mode="after")
    def _whole(self) -> "Tank":
        if (self.height is None) == (self.shape == "cylinder"):
            raise ValueError(
                f"tank {self.name!r}: a {self.shape} {'takes no' if self.height else 'needs'} 'height' (m)"
            )
        if self.damping_ratio is not None and self.viscosity is not None:
            raise ValueError(f"tank {self.name!r}: give either 'damping_ratio' or 'viscosity', not both")
        needed = self.analogue == "spring" or self.damping_ratio or self.viscosity
        if needed and self.acceleration is None:
            raise ValueError(f"tank {self.name!r}: springs and damping need 'acceleration' (m/s²)")
        return self

    def liquid(self) -> Analogue:
        """Masses, heights and length of the analogue."""
        if self.shape == "sphere":
            return _in_sphere(self.radius, self.fill, self.density)
        return _in_cylinder(self.radius, self.fill * (self.height or 0.0), self.density)

    def ratio(self) -> float:
        """Damping ratio of the slosh mass."""
        if self.viscosity and self.acceleration:
            liquid = self.liquid()
            return float(liquid.friction * np.sqrt(self.viscosity / liquid.rate(self.acceleration)))
        return self.damping_ratio or 0.0

    def made(self, at: Frame) -> Made:
        liquid = self.liquid()
        m, rest = liquid.slosh_mass, liquid.mass - liquid.slosh_mass
        low = _bob(liquid.arm) if self.analogue == "pendulum" else liquid.arm
        height = (liquid.mass * liquid.center - m * (liquid.hinge - low)) / rest
        still = Body(
            name=self.name, parent=at.body, placement=at.placement, joint=Fixed(), mass=rest, center=(0.0, 0.0, height)
        )
        if self.analogue == "pendulum":
            return Made((still, self._pendulum(liquid, low)))
        return Made((still, *self._springs(liquid)))

    def _pendulum(self, liquid: Analogue, low: float) -> Body:
        m = liquid.slosh_mass
        own: Any = 3 * (m * (SPREAD * liquid.arm) ** 2,)
        damping = 0.0
        if self.acceleration:
            damping = 2 * self.ratio() * liquid.rate(self.acceleration) * m * (low**2 + (SPREAD * liquid.arm) ** 2)
        return Body(
            name=f"{self.name}.slosh", parent=self.name, placement=Pose(position=(0.0, 0.0, liquid.hinge)),
            joint=Spherical(damping=(damping,)), mass=m, center=(0.0, 0.0, -low), inertia=own,
        )  # fmt: skip

    def _springs(self, liquid: Analogue) -> tuple[Body, Body]:
        m, rate = liquid.slosh_mass, liquid.rate(self.acceleration or 0.0)
        spring, damping = Spring(stiffness=(m * rate**2,)), (2 * self.ratio() * rate * m,)
        x, y = (Prismatic(axis=axis, spring=spring, damping=damping) for axis in ((1, 0, 0), (0, 1, 0)))
        at, name = Pose(position=(0.0, 0.0, liquid.hinge - liquid.arm)), f"{self.name}.slosh"
        first = Body(name=f"{name}x", parent=self.name, placement=at, joint=x, mass=0.0)
        return first, Body(name=name, parent=first.name, joint=y, mass=m)


def _bob(arm: float) -> float:
    """Distance from the hinge at which a mass with a radius of gyration swings as one without it at `arm`."""
    return float(arm * (1 + np.sqrt(1 - 4 * SPREAD**2)) / 2)


def _in_cylinder(R: float, h: float, density: float) -> Analogue:
    """SP-106, table 6.1, with ξ to all digits."""
    k, mass = FIRST_ROOT / R, density * np.pi * R * R * h
    share = 1 - 1 / FIRST_ROOT**2
    m = mass * 2 * R * np.tanh(k * h) / (FIRST_ROOT * h * (FIRST_ROOT**2 - 1))
    arm = 1 / (k * np.tanh(k * h))
    hinge = h + 1 / (k * np.sinh(k * h)) - np.tanh(k * h / 2) / k
    # boundary layers on wall and bottom over kinetic energy, all over J₁(ξ)² π cosh(kh)²: no large number arises
    t, s = np.tanh(k * h), h / np.cosh(k * h) ** 2
    wall = R * ((t / k + s) / (2 * R * R) + k * k * (t / k - s) / 2)
    bottom = k * k * R * R / 2 * share / np.cosh(k * h) ** 2
    friction = (wall + bottom) / (k * t * R * R / 2 * share) / (2 * np.sqrt(2))
    return Analogue(mass, h / 2, float(m), float(hinge), float(arm), float(friction))


def _in_sphere(R: float, fill: float, density: float) -> Analogue:
    """By harmonic polynomials about the middle of the free surface; the force of the mode goes through the centre."""
    depth = _depth(fill)
    level = depth - 1.0
    a = np.sqrt(1 - level * level)
    x, w = np.polynomial.legendre.leggauss(POINTS)
    edge = np.arccos(level)
    angle, r = edge + (np.pi - edge) * (x + 1) / 2, a * (x + 1) / 2
    zeros, ones = np.zeros(POINTS), np.ones(POINTS)
    rho, z = np.concatenate([np.sin(angle), r]), np.concatenate([np.cos(angle) - level, zeros])
    n_rho, n_z = np.concatenate([np.sin(angle), zeros]), np.concatenate([np.cos(angle), ones])
    area = np.concatenate([(np.pi - edge) / 2 * w * np.sin(angle), a / 2 * w * r])  # over π: of cos² around
    U, by_rho, by_z = _harmonics(rho / a, z / a)
    flux = (n_rho * by_rho + n_z * by_z) / a
    wall, top = slice(0, POINTS), slice(POINTS, None)
    K, M = (U * area) @ flux.T, (U[:, top] * area[top]) @ U[:, top].T
    scale = 1 / np.sqrt(np.diag(K))
    values, vectors = np.linalg.eigh(scale[:, None] * (K + K.T) / 2 * scale)
    basis = vectors[:, values > 1e-13 * values[-1]] / np.sqrt(values[values > 1e-13 * values[-1]])
    mu, shapes = np.linalg.eigh(basis.T @ (scale[:, None] * M * scale) @ basis)
    c = scale * (basis @ shapes[:, -1])  # ∫|∇φ|² = 1
    surface, rate = c @ U[:, top], 1 / mu[-1]
    share = np.pi * rate * np.sum(surface * r * area[top]) ** 2 / np.sum(surface**2 * area[top])
    along = ((c @ by_rho) ** 2 + (c @ by_z) ** 2) / a**2 - (c @ flux) ** 2 + (c @ U / rho) ** 2
    friction = np.sum((along * area)[wall]) / (2 * np.sqrt(2) * R)
    mass = density * R**3 * np.pi * depth**2 * (3 - depth) / 3
    center = -0.75 * R * (2 - depth) ** 2 / (3 - depth)
    return Analogue(float(mass), float(center), float(density * R**3 * share), 0.0, float(R / rate), float(friction))


def _depth(fill: float) -> float:
    """Depth of the liquid over the radius: the root of d² (3 − d) = 4 × fill between 0 and 2."""
    return float(1 + 2 * np.cos((np.arccos(1 - 2 * fill) + 4 * np.pi) / 3))


def _harmonics(rho: np.ndarray, z: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """r^k P_k¹, k = 1 …, by their recurrence: values, and derivatives by ρ and z (all times cos of the azimuth)."""
    zero, r2 = np.zeros_like(rho), rho * rho + z * z
    u, by_rho, by_z = [zero, rho], [zero, np.ones_like(rho)], [zero, zero]
    for k in range(1, HARMONICS):
        p, q = (2 * k + 1) / k, (k + 1) / k
        by_rho.append(p * z * by_rho[k] - q * (2 * rho * u[k - 1] + r2 * by_rho[k - 1]))
        by_z.append(p * (u[k] + z * by_z[k]) - q * (2 * z * u[k - 1] + r2 * by_z[k - 1]))
        u.append(p * z * u[k] - q * r2 * u[k - 1])
    return np.array(u[1:]), np.array(by_rho[1:]), np.array(by_z[1:])


def slosh(world: World | None = None, /, **keys: Any) -> World:
    """The world with the liquid of a tank (the keys are `Tank`'s).

    "<name>" is the part of it that moves with the tank, as a point (the liquid does not turn with smooth walls);
    "<name>.slosh" the mass that does not, on a pendulum, or with springs on "<name>.sloshx", along x and y. The tank's
    own mass is its carrier's.
    """
    return attached(world, Tank(**keys))
