"""`softdock warmup`: compile ahead what scenarios take; make and check the archive of loops that softdock brings."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

from softdock.cli.terminal import busy, say
from softdock.scenarios import SCENARIOS

if TYPE_CHECKING:
    from softdock.kernels.shipped import Loop

PACKAGE = Path(__file__).parents[1]
ALSO: dict[str, tuple[str, ...]] = {
    "campaign": ("campaign", "iss-docking", "--vary", "payload.mass=uniform(90, 110)", "--runs", "4", "--workers", "1"),
    "reference": ("run", "iss-docking", "--reference", "--no-figures"),
    "rollout": ("rollout",),
}
"""Commands that take loops which no scenario does; for the archive. `rollout` is no command, but Python's."""
_running: set[subprocess.Popen[str]] = set()
_CHILD = "import sys; from softdock.cli.warmup import child; child(sys.argv[1], sys.argv[2:])"


def warm(scenarios: Sequence[str]) -> dict[str, list[str]]:
    """Run each once, into nowhere: the loops that it takes. ValueError if one cannot be run."""
    return _all({name: ("run", name) for name in scenarios or list(SCENARIOS)})


def _all(commands: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Loops that each command takes; two at a time, which share compiling. So do two that warm one cache."""
    from softdock.kernels.cache import Claim

    began, claim = time.monotonic(), Claim("warmup", wait=False)
    if not claim.is_mine:
        say("another warmup is at this cache: both go on side by side, and each loop is compiled by one of them")

    def told(name: str) -> list[str]:
        taken = taken_by(commands[name])
        say(f"{name}: {len(taken)} loops ready ({time.monotonic() - began:.0f} s)")
        return taken

    pool = ThreadPoolExecutor(2)
    with busy("compiling, and running each once"):
        try:
            return dict(zip(commands, pool.map(told, commands), strict=True))
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            for process in tuple(_running):
                process.terminate()
            claim.release()


def taken_by(command: Sequence[str]) -> list[str]:
    """Names of the loops that a command takes, in a process and a folder of its own; ValueError with what it said last
    if it is wrong or fails."""
    with tempfile.TemporaryDirectory(prefix="softdock-warmup-") as place:
        report = Path(place) / "taken.json"
        arguments = [str(report), *command, "--out", str(Path(place) / "out")]
        line = [sys.executable, "-c", _CHILD, *arguments]
        process = subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        _running.add(process)
        _, said = process.communicate()
        _running.discard(process)
        if not report.exists():
            *_, last = said.strip().splitlines() or [f"exit status {process.returncode}"]
            raise ValueError(f"{' '.join(command)}: {last.removeprefix('softdock: ')}")
        taken: list[str] = json.loads(report.read_text())
    return taken


def child(report: str, arguments: list[str]) -> None:
    """Do a command in this process, then write which loops it took."""
    from softdock.cli.app import app
    from softdock.kernels.loop_cache import used

    if arguments[0] == "rollout":
        _rollout()
    elif app(arguments, standalone_mode=False):
        return
    Path(report).write_text(json.dumps(list(used)))


def _rollout() -> None:
    """A batch of motions, two steps each."""
    from softdock.dynamics import Dynamics, rollout
    from softdock.scenarios import load

    scenario = load("free-flyer")
    q, v = scenario.state()
    rollout(Dynamics(scenario.world), [q, q], v, h=0.01, steps=2, ledger=True)


def ship(file: Path | None = None) -> Path:
    """Make the archive for this Python from an empty cache: every scenario, and what else takes loops. Where it is."""
    from softdock.kernels import shipped
    from softdock.kernels.loop_cache import made_for

    path = file or shipped.path()
    path.unlink(missing_ok=True)  # nothing of the old one is to come into it
    with tempfile.TemporaryDirectory(prefix="softdock-ship-") as place:
        os.environ["SOFTDOCK_CACHE"] = f"{place}/cache"
        taken = _all({**ALSO, **{name: ("run", name) for name in SCENARIOS}})
        loops = {loop.name: loop for loop in _loops()}
        known = {name: [x for x in names if x in loops] for name, names in taken.items()}
        roots = [Path(sys.prefix), Path(sys.base_prefix), *map(Path, sys.path), PACKAGE.parent]
        shipped.pack(path, made_for(), loops.values(), known, [root for root in roots if len(root.parts) > 2])
    return path


def _loops() -> Iterator[Loop]:
    """Those in the cache that can be found again by name."""
    from softdock.kernels import aside, cache, loop_cache, shipped

    for file in sorted((cache.folder() / loop_cache.FOLDER).glob("*")):
        name = f"{loop_cache.FOLDER}/{file.name}"
        content = cache.read(name) or b""
        _, described, _, signature, *_ = pickle.loads(content)
        loop = shipped.Loop(name, described.modname, described.qualname, "", "")
        compiler: Any = aside.compiler_of(loop)
        for asked in (tuple(signature.args), signature):
            if compiler is not None and compiler._cache.name(asked) == name:
                source = compiler._cache.source(asked)
                yield loop._replace(source=source, signature=shipped.encoded(asked))


def check() -> str:
    """What there is to say of the archive for this Python; ValueError if it is not what would be made now."""
    from softdock.kernels import aside, shipped
    from softdock.kernels.loop_cache import made_for

    path, manifest = shipped.path(), shipped.manifest()
    if manifest is None:
        if path.exists():
            raise ValueError(f"{path} cannot be read; make it again: softdock warmup --ship")
        return f"no loops come with softdock for {sys.implementation.cache_tag}"
    if manifest.made_for != made_for():
        return f"loops that come with softdock are for {manifest.made_for}; not used, since this is {made_for()}"
    loops = manifest.loops.values()
    old = [loop.function for loop in loops if not aside.is_current(loop, aside.compiler_of(loop))]
    old += [loop.function for loop in loops if loop.function not in old and shipped.read(loop.name) is None]
    if old:
        raise ValueError(
            f"{len(old)} of the {len(loops)} loops that come with softdock are of other sources "
            f"({', '.join(sorted(set(old))[:5])} …): softdock warmup --ship makes them anew"
        )
    return f"{len(loops)} loops come with softdock and are of these sources"
