"""Two cuboids that meet: momentum, energy, and the law's restitution (issue 4)."""

import re

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from soft_worlds import pair

import softdock as sd
from softdock.contact.laws import restitution

EDGE_Z, EDGE_Y = Rotation.from_euler("z", 45, degrees=True), Rotation.from_euler("y", 45, degrees=True)
CORNER = Rotation.align_vectors([[-1, 0, 0]], [np.ones(3) / np.sqrt(3)])[0]


def wxyz(rotation):
    return np.roll(rotation.as_quat(), 1).tolist()


CASES = {
    "head-on": ({"velocity": (1, 0, 0)}, {"position": (0.5, 0, 0)}),
    "off the middle": ({"velocity": (1, 0.1, 0)}, {"position": (0.5, 0.08, 0.05)}),
    "oblique": (
        {"velocity": (1, 0.2, 0.1), "angular_velocity": (0.1, -0.2, 0.3)},
        {"position": (0.5, 0.05, 0.03), "quaternion": (0.9, 0.1, 0.2, 0.3)},
    ),
    "edge on edge": (
        {"velocity": (1, 0, 0.1), "quaternion": wxyz(EDGE_Z)},
        {"position": (0.5, 0.02, 0.01), "quaternion": wxyz(EDGE_Y)},
    ),
    "edge on face": ({"velocity": (1, 0, 0)}, {"position": (0.5, 0.03, 0.02), "quaternion": wxyz(EDGE_Z)}),
    "corner on face": ({"velocity": (1, 0, 0)}, {"position": (0.5, 0.03, 0.02), "quaternion": wxyz(CORNER)}),
}
LAWS = {
    "cubic, elastic": {"stiffness": 1e7},
    "cubic, damped": {"stiffness": 1e7, "damping": 0.5},
    "Hertz, elastic": {"stiffness": 1e5, "exponent": 1.5},
    "Hertz, damped, rough": {"stiffness": 1e5, "exponent": 1.5, "damping": 0.5, "friction": 0.4},
}


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("case", CASES)
def test_momentum_is_kept_and_energy_never_grows(case, law):
    """Mechanical energy and what the contact holds together, step by step; once apart, mechanical energy alone."""
    dynamics = pair(**LAWS[law])
    motion = sd.Motion(dynamics, *dynamics.state(dict(zip("ab", CASES[case], strict=True))), h=1e-3)
    start = dynamics.balance(motion.q, motion.v)
    held, energy, touched = start.total, [start.total], 0
    for _ in range(450):
        motion.run(1)
        now = dynamics.balance(motion.q, motion.v)
        energy.append(now.total + motion.stored)
        touched += motion.stored > 0
        assert now.momentum == pytest.approx(start.momentum, abs=1e-12)
        assert now.angular_momentum == pytest.approx(start.angular_momentum, abs=1e-12)
    assert touched > 20
    assert motion.gaps()[0] > 0.01
    assert np.diff(energy).max() <= 1e-14
    assert now.total <= held + 1e-14
    if "elastic" in law:
        assert now.total >= 0.999 * held  # also of a patch that changes its shape


@pytest.mark.parametrize(("exponent", "stiffness"), [(3.0, 1e7), (1.5, 1e5)])
@pytest.mark.parametrize("damping", [0.0, 0.5])
def test_head_on_restitution_is_the_law_s_at_second_order(exponent, stiffness, damping):
    dynamics = pair(stiffness=stiffness, exponent=exponent, damping=damping)
    start = dynamics.state(dict(zip("ab", CASES["head-on"], strict=True)))
    exact, errors = restitution(damping, 1.0), []
    for h in (1e-3, 5e-4, 2.5e-4):
        run = sd.rollout(dynamics, *start, h=h, steps=round(0.5 / h))
        assert np.abs(run.v[-1, [1, 2, 3, 4, 5]]).max() < 1e-12  # a face, not a point, takes the blow
        errors.append(abs(run.v[-1, 6] - run.v[-1, 0] - exact))
    assert errors[-1] < 5e-5
    # without damping a contact gives back what it took, to rounding: the error is then of its last step alone
    assert (np.log2(np.divide(errors[:-1], errors[1:])) > 1.7).all()
    assert damping == 0.0 or np.log2(errors[0] / errors[-1]) / 2 == pytest.approx(2.0, abs=0.3)


def test_a_contact_too_stiff_for_the_step_names_one_that_does():
    dynamics = pair(stiffness=1e13)
    start = dynamics.state(dict(zip("ab", CASES["head-on"], strict=True)))
    with pytest.raises(sd.StepFailed, match="stiffer than the step resolves; a step of") as failed:
        sd.rollout(dynamics, *start, h=1e-3, steps=500)
    h = float(re.search(r"a step of (\S+) s would do", str(failed.value))[1])
    assert h < 1e-3
    run = sd.rollout(dynamics, *start, h=h, steps=round(0.5 / h))
    assert run.v[-1, 6] - run.v[-1, 0] == pytest.approx(1.0, abs=0.05)


def test_bad_laws_are_refused():
    for law in ({"stiffness": 0}, {"stiffness": 1, "damping": -1}, {"stiffness": 1, "exponent": 0.5},
                {"stiffness": 1, "slip": 0}, {"stiffness": float("nan")}):  # fmt: skip
        with pytest.raises(ValueError, match=r"stiffness|damping|exponent|slip"):
            sd.Compliance(**law)
