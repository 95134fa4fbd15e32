"""A planned motion: a reference for controllers, commands for the simulator, and how far to trust it."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from softdock.control.reference import Wanted
from softdock.dynamics import Dynamics, Impact, Motion, StepFailed, Trajectory
from softdock.optimal import stage
from softdock.optimal.linearisation import amplification
from softdock.optimal.program import OPTIMAL, Solved
from softdock.optimal.transcription import Transcription, Variables
from softdock.spatial import quaternion_product

ACTIVE = 1e-6
"""Share of a bound within which it counts as reached."""


WITHIN = (0.25, 0.5, 0.75)
"""Shares of a step at which paths are looked at again."""


def is_short(h: np.ndarray, k: int) -> bool:
    """Is step k of a motion in steps h (N) (s) shorter than the others, as what is left of its duration may be?"""
    return bool(h[k] < h[0] * (1 - 1e-12))


def step_of(motion: Motion, h: np.ndarray, k: int, command: np.ndarray) -> Trajectory:
    """Let a motion take step k of h (N) (s), under a command (nv)."""
    return motion.step_to(motion.t + float(h[k]), command) if is_short(h, k) else motion.run(1, command)


class Check(NamedTuple):
    """What a plan is worth: its motion taken again by the simulator, without feedback."""

    replay_error: float
    """Largest difference of a coordinate from the plan at its knots (m or rad); infinite if a step was not solved."""
    end_error: float
    """Largest violation of the end's conditions by the replayed motion, before it touches (m, rad, m/s or rad/s)."""
    conditioning: float
    """Least singular value of M^−½ R_ξ M^−½ over all steps (-): 1 at rest; near 0 a step does not determine ξ."""
    amplification: float
    """By how much a deviation grows without feedback, at most (-): times rounding, what a replay can be off by."""
    active: tuple[str, ...]
    """Bounds that the motion is at, and for how many steps."""
    multipliers: dict[str, float]
    """Largest multiplier of each condition: what the cost changes by, per unit of it (1/m, 1/rad, s/m or s/rad)."""
    impacts: tuple[Impact, ...]
    """What the replayed motion struck."""
    touched: float | None
    """When it struck what it was meant to touch (s)."""
    minimum: str
    """Of what the plan is the least: a local minimum from one start, the same from several, or the best of them; or
    "stationary, not known to be a minimum"."""
    between: float = 0.0
    """Largest violation of a path within steps, at whose ends alone it holds: thin obstacles may be jumped over
    (m, rad, m/s or rad/s)."""


