"""Latches hold without drift, and engaging or releasing one keeps momentum.

studies/long_run.py repeats the first test for 100,000 steps.
"""

import numpy as np
import pytest
from worlds import mated, pair

from softdock.dynamics import Dynamics, Motion
from softdock.world import Body, Frame, Latch, Planar, Pose, World

KINDS = ["point", "hinge", "weld", "distance"]


@pytest.fixture(scope="module", params=KINDS)
def dynamics(request: pytest.FixtureRequest) -> Dynamics:
    return Dynamics(pair(request.param))


def constraint_rows(dynamics: Dynamics, q: np.ndarray) -> np.ndarray:
    """A from the frames' Jacobians: relative velocities that the engaged latch forbids (frames are mated)."""
    latch = dynamics.world.latches[0]
    (R, p_A), (_, p_B) = dynamics.pose("port", q), dynamics.pose("probe", q)
    relative = dynamics.jacobian("probe", q) - dynamics.jacobian("port", q)
    turn, slide = R.T @ relative[:3], R.T @ relative[3:]
    along = (p_B - p_A) / (np.linalg.norm(p_B - p_A) or 1.0)
    return {
        "point": slide,
        "hinge": np.vstack([slide, turn[:2]]),
        "weld": np.vstack([slide, turn]),
        "distance": (along @ relative[3:])[None],
    }[latch.kind]


def test_violation_over_many_steps(dynamics: Dynamics) -> None:
    motion = Motion(dynamics, *mated(dynamics, np.random.default_rng(1)), h=0.01)
    motion.engage("latch")
    worst = 0.0
    for _ in range(20):
        motion.run(1000, every=1000)
        worst = max(worst, motion.violation())
        A = constraint_rows(dynamics, motion.q)
        assert np.abs(A @ motion.v).max() < 1e-11
    assert worst <= 1e-11


def test_momentum_and_energy_over_many_steps(dynamics: Dynamics) -> None:
    motion = Motion(dynamics, *mated(dynamics, np.random.default_rng(1)), h=0.01)
    motion.engage("latch")
    before = dynamics.balance(motion.q, motion.v)
    run = motion.run(20000, every=20)
    after = dynamics.balance(run.q, run.v)
    for name in ("momentum", "angular_momentum"):
        kept = getattr(before, name)
        assert np.abs(getattr(after, name) - kept).max() < 1e-12 * np.linalg.norm(kept), name
    error = np.abs(after.kinetic / before.kinetic - 1)
    assert error.max() < 1e-2 and error[-100:].max() < 2 * error[:500].max()


def test_engaging_is_the_inelastic_impulse(dynamics: Dynamics) -> None:
    q, v = mated(dynamics, np.random.default_rng(2))
    before = dynamics.balance(q, v)
    motion = Motion(dynamics, q, v, h=0.01)
    lost = motion.engage("latch")
    after = dynamics.balance(motion.q, motion.v)
    A, M = constraint_rows(dynamics, q), dynamics.mass_matrix(q)
    slip = A @ v
    formula = slip @ np.linalg.solve(A @ np.linalg.solve(M, A.T), slip) / 2
    assert lost == pytest.approx(formula, rel=1e-11)
    assert before.kinetic - after.kinetic == pytest.approx(formula, rel=1e-11)
    assert motion.account["lost_engaging"] == lost
    np.testing.assert_allclose(A @ motion.v, 0, atol=1e-13)
    np.testing.assert_array_equal(motion.q, q)
    for name in ("momentum", "angular_momentum"):
        kept = getattr(before, name)
        assert np.abs(getattr(after, name) - kept).max() < 1e-12 * np.linalg.norm(kept), name


def test_releasing_changes_nothing(dynamics: Dynamics) -> None:
    motion = Motion(dynamics, *mated(dynamics, np.random.default_rng(3)), h=0.01)
    motion.engage("latch")
    motion.run(50)
    q, v = motion.q, motion.v
    assert motion.engaged == ["latch"]
    motion.release("latch")
    assert motion.engaged == [] and motion.violation() == 0.0
    np.testing.assert_array_equal(motion.q, q)
    np.testing.assert_array_equal(motion.v, v)
    before = dynamics.balance(q, v)
    run = motion.run(200)
    after = dynamics.balance(run.q, run.v)
    assert np.abs(after.momentum - before.momentum).max() < 1e-12 * np.linalg.norm(before.momentum)
    assert np.abs(after.angular_momentum - before.angular_momentum).max() < 1e-12 * np.linalg.norm(
        before.angular_momentum
    )
    never_held = Motion(dynamics, q, v, h=0.01).run(200)
    np.testing.assert_allclose(run.q, never_held.q, rtol=1e-9, atol=1e-9)
    one, other = (dynamics.pose(name, run.q)[1] for name in ("port", "probe"))
    gap = np.linalg.norm(one - other, axis=1)
    assert abs(gap[-1] - gap[0]) > 1e-4  # held, it would not change (only a weld and a point keep all of it)


