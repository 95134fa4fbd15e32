"""The largest force of a contact, of all steps: against the closed form, and whatever rows are kept."""

import numpy as np
import pytest
from soft_worlds import ball, ground

from softdock.dynamics import Motion


def test_the_peak_of_a_hit_is_that_of_the_oscillator_and_does_not_need_its_row() -> None:
    """v √(k m), of a ball of 2 kg on a spring of 1e5 N/m; steps are divided, and no row is within the hit."""
    mass, speed, stiffness = 2.0, 0.4, 1e5
    dynamics = ground(ball(mass=mass), stiffness=stiffness, exponent=1.0, damping=0.0)
    q, v = dynamics.state({"mover": {"position": (0, 0, 0.12), "velocity": (0, 0, -speed)}})
    peaks = []
    for error in (1e-3, 1e-5):
        motion = Motion(dynamics, q, v, h=0.01, contact_error=error)
        assert motion.contact_peaks.tolist() == [0.0]
        rows = motion.run(20, every=20)
        assert motion.v[2] > 0.9 * speed and len(rows.t) == 1
        assert not dynamics.contacts(rows.q, rows.v).normal_force.any()
        peaks.append(motion.contact_peaks[0])
    expected = speed * np.sqrt(stiffness * mass)
    assert peaks[0] == pytest.approx(expected, rel=0.03) and peaks[1] == pytest.approx(expected, rel=2e-3)


def test_friction_is_part_of_it() -> None:
    """A ball at rest on the ground that is pushed along and slides: √(1 + μ²) of its weight."""
    law = {"stiffness": 1e5, "exponent": 1.0, "damping": 2.0, "friction": 0.5}
    dynamics = ground(ball(), gravity=(0, 0, -10.0), **law)
    resting = {"position": (0, 0, 0.1 - 10.0 / 1e5), "velocity": (1, 0, 0)}
    motion = Motion(dynamics, *dynamics.state({"mover": resting}), h=1e-3)
    motion.run(50)
    assert motion.contact_peaks[0] == pytest.approx(10.0 * np.sqrt(1.25), rel=0.01)