@dataclass(frozen=True)
class Plan:
    """A motion of a task, in steps; call it with a time for the state wanted then (a `Reference`)."""

    made: Transcription
    motion: Variables
    solved: Solved
    status: str
    """"optimal", "best of several local minima", or "stationary, not known to be a minimum"."""
    start: tuple[np.ndarray, np.ndarray, float]
    """q, v and time (s)."""
    costs: tuple[float, ...] = ()
    """Of every start that converged, in their order (-)."""

    def __repr__(self) -> str:
        solved, T = self.solved, self.duration
        return (
            f"<Plan: {self.status}, cost {solved.cost:.6g}, {T:g} s in {len(self.motion.u)} steps; "
            f"{solved.iterations} iterations, {solved.seconds:.3f} s, KKT {solved.kkt:.1e}>"
        )

    # --- the motion ----------------------------------------------------------------------------

    @property
    def optimal(self) -> bool:
        """Do the conditions of optimality hold, and is it a minimum?"""
        return self.stationary and self.solved.minimum

    @property
    def stationary(self) -> bool:
        """Do the conditions of optimality of first order hold?"""
        return self.solved.status == "Solve_Succeeded" and self.solved.kkt <= OPTIMAL

    @property
    def minimum(self) -> str:
        """As in `Check`."""
        if not self.solved.minimum:
            return "stationary, not known to be a minimum"
        if len(self.costs) < 2:
            return "local, from one start"
        same = "the same" if self.status == "optimal" else "best of several local minima"
        return f"{same}, from {len(self.costs)} starts"

    @property
    def cost(self) -> float:
        return self.solved.cost

    @property
    def duration(self) -> float:
        """(s)."""
        return float(self.motion.h.sum())

    @cached_property
    def t(self) -> np.ndarray:
        """(N + 1) times of the knots (s)."""
        return np.asarray(self.start[2] + np.concatenate([[0.0], np.cumsum(self.motion.h)]))

    @property
    def q(self) -> np.ndarray:
        """(N + 1, nq) (m or rad)."""
        return self.motion.q

    @property
    def torques(self) -> np.ndarray:
        """(N, actuators) held through each step (N m or N)."""
        return self.motion.u

    @property
    def effort(self) -> float:
        """∫ Σ u² dt (N² m² s)."""
        return float((self.motion.h[:, None] * self.motion.u**2).sum())

    @cached_property
    def v(self) -> np.ndarray:
        """(N + 1, nv) (m/s or rad/s)."""
        made = self.made
        if made.rows:
            return made.velocity(self.motion.q, self.motion.p)
        return np.asarray(np.linalg.solve(made.dynamics.mass_matrix(self.motion.q), self.motion.p[..., None])[..., 0])

    @property
    def on_times(self) -> dict[str, np.ndarray]:
        """Of every thruster, for how long (s) it is open in each step: what `Simulation.fire` takes."""
        first = len(self.made.actuated)
        return {
            one.name: self.motion.u[:, first + k] / one.thrust * self.motion.h
            for k, one in enumerate(self.made.drives.thrusters)
        }

    @cached_property
    def commands(self) -> np.ndarray:
        """(N, nv): what the simulator is to be given, step by step, in the task's world."""
        return self.commands_in(self.made.task.dynamics)

    def commands_in(self, dynamics: Dynamics) -> np.ndarray:
        """The same in a world of the same coordinates: servos of driven joints get what their gains take off added, so
        that they hold the motion while they follow it."""
        made, motion = self.made, self.motion
        out = made.drives.command(motion.q[:-1], motion.xi, motion.h, motion.u)
        for link in dynamics.tree.links:
            if (link.kp or link.kd) and link.v in made.actuated:
                middle = motion.q[:-1, link.q] + motion.h / 2 * motion.xi[:, link.v]
                out[:, link.v] += link.kp * middle + link.kd * motion.xi[:, link.v]
        return out

    def __call__(self, t: float) -> Wanted:
        """State and acceleration wanted at time t; before and after the plan, those at its ends at rest."""
        k = int(np.searchsorted(self.t, t, "right")) - 1
        nv = self.made.tree.nv
        if k < 0 or k >= len(self.motion.u):
            at = 0 if k < 0 else -1
            return Wanted(self.q[at].copy(), self.v[at] * 0.0, np.zeros(nv))
        h, s = float(self.motion.h[k]), t - float(self.t[k])
        a = (self.v[k + 1] - self.v[k]) / h
        return Wanted(self._between(k, s), self.v[k] + s * a, a)

    def _between(self, k: int, s: float) -> np.ndarray:
        """q within step k: Hermite's cubic for coordinates, a turn about ξ with the rate's change for rotations."""
        h, x = float(self.motion.h[k]), s / float(self.motion.h[k])
        out = np.empty(self.made.tree.nq)
        a, b, va, vb = self.q[k], self.q[k + 1], self.v[k], self.v[k + 1]
        for link in self.made.tree.links:
            v = slice(link.v, link.v + link.dof)
            if link.kind == "S":
                phi = s * va[v] + x * s / 2 * (vb[v] - va[v])
                phi = phi + x**2 * (3 - 2 * x) * (h * self.motion.xi[k, v] - h * (va[v] + vb[v]) / 2)
                angle = float(np.linalg.norm(phi))
                turn = np.concatenate([[np.cos(angle / 2)], np.sinc(angle / (2 * np.pi)) * phi / 2])
                out[link.q : link.q + 4] = quaternion_product(a[link.q : link.q + 4], turn)
            else:
                q = slice(link.q, link.q + link.dof)
                rise = x * x * (3 - 2 * x)
                out[q] = a[q] + rise * (b[q] - a[q]) + h * (x * (1 - x) ** 2 * va[v] - x * x * (1 - x) * vb[v])
        return out

    def at(self, t: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Position, rate and acceleration of the actuated joints, as `control.Follow` takes them."""
        wanted, v = self(t), list(self.made.actuated)
        q_of = {link.v + k: link.q + k for link in self.made.tree.links for k in range(link.dof)}
        return wanted.q[[q_of[k] for k in v]], wanted.v[v], wanted.a[v]

    # --- trust ---------------------------------------------------------------------------------

    def replay(self, dynamics: Dynamics | None = None, contact: str | None = None) -> tuple[Motion, Any]:
        """The plan's commands in the simulator, without feedback: the world at the end, and rows at the knots. In the
        task's own world, or another with the same coordinates. A plan that ends at a touch is followed to the impact
        of `contact` in the step that has it."""
        world, h = dynamics or self.made.task.dynamics, self.motion.h
        u = self.commands_in(world)
        motion = self.made.task.start(*self.start, float(h[0]), world)
        short = is_short(h, len(h) - 1)
        rows = motion.run(len(h) - short, u[: len(h) - short])
        if short and contact is not None:
            rows = type(rows).joined([rows, motion.run(1, u[-1], stop_at=(contact,))])
        elif short:
            rows = type(rows).joined([rows, self.step(motion, len(h) - 1, u[-1])])
        return motion, rows

    def step(self, motion: Motion, k: int, command: np.ndarray) -> Trajectory:
        """Let a motion take step k of the plan, under a command (nv)."""
        return step_of(motion, self.motion.h, k, command)

    def check(self, dynamics: Dynamics | None = None, contact: str | None = None) -> Check:
        """Replay the plan, and say what it is at; `contact` is what it is to touch at its end."""
        try:
            motion, rows = self.replay(dynamics, contact)
        except StepFailed:
            return Check(
                np.inf,
                np.inf,
                self.conditioning(),
                amplification(self),
                self._active(),
                self._multipliers(),
                (),
                None,
                self.minimum,
                self._off_between(),
            )
        N = min(len(rows.q), len(self.motion.u))
        errors = [np.abs(rows.q[:N] - self.q[1 : N + 1])]
        if len(rows.q) < len(self.motion.u):  # it ended at the touch, within a step
            errors.append(np.abs(motion.q - self.q[-1])[None])
        touched = next((hit.time for hit in rows.impacts if hit.contact == contact), None)
        # at its end alone the world without contacts is in the same state as this one before it touched
        at_end = touched is not None and all(hit.time > self.t[-2] for hit in rows.impacts)
        ended = self.replay(self.made.task.bare)[0] if at_end else motion
        return Check(
            float(np.concatenate(errors).max()), self._end_error(ended), self.conditioning(), amplification(self),
            self._active(), self._multipliers(), tuple(rows.impacts), touched, self.minimum,
            self._off_between(),
        )  # fmt: skip

    def _end_error(self, motion: Motion) -> float:
        z = np.concatenate([motion.q, motion.v])[None]
        values = self.made.conditions_at(z)
        return max(float(np.maximum(np.maximum(part.low - c, c - part.high), 0.0).max()) for part, c in values)

    def conditioning(self) -> float:
        """As in `Check`."""
        made = self.made
        least = np.inf
        places, nq, nv = stage.STAGE.places(made.sizes), made.tree.nq, made.tree.nv
        made.arrange(self.start, self.motion.h)
        part = made.program.parts[0]
        slopes = part.block.slope(self.solved.x[part.at], part.given, made.dynamics.theta)[:, part.block.n :]
        rows, columns = part.block.jacobian
        own = (rows >= nq + nv) & (rows < nq + 2 * nv) & (columns >= places.xi.start) & (columns < places.xi.stop)
        J = np.zeros((len(slopes), nv, nv))
        J[:, rows[own] - nq - nv, columns[own] - places.xi.start] = slopes[:, own]
        assert made.units is not None
        J *= made.units.momentum[:, None]
        for k, M in enumerate(made.dynamics.mass_matrix(self.q[: len(J)])):
            w, V = np.linalg.eigh(M)
            root = (V / np.sqrt(w)) @ V.T
            least = min(least, float(np.linalg.svd(root @ J[k] @ root, compute_uv=False)[-1]))
        return least

    def _off_between(self) -> float:
        """By how much paths are violated within steps."""
        made, worst = self.made, 0.0
        for part in made.paths:
            steps = range(len(part.at))
            z = [
                np.concatenate([self._between(k, share * float(self.motion.h[k])), self.motion.xi[k]])
                for k in steps
                for share in WITHIN
            ]
            c = part.block.value(np.array(z), part.given, made.dynamics.theta)[:, 1:]
            worst = max(worst, float(np.maximum(part.low - c, c - part.high).max(initial=0.0)))
        return worst

    def _active(self) -> tuple[str, ...]:
        task, motion, layout = self.made.task, self.motion, self.made.dynamics.layout
        found = []
        low, high = task.ranges
        kinds = [
            ("torque", task.names, motion.u, task.least_torques, task.torques),
            ("rate", layout.names()[1], motion.xi, -task.rates, task.rates),
            ("limit", layout.names()[0], motion.q[1:], low, high),
        ]
        for kind, names, values, least, most in kinds:
            bounded = np.isfinite(least) & np.isfinite(most)
            near = ACTIVE * np.where(bounded, most, 0.0) - ACTIVE * np.where(bounded, least, 0.0)
            at = bounded & ((values >= most - near) | (values <= least + near))
            found += [
                f"{kind} of {name}: {n} steps" for name, n in zip(names, at.sum(axis=0).tolist(), strict=True) if n
            ]
        for part in self.made.paths:
            c = part.block.value(self.solved.x[part.at], part.given, self.made.dynamics.theta)[:, 1:]
            near = ACTIVE * np.maximum(1.0, np.abs(c))
            n = int(np.any((c <= part.low + near) | (c >= part.high - near), axis=1).sum())
            found += [f"path {part.name}: {n} steps"] * bool(n)
        return tuple(found)

    def _multipliers(self) -> dict[str, float]:
        program = self.made.program
        return {
            part.name: float(np.abs(self.solved.multipliers[program.starts[k] : program.starts[k + 1]]).max())
            for k, part in enumerate(program.parts)
            if part.labels
        }
