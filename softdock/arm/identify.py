"""Inertial parameters and friction of an arm out of a log, by least squares on the regressor.

Torques are linear in the ten parameters a link, the friction coefficients and a constant offset of each sensor,
τ = Y π + v f_v + sign(v) f_c + o, but not all of π shows in them: columns of Y depend on each other, however it moves.
A pivoted QR of Y at random states picks independent columns b and gives Y_d = Y_b K, so that β = π_b + K π_d are the
base parameters: all that can be known.
"""

from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

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

_CHANCE = 5.0
"""Standard deviations of a sum of up to 200 correlations that white noise of seven joints exceeds in less than one log
of a hundred (such sums are skewed)."""
_UNSEEN = 1e-2
"""A parameter of which more than this part lies in directions that a log does not show has no deviation."""


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
    """(n, k, k): columns are the 10 n inertial parameters, then viscous, Coulomb friction and offset of each joint."""
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
    """What a log says of an arm. Standard deviations are those of the least squares without the physical option,
    infinite of what the log does not determine."""

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
    offset: np.ndarray
    """(n): constant part of each measured torque that no motion explains (N m)."""
    offset_deviation: np.ndarray
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
        return np.asarray(rigid + self.viscous * log.v + self.coulomb * log.direction + self.offset)


def identify(log: Log, arm: SerialArm, *, physical: bool = False) -> Identified:
    """Friction and base parameters by least squares, each joint weighted by its own noise.

    `physical` looks for links that could exist: positive-definite pseudo-inertias, friction that is not negative.
    """
    if log.torque is None:
        raise BadLog("this log has no torques: there is nothing to identify from")
    with threadpool_limits(1):  # matrices of 85 columns: threads would only wait for each other
        return _identified(log, arm, physical)


def _identified(log: Log, arm: SerialArm, physical: bool) -> Identified:
    base, rows = Base(arm), _rows(log, arm)
    known = np.concatenate([arm.parameters(), np.zeros(3 * arm.n)])
    sought = np.concatenate([base.columns, 10 * arm.n + np.arange(3 * arm.n)])
    scale = np.concatenate([base.size[base.columns], np.ones(3 * arm.n)])
    memory, notes = np.zeros(arm.n), log.done
    for _ in range(1 if log.correlation > 1 else 4):  # of a filtered log, the filter is what correlates
        reduced = _reduced(rows, memory)
        x, noise = known, np.ones(arm.n)
        for _ in range(3):  # weights follow the residuals, and settle at once
            fit = _solve(reduced, noise, sought, scale, known)
            x = known.copy()
            x[sought] += fit.change
            noise = reduced.noise(x, len(sought))
        before, memory = memory, _memory(rows, x)
        if log.correlation > 1 or np.abs(memory - before).max() < 0.01:
            break
    wider, sure = _wider(rows, x, before if log.correlation == 1 else np.zeros(arm.n), log.correlation)
    deviation = np.sqrt(max(log.correlation, wider.max() ** 2)) * fit.deviation
    if np.any(before > 0) and log.correlation == 1:
        notes += (f"residuals remember up to {before.max():.2g} of the sample before, and were whitened",)
    odd = [arm.links[k] for k in np.flatnonzero(sure & (wider**2 > 1.5 * log.correlation))]
    if odd:
        notes += (
            f"residuals of {', '.join(odd)} are not noise alone: deviations widened {wider.max():.2g} times; if a "
            "joint has another friction than viscous and Coulomb's, these two are the nearest to it, and no more",
        )
    plain = x[10 * arm.n :].reshape(3, arm.n)
    if physical:
        from softdock.arm.physical import nearest_physical

        x = nearest_physical(reduced, noise, arm, x)
    pi, friction, count = x[: 10 * arm.n], x[10 * arm.n :].reshape(3, arm.n), len(base.columns)
    deviations = deviation[count:].reshape(3, arm.n)
    for kind, values in (("viscous", plain[0]), ("Coulomb", plain[1])):
        wrong = [link for link, value in zip(arm.links, values, strict=True) if value < -1e-9]
        if wrong:
            notes += (f"{kind} friction came out negative, which no joint has: {', '.join(wrong)}",)
    return Identified(
        arm=arm.with_parameters(pi),
        viscous=friction[0],
        coulomb=friction[1],
        viscous_deviation=deviations[0],
        coulomb_deviation=deviations[1],
        offset=friction[2],
        offset_deviation=deviations[2],
        base=base.of(pi),
        base_deviation=deviation[:count],
        names=base.names,
        noise=reduced.noise(x, len(sought)),
        condition=fit.condition,
        undetermined=_unclear(fit.unseen, base, arm),
        notes=notes,
    )


def moving(log: Log) -> np.ndarray:
    """(N, n): where a joint moves clear of turning over and of sticking."""
    rate = np.abs(log.v)
    return np.asarray((np.abs(log.direction) > _CLEAR) & (rate > _SLOW * rate.max(axis=0)))


