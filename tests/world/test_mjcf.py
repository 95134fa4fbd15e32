"""MJCF import against MuJoCo itself: mass matrix, inverse dynamics and poses of its own models; and what it refuses."""

import warnings
from pathlib import Path

import numpy as np
import pytest

import softdock as sd
from softdock.spatial import conjugate, matrix_of_quaternion, quaternion_product
from softdock.world import WorldFileError, load_mjcf
from softdock.world.visuals import drawn_bodies

gymnasium = pytest.importorskip("gymnasium")
mujoco = pytest.importorskip("mujoco")

ASSETS = Path(gymnasium.__file__).parent / "envs" / "mujoco" / "assets"
MODELS = (
    "ant", "half_cheetah", "hopper", "humanoid", "inverted_double_pendulum", "point", "pusher_v5", "reacher", "swimmer",
    "walker2d_v5",
)  # fmt: skip
"""Gymnasium's, which descend from MuJoCo's own examples."""


def quiet(path: Path) -> sd.World:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return load_mjcf(path)


def compiled(path: Path) -> "mujoco.MjModel":
    """MuJoCo's model of a file, without what the import names as left out (armature of slides) and without a fluid."""
    model = mujoco.MjModel.from_xml_path(str(path))
    hinges = model.jnt_type[model.dof_jntid] == mujoco.mjtJoint.mjJNT_HINGE
    model.dof_armature[~hinges] = 0.0
    model.opt.density = model.opt.viscosity = 0.0
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    mujoco.mj_setConst(model, mujoco.MjData(model))
    return model


def as_softdock(model: "mujoco.MjModel", qpos: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """q of a MuJoCo configuration, whose zero is the file's own; and T with v = T qvel."""
    q, T = qpos - model.qpos0, np.eye(model.nv)
    for kind, at, dof in zip(model.jnt_type, model.jnt_qposadr, model.jnt_dofadr, strict=True):
        if kind == mujoco.mjtJoint.mjJNT_FREE:
            R0 = matrix_of_quaternion(model.qpos0[at + 3 : at + 7])
            q[at : at + 3] = R0.T @ (qpos[at : at + 3] - model.qpos0[at : at + 3])
            q[at + 3 : at + 7] = quaternion_product(conjugate(model.qpos0[at + 3 : at + 7]), qpos[at + 3 : at + 7])
            T[dof : dof + 3, dof : dof + 3] = R0.T
        elif kind == mujoco.mjtJoint.mjJNT_BALL:
            q[at : at + 4] = qpos[at : at + 4]
    return q, T


def compared(path: Path, seed: int = 7, states: int = 3) -> tuple[float, float, float]:
    """Largest differences from MuJoCo: mass matrix and inverse dynamics, by the largest entry; positions (m)."""
    model, dynamics = compiled(path), sd.Dynamics(quiet(path))
    data, random, worst = mujoco.MjData(model), np.random.default_rng(seed), np.zeros(3)
    assert dynamics.nv == model.nv
    named = [mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_BODY, k) for k in range(1, model.nbody)]
    for _ in range(states):
        data.qpos[:] = model.qpos0
        mujoco.mj_integratePos(model, data.qpos, random.uniform(-1, 1, model.nv), 1.0)
        data.qvel[:], data.qacc[:] = random.uniform(-2, 2, model.nv), random.uniform(-2, 2, model.nv)
        q, T = as_softdock(model, data.qpos)
        mujoco.mj_inverse(model, data)
        M = np.zeros((model.nv, model.nv))
        mujoco.mj_fullM(model, data, M)
        worst[0] = max(worst[0], np.abs(T.T @ dynamics.mass_matrix(q) @ T - M).max() / np.abs(M).max())
        tau = T.T @ dynamics.inverse_dynamics(q, T @ data.qvel, T @ data.qacc)
        worst[1] = max(worst[1], np.abs(tau - data.qfrc_inverse).max() / np.abs(data.qfrc_inverse).max())
        for k, name in enumerate(named, start=1):
            if name:
                worst[2] = max(worst[2], np.abs(dynamics.pose(name, q)[1] - data.xpos[k]).max())
    return float(worst[0]), float(worst[1]), float(worst[2])


