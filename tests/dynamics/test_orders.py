"""The measured order of convergence is the declared one, on worlds with everything in them."""

import numpy as np
import pytest
from worlds import ISS_ORBIT, apart, four_bar, mated, mixed, mixed_state, order_of, pair

from softdock.dynamics import Dynamics, Motion, reference
from softdock.world import Uniform

SIZES = {2: (0.04, 0.02, 0.01), 4: (0.04, 0.025, 0.02), 6: (0.025, 0.02, 0.0125)}
LATCHED = {2: (0.04, 0.02, 0.01), 4: (0.1, 0.05, 0.04), 6: (0.1, 0.08, 0.05)}
WELDED = {**LATCHED, 6: (0.2, 0.125, 0.1)}
"""Step sizes where the error is above rounding and the next term of its expansion small."""
SPAN = 2.0


def end(
    dynamics: Dynamics, q: np.ndarray, v: np.ndarray, h: float, order: int, command=None, latch: str = ""
) -> Motion:  # type: ignore[no-untyped-def]
    motion = Motion(dynamics, q, v, h=h, order=order)
    if latch:
        motion.engage(latch)
    motion.run(round(SPAN / h), command, every=round(SPAN / h))
    return motion


@pytest.fixture(scope="module", params=[Uniform(acceleration=(0.5, -1.0, -2.0)), ISS_ORBIT], ids=lambda g: g.kind)
def mixed_case(request: pytest.FixtureRequest):  # type: ignore[no-untyped-def]
    """Springs, dampers, friction and a servo in two trees: (dynamics, q, v, command, end by DOP853)."""
    dynamics = Dynamics(mixed(request.param))
    q, v = mixed_state(dynamics)
    command = dynamics.command(position={"b1": 0.8}, force={"b7": 0.2})
    exact_q, exact_v = reference(dynamics, q, v, [0.0, SPAN], command)
    return dynamics, q, v, command, exact_q[-1], exact_v[-1]


@pytest.mark.parametrize("order", [2, 4, 6])
def test_with_springs_dampers_friction_and_servo(mixed_case, order: int) -> None:  # type: ignore[no-untyped-def]
    dynamics, q, v, command, exact_q, exact_v = mixed_case
    runs = [end(dynamics, q, v, h, order, command) for h in SIZES[order]]
    errors = [apart(dynamics, run.q, exact_q) for run in runs]
    speeds = [np.abs(run.v - exact_v).max() for run in runs]
    for found in (errors, speeds):
        assert order_of(np.array(SIZES[order]), np.array(found)) == pytest.approx(order, abs=0.2), found


@pytest.mark.parametrize("order", [2, 4, 6])
@pytest.mark.parametrize("kind", ["point", "hinge", "weld", "distance"])
def test_with_an_engaged_latch(kind: str, order: int) -> None:
    """Two free bodies held together, against a run of order 6 in steps of 2 ms."""
    dynamics = Dynamics(pair(kind))
    q, v = mated(dynamics, np.random.default_rng(6), 0.5)
    fine = end(dynamics, q, v, 0.002, 6, latch="latch")
    sizes = (WELDED if kind == "weld" else LATCHED)[order]
    runs = [end(dynamics, q, v, h, order, latch="latch") for h in sizes]
    errors = [apart(dynamics, run.q, fine.q) for run in runs]
    assert order_of(np.array(sizes), np.array(errors)) == pytest.approx(order, abs=0.2), errors


def test_a_motion_turns_back_on_itself() -> None:
    """The step is symmetric: from the end with velocities reversed, the start is met again."""
    dynamics = Dynamics(mixed(resisting=False))
    q, v = mixed_state(dynamics)
    for order in (2, 4, 6):
        there = Motion(dynamics, q, v, h=0.02, order=order)
        there.run(100)
        back = Motion(dynamics, there.q, -there.v, h=0.02, order=order)
        back.run(100)
        assert apart(dynamics, back.q, q) < 1e-11
        np.testing.assert_allclose(back.v, -v, atol=1e-11)


def test_a_closed_chain_turns_back_on_itself() -> None:
    from test_four_bar import closed

    dynamics = Dynamics(four_bar())
    q, v = closed(0.4, 1.0)
    there = Motion(dynamics, q, v, h=0.02)
    there.engage("pin")
    there.run(200)
    back = Motion(dynamics, there.q, -there.v, h=0.02)
    back.engage("pin")
    back.run(200)
    np.testing.assert_allclose(back.q, q, atol=1e-10)
