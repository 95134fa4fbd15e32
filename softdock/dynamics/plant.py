"""What the compiled loops need to know of a world (`Plant`), and what they carry along (`Work`)."""

from typing import NamedTuple

import numpy as np

from softdock.contact.patches import MOST
from softdock.contact.shapes import Shapes
from softdock.mechanics.tree import LATCH_HELD

KERNELS = ("newton", "advance", "factor", "solve", "latches", "weight", "poses", "newton_held")
"""Kernels that the stepping loops call, in the order of `Plant.kernels`."""
NEWTON, ADVANCE, FACTOR, SOLVE, LATCHES, WEIGHT, POSES, NEWTON_HELD = range(8)

LOOPS = ("evaluate", "run_free", "run_held", "run_touching", "find_patch")
EVALUATE, RUN_FREE, RUN_HELD, RUN_TOUCHING, FIND_PATCH = range(5)

DEPTH = 6
"""How many earlier values the predictor may use."""


class Gaps(NamedTuple):
    """What may touch: first the pairs of shapes, then the stops of joints."""

    shapes: Shapes
    pairs: np.ndarray
    stops: np.ndarray
    """(q index, v index) of every stop."""
    numbers: np.ndarray
    soft: np.ndarray
    """Gaps that are compliant."""
    chain: np.ndarray
    """Parent, kind and first velocity of every link."""
    thinnest: float
    """The shortest way (m) on which two shapes of a gap could pass each other whole."""


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
    nq: int
    nv: int
    given: int
    factor: int
    """Length of what the newton kernels give, and of the step matrix's factor."""


class Task(NamedTuple):
    """Steps to take, and the rows that they leave."""

    times: np.ndarray
    """Step h, and the time at which the run began."""
    span: np.ndarray
    """First and last step, steps between two rows, whether the ledger is kept; what was done: steps, events; and
    steps since the last row, before the first."""
    fractions: np.ndarray
    """Of the composition."""
    commands: np.ndarray
    """One row (held), or one a step."""
    t: np.ndarray
    q: np.ndarray
    v: np.ndarray
    account: np.ndarray
    stops: np.ndarray
    """Gaps whose impact ends the run."""
    events: np.ndarray


H, BEGAN = range(2)
FIRST, LAST, EVERY, LEDGER, STEPS_DONE, EVENTS_DONE, SINCE = range(7)


class Work(NamedTuple):
    """The state that a run carries along, and scratch space."""

    q: np.ndarray
    xi: np.ndarray
    e: np.ndarray
    """h, r (3), command, p, out, factor, holding: the step kernels' extra input. The momentum p lives here."""
    out: np.ndarray
    """d, g, powers (3), change, scale, grain, residual: what the newton kernel gives; or newton_held
    (mechanics/latch.py)."""
    factor: np.ndarray
    """Of the step matrix."""
    moved: np.ndarray
    history: np.ndarray
    """(stage, nv, k): k-th backward differences of each stage's velocities; last, the prediction."""
    missed: np.ndarray
    """How far each depth would have missed the last values by, squared."""
    depths: np.ndarray
    """(2, stage): how many differences would have predicted the last velocities best, and the last forces of
    what holds."""
    surprise: np.ndarray
    """How far ξ of the last stage lay from its prediction; the next stage's is about the same."""
    clock: np.ndarray
    """t, h of the factor (0: none), contraction of the last step, tolerance, power of contacts, h ω of the
    stiffest contact."""
    counts: np.ndarray
    """steps, evaluations, factorisations, exact Newton solves, length of the histories."""
    account: np.ndarray
    """Accumulated: work of actuators, dampers, friction; energy lost by engaging; impulse of gravity
    (3); angular impulse of gravity about the centre of mass (3); energy lost in impacts; work of
    compliant contacts. After these, the energy that each compliant gap holds."""
    loops: np.ndarray
    """Addresses of the entries `LOOPS`."""
    where: np.ndarray
    """Coordinates at which gaps are to be evaluated."""
    scratch: np.ndarray
    """Room for a factor that is not the step's."""
    weight: np.ndarray
    """Force of gravity on the whole world, and its moment about the centre of mass, in the last step."""
    engaged: np.ndarray
    held: np.ndarray
    on: np.ndarray
    latch: np.ndarray
    latch_A: np.ndarray
    latch_Y: np.ndarray
    latch_K: np.ndarray
    """Of all latches, in e: mechanics/latch.Holding says what. (latch is c, A: the latch kernel's output.)"""
    resting: np.ndarray
    """Gaps that are closed and stay so: constraints that may only push."""
    locked: np.ndarray
    """Gaps between bodies that engaged welds make one: they cannot change."""
    phi: np.ndarray
    hits: np.ndarray
    """Every gap, and where it is: normal from B to A, point on A, point on B."""
    poses: np.ndarray
    turns: np.ndarray
    corners: np.ndarray
    """Poses of links; rotations and world points of shapes."""
    holds: "Holds"
    again: "Again"
    touch: "Touch"
    jacobian: np.ndarray
    newton: np.ndarray
    """Room for exact Newton steps."""


