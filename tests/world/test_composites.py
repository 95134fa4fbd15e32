"""Shapes of convex parts: volumes and deviations against trimesh and geometry; meshes that cannot be split."""

import sys

import numpy as np
import pytest
import trimesh
from deviations import bracket, drogue, handle, largest, ring
from scipy.spatial.transform import Rotation

import softdock as sd
from softdock.world import convex_parts
from softdock.world.composite import MOST_PARTS
from softdock.world.convex_parts import deviation, split


def mesh_of(part):
    return trimesh.Trimesh(np.array(part.vertices), np.array(part.triangles))


def hulls(parts):
    return [(np.array(part.vertices), np.array(part.triangles)) for part in parts.shapes]


def l_shape():
    mesh = bracket()
    return np.asarray(mesh.vertices), np.asarray(mesh.faces)


def test_an_annulus_of_facets_deviates_as_it_says():
    ring = sd.Annulus(inner_radius=0.4, outer_radius=0.5, length=0.3, deviation=0.02)
    parts = ring.parts()
    round_one = trimesh.creation.annulus(r_min=0.4, r_max=0.5, height=0.3, sections=128)
    found = deviation(round_one.vertices, round_one.faces, hulls(parts), 0.08)
    assert parts.deviation <= 0.02
    assert found == pytest.approx(parts.deviation, abs=0.5 * (1 - np.cos(np.pi / 128)))  # the reference has facets too
    for part in parts.shapes:
        assert mesh_of(part).is_watertight and mesh_of(part).is_convex
    corner, n = np.linalg.norm(parts.shapes[0].vertices[1][:2]), len(parts.shapes)
    exact = 0.3 * n * 0.5 * np.sin(2 * np.pi / n) * corner**2 * (1 - 0.8**2)
    assert sum(abs(mesh_of(part).volume) for part in parts.shapes) == pytest.approx(exact, rel=1e-12)


def test_facets_of_a_drogue_stay_by_the_cone():
    """Inside each facet, at random: how far from the cone, and the wall's thickness, along the cone's normal."""
    funnel = sd.Drogue(throat_radius=0.05, mouth_radius=0.3, depth=0.2, wall=0.02, deviation=0.004)
    parts, rng, worst = funnel.parts(), np.random.default_rng(0), 0.0
    slope = np.hypot(0.25, 0.2)
    for part in parts.shapes:
        x = np.array(part.vertices)
        for face, offset in (((0, 3, 4, 7), 0.0), ((1, 2, 5, 6), 0.02)):
            weights = rng.dirichlet(np.ones(4), 200)
            p = np.vstack([weights @ x[list(face)], x[list(face)]])
            away = (np.hypot(p[:, 0], p[:, 1]) - 0.05 - 0.25 * p[:, 2] / 0.2) * 0.2 / slope - offset
            worst = max(worst, np.abs(away).max())
    assert 0.5 * parts.deviation < worst <= parts.deviation <= 0.004


def test_a_handle_is_a_bar_on_two_posts():
    parts = sd.Handle(length=0.3, height=0.08, radius=0.01, placement=sd.Pose(position=(1, 0, 0))).parts()
    bar, *posts = parts.shapes
    assert parts.deviation == 0.0 and len(posts) == 2
    ends = [bar.placement.rotation @ (0, 0, s * bar.length / 2) + bar.placement.position for s in (-1, 1)]
    tops = [post.placement.position + np.array([0, 0, post.length / 2]) for post in posts]
    assert np.sort(ends, axis=0) == pytest.approx(np.sort(tops, axis=0), abs=1e-15)
    assert [post.placement.position[2] - post.length / 2 - post.radius for post in posts] == pytest.approx([0, 0])


def test_composites_are_shapes_in_python_and_in_files(tmp_path):
    placed = sd.Pose(position=(0, 0, 0.5))
    ring = sd.Annulus(inner_radius=0.4, outer_radius=0.5, length=0.3, placement=placed)
    body = sd.Body(name="port", mass=1, shapes=[sd.Sphere(radius=0.1), ring])
    assert body.shapes == (sd.Sphere(radius=0.1), *ring.parts().shapes)
    assert all(part.placement == placed for part in body.shapes[1:])
    (tmp_path / "w.toml").write_text(
        '[[bodies]]\nname = "port"\nmass = 1.0\nshapes = [{ kind = "sphere", radius = 0.1 }, { kind = "annulus", '
        "inner_radius = 0.4, outer_radius = 0.5, length = 0.3, placement = { position = [0, 0, 0.5] } }]\n"
    )
    assert sd.load_world(tmp_path / "w.toml").body("port") == body
    assert sd.Body.model_validate(body.model_dump()) == body


