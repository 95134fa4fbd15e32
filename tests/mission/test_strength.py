"""What a motion asks of joints and wheels is what the controller that follows it commands."""

from types import ModuleType

import numpy as np
import pytest

from softdock import mission as ms
from softdock.mission.arm import From
from softdock.mission.craft import Crafts
from softdock.planning import minimum_acceleration

START, GOAL = np.array([1.2, -2.2, 1.0]), np.array([-0.6, 0.3, 0.4])


def craft_of(fetch: ModuleType) -> tuple[ms.Arm, ms.Bus]:
    crafts, arm, bus = Crafts(fetch.WORLD), ms.Arm("gripper"), ms.Bus("bus")
    for name, part in (("arm", arm), ("bus", bus)):
        part.name = name
        part.fit(crafts)
    q = arm.craft.dynamics.layout.neutral()
    q[arm._in_q] = START
    arm.craft.measured(0.0, q, np.zeros(arm.craft.dynamics.nv))
    bus.update(0.0)
    return arm, bus


def asked(fetch: ModuleType, seconds: float) -> tuple[ms.Arm, list[np.ndarray], np.ndarray]:
    """The arm, samples of a motion, and the largest torques that its controller commands along it (nv)."""
    arm, _ = craft_of(fetch)
    plan = minimum_acceleration(START, GOAL, seconds)
    craft, h = arm.craft, 0.01
    arm.motion = From(plan, 0.0)
    craft.drive(h)
    control = craft.limiters[-1].controller
    times, torques = np.arange(0.0, seconds, 0.05), []
    for t in times:
        q, v = craft.q.copy(), np.zeros(craft.dynamics.nv)
        q[arm._in_q], v[arm._in_v], _ = plan.at(t)
        torques.append(np.abs(control(t, q, v)))
    samples = [np.array(column) for column in zip(*(plan.at(t) for t in times), strict=True)]
    return arm, samples, np.max(torques, axis=0)


@pytest.mark.parametrize("kind", ["wheel", "joint"])
def test_a_motion_is_refused_just_when_its_controller_would_saturate(fetch: ModuleType, kind: str) -> None:
    arm, samples, largest = asked(fetch, 4.0)
    strength, layout = arm.strength, arm.craft.dynamics.layout
    names = ["bus.wheel3"] if kind == "wheel" else ["upper"]
    (at,) = layout.velocities(names)
    assert largest[at] > 0.1
    strength._efforts[:] = np.inf
    own = list(strength._driven).index(at)
    strength._efforts[own] = 1.05 * largest[at]
    assert strength.suffices(*samples)
    strength._efforts[own] = 0.95 * largest[at]
    assert not strength.suffices(*samples)


def test_wheels_that_would_spin_too_fast_are_not_enough(fetch: ModuleType) -> None:
    """On a base that is held, wheels take what the arm's momentum about the whole centre of mass is."""
    arm, samples, _ = asked(fetch, 4.0)
    strength, craft = arm.strength, arm.craft
    strength._efforts[:] = np.inf
    q, v = craft.q.copy(), np.zeros(craft.dynamics.nv)
    spun = []
    for x, xd, _ in zip(*samples, strict=True):
        q[arm._in_q], v[arm._in_v] = x, xd
        spun.append(craft.dynamics.balance(q, v).centroidal_angular_momentum[2] / 0.05)
    fastest = float(np.abs(spun).max())
    strength._rates[:] = 1.02 * fastest
    assert strength.suffices(*samples)
    strength._rates[:] = 0.98 * fastest
    assert not strength.suffices(*samples)
