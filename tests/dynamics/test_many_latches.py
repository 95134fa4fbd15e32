"""Latches by bodies: closed chains, redundant rows, masses far apart, and what has no solution."""

import numpy as np
import pytest
from worlds import free_flyer, mated, pair, random_body, random_pose, random_state

import softdock as sd
from softdock.mechanics.latch_pattern import latch_pattern

ROUNDED = 1e-13


def ring(bodies: int, kind: str = "point", masses=(10.0,)) -> tuple[sd.Dynamics, np.ndarray]:
    """Free rods of 1 m, each latched to the next and the last to the first, and their state in a regular polygon."""
    rods, frames, latches, start = [], [], [], {}
    radius = 0.5 / np.tan(np.pi / bodies)
    for k in range(bodies):
        mass, angle = masses[k % len(masses)], 2 * np.pi * k / bodies
        rods.append(sd.Body(name=f"rod{k}", mass=mass, inertia=[mass / 100, mass / 12, mass / 11]))
        frames += [
            sd.Frame(name=f"end{k}", body=f"rod{k}", placement=sd.Pose(position=(0.5, 0, 0))),
            sd.Frame(name=f"start{k}", body=f"rod{k}", placement=sd.Pose(position=(-0.5, 0, 0))),
        ]
        ends = {"frame_a": f"end{k}", "frame_b": f"start{(k + 1) % bodies}"}
        latches.append(sd.Latch(name=f"latch{k}", kind=kind, engaged=True, capture_angle=1.0, **ends))
        turn = (angle + np.pi / 2) / 2
        at = (radius * np.cos(angle), radius * np.sin(angle), 0.0)
        start[f"rod{k}"] = {"position": at, "quaternion": (np.cos(turn), 0, 0, np.sin(turn))}
    dynamics = sd.Dynamics(sd.World(name="ring", bodies=rods, frames=frames, latches=latches))
    return dynamics, dynamics.state(start)[0]


def moving(dynamics, q, seed: int = 3, speed: float = 0.2, **options) -> sd.Motion:
    return sd.Motion(dynamics, q, speed * np.random.default_rng(seed).normal(size=dynamics.nv), **options)


def kept(dynamics, motion, steps: int) -> tuple[float, float, float]:
    """Relative change of momentum, of angular momentum and of energy in so many steps."""
    start = dynamics.balance(motion.q, motion.v)
    motion.run(steps, every=steps)
    end = dynamics.balance(motion.q, motion.v)
    linear = np.abs(end.momentum - start.momentum).max() / np.linalg.norm(start.momentum)
    angular = np.abs(end.angular_momentum - start.angular_momentum).max() / np.linalg.norm(start.angular_momentum)
    return float(linear), float(angular), float(end.kinetic / start.kinetic - 1)


# --- closed chains -----------------------------------------------------------------------------


def test_the_factor_of_a_ring_stays_narrow():
    """Cuthill and McKee's order of a ring: each latch is coupled with the two before it at most."""
    dynamics, _ = ring(12)
    pattern = latch_pattern(dynamics.tree)
    assert np.max(np.arange(36) - pattern.first) <= 8
    assert len(pattern.group_start) - 1 <= 3  # a ring of even length needs two groups
    flyer = sd.Dynamics(free_flyer(3))
    assert latch_pattern(flyer.tree).order.size == 0


def test_a_closed_chain_keeps_what_it_must_and_moves_as_the_reference_does():
    dynamics, q = ring(5)
    motion = moving(dynamics, q, h=2e-3)
    reference = sd.ReferenceMotion(motion)
    linear, angular, energy = kept(dynamics, motion, 150)
    reference.run(150, every=150)
    assert linear < ROUNDED and angular < ROUNDED and abs(energy) < 1e-6 and motion.violation() < 1e-13
    assert np.abs(motion.q - reference.q).max() < 1e-5
    finer = moving(dynamics, q, h=1e-3)
    finer.run(300, every=300)
    ratio = np.abs(motion.q - reference.q).max() / np.abs(finer.q - reference.q).max()
    assert ratio == pytest.approx(4.0, rel=0.05)  # order 2


