"""The docking planned by discrete mechanics and optimal control, beside the paper's PD (docs/optimal.md)."""

import time
from typing import TYPE_CHECKING, Any, NamedTuple

import casadi as ca
import numpy as np

from softdock.dynamics import Dynamics, Motion, Trajectory
from softdock.optimal import Condition, Cost, Limits, NoPlan, Plan, Planner, Quantities, Task, joints_at, rates_at
from softdock.optimal.following import OpenLoop
from softdock.runs.ledger import Columns
from softdock.runs.simulation import Simulation
from softdock.scenarios.iss_docking.scenario import END, JOINTS

if TYPE_CHECKING:
    from softdock.scenarios.iss_docking.scenario import IssDocking

ROUND = 0.02
"""Radius (m) of the corner at the bay's mouth: paths are smooth expressions."""
STARTS = 3
"""Of the coarse plan: the payload may go several ways, of which one is cheapest."""
SHORT = 1e-9
"""So much (s) before its touch is PD's end state taken, whose velocity the impact has not changed."""


class PdRun(NamedTuple):
    """What PD does until it docks."""

    t: np.ndarray
    """Of whole steps before the touch (s)."""
    q: np.ndarray
    torques: np.ndarray
    """(steps, joints) held through each (N m)."""
    docked_at: float
    effort: float
    """∫ Σ u² dt until the touch (N² m² s)."""
    angles: np.ndarray
    """Of the joints, just before the touch (rad)."""
    rates: np.ndarray
    """(rad/s)."""


class Docking(NamedTuple):
    """A plan, and what it took."""

    plan: Plan
    pd: PdRun | None
    seconds: float
    iterations: int


def run_pd(scenario: "IssDocking", dynamics: Dynamics) -> PdRun | None:
    """The paper's control from the scenario's start to its docking; None if it does not dock."""
    h, steps, command = scenario.run.h, round(scenario.run.duration / scenario.run.h), scenario.docked_command(dynamics)
    motion = Motion(dynamics, *scenario.state(), h=h)
    rows = motion.run(steps, command, stop_at=(END,))
    if not rows.impacts or rows.impacts[-1].contact != END:
        return None
    docked, whole = motion.t, len(rows.t)
    before = Motion(dynamics, *scenario.state(), h=h)
    before.run(whole, command)
    if docked - SHORT > before.t:
        before.step_to(docked - SHORT, command)
    in_q, in_v = dynamics.layout.flat(JOINTS)
    sizes = np.append(np.full(whole, h), docked - whole * h)
    q = np.vstack([scenario.state()[0], rows.q, before.q])
    middle, rate = (q[1:, in_q] + q[:-1, in_q]) / 2, np.diff(q[:, in_q], axis=0) / sizes[:, None]
    torques = scenario.arm.kp * (np.array(scenario.arm.docked) - middle) - scenario.arm.kd * rate
    effort = float((sizes[:, None] * torques**2).sum())
    return PdRun(
        np.arange(whole + 1) * h, q[:-1], torques, docked, effort, before.q[in_q].copy(), before.v[in_v].copy()
    )


def plan_docking(scenario: "IssDocking", dynamics: Dynamics) -> Docking:
    """A coarse plan, then one on the simulation's own step from it, the instant of the touch left free."""
    began, pd = time.perf_counter(), run_pd(scenario, dynamics)
    how, h = scenario.optimal, scenario.run.h
    if how.end == "pd" and pd is None:
        raise ValueError("optimal.end = 'pd': PD does not dock in this scenario; take optimal.end = 'gentle'")
    ends = _like_pd(pd) if how.end == "pd" and pd is not None else _gentle(scenario)
    duration: Any = pd.docked_at if how.end == "pd" and pd is not None else how.duration
    if duration == 0.0:
        duration = (scenario.run.duration / 8, scenario.run.duration - 2 * h)
    try:
        coarse = _planner(scenario, dynamics, ends, duration=duration, steps=how.knots).plan(starts=STARTS)
        if how.end == "gentle":  # the instant of the touch is a variable
            ends, touch, duration = ends[1:], ends[0], h * np.ceil(coarse.duration / h - 1e-9)
            fine = _planner(scenario, dynamics, ends, duration=duration, h=h, touch=touch).plan(guess=coarse)
        else:
            fine = _planner(scenario, dynamics, ends, duration=duration, h=h).plan(guess=coarse)
    except NoPlan as failure:
        raise ValueError(f"control = 'optimal': {failure}"[:290]) from failure
    iterations = coarse.solved.iterations + fine.solved.iterations
    return Docking(fine, pd, time.perf_counter() - began, iterations)


def planner_to_pd(scenario: "IssDocking", dynamics: Dynamics, **how: Any) -> Planner:
    """To where PD docks, in `steps` or of size `h` (s): what `softdock bench` measures."""
    pd = run_pd(scenario, dynamics)
    if pd is None:
        raise ValueError("PD does not dock in this scenario")
    return _planner(scenario, dynamics, _like_pd(pd), duration=pd.docked_at, **how)


