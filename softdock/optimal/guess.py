"""Where a solution is sought from: motions that keep the step's equations, and with them momentum.

Driven joints go along smooth curves; what is not driven, and the torques, follow from the step itself. A guess at rest
was found to lead to a wrong root.
"""

from typing import Any

import numpy as np

from softdock.optimal import stage
from softdock.optimal.coordinates import displaced
from softdock.optimal.program import Part
from softdock.optimal.transcription import Transcription, Units, Variables

ASIDE = 0.1
"""By so much (rad or m) a guess's end is moved where a condition has no value."""


class Guesser:
    """Guesses for a transcription."""

    def __init__(self, made: Transcription) -> None:
        self._made, self._task = made, made.task
        tree = made.tree
        flat = {link.v + k: link.q + k for link in tree.links if link.kind != "S" for k in range(link.dof)}
        turning = {link.v for link in tree.links if link.kind in "RP"}
        self.in_v = np.array([k for k in made.actuated if k in turning], dtype=int)
        self.in_q = np.array([flat[int(k)] for k in self.in_v], dtype=int)

    # --- joints --------------------------------------------------------------------------------

    def joints(self, q: np.ndarray, v: np.ndarray, rng: np.random.Generator | None) -> np.ndarray:
        """(N + 1, driven): quintic curves from the start to where the end's conditions are met, as nearly as the driven
        joints alone can; with `rng`, another way there."""
        T, s = float(self._task.sizes.sum()), self._grid
        start = q[self.in_q]
        goal, rate = self._goal(q, v, T, rng)
        low, high = (side[self.in_q] for side in self._task.ranges)
        path = _quintic(s, start, goal, T * v[self.in_v], T * rate)
        if rng is not None:
            path += np.sin(np.pi * s)[:, None] ** 2 * rng.normal(0.0, 0.3, len(start))
        return np.asarray(np.clip(path, np.minimum(low + 1e-3, start), np.maximum(high - 1e-3, start)))

    @property
    def _grid(self) -> np.ndarray:
        h = self._task.sizes
        return np.concatenate([[0.0], np.cumsum(h) / h.sum()])

    def _goal(
        self, q: np.ndarray, v: np.ndarray, T: float, rng: np.random.Generator | None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Values and rates of the driven joints that meet the end's conditions best (Levenberg and Marquardt)."""
        nq, theta = self._made.tree.nq, self._made.dynamics.theta
        if not self._made.conditions:
            return q[self.in_q], np.zeros(len(self.in_q))
        ends = self._made.conditions
        low, high = (side[self.in_q] for side in self._task.ranges)
        z = np.concatenate([q, np.zeros_like(v)])
        if rng is not None:
            z[self.in_q] = np.clip(z[self.in_q] + rng.normal(0.0, 0.5, len(self.in_q)), low, high)
        damping = 1e-3
        c, J = _met(ends, z, theta)
        if not np.all(np.isfinite(c)):
            return q[self.in_q], np.zeros(len(self.in_q))
        here, at_v = J[:, self.in_q], nq + self.in_v
        if not np.abs(here).max(initial=0.0) > 0.0:  # nothing is asked of where the joints end: they brake
            z[self.in_q] = np.clip(q[self.in_q] + v[self.in_v] * T / 2, low, high)
        for _ in range(100):
            step = np.linalg.solve(here.T @ here + damping * np.eye(here.shape[1]), here.T @ c)
            tried = z.copy()
            tried[self.in_q] = np.clip(z[self.in_q] - np.clip(step, -0.5, 0.5), low, high)
            c_tried, J_tried = _met(ends, tried, theta)
            if c_tried @ c_tried < c @ c:
                done = c_tried @ c_tried > (1 - 1e-9) * (c @ c)
                z, c, here, J, damping = tried, c_tried, J_tried[:, self.in_q], J_tried, max(damping / 5, 1e-9)
                if done:
                    break
            else:
                damping *= 5
            if c @ c < 1e-20 or damping > 1e6:
                break
        rate = np.linalg.lstsq(J[:, at_v], -c, rcond=1e-6)[0] if len(c) else np.zeros(len(self.in_v))
        most = self._task.rates[self.in_v]
        return z[self.in_q], np.clip(rate, -most, most)

    # --- the world along them ------------------------------------------------------------------

    def along(self, path: np.ndarray, start: tuple[np.ndarray, np.ndarray, float], h: np.ndarray) -> Variables:
        """The motion from (q, v, t) in which driven joints go along a path (N + 1, driven); nothing else is driven."""
        made = self._made
        motion = self._task.start(*start)
        q, p = motion.q, made.dynamics.momenta(motion.q, motion.v)
        xi = motion.v
        N, tree = made.N, made.tree
        out = Variables(
            np.empty((N + 1, tree.nq)), np.empty((N + 1, tree.nv)), np.empty((N, tree.nv)),
            np.zeros((N, made.sizes["torques"])), np.zeros((N, len(made.rows))), np.zeros(tree.nv), h.copy(),
        )  # fmt: skip
        follow = Follower(made, self.in_v)
        z = follow.start(q, p, xi)
        for k in range(N):
            out.q[k], out.p[k] = q, p
            z = follow.step(k, z, q, p, (path[k + 1] - path[k]) / h[k], h[k])
            x = stage.STAGE.view(z[: stage.STAGE.size(made.sizes)], made.sizes)
            out.xi[k], out.u[k], out.impulses[k] = x.xi, x.u, x.impulses
            q, p = x.q_next.copy(), x.p_next.copy()
        out.q[N], out.p[N] = q, p
        out.v[:] = made.velocity(q, p)
        return out

    def default(self, q: np.ndarray, v: np.ndarray, t: float, rng: np.random.Generator | None = None) -> Variables:
        """The first guess, or with `rng` another."""
        motion = self.along(self.joints(q, v, rng), (q, v, t), self._task.sizes)
        ends = self._made.conditions
        z = np.concatenate([motion.q[-1], motion.v])
        if ends and not np.all(np.isfinite(_met(ends, z, self._made.dynamics.theta)[0])):
            # half a turn from an attitude there is no way that is shorter than others: take one
            motion.q[-1] = displaced(self._made.tree, motion.q[-1], np.full(self._made.tree.nv, ASIDE))
        return motion


class Follower:
    """The step with the velocities of driven joints given, their torques sought (Newton's method)."""

    def __init__(self, made: Transcription, driven: np.ndarray) -> None:
        self._made = made
        n, places = stage.STAGE.size(made.sizes), stage.STAGE.places(made.sizes)
        index = np.arange(n)
        xi, u = index[places.xi], index[places.u]
        torque_of = {v: u[k] for k, v in enumerate(made.actuated)}
        free = np.setdiff1d(np.arange(made.tree.nv), driven)
        self._driven = xi[driven]
        self._unknown = np.concatenate(
            [xi[free], [torque_of[int(v)] for v in driven], index[places.impulses], index[places.q_next.start :]]
        ).astype(int)
        part = made.program.parts[0]
        self._block, self._free = part.block, part.block.n > n
        self._given = part.given

    def start(self, q: np.ndarray, p: np.ndarray, xi: np.ndarray) -> np.ndarray:
        made = self._made
        z = np.zeros(self._block.n)
        x = stage.STAGE.view(z[: stage.STAGE.size(made.sizes)], made.sizes)
        x.q_next[:], x.xi[:] = q, xi
        return z

    def step(self, k: int, z: np.ndarray, q: np.ndarray, p: np.ndarray, rate: np.ndarray, h: float) -> np.ndarray:
        """z of the next stage, in SI units, from the last one."""
        made, block, theta = self._made, self._block, self._made.dynamics.theta
        e = self._given[min(k, len(self._given) - 1)][None].copy()
        view = stage.GIVEN.view(e, made.sizes)
        view.momentum[:], view.torque[:], view.impulse[:], view.h[:] = 1.0, 1.0, 1.0, h
        z = z.copy()
        x = stage.STAGE.view(z[: stage.STAGE.size(made.sizes)], made.sizes)
        x.q[:], x.p[:], x.p_next[:] = q, p, p
        if self._free:
            z[-1] = h
        z[self._driven] = rate
        rows, columns = block.jacobian
        before = np.inf
        for _ in range(30):
            c = block.value(z[None], e, theta)[0, 1:]
            J = np.zeros((block.m, block.n))
            J[rows, columns] = block.slope(z[None], e, theta)[0, block.n :]
            own = J[:, self._unknown]
            scale = np.maximum(np.abs(own).max(axis=1), 1e-300)
            try:
                change = np.linalg.solve(own / scale[:, None], c / scale)
            except np.linalg.LinAlgError:
                break
            z[self._unknown] -= change
            size = float(np.abs(change).max() / (1.0 + np.abs(z[self._unknown]).max()))
            if not np.isfinite(size):
                break
            if size < 1e-13 or (size < 1e-9 and size >= 0.5 * before):
                return z
            before = size
        raise ValueError(f"the guess cannot follow its joints at step {k}: give a guess, or more steps")


def units_of(made: Transcription, motion: Variables) -> Units:
    """Units in which a motion's numbers are about one: momenta by how much they change, but none finer than a tenth of
    the largest in the norm of kinetic energy."""
    size = np.sqrt(np.diag(made.dynamics.mass_matrix(motion.q[0])))
    change = np.ptp(motion.p, axis=0) / size
    T, torques = float(motion.h.sum()), made.task.torques
    most = float(change.max())
    driven = size[made.drives.first]
    if most == 0.0:
        bounded = np.where(np.isfinite(torques), torques, 1.0)
        most = float((bounded * T / driven).max())
    momentum = size * np.maximum(change, 0.1 * most)
    given = np.abs(motion.u).max(axis=0)
    typical = np.maximum(given, 0.1 * max(float(given.max(initial=0.0)), 1e-3 * most * float(driven.min()) / T))
    torque = np.where(np.isfinite(torques) & (torques > 0), np.minimum(torques, 10 * typical), typical)
    return Units(momentum, torque, float(np.abs(motion.impulses).max(initial=0.0)) or 1.0)


def _met(ends: list[Part], z: np.ndarray, theta: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """How far conditions are from being met, and the Jacobian of that."""
    off, slopes = [], []
    for part in ends:
        c = part.block.value(z[None], part.given, theta)[0, 1:]
        J = np.zeros((part.block.m, part.block.n))
        J[part.block.jacobian] = part.block.slope(z[None], part.given, theta)[0, part.block.n :]
        within = np.clip(c, part.low[0], part.high[0])
        off.append(c - within)
        slopes.append(np.where((c == within)[:, None] & (part.low < part.high).T, 0.0, J))
    return np.concatenate(off), np.vstack(slopes)


def _quintic(s: np.ndarray, a: np.ndarray, b: np.ndarray, va: np.ndarray, vb: np.ndarray) -> np.ndarray:
    """From a with slope va to b with slope vb over s from 0 to 1, without acceleration at both ends."""
    s = s[:, None]
    rise = s**3 * (10 - 15 * s + 6 * s * s)
    leave, arrive = s - s**3 * (6 - 8 * s + 3 * s * s), s**3 * (-4 + 7 * s - 3 * s * s)
    return np.asarray(a + rise * (b - a) + leave * va + arrive * vb)


def resampled(made: Transcription, other: Variables, h: np.ndarray, past: float = 0.0) -> Variables:
    """A motion on another grid of steps, over its duration or what is left of it when a share is past."""

    def over(values: np.ndarray, at: np.ndarray, new: np.ndarray) -> np.ndarray:
        columns: Any = [np.interp(new, at, values[:, k]) for k in range(values.shape[1])]
        return np.column_stack(columns) if columns else np.zeros((len(new), 0))

    old, new = (np.concatenate([[0.0], np.cumsum(sizes)]) / sizes.sum() for sizes in (other.h, h))
    new = past + (1.0 - past) * new
    middle, middle_new = (old[1:] + old[:-1]) / 2, (new[1:] + new[:-1]) / 2
    stretch = float((1.0 - past) * other.h.sum() / h.sum())
    q = over(other.q, old, new)
    for k in made.dynamics.layout.quaternions():
        q[:, k : k + 4] /= np.linalg.norm(q[:, k : k + 4], axis=1, keepdims=True)
    impulses = over(other.impulses / other.h[:, None], middle, middle_new) * h[:, None]
    return Variables(
        q, over(other.p, old, new), stretch * over(other.xi, middle, middle_new), over(other.u, middle, middle_new),
        impulses, other.v, h,
    )  # fmt: skip
