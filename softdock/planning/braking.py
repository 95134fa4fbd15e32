"""Stopping a tumbling body in least time: moment of given size against its angular momentum.

With |moment| ≤ m the angular momentum h can fall no faster than at the rate m, and does so when the moment is −m h/|h|:
h keeps its direction and is gone after |h|/m (Aghili 2008). The centre of mass is stopped in the same time.
"""

from typing import NamedTuple

import numpy as np

from softdock.planning.intercept import Moving
from softdock.spatial import matrix_of_vector

STEP, TURN = 0.25, 0.04
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
    h = frame.R @ (inertia @ w)
    duration = max(float(np.linalg.norm(h)) / moment, mass * float(np.linalg.norm(speed)) / force, least)
    steps = int(np.ceil(duration / STEP))
    t = np.linspace(0.0, duration, steps + 1)
    rows = [R]
    fastest = float(np.linalg.norm(h) / np.linalg.eigvalsh(inertia)[0])
    for k in range(steps):
        parts = int(np.ceil(max((1 - t[k] / duration) * fastest * t[1] / TURN, 1.0)))
        for j in range(parts):
            left = (1 - (t[k] + (j + 0.5) / parts * t[1]) / duration) * h
            R = _turned(R, left, inertia, t[1] / parts)
        rows.append(R)
    turned = np.array(rows)
    moved = center + speed * (t - t**2 / (2 * duration))[:, None]
    return Stop(t, turned, moved + turned @ offset)


def _turned(R: np.ndarray, h: np.ndarray, inertia: np.ndarray, step: float) -> np.ndarray:
    """A body's attitude a step on, with angular momentum h in the middle of it: ω there by two fixed points."""
    w = np.linalg.solve(inertia, R.T @ h)
    for _ in range(2):
        w = np.linalg.solve(inertia, (R @ matrix_of_vector(w * step / 2)).T @ h)
    return np.asarray(R @ matrix_of_vector(w * step))
