"""Kills, damaged caches and full disks: what only a process of its own can show."""

import contextlib
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from directories import closed
from raw import TOML
from verdict import Tally, flaw_of_message

from softdock.campaign import results
from softdock.runs.recording import read_run

HEED = 120.0
"""Seconds, on a machine that others use too, within which a signal must have ended a command."""
LONG = ("--set", "run.duration=300", "--set", "run.record_every=1", "--no-figures")


def _softdock(*words: object, **options: object) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "softdock", *map(str, words)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "start_new_session": True}
    return subprocess.Popen(command, text=True, **pipes, **options)  # type: ignore[call-overload]


def _ended(process: "subprocess.Popen[str]", seconds: float = 600) -> str:
    """What is wrong with what a process said."""
    _, said = process.communicate(timeout=seconds)
    if process.returncode < 0 and process.returncode != -signal.SIGKILL:
        return f"ended by signal {-process.returncode}: {said[-200:]}"
    return flaw_of_message(said)


def _struck(process: "subprocess.Popen[str]", signals: Sequence[int], rng: random.Random, begun: Path) -> str:
    """Send signals, Ctrl-C as a terminal does, to its workers too. It must end by them, and say no more than a line; by
    Python's own ways only while Python itself starts, and not when `begun` is there."""
    for number in signals:
        with contextlib.suppress(ProcessLookupError):
            (os.killpg if number == signal.SIGINT else os.kill)(process.pid, number)
        time.sleep(rng.random() * 0.02)
    early = not begun.exists()
    try:
        _, said = process.communicate(timeout=HEED)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        return f"did not end within {HEED:g} s"
    if early and "softdock/__main__.py" not in said and "Traceback" in said:  # of Python's own start
        return ""
    if process.returncode < 0 and process.returncode != -signal.SIGKILL and not early:
        return f"ended by signal {-process.returncode}: {said[-200:]}"
    return flaw_of_message(said)


def _cold(folder: Path, k: int) -> dict[str, str]:
    """The environment of every fifth: an empty cache, so that the compiler is struck, too."""
    if k % 5:
        return dict(os.environ)
    shutil.rmtree(folder / "cold", ignore_errors=True)
    return os.environ | {"SOFTDOCK_CACHE": str(folder / "cold")}


def _length(*words: object) -> float:
    """Seconds that a command takes whose code is compiled."""
    assert _ended(_softdock(*words, "--out", Path("warm"))) == ""
    began = time.monotonic()
    assert _ended(_softdock(*words, "--out", Path("whole"))) == ""
    return time.monotonic() - began


def _small(folder: Path) -> Path:
    small = folder / "small.toml"
    small.write_text(TOML, encoding="utf-8")
    return small


def kill_runs(count: int, seed: int, folder: Path) -> Tally:
    """SIGKILL, SIGTERM, SIGINT and two SIGINT at times spread over the whole length of a run."""
    rng, tally, small = random.Random(seed), Tally("kills of runs"), _small(folder)
    whole = _length("run", small, *LONG)
    ways = ((signal.SIGKILL,), (signal.SIGTERM,), (signal.SIGINT,), (signal.SIGINT, signal.SIGINT))
    for k in range(count):
        out, signals = folder / f"killed-{k}", rng.choice(ways)
        process = _softdock("run", small, *LONG, "--out", out, env=_cold(folder, k))
        time.sleep(whole * (k + rng.random()) / count)
        flaw = _struck(process, signals, rng, out / "run.json")
        if not flaw and (out / "run.json").exists():
            flaw = _flaw_of_rows(out)
            if not flaw and signals != (signal.SIGKILL,):
                flaw = closed(out)
        tally.count(flaw, f"{k}: {signals}")
        shutil.rmtree(out, ignore_errors=True)
    return tally


def _flaw_of_rows(out: Path) -> str:
    """Rows that are there must be the first ones, each once."""
    run = read_run(out)
    if "states" not in run.tables:
        return ""
    t = run.states["t"]
    return "" if np.array_equal(np.round(t / 0.01), np.arange(len(t))) else "rows are missing or doubled"


def kill_campaigns(count: int, seed: int, folder: Path) -> Tally:
    """Killed at random times and resumed until it is done; then every row is there once, and as it would be."""
    rng, tally, small = random.Random(seed), Tally("kills of campaigns"), _small(folder)
    words = (
        "campaign",
        small,
        "--runs",
        400,
        "--vary",
        "world.bodies[0].mass=uniform(1, 2)",
        "--set",
        "run.duration=0.3",
        "--workers",
        2,
    )
    whole, wanted = _length(*words), results(Path("whole")).drop_columns(["seconds"])
    place = folder / "killed-campaign"
    for k in range(count):
        process = _softdock(*words, "--resume", "--out", place, env=_cold(folder, k))
        time.sleep(whole * rng.random() * 0.9)
        number = rng.choice((signal.SIGKILL, signal.SIGTERM, signal.SIGINT))
        flaw = _struck(process, (number,), rng, folder / "never")
        if (
            not flaw
            and (place / "campaign.toml").exists()
            and ((place / "results.parquet").exists() or any(place.glob("parts/*.parquet")))
        ):
            indices = results(place)["index"].to_numpy()
            flaw = "" if len(set(indices.tolist())) == len(indices) else "a row is there twice"
        if (place / "results.parquet").exists():
            same = results(place).drop_columns(["seconds"]).equals(wanted)
            flaw = flaw or ("" if same else "the table is another")
            shutil.rmtree(place)
        tally.count(flaw, f"{k}: {number}")
    return tally


