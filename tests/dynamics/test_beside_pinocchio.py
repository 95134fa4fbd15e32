"""Mass matrix, inverse and forward dynamics, energy, momentum and frames are Pinocchio's, to 1e-9.

studies/pinocchio_trees.py repeats the first test on 200 random trees.
"""

import sysconfig
from pathlib import Path

import numpy as np
import pytest
from beside_pinocchio import Beside, worst_disagreement
from worlds import forest, mixed, random_pose, random_state

from softdock.dynamics import Dynamics
from softdock.world import Frame, NoGravity, Uniform, load_urdf

ROBOTS = Path(sysconfig.get_path("purelib")) / "cmeel.prefix/share/example-robot-data/robots"
TOLERANCE = 1e-9

FREE_AND_FIXED_TREES = "free<- revolute<0 revolute<0 prismatic<2 spherical<3 fixed<4 free<- revolute<6"
NESTED = "revolute<- planar<0 spherical<1 prismatic<2 free<3 fixed<4"
THREE_ROOTS = "planar<- revolute<0 fixed<1 prismatic<- spherical<3 free<4 fixed<- revolute<6"
INTERLEAVED = "spherical<- revolute<- prismatic<0 planar<1 fixed<2 revolute<4"

WELL_FORMED = {
    "ur_description/urdf/ur5_robot.urdf": "fixed",
    "panda_description/urdf/panda.urdf": "fixed",
    "xarm_description/urdf/xarm7.urdf": "free",
    "z1_description/urdf/z1.urdf": "free",
    "kinova_description/robots/kinova.urdf": "fixed",
    "solo_description/robots/solo12.urdf": "free",
    "a1_description/urdf/a1.urdf": "free",
    "baxter_description/urdf/baxter.urdf": "fixed",
    "talos_data/robots/talos_full_v2.urdf": "free",
}


@pytest.mark.parametrize("structure", [FREE_AND_FIXED_TREES, NESTED, THREE_ROOTS, INTERLEAVED])
@pytest.mark.parametrize("seed", range(2))
def test_random_numbers_in_trees_of_every_joint(structure: str, seed: int) -> None:
    rng = np.random.default_rng([seed, len(structure)])
    gravity = Uniform(acceleration=rng.normal(size=3) * 5) if seed % 2 else NoGravity()
    dynamics = Dynamics(forest(structure, rng, gravity))
    theirs = Beside.of(dynamics)
    for _ in range(3):
        q, v = random_state(dynamics, rng)
        found = worst_disagreement(dynamics, theirs, q, v, rng.normal(size=dynamics.nv))
        assert max(found.values()) < TOLERANCE, found


@pytest.mark.parametrize("robot", WELL_FORMED)
@pytest.mark.filterwarnings("ignore:.*<mimic> is ignored")
def test_real_robots_read_by_both(robot: str) -> None:
    base = WELL_FORMED[robot]
    bare = load_urdf(ROBOTS / robot, base, meshes=False)
    undamped = [b.altered(joint=_bare(b.joint)) for b in bare.bodies]
    dynamics = Dynamics(bare.altered(bodies=tuple(undamped), gravity=Uniform()))
    theirs = Beside.of_urdf(dynamics, ROBOTS / robot, base)
    rng = np.random.default_rng(5)
    q, v = random_state(dynamics, rng)
    found = worst_disagreement(dynamics, theirs, q, v, rng.normal(size=dynamics.nv))
    assert max(found.values()) < TOLERANCE, found


def _bare(joint):  # type: ignore[no-untyped-def]
    """Pinocchio's rnea and aba leave a URDF's damping and friction out."""
    return joint if joint.kind == "fixed" else joint.altered(damping=(0.0,), friction=None)


@pytest.fixture(scope="module")
def every_joint() -> tuple[Dynamics, Beside]:
    world = mixed(Uniform(acceleration=(1.0, -2.0, -9.0)), resisting=False)
    dynamics = Dynamics(world)
    return dynamics, Beside.of(dynamics)


def test_energy_momentum_and_centre_of_mass(every_joint: tuple[Dynamics, Beside]) -> None:
    dynamics, theirs = every_joint
    q, v = random_state(dynamics, np.random.default_rng(1))
    balance = dynamics.balance(q, v)
    kinetic, potential = theirs.energies(q, v)
    linear, spin, center = theirs.momentum(q, v)
    assert balance.kinetic == pytest.approx(kinetic, rel=1e-12)
    assert balance.potential == pytest.approx(potential, rel=1e-12)
    np.testing.assert_allclose(balance.momentum, linear, rtol=0, atol=1e-12 * np.abs(linear).max())
    np.testing.assert_allclose(balance.centroidal_angular_momentum, spin, rtol=0, atol=1e-12 * np.abs(spin).max())
    np.testing.assert_allclose(balance.center, center, rtol=0, atol=1e-12)
    internal = kinetic - linear @ linear / (2 * dynamics.mass)
    assert balance.internal == pytest.approx(internal, rel=1e-12)


@pytest.mark.parametrize("frame", ["tip", "bracket", "b2", "b7"])
def test_pose_and_jacobian_of_a_frame(every_joint: tuple[Dynamics, Beside], frame: str) -> None:
    dynamics, theirs = every_joint
    q, _ = random_state(dynamics, np.random.default_rng(2))
    R, p, J = theirs.frame(frame, q)
    ours_R, ours_p = dynamics.pose(frame, q)
    np.testing.assert_allclose(ours_R, R, atol=1e-13)
    np.testing.assert_allclose(ours_p, p, atol=1e-13)
    np.testing.assert_allclose(dynamics.jacobian(frame, q), J, atol=1e-13)


def test_momenta_are_mass_matrix_times_velocity(every_joint: tuple[Dynamics, Beside]) -> None:
    dynamics, _ = every_joint
    q, v = random_state(dynamics, np.random.default_rng(3))
    np.testing.assert_allclose(dynamics.momenta(q, v), dynamics.mass_matrix(q) @ v, rtol=1e-13)


def test_a_frame_on_the_world_stands_still() -> None:
    pose = random_pose(np.random.default_rng(0))
    world = mixed(resisting=False).altered(frames=(Frame(name="wall", body="world", placement=pose),))
    dynamics = Dynamics(world)
    q, _ = random_state(dynamics, np.random.default_rng(4))
    R, p = dynamics.pose("wall", q)
    np.testing.assert_array_equal(R, pose.rotation)
    np.testing.assert_array_equal(p, pose.position)
    assert not dynamics.jacobian("wall", q).any()
