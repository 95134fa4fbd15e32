"""Models from MJCF files, MuJoCo's own format.

Parsed here rather than by MuJoCo: that need not be installed, errors name the element, and what is not understood is
named.
"""

import math
import warnings
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element

import numpy as np

from softdock.world.files import blaming
from softdock.world.gravity import NoGravity, Uniform
from softdock.world.joints import (
    Actuator,
    Fixed,
    Free,
    Friction,
    Joint,
    Limits,
    Prismatic,
    Revolute,
    Rotor,
    Servo,
    Spherical,
    Spring,
)
from softdock.world.mjcf_file import Attributes, MjcfFile
from softdock.world.mjcf_geoms import Geom, Geoms, MassOf, together
from softdock.world.model import MOST_BODIES, WORLD, Body, Frame, World
from softdock.world.pose import Pose
from softdock.world.visuals import Visual

GROUND = "ground"
"""The body of what is fixed to the world, if that has shapes."""
GEARED = 1e12
"""Gear ratio N of the rotor that an armature becomes: ½ J (u·ω + N q̇)² is MuJoCo's ½ armature q̇² to a part of 1/N."""
_HARMLESS = {"compiler", "option", "size", "visual", "statistic", "default", "asset", "worldbody", "sensor", "keyframe"}
"""Sections that are read, or that do not change how the model moves by itself."""
_READ = ("actuator", "custom", "extension")


class _Place(NamedTuple):
    """Where elements of a body are: which body carries them, and the frame that they are given in."""

    body: str
    at: Pose
    childclass: str