def test_masses_far_apart_are_held_alike():
    """Rods of 1e-6, 1 and 1e6 kg: rows of heavy ones are 1e-12 of the others, and as independent."""
    dynamics, q = ring(6, masses=(1e6, 1e6, 1.0, 1e-6, 1e-6, 1.0))
    motion = moving(dynamics, q, h=1e-3, speed=0.05)
    linear, angular, _ = kept(dynamics, motion, 200)
    assert motion._state.held.redundant == 0
    assert linear < 1e-12 and angular < 1e-12 and motion.violation() < 1e-12


def test_latches_come_and_go_in_any_order():
    """Against a world that has only the latches that are engaged: the same motion, whatever else could be held."""
    dynamics, q = ring(6)
    motion, rng = moving(dynamics, q, h=2e-3), np.random.default_rng(8)
    for name in rng.permutation([latch.name for latch in dynamics.world.latches])[:4]:
        motion.release(name)
        motion.run(20)
    held = [latch for latch in dynamics.world.latches if latch.name in motion.engaged]
    alone = sd.Dynamics(dynamics.world.altered(latches=held))
    other = sd.Motion(alone, motion.q, motion.v, h=2e-3)
    motion.run(50)
    other.run(50)
    assert np.abs(motion.q - other.q).max() < 1e-12


# --- redundant rows ----------------------------------------------------------------------------


@pytest.mark.parametrize("order", [2, 4, 6])
def test_redundant_latches_keep_momentum_and_share_the_load(order):
    """Two welds and a hinge hold what one weld does (studies/redundant_latches.py, 1,000,000 steps)."""
    world = pair("weld")
    weld = world.latches[0]
    hinge = sd.Latch(name="hinge", kind="hinge", frame_a=weld.frame_a, frame_b=weld.frame_b)
    dynamics = sd.Dynamics(world.altered(latches=(weld, weld.altered(name="second"), hinge)))
    alone = sd.Dynamics(world)
    q, v = mated(dynamics, np.random.default_rng(1))
    motion, single = sd.Motion(dynamics, q, v, h=0.01, order=order), sd.Motion(alone, q, v, h=0.01, order=order)
    for latch in dynamics.world.latches:
        motion.engage(latch.name)
    single.engage("latch")
    linear, angular, _ = kept(dynamics, motion, 5000)
    single.run(5000, every=5000)
    assert linear < 5e-14 and angular < 5e-14 and motion.violation() < 2e-13
    assert motion._state.held.redundant == 11
    assert np.abs(motion._state.held.multipliers).max() <= np.abs(single._state.held.multipliers).max()
    assert np.abs(motion.q - single.q).max() < 1e-9


def test_momentum_is_kept_to_rounding_in_long_runs():
    """Compensated sums: 200,000 stages, whose sums would leave some 1e-13. The centre of mass is at rest, since angular
    momentum is lost among the digits of how far it went."""
    dynamics = sd.Dynamics(free_flyer(3))
    q, v = dynamics.layout.neutral(), 0.2 * np.random.default_rng(3).normal(size=dynamics.nv)
    v[:3] -= dynamics.balance(q, v).momentum / dynamics.mass
    start = dynamics.balance(q, v).angular_momentum
    motion = sd.Motion(dynamics, q, v, h=0.01, order=4)
    motion.run(40_000, every=40_000)
    end = dynamics.balance(motion.q, motion.v).angular_momentum
    assert np.abs(end - start).max() < 1e-14 * np.linalg.norm(start)


# --- what has no solution ----------------------------------------------------------------------


def tied(length: float, speed: float) -> sd.Motion:
    """Two free bodies a short distance apart, moving across it."""
    bodies = [sd.Body(name="a", mass=2.0, inertia=[0.3] * 3), sd.Body(name="b", mass=3.0, inertia=[0.3] * 3)]
    tie = sd.Latch(name="tie", kind="distance", frame_a="a", frame_b="b", length=length, engaged=True)
    dynamics = sd.Dynamics(sd.World(bodies=bodies, latches=[tie]))
    start = dynamics.state({"b": {"position": (length, 0, 0), "velocity": (0, speed, 0)}})
    return sd.Motion(dynamics, *start, h=0.01)


