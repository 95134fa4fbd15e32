"""Broken and hostile URDFs are refused quickly, on one line that names the file and the element."""

import os
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from softdock.world import WorldFileError, load_urdf

LAUGHS = (
    '<?xml version="1.0"?><!DOCTYPE robot [<!ENTITY a "ha">'
    + "".join(f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefghi", "bcdefghij", strict=True))
    + ']><robot name="&j;"/>'
)
EXTERNAL = '<!DOCTYPE robot [<!ENTITY x SYSTEM "{url}">]><robot name="r"><link name="a">&x;</link></robot>'
A = '<link name="a"><inertial><mass value="1"/></inertial></link>'
B = A.replace('"a"', '"b"')


def joint(inside: str = "", name: str = "j", kind: str = "revolute", parent: str = "a", child: str = "b") -> str:
    return f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>{inside}</joint>'


def robot(*inside: str) -> str:
    return f'<robot name="r">{"".join(inside)}</robot>'


def inertial(inside: str) -> str:
    return robot(f'<link name="a"><inertial>{inside}</inertial></link>')


def shape(inside: str) -> str:
    return robot(f'<link name="a"><visual><geometry>{inside}</geometry></visual></link>')


BAD = {
    "billion laughs": (LAUGHS, "document type declarations"),
    "external entity": (EXTERNAL.format(url="file:///etc/passwd"), "document type declarations"),
    "external DTD": ('<!DOCTYPE robot SYSTEM "http://127.0.0.1:1/x.dtd"><robot/>', "document type declarations"),
    "parameter entity": ('<!DOCTYPE r [<!ENTITY % p SYSTEM "file:///etc/passwd"> %p;]><r/>', "document type"),
    "undeclared entity": (robot(A, "&boom;"), "not well-formed XML: undefined entity"),
    "unknown encoding": ('<?xml version="1.0" encoding="klingon"?><robot/>', "not well-formed XML: unknown encoding"),
    "not XML": ("robot: arm", "not well-formed XML"),
    "empty": ("", "not well-formed XML"),
    "cut short": (robot(A)[:-9], "not well-formed XML"),
    "deep": ("<robot>" + "<x>" * 100_000 + "</x>" * 100_000 + "</robot>", "nest deeper than 100"),
    "not a robot": ("<sdf/>", "outermost element is <robot>, not <sdf>"),
    "xacro": (
        '<robot xmlns:xacro="http://ros.org/wiki/xacro"><xacro:macro name="m"/></robot>',
        "xacro:macro> is xacro",
    ),
    "xacro by another name": ('<robot xmlns:x="http://ros.org/wiki/xacro"><x:if/></robot>', "x:if> is xacro"),
    "xacro expression": (
        robot(A, B, joint('<origin xyz="${pi/2} 0 0"/>')),
        r"joint 'j': 'xyz' of <origin>: '\${pi/2}'",
    ),
    "no link": (robot(), "has no <link>"),
    "nameless link": (robot(A, "<link/>"), "<link> number 2 has no name"),
    "same link twice": (robot(A, A), "link 'a' is named twice"),
    "same joint twice": (robot(A, B, joint(), joint()), "joint 'j' is named twice"),
    "two roots": (robot(A, B), "the root links 'a', 'b'"),
    "all in a cycle": (robot(A, B, joint(), joint(name="k", parent="b", child="a")), "no root link: its joints form a"),
    "cycle beside the root": (
        robot(
            A,
            B,
            B.replace('"b"', '"c"'),
            joint(parent="c", child="b"),
            joint(name="k", parent="b", child="c"),
        ),
        "bodies 'b', 'c' carry each other in a cycle",
    ),
    "two parents": (robot(A, B, joint(), joint(name="k")), "joints 'j' and 'k' both carry link 'b'"),
    "unknown parent": (robot(A, B, joint(parent="aa")), "joint 'j': unknown parent link 'aa'; did you mean 'a'"),
    "unknown child": (robot(A, joint()), "joint 'j': unknown child link 'b'"),
    "no child": (robot(A, '<joint name="j" type="fixed"><parent link="a"/></joint>'), "joint 'j': has no <child"),
    "unknown joint": (robot(A, B, joint(kind="revolut")), "joint 'j': unknown type 'revolut'; did you mean 'revolute'"),
    "zero axis": (robot(A, B, joint('<axis xyz="0 0 0"/>')), "joint 'j': axis: has zero length"),
    "zero planar axis": (robot(A, B, joint('<axis xyz="0 0 0"/>', kind="planar")), "joint 'j': axis: has zero length"),
    "NaN axis": (robot(A, B, joint('<axis xyz="nan 0 0"/>')), "joint 'j': 'xyz' of <axis>: 'nan' is not a finite"),
    "infinite origin": (robot(A, B, joint('<origin xyz="inf 0 0"/>')), "'inf' is not a finite number"),
    "short origin": (robot(A, B, joint('<origin rpy="0 0"/>')), "'rpy' of <origin> takes 3 numbers, not 2"),
    "NaN limit": (robot(A, B, joint('<limit lower="nan" upper="1"/>')), "joint 'j': 'lower' of <limit>: 'nan'"),
    "one infinite limit": (robot(A, B, joint('<limit lower="0" upper="inf"/>')), "joint 'j': upper.*finite"),
    "limits swapped": (robot(A, B, joint('<limit lower="1" upper="-1"/>')), "joint 'j': lower limit 1.0 is not below"),
    "negative damping": (robot(A, B, joint('<dynamics damping="-1"/>')), "joint 'j': damping.*greater than or equal"),
    "no mass": (inertial(""), "link 'a': <inertial> has no <mass>"),
    "NaN mass": (inertial('<mass value="nan"/>'), "link 'a': 'value' of <mass>: 'nan'"),
    "negative mass": (inertial('<mass value="-1"/>'), "link 'a': mass: Input should be greater"),
    "moment missing": (inertial('<mass value="1"/><inertia ixx="1" iyy="1"/>'), "link 'a': <inertia> has no 'izz'"),
    "triangle": (inertial('<mass value="1"/><inertia ixx="1" iyy="1" izz="3"/>'), "link 'a': .*triangle inequality"),
    "massless leaf": (robot(A, '<link name="b"/>', joint()), "body 'b' moves but has no mass"),
    "named world": (robot(A.replace('"a"', '"world"')), "the world frame's own"),
    "no shape": (shape(""), "link 'a': <visual> has no <geometry>"),
    "unknown shape": (shape("<boxx/>"), "link 'a': unknown shape <boxx>; did you mean 'box'"),
    "flat box": (shape('<box size="1 0 1"/>'), "link 'a': size: every edge"),
    "box without size": (shape("<box/>"), "link 'a': <box> has no 'size'"),
    "nameless mesh": (shape("<mesh/>"), "link 'a': <mesh> has no filename"),
    "missing mesh": (shape('<mesh filename="package://kit/a.stl"/>'), "link 'a': mesh 'package://kit/a.stl' not found"),
    "mesh of the network": (shape('<mesh filename="http://127.0.0.1/a.stl"/>'), "only files are read, not http://"),
    "mesh of unknown format": (shape('<mesh filename="robot.urdf"/>'), "meshes of format 'urdf' are not read"),
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "robot.urdf"


@pytest.mark.parametrize(("text", "message"), BAD.values(), ids=BAD)
def test_it_is_refused_on_one_line(path: Path, text: str, message: str) -> None:
    path.write_text(text)
    with pytest.raises(WorldFileError, match=message) as caught:
        load_urdf(path)
    assert str(caught.value).startswith(str(path)) and "\n" not in str(caught.value)


def test_a_missing_mesh_says_where_it_was_sought(path: Path) -> None:
    path.write_text(shape('<mesh filename="a.stl"/>'))
    with pytest.raises(WorldFileError, match=f"sought below {path.parent}, /attic"):
        load_urdf(path, mesh_dirs=["/attic"])


def test_nothing_is_fetched(path: Path) -> None:
    asked: list[str] = []

    class Listener(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)

    with HTTPServer(("127.0.0.1", 0), Listener) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        path.write_text(EXTERNAL.format(url=f"http://127.0.0.1:{server.server_port}/x"))
        with pytest.raises(WorldFileError):
            load_urdf(path)
        server.shutdown()
    assert asked == []


def test_a_huge_file_is_refused(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(3_000_000_000)
    with pytest.raises(WorldFileError, match="larger than 20 MB"):
        load_urdf(path)


def test_only_regular_files_are_opened(path: Path) -> None:
    os.mkfifo(path)
    with pytest.raises(WorldFileError, match="no such file"):
        load_urdf(path)
    with pytest.raises(WorldFileError, match="no such file"):
        load_urdf("/dev/zero")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.stl", b"solid nothing\nendsolid nothing\n", "a.stl: mesh"),
        ("a.stl", b"\x00" * 100, "a.stl: mesh"),
        ("a.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "a.obj: mesh has no convex hull"),
        ("a.dae", LAUGHS.encode(), "a.dae: document type declarations"),
        ("a.dae", b"<COLLADA/>", "a.dae: mesh cannot be read"),
        ("a.dae", b'<COLLADA><asset><unit meter="x"/></asset></COLLADA>', "'meter' of <unit> is not a number"),
    ],
)
def test_a_broken_mesh_is_refused(path: Path, name: str, content: bytes, message: str) -> None:
    path.with_name(name).write_bytes(content)
    path.write_text(shape(f'<mesh filename="{name}"/>'))
    with pytest.raises(WorldFileError, match=message) as caught:
        load_urdf(path)
    assert "\n" not in str(caught.value)


def test_a_huge_mesh_is_refused(path: Path) -> None:
    with path.with_name("a.stl").open("wb") as file:
        file.truncate(3_000_000_000)
    path.write_text(shape('<mesh filename="a.stl"/>'))
    with pytest.raises(WorldFileError, match="larger than 100 MB"):
        load_urdf(path)
