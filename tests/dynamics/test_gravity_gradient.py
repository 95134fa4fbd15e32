"""Gravity on a body's extent: libration as the textbooks have it, torques as those of many points, nothing made.

Hughes, Spacecraft Attitude Dynamics (1986), sec. 9.2; Wertz, Spacecraft Attitude Determination and Control (1978),
sec. 18.3. The circular orbit starts on the x axis and moves along y: the body's axes x, y, z are yaw, roll, pitch.
"""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from worlds import earth_frame

import softdock as sd

ORBIT = sd.Orbit(semi_major_axis=6.778e6, gradient=True)
N = np.sqrt(ORBIT.mu / ORBIT.semi_major_axis**3)
"""Mean motion (rad/s)."""
PERIOD = 2 * np.pi / N
YAW, ROLL, PITCH = MOMENTS = (40.0, 90.0, 100.0)


def tensor(x: float, y: float, z: float) -> tuple[tuple[float, float, float], ...]:
    return (x, 0.0, 0.0), (0.0, y, 0.0), (0.0, 0.0, z)


def body(**changes: object) -> sd.Dynamics:
    whole = {"name": "craft", "mass": 100.0, "inertia": tensor(*MOMENTS)} | changes
    return sd.Dynamics(sd.World(name="libration", gravity=ORBIT, bodies=(sd.Body(**whole),)))


def small_turn(x: float, y: float, z: float) -> np.ndarray:
    """Coordinates of the body at the reference point, turned by a small rotation vector."""
    quaternion = np.array([1.0, x / 2, y / 2, z / 2])
    return np.concatenate([np.zeros(3), quaternion / np.linalg.norm(quaternion)])


def orbiting(q: np.ndarray) -> np.ndarray:
    """Velocities of a body that turns with the orbit."""
    w, x, y, z = q[3:7]
    normal_in_body = np.array([2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z])
    return np.concatenate([np.zeros(3), N * normal_in_body])


def angles(run: sd.Trajectory) -> np.ndarray:
    """Small rotation vector of the body in the orbit's frame, which has turned by N t about z."""
    half = N * run.t / 2
    c, s = np.cos(half), np.sin(half)
    w, x, y, z = run.q[:, 3:7].T
    turned = np.stack([c * w + s * z, c * x + s * y, c * y - s * x, c * z - s * w])
    return 2 * (turned[1:] * np.sign(turned[0])).T


def frequencies(signal: np.ndarray, dt: float, count: int) -> np.ndarray:
    """Of a sum of `count` sinusoids (rad/s), by its symmetric linear recursion."""
    n = len(signal)
    columns = [signal[count : n - count]]
    columns += [signal[count - k : n - count - k] + signal[count + k : n - count + k] for k in range(1, count)]
    right = -(signal[: n - 2 * count] + signal[2 * count :])
    a = np.linalg.lstsq(np.stack(columns, axis=1), right, rcond=None)[0]
    powers = np.zeros(2 * count + 1)
    powers[0] = powers[-1] = 1.0
    powers[count] = a[0]
    for k in range(1, count):
        powers[count - k] = powers[count + k] = a[k]
    return np.unique(np.round(np.abs(np.angle(np.roots(powers))) / dt, 12))


def test_pitch_libration_has_the_textbooks_frequency() -> None:
    dynamics, q = body(), small_turn(0, 0, 1e-3)
    run = sd.Motion(dynamics, q, orbiting(q), h=20.0, order=4).run(2000)
    found = frequencies(angles(run)[::10, 2], 200.0, 1)
    assert found[0] == pytest.approx(N * np.sqrt(3 * (ROLL - YAW) / PITCH), rel=2e-6)