def test_a_weld_makes_one_body_of_two() -> None:
    """Their motion is that of a single rigid body with the sum of their masses and moments."""
    dynamics = Dynamics(pair("weld"))
    motion = Motion(dynamics, *mated(dynamics, np.random.default_rng(4)), h=0.005, order=6)
    motion.engage("latch")
    q = motion.q
    balance = dynamics.balance(q, motion.v)
    R_A, _ = dynamics.pose("a", q)
    moments, w = np.zeros((3, 3)), dynamics.jacobian("a", q)[:3] @ motion.v
    for body in dynamics.world.bodies:
        R, p = dynamics.pose(body.name, q)
        c = p + R @ np.array(body.center) - balance.center
        moments += R @ np.array(body.inertia) @ R.T + body.mass * (c @ c * np.eye(3) - np.outer(c, c))
    whole = Body(name="whole", mass=dynamics.mass, inertia=(R_A.T @ moments @ R_A + (R_A.T @ moments @ R_A).T) / 2)
    single = Dynamics(World(bodies=(whole,)))
    from worlds import quaternion_of

    start = np.array([*balance.center, *quaternion_of(R_A)])
    rates = np.array([*(balance.momentum / dynamics.mass), *(R_A.T @ w)])
    other = Motion(single, start, rates, h=0.005, order=6)
    motion.run(400)
    other.run(400)
    np.testing.assert_allclose(dynamics.pose("a", motion.q)[0], single.pose("whole", other.q)[0], atol=1e-10)
    np.testing.assert_allclose(dynamics.balance(motion.q, motion.v).center, other.q[:3], atol=1e-10)


def head_on(reach: float = 0.0, apart: float = 0.0) -> Dynamics:
    ball = {"inertia": (0.1, 0.1, 0.1)}
    bodies = (Body(name="a", mass=3.0, **ball), Body(name="b", mass=5.0, **ball))
    latch = Latch(name="grip", kind="point", frame_a="a", frame_b="b", capture_distance=reach)
    return Dynamics(World(bodies=bodies, latches=(latch,)))


def test_two_point_masses_head_on() -> None:
    dynamics = head_on(1e-9)
    q, v = dynamics.state({"a": {"velocity": (2.0, 0, 0)}, "b": {"velocity": (-1.0, 0, 0)}})
    motion = Motion(dynamics, q, v, h=0.01)
    assert motion.engage("grip") == pytest.approx(0.5 * 3 * 5 / 8 * 3.0**2, rel=1e-13)
    np.testing.assert_allclose(motion.v[[0, 6]], (3 * 2 - 5 * 1) / 8, rtol=1e-13)


def test_out_of_reach_is_refused_and_within_it_held_as_it_is() -> None:
    dynamics = head_on(0.01)
    q, v = dynamics.state({"b": {"position": (0.02, 0, 0)}})
    with pytest.raises(ValueError, match=r"'grip' cannot engage at t = 0 s: its frames are 0.02 m"):
        Motion(dynamics, q, v, h=0.01).engage("grip")
    q, v = dynamics.state({"b": {"position": (0.006, 0, 0), "velocity": (0, 0.1, 0)}})
    motion = Motion(dynamics, q, v, h=0.01)
    motion.engage("grip")
    run = motion.run(500)
    np.testing.assert_allclose(np.linalg.norm(run.q[:, 7:10] - run.q[:, :3], axis=1), 0.006, atol=1e-12)


@pytest.mark.parametrize(("kind", "tilt"), [("hinge", 0.02), ("weld", 0.02)])
def test_a_tilt_beyond_reach_is_refused(kind: str, tilt: float) -> None:
    dynamics = Dynamics(
        World(
            bodies=(Body(name="a", mass=1.0, inertia=(1, 1, 1)), Body(name="b", mass=1.0, inertia=(1, 1, 1))),
            frames=(Frame(name="f", body="b", placement=Pose(rpy=(tilt, 0, 0))),),
            latches=(Latch(name="grip", kind=kind, frame_a="a", frame_b="f", capture_angle=0.01),),
        )
    )
    with pytest.raises(ValueError, match=r"0\.02 rad off"):
        Motion(dynamics, *dynamics.state(), h=0.01).engage("grip")


