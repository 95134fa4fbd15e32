"""Least acceleration with torque limits and clearances: sequential quadratic programs over the same knots.

Each program has the convex bounds as they are, the other constraints linearised and allowed to give by one common
slack, whose weight makes an exact penalty (Fletcher's Sl∞QP), and a trust region on the accelerations. Steps that do
not lower cost + weight × largest violation are not taken.
"""

import contextlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from softdock.dynamics import Dynamics
from softdock.planning.clearance import Clearance
from softdock.planning.constraints import Clearances, Constraint, Torques
from softdock.planning.goal import joint_limits
from softdock.planning.knots import Samples
from softdock.planning.plan import Infeasible, Plan
from softdock.planning.quadratic import EQUALITY, Program, accelerations
from softdock.planning.request import requested

ENOUGH = 1e-4
"""Largest violation left, in units of the limits (0.1 m for clearances); they are tightened by as much before."""
NEAR = {"torque": 0.7, "clearance": 5.0}
"""Constraints with more room than this, in units, are left out of a step."""
SOFTNESS = 1e-3
"""Curvature of the slack's penalty, relative to its slope: the solver needs some."""
LARGE = 1e-3
"""Violations between samples, in units, that call for more samples rather than for tighter limits."""
ROUNDS, ITERATIONS = 10, 100
COARSE, FINE = 2, 10
"""Times in an interval at which the constraints are imposed, and at which they are checked."""

CLOSER = 9
"""Times that are added where something was passed between two others."""


def plan_motion(
    dynamics: Dynamics,
    joints: Sequence[str],
    q: ArrayLike,
    goal: ArrayLike,
    duration: float,
    *,
    torque: Mapping[str, float] | None = None,
    floating: Iterable[str] = (),
    clearance: Mapping[tuple[str, str], float] | None = None,
    knots: int = 40,
    **bounds: Any,
) -> Plan:
    """The motion of `joints` from their values in q (nq) to `goal` with least acceleration, such that actuators
    stay within `torque` (N m, by body or label) and shapes of bodies at least `clearance` (m, by pair) apart.

    The joints' declared limits are bounds on positions, unless `position` is given; `bounds` are the keywords of
    `minimum_acceleration`. Other coordinates stay at q, or, if they are `floating`, move freely from rest (torques
    only). `Infeasible` says what could not be met: this is a local method, and a way-point may help it.
    """
    whole = np.array(q, dtype=np.float64)
    in_q, in_v = dynamics.layout.flat(joints)
    if whole.shape != (dynamics.nq,):
        raise ValueError(f"q must have shape ({dynamics.nq},), not {whole.shape}")
    floats = list(floating)
    if floats and clearance:
        raise ValueError("clearances of a floating base are not planned: where it drifts depends on the motion")
    _refuse_passive(dynamics, in_v, floats)
    asked = {**_DEFAULTS, "position": joint_limits(dynamics, joints), "names": list(joints), "knots": knots, **bounds}
    program = Program(requested(whole[in_q], goal, duration, **asked))
    constraints: list[Constraint] = []
    if torque:
        constraints.append(Torques(dynamics, joints, whole, torque, floats))
    if clearance:
        constraints.append(Clearances(dynamics, joints, whole, clearance))
    _refuse_ends(program, constraints)
    alpha, kkt = accelerations(program)
    return _Refinement(program, constraints).run(alpha, kkt)


_DEFAULTS: dict[str, Any] = {
    "start_rate": 0.0, "goal_rate": 0.0, "rate": None, "acceleration": None, "waypoints": (), "weights": 1.0,
}  # fmt: skip


class _Worst(NamedTuple):
    """The largest violation, in units, and where it is (τ)."""

    size: float
    tau: float
    words: str


def _refuse_ends(program: Program, constraints: list[Constraint]) -> None:
    """A start or goal that touches something, or at which the arm cannot stay at rest, is not the plan's fault."""
    for constraint in constraints:
        for event in (program.request.start, program.request.events[-1]):
            if constraint.kind == "torque" and np.any(event.rate):
                continue
            at, still = event.position[None], np.zeros((1, program.request.n))
            values = constraint.values(at, still, still)[0]
            for k in np.flatnonzero((values < constraint.lower - 1e-9) | (values > constraint.upper + 1e-9)):
                name, value = constraint.names[k], values[k]
                if constraint.kind == "clearance":
                    words = f"clearance {name!r} is {value:.3g} m, less than {constraint.lower[k]:.3g} m"
                else:
                    words = (
                        f"{name!r} cannot be held: that takes {value:.4g}, and its limit is {constraint.upper[k]:.4g}"
                    )
                raise Infeasible(f"{event.what}: {words}")


