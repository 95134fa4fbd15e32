"""Drawn meshes with their materials: of four formats, with what may be missing, made coarser, and back through URDF."""

import json
import warnings
from pathlib import Path

import numpy as np
import pytest
import trimesh
from PIL import Image

from softdock.runs.recorder import Recorder, RunFolderError
from softdock.runs.recording import read_run
from softdock.world import World, load_urdf, save_urdf
from softdock.world.visuals import MOST_TRIANGLES, Piece, Visual, coarser, drawn_bodies, pieces_of

RED, BLUE = (200, 30, 40), (20, 60, 220)
URDF = """<robot name="r"><material name="paint"><color rgba="0.2 0.4 0.6 1"/></material>
<link name="base"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>
<visual><origin xyz="0 0 1"/><geometry><mesh filename="{mesh}" scale="2 1 1"/></geometry></visual>
<visual><geometry><sphere radius="0.2"/></geometry><material name="paint"/></visual>
<collision><geometry><box size="1 1 1"/></geometry></collision></link></robot>"""


def two_cubes(path: Path) -> Path:
    """A red cube at the origin and a blue one, two metres along x, in the format of the file's name."""
    scene = trimesh.Scene()
    for k, color in enumerate((RED, BLUE)):
        cube = trimesh.creation.box(extents=(1, 1, 1))
        material = trimesh.visual.material.PBRMaterial(name=f"m{k}", baseColorFactor=[*color, 255])
        if path.suffix not in (".glb", ".gltf"):
            material = trimesh.visual.material.SimpleMaterial(name=f"m{k}", diffuse=[*color, 255])
        cube.visual = trimesh.visual.TextureVisuals(uv=np.zeros((len(cube.vertices), 2)), material=material)
        scene.add_geometry(cube, transform=trimesh.transformations.translation_matrix([2.0 * k, 0, 0]))
    made = scene.export(file_type=path.suffix[1:])
    if isinstance(made, dict):  # a glTF's files
        for name, content in made.items():
            (path.parent / (path.name if name == "model.gltf" else name)).write_bytes(content)
    else:
        path.write_bytes(made.encode() if isinstance(made, str) else made)
    return path


def obj_with_mtl(path: Path) -> Path:
    """The same as an OBJ file, by hand."""
    lines, start = ["mtllib colors.mtl"], 0
    for k in range(2):
        cube = trimesh.creation.box(extents=(1, 1, 1))
        lines += [f"usemtl m{k}", *(f"v {x + 2 * k} {y} {z}" for x, y, z in cube.vertices)]
        lines += [f"f {a + 1 + start} {b + 1 + start} {c + 1 + start}" for a, b, c in cube.faces]
        start += len(cube.vertices)
    path.write_text("\n".join(lines))
    levels = (" ".join(f"{x / 255:.6f}" for x in color) for color in (RED, BLUE))
    (path.parent / "colors.mtl").write_text("".join(f"newmtl m{k}\nKd {level}\n" for k, level in enumerate(levels)))
    return path


def collada(path: Path) -> Path:
    """The same in centimetres, each cube an instance with a material of its own."""
    cube = trimesh.creation.box(extents=(100, 100, 100))
    numbers, faces = (" ".join(map(str, x.ravel().tolist())) for x in (cube.vertices, cube.faces))
    effects = "".join(
        f'<effect id="e{k}"><profile_COMMON><technique sid="t"><phong><diffuse><color>'
        f"{' '.join(str(x / 255) for x in color)} 1</color></diffuse></phong></technique></profile_COMMON></effect>"
        for k, color in enumerate((RED, BLUE))
    )
    materials = "".join(f'<material id="m{k}"><instance_effect url="#e{k}"/></material>' for k in range(2))
    nodes = "".join(
        f'<node id="n{k}"><translate>{200 * k} 0 0</translate><instance_geometry url="#g"><bind_material>'
        f'<technique_common><instance_material symbol="s" target="#m{k}"/></technique_common></bind_material>'
        "</instance_geometry></node>"
        for k in range(2)
    )
    path.write_text(
        '<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">'
        '<asset><unit name="centimeter" meter="0.01"/><up_axis>Z_UP</up_axis></asset>'
        f"<library_effects>{effects}</library_effects><library_materials>{materials}</library_materials>"
        f'<library_geometries><geometry id="g"><mesh><source id="p"><float_array id="a" count="{cube.vertices.size}">'
        f'{numbers}</float_array><technique_common><accessor source="#a" count="{len(cube.vertices)}" stride="3">'
        '<param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor>'
        '</technique_common></source><vertices id="v"><input semantic="POSITION" source="#p"/></vertices>'
        f'<triangles count="{len(cube.faces)}" material="s"><input semantic="VERTEX" source="#v" offset="0"/>'
        f"<p>{faces}</p></triangles></mesh></geometry></library_geometries>"
        f'<library_visual_scenes><visual_scene id="s">{nodes}</visual_scene></library_visual_scenes>'
        '<scene><instance_visual_scene url="#s"/></scene></COLLADA>'
    )
    return path