@pytest.mark.parametrize("name", MODELS)
def test_mass_matrix_and_inverse_dynamics_are_mujocos(name: str) -> None:
    mass, forces, positions = compared(ASSETS / f"{name}.xml")
    assert mass < 1e-9 and forces < 1e-9 and positions < 1e-9


CRAFT = """<mujoco model="craft"><compiler angle="radian" eulerseq="XYZ"/><option gravity="0 0 0"/>
<default><geom density="500"/><default class="thin"><joint damping="0.3" axis="0 1 0"/></default></default>
<worldbody>
 <body name="bus" pos="1 2 3" euler="0.3 -0.2 0.5"><freejoint name="root"/>
  <geom type="box" size=".5 .4 .3"/><geom type="ellipsoid" size=".1 .2 .3" pos=".4 0 0" contype="0" conaffinity="0"/>
  <site name="port" pos="0 0 .3" zaxis="0 1 1"/>
  <frame pos=".5 0 0" axisangle="0 0 1 0.4">
   <body name="arm" childclass="thin" xyaxes="1 0.1 0 0 1 0.2">
    <joint name="yaw" axis="0 0 1" pos="0 .1 0" ref="0.2" range="-1 1" stiffness="3" springref="0.5"/>
    <joint name="pitch"/>
    <geom type="capsule" fromto="0 0 0 .8 0.1 0" size=".04"/>
    <body name="hand" pos=".8 .1 0"><joint name="wrist" type="ball" pos="0 0 .05"/>
     <geom type="cylinder" size=".05 .1" euler="0.1 0.2 0.3" mass="2.5"/>
     <body name="slider" quat=".9 .1 .2 .1"><joint name="slide" type="slide" class="thin"/>
      <inertial pos="0.01 0 0.02" mass="0.7" fullinertia=".02 .03 .025 .001 .002 -.001"/></body>
    </body>
   </body>
  </frame>
 </body>
</worldbody>
<actuator><position joint="yaw" kp="10" kv="2" gear="3"/><motor joint="pitch" gear="5" ctrlrange="-2 1"/></actuator>
</mujoco>"""


def test_everything_that_is_read_is_as_mujoco_reads_it(tmp_path: Path) -> None:
    (tmp_path / "craft.xml").write_text(CRAFT)
    world = quiet(tmp_path / "craft.xml")
    yaw, pitch = world.body("yaw").joint, world.body("arm").joint
    assert isinstance(yaw, sd.Revolute) and isinstance(pitch, sd.Revolute)
    assert yaw.servo == sd.Servo(kp=90.0, kd=18.0) and yaw.limits == sd.Limits(lower=(-1.2,), upper=(0.8,))
    assert pitch.actuator == sd.Actuator(effort=10.0) and pitch.damping == (0.3,)
    assert world.body_of("pitch") == "arm" and world.body_of("port") == "bus" and world.gravity.kind == "none"
    bare = (
        CRAFT[: CRAFT.index("<actuator>")] + "</mujoco>"
    )  # MuJoCo's servo is a control, ours is part of the mechanics
    (tmp_path / "bare.xml").write_text(bare)
    assert max(compared(tmp_path / "bare.xml")) < 1e-12


