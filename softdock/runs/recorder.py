"""A run on disk: a directory of open formats that a crash leaves readable.

    scenario.toml                 resolved: every default written out
    run.json                      format of this directory, and the softdock that wrote it
    states, ledger, forces.parquet, …   one file a rate; every column's field has its unit as metadata
    events.json, metrics.json     what happened, and how well; metrics.units.json: unit and meaning of each metric
    replay.json, visuals.json     optional: what the replay shows beside, or in place of, the world's shapes
    figures/*.png, replay.html    what people look at
    parts/                        tables in pieces, while the run goes on or if it was killed

Every file appears under its name only when it is complete.
"""

import json
import math
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from importlib.metadata import version
from pathlib import Path
from types import TracebackType
from typing import IO, TYPE_CHECKING, Any, Self

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import tomli_w

from softdock.runs.measures import GENERAL, UNITS_FILE, Measure, used
from softdock.runs.whole import flush_to_disk, inner_folder, write_whole
from softdock.world import World
from softdock.world.visuals import VISUALS, drawn_bodies

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from softdock.runs.ledger import Columns

PARTS = "parts"
FORMAT = 1
"""Of run directories; it is raised when an older softdock could not read a newer one's."""
_GROUP_BYTES, _LEAST_GROUP, _MOST_GROUP = 4_000_000, 1_000, 65_536
"""A row group of a table has as many bytes, from so many to so many rows: tables are put together group by group.
Without dictionaries, which take megabytes a column while they are made, and save nothing on numbers of motion."""
_RESERVE = 65_536
"""Bytes."""
MOST_VALUES = 1_000_000_000
"""Of a table that is read."""


def _unbroken() -> "AbstractContextManager[None]":
    """Signals wait. (Loaded by who writes: to read a run takes no compiler.)"""
    from softdock.kernels.signals import unbroken

    return unbroken()


class RunFolderError(Exception):
    """A run directory cannot be used; the one-line message names it and says why."""


class Recorder:
    """Writes a run directory. Use it as a context manager: however the run ends, its tables are put together.

    `scenario` is its scenario.toml, or the world that a program of one's own sets in motion:

        with Recorder("runs/mine", world) as recorder:
            Simulation(Dynamics(world), q, v, h=0.01).run(30.0, recorder=recorder)

    The directory must not exist, or be empty: two runs never share one. OSError if the disk fails
    later; what was written until then stays readable.
    """

    def __init__(self, path: str | Path, scenario: str | World) -> None:
        self.path = Path(path)
        text = scenario if isinstance(scenario, str) else _described(scenario)
        refuse_used(self.path)
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            with (self.path / "scenario.toml").open("x", encoding="utf-8") as file:
                file.write(text)
            write_json(self.path / "run.json", {"format": FORMAT, "softdock": version("softdock")})
            self._reserve = _reserved(self.path)
            if isinstance(scenario, World):
                self.write_visuals(scenario)
        except FileExistsError:
            raise RunFolderError(f"{self.path}: another run is writing there; choose another directory") from None
        except OSError as error:
            raise RunFolderError(f"{self.path}: cannot be written: {error.strerror or error}") from None
        self._parts: dict[str, int] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not (self.path / "metrics.json").exists():
            failed = {"status": "failed", "reason": str(error) or kind.__name__} if kind else {"status": "done"}
            with _unbroken():
                self.write_metrics(failed)
        self.close()

    @property
    def tables(self) -> tuple[str, ...]:
        """Names of those that have rows."""
        return tuple(self._parts)

    def append(self, table: str, columns: "Columns") -> None:
        """Add rows to a table; the first call for a table fixes its columns."""
        arrays = [pa.array(np.ascontiguousarray(values)) for values, _ in columns.values()]
        units = [{"unit": unit} for _, unit in columns.values()]
        fields = [pa.field(name, a.type, False, unit) for name, a, unit in zip(columns, arrays, units, strict=True)]
        rows = pa.table(arrays, schema=pa.schema(fields))
        number = self._parts.get(table, 0)
        _write_table(rows, inner_folder(self.path, PARTS) / f"{table}-{number:06d}.parquet")
        self._parts[table] = number + 1

    def write_visuals(self, world: World) -> None:
        """Put what is drawn of bodies in place of their shapes into visuals.json, if there is any: the meshes are read
        now, and the directory needs their files no more."""
        if any(body.visuals for body in world.bodies):
            self._write_json(VISUALS, drawn_bodies(world.bodies))

    def write_events(self, events: Sequence[Mapping[str, Any]]) -> None:
        """Put events.json in place (again)."""
        self._write_json("events.json", list(events))

    def write_metrics(self, metrics: Mapping[str, Any], measures: Mapping[str, Measure] = GENERAL) -> None:
        """Put metrics.json in place (again), and beside it what is known of units and meanings."""
        self._write_json("metrics.json", dict(metrics))
        self._write_json(UNITS_FILE, used(metrics, measures))

    def _write_json(self, name: str, content: Any) -> None:
        """If the disk is full, in the space that was reserved for it."""
        try:
            write_json(self.path / name, content)
        except OSError:
            self._reserve.close()
            write_json(self.path / name, content)

    def close(self) -> None:
        """Put each table's parts together in one file, and see that all of it is on disk. Signals wait."""
        with _unbroken():
            self._reserve.close()
            for table, parts in parts_of(self.path).items():
                if table in self._parts:
                    write_whole(self.path / f"{table}.parquet", partial(_join, parts), flush=True)
                    for part in parts:
                        part.unlink()
            self._parts.clear()
            shutil.rmtree(self.path / PARTS, ignore_errors=True)
            for name in ("scenario.toml", "run.json", "replay.json", "events.json", "metrics.json", UNITS_FILE, ""):
                if (self.path / name).exists():
                    flush_to_disk(self.path / name)


