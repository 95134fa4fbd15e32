"""What compiled loops know of latches: rows, springs and strengths."""

import math

import numpy as np

from softdock.contact.shapes import LINK
from softdock.dynamics.plant import LATCH_ROW, STRENGTH, ContactTable
from softdock.mechanics.tree import WORLD_LINK, Tree
from softdock.world import World


def latch_table(tree: Tree) -> np.ndarray:
    """`plant.LATCH_ROW` of every row of c."""
    rows = []
    for k, (latch, kept) in enumerate(zip(tree.world.latches, tree.latch_rows(), strict=True)):
        bushing = latch.compliance
        straight = (bushing.stiffness, bushing.damping) if bushing else (0.0, 0.0)
        angular = (bushing.angular_stiffness or 0.0, bushing.angular_damping) if bushing else (0.0, 0.0)
        rows += [(k, row >= 3, *(angular if row >= 3 else straight)) for row in kept]
    return np.array(rows, dtype=LATCH_ROW)


def strengths(world: World) -> np.ndarray:
    """`plant.STRENGTH` of every latch; empty if none can break."""
    if not any(latch.strength for latch in world.latches):
        return np.empty(0, STRENGTH)
    bears = [
        (latch.strength.force, latch.strength.torque) if latch.strength else (None, None) for latch in world.latches
    ]
    return np.array([(force or math.inf, torque or math.inf) for force, torque in bears], dtype=STRENGTH)


def held_by(
    tree: Tree, rows: np.ndarray, contacts: ContactTable, engaged: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Of every row of c: is it of an engaged latch that holds, and is it of one that gives way? Of every pair of
    shapes: is it between bodies that engaged welds make one?"""
    on, yields = engaged[rows["latch"]], rows["stiffness"] > 0.0
    one = list(range(WORLD_LINK, len(tree.links)))
    for latch, holds in zip(tree.world.latches, engaged, strict=True):
        if holds and latch.kind == "weld" and latch.compliance is None:
            a, b = (one[tree.places[frame].link + 1] for frame in (latch.frame_a, latch.frame_b))
            one = [a if part == b else part for part in one]
    part, pairs = np.array(one)[contacts.shapes.table[:, LINK] + 1], contacts.pairs
    return on & ~yields, on & yields, part[pairs[:, 0]] == part[pairs[:, 1]]
