"""Registration says what it cannot see (small samples of `studies/registration.py --odd`), and what is not noise."""

import numpy as np
import pytest
import trimesh
from odd_views import (
    ODD,
    SYMMETRIC,
    Odd,
    attitude,
    ball_with_knob,
    box,
    cylinder_with_bracket,
    error,
    joined,
    nees,
    prism,
    registered,
    seen,
)
from scipy.spatial.transform import Rotation
from scipy.stats import chi2

from softdock.bench.sensing import views
from softdock.sensing import (
    LaserCamera,
    MeshError,
    Noise,
    Scan,
    ScanError,
    Surface,
    acquire,
    raster,
    register,
    satellite,
)
from softdock.sensing.scan import difference
from softdock.sensing.symmetries import symmetries
from softdock.world import Pose

BEHIND = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]])
"""R_CB of a body whose +x is away from the camera."""
SURE = 30.0
"""χ² with 6 degrees of freedom exceeds it in one of 25,000."""


@pytest.mark.parametrize("name", ODD)
def test_no_view_gives_a_pose_that_is_wrong_and_sure(name):
    """Before: 39 of 60 of the cylinder's, 51 of 60 of the ball's, and several of each other kind."""
    odd, surface = ODD[name], ODD[name].surface()
    results = [registered(odd, surface, [180, k]) for k in range(6)]
    accepted = [(truth, result) for truth, result in results if result.quality.accepted]
    assert all(nees(truth, result) < SURE for truth, result in accepted)
    assert all(result.quality.accepted or result.quality.reason for _, result in results)
    if name == "cylinder with a bracket in view":
        assert len(accepted) >= 5
        assert max(np.linalg.norm(error(*pair)[:3]) for pair in accepted) < np.radians(1)


def test_a_round_bodys_turn_is_not_known_from_its_facets():
    """Without its bracket in view, nothing tells how a cylinder is turned about its axis."""
    surface = cylinder_with_bracket()
    rng = np.random.default_rng(181)
    truth, scan = seen(surface, BEHIND, rng)
    result = register(scan, surface, truth)
    assert not result.quality.accepted and "leaves the pose free" in result.quality.reason


@pytest.mark.parametrize("sides", [10, 12, 16, 24])
def test_a_prism_without_a_mark_is_not_told_from_itself_a_facet_on(sides):
    """By its symmetry, whatever is seen of it. Before: 47 of 100 views of one of 16 sides were accepted, 22 of them a
    facet off, some with a NEES of 3,900. With a bracket in view the turn is known, and the pose is given."""
    bare = prism(sides, 0.4, 0.8)
    bare.apply_transform(Pose(position=(0.05, -0.1, 0.08), rpy=(0.4, -0.7, 1.1)).matrix())
    odd, surface = Odd(lambda: joined(bare)), joined(bare)
    assert not any(registered(odd, surface, [1815, sides, k])[1].quality.accepted for k in range(8))
    marked, surface = Odd(lambda: cylinder_with_bracket(sides), "facing"), cylinder_with_bracket(sides)
    results = [registered(marked, surface, [1816, sides, k]) for k in range(4)]
    assert sum(result.quality.accepted for _, result in results) >= 3
    assert all(nees(*pair) < SURE for pair in results if pair[1].quality.accepted)


@pytest.mark.parametrize("sides", [7, 8])
def test_a_prism_is_not_taken_a_facet_off_from_a_guess_within_20_degrees(sides):
    """45° and more apart, two turns cannot both be within 20° of the guess: one that ends far from it, where another
    explains as much nearer to it, is not believed. Before: 8 and 9 of 120 were accepted a facet off."""
    surface, accepted = joined(prism(sides, 0.4, 0.8)), {10: 0, 20: 0}
    for off in accepted:
        for k in range(15):
            rng = np.random.default_rng([1817, sides, k])
            truth, scan = seen(surface, attitude("any", rng), rng)
            turned = truth.rotation @ Rotation.from_euler("z", rng.choice([-off, off]), degrees=True).as_matrix()
            result = register(scan, surface, Pose.of(turned, np.add(truth.position, 0.05)))
            accepted[off] += result.quality.accepted
            assert not result.quality.accepted or nees(truth, result) < SURE
    assert accepted[10] >= 14 and accepted[20] >= 8