def _refuse_passive(dynamics: Dynamics, in_v: np.ndarray, floating: list[str]) -> None:
    """Joints that nothing holds at q, on the same craft as those that are planned; but a craft's base may be held."""
    world, layout = dynamics.world, dynamics.layout
    root = {"world": "world"}
    for body in world.bodies:
        root[body.name] = body.name if body.parent == "world" else root[body.parent]
    planned = {body for body, v in layout.v.items() if np.any((in_v >= v.start) & (in_v < v.stop))}
    moved = {root[body] for body in planned}
    floats = layout.velocities(floating)
    for body in world.bodies:
        v = layout.v[body.name]
        if body.parent == "world" or v.stop == v.start or root[body.name] not in moved or body.name in planned:
            continue
        if np.any((floats >= v.start) & (floats < v.stop)):
            raise ValueError(f"{body.name!r} is not a base: how it floats is not planned")
        joint = body.joint
        sprung = getattr(joint, "spring", None) is not None and getattr(joint, "servo", None) is None
        if sprung or joint.kind not in ("revolute", "prismatic"):
            what = "has a spring and no servo" if sprung else f"is {joint.kind}"
            raise ValueError(
                f"the joint of {body.name!r} {what}: nothing holds it while others move; it is not planned for"
            )


def _worst_of(missed: list[Clearance]) -> _Worst:
    worst = min(missed, key=lambda one: one.gap)
    pair = f"'{worst.bodies[0]} – {worst.bodies[1]}'"
    return _Worst(1.0, 0.0, f"clearance of {pair} is {worst.gap:.4g} at t = {worst.time:.3g} s")


def _over(c: Constraint, values: np.ndarray, give: np.ndarray | float = 0.0) -> np.ndarray:
    return np.asarray(np.maximum(values - c.upper + give, c.lower + give - values) / c.unit)


