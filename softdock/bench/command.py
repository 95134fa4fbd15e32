"""`softdock bench`: run the cases, print their rows."""

import dataclasses
import importlib
import json
import platform
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from softdock.bench.page import figures, page
from softdock.bench.rows import Limit, Result, Row, Say
from softdock.bench.timing import one_core
from softdock.world.describe import nearest

CASES = {
    "planar-iss/pd40": "planar_iss",
    "planar-iss/free40": "planar_iss",
    "free-arm-7": "free_arm",
    "inverse-dynamics-7": "inverse",
    "arm-7": "arm",
    "proximity": "proximity",
    "identify": "identify",
    "impacts": "impacts",
    "many-bodies": "many_bodies",
    "closed-chains": "closed_chains",
    "flexible": "flexible",
    "planning-7": "planning",
    "optimal-7": "optimal",
    "sensing": "sensing",
    "estimation": "estimation",
    "berthing": "berthing",
    "capture": "capture",
    "facility": "facility",
    "growth": "growth",
    "replay": "replay",
    "campaign": "campaign",
    "rollouts": "rollouts",
    "environments": "environments",
    "start-up": "start_up",
    "first-runs": "first_runs",
}
"""Every case, and the module of softdock.bench whose `run` measures it."""


def main(as_json: bool, only: list[str], write: Path | None = None) -> None:
    """Measure the cases whose names start with one of `only` (all, if it is empty); ValueError if none does,
    RuntimeError after the rest if a case fails.

    With `as_json`, standard output is a JSON list of rows and nothing else; the limits go to standard error. All is
    written into the Markdown file `write`, if that is given.
    """
    names = chosen(only)
    if write is not None:
        write.open("a", encoding="utf-8").close()  # what cannot be written is refused now, not when all is measured
    results, failed, say, began = [], [], _once(), time.monotonic()
    with one_core():
        for name in names:
            try:
                results.append(_case(name)(say))
            except Exception as error:  # the others' figures must not be lost with it
                failed.append(f"{name}: {error}")
                continue
            if not as_json:
                _show(name, results[-1])
    if as_json:
        print(as_text([row for result in results for row in result.rows]))
        for limit in (limit for result in results for limit in result.limits):
            _progress(str(limit))
    if write is not None:
        write.write_text(page(results, failed, processor(), time.monotonic() - began), encoding="utf-8")
    if failed:
        raise RuntimeError("benchmarks failed: " + "; ".join(failed))


def chosen(only: Sequence[str]) -> list[str]:
    """The cases that are asked for."""
    for word in only:
        if not any(name.startswith(word) for name in CASES):
            raise ValueError(f"no benchmark {word!r}{nearest(word, CASES)}")
    return [name for name in CASES if not only or any(name.startswith(word) for word in only)]


def as_text(rows: Sequence[Row]) -> str:
    """A JSON list, one row a line."""
    return "[\n" + ",\n".join(json.dumps(dataclasses.asdict(row)) for row in rows) + "\n]"


def processor() -> str:
    """The processor's name, as the system gives it."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.machine())


def _case(name: str) -> Callable[[Say], Result]:
    """What runs a case; loaded only when something is to be measured."""
    run = importlib.import_module(f"softdock.bench.{CASES[name]}").run
    _, _, variant = name.partition("/")
    return partial(run, variant) if variant else run


def _progress(message: str) -> None:
    print(message, file=sys.stderr, flush=True)


def _once() -> Say:
    """Progress without repeating itself: many kernels are compiled, one line says so."""
    said: set[str] = set()

    def say(message: str) -> None:
        if message not in said:
            said.add(message)
            _progress(message)

    return say


def _show(name: str, result: Result) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console(width=None if sys.stdout.isatty() else 110)
    table = Table(title=f"{name} ({processor()})", title_justify="left")
    for column in ("case", "engine", "integrator"):
        table.add_column(column)
    for column in ("order", "h", "µs/step", "total ms", "error"):
        table.add_column(column, justify="right")
    for row in result.rows:
        table.add_row(row.case, row.engine, row.integrator, *figures(row))
    console.print(table)
    for limit in result.limits:
        console.print(_coloured(limit))


def _coloured(limit: Limit) -> str:
    if limit.limit is None or limit.value is None:
        return str(limit)
    return f"[{'green' if limit.value <= limit.limit else 'red'}]{limit}[/]"
