"""What motions and rollouts are asked for that is none: one clear line, which names it."""

import numpy as np
import pytest

from softdock.dynamics import Dynamics, Motion, Trajectory, rollout
from softdock.world import Body, World

STEPS = 20


@pytest.fixture(scope="module")
def dynamics() -> Dynamics:
    return Dynamics(World(name="one", bodies=(Body(name="body", mass=1.0, inertia=(1, 1, 1)),)))


def rows(dynamics: Dynamics) -> Trajectory:
    return Motion(dynamics, *dynamics.state({}), h=0.01).run(STEPS)


@pytest.mark.parametrize("name", ["h", "t", "tolerance", "contact_error"])
@pytest.mark.parametrize("value", ["x", [1.0], np.nan])
def test_what_is_no_number_is_named(dynamics: Dynamics, name: str, value: object) -> None:
    with pytest.raises(ValueError, match=r"step h|time t|tolerance|contact_error"):
        Motion(dynamics, *dynamics.state({}), **{"h": 0.01, name: value})  # type: ignore[arg-type]


@pytest.mark.parametrize("steps", [True, "x", 1.5, None])
def test_steps_are_a_whole_number(dynamics: Dynamics, steps: object) -> None:
    with pytest.raises(ValueError, match="steps must be a whole number"):
        Motion(dynamics, *dynamics.state({}), h=0.01).run(steps)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="steps must be a whole number"):
        rollout(dynamics, *dynamics.state({}), h=0.01, steps=steps)  # type: ignore[arg-type]


@pytest.mark.parametrize("at", [STEPS + 1, -1, 1.5, "x"])
@pytest.mark.parametrize("steps", [0, 2])
def test_rows_go_to_a_row_that_there_is(dynamics: Dynamics, steps: int, at: object) -> None:
    out = rows(dynamics)
    motion = Motion(dynamics, *dynamics.state({}), h=0.01)
    motion.run(1, out=out)
    with pytest.raises(ValueError, match=f"out: {steps} rows of float64 are needed from row"):
        motion.run(steps, out=out, at=at)  # type: ignore[arg-type]
    assert motion.t == pytest.approx(0.01, abs=1e-15)  # nothing was done


@pytest.mark.parametrize(
    ("given", "told"),
    [({"pool": 3}, "pool must be of Executor"), ({"out": "x"}, "out must be of Trajectory")],
)  # fmt: skip
def test_a_rollouts_pool_and_rows(dynamics: Dynamics, given: dict[str, object], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        rollout(dynamics, *dynamics.state({}), h=0.01, steps=1, **given)  # type: ignore[arg-type]


def test_a_rollout_of_what_is_no_world(dynamics: Dynamics) -> None:
    with pytest.raises(ValueError, match="each world must be a Dynamics, not None"):
        rollout([dynamics, None], *dynamics.state({}), h=0.01, steps=1)  # type: ignore[list-item]
