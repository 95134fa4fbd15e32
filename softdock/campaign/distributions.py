"""What a varied quantity is drawn from: a distribution by its quantile function, so that any design can use it.

    normal(mean, sd)                     sd may be a vector, or for correlated quantities a covariance matrix
    truncnormal(mean, sd, low, high)     a normal, given that it lies between low and high
    lognormal(median, sigma)             exp of a normal with standard deviation sigma about ln median
    uniform(low, high)
    choice(a, b, …)                      any TOML values, equally likely
    steps(low, high, n)                  n evenly spaced numbers, the ends included, equally likely

Numbers may be vectors of one length; a scalar among them stands for all entries.
"""

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from softdock.world.describe import nearest, shown

LEAST = 2.0**-53
"""Probabilities are drawn from LEAST to 1 − LEAST: a normal reaches 8.2 standard deviations, never infinity."""


MOST_VALUES = 100_000
"""Of a choice or of steps; numbers of a vector."""


class DistributionError(ValueError):
    """A distribution that cannot be drawn from; the one-line message says what was expected."""


@dataclass(frozen=True)
class Distribution:
    """Values of one quantity. `size` probabilities make one value; `vector` says whether it is a list."""

    text: str
    size: int
    vector: bool
    quantile: Callable[[np.ndarray], Any]
    """From `size` probabilities to a value."""
    values: tuple[Any, ...] = ()
    """All values, if there are finitely many."""
    ends: tuple[Any, Any] = (None, None)
    """Least and greatest value that can be drawn, entry by entry."""

    def extremes(self) -> list[Any]:
        """Values at the ends of what can be drawn: every entry of a vector at each end, the rest in the middle."""
        if self.values:
            return list(self.values)
        if not self.vector:
            return list(self.ends)
        middle = self.quantile(np.full(self.size, 0.5))
        return [[*middle[:k], end[k], *middle[k + 1 :]] for end in self.ends for k in range(self.size)]


def distribution(text: str) -> Distribution:
    """What `name(numbers…)` says; DistributionError if that is nothing."""
    name, arguments = _parsed(text)
    if name not in _MAKERS:
        raise DistributionError(f"{text}: no distribution {name!r}{nearest(name, _MAKERS)}")
    maker, expected = _MAKERS[name]
    try:
        return maker(text, *arguments)
    except (TypeError, ArithmeticError):
        raise DistributionError(f"{text}: expected {expected}") from None


def listed(key: str, values: Sequence[Any]) -> Distribution:
    """Values that are listed, one a run."""
    for value in values:
        if type(value) not in (bool, int, float, str):
            raise DistributionError(f"draws: {key} = {value!r}: must be a number, text or true; name entries, a[0]")
        _require(f"draws: {key} = {value!r}", _fits(value), "is beyond 2⁶³, more than a column can hold")
    return Distribution("given", 1, False, lambda u: values[int(u[0] * len(values))], tuple(values))


def _fits(value: Any) -> bool:
    """Can a column of 64-bit integers hold it, if it is one?"""
    if isinstance(value, list | tuple):
        return all(map(_fits, value))
    return not isinstance(value, int) or -(2**63) <= value < 2**63


def _parsed(text: str) -> tuple[str, list[Any]]:
    try:
        call = ast.parse(text.strip(), mode="eval").body
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and not call.keywords:
            return call.func.id, [_toml_like(argument) for argument in call.args]
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # the last two of what is nested too deeply
        pass
    raise DistributionError(f"{text}: expected a distribution, such as normal(0.1, 0.02) or choice(1, 2, 4)")


def _toml_like(node: ast.expr) -> Any:
    if isinstance(node, ast.Name) and node.id in ("true", "false"):
        return node.id == "true"
    return ast.literal_eval(node)


def _normal(text: str, mean: Any, sd: Any) -> Distribution:
    if np.ndim(sd) == 2:
        return _correlated(text, _numbers(text, mean), sd)
    (m, s), vector = _vectors(text, mean, sd)
    _require(text, bool(np.all(s > 0)), "the standard deviation must be positive")
    return _continuous(text, vector, len(m), lambda u: m + s * _probit(u))


def _correlated(text: str, mean: np.ndarray, covariance: Any) -> Distribution:
    """Correlated normals, x = mean + L z with L Lᵀ the covariance."""
    C = _numbers(text, covariance)
    _require(text, C.shape == (len(mean),) * 2 and np.allclose(C, C.T), "the covariance must be a symmetric matrix")
    try:
        L = np.linalg.cholesky(C)
    except np.linalg.LinAlgError:
        raise DistributionError(f"{text}: the covariance must be positive definite") from None
    far = np.abs(L) @ _probit(np.full(len(mean), 1 - LEAST))
    ends = (mean - far).tolist(), (mean + far).tolist()
    return Distribution(text, len(mean), True, lambda u: (mean + L @ _probit(u)).tolist(), ends=ends)


