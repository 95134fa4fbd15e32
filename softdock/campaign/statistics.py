"""What a table of results says: success rate, what it depends on, and where it is high."""

from typing import NamedTuple

import numpy as np
import pyarrow as pa

from softdock.campaign.plan import FIXED, Campaign

CONFIDENCE = 0.95
RESAMPLES = 400


class Rate(NamedTuple):
    """Successes among runs, and the interval that holds the true rate with CONFIDENCE; if the runs allow none, why."""

    successes: int
    runs: int
    low: float | None = None
    high: float | None = None
    no_interval: str = ""

    @property
    def rate(self) -> float:
        return self.successes / self.runs

    def __str__(self) -> str:
        if self.low is None or self.high is None:
            return f"{100 * self.rate:.1f} % (no interval: {self.no_interval})"
        return (
            f"{100 * self.rate:.1f} %, {100 * self.low:.1f} to {100 * self.high:.1f} % with {CONFIDENCE:.0%} confidence"
        )


NO_INTERVAL = {
    "latin-hypercube": "draws of a Latin hypercube are not independent",
    "sobol": "points of a Sobol sequence are not independent",
    "grid": "a grid is no sample",
    "given": "draws that are given are no sample",
}


def rate_of(table: pa.Table, campaign: Campaign) -> Rate:
    """Success rate of a campaign, with an interval where its runs are a sample: independent, or in blocks that are."""
    success = np.asarray(table["success"].to_pylist(), dtype=bool)
    if campaign.searched:
        return Rate(int(success.sum()), len(success), no_interval="runs of a search are no sample")
    if campaign.design in NO_INTERVAL:
        return Rate(int(success.sum()), len(success), no_interval=NO_INTERVAL[campaign.design])
    if campaign.design == "saltelli":
        return success_rate_by_block(success, table["index"].to_numpy() // (len(campaign.quantities) + 2))
    return success_rate(int(success.sum()), len(success))


def success_rate(successes: int, runs: int) -> Rate:
    """Clopper and Pearson's exact interval: it holds the true rate of independent runs with at least CONFIDENCE."""
    return Rate(successes, runs, *_clopper_pearson(successes, runs))


def success_rate_by_block(success: np.ndarray, block: np.ndarray) -> Rate:
    """Of runs that are independent only from block to block: Clopper and Pearson's interval for as many independent
    runs as would have the variance that the blocks show (Korn and Graubard 1998). If all ended alike that cannot be
    told, and each block counts as one run."""
    from scipy.stats import t

    count, p = len(success), float(success.mean())
    of_block = np.unique(block, return_inverse=True)[1]
    blocks = int(of_block.max()) + 1
    if blocks < 2:
        return Rate(int(success.sum()), count, no_interval="a single block is no sample")
    off = np.bincount(of_block, weights=success - p)
    variance = blocks / (blocks - 1) * float(off @ off) / count**2
    tails = t.ppf((1 + CONFIDENCE) / 2, [count - 1, blocks - 1])
    worth = min(count, p * (1 - p) / variance) * (tails[0] / tails[1]) ** 2 if 0 < p < 1 and variance > 0 else blocks
    return Rate(int(success.sum()), count, *_clopper_pearson(p * worth, worth))


def _clopper_pearson(successes: float, runs: float) -> tuple[float, float]:
    from scipy.special import betaincinv

    tail = (1 - CONFIDENCE) / 2
    low = betaincinv(successes, runs - successes + 1, tail) if successes > 0 else 0.0
    high = betaincinv(successes + 1, runs - successes, 1 - tail) if successes < runs else 1.0
    return float(low), float(high)


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

    Estimators of Saltelli et al. 2010, (b) and (f) of their table 2. None if too few blocks are complete, or if so few
    differ that resamples have no variance: the bootstrap knows nothing then. A block with a run that has no number is
    left out as a whole, which SciPy's `sobol_indices` cannot do.
    """
    blocks = y[: len(y) // (quantities + 2) * (quantities + 2)].reshape(-1, quantities + 2)
    blocks = blocks[np.isfinite(blocks).all(axis=1)]
    if len(blocks) < 8 or np.all(blocks[:, :2] == blocks[0, 0]):
        return None
    blocks = blocks / np.abs(blocks).max()  # indices have no unit, and squares must not overflow
    rng = np.random.default_rng(seed)
    again = np.array([_shares(blocks[rng.integers(len(blocks), size=len(blocks))]) for _ in range(RESAMPLES)])
    if np.isnan(again[:, 0, 0]).mean() > (1 - CONFIDENCE) / 2:
        return None
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
