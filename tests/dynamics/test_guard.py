"""The guard speaks where a cure is switched off, and tells what, when and by how much."""

import sys
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from worlds import mated, pair

import softdock as sd
from softdock.contact.pressed import pressed
from softdock.dynamics.gaps import placed_pair
from softdock.kernels import CompiledLoop

sys.path.insert(0, str(Path(__file__).parents[1] / "impacts"))
from test_several_points import cuboid, moving, on_a_floor


def told(motion: sd.Motion) -> np.ndarray:
    """What the guard knows."""
    return motion._state.guard.of


@CompiledLoop
def strike_each_alone(plant, state):
    """Newton's law at every point as if it were alone: what a face of four points answers four times too hard."""
    points, p = state.points, state.input.momentum
    for i in range(points.number):
        speed = 0.0
        for k in range(plant.nv):
            speed += points.J[3 * i, k] * state.retry.v[k]
        points.b[3 * i] = points.speed[0, 3 * i] = points.speed[1, 3 * i] = speed
        points.r[3 * i], points.r[3 * i + 1], points.r[3 * i + 2] = -1.5 * speed * 0.6, 0.0, 0.0
        for k in range(plant.nv):
            p[k] += points.J[3 * i, k] * points.r[3 * i]
    return 1


@CompiledLoop
def hold_both_ways(plant, state):
    """Contacts as two-sided constraints, of one point: the floor pulls."""
    points = state.points
    for i in range(3 * points.number):
        points.r[i] = 0.0
    points.r[0] = -points.b[0] / points.G[0, 0]
    points.error = 0.0
    return 1


def test_an_impact_law_that_makes_energy_is_refused():
    world = sd.World(
        bodies=[cuboid("a"), cuboid("b", 2.0)],
        contacts=[sd.Contact(name="faces", body_a="a", body_b="b", restitution=0.5)],
    )
    start = {"a": {"position": (-0.1005, 0, 0), "velocity": (0.05, 0, 0)}, "b": {"position": (0.1005, 0, 0)}}
    motion = moving(sd.Dynamics(world), 0.01, **start)
    motion.run(0)
    motion._state.loops["strike"] = strike_each_alone.address(*motion._structs)
    with pytest.raises(sd.StepFailed, match=r"at t = 0\.0\d+ s contacts faces would make energy"):
        motion.run(100)


def test_a_floor_that_pulls_is_refused():
    motion = moving(
        on_a_floor(cuboid(mass=2.0, size=(0.4, 0.3, 0.2)), restitution=0.0), 0.01, box={"position": (0, 0, 0.1)}
    )
    motion.run(20)
    motion._state.loops["complementarity"] = hold_both_ways.address(*motion._structs)
    with pytest.raises(sd.StepFailed, match="would pull or rub"):
        motion.run(5, [0, 0, 60.0, 0, 0, 0])


@CompiledLoop
def find_nothing(plant, state):
    """Contacts without a solution."""
    state.points.error = 1.0
    return 1


def test_contacts_without_a_solution_are_named_and_the_state_is_kept():
    motion = moving(
        on_a_floor(cuboid(mass=2.0, size=(0.4, 0.3, 0.2)), restitution=0.0), 0.01, box={"position": (0, 0, 0.1)}
    )
    motion.run(20)
    complementarity, q, v = motion._state.loops["complementarity"], motion.q, motion.v
    motion._state.loops["complementarity"] = find_nothing.address(*motion._structs)
    with pytest.raises(sd.StepFailed, match=r"^at t = 0\.2 s contacts box on floor have no solution together .*step$"):
        motion.run(5)
    motion._state.loops["complementarity"] = complementarity
    assert motion.t == pytest.approx(0.2)
    assert motion.q == pytest.approx(q, abs=1e-15)
    assert motion.v == pytest.approx(v, abs=1e-12)
    motion.run(5)
    assert motion.q[2] == pytest.approx(0.1, abs=1e-12)


@partial(CompiledLoop, makes_arrays=True)
def stiffer_as_it_opens(plant, state):
    """A patch that is twice as large while the shapes part."""
    touch = state.compliance
    shapes, a, b, A, B, R_A, R_B = placed_pair(plant, state, touch.which)
    found = pressed(shapes, a, b, A, B, R_A, R_B, touch.normal, touch.points, touch.shares)
    if state.xi[0] - state.xi[6] < 0.0:
        for i in range(found):
            touch.shares[i] *= 2.0
    return found + 1