def test_roll_and_yaw_librate_together_as_hughes_says() -> None:
    """λ⁴ + (1 + 3 k₁ + k₁ k₃) λ² + 4 k₁ k₃ = 0 in units of N, k₁ = (I₂ − I₃)/I₁, k₃ = (I₂ − I₁)/I₃; 1 is roll, 2 pitch,
    3 yaw."""
    k1, k3 = (PITCH - YAW) / ROLL, (PITCH - ROLL) / YAW
    expected = N * np.sqrt(-np.sort(np.roots([1.0, 1 + 3 * k1 + k1 * k3, 4 * k1 * k3]))[::-1])
    dynamics, q = body(), small_turn(2e-4, 3e-4, 0)
    run = sd.Motion(dynamics, q, orbiting(q), h=20.0, order=4).run(4000)
    found = frequencies(angles(run)[::25, 1], 500.0, 2)
    assert found == pytest.approx(expected, rel=1e-5)


def test_without_gradient_nothing_librates() -> None:
    dynamics = sd.Dynamics(body().world.altered(gravity=sd.Orbit(semi_major_axis=6.778e6)))
    q = small_turn(0, 0, 1e-3)
    run = sd.Motion(dynamics, q, orbiting(q), h=20.0, order=4).run(500)
    assert angles(run)[:, 2] == pytest.approx(1e-3, abs=1e-9)


def test_a_tumble_follows_eulers_equations() -> None:
    """With the torque 3μ/R³ n × I n, integrated by another program."""
    inertia = np.diag(MOMENTS)
    start = np.array([0.5, 0.1, -0.7, 0.3])
    q = np.concatenate([np.zeros(3), start / np.linalg.norm(start)])
    v = np.array([0, 0, 0, 2e-3, -1e-3, 3e-3])

    def rate(t: float, y: np.ndarray) -> np.ndarray:
        w, p = y[0], y[1:4]
        R = np.eye(3) + 2 * w * skew(p) + 2 * skew(p) @ skew(p)
        n = R.T @ np.array([np.cos(N * t), np.sin(N * t), 0.0])
        torque = 3 * N**2 * np.cross(n, inertia @ n)
        turning = np.linalg.solve(inertia, torque - np.cross(y[4:], inertia @ y[4:]))
        return np.concatenate([[-p @ y[4:] / 2], (w * y[4:] + np.cross(p, y[4:])) / 2, turning])

    exact = solve_ivp(rate, (0, PERIOD), [*q[3:], *v[3:]], method="DOP853", rtol=1e-12, atol=1e-14).y[:, -1]
    motion = sd.Motion(body(), q, v, h=PERIOD / 2000, order=6)
    motion.run(2000)
    assert motion.q[3:] * np.sign(motion.q[3] * exact[0]) == pytest.approx(exact[:4], abs=1e-8)
    assert motion.v[3:] == pytest.approx(exact[4:], abs=1e-11)


def skew(p: np.ndarray) -> np.ndarray:
    return np.array([[0, -p[2], p[1]], [p[2], 0, -p[0]], [-p[1], p[0], 0]])


def accelerations(dynamics: sd.Dynamics, q: np.ndarray) -> np.ndarray:
    return dynamics.forward_dynamics(q, np.zeros(dynamics.nv))


def test_an_extended_body_is_turned_as_its_points_are() -> None:
    """Six point masses, fixed to each other, against one body with their inertia: the same to size/radius."""
    arms = np.array([[1.5, 0, 0], [0, 2.5, 0], [0, 0, 3.5]])
    mass = 10.0
    points = [
        sd.Body(
            name=f"p{k}", joint=sd.Fixed() if k else sd.Free(), parent="p0" if k else "world", mass=mass,
            placement=sd.Pose(position=tuple(at - arms[0])) if k else sd.Pose(),
        )
        for k, at in enumerate([*arms, *(-arms)])
    ]  # fmt: skip
    moments = 2 * mass * (np.sum(arms**2) - np.sum(arms**2, axis=1))
    one = body(mass=6 * mass, inertia=tensor(*moments), center=tuple(-arms[0]))
    many = sd.Dynamics(sd.World(name="points", gravity=sd.Orbit(semi_major_axis=6.778e6), bodies=tuple(points)))
    turn = np.array([0.4, -0.3, 0.5, 0.7])
    q = np.array([30.0, -20.0, 10.0, *(turn / np.linalg.norm(turn))])
    expected = accelerations(many, q)
    assert np.abs(expected[3:]).max() > 1e-7
    assert accelerations(one, q)[3:] == pytest.approx(expected[3:], abs=1e-5 * np.abs(expected[3:]).max())


