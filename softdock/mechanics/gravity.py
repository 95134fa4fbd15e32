"""Gravity as wrenches on links and as potential energy."""

import casadi as ca

from softdock.mechanics.numbers import LinkNumbers, Numbers
from softdock.mechanics.recursion import ZERO, Pair, Placed
from softdock.mechanics.tree import WORLD_LINK, Tree


def _tide(r: ca.SX, rho: ca.SX) -> tuple[ca.SX, ca.SX, ca.SX]:
    """r², s = (|r + ρ|² − r²)/r² and u = √(1 + s): no difference of large numbers."""
    rr = ca.dot(r, r)
    s = (2 * ca.dot(r, rho) + ca.dot(rho, rho)) / rr
    return rr, s, ca.sqrt(1 + s)


def tidal_acceleration(mu: ca.SX, r: ca.SX, rho: ca.SX) -> ca.SX:
    """Gravity at r + ρ less gravity at r, exact and free of cancellation (Battin's form).

    −μ/r³ [ρ (1+s)^(−3/2) + r ((1+s)^(−3/2) − 1)], the bracket −s(u² + u + 1)/(u³(1 + u)).
    """
    rr, s, u = _tide(r, rho)
    cube = u * u * u
    less = -s * (u * u + u + 1) / (cube * (1 + u))
    return -mu / (rr * ca.sqrt(rr)) * (rho / cube + less * r)


def tidal_potential(mu: ca.SX, r: ca.SX, rho: ca.SX) -> ca.SX:
    """Potential of `tidal_acceleration` for a unit mass (DESIGN section 3; docs/theory/orbit.md)."""
    rr, s, u = _tide(r, rho)
    return mu / ca.sqrt(rr) * (ca.dot(rho, rho) / (2 * rr) - s * s * (u + 2) / (2 * u * (1 + u) ** 2))


class Gravity:
    """What gravity does to the links of a placed tree; `r` is the reference orbit's radius vector."""

    def __init__(self, tree: Tree, numbers: Numbers, placed: list[Placed], r: ca.SX) -> None:
        self.kind, self.numbers = tree.world.gravity.kind, numbers
        self.sight: list[Pair] = []
        for link, at in zip(tree.links, placed, strict=True):
            rho, far = self.sight[link.parent] if link.parent != WORLD_LINK else (ZERO, self._far(r))
            self.sight.append((at.down(rho + at.p), at.down(far)))

    def _far(self, r: ca.SX) -> ca.SX:
        return {"none": ZERO, "uniform": self.numbers.g, "orbit": r}[self.kind]

    def wrench(self, i: int) -> Pair:
        """Force on link i and its moment about the link's origin, in the link's axes."""
        n = self.numbers.links[i]
        rho, far = self.sight[i]
        if self.kind == "uniform":
            return ca.cross(n.mc, far), n.m * far
        angular, linear = ZERO, ZERO
        if self.kind == "orbit":
            for mass, center in n.points:
                force = mass * tidal_acceleration(self.numbers.mu, far, rho + center)
                angular, linear = angular + ca.cross(center, force), linear + force
        return angular, linear

    def potential(self, i: int) -> ca.SX:
        """Potential energy of link i (J)."""
        n = self.numbers.links[i]
        rho, far = self.sight[i]
        if self.kind == "uniform":
            return -ca.dot(far, n.m * rho + n.mc)
        if self.kind == "orbit":
            return sum((m * tidal_potential(self.numbers.mu, far, rho + c) for m, c in n.points), ca.SX(0))
        return ca.SX(0)


def moment_about_origin(n: LinkNumbers, rho: ca.SX) -> ca.SX:
    """First mass moment of a link about the world's origin, in the link's axes (kg m)."""
    return n.m * rho + n.mc
