"""Where a solution is sought from: motions that keep the step's equations, and with them momentum.

Driven joints go along smooth curves; what is not driven, and the torques, follow from the step itself. A guess at rest
was found to lead to a wrong root.
"""

from itertools import combinations
from typing import Any

import numpy as np

from softdock.optimal import stage
from softdock.optimal.coordinates import displaced, lifted, tangents
from softdock.optimal.program import Part
from softdock.optimal.transcription import Transcription, Units, Variables

UNDEFINED = 1e12
"""Beyond this (m, rad, m/s, …) a condition has no value."""
FLAT = 1e-7
"""Slope of the conditions, over what they are off by, below which a guess is led aside."""
RESOLVED = 1e-5
"""Of a momentum itself, the least unit of it: rounding must be small beside the solver's tolerances."""
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
        self.driven = np.array(made.actuated, dtype=int)
        self._straight = [link.v + k for link in tree.links if link.kind in "TP" for k in range(link.dof)]

    # --- joints --------------------------------------------------------------------------------

    def led(self, q: np.ndarray) -> np.ndarray:
        """Velocities that a guess prescribes: those that are driven; or, where the end asks for a free body's
        attitude or rates and nothing of three driven joints, as of wheels, that body's in place of theirs, so that they
        take up what momentum there is."""
        made = self._made
        if not made.conditions:
            return self.driven
        asked = self.asked(q)
        turned = [k for k in made.dynamics.plant.spherical if k not in made.actuated and np.all(asked[k : k + 3] > 0)]
        idle = [k for k in self.in_v if asked[k] == 0.0]
        if len(turned) != 1 or len(idle) < 3:
            return self.driven
        body = np.arange(turned[0], turned[0] + 3)
        M = made.dynamics.mass_matrix(q)
        drag = np.abs(M[np.ix_(body, idle)]) / np.diag(M)[idle]  # at most one, and one of a wheel about its own axis
        three = max(combinations(idle, 3), key=lambda of: abs(np.linalg.det(M[np.ix_(body, of)])))
        if not np.linalg.cond(drag[:, [idle.index(k) for k in three]]) < 1e3:
            return self.driven
        return np.concatenate([body, np.setdiff1d(self.driven, three)])

    def asked(self, q: np.ndarray) -> np.ndarray:
        """(nv): by how much the end's conditions depend on each displacement and velocity."""
        made, nq = self._made, self._made.tree.nq
        J = _met(made.conditions, np.concatenate([q, np.zeros(made.tree.nv)]), made.dynamics.theta, nq)[1]
        by_place = np.abs(J[:, :nq] @ lifted(tangents(made.tree, q[None]))[0]).max(axis=0)
        return np.asarray(by_place + np.abs(J[:, nq:]).max(axis=0))

    def joints(self, q: np.ndarray, v: np.ndarray, rng: np.random.Generator | None, moving: np.ndarray) -> np.ndarray:
        """(N + 1, moving): displacements from the start along quintic curves to where the end's conditions are met, as
        nearly as what is prescribed alone can; with `rng`, another way there."""
        T, s = float(self._task.sizes.sum()), self.grid
        goal, rate = self._goal(q, v, T, rng, moving)
        path = _quintic(s, np.zeros(len(moving)), goal, T * v[moving], T * rate)
        if rng is not None:
            path += np.sin(np.pi * s)[:, None] ** 2 * rng.normal(0.0, 0.3, len(moving))
        return self.kept(path, q, moving)

    def kept(self, path: np.ndarray, q: np.ndarray, moving: np.ndarray) -> np.ndarray:
        """Displacements within the joints' ranges."""
        low, high = self._room(q, moving)
        return np.asarray(np.clip(path, np.minimum(low + 1e-3, 0.0), np.maximum(high - 1e-3, 0.0)))

    def _room(self, q: np.ndarray, moving: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """How far down and up from q these may be displaced."""
        sides = []
        for side, none in zip(self._task.ranges, (-np.inf, np.inf), strict=True):
            room = np.full(self._made.tree.nv, none)
            room[self.in_v] = side[self.in_q] - q[self.in_q]
            sides.append(room[moving])
        return sides[0], sides[1]

    @property
    def grid(self) -> np.ndarray:
        """(N + 1): times of the knots, of the duration."""
        h = self._task.sizes
        return np.concatenate([[0.0], np.cumsum(h) / h.sum()])

    def _goal(
        self, q: np.ndarray, v: np.ndarray, T: float, rng: np.random.Generator | None, moving: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Displacements and rates that meet the end's conditions best (Levenberg and Marquardt)."""
        tree, ends = self._made.tree, self._made.conditions
        low, high = self._room(q, moving)
        nothing = np.zeros(len(moving))

        def met(delta: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
            """The conditions, by displacements and by rates."""
            full = np.zeros(tree.nv)
            full[moving] = delta
            there = displaced(tree, q, full)
            c, J = _met(ends, np.concatenate([there, np.zeros(tree.nv)]), self._made.dynamics.theta, tree.nq)
            return c, (J[:, : tree.nq] @ lifted(tangents(tree, there[None]))[0])[:, moving], J[:, tree.nq + moving]

        delta = nothing if rng is None else np.clip(rng.normal(0.0, 0.5, len(moving)), low, high)
        if not ends:
            return nothing, nothing
        damping = 1e-3
        most = np.where(np.isin(moving, self._straight), np.inf, 0.5)  # of a turn: beyond, linear equations say nothing
        c, here, rates = met(delta)
        if rng is None and _defined(c) and np.abs(here.T @ c).max(initial=0.0) <= FLAT * float(np.abs(c).max()):
            # a straight arm that is to fold: no small motion leads there, and any larger one may
            delta = np.clip(np.random.default_rng(0).normal(0.0, ASIDE, len(moving)), low, high)
            c, here, rates = met(delta)
        if not _defined(c):
            return nothing, nothing
        free = ~(np.abs(here).max(axis=0, initial=0.0) > 0.0)  # nothing is asked of where these end: they brake
        coasting = free & ~np.any(rates, axis=0) & np.isinf(high - low)  # nor how fast: wheels go on as they do
        delta = np.where(free, np.clip(np.where(coasting, 1.0, 0.5) * v[moving] * T, low, high), delta)
        for _ in range(100):
            step = np.linalg.solve(here.T @ here + damping * np.eye(len(moving)), here.T @ c)
            tried = np.clip(delta - np.clip(step, -most, most), low, high)
            found = met(tried)
            if found[0] @ found[0] < c @ c:
                done = found[0] @ found[0] > (1 - 1e-9) * (c @ c)
                delta, (c, here, rates), damping = tried, found, max(damping / 5, 1e-9)
                if done:
                    break
            else:
                damping *= 5
            if c @ c < 1e-20 or damping > 1e6:
                break
        rate = np.linalg.lstsq(rates, -c, rcond=1e-6)[0]
        fastest = self._task.rates[moving]
        return delta, np.clip(np.where(coasting, v[moving], rate), -fastest, fastest)

    # --- the world along them ------------------------------------------------------------------

    def along(
        self,
        path: np.ndarray,
        start: tuple[np.ndarray, np.ndarray, float],
        h: np.ndarray,
        moving: np.ndarray | None = None,
    ) -> Variables:
        """The motion from (q, v, t) in which driven joints (or what else is `moving`) go along a path (N + 1, driven)
        by torques of driven joints; nothing else is driven."""
        made = self._made
        motion = self._task.start(*start)
        q, p = motion.q, made.dynamics.momenta(motion.q, motion.v)
        xi = motion.v
        N, tree = made.N, made.tree
        out = Variables(
            np.empty((N + 1, tree.nq)), np.empty((N + 1, tree.nv)), np.empty((N, tree.nv)),
            np.zeros((N, made.sizes["torques"])), np.zeros((N, len(made.rows))), np.zeros(tree.nv), h.copy(),
        )  # fmt: skip
        follow = Follower(made, *((self.in_v, self.in_v) if moving is None else (self.driven, moving)))
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
        moving = self.led(q)
        motion = self.along(self.joints(q, v, rng, moving), (q, v, t), self._task.sizes, moving)
        ends = self._made.conditions
        z = np.concatenate([motion.q[-1], motion.v])
        if ends and not _defined(_met(ends, z, self._made.dynamics.theta, self._made.tree.nq)[0]):
            # half a turn from an attitude there is no way that is shorter than others: take one
            motion.q[-1] = displaced(self._made.tree, motion.q[-1], np.full(self._made.tree.nv, ASIDE))
        return motion


def _defined(c: np.ndarray) -> bool:
    """Has every condition a value? Half a turn away from an attitude, by rounding, some are 1e16 instead of none."""
    return bool(np.all(np.abs(c) < UNDEFINED))


class Follower:
    """The step with as many velocities given as joints are driven, whose torques are sought (Newton's method)."""

    def __init__(self, made: Transcription, driven: np.ndarray, moving: np.ndarray) -> None:
        self._made = made
        n, places = stage.STAGE.size(made.sizes), stage.STAGE.places(made.sizes)
        index = np.arange(n)
        xi, u = index[places.xi], index[places.u]
        torque_of = {v: u[k] for k, v in enumerate(made.actuated)}
        free = np.setdiff1d(np.arange(made.tree.nv), moving)
        self._moving = xi[moving]
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
        z[self._moving] = rate
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


def units_of(made: Transcription, motion: Variables, off: float = 0.0) -> Units:
    """Units in which a motion's numbers are about one: momenta by how much they change, but none finer than a tenth of
    the largest in the norm of kinetic energy, nor than what rounding leaves. A motion at rest has those of one that
    moves by one (rad or m); one that has nothing of the way to the end, at least those of the way that it is `off`."""
    size = np.sqrt(np.diag(made.dynamics.mass_matrix(motion.q[0])))
    change = np.ptp(motion.p, axis=0) / size
    T, torques = float(motion.h.sum()), made.task.torques
    least = RESOLVED * float(np.abs(motion.p / size).max())
    most = max(float(change.max()), 10 * least)
    driven = size[made.drives.first]
    if most == 0.0:
        most = float(size.max()) / T
    most = max(most, off * float(driven.max()) / T)
    momentum = size * np.maximum(change, 0.1 * most)
    given = np.maximum(np.abs(motion.u).max(axis=0), driven * least / T)
    typical = np.maximum(given, 0.1 * given.max(initial=0.0)) if given.any() else (driven / T) ** 2
    typical = np.maximum(typical, off * (driven / T) ** 2)
    torque = np.where(np.isfinite(torques) & (torques > 0), np.minimum(torques, 10 * typical), typical)
    return Units(momentum, torque, float(np.abs(motion.impulses).max(initial=0.0)) or 1.0)


def _met(ends: list[Part], z: np.ndarray, theta: np.ndarray, nq: int) -> tuple[np.ndarray, np.ndarray]:
    """How far conditions are from being met, and the Jacobian of that."""
    off, slopes = [], []
    for part in ends:
        c = part.block.value(z[None], part.given, theta)[0, 1:]
        J = np.zeros((part.block.m, part.block.n))
        J[part.block.jacobian] = part.block.slope(z[None], part.given, theta)[0, part.block.n :]
        within = np.clip(c, part.low[0], part.high[0])
        off.append(c - within)
        idle = (c == within) & (part.low[0] < part.high[0])
        J[np.ix_(idle, np.arange(part.block.n) < nq)] = 0.0  # not of velocities: those that meet it now shall be kept
        slopes.append(J)
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
