"""Rotations and rigid motions in space: one module for all packages, in NumPy.

Quaternions are Hamilton's, w x y z. `R_AB` takes components in B to components in A, `p_AB` leads from A's origin to
B's, in A; a quaternion or a rotation vector named `_AB` is that of `R_AB`. Where a turn and a position stand in one
6-vector, the turn is first. Every function takes leading axes. (`mechanics/rotation.py` has the same conventions in
CasADi's symbols, `contact/vectors.py` in Numba's loops.)
"""

from softdock.spatial.motions import adjoint, inverse, screw_motion, transform, twist_bracket
from softdock.spatial.rotations import (
    angle_between,
    clean,
    conjugate,
    four,
    least_turn,
    matrix_of_quaternion,
    matrix_of_vector,
    quaternion_of_matrix,
    quaternion_of_rpy,
    quaternion_of_vector,
    quaternion_product,
    rpy_of_matrix,
    turn_between,
    upward,
    vector_of_matrix,
    vector_of_quaternion,
)
from softdock.spatial.vectors import cross, lengths, seen, skew

__all__ = [
    "adjoint",
    "angle_between",
    "clean",
    "conjugate",
    "cross",
    "four",
    "inverse",
    "least_turn",
    "lengths",
    "matrix_of_quaternion",
    "matrix_of_vector",
    "quaternion_of_matrix",
    "quaternion_of_rpy",
    "quaternion_of_vector",
    "quaternion_product",
    "rpy_of_matrix",
    "screw_motion",
    "seen",
    "skew",
    "transform",
    "turn_between",
    "twist_bracket",
    "upward",
    "vector_of_matrix",
    "vector_of_quaternion",
]
