"""Rigid motions against the matrix exponential and finite differences; vectors against NumPy's."""

import numpy as np
import pytest
from scipy.linalg import expm
from scipy.spatial.transform import Rotation

from softdock import spatial as sp

RNG = np.random.default_rng(21)


def bracket(S: np.ndarray) -> np.ndarray:
    """The 4 x 4 matrix of a twist."""
    out = np.zeros((4, 4))
    out[:3, :3], out[:3, 3] = sp.skew(S[:3]), S[3:]
    return out


def motions(count: int) -> np.ndarray:
    turns = Rotation.random(count, rng=RNG).as_matrix()
    return np.array([sp.transform(R, p) for R, p in zip(turns, RNG.normal(size=(count, 3)), strict=True)])


def test_vectors_are_numpys() -> None:
    a, b = RNG.normal(size=(2, 5, 4, 3))
    np.testing.assert_allclose(sp.cross(a, b), np.cross(a, b), atol=1e-15)
    np.testing.assert_allclose((sp.skew(a) @ b[..., None])[..., 0], np.cross(a, b), atol=1e-15)
    np.testing.assert_allclose(sp.lengths(a), np.linalg.norm(a, axis=-1), rtol=1e-15)
    R = Rotation.random(4, rng=RNG)
    np.testing.assert_allclose(sp.seen(R.as_matrix(), a[0]), R.inv().apply(a[0]), atol=1e-15)


@pytest.mark.parametrize("x", [0.0, 1e-7, 0.7, np.pi - 1e-7, np.pi, 5.0])
def test_a_screw_motion_is_the_exponential_of_its_twist(x: float) -> None:
    w = np.array([0.48, -0.6, 0.64])
    turning, sliding = np.concatenate([w, np.cross([0.3, 0.2, -1.0], w)]), np.concatenate([np.zeros(3), w])
    for S in (turning, sliding):
        np.testing.assert_allclose(sp.screw_motion(S, x), expm(bracket(S) * x), atol=1e-14)


def test_the_adjoint_takes_twists_from_one_frame_to_another() -> None:
    T, S = motions(20), RNG.normal(size=(20, 6))
    moved = (sp.adjoint(T) @ S[..., None])[..., 0]
    for k in range(20):
        np.testing.assert_allclose(bracket(moved[k]), T[k] @ bracket(S[k]) @ np.linalg.inv(T[k]), atol=1e-13)
    np.testing.assert_allclose(sp.inverse(T) @ T, np.broadcast_to(np.eye(4), T.shape), atol=1e-15)


def test_the_bracket_of_twists_is_the_adjoints_rate() -> None:
    T, V, d = motions(1)[0], RNG.normal(size=6), 1e-6
    ahead, back = (sp.adjoint(T @ expm(bracket(sign * d * V))) for sign in (1, -1))
    np.testing.assert_allclose((ahead - back) / (2 * d), sp.adjoint(T) @ sp.twist_bracket(V), atol=1e-8)
