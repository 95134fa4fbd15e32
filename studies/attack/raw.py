"""TOML as bytes, command lines, campaign files; and URDF and mesh files."""

import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from verdict import Tally, command, flaw_of_call

from softdock.scenarios import text_of
from softdock.world import load_urdf

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
SMALL = "small.toml"
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
    ("compare", "/dev/null"), ("identify", "/nonexistent.csv"), ("excite", "/proc/x.csv"), ("excite", "/tmp/x.csv",
    "--rate", "nan"),
    ("campaign",), ("campaign", "nothing"), ("campaign", SMALL, "--runs", "0"), ("campaign", SMALL, "--runs",
    "x" * 1000),
    ("campaign", "--resume"), ("campaign", "--rerun", "0"), ("campaign", "--report", "/nonexistent"), ("campaign",
    SMALL, "--runs", "5"),
    ("campaign", "--rerun", "99999999999999999999", "--out", "/tmp"), ("bench", "--only", "nothing"), ("list", "x"),
    ("run", SMALL, "--json", "x"),
)  # fmt: skip


def attack_text(count: int, seed: int, folder: Path, rounds: int = 4) -> Tally:
    """Files of bytes, settings (`rounds` values a key), distributions, campaign files and command lines."""
    rng, tally = random.Random(seed), Tally("raw TOML and command lines")
    file, base = folder / "raw.toml", TOML.encode()
    small = folder / SMALL
    small.write_text(TOML, encoding="utf-8")
    out = ("--out", folder / "raw-run", "--no-figures")

    def campaign(*words: object) -> tuple[object, ...]:
        return ("campaign", *words, "--out", folder / "raw-campaign")

    tries: list[tuple[object, ...]] = [*COMMANDS]
    files = [*BYTES]
    texts = [text_of(name).encode() for name in ("world", "free-flyer", "iss-docking")]
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
        tally.count(command(*words, seconds=30.0 if "--runs" in words else 5.0)[3], words)
    return tally


LINK = '<link name="{}"><inertial><mass value="{}"/><inertia ixx="1" iyy="1" izz="1"/></inertial>{}</link>'
JOINT = '<joint name="j{0}" type="{1}"><parent link="{2}"/><child link="{3}"/><axis xyz="{4}"/></joint>'


def _urdfs(rng: random.Random, folder: Path) -> Iterator[tuple[str, bytes]]:
    plain = (
        '<robot name="r">'
        + LINK.format("a", 1, "")
        + LINK.format("b", 1, "")
        + JOINT.format(0, "revolute", "a", "b", "0 0 1")
        + "</robot>"
    )
    texts = (
        b"",
        b"<",
        b"\xff\xfe",
        b"<robot/>",
        b"<robot>" * 5000,
        b"<a/>" * 10,
        plain.encode("utf-16"),
        b"<robot>&x;</robot>",
        b'<!DOCTYPE r [<!ENTITY a "b">]><robot>&a;</robot>',
        b'<?xml version="1.0" encoding="x"?><robot/>',
    )
    yield from (("raw", text) for text in texts)
    links = "".join(LINK.format(k, 1, "") for k in range(150_000))
    yield "many links", f"<robot name='r'>{links}</robot>".encode()
    chain = "".join(LINK.format(k, 1, "") for k in range(900)) + "".join(
        JOINT.format(k, "revolute", k, k + 1, "0 0 1") for k in range(899)
    )
    yield "long chain", f"<robot name='r'>{chain}</robot>".encode()
    cycle = "".join(LINK.format(k, 1, "") for k in range(500)) + "".join(
        JOINT.format(k, "fixed", k, (k + 1) % 500, "0 0 1") for k in range(500)
    )
    yield "cycle", f"<robot name='r'>{cycle}</robot>".encode()
    for value in ("nan", "inf", "1e400", "-1", "0", "x", "", "1e-320", "1e308", "1" * 5000):
        yield "mass", plain.replace('mass value="1"', f'mass value="{value}"', 1).encode()
        yield "axis", plain.replace('xyz="0 0 1"', f'xyz="{value} 0 0"').encode()
        yield "inertia", plain.replace('ixx="1"', f'ixx="{value}"', 1).encode()
    for name in ("", "x" * 5000, "world", "\u202e", "a" * 201, "</link>", "a\x1b"):
        yield "name", plain.replace('"b"', f'"{name}"').encode()
    for mesh in _meshes(rng, folder):
        shape = f'<collision><geometry><mesh filename="{mesh}" scale="1 1 1"/></geometry></collision>'
        yield "mesh", f'<robot name="r">{LINK.format("a", 1, shape)}</robot>'.encode()
    while True:
        text = bytearray(plain.encode())
        for _ in range(rng.choice((1, 2, 5))):
            place = rng.randrange(len(text))
            text[place : place + rng.choice((0, 1, 8))] = rng.choice(
                (b"", b"<", b">", b'"', b"=", b"1e999", b"-", b"</link>", b"&", b"\x00")
            )
        yield "bytes", bytes(text)


