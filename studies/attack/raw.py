"""TOML as bytes, command lines, campaign files."""

import random
from collections.abc import Sequence
from pathlib import Path

from commands import LINES
from verdict import Tally, command

from softdock.scenarios import SCENARIOS, load, text_of

TOML = """scenario = "world"
[run]
h = 0.01
duration = 0.02
[world]
[[world.bodies]]
name = "a"
mass = 1.0
inertia = [1.0, 1.0, 1.0]
"""
SMALL, RECORDED = "small.toml", "recorded"
"""A scenario's file and a run of it, in the folder in which the attack is made."""
BYTES = (
    b"", b"\x00", b"\xff\xfe\x00", b"[", b"[[[", b"[" * 5000, b"a = " + b"[" * 50000, b"a = " + b"{a=" * 5000, b"=",
    b"a = 1\na = 2",
    b"x = 1" + b"0" * 5000, b"x = 0x" + b"f" * 4000, b"x = 1e999999", b"x = -nan", b"a" * 100_000,
    b"a.b." * 5000 + b"c = 1",
    b"\xef\xbb\xbfscenario='world'", b"# only a comment", b"scenario = 3", b"scenario = 'nothing.py'",
    b"scenario = ''",
    b"scenario = 'world'\nworld = 3", b"scenario = 'world'\nworld = []",
    b"scenario = 'world'\nrun = 'x'\nworld = {bodies = 3}",
    b"scenario='world'\n[run]\nduration=1\n[world]\nbodies=[1,2]", b"[[world]]\n",
    b"x = '''" + b"a" * 3_000_000 + b"'''",
    b"\r\n" * 1000, b"date = 1979-05-27T07:32:00Z\nscenario = 'world'",
)  # fmt: skip
VALUES = ("1e400", "[" * 3000, "10" + "0" * 5000, "nan", "-inf", "'", '"', "[1, 2", "{a=1}", "", " ", "x y",
    "\x1b[2J", "é", "1" * 400,
          "true", "[[1]]", "1979-05-27", "\udcff")  # fmt: skip
KEYS = ("run.h", "run.duration", "run.seed", "run.record_every", "run.tolerance", "world.bodies[0].mass",
    "world.bodies[9].mass",
        "world.bodies[99999999999999999999999].mass", "world", "scenario", "a" * 3000, ".".join("a" * 500), "[0]",
        "a[", 'a."b', "run",
        "initial.a.position", "run.duration.x", "\x1b", "", "=", "world.bodies", "world.gravity.kind")  # fmt: skip
DISTRIBUTIONS = ("normal(0, 1)", "normal(1)", "normal(0, -1)", "uniform(1, 0)", "uniform(0, 1e400)", "choice()",
    "choice(1, 'x')",
                 "steps(0, 1, 1000000000)", "steps(0, 1, 2)", "choice(" + "1," * 100_001 + "1)", "(" * 2000,
                 "__import__('os')",
                 "normal([0, 0], [[1, 2], [2, 1]])", "uniform([1]*9, 2)", "lognormal(0, 1)",
                 "truncnormal(0, 1, 5, 4)", "x", "",
                 "normal(10**400, 1)", "uniform('a', 'b')", "choice(" + "[" * 300 + "]" * 300 + ")",
                 "normal(nan, 1)")  # fmt: skip
CAMPAIGNS = ("vary = 3", "vary = []", "vary = {x = 3}", "set = 3", "set = [3]", "runs = 'x'", "runs = 0",
    "runs = -1", "runs = 1000000000000",
             "design = 'x'", "design = 3", "seed = -1", "scenario = 3", "scenario = []", "scenario = {}",
             "scenario = 'no'", "scenario = 'x.toml'",
             "time_limit = 0", "time_limit = 'x'", "memory_limit = -1", "folder = 3", "searched = 3",
             "runs = 1000000000\ndesign = 'latin-hypercube'", "design = 'grid'\nvary = {'run.seed' = 'normal(0, 1)'}",
             "vary = {'run.seed' = 'choice(1, 2)', 'run.seed ' = 'choice(1, 2)'}", "vary = {'' = 'normal(0, 1)'}",
             "vary = {'status' = 'normal(0, 1)'}", "vary = {'run.h' = 'normal(0, 1)'}")  # fmt: skip
