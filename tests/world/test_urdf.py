"""Meaning of a URDF: joints, inertia, frames, shapes."""

from pathlib import Path

import numpy as np
import pinocchio
import pytest
import trimesh

from softdock.world import (
    Actuator,
    Box,
    ConvexMesh,
    Cylinder,
    Fixed,
    Free,
    Friction,
    Limits,
    Planar,
    Prismatic,
    Revolute,
    Sphere,
    World,
    WorldFileError,
    load_urdf,
)

MASS = '<inertial><mass value="1"/></inertial>'


def robot(*links: str, joints: str = "") -> str:
    return f'<robot name="test">{"".join(links)}{joints}</robot>'


def link(name: str, inside: str = MASS) -> str:
    return f'<link name="{name}">{inside}</link>'


def joint(kind: str, inside: str = "", name: str = "j", parent: str = "a", child: str = "b") -> str:
    return f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>{inside}</joint>'


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "robot.urdf"


def two(path: Path, kind: str, inside: str = "") -> World:
    path.write_text(robot(link("a"), link("b"), joints=joint(kind, inside)))
    return load_urdf(path)


def test_kinds_of_joints(path: Path) -> None:
    assert two(path, "fixed").body("b").joint == Fixed()
    assert two(path, "revolute").body("b").joint == Revolute(axis=(1.0, 0.0, 0.0))
    assert two(path, "continuous", '<axis xyz="0 3 0"/>').body("b").joint == Revolute(axis=(0.0, 1.0, 0.0))
    assert two(path, "prismatic", '<axis xyz="0 0 -1"/>').body("b").joint == Prismatic(axis=(0.0, 0.0, -1.0))
    assert two(path, "floating").body("b").joint == Free()
    assert two(path, "planar", '<axis xyz="0 0 1"/>').body("b").joint == Planar()


def test_resistance_and_range(path: Path) -> None:
    world = two(path, "revolute", '<limit lower="-1" upper="2" effort="1"/><dynamics damping="0.5" friction="0.1"/>')
    assert world.body("b").joint == Revolute(
        axis=(1.0, 0.0, 0.0),
        damping=(0.5,),
        friction=Friction(force=(0.1,)),
        limits=Limits(lower=(-1.0,), upper=(2.0,)),
        actuator=Actuator(effort=1.0),
    )


@pytest.mark.parametrize("said", ["", 'effort="0" velocity="0"', 'effort="inf"'])
def test_a_motor_of_which_nothing_is_said_is_none(path: Path, said: str) -> None:
    assert two(path, "revolute", f'<limit lower="-1" upper="2" {said}/>').body("b").joint.actuator is None
    joint = two(path, "continuous", '<limit effort="87" velocity="2.5"/>').body("b").joint
    assert joint.actuator == Actuator(effort=87.0, rate=2.5)


@pytest.mark.parametrize(
    "limit", ["", '<limit effort="1"/>', '<limit lower="0" upper="0"/>', '<limit lower="-inf" upper="inf"/>']
)
def test_no_range_is_no_limit(path: Path, limit: str) -> None:
    made = two(path, "prismatic", limit).body("b").joint
    assert isinstance(made, Prismatic) and made.limits is None


def test_base_and_names(path: Path) -> None:
    assert isinstance(two(path, "revolute").body("a").joint, Fixed)
    free = load_urdf(path, "free", name="mine")
    assert isinstance(free.body("a").joint, Free) and free.name == "mine"
    assert load_urdf(path).name == "test"
    assert free.body_of("j") == "b"
    with pytest.raises(ValueError, match="base must be 'fixed' or 'free'"):
        load_urdf(path, "loose")  # type: ignore[arg-type]


def test_a_joint_named_as_a_link_adds_no_frame(path: Path) -> None:
    path.write_text(robot(link("a"), link("b"), joints=joint("fixed", name="b")))
    assert load_urdf(path).frames == ()


