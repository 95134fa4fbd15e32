"""Stopping what was grasped by optimal control: the least effort of arm and wheels in the time that the grip allows."""

from typing import TYPE_CHECKING, Any

import numpy as np

from softdock.dynamics import Dynamics
from softdock.mission.arm import Arm
from softdock.mission.brake import Brake
from softdock.mission.bus import Bus
from softdock.planning.braking import Stop
from softdock.planning.plan import Sample
from softdock.world import Body, Fixed, World

if TYPE_CHECKING:
    from softdock.optimal import Plan, Task

STEPS = 60
"""Of a plan."""
STEADY = 1e4
"""Weight of the base's squared rates beside squared torques: its wheels hold it (N² m² s²)."""


class Passivate(Brake):
    """As `Brake`, in the same time, with the least effort of joints and wheels within the limits that the world has.
    The model is the craft with what it holds: its mass as described, centre of mass and inertia's shape by the
    estimate. If there is no such plan, the arm brakes as `Brake` does; the chase's `passivation` tells."""

    def _plan(self, stop: Stop) -> Any:
        arm, bus = self.chase.arm, next((p for p in self.chase.arm.craft.parts if isinstance(p, Bus)), None)
        if bus is None:
            self.chase.passivation = "there is no bus to hold the base"
            return super()._plan(stop)
        try:
            plan = passivation(arm, bus, self._payload(), float(stop.t[-1]))
        except ValueError as failure:
            self.chase.passivation = str(failure)
            return super()._plan(stop)
        self.chase.passivation = f"{plan.status}: effort {plan.effort:.4g} N² m² s, KKT {plan.solved.kkt:.0e}"
        return _Arm(plan, len(arm.joints))

    def _payload(self) -> Body:
        """What is held, by the estimate."""
        chase = self.chase
        described, now = chase.hand.payload(self.grasp), chase.nav.estimator.estimate()
        R, scale = chase.nav.handle.rotation, float(np.trace(chase.hand.target.inertia))
        center, inertia = chase.nav.handle.position - R @ now.offset, R @ (scale * now.inertia) @ R.T
        return described.altered(center=tuple(center), inertia=tuple(map(tuple, (inertia + inertia.T) / 2)))


def passivation(arm: Arm, bus: Bus, payload: Body, duration: float) -> "Plan":
    """The craft with a payload from where it is now to joints at rest, the base as its bus holds it, in a time (s)."""
    from softdock import optimal

    return optimal.plan(_task(Dynamics(_model(arm, bus, payload)), arm, bus, duration))


def _model(arm: Arm, bus: Bus, payload: Body) -> World:
    """The craft with its payload; only base, arm and wheels move."""
    moving = {arm.craft.root, *arm.joints, *bus.wheels}
    bodies = [
        body if body.name in moving or body.joint.kind == "fixed" else body.altered(joint=Fixed())
        for body in arm.craft.world.bodies
    ]
    model = arm.craft.world.altered(bodies=(*bodies, payload), contacts=(), latches=(), thrusters=())
    return arm.craft.unservoed(model)


def _task(dynamics: Dynamics, arm: Arm, bus: Bus, duration: float) -> "Task":
    from softdock import optimal

    craft, t = arm.craft, arm.craft.t
    own, whole = dynamics.layout, craft.dynamics.layout
    q, v = np.empty(dynamics.nq), np.empty(dynamics.nv)
    for name in own.q.keys() & whole.q.keys():
        if own.q[name].stop > own.q[name].start:
            q[own.q[name]], v[own.v[name]] = craft.q[whole.q[name]], craft.v[whole.v[name]]
    wanted = craft.wanted(t + duration)
    turn = wanted.q[craft.dynamics.layout.q[bus.body]][-4:]
    return optimal.Task(
        dynamics, q, v, t=t, duration=duration, steps=STEPS, actuators=(*arm.joints, *bus.wheels),
        cost=optimal.Cost(base=STEADY), end=[optimal.at_rest(*arm.joints), optimal.frame_turned(bus.body, turn)],
    )  # fmt: skip


class _Arm:
    """The joints of a plan, from its beginning on."""

    def __init__(self, plan: Any, joints: int) -> None:
        self._plan, self._joints, self.duration = plan, joints, plan.duration

    def at(self, t: float) -> Sample:
        return Sample(*(part[: self._joints] for part in self._plan.at(self._plan.t[0] + t)))
