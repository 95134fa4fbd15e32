"""A model of the target, compiled: what the filters, the batch solver and the Cramér-Rao bound share."""

import math
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import softdock.mechanics
from softdock import kernels
from softdock.estimation import layouts, loops
from softdock.estimation.measurement import exchanged
from softdock.spatial import matrix_of_quaternion, turn_between, vector_of_quaternion

_HERE, _MECHANICS = Path(__file__).parent, Path(softdock.mechanics.__file__).parent
_SOURCES = (_HERE / "symbols.py", _HERE / "layouts.py", _MECHANICS / "rotation.py", _MECHANICS / "fields.py")
_MOTION, _ROTATION = layouts.MOTION.places(), layouts.POSE_ERROR.places().rotation
_MOTION_SIZE = layouts.MOTION.size({})
_ANGLE = 0.1
"""Largest turn in a Runge-Kutta step (rad): its error in attitude is then below 1e-7 rad."""
_LONGEST = 1.0
"""Longest step (s), for targets that hardly turn."""

_MOST = 10_000
"""Most steps at once: a filter that has run away must not take for ever over it."""

_TURN, _TRIES = 0.3, 100_000
"""Largest turn in a step of a sampled motion (rad), and most steps of one: ten of them are a microsecond."""

_HALF = np.random.default_rng(0).standard_normal((60, 32))
_NORMAL = np.concatenate([_HALF, -_HALF])
"""The sample of `Model.scattered`: the same every time, and symmetric."""
_TAIL, _TAIL_SQUARE = 0.02, 15.03
"""Share of a normal distribution beyond this χ² (6 degrees of freedom)."""