class _Refinement:
    def __init__(self, program: Program, constraints: list[Constraint]) -> None:
        self.program, self.constraints = program, constraints
        self.n, self.count = program.request.n, len(program.grid.tau)
        self.coarse, self.fine = program.grid.between(COARSE), program.grid.between(FINE)
        self.tighter = [1.5 * ENOUGH * c.unit for c in constraints]
        self.weights = program.request.weights
        self.H = np.zeros((self.n * self.count + 1,) * 2)
        for i in range(self.n):
            at = slice(i * self.count, (i + 1) * self.count)
            self.H[at, at] = self.weights[i] * program.H
        self.sides = [program.sides(i) for i in range(self.n)]
        self.convex = np.zeros((self.n * len(program.A), self.n * self.count + 1))
        for i in range(self.n):
            at = slice(i * self.count, (i + 1) * self.count)
            self.convex[i * len(program.A) : (i + 1) * len(program.A), at] = program.A

    # --- the problem at an iterate α (K, n) -----------------------------------------------------

    def states(self, at: Samples, alpha: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        start, T = self.program.request.start, self.program.request.duration
        v0 = start.rate * T  # type: ignore[operator]
        return start.position + np.outer(at.tau, v0) + at.Q @ alpha, (v0 + at.V @ alpha) / T, at.A @ alpha / T**2

    def cost(self, alpha: np.ndarray) -> float:
        return float(np.sum(self.weights * np.einsum("ki,kl,li->i", alpha, self.program.H, alpha)) / 2)

    def worst(self, at: Samples, alpha: np.ndarray, tightened: bool) -> _Worst:
        states, found = self.states(at, alpha), _Worst(0.0, 0.0, "")
        for c, tighter in zip(self.constraints, self.tighter, strict=True):
            values = c.values(*states)
            over = _over(c, values, tighter * tightened)
            k, row = np.unravel_index(np.argmax(over), over.shape)
            if over[k, row] > found.size:
                limit = c.upper[row] if np.isfinite(c.upper[row]) else c.lower[row]
                time = at.tau[k] * self.program.request.duration
                words = f"{c.kind} of {c.names[row]!r} is {values[k, row]:.4g} at t = {time:.3g} s (limit {limit:.4g})"
                found = _Worst(float(over[k, row]), float(at.tau[k]), words)
        return found

    def over(self, at: Samples, alpha: np.ndarray) -> list[np.ndarray]:
        """By how much each constraint's limits are passed (samples, rows), in units; not positive where they hold."""
        states = self.states(at, alpha)
        return [_over(c, c.values(*states)) for c in self.constraints]

    def room(self, alpha: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
        """What is left to the upper and to the lower side of every constraint at every sample, in units."""
        states = self.states(self.coarse, alpha)
        out = []
        for c, tighter in zip(self.constraints, self.tighter, strict=True):
            values = c.values(*states)
            out.append(((c.upper - tighter - values) / c.unit, (values - c.lower - tighter) / c.unit))
        return out

    def near(self, alpha: np.ndarray) -> list[tuple[int, int, int, int]]:
        """(constraint, side, sample, row) of all that could matter to a step from α."""
        return [
            (i, side, int(k), int(row))
            for i, sides in enumerate(self.room(alpha))
            for side in (0, 1)
            for k, row in np.argwhere(sides[side] < NEAR[self.constraints[i].kind])
        ]

    def linearised(self, alpha: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Rows G and sides h with G (δ; slack) ≤ h, for the constraints that are near."""
        at, T, states = self.coarse, self.program.request.duration, self.states(self.coarse, alpha)
        slopes = [c.slopes(*states) for c in self.constraints]
        G = np.empty((0, self.n * self.count + 1))
        rows = []
        for i, side, k, row in self.near(alpha):
            by = np.outer(slopes[i].q[k, row], at.Q[k]) + np.outer(slopes[i].qd[k, row], at.V[k] / T)
            by += np.outer(slopes[i].qdd[k, row], at.A[k] / T**2)
            rows.append(np.append((1 - 2 * side) * by.ravel() / self.constraints[i].unit[row], -1.0))
        return np.vstack([G, *rows]), self.sides_at(alpha, alpha)

    def sides_at(self, alpha: np.ndarray, about: np.ndarray) -> np.ndarray:
        """Room at α of the constraints that are near at `about`."""
        room = self.room(alpha)
        return np.array([room[i][side][k, row] for i, side, k, row in self.near(about)])

    # --- iterations -----------------------------------------------------------------------------

    def run(self, alpha: np.ndarray, kkt: float) -> Plan:
        """Imposes limits at more times, or tightens them, by what is violated between the samples, until nothing is."""
        for _ in range(ROUNDS):
            if self.worst(self.coarse, alpha, True).size > 0:
                alpha, kkt = self.descend(alpha)
            found = self.worst(self.fine, alpha, False)
            if found.size > LARGE:
                self.look_closer(alpha, [found.tau])
            elif found.size > 0:
                self.tighten(alpha)
            else:
                plan = self.program.plan(alpha, kkt)
                missed = [one for c in self.constraints for one in c.missed(plan)]
                if not missed:
                    return plan
                found = _worst_of(missed)
                self.look_closer(alpha, [one.time / self.program.request.duration for one in missed])
        raise Infeasible(f"no plan found: {found.words}")

    def tighten(self, alpha: np.ndarray) -> None:
        """Every limit by what it is violated at the fine samples, and half as much again."""
        over = self.over(self.fine, alpha)
        self.tighter = [
            tighter + np.maximum(1.5 * c.unit * most.max(axis=0), 0.0)
            for c, tighter, most in zip(self.constraints, self.tighter, over, strict=True)
        ]

    def look_closer(self, alpha: np.ndarray, times: list[float]) -> None:
        """Impose the limits also where they are violated next to these times τ, and around there."""
        tau = [self.coarse.tau, self.fine.tau]
        for t in times:
            before, after = self.coarse.tau[max(np.searchsorted(self.coarse.tau, t) - 1, 0) :][:2]
            grid = np.linspace(before, after, 65)
            violated = np.any([np.any(o > 0, axis=1) for o in self.over(self.program.grid.at(grid), alpha)], axis=0)
            first, last = grid[violated].min(initial=t), grid[violated].max(initial=t)
            wide = max(last - first, (after - before) / 64)
            for k, count in enumerate((CLOSER, CLOSER * FINE // COARSE)):
                tau[k] = np.append(tau[k], np.linspace(first - wide, last + wide, count))
        self.coarse, self.fine = (self.program.grid.at(np.unique(np.clip(part, 0.0, 1.0))) for part in tau)

    def descend(self, alpha: np.ndarray) -> tuple[np.ndarray, float]:
        """Steps until none lowers the merit; the last iterate, and the slope that is left."""
        scale = max(1.0, float(np.abs(alpha).max()))
        heaviest = 1e4 * max(1.0, self.cost(alpha))
        weight, radius = 1e-3 * heaviest, scale
        before = self.worst(self.coarse, alpha, True).size
        for _ in range(ITERATIONS):
            G, h = self.linearised(alpha)
            try:
                step, slack = self.step(alpha, G, h, weight, radius)
                while slack > max(0.5 * before, ENOUGH) and weight < heaviest:  # the penalty must be felt
                    weight *= 10
                    step, slack = self.step(alpha, G, h, weight, radius)
            except _Stopped:
                radius /= 4
                continue
            size = float(np.abs(step).max())
            gain = self.cost(alpha) - self.cost(alpha + step)
            predicted = gain + weight * (before - slack)
            if size < 1e-7 * scale or predicted <= 1e-7 * max(1.0, self.cost(alpha)):
                if before <= ENOUGH or weight >= heaviest:
                    break
                weight *= 10
                continue
            after = self.worst(self.coarse, alpha + step, True).size
            if gain + weight * (before - after) <= 0.1 * predicted:
                step, after = self.corrected(alpha, step, G, h, weight, radius)
            actual = self.cost(alpha) - self.cost(alpha + step) + weight * (before - after)
            if actual > 0.1 * predicted:
                alpha, before = alpha + step, after
                radius = min(2 * max(radius, size), 100 * scale) if actual > 0.7 * predicted else radius
            else:
                radius = size / 4
        if before > ENOUGH:
            raise Infeasible(f"no plan found: {self.worst(self.coarse, alpha, True).words}")
        return alpha, self.slope(alpha, weight, 100 * scale)

    def slope(self, alpha: np.ndarray, weight: float, radius: float) -> float:
        """The slope H δ of the Lagrangian at α, by the step δ that the trust region does not hold back,
        relative to the cost's."""
        H, w = self.program.H, self.weights
        step, _ = self.step(alpha, *self.linearised(alpha), weight, radius)
        return float(np.abs(H @ (step * w)).max() / (1 + np.abs(H @ (alpha * w)).max()))

    def corrected(
        self, alpha: np.ndarray, step: np.ndarray, G: np.ndarray, h: np.ndarray, weight: float, radius: float
    ) -> tuple[np.ndarray, float]:
        """A step again with the constraints' curvature along the first one put in (second-order correction)."""
        x = np.append(step.T.ravel(), 0.0)
        there = self.sides_at(alpha + step, alpha)
        with contextlib.suppress(_Stopped):
            step, _ = self.step(alpha, G, there + G @ x, weight, radius)
        return step, self.worst(self.coarse, alpha + step, True).size

    def step(
        self, alpha: np.ndarray, G: np.ndarray, h: np.ndarray, weight: float, radius: float
    ) -> tuple[np.ndarray, float]:
        """The step δ (K, n) of the quadratic program at α, and the slack that it needs: none, if it can do without."""
        import daqp

        size, K = self.n * self.count, self.count
        x, values = alpha.T.ravel(), (self.program.A @ alpha).T.ravel()
        slope = np.append(self.H[:size, :size] @ x, weight)
        stiff = self.H.copy()
        stiff[-1, -1] = SOFTNESS * weight
        low, high = (
            [np.concatenate([getattr(side, name)[part] for side in self.sides]) for part in (slice(K), slice(K, None))]
            for name in ("lower", "upper")
        )
        fixed = np.tile(self.program.sense[K:], self.n)
        for most in (0.0, 1e3):
            lower = np.concatenate([np.maximum(low[0] - x, -radius), [0.0], low[1] - values, np.full(len(h), -1e30)])
            upper = np.concatenate([np.minimum(high[0] - x, radius), [most], high[1] - values, h])
            sense = np.concatenate([np.zeros(size + 1), fixed, np.zeros(len(h))]).astype(np.intc)
            sense[size] = 0 if most else EQUALITY
            y, _, flag, _ = daqp.solve(stiff, slope, np.vstack([self.convex, G]), upper, lower, sense, primal_tol=1e-9)
            if flag > 0:
                return y[:size].reshape(self.n, K).T, float(max(y[-1], 0.0))
        raise _Stopped


class _Stopped(Exception):
    """The solver of a step gave up."""