def test_normals_of_facets_that_stand_for_a_sphere_are_the_spheres():
    ball = Surface(trimesh.creation.icosphere(subdivisions=3, radius=0.5))
    points, triangles = ball.seen_from(np.array([0.0, 0.0, 3.0]), 2000)
    exact = points / np.linalg.norm(points, axis=1, keepdims=True)
    smooth = np.linalg.norm(ball.normal_at(triangles, points) - exact, axis=1)
    flat = np.linalg.norm(ball.normals[triangles] - exact, axis=1)
    assert smooth.max() < 0.02 and flat.max() > 0.05
    depth = 0.5 - np.linalg.norm(ball.triangles.mean(axis=1), axis=1)
    assert np.all(ball.sagitta > 0.5 * depth) and np.all(ball.sagitta < 3 * depth)
    cube = Surface(trimesh.creation.box((1, 1, 1)))
    assert not cube.is_curved.any() and cube.sagitta.max() == 0.0


def test_facets_of_a_true_ball_are_in_the_covariance():
    """Ranges of an exact sphere in closed form, registered with a model of 320 facets: its centre is off by up to the
    facets' depth, which range noise does not tell."""
    coarse = Surface(trimesh.creation.icosphere(subdivisions=2, radius=0.5))
    rng, z = np.random.default_rng(182), []
    directions = raster(70, 70, (0.4, 0.4)).directions
    for _ in range(6):
        center = np.array([*rng.uniform(-0.1, 0.1, 2), rng.uniform(2.5, 3.5)])
        along = directions @ center
        inside = along**2 - center @ center + 0.25
        hit = inside > 0
        ranges = along[hit] - np.sqrt(inside[hit]) + rng.normal(0, 2e-4, hit.sum())
        turn = Rotation.random(random_state=int(rng.integers(1 << 31))).as_matrix()
        scan = Scan(ranges[:, None] * directions[hit], sigma=2e-4)
        result = register(scan, coarse, Pose.of(turn, center + 0.01))
        depth = center / np.linalg.norm(center) @ (np.array(result.pose.position) - center)
        way = center / np.linalg.norm(center)
        z.append(depth / np.sqrt(way @ result.covariance[3:, 3:] @ way))
    assert 0.1 < np.sqrt(np.mean(np.square(z))) < 2.0
    assert coarse.sagitta.max() > 5e-4


@pytest.mark.parametrize(
    ("noise", "model"),
    [({"bias": 0.004}, {}), ({"lens": 0.004}, {}), ({}, {"tolerance": 0.004}), ({}, {"scale_error": 0.004})],
)
def test_what_all_points_share_is_in_the_covariance(noise, model):
    """Drawn anew for each scan, by its standard deviation; without the term, NEES is in the hundreds."""
    plain, rng, told, untold = satellite(), np.random.default_rng(183), [], []
    mesh = trimesh.Trimesh(plain.triangles.reshape(-1, 3), np.arange(3 * len(plain.triangles)).reshape(-1, 3))
    mesh.merge_vertices()
    known = Surface(mesh, **model)
    for truth, _, guess in views(plain, 100, 10, seed=184):
        true = plain
        if model:
            grown = mesh.copy()
            if "tolerance" in model:
                depth = model["tolerance"] * rng.standard_normal()
                grown.vertices += depth * grown.vertex_normals
            else:
                grown.vertices *= 1 + model["scale_error"] * rng.standard_normal()
            true = Surface(grown)
        camera = LaserCamera(true, raster(70, 70, (1.0, 1.0)), Noise(0.001, **noise), rng=rng)
        scan = camera.scan(truth)
        bare = Scan(scan.points, sigma=scan.sigma)
        for values, given, surface in ((told, scan, known), (untold, bare, plain)):
            result = register(given, surface, guess)
            values.append(nees(truth, result))
    assert np.median(told) < 12 and np.median(untold) > 4 * np.median(told)


def test_errors_that_mean_nothing_are_refused():
    with pytest.raises(MeshError, match="tolerance"):
        Surface(trimesh.creation.box((1, 1, 1)), tolerance=-1.0)
    with pytest.raises(ScanError, match="bias"):
        Scan(np.ones((40, 3)), bias=np.nan)
    with pytest.raises(ScanError, match="lens"):
        LaserCamera(satellite(), raster(3, 3), Noise(lens=-1.0))


