"""When gaps are looked at, and what is seen (docs/theory/impacts.md)."""

import numpy as np

from softdock.contact.hit import GAP
from softdock.contact.shapes import BOUND, LINK
from softdock.dynamics.compliance import patch_of
from softdock.dynamics.gaps import evaluate_at
from softdock.dynamics.manifold import tipped_over
from softdock.dynamics.state import NEAR
from softdock.kernels.jit import njit
from softdock.kernels.linear import every_one
from softdock.mechanics.tree import WORLD_LINK

TIPPED = 1.0
"""Depth (m) that stands for a landing that was passed over."""
BAND = 1e-11
"""Depth (m or rad) to which a point that touches may go further into the other body."""


@njit(forceinline=True)
def smallest_of(phi, left_out):
    """The smallest gap of those not left out."""
    smallest = np.inf
    for k in range(phi.size):
        if not left_out[k]:
            smallest = min(smallest, phi[k])
    return smallest


@njit(forceinline=True)
def nearest_gap(plant, state):
    """The smallest hard gap that is not locked, at the present configuration; of the compliant ones the smallest is
    kept apart. Of a contact that rests it is the gap of the points at which it does not touch yet (`yet_to_touch`)."""
    evaluate_at(plant, state, state.q)
    soft, phi, locked, nearest = plant.contacts.soft, state.proximity.phi, state.proximity.locked, np.inf
    smallest = np.inf
    for k in range(soft.size):
        if soft[k] and not locked[k]:
            nearest = min(nearest, phi[k])
        if soft[k] or locked[k]:
            phi[k] = np.inf
        elif state.held.resting[k]:
            state.points.least[k] = phi[k]
            phi[k] = yet_to_touch(plant, state, k)
        smallest = min(smallest, phi[k])
    state.compliance.nearest = nearest
    return smallest


@njit(cache=True, nogil=True)
def yet_to_touch(plant, state, k):
    """The smallest gap of the points of a resting contact that do not touch; negative if one has gone too deep, which
    those that touch do not."""
    gap, deepest, smallest = state.proximity.phi[k], state.points.depth[k] - BAND, np.inf
    if tipped_over(plant, state, k):
        return -TIPPED
    if gap >= deepest or k >= plant.contacts.pairs.shape[0]:  # no point is deeper than the gap of the pair
        return gap if gap < deepest else np.inf
    points = state.compliance.points
    for i in range(patch_of(plant, state, k)):
        if points[i, GAP] < deepest or points[i, GAP] > state.points.margin[k]:
            smallest = min(smallest, points[i, GAP])
    return smallest


@njit(forceinline=True)
def part(state):
    """End the rest of contacts that have opened."""
    resting, least = state.held.resting, state.points.least
    for k in range(resting.size):
        if resting[k] and least[k] > NEAR:
            resting[k] = False
            state.proximity.phi[k] = least[k]


@njit(forceinline=True)
def look(plant, state, h):
    """The smallest gap that is not closed for good: that does not rest, nor is compliant while one touches.
    If all are locked there is nothing to look at, nor if all are compliant and one will go on to touch."""
    touch, contact = state.compliance, state.compliance.contact
    if every_one(state.proximity.locked):
        touch.nearest = np.inf
        return np.inf
    if touch.touching and every_one(plant.contacts.soft) and contact.depth > 0.0:
        depth = contact.depth + 0.5 * h * contact.rate  # the contact's is of the step's middle
        if depth > 0.0:
            touch.nearest = -depth
            return np.inf
    smallest = nearest_gap(plant, state)
    if not touch.touching:
        smallest = min(smallest, max(0.0, touch.nearest))
    return smallest


@njit(forceinline=True)
def remember_gaps(proximity, retry):
    """Keep the poses of links and the gaps of the last look."""
    for i in range(proximity.poses.vector.size):
        retry.poses.vector[i] = proximity.poses.vector[i]
    for k in range(proximity.phi.size):
        retry.phi[k] = proximity.phi[k]


@njit(cache=True, nogil=True)
def travel(shapes, poses, before):
    """The farthest that any shape's points have moved since the last look."""
    farthest = 0.0
    for s in range(shapes.sizes.shape[0]):
        k = shapes.table[s, LINK]
        if k != WORLD_LINK:
            moved, turned = 0.0, 0.0
            for i in range(3):
                for j in range(3):
                    turned += (poses.R[k, i, j] - before.R[k, i, j]) ** 2
            for i in range(3):
                moved += (poses.p[k, i] - before.p[k, i]) ** 2
            farthest = max(farthest, np.sqrt(moved) + shapes.sizes[s, BOUND] * np.sqrt(turned))
    return farthest


@njit(cache=True, nogil=True)
def stride(taken, way, smallest):
    """How many steps may pass until the gaps are looked at again, after `taken` steps in which shapes
    moved as far as `way`: not more than twice as many, nor than would use up a quarter of the
    smallest gap."""
    if way <= 0.0 or smallest == np.inf:
        return min(64, 2 * taken)
    return max(1, min(64, 2 * taken, int(0.25 * smallest * taken / way)))
