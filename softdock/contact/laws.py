"""Compliant contact: the force between two shapes that overlap by ρ and move into each other at ρ̇.

    f = k ρⁿ (1 + c ρ̇) + b ρ̇,  f ≥ 0

With n = 3 this is eq. 10 of Asci & Nanjangud with its sign put right (a contact must dissipate), with n = 3/2
Hunt & Crossley's law on Hertz's, with n = 1 and c = 0 that of Kelvin & Voigt. Along a straight line an impact at speed
v₀ leaves v₁ without b, whatever k, n and the mass are:

    v₀/c − ln(1 + c v₀)/c² = −v₁/c − ln(1 − c v₁)/c²

Friction is Coulomb's, regularised: a tangential speed well below `slip` is nearly stuck.
"""

import math

from softdock.kernels.jit import njit


@njit(cache=True, nogil=True)
def push(k, n, c, b, rho, rate, h):
    """Normal force (N) over a step h, of which ρ and ρ̇ are the middle's; its slopes by ρ and by ρ̇. (Such that
    h/2 × the first + the second is the true slope; the first is of what is elastic.)

    The force b ρ̇ begins with a jump. Its mean over the step, b (ρ₊' − ρ₊)/h of the depths ρ₊ ≥ 0 at the step's ends,
    has none. h = 0: at an instant.
    """
    elastic, stiffness, after, before = 0.0, 0.0, rho + 0.5 * h * rate, rho - 0.5 * h * rate
    share = max(0.0, 1.0 + c * rate)
    if rho > 0.0:
        elastic, stiffness = k * rho**n, k * n * rho ** (n - 1.0)
    flow = rate if after > 0.0 and before > 0.0 else 0.0
    if (after > 0.0) != (before > 0.0):
        flow = (max(after, 0.0) - max(before, 0.0)) / h
    f = elastic * share + b * flow
    if f <= 0.0:
        return 0.0, 0.0, 0.0
    return f, stiffness * share, (elastic * c if share > 0.0 else 0.0) + (b if after > 0.0 else 0.0)


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
