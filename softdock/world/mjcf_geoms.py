"""Geoms of MJCF: the mass that they have, and the convex shapes that bodies carry."""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from softdock.spatial import four
from softdock.world.files import WorldFileError
from softdock.world.meshes import MeshFinder
from softdock.world.mjcf_file import Attributes, MjcfFile, along
from softdock.world.pose import Pose
from softdock.world.shapes import Box, Capsule, Cylinder, Placed, Sphere
from softdock.world.visuals import Visual

DENSITY = "1000"
"""Of geoms that give none (kg/m³)."""
LAST_SEEN = 2
"""The last of the groups that MuJoCo draws; models keep shapes that only touch in those above."""


class MassOf(NamedTuple):
    """Mass (kg), centre (m) and inertia about it (kg m²), in a body's axes."""

    mass: float
    center: np.ndarray
    inertia: np.ndarray


class Geom(NamedTuple):
    """One geom, in its body's frame."""

    mass: MassOf
    shapes: tuple[Placed, ...]
    is_solid: bool
    """Does it touch others, or is it only to be seen?"""
    visuals: tuple[Visual, ...]
    """How it is drawn; nothing if it is not to be seen."""


class MeshAsset(NamedTuple):
    """`<mesh>` of `<asset>`."""

    file: str
    scale: tuple[float, float, float]
    placement: Pose
    """Of the geom's frame in the mesh's (refpos, refquat)."""
    inertia: str
    """How its volume is counted: convex, exact, legacy or shell."""


class Geoms:
    """Reads the geoms of one model."""

    def __init__(self, model: MjcfFile, meshes: bool) -> None:
        self._model, self._wanted = model, meshes
        folder = model.settings.text("meshdir", model.settings.text("assetdir"))
        self._finder = MeshFinder(model.path, [model.path.parent / folder])
        self._assets: dict[str, MeshAsset] = {}
        self._materials: dict[str, Attributes] = {}
        for element in model.sections("asset"):
            if element.tag == "mesh":
                self._add_asset(model.attributes(element, ""))
            elif element.tag == "material":
                self._materials[element.get("name", "")] = model.attributes(element, "")

    def _add_asset(self, given: Attributes) -> None:
        file = given.text("file")
        name = given.text("name") or file.rpartition("/")[2].rpartition(".")[0]
        at = Pose(position=given.vector("refpos"), quaternion=four(given.numbers("refquat", 4, "1 0 0 0")))
        counted = given.text("inertia", "legacy")
        self._assets[name] = MeshAsset(file, given.vector("scale", "1 1 1"), at.inverse(), counted)

    def read(self, given: Attributes, weighs: bool) -> Geom | None:
        """A geom; None, and its kind named, if it is of a kind that is not read. Does the body's mass come from it?"""
        kind = given.text("type", "mesh" if "mesh" in given.all else "sphere")
        placement, size = self._placed(given, kind)
        if kind == "mesh":
            return self._mesh(given, placement, weighs)
        made = _MADE.get(kind)
        if made is None:
            self._model.left_out[f"geom of type {kind}"] += 1
            return None
        volume, moments = made(*size)
        shapes, visuals = tuple[Placed, ...](), tuple[Visual, ...]()
        if kind == "ellipsoid":
            self._model.left_out["shape of an ellipsoid (its mass counts)"] += 1
        else:
            shapes = (_shape(kind, size, placement),)
            visuals = self._seen(given, shape=_shape(kind, size, Pose()), placement=placement)
        return Geom(self._mass(given, volume, np.diag(moments), placement), shapes, _is_solid(given), visuals)

    def _seen(self, given: Attributes, **drawn: Any) -> tuple[Visual, ...]:
        """A geom as MuJoCo draws it: its own colour, or that of its material."""
        material = self._materials.get(given.text("material"))
        if given.number("group", "0") > LAST_SEEN:
            return ()
        source = given if "rgba" in given.all or material is None else material
        rgba = source.numbers("rgba", 4) if "rgba" in source.all else None
        if material is not None and "texture" in material.all:
            self._model.left_out["texture of a material (its colour is drawn)"] += 1
        if rgba is not None and rgba[3] == 0:
            return ()
        levels = [round(255 * min(max(level, 0.0), 1.0)) for level in rgba[:3]] if rgba else []
        color = "#{:02x}{:02x}{:02x}".format(*levels) if levels else ""
        return (Visual(color=color, **drawn),)

    def _placed(self, given: Attributes, kind: str) -> tuple[Pose, list[float]]:
        """Where a geom is, and its size as MuJoCo has it: a radius, half lengths."""
        numbers = [*given.numbers("size", default="0 0 0"), 0.0, 0.0, 0.0]
        if "fromto" not in given.all or kind not in ("capsule", "cylinder", "box", "ellipsoid"):
            return self._model.pose(given), numbers[: _COUNT.get(kind, 0)]
        ends = np.array(given.numbers("fromto", 6)).reshape(2, 3)
        half = float(np.linalg.norm(ends[1] - ends[0])) / 2
        if half < 1e-14:
            raise ValueError("'fromto' of <geom>: the two ends are one")
        x, y, z = ends.mean(axis=0).tolist()
        size = [numbers[0], half] if kind in ("capsule", "cylinder") else [numbers[0], numbers[0], half]
        return Pose(position=(x, y, z), quaternion=four(along(ends[0] - ends[1]))), size

    def _mass(self, given: Attributes, volume: float, moments: np.ndarray, placement: Pose) -> MassOf:
        """Of a geom whose volume and moments of volume are known."""
        low, high = self._model.compiler.groups
        counts = low <= given.number("group", "0") <= high
        if given.text("shellinertia", "false") == "true":
            self._model.left_out["shellinertia (taken as solid)"] += 1
        mass = given.number("mass", "0") if "mass" in given.all else given.number("density", DENSITY) * volume
        scale = mass / volume if volume > 0 and counts else 0.0
        R = placement.rotation
        return MassOf(mass if counts else 0.0, np.array(placement.position), R @ (scale * moments) @ R.T)

    def _mesh(self, given: Attributes, placement: Pose, weighs: bool) -> Geom | None:
        name = given.text("mesh")
        if name not in self._assets:
            raise ValueError(f"<geom>: no mesh {name!r} in <asset>")
        asset = self._assets[name]
        if not asset.file:
            self._model.left_out["mesh of given vertices"] += 1
            return None
        if not self._wanted:
            self._model.left_out["mesh (mesh files were not wanted)"] += 1
            return None
        at = placement @ asset.placement
        visuals = self._seen(given, file=str(self._finder.find(asset.file)), scale=asset.scale, placement=at)
        mass = self._mesh_mass(given, asset, at) if weighs else together([])
        try:
            shapes = self._finder.parts(asset.file, asset.scale, None, at).shapes
        except WorldFileError:
            if _is_solid(given):
                raise
            shapes = ()  # it is only to be seen; what cannot be drawn of it is told when it is drawn
        return Geom(mass, shapes, _is_solid(given), visuals)

    def _mesh_mass(self, given: Attributes, asset: MeshAsset, at: Pose) -> MassOf:
        if asset.inertia == "shell":
            self._model.left_out["inertia of a shell (taken as solid)"] += 1
        volume, center, moments = self._finder.volume(asset.file, asset.scale, asset.inertia)
        if not volume > 0:
            return together([])
        x, y, z = (at.position + at.rotation @ center).tolist()
        return self._mass(given, volume, moments, Pose(position=(x, y, z), quaternion=at.quaternion))


