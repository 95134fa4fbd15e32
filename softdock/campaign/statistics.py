"""What a table of results says: success rate, what it depends on, and where it is high."""

from typing import NamedTuple

import numpy as np
import pyarrow as pa

from softdock.campaign.plan import FIXED, Campaign

CONFIDENCE = 0.95
RESAMPLES = 400


class Rate(NamedTuple):
    """Successes among runs, and the interval that holds the true rate with CONFIDENCE."""

    successes: int
    runs: int
    low: float
    high: float

    @property
    def rate(self) -> float:
        return self.successes / self.runs


def success_rate(successes: int, runs: int) -> Rate:
    """Clopper and Pearson's exact interval: it holds the true rate with at least CONFIDENCE."""
    from scipy.stats import binomtest

    interval = binomtest(successes, runs).proportion_ci(CONFIDENCE, method="exact")
    return Rate(successes, runs, float(interval.low), float(interval.high))


def numbers(table: pa.Table, name: str) -> np.ndarray:
    """A column as floats; NaN where it has no number."""
    kind = table.schema.field(name).type
    if not (pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind)):
        return np.full(len(table), np.nan)
    return np.array([np.nan if x is None else float(x) for x in table[name].to_pylist()])


def columns(table: pa.Table, campaign: Campaign) -> tuple[list[str], list[str]]:
    """Numeric columns that vary: of draws, and of metrics (`success` among them)."""
    drawn = [name for name in campaign.draws(0) if name in table.column_names]
    rest = [name for name in table.column_names if name not in (*FIXED, *drawn)]
    return [n for n in drawn if _varies(table, n)], [n for n in ("success", *rest) if _varies(table, n)]


def _varies(table: pa.Table, name: str) -> bool:
    values = numbers(table, name)
    values = values[np.isfinite(values)]
    return len(values) > 2 and bool(np.ptp(values) > 0)


def rank_correlation(x: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    """Spearman's ρ and its p-value, over the rows where both are numbers; NaN if there are too few."""
    from scipy.stats import spearmanr

    both = np.isfinite(x) & np.isfinite(y)
    if both.sum() < 4 or np.ptp(x[both]) == 0 or np.ptp(y[both]) == 0:
        return float("nan"), float("nan")
    found = spearmanr(x[both], y[both])
    return float(found.statistic), float(found.pvalue)


class SobolIndices(NamedTuple):
    """Shares of a metric's variance: by each quantity alone, and with all its interactions; with half-widths."""

    first: list[float]
    total: list[float]
    first_error: list[float]
    total_error: list[float]


def sobol_indices(y: np.ndarray, quantities: int, seed: int = 0) -> SobolIndices | None:
    """Indices of a metric by index of a saltelli design, with bootstrap half-widths of CONFIDENCE.

    Estimators of Saltelli et al. 2010, (b) and (f) of their table 2. None if too few blocks are complete: a block
    with a run that has no number is left out as a whole, which SciPy's `sobol_indices` cannot do.
    """
    blocks = y[: len(y) // (quantities + 2) * (quantities + 2)].reshape(-1, quantities + 2)
    blocks = blocks[np.isfinite(blocks).all(axis=1)]
    if len(blocks) < 8 or np.ptp(blocks[:, :2]) == 0:
        return None
    rng = np.random.default_rng(seed)
    again = np.array([_shares(blocks[rng.integers(len(blocks), size=len(blocks))]) for _ in range(RESAMPLES)])
    low, high = np.nanquantile(again, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2], axis=0)
    return SobolIndices(*_shares(blocks).tolist(), *((high - low) / 2).tolist())


def _shares(blocks: np.ndarray) -> np.ndarray:
    """First-order and total indices, (2, quantities)."""
    centred = blocks - blocks[:, :2].mean()
    A, B, AB = centred[:, 0], centred[:, 1], centred[:, 2:].T
    variance = centred[:, :2].var()
    if variance == 0:
        return np.full((2, len(AB)), np.nan)
    return np.array([np.mean(B * (AB - A), axis=1), np.mean((A - AB) ** 2, axis=1) / 2]) / variance


def by_index(table: pa.Table, values: np.ndarray, length: int) -> np.ndarray:
    """A column with a place for every index, NaN where there is no row."""
    out = np.full(length, np.nan)
    out[table["index"].to_numpy()] = values
    return out
