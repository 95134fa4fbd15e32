"""When gaps are looked at, and what is seen (docs/theory/impacts.md)."""

import numpy as np
from numba import njit

from softdock.contact.shapes import BOUND, LINK
from softdock.dynamics.compliance import DEEPEST, RATE
from softdock.dynamics.gaps import evaluate_at
from softdock.dynamics.linear import every_one
from softdock.mechanics.tree import WORLD_LINK


@njit(forceinline=True)
def smallest_of(phi, left_out):  # type: ignore[no-untyped-def]
    """The smallest gap of those not left out."""
    smallest = np.inf
    for k in range(phi.size):
        if not left_out[k]:
            smallest = min(smallest, phi[k])
    return smallest


@njit(forceinline=True)
def nearest_gap(plant, work):  # type: ignore[no-untyped-def]
    """The smallest hard gap that is not locked and does not rest, at the present configuration; of the compliant
    ones the smallest is kept apart."""
    evaluate_at(plant, work, work.q)
    nearest = np.inf
    for k in range(plant.gaps.soft.size):
        if plant.gaps.soft[k] and not work.locked[k]:
            nearest = min(nearest, work.phi[k])
        if plant.gaps.soft[k] or work.locked[k]:
            work.phi[k] = np.inf
    work.touch.nearest[0] = nearest
    return smallest_of(work.phi, work.resting)


@njit(forceinline=True)
def look(plant, work, h):  # type: ignore[no-untyped-def]
    """The smallest gap that is not closed for good: that does not rest, nor is compliant while one touches.
    If all are locked there is nothing to look at, nor if all are compliant and one will go on to touch."""
    if every_one(work.locked):
        work.touch.nearest[0] = np.inf
        return np.inf
    if work.touch.touching[0] and every_one(plant.gaps.soft) and work.touch.state[DEEPEST] > 0.0:
        depth = work.touch.state[DEEPEST] + 0.5 * h * work.touch.state[RATE]  # the contact's is of the step's middle
        if depth > 0.0:
            work.touch.nearest[0] = -depth
            return np.inf
    smallest = nearest_gap(plant, work)
    if not work.touch.touching[0]:
        smallest = min(smallest, max(0.0, work.touch.nearest[0]))
    return smallest


@njit(forceinline=True)
def remember_gaps(work, again):  # type: ignore[no-untyped-def]
    """Keep the poses of links and the gaps of the last look."""
    for i in range(work.poses.shape[0]):
        for j in range(12):
            again.before[i, j] = work.poses[i, j]
    for k in range(work.phi.size):
        again.phi[k] = work.phi[k]


@njit(cache=True, nogil=True)
def travel(shapes, poses, before):  # type: ignore[no-untyped-def]
    """The farthest that any shape's points have moved since the last look."""
    farthest = 0.0
    for s in range(shapes.sizes.shape[0]):
        k = shapes.table[s, LINK]
        if k != WORLD_LINK:
            moved, turned = 0.0, 0.0
            for i in range(9):
                turned += (poses[k, i] - before[k, i]) ** 2
            for i in range(9, 12):
                moved += (poses[k, i] - before[k, i]) ** 2
            farthest = max(farthest, np.sqrt(moved) + shapes.sizes[s, BOUND] * np.sqrt(turned))
    return farthest


@njit(cache=True, nogil=True)
def stride(taken, way, smallest):  # type: ignore[no-untyped-def]
    """How many steps may pass until the gaps are looked at again, after `taken` steps in which shapes
    moved as far as `way`: not more than twice as many, nor than would use up a quarter of the
    smallest gap."""
    if way <= 0.0 or smallest == np.inf:
        return min(64, 2 * taken)
    return max(1, min(64, 2 * taken, int(0.25 * smallest * taken / way)))
