"""Two-body motion in 40 digits, independent of softdock: elements to state, and a state carried to another time."""

import mpmath as mp
import numpy as np

mp.mp.dps = 40
Vector = list[mp.mpf]


def dot(a: Vector, b: Vector) -> mp.mpf:
    return mp.fsum(x * y for x, y in zip(a, b, strict=True))


def combine(s: mp.mpf, a: Vector, t: mp.mpf, b: Vector) -> Vector:
    return [s * x + t * y for x, y in zip(a, b, strict=True)]


def state_of(orbit, t: float) -> tuple[Vector, Vector]:
    """Position and velocity on a softdock `Orbit` at time t."""
    mu, a, e = mp.mpf(orbit.mu), mp.mpf(orbit.semi_major_axis), mp.mpf(orbit.eccentricity)
    p = a * (1 - e * e)
    nu = mp.mpf(orbit.true_anomaly)
    r = p / (1 + e * mp.cos(nu))
    flat = [r * mp.cos(nu), r * mp.sin(nu), mp.mpf(0)]
    speed = mp.sqrt(mu / p)
    rate = [-speed * mp.sin(nu), speed * (e + mp.cos(nu)), mp.mpf(0)]
    turned = [_turned(orbit, x) for x in (flat, rate)]
    return carried(mu, turned[0], turned[1], mp.mpf(t))


def _turned(orbit, x: Vector) -> Vector:
    def about_z(angle: float, u: Vector) -> Vector:
        c, s = mp.cos(mp.mpf(angle)), mp.sin(mp.mpf(angle))
        return [c * u[0] - s * u[1], s * u[0] + c * u[1], u[2]]

    x = about_z(orbit.argument_of_periapsis, x)
    c, s = mp.cos(mp.mpf(orbit.inclination)), mp.sin(mp.mpf(orbit.inclination))
    return about_z(orbit.raan, [x[0], c * x[1] - s * x[2], s * x[1] + c * x[2]])


def carried(mu: mp.mpf, r0: Vector, v0: Vector, t: mp.mpf) -> tuple[Vector, Vector]:
    """Lagrange's f and g with the change of eccentric anomaly (Battin 1999, sec. 4.3); ellipses only."""
    radius = mp.sqrt(dot(r0, r0))
    a = 1 / (2 / radius - dot(v0, v0) / mu)
    sigma, n = dot(r0, v0) / mp.sqrt(mu), mp.sqrt(mu / a**3)

    def kepler(x: mp.mpf) -> mp.mpf:
        return x - (1 - radius / a) * mp.sin(x) - sigma / mp.sqrt(a) * (mp.cos(x) - 1) - n * t

    x = mp.findroot(kepler, n * t) if t else mp.mpf(0)
    r = a + (radius - a) * mp.cos(x) + sigma * mp.sqrt(a) * mp.sin(x)
    f = 1 - a / radius * (1 - mp.cos(x))
    g = t + mp.sqrt(a**3 / mu) * (mp.sin(x) - x)
    df = -mp.sqrt(mu * a) / (r * radius) * mp.sin(x)
    dg = 1 - a / r * (1 - mp.cos(x))
    return combine(f, r0, g, v0), combine(df, r0, dg, v0)


def relative_motion(orbit, rho0: np.ndarray, drho0: np.ndarray, times: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Position and velocity, relative to the reference orbit, of a mass that starts at (rho0, drho0) from it."""
    mu = mp.mpf(orbit.mu)
    r, v = state_of(orbit, 0.0)
    r0 = [x + mp.mpf(float(y)) for x, y in zip(r, rho0, strict=True)]
    v0 = [x + mp.mpf(float(y)) for x, y in zip(v, drho0, strict=True)]
    rows = []
    for t in times:
        (a, da), (b, db) = carried(mu, r0, v0, mp.mpf(float(t))), state_of(orbit, float(t))
        rows.append([float(x - y) for x, y in zip([*a, *da], [*b, *db], strict=True)])
    return np.array(rows)[:, :3], np.array(rows)[:, 3:]