@pytest.mark.parametrize("length", [1e-8, 1e-6, 1e-4, 1e-3])
def test_a_short_distance_is_held_or_refused_by_name(length):
    """0.1 rad a step is followed: they turn about each other by the angle that their speed gives. 3 rad is not."""
    motion = tied(length, 0.1 * length / 0.01)
    motion.run(10)
    offset = motion.q[7:10] - motion.q[:3]
    assert np.linalg.norm(offset) == pytest.approx(length, abs=2e-13)
    assert np.arctan2(offset[1], offset[0]) == pytest.approx(1.0 + 0.1**2 / 6, rel=1e-4)  # by chords, not arcs
    motion = tied(length, 3.0 * length / 0.01)
    q, v = motion.q, motion.v
    with pytest.raises(sd.StepFailed, match=r"'tie', .* m long, holds turns by 3 rad .* 0\.00083 s would do"):
        motion.run(10)
    assert np.array_equal(motion.q, q) and np.allclose(motion.v, v, rtol=1e-12, atol=0)


def arms_on_a_load(bend: float) -> sd.Motion:
    """Three arms of two links from the corners of a triangle to lugs on a load in its middle, stretched but for a
    bend (rad) at their elbows."""
    bodies = [sd.Body(name="load", mass=50.0, inertia=[5.0] * 3)]
    frames, latches, start, half = [], [], {}, 1.0 / np.cos(bend)
    for k, angle in enumerate(2 * np.pi / 3 * np.arange(3)):
        turn = (angle + np.pi) / 2
        rod = {"mass": 5.0, "center": (half / 2, 0, 0), "inertia": (0.01, 0.4, 0.4), "joint": sd.Revolute()}
        shoulder = sd.Pose(
            position=(2.5 * np.cos(angle), 2.5 * np.sin(angle), 0), quaternion=(np.cos(turn), 0, 0, np.sin(turn))
        )
        bodies += [
            sd.Body(name=f"upper{k}", placement=shoulder, **rod),
            sd.Body(name=f"fore{k}", parent=f"upper{k}", placement=sd.Pose(position=(half, 0, 0)), **rod),
        ]
        lug = sd.Pose(position=(0.5 * np.cos(angle), 0.5 * np.sin(angle), 0))
        frames += [
            sd.Frame(name=f"tip{k}", body=f"fore{k}", placement=sd.Pose(position=(half, 0, 0))),
            sd.Frame(name=f"lug{k}", body="load", placement=lug),
        ]
        latches.append(sd.Latch(name=f"grip{k}", kind="point", frame_a=f"lug{k}", frame_b=f"tip{k}", engaged=True))
        start |= {f"upper{k}": {"position": bend}, f"fore{k}": {"position": -2 * bend}}
    dynamics = sd.Dynamics(sd.World(bodies=bodies, frames=frames, latches=latches))
    return sd.Motion(dynamics, *dynamics.state(start), h=0.01)


def test_stretched_arms_bear_what_they_can_and_refuse_the_rest_by_name():
    """A push in the plane is borne: 1 N by three concurrent arms, the smallest forces 2/3 N and twice 1/3 N. A torque
    would need forces without bound."""
    motion = arms_on_a_load(0.0)
    q = motion.q
    push = motion.dynamics.command(force={"load": [1, 0, 0, 0, 0, 0]})
    motion.run(100, push)
    assert np.abs(motion.q - q).max() < 1e-12
    loads = [np.linalg.norm(wrench.force) for wrench in motion.loads(push).latches.values()]
    assert loads == pytest.approx([2 / 3, 1 / 3, 1 / 3], rel=1e-9)
    with pytest.raises(sd.StepFailed, match="latches grip0, grip1, grip2 hold a singular configuration"):
        motion.run(10, motion.dynamics.command(force={"load": [0, 0, 0, 0, 0, 1.0]}))
    assert np.isfinite(motion.v).all()


