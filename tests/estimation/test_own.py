"""The filter of a craft's own state is consistent: NEES over drawn flights, from sensors that are written down here."""

import numpy as np

from softdock.estimation import consistent
from softdock.estimation.own import Increments, InertialUnit, OwnFilter, tide
from softdock.spatial import matrix_of_vector

UNIT, N, T = InertialUnit(), 1.13e-3, 0.25
STAR, DOPPLER = 5e-5, 3e-3


def flown(seed: int, seconds: float = 60.0, *, doppler: bool = True) -> tuple[OwnFilter, np.ndarray]:
    """The filter and its errors at the end of a flight with drawn turns and pushes."""
    rng = np.random.default_rng(seed)
    R, p, v = matrix_of_vector(rng.normal(0, 1, 3)), rng.normal(0, 20, 3), rng.normal(0, 0.1, 3)
    gyro, accelerometer = UNIT.gyro_bias * rng.standard_normal(3), UNIT.accelerometer_bias * rng.standard_normal(3)
    start = R @ matrix_of_vector(rng.normal(0, 1e-3, 3)), p + rng.normal(0, 1e-6, 3), v + rng.normal(0, 5e-3, 3)
    found = OwnFilter(UNIT, N, 0.0, *start)
    for k in range(round(seconds / T)):
        w, f = 0.1 * np.sin(0.05 * k + np.arange(3)), rng.normal(0, 0.03, 3)
        g = tide(N, (k + 0.5) * T, p + T / 2 * v)
        noise = np.sqrt(T) * rng.standard_normal((4, 3))
        turn, push = T * w, T * f
        p = p + T * v + T / 2 * (R @ push + T * g)
        v, R = v + R @ push + T * g, R @ matrix_of_vector(turn)
        found.predict(
            Increments(
                T, turn + T * gyro + UNIT.gyro * noise[0], push + T * accelerometer + UNIT.accelerometer * noise[1]
            )
        )
        gyro, accelerometer = gyro + UNIT.gyro_walk * noise[2], accelerometer + UNIT.accelerometer_walk * noise[3]
        if k % 2 == 0:
            found.see_attitude(R @ matrix_of_vector(rng.normal(0, STAR, 3)), STAR)
        if doppler and k % 4 == 0:
            found.see_velocity(v + rng.normal(0, DOPPLER, 3), DOPPLER)
    return found, found.errors(R, p, v, gyro, accelerometer)


def test_errors_are_as_large_as_the_covariance_says() -> None:
    runs = [flown(seed) for seed in range(40)]
    mean, low, high = consistent([own.nees(error) for own, error in runs], 15)
    assert low < mean < high
    attitude = np.sqrt(np.mean([error[:3] ** 2 for _, error in runs]))
    assert attitude < 0.5 * STAR  # better than one look at the stars
    own = runs[0][0]
    assert np.sqrt(own.P[3, 3]) < UNIT.gyro_bias  # something was learnt of the gyros' bias
    assert np.sqrt(own.P[9, 9]) < DOPPLER / 3


def test_a_place_that_is_not_measured_is_doubted_as_much_as_it_should_be_after_twenty_minutes() -> None:
    runs = [flown(seed, 1200.0, doppler=False) for seed in range(100, 106)]
    mean, low, high = consistent([own.nees(error) for own, error in runs], 15)
    assert low < mean < high  # 4,700 without the tide's gradient in the covariance