MAKERS = {"m.glb": two_cubes, "m.gltf": two_cubes, "m.obj": obj_with_mtl, "m.dae": collada}


@pytest.mark.parametrize("name", MAKERS)
def test_materials_of_every_format_become_colours_where_they_are(tmp_path: Path, name: str) -> None:
    said: list[str] = []
    found = {piece.color: piece for piece in pieces_of(MAKERS[name](tmp_path / name), said.append)}
    assert not said and set(found) == {"#{:02x}{:02x}{:02x}".format(*color) for color in (RED, BLUE)}
    for color, x in ((RED, 0.0), (BLUE, 2.0)):
        piece = found["#{:02x}{:02x}{:02x}".format(*color)]
        solid = trimesh.Trimesh(piece.vertices, piece.triangles)
        np.testing.assert_allclose(solid.bounds, [[x - 0.5, -0.5, -0.5], [x + 0.5, 0.5, 0.5]], atol=1e-6)
        assert solid.volume == pytest.approx(1.0, rel=1e-5)


def textured(folder: Path) -> Path:
    """A quad, its left half red and its right half blue by a texture."""
    Image.fromarray(np.array([[RED, BLUE]], dtype=np.uint8)).save(folder / "halves.png")
    (folder / "t.mtl").write_text("newmtl t\nKd 1 1 1\nmap_Kd halves.png\n")
    corners = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 2 0 0\nv 2 1 0\n"
    places = "vt 0.1 0.5\nvt 0.9 0.5\n"
    faces = "f 1/1 2/1 3/1\nf 1/1 3/1 4/1\nf 2/2 5/2 6/2\nf 2/2 6/2 3/2\n"
    (folder / "t.obj").write_text(f"mtllib t.mtl\n{corners}{places}usemtl t\n{faces}")
    return folder / "t.obj"


def test_a_texture_becomes_colours_and_a_missing_one_is_told(tmp_path: Path) -> None:
    path, said = textured(tmp_path), list[str]()
    assert len({piece.color for piece in pieces_of(path, said.append)}) == 2 and not said
    (tmp_path / "halves.png").unlink()
    found = pieces_of(path, said.append)
    assert sum(len(piece.triangles) for piece in found) == 4
    assert len(said) == 1 and "drawn without halves.png" in said[0]


