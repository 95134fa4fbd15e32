"""How far convex parts are from a mesh: points at random, distances by coal. And meshes that are not convex."""

import coal
import numpy as np
import trimesh

POINT, STEP = 1e-9, 1e-4
"""Radius (m) of a ball that is a point to coal; gaps between parts, relative to the mesh's size, that do not count."""


def prism(outline, fans, height):
    """A closed mesh over an outline, counter-clockwise, cut into triangles."""
    n, cap = len(outline), np.array(fans)
    low, high = (np.column_stack([outline, np.full(n, z)]) for z in (0.0, height))
    sides = [(k, (k + 1) % n, (k + 1) % n + n) for k in range(n)] + [(k, (k + 1) % n + n, k + n) for k in range(n)]
    return trimesh.Trimesh(np.vstack([low, high]), np.vstack([cap[:, ::-1], cap + n, sides]))


def bracket():
    """An L of two bars 0.3 m wide."""
    corners = [(0, 0), (1, 0), (1, 0.3), (0.3, 0.3), (0.3, 1), (0, 1)]
    return prism(corners, [(0, 1, 2), (0, 2, 3), (0, 3, 5), (3, 4, 5)], 0.4)


def handle():
    """A bar on two posts that lean against each other."""
    corners = [(0, 0), (0.04, 0), (0.06, 0.12), (0.24, 0.12), (0.26, 0), (0.3, 0), (0.3, 0.16), (0, 0.16)]
    return prism(corners, [(0, 1, 2), (0, 2, 7), (2, 3, 7), (3, 6, 7), (3, 4, 6), (4, 5, 6)], 0.03)


def drogue(sections):
    return trimesh.creation.revolve(
        np.array([(0.05, 0), (0.07, 0), (0.32, 0.2), (0.3, 0.2), (0.05, 0)]), sections=sections
    )


def ring(sections):
    return trimesh.creation.annulus(r_min=0.4, r_max=0.5, height=0.1, sections=sections)


def convex(part):
    points, faces = coal.StdVec_Vec3s(), coal.StdVec_Triangle()
    for x in part[0]:
        points.append(np.asarray(x))
    for face in part[1]:
        faces.append(coal.Triangle(*map(int, face)))
    return coal.Convex(points, faces)


def triangles(mesh):
    found = coal.BVHModelOBBRSS()
    found.beginModel(len(mesh.faces), len(mesh.vertices))
    for corners in mesh.triangles:
        found.addTriangle(*map(np.asarray, corners))
    found.endModel()
    return found


def distances(points, shape):
    """Of points from a shape (m), less than zero inside of a convex one."""
    ball, here, request = coal.Sphere(POINT), coal.Transform3s(), coal.DistanceRequest()
    found = []
    for x in points:
        result = coal.DistanceResult()
        found.append(coal.distance(shape, here, ball, coal.Transform3s(np.eye(3), x), request, result) + POINT)
    return np.array(found)


def largest(mesh, parts, count, rng):
    """The largest deviation (m) of the union of parts from a mesh that so many points on each find. Of points of the
    mesh inside the union it is the depth in one part, which is at most their distance from its surface."""
    shapes, size, off = [convex(part) for part in parts], float(np.linalg.norm(mesh.extents)), 0.0
    for k, part in enumerate(parts):
        own = trimesh.Trimesh(*part)
        points, faces = trimesh.sample.sample_surface(own, -(-count // len(parts)), seed=rng)
        outside = points + STEP * size * own.face_normals[faces]
        near = np.min([distances(outside, other) for i, other in enumerate(shapes) if i != k] or [[size]], axis=0)
        off = max(off, distances(points[near > 0.0], triangles(mesh)).max(initial=0.0))
    points, _ = trimesh.sample.sample_surface(mesh, count, seed=rng)
    points = np.concatenate([points, mesh.vertices])
    return max(off, float(np.abs(np.min([distances(points, shape) for shape in shapes], axis=0)).max()))
