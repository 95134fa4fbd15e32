"""What a delay does to an emulated contact, in closed form (docs/scenarios/facility.md).

A target of mass m_t is simulated; its measured contact force acts on the simulation, and a robot moves a mock-up as the
simulation moves, later by h. The servicer of mass m_s is real. With a linear contact (stiffness k, viscosity b) the
depth obeys, with s the Laplace variable,

    s² + (b s + k) (1/m_s + e^(−s h)/m_t) = 0
"""

import math
from typing import NamedTuple

import numpy as np


class Critical(NamedTuple):
    """Where a delayed loop begins to make energy."""

    delay: float
    """Largest stable one (s)."""
    rate: float
    """Of the oscillation there (rad/s)."""


def critical_delay(mass: float, stiffness: float, viscosity: float, servicer: float = math.inf) -> Critical:
    """The least h with a root on the imaginary axis, for an emulated `mass` (kg), contact `stiffness` (N/m) and
    `viscosity` (N s/m), against a real `servicer` (kg; infinite: a wall).

    With W = ω² the modulus condition is a quadratic: (m_s W − k)² + b² W = (m_s/m_t)² (k² + b² W); against a wall it is
    W = (b² + √(b⁴ + 4 m_t² k²)) / (2 m_t²), and h = atan(bω/k)/ω.
    """
    if not (mass > 0 and stiffness > 0 and viscosity >= 0 and servicer > 0):
        raise ValueError("masses and stiffness must be positive, the viscosity at least 0")
    k, b = stiffness, viscosity
    if math.isinf(servicer):
        w = math.sqrt((b * b + math.sqrt(b**4 + 4 * (mass * k) ** 2)) / (2 * mass * mass))
        return Critical(math.atan(b * w / k) / w, w)
    r2 = (servicer / mass) ** 2
    roots = np.roots([servicer**2, b * b * (1 - r2) - 2 * servicer * k, k * k * (1 - r2)])
    found = []
    for W in roots:
        if abs(W.imag) < 1e-9 * abs(W) and W.real > 1e-12 * k / servicer:
            w = math.sqrt(W.real)
            z = mass * (W.real / complex(k, b * w) - 1 / servicer)
            found.append(Critical((-math.atan2(z.imag, z.real)) % (2 * math.pi) / w, w))
    return min(found, default=Critical(math.inf, 0.0))


def approximate_critical_delay(mass: float, stiffness: float, viscosity: float, servicer: float = math.inf) -> float:
    """(b/k)(1 + m_t/m_s), for weak damping (s)."""
    return viscosity / stiffness * (1 + mass / servicer)


def reduced(mass: float, servicer: float) -> float:
    """The mass that the contact feels (kg)."""
    return mass if math.isinf(servicer) else mass * servicer / (mass + servicer)


def apparent_restitution(delay: float, stiffness: float, mass: float, servicer: float = math.inf) -> float:
    """e_app / e = exp(½ π ω h μ/m_t), ω² = k/μ: over the half period in which they touch, a delayed motion of the
    target puts energy in at the rate ω² h μ/m_t."""
    mu = reduced(mass, servicer)
    return math.exp(0.5 * math.pi * math.sqrt(stiffness / mu) * delay * mu / mass)


def delay_without_loss(restitution: float, stiffness: float, mass: float, servicer: float = math.inf) -> float:
    """The delay (s) with which a touch of that restitution would seem to lose nothing: e_app = 1."""
    return math.log(1 / restitution) / math.log(apparent_restitution(1.0, stiffness, mass, servicer))
