"""What the compiled loops need to know of a world (`Plant`), and what they carry along (`Work`)."""

from typing import NamedTuple

import numpy as np

from softdock.dynamics.gaps import Gaps
from softdock.mechanics.tree import LATCH_HELD, LATCH_ROWS

KERNELS = ("newton", "advance", "factor", "solve", "latches", "weight", "poses")
"""Kernels that the stepping loops call, in the order of `Plant.kernels`."""
NEWTON, ADVANCE, FACTOR, SOLVE, LATCHES, WEIGHT, POSES = range(7)

DEPTH = 6
"""How many earlier velocities the predictor may use."""


class Plant(NamedTuple):
    """The immutable model, as arrays."""

    kernels: np.ndarray
    theta: np.ndarray
    spherical: np.ndarray
    """First velocity index of every spherical elementary joint."""
    orbit: np.ndarray
    """Elements of the reference orbit, or empty."""
    latch_rows: np.ndarray
    """First row of every latch in c; one more entry, the number of rows."""
    gaps: Gaps
    resists: bool
    """Does any joint have a spring, damper, friction or gain? Then the step matrix depends on h."""
    mass: float
    nq: int
    nv: int
    factor: int
    """Length of the step matrix's factor."""


class Work(NamedTuple):
    """The state that a run carries along, and scratch space."""

    q: np.ndarray
    xi: np.ndarray
    e: np.ndarray
    """h, r (3), command, p, g, factor: the step kernels' extra input. The momentum p lives here."""
    out: np.ndarray
    """d, g, powers (3), change, scale, grain, residual: what the newton kernel gives."""
    moved: np.ndarray
    history: np.ndarray
    """(stage, k, nv): k-th backward differences of each stage's velocities; last, the prediction."""
    surprise: np.ndarray
    """How far ξ of the last stage lay from its prediction; the next stage's is about the same."""
    clock: np.ndarray
    """t, h of the factor (0: none), contraction of the last step, tolerance."""
    counts: np.ndarray
    """steps, evaluations, factorisations, exact Newton solves, length of history."""
    account: np.ndarray
    """Accumulated: work of actuators, dampers, friction; energy lost by engaging; impulse of gravity
    (3); angular impulse of gravity about the centre of mass (3); energy lost in impacts."""
    engaged: np.ndarray
    held: np.ndarray
    latch: np.ndarray
    """Output of the latch kernel: c, A."""
    resting: np.ndarray
    """Gaps that are closed and stay so: constraints that may only push."""
    phi: np.ndarray
    hits: np.ndarray
    """Every gap, and where it is: normal from B to A, point on A, point on B."""
    poses: np.ndarray
    A: np.ndarray
    """Rows of the engaged latches, then of the resting gaps."""
    Y: np.ndarray
    multipliers: np.ndarray


class FreePlant(NamedTuple):
    """What a step without latches and gaps needs of `Plant`. Numba counts the references of every
    array of a tuple that it passes on, so a narrow one is worth a third of a step."""

    kernels: np.ndarray
    theta: np.ndarray
    spherical: np.ndarray
    orbit: np.ndarray
    resists: bool
    mass: float
    nq: int
    nv: int
    factor: int


class FreeWork(NamedTuple):
    """The same of `Work`."""

    q: np.ndarray
    xi: np.ndarray
    e: np.ndarray
    out: np.ndarray
    moved: np.ndarray
    history: np.ndarray
    surprise: np.ndarray
    clock: np.ndarray
    counts: np.ndarray
    account: np.ndarray


def free_plant(plant: Plant) -> FreePlant:
    return FreePlant(*(getattr(plant, name) for name in FreePlant._fields))


def free_work(work: Work) -> FreeWork:
    return FreeWork(*(getattr(work, name) for name in FreeWork._fields))


STEPS, EVALUATIONS, FACTORS, EXACT, LENGTH = range(5)
TIME, FACTOR_H, CONTRACTION, TOLERANCE = range(4)
ENGAGING, IMPACTS = 3, 10


def latch_rows(kinds: list[str]) -> np.ndarray:
    """First row of every latch, and the total."""
    return np.concatenate([[0], np.cumsum([LATCH_ROWS[kind] for kind in kinds])]).astype(np.int64)


def work_for(plant: Plant, stages: int, tolerance: float) -> Work:
    """Fresh scratch space."""
    n, latches = plant.nv, len(plant.latch_rows) - 1
    gaps = len(plant.gaps.numbers)
    rows = int(plant.latch_rows[-1])
    return Work(
        q=np.zeros(plant.nq),
        xi=np.zeros(n),
        e=np.zeros(4 + 3 * n + plant.factor),
        out=np.zeros(3 * n + 6),
        moved=np.zeros(plant.nq + n),
        history=np.zeros((stages, DEPTH + 1, n)),
        surprise=np.zeros(n),
        clock=np.array([0.0, 0.0, 1.0, tolerance]),
        counts=np.zeros(5, dtype=np.int64),
        account=np.zeros(11),
        engaged=np.zeros(latches, dtype=np.bool_),
        held=np.zeros(LATCH_HELD * latches),
        latch=np.zeros(rows * (1 + n)),
        resting=np.zeros(gaps, dtype=np.bool_),
        phi=np.zeros(gaps),
        hits=np.zeros((gaps, 9)),
        poses=np.zeros((len(plant.gaps.chain), 12)),
        A=np.zeros((rows + gaps, n)),
        Y=np.zeros((rows + gaps, n)),
        multipliers=np.zeros(rows + gaps),
    )
