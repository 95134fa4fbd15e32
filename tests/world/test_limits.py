"""What is larger than anything that is meant is refused at once, in a line that names the limit."""

import time
from pathlib import Path

import numpy as np
import pytest

from softdock.campaign import campaign_of
from softdock.scenarios import load
from softdock.world import Body, ConvexMesh, World, WorldFileError, load_urdf, load_world
from softdock.world.describe import nearest
from softdock.world.files import parse_toml

TOML = (
    'scenario = "world"\n[run]\nduration = 0.1\n[[world.bodies]]\nname = "a"\nmass = 1.0\ninertia = [1.0, 1.0, 1.0]\n'
)
LINK = '<link name="{}"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>'


def test_a_toml_file(tmp_path: Path) -> None:
    (tmp_path / "large.toml").write_text("# " + 2_000_000 * "x")
    with pytest.raises(WorldFileError, match="larger than 2 MB"):
        load_world(tmp_path / "large.toml")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a = " + 20_000 * "[", "nested too deeply"),
        ("a = 9223372036854775808", "more than 64 bits"),
        ("a = [[1, {b = -9223372036854775809}]]", "more than 64 bits"),
    ],
)
def test_toml_that_is_deep_or_has_long_integers(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_toml(text)
    assert parse_toml("a = 9223372036854775807") == {"a": 2**63 - 1}


def test_bodies_links_and_triangles(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="at most 1000 items"):
        World(bodies=tuple(Body(name=str(k), mass=1.0) for k in range(1001)))
    (tmp_path / "r.urdf").write_text(f"<robot>{''.join(map(LINK.format, range(1001)))}</robot>")
    with pytest.raises(WorldFileError, match="has 1001 links; at most 1000 are read"):
        load_urdf(tmp_path / "r.urdf")
    corners = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    for wrong in (4, -1):
        with pytest.raises(ValueError, match="a triangle names a vertex that is not among the 4"):
            ConvexMesh(vertices=corners, triangles=((0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, wrong)))


def test_vertices_of_a_mesh(tmp_path: Path) -> None:
    points = np.random.default_rng(0).normal(size=(100_002, 3)).astype("<f4")
    faces = np.zeros(33_334, [("size", "u1"), ("corners", "<i4", 3)])
    faces["size"], faces["corners"] = 3, np.arange(100_002).reshape(-1, 3)
    head = "ply\nformat binary_little_endian 1.0\nelement vertex 100002\nproperty float x\nproperty float y\n"
    head += "property float z\nelement face 33334\nproperty list uchar int vertex_indices\nend_header\n"
    (tmp_path / "m.ply").write_bytes(head.encode() + points.tobytes() + faces.tobytes())
    shape = '<collision><geometry><mesh filename="m.ply"/></geometry></collision></link>'
    (tmp_path / "r.urdf").write_text(f"<robot>{LINK.format('a').replace('</link>', shape)}</robot>")
    with pytest.raises(WorldFileError, match="has 100002 vertices, more than 100000"):
        load_urdf(tmp_path / "r.urdf")


def test_steps_of_a_run_and_runs_of_a_campaign(tmp_path: Path) -> None:
    file = tmp_path / "s.toml"
    file.write_text(TOML)
    with pytest.raises(ValueError, match="takes more than 1000000000 steps"):
        load(file, ["run.duration=1e9"])
    vary = {"world.bodies[0].mass": "uniform(1, 2)"}
    for options, message in (
        ({"runs": 10**8}, "less than or equal to 10000000"),
        ({"runs": 10**7, "design": "latin-hypercube", "vary": {**vary, "run.seed": "choice(1, 2)"}}, "no more than"),
        ({"vary": {"run.seed": "steps(0, 1, 1000000000)"}, "runs": 3}, "n must be at most 100000"),
    ):
        with pytest.raises(ValueError, match=message):
            campaign_of(str(file), **({"vary": vary} | options))  # type: ignore[arg-type]


def test_a_hint_is_looked_for_among_so_many_words() -> None:
    """Of 100,000 words that are alike, the comparison of all of which would take a minute."""
    words, began = [f"{'x' * 60}{k}" for k in range(100_000)], time.process_time()
    assert nearest("x" * 1000, words).startswith((" (known", "; did"))
    assert time.process_time() - began < 5.0
