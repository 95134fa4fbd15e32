"""The Python interface, used as it is not meant."""

import copy
import pickle
import random
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from verdict import Tally, flaw_of_call

import softdock as sd
from softdock.campaign import campaign_of
from softdock.dynamics import Motion, rollout
from softdock.runs.recorder import Recorder, RunFolderError
from softdock.runs.simulation import Simulation
from softdock.scenarios import load

REFUSED = (ValueError, TypeError, KeyError, RunFolderError, MemoryError, OSError)
ODD: tuple[Any, ...] = (None, np.nan, np.inf, -1, 0, 1e300, "x", [], [np.nan] * 8, np.zeros((3, 3)),
    np.zeros(10**6), object(), 10**30, -(10**30), True, b"x", {}, [[1.0], [1.0, 2.0]])  # fmt: skip


def _world() -> sd.World:
    bodies = (sd.Body(name="a", mass=1.0, inertia=(1.0, 1.0, 1.0)), sd.Body(name="b", parent="a",
        joint=sd.Revolute(), mass=1.0, inertia=(1.0, 1.0, 1.0)))  # fmt: skip
    return sd.World(bodies=bodies)


def _calls(folder: Path) -> Iterator[tuple[str, Callable[[], object]]]:
    dynamics = sd.Dynamics(_world())
    q, v = np.array([0.0, 0, 0, 1, 0, 0, 0, 0]), np.zeros(7)

    def motion(**options: Any) -> Motion:
        return Motion(dynamics, options.pop("q", q), options.pop("v", v), **({"h": 0.01} | options))

    motion().run(2)
    for odd in ODD:
        yield f"tolerance {odd!r:.20}", lambda odd=odd: motion(tolerance=odd)
        yield f"h {odd!r:.20}", lambda odd=odd: motion(h=odd)
        yield f"order {odd!r:.20}", lambda odd=odd: motion(order=odd)
        yield f"q {odd!r:.20}", lambda odd=odd: motion(q=odd)
        yield f"v {odd!r:.20}", lambda odd=odd: motion(v=odd)
        yield f"steps {odd!r:.20}", lambda odd=odd: motion().run(odd)
        yield f"every {odd!r:.20}", lambda odd=odd: motion().run(4, every=odd)
        yield f"commands {odd!r:.20}", lambda odd=odd: motion().run(2, odd)
        yield f"step_to {odd!r:.20}", lambda odd=odd: motion().step_to(odd)
        yield f"duration {odd!r:.20}", lambda odd=odd: _short(dynamics, q, v).run(odd if not _is_long(odd) else -1.0)
        yield f"inverse {odd!r:.20}", lambda odd=odd: dynamics.inverse_dynamics(q, v, odd)
        yield f"rollout {odd!r:.20}", lambda odd=odd: rollout(dynamics, odd, v, h=0.01, steps=2)
    for change in (copy.copy, copy.deepcopy, pickle.dumps):
        yield f"{change.__name__} of a motion", lambda change=change: _refuses(lambda: change(motion()))
        yield (
            f"{change.__name__} of a simulation",
            lambda change=change: _refuses(lambda: change(_short(dynamics, q, v))),
        )
    yield "two threads", lambda: _two_threads(motion())
    yield "latch", lambda: motion().engage("nothing")
    yield "release", lambda: motion().release("nothing")
    yield "stop_at", lambda: motion().run(1, stop_at=["nothing"])
    yield "recorder", lambda: Recorder("/proc/x", _world())
    yield "used", lambda: Recorder(folder, _world())
    yield "no world", lambda: sd.World(bodies=())
    yield (
        "cycle",
        lambda: sd.World(bodies=(sd.Body(name="a", parent="b", mass=1.0), sd.Body(name="b", parent="a", mass=1.0))),
    )
    yield "mesh", lambda: sd.ConvexMesh(vertices=((0.0, 0, 0),) * 4, triangles=((0, 1, 99),) * 4)
    yield "mesh", lambda: sd.ConvexMesh(vertices=((0.0, 0, 0),) * 4, triangles=((0, 1, -1),) * 4)
    yield "bodies", lambda: sd.World(bodies=tuple(sd.Body(name=str(k), mass=1.0) for k in range(1001)))
    yield "load", lambda: load("nothing")
    yield "campaign", lambda: campaign_of("world", vary={"x": "normal(0, 1)"}, runs=3)
    yield "within", lambda: _within(_short(dynamics, q, v))


def _is_long(odd: Any) -> bool:
    return isinstance(odd, int | float) and 0 < odd <= 1e7 and odd is not True


def _short(dynamics: sd.Dynamics, q: np.ndarray, v: np.ndarray) -> Simulation:
    return Simulation(dynamics, q, v, h=0.01)


def _refuses(call: Callable[[], object]) -> None:
    try:
        call()
    except TypeError:
        return
    raise AssertionError("it was taken")


def _two_threads(motion: Motion) -> None:
    """Of two long runs at once, at least one must be refused, and the motion's count of steps stay right."""
    refused: list[Exception] = []
    start = threading.Barrier(2)

    def run() -> None:
        start.wait()
        try:
            motion.run(200_000, every=200_000)
        except ValueError as error:
            refused.append(error)

    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if len(refused) * 200_000 + motion.counts["steps"] != 400_000:
        raise AssertionError(f"{len(refused)} refused, {motion.counts['steps']} steps")


def _within(simulation: Simulation) -> None:
    simulation.at(0.01, lambda now: now.run(1.0))
    simulation.run(0.02)


def attack(count: int, seed: int, folder: Path) -> Tally:
    """In an order of its own."""
    tally, calls = Tally("API misuses"), list(_calls(folder))
    random.Random(seed).shuffle(calls)
    for name, call in calls[:count]:
        tally.count(flaw_of_call(call, REFUSED), name)
    return tally