def _truncated(text: str, mean: Any, sd: Any, low: Any, high: Any) -> Distribution:
    from scipy.special import ndtr

    (m, s, a, b), vector = _vectors(text, mean, sd, low, high)
    _require(text, bool(np.all(s > 0)), "the standard deviation must be positive")
    _require(text, bool(np.all(a < b)), "low must be less than high")
    side = np.where(a + b > 2 * m, -1.0, 1.0)  # of the tail in which probabilities keep their digits
    near, far = (np.where(side > 0, x, y) for x, y in ((a, b), (b, a)))
    below, above = ndtr(side * (near - m) / s), ndtr(side * (far - m) / s)
    _require(text, bool(np.all(above > below)), "there is nothing of the normal between low and high")

    def f(u: np.ndarray) -> np.ndarray:
        share = np.where(side > 0, u, 1 - u)
        return np.minimum(np.maximum(m + side * s * _probit(below + share * (above - below)), a), b)

    return _continuous(text, vector, len(m), f)


def _lognormal(text: str, median: Any, sigma: Any) -> Distribution:
    (m, s), vector = _vectors(text, median, sigma)
    _require(text, bool(np.all(m > 0) and np.all(s > 0)), "median and sigma must be positive")
    return _continuous(text, vector, len(m), lambda u: m * np.exp(s * _probit(u)))


def _uniform(text: str, low: Any, high: Any) -> Distribution:
    (a, b), vector = _vectors(text, low, high)
    _require(text, bool(np.all(a < b)), "low must be less than high")
    return _continuous(text, vector, len(a), lambda u: a + (b - a) * u)


def _choice(text: str, *values: Any) -> Distribution:
    _require(text, bool(values), "there must be something to choose from")
    _require(text, len(values) <= MOST_VALUES, f"at most {MOST_VALUES} values can be chosen from")
    _require(text, all(map(_is_toml, values)), "takes numbers, text, true, false, and lists and tables of these")
    _require(text, all(map(_fits, values)), "an integer is beyond 2⁶³, more than a column can hold")
    return Distribution(text, 1, False, lambda u: values[int(u[0] * len(values))], values)


def _is_toml(value: Any) -> bool:
    if isinstance(value, dict):
        return all(isinstance(key, str) for key in value) and all(map(_is_toml, value.values()))
    return all(map(_is_toml, value)) if isinstance(value, list | tuple) else isinstance(value, bool | int | float | str)


def _steps(text: str, low: Any, high: Any, n: Any) -> Distribution:
    (a, b), vector = _vectors(text, low, high)
    _require(text, not vector and isinstance(n, int) and n >= 2, "n must be a whole number of at least 2")
    _require(text, n <= MOST_VALUES, f"n must be at most {MOST_VALUES}")
    return _choice(text, *np.linspace(a[0], b[0], n).tolist())


_MAKERS: dict[str, tuple[Callable[..., Distribution], str]] = {
    "normal": (_normal, "normal(mean, sd)"),
    "truncnormal": (_truncated, "truncnormal(mean, sd, low, high)"),
    "lognormal": (_lognormal, "lognormal(median, sigma)"),
    "uniform": (_uniform, "uniform(low, high)"),
    "choice": (_choice, "choice(a, b, …)"),
    "steps": (_steps, "steps(low, high, n)"),
}


def _continuous(text: str, vector: bool, size: int, f: Callable[[np.ndarray], np.ndarray]) -> Distribution:
    def quantile(u: np.ndarray) -> Any:
        value = f(u).tolist()
        return value if vector else value[0]

    ends = quantile(np.full(size, LEAST)), quantile(np.full(size, 1 - LEAST))
    return Distribution(text, size, vector, quantile, ends=ends)


def _probit(u: np.ndarray) -> np.ndarray:
    return np.asarray(_ndtri()(u))


@cache
def _ndtri() -> Any:
    """SciPy is loaded when something is drawn."""
    from scipy.special import ndtri

    return ndtri


def _numbers(text: str, value: Any) -> np.ndarray:
    try:
        array = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise DistributionError(f"{text}: takes numbers, not {shown(value)}") from None
    _require(text, bool(np.all(np.isfinite(array))), "takes finite numbers")
    return array


def _vectors(text: str, *values: Any) -> tuple[list[np.ndarray], bool]:
    """Numbers as vectors of one length, and whether any was one."""
    arrays = [_numbers(text, value) for value in values]
    try:
        same = np.broadcast_arrays(*(np.atleast_1d(array) for array in arrays))
    except ValueError:
        raise DistributionError(f"{text}: vectors must have one length") from None
    _require(text, same[0].ndim == 1, "takes numbers or vectors of numbers")
    return [np.array(array) for array in same], any(array.ndim for array in arrays)


def _require(text: str, holds: bool, message: str) -> None:
    if not holds:
        raise DistributionError(f"{text}: {message}")
