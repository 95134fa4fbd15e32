"""Stopping what was grasped by optimal control: the least effort of arm, wheels and thrusters in the time there is."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from softdock.dynamics import Dynamics
from softdock.mission import flying
from softdock.mission.arm import Arm, From
from softdock.mission.brake import Brake
from softdock.mission.bus import Bus
from softdock.mission.craft import Craft, turned_hill
from softdock.mission.gripper import Gripper
from softdock.mission.pilot import Pilot, in_hill
from softdock.mission.tracker import TargetTracker
from softdock.planning.braking import Stop
from softdock.planning.flight import Flight, still
from softdock.planning.plan import Sample
from softdock.world import Body, Fixed, Pose, World

if TYPE_CHECKING:
    from softdock.optimal import Plan, Task

STEPS = 60
"""Of a plan."""
STEADY = 1e4
"""Weight of the base's squared rates beside squared torques: its wheels hold it (N² m² s²)."""
CALM = 100.0
"""Weight of the joints' squared rates beside squared torques: else the arm drifts with what it holds (N² m² s²)."""
AROUND = 0.3
"""So far from where they are at the grasp joints may go while a stack is stopped (rad)."""


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
        self.chase.passivation = told(plan)
        return PlannedArm(plan, len(arm.joints))

    def _payload(self) -> Body:
        return estimated(self.chase.hand, self.chase.nav, self.grasp)


class StopOptimally(flying.Stop):
    """As `Stop`, in the same `seconds` (s), with the least effort of joints, wheels and thrusters, within torques, the
    wheels' momentum, joints' limits and what thrusters push without turning it; joints stay within `AROUND` of where
    they are. The model is the craft with `payload`, fixed to one of its bodies. If there is no such plan, it is stopped
    as `Stop` does; the pilot's `passivation` tells. `other` (-) is what every `Phase` takes."""

    def __init__(
        self,
        pilot: Pilot,
        pivot: Callable[[float], np.ndarray],
        seconds: float,
        *,
        arm: Arm,
        payload: Body,
        **other: Any,
    ) -> None:
        super().__init__(pilot, pivot, seconds, **other)
        self.arm, self.payload = arm, payload

    def begin(self, t: float) -> None:
        super().begin(t)
        assert self.pilot.course
        try:
            plan = stopping(self.arm, self.pilot, self.payload, self.pilot.course.at(t + self.seconds), self.seconds)
        except ValueError as failure:
            self.pilot.passivation = str(failure)
            return
        self.pilot.passivation = told(plan)
        self.pilot.course = PlannedCourse(plan, self.pilot.body, self.arm.craft.n)
        self.arm.motion = From(PlannedArm(plan, len(self.arm.joints)), t)


class PlannedCourse:
    """The course of a craft's body in a plan, and at its end at rest."""

    def __init__(self, plan: "Plan", body: str, n: float) -> None:
        self._plan, self._n, self.end = plan, n, float(plan.t[-1])
        layout = plan.made.dynamics.layout
        self._q, self._v = layout.q[body], layout.v[body]

    def at(self, t: float) -> Flight:
        there, begun = self._at(min(t, self.end)), float(self._plan.t[0])
        return there if begun <= t < self.end else still(there.p, there.R)

    def _at(self, t: float) -> Flight:
        """What `Pilot.want` makes of it is the plan's state: the same, turned back."""
        wanted, n = self._plan(t), np.array([0.0, 0.0, self._n])
        there, a = in_hill(self._n, t, wanted.q[self._q], wanted.v[self._v]), wanted.a[self._v]
        inertial = turned_hill(self._n, t).T @ a[:3]
        relative = inertial - 2 * np.cross(n, there.v) - np.cross(n, np.cross(n, there.p))
        return there._replace(a=relative, alpha=a[3:] + np.cross(there.w, there.R.T @ n))


def told(plan: "Plan") -> str:
    """What came of planning, for metrics."""
    return f"{plan.status}: effort {plan.effort:.4g} N² m² s, KKT {plan.solved.kkt:.0e}"


def estimated(hand: Gripper, nav: TargetTracker, grasp: Pose) -> Body:
    """What is held: its mass as described, centre of mass and inertia's shape by the estimate. Of a target that hardly
    turns these are anything: a plan is then one of rest, but a control should not believe them."""
    described, now = hand.payload(grasp), nav.estimator.estimate()
    R, scale = nav.handle.rotation, float(np.trace(hand.target.inertia))
    center, inertia = nav.handle.position - R @ now.offset, R @ (scale * now.inertia) @ R.T
    return described.altered(center=tuple(center), inertia=tuple(map(tuple, (inertia + inertia.T) / 2)))


