"""Worlds as URDF files: what `load_urdf` reads back as the same world, and ROS's tools read too."""

import os
import tempfile
import warnings
from collections import Counter
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from softdock.spatial import rpy_of_matrix
from softdock.world.gravity import NoGravity
from softdock.world.joints import Fixed, Free, Mode, Planar, Prismatic, Revolute
from softdock.world.model import WORLD, Body, World
from softdock.world.pose import Pose
from softdock.world.shapes import Box, Capsule, ConvexMesh, Cylinder, Sphere
from softdock.world.visuals import Visual

_XML = "<?xml version='1.0' encoding='utf-8'?>\n"
MESHES = "meshes"
"""Folder beside the URDF file, for convex meshes."""


def save_urdf(world: World, path: str | Path) -> list[Path]:
    """Write a world as a URDF file, its meshes as OBJ files in a folder beside it; the files.

    The root link is "world"; a joint has its link's name. Named frames are `<frame>` elements, as Drake's. A capsule
    becomes a cylinder and two balls. Visual meshes are referred to where they are. One warning names what URDF has no
    word for: latches, contacts, gravity, springs, servos, stops. A spherical joint, and numbers that differ between the
    coordinates of one joint, are refused.
    """
    path, left_out = Path(path), Counter[str]()
    robot = Element("robot", name=world.name)
    SubElement(robot, "link", name=WORLD)
    meshes: dict[Path, ConvexMesh] = {}
    for body in world.bodies:
        _link(SubElement(robot, "link", name=body.name), body, path, meshes)
        _joint(robot, body, left_out)
    for frame in world.frames:
        SubElement(robot, "frame", {"name": frame.name, "link": frame.body, **_numbers(frame.placement)})
    for what in ("latches", "contacts"):
        left_out[what] += len(getattr(world, what))
    left_out["gravity"] += not isinstance(world.gravity, NoGravity)
    indent(robot)
    path.parent.mkdir(parents=True, exist_ok=True)
    texts = {file: _obj(mesh) for file, mesh in meshes.items()} | {path: _XML + tostring(robot, "unicode")}
    with tempfile.TemporaryDirectory(prefix=".urdf-", dir=path.parent) as temporary:  # whole or not at all
        parts = {file: Path(temporary) / str(k) for k, file in enumerate(texts)}
        for file, part in parts.items():
            part.write_text(texts[file], encoding="utf-8")
        for file, part in parts.items():
            file.parent.mkdir(exist_ok=True)
            os.replace(part, file)
    if told := ", ".join(f"{what} ({n})" if n > 1 else what for what, n in left_out.items() if n):
        warnings.warn(f"{path}: URDF has no words for: {told}", stacklevel=2)
    return [path, *meshes]


def _text(*values: float) -> str:
    return " ".join(repr(float(x)) for x in values)


def _numbers(pose: Pose) -> dict[str, str]:
    """`xyz` and `rpy` of an origin."""
    return {"xyz": _text(*pose.position), "rpy": _text(*rpy_of_matrix(pose.rotation))}


def _link(link: Element, body: Body, path: Path, meshes: dict[Path, ConvexMesh]) -> None:
    if body.mass:
        inertial = SubElement(link, "inertial")
        SubElement(inertial, "origin", xyz=_text(*body.center), rpy="0 0 0")
        SubElement(inertial, "mass", value=_text(body.mass))
        (xx, xy, xz), (_, yy, yz), (_, _, zz) = body.inertia
        moments = {"ixx": xx, "ixy": xy, "ixz": xz, "iyy": yy, "iyz": yz, "izz": zz}
        SubElement(inertial, "inertia", {key: _text(x) for key, x in moments.items()})
    for visual in body.visuals:
        _visual(link, visual, body.name, path, meshes)
    for k, shape in enumerate(body.shapes):
        for tag in ("collision",) if body.visuals else ("visual", "collision"):
            for tag_of, numbers, placement in _geometry(shape, body.name, k, path, meshes):
                element = SubElement(link, tag)
                SubElement(element, "origin", _numbers(placement))
                SubElement(SubElement(element, "geometry"), tag_of, numbers)


