"""Run directories of strangers: missing, damaged, swapped and planted files, and links that lead out."""

import json
import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from raw import TOML
from verdict import Tally, command

JSON = ("", "[]", "{}", "3", "null", '"x"', "[" * 100_000, '{"a": ' * 5000, "[1, 2]", '[{"time": "x"}]',
    '[{"time": null, "kind": 3}]', '[{}]',
        '{"status": 3}', '{"views": {"chaser": "nobody"}}', '{"format": 99}', '{"format": "x"}', "\x00",
        '[{"time": 1e400}]', '{"views": 3}',
        '{"arrows": 3}', '{"status": "</script><script>1"}')  # fmt: skip


def _damage(path: Path, rng: random.Random) -> None:
    data = bytearray(path.read_bytes())
    match rng.randrange(4):
        case 0:
            data = data[: rng.randrange(len(data) + 1)]
        case 1:
            for _ in range(rng.choice((1, 10)) if data else 0):  # nothing is left by the change before this one
                data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        case 2:
            data = bytearray(rng.randbytes(200))
        case _:
            data += rng.randbytes(50)
    path.write_bytes(data)


def _table(path: Path, rng: random.Random) -> None:
    """A readable table that is not what it should be."""
    try:
        table = pq.read_table(path)
    except (pa.ArrowException, OSError):  # damaged by the change before this one
        return
    column = rng.randrange(table.num_columns)
    name = table.column_names[column]
    words = pa.array(["x"] * len(table))
    match rng.randrange(8):
        case 0:
            table = table.drop_columns([name])
        case 1:
            table = table.set_column(column, name, words)
        case 2:
            table = table.slice(0, 0)
        case 3:
            table = table.rename_columns([f"x{k}" for k in range(table.num_columns)])
        case 4:
            table = table.set_column(column, name, pa.array([np.nan] * len(table)))
        case 5:
            table = table.set_column(column, name, pa.nulls(len(table)))
        case 6:
            table = pa.concat_tables([table, table])
        case _:
            table = table.append_column("</script>", words)
    pq.write_table(table, path)


def _change(folder: Path, outside: Path, rng: random.Random) -> str:
    """Do one hostile thing to a run's directory; what it was."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    file = rng.choice([path for path in files if path.suffix in (".json", ".toml", ".parquet")] or files)
    tables = [path for path in files if path.suffix == ".parquet" and path.parent == folder]
    ways: dict[str, Callable[[], object]] = {
        "missing": file.unlink,
        "damaged": lambda: _damage(file, rng),
        "damaged again": lambda: _damage(file, rng),
        "other table": lambda: _table(rng.choice(tables), rng) if tables else None,
        "other table again": lambda: _table(rng.choice(tables), rng) if tables else None,
        "json": lambda: _put(folder / rng.choice(("events.json", "metrics.json", "run.json", "replay.json")),
                             rng.choice(JSON)),
        "json again": lambda: _put(folder / rng.choice(("events.json", "metrics.json", "replay.json")),
                                   rng.choice(JSON)),
        "swapped": lambda: file.write_bytes(rng.choice(files).read_bytes()),
        "folder": lambda: (file.unlink(), file.mkdir()),
        "pipe": lambda: (file.unlink(), os.mkfifo(file)),
        "link to a file": lambda: (file.unlink(), file.symlink_to(outside)),
        "link to nothing": lambda: (file.unlink(), file.symlink_to("/nonexistent")),
        "link to zeros": lambda: (file.unlink(), file.symlink_to("/dev/zero")),
        "page is a link": lambda: _link(folder / rng.choice(("replay.html", "report.html")), outside),
        "temporary is a link": lambda: _link(folder / "replay.html.tmp", outside),
        "export is a link": lambda: _link(folder / "export", outside.parent),
        "figures is a link": lambda: _link(folder / "figures", outside.parent),
        "scenario": lambda: _put(folder / "scenario.toml", rng.choice(("", "[" * 9999, "scenario = 3",
                                                                       "scenario = 'world'\nworld = 3", TOML))),
        "parts": lambda: ((folder / "parts").mkdir(exist_ok=True),
        (folder / "parts" / "states-x.parquet").write_bytes(b"x")),
    }  # fmt: skip
    name = rng.choice(list(ways))
    ways[name]()
    return f"{name} {file.name}"


def _put(path: Path, text: str) -> None:
    """In place of whatever an earlier change left there: to write into a pipe would wait for ever."""
    _remove(path)
    path.write_text(text)


def _link(path: Path, target: Path) -> None:
    _remove(path)
    path.symlink_to(target)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    path.unlink(missing_ok=True)


def _listing(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def attack(count: int, seed: int, folder: Path) -> Tally:
    """Each is shown, exported or put in a gallery; nothing outside of it may change."""
    rng, tally = random.Random(seed), Tally("hostile run directories")
    small, good, outside = folder / "small.toml", folder / "good", folder / "outside"
    small.write_text(TOML, encoding="utf-8")
    status, _, said, flaw = command("run", small, "--out", good, seconds=300)
    assert status == 0 and not flaw, said + flaw
    outside.mkdir()
    (outside / "mine.txt").write_text("mine")
    for k in range(count):
        place = folder / "received" / "run"
        shutil.rmtree(place.parent, ignore_errors=True)
        shutil.copytree(good, place)
        done = "; ".join(_change(place, outside / "mine.txt", rng) for _ in range(rng.choice((1, 1, 2))))
        words = rng.choice(
            (("replay", place, "--no-open"), ("replay", place.parent, "--no-open"), ("replay", place, good,
            "--no-open"), ("report", place),
             ("export", place, "--to", "csv"), ("export", place, "--to", "urdf-poses"), ("export", place, "--to",
             "mcap"))
        )  # fmt: skip
        flaw = command(*words, seconds=20.0)[3]
        if _listing(outside) != {"mine.txt": b"mine"}:
            flaw = f"it wrote elsewhere: {sorted(_listing(outside))}"
            shutil.rmtree(outside)
            outside.mkdir()
            (outside / "mine.txt").write_text("mine")
        tally.count(flaw, f"{k}: {done} / {words[0]}")
    return tally


def closed(folder: Path) -> str:
    """What is wrong with a run's directory that should be closed; empty if nothing."""
    try:
        metrics = json.loads((folder / "metrics.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        return f"no metrics: {error}"
    if metrics.get("status") not in ("done", "failed", "interrupted"):
        return f"status {metrics.get('status')}"
    return "" if metrics["status"] == "done" or metrics.get("reason") else "no reason"