@pytest.mark.parametrize("turn", [np.pi / 2, np.pi])
def test_a_weld_may_not_be_engaged_upside_down(turn: float) -> None:
    dynamics = Dynamics(
        World(
            bodies=(Body(name="a", mass=1.0, inertia=(1, 1, 1)), Body(name="b", mass=1.0, inertia=(1, 1, 1))),
            frames=(Frame(name="f", body="b", placement=Pose(rpy=(turn, 0, 0))),),
            latches=(Latch(name="grip", kind="weld", frame_a="a", frame_b="f", capture_angle=1.0),),
        )
    )
    with pytest.raises(ValueError, match="rad off"):
        Motion(dynamics, *dynamics.state(), h=0.01).engage("grip")


def test_engaging_twice_releasing_twice_and_unknown_names_are_refused() -> None:
    dynamics = head_on(1e-9)
    motion = Motion(dynamics, *dynamics.state(), h=0.01)
    with pytest.raises(ValueError, match="'grip' is not engaged"):
        motion.release("grip")
    motion.engage("grip")
    with pytest.raises(ValueError, match="'grip' is engaged already"):
        motion.engage("grip")
    with pytest.raises(ValueError, match="no latch 'gripp'; did you mean 'grip'"):
        motion.release("gripp")


def test_a_refused_latch_leaves_the_motion_as_it_was() -> None:
    dynamics = head_on(0.01)
    q, v = dynamics.state({"a": {"velocity": (1.0, 0, 0)}, "b": {"position": (0.5, 0, 0)}})
    motion = Motion(dynamics, q, v, h=0.01)
    with pytest.raises(ValueError, match="cannot engage"):
        motion.engage("grip")
    assert motion.engaged == []
    motion.run(10)
    np.testing.assert_allclose(motion.q[0], 0.1, rtol=1e-12)


def test_a_latch_engaged_from_the_start() -> None:
    dynamics = head_on(1e-9)
    latch = dynamics.world.latches[0].altered(engaged=True)
    engaged = Dynamics(dynamics.world.altered(latches=(latch,)))
    q, v = engaged.state({"a": {"velocity": (2.0, 0, 0)}})
    motion = Motion(engaged, q, v, h=0.01)
    assert motion.engaged == ["grip"]
    np.testing.assert_allclose(motion.v[0], 2.0 * 3 / 8, rtol=1e-13)


def test_held_at_rest_nothing_moves() -> None:
    dynamics = head_on(1e-9)
    motion = Motion(dynamics, *dynamics.state(), h=0.01)
    motion.engage("grip")
    run = motion.run(100)
    np.testing.assert_array_equal(run.v, 0.0)


@pytest.mark.parametrize(("turn", "rows"), [((1, 0, 0, 0), 3), ((0.8, 0, 0, 0.6), 3), ((0.8, 0.6, 0, 0), 6)])
def test_a_latch_between_bodies_in_a_plane_has_only_the_rows_that_can_fail(turn, rows) -> None:
    """Frames turned out of the plane keep all rows; the motion is the same."""
    bodies = [Body(name=name, mass=2.0, center=(0.2, 0, 0), inertia=(1, 1, 1), joint=Planar()) for name in "ab"]
    frames = [Frame(name=f"on {name}", body=name, placement=Pose(quaternion=turn)) for name in "ab"]
    latch = Latch(name="latch", kind="weld", frame_a="on a", frame_b="on b", engaged=True)
    dynamics = Dynamics(World(bodies=bodies, frames=frames, latches=[latch]))
    assert dynamics.plant.latch_rows.tolist() == [0, rows]
    q, v = dynamics.state({"a": {"velocity": (0.1, 0, 1)}, "b": {"velocity": (0.1, 0, 1)}})
    motion = Motion(dynamics, q, v, h=0.01)
    motion.run(200)
    assert motion.violation() < 1e-12
    spin = 2.0  # rad; both centres, at the same place, go straight on
    center = np.array([0.2 + 0.1 * 2, 0.2 * 2]) - 0.2 * np.array([np.cos(spin), np.sin(spin)])
    np.testing.assert_allclose(motion.q, [*center, spin] * 2, atol=1e-4)


