"""The reach planned by optimal control, beside the least-acceleration one (docs/scenarios/berthing.md)."""

import time
from typing import TYPE_CHECKING, Any, NamedTuple

import casadi as ca
import numpy as np

from softdock.control.reference import Wanted
from softdock.dynamics import Dynamics
from softdock.optimal import (
    Condition,
    Limits,
    NoPlan,
    Plan,
    Planner,
    Quantities,
    Task,
    at_rest,
    frame_turned,
    joints_at,
)

if TYPE_CHECKING:
    from softdock.scenarios.berthing.scenario import Berthing

BASE, TARGET, LINKS = "A", "T", ("B", "C", "F", "G")
TURNS = tuple(f"{BASE}.w{axis}" for axis in "xyz")
STARTS = 4
"""Local minima are of 18.0 to 24.9 N² m² s, and to which one start leads depends on how a processor rounds."""


class Reached(NamedTuple):
    """A plan of the chaser alone, and how long it took (s)."""

    plan: Plan
    seconds: float


def plan_reach(scenario: "Berthing", dynamics: Dynamics) -> Reached:
    """Least effort of joints and wheels within their limits and half a turn, the last link's corners outside the
    target's face, the base turned at the end as it was."""
    began, world, reach = time.perf_counter(), dynamics.world, scenario.reach
    alone = Dynamics(
        world.altered(
            bodies=tuple(body for body in world.bodies if body.name != TARGET), latches=(), contacts=(),
            frames=tuple(frame for frame in world.frames if frame.body != TARGET),
        )
    )  # fmt: skip
    wheels, most = scenario.wheel_names(), scenario.wheels
    q, v = alone.state({name: state for name, state in scenario.initial.items() if name != TARGET})
    goal = dict(zip(LINKS, reach.goal, strict=True))
    task = Task(
        alone, q, v, duration=reach.duration, steps=round(reach.duration / reach.period), actuators=(*LINKS, *wheels),
        limits=Limits(
            torque=dict.fromkeys(wheels, most.torque),
            joints=dict.fromkeys(LINKS, (-np.pi, np.pi)),
            rate=dict.fromkeys(LINKS, reach.rate) | dict.fromkeys(wheels, most.momentum / most.inertia),
        ),
        paths=[_outside(scenario, dynamics)],
        end=[joints_at(goal), at_rest(*LINKS, *TURNS), frame_turned(BASE, (1.0, 0.0, 0.0, 0.0))],
    )  # fmt: skip
    try:
        plan = Planner(task).plan(starts=STARTS)
    except NoPlan as failure:
        raise ValueError(f"reach.plan = 'optimal': {failure}"[:290]) from failure
    return Reached(plan, time.perf_counter() - began)


def _outside(scenario: "Berthing", dynamics: Dynamics) -> Condition:
    """How far (m) the last link's two outer corners are before the target's face."""
    R, p = dynamics.pose("P", scenario.state()[0])
    width = scenario.bodies.G.half[1]

    def before(s: Quantities, goal: Any) -> Any:
        R_E, p_E = s.pose("E")
        corners = [p_E + side * goal[6] * R_E[:, 1] for side in (1, -1)]
        return ca.vertcat(*(ca.dot(goal[:3], goal[3:6] - corner) for corner in corners))

    return Condition("the way to the target's face", before, (*R[:, 0], *p, width), 0.0, np.inf, at_end=False)


class Along:
    """The chaser along its plan, the target where it is."""

    def __init__(self, dynamics: Dynamics, reached: Reached, q: np.ndarray) -> None:
        self.reached, plan = reached, reached.plan
        own, whole = plan.made.dynamics.layout, dynamics.layout
        self._plan, self._q, self._v = plan, q.copy(), np.zeros(dynamics.nv)
        self._in_q, self._in_v = (
            np.concatenate([np.arange(at[name].start, at[name].stop) for name in own.q]) for at in (whole.q, whole.v)
        )

    def __call__(self, t: float) -> Wanted:
        wanted = self._plan(t)
        q, v, a = self._q.copy(), self._v.copy(), self._v.copy()
        q[self._in_q], v[self._in_v], a[self._in_v] = wanted
        return Wanted(q, v, a)
