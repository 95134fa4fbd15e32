"""Stopping a tumbling body in least time: moment of given size against its angular momentum.

With |moment| ≤ m the angular momentum h can fall no faster than at the rate m, and does so when the moment is −m h/|h|:
h keeps its direction and is gone after |h|/m (Aghili 2008). The centre of mass is stopped in the same time, D.

With h = (1 − t/D) h₀ the body goes through the attitudes of its free motion, slower and slower: those of the time
t − t²/(2D) there. So no error is made by the braking, and that of the free motion is of order 4.
"""

from typing import NamedTuple

import numpy as np

from softdock.planning.intercept import Moving
from softdock.spatial import cross, matrix_of_vector

STEP, TURN = 0.25, 0.16
"""Most seconds between two rows, and most radians in a step of the attitude's integration."""


class Stop(NamedTuple):
    """A frame on its way to rest."""

    t: np.ndarray
    """(k) from the beginning (s)."""
    R: np.ndarray
    """(k, 3, 3): rotation matrices (-)."""
    p: np.ndarray
    """(k, 3): positions (m)."""


def stopping(
    frame: Moving,
    inertia: np.ndarray,
    offset: np.ndarray,
    mass: float,
    *,
    moment: float,
    force: float,
    least: float = 0.5,
) -> Stop:
    """The way of a `frame` of a body that is braked by at most `moment` (N m) about its centre of mass and `force` (N).

    `inertia` (3, 3) is about the centre of mass, `offset` leads from it to the frame's origin, in the frame's axes.
    Takes at least `least` seconds. Axes of `frame` are taken as inertial.
    """
    for name, value in {"mass": mass, "moment": moment, "force": force, "least": least}.items():
        if not value > 0:
            raise ValueError(f"stopping: {name} must be positive, not {value}")
    R, w = frame.R, frame.R.T @ frame.w
    center, speed = frame.p - frame.R @ offset, frame.v - np.cross(frame.w, frame.R @ offset)
    h, inverse = frame.R @ (inertia @ w), np.linalg.inv(inertia)
    duration = max(float(np.linalg.norm(h)) / moment, mass * float(np.linalg.norm(speed)) / force, least)
    t = np.linspace(0.0, duration, int(np.ceil(duration / STEP)) + 1)
    gone = t - t**2 / (2 * duration)
    rows, fastest = [R], float(np.linalg.norm(h) / np.linalg.eigvalsh(inertia)[0])
    for step in np.diff(gone):
        parts = int(np.ceil(max(fastest * step / TURN, 1.0)))
        for _ in range(parts):
            R = _turned(R, h, inverse, step / parts)
        rows.append(R)
    turned = np.array(rows)
    return Stop(t, turned, center + speed * gone[:, None] + turned @ offset)


def _turned(R: np.ndarray, h: np.ndarray, inverse: np.ndarray, step: float) -> np.ndarray:
    """The attitude of a free body with angular momentum h a step on: Magnus' series to the fourth order, of Euler's
    equations' own derivatives (`inverse` is of the inertia, in the body's axes)."""
    m = h @ R
    w = inverse @ m
    m1 = cross(m, w)
    w1 = inverse @ m1
    m2 = cross(m1, w) + cross(m, w1)
    w2 = inverse @ m2
    w3 = inverse @ (cross(m2, w) + 2 * cross(m1, w1) + cross(m, w2))
    turn = w + step * (w1 / 2 + step * ((w2 + cross(w, w1) / 2) / 6 + step * (w3 + cross(w, w2)) / 24))
    return np.asarray(R @ matrix_of_vector(step * turn))
