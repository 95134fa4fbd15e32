"""URDF, MJCF and mesh files."""

import random
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from verdict import Tally, flaw_of_call

from softdock.world import load_mjcf, load_urdf

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
        yield "bytes", _bitten(plain, rng)


MJCF = (Path(__file__).parent / "model.xml").read_text(encoding="utf-8")
_INCLUDED = '<mujoco><include file="{}"/><worldbody><body><geom size="1"/></body></worldbody></mujoco>'


def _mjcfs(rng: random.Random) -> Iterator[tuple[str, bytes]]:
    yield "whole", MJCF.encode()
    for text in ("", "<", "<mujoco/>", "<mujoco>" * 5000, "<robot/>", "<mujoco><worldbody/></mujoco>", "\0",
        '<!DOCTYPE r [<!ENTITY a "b">]><mujoco>&a;</mujoco>', "<mujoco><worldbody>" + "<body>" * 20_000,
        "<mujoco><worldbody>" + "<body><geom size='1'/>" * 900 + "</body>" * 900 + "</worldbody></mujoco>",
        "<mujoco><worldbody>" + "<body><geom size='1'/></body>" * 100_000 + "</worldbody></mujoco>",
        "<mujoco>" + "<default class='x'>" * 900 + "</default>" * 900 + "</mujoco>"):  # fmt: skip
        yield "raw", text.encode()
    for file in ("robot.xml", "nothing.xml", "/dev/zero", "/etc/passwd", "", ".", "../" * 50, "x" * 5000):
        yield "include", _INCLUDED.format(file).encode()
    for file in (
        "nothing.obj",
        "/dev/zero",
        "",
        ".",
        "far.obj",
        "flat.obj",
        "nan.stl",
        "lying.stl",
        "huge.stl",
        "many.ply",
    ):
        mesh = MJCF.replace("one.obj", file).replace('type="sphere"', 'type="mesh" mesh="one"')
        yield "mesh", mesh.encode()
    attributes = [found.span(1) for found in re.finditer(r'="([^"]*)"', MJCF)]
    odd = (
        "",
        "nan",
        "inf",
        "1e400",
        "-1",
        "0",
        "x",
        "1e-320",
        "1e308",
        "1 2",
        "1 " * 5000,
        "a" * 201,
        "\u202e",
        "true",
        "0 0 0",
    )
    while True:
        if rng.randrange(2):
            start, end = rng.choice(attributes)
            yield "attribute", (MJCF[:start] + rng.choice(odd) + MJCF[end:]).encode()
        else:
            yield "bytes", _bitten(MJCF, rng)


def _bitten(plain: str, rng: random.Random) -> bytes:
    """A few places cut out or written over."""
    text = bytearray(plain.encode())
    for _ in range(rng.choice((1, 2, 5))):
        place = rng.randrange(len(text))
        text[place : place + rng.choice((0, 1, 8))] = rng.choice(
            (b"", b"<", b">", b'"', b"=", b"1e999", b"-", b"</link>", b"&", b"\x00")
        )
    return bytes(text)


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


def attack(count: int, seed: int, folder: Path) -> Tally:
    """Robots and their meshes: two of three as URDF, then those as MJCF."""
    tally, rng, file = Tally("URDF, MJCF and mesh files"), random.Random(seed), folder / "robot.urdf"
    for (kind, content), _ in zip(_urdfs(rng, folder), range(2 * count // 3), strict=False):
        file.write_bytes(content)
        tally.count(flaw_of_call(lambda: load_urdf(file)), f"{kind}: {content[:200]!r}")
    file = folder / "robot.xml"
    for (kind, content), _ in zip(_mjcfs(rng), range(count - 2 * count // 3), strict=False):
        file.write_bytes(content)
        tally.count(flaw_of_call(lambda: load_mjcf(file)), f"{kind}: {content[:200]!r}")
    return tally
