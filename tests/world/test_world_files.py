"""TOML worlds: what they may say, and one-line errors that name the file and the key."""

from pathlib import Path

import numpy as np
import pytest

from softdock.spatial import quaternion_of_rpy
from softdock.world import (
    Body,
    Box,
    Fixed,
    Frame,
    Free,
    Friction,
    Latch,
    Limits,
    Orbit,
    Pose,
    Revolute,
    Spring,
    World,
    WorldFileError,
    load_world,
    world_of,
)

SERVICER = """
name = "servicer"
gravity = { kind = "orbit", semi_major_axis = 6.8e6, eccentricity = 0.01 }

[[bodies]]
name = "bus"
mass = 500.0
inertia = [100.0, 90.0, 80.0]
joint = { kind = "free" }
shapes = [{ kind = "box", size = [1.0, 1.0, 2.0] }]

[[bodies]]
name = "arm"
parent = "bus"
mass = 10
center = [0.0, 0.0, 0.5]
inertia = [1.0, 1.0, 0.5, 0.0, 0.1, 0.0]
placement = { position = [0.0, 0.0, 1.0], rpy = [0.0, 1.5, 0.0] }

[bodies.joint]
kind = "revolute"
axis = [0, 2, 0]
damping = 0.1
spring = { stiffness = 3.0, rest = 0.2 }
friction = { force = 0.5 }
limits = { lower = -1.0, upper = 1.0 }

[[frames]]
name = "tip"
body = "arm"
placement.position = [0.0, 0.0, 1.0]

[[latches]]
name = "stow"
kind = "weld"
frame_a = "tip"
frame_b = "bus"
engaged = true
"""

ARM_URDF = """<robot name="arm">
  <link name="base"><inertial><mass value="2"/></inertial></link>
  <link name="tip"><inertial><mass value="1"/></inertial></link>
  <joint name="swing" type="continuous"><parent link="base"/><child link="tip"/><origin xyz="0 0 1"/></joint>
</robot>"""


def write(folder: Path, text: str) -> Path:
    path = folder / "world.toml"
    path.write_text(text)
    return path


def test_toml_says_the_same_as_python(tmp_path: Path) -> None:
    joint = Revolute(
        axis=(0.0, 1.0, 0.0),
        damping=(0.1,),
        spring=Spring(stiffness=(3.0,), rest=(0.2,)),
        friction=Friction(force=(0.5,)),
        limits=Limits(lower=(-1.0,), upper=(1.0,)),
    )
    arm = Body(
        name="arm",
        parent="bus",
        joint=joint,
        mass=10,
        center=(0.0, 0.0, 0.5),
        inertia=((1.0, 0.0, 0.1), (0.0, 1.0, 0.0), (0.1, 0.0, 0.5)),
        placement=Pose(position=(0.0, 0.0, 1.0), quaternion=quaternion_of_rpy(0, 1.5, 0)),
    )
    bus = Body(
        name="bus",
        mass=500,
        inertia=((100.0, 0.0, 0.0), (0.0, 90.0, 0.0), (0.0, 0.0, 80.0)),
        shapes=(Box(size=(1.0, 1.0, 2.0)),),
    )
    assert load_world(write(tmp_path, SERVICER)) == World(
        name="servicer",
        gravity=Orbit(semi_major_axis=6.8e6, eccentricity=0.01),
        bodies=(bus, arm),
        frames=(Frame(name="tip", body="arm", placement=Pose(position=(0.0, 0.0, 1.0))),),
        latches=(Latch(name="stow", kind="weld", frame_a="tip", frame_b="bus", engaged=True),),
    )


def test_a_world_survives_being_dumped_and_read(tmp_path: Path) -> None:
    world = load_world(write(tmp_path, SERVICER))
    assert world_of(world.model_dump(mode="json"), "dump") == world
    assert World.model_validate_json(world.model_dump_json()) == world


