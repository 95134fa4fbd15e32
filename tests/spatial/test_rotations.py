"""Rotations: every form against SciPy's and each other, at random and 1e-7 from where a formula divides by zero."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from softdock import spatial as sp

RNG = np.random.default_rng(20)
AXES = RNG.normal(size=(200, 3))
AXES = np.vstack([np.eye(3), -np.eye(3), [[0.6, 0.8, 0.0]], AXES / np.linalg.norm(AXES, axis=1)[:, None]])
ANGLES = [0.0, 1e-300, 1e-20, 1e-12, 1e-7, 9.9e-4, 1.01e-3, 1.0, np.pi / 2, np.pi - 1e-3, np.pi - 1e-7, np.pi]
SINGULAR = [0.0, 1e-7, 2 * np.pi / 3, 2 * np.pi / 3 + 1e-7, np.pi - 1e-7, np.pi]
"""Where the largest entry of the quaternion changes, or w or the vector part vanishes."""

angles = pytest.mark.parametrize("angle", ANGLES)


def scipys(q_wxyz: np.ndarray) -> Rotation:
    return Rotation.from_quat(q_wxyz, scalar_first=True)


def apart(one: Rotation, other: Rotation) -> float:
    """Largest angle between rotations (rad)."""
    return float(np.max((one.inv() * other).magnitude()))


@angles
def test_a_rotation_vector_becomes_scipys_quaternion_and_matrix(angle: float) -> None:
    phi, truth = angle * AXES, Rotation.from_rotvec(angle * AXES)
    np.testing.assert_allclose(sp.quaternion_of_vector(phi), truth.as_quat(scalar_first=True), rtol=4e-16, atol=3e-16)
    np.testing.assert_allclose(sp.matrix_of_vector(phi), truth.as_matrix(), atol=5e-16)


@angles
def test_a_rotation_vector_comes_back_from_its_quaternion_and_its_matrix(angle: float) -> None:
    phi = angle * AXES
    either_way = np.where((angle > 3.1415926) & np.ones((len(AXES), 1), bool), np.nan, phi)
    back = sp.vector_of_quaternion(sp.quaternion_of_vector(phi))
    np.testing.assert_allclose(np.where(np.isnan(either_way), np.nan, back), either_way, rtol=1e-14, atol=0)
    np.testing.assert_allclose(sp.vector_of_quaternion(-sp.quaternion_of_vector(phi)), back, rtol=1e-15, atol=1e-300)
    assert apart(Rotation.from_rotvec(back), Rotation.from_rotvec(phi)) < 2e-15
    R = sp.matrix_of_vector(phi)
    for vector in (sp.vector_of_matrix(R), np.array([sp.vector_of_matrix(one) for one in R])):
        assert apart(Rotation.from_rotvec(vector), Rotation.from_rotvec(phi)) < 1e-11
        assert np.all(np.linalg.norm(vector, axis=1) < np.pi + 1e-15)


def test_the_smallest_turns_are_kept() -> None:
    phi = 1e-20 * AXES
    np.testing.assert_allclose(sp.vector_of_matrix(sp.matrix_of_vector(phi)), phi, rtol=1e-15)
    assert np.all(sp.vector_of_quaternion(np.array([[1.0, 0.0, 0.0, 0.0]])) == 0)
    assert np.all(sp.vector_of_quaternion((1.0, 0.0, 0.0, 0.0)) == 0)


@pytest.mark.parametrize("angle", SINGULAR)
def test_a_matrix_becomes_its_quaternion_also_where_the_largest_entry_changes(angle: float) -> None:
    axes = np.vstack([AXES, np.ones(3) / np.sqrt(3), np.ones(3) / np.sqrt(3) + [1e-7, 0, -1e-7]])
    R = Rotation.from_rotvec(angle * axes / np.linalg.norm(axes, axis=1)[:, None]).as_matrix()
    q = sp.quaternion_of_matrix(R)
    np.testing.assert_allclose(np.linalg.norm(q, axis=1), 1, atol=3e-16)
    assert apart(scipys(q), Rotation.from_matrix(R)) < 1e-15
    assert np.all(np.take_along_axis(q, np.abs(q).argmax(axis=1)[:, None], axis=1) > 0)
    assert np.all(sp.upward(q)[:, 0] >= 0)
    np.testing.assert_allclose(sp.matrix_of_quaternion(q), R, atol=1e-15)


@angles
def test_one_row_and_many_are_the_same(angle: float) -> None:
    """And leading axes of any number."""
    phi = angle * AXES
    q = sp.quaternion_of_vector(phi)
    other = np.roll(q, 1, axis=0)
    R = sp.matrix_of_vector(phi)
    cases = [
        (sp.quaternion_of_vector, (phi,)), (sp.matrix_of_vector, (phi,)), (sp.vector_of_quaternion, (q,)),
        (sp.matrix_of_quaternion, (q,)), (sp.quaternion_of_matrix, (R,)), (sp.vector_of_matrix, (R,)),
        (sp.quaternion_product, (q, other)), (sp.conjugate, (q,)), (sp.turn_between, (q, other)),
        (sp.angle_between, (q, other)), (sp.least_turn, (AXES, np.roll(AXES, 1, axis=0))), (sp.skew, (phi,)),
    ]  # fmt: skip
    for function, given in cases:
        many = function(*given)
        tolerance = 1e-8 if function is sp.vector_of_matrix and angle > 3 else 1e-15
        for k in (0, 5, 50):
            one = function(*(x[k] for x in given))
            difference = min(np.abs(one - many[k]).max(), np.abs(one + many[k]).max())  # half turns: either sign
            assert difference <= tolerance, function.__name__
        deep = function(*(x[:6].reshape(2, 3, *x.shape[1:]) for x in given))
        np.testing.assert_array_equal(deep.reshape(many[:6].shape), many[:6])


def test_products_are_those_of_matrices_and_one_multiplies_many() -> None:
    a, b = Rotation.random(100, rng=RNG), Rotation.random(100, rng=RNG)
    p, q = (x.as_quat(scalar_first=True) for x in (a, b))
    assert apart(scipys(sp.quaternion_product(p, q)), a * b) < 1e-15
    assert apart(scipys(sp.turn_between(p, q)), a.inv() * b) < 1e-15
    np.testing.assert_array_equal(sp.quaternion_product(p[0], q)[7], sp.quaternion_product(tuple(p[0]), q[7]))
    np.testing.assert_allclose(sp.angle_between(p, q), (a.inv() * b).magnitude(), atol=1e-14)


@pytest.mark.parametrize("angle", [0.0, 1e-9, 1e-7, 0.5, np.pi / 2 - 1e-7, np.pi / 2 + 1e-7, 3.0, np.pi - 1e-7, np.pi])
def test_the_least_turn_takes_one_direction_to_the_other_and_is_the_least(angle: float) -> None:
    across = np.cross(AXES, np.roll(AXES, 1, axis=0))
    across = across / np.linalg.norm(across, axis=1)[:, None]
    b = 3.0 * (np.cos(angle) * AXES + np.sin(angle) * np.cross(across, AXES))
    turn = scipys(sp.least_turn(AXES, b))
    np.testing.assert_allclose(turn.apply(AXES), b / 3.0, atol=2e-15)
    np.testing.assert_allclose(turn.magnitude(), angle, atol=1e-14)


@pytest.mark.parametrize("rpy", [(0.3, -0.2, 0.5), (0.0, np.pi / 2, 0.0), (1.0, np.pi / 2 - 1e-7, -3.0)])
def test_roll_pitch_yaw_are_scipys_about_fixed_axes(rpy: tuple[float, float, float]) -> None:
    turn = Rotation.from_euler("xyz", rpy)
    assert apart(scipys(np.array(sp.quaternion_of_rpy(*rpy))), turn) < 1e-15
    assert apart(Rotation.from_euler("xyz", sp.rpy_of_matrix(turn.as_matrix())), turn) < 2e-9  # at a quarter turn


def test_quarter_turns_are_exact() -> None:
    R = sp.matrix_of_quaternion(sp.quaternion_of_vector(np.pi / 2 * np.eye(3)))
    assert set(R.flat) <= {-1.0, 0.0, 1.0}
