"""A campaign on disk: parts that are only ever added, joined to one table at the end.

    campaign.toml               everything that the draws and the runs depend on
    parts/<first>-<last>.parquet   rows as they came, named by their least and greatest index
    results.parquet             all rows by index, when every run is done
    runs/<index>/               runs that were kept or done again, in full
    report.html

A file appears under its name only when it is complete, so that whatever is there is readable.
"""

import os
import shutil
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from pydantic import ValidationError

from softdock.campaign.plan import FIXED, Campaign
from softdock.campaign.trial import Row
from softdock.runs.recorder import PARTS, read_table
from softdock.runs.whole import flush_to_disk, inner_folder, write_whole
from softdock.world.files import explain, parse_toml, read_bytes

PLAN, RESULTS, RUNS = "campaign.toml", "results.parquet", "runs"
MOST_ROWS, MOST_SECONDS, MOST_PARTS = 1000, 0.5, 200
"""A part is written when there are so many rows or after so long; so many parts are made one."""


class CampaignError(ValueError):
    """A campaign's directory cannot be used; the one-line message names it and says why."""


class Store:
    """Where rows go. OSError if the disk fails; what was written until then stays readable."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._rows: list[Row] = []
        self._written = time.monotonic()

    def add(self, row: Row) -> None:
        """Keep a row; it is on disk soon."""
        self._rows.append(row)
        if len(self._rows) >= MOST_ROWS:
            self.write()

    def write_if_due(self) -> None:
        """Write what has been waiting for long enough."""
        if self._rows and time.monotonic() - self._written > MOST_SECONDS:
            self.write()

    def write(self) -> None:
        """Write what is waiting as a part."""
        if self._rows:
            self._put(_table(self._rows))
            self._rows = []
            if len(parts := _parts(self.path)) > MOST_PARTS:
                self._merge(parts)
        self._written = time.monotonic()

    def _put(self, table: pa.Table) -> Path:
        indices = table["index"].to_numpy()
        place = inner_folder(self.path, PARTS) / f"{indices.min():07d}-{indices.max():07d}.parquet"
        write_table(table, place)
        return place

    def _merge(self, parts: list[Path]) -> None:
        """One part of many. If it ends in between, rows are there twice, and `rows_in` takes one of each."""
        merged = self._put(joined([read_table(part) for part in parts]))
        for part in parts:
            if part != merged:
                part.unlink()

    def join(self) -> Path:
        """results.parquet of all parts, which then go."""
        table = rows_in(self.path)
        write_table(table, self.path / RESULTS)
        flush_to_disk(self.path)
        shutil.rmtree(self.path / PARTS, ignore_errors=True)
        return self.path / RESULTS


def _parts(path: Path) -> list[Path]:
    return sorted((path / PARTS).glob("*.parquet"))


def _table(rows: Iterable[Row]) -> pa.Table:
    """Rows as a table; a column that a row does not have is null in it."""
    rows = list(rows)
    names = list(dict.fromkeys(name for row in rows for name in row))
    return pa.table({name: _column([row.get(name) for row in rows]) for name in names})


def _column(values: list[object]) -> pa.Array:
    """Numbers of mixed kinds are floats; anything else that is mixed is text."""
    kinds = {type(value) for value in values if value is not None}
    if kinds == {int, float}:
        values = [None if value is None else float(value) for value in values]  # type: ignore[arg-type]
    elif len(kinds) > 1:
        values = [None if value is None else str(value) for value in values]
    return pa.array(values)


def joined(tables: list[pa.Table]) -> pa.Table:
    """All rows by index, each once; columns that all runs have come first as they came."""
    table = pa.concat_tables(_alike(tables), promote_options="permissive")
    _, first = np.unique(table["index"].to_numpy(), return_index=True)
    table = table.take(first)
    names = [*FIXED, *(name for name in table.column_names if name not in FIXED)]
    return table.select([name for name in names if name in table.column_names])


def _alike(tables: list[pa.Table]) -> list[pa.Table]:
    """Columns that are text in one part are so in all: the rest Arrow can promote."""
    text = {field.name for table in tables for field in table.schema if pa.types.is_string(field.type)}
    return [_worded(table, text & set(table.column_names)) for table in tables]


def _worded(table: pa.Table, names: set[str]) -> pa.Table:
    """With the columns of those names as text."""
    for name in names:
        kind = table[name].type
        if not (pa.types.is_string(kind) or pa.types.is_null(kind)):
            words = [None if x is None else str(x) for x in table[name].to_pylist()]
            table = table.set_column(table.column_names.index(name), name, pa.array(words, pa.string()))
    return table


def rows_in(path: Path) -> pa.Table:
    """All rows that a campaign has so far, by index."""
    files = [*([path / RESULTS] if (path / RESULTS).exists() else []), *_parts(path)]
    if not files:
        return pa.table({"index": pa.array([], pa.int64())})
    return joined([read_table(file) for file in files])


def write_table(table: pa.Table, path: Path) -> None:
    """A Parquet file, whole or not at all, and on disk."""
    write_whole(path, lambda place: pq.write_table(table, place), flush=True)


def refuse_no_results(table: pa.Table) -> None:
    """ValueError if a table is not one of a campaign's results."""
    if len(table) and (missing := [name for name in FIXED if name not in table.column_names]):
        raise ValueError(f"its table has no column {missing[0]!r}")
    if len(table) and not pa.types.is_integer(table["index"].type):
        raise ValueError("its table's indices are no numbers")