class _Reader:
    def __init__(self, model: MjcfFile, meshes: bool) -> None:
        self.model, self.geoms = model, Geoms(model, meshes)
        self.bodies: list[Body] = []
        self.frames: list[Frame] = []
        self._taken: set[str] = {WORLD}
        self._anonymous = 0
        self._driven = _actuators(model)

    def read(self) -> None:
        ground: list[Geom] = []
        if sum(1 for _ in self.model.root.iter("body")) > MOST_BODIES:
            raise ValueError(f"has more than {MOST_BODIES} bodies")
        for section in self.model.root.findall("worldbody"):
            place = _Place(WORLD, Pose(), section.get("childclass", ""))
            self._children(section, place, ground)
        shapes = _touching(ground)
        if shapes:
            made = Body(name=self._unique(GROUND), joint=Fixed(), mass=0.0, shapes=shapes, visuals=_drawn(ground))
            self.bodies.insert(0, made)
        for section in self.model.root:
            if section.tag not in (*_HARMLESS, *_READ) and len(section):
                self.model.left_out[f"<{section.tag}>"] += 1

    def _children(self, element: Element, place: _Place, geoms: list[Geom], weigh: bool = False) -> None:
        """Everything in a body (or in a `<frame>`) but what belongs to the body itself, whose geoms `weigh` or not."""
        for child in element:
            with blaming(_where(child)):
                match child.tag:
                    case "body":
                        self._body(child, place)
                    case "frame":
                        given = self.model.attributes(child, "")
                        inner = place.at @ self.model.pose(given)
                        named = child.get("childclass", place.childclass)
                        self._children(child, place._replace(at=inner, childclass=named), geoms, weigh)
                    case "geom":
                        geom = self.geoms.read(self.model.attributes(child, place.childclass), weigh)
                        if geom:
                            geoms.append(_moved(geom, place.at))
                    case "site":
                        given = self.model.attributes(child, place.childclass)
                        self._site(given, place)
                    case "joint" | "freejoint" | "inertial" | "camera" | "light":
                        pass
                    case tag:
                        self.model.left_out[f"<{tag}>"] += 1

    def _site(self, given: Attributes, place: _Place) -> None:
        name = given.text("name")
        if name:
            at = place.at @ self.model.pose(given)
            self.frames.append(Frame(name=self._unique(name, "site"), body=place.body, placement=at))

    def _body(self, element: Element, place: _Place) -> None:
        """A body: a chain of its joints, the last of which carries what it is made of."""
        model, given = self.model, self.model.attributes(element, "")
        self._anonymous += 1
        name = self._unique(given.text("name") or f"body{self._anonymous}", "body")
        childclass = element.get("childclass", place.childclass)
        at = place.at @ model.pose(given)
        joints = [model.attributes(e, childclass) for e in element if e.tag in ("joint", "freejoint")]
        if given.text("mocap", "false") == "true":
            model.left_out["mocap (taken as fixed)"] += 1
        if given.number("gravcomp", "0"):
            model.left_out["gravcomp"] += 1
        parent, anchor = place.body, Pose()
        for k, joint in enumerate(joints):
            placement, anchor = at @ _anchor(joint), _anchor(joint).inverse()
            if k == len(joints) - 1 and anchor == Pose():
                break  # the body's own frame is the joint's
            label = self._unique(joint.text("name") or f"{name}.joint{k + 1}", "joint")
            self.bodies.append(Body(name=label, parent=parent, joint=self._joint(joint), placement=placement, mass=0.0))
            parent, at = label, anchor
        else:
            joints = []  # all of them are carried by bodies of their own
        kind: Joint = self._joint(joints[-1]) if joints else Fixed()
        if joints and (label := joints[-1].text("name")) and label != name:
            self.frames.append(Frame(name=self._unique(label, "joint"), body=name))
        index = len(self.bodies)
        geoms: list[Geom] = []
        weigh = element.find("inertial") is None or model.compiler.from_geoms == "true"
        self._children(element, _Place(name, Pose(), childclass), geoms, weigh)
        mass = self._mass(element, geoms)
        made = Body(
            name=name, parent=parent, joint=kind, placement=at, mass=mass.mass, center=tuple(mass.center.tolist()),
            inertia=(mass.inertia + mass.inertia.T) / 2, shapes=_touching(geoms), visuals=_drawn(geoms),
        )  # fmt: skip
        self.bodies.insert(index, made)
        if len(self.bodies) > MOST_BODIES:
            raise ValueError(f"has more than {MOST_BODIES} bodies")

    def _mass(self, element: Element, geoms: list[Geom]) -> MassOf:
        """As `<inertial>` says, or as the geoms have it."""
        compiler, inertial = self.model.compiler, element.find("inertial")
        if inertial is None or compiler.from_geoms == "true":
            found = together([geom.mass for geom in geoms])
        else:
            found = self._inertial(self.model.attributes(inertial, ""))
        inertia, mass = found.inertia, found.mass
        if compiler.least_inertia or compiler.balance:
            moments, axes = np.linalg.eigh(inertia)
            if compiler.balance and moments[0] + moments[1] < moments[2]:
                moments = np.full(3, moments.mean())
            inertia = axes @ np.diag(np.maximum(moments, compiler.least_inertia)) @ axes.T
        return MassOf(max(mass, compiler.least_mass), found.center, inertia)

    def _inertial(self, given: Attributes) -> MassOf:
        at = self.model.pose(given)
        if "fullinertia" in given.all:
            xx, yy, zz, xy, xz, yz = given.numbers("fullinertia", 6)
            moments = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        else:
            moments = np.diag(given.numbers("diaginertia", 3, "0 0 0"))
        R = at.rotation
        return MassOf(given.numbers("mass", 1)[0], np.array(at.position), R @ moments @ R.T)

    def _joint(self, given: Attributes) -> Joint:
        """A joint; its zero is where the file shows the body."""
        model, kind = self.model, given.text("type", "hinge")
        if given.tag == "freejoint" or kind == "free":
            return Free()
        if kind not in ("hinge", "slide", "ball"):
            raise ValueError(f"unknown type {kind!r} of a joint")
        armature, rotor = given.number("armature", "0"), dict[str, Any]()
        if armature > 0 and kind == "hinge":
            rotor = {"rotor": Rotor(inertia=armature / GEARED**2, gear_ratio=GEARED)}
        elif armature:
            model.left_out[f"armature of a {kind}"] += 1
        turn = model.compiler.radian if kind == "hinge" else 1.0
        resistance: dict[str, Any] = {"damping": (given.number("damping", "0"),)}
        if loss := given.number("frictionloss", "0"):
            resistance["friction"] = Friction(force=(loss,))
        stiffness = given.number("stiffness", "0")
        if kind == "ball":
            if stiffness:
                model.left_out["spring of a ball joint"] += 1
            if _is_limited(given, model):
                model.left_out["range of a ball joint"] += 1
            return Spherical(**resistance)
        ref = turn * given.number("ref", "0")
        if stiffness:
            rest = turn * given.number("springref", "0") - ref
            resistance["spring"] = Spring(stiffness=(stiffness,), rest=(rest,))
        if _is_limited(given, model):
            low, high = (turn * x - ref for x in given.numbers("range", 2, "0 0"))
            resistance["limits"] = Limits(lower=(low,), upper=(high,))
        drive = self._driven.get(given.text("name"), {})
        axis = given.vector("axis", "0 0 1")
        return (Revolute if kind == "hinge" else Prismatic)(axis=axis, **resistance, **drive, **rotor)

    def _unique(self, name: str, kind: str = "") -> str:
        """A name that no body or frame has: MuJoCo has a space of names for each kind of element."""
        tries = [name, f"{name}.{kind}", *(f"{name}.{kind}{k}" for k in range(2, MOST_BODIES))]
        found = next(one for one in tries if one not in self._taken)
        self._taken.add(found)
        return found


