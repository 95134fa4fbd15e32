"""Inertial parameters and friction of an arm out of a log, by least squares on the regressor.

Torques are linear in the ten parameters a link and in the friction coefficients, τ = Y π + v f_v + sign(v) f_c, but not
all of π shows in them: columns of Y depend on each other whatever the motion. A pivoted QR of Y at random states picks
independent columns b and gives Y_d = Y_b K, so that β = π_b + K π_d are the base parameters: all that can be known.
"""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from scipy.linalg import qr, solve_triangular
from threadpoolctl import threadpool_limits

from softdock.arm.inertial import PARAMETERS
from softdock.arm.logs import BadLog, Log
from softdock.arm.serial import SerialArm
from softdock.arm.torques import inverse_dynamics, regressor

RESOLVED = 3e-3
"""A combination of parameters whose effect on the torques is smaller than this part of the strongest one's, each
measured by what it does in a rich motion, counts as not excited."""

_CLEAR, _SLOW = 0.95, 0.05
"""Where the filtered sign of a rate is smaller than the one, or the rate than the other part of its largest, a joint
turns over or sticks, and friction is anywhere between its two values: such samples are left out for that joint."""


class Base:
    """The base parameters of an arm's structure: independent columns, and what else is seen through them."""

    def __init__(self, arm: SerialArm, seed: int = 0) -> None:
        rng = np.random.default_rng(seed)
        low, high = (np.where(np.isfinite(x), x, s * np.pi) for x, s in ((arm.lower, -1), (arm.upper, 1)))
        q, v, a = rng.uniform(low, high, (200, arm.n)), *rng.normal(size=(2, 200, arm.n)) * [[[1.0]], [[2.0]]]
        Y = regressor(arm, q, v, a).reshape(-1, 10 * arm.n)
        self.size = np.sqrt(np.mean(Y**2, axis=0))
        """(10 n): what a unit of each parameter does to the torques of such a motion (N m, root mean square)."""
        _, R, order = qr(Y, mode="economic", pivoting=True)
        count = int(np.sum(np.abs(np.diag(R)) > 1e-9 * abs(R[0, 0])))
        self.columns = np.sort(order[:count])
        """Independent columns of the regressor."""
        self.others = np.setdiff1d(np.arange(10 * arm.n), self.columns)
        K = np.linalg.lstsq(Y[:, self.columns], Y[:, self.others], rcond=None)[0]
        self.K = np.where(np.abs(K) > 1e-10, K, 0.0)
        self._arm = arm

    def of(self, pi: np.ndarray) -> np.ndarray:
        """β of parameters π (10 n)."""
        return np.asarray(pi[self.columns] + self.K @ pi[self.others])

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Each base parameter: the parameter that leads it, and what is added to it."""
        return tuple(self._name(k) for k in range(len(self.columns)))

    def _name(self, k: int) -> str:
        seen = [j for j in np.argsort(-np.abs(self.K[k])) if self.K[k, j] and self.size[self.others[j]] > 1e-9]
        parts = [
            f" {'+' if self.K[k, j] > 0 else '-'} {abs(self.K[k, j]):.4g} {self._label(self.others[j])}" for j in seen
        ]
        return (
            self._label(self.columns[k]) + "".join(parts[:4]) + (f" + {len(parts) - 4} more" if len(parts) > 4 else "")
        )

    def _label(self, column: int) -> str:
        return f"{PARAMETERS[column % 10]}({self._arm.links[column // 10]})"


@dataclass(frozen=True, eq=False)
class Reduced:
    """A log's equations folded into triangles, one a joint: |A_j x − b_j|² + rest_j is the sum of squares."""

    A: np.ndarray
    """(n, k, k): columns are the 10 n inertial parameters, then viscous and Coulomb friction of each joint."""
    b: np.ndarray
    """(n, k)."""
    rest: np.ndarray
    count: np.ndarray
    """(n): equations of each joint."""

    def noise(self, x: np.ndarray, unknowns: int) -> np.ndarray:
        """(n): standard deviation of each joint's torque about the model x (N m)."""
        squares = np.sum((self.A @ x - self.b) ** 2, axis=1) + self.rest
        left = np.maximum(self.count - unknowns / len(self.count), 1.0)
        return np.asarray(np.sqrt(np.maximum(squares / left, 1e-24)))


@dataclass(frozen=True, eq=False)
class Identified:
    """What a log says of an arm. Standard deviations are those of the least squares without the physical option."""

    arm: SerialArm
    """The arm with identified parameters; what the log does not show is as it was."""
    viscous: np.ndarray
    """(n): coefficients of viscous friction (N m s/rad)."""
    coulomb: np.ndarray
    """(n): dry friction (N m)."""
    viscous_deviation: np.ndarray
    """(N m s/rad)."""
    coulomb_deviation: np.ndarray
    """(N m)."""
    base: np.ndarray
    """Base parameters, by `names` (kg, kg m, kg m²)."""
    base_deviation: np.ndarray
    """(kg, kg m, kg m²)."""
    names: tuple[str, ...]
    noise: np.ndarray
    """(n): standard deviation of the torque about the model (N m)."""
    condition: float
    """Of the scaled equations, over the combinations that are excited (-)."""
    undetermined: tuple[str, ...] = ()
    """Combinations that this log cannot tell apart, or does not show at all."""
    notes: tuple[str, ...] = field(default=())

    def torques(self, log: Log) -> np.ndarray:
        """Of the identified arm with its friction, along a log (N, n)."""
        rigid = inverse_dynamics(self.arm, log.q, log.v, log.a)
        return np.asarray(rigid + self.viscous * log.v + self.coulomb * log.direction)