def results(path: str | Path) -> pa.Table:
    """The table of a campaign, finished or not; CampaignError if there is none."""
    with _blaming(Path(path)):
        table = rows_in(Path(path))
        refuse_no_results(table)
    if not len(table):
        raise CampaignError(f"{path}: holds no results of a campaign")
    return table


def opened(path: Path, campaign: Campaign, resume: bool) -> np.ndarray:
    """Begin a directory, or go on with it: which indices are done. CampaignError if it is not this campaign's."""
    try:
        used = path.exists() and (not path.is_dir() or any(path.iterdir()))
        if used and not resume:
            raise CampaignError(f"{path}: exists and is not an empty directory; choose another, or give --resume")
        if used:
            refuse_other(path, campaign)
        path.mkdir(parents=True, exist_ok=True)
        write_whole(path / PLAN, lambda place: place.write_text(campaign.written(), encoding="utf-8"), flush=True)
        for left in path.glob(f"{PARTS}/*.tmp"):
            left.unlink()
        done = np.zeros(campaign.length, dtype=np.bool_)
        with _blaming(path):
            known = rows_in(path)
            refuse_no_results(known)
            done[known["index"].to_numpy()] = True
    except OSError as error:
        raise CampaignError(f"{path}: cannot be written: {error.strerror or error}") from None
    return done


def refuse_other(path: Path, campaign: Campaign) -> None:
    """CampaignError if the directory holds another campaign; more runs of the same are welcome where the design can."""
    from softdock.campaign.design import EXTENDABLE

    before = planned(path)
    for key in ("scenario", "vary", "design", "seed", "searched", "time_limit", "memory_limit"):
        if getattr(before, key) != getattr(campaign, key):
            changed = _difference(getattr(before, key), getattr(campaign, key), key)
            raise CampaignError(f"{path}: cannot be resumed, {changed}; choose another directory")
    if campaign.length < before.length or (campaign.length > before.length and campaign.design not in EXTENDABLE):
        raise CampaignError(
            f"{path}: cannot be resumed with {campaign.length} runs, it has {before.length}; choose another directory"
        )


def _difference(before: object, now: object, key: str) -> str:
    """Where two tables differ first."""
    if isinstance(before, dict) and isinstance(now, dict):
        for name in [*before, *now]:
            if before.get(name) != now.get(name):
                return _difference(before.get(name), now.get(name), f"{key}.{name}")
    return f"its {key} is {before!r}, not {now!r}"


def planned(path: Path) -> Campaign:
    """The campaign of a directory; CampaignError if it has none."""
    if not os.path.isfile(path / PLAN):
        raise CampaignError(f"{path}: is no campaign's directory: it has no {PLAN}")
    with _blaming(path / PLAN):
        content = parse_toml(read_bytes(path / PLAN).decode())
        return Campaign.model_validate(content.get("campaign"))


@contextmanager
def _blaming(path: Path) -> Iterator[None]:
    """CampaignError for whatever is wrong with what somebody's directory holds."""
    try:
        yield
    except CampaignError:
        raise
    except ValidationError as error:
        raise CampaignError(f"{path}: cannot be read: {explain(error)}") from None
    except Exception as error:
        raise CampaignError(f"{path}: cannot be read: {error or type(error).__name__}") from None