@pytest.mark.parametrize(
    ("body", "named"),
    [
        ("<geom type='plane' size='1 1 1'/>", "geom of type plane"),
        ("<joint type='slide' armature='0.1'/><geom size='1'/>", "armature of a slide"),
        ("<composite type='cable'/><geom size='1'/>", "<composite>"),
        (
            "<geom size='.1'/></body></worldbody><tendon><fixed/></tendon><worldbody><body><geom size='.1'/>",
            "<tendon>",
        ),
    ],
)  # fmt: skip
def test_what_is_not_understood_is_named(tmp_path: Path, body: str, named: str) -> None:
    text = f"<mujoco><worldbody><body><joint/><geom size='.1'/></body><body>{body}</body></worldbody></mujoco>"
    (tmp_path / "model.xml").write_text(text)
    with pytest.warns(UserWarning, match="left out") as told:
        load_mjcf(tmp_path / "model.xml")
    assert named in str(told[0].message) and "\n" not in str(told[0].message)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("<robot/>", "outermost element is <mujoco>"),
        ("<mujoco><include file='../other.xml'/></mujoco>", "other.xml"),
        ("<mujoco><include file='model.xml'/></mujoco>", "include each other"),
        ("<mujoco><worldbody/></mujoco>", "has no <body>"),
        ("<mujoco><worldbody><body><geom size='x'/></body></worldbody></mujoco>", "not numbers"),
        ("<mujoco><worldbody><body><geom size='nan'/></body></worldbody></mujoco>", "finite"),
        ("<mujoco><worldbody><body><joint type='screw'/><geom size='1'/></body></worldbody></mujoco>", "unknown type"),
        ("<mujoco><worldbody><body><geom class='no' size='1'/></body></worldbody></mujoco>", "unknown class"),
        ("<mujoco><worldbody><body><geom type='mesh' mesh='a'/></body></worldbody></mujoco>", "no mesh 'a'"),
        ("<mujoco><compiler coordinate='global'/></mujoco>", "global"),
        ("<mujoco><worldbody><body name='a'/></worldbody>", "well-formed"),
    ],
)
def test_a_model_that_cannot_be_read_is_refused_in_one_line(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "model.xml").write_text(text)
    with pytest.raises(WorldFileError, match=said) as refused:
        load_mjcf(tmp_path / "model.xml")
    assert "\n" not in str(refused.value) and len(str(refused.value)) < 500


def test_a_toml_world_imports_mjcf(tmp_path: Path) -> None:
    (tmp_path / "craft.xml").write_text(CRAFT)
    (tmp_path / "world.toml").write_text(
        'gravity = {kind = "none"}\n[[mjcf]]\npath = "craft.xml"\nprefix = "a."\nplacement = {position = [9, 0, 0]}\n'
    )
    with pytest.warns(UserWarning, match="ellipsoid"):
        world = sd.load_world(tmp_path / "world.toml")
    assert world.body("a.bus").placement.position[0] == pytest.approx(10.0)
    assert world.body_of("a.pitch") == "a.arm"


PAINTED = """<mujoco><default><default class="seen"><geom group="2" contype="0" conaffinity="0"/></default>
<default class="touching"><geom group="3" rgba="1 0 0 1"/></default></default>
<asset><material name="gold" rgba=".8 .6 .2 1"/>
<texture name="t" type="2d" builtin="flat" rgb1="1 1 1" width="8" height="8"/>
<material name="printed" texture="t" rgba=".1 .2 .3 1"/></asset>
<worldbody><body name="bus"><freejoint/>
 <geom name="a" class="touching" size=".5"/>
 <geom name="b" class="seen" type="box" size=".1 .2 .3" pos=".1 0 0" material="gold"/>
 <frame pos="0 0 1"><geom name="c" class="seen" type="capsule" size=".1 .2" euler="90 0 0" material="printed"/></frame>
 <geom name="d" class="seen" type="sphere" size=".1" rgba="0 0 0 0"/>
 <body name="plain"><joint/><geom type="box" size=".1 .1 .1"/></body>
</body></worldbody></mujoco>"""


def test_geoms_that_mujoco_draws_are_drawn_in_its_colours_and_others_touch(tmp_path: Path) -> None:
    (tmp_path / "painted.xml").write_text(PAINTED)
    with pytest.warns(UserWarning, match="left out: texture of a material") as told:
        world = load_mjcf(tmp_path / "painted.xml")
    assert len(told) == 1
    bus, model = world.body("bus"), mujoco.MjModel.from_xml_path(str(tmp_path / "painted.xml"))
    assert [shape.kind for shape in bus.shapes] == ["sphere"] and not world.body("plain").visuals
    drawn = drawn_bodies(world.bodies)["bus"]
    assert [shape["kind"] for shape in drawn] == ["box", "capsule"]
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    for shape, name in zip(drawn, "bc", strict=True):
        geom = model.geom(name)
        material = model.mat_rgba[geom.matid[0]]
        assert shape["color"] == "#{:02x}{:02x}{:02x}".format(*np.round(255 * material[:3]).astype(int))
        assert np.allclose(shape["position"], geom.pos, atol=1e-12)
        assert np.allclose(matrix_of_quaternion(shape["quaternion"]), data.geom(name).xmat.reshape(3, 3), atol=1e-12)


