"""Motion about a reference orbit, circular or elliptic, is the two-body motion: near it and 100 km away."""

import kepler
import numpy as np
import pytest
from worlds import ISS_ORBIT, earth_frame, flying, forest, free_flyer, random_body, random_state

from softdock.dynamics import Dynamics, Motion, reference
from softdock.world import EARTH_MU, Orbit, World

ELLIPTIC = Orbit(
    semi_major_axis=8.2e6, eccentricity=0.18, inclination=0.9, raan=2.1, argument_of_periapsis=-0.7, true_anomaly=0.5
)
ORBITS = {"circular": ISS_ORBIT, "elliptic": ELLIPTIC}
PERIOD = 2 * np.pi * np.sqrt(ELLIPTIC.semi_major_axis**3 / EARTH_MU)
DISTANCES = [10.0, 1e3, 1e5]


@pytest.mark.parametrize("name", ORBITS)
def test_the_reference_point_moves_as_kepler_says(name: str) -> None:
    orbit = ORBITS[name]
    dynamics = lone_body(orbit)
    times = np.array([0.0, 10.0, 1234.5, 5000.0, 3 * PERIOD])
    r, v = dynamics.reference_orbit(times)
    for k, t in enumerate(times):
        at, rate = kepler.state_of(orbit, t)
        rounding = 4e-16 * (1 + 2 * np.pi * t / PERIOD)  # of the phase
        np.testing.assert_allclose(r[k], [float(x) for x in at], rtol=0, atol=rounding * 1e7)
        np.testing.assert_allclose(v[k], [float(x) for x in rate], rtol=0, atol=rounding * 1e4)


def test_a_nearly_parabolic_reference_keeps_its_digits() -> None:
    orbit = Orbit(semi_major_axis=3e7, eccentricity=0.77, true_anomaly=3.0)
    times = np.linspace(0.0, 1e5, 40)
    r, _ = lone_body(orbit).reference_orbit(times)
    exact = np.array([[float(x) for x in kepler.state_of(orbit, t)[0]] for t in times])
    np.testing.assert_allclose(r, exact, rtol=0, atol=3e-7)  # 1e-14 of the radius, times the phase's own rounding


def lone_body(orbit: Orbit, **changes) -> Dynamics:  # type: ignore[no-untyped-def]
    body = random_body("body", "world", "free", np.random.default_rng(0))
    body = body.altered(placement={}, center=(0.0, 0.0, 0.0), **changes)
    return Dynamics(World(name="lone", gravity=orbit, bodies=(body,)))


def start(orbit: Orbit, distance: float, spin: float = 0.01) -> tuple[np.ndarray, np.ndarray]:
    """A place at that distance, and a velocity that gives the orbit's own energy: the body stays about as near."""
    rho = distance * np.array([0.48, -0.6, 0.64])
    r, v = (np.array([float(x) for x in part]) for part in kepler.state_of(orbit, 0.0))
    speed = np.sqrt(v @ v + 2 * orbit.mu * (1 / np.linalg.norm(r + rho) - 1 / np.linalg.norm(r)))
    drift = (speed / np.linalg.norm(v) - 1) * v
    return np.array([*rho, 1, 0, 0, 0]), np.array([*drift, spin, -2 * spin, 3 * spin])


@pytest.mark.parametrize("distance", DISTANCES)
@pytest.mark.parametrize("name", ORBITS)
def test_a_body_far_from_the_reference_by_the_adaptive_integrator(name: str, distance: float) -> None:
    dynamics, (q, v) = lone_body(ORBITS[name]), start(ORBITS[name], distance)
    times = np.linspace(0.0, 6000.0, 7)
    qs, vs = reference(dynamics, q, v, times)
    rho, rate = kepler.relative_motion(ORBITS[name], q[:3], v[:3], times)
    assert np.abs(qs[:, :3] - rho).max() < 1e-11 * np.abs(rho).max()
    assert np.abs(vs[:, :3] - rate).max() < 1e-11 * np.abs(rate).max()


