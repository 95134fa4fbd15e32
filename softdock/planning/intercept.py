"""Where and when to grasp something that moves: an arm's motion onto a forecast handle, with no relative velocity.

From a set of closing times and grasps, the one of least cost

    J = time (t_close − earliest) + sight (1 − cos of the handle's turn away from the eye) + effort ∫ |q̈|² dt
        + doubt (how unsure the forecast is at t_close)²

is chosen for which joint values within limits and rates follow the handle, clear of its body, for long enough before
it closes, while it closes, and while the body is braked after that (docs/planning.md).
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from softdock.planning.courses import Cubics
from softdock.planning.inverse_kinematics import Forward, Unreachable, solve_pose
from softdock.planning.plan import Infeasible, Pieces, Plan, Sample, sampled
from softdock.planning.quadratic import minimum_acceleration
from softdock.world.pose import Pose

KNOT, COARSE = 0.5, 1.0
"""Seconds between two joint values of the way along with the handle, which a cubic spline goes through; the
second while candidates are compared."""
SOON, LATE = 0.6, 3.0
"""Seconds ahead in which a new forecast changes nothing, so that the joints' way stays smooth: of tracking, and of the
end of the alignment."""
TOLERANCE = 1e-6
"""m and rad, of those joint values."""
RESTARTS, POSTURES = 4, 6
"""Starts of the inverse kinematics if the first one fails; and postures that are tried at a grasp for one that is
clear."""
WEAK = "more than the motors give"
SAMPLED = 0.25
"""Seconds between two instants at which motors are asked."""
STRIDE = 0.1
"""Most that a joint moves (rad) between two instants at which a `clear` without `along` is asked."""
SLIP, MISS = 2e-3, 2e-3
"""Largest velocity against the handle (m/s, rad/s) with which the gripper may begin to close; and how far beside its
grasp (m, rad) an old plan may have it begin, if it is too late for a new one."""


class Moving(NamedTuple):
    """A frame in motion, in the planning frame."""

    R: np.ndarray
    """Rotation matrix (-)."""
    p: np.ndarray
    """Position (m)."""
    v: np.ndarray
    """Velocity (m/s)."""
    w: np.ndarray
    """Angular velocity (rad/s)."""


Forecast = Callable[[float], Moving]
"""The handle at time t (s)."""
Clear = Callable[[float, np.ndarray], bool]
"""Is the arm, with joint values q at time t, clear of the body that carries the handle? If it also has a method
`along(cubics)`, as `Swept` does, this answers for whole motions."""
ClearHeld = Callable[[np.ndarray, np.ndarray, np.ndarray], bool]
"""Is the arm, with joint values q, clear of the body that it holds by the handle, which is at R, p?"""
Strong = Callable[[np.ndarray, np.ndarray, np.ndarray], bool]
"""Can motors give joint values, rates and accelerations (m, n) of a motion?"""
Brake = Callable[[float], Sequence[tuple[float, np.ndarray, np.ndarray]]]
"""Times, rotations and positions of the handle when its body is stopped from time t on."""


@dataclass(frozen=True)
class Reacher:
    """An arm: its forward kinematics in the planning frame (gripper's pose and Jacobian), and its limits."""

    forward: Forward
    lower: np.ndarray
    """Least joint values (rad)."""
    upper: np.ndarray
    """Largest joint values (rad)."""
    rate: float
    """Largest rate of a joint (rad/s)."""

    def at(self, R: np.ndarray, p: np.ndarray, near: np.ndarray, restarts: int = 0, seed: int = 0) -> np.ndarray | None:
        """Joint values with the gripper at a pose, or None."""
        tolerances = {"angle_tolerance": TOLERANCE, "position_tolerance": TOLERANCE}
        try:
            return solve_pose(
                self.forward, near, R, p, lower=self.lower, upper=self.upper, restarts=restarts, seed=seed, **tolerances
            ).q
        except Unreachable:
            return None


@dataclass(frozen=True)
class Timing:
    """How long things take."""

    align: float = 7.0
    """Alignment before tracking (s)."""
    least: float = 5.0
    """Tracking before closing, at least (s)."""
    most: float = 29.0
    """Tracking before closing, at most (s)."""
    closing: float = 2.0
    """Of the gripper (s)."""
    standoff: float = 0.3
    """Kept behind the handle at the beginning of tracking, and gone when the gripper closes (m)."""
    approach: float = 6.0
    """Before closing, in which the standoff goes to nothing (s)."""


@dataclass(frozen=True)
class Weights:
    """Of the cost."""

    time: float = 0.05
    """Of waiting (1/s)."""
    sight: float = 1.0
    """Of 1 − cosine of the angle between handle and line of sight (-)."""
    effort: float = 1.0
    """Of ∫ |q̈|² dt (s³/rad²)."""
    doubt: float = 0.5
    """Of the squared errors that the forecast may have, over those that the gripper allows (-)."""


@dataclass(frozen=True)
class Intercept:
    """A planned grasp: joints follow `align` from `begins`, then `along` (with the handle) until `closed`."""

    grasp: Pose
    begins: float
    """Alignment (s)."""
    tracks: float
    """From then on, along with the handle (s)."""
    closes: float
    """Begins to close (s)."""
    closed: float
    """The gripper is closed (s)."""
    align: Plan
    along: Any
    """SciPy spline of the joints over absolute time (rad)."""
    knots: np.ndarray
    """Of that spline (s)."""
    joints: np.ndarray
    """Joint values at the knots (rad)."""
    cost: float = 0.0
    """By `Weights` (-)."""

    def at(self, t: float) -> Sample:
        """Joint values, rates and accelerations at time t."""
        if t < self.tracks:
            return self.align.at(t - self.begins)
        return sampled(self.along, min(t, self.closed))


def gripper_at(handle: Moving, grasp: Pose, standoff: float) -> tuple[np.ndarray, np.ndarray]:
    """Pose of a gripper that is on its grasp but for a standoff against its own x."""
    R = handle.R @ grasp.rotation
    return R, handle.p + handle.R @ np.asarray(grasp.position) - standoff * R[:, 0]


def _fastest(cubics: Cubics) -> float:
    """Largest rate of any joint along cubics (rad/s): at the ends of pieces, or where a piece's rate turns back."""
    step = np.diff(cubics.x)[:, None]
    c3, c2, c1, _ = cubics.c
    with np.errstate(divide="ignore", invalid="ignore"):
        turn = np.nan_to_num(-c2 / (3 * c3), nan=0.0, posinf=0.0, neginf=0.0)
    return max(float(np.abs(c1 + s * (2 * c2 + 3 * s * c3)).max()) for s in (0.0, step, np.clip(turn, 0.0, step)))


class Search:
    """The best intercept from an arm at rest at joint values `start` (rad).

    `eye` (m) is where the handle should be seen from, `facing(grasp)` (-) the unit vector, fixed to the handle, that
    should then point at it. `clear(t, q)` says whether the arm is clear of the handle's body; if it has a method
    `along`, as `Swept` has, alignment and tracking are certified by it, else they are checked at instants. `brake(t)`
    gives times, rotations and positions of the handle when its body is stopped from t on, `clear_held(R, p, q)` says
    whether the arm is clear of that body then, and `doubt(t, grasp)` (-) how unsure the forecast of what is grasped is
    at t, over what the gripper allows. `strong(q, qd, qdd)` says whether motors can give joint values, rates and
    accelerations (m, n) of a motion.
    """

    def __init__(
        self,
        arm: Reacher,
        start: ArrayLike,
        forecast: Forecast,
        clear: Clear,
        *,
        timing: Timing,
        weights: Weights | None = None,
        brake: Brake | None = None,
        clear_held: ClearHeld | None = None,
        eye: ArrayLike = (0.0, 0.0, 0.0),
        facing: Callable[[Pose], np.ndarray] | None = None,
        doubt: Callable[[float, Pose], float] | None = None,
        strong: Strong | None = None,
    ) -> None:
        self.arm, self.start, self.timing = arm, np.asarray(start, float), timing
        self.forecast, self.clear, self.brake = forecast, clear, brake
        self._doubt, self._strong = doubt or (lambda t, grasp: 0.0), strong
        self.clear_held: ClearHeld = clear_held or (lambda R, p, q: True)
        self.weights = weights or Weights()
        self._eye, self._facing = np.asarray(eye, float), facing or (lambda grasp: np.array([-1.0, 0.0, 0.0]))
        self.reasons: dict[str, int] = {}
        """Why candidates were refused, and how often."""

    def best(self, now: float, times: Iterable[float], grasps: Sequence[Pose]) -> Intercept:
        """The intercept of least cost over closing `times` and `grasps`; Infeasible if there is none.

        Candidates are tried in the order of what they cost at least, with the shortest tracking, until what is left
        cannot be better; the best is then followed for as long as possible.
        """
        found: list[Intercept] = []
        for least, t, grasp in self._candidates(list(times), grasps):
            if found and least >= min(plan.cost for plan in found):
                break
            plan = self._planned(now, t, grasp, least, COARSE, self.timing.least)
            if plan is not None:
                found.append(plan)
        for plan in sorted(found, key=lambda plan: plan.cost):
            if longest := self.again(now, plan):
                return longest
        why = ", ".join(f"{count} {reason}" for reason, count in self.reasons.items()) or "no time is left"
        raise Infeasible(f"no grasp of the handle is within the arm's reach and clear: {why}")

    def _candidates(self, times: list[float], grasps: Sequence[Pose]) -> list[tuple[float, float, Pose]]:
        ranked = []
        for t in times:
            handle = self.forecast(t)
            to_eye = self._eye - handle.p
            to_eye = to_eye / np.linalg.norm(to_eye)
            for k, grasp in enumerate(grasps):
                seen = float((handle.R @ self._facing(grasp)) @ to_eye)
                if seen < 0.1:
                    self._count("faced away")
                    continue
                off = float((handle.R @ grasp.rotation)[:, 0] @ to_eye)
                if off < 0:  # the gripper comes from the arm's side
                    unsure = self.weights.doubt * self._doubt(t, grasp) ** 2
                    cost = self.weights.time * (t - times[0]) + self.weights.sight * (1 - seen) + unsure
                    ranked.append((cost, off, k, t, grasp))
        return [(cost, t, grasp) for cost, _, _, t, grasp in sorted(ranked, key=lambda entry: entry[:4])]

    def _count(self, reason: str) -> None:
        self.reasons[reason] = self.reasons.get(reason, 0) + 1

    # --- one candidate ---------------------------------------------------------------------------

    def _planned(
        self, now: float, closes: float, grasp: Pose, cost: float, knot: float, most: float,
        known: np.ndarray | None = None,
    ) -> Intercept | None:  # fmt: skip
        """The intercept that closes at a time with a grasp, if it can be done; `cost` is what it costs but for
        effort, or in all if it is `known` by its joints.

        The handle is followed for `most` seconds before, or as long as it can be.
        """
        R, p = gripper_at(self.forecast(closes), grasp, 0.0)
        near = self.start if known is None else known[len(known) // 2]
        first = self._posture(closes, R, p, near)
        if first is None:
            return None
        closed = closes + self.timing.closing
        times = np.linspace(closes, closed, max(2, 1 + round(self.timing.closing / knot)))[1:]
        after = self._along(closes, first, times, closes, grasp)
        if len(after) < len(times):
            self._count("out of reach while closing")
            return None
        if self.brake and known is None and not self._stops(closed, after[-1][1], grasp):
            self._count("out of reach, or not clear, while braking")
            return None
        times = np.arange(closes - knot, max(closes - most, now + self.timing.align) - 1e-9, -knot)
        before = self._along(closes, first, times, closes, grasp)
        while len(before) * knot >= self.timing.least:
            plan = self._joined(grasp, closes, [*before[::-1], (closes, first), *after], knot)
            if plan is not None:
                effort = self.weights.effort * self._effort(plan) if known is None else 0.0
                return replace(plan, cost=cost + effort)
            before = before[: -max(1, round(2 / knot))]
        self._count("not followed for long enough")
        return None

    def _posture(self, t: float, R: np.ndarray, p: np.ndarray, near: np.ndarray) -> np.ndarray | None:
        """Joint values that are clear with the gripper at a pose: those near to others, or else some from elsewhere."""
        first = self.arm.at(R, p, near, RESTARTS)
        if first is None:
            self._count("out of reach")
            return None
        for k in range(POSTURES):
            if first is not None and self.clear(t, first):
                return first
            elsewhere = np.random.default_rng(k).uniform(self.arm.lower, self.arm.upper)
            first = self.arm.at(R, p, (near + elsewhere) / 2)
        self._count("not clear of the target")
        return None

    def standoff(self, t: float, closes: float) -> float:
        """How far behind its grasp the gripper is (m): a quintic that begins and ends at rest."""
        s = min(max((closes - t) / self.timing.approach, 0.0), 1.0)
        return self.timing.standoff * s**3 * (10 - 15 * s + 6 * s * s)

    def _along(
        self, begin: float, q: np.ndarray, times: np.ndarray, closes: float, grasp: Pose
    ) -> list[tuple[float, np.ndarray]]:
        """Joint values that follow the handle through `times`, as far as that is possible."""
        found: list[tuple[float, np.ndarray]] = []
        for t in times:
            R, p = gripper_at(self.forecast(t), grasp, self.standoff(t, closes))
            there = self.arm.at(R, p, q)
            if there is None or np.abs(there - q).max() > self.arm.rate * abs(t - begin) or not self.clear(t, there):
                break
            found.append((float(t), there))
            q, begin = there, t
        return found

    def _stops(self, t: float, q: np.ndarray, grasp: Pose) -> bool:
        assert self.brake
        before = t
        for when, R_handle, p_handle in self.brake(t):
            still = Moving(R_handle, p_handle, np.zeros(3), np.zeros(3))
            there = self.arm.at(*gripper_at(still, grasp, 0.0), q)
            if there is None or np.abs(there - q).max() > self.arm.rate * max(when - before, 1e-3) + 1e-6:
                return False
            if not self.clear_held(R_handle, p_handle, there):
                return False
            q, before = there, when
        return True

    def _joined(
        self, grasp: Pose, closes: float, knots: list[tuple[float, np.ndarray]], knot: float
    ) -> Intercept | None:
        from scipy.interpolate import CubicSpline

        times, joints = np.array([t for t, _ in knots]), np.array([q for _, q in knots])
        along = CubicSpline(times, joints)
        tracks = float(times[0])
        begins = tracks - self.timing.align
        align = self._aligned(self.start, np.zeros(len(self.start)), along, tracks, self.timing.align)
        if align is None:
            return None
        plan = Intercept(grasp, begins, tracks, closes, float(times[-1]), align, along, times, joints)
        good = self._feasible(plan) if knot < COARSE else self._clear_along(align.cubics(begins))
        return plan if good and self._is_strong(plan) else None

    def _is_strong(self, plan: Intercept, now: float = -np.inf) -> bool:
        """Can motors do it, from now on?"""
        if self._strong is None:
            return True
        times = np.arange(max(plan.begins, now), plan.closed, SAMPLED)
        before = times[times < plan.tracks] - plan.begins
        ways = plan.align.at(before), sampled(plan.along, times[len(before) :])
        if len(times) and not self._strong(*(np.concatenate(column) for column in zip(*ways, strict=True))):
            self._count(WEAK)
            return False
        return True

    def admits(self, plan: Intercept, now: float) -> bool:
        """Is a plan whose way to the handle was made elsewhere, from now on, within rates, clear and within what motors
        give?"""
        fast = _fastest(plan.align.cubics()) > self.arm.rate * (1 + 1e-6)
        return not fast and self._feasible(plan, now) and self._is_strong(plan, now)

    @property
    def is_held_back(self) -> bool:
        """Was a candidate refused because motors could not do it?"""
        return WEAK in self.reasons

    def _feasible(self, plan: Intercept, now: float = -np.inf) -> bool:
        """From now on within the joints' rates, clear, and without velocity against the handle at closing?"""
        if _fastest(plan.along) > self.arm.rate * (1 + 1e-6) or max(self._slip(plan)) > SLIP:
            return False
        align = plan.align.cubics(plan.begins)
        left = max(int(np.searchsorted(align.x, now, side="right")) - 1, 0)
        ahead = [Pieces(align.x[left:], align.c[:, left:])] if left < align.c.shape[1] else []
        return all(self._clear_along(part) for part in (*ahead, plan.along))

    def _slip(self, plan: Intercept) -> tuple[float, float]:
        """Angular velocity (rad/s) and velocity (m/s) of the gripper against its grasp when it begins to close."""
        handle, (q, qd, _) = self.forecast(plan.closes), plan.at(plan.closes)
        lever = handle.R @ np.asarray(plan.grasp.position)
        slip = self.arm.forward(q)[2] @ qd - np.concatenate([handle.w, handle.v + np.cross(handle.w, lever)])
        return float(np.linalg.norm(slip[:3])), float(np.linalg.norm(slip[3:]))

    def _miss(self, plan: Intercept) -> float:
        """How far beside its grasp the gripper is when it begins to close: the larger of m and rad."""
        R, p = gripper_at(self.forecast(plan.closes), plan.grasp, 0.0)
        R_there, p_there, _ = self.arm.forward(plan.at(plan.closes).q)
        return float(max(np.linalg.norm(p_there - p), np.linalg.norm(R_there - R) / np.sqrt(2)))

    def _clear_along(self, cubics: Cubics) -> bool:
        whole = getattr(self.clear, "along", None)
        if whole is not None:
            return bool(whole(cubics))
        x, c = cubics.x, cubics.c
        return all(
            self.clear(float(x[k] + s), ((c[0, k] * s + c[1, k]) * s + c[2, k]) * s + c[3, k])
            for k, step in enumerate(np.diff(x))
            for s in np.linspace(0.0, step, 1 + int(np.ceil(step * np.abs(c[2, k]).max() / STRIDE)))[1:]
        )

    def _effort(self, plan: Intercept) -> float:
        """∫ |q̈|² dt of the alignment and of the tracking."""
        bend = plan.along(np.linspace(plan.tracks, plan.closed, 8 * len(plan.knots)), 2)
        return plan.align.cost + float((bend**2).sum(axis=1).mean() * (plan.closed - plan.tracks))

    def _aligned(self, q: np.ndarray, qd: np.ndarray, along: Any, tracks: float, duration: float) -> Plan | None:
        try:
            return minimum_acceleration(
                q, along(tracks), duration, start_rate=qd, goal_rate=along(tracks, 1),
                position=(self.arm.lower, self.arm.upper), rate=self.arm.rate, knots=30,
            )  # fmt: skip
        except Infeasible:
            return None

    # --- a plan again, with a better forecast ----------------------------------------------------

    def again(self, now: float, old: Intercept) -> Intercept | None:
        """The same grasp at the same time by a new forecast, from a resting arm; the handle is followed anew."""
        knot = min(KNOT, self.timing.approach / 12)  # the spline errs by the standoff's fourth derivative
        return self._planned(now, old.closes, old.grasp, old.cost, knot, self.timing.most, old.joints)

    def replanned(self, now: float, old: Intercept) -> Intercept | None:
        """The same grasp at the same time by a new forecast, going on from where the old plan is now; None if the arm
        cannot do that within its rates, or not without velocity against the handle when it closes. The old plan where
        too little time is left for another: while it closes, or if it fits the new forecast too."""
        from scipy.interpolate import CubicSpline

        early = now < old.tracks - LATE
        first = old.tracks if early else max(now, old.tracks)
        kept = old.knots > first + (-1e-9 if early else SOON)
        times, joints = old.knots[kept], []
        if len(times) < 2:
            fits = now >= old.closes or (self._miss(old) <= MISS and self._feasible(old, now))
            return old if fits else None
        for t, q in zip(times, old.joints[kept], strict=True):
            R, p = gripper_at(self.forecast(t), old.grasp, self.standoff(t, old.closes))
            there = self.arm.at(R, p, q)
            if there is None or not self.clear(t, there):
                return None
            joints.append(there)
        if early:
            begins = max(old.begins, now)
            here, along = old.at(begins), CubicSpline(times, joints)
            align = self._aligned(here.q, here.qd, along, old.tracks, old.tracks - begins)
            if align is None:
                return None
            plan = replace(old, begins=begins, align=align, along=along, knots=times, joints=np.array(joints))
            return plan if self._feasible(plan, now) and self._is_strong(plan, now) else None
        here = old.at(first)
        times, joints = np.append(first, times), [here.q, *joints]
        along = CubicSpline(times, joints, bc_type=((1, here.qd), (2, np.zeros(len(here.q)))))
        plan = replace(old, tracks=min(old.tracks, first), along=along, knots=times, joints=np.array(joints))
        return plan if self._feasible(plan, now) and self._is_strong(plan, now) else None
