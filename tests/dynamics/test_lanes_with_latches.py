"""Worlds with engaged latches side by side: each bit for bit as alone, whatever its neighbours hold."""

import numpy as np
import pytest
from test_lanes import ARRAYS, alone

from softdock.dynamics import Dynamics, Trajectory, revised, rollout
from softdock.scenarios import load
from softdock.world import Body, Box, Contact, Fixed, Latch, Sphere, World

APART = 0.6
"""Of the two balls that a weld holds (m)."""
FAR = np.array([20.0, 0.0, 0.0])
"""From the wall (m)."""


def assert_the_same(rows: Trajectory, singles: list[Trajectory]) -> None:
    for k, one in enumerate(singles):
        for name in ARRAYS:
            np.testing.assert_array_equal(getattr(rows, name)[k], getattr(one, name))
    assert [i.time for i in rows.impacts] == [i.time for one in singles for i in one.impacts]


def test_dockings_with_other_numbers_move_as_alone():
    """The arm holds the payload, which hits the side of the bay on its way. Now and then a lane is put back just when
    its matrix is made anew."""
    rng = np.random.default_rng(18112801)
    keys = ("payload.mass", 60, 150), ("arm.kp", 8, 14)
    start = np.array([3.37, 0.97, 1.23])
    loaded = [
        load(
            "iss-docking",
            [*(f"{key}={rng.uniform(low, high)}" for key, low, high in keys),
             f"arm.start={(start + 0.01 * rng.normal(size=3)).tolist()}"],
        )
        for _ in range(6)
    ]  # fmt: skip
    first = Dynamics(loaded[0].world)
    worlds = [revised(first, one.world) for one in loaded]
    q, v = (np.array(part) for part in zip(*(one.state() for one in loaded), strict=True))
    commands = np.array([[one.docked_command(world)] for one, world in zip(loaded, worlds, strict=True)])
    options = {"h": 0.01, "steps": 1500, "every": 130, "ledger": True}
    rows = rollout(worlds, q, v, commands=commands, threads=1, **options)
    assert_the_same(rows, [alone(*each, **options) for each in zip(worlds, q, v, commands, strict=True)])
    assert len(rows.impacts) >= 5


def dumbbell(engaged: bool) -> Dynamics:
    """Two balls, which a weld may hold, far from a wall that they might hit."""
    wall = Body(name="wall", mass=0.0, joint=Fixed(), shapes=(Box(size=(0.1, 9.0, 9.0)),))
    balls = [
        Body(name=name, mass=mass, inertia=(0.01 * mass,) * 3, shapes=(Sphere(radius=0.1),))
        for name, mass in (("one", 2.0), ("other", 3.0))
    ]
    return Dynamics(
        World(
            bodies=(wall, *balls),
            latches=(Latch(name="weld", kind="weld", frame_a="one", frame_b="other", engaged=engaged,
                           capture_distance=1.0, capture_angle=1.0),),
            contacts=tuple(Contact(name=b.name, body_a="wall", body_b=b.name) for b in balls),
        )
    )  # fmt: skip


@pytest.fixture(scope="module")
def dumbbells() -> dict[bool, Dynamics]:
    return {engaged: dumbbell(engaged) for engaged in (True, False)}


def spinning(dynamics: Dynamics, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Both turn about their common centre of mass, which flies along."""
    w, along = rng.normal(size=3), 0.1 * rng.normal(size=3)
    reach = {"one": np.array([-0.6 * APART, 0.0, 0.0]), "other": np.array([0.4 * APART, 0.0, 0.0])}
    return dynamics.state(
        {
            name: {"position": tuple(r + FAR), "velocity": tuple(along + np.cross(w, r)),
                   "angular_velocity": tuple(w)}
            for name, r in reach.items()
        }
    )  # fmt: skip


def test_a_weld_among_worlds_whose_weld_is_open_keeps_its_momentum(dumbbells: dict[bool, Dynamics]):
    """The centre of mass goes straight on and the balls stay where they are to each other; those that nothing holds fly
    apart. Each is as alone, to the bit."""
    rng = np.random.default_rng(4)
    held = [True, True, False, True, False, True, True]
    worlds = [dumbbells[engaged] for engaged in held]
    q, v = (np.array(part) for part in zip(*(spinning(world, rng) for world in worlds), strict=True))
    options = {"h": 0.01, "steps": 300, "every": 20, "ledger": True}
    rows = rollout(worlds, q, v, threads=1, **options)
    assert_the_same(rows, [alone(*each, np.zeros(12), **options) for each in zip(worlds, q, v, strict=True)])
    for k, engaged in enumerate(held):
        one, other = rows.q[k, :, :3], rows.q[k, :, 7:10]
        center = (2 * one + 3 * other) / 5
        straight = center[0] + (rows.t[k] - rows.t[k, 0])[:, None] * (2 * v[k, :3] + 3 * v[k, 6:9]) / 5
        np.testing.assert_allclose(center, straight, rtol=0, atol=1e-12)
        apart = other - one
        if engaged:
            np.testing.assert_allclose(np.linalg.norm(apart, axis=1), APART, rtol=0, atol=1e-12)
        else:
            free = apart[0] + (rows.t[k] - rows.t[k, 0])[:, None] * (v[k, 6:9] - v[k, :3])
            np.testing.assert_allclose(apart, free, rtol=0, atol=1e-12)


def test_it_does_not_depend_on_how_it_was_batched(dumbbells: dict[bool, Dynamics]):
    rng = np.random.default_rng(5)
    worlds = [dumbbells[engaged] for engaged in (True, False, True, True, False, True)]
    q, v = (np.array(part) for part in zip(*(spinning(world, rng) for world in worlds), strict=True))
    options = {"h": 0.01, "steps": 120, "every": 10}
    all_ = rollout(worlds, q, v, threads=1, **options)
    for chosen in ([3], [1, 0], [5, 4, 3, 2, 1, 0], [2, 2, 2, 0, 1]):
        some = rollout([worlds[k] for k in chosen], q[chosen], v[chosen], threads=2, **options)
        for name in ARRAYS:
            np.testing.assert_array_equal(getattr(some, name), getattr(all_, name)[chosen])


def test_a_wall_hit_by_what_is_welded(dumbbells: dict[bool, Dynamics]):
    """Both balls of each hit it, one after the other or at once: what they had along it is left as it was."""
    rng = np.random.default_rng(6)
    world = dumbbells[True]
    states = [spinning(world, rng) for _ in range(5)]
    q, v = (np.array(part) for part in zip(*states, strict=True))
    q[:, [0, 7]] -= 19.3
    v[:, [0, 6]] -= np.linspace(0.3, 0.9, 5)[:, None]
    options = {"h": 0.01, "steps": 200, "every": 10, "ledger": True}
    rows = rollout(world, q, v, threads=1, **options)
    assert_the_same(rows, [alone(world, *state, np.zeros(12), **options) for state in zip(q, v, strict=True)])
    assert len(rows.impacts) >= 5
    center = (2 * rows.q[:, :, 1:3] + 3 * rows.q[:, :, 8:10]) / 5
    speed = (2 * v[:, None, 1:3] + 3 * v[:, None, 7:9]) / 5
    np.testing.assert_allclose(np.diff(center, axis=1), 0.1 * np.repeat(speed, 19, axis=1), rtol=0, atol=1e-11)
