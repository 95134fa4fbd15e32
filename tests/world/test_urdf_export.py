"""A world written as URDF and read again is the same world; other readers agree; what URDF cannot say is named."""

from pathlib import Path

import numpy as np
import pytest

import softdock as sd
from softdock.world import load_urdf, save_urdf


def craft() -> sd.World:
    """Two trees with every joint and shape that URDF has, at odd places."""
    cube = [(x, y, z) for x in (0.0, 0.1) for y in (0.0, 0.2) for z in (0.0, 0.3)]
    tetra = sd.ConvexMesh(
        vertices=tuple(cube[k] for k in (0, 3, 5, 6)), triangles=((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3))
    )
    odd = sd.Pose(position=(0.1, -0.2, 0.3), rpy=(0.4, -1.2, 2.9))
    quarter = sd.Pose(position=(0.5, 0, 0), rpy=(0.3, np.pi / 2, 0.2))
    inertia = ((2.0, 0.1, -0.05), (0.1, 2.5, 0.2), (-0.05, 0.2, 3.0))
    link = {"mass": 1.5, "center": (0.1, 0.02, -0.03), "inertia": inertia}
    return sd.World(
        name="craft",
        bodies=(
            sd.Body(name="bus", mass=20.0, inertia=inertia, shapes=(sd.Box(size=(1, 2, 3), placement=odd), tetra)),
            sd.Body(name="arm", parent="bus", placement=quarter, joint=sd.Revolute(axis=(0.6, 0, 0.8), damping=(0.1,),
                    limits=sd.Limits(lower=(-1.0,), upper=(2.0,)), actuator=sd.Actuator(effort=5.0, rate=0.3)), **link,
                    shapes=(sd.Cylinder(radius=0.1, length=0.4, placement=odd), sd.Sphere(radius=0.2))),
            sd.Body(name="slide", parent="arm", placement=odd, joint=sd.Prismatic(axis=(0, 1, 0)), **link),
            sd.Body(name="wheel", parent="slide", joint=sd.Revolute(friction=sd.Friction(force=(0.2,))), **link),
            sd.Body(name="pad", parent="wheel", joint=sd.Fixed(), placement=odd, mass=0.0),
            sd.Body(name="puck", joint=sd.Planar(), placement=odd, **link),
        ),
        frames=(sd.Frame(name="port", body="arm", placement=odd), sd.Frame(name="dock", body="world", placement=odd)),
    )  # fmt: skip


def test_written_and_read_again_it_is_the_same_world(tmp_path: Path) -> None:
    world = craft()
    files = save_urdf(world, tmp_path / "craft.urdf")
    again = load_urdf(files[0])
    assert [file.name for file in files] == ["craft.urdf", "bus-2.obj"]
    for mine, read in zip(world.bodies, again.bodies, strict=True):
        assert (mine.name, mine.parent, mine.joint, mine.mass, mine.center) == (
            read.name, read.parent, read.joint, read.mass, read.center,
        )  # fmt: skip
        np.testing.assert_allclose(mine.inertia, read.inertia, rtol=1e-15, atol=1e-16)
        np.testing.assert_allclose(mine.placement.matrix(), read.placement.matrix(), atol=1e-15)
        assert [shape.kind for shape in mine.shapes] == [shape.kind for shape in read.shapes]
        for a, b in zip(mine.shapes, read.shapes, strict=True):
            np.testing.assert_allclose(a.placement.matrix(), b.placement.matrix(), atol=1e-15)
    hull = again.body("bus").shapes[1]
    assert isinstance(hull, sd.ConvexMesh) and set(hull.vertices) == set(world.body("bus").shapes[1].vertices)  # type: ignore[union-attr]
    for mine, read in zip(world.frames, again.frames, strict=True):
        assert (mine.name, mine.body) == (read.name, read.body)
        np.testing.assert_allclose(mine.placement.matrix(), read.placement.matrix(), atol=1e-15)


def test_mujoco_reads_the_same_masses_and_places(tmp_path: Path) -> None:
    mujoco = pytest.importorskip("mujoco")
    world = craft()
    tree = world.altered(bodies=tuple(b for b in world.bodies if b.name not in ("puck", "pad")), frames=())
    save_urdf(tree, tmp_path / "craft.urdf")
    text = (tmp_path / "craft.urdf").read_text().replace('filename="meshes/', 'filename="')
    (tmp_path / "meshes" / "craft.urdf").write_text(text)
    model = mujoco.MjModel.from_xml_path(str(tmp_path / "meshes" / "craft.urdf"))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    assert mujoco.mj_getTotalmass(model) == pytest.approx(24.5)
    at = sd.Layout(tree)
    assert model.nv == at.nv
    wheel = tree.body("arm").placement @ tree.body("slide").placement
    found = data.xpos[mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, "wheel")]
    np.testing.assert_allclose(found, wheel.position, atol=1e-9)


def test_what_urdf_cannot_say_is_named_and_what_it_cannot_hold_refused(tmp_path: Path) -> None:
    world = craft().altered(gravity=sd.Uniform())
    bodies = [b.altered(joint=sd.Revolute(servo=sd.Servo(kp=1.0))) if b.name == "wheel" else b for b in world.bodies]
    with pytest.warns(UserWarning, match="no words for: servos, gravity"):
        save_urdf(world.altered(bodies=tuple(bodies)), tmp_path / "a.urdf")
    ball = [b.altered(joint=sd.Spherical()) if b.name == "wheel" else b for b in world.bodies]
    with pytest.raises(ValueError, match="'wheel': URDF has no spherical joint"):
        save_urdf(world.altered(bodies=tuple(ball)), tmp_path / "b.urdf")
    capsule = sd.World(
        bodies=(sd.Body(name="a", mass=1.0, inertia=(1, 1, 1), shapes=(sd.Capsule(radius=0.1, length=1.0),)),)
    )
    save_urdf(capsule, tmp_path / "c.urdf")
    assert [shape.kind for shape in load_urdf(tmp_path / "c.urdf").body("a").shapes] == ["cylinder", "sphere", "sphere"]
