"""Worlds with contacts side by side: in a lane while nothing touches, alone while something does; each as if alone."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from test_lanes import ARRAYS, alone, assert_as_alone

from softdock.bench.impacts import between_walls
from softdock.dynamics import Dynamics, StepFailed, Trajectory, revised, rollout
from softdock.world import Body, Box, Compliance, Contact, Fixed, Pose, Sphere, Uniform, World

ROOM = 0.1
"""Of the ball between the walls (m)."""


@pytest.fixture(scope="module")
def walls() -> Dynamics:
    return Dynamics(between_walls())


def flights(dynamics: Dynamics, speeds: list[float]) -> tuple[np.ndarray, np.ndarray]:
    q, v = (np.tile(part, (len(speeds), 1)) for part in dynamics.state())
    v[:, 0], v[:, 4] = speeds, 0.3
    return q, v


def unfolded(speed: float, t: np.ndarray) -> np.ndarray:
    """Where an elastic ball is that began in the middle: the way it would have gone, folded at the walls."""
    way = speed * t / ROOM + 0.5
    part = np.mod(way, 2.0)
    return ROOM * (np.where(part < 1.0, part, 2.0 - part) - 0.5)


def test_elastic_balls_are_where_mirrors_put_them(walls: Dynamics):
    speeds = [0.01, 0.13, -0.2, 0.0, 1.7, -3.1, 0.05]
    q, v = flights(walls, speeds)
    rows = rollout(walls, q, v, h=0.01, steps=200, every=8, threads=1)
    for k, speed in enumerate(speeds):
        np.testing.assert_allclose(rows.q[k, :, 0], unfolded(speed, rows.t[k]), rtol=0, atol=1e-11)
    passed = [int(abs(speed) * 2.0 / ROOM + 0.5) for speed in speeds]
    assert len(rows.impacts) == sum(passed) > 100


def numbers(dynamics: Dynamics, rng: np.random.Generator, count: int) -> list[Dynamics]:
    """The world with other masses and restitutions each."""
    world = dynamics.world
    return [
        revised(
            dynamics,
            world.model_copy(
                update={
                    "bodies": tuple(b.altered(mass=b.mass * rng.uniform(0.5, 2)) for b in world.bodies),
                    "contacts": tuple(
                        c.model_copy(update={"restitution": rng.uniform(0.3, 1)}) for c in world.contacts
                    ),
                }
            ),
        )
        for _ in range(count)
    ]


def test_worlds_with_other_numbers_in_one_batch_move_as_alone(walls: Dynamics):
    rng = np.random.default_rng(8)
    worlds = numbers(walls, rng, 6)
    q, v = flights(walls, list(rng.uniform(-2, 2, 6)))
    commands = rng.normal(size=(6, 150, walls.nv)) * [0.5, 0, 0, 0, 0, 0]
    options = {"h": 0.01, "steps": 150, "every": 7, "ledger": True}
    rows = rollout(worlds, q, v, commands=commands, threads=1, **options)
    singles = [alone(*each, **options) for each in zip(worlds, q, v, commands, strict=True)]
    assert_as_alone(rows, singles)
    assert [i.time for i in rows.impacts] == pytest.approx([i.time for one in singles for i in one.impacts], abs=1e-12)
    assert len(rows.impacts) > 20


def test_a_world_does_not_depend_on_its_neighbours(walls: Dynamics):
    """To the bit."""
    q, v = flights(walls, [0.02, 0.4, -1.3, 0.0, 2.2, 0.9])
    options = {"h": 0.01, "steps": 120, "every": 10}
    all_ = rollout(walls, q, v, threads=1, **options)
    for chosen in ([4], [3, 1], [5, 4, 3, 2, 1, 0], [2, 2, 2, 0, 1]):
        some = rollout(walls, q[chosen], v[chosen], threads=2, **options)
        for name in ARRAYS:
            np.testing.assert_array_equal(getattr(some, name), getattr(all_, name)[chosen])


def falling(stiffness: float | None) -> Dynamics:
    """Two balls over the ground, one above the other."""
    ground = Box(size=(9.0, 9.0, 1.0), placement=Pose(position=(0.0, 0.0, -0.5)))
    bodies = [Body(name="ground", mass=0.0, joint=Fixed(), shapes=(ground,))]
    bodies += [Body(name=n, mass=1.0, inertia=(0.004,) * 3, shapes=(Sphere(radius=0.1),)) for n in ("low", "high")]
    law: dict[str, Any] = {"restitution": 0.3}
    if stiffness is not None:
        law = {"compliance": Compliance(stiffness=stiffness, exponent=1.0, damping=0.2)}
    contacts = tuple(Contact(name=b.name, body_a=b.name, body_b=a.name, **law) for a, b in pairwise(bodies))
    return Dynamics(World(gravity=Uniform(acceleration=(0, 0, -9.81)), bodies=tuple(bodies), contacts=contacts))


@pytest.mark.parametrize("stiffness", [None, 1000.0])
def test_what_comes_to_rest_or_gives_way_among_what_flies(stiffness: float | None):
    dynamics = falling(stiffness)
    starts = [{"low": {"position": (0, 0, low)}, "high": {"position": (0, 0, low + 0.5)}} for low in (0.11, 0.4, 3.0)]
    states = [dynamics.state(start) for start in starts]
    q, v = (np.array(part) for part in zip(*states, strict=True))
    options = {"h": 0.005, "steps": 120, "every": 10, "ledger": True}
    rows = rollout(dynamics, q, v, threads=1, **options)
    assert_as_alone(rows, [alone(dynamics, *state, **options) for state in states])
    np.testing.assert_allclose(rows.q[2, :, 2], 3.0 - 0.5 * 9.81 * rows.t[2] ** 2, atol=1e-12)


def test_one_that_fails_is_named_and_others_are_run(walls: Dynamics):
    """At 3 km/s a ball would strike 300 times in a step."""
    q, v = flights(walls, [0.5, 0.1, 3000.0, -0.7, 3000.0])
    out = Trajectory(*(np.full((5, 10, *more), 7.0) for more in ((), (walls.nq,), (walls.nv,), (19,))))
    with pytest.raises(StepFailed, match=r"^motion 2 of the batch: at t = .* \(2 motions failed: 2, 4\)$") as caught:
        rollout(walls, q, v, h=0.01, steps=10, threads=1, out=out)
    assert list(caught.value.failed) == [2, 4]
    assert np.isnan(np.concatenate([getattr(out, name)[[2, 4]].ravel() for name in ARRAYS])).all()
    for k in (0, 1, 3):
        np.testing.assert_allclose(out.q[k, :, 0], unfolded(v[k, 0], out.t[k]), rtol=0, atol=1e-12)
