"""What an alignment does with all points at once, against the same written out with NumPy."""

import numpy as np
import pytest

from softdock.sensing import LaserCamera, Noise, Rates, alignment_loops, loops, raster, satellite
from softdock.sensing.alignment import _STEPS, APPROACHING, AS_GOOD, CLOSE, EDGE, OFF, Alignment
from softdock.spatial import matrix_of_vector
from softdock.world import Pose

SURFACE = satellite()
TRUTH = Pose.of(matrix_of_vector([0.3, -0.4, 0.5]), np.array([0.1, -0.2, 2.8]))
RATES = Rates((0.08, 0.05, 0.1), (0.01, 0.0, -0.02))


@pytest.fixture(scope="module")
def scan():
    camera = LaserCamera(SURFACE, raster(64, 64, (1.1, 1.1), 0.4), Noise(0.002), rng=np.random.default_rng(5))
    return camera.scan(TRUTH, RATES)


@pytest.fixture
def alignment(scan):
    guess = Pose.of(TRUTH.rotation @ matrix_of_vector([0.004, -0.003, 0.005]), np.array(TRUTH.position) + 0.003)
    found = Alignment(scan, SURFACE, guess, RATES)
    assert found.look()
    return found


def trust(e, width):
    return 1 / (1 + (e / width) ** 2) ** 2


def test_poses_are_displaced_by_the_exponential(alignment):
    direction, steps = np.random.default_rng(1).normal(size=6), np.array([-0.3, 0.0, 1e-9, 0.2])
    R, p = alignment_loops.displaced_along(alignment.R, alignment.p, direction, steps, alignment._scale)
    for k, step in enumerate(steps):
        moved = step * direction * alignment._scale
        np.testing.assert_allclose(R[k], alignment.R @ matrix_of_vector(moved[:3]), atol=1e-15)
        np.testing.assert_allclose(p[k], alignment.p + moved[3:], atol=1e-15)


def test_points_are_drawn_to_what_is_nearest(alignment):
    """A step of the approach is that of normal equations, by the nearest samples' triangles among all."""
    part, R, p = alignment.some(60), alignment.R.copy(), alignment.p.copy()
    x = alignment.points(part)
    nearest = loops.neighbours(alignment._visible.samples, x)
    e, n = SURFACE.closest(x, alignment._visible.triangles[nearest])
    rows = np.concatenate([np.cross(n, x), -n @ R.T], axis=1) * alignment._scale * np.sqrt(trust(e, 0.03))[:, None]
    H = rows.T @ rows
    step = -np.linalg.solve(H + 0.01 * np.trace(H) / 6 * np.eye(6), rows.T @ (np.sqrt(trust(e, 0.03)) * e))
    alignment.approach(part, 0.03, 1)
    moved = step * min(1.0, 0.2 / np.abs(step).max()) * alignment._scale
    np.testing.assert_allclose(alignment.R, R @ matrix_of_vector(moved[:3]), atol=1e-12)
    np.testing.assert_allclose(alignment.p, p + moved[3:], atol=1e-12)