def test_references_lead_nowhere_but_beside_the_mesh(tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    path, said = obj_with_mtl(inner / "m.obj"), list[str]()
    (inner / "colors.mtl").rename(tmp_path / "colors.mtl")
    path.write_text(path.read_text().replace("mtllib colors.mtl", "mtllib ../colors.mtl"))
    assert {piece.color for piece in pieces_of(path, said.append)} == {""}
    assert len(said) == 1 and "../colors.mtl" in said[0]


def world_of(tmp_path: Path, mesh: str) -> World:
    (tmp_path / "r.urdf").write_text(URDF.format(mesh=mesh))
    return load_urdf(tmp_path / "r.urdf")


def test_a_urdf_is_drawn_with_its_materials_and_comes_back_the_same(tmp_path: Path) -> None:
    two_cubes(tmp_path / "m.glb")
    world = world_of(tmp_path, "m.glb")
    (body,) = world.bodies
    assert [shape.kind for shape in body.shapes] == ["box"] and len(body.visuals) == 2
    mesh, *rest, ball = sorted(drawn_bodies(world.bodies)["base"], key=lambda x: str(x["kind"]))
    assert ball["kind"] == "sphere" and ball["color"] == "#336699" and rest[0]["kind"] == "mesh"
    low, high = (f(mesh["vertices"], axis=0) for f in (np.min, np.max))
    np.testing.assert_allclose(high - low, [2.0, 1.0, 1.0], atol=1e-5)
    assert (low + high)[2] / 2 == pytest.approx(1.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        save_urdf(world, tmp_path / "out" / "again.urdf")
        (again,) = load_urdf(tmp_path / "out" / "again.urdf").bodies
    assert again.visuals[0] == body.visuals[0] and again.visuals[1].color == "#336699"
    assert again.shapes == body.shapes


def test_what_is_missing_is_told_and_the_rest_is_drawn(tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match="link 'base': drawn without mesh 'gone.glb' not found"):
        world = world_of(tmp_path, "gone.glb")
    assert len(world.bodies[0].visuals) == 1
    (tmp_path / "bad.glb").write_bytes(b"nonsense")
    trimesh.creation.box().export(tmp_path / "plain.stl")
    said: list[str] = []
    drawn_bodies(world_of(tmp_path, "bad.glb").bodies, said.append)
    assert len(said) == 1 and "bad.glb: mesh cannot be read" in said[0] and "is drawn without it" in said[0]
    said.clear()
    drawn = drawn_bodies(world_of(tmp_path, "plain.stl").bodies, said.append)
    assert said == ["without materials, drawn in the colour of the body: plain.stl"]
    assert sorted(x["kind"] for x in drawn["base"]) == ["mesh", "sphere"]


def test_a_run_keeps_what_is_drawn_though_its_files_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from softdock import replay
    from softdock.dynamics import Dynamics
    from softdock.replay import page
    from softdock.runs.simulation import Simulation

    mesh = two_cubes(tmp_path / "m.glb")
    world = world_of(tmp_path, "m.glb")
    dynamics = Dynamics(world.altered(bodies=(world.bodies[0].altered(joint={"kind": "free"}),)))
    with Recorder(tmp_path / "run", dynamics.world) as recorder:
        Simulation(dynamics, [0, 0, 0, 1, 0, 0, 0], np.zeros(6), h=0.1).run(0.2, recorder=recorder)
    mesh.unlink()
    data, _, _ = replay.replay_data(read_run(tmp_path / "run"), dynamics)
    (body,) = data["bodies"]
    assert [shape["kind"] for shape in body["shapes"]] == ["sphere", "mesh", "mesh"]
    assert {shape["color"] for shape in body["shapes"]} == {"#336699", "#c81e28", "#143cdc"}
    monkeypatch.setattr(page, "MOST_OWN", 100)
    with pytest.warns(UserWarning, match="drawn without visual meshes"):
        data, _, _ = replay.replay_data(read_run(tmp_path / "run"), dynamics)
    assert [shape["kind"] for shape in data["bodies"][0]["shapes"]] == ["box"]  # those that touch
    whole = {"kind": "mesh", "vertices": [[0, 0, 0]] * 3, "triangles": [[0, 1, 2]]}
    for bad in (3, [3], [{"kind": "mesh"}], [whole | {"triangles": [[0, 1, 9]]}], [whole | {"color": "<script>"}]):
        (tmp_path / "run" / "visuals.json").write_text(json.dumps({"base": bad}))
        with pytest.raises(RunFolderError, match="cannot be shown: visuals: "):
            replay.replay_data(read_run(tmp_path / "run"), dynamics)


def test_a_fine_mesh_is_made_coarser_and_keeps_its_form() -> None:
    ball = trimesh.creation.icosphere(subdivisions=5)
    made = coarser(Piece(ball.vertices, ball.faces, "#ffffff"), 2000)
    assert 500 < len(made.triangles) <= 2000 and made.triangles.max() < len(made.vertices)
    assert np.abs(np.linalg.norm(made.vertices, axis=1) - 1).max() < 0.05
    assert trimesh.Trimesh(made.vertices, made.triangles).volume == pytest.approx(4 / 3 * np.pi, rel=0.05)
    assert len(coarser(Piece(ball.vertices, ball.faces, ""), 12).triangles) <= 12
    flat = Piece(np.zeros((3, 3)), np.array([[0, 1, 2]]), "")
    assert len(coarser(flat, 12).triangles) == 1


def test_many_fine_meshes_share_what_a_page_can_hold(tmp_path: Path) -> None:
    trimesh.creation.icosphere(subdivisions=5).export(tmp_path / "ball.stl")
    world = world_of(tmp_path, "ball.stl")
    (body,) = world.bodies
    many = body.altered(visuals=(body.visuals[0],) * 4)
    said: list[str] = []
    drawn = drawn_bodies([many], said.append)["base"]
    assert sum(len(x["triangles"]) for x in drawn) <= MOST_TRIANGLES
    assert any(f"are drawn with {MOST_TRIANGLES}" in line for line in said)


@pytest.mark.parametrize("given", [{}, {"file": "a.stl", "shape": {"kind": "sphere", "radius": 1.0}}, {"color": "red"}])
def test_what_is_no_visual_is_refused(given: dict[str, object]) -> None:
    with pytest.raises(ValueError):
        Visual.model_validate(given)
