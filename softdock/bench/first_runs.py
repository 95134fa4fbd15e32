"""First runs ever, as a user at a terminal sees them: how long, by stage, and how long nothing moves.

Every built-in scenario, and a world of one's own with a latch and a compliant contact, each with an empty cache of its
own. What comes compiled with the package is used, as it is by a user.
"""

import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from softdock.bench.rows import Limit, Result, Row, Say
from softdock.bench.timing import all_cores
from softdock.scenarios import SCENARIOS, text_of

CASE = "first-runs"
COMMAND = (sys.executable, "-m", "softdock", "run")
STAGES = {"preparing": rb"preparing", "running": rb"\d of \d", "drawing": rb"drawing "}
"""What a line of the terminal has in it as soon as the stage is under way; before the first, modules are loaded."""
MOST = {"iss-docking": 20.0, "capture": 30.0}
OWN, MOST_OWN = "own world", 40.0
SILENCE = 5.0
"""Seconds in which something on the terminal must move."""
TOUCH = """
[[world.contacts]]
name = "touch"
body_a = "probe"
body_b = "target"
compliance = { stiffness = 1e5, exponent = 1.5, damping = 0.2 }

[[world.bodies]]
name = "mast"
parent = "target"
placement.position = [0.8, 0.0, 0.0]
mass = 3.0
center = [0.0, 0.0, 0.5]
inertia = [0.3, 0.3, 0.02]
joint = { kind = "revolute", axis = [0.0, 1.0, 0.0], damping = 0.1, spring = { stiffness = 2.0 } }
"""
"""What makes the scenario 'world' one that does not come with the package."""


class First(NamedTuple):
    """A first run: seconds of each stage, in all, and the longest in which nothing moved."""

    stages: dict[str, float]
    seconds: float
    silence: float


def run(say: Say, *, scenarios: tuple[str, ...] = (*SCENARIOS, OWN)) -> Result:
    """30 s for capture, 20 for iss-docking, 40 for one's own world; no silence longer than 5 s."""
    result = Result()
    if os.name != "posix":
        say(f"{CASE}: there is no pseudo-terminal on this system; left out")
        return result
    with tempfile.TemporaryDirectory() as place, all_cores():
        own = Path(place) / "own.toml"
        own.write_text(text_of("world") + TOUCH)
        for name in scenarios:
            say(f"{CASE}: softdock run {name} with an empty cache")
            try:
                first = first_run(str(own) if name == OWN else name, Path(place) / name.replace(" ", "-"))
            except subprocess.CalledProcessError as error:
                say(f"{CASE}: {name} failed (exit code {error.returncode}); left out")
                continue
            for stage, seconds in first.stages.items():
                result.rows.append(Row(f"{CASE}/{name}", "softdock", stage, total_ms=1e3 * seconds))
            most = MOST_OWN if name == OWN else MOST.get(name)
            result.limits.append(Limit(f"{CASE}: seconds of {name}", first.seconds, most))
            result.limits.append(Limit(f"{CASE}: longest silence of {name}, s", first.silence, SILENCE))
    return result


def first_run(what: str, place: Path) -> First:
    """Of a scenario or file, into a folder, with a cache in it; CalledProcessError if it fails."""
    import pty

    place.mkdir()
    environment = {**os.environ, "SOFTDOCK_CACHE": str(place / "cache"), "TERM": "xterm"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed package has its bytecode
    terminal, theirs = pty.openpty()
    began = last = time.perf_counter()
    command = [*COMMAND, what, "--out", str(place / "run")]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs, env=environment)
    os.close(theirs)
    begins, silence = {"loading": began}, 0.0
    while said := _read(terminal):
        now = time.perf_counter()
        silence, last = max(silence, now - last), now
        for stage, word in STAGES.items():
            if stage not in begins and re.search(word, said):
                begins[stage] = now
    os.close(terminal)
    if status := process.wait():
        raise subprocess.CalledProcessError(status, command)
    ended = time.perf_counter()
    order = sorted(begins, key=lambda stage: begins[stage])
    ends = [*(begins[stage] for stage in order[1:]), ended]
    stages = {stage: end - begins[stage] for stage, end in zip(order, ends, strict=True)}
    return First(stages, ended - began, silence)


def _read(terminal: int) -> bytes:
    """What comes next; nothing when the other side has gone."""
    try:
        return os.read(terminal, 65536)
    except OSError:
        return b""
