"""Scenarios with one to three things changed at random: numbers, types, names, keys, lengths."""

import copy
import json
import random
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import tomli_w
from verdict import Tally, command, flaw_of_call

from softdock.mechanics.tree import Tree
from softdock.scenarios import SCENARIOS, load
from softdock.scenarios.loading import draft

NUMBERS = (0, -1, 1, 2, 3, 1000, -(2**63), 2**63 - 1, 10**18, 0.0, -0.0, 0.5, 5e-324, 1e-308, 1e-12, 1e12, 1e154,
    1e155,
           1e300, 1.7e308, -1.7e308, float("inf"), float("-inf"), float("nan"))  # fmt: skip
WORDS = ("", " ", "x", "world", "a.b", "..", "/etc/passwd", "../../x", "x" * 201, "x" * 5000, "</script><script>1",
    "\u202e",
         "é" * 99, "\U0001f680", "\x1b[31m", "a\nb", "%s%n", "{0}", "normal(0,1)", "nan", "true", "CON",
         "a\tb")  # fmt: skip
_DEEP: Any = [[[[[[[[1.0]]]]]]]]
SHAPES: tuple[Any, ...] = ([], {}, [1.0], [1.0, 2.0], [1.0] * 3, [1.0] * 4, [0.0] * 4, [1.0] * 1000, [[1.0]], [{}],
    _DEEP,
                           {"a": {"b": {}}}, [""], [True], True, False, [1, "x"], {"kind": "x"},
                           {"kind": 3})  # fmt: skip


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where something can be changed."""
    found = [path] if path else []
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in inner:
        found += places(item, (*path, key))
    return found


def mutate(data: dict[str, Any], rng: random.Random) -> str:
    """Change one thing; what was done."""
    path = rng.choice(places(data))
    inner: Any = data
    for key in path[:-1]:
        inner = inner[key]
    key, old = path[-1], inner[path[-1]]
    kind = rng.randrange(9)
    if kind == 0:
        del inner[key]
    elif kind == 1 and isinstance(old, list) and old:
        inner[key] = old + old[: rng.randrange(1, 1 + len(old))]
    elif kind == 2 and isinstance(inner, dict):
        inner[rng.choice(("unknown", str(key) + "x", str(key).upper(), ""))] = inner.pop(key)
    elif kind in (3, 4) and isinstance(old, int | float) and not isinstance(old, bool):
        inner[key] = old * rng.choice((-1, 0, 0.5, 2, 1e3, 1e-3, 1e9, 1e-9, 1e200, 1e-200))
    elif kind == 5 and isinstance(old, list):
        inner[key] = old[: rng.randrange(len(old) + 1)]
    elif kind == 6:
        inner[key] = copy.deepcopy(rng.choice(SHAPES))
    elif kind == 7:
        inner[key] = rng.choice(WORDS)
    else:
        inner[key] = rng.choice(NUMBERS)
    return f"{path} {kind}"


RUNNABLE = ("free-flyer", "world", "berthing", "iss-docking", "testbed", "facility", "capture", "servicing")
"""Those that a moment of can be run."""
VARIANTS: dict[str, tuple[str, ...]] = {
    "iss-docking": ("control='optimal'",),
    "capture": ("vision.pose='ideal'", "gripper.kind='ideal'", "vision.start='unknown'", "estimator='paper'"),
    "servicing": ("gripper.kind='ideal'",),
    "testbed": ("arm.parameters='urdf'", "mount='orbit'"),
    "facility": ("mount='emulated'", "mount='spherical'"),
}
RICH = Path(__file__).parent / "rich.toml"
"""A world with something of every kind."""


def bases() -> list[dict[str, Any]]:
    """What is mutated: every scenario as its file has it, with every default written out, in its variants; and a world
    with something of every kind."""
    settings = [(name, ()) for name in SCENARIOS] + [(name, (v,)) for name, vs in VARIANTS.items() for v in vs]
    whole = [tomllib.loads(load(name, changes).resolved()) for name, changes in settings]
    return [*(draft(name)[0] for name in SCENARIOS), *whole, tomllib.loads(RICH.read_text(encoding="utf-8"))]


def attack(count: int, seed: int, folder: Path, runnable: Sequence[str] = RUNNABLE) -> Tally:
    """`count` mutated files read; one in twenty of those that can be also run for a moment, unless it is of another
    structure and would have to be compiled. The directory of such a run must be closed, however it ended."""
    rng, tally, ran = random.Random(seed), Tally("scenario mutations"), 0
    files, structures = bases(), {name: Tree(load(name).world).structure() for name in SCENARIOS}
    for k in range(count):
        data = copy.deepcopy(rng.choice(files))
        name = data["scenario"]
        done = "; ".join(mutate(data, rng) for _ in range(rng.choice((1, 1, 1, 2, 3))))
        file = folder / "mutated.toml"
        try:
            file.write_text(tomli_w.dumps(data), encoding="utf-8")
        except (ValueError, TypeError):
            continue
        read: list[Any] = []
        flaw = flaw_of_call(lambda file=file, read=read: read.append(load(file)))
        if not flaw and read and rng.randrange(20) == 0 and read[0].scenario in runnable:
            scenario = read[0]
            if Tree(scenario.world).structure() == structures[scenario.scenario]:
                ran += 1
                flaw = _flaw_of_run(file, folder / f"run-{k}", scenario.run.h * rng.choice((1, 3)))
        tally.count(flaw, f"{name}: {done}")
    tally.name += f" ({ran} of them run)"
    return tally


def _flaw_of_run(file: Path, out: Path, duration: float) -> str:
    setting = f"run.duration={duration!r}"
    status, _, said, flaw = command("run", file, "--set", setting, "--out", out, "--no-figures", seconds=60.0)
    if flaw or not out.exists():
        return flaw or ("" if status == 2 else f"no directory after status {status}: {said[:100]}")
    if not (out / "metrics.json").exists() or (out / "parts").exists():
        return f"the directory is not closed: {said[:200]}"
    metrics = json.loads((out / "metrics.json").read_text(encoding="utf-8"))
    return "" if (metrics["status"] == "done") == (status == 0) else f"status {status}, but {metrics['status']}"