class Holds(NamedTuple):
    """What holds: rows of the engaged latches, then of the resting gaps."""

    A: np.ndarray
    """Rows at the step's start."""
    Y: np.ndarray
    S: np.ndarray
    """W⁻¹Aᵀ by rows, and the factor of A W⁻¹ Aᵀ, of the step at which W was factored."""
    order: np.ndarray
    kept: np.ndarray
    """The pivots of that factor, and which rows are independent."""
    ahead: np.ndarray
    c: np.ndarray
    """Rows and violations at the step's end."""
    push: np.ndarray
    multipliers: np.ndarray
    """Force of each row (impulses λ while a step is iterated). If no gap rests, rows are those of all latches, else
    of the engaged ones alone and of the gaps."""
    history: np.ndarray
    """(stage, row, k): backward differences of each stage's forces; last, the prediction."""
    stiffness: np.ndarray
    """Of all rows together, by the factor S (1)."""
    Y_now: np.ndarray
    S_now: np.ndarray
    order_now: np.ndarray
    kept_now: np.ndarray
    """As Y, S, order and kept, of M where the world is."""


class Touch(NamedTuple):
    """What compliant contacts need."""

    which: np.ndarray
    """The gap whose patch is to be found (1)."""
    normal: np.ndarray
    points: np.ndarray
    shares: np.ndarray
    """Of one patch: normal from B to A, points with their gaps, share of each in the area."""
    force: np.ndarray
    command: np.ndarray
    """Generalised force of all contacts; the command without it."""
    tangent: np.ndarray
    owner: np.ndarray
    """The gap of every row."""
    eased: np.ndarray
    filling: np.ndarray
    """Of every gap: the part of the law's force that it has, and the power (W) that it takes up."""
    state: np.ndarray
    """`compliance.LOAD` and what follows."""
    nearest: np.ndarray
    """The smallest compliant gap at the last look (1)."""
    touching: np.ndarray
    """Is one closed? (1)"""


class Again(NamedTuple):
    """What is needed to take a step again in parts, for the sake of an impact."""

    saved: np.ndarray
    """q, p, t and the account before it."""
    before: np.ndarray
    phi: np.ndarray
    """Poses of links and gaps at the last look."""
    struck: np.ndarray
    spared: np.ndarray
    rested: np.ndarray
    ahead: np.ndarray
    """Of every gap: how often struck, not among the suspects, resting before, value at the step's end."""
    bracket: np.ndarray
    v: np.ndarray
    row: np.ndarray
    best: np.ndarray
    push: np.ndarray
    answer: np.ndarray
    task: Task
    """One part of a step, without a row."""


STEPS, EVALUATIONS, FACTORS, EXACT, LENGTH = range(5)
VELOCITIES, FORCES = range(2)
TIME, FACTOR_H, CONTRACTION, TOLERANCE, CONTACT_POWER, STIFF = range(6)
ENGAGING, IMPACTS, CONTACTS = 3, 10, 11
ACCOUNTS = 12
EVENT = 12
"""Columns of an event: time, gap, point (3), normal (3), impulse, speed before and after, energy change."""
CONTACT_ROWS = 3 * MOST
"""Of one pair of shapes: normal and tangential, for every point of its patch."""


