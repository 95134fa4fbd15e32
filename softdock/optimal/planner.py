"""From a task to a plan: guesses, the solver, and what to say when there is no plan."""

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from softdock.optimal.gauss_newton import foreseen, nearly_optimal
from softdock.optimal.guess import Guesser, resampled, units_of
from softdock.optimal.multipliers import carried
from softdock.optimal.plans import Plan
from softdock.optimal.program import COLD, Solved
from softdock.optimal.quantities import Cost, Expression, Quantities
from softdock.optimal.simulated import simulated
from softdock.optimal.swings import Start, Swings
from softdock.optimal.task import Task
from softdock.optimal.transcription import Transcription, Variables

MORE = 2
"""Further guesses that swing, where the first led to no plan."""
FEASIBLE = 1e-6
"""Violation (in the program's units) below which a guess counts as a motion."""
ROUNDS = 6
"""So often a free duration in orbit is solved again, for gravity at the times that it gives."""
FAR = 0.1
"""A guess that misses the end by so much (m, rad, m/s or rad/s) says nothing of what the motion takes."""
MET = 1e-3
"""A plan as a guess that misses the end by so much (m, rad, m/s or rad/s) is one of another task, and so are its
multipliers."""
ABOUT = 1e-5
"""Error of the conditions of optimality up to which a motion counts as the nearest to an end."""
BIASED = 1e-2
"""By so much an end that can be reached may seem off at the motion nearest to it, for the effort that is weighed in."""
TOUCHED = {"constr_viol_tol": 1e-13}
"""Options of IPOPT for a touch: an approach at 1 mm/s makes of what the gap is off by (m) a thousand times that in
time (s)."""
EARLY = {
    "Maximum_Iterations_Exceeded": "its limit of iterations",
    "Maximum_WallTime_Exceeded": "its limit of time",
    "Maximum_CpuTime_Exceeded": "its limit of time",
    "User_Requested_Stop": "a request to stop",
}
"""What ends IPOPT before it is done, by its words."""
HUGE = 1e150
"""In place of a bound that is infinite."""
BESIDE = 1e-3
"""By so much (in the program's units) a solution that may be a saddle is left to see where it leads."""
SAME = 1e-6
"""Relative difference of costs below which two starts found the same minimum."""


class NoPlan(ValueError):
    """There is no plan; `kind` says why: "infeasible", "stopped early", "worse than the guess", "too coarse" (in steps
    that the simulator does not take). `plan` is the nearest that was found; nothing in it is optimal."""

    def __init__(self, kind: str, message: str, plan: Plan | None) -> None:
        super().__init__(message)
        self.kind, self.plan = kind, plan