def eigen(A: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Eigenvalues and eigenvectors of a symmetric matrix. LAPACK's divide and conquer, which NumPy calls, does not
    converge for about one normal matrix in some thousand; the QR iteration takes four times as long and does. Threads
    would only wait for each other, a hundred times as long where other processes have the cores."""
    try:
        with _threads().limit(limits=1, user_api="blas"):
            values, vectors = np.linalg.eigh(A)
    except np.linalg.LinAlgError:
        from scipy.linalg import eigh  # hardly ever needed

        values, vectors = eigh(A, driver="ev", check_finite=False)
    return values, vectors


@cache
def _threads() -> Any:
    from threadpoolctl import ThreadpoolController  # first needed by a batch

    return ThreadpoolController()


def root(P: np.ndarray) -> np.ndarray:
    """L with L Lᵀ = P, of the nearest P that is not indefinite."""
    size = np.sqrt(np.maximum(np.diag(P), 1e-300))
    values, vectors = eigen(P / np.outer(size, size))
    return np.asarray(size[:, None] * vectors * np.sqrt(np.maximum(values, 0.0)))


def definite(P: np.ndarray) -> np.ndarray:
    """P itself, or the nearest that is positive: rounding may have made it indefinite."""
    if loops.definite(P):
        return P
    L = root(P)
    return np.asarray(L @ L.T + 1e-13 * np.diag(np.maximum(np.diag(P), 1e-30)))


class Model:
    """Kernels of one model ("target" or "paper") with the orbit's rate n (rad/s) and the densities of disturbance.

    `torque` is the square root of the spectral density of the disturbing angular acceleration (rad/s²/√Hz), `force`
    that of the disturbing force per mass (m/s²/√Hz).
    """

    def __init__(self, name: str, n: float, torque: float, force: float) -> None:
        for what, value in (("n", n), ("torque", torque), ("force", force)):
            if not (np.isfinite(value) and value >= 0):
                raise ValueError(f"{what} must be a finite number, zero or more, not {value}")
        self.name, self.n = name, float(n)
        state, error = layouts.MODELS[name]
        self.numbers, self.errors = state.size({}), error.size({})
        self._at, self._shown_size = state.places(), layouts.SHOWN.size({"errors": self.errors})
        self._spin = self._at.flat.angular_velocity
        self._library = _library(name)
        self.kernels = np.array([self._library.address(key) for key in loops.KERNELS], dtype=np.int64)
        self.theta = layouts.THETA.pack(n=n, torque=torque**2, force=force**2)

    def steps(self, x: np.ndarray, seconds: np.ndarray) -> np.ndarray:
        """How many Runge-Kutta steps each of some lengths of time takes."""
        return np.clip(np.ceil(np.abs(seconds) / self._longest(x) - 1e-9), 1, _MOST).astype(np.int64)

    def _longest(self, x: np.ndarray) -> float:
        rate = math.hypot(*x[self._spin].tolist()) + self.n
        return min(_LONGEST, _ANGLE / max(rate, 1e-3))

    def propagated(self, x: np.ndarray, P: np.ndarray, seconds: float) -> tuple[np.ndarray, np.ndarray]:
        """State and covariance after some time."""
        x, P = x.copy(), P.copy()
        if seconds != 0:
            loops.propagate(self.kernels, self.theta, x, P, *self._divided(x, seconds))
        return x, P

    def certain(self) -> np.ndarray:
        """The covariance of a state without error, to propagate the state alone."""
        return np.zeros((self.errors, self.errors))

    def foreseen(self, x: np.ndarray, P: np.ndarray, seconds: float) -> tuple[np.ndarray, np.ndarray]:
        """After some time, {C}'s pose and motion relative to {A} (layouts.MOTION), and their covariance (12, 12):
        rotation vector in {C}, position in {A}, angular velocity in {C}, velocity in {A}."""
        shown, covariance = loops.foresee(self.kernels, self.theta, x.copy(), P.copy(), *self._divided(x, seconds))
        return shown, exchanged(covariance)

    def expected(self, x: np.ndarray, seconds: float) -> np.ndarray:
        """After some time, {C}'s pose and motion relative to {A} (layouts.MOTION), without a covariance."""
        return self.advanced(x[None, :].copy(), seconds)[0]

    def sampled(self, x: np.ndarray, root: np.ndarray) -> np.ndarray:
        """(120, numbers): states about x, by a root of its errors' covariance; always the same draws, in pairs."""
        return np.array([self.moved(x, e) for e in _NORMAL[:, : self.errors] @ root.T])

    def advanced(self, states: np.ndarray, seconds: float) -> np.ndarray:
        """Take states (k, numbers) on by some time, in place; {C}'s poses and motions (k, layouts.MOTION) there."""
        motions, (h, _) = np.empty((len(states), _MOTION_SIZE)), self._divided(states[0], seconds)
        steps = self._spin.start, h, seconds, _TURN, _TRIES
        loops.scatter(self.kernels, self.theta, states, self.errors, *steps, motions)
        return motions

    def scattered(self, states: np.ndarray, seconds: float, shown: np.ndarray) -> np.ndarray:
        """The covariance (12, 12) of `foreseen`, about what it showed, by a sample of states: for one so wide that the
        motion is no longer linear over it.

        Such a sample is not normal, and its mean square says too little of its tails. The covariance is widened until
        as many of the sample's poses are outside its ellipsoid as of a normal distribution (`_TAIL`).
        """
        motions = self.advanced(states.copy(), seconds)
        with np.errstate(over="ignore", invalid="ignore"):  # `forecast` refuses what is not finite
            turn = vector_of_quaternion(turn_between(shown[_MOTION.quaternion], motions[:, _MOTION.quaternion]))
            off = motions - shown
            flat = (off[:, part] for part in (_MOTION.position, _MOTION.angular_velocity, _MOTION.velocity))
            apart = np.hstack([turn, *flat])
            covariance = np.asarray(apart.T @ apart / len(apart))
            if not np.isfinite(covariance).all():
                return covariance
            pose = apart[:, :6]
            squares = (np.linalg.solve(definite(covariance[:6, :6]), pose.T) * pose.T).sum(axis=0)
            return covariance * max(1.0, float(np.quantile(squares, 1 - _TAIL)) / _TAIL_SQUARE)

    def _divided(self, x: np.ndarray, seconds: float) -> tuple[float, int]:
        """Length and number of steps."""
        if seconds == 0:
            return 0.0, 0
        steps = min(max(1, math.ceil(abs(seconds) / self._longest(x) - 1e-9)), _MOST)
        return seconds / steps, steps

    def followed(
        self, x: np.ndarray, start: float, times: np.ndarray, measured: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Along an arc from x at `start`: residuals (N, 6: position, then rotation) of poses (N, 7), their Jacobians,
        last state, its derivative by x's error."""
        gaps = np.diff(times, prepend=start)
        residuals, J = np.empty((len(times), 6)), np.empty((len(times), 6, self.errors))
        steps = self.steps(x, gaps)
        last, S = loops.follow(self.kernels, self.theta, x, gaps, steps, measured, residuals, J)
        return residuals, J, last, S

    def compared(self, x: np.ndarray, start: float, times: np.ndarray, measured: np.ndarray) -> np.ndarray:
        """Residuals alone, as of `followed`."""
        gaps, residuals = np.diff(times, prepend=start), np.empty((len(times), 6))
        steps = self.steps(x, gaps)
        loops.compare(self.kernels, self.theta, x, gaps, steps, measured, self.errors, residuals)
        return residuals

    def moved(self, x: np.ndarray, e: np.ndarray) -> np.ndarray:
        """x ⊕ e."""
        return loops.evaluated(self.kernels[loops.MOVED], x, e, e, self.theta, self.numbers)

    def pose(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Position and quaternion of the measured frame {C} in {A}."""
        shown = self._shown(x)
        return shown[_MOTION.position], shown[_MOTION.quaternion]

    def noise(self, x: np.ndarray, covariance: np.ndarray) -> np.ndarray:
        """A measurement's covariance (position, then rotation) in the residual's units: the paper's are half angles in
        {B}, not angles in {C}."""
        if self.name == "target":
            return covariance
        T = np.eye(6)
        T[_ROTATION, _ROTATION] = matrix_of_quaternion(x[self._at.eta]) / 2
        return T @ covariance @ T.T

    def sensitivity(self, x: np.ndarray) -> np.ndarray:
        """(6, errors): pose of {C}, as rotation vector in {C} and position in {A}, by the state's error."""
        H, at = layouts.SHOWN.view(self._shown(x), {"errors": self.errors}).H, layouts.MOTION_ERROR.places()
        return np.concatenate([H[at.rotation], H[at.position]])

    def _shown(self, x: np.ndarray) -> np.ndarray:
        return loops.evaluated(self.kernels[loops.SHOWN], x, x, x, self.theta, self._shown_size)


@cache
def _library(name: str) -> kernels.Library:
    def derive() -> Mapping[str, Any]:
        from softdock.estimation.symbols import functions

        return functions(name)

    return kernels.load(f"estimation {name}", derive, sources=_SOURCES)