def _visual(link: Element, visual: Visual, name: str, path: Path, meshes: dict[Path, ConvexMesh]) -> None:
    """A drawn mesh, by where it is, or a drawn shape; with its colour."""
    if visual.shape is None:
        given = [("mesh", {"filename": visual.file, "scale": _text(*visual.scale)}, visual.placement)]
    else:
        shape = visual.shape.altered(placement=visual.placement @ visual.shape.placement)
        given = _geometry(shape, f"{name}-drawn", len(meshes), path, meshes)
    for tag_of, numbers, placement in given:
        element = SubElement(link, "visual")
        SubElement(element, "origin", _numbers(placement))
        SubElement(SubElement(element, "geometry"), tag_of, numbers)
        if visual.color:
            levels = [int(visual.color[k : k + 2], 16) / 255 for k in (1, 3, 5)]
            SubElement(SubElement(element, "material", name=visual.color), "color", rgba=_text(*levels, 1.0))


def _geometry(
    shape: Any, name: str, k: int, path: Path, meshes: dict[Path, ConvexMesh]
) -> list[tuple[str, dict[str, str], Pose]]:
    at = shape.placement
    match shape:
        case Box():
            return [("box", {"size": _text(*shape.size)}, at)]
        case Sphere():
            return [("sphere", {"radius": _text(shape.radius)}, at)]
        case Cylinder():
            return [("cylinder", {"radius": _text(shape.radius), "length": _text(shape.length)}, at)]
        case Capsule():
            size = {"radius": _text(shape.radius)}
            ends = [at @ Pose(position=(0.0, 0.0, s * shape.length / 2)) for s in (-1, 1)]
            barrel = ("cylinder", {**size, "length": _text(shape.length)}, at)
            return [barrel, *(("sphere", size, end) for end in ends)]
    safe = "".join(letter if letter.isalnum() or letter in "-_" else "_" for letter in name)
    file = path.parent / MESHES / f"{safe}-{k + 1}.obj"
    if meshes.setdefault(file, shape) is not shape:
        raise ValueError(f"two bodies would write {file}; rename one of them")
    return [("mesh", {"filename": f"{MESHES}/{file.name}"}, at)]


def _obj(mesh: ConvexMesh) -> str:
    lines = [f"v {_text(*vertex)}" for vertex in mesh.vertices]
    lines += [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in mesh.triangles]
    return "\n".join([*lines, ""])


def _joint(robot: Element, body: Body, left_out: Counter[str]) -> None:
    joint = body.joint
    kinds = {Fixed: "fixed", Planar: "planar", Free: "floating", Prismatic: "prismatic", Revolute: "continuous"}
    if type(joint) not in kinds or isinstance(joint, Mode):
        raise ValueError(f"body {body.name!r}: URDF has no {joint.kind} joint")
    kind = kinds[type(joint)]
    limits = getattr(joint, "limits", None)
    if isinstance(joint, Revolute) and limits:
        kind = "revolute"
    element = SubElement(robot, "joint", name=body.name, type=kind)
    SubElement(element, "parent", link=body.parent)
    SubElement(element, "child", link=body.name)
    SubElement(element, "origin", _numbers(body.placement))
    if isinstance(joint, Fixed):
        return
    if isinstance(joint, Revolute | Prismatic):
        SubElement(element, "axis", xyz=_text(*joint.axis))
        _limit(element, joint)
        left_out["servos"] += joint.servo is not None
        left_out["rotors"] += isinstance(joint, Revolute) and joint.rotor is not None
    elif isinstance(joint, Planar):
        SubElement(element, "axis", xyz="0 0 1")
    damping, friction = _one(body, joint.damping), _one(body, joint.friction.force if joint.friction else None)
    if damping or friction:
        SubElement(element, "dynamics", damping=_text(damping), friction=_text(friction))
    left_out["springs"] += joint.spring is not None
    left_out["stiction"] += joint.friction is not None and joint.friction.static is not None
    left_out["stops"] += limits is not None and limits.restitution is not None
    if limits and not isinstance(joint, Revolute | Prismatic):
        left_out["limits of a free or planar joint"] += 1


def _limit(element: Element, joint: Revolute | Prismatic) -> None:
    given: dict[str, str] = {}
    if joint.limits:
        given = {"lower": _text(*joint.limits.lower), "upper": _text(*joint.limits.upper)}
    actuator = joint.actuator
    effort, rate = (actuator.effort or 0.0, actuator.rate or 0.0) if actuator else (0.0, 0.0)
    if given or actuator or isinstance(joint, Prismatic):
        SubElement(element, "limit", {**given, "effort": _text(effort), "velocity": _text(rate)})


def _one(body: Body, values: tuple[float, ...] | None) -> float:
    """The number that all coordinates of a joint share."""
    found = set(values or (0.0,))
    if len(found) > 1:
        raise ValueError(f"body {body.name!r}: URDF has one damping and friction a joint, not one a coordinate")
    return found.pop()
