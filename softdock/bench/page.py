"""A run of the benchmarks as a page: what was measured where, the figures that have a limit, all rows."""

import datetime
import platform
import subprocess
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from softdock.bench.rows import Result, Row

PEERS = ("mujoco", "pin", "crocoddyl", "coal")


def page(results: Sequence[Result], failed: Sequence[str], processor: str, seconds: float) -> str:
    """Markdown."""
    limits = [f"- {limit}" for result in results for limit in result.limits]
    rows = [
        "| " + " | ".join((row.case, row.engine, row.integrator, *figures(row))) + " |"
        for result in results
        for row in result.rows
    ]
    head = (
        "| case | engine | integrator | order | h | µs/step | total ms | error |",
        "|---|---|---|---:|---:|---:|---:|---:|",
    )
    trouble = [f"- failed: {what}" for what in failed]
    parts = ("# A run of the benchmarks", "", _where(processor, seconds), "", *limits, *trouble, "", *head, *rows, "")
    return "\n".join(parts)


def figures(row: Row) -> list[str]:
    """The numbers of a row as text."""
    values = ((row.order, "d"), (row.h, "g"), (row.us_per_step, ".3g"), (row.total_ms, ".4g"), (row.error, ".1e"))
    return ["" if value is None else format(value, form) for value, form in values]


def _where(processor: str, seconds: float) -> str:
    peers = [f"{name} {found}" for name in PEERS if (found := _version(name))]
    today = datetime.datetime.now(tz=datetime.UTC).date()
    about = (today, processor, platform.system(), f"Python {platform.python_version()}", _softdock(), *peers)
    return f"Made by `softdock bench --write` in {seconds / 60:.0f} minutes: " + ", ".join(map(str, about)) + "."


def _softdock() -> str:
    """The commit of a checkout, or the version."""
    command = ["git", "-C", str(Path(__file__).parent), "describe", "--always", "--dirty", "--exclude", "*"]
    try:
        return "commit " + subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return f"softdock {_version('softdock')}"


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
