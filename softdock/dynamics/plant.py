"""What the compiled loops need to know of a world (`Plant`), and their scratch space (`Work`)."""

from typing import NamedTuple

import numpy as np

from softdock.mechanics.tree import LATCH_HELD, LATCH_ROWS

KERNELS = ("residual", "advance", "inertia", "latches", "weight")
"""Kernels that the stepping loops call, in the order of `Plant.kernels`."""
RESIDUAL, ADVANCE, INERTIA, LATCHES, WEIGHT = range(5)

DEPTH = 6
"""How many earlier velocities the predictor may use."""


class Plant(NamedTuple):
    """The immutable model, as arrays."""

    kernels: np.ndarray
    theta: np.ndarray
    ancestors: np.ndarray
    stiffness: np.ndarray
    """Diagonal stiffness of springs and drives, by velocity."""
    damping: np.ndarray
    friction: np.ndarray
    friction_speed: np.ndarray
    spherical: np.ndarray
    """First velocity index of every spherical elementary joint."""
    orbit: np.ndarray
    """Elements of the reference orbit, or empty."""
    latch_rows: np.ndarray
    """First row of every latch in c; one more entry, the number of rows."""
    mass: float
    nq: int
    nv: int


class Work(NamedTuple):
    """The state that a run carries along, and scratch space."""

    q: np.ndarray
    xi: np.ndarray
    e: np.ndarray
    """h, r (3), command, p, g: the step kernels' extra input. The momentum p lives here."""
    out: np.ndarray
    moved: np.ndarray
    d: np.ndarray
    factor: np.ndarray
    inertia: np.ndarray
    history: np.ndarray
    """(stage, age, nv): earlier velocities of each stage, newest first."""
    clock: np.ndarray
    """t, h of the factor (0: none), contraction of the last step, tolerance."""
    counts: np.ndarray
    """steps, residual evaluations, factorisations, exact Newton solves, length of history."""
    work: np.ndarray
    """Accumulated: work of actuators, dampers, friction; energy lost by engaging; impulse of gravity
    (3); angular impulse of gravity about the centre of mass (3)."""
    engaged: np.ndarray
    held: np.ndarray
    latch: np.ndarray
    """Output of the latch kernel: c, A."""
    A: np.ndarray
    multipliers: np.ndarray


STEPS, EVALUATIONS, FACTORS, EXACT, LENGTH = range(5)
TIME, FACTOR_H, CONTRACTION, TOLERANCE = range(4)
ACTUATORS, DAMPERS, FRICTION, ENGAGING = range(4)
GRAVITY_IMPULSE, GRAVITY_TURN = slice(4, 7), slice(7, 10)


def latch_rows(kinds: list[str]) -> np.ndarray:
    """First row of every latch, and the total."""
    return np.concatenate([[0], np.cumsum([LATCH_ROWS[kind] for kind in kinds])]).astype(np.int64)


def work_for(plant: Plant, stages: int, tolerance: float) -> Work:
    """Fresh scratch space."""
    n, latches = plant.nv, len(plant.latch_rows) - 1
    rows = int(plant.latch_rows[-1])
    return Work(
        q=np.zeros(plant.nq),
        xi=np.zeros(n),
        e=np.zeros(4 + 3 * n),
        out=np.zeros(2 * n + 3),
        moved=np.zeros(plant.nq + n),
        d=np.zeros(n),
        factor=np.zeros((n, n)),
        inertia=np.zeros((n, 2, 6)),
        history=np.zeros((stages, DEPTH, n)),
        clock=np.array([0.0, 0.0, 1.0, tolerance]),
        counts=np.zeros(5, dtype=np.int64),
        work=np.zeros(10),
        engaged=np.zeros(latches, dtype=np.bool_),
        held=np.zeros(LATCH_HELD * latches),
        latch=np.zeros(rows * (1 + n)),
        A=np.zeros((rows, n)),
        multipliers=np.zeros(rows),
    )