def work_for(plant: Plant, stages: int, tolerance: float) -> Work:
    """Fresh scratch space."""
    n, latches = plant.nv, len(plant.latch_rows) - 1
    gaps = len(plant.gaps.numbers)
    rows = int(plant.latch_rows[-1])
    sizes = (4 + 2 * n, plant.given, plant.factor, LATCH_HELD * latches, rows, rows * (1 + n), rows * n, rows * rows)
    e = np.zeros(sum(sizes))
    _, out, factor, held, on, latch, Y, K = np.split(e, np.cumsum(sizes[:-1]))
    held[LATCH_HELD - 1 :: LATCH_HELD] = 1.0  # lengths: what is not engaged must be finite too
    return Work(
        q=np.zeros(plant.nq),
        xi=np.zeros(n),
        e=e,
        out=out,
        factor=factor,
        moved=np.zeros(plant.nq + n),
        history=np.zeros((stages, n, DEPTH + 1)),
        missed=np.zeros(DEPTH),
        depths=np.ones((2, stages), dtype=np.int64),
        surprise=np.zeros(n),
        clock=np.array([0.0, 0.0, 1.0, tolerance, 0.0, 0.0]),
        counts=np.zeros(5, dtype=np.int64),
        account=np.zeros(ACCOUNTS + gaps),
        loops=np.zeros(len(LOOPS), dtype=np.int64),
        where=np.zeros(plant.nq),
        scratch=np.zeros(plant.factor),
        weight=np.zeros(6),
        engaged=np.zeros(latches, dtype=np.bool_),
        held=held,
        on=on,
        latch=latch,
        latch_A=latch[rows:].reshape(rows, n),
        latch_Y=Y.reshape(rows, n),
        latch_K=K.reshape(rows, rows),
        resting=np.zeros(gaps, dtype=np.bool_),
        locked=np.zeros(gaps, dtype=np.bool_),
        phi=np.zeros(gaps),
        hits=np.zeros((gaps, 9)),
        poses=np.zeros((len(plant.gaps.chain), 12)),
        turns=np.zeros((len(plant.gaps.shapes.sizes), 3, 3)),
        corners=np.zeros(plant.gaps.shapes.points.shape),
        holds=_holds(rows + gaps + CONTACT_ROWS * int(plant.gaps.soft.sum()), n, stages),
        again=_again(plant, gaps),
        touch=_touch(plant.nv, rows + gaps + CONTACT_ROWS * int(plant.gaps.soft.sum()), gaps),
        jacobian=np.zeros((n, n)),
        newton=np.zeros((2, n)),
    )


def _touch(n: int, rows: int, gaps: int) -> Touch:
    return Touch(
        which=np.zeros(1, dtype=np.int64),
        normal=np.zeros(3),
        points=np.zeros((MOST, 4)),
        shares=np.zeros(MOST),
        force=np.zeros(n),
        command=np.zeros(n),
        tangent=np.zeros(3),
        owner=np.zeros(rows, dtype=np.int64),
        eased=np.ones(gaps),
        filling=np.zeros(gaps),
        state=np.zeros(4),
        nearest=np.full(1, np.inf),
        touching=np.zeros(1, dtype=np.bool_),
    )


def _again(plant: Plant, gaps: int) -> Again:
    n = plant.nv
    return Again(
        saved=np.zeros(plant.nq + n + 1 + ACCOUNTS + gaps),
        before=np.zeros((len(plant.gaps.chain), 12)),
        phi=np.zeros(gaps),
        struck=np.zeros(gaps, dtype=np.int64),
        spared=np.zeros(gaps, dtype=np.bool_),
        rested=np.zeros(gaps, dtype=np.bool_),
        ahead=np.zeros(gaps),
        bracket=np.zeros(6),
        v=np.zeros(n),
        row=np.zeros(n),
        best=np.zeros(n),
        push=np.zeros(n),
        answer=np.zeros(n),
        task=task_for(plant, np.ones(1), np.zeros(0, dtype=np.bool_)),
    )


def task_for(plant: Plant, fractions: np.ndarray, stops: np.ndarray) -> Task:
    """One part of a step, without a row."""
    return Task(
        times=np.zeros(2),
        span=np.array([0, 1, 2, 0, 0, 0, 0], dtype=np.int64),
        fractions=fractions,
        commands=np.zeros((1, plant.nv)),
        t=np.empty(0),
        q=np.empty((0, plant.nq)),
        v=np.empty((0, plant.nv)),
        account=np.empty((0, ACCOUNTS)),
        stops=stops,
        events=np.empty((0, EVENT)),
    )


def _holds(rows: int, n: int, stages: int) -> Holds:
    return Holds(
        A=np.zeros((rows, n)),
        Y=np.zeros((rows, n)),
        S=np.zeros((rows, rows)),
        order=np.zeros(rows, dtype=np.int64),
        kept=np.zeros(rows, dtype=np.bool_),
        ahead=np.zeros((rows, n)),
        c=np.zeros(rows),
        push=np.zeros(rows),
        multipliers=np.zeros(rows),
        history=np.zeros((stages, rows, DEPTH + 1)),
        stiffness=np.zeros(1),
        Y_now=np.zeros((rows, n)),
        S_now=np.zeros((rows, rows)),
        order_now=np.zeros(rows, dtype=np.int64),
        kept_now=np.zeros(rows, dtype=np.bool_),
    )