def test_a_bare_link_named_world_is_the_world(path: Path) -> None:
    mount = joint("fixed", '<origin xyz="0 0 1"/>', name="mount", parent="world", child="a")
    path.write_text(robot('<link name="world"/>', link("a"), link("b"), joints=mount + joint("revolute")))
    for base, kind in (("fixed", Fixed), ("free", Free)):
        world = load_urdf(path, base)  # type: ignore[arg-type]
        assert [body.name for body in world.bodies] == ["a", "b"]
        assert isinstance(world.body("a").joint, kind)
        assert world.body("a").placement.position == (0, 0, 1)
    path.write_text(robot(link("world"), link("a"), joints=mount))
    with pytest.raises(WorldFileError, match="the world frame's own"):
        load_urdf(path)
    path.write_text(robot('<link name="world"/>', link("a"), joints=mount.replace("fixed", "revolute")))
    with pytest.raises(WorldFileError, match="joint 'mount': base 'free' needs link 'world' to carry one link only"):
        load_urdf(path, "free")


def test_inertia_is_turned_into_the_body_axes(path: Path) -> None:
    inertial = (
        '<inertial><mass value="2"/><origin xyz="1 2 3" rpy="0.3 -0.4 0.5"/>'
        '<inertia ixx="1" iyy="1.2" izz="1.5" ixy="0.1" ixz="-0.2" iyz="0.05"/></inertial>'
    )
    path.write_text(robot(link("a", inertial)))
    body = load_urdf(path, "free").body("a")
    expected = pinocchio.buildModelFromUrdf(str(path), pinocchio.JointModelFreeFlyer()).inertias[1]
    assert body.mass == 2 and body.center == (1, 2, 3)
    np.testing.assert_allclose(body.inertia, expected.inertia, rtol=1e-14)


@pytest.mark.parametrize("axis", ["0 0 1", "1 0 0", "0 1 0", "0 0 -1", "1 -2 0.5"])
def test_a_planar_joint_slides_across_its_axis(path: Path, axis: str) -> None:
    """Whatever the turn of the frames, at zero every link is where the URDF puts it."""
    inside = f'<origin xyz="1 0 0" rpy="0.1 0.2 0.3"/><axis xyz="{axis}"/>'
    last = joint("revolute", '<origin xyz="0 1 0" rpy="0 0 1"/>', "k", "b", "c")
    inertial = '<inertial><mass value="1"/><origin xyz="0 0 1"/><inertia ixx="1" iyy="2" izz="2.5"/></inertial>'
    path.write_text(robot(link("a"), link("b", inertial), link("c"), joints=joint("planar", inside) + last))
    world = load_urdf(path)
    b, c = world.body("b"), world.body("c")
    link_b, origin = b.placement @ world.frame("j").placement, two(path, "fixed", inside).body("b").placement
    np.testing.assert_allclose(link_b.matrix(), origin.matrix(), atol=1e-14)
    n = np.array(axis.split(), dtype=float)
    np.testing.assert_allclose(b.placement.rotation[:, 2], origin.rotation @ n / np.linalg.norm(n), atol=1e-14)
    np.testing.assert_allclose((b.placement.matrix() @ [*b.center, 1]), origin.matrix() @ [0, 0, 1, 1], atol=1e-14)
    R = b.placement.rotation
    turned = origin.rotation @ np.diag([1, 2, 2.5]) @ origin.rotation.T
    np.testing.assert_allclose(R @ b.inertia @ R.T, turned, atol=1e-14)
    expected = origin.matrix() @ two(path, "fixed", '<origin xyz="0 1 0" rpy="0 0 1"/>').body("b").placement.matrix()
    np.testing.assert_allclose((b.placement @ c.placement).matrix(), expected, atol=1e-14)


def test_mimic_is_ignored_with_a_warning(path: Path) -> None:
    with pytest.warns(UserWarning, match="mimic> is ignored.*: j"):
        world = two(path, "revolute", '<mimic joint="k"/>')
    assert isinstance(world.body("b").joint, Revolute)