@pytest.fixture(scope="module")
def elbow(tmp_path_factory):
    pytest.importorskip("coacd")
    folder = tmp_path_factory.mktemp("meshes")
    trimesh.Trimesh(*l_shape()).export(folder / "elbow.stl")
    (folder / "elbow.urdf").write_text(
        '<robot name="r"><link name="elbow"><inertial><mass value="1"/></inertial><collision><geometry>'
        '<mesh filename="elbow.stl"/></geometry></collision></link></robot>'
    )
    (folder / "elbow.toml").write_text(
        '[[bodies]]\nname = "elbow"\nmass = 1.0\n'
        'shapes = [{ kind = "mesh_file", path = "elbow.stl", deviation = 0.02 }]\n'
    )
    return folder


def test_a_concave_mesh_becomes_parts_within_the_deviation(elbow):
    """The volume of the union, and points in and out of the elbow, are the mesh's; the second time comes from the
    cache."""
    body = sd.load_world(elbow / "elbow.toml").body("elbow")
    assert len(body.shapes) > 1
    stated = float(body.shapes[0].source.rpartition("deviation ")[2].removesuffix(" m"))
    assert stated <= 0.02
    assert largest(bracket(), hulls(body), 2000, np.random.default_rng(1)) <= stated * (1 + 1e-3)  # it has three digits
    union = [mesh_of(part) for part in body.shapes]
    points = np.random.default_rng(0).uniform((-0.1, -0.1, -0.1), (1.1, 1.1, 0.5), (4000, 3))
    whole = trimesh.Trimesh(*l_shape())
    inside = np.any([part.contains(points) for part in union], axis=0)
    _, away, _ = trimesh.proximity.closest_point_naive(whole, points)
    assert np.array_equal(inside[away > 0.02], whole.contains(points)[away > 0.02])
    urdf = sd.load_urdf(elbow / "elbow.urdf", mesh_deviation=0.02).body("elbow")
    assert [part.vertices for part in urdf.shapes] == [part.vertices for part in body.shapes]
    assert len(sd.load_urdf(elbow / "elbow.urdf").body("elbow").shapes) == 1  # the hull


def test_parts_come_from_the_cache_and_a_damaged_one_is_made_again(monkeypatch, tmp_path):
    pytest.importorskip("coacd")
    monkeypatch.setenv("SOFTDOCK_CACHE", str(tmp_path))
    vertices, triangles = l_shape()
    halves = [
        convex_parts._hull(vertices[[0, 1, 2, 6, 7, 8]]),
        convex_parts._hull(vertices[[0, 3, 4, 5, 6, 9, 10, 11]]),
    ]
    runs = []

    def run(coacd, mesh, concavity, asked):
        runs.append(concavity)
        return convex_parts.Split(halves, deviation(vertices, triangles, halves, asked))

    monkeypatch.setattr(convex_parts, "_run", run)
    first = split(vertices, triangles, 0.3)
    assert len(runs) == 1
    again = split(vertices, triangles, 0.3)
    assert len(runs) == 1
    assert again.deviation == first.deviation
    assert all(
        np.array_equal(a, b) for p, q in zip(again.parts, first.parts, strict=True) for a, b in zip(p, q, strict=True)
    )
    next(tmp_path.glob("parts-*.npz")).write_bytes(b"PK damaged")
    split(vertices, triangles, 0.3)
    assert len(runs) == 2
    with pytest.raises(ValueError, match=r"cannot be split into convex parts within 0.001 m: the best of 2 parts"):
        split(vertices, triangles, 0.001)
    assert runs[2:] == [0.001, 0.0005, 0.00025]


def test_the_deviation_is_that_of_boxes():
    """A cube beside one that is 0.1 wider on one side; a cube in halves that touch; and with one half missing."""
    cube, wide = trimesh.creation.box((1, 1, 1)), trimesh.creation.box((1.1, 1, 1))
    wide.apply_translation((0.05, 0, 0))
    part = lambda mesh: (np.asarray(mesh.vertices), np.asarray(mesh.faces))  # noqa: E731
    assert deviation(*part(cube), [part(wide)], 0.2) == pytest.approx(0.1, abs=1e-12)
    assert deviation(*part(wide), [part(cube)], 0.2) == pytest.approx(0.1, abs=1e-12)
    halves = [trimesh.creation.box((0.5, 1, 1)) for _ in range(2)]
    for x, half in zip((-0.25, 0.25), halves, strict=True):
        half.apply_translation((x, 0, 0))
    assert deviation(*part(cube), [part(h) for h in halves], 0.2) < 1e-12
    assert deviation(*part(cube), [part(halves[0])], 0.2) == pytest.approx(0.5, abs=1e-12)


