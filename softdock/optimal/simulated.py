"""A plan as the simulator takes it.

The solver and the simulator round differently, and what grows by 1e8 on the way makes 1e-14 to 1e-6. So where a plan
does not replay as it stands, it is taken once by the simulator with the feedback around it, which changes its torques
by what was rounded; those torques without feedback then give the same motion, to the last bit (docs/theory/optimal.md).
"""

from typing import NamedTuple

import numpy as np

from softdock.dynamics import StepFailed
from softdock.optimal.plans import Plan
from softdock.optimal.regulator import Tracking, Weights

REPLAYED = 1e-10
"""Deviation of a replay without feedback (m or rad) up to which a plan stays as it is."""
NEAR, FAR = 1e-8, 1e-5
"""A step from within the one of a plan to beyond the other (m or rad) is another than the planned one."""


class Simulated(NamedTuple):
    """What the simulator makes of a plan."""

    plan: Plan
    refused: str
    """The step that it does not take as planned, and why; empty if it takes all."""


def simulated(plan: Plan) -> Simulated:
    """The plan as the simulator takes it; as it was, if feedback does not keep it there."""
    try:
        rows = plan.replay(plan.made.task.bare)[1]
        if np.abs(rows.q - plan.q[1:]).max() <= REPLAYED:
            return Simulated(plan, "")
    except StepFailed:
        pass
    made, planned, h = plan.made, plan.motion, plan.motion.h
    assert made.units is not None
    tracking = Tracking(plan, Weights(torque=tuple(1.0 / made.units.torque**2)))
    motion = made.task.start(*plan.start, float(h[0]))
    q, u, before = planned.q.copy(), planned.u.copy(), 0.0
    for k in range(made.N):
        u[k] = tracking.torques(k, motion.q, motion.v)
        command = made.drives.command(motion.q[None], planned.xi[k, None], h[k, None], u[k, None])[0]
        try:
            plan.step(motion, k, command)
        except StepFailed as failure:
            return Simulated(plan, str(failure) if before <= NEAR else "")
        q[k + 1] = motion.q
        off = float(np.abs(q[k + 1] - planned.q[k + 1]).max())
        if before <= NEAR and off > FAR:
            return Simulated(plan, f"step {k} leads the simulator to elsewhere, {off:.2g} off (m or rad)")
        before = max(before, off)
    found = planned._replace(q=q, u=u, v=motion.v)
    x, at = made.pack(found), made.end_impulses
    x[at] = plan.solved.x[at]
    solved = made.program.measured(plan.solved, x)
    better = Plan(made, found, solved, plan.status, plan.start, plan.costs)
    return Simulated(better if better.optimal else plan, "")