def load_mjcf(path: str | Path, *, meshes: bool = True, name: str | None = None) -> World:
    """The model of an MJCF file, with its gravity.

    Every body keeps its name and frame; with all joints at zero it is where the file shows it (`ref` is not counted,
    and a free body's placement is its `pos`). Of several joints of one body, and of one with an anchor (`pos`), each is
    a body without mass of the joint's name; any other joint's name is a frame on its body, as are sites. So
    `world.body_of("elbow")` is what the joint moves, however it was described.

    Masses are those of `<inertial>`, or of the geoms. Shapes are the geoms that touch others or, if there are none,
    those that are only to be seen; a mesh becomes its convex hull (`meshes=False` leaves mesh files out, with their
    mass). Geoms of the groups that MuJoCo draws are the body's `visuals`, with their colours. Motors are the joint's
    `actuator`, position and velocity actuators its `servo`; a hinge's armature is a `rotor` behind a gear of a ratio so
    high that its own spin does not count. Whatever else changes how the model moves is left out, and one warning names
    it.
    """
    model = MjcfFile(Path(path))
    reader = _Reader(model, meshes)
    with blaming(str(path)):
        reader.read()
        if not reader.bodies:
            raise ValueError("has no <body>")
        options = {key: x for element in model.root.findall("option") for key, x in element.attrib.items()}
        g = Attributes("option", options, options).vector("gravity", "0 0 -9.81")
        bodies = _with_total_mass(reader.bodies, model.compiler.total_mass)
        world = World(
            name=name or model.root.get("model") or Path(path).stem,
            gravity=Uniform(acceleration=g) if any(g) else NoGravity(),
            bodies=bodies,
            frames=tuple(reader.frames),
        )
    if model.left_out:
        told = ", ".join(f"{what} ({count})" if count > 1 else what for what, count in model.left_out.items())
        warnings.warn(f"{path}: left out: {told}", stacklevel=2)
    return world


def _where(element: Element) -> str:
    name = element.get("name")
    return f"<{element.tag} name={name!r}>" if name else f"<{element.tag}>"


