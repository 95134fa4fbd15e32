"""Rows of a long run that are recorded already: in unnamed files, so that memory does not grow with the run."""

import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import IO

import numpy as np

from softdock.dynamics import Impact, Trajectory

MOST_BYTES = 8_000_000
"""Rows in memory of a run that is recorded."""
MOST_TOGETHER = 256_000_000
"""Bytes of rows for which one place is made when a run begins, if it is not recorded."""
KEPT = "t", "q", "v", "account"
"""Parts of a trajectory that every row has."""


class Spill:
    """Where rows go that need not be in memory; `joined` are all of them, as arrays that the system reads from disk
    when they are looked at."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._files: dict[str, IO[bytes]] = {}
        self._impacts: list[Impact] = []
        self._eased: list[np.ndarray] = []
        self._count = 0

    def add(self, parts: Sequence[Trajectory]) -> None:
        """Take over these rows. OSError if the disk is full."""
        rows = Trajectory.joined(parts)
        for name in KEPT:
            if name not in self._files:
                self._files[name] = tempfile.TemporaryFile(dir=self._folder)  # noqa: SIM115  # as long as the run
            self._files[name].write(np.ascontiguousarray(getattr(rows, name)).data)
        self._impacts += rows.impacts
        if rows.eased.size:
            rows.eased["row"] += self._count
            self._eased.append(rows.eased)
        self._shapes = {name: getattr(rows, name).shape[1:] for name in KEPT}
        self._count += len(rows)

    def joined(self) -> Trajectory:
        """All rows."""
        t, q, v, account = map(self._mapped, KEPT)
        rows = Trajectory(t, q, v, account, list(self._impacts))
        return replace(rows, eased=np.concatenate(self._eased)) if self._eased else rows

    def _mapped(self, name: str) -> np.ndarray:
        shape = (self._count, *self._shapes[name])
        if 0 in shape:
            return np.empty(shape)
        self._files[name].flush()
        return np.asarray(np.memmap(self._files[name], np.float64, "c", shape=shape))


def size(rows: Trajectory) -> int:
    """Bytes that its arrays take."""
    return int(sum(getattr(rows, name).nbytes for name in KEPT))
