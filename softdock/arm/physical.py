"""Parameters that a body can have: pseudo-inertias that are positive definite, by their log-Cholesky factors.

The pseudo-inertia of a link is P = [[½ tr(I) 1 − I, h], [hᵀ, m]] (4 x 4), with h = m c and I about the frame's origin.
It is positive definite if and only if some spread of mass has these parameters. P = L Lᵀ with the logarithms of L's
diagonal as coordinates reaches all of them and nothing else (after Rucker & Wensing).
"""

import numpy as np
from scipy.linalg import qr
from scipy.optimize import least_squares

from softdock.arm.identify import Reduced
from softdock.arm.serial import SerialArm

_LOWER = np.tril_indices(4)
_DIAGONAL = _LOWER[0] == _LOWER[1]
PULL = 1e-3
"""Weight of the start, in relative changes, beside equations scaled by noise: it decides what these leave open."""


def pseudo_inertia(pi: np.ndarray) -> np.ndarray:
    """P (4, 4) of ten parameters in the order of `PARAMETERS`."""
    m, x, y, z, xx, yy, zz, xy, xz, yz = pi
    half = (xx + yy + zz) / 2
    return np.array(
        [[half - xx, -xy, -xz, x], [-xy, half - yy, -yz, y], [-xz, -yz, half - zz, z], [x, y, z, m]]
    )  # fmt: skip


def _parameters(P: np.ndarray) -> np.ndarray:
    """The ten parameters of P (4, 4); linear."""
    a, b, c = P[0, 0], P[1, 1], P[2, 2]
    return np.array([P[3, 3], *P[:3, 3], b + c, a + c, a + b, -P[0, 1], -P[0, 2], -P[1, 2]])


def _exp(x: np.ndarray) -> np.ndarray:
    """Held within what arms have: a step that is tried and too long must not overflow."""
    return np.asarray(np.exp(np.clip(x, -20.0, 7.0)))


def _factor(x: np.ndarray) -> np.ndarray:
    L = np.zeros((4, 4))
    L[_LOWER] = np.where(_DIAGONAL, _exp(np.where(_DIAGONAL, x, 0.0)), x)
    return L


def _coordinates(pi: np.ndarray) -> np.ndarray:
    """Log-Cholesky coordinates of parameters, of the nearest body with some room around it if they are no body's."""
    values, vectors = np.linalg.eigh(pseudo_inertia(pi))
    P = vectors @ np.diag(np.maximum(values, 1e-4 * max(values[-1], 1e-6))) @ vectors.T
    L = np.linalg.cholesky(P)[_LOWER]
    return np.where(_DIAGONAL, np.log(np.where(_DIAGONAL, L, 1.0)), L)


def _derivative(x: np.ndarray) -> np.ndarray:
    """(10, 10): parameters per coordinate."""
    L, out = _factor(x), np.empty((10, 10))
    for k, (i, j) in enumerate(zip(*_LOWER, strict=True)):
        dL = np.zeros((4, 4))
        dL[i, j] = L[i, j] if i == j else 1.0
        out[:, k] = _parameters(dL @ L.T + L @ dL.T)
    return out


def nearest_physical(reduced: Reduced, noise: np.ndarray, arm: SerialArm, found: np.ndarray) -> np.ndarray:
    """Parameters, friction and offsets (13 n) that fit the equations best among those of real bodies, the arm's own to
    start."""
    n, k, f = arm.n, 13 * arm.n, 12 * arm.n
    A = (reduced.A / noise[:, None, None]).reshape(-1, k)
    R = qr(np.column_stack([A, (reduced.b / noise[:, None]).reshape(-1)]), mode="r")[0][: k + 1]
    own = arm.parameters().reshape(n, 10)
    friction = np.log(np.maximum(found[10 * n : f], 1e-4))
    start = np.concatenate([np.concatenate([_coordinates(link) for link in own]), friction, found[f:]])
    room = np.maximum(np.abs(start), 0.05)

    def values(x: np.ndarray) -> np.ndarray:
        links = [_parameters(L @ L.T) for L in (_factor(part) for part in x[: 10 * n].reshape(n, 10))]
        return np.concatenate([*links, _exp(x[10 * n : f]), x[f:]])

    def residual(x: np.ndarray) -> np.ndarray:
        return np.concatenate([R[:, :-1] @ values(x) - R[:, -1], PULL * (x - start) / room])

    def jacobian(x: np.ndarray) -> np.ndarray:
        inner = np.zeros((k, k))
        for i, part in enumerate(x[: 10 * n].reshape(n, 10)):
            inner[10 * i : 10 * i + 10, 10 * i : 10 * i + 10] = _derivative(part)
        inner[10 * n : f, 10 * n : f] = np.diag(_exp(x[10 * n : f]))
        inner[f:, f:] = np.eye(n)
        return np.vstack([R[:, :-1] @ inner, np.diag(PULL / room)])

    best = least_squares(residual, start, jacobian, method="lm", x_scale="jac", ftol=1e-10, xtol=1e-10, max_nfev=300)
    return values(best.x)
