"""Rotations as CasADi expressions. Quaternions are Hamilton, scalar first; vectors are columns."""

from dataclasses import dataclass
from math import factorial

import casadi as ca

_TERMS = 9
_COS = [(-1) ** k / factorial(2 * k) for k in range(_TERMS)]
_SINC = [(-1) ** k / factorial(2 * k + 1) for k in range(_TERMS)]
_SINC_DEFECT = [(-1) ** k / factorial(2 * k + 3) for k in range(_TERMS)]


def _series(x: ca.SX, coefficients: list[float]) -> ca.SX:
    total = ca.SX(coefficients[-1])
    for c in reversed(coefficients[:-1]):
        total = total * x + c
    return total


def matrix(q: ca.SX) -> ca.SX:
    """R(q) of a unit quaternion."""
    w, x, y, z = (q[i] for i in range(4))
    return ca.vertcat(
        ca.horzcat(1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
        ca.horzcat(2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
        ca.horzcat(2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
    )


def product(a: ca.SX, b: ca.SX) -> ca.SX:
    """Hamilton product a ⊗ b."""
    vector = a[0] * b[1:] + b[0] * a[1:] + ca.cross(a[1:], b[1:])
    return ca.vertcat(a[0] * b[0] - ca.dot(a[1:], b[1:]), vector)


def exp(phi: ca.SX) -> ca.SX:
    """Quaternion of the rotation vector phi, by a series exact to rounding for |phi| < 2."""
    y = ca.dot(phi, phi) / 4
    return ca.vertcat(_series(y, _COS), _series(y, _SINC) / 2 * phi)


def normalised(q: ca.SX) -> ca.SX:
    """A quaternion within rounding of unit length, brought back to it (one Newton step of 1/√)."""
    return q * (1.5 - 0.5 * ca.dot(q, q))


def turn(q: ca.SX, v: ca.SX) -> ca.SX:
    """q v q*: the vector v turned by q."""
    t = 2 * ca.cross(q[1:], v)
    return v + q[0] * t + ca.cross(q[1:], t)


def square_less_one(q: ca.SX) -> ca.SX:
    """q ⊗ q − 1 of a unit quaternion: of a small turn, without the rounding of 1."""
    return ca.vertcat(-2 * ca.dot(q[1:], q[1:]), 2 * q[0] * q[1:])


def turned_by(less_one: ca.SX, v: ca.SX) -> ca.SX:
    """q v q* − v, given q − 1."""
    t = 2 * ca.cross(less_one[1:], v)
    return t + less_one[0] * t + ca.cross(less_one[1:], t)


def conjugate(q: ca.SX) -> ca.SX:
    return ca.vertcat(q[0], -q[1:])


@dataclass(frozen=True)
class MidpointMaps:
    """The maps of a step with turn φ = hΩ, seen from the frame at its middle (docs/theory/step.md).

    With ε₀ and ε₁ the variations of the rotations at both ends, in the middle frame:
    δφ = G (ε₁ − ε₀) and δη_mid = ½(ε₀ + ε₁) − ½ t φ × (ε₁ − ε₀), where G is symmetric with
    eigenvalues 1 along φ and g = (x/2)/sin(x/2) across it, x = |φ|, and t = tan(x/4)/x.
    """

    half: ca.SX
    """Quaternion of φ/2, from either end to the middle."""
    phi: ca.SX
    g: ca.SX
    along: ca.SX
    t: ca.SX

    @staticmethod
    def of(phi: ca.SX) -> "MidpointMaps":
        y = ca.dot(phi, phi)
        half = exp(phi / 2)
        defect = _series(y / 4, _SINC_DEFECT) / 4
        sinc = 1 - y * defect
        cosine = 2 * half[0] * half[0] - 1
        return MidpointMaps(half, phi, 1 / sinc, -defect / sinc, sinc / (2 * (1 + cosine)))

    def G(self, l: ca.SX) -> ca.SX:
        """G l = g l + (1 − g) φ (φ·l)/x²."""
        return self.g * l + self.along * ca.dot(self.phi, l) * self.phi
