"""The reference Kepler orbit that a world's coordinates follow."""

import numpy as np

from softdock.kernels.jit import njit
from softdock.world import Orbit

ELEMENTS = np.dtype(
    [("a", "f8"), ("e", "f8"), ("rate", "f8"), ("mean", "f8"), ("ratio", "f8"), ("P", "f8", 3), ("Q", "f8", 3)]
)
"""Semi-major axis, eccentricity, mean motion, mean anomaly at t = 0, √(1 − e²), and the perifocal axes."""


def elements(orbit: Orbit) -> np.ndarray:
    """What `position` and `velocity` need, computed once: one of `ELEMENTS`."""
    a, e = orbit.semi_major_axis, orbit.eccentricity
    b = np.sqrt(1 - e * e)
    nu = orbit.true_anomaly
    eccentric = np.arctan2(b * np.sin(nu), e + np.cos(nu))
    mean = eccentric - e * np.sin(eccentric)
    co, so = np.cos(orbit.raan), np.sin(orbit.raan)
    cw, sw = np.cos(orbit.argument_of_periapsis), np.sin(orbit.argument_of_periapsis)
    ci, si = np.cos(orbit.inclination), np.sin(orbit.inclination)
    P = [co * cw - so * sw * ci, so * cw + co * sw * ci, sw * si]
    Q = [-co * sw - so * cw * ci, -so * sw + co * cw * ci, cw * si]
    return np.array([(a, e, np.sqrt(orbit.mu / a**3), mean, b, P, Q)], dtype=ELEMENTS)


@njit(cache=True, nogil=True)
def eccentric_anomaly(mean, e):
    """Solve Kepler's equation E − e sin E = M by Newton's method (start of Danby)."""
    if e == 0.0:
        return mean
    turns = np.floor(mean / (2 * np.pi)) * 2 * np.pi
    m = mean - turns
    E = m + 0.85 * e * (1.0 if np.sin(m) > 0 else -1.0)
    for _ in range(50):
        d = (E - e * np.sin(E) - m) / (1 - e * np.cos(E))
        E -= d
        if abs(d) < 1e-15:
            break
    return E + turns


@njit(cache=True, nogil=True)
def position(orbit, t, r):
    """Radius vector of the reference point at time t, written to r (m)."""
    of = orbit[0]
    E = eccentric_anomaly(of.mean + of.rate * t, of.e)
    x, y = of.a * (np.cos(E) - of.e), of.a * of.ratio * np.sin(E)
    for k in range(3):
        r[k] = x * of.P[k] + y * of.Q[k]


@njit(cache=True, nogil=True)
def velocity(orbit, t, v):
    """Velocity of the reference point at time t, written to v (m/s)."""
    of = orbit[0]
    E = eccentric_anomaly(of.mean + of.rate * t, of.e)
    rate = of.rate * of.a / (1 - of.e * np.cos(E))
    x, y = -rate * np.sin(E), rate * of.ratio * np.cos(E)
    for k in range(3):
        v[k] = x * of.P[k] + y * of.Q[k]