def stopping(arm: Arm, pilot: Pilot, payload: Body, rest: Flight, duration: float) -> "Plan":
    """The craft with a payload from where it is now to rest in A, in a time (s), its wheels turning it and its
    thrusters pushing it. A turns, so that rest is a velocity that depends on where it ends: first as in `rest`, then as
    in the plan for that."""
    from softdock import optimal

    dynamics = Dynamics(_model(arm, pilot, payload))
    first = optimal.plan(_stopping(dynamics, arm, pilot, rest, duration))
    there = PlannedCourse(first, pilot.body, arm.craft.n)
    return optimal.plan(_stopping(dynamics, arm, pilot, there.at(there.end), duration), guess=first)


def _stopping(dynamics: Dynamics, arm: Arm, pilot: Pilot, rest: Flight, duration: float) -> "Task":
    from softdock import optimal

    craft, body = arm.craft, pilot.body
    (q, v), n = _now(dynamics, craft), np.array([0.0, 0.0, craft.n])
    place, turn = ([f"{body}.{axis}" for axis in axes] for axes in (("x", "y", "z"), ("wx", "wy", "wz")))
    moving = turned_hill(craft.n, craft.t + duration) @ np.cross(n, rest.p)
    ends = dict.fromkeys(arm.joints, 0.0) | dict(zip(turn, rest.R.T @ n, strict=True))
    ends |= dict(zip(place, moving, strict=True))
    ranges = {
        name: (max(low, x - AROUND), min(high, x + AROUND))
        for name, low, high, x in zip(arm.joints, arm.lower, arm.upper, arm.q, strict=True)
    }
    return optimal.Task(
        dynamics, q, v, t=craft.t, duration=duration, steps=STEPS, actuators=(*arm.joints, *pilot.wheels, *place),
        cost=optimal.Cost(rates=dict.fromkeys(arm.joints, CALM)), end=[optimal.rates_at(ends)],
        limits=optimal.Limits(torque=dict.fromkeys(place, pushed(pilot)), joints=ranges),
    )  # fmt: skip


def pushed(pilot: Pilot) -> float:
    """The force (N) that thrusters can give along each of three axes at once, whatever way the body is turned, without
    turning it."""
    from scipy.optimize import linprog

    wrenches = np.array([one.wrench for one in pilot.thrusters if one.name not in pilot.isolated]).T

    def most(direction: np.ndarray) -> float:
        rows = np.column_stack([wrenches, -np.concatenate([direction, np.zeros(3)])])
        cost = np.append(np.zeros(wrenches.shape[1]), -1.0)
        found = linprog(cost, A_eq=rows, b_eq=np.zeros(6), bounds=[(0, 1)] * wrenches.shape[1] + [(0, None)])
        return float(found.x[-1]) if found.success else 0.0

    along = np.array([min(most(axis), most(-axis)) for axis in np.eye(3)])
    # all forces within the octahedron of these can be given: the cube in the ball in it
    return float(1 / np.sqrt(3 * (1 / np.maximum(along, 1e-9) ** 2).sum()))


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
    q, v = _now(dynamics, craft)
    wanted = craft.wanted(t + duration)
    turn = wanted.q[craft.dynamics.layout.q[bus.body]][-4:]
    return optimal.Task(
        dynamics, q, v, t=t, duration=duration, steps=STEPS, actuators=(*arm.joints, *bus.wheels),
        cost=optimal.Cost(base=STEADY), end=[optimal.at_rest(*arm.joints), optimal.frame_turned(bus.body, turn)],
    )  # fmt: skip


def _now(dynamics: Dynamics, craft: Craft) -> tuple[np.ndarray, np.ndarray]:
    """The craft's measured state, of what moves in a model of it."""
    own, whole = dynamics.layout, craft.dynamics.layout
    q, v = np.empty(dynamics.nq), np.empty(dynamics.nv)
    for name in own.q.keys() & whole.q.keys():
        if own.q[name].stop > own.q[name].start:
            q[own.q[name]], v[own.v[name]] = craft.q[whole.q[name]], craft.v[whole.v[name]]
    return q, v


class PlannedArm:
    """The joints of a plan, from its beginning on."""

    def __init__(self, plan: Any, joints: int) -> None:
        self._plan, self._joints, self.duration = plan, joints, plan.duration

    def at(self, t: float) -> Sample:
        return Sample(*(part[: self._joints] for part in self._plan.at(self._plan.t[0] + t)))