@pytest.mark.parametrize("stage", [*APPROACHING, CLOSE])
def test_a_fit_is_made_of_its_points(alignment, stage):
    """Points whose rays meet the model by ranges, others by their distance from what is seen."""
    part = alignment.some(200)
    fit = alignment.fit(part, stage, flat=True)
    _, d, x = loops.rays(alignment._beams, alignment.R, alignment.p, part)
    meets = fit.triangles >= 0
    n = np.where(meets[:, None], SURFACE.normals[fit.triangles], 0.0)
    slope = np.einsum("ij,ij->i", n, d)
    height = np.einsum("ij,ij->i", n, x) - np.where(meets, SURFACE.offsets[fit.triangles], 0.0)
    s = alignment.sigma * np.maximum(-slope, stage.incidence)
    e = np.where(meets, height / s, np.inf)
    off = np.flatnonzero(np.abs(e) > OFF)
    assert 0 < len(off) < len(part)
    np.testing.assert_array_equal(fit.off, off)
    met, w = x - (height / np.where(meets, np.minimum(slope, -1e-3), -1.0))[:, None] * d, trust(e, stage.width)
    nearest = alignment._visible.triangles[loops.neighbours(alignment._visible.samples, x[off])]
    distance, n[off] = SURFACE.closest(x[off], nearest)
    s[off], met[off], w[off] = EDGE * alignment.sigma, x[off], trust(distance, stage.edge)
    e[off] = distance / s[off]
    np.testing.assert_allclose(fit.residuals, e, rtol=1e-12, atol=1e-12)
    rows = np.concatenate([np.cross(n, met), -n @ alignment.R.T], axis=1) * (np.sqrt(w) / s)[:, None]
    np.testing.assert_allclose(fit.rows, rows, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(fit.H, rows.T @ rows, rtol=1e-9, atol=1e-6)
    np.testing.assert_allclose(fit.g, rows.T @ (np.sqrt(w) * e), rtol=1e-9, atol=1e-6)
    np.testing.assert_allclose(fit.pull, np.sqrt(w) / s, rtol=1e-12)


def test_what_all_points_share(alignment):
    part = alignment.some(150)
    fit, spread = alignment.fit(part, CLOSE), np.diag([1e-4, 2e-4, 3e-4, 1e-5, 2e-5, 3e-5])
    alignment.bias, alignment.lens = 0.001, 0.002
    shared = alignment.shared(fit, part)
    _, d, _ = loops.rays(alignment._beams, alignment.R, alignment.p, part)
    ways = alignment._beams.directions[part]
    across = ways * [1.0, 1.0, 0.0]
    across -= np.einsum("ij,ij->i", across, ways)[:, None] * ways
    across = across @ alignment.R * alignment._beams.ranges[part, None]
    facets = np.where(fit.triangles < 0, 0.0, SURFACE.sagitta[fit.triangles])
    expected = [0.001 * np.einsum("ij,ij->i", fit.normals, d), 0.002 * np.einsum("ij,ij->i", fit.normals, across),
                np.zeros(len(part)), np.zeros(len(part)), 2 / 3 * facets]  # fmt: skip
    np.testing.assert_allclose(shared, expected, atol=1e-15)
    answer, times = alignment._answer(fit), alignment._beams.times[part]
    moved, smeared = answer @ fit.rows.T @ (fit.pull * shared).T, answer @ fit.rows.T @ (times[:, None] * fit.rows)
    carried = alignment.carried(fit, part, shared, spread)
    np.testing.assert_allclose(carried, moved @ moved.T + smeared @ spread @ smeared.T, rtol=1e-9, atol=1e-18)


def test_how_much_larger_is_one_more_unknown(alignment):
    """By least squares of seven unknowns, six of them the pose's."""
    part = alignment.some(300)
    fit = alignment.refine(part, (*APPROACHING, CLOSE))
    larger = alignment.larger(fit, part, np.zeros((5, len(part))))
    on = np.abs(fit.residuals) < OFF
    on[fit.off] = False
    plain = 1 / np.sqrt(trust(fit.residuals[on], CLOSE.width))
    rows, pull = fit.rows[on] * plain[:, None], fit.pull[on] * plain
    grown = pull * np.einsum("ij,ij->i", fit.normals[on], alignment.points(part[on]) - SURFACE.center)
    A = np.column_stack([rows * alignment._scale, grown])
    part_of_size = np.linalg.lstsq(A, fit.residuals[on], rcond=None)[0][-1]
    sigma = np.sqrt(np.linalg.inv(A.T @ A)[-1, -1] * max(1.0, np.mean(fit.residuals[on] ** 2)))
    assert larger.part == pytest.approx(part_of_size, rel=1e-6)
    assert larger.sigma == pytest.approx(sigma, rel=1e-6)


def test_displacements_are_compared_as_if_by_all_points(alignment):
    """Few points refute most of them; the answer is that of all, along many directions."""
    part, rng, found = alignment.some(400), np.random.default_rng(3), set()
    alignment.refine(part, (*APPROACHING, CLOSE))
    for k in range(40):
        direction = rng.normal(size=6) if k else np.zeros(6)
        direction *= rng.choice([1e-3, 0.03, 1.0]) / max(np.linalg.norm(direction), 1e-9)
        R, p = alignment_loops.displaced_along(alignment.R, alignment.p, direction, _STEPS, alignment._scale)
        here = alignment.surprise(alignment.R[None], alignment.p[None], part)[0]
        good = alignment.surprise(R, p, part) < here + AS_GOOD
        found.add(alignment._as_good(direction, part))
        assert alignment._as_good(direction, part) == np.abs(_STEPS).max(where=good, initial=0.0)
    assert len(found) > 3


def test_points_on_the_model_within_a_ball_and_beyond_all_numbers(alignment):
    residuals, off = np.array([0.5, -7.0, 1.0, 5.9, -2.0]), np.array([2, 4])
    some, squares = alignment_loops.lying(residuals, off)
    assert some.tolist() == [0, 3] and squares == pytest.approx(0.5**2 + 5.9**2)
    every = alignment.some(10_000)
    far = np.linalg.norm(alignment.points(every) - SURFACE.center, axis=1)
    assert alignment.near(every) == (far < SURFACE.radius).sum()
    points = np.array([[1.0, -3.0, 2.0], [np.nan, 1.0, 1.0], [0.1, 0.0, -np.inf], [0.0, 1e-7, -2e-7]])
    bad, farthest, nearest = alignment_loops.extent(points)
    assert bad == 2 and farthest == np.inf and nearest <= 2e-7
    assert alignment_loops.extent(points[[0]]) == (0, 3.0, 3.0)
