"""Ranges against geometry worked out by hand; noise, patterns and the motion of the target during a scan."""

import numpy as np
import pytest
import trimesh
from scipy.spatial.transform import Rotation

from softdock.sensing import LaserCamera, MeshError, Noise, Rates, Scan, ScanError, Surface, deskew, lissajous, raster
from softdock.sensing.target import HANDLE, satellite
from softdock.world import Pose

EXACT = Noise(range=0.0)


def random_pose(seed: int, far: float = 3.0) -> Pose:
    rng = np.random.default_rng(seed)
    return Pose.of(Rotation.from_quat(rng.normal(size=4)).as_matrix(), np.array([0.1, -0.2, far]))


def slabs(origin: np.ndarray, directions: np.ndarray, half: np.ndarray) -> np.ndarray:
    """Range to a box about the origin, by the slab method."""
    with np.errstate(divide="ignore"):
        a, b = (-half - origin) / directions, (half - origin) / directions
    near, far = np.minimum(a, b).max(axis=1), np.maximum(a, b).min(axis=1)
    return np.where(near <= far, near, np.inf)


@pytest.mark.parametrize("far", [3.0, 25.0])
def test_ranges_of_a_box(far):
    half, pose = np.array([0.4, 0.7, 0.3]), random_pose(1, far)
    camera = LaserCamera(Surface(trimesh.creation.box(2 * half)), raster(140, 140, (2 / far, 2 / far)), EXACT)
    expected = slabs(-np.array(pose.position) @ pose.rotation, camera.pattern.directions @ pose.rotation, half)
    ranges = camera.ranges(pose)
    both = np.isfinite(expected) & np.isfinite(ranges)
    assert both.sum() > 2000
    assert np.abs(ranges[both] - expected[both]).max() < 1e-9
    assert (np.isfinite(expected) != np.isfinite(ranges)).sum() == 0


def test_ranges_of_a_plane():
    """The face of a slab wider than the field of view, 2 m ahead and tilted: n·x = n·p on every ray."""
    pose = Pose.of(Rotation.from_euler("xyz", [0.3, -0.2, 0.9]).as_matrix(), np.array([0.0, 0.0, 2.5]))
    camera = LaserCamera(Surface(trimesh.creation.box((20, 20, 1))), raster(100, 200), EXACT)
    normal = pose.rotation[:, 2]
    face = np.array(pose.position) - 0.5 * normal
    expected = normal @ face / (camera.pattern.directions @ normal)
    assert np.abs(camera.ranges(pose) - expected).max() < 1e-9


def test_ranges_of_a_sphere_lie_between_those_of_its_inscribed_and_circumscribed_spheres():
    """A tessellation lies within its sphere and without the one that touches its nearest face."""
    ball = trimesh.creation.icosphere(subdivisions=4, radius=0.5)
    surface = Surface(ball)
    inner = float(surface.offsets.min())
    camera = LaserCamera(surface, raster(140, 140, (0.3, 0.3)), EXACT)
    pose = random_pose(3)
    ranges = camera.ranges(pose)
    along = camera.pattern.directions @ pose.position
    aside = np.dot(pose.position, pose.position) - along**2
    middle = aside < 0.9 * inner**2
    nearest, farthest = (along - np.sqrt(np.maximum(r**2 - aside, 0)) for r in (0.5, inner))
    assert middle.sum() > 2000
    assert (ranges[middle] >= nearest[middle] - 1e-9).all() and (ranges[middle] <= farthest[middle] + 1e-9).all()
    hit, triangle = surface.cast(-np.array(pose.position) @ pose.rotation, camera.pattern.directions @ pose.rotation)
    found = triangle >= 0
    exact, _ = surface._cast_exactly(
        np.broadcast_to(-np.array(pose.position) @ pose.rotation, (found.sum(), 3))[::40],
        (camera.pattern.directions @ pose.rotation)[found][::40],
    )
    assert np.abs(exact - hit[found][::40]).max() < 1e-9


def test_rays_at_edges_meet_the_right_face():
    """Rays aimed at the edges of a box, where single precision cannot tell one face from the other."""
    half = np.array([0.5, 0.5, 0.5])
    surface = Surface(trimesh.creation.box(2 * half))
    eye = np.array([-3.0, -2.0, -1.5])
    along = np.linspace(-0.49, 0.49, 2000)
    aims = np.stack([np.full(2000, -0.5), np.full(2000, -0.5), along], axis=1)
    aims += np.random.default_rng(0).normal(size=aims.shape) * 1e-8
    directions = (aims - eye) / np.linalg.norm(aims - eye, axis=1, keepdims=True)
    distance, _ = surface.cast(eye, directions)
    assert np.abs(distance - slabs(eye, directions, half)).max() < 1e-9


def test_a_moving_target_is_scanned_where_it_is_at_each_time():
    """Against one still scan for each ray's own pose."""
    surface, pose = satellite(), random_pose(5)
    rates = Rates((0.1, -0.05, 0.15), (0.02, 0.03, -0.05))
    pattern = raster(12, 12, (0.5, 0.5), duration=2.0)
    moving = LaserCamera(surface, pattern, EXACT).ranges(pose, rates)
    for k in range(0, 144, 5):
        t = pattern.times[k]
        then = Pose.of(
            pose.rotation @ Rotation.from_rotvec(np.multiply(rates.angular, t)).as_matrix(),
            np.array(pose.position) + t * np.array(rates.linear),
        )
        still = LaserCamera(surface, pattern, EXACT).ranges(then)[k]
        assert still == moving[k] or abs(still - moving[k]) < 1e-9


