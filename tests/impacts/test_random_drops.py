"""A sample of studies/random_drops.py: nothing goes through, no energy is made, and the books close."""

import sys
from pathlib import Path

import numpy as np
import pytest

import softdock as sd

sys.path.insert(0, str(Path(__file__).parents[2] / "studies"))

from random_drops import BALL, BOX, CAPSULE, CYLINDER, dropping, energy, measured, thrown


@pytest.mark.parametrize(("restitution", "friction"), [(0.0, 0.5), (0.5, 0.0)], ids=["rough", "bouncing"])
@pytest.mark.parametrize("bodies", [(BOX,), (CYLINDER,), (CAPSULE, BOX)], ids=["box", "cylinder", "capsule and box"])
def test_thrown_on_a_floor(bodies, restitution, friction):
    dynamics = dropping(bodies, restitution, friction)
    for k, h in enumerate((0.001, 0.005, 0.02)):
        motion = thrown(dynamics, bodies, np.random.default_rng([5, k]), h)
        rise, depth = measured(dynamics, bodies, motion)
        assert rise < 1e-3
        assert depth < 2e-7


def test_books_of_a_sliding_box_close_in_every_row():
    """The work of friction is booked half in a step, half in the impulse that ends it."""
    dynamics = dropping((BOX,), 0.0, 0.2)
    motion = sd.Motion(dynamics, *dynamics.state({"box": {"position": (0, 0, 0.1), "velocity": (1, 0, 0)}}), h=0.01)
    start = energy(dynamics, motion.q, motion.v)
    run = motion.run(40, ledger=True)
    work = run.account[:, list(motion.account).index("work_contacts")]
    speeds = 1 - 0.2 * 9.81 * run.t
    assert run.v[:, 0] == pytest.approx(speeds, abs=1e-12)
    assert work == pytest.approx(0.5 * 2 * (speeds**2 - 1), abs=1e-11)
    assert [energy(dynamics, q, v) - start for q, v in zip(run.q, run.v, strict=True)] == pytest.approx(work, abs=1e-11)
    assert motion.account["work_contacts"] == pytest.approx(work[-1], abs=1e-11)


def test_what_rests_is_not_struck_by_rounding():
    """A ball that lands beside a resting box is one impact, and none of the box."""
    dynamics = dropping((BOX, BALL), 0.0, 0.5)
    state = {"box": {"position": (0, 0, 0.1)}, "ball": {"position": (1, 0, 0.3), "velocity": (0.1, 0, 0)}}
    run = sd.Motion(dynamics, *dynamics.state(state), h=0.01).run(60)
    assert [impact.contact for impact in run.impacts] == ["floor-ball"]