class Planner:
    """Plans for a task, again and again: nothing is compiled anew for another start, and numbers of conditions, limits
    and costs are the task's."""

    def __init__(self, task: Task) -> None:
        self.task = task.own()  # its duration is that of the last plan
        self.made, self._usual = Transcription(self.task), task.span[0]
        self._guesser = Guesser(self.made)
        self._swings = Swings(self._guesser)
        self._refuse_start_off_path()

    def plan(
        self,
        q: ArrayLike | None = None,
        v: ArrayLike | None = None,
        t: float | None = None,
        *,
        duration: float | None = None,
        guess: "Plan | ArrayLike | None" = None,
        warm: Plan | None = None,
        starts: int = 1,
        seed: int = 0,
        **options: Any,
    ) -> Plan:
        """A plan from a start (None: the task's), in another `duration` (s), if it is fixed. `guess` is a plan, on any
        grid, or configurations (steps + 1, nq), or values of the driven joints (steps + 1, joints); `warm` is an
        earlier plan of this planner. Several `starts` try other ways; the best is returned. `options` are IPOPT's."""
        start = self._start(q, v, t)
        self._refuse_starts(guess, warm, starts)
        if duration is not None or self.made.can_be_retimed:
            self.made.retime(self._usual if duration is None else duration)
        self.made.place(*start)
        rng = np.random.default_rng(seed)
        plans, failures = list[Plan](), list[NoPlan]()
        for k in range(starts):
            try:
                motion = self._guess(start, guess, warm) if k == 0 else self._other(k, start, rng)
                like = guess if isinstance(guess, Plan) and k == 0 else None
                own = k > 0 or (guess is None and warm is None)
                earlier = warm if k == 0 else None
                if earlier is None and like is not None and max(self._off_end(motion), default=0.0) < MET:
                    earlier = like
                plans.append(self._solve(motion, start, earlier, own, {"near": like is not None} | options))
            except NoPlan as failure:
                failures.append(failure)
            except np.linalg.LinAlgError:
                failures.append(
                    NoPlan("stopped early", "the guess leads to a step without solution; give another", None)
                )
        if not plans and guess is None and warm is None:
            plans += self._swung(failures[0], start, options)
        if not plans:
            plans.append(self._rescued(failures[0], start, options))
        best = min(plans, key=lambda plan: plan.cost)
        costs = tuple(plan.cost for plan in plans)
        same = all(cost - best.cost <= SAME * max(abs(best.cost), 1e-12) for cost in costs)
        status = "optimal" if same else "best of several local minima"
        status = status if best.solved.minimum else best.minimum
        return Plan(self.made, best.motion, best.solved, status, best.start, costs)

    def _refuse_start_off_path(self) -> None:
        """Paths hold from the first step's end on; a task whose start violates one asks for a jump."""
        task, z = self.task, np.concatenate([self.task.q, self.task.v])[None]
        for part in self.made.paths:
            if np.all(part.block.jacobian[1] < len(task.q)):  # it is of coordinates alone
                c = part.block.value(z, part.given, self.made.dynamics.theta)[:, 1:]
                off = float(np.maximum(part.low - c, c - part.high).max())
                if off > FEASIBLE:
                    raise ValueError(f"the start violates the path {part.name!r}, by {off:.3g}")

    def _start(self, q: Any, v: Any, t: float | None) -> tuple[np.ndarray, np.ndarray, float]:
        task = self.task
        q_, v_ = (np.array(own if x is None else x, dtype=np.float64) for x, own in ((q, task.q), (v, task.v)))
        if q_.shape != (task.dynamics.nq,) or v_.shape != (task.dynamics.nv,):
            raise ValueError(f"a start is q of {task.dynamics.nq} and v of {task.dynamics.nv} numbers")
        if not (np.all(np.isfinite(q_)) and np.all(np.isfinite(v_))):
            raise ValueError("the start has a value that is not finite")
        return q_, v_, task.t if t is None else float(t)

    def _refuse_starts(self, guess: Any, warm: Any, starts: Any) -> None:
        if isinstance(starts, bool) or not isinstance(starts, int | np.integer) or starts < 1:
            raise ValueError(f"starts must be a whole number from 1, not {starts!r:.40}")
        program, nq = self.made.program, self.made.tree.nq
        if isinstance(guess, Plan) and guess.q.shape[1] != nq:
            raise ValueError(f"the guess is a plan of {guess.q.shape[1]} coordinates; the world has {nq}")
        sizes = (len(warm.solved.x), len(warm.solved.multipliers)) if isinstance(warm, Plan) else ()
        if warm is not None and sizes != (program.size, program.rows):
            raise ValueError("warm takes an earlier plan of this planner; one of another can be a guess")

    # --- guesses -------------------------------------------------------------------------------

    def _guess(
        self,
        start: tuple[np.ndarray, np.ndarray, float],
        guess: Any,
        warm: Plan | None,
    ) -> Variables:
        if warm is not None:
            return self._shifted(start[2], warm)
        if isinstance(guess, Plan):
            N, h = self.made.N, self.task.sizes
            h = np.full(N, float(np.clip(guess.duration, *self.task.span)) / N) if self.task.free else h
            return resampled(self.made, guess.motion, h)
        if guess is not None:
            try:
                values = np.asarray(guess, dtype=np.float64)
            except (TypeError, ValueError):
                raise ValueError(f"a guess is a plan or an array of joint values, not {guess!r:.60}") from None
            return self._given(start, values)
        return self._guesser.default(*start)

    def _other(self, k: int, start: Start, rng: np.random.Generator) -> Variables:
        """The guess of start k: where the end is to be swung up to, or asks for what is not driven, these in turn with
        other smooth ways."""
        found = self._swings.pumped(start, rng) if k % 3 == 1 else None
        if found is None and k % 3 == 0 and (self._swings.asked or self._swings.lift(start) > 0.0):
            found = self._swings.floating(start, rng)
        return self._guesser.default(*start, rng) if found is None else found

    def _swung(self, failure: NoPlan, start: Start, options: dict[str, Any]) -> list[Plan]:
        """A plan from the guesses that swing, where the usual one led to none; none if a limit was asked for."""
        if "max_iter" in options or self.task.relaxed or failure.plan is None:
            return []
        swings, rng = self._swings, np.random.default_rng(0)
        up = swings.lift(start) > 0.0
        ways: list[Callable[[], Variables | None]] = [lambda: swings.floating(start)] if up or swings.asked else []
        if up:
            ways = [lambda: swings.pumped(start, rng), *ways, *([lambda: swings.pumped(start, rng)] * MORE)]
        units = self.made.units
        for way in ways:
            motion = way()
            try:
                if motion is not None:
                    self.made.units = None
                    return [self._solve(motion, start, None, False, {"near": False} | options)]
            except (NoPlan, np.linalg.LinAlgError):
                continue
        if units is not None:
            self.made.scale(units)
        return []

    def _shifted(self, t: float, warm: Plan) -> Variables:
        """An earlier plan's motion from time t on, if it was begun before."""
        past = self._past(t, warm)
        if not past:
            return warm.motion._replace(h=self.task.sizes) if not self.task.free else warm.motion
        return resampled(self.made, warm.motion, self.task.sizes, past)

    def _past(self, t: float, earlier: Plan) -> float:
        """Share of an earlier plan that is past at time t; 0 if it was not begun before, or is over."""
        past = t - earlier.start[2]
        begun = 0.0 < past < earlier.duration - float(earlier.motion.h[0]) and earlier.made is self.made
        return past / earlier.duration if begun and not self.task.free else 0.0

    def _given(self, start: tuple[np.ndarray, np.ndarray, float], guess: np.ndarray) -> Variables:
        N, nq, joints = self.made.N, self.made.tree.nq, len(self._guesser.in_q)
        if guess.shape not in ((N + 1, nq), (N + 1, joints)):
            raise ValueError(
                f"a guess has shape ({N + 1}, {nq}), all coordinates, or ({N + 1}, {joints}), the driven joints; "
                f"not {guess.shape}"
            )
        if not np.all(np.isfinite(guess)):
            raise ValueError("the guess has a value that is not finite")
        path = guess if guess.shape[1] == joints else guess[:, self._guesser.in_q]
        return self._guesser.along(path, start, self.task.sizes)

    # --- solution ------------------------------------------------------------------------------

    def _solve(
        self,
        motion: Variables,
        start: tuple[np.ndarray, np.ndarray, float],
        earlier: Plan | None,
        own: bool,
        options: dict[str, Any],
    ) -> Plan:
        made, typical = self.made, motion
        if self.task.touch is not None:
            options = TOUCHED | options
        if made.units is None:
            made.scale(units_of(made, motion))
            typical, off = self._typical(motion)
            made.scale(units_of(made, typical, off))
        made.bound()
        x, like = made.pack(motion), made.pack(typical)
        x[: made.nx] = made.program.lower[: made.nx]
        before = self._worth(x)
        solved = (self._improved(x, options) if own else None) or self._from(earlier, start[2], x, like, options)
        if solved.status == "Solve_Succeeded" and made.turns_too_far(made.unpack(solved.x)):
            made.bound(joints_turn=True)
            solved = made.program.solve(x, like=like, **options)
        if self.task.free and made.dynamics._orbit.size:
            solved = self._in_time(solved, start[2], options)
        if solved.status == "Solve_Succeeded" and solved.regularised:
            solved = self._off_saddle(solved, options)
        plan = Plan(made, made.unpack(solved.x), solved, "not optimal", start)
        self._refuse(plan, before)
        plan, refused = simulated(plan)
        if refused:
            raise NoPlan("too coarse", f"the simulator does not take the steps that were found: {refused}", plan)
        return plan

    def _from(self, earlier: Plan | None, t: float, x: np.ndarray, like: np.ndarray, options: dict[str, Any]) -> Solved:
        """A solution from x, with the multipliers of an earlier plan if it is one of such a program; without them
        where they do not lead to one."""
        made = self.made
        if earlier is not None:
            known = carried(earlier, made, made.unpack(x).h, self._past(t, earlier))
            solved = None if known is None else made.program.solve(x, known, like=like, **options)
            if solved is not None and (solved.status == "Solve_Succeeded" or solved.status in EARLY):
                return solved
        return made.program.solve(x, like=like, **options)

    def _off_saddle(self, solved: Solved, options: dict[str, Any]) -> Solved:
        """A solution where the curvature is not that of a strict minimum, as on a ridge that a symmetric guess leads
        along: what is found from beside it, if that costs less."""
        program, rng = self.made.program, np.random.default_rng(0)
        unit, beside = program.unit, solved.x + BESIDE * rng.normal(size=program.size)
        tried = program.solve(
            np.clip(beside, program.lower, program.upper), like=solved.x, **(options | {"near": True})
        )
        if tried.status == "Solve_Succeeded" and tried.cost < solved.cost - SAME * max(abs(solved.cost), 1e-12):
            return tried._replace(
                iterations=solved.iterations + tried.iterations, seconds=solved.seconds + tried.seconds
            )
        program.unit = unit
        return solved._replace(minimum=tried.status == "Solve_Succeeded")

    def _in_time(self, solved: Solved, t: float, options: dict[str, Any]) -> Solved:
        """A solution with gravity at the times at which its own steps are taken; the solver's limit of iterations is
        that of all rounds."""
        made, most = self.made, int(options.get("max_iter", COLD["max_iter"]))
        for _ in range(ROUNDS):
            h = made.unpack(solved.x).h
            made.orbit(t, h)
            if solved.status != "Solve_Succeeded":
                break
            left = {"near": False, "max_iter": max(most - solved.iterations, 1)}
            again = made.program.solve(solved.x, solved, **(options | left))
            moved = abs(made.unpack(again.x).h[0] - h[0])
            solved = again._replace(
                iterations=solved.iterations + again.iterations, seconds=solved.seconds + again.seconds
            )
            if moved < 1e-12 * h[0]:
                return solved
        return solved if solved.status != "Solve_Succeeded" else solved._replace(status="Maximum_Iterations_Exceeded")

    def _typical(self, motion: Variables) -> tuple[Variables, float]:
        """A motion whose numbers say what is large and what is small: the guess, or, if it is far from the end (of a
        payload that a latch holds, say, a guess knows no way), what one iteration makes of it; and by how much it is
        off, if no iteration leads to the end."""
        made, off = self.made, self._off_end(motion)
        if not np.all(np.isfinite(off)):
            name = made.conditions[int(np.argmin(np.isfinite(off)))].name
            told = f"the end's {name!r} has no value where the guess ends, as half a turn from an attitude: give one"
            raise NoPlan("stopped early", told, None)
        far = max(off, default=0.0) > FAR
        ahead = foreseen(made, made.pack(motion)) if far else None
        return (motion, min(max(off), 1.0) if far else 0.0) if ahead is None else (made.unpack(ahead), 0.0)

    def _off_end(self, motion: Variables) -> list[float]:
        """By how much a motion misses each of the end's conditions (m, rad, m/s or rad/s)."""
        z = np.concatenate([motion.q[-1], motion.v])[None]
        values = self.made.conditions_at(z)
        return [float(np.abs(np.clip(c, part.low, part.high) - c).max()) for part, c in values]

    def _improved(self, x: np.ndarray, options: dict[str, Any]) -> Solved | None:
        """A solution from a guess that is brought near one first; None where that is not to be had."""
        began = time.perf_counter()
        near = nearly_optimal(self.made, x)
        if near is None:
            return None
        spent = time.perf_counter() - began
        warm = Solved(near.x, 0.0, near.multipliers, np.zeros(len(x)), "", near.iterations, spent, 0.0)
        solved = self.made.program.solve(near.x, warm, **options)
        if solved.status != "Solve_Succeeded":
            return None
        return solved._replace(iterations=near.iterations + solved.iterations, seconds=spent + solved.seconds)

    def _worth(self, x: np.ndarray) -> float:
        """Cost of a guess, if it is a motion that meets all conditions; else infinite."""
        program = self.made.program
        inside = np.all(x >= program.lower - FEASIBLE) and np.all(x <= program.upper + FEASIBLE)
        met = inside and program.violations(x).max(initial=0.0) < FEASIBLE
        return program.value(x)[0] if met else np.inf

    def _refuse(self, plan: Plan, before: float) -> None:
        solved = plan.solved
        if plan.stationary:
            if solved.cost > before + SAME * abs(before):
                raise NoPlan(
                    "worse than the guess",
                    f"found a local minimum of cost {solved.cost:.6g}, worse than the guess's {before:.6g}; "
                    "start elsewhere, or from the guess with more starts",
                    plan,
                )
            return
        name, off = self.made.program.worst(solved.x)
        early = EARLY.get(solved.status)
        if early is not None:
            message = f"stopped early, by {early}, after {solved.iterations} iterations; {name!r} is off by {off:.3g}"
            raise NoPlan("stopped early", message, plan)
        why = f"{name!r} is off by {off:.3g}"
        if solved.status == "Infeasible_Problem_Detected":
            raise NoPlan(
                "infeasible", f"found no motion that meets the conditions: {why} where the solver gave up", plan
            )
        word = solved.status.replace("_", " ").lower()
        raise NoPlan("stopped early", f"the solver gave up after {solved.iterations} iterations ({word}); {why}", plan)

    def _rescued(self, failure: NoPlan, start: Any, options: dict[str, Any]) -> Plan:
        """A plan from the motion that comes nearest to the end; if there is none, what is off there. A limit of
        iterations that was asked for says nothing of that."""
        asked = "max_iter" in options
        stopped = [status for status in EARLY if asked or status != "Maximum_Iterations_Exceeded"]
        gave_up = failure.plan is not None and failure.plan.solved.status not in (*stopped, "Solve_Succeeded")
        found = self._nearest(failure.plan) if gave_up and failure.plan is not None else None
        if found is None:
            raise failure
        nearest, row, off = found
        if off < BIASED:
            try:
                motion = nearest.motion if self.task.free else nearest.motion._replace(h=self.task.sizes)
                return self._solve(motion, start, None, False, {"near": True} | options)
            except NoPlan:
                pass
        if off <= (FEASIBLE if failure.kind == "infeasible" else BIASED):
            raise failure
        why = f"the end's {row!r} stays off by {off:.3g} at the nearest found"
        raise NoPlan("infeasible", f"found no motion that meets the conditions: {why}", failure.plan)

    def _nearest(self, plan: Plan) -> tuple[Plan, str, float] | None:
        """The motion that comes nearest to the end, within everything else; the row of its conditions that is off
        most, and by how much. Effort is weighed in, so that torques are determined: less and less of it, until that
        brings the motion no nearer."""
        task, units = self.task.own(), self.made.units
        if task.relaxed:
            return None
        assert units is not None
        final, goals = self._miss()
        most = np.where(np.isfinite(task.torques) & (task.torques > 0), task.torques, units.torque)
        task.relaxed, task.end, task.touch = True, (), None
        found: tuple[Plan, str, float] | None = None
        for little in (1e-3, 1e-6, 1e-9):
            effort = little / float((most**2).sum() * task.sizes.sum())
            task.cost = Cost(effort=effort, final=final, goal=goals)
            try:
                nearest = Planner(task)
                nearest.made.scale(units)  # of a motion that goes there; its own guess goes nowhere
                closer = nearest.plan(*plan.start, guess=found and found[0], max_iter=200)
            except NoPlan as failure:  # near enough for what is told of it
                if failure.plan is None or failure.plan.solved.kkt > ABOUT:
                    break
                closer = failure.plan
            except ValueError:
                break
            before, found = found, (closer, *self._worst_at(closer))
            if before is not None and found[2] > 0.99 * before[2]:
                break
        return found

    def _miss(self) -> tuple[Expression, tuple[float, ...]]:
        """The sum of squares of what the end's conditions are off by, and the numbers that it takes."""
        ca, goals, ends = self.made.ca, list[float](), list[tuple[Expression, int, int]]()
        for condition, part in zip(self.task.end, self.made.conditions, strict=True):
            ranged = part.block.m if part.low.any() or part.high.any() else 0
            goals += condition.goal
            if ranged:
                goals += [*np.clip(part.low[0], -HUGE, HUGE), *np.clip(part.high[0], -HUGE, HUGE)]
            ends.append((condition.of, len(condition.goal), ranged))

        def of(s: Quantities, goal: Any) -> Any:
            rows, at = [], 0
            for of, count, ranged in ends:
                c, low = of(s, goal[at : at + count]), at + count
                at = low + 2 * ranged
                if ranged:
                    high, c = low + ranged, ca.vec(c)
                    c = ca.fmax(c - goal[high:at], 0) - ca.fmax(goal[low:high] - c, 0)
                rows.append(c)
            return ca.sumsqr(ca.vertcat(*rows))

        return of, tuple(goals)

    def _worst_at(self, plan: Plan) -> tuple[str, float]:
        """The row of the end's conditions that a motion misses most, and by how much."""
        z = np.concatenate([plan.q[-1], plan.motion.v])[None]
        worst = ("", 0.0)
        for part, values in self.made.conditions_at(z):
            c = np.abs(values[0] - np.clip(values[0], part.low[0], part.high[0]))
            if c.max() > worst[1]:
                worst = part.labels[int(c.argmax())], float(c.max())
        return worst


def plan(task: Task, **how: Any) -> Plan:
    """A plan for a task: `Planner(task).plan(…)`."""
    return Planner(task).plan(**how)