BAD_TOML = {
    "syntax": ("name = \n", r"world.toml: Invalid value \(at line 1"),
    "unknown key": ('nmae = "x"', "world.toml: unknown key 'nmae'; did you mean 'name'?"),
    "no bodies": ('name = "x"', "world.toml: a world needs at least one body"),
    "bodies not a list": ("bodies = 3", "world.toml: bodies: must be a list of tables"),
    "body not a table": ("bodies = [3]", r"world.toml: bodies\[0\]: "),
    "missing mass": ('bodies = [{name = "a"}]', r"world.toml: bodies\[0\].mass: Field required"),
    "NaN": ('bodies = [{name = "a", mass = nan}]', r"bodies\[0\].mass: Input should be a finite number"),
    "zero mass": ('bodies = [{name = "a", mass = 0}]', "world.toml: body 'a' moves but has no mass"),
    "zero axis": (
        'bodies = [{name = "a", mass = 1}, {name = "b", mass = 1, joint = {kind = "revolute", axis = [0, 0, 0]}}]',
        r"world.toml: bodies\[1\].joint.axis: has zero length",
    ),
    "short axis": (
        'bodies = [{name = "a", mass = 1, joint = {kind = "revolute", axis = [0, 1]}}]',
        r"bodies\[0\].joint.axis: takes 3 numbers, not 2",
    ),
    "misspelt joint key": (
        'bodies = [{name = "a", mass = 1, joint = {kind = "revolute", axsi = [0, 1, 0]}}]',
        r"bodies\[0\].joint: unknown key 'axsi'; did you mean 'axis'",
    ),
    "joint without kind": ('bodies = [{name = "a", mass = 1, joint = {}}]', r"bodies\[0\].joint: has no 'kind'"),
    "unknown joint": (
        'bodies = [{name = "a", mass = 1, joint.kind = "revolut"}]',
        r"bodies\[0\].joint: unknown kind 'revolut'; did you mean 'revolute'",
    ),
    "zero quaternion": (
        'bodies = [{name = "a", mass = 1, placement.quaternion = [0, 0, 0, 0]}]',
        r"bodies\[0\].placement.quaternion: has zero length",
    ),
    "bad shape": (
        'bodies = [{name = "a", mass = 1, shapes = [{kind = "sphere", radius = 0}]}]',
        r"bodies\[0\].shapes\[0\].radius: Input should be greater than 0",
    ),
    "several": ('bodies = [{name = "a", mass = -1, center = 3, inertia = 4}]', r"and 2 more\)"),
    "bad gravity": ('gravity = {kind = "orbit"}\nbodies = [{name = "a", mass = 1}]', "gravity.semi_major_axis: Field"),
    "urdf not a list": ("urdf = 1", "urdf: must be a list of tables"),
    "urdf without path": ("urdf = [{}]", r"world.toml: urdf\[0\]: path: Field required"),
    "urdf of unknown key": (
        'urdf = [{path = "a", pefix = "b"}]',
        r"urdf\[0\]: unknown key 'pefix'; did you mean 'prefix'",
    ),
    "urdf not there": ('urdf = [{path = "a.urdf"}]', "a.urdf: no such file"),
    "free urdf attached": (
        'urdf = [{path = "a.urdf", base = "free", attach = "b"}]',
        "'attach' goes with base 'fixed'",
    ),
    "deep": ("a = " + "[" * 20000, "world.toml: "),
}


@pytest.mark.parametrize(("text", "message"), BAD_TOML.values(), ids=BAD_TOML)
def test_a_bad_file_is_refused_on_one_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(WorldFileError, match=message) as caught:
        load_world(write(tmp_path, text))
    assert "\n" not in str(caught.value)


def test_files_that_are_not_text_are_refused(tmp_path: Path) -> None:
    with pytest.raises(WorldFileError, match="no such file"):
        load_world(tmp_path / "absent.toml")
    with pytest.raises(WorldFileError, match="no such file"):
        load_world(tmp_path)
    binary = tmp_path / "binary.toml"
    binary.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(WorldFileError, match=r"binary.toml: .*decode"):
        load_world(binary)


def test_robots_are_imported_attached_and_prefixed(tmp_path: Path) -> None:
    (tmp_path / "arm.urdf").write_text(ARM_URDF)
    text = """
    urdf = [
        { path = "arm.urdf", prefix = "left_", attach = "socket", placement.position = [0, 0, 1] },
        { path = "arm.urdf", prefix = "top_", attach = "left_swing" },
        { path = "arm.urdf", base = "free", placement.position = [9, 0, 0] },
    ]
    bodies = [{ name = "bus", mass = 1 }]
    frames = [
        { name = "socket", body = "bus", placement = { position = [1, 0, 0], rpy = [1.5707963267948966, 0, 0] } },
        { name = "eye", body = "top_tip" },
    ]
    latches = [{ name = "grip", kind = "point", frame_a = "eye", frame_b = "tip" }]
    """
    world = load_world(write(tmp_path, text))
    parents = {body.name: body.parent for body in world.bodies}
    assert parents == {
        "bus": "world",
        "left_base": "bus",
        "left_tip": "left_base",
        "top_base": "left_tip",
        "top_tip": "top_base",
        "base": "world",
        "tip": "base",
    }
    np.testing.assert_allclose(world.body("left_base").placement.position, (1, -1, 0), atol=1e-15)
    assert isinstance(world.body("left_base").joint, Fixed) and isinstance(world.body("base").joint, Free)
    assert world.body("base").placement.position == (9, 0, 0)
    assert world.body_of("left_swing") == "left_tip" and world.body_of("swing") == "tip"


def test_imported_names_that_clash_are_refused(tmp_path: Path) -> None:
    (tmp_path / "arm.urdf").write_text(ARM_URDF)
    with pytest.raises(WorldFileError, match=r"world.toml: body 'base' is named twice"):
        load_world(write(tmp_path, 'urdf = [{ path = "arm.urdf" }, { path = "arm.urdf" }]'))
    with pytest.raises(WorldFileError, match=r"world.toml: body 'base': unknown parent 'bsu'; did you mean 'bus'"):
        load_world(write(tmp_path, 'urdf = [{path = "arm.urdf", attach = "bsu"}]\nbodies = [{name = "bus", mass = 1}]'))
