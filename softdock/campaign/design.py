"""Which probabilities each run of a campaign gets: a pure function of (design, seed, index).

monte-carlo       independent draws
latin-hypercube   every quantity has one draw in each of as many equal slices as there are runs
sobol             Sobol's sequence with Owen's scrambling
saltelli          Sobol points A and B, and A with one quantity from B each: what Sobol indices need
grid              all combinations of finitely many values
given             the values of each run are listed: there is nothing to draw
"""

import math
from collections.abc import Sequence
from functools import cached_property
from typing import Literal

import numpy as np

from softdock.campaign.distributions import LEAST

Kind = Literal["monte-carlo", "latin-hypercube", "sobol", "saltelli", "grid", "given"]
EXTENDABLE = ("monte-carlo", "sobol")
"""Designs whose first rows do not depend on how many follow."""
MOST_NUMBERS = 10_000_000
"""Of a latin-hypercube; runs of a grid."""
_TABLE = 65_536
"""Sobol points are made in lots of so many."""
_BITS = 30
"""Sobol points have so many binary digits; they are taken in the middle of what those leave open."""


class Design:
    """Points of the unit cube, by index."""

    def __init__(self, kind: Kind, runs: int, sizes: Sequence[int], seed: int) -> None:
        """`sizes` has the number of probabilities of each quantity; of its values, for a grid."""
        self.kind, self.runs, self.seed, self.sizes = kind, runs, seed, tuple(sizes)
        self.width = len(self.sizes) if kind == "grid" else sum(self.sizes)
        self._lots: dict[int, np.ndarray] = {}

    def point(self, index: int) -> np.ndarray:
        """Probabilities of run `index`, each from LEAST to 1 − LEAST."""
        if not 0 <= index < self.runs:
            raise ValueError(f"there is no run {index}; the last is {self.runs - 1}")
        point = {
            "monte-carlo": self._random,
            "latin-hypercube": self._sliced,
            "sobol": self._sobol,
            "saltelli": self._saltelli,
            "grid": self._grid,
        }[self.kind](index)
        return np.minimum(np.maximum(point, LEAST), 1 - LEAST)

    def _random(self, index: int) -> np.ndarray:
        return np.random.default_rng(np.random.SeedSequence(self.seed, spawn_key=(index,))).random(self.width)

    def _sliced(self, index: int) -> np.ndarray:
        return np.asarray(self._hypercube[index])

    @cached_property
    def _hypercube(self) -> np.ndarray:
        from scipy.stats.qmc import LatinHypercube

        return np.asarray(LatinHypercube(self.width, rng=np.random.default_rng(self.seed)).random(self.runs))

    def _sobol(self, index: int) -> np.ndarray:
        return self._sequence(index, self.width)

    def _sequence(self, index: int, width: int) -> np.ndarray:
        """Point `index` of the scrambled sequence."""
        lot = index // _TABLE
        if lot not in self._lots:
            from scipy.stats.qmc import Sobol

            sequence = Sobol(width, rng=np.random.default_rng(self.seed), bits=_BITS)
            if lot:
                sequence.fast_forward(lot * _TABLE)
            bound = min(_TABLE, 1 << (self.runs - lot * _TABLE - 1).bit_length())
            self._lots = {lot: sequence.random(bound) + 2.0 ** -(_BITS + 1)}
        return np.asarray(self._lots[lot][index - lot * _TABLE])

    def _saltelli(self, index: int) -> np.ndarray:
        """Rows of block `index // (k + 2)`, k quantities: A, B, then A with quantity i from B."""
        block, which = divmod(index, len(self.sizes) + 2)
        a, b = np.split(self._sequence(block, 2 * self.width), 2)
        if which < 2:
            return (a, b)[which]
        start = sum(self.sizes[: which - 2])
        mixed = a.copy()
        mixed[start : start + self.sizes[which - 2]] = b[start : start + self.sizes[which - 2]]
        return mixed

    def _grid(self, index: int) -> np.ndarray:
        """The last quantity changes fastest; a probability in the middle of its value's share."""
        return (np.array(np.unravel_index(index, self.sizes)) + 0.5) / self.sizes


def runs_of(kind: Kind, runs: int | None, sizes: Sequence[int]) -> int:
    """How many runs a design has; ValueError if what is asked for does not suit it."""
    if kind == "grid":
        full = math.prod(sizes)
        if full > MOST_NUMBERS:
            raise ValueError(f"runs: a grid over these values has {full:.3g} runs; it may have {MOST_NUMBERS}")
        if runs not in (None, full):
            raise ValueError(f"runs: a grid over these values has {full} runs, not {runs}")
        return full
    if kind == "given":
        if len({*sizes}) != 1 or not sizes[0]:
            raise ValueError("draws: there must be at least one, and as many values of each key")
        if runs not in (None, sizes[0]):
            raise ValueError(f"runs: {sizes[0]} draws are given, not {runs}")
        return sizes[0]
    if runs is None:
        raise ValueError("runs: say how many")
    if kind == "latin-hypercube" and runs * sum(sizes) > MOST_NUMBERS:
        raise ValueError(f"runs: a latin-hypercube draws all its numbers at once, and no more than {MOST_NUMBERS}")
    if kind == "saltelli" and runs % (len(sizes) + 2):
        raise ValueError(f"runs: a saltelli design of {len(sizes)} quantities takes a multiple of {len(sizes) + 2}")
    return runs


def block_of(kind: Kind, index: int, quantities: int) -> int:
    """Which runs belong together: those of a saltelli design by blocks, others each by itself."""
    return index // (quantities + 2) if kind == "saltelli" else index


def seed_of(seed: int, index: int) -> int:
    """`run.seed` of run (or block) `index`: its own, and not among the streams of the draws."""
    return int(np.random.SeedSequence(seed, spawn_key=(index, 1)).generate_state(1)[0])