def _anchor(joint: Attributes) -> Pose:
    return Pose() if joint.tag == "freejoint" or joint.text("type") == "free" else Pose(position=joint.vector("pos"))


def _moved(geom: Geom, at: Pose) -> Geom:
    """A geom within a `<frame>`."""
    if at == Pose():
        return geom
    R, mass = at.rotation, geom.mass
    moved = MassOf(mass.mass, R @ mass.center + at.position, R @ mass.inertia @ R.T)
    shapes = tuple(shape.altered(placement=at @ shape.placement) for shape in geom.shapes)
    visuals = tuple(visual.altered(placement=at @ visual.placement) for visual in geom.visuals)
    return geom._replace(mass=moved, shapes=shapes, visuals=visuals)


def _touching(geoms: list[Geom]) -> tuple[Any, ...]:
    solid = [geom for geom in geoms if geom.is_solid] or geoms
    return tuple(shape for geom in solid for shape in geom.shapes)


def _drawn(geoms: list[Geom]) -> tuple[Visual, ...]:
    """What is drawn of a body, unless that is what its shapes show anyway."""
    visuals = tuple(visual for geom in geoms for visual in geom.visuals)
    same = all(geom.visuals for geom in geoms) and len({geom.is_solid for geom in geoms}) == 1
    plain = not any(visual.color or visual.file for visual in visuals)
    return () if same and plain else visuals


def _is_limited(given: Attributes, model: MjcfFile) -> bool:
    said = given.text("limited", "auto")
    return said == "true" or (said == "auto" and model.compiler.autolimits and "range" in given.all)


def _with_total_mass(bodies: list[Body], total: float) -> tuple[Body, ...]:
    """As `settotalmass` wants it: all masses and inertias scaled alike."""
    factor = total / sum(body.mass for body in bodies) if total > 0 else 1.0
    if factor == 1.0:
        return tuple(bodies)
    return tuple(b.altered(mass=factor * b.mass, inertia=factor * np.array(b.inertia)) for b in bodies)


# --- actuators --------------------------------------------------------------------------------------


def _actuators(model: MjcfFile) -> dict[str, dict[str, Any]]:
    """Servo and actuator of joints by name."""
    driven: dict[str, dict[str, Any]] = {}
    for element in model.sections("actuator"):
        with blaming(f"{model.path}: {_where(element)}"):
            given = model.attributes(element, "")
            joint = given.text("joint")
            if not joint or joint in driven or element.tag not in ("motor", "position", "velocity", "general"):
                model.left_out[f"<{element.tag}> actuator"] += 1
                continue
            driven[joint] = {key: x for key, x in _drive(given).items() if x is not None}
    return driven


def _drive(given: Attributes) -> dict[str, Any]:
    """Force = gear (gain u + bias), bias = b0 − kp gear q − kd gear v: on the joint, gains by the gear squared."""
    gear = given.number("gear", "1")
    kp = kd = 0.0
    match given.tag:
        case "position":
            kp, kd = given.number("kp", "1"), given.number("kv", "0")
        case "velocity":
            kd = given.number("kv", "1")
        case "general" if given.text("biastype", "none") == "affine":
            _, first, second, *_ = (*given.numbers("biasprm", default="0 0 0"), 0.0, 0.0, 0.0)
            kp, kd = -first, -second
    servo = Servo(kp=kp * gear**2, kd=kd * gear**2) if kp > 0 or kd > 0 else None
    if "forcerange" in given.all:
        effort = abs(gear) * max(map(abs, given.numbers("forcerange", 2)))
    elif servo is None and "ctrlrange" in given.all:
        gain = given.number("gainprm", "1") if given.tag == "general" else 1.0
        effort = abs(gear * gain) * max(map(abs, given.numbers("ctrlrange", 2)))
    else:
        effort = 0.0
    return {"servo": servo, "actuator": Actuator(effort=effort) if 0 < effort < math.inf else None}
