"""Compliant contact: the force between two shapes that overlap by ρ and move into each other at ρ̇.

    f = k ρⁿ (1 + c ρ̇),  f ≥ 0

With n = 3 this is eq. 10 of Asci & Nanjangud with its sign put right (a contact must dissipate), with n = 3/2
Hunt & Crossley's law on Hertz's. Along a straight line an impact at speed v₀ leaves v₁, whatever k, n and the mass are:

    v₀/c − ln(1 + c v₀)/c² = −v₁/c − ln(1 − c v₁)/c²

Friction is Coulomb's, regularised: a tangential speed well below `slip` is nearly stuck.
"""

import math

from softdock.kernels.jit import njit


@njit(cache=True, nogil=True)
def push(k, n, c, rho, rate):
    """Normal force (N), and its slopes by ρ and by ρ̇."""
    elastic = k * rho**n
    share = 1.0 + c * rate
    if share <= 0.0:
        return 0.0, 0.0, 0.0
    return elastic * share, k * n * rho ** (n - 1.0) * share, elastic * c


@njit(cache=True, nogil=True)
def drag(mu, slip, f, square):
    """Friction under the normal force f, per tangential speed (N s/m) of that square: μ f/√(u² + slip²)."""
    return mu * f / math.sqrt(square + slip * slip)


def restitution(damping: float, speed: float) -> float:
    """v₁/v₀ of a straight impact at `speed` (m/s) under the law with that damping c (s/m)."""
    from scipy.optimize import brentq

    x = damping * speed
    if x == 0.0:
        return 1.0
    spent = x - math.log1p(x)
    return float(brentq(lambda y: -y - math.log1p(-y) - spent, 0.0, -math.expm1(-spent - 1.0), xtol=1e-16)) / x