def test_deskewed_points_are_on_the_target():
    surface, pose = satellite(), random_pose(6)
    rates = Rates((0.1, -0.05, 0.15), (0.02, 0.03, -0.05))
    scan = LaserCamera(surface, raster(60, 60, (0.8, 0.8), duration=0.5), EXACT).scan(pose, rates)
    straight = deskew(scan, pose, rates)
    offset = [
        np.abs(surface.closest((s.points - pose.position) @ pose.rotation, every(surface, s))[0]).max()
        for s in (scan, straight)
    ]
    assert offset[0] > 0.01 and offset[1] < 1e-9


def every(surface: Surface, scan: Scan) -> np.ndarray:
    return np.tile(np.arange(len(surface.triangles)), (len(scan), 1))


def test_noise_strays_and_lost_returns_have_the_given_size():
    wall = Surface(trimesh.creation.box((20, 20, 1)))
    camera = LaserCamera(wall, raster(200, 200, (0.4, 0.4)), Noise(0.003, 0.05, 0.2), limits=(0.1, 10.0))
    pose = Pose(position=(0, 0, 3))
    scan = camera.scan(pose, time=4.0)
    assert scan.time == 4.0 and scan.hit.sum() == len(scan) and scan.hit.size == 40_000
    error = np.linalg.norm(scan.points, axis=1) - camera.ranges(pose)[scan.rays]
    stray = np.abs(error) > 0.03
    assert abs(len(scan) / 40_000 - 0.8) < 5 * np.sqrt(0.16 / 40_000)
    assert abs(stray.mean() - 0.05) < 0.006  # a few of the strays fall within the 3 cm
    assert abs(error[~stray].std() / 0.003 - 1) < 0.02


def test_seeds_repeat():
    camera = [LaserCamera(satellite(), raster(30, 30), rng=np.random.default_rng(k)) for k in (1, 1, 2)]
    a, b, c = (each.scan(random_pose(1)).points for each in camera)
    assert (a == b).all() and not np.array_equal(a, c)


def test_patterns_stay_in_the_field_and_take_their_time():
    for pattern in (raster(20, 40, (0.6, 0.3), 0.5), lissajous(900, (0.6, 0.3), 0.5)):
        x, y, z = pattern.directions.T
        assert np.arctan2(np.abs(x), z).max() <= 0.3 + 1e-12 and np.arctan2(np.abs(y), z).max() <= 0.15 + 1e-12
        assert np.allclose(np.linalg.norm(pattern.directions, axis=1), 1)
        assert abs(pattern.times.mean()) < 1e-12 and 0.49 < np.ptp(pattern.times) < 0.5


def test_the_satellite_has_its_handle_where_the_paper_says():
    surface = satellite()
    distance, _ = surface.closest(np.array([HANDLE.position]), np.arange(len(surface.triangles))[None])
    assert np.allclose(abs(distance), 0.01, atol=4e-4)  # the middle of a round bar 20 mm thick, of facets
    assert HANDLE.position == (-0.15, 0, 0)
    to_handle, _ = surface.cast(np.array([-2.0, 0.0, 0.0]), np.array([[1.0, 0.0, 0.0]]))
    assert np.allclose(to_handle, 2.0 - 0.16)


def changed(**changes) -> trimesh.Trimesh:
    box = trimesh.creation.box((1, 1, 1))
    return trimesh.Trimesh(changes.get("vertices", box.vertices), changes.get("faces", box.faces), process=False)


BOX = trimesh.creation.box((1, 1, 1))


@pytest.mark.parametrize(
    ("mesh", "message"),
    [
        (changed(faces=BOX.faces[:-1]), "not watertight"),
        (changed(vertices=1000 * BOX.vertices), r"1000 m long; if its unit is the millimetre, pass scale=0.001"),
        (changed(vertices=1e-4 * BOX.vertices), "lengths are in metres"),
        (changed(vertices=np.where(BOX.vertices > 0, np.nan, BOX.vertices)), "are not finite"),
        (changed(faces=np.zeros((0, 3), dtype=int)), "has no triangles"),
    ],
)
def test_bad_meshes_are_refused(mesh, message):
    with pytest.raises(MeshError, match=message):
        Surface(mesh)


def test_mesh_files(tmp_path):
    BOX.export(tmp_path / "box.stl")
    changed(vertices=1000 * BOX.vertices).export(tmp_path / "large.stl")
    assert Surface(tmp_path / "box.stl").radius == pytest.approx(np.sqrt(0.75))
    assert Surface(tmp_path / "large.stl", scale=0.001).radius == pytest.approx(np.sqrt(0.75))
    (tmp_path / "torn.stl").write_text("solid\nnonsense")
    for name, message in (("none.stl", "no such"), ("box.xyz", "format"), ("torn.stl", "torn.stl")):
        with pytest.raises(MeshError, match=message):
            Surface(tmp_path / name)


def test_a_mesh_wound_inside_out_is_turned():
    inside_out = Surface(changed(faces=BOX.faces[:, ::-1]))
    assert np.allclose(inside_out.offsets, 0.5)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: raster(0, 5), "at least one ray"),
        (lambda: raster(5, 5, (0.0, 1.0)), "field of view"),
        (lambda: lissajous(10, duration=-1), "duration"),
        (lambda: LaserCamera(satellite(), raster(2, 2), Noise(-1.0)), "noise"),
        (lambda: Scan(np.zeros((4, 2))), "rows of 3"),
        (lambda: Scan(np.zeros((4, 3)), np.zeros(3)), "4 finite numbers"),
        (lambda: Scan(np.zeros((4, 3)), sigma=0.0), "sigma positive"),
    ],
)
def test_bad_cameras_and_scans_are_refused(make, message):
    with pytest.raises(ScanError, match=message):
        make()