COMMANDS: tuple[tuple[str, ...], ...] = (
    ("run",), ("run", "nothing"), ("run", "x" * 5000), ("run", ""), ("run", "."), ("run", "/"), ("run",
    "/dev/null"), ("run", "/dev/zero"),
    ("run", SMALL, "--set"), ("run", SMALL, "--out", "/proc/x"), ("run", SMALL, "--out", "/dev/null"), ("nothing",),
    ("--nothing",),
    ("run", SMALL, "--out", "/" + "x" * 300), ("new", "world", "/dev/null"), ("new", "nothing"), ("new", "world",
    "/proc/x.toml"),
    ("replay", "/nonexistent"), ("replay", "/dev/null"), ("replay", "/", "--no-open"), ("replay", "/a", "/b", "/c"),
    ("export", "/", "--to", "csv"),
    ("export", "/nonexistent", "--to", "x"), ("track", "/dev/null"), ("track", "/nonexistent"), ("track", "/",
    "--period", "nan"),
    ("compare", "/dev/null"), ("identify", "/nonexistent.csv"), ("excite", "/proc/x.csv"), ("excite", "x.csv",
    "--rate", "nan"),
    ("campaign",), ("campaign", "nothing"), ("campaign", SMALL, "--runs", "0"), ("campaign", SMALL, "--runs",
    "x" * 1000),
    ("campaign", "--resume"), ("campaign", "--rerun", "0"), ("campaign", "--report", "/nonexistent"), ("campaign",
    SMALL, "--runs", "5"),
    ("campaign", "--rerun", "99999999999999999999", "--out", "."), ("bench", "--only", "nothing"), ("list", "x"),
    ("run", SMALL, "--json", "x"),
)  # fmt: skip

SLOW = {"campaign": 30.0, "export": 30.0, "replay": 30.0, "facility": 60.0}
"""Seconds of the processor's time for commands that, if the words are right, do what they are asked to."""


def attack(
    count: int, seed: int, folder: Path, rounds: int = 4, lines: Sequence[tuple[str, ...]] = tuple(LINES)
) -> Tally:
    """Files of bytes, settings (`rounds` values a key), distributions, campaign files and command lines."""
    rng, tally = random.Random(seed), Tally("raw TOML and command lines")
    file, base = folder / "raw.toml", TOML.encode()
    small = folder / SMALL
    small.write_text(TOML, encoding="utf-8")
    for name in SCENARIOS:  # what must be compiled to read one is compiled
        load(name)
    assert command("run", small, "--out", folder / RECORDED, "--no-figures", seconds=300.0)[0] == 0
    out = ("--out", folder / "raw-run", "--no-figures")

    def campaign(*words: object) -> tuple[object, ...]:
        return ("campaign", *words, "--out", folder / "raw-campaign")

    tries: list[tuple[object, ...]] = [*COMMANDS, *lines]
    files = [*BYTES]
    texts = [text_of(name).encode() for name in SCENARIOS]
    while len(files) < count // 3:
        text = bytearray(rng.choice([base, *texts]))
        for _ in range(rng.choice((1, 2, 10))):
            place = rng.randrange(len(text))
            text[place : place + rng.choice((0, 1, 5))] = rng.choice(
                (b"", b"[", b"]", b"=", b'"', b"\n", b"\xff", b"1e9", b"0", b"-", b"{")
            )
        files.append(bytes(text))
    tries += [("run", small, *out, "--set", f"{key}={value}") for key in KEYS for value in rng.sample(VALUES, rounds)]
    tries += [
        campaign(small, "--runs", 3, "--vary", f"{rng.choice(('run.seed', 'world.bodies[0].mass', 'x'))}={text}")
        for text in DISTRIBUTIONS
    ]
    for k, text in enumerate(CAMPAIGNS):
        path = folder / f"campaign-{k}.toml"
        rest = {"scenario": "'small.toml'", "vary": "{'world.bodies[0].mass' = 'choice(-1)'}", "runs": "3"}
        kept = [
            f"{key} = {value}" for key, value in rest.items() if not text.startswith(key) and f"\n{key}" not in text
        ]
        path.write_text("[campaign]\n" + "\n".join([text, *kept]) + "\n", encoding="utf-8")
        tries.append(campaign(path))
    for content in files:
        file.write_bytes(content)
        tally.count(
            command("run", file, *out, "--set", "run.duration=0.02", "--set", "run.h=0.01", "--set", "x=1")[3],
            content[:200],
        )
    for words in tries:
        tally.count(command(*words, seconds=SLOW.get(str(words[0]), 5.0))[3], words)
    return tally
