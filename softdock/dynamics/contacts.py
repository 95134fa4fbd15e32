"""Where compliant gaps are closed at given states, and how they push: the law of the step (docs/theory/contact.md)."""

from typing import NamedTuple

import numpy as np
from numba import njit

from softdock.contact.laws import drag, push
from softdock.dynamics.compliance import along, fill_row, patch_of
from softdock.dynamics.gaps import DAMPING, EXPONENT, FRICTION, SLIP, STIFFNESS, evaluate_at
from softdock.kernels import loop

ROW, GAP, DEPTH, NORMAL_FORCE, POINT, NORMAL, FORCE, WIDTH = 0, 1, 2, 3, 4, 7, 10, 13
"""Columns of what `contact_batch` finds, and their number."""


class Contacts(NamedTuple):
    """Closed compliant gaps, one after the other; vectors (n, 3) are in the world frame."""

    row: np.ndarray
    """Of the states asked about."""
    gap: np.ndarray
    """Index in `Dynamics.gaps`."""
    depth: np.ndarray
    """Of the deepest point (m)."""
    normal_force: np.ndarray
    """Sum over the patch (N)."""
    point: np.ndarray
    """Where that sum acts (m)."""
    normal: np.ndarray
    """Unit vector from body b to body a."""
    force: np.ndarray
    """On body a (N), friction included."""

    @classmethod
    def of(cls, found: np.ndarray) -> "Contacts":
        """From rows that `contact_batch` found."""
        row, gap = found[:, [ROW, GAP]].astype(np.int64).T
        point, normal, force = (found[:, k : k + 3] for k in (POINT, NORMAL, FORCE))
        return cls(row, gap, found[:, DEPTH], found[:, NORMAL_FORCE], point, normal, force)


@loop
def contact_batch(plant, work, q, v, found):  # type: ignore[no-untyped-def]
    """What compliant gaps do at each row of q and v into `found` (WIDTH columns); how many of them push."""
    gaps, count = plant.gaps, 0
    for b in range(q.shape[0]):
        evaluate_at(plant, work, q[b])
        for i in range(work.xi.size):
            work.xi[i] = v[b, i]
        for k in range(gaps.pairs.shape[0]):
            if gaps.soft[k] and work.phi[k] < 0.0:
                press(plant, work, k, found[count])
                if found[count, NORMAL_FORCE] > 0.0:
                    found[count, ROW], found[count, GAP] = b, k
                    count += 1
    return count


@njit(cache=True, nogil=True)
def press(plant, work, k, out):  # type: ignore[no-untyped-def]
    """Gap k where `evaluate` left the world, at the velocity ξ: one row of `found`."""
    touch, n, numbers = work.touch, work.touch.normal, plant.gaps.numbers[k]
    for i in range(WIDTH):
        out[i] = 0.0
    for point in range(patch_of(plant, work, k)):
        rho, x = -touch.points[point, 3], touch.points[point]
        if rho <= 0.0:
            continue
        w0, w1, w2 = speed(plant, work, k, x, 0), speed(plant, work, k, x, 1), speed(plant, work, k, x, 2)
        parting = n[0] * w0 + n[1] * w1 + n[2] * w2
        w0, w1, w2 = w0 - parting * n[0], w1 - parting * n[1], w2 - parting * n[2]
        f, _, _ = push(numbers[STIFFNESS] * touch.shares[point], numbers[EXPONENT], numbers[DAMPING], rho, -parting)
        rub = drag(numbers[FRICTION], numbers[SLIP], f, w0 * w0 + w1 * w1 + w2 * w2)
        out[DEPTH] = max(out[DEPTH], rho)
        out[NORMAL_FORCE] += f
        out[FORCE] += f * n[0] - rub * w0
        out[FORCE + 1] += f * n[1] - rub * w1
        out[FORCE + 2] += f * n[2] - rub * w2
        for i in range(3):
            out[POINT + i] += f * x[i]
    for i in range(3):
        out[NORMAL + i] = n[i]
        if out[NORMAL_FORCE] > 0.0:
            out[POINT + i] /= out[NORMAL_FORCE]


@njit(cache=True, nogil=True)
def speed(plant, work, k, x, axis):  # type: ignore[no-untyped-def]
    """Of gap k's body A against its body B at the point x, along an axis of the world (m/s)."""
    for i in range(3):
        work.touch.tangent[i] = 1.0 if i == axis else 0.0
    fill_row(plant, work, k, x, work.touch.tangent, work.touch.force)
    return along(work.touch.force, work.xi)
