"""The compiled loops of one checkout, timed on demand: `speed_beside.py` starts this once for each of two checkouts.

A line on standard input names a job; the answer is the processor time (µs) of one step, impact or run of it. Only what
checkouts since f457fda have in common is used.
"""

import functools
import json
import sys
import time
from collections.abc import Callable

import numpy as np

import softdock as sd
from softdock.bench import free_arm, impacts, planar_iss
from softdock.bench.worlds import free_arm as free_arm_world

try:  # since House
    from softdock.scenarios import load
    from softdock.scenarios.runner import Runner
except ImportError:
    from softdock.scenarios.load import load

    from softdock.scenarios.scenario import Play as Runner  # type: ignore[no-redef, attr-defined]

Job = Callable[[], float]
STEPS = 4000
BERTHED = 2.0
"""So many seconds of the berthing."""
FINE = "run.h=1e-4", "run.record_every=50"
"""As berthing was run in earlier versions."""


def timed(work: Callable[[], object]) -> float:
    began = time.thread_time()
    work()
    return 1e6 * (time.thread_time() - began)


def flight(dynamics: sd.Dynamics, q: np.ndarray, v: np.ndarray, h: float, command: np.ndarray | None = None) -> Job:
    """A step of many that follow each other."""

    def job() -> float:
        motion = sd.Motion(dynamics, q, v, h=h)
        if command is None:
            return timed(lambda: motion.run(STEPS, every=STEPS)) / STEPS
        return timed(lambda: motion.run(STEPS, command, every=STEPS)) / STEPS

    return job


def planar(name: str) -> Job:
    case = planar_iss.problem(name)
    dynamics = sd.Dynamics(case.world)
    return flight(dynamics, case.q, case.v, 0.01, dynamics.command(position=case.targets))


def arm() -> Job:
    world = free_arm_world(7)
    return flight(sd.Dynamics(world), *free_arm.start(world, 0.1), 0.01)


def between_walls() -> Job:
    """An impact."""
    dynamics = sd.Dynamics(impacts.between_walls())
    q, v = dynamics.state({"ball": {"velocity": (impacts.SPEED, 0.0, 0.0)}})

    def job() -> float:
        motion, found = sd.Motion(dynamics, q, v, h=impacts.H), []
        taken = timed(lambda: found.append(motion.run(STEPS, every=STEPS)))
        return taken / len(found[0].impacts)

    return job


def far_contact() -> Job:
    """A step of the planar station with a contact that stays open."""
    case = planar_iss.problem("pd40")
    added = getattr(impacts, "with_a_far_contact", None) or impacts.with_a_far_gap  # type: ignore[attr-defined]
    dynamics = sd.Dynamics(added(case.world))
    return flight(dynamics, case.q, case.v, 0.01, dynamics.command(position=case.targets))


def scenario(name: str, *changes: str) -> Job:
    """The loop of a whole run."""
    described = load(name, list(changes))

    def job() -> float:
        simulation = Runner(described).simulation
        return timed(lambda: simulation.run(described.run.duration, record_every=described.run.record_every))

    return job


def campaign() -> Job:
    """A run of a campaign of dockings as one of 16, with all that is around its steps."""
    from softdock.bench.campaign import VARY
    from softdock.campaign import campaign_of
    from softdock.campaign.trial import Trial

    trial, lot = Trial(campaign_of("iss-docking", vary=VARY, changes=["run.record_every=400"], runs=16)), range(16)
    trial.warm()
    several = getattr(trial, "several", None)

    def job() -> float:
        began = time.process_time()  # of all threads, where runs have some
        if several:
            several([(k,) for k in lot])
        else:
            for k in lot:
                trial(k)
        return 1e6 * (time.process_time() - began) / len(lot)

    return job


def latch(kind: str) -> Job:
    """A step of two free bodies, held to each other by one latch, that tumble."""
    inertia = ((1.0, 0.0, 0.0), (0.0, 2.0, 0.0), (0.0, 0.0, 2.5))
    bodies = tuple(sd.Body(name=name, mass=10.0, inertia=inertia) for name in "ab")
    frames = tuple(
        sd.Frame(name=f"on {name}", body=name, placement=sd.Pose(position=(at, 0.1, 0.2)))
        for name, at in (("a", 0.5), ("b", -0.5))
    )
    length = {"length": 1.0} if kind == "distance" else {}
    held = sd.Latch(name="latch", kind=kind, frame_a="on a", frame_b="on b", engaged=True, **length)  # type: ignore[arg-type]
    dynamics = sd.Dynamics(sd.World(bodies=bodies, frames=frames, latches=(held,)))
    q = np.array([0, 0, 0, 1, 0, 0, 0, 1.0 + (kind == "distance"), 0, 0, 1, 0, 0, 0])
    v = 0.1 * np.random.default_rng(5).standard_normal(12)
    v = sd.Motion(dynamics, q, v, h=0.01).v  # as both move together
    return flight(dynamics, q, v, 0.01)


def jobs() -> dict[str, Callable[[], Job]]:
    """By their names, each yet to be made."""
    return {
        "planar-iss with servos, a step": lambda: planar("pd40"),
        "planar-iss free, a step": lambda: planar("free40"),
        "planar-iss with a far contact, a step": far_contact,
        "free-arm-7, a step": arm,
        "ball between walls, an impact": between_walls,
        "iss-docking, its run": lambda: scenario("iss-docking"),
        "iss-docking, a run of a campaign": campaign,
        "iss-docking, compliant, its run": lambda: scenario("iss-docking", 'contact.style="compliant"'),
        f"berthing, {BERTHED:g} s of its run": lambda: scenario("berthing", f"run.duration={BERTHED:g}", *FINE),
        **{f"{kind} latch, a step": functools.partial(latch, kind) for kind in ("weld", "point", "hinge", "distance")},
    }


def serve() -> None:
    """Answer line by line."""
    ready: dict[str, Job] = {}
    known = jobs()
    print(json.dumps(list(known)), flush=True)
    for line in sys.stdin:
        name = line.rstrip("\n")
        if name not in ready:
            ready[name] = known[name]()
            ready[name]()  # what comes first is compiled
        print(ready[name](), flush=True)


if __name__ == "__main__":
    serve()
