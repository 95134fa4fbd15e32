"""Chains of many links: little of a velocity's rounding may become momentum (docs/theory/step.md, "Long chains")."""

import numpy as np
import pytest

from softdock.bench.free_arm import start
from softdock.bench.worlds import free_arm
from softdock.dynamics import Dynamics, Motion, rollout

H, STEPS = 0.01, 400


@pytest.fixture(scope="module")
def chain() -> Dynamics:
    return Dynamics(free_arm(32))


def test_motion_runs_back_to_where_it_began(chain: Dynamics):
    """The step is symmetric in time, so that only rounding, and what iterations leave, keeps a motion from its start.
    (With q moved by another velocity than the momentum's gain was evaluated at, 1.8e-10 are left.)"""
    q, v = start(chain.world, 0.05, 2)
    there = Motion(chain, q, v, h=H)
    there.run(STEPS, every=STEPS)
    back = Motion(chain, there.q, -there.v, h=H)
    back.run(STEPS, every=STEPS)
    np.testing.assert_allclose(back.q, q, atol=1e-11)
    np.testing.assert_allclose(back.v, -v, atol=1e-11)
    assert np.abs(there.q - q).max() > 0.1
    assert there.counts["evaluations"] < 1.75 * STEPS  # 2.0, without smoothing too


def test_momentum_is_kept_to_rounding(chain: Dynamics):
    q, v = start(chain.world, 0.05, 2)
    rows = Motion(chain, q, v, h=H).run(STEPS, every=20)
    balance = chain.balance(rows.q, rows.v)
    for kept in (balance.momentum, balance.angular_momentum):
        np.testing.assert_allclose(kept, np.broadcast_to(kept[0], kept.shape), atol=1e-14 * np.abs(kept).max())


def test_side_by_side_they_move_as_alone(chain: Dynamics):
    q, v = start(chain.world, 0.02, 2)
    speeds = np.array([1.0, 2.0, -0.5])[:, None] * v
    rows = rollout(chain, q, speeds, h=H, steps=40, every=10, threads=1)
    for k, speed in enumerate(speeds):
        one = Motion(chain, q, speed, h=H).run(40, every=10)
        np.testing.assert_allclose(rows.q[k], one.q, rtol=0, atol=1e-12)
        np.testing.assert_allclose(rows.v[k], one.v, rtol=0, atol=1e-12)