def _meshes(rng: random.Random, folder: Path) -> Iterator[str]:
    """Names of mesh files, made as they are asked for."""
    yield from (
        "",
        "nothing.stl",
        "/etc/passwd",
        "http://x/y.stl",
        "package://x",
        "package:///",
        "../" * 50 + "x.stl",
        "x" * 5000 + ".stl",
        "/dev/zero",
        ".",
    )
    triangle = "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex {} 1 0\nendloop\nendfacet\n"
    contents = {
        "empty.stl": b"", "short.stl": b"x" * 83, "lying.stl": b"\0" * 80 + b"\xff\xff\xff\xff" + b"\0" * 50,
        "one.stl": f"solid\n{triangle.format(0)}endsolid".encode(),
        "nan.stl": f"solid\n{triangle.format('nan')}endsolid".encode(),
        "huge.stl": f"solid\n{triangle.format('1e300')}endsolid".encode(),
        "empty.obj": b"", "far.obj": b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 99999999\n",
        "flat.obj": b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n",
        "empty.ply": b"ply\n",
        "lying.ply": b"ply\nformat ascii 1.0\nelement vertex 999999999\nproperty float x\nend_header\n",
        "x.dae": b"<COLLADA/>", "bomb.dae": b'<!DOCTYPE a [<!ENTITY b "c">]><COLLADA>&b;</COLLADA>', "x.step": b"ISO",
    }  # fmt: skip
    points = np.random.default_rng(0).normal(size=(600_000, 3))
    head = "ply\nformat binary_little_endian 1.0\nelement vertex 600000\n"
    head += "".join(f"property float {axis}\n" for axis in "xyz")
    header = (head + "element face 200000\nproperty list uchar int vertex_indices\nend_header\n").encode()
    faces = np.zeros(200_000, [("size", "u1"), ("corners", "<i4", 3)])
    faces["size"], faces["corners"] = 3, np.arange(600_000).reshape(-1, 3)
    contents["many.ply"] = header + points.astype("<f4").tobytes() + faces.tobytes()
    for name, content in contents.items():
        (folder / name).write_bytes(content)
        yield name
    for k in range(60):
        data = bytearray(contents[rng.choice(("one.stl", "far.obj", "lying.ply", "lying.stl"))])
        for _ in range(3):
            data[rng.randrange(len(data))] = rng.randrange(256)
        (folder / f"m{k}{rng.choice(('.stl', '.obj', '.ply'))}").write_bytes(data)
        yield from (path.name for path in folder.glob(f"m{k}.*"))


def attack_urdf(count: int, seed: int, folder: Path) -> Tally:
    """Robots and their meshes."""
    tally, file = Tally("URDF and mesh files"), folder / "robot.urdf"
    for (kind, content), _ in zip(_urdfs(random.Random(seed), folder), range(count), strict=False):
        file.write_bytes(content)
        tally.count(flaw_of_call(lambda: load_urdf(file)), f"{kind}: {content[:200]!r}")
    return tally
