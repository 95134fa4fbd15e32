"""Feedback around a plan: gains of the linear-quadratic regulator, from the step's own derivatives."""

from dataclasses import dataclass

import numpy as np

from softdock.control.reference import Chart, Wanted
from softdock.optimal.following import OpenLoop
from softdock.optimal.linearisation import linearised
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
    torque: float | tuple[float, ...] = 0.1
    """Of torques that correct them, or of each actuator's (1/(N² m²) or 1/N²)."""


EVEN = Weights()
"""The weights if none are given."""


def gains(plan: Plan, weights: Weights = EVEN) -> np.ndarray:
    """K (N, actuators, 2 nv): torques −K (δ, δp) that bring a deviation back at the least weighted cost (Riccati)."""
    A, B = linearised(plan)
    made, nv = plan.made, plan.made.tree.nv
    driven = made.drives.moved
    R = plan.motion.h[:, None, None] * np.diag(np.broadcast_to(weights.torque, made.sizes["torques"]))
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

    def torques(self, k: int, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """What the actuators do in step k, from a state at its start (N m or N)."""
        plan, task, dynamics = self.plan, self.plan.made.task, self.plan.made.dynamics
        e, _ = self._chart.errors(Wanted(plan.q[k], plan.v[k], 0.0 * v), q, v)
        off = np.concatenate([-e, dynamics.momenta(q, v) - self._momenta[k]])
        return np.asarray(np.clip(plan.torques[k] - self.gains[k] @ off, task.least_torques, task.torques))

    def __call__(self, t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        k = round((t - self.plan.start[2]) / self.period)
        command = super().__call__(t, q, v)
        if not 0 <= k < len(self.gains):
            return command
        plan, given = self.plan, self.plan.made.drives.command
        xi, h = plan.motion.xi[k, None], plan.motion.h[k, None]
        planned, now = (
            given(plan.q[k, None], xi, h, plan.torques[k, None]),
            given(q[None], xi, h, self.torques(k, q, v)[None]),
        )
        return np.asarray(command + (now - planned)[0])
