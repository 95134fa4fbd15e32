"""Bounds on moving shapes, compiled: how fast the links of chains move, and how far balls about shapes are apart."""

import math

import numpy as np

from softdock.contact.vectors import dot
from softdock.kernels.jit import njit


@njit(cache=True, nogil=True)
def chain_bounds(chain, turns, lengths, reach, rate, acceleration, slide):
    """Eq. (1) of `courses`, for points within `reach` (m) of the origin of the first link of a chain to the root."""
    speeds, bends = np.zeros(len(rate)), np.zeros(len(rate))
    for k in range(len(rate)):
        lever = reach
        for i in range(len(chain)):
            link, before = chain[i], 0.0
            for j in range(i + 1, len(chain)):
                if turns[chain[j]]:
                    before += rate[k, chain[j]]
            own, square = (lever, rate[k, link]) if turns[link] else (1.0, 0.0)
            speeds[k] += rate[k, link] * own
            bends[k] += (acceleration[k, link] + rate[k, link] * (2 * before + square)) * own
            lever += lengths[link] + slide[k, link]
    return speeds, bends


@njit(cache=True, nogil=True)
def sizes_of(rows, places):
    """(k, links): lengths of parts of rows (k, n), each from one place to before another."""
    out = np.zeros((len(rows), len(places)))
    for k in range(len(rows)):
        for i in range(len(places)):
            square = 0.0
            for j in range(places[i, 0], places[i, 1]):
                square += rows[k, j] * rows[k, j]
            out[k, i] = math.sqrt(square)
    return out


@njit(cache=True, nogil=True)
def apart(middles, balls, speeds, bends, spans, pairs):
    """Of each of `pairs` (n, 2) of shapes: the least gap (m) of the balls about their middles (s, k, 3) at k times, the
    least between these times by eq. (1) of `clearance`, and whether `speeds` or `bends` (s, k − 1) are bounded."""
    nearest, lowest = np.full(len(pairs), np.inf), np.full(len(pairs), np.inf)
    bounded = np.ones(len(pairs), np.bool_)
    for n in range(len(pairs)):
        a, b, before = pairs[n, 0], pairs[n, 1], 0.0
        for k in range(middles.shape[1]):
            off = (
                middles[a, k, 0] - middles[b, k, 0],
                middles[a, k, 1] - middles[b, k, 1],
                middles[a, k, 2] - middles[b, k, 2],
            )
            gap = math.sqrt(dot(off, off)) - balls[a] - balls[b]
            nearest[n] = min(nearest[n], gap)
            if k > 0:
                speed, bend = speeds[a, k - 1] + speeds[b, k - 1], bends[a, k - 1] + bends[b, k - 1]
                bounded[n] = bounded[n] and speed >= 0.0 and bend >= 0.0 and min(speed, bend) < np.inf
                lowest[n] = min(lowest[n], (before + gap - speed * spans[k - 1]) / 2)
            before = gap
    return nearest, lowest, bounded


@njit(cache=True, nogil=True)
def near(X, middles, apart, pairs):
    """Which of `pairs` (n, 2) of placements X (m, 4, 4) have the middles (n, 2, 3) of their balls not farther `apart`
    (n) than that."""
    found, count = np.empty(len(pairs), np.int64), 0
    for n in range(len(pairs)):
        square = 0.0
        for i in range(3):
            off = 0.0
            for side in range(2):
                T, sign = X[pairs[n, side]], 1.0 - 2.0 * side
                for j in range(3):
                    off += sign * T[i, j] * middles[n, side, j]
                off += sign * T[i, 3]
            square += off * off
        if square <= apart[n] ** 2:
            found[count] = n
            count += 1
    return found[:count]
