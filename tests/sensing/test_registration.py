"""Registration and acquisition on a small seeded sample; the full tables are made by studies/."""

import numpy as np
import pytest
import trimesh
from scipy.spatial.transform import Rotation

from softdock.bench import sensing as bench
from softdock.bench.sensing import views
from softdock.sensing import (
    HANDLE,
    LaserCamera,
    Noise,
    Rates,
    Registration,
    Scan,
    Surface,
    acquire,
    loops,
    raster,
    register,
)
from softdock.sensing.alignment import Alignment
from softdock.sensing.scan import difference
from softdock.sensing.target import satellite
from softdock.world import Pose

SURFACE = satellite()


def error(truth: Pose, result: Registration) -> np.ndarray:
    turn = Rotation.from_matrix(result.pose.rotation.T @ truth.rotation).as_rotvec()
    return np.concatenate([turn, np.subtract(truth.position, result.pose.position)])


@pytest.mark.parametrize(("points", "count"), [(2000, 20), (20_000, 3)])
def test_from_ten_degrees_and_ten_centimetres(points, count):
    """The issue's figures: within 1° and 20 mm, medians 0.05° and 1 mm; NEES median within 1.5 of that of χ²₆."""
    cases = views(SURFACE, points, count, seed=1)
    results = [register(scan, SURFACE, guess) for _, scan, guess in cases]
    errors = np.array([error(truth, result) for result, (truth, *_) in zip(results, cases, strict=True)])
    angle, distance = np.linalg.norm(errors[:, :3], axis=1), np.linalg.norm(errors[:, 3:], axis=1)
    assert angle.max() < np.radians(1) and distance.max() < 0.02
    assert np.median(angle) < np.radians(0.05) and np.median(distance) < 0.001
    assert all(result.quality.accepted for result in results)
    nees = [e @ np.linalg.solve(result.covariance, e) for e, result in zip(errors, results, strict=True)]
    if count >= 20:
        assert 5.35 / 1.5 < np.median(nees) < 5.35 * 1.5


def test_noise_does_not_bias_a_pose_by_its_square():
    """Of pairs of scans with opposite noise, what noise does is gone and what its square does is left: it was 0.14 mrad
    about z in this view, the same in every scan of a target that stands still."""
    R = Rotation.from_matrix([[0, -1, 0], [0, 0, -1], [1, 0, 0]]) * Rotation.from_euler("z", 0.3)
    truth = Pose.of(R.as_matrix(), np.array([0.0, 0.2, 2.45]))
    camera = LaserCamera(SURFACE, raster(64, 64, (1.2, 1.2)), Noise(0.0), rng=np.random.default_rng(0))
    exact, rng, errors = camera.scan(truth), np.random.default_rng(5), []
    ways = exact.points / np.linalg.norm(exact.points, axis=1)[:, None]
    for _ in range(15):
        noise = 0.004 * rng.normal(size=(len(exact), 1)) * ways
        errors += [
            error(truth, register(Scan(exact.points + way * noise, sigma=0.004), SURFACE, truth)) for way in (-1, 1)
        ]
    pairs = np.array(errors).reshape(15, 2, 6).mean(axis=1)
    assert np.abs(pairs.mean(axis=0)[:3]).max() < 2e-5


def test_rows_of_the_jacobian_against_finite_differences():
    """d(n·x)/d(δ, ε) by central differences."""
    (truth, scan, _), *_ = views(SURFACE, 40, 1, seed=4)
    n = np.random.default_rng(0).normal(size=(40, 3))
    h = 1e-6

    def heights(step: np.ndarray) -> np.ndarray:
        alignment = Alignment(scan, SURFACE, truth, Rates())
        alignment._displace(step)
        return np.einsum("ij,ij->i", n, alignment.points(alignment.some(40)))

    alignment = Alignment(scan, SURFACE, truth, Rates())
    rows, H, g = np.empty((40, 6)), np.zeros((6, 6)), np.zeros(6)
    for normal, x, out in zip(n, alignment.points(alignment.some(40)), rows, strict=True):
        loops.add_row(alignment.R, tuple(normal), tuple(x), 0.0, 1.0, 1.0, out, H, g)
    rows *= alignment._scale
    numeric = np.stack([(heights(s) - heights(-s)) / (2 * h) for s in h * np.eye(6)], axis=1)
    assert np.abs(rows - numeric).max() < 1e-8


