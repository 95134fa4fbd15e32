"""Feedback around a plan: linear-quadratic gains from the step's own derivatives, and planning again in the loop."""

from dataclasses import dataclass

import numpy as np

from softdock.control.reference import Chart, Wanted
from softdock.optimal.following import OpenLoop
from softdock.optimal.linearisation import linearised
from softdock.optimal.planner import NoPlan, Planner
from softdock.optimal.plans import Plan


@dataclass(frozen=True)
class Weights:
    """Of squared deviations from a plan, one number for all."""

    joints: float = 1.0
    """Of actuated joints (1/rad² or 1/m²)."""
    rates: float = 1.0
    """Of their rates (s²/rad² or s²/m²)."""
    final: float = 10.0
    """At the end, times both of these (-)."""
    torque: float = 0.1
    """Of torques that correct them (1/(N² m²) or 1/N²)."""


EVEN = Weights()
"""The weights if none are given."""


def gains(plan: Plan, weights: Weights = EVEN) -> np.ndarray:
    """K (N, actuators, 2 nv): torques −K (δ, δp) that bring a deviation back at the least weighted cost (Riccati)."""
    A, B = linearised(plan)
    made, nv = plan.made, plan.made.tree.nv
    driven = made.drives.moved
    R = weights.torque * plan.motion.h[:, None, None] * np.eye(made.sizes["torques"])
    inverse = np.linalg.inv(made.dynamics.mass_matrix(plan.q))

    def of_state(k: int, final: float) -> np.ndarray:
        C = np.zeros((2 * len(driven), 2 * nv))
        C[range(len(driven)), driven] = np.sqrt(weights.joints)
        C[len(driven) :, nv:] = np.sqrt(weights.rates) * inverse[k][driven]
        return final * C.T @ C

    P = of_state(-1, weights.final)
    K = np.zeros((len(A), made.sizes["torques"], 2 * nv))
    for k in range(len(A) - 1, -1, -1):
        K[k] = np.linalg.solve(R[k] + B[k].T @ P @ B[k], B[k].T @ P @ A[k])
        closed = A[k] - B[k] @ K[k]
        P = of_state(k, float(plan.motion.h[k])) + K[k].T @ R[k] @ K[k] + closed.T @ P @ closed
        P = (P + P.T) / 2
    return K


class Tracking(OpenLoop):
    """A plan's commands, with linear-quadratic feedback on what the world deviates from it, once a step of the plan."""

    def __init__(self, plan: Plan, weights: Weights = EVEN) -> None:
        super().__init__(plan)
        self.gains = gains(plan, weights)
        self._chart = Chart(plan.made.dynamics)
        self._momenta = plan.made.dynamics.momenta(plan.q, plan.v)

    def __call__(self, t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        k = round((t - self.plan.start[2]) / self.period)
        command = super().__call__(t, q, v)
        if not 0 <= k < len(self.gains):
            return command
        plan, made = self.plan, self.plan.made
        e, _ = self._chart.errors(Wanted(plan.q[k], plan.v[k], 0.0 * v), q, v)
        off = np.concatenate([-e, made.dynamics.momenta(q, v) - self._momenta[k]])
        u = np.clip(plan.torques[k] - self.gains[k] @ off, made.task.least_torques, made.task.torques)
        given, xi, h = made.drives.command, plan.motion.xi[k, None], plan.motion.h[k, None]
        planned, now = given(plan.q[k, None], xi, h, plan.torques[k, None]), given(q[None], xi, h, u[None])
        return np.asarray(command + (now - planned)[0])


class RecedingHorizon:
    """Plans again every `period` (s) from where the world is, for what is left of the first plan's duration, and gives
    each plan's torques, held over a `step` (s) of the loop; within `least` (s) of the end the last plan is kept. Plans
    have as many steps as the first, so that nothing is built anew. `seconds` and `failures` tell how long each took,
    and which failed (the plan before is kept then)."""

    def __init__(self, planner: Planner, plan: Plan, *, period: float = 0.5, step: float, least: float = 1.0) -> None:
        self.planner, self.plan, self.period = planner, plan, float(step)
        self._every, self._least, self._end = float(period), float(least), float(plan.t[-1])
        self._next = float(plan.t[0])
        self.seconds: list[float] = []
        self.failures: list[str] = []

    def __call__(self, t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        if t >= self._next - 1e-9 and self._end - t > self._least:
            self._next = t + self._every
            try:
                self.plan = self.planner.plan(q, v, t, duration=self._end - t, guess=self.plan, warm=self.plan)
                self.seconds.append(self.plan.solved.seconds)
            except NoPlan as failure:
                self.failures.append(str(failure))
        h = np.array([self.period])
        return np.asarray(self.plan.made.drives.command(q[None], v[None], h, self._mean(t)[None])[0])

    def _mean(self, t: float) -> np.ndarray:
        """The plan's torques over the coming step of the loop, of which the plan's may be several, or a part."""
        plan = self.plan
        impulses = np.vstack([0.0 * plan.torques[0], np.cumsum(plan.motion.h[:, None] * plan.torques, axis=0)])
        both = [[np.interp(at, plan.t, column) for column in impulses.T] for at in (t, t + self.period)]
        return (np.array(both[1]) - both[0]) / self.period
