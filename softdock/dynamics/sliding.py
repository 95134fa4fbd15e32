"""Friction of points that slide: against the mean of their slips before and after its impulse.

The impulse of a contact at rest comes between two steps. What slides and spins at once turns its slip; against the
later slip alone, friction would be of order 1. Where a slip changes by more than half of itself in a step, near rest,
the mean would let it swing to and fro: there friction is against the later one, so that what comes to rest sticks.
"""

from softdock.kernels.jit import njit
from softdock.kernels.linear import dot

SLIDES, TURNED = 1e4, 0.5
"""Slip, relative to the rounding of speeds, from which on a point counts as one that slides; and change of its slip in
a step, relative to itself, up to which it goes on sliding."""
AT_BOUND = 1.0 - 1e-6
"""Of the most friction: from there on a point slides."""
SHORT_SLIDES = 1e-3
"""Part of a whole step from which on this is so: below, the order does not matter."""


@njit(cache=True, nogil=True)
def go_on_sliding(points, rounding, known):
    """Find the points that slid with the velocities `points.earlier`, and their slips then, in `points.speed[0]`: those
    whose friction was at its bound in the last step, if that is `known`. (What sticks and turns has a J ξ, too.)"""
    for i in range(points.number):
        points.slides[i] = False
        if known and points.rubs[i] and i < points.number - points.dry and points.part >= SHORT_SLIDES:
            squared = 0.0
            for c in range(3 * i + 1, 3 * i + 3):
                points.speed[0, c] = dot(points.J[c], points.earlier)
                squared += points.speed[0, c] ** 2
            points.slides[i] = squared > (SLIDES * rounding) ** 2


@njit(cache=True, nogil=True)
def keep_rubbing(points):
    """Keep at which points friction is at its bound."""
    for i in range(points.number):
        bound, r = AT_BOUND * points.friction[i] * points.impulse[3 * i], points.impulse
        points.rubs[i] = bound > 0.0 and r[3 * i + 1] ** 2 + r[3 * i + 2] ** 2 >= bound * bound


@njit(cache=True, nogil=True)
def check_sliding(points):
    """False if a point changed its slip by more than half, from `points.speed[0]` to `[1]`; it slides no more."""
    kept = True
    for i in range(points.number):
        if points.slides[i]:
            change, size = 0.0, 0.0
            for c in range(3 * i + 1, 3 * i + 3):
                change += (points.speed[1, c] - points.speed[0, c]) ** 2
                size += points.speed[0, c] ** 2
            if change > TURNED * TURNED * size:
                points.slides[i] = kept = False
    return kept


@njit(cache=True, nogil=True)
def still_slides(points, xi):
    """Do all points slide on that did, in a step that was solved?"""
    for i in range(points.number):
        if points.slides[i]:
            for c in range(3 * i + 1, 3 * i + 3):
                points.speed[1, c] = dot(points.J[c], xi)
    return check_sliding(points)


@njit(cache=True, nogil=True)
def lean_back(points, sign):
    """Add the slips before to b of the points that slide, where they are now."""
    for i in range(points.number):
        if points.slides[i]:
            for c in range(3 * i + 1, 3 * i + 3):
                points.speed[0, c] = dot(points.J[c], points.earlier)
                points.b[c] += sign * points.speed[0, c]


@njit(cache=True, nogil=True)
def settled_slides(points):
    """Do all points slide on at the end of a step, with the impulses `points.r`? If not, b is as before."""
    found = False
    for i in range(points.number):
        if points.slides[i]:
            found = True
            for c in range(3 * i + 1, 3 * i + 3):
                u = points.b[c] - points.speed[0, c]
                for j in range(3 * points.number):
                    u += points.G[c, j] * points.r[j]
                points.speed[1, c] = u
    if not found:
        return True
    lean_back(points, -1.0)
    if check_sliding(points):
        return True
    lean_back(points, 1.0)
    return False