@pytest.fixture(scope="module")
def thrice_held() -> Dynamics:
    """Two welds and a hinge between the same two frames: 17 rows for 6 freedoms."""
    world = pair("weld")
    weld = world.latches[0]
    hinge = Latch(name="third", kind="hinge", frame_a=weld.frame_a, frame_b=weld.frame_b)
    return Dynamics(world.altered(latches=(weld, weld.altered(name="second"), hinge)))


def forces_of(motion: Motion) -> np.ndarray:
    """The multipliers of all latches' rows."""
    return motion._state.held.multipliers.copy()


@pytest.mark.parametrize("order", [2, 4, 6])
def test_redundant_latches_share_the_load_and_keep_momentum(thrice_held: Dynamics, order: int) -> None:
    """Beside the same motion held by one weld: each of three latches along p, and so on, has its equal share."""
    dynamics, alone = thrice_held, Dynamics(pair("weld"))
    q, v = mated(dynamics, np.random.default_rng(1))
    motion, single = Motion(dynamics, q, v, h=0.01, order=order), Motion(alone, q, v, h=0.01, order=order)
    for latch in dynamics.world.latches:
        motion.engage(latch.name)
    single.engage("latch")
    before, most, load = dynamics.balance(motion.q, motion.v), 0.0, 0.0
    for _ in range(100):
        motion.run(200, every=200)
        single.run(200, every=200)
        most, load = max(most, np.abs(forces_of(motion)).max()), max(load, np.abs(forces_of(single)).max())
    assert most < load
    forces, one = forces_of(motion), forces_of(single)
    np.testing.assert_allclose(forces[[0, 1, 2, 6, 7, 8, 12, 13, 14]], np.tile(one[:3] / 3, 3), atol=1e-6 * load)
    np.testing.assert_allclose(motion.q, single.q, atol=1e-7)
    assert motion.violation() < 1e-12
    after = dynamics.balance(motion.q, motion.v)
    assert np.abs(after.momentum - before.momentum).max() < 1e-12 * np.linalg.norm(before.momentum)
    far = np.linalg.norm(after.center) * np.linalg.norm(before.momentum)
    turned = np.abs(after.angular_momentum - before.angular_momentum).max()
    assert turned < 1e-12 * (np.linalg.norm(before.angular_momentum) + far)


def test_a_distance_latch_whose_frames_coincide_is_refused() -> None:
    bodies = [Body(name=name, mass=1.0, inertia=(1, 1, 1)) for name in "ab"]
    rod = Latch(name="rod", kind="distance", frame_a="a", frame_b="b", length=0.1, capture_distance=0.2)
    dynamics = Dynamics(World(bodies=bodies, latches=[rod]))
    motion = Motion(dynamics, *dynamics.state({"a": {"velocity": (1.0, 0, 0)}}), h=0.01)
    with pytest.raises(ValueError, match="'rod' cannot engage at t = 0 s: its frames coincide"):
        motion.engage("rod")
    assert motion.engaged == []
    motion.run(1)
    motion.engage("rod")
    motion.run(100)
    assert np.isfinite(motion.q).all() and motion.violation() < 1e-12


@pytest.mark.parametrize(
    ("kind", "there", "message"),
    [
        ("point", {"position": (0.5, 0, 0)}, "by 0.5 m and 0 rad"),
        ("hinge", {"quaternion": (0, 1, 0, 0)}, "by 0 m and 3.14 rad"),
        ("weld", {"quaternion": (0, 0, 0, 1)}, "by 0 m and 3.14 rad"),
    ],
)
def test_a_state_that_violates_an_engaged_latch_is_refused(kind: str, there: dict, message: str) -> None:
    """Upside down too, where the constraints' sines vanish."""
    bodies = [Body(name=name, mass=1.0, inertia=(1, 1, 1)) for name in "ab"]
    latch = Latch(name="grip", kind=kind, frame_a="a", frame_b="b", engaged=True)
    dynamics = Dynamics(World(bodies=bodies, latches=[latch]))
    motion = Motion(dynamics, *dynamics.state({"a": {"velocity": (0, 0.2, 0)}}), h=0.01)
    q, v = motion.q, motion.v
    away = dynamics.state({"b": there})
    with pytest.raises(ValueError, match=rf"latch 'grip' is engaged and would be violated {message}; release it first"):
        motion.place(*away)
    np.testing.assert_array_equal(motion.q, q)
    np.testing.assert_array_equal(motion.v, v)
    both = {"position": (3.0, 0, 0), "quaternion": (0.8, 0, 0.6, 0)}
    motion.place(*dynamics.state({"a": both, "b": both}))
    motion.release("grip")
    motion.place(*away)
    np.testing.assert_array_equal(motion.q, away[0])
