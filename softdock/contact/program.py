"""Proximity as a convex program (Asci & Nanjangud, eqs. 5-9), with its shrunken body where the shapes overlap.

    minimise ½ |x − y*|²   subject to  N_A x ≤ h_A,  N_B y* ≤ h_B − b                             (eq. 6)

over the faces of both bodies' cores; b = 0 is the distance. Printed, eq. 7 compares φ*, a squared distance, with b, a
distance; here its root is taken: depth = b − √φ*. Moving every face of B inwards by b gives a body whose distance to
A exceeds the gap by b if a face of B faces A (its normal is then that face's); across an edge or a corner the shrunken
body recedes further than b, and the program's depth is less than the shortest way out.
"""

from typing import NamedTuple

import numpy as np

from softdock.contact.shapes import DISC, FACE, POINT, RADIUS, Shapes, encode
from softdock.world.pose import Pose
from softdock.world.shapes import Placed


class Closest(NamedTuple):
    """The program's answer: signed distance (m), closest points of A and B."""

    distance: float
    point_a: np.ndarray
    point_b: np.ndarray


def by_program(shape_a: Placed, pose_a: Pose, shape_b: Placed, pose_b: Pose, shrink: float = 0.0) -> Closest:
    """Signed distance of two shapes by eq. 6, B shrunken by `shrink` (m); cylinders have no faces and are refused.

    With a shrink too small to take the bodies apart there is no answer: ValueError.
    """
    from daqp import solve

    poses = [(pose.rotation, np.array(pose.position)) for pose in (pose_a, pose_b)]
    shapes = encode([(k, *poses[k], shape) for k, shape in enumerate((shape_a, shape_b))])
    if np.any(shapes.sizes[:, DISC] > 0):
        raise ValueError("the program's bodies are cores with faces and a radius; a cylinder has neither")
    radii = shapes.sizes[:, RADIUS]
    cores, reach = [_core(shapes, 0, 0.0), _core(shapes, 1, max(0.0, shrink - radii[1]))], radii.sum()
    shrunken = min(shrink, radii[1])  # a round body is shrunken by taking off its radius first
    sizes = [basis.shape[1] for basis, *_ in cores]
    (Z_a, o_a, C_a, u_a), (Z_b, o_b, C_b, u_b) = cores
    E = np.hstack([Z_a, -Z_b])
    away = o_a - o_b
    C = np.zeros((len(u_a) + len(u_b), sum(sizes)))
    C[: len(u_a), : sizes[0]], C[len(u_a) :, sizes[0] :] = C_a, C_b
    w = np.zeros(0)
    if sum(sizes):
        H = E.T @ E + _REGULAR * np.eye(sum(sizes))
        upper = np.concatenate([u_a, u_b])
        w = np.zeros(sum(sizes))
        for _ in range(_PROXIMAL):  # E'E is singular: proximal steps take the regularisation out again
            f = E.T @ away - _REGULAR * w
            new, _, flag, _ = solve(H, f, C, upper, np.full(len(upper), -1e30), np.zeros(len(upper), dtype=np.int32))
            if flag < 1:
                raise ValueError(
                    f"the program has no solution (daqp's exit flag {flag}): is the shrink {shrink} too big?"
                )
            moved, w = np.abs(new - w).max(), np.array(new)
            if moved < 1e-14:
                break
    x, y = o_a + Z_a @ w[: sizes[0]], o_b + Z_b @ w[sizes[0] :]
    apart = float(np.linalg.norm(x - y))
    if apart < 1e-12:
        raise ValueError(f"the bodies overlap with B shrunken by {shrink} m; shrink it more")
    n = (x - y) / apart
    taken = max(0.0, shrink - shrunken)
    return Closest(apart - reach - taken, x - radii[0] * n, y + (radii[1] + taken) * n)


_REGULAR = 1e-5
_PROXIMAL = 200


def _core(shapes: Shapes, k: int, shrink: float) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Core of shape k as {o + Z w, C w ≤ u}: basis, origin, rows, bounds."""
    points = shapes.points[shapes.table[k, POINT] : shapes.table[k + 1, POINT]]
    middle = points.mean(axis=0)
    if len(points) == 1:
        return np.zeros((3, 0)), middle, np.zeros((0, 0)), np.zeros(0)
    if len(points) == 2:
        d = (points[1] - points[0]) / 2
        half = float(np.linalg.norm(d))
        return (d / half)[:, None], middle, np.array([[1.0], [-1.0]]), np.full(2, max(half - shrink, 0.0))
    faces = slice(shapes.table[k, FACE], shapes.table[k + 1, FACE])
    normals = shapes.normals[faces]
    on = shapes.points[shapes.indices[faces, 0]]
    return np.eye(3), middle, normals, np.sum(normals * (on - middle), axis=1) - shrink