def identify(log: Log, arm: SerialArm, *, physical: bool = False) -> Identified:
    """Friction and base parameters by least squares, each joint weighted by its own noise.

    `physical` looks for links that could exist: positive-definite pseudo-inertias, friction that is not negative.
    """
    if log.torque is None:
        raise BadLog("this log has no torques: there is nothing to identify from")
    with threadpool_limits(1):  # matrices of 85 columns: threads would only wait for each other
        return _identified(log, arm, physical)


def _identified(log: Log, arm: SerialArm, physical: bool) -> Identified:
    base, reduced, known = Base(arm), _reduced(log, arm), np.concatenate([arm.parameters(), np.zeros(2 * arm.n)])
    sought = np.concatenate([base.columns, 10 * arm.n + np.arange(2 * arm.n)])
    scale = np.concatenate([base.size[base.columns], np.ones(2 * arm.n)])
    x, noise = known, np.ones(arm.n)
    for _ in range(3):  # weights follow the residuals, and settle at once
        fit = _solve(reduced, noise, sought, scale, known)
        x = known.copy()
        x[sought] += fit.change
        noise = reduced.noise(x, len(sought))
    deviation = np.sqrt(log.correlation) * fit.deviation
    if physical:
        from softdock.arm.physical import nearest_physical

        x = nearest_physical(reduced, noise, arm, x)
    pi, friction, count = x[: 10 * arm.n], x[10 * arm.n :].reshape(2, arm.n), len(base.columns)
    return Identified(
        arm=arm.with_parameters(pi),
        viscous=friction[0],
        coulomb=friction[1],
        viscous_deviation=deviation[count : count + arm.n],
        coulomb_deviation=deviation[count + arm.n :],
        base=base.of(pi),
        base_deviation=deviation[:count],
        names=base.names,
        noise=reduced.noise(x, len(sought)),
        condition=fit.condition,
        undetermined=_unclear(fit.unseen, base, arm),
        notes=log.done,
    )


def moving(log: Log) -> np.ndarray:
    """(N, n): where a joint moves clear of turning over and of sticking."""
    rate = np.abs(log.v)
    return np.asarray((np.abs(log.direction) > _CLEAR) & (rate > _SLOW * rate.max(axis=0)))


def _reduced(log: Log, arm: SerialArm) -> Reduced:
    assert log.torque is not None
    k = 12 * arm.n
    A, b, rest, count = np.zeros((arm.n, k, k)), np.zeros((arm.n, k)), np.zeros(arm.n), np.zeros(arm.n)
    Y, known = regressor(arm, log.q, log.v, log.a), moving(log)
    for j in range(arm.n):
        clear = known[:, j]
        if not clear.any():
            clear = np.ones(len(log.t), dtype=bool)
        rows = np.zeros((int(clear.sum()), k + 1))
        rows[:, : 10 * arm.n] = Y[clear, j]
        rows[:, 10 * arm.n + j], rows[:, 11 * arm.n + j] = log.v[clear, j], log.direction[clear, j]
        rows[:, -1] = log.torque[clear, j]
        used = np.flatnonzero(np.any(rows != 0, axis=0))  # links before the joint do nothing to it
        R = qr(rows[:, used], mode="r")[0][: len(used)]
        square = np.zeros((k + 1, k + 1))
        square[: len(R), used] = R
        A[j], b[j], rest[j] = square[:k, :k], square[:k, -1], float(np.sum(square[k:, -1] ** 2))
        count[j] = len(rows)
    return Reduced(A, b, rest, count)


@dataclass(frozen=True, eq=False)
class _Fit:
    change: np.ndarray
    deviation: np.ndarray
    condition: float
    unseen: np.ndarray
    """(directions, sought): scaled combinations that the log does not show."""


def _solve(reduced: Reduced, noise: np.ndarray, sought: np.ndarray, scale: np.ndarray, known: np.ndarray) -> _Fit:
    """Least squares by singular values, in units in which every parameter has about the same effect."""
    A = (reduced.A / noise[:, None, None]).reshape(-1, len(known))
    b = (reduced.b / noise[:, None]).reshape(-1) - A @ known
    R = qr(np.column_stack([A[:, sought] / scale, b]), mode="r")[0][: len(sought) + 1]
    U, s, Vt = np.linalg.svd(R[:, :-1], full_matrices=False)
    plain = (reduced.A[:, :, sought] / scale).reshape(-1, len(sought))
    shown = np.linalg.norm(plain @ Vt.T, axis=0)
    kept = shown > RESOLVED * shown.max()
    inverse = Vt[kept].T / s[kept]
    return _Fit(
        change=inverse @ (U[:, kept].T @ R[:, -1]) / scale,
        deviation=np.linalg.norm(inverse, axis=1) / scale,
        condition=float(shown[kept].max() / shown[kept].min()),
        unseen=Vt[~kept],
    )


def _unclear(unseen: np.ndarray, base: Base, arm: SerialArm) -> tuple[str, ...]:
    """The parameters in each direction that the log does not show: one, or several that go together."""
    labels = [base._label(c) for c in base.columns]
    labels += [f"{kind} friction({link})" for kind in ("viscous", "Coulomb") for link in arm.links]
    if not len(unseen):
        return ()
    R, order = qr(unseen, mode="r", pivoting=True)  # as few parameters a direction as can be
    alone = solve_triangular(R[:, : len(R)], R)
    words = []
    for row in alone:
        part = [k for k in np.argsort(-np.abs(row)) if abs(row[k]) > 0.1][:5]
        words.append(" and ".join(labels[order[k]] for k in part))
    return tuple(words)