def test_a_moving_target_is_registered_with_its_rates():
    (truth, _, guess), *_ = views(SURFACE, 100, 1, seed=2)
    rates = Rates(tuple(np.radians([6, -5, 6])), (0.02, 0.0, -0.02))
    camera = LaserCamera(SURFACE, raster(150, 150, (1.0, 1.0), duration=0.5))
    scan = camera.scan(truth, rates, time=7.5)
    told, untold = register(scan, SURFACE, guess, rates), register(scan, SURFACE, guess)
    assert told.time == 7.5 and told.quality.accepted
    a, b = difference(told.pose, truth), difference(untold.pose, truth)
    assert a[0] < np.radians(0.1) and a[1] < 0.001
    assert b[0] > 3 * a[0] or b[1] > 3 * a[1]


def test_a_poorly_known_motion_is_in_the_covariance():
    """Rates drawn about the true ones by their covariance: NEES is that of six numbers with it, and absurd without."""
    rng, turning, drift = np.random.default_rng(5), np.radians(3.0), 0.01
    spread = np.diag([turning**2] * 3 + [drift**2] * 3)
    told, untold = [], []
    for truth, _, guess in views(SURFACE, 100, 12, seed=6):
        true = rng.normal(0, [turning] * 3 + [drift] * 3)
        scan = LaserCamera(SURFACE, raster(60, 60, (1.0, 1.0), duration=0.4), rng=rng).scan(
            truth, Rates(tuple(true[:3]), tuple(true[3:]))
        )
        for given, values in ((spread, told), (None, untold)):
            result = register(scan, SURFACE, guess, spread=given)
            e = error(truth, result)
            values.append(e @ np.linalg.solve(result.covariance, e))
    assert 5.35 / 2 < np.median(told) < 5.35 * 2
    assert np.median(untold) > 50


def test_strays_do_not_move_the_pose():
    for truth, scan, guess in views(SURFACE, 2000, 5, seed=3, noise=Noise(0.002, 0.08, 0.1)):
        result = register(scan, SURFACE, guess)
        angle, distance = difference(result.pose, truth)
        assert result.quality.accepted and angle < np.radians(0.2) and distance < 0.005


def test_noise_beyond_the_declared_widens_the_covariance():
    (_, scan, guess), *_ = views(SURFACE, 2000, 1, seed=5, noise=Noise(0.006))
    honest = register(scan, SURFACE, guess)
    bold = register(Scan(scan.points, sigma=0.002), SURFACE, guess)
    assert honest.quality.rms == pytest.approx(1, abs=0.1) and bold.quality.rms > 2
    assert 0.5 < np.sqrt(np.trace(bold.covariance[3:, 3:]) / np.trace(honest.covariance[3:, 3:])) < 1.5


def test_a_view_that_leaves_directions_free_says_so():
    """Of a plate that fills the field of view, only tilt and distance can be told."""
    plate = Surface(trimesh.creation.box((8, 8, 0.1)))
    truth = Pose(position=(0, 0, 2))
    scan = LaserCamera(plate, raster(40, 40)).scan(truth)
    result = register(scan, plate, Pose(position=(0.02, 0.0, 2.05)))
    assert not result.quality.accepted and "leaves the pose free" in result.quality.reason
    sigma = np.sqrt(np.diag(result.covariance))
    assert sigma[2] > 0.5 and (sigma[3:5] > 0.5).all() and (sigma[:2] < 0.001).all()
    assert sigma[5] < 0.005  # metres of slide along a plate whose tilt is known to 0.2 mrad


@pytest.mark.parametrize(
    ("points", "reason"),
    [
        (np.zeros((0, 3)), "nothing was hit"),
        (np.ones((5, 3)), "has 5 points"),
        (np.full((100, 3), np.nan), "100 of 100 points are not finite"),
        (np.zeros((100, 3)), "camera's origin"),
        (np.random.default_rng(0).uniform((-2, -2, 7), (2, 2, 11), (500, 3)), "% of the points"),
    ],
)
def test_scans_that_cannot_be_registered_are_refused_with_a_reason(points, reason):
    guess = Pose(position=(0, 0, 3))
    result = register(Scan(points), SURFACE, guess)
    assert not result.quality.accepted and reason in result.quality.reason
    if "%" not in reason:
        assert acquire(Scan(points), SURFACE) == []


