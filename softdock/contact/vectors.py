"""Vectors in space as tuples: compiled loops keep them in registers and allocate nothing."""

import math

from softdock.kernels.jit import njit


@njit(cache=True, nogil=True)
def row(A, i):
    """Row i of an array."""
    return (A[i, 0], A[i, 1], A[i, 2])


@njit(cache=True, nogil=True)
def vector(a):
    """The first three numbers of an array."""
    return (a[0], a[1], a[2])


@njit(cache=True, nogil=True)
def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@njit(cache=True, nogil=True)
def plus(a, x, b):
    """a + x b."""
    return (a[0] + x * b[0], a[1] + x * b[1], a[2] + x * b[2])


@njit(cache=True, nogil=True)
def minus(a, b):
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


@njit(cache=True, nogil=True)
def times(x, a):
    return (x * a[0], x * a[1], x * a[2])


@njit(cache=True, nogil=True)
def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


@njit(cache=True, nogil=True)
def norm(a):
    return math.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])


@njit(cache=True, nogil=True)
def turned(R, a):
    """R a."""
    return (
        R[0, 0] * a[0] + R[0, 1] * a[1] + R[0, 2] * a[2],
        R[1, 0] * a[0] + R[1, 1] * a[1] + R[1, 2] * a[2],
        R[2, 0] * a[0] + R[2, 1] * a[1] + R[2, 2] * a[2],
    )


@njit(cache=True, nogil=True)
def of_transposed(R, a):
    """Rᵀ a."""
    return (
        R[0, 0] * a[0] + R[1, 0] * a[1] + R[2, 0] * a[2],
        R[0, 1] * a[0] + R[1, 1] * a[1] + R[2, 1] * a[2],
        R[0, 2] * a[0] + R[1, 2] * a[1] + R[2, 2] * a[2],
    )


@njit(cache=True, nogil=True)
def upright(a):
    """A unit vector perpendicular to a."""
    x, y, z = abs(a[0]), abs(a[1]), abs(a[2])
    if x <= y and x <= z:
        b = (0.0, a[2], -a[1])
    elif y <= z:
        b = (-a[2], 0.0, a[0])
    else:
        b = (a[1], -a[0], 0.0)
    length = norm(b)
    return times(1.0 / length, b) if length > 0.0 else (0.0, 0.0, 1.0)


@njit(cache=True, nogil=True)
def write(out, k, a):
    """out[k : k + 3] = a."""
    out[k], out[k + 1], out[k + 2] = a[0], a[1], a[2]