def shaped(tag: str, shape: str, origin: str = "") -> str:
    return f"<{tag}>{origin}<geometry>{shape}</geometry></{tag}>"


def test_collision_shapes_come_before_visual_ones(path: Path) -> None:
    box, ball = shaped("collision", '<box size="1 2 3"/>', '<origin xyz="0 0 1"/>'), '<sphere radius="2"/>'
    rod = shaped("visual", '<cylinder radius="1" length="4"/>')
    path.write_text(robot(link("a", box + shaped("collision", ball) + rod), link("b", rod), joints=joint("fixed")))
    world = load_urdf(path)
    a, b = world.body("a").shapes, world.body("b").shapes
    assert isinstance(a[0], Box) and a[0].size == (1, 2, 3) and a[0].placement.position == (0, 0, 1)
    assert a[1:] == (Sphere(radius=2.0),) and b == (Cylinder(radius=1.0, length=4.0),)
    assert load_urdf(path, meshes=False).body("a").shapes == ()


NAMES = ["part.stl", "meshes/part.stl", "package://kit/part.stl", "package:///kit/part.stl"]


@pytest.mark.parametrize("name", [*NAMES, "file://{folder}/part.stl", "{folder}/part.stl"])
@pytest.mark.parametrize("place", ["beside", "above", "mesh_dirs", "ros"])
def test_meshes_are_found(tmp_path: Path, name: str, place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = {"beside": tmp_path / "kit" / "urdf", "above": tmp_path / "kit"}.get(place, tmp_path / "elsewhere" / "kit")
    file = folder / name.rpartition("://")[2].removeprefix("/") if "{" not in name else folder / "part.stl"
    file.parent.mkdir(parents=True)
    trimesh.creation.box((1, 2, 3)).export(file)
    path = tmp_path / "kit" / "urdf" / "robot.urdf"
    path.parent.mkdir(parents=True, exist_ok=True)
    mesh = f'<mesh filename="{name.format(folder=folder)}" scale="2 1 -1"/>'
    path.write_text(robot(link("a", MASS + shaped("collision", mesh))))
    if place == "ros":
        monkeypatch.setenv("ROS_PACKAGE_PATH", str(folder))
    shape = load_urdf(path, mesh_dirs=[folder] if place == "mesh_dirs" else []).body("a").shapes[0]
    assert isinstance(shape, ConvexMesh) and len(shape.vertices) == 8 and shape.source == str(file)
    hull = trimesh.Trimesh(shape.vertices, shape.triangles)
    np.testing.assert_allclose(hull.extents, (2, 2, 3))
    assert hull.volume == pytest.approx(12), "triangles face outward, also when mirrored"


def test_a_package_is_known_by_its_folder(tmp_path: Path) -> None:
    path = tmp_path / "kit" / "urdf" / "robot.urdf"
    path.parent.mkdir(parents=True)
    trimesh.creation.box((1, 1, 1)).export(tmp_path / "kit" / "part.ply")
    path.write_text(robot(link("a", shaped("visual", '<mesh filename="package://kit/part.ply"/>'))))
    assert load_urdf(path).body("a").shapes


def test_the_unit_of_a_collada_mesh_counts(path: Path) -> None:
    text = trimesh.creation.box((100, 200, 300)).export(file_type="dae").decode()
    scene = text.replace("</asset>", '<unit name="centimeter" meter="0.01"/></asset>')
    assert scene != text
    path.with_name("part.dae").write_text(scene)
    path.write_text(robot(link("a", shaped("visual", '<mesh filename="part.dae"/>'))))
    shape = load_urdf(path).body("a").shapes[0]
    assert isinstance(shape, ConvexMesh)
    np.testing.assert_allclose(np.ptp(shape.vertices, axis=0), (1, 2, 3))