def test_a_patch_that_gives_back_more_than_it_took_is_refused():
    """One that was overwritten while in use made energy in one of ten hits. What a contact gives back is eased to what
    it holds; where it believes to hold more, the guard counts what went in and out."""
    law = sd.Contact(name="faces", body_a="a", body_b="b", compliance=sd.Compliance(stiffness=1e4, exponent=1.0))
    world = sd.World(bodies=[cuboid("a"), cuboid("b", 2.0)], contacts=[law])
    start = {"a": {"position": (-0.1005, 0, 0), "velocity": (0.05, 0, 0)}, "b": {"position": (0.1005, 0, 0)}}
    motion = moving(sd.Dynamics(world), 1e-3, **start)
    motion.run(200)
    assert motion.v[0] < 0.0 < motion.v[6]
    assert 0.0 <= told(motion)["worst_gain"] < 0.1
    motion = moving(sd.Dynamics(world), 1e-3, **start)
    motion.run(0)
    motion._state.loops["find_patch"] = stiffer_as_it_opens.address(*motion._structs)
    motion.run(200)
    assert told(motion)["worst_gain"] < 0.1  # eased
    motion = moving(sd.Dynamics(world), 1e-3, **start)
    motion.run(25)
    motion._state.loops["find_patch"] = stiffer_as_it_opens.address(*motion._structs)
    motion._state.compliance.stored[:] = 1e9
    with pytest.raises(sd.StepFailed, match=r"contact 'faces' gives back .* J more than it took since it closed"):
        motion.run(200)


def test_a_servo_that_rings_is_refused():
    """Critically damped, kp h²/J = 500: it overshot by 69 %. It settles by the weights of the step's end."""
    servo = sd.Servo(kp=5e6, kd=2 * np.sqrt(5e6))
    arm = sd.Body(name="arm", joint=sd.Revolute(axis=(0, 0, 1), servo=servo), mass=1.0, inertia=(1, 1, 1))
    dynamics = sd.Dynamics(sd.World(bodies=[arm]))
    command = dynamics.command(position={"arm": 0.1})
    motion = moving(dynamics, 0.01)
    motion.run(20, command)
    assert motion.q[0] == pytest.approx(0.1, rel=1e-6)
    motion = moving(dynamics, 0.01)
    motion.run(1, command)
    motion._state.input.weights.momentum[:] = motion._state.input.weights.position[:] = 0.5
    with pytest.raises(sd.StepFailed, match="does not add up"):
        motion.run(20, command)


@pytest.fixture(scope="module")
def welded() -> sd.Dynamics:
    world = pair("weld")
    weld = world.latches[0]
    hinge = sd.Latch(name="hinge", kind="hinge", frame_a=weld.frame_a, frame_b=weld.frame_b)
    return sd.Dynamics(world.altered(latches=(weld, weld.altered(name="second"), hinge)))


def engaged(dynamics: sd.Dynamics) -> sd.Motion:
    motion = sd.Motion(dynamics, *mated(dynamics, np.random.default_rng(5)), h=0.01)
    for latch in dynamics.world.latches:
        motion.engage(latch.name)
    motion.run(20)
    return motion


def test_self_stress_of_redundant_latches_is_refused(welded):
    """Multipliers that were never reset grew to 6e14, and their rounding took 12 % of the momentum."""
    motion = engaged(welded)
    assert told(motion)["worst_push"] < 1e-2
    held = motion._state.held
    held.forces.differences[0, :, 0] += 6e14 * held.self_stress[0]
    with pytest.raises(sd.StepFailed, match=r"at t = 0\.2 s .*momentum of .* N s \(at most"):
        motion.run(1)


def test_a_violated_latch_that_throws_bodies_is_refused(welded, monkeypatch):
    """`place` moved bodies by metres in one step; now it refuses, and without that the guard does."""
    motion = engaged(welded)
    monkeypatch.setattr(sd.Motion, "_refuse_violation", lambda self, q: None)
    q = motion.q
    q[0] += 0.5
    motion.place(q, motion.v)
    with pytest.raises(sd.StepFailed, match=r"does not add up: .* J are made or lost, and at most .* J"):
        motion.run(1)


def test_healthy_steps_are_far_within_the_bound(welded):
    """Spinning pair, orders 2, 4 and 6, coarse and fine: the error is a few per cent of what is allowed."""
    for order in (2, 4, 6):
        for h in (0.002, 0.02, 0.1):
            motion = sd.Motion(welded, *mated(welded, np.random.default_rng(7)), h=h, order=order)
            motion.run(50)
            assert told(motion)["worst"] < 0.2, (order, h)
            motion = sd.Motion(welded, *mated(welded, np.random.default_rng(7)), h=h, order=order)
            motion.engage("latch")
            motion.run(50)
            assert told(motion)["worst"] < 0.2, (order, h)
            assert told(motion)["worst_push"] < 1e-2