def test_meshes_weigh_what_mujoco_says_however_they_are_counted(tmp_path: Path) -> None:
    """Two boxes that overlap, with a hollow between them: the three ways to count their volume differ by 40 %."""
    trimesh = pytest.importorskip("trimesh")
    foot, leg = trimesh.creation.box((2, 1, 1)), trimesh.creation.box((1, 1, 3))
    leg.apply_translation((0.5, 0.2, 2.0))
    mesh = trimesh.util.concatenate([foot, leg])
    mesh.export(tmp_path / "boot.stl")
    counts = [len(mesh.vertices), 0, 0, len(mesh.faces)]
    parts = (np.array(counts, "<i4"), mesh.vertices.astype("<f4"), mesh.faces.astype("<i4"))
    (tmp_path / "boot.msh").write_bytes(b"".join(part.tobytes() for part in parts))
    (tmp_path / "cut.msh").write_bytes(b"".join(part.tobytes() for part in parts)[:-8])
    masses = set()
    for file in ("boot.stl", "boot.msh"):
        for kind in ("legacy", "exact", "convex"):
            path = tmp_path / "boot.xml"
            path.write_text(
                f"<mujoco><asset><mesh name='boot' file='{file}' inertia='{kind}' scale='0.1 0.2 0.1'/></asset>"
                "<worldbody><body name='b'><freejoint/><geom type='mesh' mesh='boot' pos='0.1 0 0' euler='10 20 30'/>"
                "</body></worldbody></mujoco>"
            )
            assert max(compared(path)) < (1e-6 if kind == "convex" else 1e-9)  # MuJoCo's hull is of single precision
            masses.add(round(quiet(path).body("b").mass, 3))
    assert len(masses) == 3
    path.write_text(path.read_text().replace("boot.msh", "cut.msh"))
    with pytest.raises(WorldFileError, match="counts do not fit its length"):
        load_mjcf(path)


def test_a_mesh_that_is_only_to_be_seen_spoils_nothing(tmp_path: Path) -> None:
    """Flat, or finer than is read: the body has its own mass and shape; one that touches is refused. Files may lie in
    a folder beside the model's, as those of MuJoCo's users do."""
    trimesh = pytest.importorskip("trimesh")
    square = trimesh.Trimesh([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], [[0, 1, 2], [0, 2, 3]])
    (tmp_path / "parts").mkdir()
    (tmp_path / "models").mkdir()
    square.export(tmp_path / "parts" / "flat.stl")
    (tmp_path / "parts" / "assets.xml").write_text(
        "<mujocoinclude><asset><mesh name='flat' file='../parts/flat.stl'/></asset></mujocoinclude>"
    )
    model = (
        "<mujoco><include file='../parts/assets.xml'/><worldbody><body name='b'><freejoint/>"
        "<inertial pos='0 0 0' mass='2' diaginertia='1 1 1'/><geom type='box' size='1 1 1' group='3'/>"
        "<geom type='mesh' mesh='flat' {}/></body></worldbody></mujoco>"
    )
    path = tmp_path / "models" / "model.xml"
    path.write_text(model.format("contype='0' conaffinity='0'"))
    body = quiet(path).body("b")
    assert (body.mass, [shape.kind for shape in body.shapes], len(body.visuals)) == (2.0, ["box"], 1)
    path.write_text(model.format(""))
    with pytest.raises(WorldFileError, match="no convex hull"):
        load_mjcf(path)
