"""Random pairs of shapes, apart, touching and overlapping; coal's answer for each. Builders only, no checks."""

import numpy as np
from scipy.spatial import ConvexHull
from scipy.spatial.transform import Rotation

from softdock import Box, Capsule, ConvexMesh, Cylinder, Sphere
from softdock.contact.query import Pair

KINDS = ("sphere", "capsule", "box", "mesh", "cylinder")
PAIRS = [(a, b) for k, a in enumerate(KINDS) for b in KINDS[k:]]


def shape(kind, rng):
    if kind == "sphere":
        return Sphere(radius=rng.uniform(0.2, 0.6))
    if kind == "capsule":
        return Capsule(radius=rng.uniform(0.1, 0.4), length=rng.uniform(0.3, 1.0))
    if kind == "cylinder":
        return Cylinder(radius=rng.uniform(0.1, 0.6), length=rng.uniform(0.2, 1.2))
    if kind == "box":
        return Box(size=rng.uniform(0.3, 1.0, 3))
    hull = ConvexHull(rng.normal(size=(12, 3)) * 0.5)
    where = {v: i for i, v in enumerate(hull.vertices)}
    triangles = [[where[v] for v in simplex] for simplex in hull.simplices]
    return ConvexMesh(vertices=hull.points[hull.vertices].tolist(), triangles=triangles)


def poses(rng, count):
    """Random poses of A about the origin, and of B from deep inside to well apart."""
    T = np.tile(np.eye(4), (2, count, 1, 1))
    T[:, :, :3, :3] = Rotation.random(2 * count, rng=rng).as_matrix().reshape(2, count, 3, 3)
    away = rng.normal(size=(count, 3))
    T[1, :, :3, 3] = away / np.linalg.norm(away, axis=1)[:, None] * rng.uniform(0.2, 1.8, (count, 1))
    return T


def samples(a, b, shapes, placements, seed):
    """(shape, shape, poses of A, poses of B, rows of `Pair.many`); a third each random, touching, just overlapping."""
    rng = np.random.default_rng(seed)
    for _ in range(shapes):
        A, B = shape(a, rng), shape(b, rng)
        T_A, T_B = poses(rng, placements)
        pair = Pair(A, B)
        rows = pair.many(T_A, T_B)
        to = np.where(np.arange(placements) % 3 == 1, 0.0, -(10 ** rng.uniform(-9, -2, placements)))
        move = np.arange(placements) % 3 > 0
        T_B[move, :3, 3] += ((rows[:, 0] - to)[:, None] * rows[:, 1:4])[move]
        yield A, B, T_A, T_B, pair.many(T_A, T_B)


def support(s, T, n):
    """max n·x over a shape, from its definition and not from softdock's arrays."""
    m, at = T[:3, :3].T @ n, n @ T[:3, 3]
    if isinstance(s, Sphere):
        return at + s.radius
    if isinstance(s, Capsule):
        return at + s.radius + abs(m[2]) * s.length / 2
    if isinstance(s, Cylinder):
        return at + s.radius * np.hypot(m[0], m[1]) + abs(m[2]) * s.length / 2
    if isinstance(s, Box):
        return at + np.abs(m) @ np.array(s.size) / 2
    return at + (np.array(s.vertices) @ m).max()


def outside(s, T, x):
    """How far a point is outside a shape, by its definition; not positive if it is in it."""
    p = T[:3, :3].T @ (x - T[:3, 3])
    if isinstance(s, Sphere):
        return np.linalg.norm(p) - s.radius
    if isinstance(s, Capsule):
        return np.linalg.norm(p - [0, 0, np.clip(p[2], -s.length / 2, s.length / 2)]) - s.radius
    if isinstance(s, Cylinder):
        return max(np.hypot(p[0], p[1]) - s.radius, abs(p[2]) - s.length / 2)
    if isinstance(s, Box):
        return (np.abs(p) - np.array(s.size) / 2).max()
    planes = ConvexHull(np.array(s.vertices)).equations
    return (planes[:, :3] @ p + planes[:, 3]).max()


def separation(A, B, T_A, T_B, n):
    """How far the planes across n that bound A and B are apart: a lower bound of the gap for any unit n."""
    return -support(A, T_A, -n) - support(B, T_B, n)


def certificate(A, B, T_A, T_B, row):
    """Largest violation of what makes an answer right: the normal separates by the distance, and the two points
    are in the shapes and that far apart along it. Apart, that is a proof; overlapping, the depth is an upper bound
    on the shortest way out, reached at these points."""
    n, x, y = row[1:4], row[4:7], row[7:]
    return max(
        abs(separation(A, B, T_A, T_B, n) - row[0]), np.abs(x - y - row[0] * n).max(), abs(np.linalg.norm(n) - 1),
        outside(A, T_A, x), outside(B, T_B, y),
    )  # fmt: skip


def at_coal(s):
    import coal

    if isinstance(s, Sphere):
        return coal.Sphere(s.radius)
    if isinstance(s, Capsule):
        return coal.Capsule(s.radius, s.length)
    if isinstance(s, Cylinder):
        return coal.Cylinder(s.radius, s.length)
    if isinstance(s, Box):
        return coal.Box(*s.size)
    points, triangles = coal.StdVec_Vec3s(), coal.StdVec_Triangle()
    for x in s.vertices:
        points.append(np.array(x))
    for t in s.triangles:
        triangles.append(coal.Triangle(*t))
    return coal.Convex(points, triangles)


def coals(A, B, T_A, T_B):
    """coal's signed distances and normals (from B to A), at the tightest tolerances that it takes."""
    import coal

    request, result = coal.DistanceRequest(), coal.DistanceResult()
    request.gjk_tolerance = request.epa_tolerance = 1e-12
    request.gjk_max_iterations = request.epa_max_iterations = 1000
    first, second = at_coal(A), at_coal(B)
    rows = np.empty((len(T_A), 4))
    for k in range(len(T_A)):
        result.clear()
        one, other = (coal.Transform3s(T[k, :3, :3], T[k, :3, 3]) for T in (T_A, T_B))
        rows[k, 0] = coal.distance(first, one, second, other, request, result)
        rows[k, 1:] = -np.array(result.normal)
    return rows
