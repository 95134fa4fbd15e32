"""Robots from URDF files.

Parsed here rather than by a library: errors name the element, and no default stands in for a broken number.
"""

import math
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple
from xml.etree.ElementTree import Element

import numpy as np

from softdock.spatial import quaternion_of_rpy
from softdock.world.describe import nearest
from softdock.world.files import blaming, parse_xml, read_bytes
from softdock.world.joints import Actuator, Fixed, Free, Friction, Joint, Limits, Planar, Prismatic, Revolute
from softdock.world.meshes import MeshFinder
from softdock.world.model import MOST_BODIES, WORLD, Body, Frame, World
from softdock.world.pose import Pose
from softdock.world.shapes import Box, Cylinder, Placed, Sphere
from softdock.world.visuals import Visual

Base = Literal["fixed", "free"]
JOINTS = ("fixed", "revolute", "continuous", "prismatic", "planar", "floating")


class Robot(NamedTuple):
    """The elements of a URDF whose names and tree are in order."""

    path: Path
    name: str
    links: dict[str, Element]
    carriers: dict[str, Element]  # each link's joint, by link; the root has none
    root: str
    frames: tuple[Frame, ...]
    colors: dict[str, str]
    """Of materials by name, as #rrggbb."""

    def color(self, visual: Element) -> str:
        """Of a <visual>; empty if its material has none, or is a texture."""
        material = visual.find("material")
        return "" if material is None else _color(material) or self.colors.get(material.get("name", ""), "")


class _Meshes(NamedTuple):
    """Where meshes are found, and how far (m) their convex parts may deviate; None for hulls."""

    finder: MeshFinder
    deviation: float | None


def load_urdf(
    path: str | Path,
    base: Base = "fixed",
    *,
    mesh_dirs: Sequence[str | Path] = (),
    meshes: bool = True,
    mesh_deviation: float | None = None,
    name: str | None = None,
) -> World:
    """The robot of a URDF file, its root link fixed to the world or free; without gravity.

    Each link is a body of that name, carried by its joint. The joint's name is a frame at the link's
    origin (unless a link has that name too), so `world.body_of("elbow_joint")` is the body that the
    joint moves. A bare root link named "world" is the world frame itself; with base "free", what is
    fixed to it comes free.

    Shapes are the link's collision shapes or, if it has none, its visual ones; a mesh becomes its
    convex hull or, with a `mesh_deviation` (m), convex parts that deviate by no more. Meshes are
    sought from the URDF's folder, `mesh_dirs`, the folders above, and ROS_PACKAGE_PATH;
    `meshes=False` leaves all shapes out. <visual> elements with materials or meshes of their own are drawn in place of
    the shapes (`visuals`); one whose mesh is missing is told, and left out.

    A planar joint's axis is normal to its plane while our `Planar` turns about z: with another axis
    than z, the body's frame is turned against the link's (the joint's frame still is the link's). `<frame name link
    xyz rpy>` is a frame, as in Drake.
    <mimic> is ignored with a warning: such joints move on their own. Limits of effort and speed are
    the joint's `actuator`. xacro must be expanded first.
    """
    if base not in ("fixed", "free"):
        raise ValueError(f"base must be 'fixed' or 'free', not {base!r}")
    robot = _read(Path(path))
    finder = _Meshes(MeshFinder(robot.path, mesh_dirs), mesh_deviation) if meshes else None
    bodies = tuple(_body(robot, link, base, finder) for link in robot.links if not _is_ground(robot, link))
    with blaming(str(robot.path)):
        return World(name=name or robot.name, bodies=bodies, frames=(*_joint_frames(robot), *robot.frames))


