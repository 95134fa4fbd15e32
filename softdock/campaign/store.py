"""A campaign on disk: parts that are only ever added, joined to one table at the end.

    campaign.toml               everything that the draws and the runs depend on
    campaign.lock               held by whoever writes here; it stays, and means nothing by itself
    parts/<first>-<last>.parquet   rows as they came, named by their least and greatest index
    results.parquet             all rows by index, when every run is done
    runs/<index>/               runs that were kept or done again, in full
    report.html

A file appears under its name only when it is complete, so that whatever is there is readable.
"""

import hashlib
import json
import os
import shutil
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from pydantic import ValidationError

from softdock.campaign.plan import FIXED, Campaign
from softdock.campaign.sources import changed
from softdock.campaign.trial import Row
from softdock.runs.recorder import PARTS, read_table
from softdock.runs.whole import flush_to_disk, inner_folder, write_whole
from softdock.world.describe import shown
from softdock.world.files import explain, parse_toml, read_bytes

PLAN, LOCK, RESULTS, RUNS = "campaign.toml", "campaign.lock", "results.parquet", "runs"
MOST_ROWS, MOST_SECONDS, MOST_PARTS, FEW = 1000, 0.5, 200, 10_000
"""A part is written when there are so many rows or after so long; so many parts are made one."""

_LOOKED_AT_APART = frozenset(("runs", "files"))
"""More runs may be welcome; which files are read is not always noted alike, but none may have changed."""


class CampaignError(ValueError):
    """A campaign's directory cannot be used; the one-line message names it and says why."""


class Store:
    """Where rows go. OSError if the disk fails; what was written until then stays readable."""

    def __init__(self, path: Path, campaign: Campaign | None = None) -> None:
        self.path, self._mark = path, _mark(campaign) if campaign else {}
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
        write_table(table.replace_schema_metadata(self._mark), place)
        return place

    def _merge(self, parts: list[Path]) -> None:
        """One part of many. If it ends in between, rows are there twice, and `rows_in` takes one of each."""
        merged = self._put(joined([read_table(part) for part in parts]))
        for part in parts:
            if part != merged:
                part.unlink()

    def join(self, campaign: Campaign | None = None) -> Path:
        """results.parquet of all parts, which then go; of a campaign, with units and where it comes from."""
        table = rows_in(self.path)
        table = told(table, campaign) if campaign else table
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
    table = _picked(table, first)
    names = [*FIXED, *(name for name in table.column_names if name not in FIXED)]
    return table.select([name for name in names if name in table.column_names])


def _picked(table: pa.Table, rows: np.ndarray) -> pa.Table:
    """Rows by their numbers. (Arrow's own way takes as long as 20 runs when it is first called, which few rows need
    not.)"""
    if len(table) > FEW:
        return table.take(rows)
    return pa.table({name: _rows_of(table[name], rows) for name in table.column_names}, table.schema)


def _rows_of(column: pa.ChunkedArray, rows: np.ndarray) -> pa.Array:
    kind = column.type
    if (pa.types.is_integer(kind) or pa.types.is_floating(kind)) and not column.null_count:
        return pa.array(column.to_numpy()[rows], kind)
    values = column.to_pylist()
    return pa.array([values[k] for k in rows.tolist()], kind)


def _alike(tables: list[pa.Table]) -> list[pa.Table]:
    """Columns that are text in one part, or truths in one and numbers in another, are text in all: the rest Arrow can
    promote."""
    kinds: dict[str, set[str]] = {}
    for field in (field for table in tables for field in table.schema):
        kinds.setdefault(field.name, set()).add(str(field.type))
    text = {name for name, kind in kinds.items() if "string" in kind or ("bool" in kind and kind - {"bool", "null"})}
    return [_worded(table, text & set(table.column_names)) for table in tables]


def _worded(table: pa.Table, names: set[str]) -> pa.Table:
    """With the columns of those names as text."""
    for name in names:
        kind = table[name].type
        if not (pa.types.is_string(kind) or pa.types.is_null(kind)):
            words = [None if x is None else str(x) for x in table[name].to_pylist()]
            table = table.set_column(table.column_names.index(name), name, pa.array(words, pa.string()))
    return table


def _files(path: Path) -> list[Path]:
    """With rows."""
    return [*([path / RESULTS] if (path / RESULTS).exists() else []), *_parts(path)]


def rows_in(path: Path) -> pa.Table:
    """All rows that a campaign has so far, by index."""
    files = _files(path)
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


def told(table: pa.Table, campaign: Campaign) -> pa.Table:
    """With each column's unit, if it is known, in its field's metadata; in the table's, the softdock that made it and
    the campaign's plan."""
    units = {name: campaign.unit(name) for name in table.column_names}
    fields = [f.with_metadata({"unit": units[f.name]} if units[f.name] else {}) for f in table.schema]
    plan = {"softdock": campaign.softdock, "campaign": campaign.written()}
    return table.cast(pa.schema(fields, metadata=plan | _mark(campaign)))


def _mark(campaign: Campaign) -> dict[str, str]:
    """What all rows of a campaign have in common: a digest of its plan, but for what may change on purpose. Of names'
    order only that of the distributions matters: draws depend on it."""
    plan = campaign.model_dump(mode="json", exclude={"softdock", *_LOOKED_AT_APART})
    plan["vary"] = list(campaign.vary)
    return {"plan": hashlib.sha256(json.dumps([plan, campaign.vary], sort_keys=True).encode()).hexdigest()}


