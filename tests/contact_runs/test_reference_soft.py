"""The reference integrator with compliant contacts: beside SciPy and the law of docs/theory/contact.md written by hand,
and as what steps converge to. How hard a contact opens (eq. 4) does not vanish with the step."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from soft_worlds import pair

import softdock as sd
from softdock.spatial import matrix_of_quaternion, quaternion_product

STIFFNESS, N, DURATION = 1e5, 1.5, 0.07
ASKEW = {
    "a": {"position": (0, 0.03, 0), "velocity": (0.5, 0, 0), "quaternion": (np.cos(0.15), 0, 0, np.sin(0.15))},
    "b": {"position": (0.25, 0, 0.02), "velocity": (-0.5, 0, 0)},
}
MASS, INERTIA = np.array([1.0, 2.0]), np.array([1.0, 2.0]) * 0.2**2 / 6
LAW = pair(stiffness=STIFFNESS, exponent=N)
POTENTIAL = pair(stiffness=STIFFNESS / (N + 1), exponent=N + 1)  # what its force is, is the law's potential


class ByHand:
    """Rates of two cubes for solve_ivp, y = (q, v, energy held); `opened` is the potential where they began to part."""

    opened = np.inf

    def push(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray, float, float]:
        """The law's force on a (N), its point (m), the power that the contact takes up (W), its potential (J)."""
        found, held = (d.contacts(y[None, :14], y[None, 14:26]) for d in (LAW, POTENTIAL))
        if not found.force.size:
            return np.zeros(3), np.zeros(3), 0.0, 0.0
        F, x = found.force[0], found.point[0]
        v, omega, q = y[14:26].reshape(2, 2, 3)[:, 0], y[14:26].reshape(2, 2, 3)[:, 1], y[:14].reshape(2, 7)
        w = [matrix_of_quaternion(q[i, 3:]) @ omega[i] for i in (0, 1)]
        a, b = (v[i] + np.cross(w[i], x - q[i, :3]) for i in (0, 1))
        return F, x, float(F @ (b - a)), float(held.normal_force[0])

    def __call__(self, t: float, y: np.ndarray) -> np.ndarray:
        F, x, power, V = self.push(y)
        part, rates = 1.0, np.zeros(27)
        if power < 0.0 < V < self.opened:
            s = y[26] / V
            part = min(1.5, 1.0 + min(1.0, 2.0 * (1.0 - V / self.opened) / min(1.0, s)) * (s - 1.0))
        for i, f in enumerate((part * F, -part * F)):
            q, v = y[7 * i : 7 * i + 7], y[14 + 6 * i : 20 + 6 * i]
            rates[7 * i : 7 * i + 3] = v[:3]
            rates[7 * i + 3 : 7 * i + 7] = 0.5 * quaternion_product(q[3:], [0.0, *v[3:]])
            moment = matrix_of_quaternion(q[3:]).T @ np.cross(x - q[:3], f)
            rates[14 + 6 * i : 20 + 6 * i] = [*(f / MASS[i]), *(moment / INERTIA[i])]
        rates[26] = part * power
        return rates


def after_by_hand() -> np.ndarray:
    """Velocities after the hit."""
    rates = ByHand()

    def turns(t: float, y: np.ndarray) -> float:
        _, _, power, V = rates.push(y)
        return power if V > 0.0 else -1.0  # nothing turns before they touch

    turns.terminal, turns.direction = True, -1  # type: ignore[attr-defined]
    y = np.concatenate([np.ravel(x) for x in (*LAW.state(ASKEW), [0.0])])
    how = {"method": "DOP853", "rtol": 1e-8, "atol": 1e-10, "max_step": 5e-3}
    closing = solve_ivp(rates, (0.0, DURATION), y, events=turns, **how)
    rates.opened = rates.push(closing.y[:, -1])[3]
    return solve_ivp(rates, (closing.t[-1], DURATION), closing.y[:, -1], **how).y[14:26, -1]


def energy(v: np.ndarray) -> float:
    u = v.reshape(2, 2, 3)
    return float(0.5 * (MASS @ (u[:, 0] ** 2).sum(1) + INERTIA @ (u[:, 1] ** 2).sum(1)))


@pytest.fixture(scope="module")
def after() -> np.ndarray:
    return sd.ReferenceMotion(sd.Motion(LAW, *LAW.state(ASKEW), h=1e-3)).run(70).v[-1]


def test_it_opens_as_the_law_by_hand_does(after):
    """Its energy too, which neither knows: what an elastic contact took it gives back."""
    assert after == pytest.approx(after_by_hand(), abs=1e-6)  # 8.8e-4 off by the law without eq. 4
    assert energy(after) == pytest.approx(energy(LAW.state(ASKEW)[1].ravel()), rel=1e-11)


def test_steps_converge_to_it(after):
    errors = [
        np.abs(sd.Motion(LAW, *LAW.state(ASKEW), h=h).run(round(DURATION / h)).v[-1] - after).max()
        for h in (2e-4, 5e-5, 1.25e-5)
    ]
    assert errors[0] < 1e-4 and errors[1] < errors[0] / 8 and errors[2] < errors[1] / 8


def test_it_goes_on_from_a_motion_whose_contact_opens(after):
    """What contacts remember goes over, and from run to run."""
    motion = sd.Motion(LAW, *LAW.state(ASKEW), h=1.25e-5)
    motion.run(3840)
    assert motion.stored > 0.0 and motion.eased["part"] < 1.0
    other = sd.ReferenceMotion(motion)
    other.run(60)
    assert other.run(1700).v[-1] == pytest.approx(after, abs=1e-6)


def test_steps_converge_to_a_second_hit_with_order_one():
    """There the potential falls before the contact begins to open, and steps do not locate that instant: while it opens
    velocities are 1.7e-3 off at 50 µs, 4.5e-4 at 12.5 µs; by the end of the hit 5.1e-5 and 1.4e-5."""
    motion = sd.ReferenceMotion(sd.Motion(LAW, *LAW.state(ASKEW), h=1e-3))
    opening, end = motion.run(118).v[-1], motion.run(32).v[-1]
    errors = []
    for h in (5e-5, 1.25e-5):
        motion = sd.Motion(LAW, *LAW.state(ASKEW), h=h)
        apart = [motion.run(round(seconds / h)).v[-1] - v for seconds, v in ((0.118, opening), (0.032, end))]
        errors.append([np.abs(a).max() for a in apart])
    assert np.all(errors[0] < np.array([2.5e-3, 8e-5]))
    assert np.all(errors[1] < 0.4 * np.array(errors[0]))