def test_bent_arms_bear_a_torque():
    motion = arms_on_a_load(0.3)
    linear, angular = motion.run(100, motion.dynamics.command(force={"load": [0, 0, 0, 0, 0, 1.0]})).v[-1, [0, 5]]
    assert motion.violation() < 1e-13 and angular > 0.05 and abs(linear) < 1e-12


# --- random scenes -----------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [0, 1])
def test_random_closed_chains_of_any_latches_keep_momentum(seed):
    """Free bodies and masses from 1e-3 to 1e3 kg, latches of any kind between random pairs, far from the origin; those
    that together leave no freedom hold it."""
    rng = np.random.default_rng(100 + seed)
    count = int(rng.integers(3, 6))
    bodies = [random_body(f"b{k}", "world", "free", rng) for k in range(count)]
    scale = 10.0 ** rng.uniform(-3, 3, count)
    bodies = [b.altered(mass=b.mass * s, inertia=np.array(b.inertia) * s) for b, s in zip(bodies, scale, strict=True)]
    frames, latches = [], []
    for k in range(int(rng.integers(count, count + 3))):
        a, b = rng.choice(count, 2, replace=False)
        frames += [sd.Frame(name=f"{side}{k}", body=f"b{body}", placement=random_pose(rng))
                   for side, body in (("f", a), ("g", b))]  # fmt: skip
        kind = rng.choice(["point", "hinge", "weld", "distance"])
        extra = {"length": 1.0} if kind == "distance" else {}
        latches.append(sd.Latch(name=f"latch{k}", kind=kind, frame_a=f"f{k}", frame_b=f"g{k}",
                                capture_distance=100.0, capture_angle=1.0, **extra))  # fmt: skip
    dynamics = sd.Dynamics(sd.World(name="random", bodies=bodies, frames=frames, latches=latches))
    q, v = random_state(dynamics, rng)
    motion = sd.Motion(dynamics, q, 0.1 * v, h=1e-3, order=int(rng.choice([2, 4, 6])))
    for latch in dynamics.world.latches:
        try:
            motion.engage(latch.name)
        except ValueError:  # hinges and welds ask for axes within 1 rad
            continue
    assert motion.engaged
    linear, angular, _ = kept(dynamics, motion, 100)
    assert linear < 1e-12 and angular < 1e-12 and motion.violation() < 1e-12


@pytest.mark.parametrize("touches", [False, True])
@pytest.mark.parametrize("axis", [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)])
def test_a_locked_slide_is_one_body_though_most_rows_of_its_weld_are_zero(axis, touches):
    """Of a weld across a slide one row of six is not zero; a push on the carrier moves both alike, F t / (m + M)."""
    world = sd.World(
        name="locked",
        bodies=(
            sd.Body(name="palm", mass=3.0, inertia=(1, 1, 1), shapes=(sd.Sphere(radius=0.1),)),
            sd.Body(name="finger", parent="palm", mass=1.0, inertia=(1, 1, 1), joint=sd.Prismatic(axis=axis)),
            sd.Body(name="rock", mass=1.0, inertia=(1, 1, 1), shapes=(sd.Sphere(radius=0.1),)),
        ),
        latches=(sd.Latch(name="lock", kind="weld", frame_a="palm", frame_b="finger", engaged=True),),
        contacts=(sd.Contact(name="rock", body_a="palm", body_b="rock", restitution=0.5),) if touches else (),
    )
    dynamics = sd.Dynamics(world)
    q, v = dynamics.state({"rock": {"position": (9.0, 9.0, 9.0)}})
    motion = sd.Motion(dynamics, q, v, h=0.01)
    push = np.zeros((1, dynamics.nv))
    push[0, :3] = axis
    motion.run(10, commands=push)
    assert np.abs(motion.v[6]) < ROUNDED
    assert motion.v[:3] == pytest.approx(0.1 / 4.0 * np.array(axis), abs=ROUNDED)
