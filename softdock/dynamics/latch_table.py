"""What compiled loops know of latches: rows, springs and strengths."""

import math

import numpy as np

from softdock.dynamics.plant import LATCH_ROW, STRENGTH
from softdock.mechanics.tree import Tree
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
