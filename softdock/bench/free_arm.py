"""A free base with seven joints in space, without gravity, joints turning at 0.1 rad/s."""

import numpy as np

from softdock.bench.precision import Problem, judged, measure
from softdock.bench.rows import Result, Say
from softdock.bench.softdock_engine import LOOSE, Adaptive, Variational
from softdock.bench.worlds import free_arm
from softdock.dynamics import Dynamics, reference
from softdock.world import World

METHODS = (
    Variational(2, 0.01),
    *(Variational(4, h, tolerance) for h in (0.5, 0.25, 0.1) for tolerance in (1e-14, LOOSE)),
    *(Variational(6, h, tolerance) for h in (1.0, 0.5, 0.4, 0.25, 0.2) for tolerance in (1e-14, LOOSE)),
    *(Adaptive(rtol) for rtol in (1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9)),
)
PEER = (("Euler", 0.01), *(("RK4", h) for h in (0.01, 0.05, 0.1, 0.2, 0.25, 0.4, 0.5, 1.0)))


def start(world: World, rate: float, alike: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Base at rest, joints bent unevenly, turning at ± rate; the sign changes after `alike` joints."""
    joints = np.arange(len(world.bodies) - 1)
    q = np.concatenate([[0, 0, 0, 1, 0, 0, 0], 0.3 * np.sin(1.0 + joints)])
    return q, np.concatenate([np.zeros(6), rate * (-1.0) ** (joints // alike)])


def problem(span: float = 20.0) -> Problem:
    """Its end is from softdock's own reference integrator at rtol 1e-13, which MuJoCo RK4 converges to."""
    world = free_arm(7)
    q, v = start(world, 0.1)
    exact = reference(Dynamics(world), q, v, [0.0, span])[0][-1]
    return Problem("free-arm-7", world, q, v, span, exact, slice(7, 14), slice(3, 7))


def run(say: Say, *, span: float = 20.0, methods: tuple = METHODS, peer: tuple = PEER, rounds: int = 9) -> Result:  # type: ignore[type-arg]
    """At most 1.5 of MuJoCo Euler's time per step; a third of MuJoCo RK4's total time at 1e-6 rad."""
    rows = measure(problem(span), methods, peer, say, rounds)
    return judged("free-arm-7", rows, h=0.01, step_limit=1.5, error=1e-6, total_limit=1 / 3)
