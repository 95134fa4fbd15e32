"""Mesh files, and whether a mesh can stand for a target's surface."""

import os
from pathlib import Path
from typing import Any

import numpy as np

from softdock.world.meshes import LARGEST_MESH
from softdock.world.shapes import Box, Capsule, ConvexMesh, Cylinder, Sphere

LARGEST, SMALLEST = 50.0, 0.01
"""Extent (m) outside of which a mesh is taken to be in another unit."""
READABLE = ("stl", "obj", "ply", "off", "glb")


class MeshError(ValueError):
    """A mesh that rays cannot be cast at."""


def load(path: Path) -> Any:
    import trimesh

    if path.suffix.lower().removeprefix(".") not in READABLE:
        raise MeshError(f"{path}: meshes of this format are not read (known: {', '.join(READABLE)})")
    if not os.path.isfile(path):
        raise MeshError(f"{path}: no such mesh file")
    if os.path.getsize(path) > LARGEST_MESH:
        raise MeshError(f"{path}: is larger than {LARGEST_MESH // 10**6} MB, the most that is read")
    try:
        return trimesh.load_scene(path).to_mesh()
    except Exception as error:
        reason = (str(error).splitlines() or [repr(error)])[0]
        raise MeshError(f"{path}: mesh cannot be read: {reason}") from None


def check(name: str, vertices: np.ndarray, faces: np.ndarray) -> None:
    if len(vertices) == 0 or len(faces) == 0:
        raise MeshError(f"{name}: has no triangles")
    if not np.isfinite(vertices).all():
        bad = int((~np.isfinite(vertices)).any(axis=1).sum())
        raise MeshError(f"{name}: {bad} of {len(vertices)} vertices are not finite")
    extent = float(np.ptp(vertices, axis=0).max())
    if extent > LARGEST:
        raise MeshError(f"{name}: is {extent:g} m long; if its unit is the millimetre, pass scale=0.001")
    if extent < SMALLEST:
        raise MeshError(f"{name}: is {extent:g} m long; lengths are in metres, pass the scale that makes them so")
    holes = _open(faces)
    if holes:
        raise MeshError(f"{name}: is not watertight: {holes} of {len(faces)} triangles have an edge that is not shared "
                        "by another; close the holes and merge the vertices")  # fmt: skip


def _open(faces: np.ndarray) -> int:
    """Number of triangles with an edge that an odd number of triangles share; a closed surface has none."""
    edges = np.sort(faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
    key = edges[:, 0] * (int(faces.max()) + 1) + edges[:, 1]  # as one number, edges are sorted many times faster
    _, place, count = np.unique(key, return_inverse=True, return_counts=True)
    return int((count[place].reshape(-1, 3) % 2 != 0).any(axis=1).sum())


def mesh_of(shape: Any) -> Any:
    """A shape of the world as a mesh, in its body's frame."""
    import trimesh

    match shape:
        case Box():
            mesh = trimesh.creation.box(shape.size)
        case Sphere():
            mesh = trimesh.creation.icosphere(3, shape.radius)
        case Capsule():
            mesh = trimesh.creation.capsule(shape.length, shape.radius)
            mesh.apply_translation([0, 0, -mesh.bounds.mean(axis=0)[2]])
        case Cylinder():
            mesh = trimesh.creation.cylinder(shape.radius, shape.length)
        case ConvexMesh():
            mesh = trimesh.Trimesh(shape.vertices, shape.triangles)
    mesh.apply_transform(shape.placement.matrix())
    return mesh