def test_no_point_deviates_by_more_than_is_stated():
    """Points at random on both surfaces, their distances by coal: of a bracket and a handle whose parts fill some of
    what is hollow, and of facets in place of a ring and of a drogue. (studies/convex_parts.py: the same of CoACD's.)"""
    corners = np.asarray(handle().vertices)
    cases = [
        (
            bracket(),
            [convex_parts._hull(l_shape()[0][list(at)]) for at in ((0, 1, 2, 6, 7, 8), (0, 3, 4, 5, 6, 9, 11))],
        ),
        (handle(), [convex_parts._hull(corners[[*at, *np.add(at, 8)]]) for at in ((0, 1, 2, 3, 6, 7), (3, 4, 5, 6))]),
        (ring(32), hulls(sd.Annulus(inner_radius=0.4, outer_radius=0.5, length=0.1, deviation=0.05).parts())),
        (
            drogue(32),
            hulls(sd.Drogue(throat_radius=0.05, mouth_radius=0.3, depth=0.2, wall=0.0125, deviation=0.02).parts()),
        ),
    ]
    rng = np.random.default_rng(7)
    for mesh, straight in cases:
        turn = Rotation.random(random_state=rng).as_matrix()
        mesh.vertices, parts = mesh.vertices @ turn.T, [(vertices @ turn.T, faces) for vertices, faces in straight]
        stated, found = deviation(mesh.vertices, mesh.faces, parts, 0.1), largest(mesh, parts, 500, rng)
        assert 0.8 * stated < found <= stated * (1 + 1e-9)


def test_a_convex_mesh_needs_no_coacd(monkeypatch):
    monkeypatch.setitem(sys.modules, "coacd", None)
    turned = trimesh.creation.cylinder(radius=0.2, height=1.0, sections=12)
    turned.apply_transform(np.block([[Rotation.from_euler("x", 1.0).as_matrix(), np.zeros((3, 1))], [0, 0, 0, 1]]))
    found = split(turned.vertices, turned.faces, 1e-3)
    assert len(found.parts) == 1 and found.deviation < 1e-12
    with pytest.raises(ValueError, match=r"pip install 'softdock\[meshes\]'"):
        split(*l_shape(), 1e-3)


def test_what_cannot_be_split_is_refused_in_one_line(tmp_path):
    vertices, triangles = l_shape()
    with pytest.raises(ValueError, match="is not closed"):
        split(vertices, triangles[1:], 0.01)
    for nothing in (0.0, -1.0, float("nan")):
        with pytest.raises(ValueError, match="must be positive"):
            split(vertices, triangles, nothing)
    with pytest.raises(ValueError, match="encloses no volume"):
        split(np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0.0)]), np.array([(0, 1, 2), (0, 2, 1)]), 0.01)
    with pytest.raises(ValueError, match="no triangle of any size"):
        split(np.zeros((3, 3)), np.array([(0, 1, 2)]), 0.01)
    trimesh.Trimesh(vertices, triangles[1:]).export(tmp_path / "open.stl")
    (tmp_path / "w.toml").write_text(
        '[[bodies]]\nname = "b"\nmass = 1.0\nshapes = [{ kind = "mesh_file", path = "open.stl", deviation = 0.01 }]\n'
    )
    with pytest.raises(sd.WorldFileError, match=r"w.toml: bodies\[0\].shapes: .*open.stl: mesh is not closed") as error:
        sd.load_world(tmp_path / "w.toml")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("what", "says"),
    [
        ({"kind": "annulus", "inner_radius": 1, "outer_radius": 1, "length": 1}, "an annulus has a hole"),
        (
            {"kind": "annulus", "inner_radius": 1, "outer_radius": 2, "length": 1, "deviation": 1e-9},
            f"than {MOST_PARTS}",
        ),
        ({"kind": "annulus", "inner_radius": 1, "outer_radius": 2, "length": 1, "deviation": 0}, "greater than 0"),
        ({"kind": "drogue", "throat_radius": 2, "mouth_radius": 1, "depth": 1, "wall": 0.1}, "a drogue opens"),
        ({"kind": "handle", "length": 1, "height": 0.1, "radius": 0.2}, "must exceed its radius"),
        ({"kind": "handle", "length": 1, "height": 0.1, "radios": 0.2}, "did you mean 'radius'"),
        ({"kind": "mesh_file", "path": "nowhere.stl"}, "'nowhere.stl' not found"),
    ],
)
def test_bad_composites_are_refused(what, says):
    with pytest.raises(ValueError, match=says):
        sd.Body(name="b", mass=1, shapes=[what])