def damage_cache(count: int, seed: int, folder: Path) -> Tally:
    """Bits flipped, bytes cut off and files planted in a cache, in every kind of file: each is said and mended, and the
    result is the same. Several files are damaged for one run."""
    rng, tally, small = random.Random(seed), Tally("damaged cache files"), _small(folder)
    source = Path(os.environ["SOFTDOCK_CACHE"])
    cache, env = folder / "cache", os.environ | {"SOFTDOCK_CACHE": str(folder / "cache")}
    cache.mkdir(mode=0o700)
    assert _ended(_softdock("run", small, "--json", "--no-figures", "--out", folder / "c", env=env)) == ""
    shutil.copytree(cache, folder / "intact")
    wanted = (folder / "c" / "states.parquet").read_bytes()
    files = sorted(path.relative_to(cache) for path in cache.rglob("*") if path.is_file())
    while tally.tried < count:
        shutil.rmtree(cache)
        shutil.copytree(folder / "intact", cache)
        os.chmod(cache, 0o700)
        chosen = rng.sample(files, min(len(files), 12, count - tally.tried))
        for file in chosen:
            _damage(cache / file, cache, rng)
        before = {file: (cache / file).read_bytes() for file in chosen}
        process = _softdock("run", small, "--json", "--no-figures", "--out", folder / "d", env=env)
        printed, said = process.communicate(timeout=3000)
        flaw = flaw_of_message(said)
        if not flaw and (process.returncode or json.loads(printed)["status"] != "done"):
            flaw = f"status {process.returncode}: {said[-200:]}"
        if not flaw and (folder / "d" / "states.parquet").read_bytes() != wanted:
            flaw = "another result"
        for file in chosen:
            unused = (cache / file).exists() and (cache / file).read_bytes() == before[file]
            planted = "it ran what was planted" if (cache / "planted").exists() else ""
            silent = "" if unused or str(cache / file) in said else "not said"
            tally.count(flaw or planted or silent, f"{file} of {source}")
        shutil.rmtree(folder / "d", ignore_errors=True)
    return tally


def _damage(path: Path, cache: Path, rng: random.Random) -> None:
    data = bytearray(path.read_bytes())
    match rng.randrange(5):
        case 0 | 1:
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        case 2:
            data = data[: rng.randrange(len(data))]
        case 3:
            data = bytearray(b"cos\nsystem\n(S'touch " + str(cache / "planted").encode() + b"'\ntR.")
        case _:
            data = bytearray(data.partition(b"\n")[0] + b"\n" + rng.randbytes(len(data)))
    path.write_bytes(data)


def fill_disks(count: int, seed: int, folder: Path) -> Tally:
    """Runs and campaigns where files cannot grow, where a small disk is full, or where nothing may be written."""
    rng, tally, small = random.Random(seed), Tally("full or read-only disks"), _small(folder)
    for k in range(count):
        out = folder / f"full-{k}"
        limit = rng.choice((2_000, 20_000, 60_000, 150_000, 400_000))

        def limited(limit: int = limit) -> None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

        if k % 4 == 3:  # a place in which nothing can be made, whoever asks
            process = _softdock("run", small, "--no-figures", "--out", Path("/proc") / f"softdock-{k}")
        elif k % 4 == 2:
            words = ("campaign", small, "--runs", 300, "--vary", "world.bodies[0].mass=uniform(1, 2)", "--out", out)
            process = _softdock(*words, preexec_fn=limited)
        else:
            process = _softdock("run", small, *LONG, "--out", out, preexec_fn=limited)
        _, said = process.communicate(timeout=600)
        flaw = flaw_of_message(said)
        if not flaw and process.returncode not in (0, 1, 2):
            flaw = f"status {process.returncode}: {said[-200:]}"
        if not flaw and k % 4 < 2 and (out / "run.json").exists():
            flaw = _flaw_of_rows(out) or closed(out) or _flaw_of_promise(out, said)
        tally.count(flaw, f"{k}: {limit}")
        shutil.rmtree(out, ignore_errors=True)
    return tally


def _flaw_of_promise(out: Path, said: str) -> str:
    """Rows that the message says are saved must be there."""
    if "rows until t = " not in said:
        return ""
    until = float(said.partition("rows until t = ")[2].split()[0])
    run = read_run(out)
    there = run.states["t"][-1] if "states" in run.tables else -1.0
    return "" if there >= until - 1e-9 else f"rows until {until} are promised, there are those until {there}"
