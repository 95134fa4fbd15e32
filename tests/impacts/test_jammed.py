"""What is caught between bodies that a latch holds: it moves with them, whatever rounding says about its room."""

import sys
from pathlib import Path

import numpy as np
import pytest

import softdock as sd

sys.path.insert(0, str(Path(__file__).parents[2] / "studies"))

from random_contacts import cases, measured

SPIN, WOBBLE = 0.9, 0.3
"""Of a symmetric top about its axis and across it (rad/s)."""


def pile(**more):
    """Three square plates on each other along z, the outer ones to be welded, free in space."""
    bodies, start = [], {}
    for name, height, z in (("low", 0.1, -0.15), ("mid", 0.2, 0.0), ("top", 0.1, 0.15)):
        size = np.array([0.4, 0.4, height])
        inertia = 2.0 * (size @ size - size**2) / 12
        bodies.append(sd.Body(name=name, mass=2.0, inertia=inertia.tolist(), shapes=[sd.Box(size=size)]))
        turning = np.array([WOBBLE, 0.0, SPIN])
        start[name] = {
            "position": (0, 0, z), "velocity": np.cross(turning, (0, 0, z)), "angular_velocity": turning,
        }  # fmt: skip
    weld = sd.Latch(name="weld", kind="weld", frame_a="low", frame_b="top", capture_distance=1.0)
    world = sd.World(bodies=bodies, latches=[weld]).with_contacts("all", restitution=0.0, friction=0.5)
    dynamics = sd.Dynamics(world)
    return dynamics, sd.Motion(dynamics, *dynamics.state(start), **more)


def test_a_pile_held_together_by_its_ends_turns_as_one_symmetric_top():
    """The ends alone would wobble at another rate than the plate between them: normals carry the difference."""
    dynamics, motion = pile(h=0.002)
    motion.engage("weld")
    run = motion.run(250)
    along = 3 * 2.0 * 0.4**2 / 6  # moments of inertia of all three, along their axis and across it
    across = along / 2 + 2.0 * (0.1**2 + 0.2**2 + 0.1**2) / 12 + 2 * 2.0 * 0.15**2
    phase = (along / across - 1) * SPIN * run.t
    expected = np.stack([WOBBLE * np.cos(phase), WOBBLE * np.sin(phase), np.full(len(phase), SPIN)], axis=1)
    for name in ("low", "mid", "top"):
        rates = run.v[:, dynamics.layout.v[name]][:, 3:]
        assert np.abs(rates - expected).max() < 5e-7
    for q in run.q[::50]:
        (R, p), (R_low, p_low) = dynamics.pose("mid", q), dynamics.pose("low", q)
        assert R_low.T @ (p - p_low) == pytest.approx([0, 0, 0.15], abs=1e-10)
        assert np.abs(R_low.T @ R - np.eye(3)).max() < 1e-10
    assert dynamics.balance(motion.q, motion.v).kinetic == pytest.approx(dynamics.balance(run.q[0], run.v[0]).kinetic)


@pytest.mark.parametrize("k", [38, 46, 53], ids=["under a welded box", "on a welded pair", "beside a contact at rest"])
def test_boxes_welded_as_they_rattle(k):
    """A sample of `studies/random_contacts.py --kinds latched`, of which each failed for another reason."""
    (case,) = cases("latched", np.random.default_rng([11, k]), k)
    found = measured(case)
    assert found.rise < 1e-4
    assert found.depth < 1e-7