def _refuse_edited(path: Path, campaign: Campaign) -> None:
    """CampaignError if rows are there that are of another plan: somebody has edited campaign.toml since."""
    mark = _mark(campaign)["plan"]
    for file in _files(path):
        found = (read_table(file).schema.metadata or {}).get(b"plan")
        if found is not None and found.decode() != mark:
            why = f"{PLAN} is not the one of {file.name}; put it back, or choose another directory"
            raise CampaignError(f"{path}: cannot be resumed, {why}")


def results(path: str | Path) -> pa.Table:
    """The table of a campaign, finished or not; CampaignError if there is none."""
    with _blaming(Path(path)):
        table = rows_in(Path(path))
        refuse_no_results(table)
    if not len(table):
        raise CampaignError(f"{path}: holds no results of a campaign")
    return table


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Keep other processes from writing there meanwhile; CampaignError if one does. The lock ends with this process,
    however that ends, and is not inherited by workers. (Where Python has no `fcntl`, as on Windows, there is none.)"""
    try:
        import fcntl
    except ImportError:
        yield
        return
    with (path / LOCK).open("a+", encoding="ascii") as file:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.seek(0)
            raise CampaignError(f"{path}: process {file.read(20).strip() or '?'} is at work there") from None
        file.truncate(0)
        file.write(f"{os.getpid()}\n")
        file.flush()
        yield


def refuse_used(path: Path, resume: bool) -> None:
    """CampaignError if something is there that is not to be gone on with."""
    try:
        used = path.exists() and (not path.is_dir() or any(path.iterdir()))
    except OSError as error:
        raise CampaignError(f"{path}: cannot be written: {error.strerror or error}") from None
    if used and not resume:
        raise CampaignError(f"{path}: exists and is not an empty directory; choose another, or give --resume")


@contextmanager
def opened(path: Path, campaign: Campaign, resume: bool) -> Iterator[np.ndarray]:
    """Begin a directory, or go on with it, and keep others out: which indices are done. CampaignError if it is not this
    campaign's, or if another process is at work there."""
    refuse_used(path, resume)
    with ExitStack() as held:
        try:
            path.mkdir(parents=True, exist_ok=True)
            held.enter_context(locked(path))
        except OSError as error:
            raise CampaignError(f"{path}: cannot be written: {error.strerror or error}") from None
        yield _begun(path, campaign)


def _begun(path: Path, campaign: Campaign) -> np.ndarray:
    """Which indices are done; the plan is written."""
    try:
        if any(file.name != LOCK for file in path.iterdir()):
            campaign = refuse_other(path, campaign)
            with _blaming(path):
                _refuse_edited(path, campaign)
        write_whole(path / PLAN, lambda place: place.write_text(campaign.written(), encoding="utf-8"), flush=True)
        for left in path.glob(f"{PARTS}/*.tmp"):
            left.unlink()
        done = np.zeros(campaign.length, dtype=np.bool_)
        with _blaming(path):
            known = rows_in(path)
            refuse_no_results(known)
            indices = known["index"].to_numpy()
            if len(indices) and not 0 <= indices.min() <= indices.max() < len(done):
                raise CampaignError(f"{path}: has rows up to {indices.max()}, and {PLAN} is of {len(done)} runs")
            done[indices] = True
    except OSError as error:
        raise CampaignError(f"{path}: cannot be written: {error.strerror or error}") from None
    return done


def refuse_other(path: Path, campaign: Campaign) -> Campaign:
    """CampaignError if the directory holds another campaign; more runs of the same are welcome where the design can.
    The campaign with all files that either reads."""
    from softdock.campaign.design import EXTENDABLE

    before = planned(path)
    for key in ("scenario", *(key for key in Campaign.model_fields if key not in _LOOKED_AT_APART)):
        if getattr(before, key) != getattr(campaign, key):
            difference = _difference(getattr(before, key), getattr(campaign, key), key)
            raise CampaignError(f"{path}: cannot be resumed, {difference}; choose another directory")
    if list(before.vary) != list(campaign.vary):
        raise CampaignError(
            f"{path}: cannot be resumed, it varies {shown(', '.join(before.vary))} in this order, on which draws depend"
        )
    if (name := changed(before.files, Path(before.folder))) is not None:
        raise CampaignError(f"{path}: cannot be resumed, {name} has changed since; choose another directory")
    if campaign.length < before.length or (campaign.length > before.length and campaign.design not in EXTENDABLE):
        raise CampaignError(
            f"{path}: cannot be resumed with {campaign.length} runs, it has {before.length}; choose another directory"
        )
    return campaign.altered(files={**campaign.files, **before.files})


def _difference(before: object, now: object, key: str) -> str:
    """Where two tables differ first."""
    if isinstance(before, dict) and isinstance(now, dict):
        for name in [*before, *now]:
            if before.get(name) != now.get(name):
                return _difference(before.get(name), now.get(name), f"{key}.{name}")
    return f"its {key} is {shown(before)}, not {shown(now)}"


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
