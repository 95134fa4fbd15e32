"""D-H tables of both conventions, screw axes, worlds and URDF files of one arm put its tool at the same place."""

from pathlib import Path

import numpy as np
import pytest
from engines import random_arm, random_frame, random_inertial

from softdock.arm import (
    DenavitHartenberg,
    Inertial,
    Screws,
    SerialArm,
    arm_of,
    arm_of_urdf,
    body_jacobian,
    inverse_dynamics,
    jacobian,
    pose,
    reach,
    sawyer,
    space_jacobian,
)
from softdock.dynamics import Dynamics
from softdock.world import Body, Fixed, Frame, Free, Limits, Pose, Prismatic, Revolute, Spherical, Uniform, World

ARMS = [random_arm(np.random.default_rng([8, seed])) for seed in range(8)] + [sawyer(), sawyer("mjcf")]


def apart(one, other) -> float:
    return max(float(np.max(np.abs(a - b))) for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize("arm", ARMS)
def test_every_description_has_the_same_forward_kinematics(arm: SerialArm) -> None:
    screws = arm.screws()
    standard, modified = arm.denavit_hartenberg(), arm.denavit_hartenberg("modified")
    assert standard.convention == "standard" and modified.convention == "modified"
    others = [screws, standard, modified, standard.in_convention("modified"), modified.screws(), standard.screws()]
    back = [
        screws.arm(arm.inertials),
        Screws(screws.axes, screws.home).arm(arm.inertials),
        modified.arm(arm.inertials),
        standard.arm(arm.inertials),
        arm_of(arm.world(), "tool"),
    ]
    for q in np.random.default_rng(9).uniform(-3, 3, (20, arm.n)):
        here = pose(arm, q)
        assert max(apart(here, other.pose(q)) for other in others) < 1e-12
        assert max(apart(here, pose(other, q)) for other in back) < 1e-12


@pytest.mark.parametrize("arm", [ARMS[0], ARMS[1], ARMS[8]])
def test_inertias_come_along(arm: SerialArm) -> None:
    q, v, a = np.random.default_rng(10).uniform(-2, 2, (3, 20, arm.n))
    table = arm.denavit_hartenberg("modified")
    there = [
        table.arm(arm.in_frames(table.frames(np.zeros(arm.n))), arm.gravity),
        arm.screws().arm(arm.inertials, arm.gravity),
        arm_of(arm.world(), "tool"),
    ]
    torque = inverse_dynamics(arm, q, v, a)
    assert max(np.max(np.abs(inverse_dynamics(other, q, v, a) - torque)) for other in there) < 1e-11


@pytest.mark.parametrize("standard", [True, False])
def test_a_table_given_by_hand(standard: bool) -> None:
    """Parallel axes, coincident axes and a slide: a SCARA arm. Its tool's place is elementary geometry."""
    rows = [[0.3, 0, 0.5, 0], [0.2, np.pi, 0, 0], [0, 0, 0.1, 0], [0, 0, 0, 0]]
    given = DenavitHartenberg(np.array(rows), "standard", [False, False, True, False])
    table = given if standard else given.in_convention("modified")
    arm = table.arm([random_inertial(np.random.default_rng(k)) for k in range(4)])
    q = np.array([0.4, -0.9, 0.25, 0.3])
    x = 0.3 * np.cos(0.4) + 0.2 * np.cos(-0.5)
    y = 0.3 * np.sin(0.4) + 0.2 * np.sin(-0.5)
    for R, p in (table.pose(q), pose(arm, q), arm.denavit_hartenberg().pose(q)):
        assert np.allclose(p, [x, y, 0.5 - 0.1 - 0.25], rtol=0, atol=1e-14)
        assert np.allclose(R[:, 2], [0, 0, -1], rtol=0, atol=1e-14)


@pytest.mark.parametrize("arm", [ARMS[0], ARMS[8]])
def test_jacobians(arm: SerialArm) -> None:
    """Against softdock's mechanics, and the two twists against differences of the pose."""
    dynamics, (q, v) = Dynamics(arm.world()), np.random.default_rng(11).uniform(-2, 2, (2, arm.n))
    assert np.max(np.abs(jacobian(arm, q) - dynamics.jacobian("tool", q))) < 1e-12
    h = 1e-5
    T, ahead, behind = np.eye(4), np.eye(4), np.eye(4)
    for matrix, at in ((T, q), (ahead, q + h * v), (behind, q - h * v)):
        matrix[:3, :3], matrix[:3, 3] = pose(arm, at)
    rate = (ahead - behind) / (2 * h)
    for twist, X in (
        (space_jacobian(arm, q) @ v, rate @ np.linalg.inv(T)),
        (body_jacobian(arm, q) @ v, np.linalg.inv(T) @ rate),
    ):
        assert np.allclose(twist, [X[2, 1], X[0, 2], X[1, 0], *X[:3, 3]], rtol=0, atol=1e-8)


def test_reach_finds_sawyers_poses_within_its_limits() -> None:
    arm, rng = sawyer(), np.random.default_rng(12)
    for k in range(15):
        R, p = pose(arm, rng.uniform(arm.lower, arm.upper))
        found = reach(arm, R, p, seed=k)
        assert apart(pose(arm, found.q), (R, p)) < 2e-10
        assert np.all((arm.lower <= found.q) & (found.q <= arm.upper))


URDF = """<robot name="two"><link name="base"/>
<link name="a"><inertial><mass value="2"/><origin xyz="0.1 0 0"/>
<inertia ixx="0.1" iyy="0.2" izz="0.2"/></inertial></link>
<link name="b"><inertial><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1"/></inertial></link>
<link name="camera"><inertial><mass value="0.5"/><inertia ixx="0.01" iyy="0.01" izz="0.01"/></inertial></link>
<joint name="turn" type="revolute"><parent link="base"/><child link="a"/><origin xyz="0 0 0.2"/><axis xyz="0 0 1"/>
<limit lower="-1" upper="2" effort="1" velocity="1"/></joint>
<joint name="slide" type="prismatic"><parent link="a"/><child link="b"/><origin xyz="0.5 0 0" rpy="0 0.3 0"/>
<axis xyz="1 0 0"/></joint>
<joint name="glue" type="fixed"><parent link="b"/><child link="camera"/><origin xyz="0 0 0.1"/></joint></robot>"""


def test_a_urdf_file(tmp_path) -> None:
    """What is fixed to a link is part of it."""
    file = tmp_path / "two.urdf"
    file.write_text(URDF)
    arm = arm_of_urdf(file, "camera")
    assert arm.links == ("a", "b") and arm.prismatic.tolist() == [False, True]
    assert arm.mass == 3.5 and np.allclose(arm.inertials[1].center, [0, 0, 0.1 * 0.5 / 1.5])
    assert arm.lower[0] == -1 and arm.upper[0] == 2 and np.isinf(arm.lower[1])
    _, p = pose(arm, [np.pi / 2, 0.0])
    assert np.allclose(p, [0, 0.5 + 0.1 * np.sin(0.3), 0.2 + 0.1 * np.cos(0.3)])


def test_an_arm_on_a_moving_bus() -> None:
    """The chain from a body other than the world; gravity is not known there."""
    link = {"mass": 1.0, "inertia": (0.1, 0.1, 0.1)}
    bodies = (
        Body(name="bus", joint=Free(), **link),
        Body(name="mast", parent="bus", joint=Fixed(), placement=Pose(position=(0, 0, 1)), **link),
        Body(name="arm", parent="mast", joint=Revolute(), placement=Pose(position=(1, 0, 0)), **link),
        Body(name="dish", parent="bus", joint=Revolute(), **link),
    )
    tip = Frame(name="tip", body="arm", placement=Pose(position=(0, 1, 0)))
    world = World(gravity=Uniform(), bodies=bodies, frames=(tip,))
    arm = arm_of(world, "tip", base="bus")
    assert np.allclose(pose(arm, [0.0])[1], [1, 1, 1]) and arm.mass == 1.0 and not np.any(arm.gravity)
    with pytest.raises(ValueError, match="'bus': a free joint is not a serial arm's"):
        arm_of(world, "tip")
    with pytest.raises(ValueError, match="'dish' does not hang from 'arm'"):
        arm_of(World(bodies=(bodies[0], bodies[2].altered(parent="bus"), bodies[3])), "dish", base="arm")
    with pytest.raises(ValueError, match="no joint moves between 'bus' and 'mast'"):
        arm_of(world, "mast", base="bus")
    ball = Body(name="ball", parent="arm", joint=Spherical(), **link)
    with pytest.raises(ValueError, match="'ball' moves on its own off the chain"):
        arm_of(World(bodies=(*bodies, ball)), "arm", base="bus")


def test_a_chain_out_of_a_tree_has_its_fingers_held() -> None:
    """Torques beside softdock's core, which moves the whole tree: fingers at rest, one of them at its limit."""
    link = {"mass": 1.0, "inertia": (0.02, 0.03, 0.04), "center": (0.05, 0.02, 0.1)}
    finger = {"mass": 0.3, "inertia": (1e-3, 2e-3, 1e-3), "center": (0.0, 0.01, 0.02)}
    limits = Limits(lower=(0.01,), upper=(0.04,))
    bodies = (
        Body(name="a", joint=Revolute(axis=(0, 0, 1)), placement=Pose(position=(0, 0, 0.2)), **link),
        Body(name="b", parent="a", joint=Revolute(axis=(0, 1, 0)), placement=Pose(position=(0, 0, 0.3)), **link),
        Body(name="hand", parent="b", joint=Fixed(), placement=Pose(position=(0, 0, 0.2), rpy=(0.1, 0.2, 0.3)), **link),
        Body(name="left", parent="hand", joint=Prismatic(axis=(0, 1, 0), limits=limits), **finger),
        Body(
            name="right",
            parent="hand",
            joint=Revolute(axis=(1, 0, 0)),
            placement=Pose(position=(0, -0.05, 0)),
            **finger,
        ),
    )
    world = World(gravity=Uniform(), bodies=bodies)
    arm, dynamics = arm_of(world, "hand"), Dynamics(world)
    assert arm.links == ("a", "b") and arm.mass == pytest.approx(3.6)
    rng = np.random.default_rng(14)
    for _ in range(5):
        q, v, a = rng.normal(size=(3, 2))
        full = dynamics.inverse_dynamics([*q, 0.01, 0.0], [*v, 0.0, 0.0], [*a, 0.0, 0.0])
        np.testing.assert_allclose(inverse_dynamics(arm, q, v, a), full[:2], atol=1e-12)


def random_tree(rng: np.random.Generator, path: Path, joints: int) -> dict[str, tuple[str, str]]:
    """A URDF file of a tree with joints of all kinds: of each link but the first, its parent and its joint's kind."""
    words = lambda row: " ".join(repr(float(x)) for x in row)  # noqa: E731
    parts, tree = ['<robot name="tree"><link name="l0"/>'], {}
    for k in range(1, joints + 1):
        parent = f"l{rng.integers(max(0, k - 3), k)}"
        kind = str(rng.choice(["revolute", "continuous", "prismatic", "fixed"], p=[0.5, 0.15, 0.2, 0.15]))
        tree[f"l{k}"] = parent, kind
        body, low = random_inertial(rng), rng.uniform(-2, 0.5)
        (a, b, c), (_, d, e), (_, _, f) = body.inertia
        inertia = f'ixx="{a}" ixy="{b}" ixz="{c}" iyy="{d}" iyz="{e}" izz="{f}"'
        xyz, rpy = words(rng.uniform(-0.4, 0.4, 3)), words(rng.uniform(-3, 3, 3))
        limit = f'<limit lower="{low}" upper="{low + 1}" effort="9" velocity="2"/>' if kind[0] in "rp" else ""
        parts.append(
            f'<link name="l{k}"><inertial><origin xyz="{words(body.center)}"/><mass value="{body.mass}"/>'
            f'<inertia {inertia}/></inertial></link><joint name="l{k}" type="{kind}"><parent link="{parent}"/>'
            f'<child link="l{k}"/><origin xyz="{xyz}" rpy="{rpy}"/>'
            f'<axis xyz="{words(rng.normal(size=3))}"/>{limit}</joint>'
        )
    path.write_text("".join(parts) + "</robot>")
    return tree


@pytest.mark.parametrize("seed", range(12))
def test_a_chain_out_of_any_tree_moves_as_pinocchios_tree(seed: int, tmp_path: Path) -> None:
    """Pinocchio has the whole tree, with all that is off the chain at rest: at zero, or at the limit next to it."""
    pin = pytest.importorskip("pinocchio")
    rng = np.random.default_rng([26, seed])
    file = tmp_path / "tree.urdf"
    tree = random_tree(rng, file, int(rng.integers(3, 12)))
    chain, link = [], f"l{len(tree)}"
    while link != "l0":
        chain, link = [link, *chain], tree[link][0]
    chain = [name for name in chain if tree[name][1] != "fixed"]
    if not chain:
        with pytest.raises(ValueError, match="no joint moves"):
            arm_of_urdf(file, f"l{len(tree)}")
        return
    arm = arm_of_urdf(file, f"l{len(tree)}")
    assert arm.links == tuple(chain)
    model = pin.buildModelFromUrdf(str(file))
    model.gravity.linear = np.array(arm.gravity)
    q, v, a = rng.uniform(-1.5, 1.5, (3, len(chain)))
    whole, rates, accelerations = pin.neutral(model), np.zeros(model.nv), np.zeros(model.nv)
    for name, (_, kind) in tree.items():
        if kind == "fixed":
            continue
        joint, low, high = model.joints[model.getJointId(name)], model.lowerPositionLimit, model.upperPositionLimit
        if name in chain:
            k = chain.index(name)
            x, rates[joint.idx_v], accelerations[joint.idx_v] = q[k], v[k], a[k]
        else:
            x = 0.0 if kind == "continuous" else np.clip(0.0, low[joint.idx_q], high[joint.idx_q])
        whole[joint.idx_q : joint.idx_q + joint.nq] = [x] if joint.nq == 1 else [np.cos(x), np.sin(x)]
    data = model.createData()
    torques = pin.rnea(model, data, whole, rates, accelerations)
    there = [model.joints[model.getJointId(name)].idx_v for name in chain]
    np.testing.assert_allclose(inverse_dynamics(arm, q, v, a), torques[there], rtol=1e-11, atol=1e-11)


def good() -> dict:
    rng = np.random.default_rng(13)
    return {
        "placements": [random_frame(rng), random_frame(rng)],
        "axes": [[0, 0, 1], [1, 0, 0]],
        "prismatic": [False, True],
        "inertials": (random_inertial(rng), random_inertial(rng)),
    }


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: DenavitHartenberg(np.zeros((7, 5))), r"4 columns \(a, alpha, d, theta\), this one is 7 x 5"),
        (lambda: DenavitHartenberg(np.zeros(4)), "4 columns .*, this one is 4"),
        (lambda: DenavitHartenberg([[0, 0, np.nan, 0]]), "D-H table has an entry that is not finite"),
        (lambda: DenavitHartenberg(np.zeros((2, 4)), "classic"), "convention must be 'standard' or 'modified'"),
        (lambda: DenavitHartenberg(np.zeros((2, 4)), prismatic=[True]), "what 1 joints do, but the table has 2"),
        (lambda: DenavitHartenberg(np.zeros((2, 4)), base=np.ones((4, 4))), "base is not a rigid transform"),
        (lambda: Screws([[0, 0, 1.1, 0, 0, 0]], np.eye(4)), "screw axis 1: angular part has length 1.1"),
        (lambda: Screws([[0, 0, 0, 0, 0, 0]], np.eye(4)), "screw axis 1: linear part .* has length 0"),
        (lambda: Screws([[0, 0, 1, 0, 0, 0.2]], np.eye(4)), "screw axis 1: pitch is 0.2"),
        (lambda: Screws([[0, 0, 1]], np.eye(4)), "screw axes must be n x 6 numbers, not 1 x 3"),
        (lambda: Screws([[0, 0, 1, 0, 0, 0]], np.eye(4)).arm([]), "0 inertials for 1 links"),
        (lambda: SerialArm(**{**good(), "axes": [[0, 0, 1], [1, 1, 0]]}), "axis of joint 2 has length 1.41421"),
        (lambda: SerialArm(**{**good(), "axes": np.zeros((0, 3))}), "at least one joint"),
        (lambda: SerialArm(**{**good(), "prismatic": [True]}), "what 1 joints do, but there are 2"),
        (lambda: SerialArm(**good(), lower=[0, 0], upper=[1, 0]), "the lower one below the upper"),
        (lambda: SerialArm(**good(), links=("a", "a")), "different names"),
        (lambda: Inertial(1.0, [0, 0], np.eye(3)), "centre of mass must be 3 numbers, not 2"),
        (lambda: Inertial(1.0, [0, 0, 0], [[1, 2, 0], [0, 1, 0], [0, 0, 1]]), "inertia is not symmetric"),
        (lambda: SerialArm(**good()).with_parameters(np.zeros(10)), "parameters must be 20 numbers, not 10"),
        (lambda: sawyer("paper"), "parameters must be 'urdf' or 'mjcf'"),
        (lambda: sawyer().world("wall"), "mount must be one of fixed, bearing, planar, orbit"),
        (lambda: sawyer().with_parameters(-sawyer().parameters()).world(), "mass"),
    ],
)  # fmt: skip
def test_bad_descriptions_are_refused(make, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()


def test_nearly_parallel_axes_have_no_table() -> None:
    tilt = 1e-8
    axes = [[0, 0, 1, 0, 0, 0], [0, np.sin(tilt), np.cos(tilt), np.cos(tilt), 0, 0]]  # they meet 1e8 m away
    with pytest.raises(ValueError, match="no D-H table reproduces this arm"):
        Screws(axes, np.eye(4)).arm([random_inertial(np.random.default_rng(1))] * 2).denavit_hartenberg()


def test_efforts_speeds_and_shapes_survive_every_mount_and_two_arms_fit_in_one_world() -> None:
    arm = sawyer()
    for mount, joints in (("fixed", 7), ("bearing", 10), ("planar", 10), ("orbit", 13)):
        world = arm.world(mount)
        assert sum(body.joint.nv for body in world.bodies) == joints
        back = arm_of(world, "tool", base="world" if mount == "fixed" else "platform")
        assert np.array_equal(back.effort, arm.effort) and np.array_equal(back.speed, arm.speed)
        assert back.shapes == arm.shapes
    assert arm.effort.tolist() == [80, 80, 40, 40, 9, 9, 9]  # of its URDF
    there = Pose(position=(1.5, 0.2, 0.0), rpy=(0, 0, np.pi))
    two = arm.world("planar").prefixed("a_").joined(arm.world("planar").prefixed("b_").placed(there))
    q = np.random.default_rng(3).uniform(-1, 1, 7)
    dynamics = Dynamics(two)
    states = {f"{side}_{link}": {"position": x} for side in "ab" for link, x in zip(arm.links, q, strict=True)}
    at = dynamics.state(states)[0]
    (R_a, p_a), (R_b, p_b) = dynamics.pose("a_tool", at), dynamics.pose("b_tool", at)
    assert there.rotation @ p_a + there.position == pytest.approx(p_b)
    assert there.rotation @ R_a == pytest.approx(R_b)
