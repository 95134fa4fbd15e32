"""What was grasped comes to rest by a plan of least effort: on the craft of docs/missions.md."""

from types import ModuleType

import numpy as np

from softdock import mission as ms
from softdock.mission.craft import Crafts
from softdock.mission.passivating import passivation
from softdock.world import Body, Fixed, Pose


def test_arm_and_wheels_stop_a_payload_within_their_limits(fetch: ModuleType) -> None:
    """From joints in motion: at the end joints are at rest and the base is turned as the bus holds it; the plan
    replays, and angular momentum is that of the start."""
    crafts, arm, bus = Crafts(fetch.WORLD), ms.Arm("gripper"), ms.Bus("bus")
    for name, part in (("arm", arm), ("bus", bus)):
        part.name = name
        part.fit(crafts)
    craft, layout = arm.craft, arm.craft.dynamics.layout
    q, v = layout.neutral(), np.zeros(craft.dynamics.nv)
    q[layout.flat(arm.joints)[0]], v[layout.flat(arm.joints)[1]] = (0.4, 0.9, -0.5), (0.03, -0.05, 0.04)
    craft.measured(0.0, q, v)
    bus.update(0.0)
    box = ((2.0, 0.0, 0.0), (0.0, 3.0, 0.0), (0.0, 0.0, 2.5))
    load = Body(
        name="load", parent=arm.tip_body, joint=Fixed(), placement=Pose(position=(0.6, 0, 0)), mass=30.0, inertia=box
    )
    plan = passivation(arm, bus, load, 6.0)
    check, dynamics = plan.check(), plan.made.dynamics
    assert plan.optimal and check.replay_error < 1e-9
    assert np.abs(plan.v[-1][dynamics.layout.velocities(arm.joints)]).max() < 1e-9
    turned = dynamics.pose("bus", plan.q[-1])[0]
    np.testing.assert_allclose(turned, dynamics.pose("bus", plan.q[0])[0], atol=1e-9)
    momenta = dynamics.balance(plan.q, plan.v).angular_momentum
    np.testing.assert_allclose(momenta, np.broadcast_to(momenta[0], momenta.shape), atol=1e-8)
    task = plan.made.task
    assert np.all(np.abs(plan.torques) <= task.torques + 1e-9)
    assert np.all(np.abs(plan.motion.xi) <= task.rates + 1e-9)
    assert np.isfinite(task.rates[dynamics.layout.velocities(arm.joints)]).all()  # they are the world's