class _Rows(NamedTuple):
    """A joint's equations, one a sample that counts: columns of `Reduced`, then the torque; and which follow the one
    before at once."""

    table: np.ndarray
    follows: np.ndarray
    moves: bool
    """One that rests says nothing of its noise: what a model leaves of it is constant."""

    def white(self, memory: float) -> np.ndarray:
        """Each less what the one before lets expect of it: noise that remembers `memory` of itself becomes white."""
        if memory == 0.0:
            return self.table
        out = self.table[1:] - memory * self.table[:-1]
        first = self.table * np.sqrt(1 - memory**2)
        return np.concatenate([first[:1], np.where(self.follows[1:, None], out, first[1:])])

    def residual(self, x: np.ndarray, memory: float = 0.0) -> np.ndarray:
        rows = self.white(memory)
        return np.asarray(rows[:, -1] - rows[:, :-1] @ x)


def _rows(log: Log, arm: SerialArm) -> list[_Rows]:
    assert log.torque is not None
    n, Y, known, found = arm.n, regressor(arm, log.q, log.v, log.a), moving(log), []
    for j in range(n):
        clear = known[:, j] if known[:, j].any() else np.ones(len(log.t), dtype=bool)
        rows = np.zeros((int(clear.sum()), 13 * n + 1))
        rows[:, : 10 * n] = Y[clear, j]
        rows[:, 10 * n + j], rows[:, 11 * n + j] = log.v[clear, j], log.direction[clear, j]
        rows[:, 12 * n + j], rows[:, -1] = 1.0, log.torque[clear, j]
        found.append(_Rows(rows, np.diff(np.flatnonzero(clear), prepend=-2) == 1, bool(known[:, j].any())))
    return found


def _memory(rows: list[_Rows], x: np.ndarray) -> np.ndarray:
    """(n): correlation of each joint's residuals with those of the sample before; zero where that may be chance."""
    found = np.zeros(len(rows))
    for j, one in enumerate(rows):
        e = one.residual(x)
        pairs = np.flatnonzero(one.follows)
        if one.moves and len(pairs) > 10 and e @ e > 0:
            rho = float(e[pairs] @ e[pairs - 1] / (e[pairs] @ e[pairs]))
            found[j] = min(rho, 0.999) if rho > 4 / np.sqrt(len(pairs)) else 0.0
    return found


def _wider(rows: list[_Rows], x: np.ndarray, memory: np.ndarray, filtered: float) -> tuple[np.ndarray, np.ndarray]:
    """(n): how much worse a mean of a joint's whitened residuals is than of white ones, √(1 + 2 Σ ρ); and whether that
    is no chance: then what is left is not noise but a torque that the model does not have.

    Over L lags of N samples, the sum of noise that a filter correlates by `filtered` errs by 2 √(L/N) of it.
    """
    found, sure = np.ones(len(rows)), np.zeros(len(rows), dtype=bool)
    for j, one in enumerate(rows):
        e = one.residual(x, memory[j])
        lags = np.arange(1, min(200, len(e) // 10))
        if one.moves and len(lags) and e @ e > 1e-18 * len(e):
            sums = 1 + 2 * np.cumsum([e[k:] @ e[:-k] / (e @ e) for k in lags])
            found[j] = np.sqrt(max(1.0, sums.max()))
            sure[j] = np.any(sums - filtered > _CHANCE * 2 * filtered * np.sqrt(lags / len(e)))
    return found, sure


def _reduced(rows: list[_Rows], memory: np.ndarray) -> Reduced:
    n, k = len(rows), 13 * len(rows)
    A, b, rest, count = np.zeros((n, k, k)), np.zeros((n, k)), np.zeros(n), np.zeros(n)
    for j, one in enumerate(rows):
        table = one.white(memory[j])
        used = np.flatnonzero(np.any(table != 0, axis=0))  # links before the joint do nothing to it
        R = qr(table[:, used], mode="r")[0][: len(used)]
        square = np.zeros((k + 1, k + 1))
        square[: len(R), used] = R
        A[j], b[j], rest[j] = square[:k, :k], square[:k, -1], float(np.sum(square[k:, -1] ** 2))
        count[j] = len(table)
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
    hidden = np.linalg.norm(Vt[~kept], axis=0) > _UNSEEN
    return _Fit(
        change=inverse @ (U[:, kept].T @ R[:, -1]) / scale,
        deviation=np.where(hidden, np.inf, np.linalg.norm(inverse, axis=1) / scale),
        condition=float(shown[kept].max() / shown[kept].min()),
        unseen=Vt[~kept],
    )


def _unclear(unseen: np.ndarray, base: Base, arm: SerialArm) -> tuple[str, ...]:
    """The parameters in each direction that the log does not show: one, or several that go together."""
    labels = [base._label(c) for c in base.columns]
    labels += [f"{kind} friction({link})" for kind in ("viscous", "Coulomb") for link in arm.links]
    labels += [f"offset({link})" for link in arm.links]
    if not len(unseen):
        return ()
    R, order = qr(unseen, mode="r", pivoting=True)  # as few parameters a direction as can be
    alone = solve_triangular(R[:, : len(R)], R)
    words = []
    for row in alone:
        part = [k for k in np.argsort(-np.abs(row)) if abs(row[k]) > 0.1][:5]
        words.append(" and ".join(labels[order[k]] for k in part))
    return tuple(words)