def _planner(scenario: "IssDocking", dynamics: Dynamics, ends: list[Condition], **when: Any) -> Planner:
    how = scenario.optimal
    cost = Cost(time=how.time_weight) if isinstance(when["duration"], tuple) else Cost()
    task = Task(
        dynamics, *scenario.state(), actuators=JOINTS, cost=cost, limits=Limits(torque=how.torque),
        paths=[corridor(scenario)], end=ends, **when,
    )  # fmt: skip
    return Planner(task)


def _like_pd(pd: PdRun) -> list[Condition]:
    return [
        joints_at(dict(zip(JOINTS, pd.angles.tolist(), strict=True))),
        rates_at(dict(zip(JOINTS, pd.rates.tolist(), strict=True))),
    ]


def _gentle(scenario: "IssDocking") -> list[Condition]:
    """The touch first: the payload at the middle of the end wall, turned as the latch has it, straight on."""

    def off(s: Quantities, goal: ca.SX) -> ca.SX:
        R, p = s.pose("payload", "port")
        return ca.vertcat(p[:2], R[1, 0])

    def closing(s: Quantities, goal: ca.SX) -> ca.SX:
        return s.rate(off(s, goal)) - _along(scenario, goal)

    return [
        Condition("payload at the port", off),
        Condition("approach speed", closing, (scenario.optimal.approach_speed,)),
    ]


def _along(scenario: "IssDocking", speed: ca.SX) -> ca.SX:
    """The way in, as the port's axes have it, at a speed; not turning."""
    turned = scenario.bay.angle - sum(scenario.arm.docked)
    return ca.vertcat(np.cos(turned) * speed, np.sin(turned) * speed, 0)


def corridor(scenario: "IssDocking") -> Condition:
    """Room (m) between the payload and the walls: within the bay half its width, before it a funnel of 45°."""
    bay, radius, margin = scenario.bay, scenario.payload.radius, scenario.optimal.margin

    def room(s: Quantities, goal: ca.SX) -> ca.SX:
        length, reach, half = goal[0], goal[1], goal[2]
        x, y = (s.position("payload", "end wall")[k] for k in range(2))
        outside = -(x + length) - reach * (np.sqrt(2) - 1)
        free = half + (outside + ca.sqrt(outside**2 + ROUND**2)) / 2 - ROUND / 2
        return ca.vertcat(free - y, free + y, -reach - x)

    goal = (bay.length, radius, bay.width / 2 - radius - margin)
    return Condition("room to the walls of the bay", room, goal, 0.0, np.inf, at_end=False)


def measures(docking: Docking, rows: Trajectory) -> dict[str, Any]:
    """What the run is judged by beside PD."""
    plan, pd = docking.plan, docking.pd
    whole = min(len(plan.motion.u) - 1, len(rows.q) - 1)
    every = round((rows.t[1] - rows.t[0]) / plan.motion.h[0]) if len(rows.t) > 1 else 1
    at = np.arange(0, whole + 1)[::every]
    return {
        "effort": plan.effort,
        "effort_pd": None if pd is None else pd.effort,
        "effort_ratio": None if pd is None else plan.effort / pd.effort,
        "docked_at_pd": None if pd is None else pd.docked_at,
        "replay_error": float(np.abs(rows.q[: len(at)] - plan.q[at]).max()),
        "plan_seconds": docking.seconds,
        "plan_iterations": docking.iterations,
        "kkt_residual": plan.solved.kkt,
        "conditioning": plan.conditioning(),
    }


class Follow(OpenLoop):
    """The plan at work, until the payload is docked."""

    def __init__(self, docking: Docking) -> None:
        super().__init__(docking.plan)
        self.docking = docking


def docking_of(simulation: Simulation) -> Docking:
    """What a simulation of a planned docking follows."""
    return next(one.docking for one in simulation.all_controllers if isinstance(one, Follow))


def tables(docking: Docking) -> dict[str, Columns]:
    """Torques of the plan and of PD, held through each step from its time on, and PD's station and joints."""
    plan, pd = docking.plan, docking.pd
    torques = {f"u.{name}": (plan.torques[:, k], "N m") for k, name in enumerate(JOINTS)}
    found: dict[str, Columns] = {"planned": {"t": (plan.t[:-1], "s")} | torques}
    if pd is not None:
        layout = plan.made.dynamics.layout
        angles = {"q.iss.angle": (pd.q[:, layout.q["iss"].stop - 1], "rad")}
        angles |= {f"q.{name}": (pd.q[:, layout.q[name].start], "rad") for name in JOINTS}
        torques = {f"u.{name}": (pd.torques[:, k], "N m") for k, name in enumerate(JOINTS)}
        found["pd"] = {"t": (pd.t, "s")} | angles | torques
    return found
