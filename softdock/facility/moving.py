"""Where something should be: a pose with its twist and acceleration, and the free body that is simulated."""

from typing import NamedTuple

import numpy as np

from softdock.dynamics import Dynamics, Motion
from softdock.spatial import cross, matrix_of_vector, quaternion_of_matrix
from softdock.world import Body, Free, NoGravity, Orbit, World


class Moving(NamedTuple):
    """A frame in motion, in world axes: rotation, place, velocity, acceleration, angular velocity and acceleration."""

    R: np.ndarray
    p: np.ndarray
    v: np.ndarray
    a: np.ndarray
    w: np.ndarray
    alpha: np.ndarray

    def after(self, dt: float) -> "Moving":
        """Some time later (s; or earlier) at constant accelerations."""
        turn = matrix_of_vector(dt * self.w + 0.5 * dt * dt * self.alpha)
        p, v = self.p + dt * self.v + 0.5 * dt * dt * self.a, self.v + dt * self.a
        return Moving(turn @ self.R, p, v, self.a, self.w + dt * self.alpha, self.alpha)

    def with_slope(self, dt: float, jerk: np.ndarray, spin: np.ndarray) -> "Moving":
        """What `after(dt)` lacks if accelerations change at these rates (m/s³, rad/s³)."""
        turn = matrix_of_vector(dt**3 / 6 * spin)
        return Moving(
            turn @ self.R,
            self.p + dt**3 / 6 * jerk,
            self.v + 0.5 * dt * dt * jerk,
            self.a + dt * jerk,
            self.w + 0.5 * dt * dt * spin,
            self.alpha + dt * spin,
        )

    @property
    def twist(self) -> np.ndarray:
        """Angular velocity, then velocity (6)."""
        return np.concatenate([self.w, self.v])


def free_body(mass: float, inertia: tuple[float, float, float]) -> Body:
    """About its own centre of mass."""
    return Body.model_validate({"name": "body", "joint": Free(), "mass": mass, "inertia": inertia})


class FreeBody:
    """A simulated free rigid body under measured wrenches about its frame's origin, in softdock's own steps of `period`
    (s), in an orbit if one is given."""

    def __init__(self, body: Body, start: Moving, period: float, orbit: Orbit | None = None) -> None:
        self.dynamics = Dynamics(World(gravity=orbit or NoGravity(), bodies=(body,)))
        q = np.concatenate([start.p, quaternion_of_matrix(start.R)])
        self._motion = Motion(self.dynamics, q, np.concatenate([start.v, start.R.T @ start.w]), h=period)
        I = np.array(body.inertia)
        self._command, self._inertia = np.zeros(6), I.diagonal()
        self._plain = orbit is None and not any(body.center) and np.count_nonzero(I - np.diag(I.diagonal())) == 0
        self.now = self._moving()

    def _moving(self) -> Moving:
        q, v, u = self._motion.q, self._motion.v, self._command
        R, p = self.dynamics.pose("body", q)
        if not self._plain:
            a = self.dynamics.forward_dynamics(q, v, u, self._motion.t)
        else:
            spin = (u[3:] - cross(v[3:], self._inertia * v[3:])) / self._inertia  # Euler's equation
            a = np.concatenate([u[:3] / self.dynamics.mass, spin])
        # ω = R ω_b, so ω̇ = R ω̇_b: ω × ω is nothing
        return Moving(R, p, v[:3], a[:3], R @ v[3:], R @ a[3:])

    def advance(self, mean: np.ndarray, last: np.ndarray) -> None:
        """Over one period under a mean wrench: force (N), then torque about its centre (N m), in world axes; `last` is
        what it is accelerated by at the end."""
        self._command[:3], self._command[3:] = mean[:3], mean[3:] @ self.now.R
        self._motion.run(1, self._command)
        self._command[:3], self._command[3:] = last[:3], last[3:] @ self.now.R
        self.now = self._moving()


def wrench_to_move(dynamics: Dynamics, at: Moving) -> np.ndarray:
    """Force, then torque about its frame's origin (6), in world axes, that moves the one free body of a world so."""
    q = np.concatenate([at.p, quaternion_of_matrix(at.R)])
    v, a = np.concatenate([at.v, at.w @ at.R]), np.concatenate([at.a, at.alpha @ at.R])
    out = dynamics.inverse_dynamics(q, v, a)
    return np.concatenate([out[:3], at.R @ out[3:]])