@pytest.mark.parametrize("distance", DISTANCES)
@pytest.mark.parametrize("name", ORBITS)
def test_a_body_far_from_the_reference_by_steps_of_order_6(name: str, distance: float) -> None:
    dynamics, (q, v) = lone_body(ORBITS[name]), start(ORBITS[name], distance)
    motion = Motion(dynamics, q, v, h=20.0, order=6)
    run = motion.run(300, every=50)
    rho, rate = kepler.relative_motion(ORBITS[name], q[:3], v[:3], run.t)
    assert np.abs(run.q[:, :3] - rho).max() < 1e-10 * np.abs(rho).max()
    assert np.abs(run.v[:, :3] - rate).max() < 1e-10 * np.abs(rate).max()


def test_orders_2_4_6_on_an_elliptic_orbit() -> None:
    dynamics, (q, v) = lone_body(ELLIPTIC, inertia=(4e5, 5e5, 6e5)), start(ELLIPTIC, 1e3, spin=0.0)
    exact, _ = kepler.relative_motion(ELLIPTIC, q[:3], v[:3], np.array([4800.0]))
    for order, sizes in ((2, (20.0, 10.0, 5.0)), (4, (96.0, 60.0, 30.0)), (6, (120.0, 96.0, 60.0))):
        errors = []
        for h in sizes:
            motion = Motion(dynamics, q, v, h=h, order=order)
            motion.run(round(4800 / h))
            errors.append(np.abs(motion.q[:3] - exact[0]).max())
        assert np.polyfit(np.log(sizes), np.log(errors), 1)[0] == pytest.approx(order, abs=0.2), errors


@pytest.mark.parametrize("h", [30.0, 60.0, 120.0])
def test_a_small_body_coasts_in_long_steps(h: float) -> None:
    """Its motion is smooth on the scale of the orbit; its small moments of inertia have no say in that."""
    dynamics, (q, v) = lone_body(ELLIPTIC), start(ELLIPTIC, 1e3, spin=0.0)
    motion = Motion(dynamics, q, v, h=h, order=6)
    motion.run(round(4800 / h))
    exact, _ = kepler.relative_motion(ELLIPTIC, q[:3], v[:3], np.array([4800.0]))
    assert np.abs(motion.q[:3] - exact[0]).max() < 1e-3
    np.testing.assert_allclose(motion.q[3:], q[3:], atol=1e-7)


def test_the_tide_of_a_multibody_is_gravity_less_the_references() -> None:
    """Body by body: gravity at its centre of mass less gravity at the reference point."""
    rng = np.random.default_rng(4)
    world = forest("free<- revolute<0 spherical<1 prismatic<2", rng, ELLIPTIC)
    dynamics = Dynamics(world)
    q, v = random_state(dynamics, rng)
    still = np.zeros(dynamics.nv)
    bare = Dynamics(world.altered(gravity={"kind": "none"}))
    r, _ = dynamics.reference_orbit(700.0)
    force = still.copy()
    for body in world.bodies:
        R, p = dynamics.pose(body.name, q)
        arm = R @ np.array(body.center)
        J = dynamics.jacobian(body.name, q)
        at = r[0] + p + arm
        pull = -EARTH_MU * body.mass * (at / np.linalg.norm(at) ** 3 - r[0] / np.linalg.norm(r) ** 3)
        force += J[3:].T @ pull + J[:3].T @ np.cross(arm, pull)
    tide = bare.inverse_dynamics(q, v, still) - dynamics.inverse_dynamics(q, v, still, 700.0)
    np.testing.assert_allclose(tide, force, rtol=0, atol=1e-8 * np.abs(force).max())  # `force` cancels 8 digits


def test_energy_and_angular_momentum_about_earth_are_kept_on_an_elliptic_orbit() -> None:
    dynamics = Dynamics(free_flyer(3, ELLIPTIC))
    motion = Motion(dynamics, *flying(dynamics), h=0.1)
    run = motion.run(60000, every=3000)
    energy, turning = earth_frame(dynamics, run.q, run.v, run.t)
    assert np.abs(energy / energy[0] - 1).max() < 1e-12
    assert np.abs(turning - turning[0]).max() < 1e-12 * np.linalg.norm(turning[0])
