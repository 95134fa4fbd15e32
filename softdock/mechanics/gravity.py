"""Gravity as wrenches on links and as potential energy."""

import casadi as ca

from softdock.mechanics.numbers import LinkNumbers, Numbers
from softdock.mechanics.recursion import ZERO, Pair, Placed
from softdock.mechanics.tree import WORLD_LINK, Tree


class Tide:
    """Differential gravity about a reference point at r: what a mass at r + ρ feels more than one at r.

    With s = (|r + ρ|² − r²)/r² and u = √(1 + s) no large numbers are subtracted (docs/theory/orbit.md).
    Lengths do not depend on the axes, so 1/r² and μ/r³ are computed once for all links.
    """

    def __init__(self, mu: ca.SX, r: ca.SX) -> None:
        self.per_r2 = 1 / ca.dot(r, r)
        self.mu_per_r = mu * ca.sqrt(self.per_r2)
        self.mu_per_r3 = self.mu_per_r * self.per_r2

    def _s_u(self, r: ca.SX, rho: ca.SX) -> tuple[ca.SX, ca.SX]:
        s = (2 * ca.dot(r, rho) + ca.dot(rho, rho)) * self.per_r2
        return s, ca.sqrt(1 + s)

    def acceleration(self, r: ca.SX, rho: ca.SX) -> ca.SX:
        """−μ/r³ [ρ u⁻³ + r (u⁻³ − 1)], with u⁻³ − 1 = −s (u² + u + 1)/(u³ (1 + u)) (after Battin)."""
        s, u = self._s_u(r, rho)
        inverse = self.mu_per_r3 / (u * u * u * (1 + u))
        return inverse * (s * (u * u + u + 1) * r - (1 + u) * rho)

    def potential(self, r: ca.SX, rho: ca.SX) -> ca.SX:
        """Potential of `acceleration`: μ/r [ρ²/(2r²) − s² (u + 2)/(2u (1 + u)²)]."""
        s, u = self._s_u(r, rho)
        return self.mu_per_r * (ca.dot(rho, rho) * self.per_r2 / 2 - s * s * (u + 2) / (2 * u * (1 + u) ** 2))


class Extent:
    """Gravity on a body's extent, by its inertia I about its centre of mass at R from Earth's centre: the second-order
    part of the potential, V = −μ/(2R³) [tr I − 3 R·IR/R²] (MacCullagh). It depends on lengths and on angles between R
    and the body alone, so it leaves angular momentum about Earth as it is."""

    def __init__(self, mu: ca.SX, inertia: ca.SX, R: ca.SX) -> None:
        self.R, self.IR, self.trace = R, inertia @ R, ca.trace(inertia)
        self.per_R2 = 1 / ca.dot(R, R)
        self.along = ca.dot(R, self.IR) * self.per_R2
        self.mu_per_R3 = mu * self.per_R2 * ca.sqrt(self.per_R2)

    def wrench(self) -> Pair:
        """3μ/R⁵ R × IR, and −∇V = −3μ/(2R⁵) [(tr I − 5 R·IR/R²) R + 2 IR]."""
        k = 1.5 * self.mu_per_R3 * self.per_R2
        return 2 * k * ca.cross(self.R, self.IR), -k * ((self.trace - 5 * self.along) * self.R + 2 * self.IR)

    def potential(self) -> ca.SX:
        return -self.mu_per_R3 / 2 * (self.trace - 3 * self.along)


class Gravity:
    """What gravity does to the links of a placed tree; `r` is the reference orbit's radius vector."""

    def __init__(self, tree: Tree, numbers: Numbers, placed: list[Placed], r: ca.SX) -> None:
        self.kind, self.numbers, self.links = tree.world.gravity.kind, numbers, tree.links
        self.tide = Tide(numbers.mu, r)
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
                force = mass * self.tide.acceleration(far, rho + center)
                angular, linear = angular + ca.cross(center, force), linear + force
            for center, extent in self._extent(i):
                torque, force = extent.wrench()
                angular, linear = angular + torque + ca.cross(center, force), linear + force
        return angular, linear

    def on_mode(self, i: int) -> ca.SX:
        """Force on the modal coordinate of link i, which moves mass of its parent."""
        link, linear = self.links[i], self.numbers.links[i].screw[3:]
        if self.kind == "uniform":
            return ca.dot(linear, self.sight[i][1])
        if self.kind != "orbit":
            return ca.SX(0)
        _, center = self.numbers.links[link.parent].points[link.point]
        rho, far = self.sight[link.parent]  # a mode's link has its parent's axes
        return ca.dot(linear, self.tide.acceleration(far, rho + center))

    def _extent(self, i: int) -> list[tuple[ca.SX, Extent]]:
        """Of link i, if its bodies count as extended: its centre of mass in its axes, and their extent there."""
        n, (rho, far) = self.numbers.links[i], self.sight[i]
        if not (self.numbers.own_inertia and n.points):
            return []
        center = n.mc / n.m
        return [(center, Extent(self.numbers.mu, self.numbers.own_inertia[i], far + (rho + center)))]

    def potential(self, i: int) -> ca.SX:
        """Potential energy of link i (J)."""
        n = self.numbers.links[i]
        rho, far = self.sight[i]
        if self.kind == "uniform":
            return -ca.dot(far, n.m * rho + n.mc)
        if self.kind == "orbit":
            points = sum((m * self.tide.potential(far, rho + c) for m, c in n.points), ca.SX(0))
            return sum((extent.potential() for _, extent in self._extent(i)), points)
        return ca.SX(0)


def moment_about_origin(n: LinkNumbers, rho: ca.SX) -> ca.SX:
    """First mass moment of a link about the world's origin, in the link's axes (kg m)."""
    return n.m * rho + n.mc
