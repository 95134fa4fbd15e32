"""How fast dampers and servos come to rest: by that the step chooses how to take them (docs/theory/step.md, eq. 12)."""

import math
from collections.abc import Callable, Sequence

import numpy as np

from softdock.dynamics.plant import SETTLING
from softdock.mechanics.tree import Tree

RESOLVED = 2.0
"""Largest h × rate at which the midpoint rule comes to rest without crossing zero."""


def settling_of(tree: Tree, felt: Callable[[], np.ndarray]) -> np.ndarray:
    """`SETTLING` of a tree's joints; the inertia that each feels is that with all other joints free, 1/(M⁻¹)ᵢᵢ, of
    which `felt` gives (M⁻¹)ᵢᵢ."""
    if not tree.damped:
        return np.zeros(0, SETTLING)
    inertia, rows = (1.0 / felt()).tolist(), []
    for n, k in tree.damped:
        link = tree.links[n]
        J, stiffness = inertia[link.v + k], link.kp + float(link.stiffness[k]) if link.kp else 0.0
        rows.append((link.v + k, link.kind != "S", *rates((link.kd + float(link.damping[k])) / J, stiffness / J)))
    return np.array(rows, SETTLING)


def sprung_of(tree: Tree, felt: Callable[[], np.ndarray]) -> float:
    """`Plant.sprung`: half of it × h² is how far a force that was computed before the last change of ξ is behind, to be
    added to what an iteration that knows the springs leaves."""
    if not tree.sprung:
        return 0.0
    inverse, most = felt().tolist(), -math.inf
    for link in (tree.links[n] for n in tree.sprung):
        along = link.stiffness.tolist()
        for k in range(link.dof):
            most = max(most, ((along[0] if link.kind == "S" else along[k]) + link.kp) * inverse[link.v + k])
    return most


def refuse_unresolved(settling: np.ndarray, h: float, fractions: Sequence[float], names: list[str]) -> None:
    """Compositions take steps backward, in which what settles grows: they are for dampers that their steps resolve."""
    longest = max(map(abs, fractions))
    for row in settling:
        if longest * h * row["fast"] > RESOLVED:
            raise ValueError(
                f"orders 4 and 6 step back in time, where the damper or servo of {names[row['v']]!r} would not settle: "
                f"take order=2, or a step of at most {RESOLVED / (longest * row['fast']):.2g} s"
            )


def rates(d: float, k: float) -> tuple[float, float]:
    """The two rates (1/s) of q̈ + d q̇ + k q = 0: −its roots if they are real; else √k, but at most d: what is hardly
    damped goes on to swing."""
    if d * d < 4 * k:
        return (min(d, math.sqrt(k)),) * 2
    fast = d / 2 + math.sqrt(d * d / 4 - k)
    return fast, k / fast
