"""Displacements δ of coordinates: q ⊕ δ, rotations in the child's frame (docs/theory/optimal.md)."""

import numpy as np

from softdock.mechanics.tree import Tree
from softdock.spatial import conjugate, quaternion_of_vector, quaternion_product, vector_of_quaternion


def displaced(tree: Tree, q: np.ndarray, delta: np.ndarray) -> np.ndarray:
    """q ⊕ δ."""
    out = q.copy()
    for link in tree.links:
        own = delta[link.v : link.v + link.dof]
        if link.kind == "S":
            turn = quaternion_of_vector(own)
            out[link.q : link.q + 4] = quaternion_product(q[link.q : link.q + 4], turn)
        else:
            out[link.q : link.q + link.dof] += own
    return out


def apart(tree: Tree, q: np.ndarray, other: np.ndarray) -> np.ndarray:
    """δ (nv) with q ⊕ δ = other."""
    delta = np.empty(tree.nv)
    for link in tree.links:
        if link.kind == "S":
            own = slice(link.q, link.q + 4)
            delta[link.v : link.v + 3] = vector_of_quaternion(quaternion_product(conjugate(q[own]), other[own]))
        else:
            delta[link.v : link.v + link.dof] = other[link.q : link.q + link.dof] - q[link.q : link.q + link.dof]
    return delta


def tangents(tree: Tree, q: np.ndarray) -> np.ndarray:
    """(rows, nv, nq): displacements of changes of coordinates (mechanics/derivatives.py)."""
    T = np.zeros((len(q), tree.nv, tree.nq))
    for link in tree.links:
        if link.kind != "S":
            for k in range(link.dof):
                T[:, link.v + k, link.q + k] = 1.0
            continue
        w, x, y, z = q[:, link.q : link.q + 4].T
        rows_of = [(-x, w, z, -y), (-y, -z, w, x), (-z, y, -x, w)]
        for i, row in enumerate(rows_of):
            for j, value in enumerate(row):
                T[:, link.v + i, link.q + j] = 2 * value
    return T


def lifted(T: np.ndarray) -> np.ndarray:
    """(…, nq, nv): changes of coordinates of displacements, T⁺: T has rows of length 1, or 2 for rotations."""
    return np.asarray(T.swapaxes(1, 2) / np.sum(T**2, axis=2)[:, None, :])