def test_a_camera_that_looks_away_hits_nothing():
    scan = LaserCamera(SURFACE, raster(30, 30)).scan(Pose(position=(0, 0, -3)))
    assert len(scan) == 0 and not register(scan, SURFACE, Pose(position=(0, 0, 3))).quality.accepted


def test_the_handles_pose_and_covariance_follow_from_the_targets():
    """By sampling: R exp(δ), p + ε, seen at the handle."""
    (_, scan, guess), *_ = views(SURFACE, 500, 1, seed=6)
    body = register(scan, SURFACE, guess)
    frame = Pose(position=HANDLE.position, rpy=(0.3, -0.4, 0.5))
    handle = body.of(frame)
    assert difference(handle.pose, body.pose @ frame)[1] < 1e-12
    draws = np.random.default_rng(0).multivariate_normal(np.zeros(6), body.covariance, 800)
    turned = Rotation.from_matrix(body.pose.rotation) * Rotation.from_rotvec(draws[:, :3])
    places = np.array(body.pose.position) + draws[:, 3:]
    samples = [error(Pose.of(R, p) @ frame, handle) for R, p in zip(turned.as_matrix(), places, strict=True)]
    unit = np.outer(spread := np.sqrt(np.diag(handle.covariance)), spread)
    assert np.abs((np.cov(np.array(samples).T) - handle.covariance) / unit).max() < 0.2  # 4 σ of 800 draws


def test_the_visible_side_is_what_counts():
    """A thin plate, seen from the front: registration to its whole surface would split between its two sides."""
    plate = Surface(trimesh.util.concatenate([
        trimesh.creation.box((1.0, 0.6, 0.01)), trimesh.creation.box((0.1, 0.2, 0.3)),
    ]))  # fmt: skip
    truth = Pose.of(Rotation.from_rotvec([0.5, 0.4, 0.2]).as_matrix(), np.array([0.0, 0.0, 2.0]))
    scan = LaserCamera(plate, raster(120, 120, (0.7, 0.7))).scan(truth)
    guess = Pose.of(truth.rotation @ Rotation.from_rotvec([0.05, -0.08, 0.05]).as_matrix(), np.array([0, 0.02, 2.05]))
    angle, distance = difference(register(scan, plate, guess).pose, truth)
    assert angle < np.radians(0.1) and distance < 0.001


def test_acquisition_with_no_guess_finds_the_pose_or_carries_it():
    for truth, scan, _ in views(SURFACE, 1000, 2, seed=7):
        found = acquire(scan, SURFACE)
        errors = [difference(hypothesis.registration.pose, truth) for hypothesis in found]
        assert any(angle < np.radians(1) and distance < 0.02 for angle, distance in errors)
        body = (scan.points - truth.position) @ truth.rotation
        on_handle = ((body[:, 0] < -0.11) & (np.abs(body - HANDLE.position) < [0.03, 0.03, 0.14]).all(axis=1)).sum()
        if on_handle >= 10:
            assert errors[0][0] < np.radians(1)
        if on_handle == 0:
            assert len(found) > 1


def test_guesses_too_far_off_are_refused_not_believed():
    for truth, scan, _ in views(SURFACE, 1000, 8, seed=8):
        turned = truth.rotation @ Rotation.from_rotvec([0.0, 1.2, 0.9]).as_matrix()
        result = register(scan, SURFACE, Pose.of(turned, np.array(truth.position)))
        angle, distance = difference(result.pose, truth)
        assert (angle < np.radians(1) and distance < 0.02) or not result.quality.accepted


def test_bench_rows():
    result = bench.run(lambda message: None, rays=2000, sizes=(200,), count=1)
    assert [row.case for row in result.rows] == ["sensing/scan", "sensing/register-200"]
    assert all(row.total_ms > 0 for row in result.rows) and result.rows[1].error < np.radians(1)