def _read(path: Path) -> Robot:
    tree = parse_xml(read_bytes(path), str(path))
    with blaming(str(path)):
        _refuse_other_languages(tree)
        links, joints = _by_name(tree, "link"), _by_name(tree, "joint")
        if not links:
            raise ValueError("has no <link>")
        if len(links) > MOST_BODIES:
            raise ValueError(f"has {len(links)} links; at most {MOST_BODIES} are read")
        for label, joint in joints.items():
            for end in ("parent", "child"):
                if (link := _end(joint, end)) not in links:
                    raise ValueError(f"joint {label!r}: unknown {end} link {link!r}{nearest(link, links)}")
        carriers: dict[str, Element] = {}
        for label, joint in joints.items():
            if (other := carriers.setdefault(_end(joint, "child"), joint)) is not joint:
                raise ValueError(f"joints {other.get('name')!r} and {label!r} both carry link {_end(joint, 'child')!r}")
        roots = [link for link in links if link not in carriers]
        if len(roots) != 1:
            named = ", ".join(map(repr, roots[:5])) + (", …" if len(roots) > 5 else "")
            what = f"the root links {named}" if roots else "no root link: its joints form a cycle"
            raise ValueError(f"a robot is one tree, but this has {what}")
    mimics = [label for label, joint in joints.items() if joint.find("mimic") is not None]
    if mimics:
        warnings.warn(f"{path}: <mimic> is ignored, these joints move on their own: {', '.join(mimics)}", stacklevel=3)
    robot = Robot(path, tree.get("name") or path.stem, links, carriers, roots[0], (), {})
    with blaming(str(path)):
        robot.colors.update({str(x.get("name")): color for x in tree.iter("material") if (color := _color(x))})
        return robot._replace(frames=tuple(_frame(robot, element) for element in tree.findall("frame")))


def _frame(robot: Robot, element: Element) -> Frame:
    """`<frame name link xyz rpy>`, a place on a link, as Drake reads it."""
    link = _text(element, "link", None)
    if link not in robot.links:
        raise ValueError(f"frame {element.get('name')!r}: unknown link {link!r}{nearest(link, robot.links)}")
    rpy = quaternion_of_rpy(*_triple(element, "rpy", "0 0 0"))
    at = Pose(position=_triple(element, "xyz", "0 0 0"), quaternion=rpy)
    return Frame(name=_text(element, "name", None), body=link, placement=_inverse_turn(robot, link) @ at)


def _refuse_other_languages(tree: Element) -> None:
    prefixes = {key[6:] for key, value in tree.attrib.items() if key.startswith("xmlns:") and "xacro" in value}
    for element in tree.iter():
        if element.tag.partition(":")[0] in prefixes | {"xacro"}:
            raise ValueError(f"<{element.tag}> is xacro, not URDF: expand the file with the 'xacro' tool first")
    if tree.tag != "robot":
        raise ValueError(f"a URDF's outermost element is <robot>, not <{tree.tag}>")


def _by_name(tree: Element, tag: str) -> dict[str, Element]:
    named: dict[str, Element] = {}
    for index, element in enumerate(tree.findall(tag)):
        label = element.get("name")
        if not label:
            raise ValueError(f"<{tag}> number {index + 1} has no name")
        if label in named:
            raise ValueError(f"{tag} {label!r} is named twice")
        named[label] = element
    return named


def _end(joint: Element, end: str) -> str:
    element = joint.find(end)
    link = None if element is None else element.get("link")
    if not link:
        raise ValueError(f"joint {joint.get('name')!r}: has no <{end} link=…>")
    return link


def _is_ground(robot: Robot, link: str) -> bool:
    return link == robot.root == WORLD and all(
        robot.links[link].find(tag) is None for tag in ("inertial", "collision", "visual")
    )


def _freed(robot: Robot, joint: Joint) -> Joint:
    """What replaces the joint between the link "world" and the actual base when that is to be free."""
    children = [carrier for carrier in robot.carriers.values() if _end(carrier, "parent") == WORLD]
    if len(children) > 1 or not isinstance(joint, Fixed):
        raise ValueError("base 'free' needs link 'world' to carry one link only, by a fixed joint")
    return Free()


def _joint_frames(robot: Robot) -> tuple[Frame, ...]:
    labels = {link: str(joint.get("name")) for link, joint in robot.carriers.items()}
    return tuple(
        Frame(name=label, body=link, placement=_inverse_turn(robot, link))
        for link, label in labels.items()
        if label not in robot.links and label != WORLD
    )


def _body(robot: Robot, link: str, base: Base, meshes: _Meshes | None) -> Body:
    joint: Joint = Fixed() if base == "fixed" else Free()
    parent, placement, turn = WORLD, Pose(), _inverse_turn(robot, link)
    if (carrier := robot.carriers.get(link)) is not None:
        with blaming(f"{robot.path}: joint {carrier.get('name')!r}"):
            parent, joint = _end(carrier, "parent"), _joint(carrier)
            if base == "free" and _is_ground(robot, parent):
                joint = _freed(robot, joint)
            placement = _inverse_turn(robot, parent) @ _origin(carrier) @ _turn(carrier)
    element = robot.links[link]
    with blaming(f"{robot.path}: link {link!r}"):
        mass, center, inertia = _inertial(element, turn)
        shapes = _shapes(element, turn, meshes) if meshes else ()
        return Body(
            name=link,
            parent=parent,
            joint=joint,
            placement=placement,
            mass=mass,
            center=center,
            inertia=inertia,
            shapes=shapes,
            visuals=_visuals(robot, element, turn, meshes) if meshes else (),
        )


