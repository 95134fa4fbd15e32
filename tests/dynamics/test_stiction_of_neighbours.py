"""A joint that breaks away beside one that holds: by Coulomb's law what bears less than its friction does not move."""

import numpy as np
import pytest

import softdock as sd

ELBOW = 0.5 * 9.81  # gravity's torque about the elbow (N m); about the shoulder it is five times that


def arm(static: float) -> sd.Dynamics:
    def joint(force: float, static: float) -> sd.Revolute:
        return sd.Revolute(axis=(0, 1, 0), friction=sd.Friction(force=force, static=static))

    link = {"center": (0.5, 0, 0)}
    upper = sd.Body(name="upper", joint=joint(20, 60), mass=2, inertia=[0.01, 0.2, 0.2], **link)
    at = sd.Pose(position=(1, 0, 0))
    fore = sd.Body(
        name="fore", parent="upper", placement=at, joint=joint(4, static), mass=1, inertia=[0.01, 0.1, 0.1], **link
    )
    return sd.Dynamics(sd.World(gravity=sd.Uniform(acceleration=(0, 0, -9.81)), bodies=[upper, fore]))


@pytest.mark.parametrize("h", [1e-2, 1e-3, 1e-4])
@pytest.mark.parametrize("static", [ELBOW * (1 - 1e-6), 4.8, 4.0])
def test_a_joint_holds_while_its_neighbour_slides(static, h):
    # The shoulder holds 60 N m, and slides under 20: a load of 24.5 must not move it. It falls as the elbow gives way.
    path = sd.rollout(arm(static), [0, 0], [0, 0], h=h, steps=3)
    assert (path.q[:, 0] == 0).all() and (path.v[:, 0] == 0).all()
    assert path.v[-1, 1] == pytest.approx((ELBOW - 4) / 0.35 * 3 * h, rel=1e-5)


def test_nothing_moves_just_below():
    path = sd.rollout(arm(ELBOW * (1 + 1e-9)), [0, 0], [0, 0], h=1e-3, steps=50)
    assert not np.any(path.q)
