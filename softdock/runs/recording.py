"""A recorded run, read back from its directory (record.py says what is in it)."""

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from softdock.runs.measures import GENERAL, UNITS_FILE, Measure, read
from softdock.runs.recorder import FORMAT, PARTS, RunFolderError, parts_of, read_parts, read_table
from softdock.world.describe import nearest
from softdock.world.files import parse_toml, read_bytes

LARGEST_JSON = 500_000_000
"""Bytes of events.json; a larger one is refused."""


class Table(Mapping[str, np.ndarray]):
    """Columns of a recorded table by name; `arrow` is the whole of it, units in its fields' metadata."""

    def __init__(self, arrow: pa.Table) -> None:
        self.arrow = arrow
        self._names = frozenset(arrow.column_names)  # Arrow makes that list anew each time

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self._names:
            raise KeyError(f"no column {name!r}{nearest(name, self.arrow.column_names)}")
        return np.asarray(self.arrow.column(name).to_numpy())

    def __iter__(self) -> Iterator[str]:
        return iter(self.arrow.column_names)

    def __len__(self) -> int:
        return len(self.arrow.column_names)

    def __repr__(self) -> str:
        first = ", ".join(f"{name} ({self.unit(name)})" for name in [*self][:6])
        return f"<Table: {self.arrow.num_rows} rows of {len(self)} columns: {first}{', …' if len(self) > 6 else ''}>"

    def unit(self, name: str) -> str:
        """Unit of a column."""
        return str((self.arrow.schema.field(name).metadata or {}).get(b"unit", b"").decode())


@dataclass(frozen=True)
class Run:
    """A recorded run; `metrics["status"]` says how it ended, and is missing if it was killed."""

    path: Path
    scenario: dict[str, Any]
    tables: dict[str, Table]
    events: list[dict[str, Any]]
    metrics: dict[str, Any]
    measures: dict[str, Measure] = field(default_factory=lambda: dict(GENERAL))
    """Unit and meaning of metrics."""

    def __repr__(self) -> str:
        t = self.tables["states"]["t"] if "states" in self.tables else np.zeros(0)
        span = f"{len(t)} rows to t = {t[-1]:g} s" if len(t) else "no rows"
        status = self.metrics.get("status", "killed")
        tables = ", ".join(self.tables) or "none"
        head = f"<Run {str(self.path)!r} of {self.scenario['scenario']!r}: {status}, {span}"
        return f"{head};\n tables: {tables}; events {len(self.events)}>"

    @property
    def states(self) -> Table:
        return self.table("states")

    @property
    def ledger(self) -> Table:
        return self.table("ledger")

    def _repr_html_(self) -> str:
        """Its replay, for notebooks."""
        return str(import_module("softdock.notebook").html_of_run(self))

    def plot(self, name: str = "joints") -> Any:
        """A Matplotlib figure of it: base, joints or ledger (None where there is nothing to show); or, of the run's own
        scenario, any that `softdock run` draws."""
        drawings = dict(import_module("softdock.figures").FIGURES)  # above this package, and only on request
        with suppress(Exception):  # a scenario that is not installed here has no figures of its own
            drawings |= import_module("softdock.scenarios").builder(self.scenario["scenario"]).figures()
        if name not in drawings:
            raise KeyError(f"no figure {name!r}{nearest(name, drawings)}")
        return drawings[name](self)

    def table(self, name: str) -> Table:
        """A recorded table; RunFolderError if there is none of that name."""
        if name not in self.tables:
            raise RunFolderError(f"{self.path}: has no {name}.parquet: nothing was recorded before the run ended")
        return self.tables[name]


def read_run(path: str | Path) -> Run:
    """The run in a directory, also of one that was killed; RunFolderError if it is none or is damaged."""
    path = Path(path)
    if not os.path.isfile(path / "scenario.toml"):
        raise RunFolderError(f"{path}: is not a run directory (it has no scenario.toml)")
    _refuse_newer(path)
    parts = parts_of(path).keys()
    tables = {}
    for name in sorted(parts | {file.stem for file in path.glob("*.parquet")}):
        whole = path / f"{name}.parquet"
        with _blaming(whole if whole.exists() else path / PARTS):
            tables[name] = Table(read_table(whole) if whole.exists() else read_parts(path, name))
    with _blaming(path / "scenario.toml"):
        scenario = parse_toml(read_bytes(path / "scenario.toml").decode())
        if not isinstance(scenario.get("scenario"), str):
            raise ValueError("does not say which scenario it is")
    events, metrics = read_json(path / "events.json", []), read_json(path / "metrics.json", {})
    return Run(path, scenario, tables, events, metrics, read(read_json(path / UNITS_FILE, {})))


def _refuse_newer(path: Path) -> None:
    """Say which softdock is needed for a run of a later format; runs without run.json are of the first."""
    about = read_json(path / "run.json", {})
    if not isinstance(form := about.get("format", 1), int) or form > FORMAT:
        writer = about.get("softdock", "?")
        raise RunFolderError(
            f"{path}: was written by softdock {writer} in format {form}; this one reads formats up to {FORMAT}: "
            f"use softdock {writer} or later"
        )


def read_json(path: Path, default: Any) -> Any:
    """A JSON file of a run, or `default` if there is none; RunFolderError if it is not of that type."""
    with _blaming(path):
        content = json.loads(read_bytes(path, LARGEST_JSON)) if path.exists() else default
        entries = content if isinstance(content, list) else []
        if not isinstance(content, type(default)) or not all(isinstance(entry, dict) for entry in entries):
            raise ValueError("has another shape than softdock writes")
        return content


@contextmanager
def _blaming(path: Path) -> Iterator[None]:
    try:
        yield
    except RunFolderError:
        raise
    except Exception as error:  # the directory may be anybody's
        raise RunFolderError(f"{path}: cannot be read: {error or type(error).__name__}") from None