def _turn(joint: Element) -> Pose:
    """Our joint frame in the URDF's: the shortest turn that takes z to a planar joint's axis."""
    if joint.get("type") != "planar":
        return Pose()
    x, y, z = Revolute(axis=_axis(joint)).axis
    if z < -1 + 1e-12:
        return Pose(quaternion=(0.0, 1.0, 0.0, 0.0))
    return Pose(quaternion=(1 + z, -y, x, 0.0))


def _inverse_turn(robot: Robot, link: str) -> Pose:
    """The link's own frame in its body's."""
    joint = robot.carriers.get(link)
    if joint is None:
        return Pose()
    with blaming(f"{robot.path}: joint {joint.get('name')!r}"):
        w, x, y, z = _turn(joint).quaternion
    return Pose(quaternion=(w, -x, -y, -z))


def _joint(element: Element) -> Joint:
    kind = element.get("type", "")
    resistance = _resistance(element)
    match kind:
        case "fixed":
            return Fixed()
        case "revolute":
            return Revolute(axis=_axis(element), limits=_limits(element), actuator=_actuator(element), **resistance)
        case "continuous":
            return Revolute(axis=_axis(element), actuator=_actuator(element), **resistance)
        case "prismatic":
            return Prismatic(axis=_axis(element), limits=_limits(element), actuator=_actuator(element), **resistance)
        case "planar":
            return Planar(**resistance)
        case "floating":
            return Free(**resistance)
    raise ValueError(f"unknown type {kind!r}{nearest(kind, JOINTS)}")


def _resistance(joint: Element) -> dict[str, Any]:
    dynamics = joint.find("dynamics")
    if dynamics is None:
        return {}
    force = _number(dynamics, "friction", "0")
    return {"damping": (_number(dynamics, "damping", "0"),), "friction": Friction(force=(force,)) if force else None}


def _axis(joint: Element) -> tuple[float, float, float]:
    axis = joint.find("axis")
    return (1.0, 0.0, 0.0) if axis is None else _triple(axis, "xyz", "1 0 0")


def _limits(joint: Element) -> Limits | None:
    """None where the URDF gives no range (0 to 0 is its default), or an infinite one."""
    limit = joint.find("limit")
    if limit is None:
        return None
    lower, upper = (_number(limit, key, "0", finite=False) for key in ("lower", "upper"))
    if lower == upper == 0 or (lower, upper) == (-math.inf, math.inf):
        return None
    return Limits(lower=(lower,), upper=(upper,))


def _actuator(joint: Element) -> Actuator | None:
    """None where the URDF says nothing of effort and velocity; 0 and infinity say nothing either."""
    limit = joint.find("limit")
    if limit is None:
        return None
    given = {key: _number(limit, name, "0", finite=False) for key, name in (("effort", "effort"), ("rate", "velocity"))}
    said = {key: value for key, value in given.items() if value != 0 and not math.isinf(value)}
    return Actuator(**said) if said else None


def _origin(element: Element) -> Pose:
    origin = element.find("origin")
    if origin is None:
        return Pose()
    rpy = _triple(origin, "rpy", "0 0 0")
    return Pose(position=_triple(origin, "xyz", "0 0 0"), quaternion=quaternion_of_rpy(*rpy))


def _inertial(link: Element, turn: Pose) -> tuple[float, tuple[float, float, float], Any]:
    """Mass, centre of mass and inertia about it (3x3) along the body's axes; zeros if there are none."""
    inertial = link.find("inertial")
    if inertial is None:
        return 0.0, (0.0, 0.0, 0.0), np.zeros((3, 3))
    mass = inertial.find("mass")
    if mass is None:
        raise ValueError("<inertial> has no <mass>")
    at = turn @ _origin(inertial)
    moments = np.zeros((3, 3))
    if (element := inertial.find("inertia")) is not None:
        for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)):
            moments[i, j] = moments[j, i] = _number(element, f"i{'xyz'[i]}{'xyz'[j]}", None if i == j else "0")
    moments = at.rotation @ moments @ at.rotation.T
    return _number(mass, "value"), at.position, (moments + moments.T) / 2


