"""Bodies of several shapes: a ball inside a ring, a probe that a drogue centres, blocks and floors of two boxes."""

import numpy as np
import pytest
from soft_worlds import ball

import softdock as sd


def fixed(*shapes):
    return sd.Body(name="port", mass=0, joint=sd.Fixed(), shapes=shapes)


def world(port, mover, gravity=(0.0, 0.0, 0.0), **law):
    contact = sd.Contact(name="touch", body_a=mover.name, body_b="port", **law)
    return sd.Dynamics(sd.World(gravity=sd.Uniform(acceleration=gravity), bodies=[port, mover], contacts=[contact]))


def test_a_ball_stays_inside_a_ring_and_keeps_its_energy():
    """A billiard in a regular polygon: along each facet's normal the ball's centre is its radius short of the facet."""
    ring = sd.Annulus(inner_radius=0.5, outer_radius=0.6, length=0.4, deviation=0.02)
    parts, mover = ring.parts(), ball()
    dynamics = world(fixed(ring), mover, restitution=1.0)
    start = dynamics.state({"mover": {"position": (0.1, 0.05, 0.0), "velocity": (0.7, 0.4, 0.0)}})
    run = sd.rollout(dynamics, *start, h=0.02, steps=300)
    middles = np.array([np.mean(part.vertices, axis=0)[:2] for part in parts.shapes])
    outward = middles / np.linalg.norm(middles, axis=1)[:, None]
    inner = np.array(parts.shapes[0].vertices[0])
    apothem = np.hypot(inner[0], inner[1]) * np.cos(np.pi / len(parts.shapes))
    assert len(run.impacts) >= 5
    assert (run.q[:, :2] @ outward.T).max() <= apothem - 0.1 + 1e-9
    assert np.linalg.norm(run.v[:, :3], axis=1) == pytest.approx(np.hypot(0.7, 0.4), rel=1e-10)
    assert abs(apothem - 0.5) <= parts.deviation * (1 + 1e-9)


def test_a_drogue_guides_a_probe_to_its_centre():
    """A ball that does not fit through the throat comes to rest on the staves, over the middle, at the height at which
    a ball touches a cone."""
    drogue = sd.Drogue(throat_radius=0.05, mouth_radius=0.3, depth=0.25, wall=0.02, deviation=0.02)
    funnel, mover = drogue.parts(), ball(radius=0.1)
    dynamics = world(fixed(drogue), mover, (0.0, 0.0, -1.0), restitution=0.0, friction=0.1)
    start = dynamics.state({"mover": {"position": (0.13, 0.06, 0.4), "velocity": (0.0, 0.0, -0.2)}})
    run = sd.rollout(dynamics, *start, h=0.002, steps=3000)
    end = run.q[-1, :3]
    assert np.linalg.norm(run.v[-1, :3]) < 0.02
    assert np.linalg.norm(end[:2]) < 2 * funnel.deviation
    facet = np.array(funnel.shapes[0].vertices)
    low, high = np.linalg.norm((facet[0] + facet[3])[:2] / 2), np.linalg.norm((facet[4] + facet[7])[:2] / 2)
    slope = (high - low) / 0.25
    touching = (0.1 * np.hypot(1, slope) - low) / slope  # on the axis: distance to each stave's plane is 0.1
    assert end[2] == pytest.approx(touching, abs=0.01)


FLOORS = {
    1: [((4, 2, 1), (0, 0, -0.5))],
    2: [((2, 2, 1), (-1, 0, -0.5)), ((2, 2, 1), (1, 0, -0.5))],
}
BLOCKS = {1: [((0.4, 0.2, 0.2), (0, 0, 0))], 2: [((0.2, 0.2, 0.2), (-0.1, 0, 0)), ((0.2, 0.2, 0.2), (0.1, 0, 0))]}


def boxes(what):
    return [sd.Box(size=size, placement=sd.Pose(position=at)) for size, at in what]


@pytest.mark.parametrize("floor", FLOORS)
@pytest.mark.parametrize("block", BLOCKS)
def test_a_block_slides_over_a_seam_as_over_none(floor, block):
    """A located block of one box or two, over a floor of one box or two: x = x₀ + v₀ t − μ g t²/2."""
    mover = sd.Body(name="mover", mass=2.0, inertia=[0.0133, 0.0333, 0.0333], shapes=boxes(BLOCKS[block]))
    dynamics = world(fixed(*boxes(FLOORS[floor])), mover, (0.0, 0.0, -9.81), restitution=0.0, friction=0.1)
    start = dynamics.state({"mover": {"position": (-0.5, 0, 0.1), "velocity": (1.2, 0, 0)}})
    run = sd.rollout(dynamics, *start, h=2e-3, steps=400)
    assert run.q[:, 0] == pytest.approx(-0.5 + 1.2 * run.t - 0.5 * 0.981 * run.t**2, abs=1e-6)
    assert np.abs(run.q[:, 2] - 0.1).max() < 1e-9
