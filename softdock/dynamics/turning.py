"""Which rotations a step must follow: all but those of balanced rotors, whose angle has no effect."""

import numpy as np

from softdock.mechanics.tree import WORLD_LINK, Link, Tree
from softdock.world import Orbit

_UNBALANCED = 1e-9
"""Off-axis share of a rotor's moments above which its angle matters."""


def followed_turns(tree: Tree) -> np.ndarray:
    """Velocities of the revolute elementary joints whose angle matters: of what carries, holds, touches, or is not
    balanced about its axis."""
    idle = idle_turns(tree)
    followed = [
        link.v
        for k, link in enumerate(tree.links)
        if link.kind == "R" and not (k in idle and _is_balanced(link, _axis_turns(tree, link)))
    ]
    return np.array(followed, dtype=np.uint64)  # unsigned: loops need not ask whether an index counts from the end


def idle_turns(tree: Tree) -> list[int]:
    """Links of revolute joints that carry, hold and touch nothing."""
    busy = {link.parent for link in tree.links}
    busy |= {tree.places[end].link for latch in tree.world.latches for end in (latch.frame_a, latch.frame_b)}
    busy |= {tree.places[end].link for pair in tree.world.touching.pairs for end in (pair.body_a, pair.body_b)}
    return [k for k, link in enumerate(tree.links) if link.kind == "R" and k not in busy]


def _axis_turns(tree: Tree, link: Link) -> bool:
    """May the joint's axis change its direction, or does gravity see the body's extent?"""
    gravity = tree.world.gravity
    if isinstance(gravity, Orbit) and gravity.gradient:
        return True
    while link.parent != WORLD_LINK:
        link = tree.links[link.parent]
        if link.kind in "RS":
            return True
    return False


def _is_balanced(link: Link, axis_turns: bool) -> bool:
    """Is its centre of mass on the axis and, if the axis turns, are its inertias across it equal?"""
    off_axis = float(np.hypot(*link.first_moment[:2]))
    if off_axis > _UNBALANCED * np.sqrt(link.mass * link.inertia[2, 2]):
        return False
    (xx, xy, xz), (_, yy, yz), _ = link.inertia
    return not axis_turns or max(abs(xx - yy), abs(xy), abs(xz), abs(yz)) <= _UNBALANCED * np.trace(link.inertia)