def _reserved(folder: Path) -> IO[bytes]:
    """Space that is given free when the disk is full, so that metrics.json can say so; a file without a name."""
    reserve = tempfile.TemporaryFile(dir=folder, buffering=0)  # noqa: SIM115  # until the run is closed
    with suppress(OSError):
        reserve.write(b"\1" * _RESERVE)
    return reserve


def _described(world: World) -> str:
    """A scenario.toml that only says which world it was: readers need no more."""
    return tomli_w.dumps({"scenario": world.name, "world": world.model_dump(mode="json", exclude_none=True)})


def refuse_used(path: Path) -> None:
    """RunFolderError if a run cannot start in `path` because something is there."""
    try:
        used = path.exists() and (not path.is_dir() or any(path.iterdir()))
    except OSError as error:
        raise RunFolderError(f"{path}: cannot be written: {error.strerror or error}") from None
    if used:
        raise RunFolderError(f"{path}: exists and is not an empty directory; choose another")


_AS_THEY_ARE = frozenset((str, int, bool, type(None)))


def finite(value: Any) -> Any:
    """`value` as JSON can hold it: NumPy numbers as plain ones, NaN and infinity as null."""
    kind = type(value)
    if kind in _AS_THEY_ARE or (kind is float and math.isfinite(value)):  # most are
        return value
    match value:
        case dict() | Mapping():
            return {str(key): finite(item) for key, item in value.items()}
        case list() | tuple() | np.ndarray():
            return [finite(item) for item in value]
        case np.generic():
            return finite(value.item())
        case float() if not math.isfinite(value):
            return None
    return value


def write_json(path: Path, content: Any) -> None:
    """A JSON file, whole or not at all; what JSON cannot hold is written as Python shows it."""
    text = json.dumps(finite(content), indent=2, ensure_ascii=False, allow_nan=False, default=repr) + "\n"
    write_whole(path, lambda place: place.write_text(text, encoding="utf-8"))


def _write_table(table: pa.Table, path: Path) -> None:
    group = _row_group(table.schema)
    write_whole(path, lambda place: pq.write_table(table, place, row_group_size=group, use_dictionary=False))


def _row_group(schema: pa.Schema) -> int:
    """Rows."""
    return min(max(_GROUP_BYTES // (8 * max(len(schema), 1)), _LEAST_GROUP), _MOST_GROUP)


def _join(parts: Sequence[Path], path: Path) -> None:
    """One file of many, of which few are in memory. Its row groups are of one size, whatever that of the parts."""
    schema = pq.read_schema(parts[0])
    group = _row_group(schema)
    with pq.ParquetWriter(path, schema, use_dictionary=False) as writer:
        waiting: list[pa.Table] = []
        for piece in (piece for part in parts for piece in _pieces(part)):
            waiting.append(piece)
            while sum(map(len, waiting)) >= group:
                rows = pa.concat_tables(waiting)
                writer.write_table(rows.slice(0, group).combine_chunks(), group)
                waiting = [rows.slice(group).combine_chunks()]
        rows = pa.concat_tables(waiting).combine_chunks()
        if len(rows):
            writer.write_table(rows, group)


def _pieces(part: Path) -> Iterator[pa.Table]:
    """The row groups of a file, one after the other."""
    with pq.ParquetFile(part) as file:
        for k in range(file.num_row_groups):
            yield file.read_row_group(k, use_threads=False)


def parts_of(path: Path) -> dict[str, list[Path]]:
    """Files of the tables that are in pieces, by table and in order."""
    found: dict[str, list[Path]] = {}
    for part in sorted((path / PARTS).glob("*-*.parquet")):
        found.setdefault(part.name.rpartition("-")[0], []).append(part)
    return found


def read_parts(path: Path, table: str) -> pa.Table:
    """The rows of a table that is still in pieces."""
    return pa.concat_tables([read_table(part) for part in parts_of(path)[table]])


def read_table(path: Path) -> pa.Table:
    """One Parquet file (`pq.read_table` would load 0.1 s of machinery for folders of them)."""
    if not path.is_file():
        raise ValueError(f"{path.name} is no file")
    try:
        with pq.ParquetFile(path) as file:
            rows, columns = file.metadata.num_rows, file.metadata.num_columns
            if rows * columns <= MOST_VALUES:
                return file.read()
    except (pa.ArrowException, OSError):  # what Arrow says of damage names its own parts
        raise ValueError(f"{path.name} is damaged, or no Parquet file") from None
    raise ValueError(f"{path.name} has {rows} rows of {columns} columns, more than {MOST_VALUES:.0e} values")
