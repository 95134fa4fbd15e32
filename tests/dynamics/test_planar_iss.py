"""The planar ISS problem: a station with a three-joint arm and a payload on a circular orbit.

Golden numbers: joint angles at 40 s for this problem, of 2026-11-15, by SciPy's DOP853 at rtol
1e-13 from a Lagrangian written in Earth-centred coordinates, none of it softdock's. They are here
because total energy and momentum hide an arm's error: the orbit dominates both.
"""

import numpy as np
import pytest
from worlds import ISS_TARGET, earth_frame, iss_state, order_of, planar_iss

from softdock.dynamics import Dynamics, Motion, reference

GOLDEN = {
    "free40": np.array([5.917134872284193, -0.13585542896409522, 0.8405736972586199]),
    "pd40": np.array([2.8998675883468947, 0.33390251873288757, 0.444368821116289]),
}
GAINS = {"free40": (0.0, 0.0), "pd40": (10.0, 2.0)}
RATE = {"free40": 0.05, "pd40": 0.0}


@pytest.fixture(scope="module", params=GOLDEN)
def case(request: pytest.FixtureRequest) -> tuple[str, Dynamics, np.ndarray]:
    dynamics = Dynamics(planar_iss(*GAINS[request.param]))
    command = dynamics.command(position=ISS_TARGET) if request.param == "pd40" else np.zeros(dynamics.nv)
    return request.param, dynamics, command


def joint_error(case: tuple[str, Dynamics, np.ndarray], h: float, order: int) -> float:
    name, dynamics, command = case
    motion = Motion(dynamics, *iss_state(RATE[name]), h=h, order=order)
    motion.run(round(40 / h), command, every=round(40 / h))
    return float(np.abs(motion.q[3:] - GOLDEN[name]).max())


def test_order_2_at_a_hundredth_of_a_second(case: tuple[str, Dynamics, np.ndarray]) -> None:
    assert joint_error(case, 0.01, 2) <= {"free40": 2e-5, "pd40": 5e-6}[case[0]]


def test_order_6_reaches_ten_digits(case: tuple[str, Dynamics, np.ndarray]) -> None:
    assert joint_error(case, 0.05, 6) <= 1e-10


def test_the_adaptive_integrator_reaches_ten_digits(case: tuple[str, Dynamics, np.ndarray]) -> None:
    name, dynamics, command = case
    q, _ = reference(dynamics, *iss_state(RATE[name]), [0.0, 40.0], command)
    np.testing.assert_allclose(q[-1, 3:], GOLDEN[name], rtol=0, atol=1e-10)


@pytest.mark.parametrize("order", [2, 4, 6])
def test_declared_orders(case: tuple[str, Dynamics, np.ndarray], order: int) -> None:
    """Step sizes where the error is above the golden numbers' own and below a milliradian."""
    sizes = {
        2: (0.1, 0.05, 0.025),
        4: (0.25, 0.125, 0.1),
        6: (0.25, 0.2, 0.1) if case[0] == "free40" else (0.8, 0.5, 0.4),
    }
    errors = [joint_error(case, h, order) for h in sizes[order]]
    assert order_of(np.array(sizes[order]), np.array(errors)) == pytest.approx(order, abs=0.2), errors


def test_one_orbit_free() -> None:
    """5460 s at h = 0.1: Earth-frame energy and angular momentum to 1e-12, internal kinetic energy to 1e-3.

    The internal kinetic energy truly changes, by gravity: −1.9e-4 of itself over the orbit. The motion
    is chaotic: rounding decides where in its oscillation of about 1e-3 the orbit ends, so the mean
    over the last tenth is held to the same limit.
    """
    dynamics = Dynamics(planar_iss())
    q, v = iss_state(0.05)
    run = Motion(dynamics, q, v, h=0.1).run(54600, every=60)
    q, v, t = np.vstack([q, run.q]), np.vstack([v, run.v]), np.r_[0.0, run.t]
    energy, turning = earth_frame(dynamics, q, v, t)
    assert np.abs(energy / energy[0] - 1).max() < 1e-12
    assert np.abs(turning[:, 2] / turning[0, 2] - 1).max() < 1e-12
    internal = dynamics.balance(q, v, t).internal
    assert abs(internal[-1] / internal[0] - 1) < 1e-3
    assert abs(internal[-len(internal) // 10 :].mean() / internal[0] - 1) < 1e-3
    assert np.abs(internal / internal[0] - 1).max() < 2e-3
