"""The hinge of Asci & Nanjangud as it is printed, kept to reproduce its Fig. 4. softdock's own hinge is a latch.

One scalar constraint C = ½ x·x (eq. 14 with l = 0) on the vector x between the coupling points, computed for the target
and a "dummy link" that stands for the last link alone, and fed back with gains (eq. 25):

    J W Jᵀ λ = −J̇ q̇ − J W Q − K_s C − K_d Ċ,        force Jᵀ λ

so that the force is λ x at one point and −λ x at the other. J = xᵀ ∂x/∂q vanishes with x: the hinge cannot close. In
between it is a spring of stiffness K_s / 2w, w = J W Jᵀ / x·x; it tears when the target must be held with more.
"""

import numpy as np

from softdock.contact.laws import push
from softdock.dynamics import Dynamics
from softdock.world import Body, Compliance


class PublishedHinge:
    """A controller that pulls two frames together by eqs. 24-26, called every step."""

    def __init__(
        self,
        dynamics: Dynamics,
        frame_a: str,
        frame_b: str,
        *,
        period: float,
        touching: tuple[float, float],
        apart: tuple[float, float],
        threshold: float,
        contact: Compliance | None,
    ) -> None:
        """`touching` and `apart` are (K_s, K_d) for a contact force above `threshold` (N), and not; without a
        `contact` there is none."""
        self.dynamics, self.frames, self.period = dynamics, (frame_a, frame_b), period
        self._bodies = [dynamics.world.body(dynamics.world.body_of(frame)) for frame in self.frames]
        self._gains, self._threshold, self._contact = {True: touching, False: apart}, threshold, contact

    def __call__(self, t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        d = self.dynamics
        (_, p_a), (_, p_b) = (d.pose(frame, q) for frame in self.frames)
        J_a, J_b = (d.jacobian(frame, q)[3:] for frame in self.frames)
        x, rate = p_b - p_a, (J_b - J_a) @ v
        force, normal = self._contact_force(q)
        C, C_rate = 0.5 * x @ x, x @ rate
        K_s, K_d = self._gains[force > self._threshold]
        W_a, W_b = (self._mobility(body, q, p) for body, p in zip(self._bodies, (p_a, p_b), strict=True))
        inverse_mass = x @ (W_a + W_b) @ x
        if inverse_mass == 0.0:
            return np.zeros(d.nv)
        pushed = x @ ((W_a + W_b) @ normal) * force  # contact pushes the points apart along the normal, b from a
        lam = (-(rate @ rate) - pushed - K_s * C - K_d * C_rate) / inverse_mass
        return np.asarray((J_b - J_a).T @ (lam * x))

    def _mobility(self, body: Body, q: np.ndarray, p: np.ndarray) -> np.ndarray:
        """Acceleration of the point p of a body that floats alone, per force at it (3 × 3)."""
        R, origin = self.dynamics.pose(body.name, q)
        r = p - origin - R @ np.array(body.center)
        cross = np.array([[0, -r[2], r[1]], [r[2], 0, -r[0]], [-r[1], r[0], 0]])
        return np.eye(3) / body.mass - cross @ R @ np.linalg.inv(np.array(body.inertia)) @ R.T @ cross

    def _contact_force(self, q: np.ndarray) -> tuple[float, np.ndarray]:
        """Size of the contact force (N), and the way it pushes b: the first axis of b, whose face is touched."""
        if self._contact is None:
            return 0.0, np.zeros(3)
        values, _ = self.dynamics.gap_values(q)
        depth = -float(values[0])
        if depth <= 0.0:
            return 0.0, np.zeros(3)
        force = push(self._contact.stiffness, self._contact.exponent, 0.0, 0.0, depth, 0.0, 0.0)[0]
        return float(force), self.dynamics.pose(self._bodies[1].name, q)[0][:, 0]