def test_force_and_torque_are_those_of_the_potential_and_turn_nothing_about_earth() -> None:
    dynamics, plain = body(), sd.Dynamics(body().world.altered(gravity=sd.Orbit(semi_major_axis=6.778e6)))
    turn = np.array([0.4, -0.3, 0.5, 0.7])
    q = np.array([0.0, 0.0, 0.0, *(turn / np.linalg.norm(turn))])  # where points feel nothing: no digits are lost
    still = np.zeros(6)
    # forces in world axes, moments in the body's
    extent = plain.inverse_dynamics(q, still, still) - dynamics.inverse_dynamics(q, still, still)
    R_WB, place = dynamics.pose("craft", q)
    R = dynamics.reference_orbit(0.0)[0][0] + place
    moment = np.cross(R, extent[:3]) + R_WB @ extent[3:]
    assert np.abs(moment).max() < 1e-14 * np.abs(extent[3:]).max()

    def potential(at: np.ndarray) -> float:
        return float(dynamics.balance(at, still).gravity - plain.balance(at, still).gravity)

    for k in range(3):
        turned = []
        for sign in (1, -1):
            half = np.zeros(3)
            half[k] = sign * 5e-4
            w, p = q[3], q[4:]
            turned.append(np.concatenate([q[:3], [w - p @ half], p + w * half + np.cross(p, half)]))
        slope = (potential(turned[0]) - potential(turned[1])) / 2e-3
        assert -slope == pytest.approx(extent[3 + k], abs=1e-5 * np.abs(extent[3:]).max())


def test_libration_keeps_its_amplitude_and_the_orbit_its_momentum() -> None:
    """A craft with a sprung boom, 50 orbits: no trend, and angular momentum about Earth to rounding."""
    boom = sd.Body(
        name="boom", parent="craft", joint=sd.Revolute(axis=(0, 0, 1), spring=sd.Spring(stiffness=(2e-3,))), mass=20.0,
        placement=sd.Pose(position=(1.0, 0, 0)), center=(2.0, 0, 0), inertia=tensor(0.1, 30.0, 30.0),
    )  # fmt: skip
    dynamics = sd.Dynamics(body().world.altered(bodies=(*body().world.bodies, boom)))
    q = np.append(small_turn(0.01, 0.02, 0.1), 0.05)
    v = np.append(orbiting(q), 0.0)
    run = sd.Motion(dynamics, q, v, h=20.0, order=6).run(round(50 * PERIOD / 20.0))
    swing = np.abs(angles(run)).max(axis=1)
    tenth = len(swing) // 10
    assert swing[-tenth:].max() == pytest.approx(swing[:tenth].max(), rel=0.01)
    energy, turning = earth_frame(dynamics, run.q, run.v, run.t)
    assert np.abs(energy - energy[0]).max() < 1e-14 * np.abs(energy[0])
    assert np.abs(turning - turning[0]).max() < 1e-14 * np.abs(turning[0]).max()


def test_the_key_is_in_files(tmp_path) -> None:  # type: ignore[no-untyped-def]
    text = "[gravity]\nkind = 'orbit'\nsemi_major_axis = 7e6\ngradient = {}\n[[bodies]]\nname = 'a'\nmass = 1.0\n"
    (tmp_path / "world.toml").write_text(text.format("true"))
    assert sd.load_world(tmp_path / "world.toml").gravity.gradient is True
    (tmp_path / "world.toml").write_text(text.format("'much'"))
    with pytest.raises(sd.WorldFileError, match=r"gravity\.\S*gradient"):
        sd.load_world(tmp_path / "world.toml")
