"""The paper's adaptive extended Kalman filter, corrected (Aghili, eqs. 1-15; docs/theory/estimation.md)."""

import numpy as np

from softdock.estimation import inertia
from softdock.estimation.filter import Estimate, Filter
from softdock.estimation.layouts import PAPER, PAPER_ERROR, PAPER_FLAT, POSE
from softdock.estimation.measurement import Checked, Update
from softdock.estimation.model import Model
from softdock.spatial import conjugate, matrix_of_quaternion, quaternion_of_matrix, quaternion_product

_AT, _POSE = PAPER.places(), POSE.places()
START = PAPER_ERROR.pack(
    attitude=[0.01] * 3,
    flat=PAPER_FLAT.pack(
        angular_velocity=[0.2] * 3, ratios=[0.5] * 2, position=[0.02] * 3, velocity=[0.1] * 3, offset=[0.3] * 3
    ),
    eta=[0.3] * 3,
)
"""Standard deviations of a start from one measurement, in the order of the errors."""


class PaperFilter(Filter):
    """State: attitude, ω, p, r_o, v_o, ρ_t, η, in the target's principal axes. Of the paper's 21 states one is
    redundant (p has two degrees of freedom), so errors are 20.

    `n` (rad/s) is the orbit's rate. It needs a start near the truth: `state` (rad/s, m, m/s) and `covariance` (rad²,
    rad²/s², m², m²/s²) at time `t` (s). Without them it starts from its first measurement with the inertia of a sphere,
    from where it usually fails. Densities of disturbance (`Model`): `torque` (rad/s²/√Hz), `force` (m/s²/√Hz).
    """

    def __init__(
        self,
        n: float,
        *,
        t: float = -np.inf,
        state: np.ndarray | None = None,
        covariance: np.ndarray | None = None,
        torque: float = 1e-6,
        force: float = 1e-6,
    ) -> None:
        super().__init__(Model("paper", n, torque, force))
        if (state is None) != (covariance is None) or (state is not None and not np.isfinite(t)):
            raise ValueError("a start has all of t, state and covariance, or none of them")
        if state is not None:
            x, P = np.array(state, float), np.array(covariance, float)
            if x.shape != (self.model.numbers,) or P.shape != (self.model.errors,) * 2:
                raise ValueError(f"state must have shape (22,) and covariance (20, 20), not {x.shape} and {P.shape}")
            self._place(t, x, P)

    def _use(self, measurement: Checked) -> Update:
        if not self._x.size:
            self._place(measurement.t, _start(measurement.pose), np.diag(START**2))
            return Update(True, None, np.nan)
        nis = self._innovate(measurement, np.inf)
        return Update(True, None, nis) if np.isfinite(nis) else Update(False, "gate", nis)

    def _estimate_of(self, t: float, x: np.ndarray) -> Estimate:
        R_BC, at = matrix_of_quaternion(x[_AT.eta]), _AT.flat
        position, quaternion = self.model.pose(x)
        moments = R_BC.T @ np.diag(inertia.of_ratios(x[at.ratios])) @ R_BC
        spin, offset = R_BC.T @ x[at.angular_velocity], R_BC.T @ x[at.offset]
        return Estimate(t, position, quaternion, spin, x[at.position], x[at.velocity], offset, moments)


def paper_state(estimate: Estimate) -> np.ndarray:
    """The paper's state (layouts.PAPER) of a target described in {C}: principal axes by eigen-decomposition."""
    axes = inertia.principal(estimate.inertia)
    q_CB = quaternion_of_matrix(axes.R_CB)
    eta = conjugate(q_CB)
    R_BC = axes.R_CB.T
    q_AB = quaternion_product(estimate.quaternion, q_CB)
    flat = PAPER_FLAT.pack(
        angular_velocity=R_BC @ estimate.angular_velocity,
        ratios=inertia.ratios_of(axes.moments),
        position=estimate.center,
        velocity=estimate.velocity,
        offset=R_BC @ estimate.offset,
    )
    return PAPER.pack(attitude=q_AB, flat=flat, eta=eta)


def _start(pose: np.ndarray) -> np.ndarray:
    x = np.zeros(PAPER.size({}))
    x[_AT.attitude], x[_AT.flat.position], x[_AT.eta] = (
        pose[_POSE.quaternion],
        pose[_POSE.position],
        (1.0, 0.0, 0.0, 0.0),
    )
    return x
