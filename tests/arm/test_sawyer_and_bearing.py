"""Sawyer as Korczyk et al. have it, and on its bearing."""

import numpy as np
import pytest
from engines import Pinocchio, random_arm, random_frame, random_inertial

from softdock.arm import (
    CONTROL_BOX,
    Platform,
    SerialArm,
    balance,
    bearing_torque,
    discrepancy,
    inverse_dynamics,
    masses_that_explain,
    pose,
    rest_to_upright,
    sawyer,
    table_1,
)
from softdock.arm.platform import bearing_torque_as_printed, first_moment
from softdock.arm.trajectories import UPRIGHT
from softdock.dynamics import Dynamics, Motion
from softdock.world import Elastic

TIMES = np.linspace(0.0, 2 * np.pi, 201)

# Eqs. 10-11; the last row of S5-S7 is lost in print and follows from Sawyer's geometry: y = 0.05 + 0.1425 − 0.1685,
# x = 0.081 + 2 · 0.4, y = 0.024 + 0.1363.
PRINTED = np.array(
    [
        [0, 0, 1, 0, 0, 0],
        [0, 1, 0, -0.317, 0, 0.081],
        [1, 0, 0, 0, 0.317, -0.1925],
        [0, 1, 0, -0.317, 0, 0.481],
        [1, 0, 0, 0, 0.317, -0.024],
        [0, 1, 0, -0.317, 0, 0.881],
        [1, 0, 0, 0, 0.317, -0.1603],
    ]
)


@pytest.mark.parametrize("parameters", ["urdf", "mjcf"])
def test_the_papers_screw_axes(parameters) -> None:
    """To the printed digits: half a unit of the fourth decimal. (The URDF writes π as 3.1416.)"""
    assert np.max(np.abs(sawyer(parameters).screws().axes - PRINTED)) < 5e-5


def test_rest_is_along_x_and_upright_is_up() -> None:
    arm = sawyer()
    p_rest, p_up = pose(arm, np.zeros(7))[1], pose(arm, UPRIGHT)[1]
    assert p_rest[0] > 0.98 and abs(p_rest[2] - 0.317) < 1e-4
    assert abs(p_up[0] - 0.081) < 1e-4 and p_up[2] > 1.2
    motion = rest_to_upright(np.linspace(0, 6, 61))
    assert np.array_equal(motion.q[-1], UPRIGHT) and not np.any(motion.v[-1]) and not np.any(motion.a[0])
    assert np.allclose(np.gradient(motion.q, motion.t, axis=0)[5:-15], motion.v[5:-15], atol=5e-3)


def test_two_public_parameter_sets_differ_by_a_quarter_of_what_the_paper_saw() -> None:
    """The paper's 4 N m at joint 2: the sets give 0.92 N m there, half of it the mass of right_l4."""
    for motion in (table_1(TIMES), rest_to_upright(TIMES)):
        found = discrepancy(sawyer(), sawyer("mjcf"), motion)
        assert found.joint == 2 and 0.9 < found.max_torque < 0.94
        assert found.cause == "mass of right_l4" and 0.49 < found.causes[0].share < 0.51
        assert {cause.link for cause in found.causes[:4]} == {"right_l2", "right_l3", "right_l4", "right_l5"}
        assert abs(sum(cause.share for cause in found.causes) - 1) < 0.01
    assert discrepancy(sawyer(), sawyer(), table_1(TIMES)).max_torque == 0.0


def test_a_mass_that_explains_does() -> None:
    arm, motion = sawyer(), table_1(TIMES)
    by = {one.where: one for one in masses_that_explain(arm, motion, 2, 4.0)}
    k = arm.links.index("right_l4")
    links = list(arm.inertials)
    old = links[k]
    links[k] = type(old)(old.mass + by["right_l4"].mass, old.center, old.inertia)
    found = discrepancy(arm, arm.altered(inertials=tuple(links)), motion)
    assert found.joint == 2 and found.max_torque == pytest.approx(4.0, abs=1e-9)
    assert np.allclose(found.per_joint, by["right_l4"].per_joint, rtol=0, atol=1e-9)
    assert "right_l0" not in by
    with pytest.raises(ValueError, match="joint 8 is not one of 1 to 7"):
        masses_that_explain(arm, motion, 8, 4.0)


