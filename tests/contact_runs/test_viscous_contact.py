"""Kelvin-Voigt contact, m ẍ + b ẋ + k x = 0 while it pushes, against its solution in closed form.

With ω² = k/m and ζ = b/(2 m ω) the force is gone when ẍ = 0; what is left of the speed is exp(−ζ ω T), T the contact
time (Schwager & Pöschel, Granular Matter 9, 2007, 465).
"""

import numpy as np
import pytest
from soft_worlds import ball, cuboid, ground, pair

import softdock as sd

K, M = 1e4, 1.0
W = np.sqrt(K / M)


def contact_time(zeta):
    if zeta < 1.0:
        root = np.sqrt(1 - zeta**2)
        return np.arctan2(2 * zeta * root, 2 * zeta**2 - 1) / (W * root)
    root = np.sqrt(zeta**2 - 1)
    return np.log((zeta + root) / (zeta - root)) / (W * root)


def restitution(zeta):
    return np.exp(-zeta * W * contact_time(zeta))


def viscous(zeta, mover=None, **more):
    return ground(mover or ball(), stiffness=K, exponent=1, viscosity=2 * zeta * M * W, **more)


def struck(dynamics, h, speed=1.0, above=0.00123, seconds=0.05):
    """A ball that falls on the ground from `above` it: motion and run."""
    start = dynamics.state({"mover": {"position": (0, 0, 0.1 + above), "velocity": (0, 0, -speed)}})
    motion = sd.Motion(dynamics, *start, h=h)
    return motion, motion.run(round(seconds / h), ledger=True)


@pytest.mark.parametrize("zeta", [0.0, 0.1, 0.5, 0.9, 1.3])
def test_restitution_is_that_of_the_closed_solution_at_second_order(zeta):
    """Whatever part of a step is left when it begins: the error is at most a fifth of (h ω)²."""
    dynamics = viscous(zeta)
    for h in (4e-4, 1e-4, 2.5e-5):
        assert struck(dynamics, h)[1].v[-1, 2] == pytest.approx(restitution(zeta), abs=0.2 * (h * W) ** 2)


@pytest.mark.parametrize("zeta", [0.3, 0.9])
def test_the_contact_ends_when_its_force_would_pull_and_never_pulls(zeta):
    """Long before the ball has left the ground's surface, where a spring and damper alone would hold it back."""
    h = 2e-5
    dynamics = viscous(zeta)
    _, run = struck(dynamics, h)
    force = np.diff(run.v[:, 2]) / h * M
    assert force.min() > -1e-9
    pushing = np.flatnonzero(force > 1e-9)
    assert np.ptp(pushing) * h == pytest.approx(contact_time(zeta), abs=2 * h)
    assert (np.diff(pushing) == 1).all()
    assert run.q[pushing[-1], 2] < 0.1 - 1e-4
    found = dynamics.contacts(run.q, run.v)
    at = found.row[found.normal_force > 1.0]
    law = K * (0.1 - run.q[at, 2]) - 2 * zeta * M * W * run.v[at, 2]
    assert found.normal_force[found.normal_force > 1.0] == pytest.approx(law, rel=1e-12)


def test_the_ledger_has_what_the_damper_took():
    motion, run = struck(viscous(0.3), 1e-4)
    lost = 0.5 * M * (1 - run.v[-1, 2] ** 2)
    assert run.account[-1, sd.dynamics.motion.ACCOUNT.index("work_contacts")] == pytest.approx(-lost, rel=1e-12)
    assert motion.stored == 0.0


def test_a_slow_and_a_fast_ball_bounce_alike():
    """The law is linear, so that restitution does not depend on speed."""
    dynamics = viscous(0.4)
    for speed in (1e-3, 10.0):
        _, run = struck(dynamics, 1e-5, speed, above=1e-4 * speed, seconds=0.04)
        assert run.v[-1, 2] / speed == pytest.approx(restitution(0.4), abs=1e-5)


def test_cuboids_askew_keep_momentum_and_never_make_energy():
    dynamics = pair(stiffness=1e5, exponent=1, viscosity=40.0, friction=0.3)
    turn = (np.cos(0.2), np.sin(0.2) * 0.6, 0.0, np.sin(0.2) * 0.8)
    mover = {"position": (-0.2, 0.03, 0), "quaternion": turn, "velocity": (1, 0, 0)}
    start = dynamics.state({"a": mover, "b": {"position": (0.1, 0, 0)}})
    motion = sd.Motion(dynamics, *start, h=2e-4)
    first = dynamics.balance(motion.q, motion.v)
    energy = [first.total]
    for _ in range(800):
        motion.run(1)
        energy.append(dynamics.balance(motion.q, motion.v).total + motion.stored)
    last = dynamics.balance(motion.q, motion.v)
    assert energy[-1] < 0.99 * energy[0] and np.diff(energy).max() < 1e-14
    assert last.momentum == pytest.approx(first.momentum, abs=1e-14)
    assert last.angular_momentum == pytest.approx(first.angular_momentum, abs=1e-14)


def test_a_box_comes_to_rest_flat():
    dynamics = viscous(0.7, cuboid("mover", M, (0.4, 0.4, 0.1)), gravity=(0, 0, -9.81))
    motion = sd.Motion(dynamics, *dynamics.state({"mover": {"position": (0.3, 0.2, 0.06)}}), h=5e-4)
    run = motion.run(2000, every=10)
    assert run.q[-1, 2] == pytest.approx(0.05 - 9.81 * M / K, abs=1e-6)  # but for what eq. 4 of its theory takes
    assert np.abs(run.v[-1]).max() < 1e-5 and np.abs(run.q[:, 4:]).max() < 1e-12


def test_a_damper_that_the_step_does_not_resolve_is_refused_with_one_that_does():
    """Taken at the middle of the step alone it would turn the ball round at nearly its full speed."""
    dynamics = viscous(10.0)
    with pytest.raises(sd.StepFailed, match=r"stiffer than the step resolves; a step of (\S+) s would do") as failed:
        struck(dynamics, 1e-3)
    h = float(str(failed.value).split("a step of ")[1].split()[0])
    _, run = struck(dynamics, h)
    assert run.v[-1, 2] == pytest.approx(restitution(10.0), abs=0.02)


def test_a_bad_viscosity_is_refused():
    for bad in (-1.0, float("nan"), "thick"):
        with pytest.raises(ValueError, match="viscosity"):
            sd.Compliance(stiffness=1.0, viscosity=bad)
