"""Real robots (package example-robot-data), read by us and by Pinocchio."""

import sysconfig
from pathlib import Path

import numpy as np
import pinocchio
import pytest

from softdock.world import ConvexMesh, Fixed, Pose, World, WorldFileError, load_urdf

SHARE = Path(sysconfig.get_path("purelib")) / "cmeel.prefix" / "share"
ROBOTS = SHARE / "example-robot-data" / "robots"

GOOD = [
    "a1_description/urdf/a1.urdf",
    "alex_description/urdf/alex_nub_hands.urdf",
    "asr_twodof_description/urdf/TwoDofs.urdf",
    "baxter_description/urdf/baxter.urdf",
    "borinot_description/urdf/borinot_flying_arm_2.urdf",
    "centauro_description/urdf/centauro.urdf",
    "double_pendulum_description/urdf/double_pendulum.urdf",
    "finger_edu_description/robots/finger_edu.urdf",
    "g1_description/urdf/g1_29dof_rev_1_0.urdf",
    "go2_description/urdf/go2.urdf",
    "hector_description/robots/quadrotor_base.urdf",
    "hextilt_description/urdf/hextilt_flying_arm_5.urdf",
    "human_description/robots/human.urdf",
    "iris_description/robots/iris.urdf",
    "kinova_description/robots/kinova.urdf",
    "laikago_description/urdf/laikago.urdf",
    "panda_description/urdf/panda.urdf",
    "simple_humanoid_description/urdf/simple_humanoid.urdf",
    "so_arm_description/urdf/so101.urdf",
    "solo_description/robots/solo12.urdf",
    "talos_data/robots/talos_full_v2.urdf",
    "tiago_pro_description/robots/tiago_pro.urdf",
    "ur_description/urdf/ur10_robot.urdf",
    "ur_description/urdf/ur5_robot.urdf",
    "xarm_description/urdf/xarm7.urdf",
    "z1_description/urdf/z1.urdf",
]

UNPHYSICAL = {
    "alex_description/urdf/alex_psyonic_hands.urdf": "'LeftPsyonicAbilityBaseLink' violates the triangle inequality",
    "anymal_c_simple_description/urdf/anymal.urdf": "'depth_camera_front_camera' violates the triangle inequality",
    "b1_description/urdf/b1.urdf": "'base' violates the triangle inequality",
    "bolt_description/robots/bolt.urdf": "'FL_FOOT' has inertia but no mass",
    "icub_description/robots/icub.urdf": "'head' is not positive",
    "pr2_description/urdf/pr2.urdf": "'sensor_mount_link' violates the triangle inequality",
    "romeo_description/urdf/romeo.urdf": "'RThumb3Link' moves but has no mass",
    "tiago_description/robots/tiago.urdf": "'base_antenna_left_link' is not positive",
    "ur_description/urdf/ur3.urdf": "has no <link>",
}

pytestmark = pytest.mark.filterwarnings("ignore:.*<mimic> is ignored")


def placement_among_moving(world: World, name: str) -> Pose:
    """The joint's placement in the nearest moving body below it, as Pinocchio keeps it."""
    body = world.body(name)
    placement = body.placement
    while body.parent != "world" and isinstance((body := world.body(body.parent)).joint, Fixed):
        placement = body.placement @ placement
    return placement


@pytest.mark.parametrize("robot", GOOD)
def test_joints_and_masses_are_those_of_pinocchio(robot: str) -> None:
    path = ROBOTS / robot
    world = load_urdf(path, "free", meshes=False)
    model = pinocchio.buildModelFromUrdf(str(path), pinocchio.JointModelFreeFlyer())
    moving = [body for body in world.bodies if not isinstance(body.joint, Fixed)]
    assert len(moving) == model.njoints - 1
    assert sum(body.mass for body in world.bodies) == pytest.approx(pinocchio.computeTotalMass(model), rel=1e-12)
    rooted = any(frame.name == "world" for frame in model.frames)
    for index in range(2, model.njoints):
        name = world.body_of(model.names[index])
        if rooted and world.body(world.body(name).parent).parent == "world":
            continue  # Pinocchio's free body is then the link "world", not what it carries
        ours = placement_among_moving(world, name).matrix()
        np.testing.assert_allclose(ours, model.jointPlacements[index].homogeneous, atol=1e-12)


@pytest.mark.parametrize("robot", GOOD)
def test_a_fixed_base_has_the_same_joints(robot: str) -> None:
    world = load_urdf(ROBOTS / robot, meshes=False)
    model = pinocchio.buildModelFromUrdf(str(ROBOTS / robot))
    moving = {body.name for body in world.bodies if not isinstance(body.joint, Fixed)}
    assert moving == {world.body_of(name) for name in model.names[1:]}
    for index in range(1, model.njoints):
        ours = placement_among_moving(world, world.body_of(model.names[index])).matrix()
        np.testing.assert_allclose(ours, model.jointPlacements[index].homogeneous, atol=1e-12)
        limits = world.body(world.body_of(model.names[index])).joint.limits
        if limits is not None:
            at = model.idx_qs[index]
            assert limits.lower == (model.lowerPositionLimit[at],) and limits.upper == (model.upperPositionLimit[at],)


@pytest.mark.parametrize("robot", UNPHYSICAL)
def test_a_robot_that_cannot_exist_is_refused_by_name(robot: str) -> None:
    with pytest.raises(WorldFileError, match=f"{Path(robot).name}: .*{UNPHYSICAL[robot]}"):
        load_urdf(ROBOTS / robot, meshes=False)


@pytest.mark.parametrize(
    "robot",
    [
        "baxter_description/urdf/baxter.urdf",
        "kinova_description/robots/kinova.urdf",
        "panda_description/urdf/panda.urdf",
        "solo_description/robots/solo.urdf",
        "talos_data/robots/talos_full_v2.urdf",
        "ur_description/urdf/ur5_robot.urdf",
    ],
)
@pytest.mark.filterwarnings("ignore:You passed package dir")
def test_hulls_have_the_extent_of_pinocchios_meshes(robot: str) -> None:
    path = ROBOTS / robot
    world = load_urdf(path)
    model = pinocchio.buildModelFromUrdf(str(path))
    shapes = pinocchio.buildGeomFromUrdf(model, str(path), pinocchio.GeometryType.COLLISION, [str(SHARE)])
    compared = 0
    for theirs in shapes.geometryObjects:
        link, _, index = theirs.name.rpartition("_")
        ours = world.body(link).shapes[int(index)]
        if isinstance(ours, ConvexMesh):
            vertices, hull = np.array(theirs.geometry.vertices()), np.array(ours.vertices)
            size = np.ptp(vertices)
            np.testing.assert_allclose(hull.min(axis=0), vertices.min(axis=0), atol=1e-6 * size)
            np.testing.assert_allclose(hull.max(axis=0), vertices.max(axis=0), atol=1e-6 * size)
            compared += 1
    assert compared > 0