def locked(arm: SerialArm, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return np.tile([1.0, 0, 0, 0], (len(q), 1)), np.zeros((len(q), 3))


@pytest.mark.parametrize("motion", [table_1, rest_to_upright])
def test_bearing_torque_of_sawyer(motion) -> None:
    """Momentum method, spherical joint of softdock, and Pinocchio's; its joints' torques come out as well."""
    arm, s = sawyer(), motion(TIMES)
    unit, zero = locked(arm, s.q)
    ours = bearing_torque(arm, CONTROL_BOX, s.q, s.v, s.a)
    v, a = np.hstack([zero, s.v]), np.hstack([zero, s.a])
    joint = Dynamics(arm.world("bearing")).inverse_dynamics(np.hstack([unit, s.q]), v, a)
    theirs = Pinocchio(arm, CONTROL_BOX).torques(np.hstack([unit[:, [1, 2, 3, 0]], s.q]), v, a)
    assert np.max(np.abs(ours - joint[:, :3])) < 1e-9
    assert np.max(np.abs(ours - theirs[:, :3])) < 1e-9
    assert np.max(np.abs(ours)) > 10


@pytest.mark.parametrize("seed", range(5))
def test_bearing_torque_of_random_arms_and_mounts(seed: int) -> None:
    rng = np.random.default_rng([14, seed])
    arm, platform = random_arm(rng), Platform(random_inertial(rng), random_frame(rng))
    q, v, a = rng.uniform(-2, 2, (3, 40, arm.n))
    unit, zero = locked(arm, q)
    theirs = Pinocchio(arm, platform).torques(
        np.hstack([unit[:, [1, 2, 3, 0]], q]), np.hstack([zero, v]), np.hstack([zero, a])
    )
    assert np.max(np.abs(bearing_torque(arm, platform, q, v, a) - theirs[:, :3])) < 1e-9


def test_equation_14_as_printed_holds_only_for_links_that_turn_about_the_bearing() -> None:
    s = table_1(TIMES)
    error = bearing_torque_as_printed(sawyer(), CONTROL_BOX, s.q, s.v, s.a) - bearing_torque(
        sawyer(), CONTROL_BOX, s.q, s.v, s.a
    )
    assert 7 < np.max(np.abs(error)) < 8
    spin = random_arm(np.random.default_rng(15), n=1, sliding=False)
    here = Platform(CONTROL_BOX.inertial, np.linalg.inv(spin.placements[0]))  # the joint at the bearing
    q, v, a = np.random.default_rng(16).uniform(-1, 1, (3, 10, 1))
    printed, right = (f(spin, here, q, v, a) for f in (bearing_torque_as_printed, bearing_torque))
    assert np.max(np.abs(printed - right)) < 1e-12


def test_a_balanced_platform_stays_where_it_is_put() -> None:
    """Under gravity, arm held by stiff servos: centre of mass on the bearing, so no torque and no motion."""
    arm, q = sawyer(), np.array([0.3, -0.6, 0.4, 1.0, -0.2, 0.5, 0.1])
    weight = balance(arm, CONTROL_BOX, q, 0.5)
    assert np.linalg.norm(weight.position) == pytest.approx(0.5)
    balanced = CONTROL_BOX.with_mass(*weight)
    assert np.max(np.abs(first_moment(arm, balanced, q))) < 1e-12
    still = np.zeros(7)
    assert np.max(np.abs(bearing_torque(arm, balanced, q, still, still))) < 1e-12
    assert np.max(np.abs(bearing_torque(arm, CONTROL_BOX, q, still, still))) > 10
    dynamics = Dynamics(arm.world("bearing", balanced))
    start = np.concatenate([[1, 0, 0, 0], q])
    hold = dynamics.inverse_dynamics(start, np.zeros(10), np.zeros(10))
    assert np.max(np.abs(hold[:3])) < 1e-12
    with pytest.raises(ValueError, match="must be positive"):
        balance(arm, CONTROL_BOX, q, 0.0)


def test_one_word_takes_the_arm_to_orbit() -> None:
    """In orbit the arm's motion turns the free platform, and leaves the angular momentum about the centre alone."""
    arm = sawyer()
    dynamics = Dynamics(arm.world("orbit"))
    assert dynamics.nv == 13
    q, v = dynamics.state({})
    motion = Motion(dynamics, q, v, h=0.01)
    push = dynamics.command(force={"right_l0": 2.0, "right_l1": -3.0})
    path = motion.run(100, push, every=100)
    before, after = dynamics.balance(q, v), dynamics.balance(path.q[-1], path.v[-1], path.t[-1])
    assert np.max(np.abs(path.q[-1][4:7])) > 0.01
    tide = 6 * (3.986e14 / 6.778e6**3) * 100.0  # bound on gravity-gradient torque over 1 s: 3 n² ΔI, ΔI < 100 kg m²
    assert np.max(np.abs(after.centroidal_angular_momentum - before.centroidal_angular_momentum)) < tide


def test_elastic_joints_hang_by_their_gravity_over_their_stiffness() -> None:
    """Links where a stiff arm's are: gears bent by its torques over k, motors ahead by as much and bearing all."""
    arm, stiffness, zero = sawyer(), 843.0, np.zeros(14)
    dynamics = Dynamics(arm.world(elastic=Elastic(stiffness=stiffness, rotor_inertia=1e-4, gear_ratio=100.0)))
    q = np.array([0.3, -0.6, 0.2, 1.1, -0.4, 0.7, 0.1])
    weight = inverse_dynamics(arm, q[None], np.zeros((1, 7)), np.zeros((1, 7)))[0]  # by recursion
    bent = -weight / stiffness
    motors = {f"{link}.motor": {"position": (x,)} for link, x in zip(arm.links, q - bent, strict=True)}
    gears = {link: {"position": (x,)} for link, x in zip(arm.links, bent, strict=True)}
    hanging, _ = dynamics.state({**motors, **gears})
    torques = dynamics.inverse_dynamics(hanging, zero, zero)
    assert torques[0::2] == pytest.approx(weight, abs=1e-12)
    assert torques[1::2] == pytest.approx(np.zeros(7), abs=1e-12)