def _shapes(link: Element, turn: Pose, meshes: _Meshes) -> tuple[Any, ...]:
    elements = link.findall("collision") or link.findall("visual")
    return tuple(shape for element in elements for shape in _convex(element, turn @ _origin(element), meshes))


def _color(material: Element) -> str:
    color = material.find("color")
    if color is None:
        return ""
    words = _text(color, "rgba", None).split()
    if len(words) != 4:
        raise ValueError(f"'rgba' of <color> takes 4 numbers, not {len(words)}")
    levels = [_parsed(word, color, "rgba") for word in words[:3]]
    return "#{:02x}{:02x}{:02x}".format(*(round(255 * min(max(level, 0.0), 1.0)) for level in levels))


def _visuals(robot: Robot, link: Element, turn: Pose, meshes: _Meshes) -> tuple[Visual, ...]:
    """What is drawn of a link, unless that is what its shapes show anyway. A mesh that is missing is told, and left
    out."""
    elements = link.findall("visual")
    plain = not any(element.find("material") is not None for element in elements)
    same = [_drawn(element) for element in elements] == [_drawn(element) for element in link.findall("collision")]
    if plain and (same or not any(element.find("geometry/mesh") is not None for element in elements)):
        return ()
    found = []
    for element in elements:
        given: dict[str, Any] = {"placement": turn @ _origin(element), "color": robot.color(element)}
        mesh = element.find("geometry/mesh")
        if mesh is None:
            found += [Visual(shape=shape, **given) for shape in _convex(element, Pose(), meshes)]  # type: ignore[arg-type]
            continue
        try:
            file = meshes.finder.find(mesh.get("filename", ""))
        except ValueError as error:
            warnings.warn(f"{robot.path}: link {link.get('name')!r}: drawn without {error}", stacklevel=5)
        else:
            found.append(Visual(file=str(file), scale=_triple(mesh, "scale", "1 1 1"), **given))
    return tuple(found)


def _drawn(element: Element) -> list[tuple[str, dict[str, str]]]:
    """The geometry of a <visual> or <collision>, and where it is, to be compared."""
    return [(part.tag, part.attrib) for part in (*element.findall("origin"), *element.findall("geometry/*"))]


def _convex(element: Element, placement: Pose, meshes: _Meshes) -> tuple[Placed, ...]:
    """The convex shapes of a <collision> or <visual>: one, but for a mesh in parts."""
    shape = element.find("geometry/*")
    if shape is None:
        raise ValueError(f"<{element.tag}> has no <geometry> with a shape in it")
    match shape.tag:
        case "box":
            return (Box(size=_triple(shape, "size"), placement=placement),)
        case "sphere":
            return (Sphere(radius=_number(shape, "radius"), placement=placement),)
        case "cylinder":
            return (Cylinder(radius=_number(shape, "radius"), length=_number(shape, "length"), placement=placement),)
        case "mesh":
            if not (filename := shape.get("filename")):
                raise ValueError("<mesh> has no filename")
            return meshes.finder.parts(filename, _triple(shape, "scale", "1 1 1"), meshes.deviation, placement).shapes
    raise ValueError(f"unknown shape <{shape.tag}>{nearest(shape.tag, ('box', 'sphere', 'cylinder', 'mesh'))}")


def _triple(element: Element, key: str, default: str | None = None) -> tuple[float, float, float]:
    words = _text(element, key, default).split()
    if len(words) != 3:
        raise ValueError(f"'{key}' of <{element.tag}> takes 3 numbers, not {len(words)}")
    x, y, z = (_parsed(word, element, key) for word in words)
    return x, y, z


def _number(element: Element, key: str, default: str | None = None, finite: bool = True) -> float:
    return _parsed(_text(element, key, default), element, key, finite)


def _text(element: Element, key: str, default: str | None) -> str:
    text = element.get(key, default)
    if text is None:
        raise ValueError(f"<{element.tag}> has no '{key}'")
    return text


def _parsed(word: str, element: Element, key: str, finite: bool = True) -> float:
    try:
        value = float(word)
    except ValueError:
        raise ValueError(f"'{key}' of <{element.tag}>: {word!r} is not a number") from None
    if math.isnan(value) or (finite and math.isinf(value)):
        raise ValueError(f"'{key}' of <{element.tag}>: {word!r} is not a finite number")
    return value