# --- with no guess ---------------------------------------------------------------------------------


def test_symmetries_of_a_cube_are_its_24_turns_and_of_a_satellite_its_half_turns():
    cube = Surface(trimesh.creation.box((1, 1, 1)))
    turns = [Rotation.from_matrix(pose.rotation) for pose in symmetries(cube)]
    exact = [turn for turn in Rotation.create_group("O") if turn.magnitude() > 1e-6]
    for wanted in exact:
        assert min((turn * wanted.inv()).magnitude() for turn in turns) < 1e-6
    assert len(turns) == len(exact) == 23
    halves = [pose.rotation for pose in symmetries(satellite())]
    for diagonal in ([1, -1, -1], [-1, 1, -1], [-1, -1, 1]):
        assert min(np.abs(R - np.diag(diagonal)).max() for R in halves) < 1e-6


@pytest.mark.parametrize("name", list(SYMMETRIC)[:3])
def test_acquisition_holds_every_pose_that_explains_a_scan(name):
    surface = SYMMETRIC[name]()
    for k in range(1):
        rng = np.random.default_rng([185, k])
        truth, scan = seen(surface, attitude("any", rng), rng, 1500)
        found = acquire(scan, surface)
        errors = [difference(hypothesis.registration.pose, truth) for hypothesis in found]
        assert any(angle < np.radians(2) and distance < 0.02 for angle, distance in errors)


def test_a_pose_that_the_scan_leaves_free_beats_one_that_explains_less():
    """A ball whose knob is behind it has no one pose; poses that show the knob explain less, and none is given."""
    surface = ball_with_knob()
    rng = np.random.default_rng(186)
    _, scan = seen(surface, BEHIND, rng, 600)
    assert acquire(scan, surface) == []


def test_a_round_body_whose_bracket_is_hidden_and_another_body_have_no_pose():
    """The turn about the axis is not to be seen; and of a scan of something else, most is left unexplained."""
    rng = np.random.default_rng(189)
    surface = cylinder_with_bracket()
    tilted = BEHIND @ Rotation.from_euler("y", 25, degrees=True).as_matrix()
    _, scan = seen(surface, tilted, rng, 400)
    assert acquire(scan, surface) == []
    _, scan = seen(SYMMETRIC["square slab with a knob"](), attitude("any", rng), rng, 200)
    assert acquire(scan, surface) == []


@pytest.mark.parametrize("scale", [1.0, 1.003, 0.997])
def test_the_size_of_a_target_is_found_as_sure_as_it_says(scale):
    """The truth is known: over random views, errors over their stated deviations have a mean square of 1."""
    shape = satellite()
    corners = shape.triangles.reshape(-1, 3)
    model = Surface(trimesh.Trimesh(corners, np.arange(len(corners)).reshape(-1, 3)), scale)
    off = []
    for k in range(24):
        rng = np.random.default_rng([187, k])
        truth, scan = seen(shape, attitude("any", rng), rng)
        found = register(scan, model, truth).quality.larger
        if found.sigma < 0.002:
            off.append((found.part - (1 / scale - 1)) / np.hypot(found.sigma, found.shared))
    assert len(off) >= 16
    assert len(off) * np.mean(np.square(off)) < chi2.ppf(0.999, len(off))
    assert len(off) * np.mean(np.square(off)) > chi2.ppf(0.001, len(off))


def test_three_faces_of_a_box_do_not_tell_its_size():
    """Grown about its centre, each face moves along its normal: as the corner does when the box is displaced."""
    shape = joined(box((1, 1, 1)))
    rng = np.random.default_rng(188)
    R = Rotation.from_euler("xyz", [2.4, 0.6, 0.3]).as_matrix()
    truth, scan = seen(shape, R, rng)
    body = (scan.points - truth.position) @ R
    assert len(np.unique(np.abs(body).argmax(axis=1))) == 3
    larger = register(scan, joined(box((1.02,) * 3)), truth).quality.larger
    assert (larger.part, larger.sigma) == (0.0, np.inf)
