"""A plan as the simulator takes it.

The solver and the simulator round differently, and what grows by 1e8 on the way makes 1e-14 to 1e-6. So where a plan
does not replay as it stands, it is taken once by the simulator with the feedback around it, which changes its torques
by what was rounded; those torques without feedback then give the same motion, to the last bit (docs/theory/optimal.md).
"""

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from softdock.dynamics import StepFailed
from softdock.optimal.coordinates import apart
from softdock.optimal.plans import Plan
from softdock.optimal.regulator import Tracking, Weights

REPLAYED = 1e-10
"""Deviation of a replay without feedback (m or rad) up to which a plan stays as it is."""
FAR = 1e-5
"""Deviation in spite of feedback (m or rad) from which on the simulator takes other steps than the planned ones."""


class Simulated(NamedTuple):
    """What the simulator makes of a plan."""

    plan: Plan
    refused: str
    """The step that it does not take as planned, and why; empty if it takes all."""


def simulated(plan: Plan) -> Simulated:
    """The plan as the simulator takes it; as it was, if its conditions of optimality would not hold then."""
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
    u = planned.u.copy()
    for k in range(made.N):
        u[k] = tracking.torques(k, motion.q, motion.v)
        command = made.drives.command(motion.q[None], planned.xi[k, None], h[k, None], u[k, None])[0]
        try:
            plan.step(motion, k, command)
        except StepFailed as failure:
            return Simulated(plan, str(failure))
        off = float(np.abs(motion.q - planned.q[k + 1]).max())
        if not off <= FAR:
            return Simulated(plan, f"after step {k} it is {off:.2g} elsewhere (m or rad), in spite of feedback")
    return Simulated(_as_it_runs(plan, u), "")


def _as_it_runs(plan: Plan, u: np.ndarray) -> Plan:
    """The plan with these torques, as a replay has it: in orbit that rounds otherwise than single steps do."""
    made, planned = plan.made, plan.motion
    try:
        motion, rows = Plan(made, planned._replace(u=u), plan.solved, plan.status, plan.start).replay(made.task.bare)
    except StepFailed:
        return plan
    q = np.vstack([planned.q[:1], rows.q])
    p, xi = planned.p.copy(), planned.xi.copy()
    if not made.rows:  # else they are not what is left of them by what latches hold
        p[1:] = made.dynamics.momenta(rows.q, rows.v)
    if not made.drives.thrusters:  # else commands are by ξ
        xi = np.array([apart(made.tree, a, b) for a, b in pairwise(q)]) / planned.h[:, None]
    found = planned._replace(q=q, p=p, xi=xi, u=u, v=motion.v)
    better = Plan(
        made, found, made.program.measured(plan.solved, made.pack(found)), plan.status, plan.start, plan.costs
    )
    return better if better.stationary else plan
