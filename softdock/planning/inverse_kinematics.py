"""Joint values that put a frame at a pose, by Levenberg-Marquardt steps within the joints' limits."""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from softdock.planning.damped_step import is_rotation, stepped
from softdock.spatial import vector_of_matrix

Forward = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray, np.ndarray]]
"""q (n) ↦ R_WF (3, 3), p_WF (3) and J (6, n): angular velocity, then velocity of F's origin, both in W's axes,
per unit rate of each coordinate. `Dynamics.pose` and `Dynamics.jacobian` give them in this form."""

_STEPS = 100
"""Evaluations in one attempt. One that creeps is better begun elsewhere."""

_NEAR = 1e-4
"""An error (rad, or of the arm's reach) from which it is worth creeping on: so near, only a singular pose is slow."""


class Reached(NamedTuple):
    """Joint values at a pose, what is left of the error, and the evaluations that it took."""

    q: np.ndarray
    """(m or rad)."""
    position_error: float
    """(m)."""
    angle_error: float
    """(rad)."""
    iterations: int


class Unreachable(ValueError):
    """No joint values within the limits were found; `best` is the nearest that was."""

    def __init__(self, best: Reached) -> None:
        super().__init__(
            f"pose not reached within the joints' limits: nearest found is off by {best.position_error:.3g} m "
            f"and {best.angle_error:.3g} rad"
        )
        self.best = best


def solve_pose(
    forward: Forward,
    q0: ArrayLike,
    R_goal: ArrayLike | None,
    p_goal: ArrayLike,
    *,
    lower: ArrayLike | None = None,
    upper: ArrayLike | None = None,
    angle_tolerance: float = 1e-10,
    position_tolerance: float = 1e-10,
    restarts: int = 40,
    seed: int = 0,
) -> Reached:
    """q with R_WF(q) = R_goal (3, 3) and p_WF(q) = p_goal (3), nearest solution to q0 not guaranteed.

    The first attempt starts at q0, moved into the limits; each restart at a point drawn between the limits (within π
    of q0 where there are none). `R_goal` None leaves the orientation free. Raises `Unreachable` if no attempt
    comes within both tolerances, and `ValueError` for arrays of the wrong size.
    """
    start = _array("q0", q0, (np.size(q0),))
    if not len(start):
        raise ValueError("there is no joint that could move")
    low = _limit("lower", lower, start, -np.inf)
    high = _limit("upper", upper, start, np.inf)
    if np.any(low > high):
        raise ValueError(f"lower limit of joint {int(np.argmax(low > high))} is above its upper limit")
    goal = _Goal(_rotation(R_goal), _array("p_goal", p_goal, (3,)), angle_tolerance, position_tolerance)
    nearest, spent, rng = None, 0, None
    for attempt in range(restarts + 1):
        rng = np.random.default_rng(seed) if attempt == 1 else rng
        q = start if rng is None else _drawn(rng, start, low, high)
        found = _descend(forward, np.clip(q, low, high), goal, low, high)
        spent += found.iterations
        if goal.met(found):
            return found._replace(iterations=spent)
        if nearest is None or goal.distance(found) < goal.distance(nearest):
            nearest = found
    assert nearest is not None
    raise Unreachable(nearest._replace(iterations=spent))


class _Goal(NamedTuple):
    R: np.ndarray | None
    p: np.ndarray
    angle_tolerance: float
    position_tolerance: float

    def error(self, R: np.ndarray, p: np.ndarray) -> np.ndarray:
        """(rotation vector of R_goal Rᵀ, p_goal − p), world axes; the turn is zero where none is asked for."""
        turn = np.zeros(3) if self.R is None else vector_of_matrix(self.R @ R.T)
        return np.concatenate([turn, self.p - p])

    def met(self, at: Reached) -> bool:
        return at.position_error <= self.position_tolerance and at.angle_error <= self.angle_tolerance

    def distance(self, at: Reached) -> float:
        return max(at.position_error / self.position_tolerance, at.angle_error / self.angle_tolerance)


def _descend(forward: Forward, q: np.ndarray, goal: _Goal, low: np.ndarray, high: np.ndarray) -> Reached:
    """One attempt: steps (JᵀJ + λ) δ = Jᵀe over the joints that are free to move, cut off at the limits.

    The error's true derivative is −J_r⁻¹(φ) J for its turn φ, but φᵀJ_r⁻¹ = φᵀ: Jᵀe is the exact gradient. Positions
    are measured in units of the arm's reach, so that radians and metres weigh alike. λ follows Nielsen's rule.
    """
    R, p, J = forward(q)
    e = goal.error(R, p)
    reach = max(math.sqrt((J[3:] ** 2).sum(axis=0).max()), 1e-9)
    weight = np.array([0.0 if goal.R is None else 1.0] * 3 + [1.0 / reach] * 3)
    damping, growth = 1e-3, 2.0
    best = _reached(q, e, 1)
    for done in range(2, _STEPS + 1):
        if goal.met(best):
            break
        trial, size, cost, expected = stepped(q, np.ascontiguousarray(J), e, weight, damping, low, high)
        if size < 1e-15:
            break
        R, p, J_trial = forward(trial)
        e_trial = goal.error(R, p)
        left = weight * e_trial
        gain = cost - float(left @ left)
        if gain > 0:
            q, e, J = trial, e_trial, J_trial
            damping *= max(1 / 3, 1 - (2 * gain / expected - 1) ** 3)
            damping, growth = max(damping, 1e-14), 2.0
            best = _reached(q, e, done)
            if gain < 1e-3 * cost and cost > _NEAR**2:  # a local minimum, or limits in the way: begin elsewhere
                break
        else:
            damping, growth = damping * growth, 2 * growth
    return best._replace(iterations=done)


def _reached(q: np.ndarray, e: np.ndarray, iterations: int) -> Reached:
    turn, off = e[:3], e[3:]
    return Reached(q, math.sqrt(off @ off), math.sqrt(turn @ turn), iterations)


def _drawn(rng: np.random.Generator, start: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    middle = np.clip(start, low, high)
    return rng.uniform(
        np.where(np.isfinite(low), low, middle - np.pi), np.where(np.isfinite(high), high, middle + np.pi)
    )


def _array(name: str, value: ArrayLike, shape: tuple[int, ...]) -> np.ndarray:
    array = np.asarray(value, dtype=np.float64)
    if array.shape != shape:
        raise ValueError(f"{name} has shape {array.shape}, not {shape}")
    if not np.all(np.isfinite(array)):
        raise ValueError(f"{name} has an entry that is not finite")
    return array


def _limit(name: str, value: ArrayLike | None, q0: np.ndarray, default: float) -> np.ndarray:
    if value is None:
        return np.full(q0.shape, default)
    array = np.asarray(value, dtype=np.float64)
    if array.shape != q0.shape:
        raise ValueError(f"{name} has shape {array.shape}, not {q0.shape} as q0")
    if np.any(np.isnan(array)):
        raise ValueError(f"{name} has an entry that is not a number")
    return array


def _rotation(value: ArrayLike | None) -> np.ndarray | None:
    if value is None:
        return None
    R = _array("R_goal", value, (3, 3))
    if not is_rotation(np.ascontiguousarray(R), 1e-6):
        raise ValueError("R_goal is not a rotation matrix")
    return R