def _is_solid(given: Attributes) -> bool:
    return given.number("contype", "1") != 0 or given.number("conaffinity", "1") != 0


def _shape(kind: str, size: list[float], placement: Pose) -> Placed:
    if min(size) <= 0:
        raise ValueError(f"'size' of <geom type='{kind}'> must be positive")
    match kind:
        case "sphere":
            return Sphere(radius=size[0], placement=placement)
        case "capsule":
            return Capsule(radius=size[0], length=2 * size[1], placement=placement)
        case "cylinder":
            return Cylinder(radius=size[0], length=2 * size[1], placement=placement)
    x, y, z = size
    return Box(size=(2 * x, 2 * y, 2 * z), placement=placement)


def _cuboid(x: float, y: float, z: float, share: float = 1 / 3, solid: float = 8.0) -> tuple[float, list[float]]:
    """Volume, and moments of volume, of a box of half lengths; or of an ellipsoid of half axes."""
    volume = solid * x * y * z
    return volume, [volume * share * s for s in (y * y + z * z, x * x + z * z, x * x + y * y)]


def _ellipsoid(x: float, y: float, z: float) -> tuple[float, list[float]]:
    return _cuboid(x, y, z, share=1 / 5, solid=4 * math.pi / 3)


def _sphere(r: float) -> tuple[float, list[float]]:
    return _ellipsoid(r, r, r)


def _cylinder(r: float, half: float) -> tuple[float, list[float]]:
    volume = 2 * math.pi * r * r * half
    across = volume * (3 * r * r + 4 * half * half) / 12
    return volume, [across, across, volume * r * r / 2]


def _capsule(r: float, half: float) -> tuple[float, list[float]]:
    """A cylinder and two half balls, whose centres are 3r/8 off its ends."""
    barrel, (across, _, along_z) = _cylinder(r, half)
    caps = 4 * math.pi * r**3 / 3
    across += caps * (2 * r * r / 5 + half * half + 3 * half * r / 4)
    return barrel + caps, [across, across, along_z + caps * 2 * r * r / 5]


_MADE: dict[str, Callable[..., tuple[float, list[float]]]] = {
    "sphere": _sphere,
    "capsule": _capsule,
    "cylinder": _cylinder,
    "box": _cuboid,
    "ellipsoid": _ellipsoid,
}
_COUNT = {"sphere": 1, "capsule": 2, "cylinder": 2, "box": 3, "ellipsoid": 3}


def together(parts: list[MassOf]) -> MassOf:
    """All of them as one."""
    mass = sum(part.mass for part in parts)
    if mass == 0:
        return MassOf(0.0, np.zeros(3), np.zeros((3, 3)))
    center = sum((part.mass * part.center for part in parts), np.zeros(3)) / mass
    inertia = np.zeros((3, 3))
    for part in parts:
        a = part.center - center
        inertia += part.inertia + part.mass * (a @ a * np.eye(3) - np.outer(a, a))
    return MassOf(mass, center, inertia)
