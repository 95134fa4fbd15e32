"""What a run carries along (`StepState`), and what is asked of it (`StepRequest`).

Records (`CLOCK`, `COUNTS`, …) are read and written by name, in compiled loops as `state.clock.time`, in Python as
`state.clock["time"]`. Vectors that kernels take or give are views by the names of mechanics/layouts.py.
"""

from typing import Any, NamedTuple

import numpy as np

from softdock.contact.hit import HIT
from softdock.contact.patches import MOST
from softdock.contact.pressed import PRESSED
from softdock.dynamics.guard import Guard, guard_for
from softdock.dynamics.plant import Plant
from softdock.dynamics.step import AGING
from softdock.kernels import record
from softdock.mechanics.fields import Fields, Sizes
from softdock.mechanics.layouts import ADVANCE, FACTOR_INPUT, GROSS, POSES, STEP_INPUT, VALUES

CLOCK = np.dtype(
    [(name, "f8") for name in
     ("time", "factor_h", "weights_h", "past_end", "damping", "contraction", "tolerance", "load", "contact_power",
      "stiffness", "demand", "error", "aging")]
)  # fmt: skip
"""Time (s); h of the step matrix's factor and of the weights (0: none); where `Step.past` ends; h × the fastest rate of
a damper or servo; contraction of the last step; tolerance; twice the energy (J) that the residual's terms could give if
they were not in balance, as it was last looked at; power of contacts (W); h ω of the stiffest
contact, and the largest that it is or will be; relative error of contacts for which steps change on the way, or 0;
by how much the contraction grows in a step, as the step matrix ages."""

COUNTS = np.dtype(
    [(name, "i8") for name in
     ("steps", "evaluations", "factorisations", "exact_newton", "history", "level", "divided")]
)  # fmt: skip
"""So far; `history` is how many steps the predictors know, `level` how often a step with contacts is halved (parts.py),
`divided` how many steps more that made."""

TURN = np.dtype(
    [*((name, "i8") for name in ("step", "steps", "events", "ahead", "taken", "counted", "status", "ended")),
     ("divided", "f8"), ("anew", "?"), ("abreast", "?")]
)  # fmt: skip
"""Where a run with contacts stands: steps taken, of how many; impacts; steps to take until the next look, and those of
this stretch; `counts.steps` before it; the run's status, and that of a stretch in a lane; in how many parts the next
step is to be taken at least, or 0; were the gaps looked at anew? May stretches be taken in lanes?"""

LOOPS = np.dtype(
    [(name, "i8") for name in
     ("evaluate", "look_near", "run_free", "run_held", "run_touching", "find_patch",
      "gather", "measure", "measure_single", "complementarity", "settle_points", "strike", "newton", "newton_held")]
)  # fmt: skip
"""Addresses of compiled loops that others call; and of the kernels of the request."""

OPTIONS = np.dtype(
    [
        ("h", "f8"),
        ("began", "f8"),
        ("first", "i8"),
        ("last", "i8"),
        ("every", "i8"),
        ("since", "i8"),
        ("ledger", "?"),
        ("breaks", "?"),
        ("newton", "i8"),
        ("newton_held", "i8"),
    ]
)
"""Step (s) and the time at which the run began; first and last step; steps between two rows, and those since the last
row before the first step; whether gravity's impulses are added up, and whether latches may break; kernels for that, or
0 for those of the request before."""

PROGRESS = np.dtype([("steps", "i8"), ("events", "i8"), ("eased", "i8")])
"""Steps taken; impacts, and lines of `EASED`, that were told."""

EASED = np.dtype([("row", "i8"), ("contact", "i8"), ("part", "f8")])
"""At a row, what part of its law's force a compliant contact has (σ of eq. 4 of docs/theory/contact.md), if not all."""

EVENT = np.dtype(
    [("time", "f8"), ("contact", "i8"), ("point", "f8", 3), ("normal", "f8", 3),
     ("impulse", "f8"), ("speed_before", "f8"), ("speed_after", "f8"), ("energy_change", "f8")]
)  # fmt: skip
"""An impact; the fields of `motion.Impact`."""

FOUND = np.dtype(
    [("row", "i8"), ("contact", "i8"), ("depth", "f8"), ("normal_force", "f8"),
     ("point", "f8", 3), ("normal", "f8", 3), ("force", "f8", 3), ("moment", "f8", 3)]
)  # fmt: skip
"""What a contact does at a row; the fields of `contacts.Contacts`."""

CONTACT = np.dtype([(name, "f8") for name in ("load", "depth", "rate", "exponent")])
"""Of all compliant contacts Σ force × depth (J); of the deepest point its depth, its rate, the law's exponent."""

SEEN = np.dtype(
    [("number", "i8"), ("taken", "i8"), ("margin", "f8"), ("way", "f8"), ("used", "f8"), ("kept", "f8"),
     ("fits", "f8"), ("skim", "f8"),
     ("hasty", "?"), ("passed", "?"), ("surprised", "?"), ("fresh", "?"), ("placed", "?")]
)  # fmt: skip
"""Contacts listed; steps since the look before; the gap (m) from which on contacts are not listed, how far (m) shapes
have moved against each other since the last look, since the list was made, and until the look before; what `near.room`
found; is all that of the present state? Are the shapes that stand still where they stay?"""

BRACKET = np.dtype([(name, "f8") for name in ("a", "b", "f_a", "f_b", "side", "close")])
"""Fractions of a step with the smallest suspect gap at each, the end that moved last (±1), and the gap that counts as
found (`impact.next_try`)."""

ACCOUNT = Fields(work=3, lost_engaging=1, gravity=6, lost_impacts=1, work_contacts=1, push=6, work_carried=1)
"""The ledger: work of actuators, dampers and friction; energy lost by engaging; impulse of gravity and its angular
impulse about the centre of mass; energy lost in impacts; work of compliant contacts; of a world with thrusters, the
impulse of what its free roots are commanded, its turn about the centre of mass, its work along the reference orbit."""
ACCOUNT_NAMES = (
    "work_actuators", "work_dampers", "work_friction", "lost_engaging",
    "gravity_impulse_x", "gravity_impulse_y", "gravity_impulse_z",
    "gravity_turn_x", "gravity_turn_y", "gravity_turn_z", "lost_impacts", "work_contacts",
    "push_impulse_x", "push_impulse_y", "push_impulse_z", "push_turn_x", "push_turn_y", "push_turn_z", "work_carried",
)  # fmt: skip
"""Number by number: columns of `Trajectory.account`, in J, N s, N m s."""

ROOM = 256
"""Points at which contacts may touch at once."""
NEAR = 1e-9
"""Gap (m or rad) of a point up to which it takes part in an impact, and in the rest of its pair."""


class StepRequest(NamedTuple):
    """Steps to take, and the rows that they leave."""

    options: Any
    """`OPTIONS`"""
    done: Any
    """`PROGRESS`"""
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
    """`EVENT`"""
    eased: np.ndarray
    """`EASED`, row after row."""
    pressed: np.ndarray
    rubbed: np.ndarray
    """If loads are asked for, by row: of every located contact that rests `FOUND`, of every joint that may
    stick its friction (N or N m)."""


class Predictor(NamedTuple):
    """Of one kind of values: backward differences, by which the next are foreseen."""

    differences: np.ndarray
    """(stage, value, k): of order k; the last ones are used in long chains only."""
    depths: np.ndarray
    """By stage, how many differences would have predicted the last values best; from step.DEEP on, by `FAR_BACK`."""


class Step(NamedTuple):
    """What every step needs besides the state."""

    velocities: Predictor
    lost_way: np.ndarray
    lost_gain: np.ndarray
    """What rounding left out of q and p when the last step was added to them."""
    surprise: np.ndarray
    """How far ξ of the last stage lay from its prediction; the next stage's is about the same. (While a stage is
    solved: its prediction.)"""
    evaluated: np.ndarray
    """Of long chains: ξ at which the last iteration was evaluated."""
    past: np.ndarray
    """Of the joints in `Plant.settling`: p at the step's start; mean force in the last two steps, the later first, and
    mean velocity; 0 after a jump."""
    gross: Any
    """layouts.GROSS of the last iteration, where it was asked for."""
    weight: np.ndarray
    """Force of gravity on the whole world, and its moment about the centre of mass, in the last step."""
    push: np.ndarray
    carried: np.ndarray
    """The same of what free roots are commanded; and the reference orbit's velocity (m/s)."""
    jacobian: np.ndarray
    residual: np.ndarray
    change: np.ndarray
    """Of an exact Newton step."""


class Projection(NamedTuple):
    """Of the momentum on what holds, where the world is now."""

    factor: np.ndarray
    """Of M."""
    Y: np.ndarray
    S: np.ndarray
    order: np.ndarray
    own: np.ndarray
    independent: np.ndarray
    """As in `Held`, with M for W."""
    weights: np.ndarray
    """½ for every velocity: what joints that settle take of a push, in M."""
    rows: np.ndarray
    """How many, of engaged latches."""
    p: np.ndarray
    momentum: np.ndarray
    v: np.ndarray
    no_step: np.ndarray
    """h = 0: of which the step matrix is M alone, without what springs and dampers would add."""


class Held(NamedTuple):
    """What holds: rows of the engaged latches, then of closed compliant contacts."""

    engaged: np.ndarray
    resting: np.ndarray
    """Located contacts that are closed and may stay so (`Points`)."""
    A: np.ndarray
    """Rows at the step's start."""
    Y: np.ndarray
    S: np.ndarray
    """W⁻¹Aᵀ by rows, and the factor of A W⁻¹ Aᵀ, of the step at which W was factored."""
    order: np.ndarray
    own: np.ndarray
    independent: np.ndarray
    """The pivots of that factor, the diagonal that was factored, and which rows are independent."""
    self_stress: np.ndarray
    redundant: np.ndarray
    """Orthonormal multipliers that push nothing (Aᵀn = 0), by rows, and how many: as many as rows are redundant."""
    stiffness: np.ndarray
    """Of all rows together, by the factor S."""
    ahead: np.ndarray
    c: np.ndarray
    """Rows and violations at the step's end."""
    push: np.ndarray
    slip: np.ndarray
    """Room for an impulse and a speed of every row."""
    pushed: np.ndarray
    """What latches pushed in this step: p without it is the guard's."""
    multipliers: np.ndarray
    """Force of each row (impulses λ while a step is iterated). If nothing touches, rows are those of all latches, else
    of the engaged ones alone."""
    forces: Predictor
    springs: np.ndarray
    sprung: np.ndarray
    """Of all rows of latches: is it of one that gives way, and engaged? Is there such a row?"""
    load: np.ndarray
    """Force or torque of all rows of latches in the last step."""
    broken: np.ndarray
    """The latch whose load is too large where the step begins."""


class Proximity(NamedTuple):
    """All gaps where they were last evaluated."""

    where: np.ndarray
    """Coordinates at which gaps are to be evaluated."""
    phi: np.ndarray
    hits: np.ndarray
    """Every gap, and where it is (contact/hit.py)."""
    poses: Any
    """Of links (layouts.POSES)."""
    turns: np.ndarray
    corners: np.ndarray
    """Rotations and world points of shapes."""
    locked: np.ndarray
    """Gaps between bodies that engaged welds make one: they cannot change."""
    seen: Any
    """`SEEN`"""
    near: np.ndarray
    listed: np.ndarray
    """Contacts that are listed; of every contact, is it?"""
    bound: np.ndarray
    ways: np.ndarray
    apart: np.ndarray
    """Of contacts listed: the gap at least, how far (m) their shapes moved against each other since the look before,
    and whether a compliant one is too far to take part in a step."""
    balls: np.ndarray
    moves: np.ndarray
    """Of every shape: the centre of its ball; how that moved since the look before (3), and points in it by turning."""


class Compliance(NamedTuple):
    """What compliant contacts need."""

    touching: np.ndarray
    """Is one closed?"""
    nearest: np.ndarray
    """The smallest compliant contact at the last look."""
    which: np.ndarray
    """The contact whose patch is to be found."""
    normal: np.ndarray
    points: np.ndarray
    shares: np.ndarray
    """Of one patch: normal from B to A, points with their gaps, share of each in the area."""
    force: np.ndarray
    command: np.ndarray
    """Generalised force of all contacts; the command without it."""
    tangent: np.ndarray
    owner: np.ndarray
    damped: np.ndarray
    """Of every row: its contact, and the viscous part of its slope κ."""
    eased: np.ndarray
    filling: np.ndarray
    """Of every contact: the part of the law's force that it has, and the power (W) that it takes up."""
    stored: np.ndarray
    """Of every contact: the energy that it holds (J); negative if that is not known yet."""
    power: np.ndarray
    traded: np.ndarray
    """Of every contact: the power of its force on the bodies (W); what it gave them, less what it took, since it closed
    (J), the most that it had taken by then, its largest force since the motion began (N), and its potential when it
    began to open (J)."""
    wrench: np.ndarray
    impulse: np.ndarray
    """Of every compliant contact: force and its moment about the world's origin on body A, in the last step, and both
    summed over time since the motion began."""
    contact: Any
    """`CONTACT`"""


class Points(NamedTuple):
    """Where located contacts touch (manifold.py). Rows are three a point: along the normal, and two tangents."""

    number: np.ndarray
    wanted: np.ndarray
    wide: np.ndarray
    margin: np.ndarray
    """Contacts whose points are to be gathered, and last the joints that may stick: those that touch or, if `wide`,
    those whose gap is up to the contact's own margin."""
    lean: np.ndarray
    """Where a cylinder that stands on its cap presses, of every contact: a direction across it (3), or zero."""
    of_step: np.ndarray
    before: np.ndarray
    span: np.ndarray
    """Are the points those of the last step? How many it had, and its length (s)."""
    share: np.ndarray
    """What part of the force the next step's impulse has: a half if the momentum is in line with what rests, since the
    other half is in bringing it in line after the step."""
    part: np.ndarray
    """What part of a whole step is taken; what is inside the other body comes out in proportion."""
    contact: np.ndarray
    gap: np.ndarray
    x: np.ndarray
    normal: np.ndarray
    """Of every point: its contact, gap, place and normal from B to A, where the world was last looked at."""
    pressed: np.ndarray
    """Of every contact: the normal force (N) with which it pushed in the last step."""
    released: np.ndarray
    """Did one push less in the last step than the half of the impulse before that was still to come?"""
    fresh: np.ndarray
    curve: np.ndarray
    """For how many iterations to come slip is measured, and its speed beyond J ξ (m/s)."""
    rubs: np.ndarray
    slides: np.ndarray
    earlier: np.ndarray
    """Was friction at its bound in the last step? Is it against the mean of the slips before and after the impulse
    (sliding.py)? The velocity before it."""
    coarse: np.ndarray
    """Did normals turn so much in the last step that it is to be divided?"""
    allowed: np.ndarray
    depth: np.ndarray
    """The gap that a point may have at the step's end: no push out of what is within rounding; of every contact the
    least of them."""
    caught: np.ndarray
    """Of every contact: its depth (m, ≤ 0) when a latch engaged. It may stay: what is jammed cannot come out."""
    friction: np.ndarray
    restitution: np.ndarray
    single: np.ndarray
    crossing: np.ndarray
    around: np.ndarray
    """Is it where the gap of its pair is? Where two edges cross? Of one axis around another? Else it is a point of one
    body over a plane of the other."""
    along: np.ndarray
    """(point, A or B) directions of such edges in their links."""
    plane: np.ndarray
    plane_normal: np.ndarray
    """The shape with that plane, and its normal in that shape's link."""
    on: np.ndarray
    swept: np.ndarray
    rim: np.ndarray
    """(point, A or B) core points in their links; radii of cylinders that roll; where their lowest points were."""
    grip: np.ndarray
    start: np.ndarray
    tangents: np.ndarray
    slip: np.ndarray
    """(point, A or B) the place where bodies touched, in their links; the links' axes and origins then; two tangents
    there; how far they have slid on each other since (m)."""
    J: np.ndarray
    Y: np.ndarray
    """Rows, and W⁻¹Jᵀ by rows."""
    extent: np.ndarray
    """Where a row of J is not zero: from, and to before."""
    G: np.ndarray
    b: np.ndarray
    r: np.ndarray
    base: np.ndarray
    floor: np.ndarray
    enough: np.ndarray
    error: np.ndarray
    warm: np.ndarray
    """Signorini's and Coulomb's laws, the least pushes (none), normal speed that counts as none, what need not be
    solved (m/s), and what is left of them; were they solved with nearly the same b before?"""
    ahead: np.ndarray
    """A row of J where its point is at the step's end."""
    K: np.ndarray
    last: np.ndarray
    moved: np.ndarray
    loaded: np.ndarray
    """How gaps at the step's end change with ξ, gaps of the last iteration, and the change of ξ since, d and W d."""
    impulse: np.ndarray
    force: np.ndarray
    """Impulse in the step; the last step's force."""
    X: np.ndarray
    answer: np.ndarray
    """Impulses with which latches and compliant contacts answer those of the points."""
    speed: np.ndarray
    """Before and after an impact."""
    least: np.ndarray
    """Of every contact that rests: its gap."""
    dry: np.ndarray
    owed: np.ndarray
    """How many of the points are joints that may stick, which come last (stiction.py); for how long (s) their friction
    is yet to be given to the momentum."""
    sliding: np.ndarray
    torque: np.ndarray
    """Of every such joint: does it slide? Its friction (N or N m) in the last step."""


class Saved(NamedTuple):
    """The state before a step."""

    q: np.ndarray
    momentum: np.ndarray
    lost_way: np.ndarray
    lost_gain: np.ndarray
    time: np.ndarray
    account: np.ndarray
    stored: np.ndarray
    traded: np.ndarray
    impulse: np.ndarray
    owed: np.ndarray
    sliding: np.ndarray


class Retry(NamedTuple):
    """What is needed to take a step again in parts, for the sake of an impact."""

    saved: Saved
    began: Saved
    rested: np.ndarray
    """The state before the part that is taken, and before the whole step; which contacts rested then."""
    poses: Any
    balls: np.ndarray
    phi: np.ndarray
    bound: np.ndarray
    """Poses of links, balls and gaps at the last look."""
    struck: np.ndarray
    spared: np.ndarray
    ahead: np.ndarray
    """Of every contact: how often struck, not among the suspects, value at the step's end."""
    bracket: Any
    """`BRACKET`"""
    v: np.ndarray
    request: StepRequest
    """One part of a step, without a row."""


class StepState(NamedTuple):
    """The state, and scratch space by concern."""

    q: np.ndarray
    xi: np.ndarray
    input: Any
    """Of the step's kernels (layouts.STEP_INPUT). The momentum lives here."""
    moved: Any
    """q and p after a step (layouts.ADVANCE)."""
    clock: Any
    """`CLOCK`"""
    counts: Any
    """`COUNTS`"""
    account: Any
    """`ACCOUNT`, accumulated."""
    loops: Any
    """`LOOPS`"""
    step: Step
    held: Held
    projection: Projection
    proximity: Proximity
    compliance: Compliance
    points: Points
    guard: Guard
    turn: Any
    """`TURN`"""
    retry: Retry


def state_for(plant: Plant, stages: int) -> StepState:
    """A new one."""
    n = plant.nv
    sizes = {
        "nq": plant.nq, "nv": n, "links": len(plant.contacts.chain), "latches": len(plant.latch_rows) - 1,
        "rows": int(plant.latch_rows[-1]), "factor": plant.factor_size,
    }  # fmt: skip
    gaps = len(plant.contacts.laws)
    soft = int(plant.contacts.soft.sum())
    rows, dry = sizes["rows"] + 3 * min(ROOM, PRESSED * soft), len(plant.dry)
    state = StepState(
        q=np.zeros(plant.nq),
        xi=np.zeros(n),
        input=_zeros(STEP_INPUT, sizes),
        moved=_zeros(ADVANCE, sizes),
        clock=record(CLOCK, contraction=1.0, load=np.inf, aging=AGING),
        counts=record(COUNTS),
        account=_zeros(ACCOUNT, sizes),
        loops=record(LOOPS),
        step=Step(
            velocities=_predictor(stages, n),
            lost_way=np.zeros(plant.nq),
            lost_gain=np.zeros(n),
            surprise=np.zeros(n),
            evaluated=np.zeros(n),
            past=np.zeros((len(plant.settling), 5)),
            gross=_zeros(GROSS, sizes),
            weight=np.zeros(6),
            push=np.zeros(6),
            carried=np.zeros(3),
            jacobian=np.zeros((n, n)),
            residual=np.zeros(n),
            change=np.zeros(n),
        ),
        held=_held(sizes, gaps, rows, stages),
        projection=_projection(sizes, rows),
        proximity=_proximity(plant, sizes, gaps),
        compliance=_compliance(n, rows, gaps),
        points=_points(n, rows, gaps, gaps - soft, dry),
        guard=guard_for(n, len(plant.settling)),
        turn=record(TURN),
        retry=_retry(plant, sizes, gaps),
    )
    state.input.latches.held.length[:] = 1.0  # what is not engaged must be finite too
    return state


def request_for(plant: Plant, fractions: np.ndarray, stops: np.ndarray) -> StepRequest:
    """One part of a step, without a row."""
    return StepRequest(
        options=record(OPTIONS, last=1, every=2),
        done=record(PROGRESS),
        fractions=fractions,
        commands=np.zeros((1, plant.nv)),
        t=np.empty(0),
        q=np.empty((0, plant.nq)),
        v=np.empty((0, plant.nv)),
        account=np.empty((0, ACCOUNT.size({}))),
        stops=stops,
        events=np.empty(0, EVENT),
        eased=np.empty(0, EASED),
        pressed=np.empty((0, 0), FOUND),
        rubbed=np.empty((0, 0)),
    )


def _zeros(fields: Fields, sizes: Sizes) -> Any:
    return fields.view(np.zeros(fields.size(sizes)), sizes)


def _number(value: float | bool) -> np.ndarray:
    """One that loops may change."""
    return np.array(value)


def _predictor(stages: int, count: int) -> Predictor:
    return Predictor(np.zeros((stages, count, VALUES)), np.ones(stages, dtype=np.int64))


def _held(sizes: Sizes, gaps: int, rows: int, stages: int) -> Held:
    n = sizes["nv"]
    return Held(
        engaged=np.zeros(sizes["latches"], dtype=np.bool_),
        resting=np.zeros(gaps, dtype=np.bool_),
        A=np.zeros((rows, n)),
        Y=np.zeros((rows, n)),
        S=np.zeros((rows, rows)),
        order=np.zeros(rows, dtype=np.int64),
        own=np.zeros(rows),
        independent=np.zeros(rows, dtype=np.bool_),
        self_stress=np.zeros((sizes["rows"], rows)),
        redundant=_number(0),
        stiffness=_number(0.0),
        ahead=np.zeros((rows, n)),
        c=np.zeros(rows),
        push=np.zeros(rows),
        slip=np.zeros(rows),
        pushed=np.zeros(n),
        multipliers=np.zeros(rows),
        forces=_predictor(stages, rows),
        springs=np.zeros(sizes["rows"], dtype=np.bool_),
        sprung=_number(False),
        load=np.zeros(sizes["rows"]),
        broken=_number(-1),
    )


def _projection(sizes: Sizes, rows: int) -> Projection:
    n = sizes["nv"]
    return Projection(
        factor=np.zeros(sizes["factor"]),
        Y=np.zeros((rows, n)),
        S=np.zeros((rows, rows)),
        order=np.zeros(rows, dtype=np.int64),
        own=np.zeros(rows),
        independent=np.zeros(rows, dtype=np.bool_),
        weights=np.full(n, 0.5),
        rows=_number(0),
        p=np.zeros(n),
        momentum=np.zeros(n),
        v=np.zeros(n),
        no_step=np.zeros(FACTOR_INPUT.size(sizes)),
    )


def _proximity(plant: Plant, sizes: Sizes, gaps: int) -> Proximity:
    return Proximity(
        where=np.zeros(plant.nq),
        phi=np.zeros(gaps),
        hits=np.zeros((gaps, HIT)),
        poses=_zeros(POSES, sizes),
        turns=np.zeros((len(plant.contacts.shapes.sizes), 3, 3)),
        corners=np.zeros(plant.contacts.shapes.points.shape),
        locked=np.zeros(gaps, dtype=np.bool_),
        seen=record(SEEN, margin=-1.0),
        near=np.arange(gaps, dtype=np.int64),
        listed=np.zeros(gaps, dtype=np.bool_),
        bound=np.zeros(gaps),
        ways=np.zeros(gaps),
        apart=np.zeros(gaps, dtype=np.bool_),
        balls=np.zeros((len(plant.contacts.shapes.sizes), 3)),
        moves=np.zeros((len(plant.contacts.shapes.sizes), 4)),
    )


def _compliance(n: int, rows: int, gaps: int) -> Compliance:
    return Compliance(
        touching=_number(False),
        nearest=_number(np.inf),
        which=_number(0),
        normal=np.zeros(3),
        points=np.zeros((PRESSED, 4)),
        shares=np.zeros(PRESSED),
        force=np.zeros(n),
        command=np.zeros(n),
        tangent=np.zeros(3),
        owner=np.zeros(rows, dtype=np.int64),
        damped=np.zeros(rows),
        eased=np.ones(gaps),
        filling=np.zeros(gaps),
        stored=np.zeros(gaps),
        power=np.zeros(gaps),
        traded=np.zeros((gaps, 4)),
        wrench=np.zeros((gaps, 6)),
        impulse=np.zeros(6 * gaps),
        contact=record(CONTACT),
    )


def _points(n: int, rows: int, gaps: int, located: int, dry: int) -> Points:
    most = min(ROOM, MOST * located) + dry
    return Points(
        number=_number(0),
        wanted=np.zeros(gaps + 1, dtype=np.bool_),
        wide=_number(False),
        margin=np.full(gaps, NEAR),
        lean=np.zeros((gaps, 3)),
        of_step=_number(False),
        before=_number(0),
        span=_number(0.0),
        share=_number(0.5),
        part=_number(1.0),
        contact=np.zeros(most, dtype=np.int64),
        gap=np.zeros(most),
        pressed=np.zeros(gaps + 1),
        released=_number(False),
        fresh=_number(0),
        curve=np.zeros(3 * most),
        rubs=np.zeros(most, dtype=np.bool_),
        slides=np.zeros(most, dtype=np.bool_),
        earlier=np.zeros(n),
        coarse=_number(False),
        allowed=np.zeros(most),
        depth=np.zeros(gaps + 1),
        caught=np.zeros(gaps + 1),
        x=np.zeros((most, 3)),
        normal=np.zeros((most, 3)),
        friction=np.zeros(most),
        restitution=np.zeros(most),
        single=np.zeros(most, dtype=np.bool_),
        crossing=np.zeros(most, dtype=np.bool_),
        around=np.zeros(most, dtype=np.bool_),
        along=np.zeros((most, 2, 3)),
        plane=np.zeros(most, dtype=np.int64),
        plane_normal=np.zeros((most, 3)),
        on=np.zeros((most, 2, 3)),
        swept=np.zeros((most, 2)),
        rim=np.zeros((most, 2, 3)),
        grip=np.zeros((most, 2, 3)),
        start=np.zeros((most, 2, 4, 3)),
        tangents=np.zeros((most, 2, 3)),
        slip=np.zeros((most, 2)),
        J=np.zeros((3 * most, n)),
        Y=np.zeros((3 * most, n)),
        extent=np.zeros((3 * most, 2), dtype=np.int64),
        G=np.zeros((3 * most, 3 * most)),
        b=np.zeros(3 * most),
        r=np.zeros(3 * most),
        base=np.zeros(most),
        floor=_number(0.0),
        enough=_number(0.0),
        error=_number(0.0),
        warm=_number(False),
        ahead=np.zeros(n),
        K=np.zeros((most, n)),
        last=np.zeros(most),
        moved=np.zeros(n),
        loaded=np.zeros(n),
        impulse=np.zeros(3 * most),
        force=np.zeros(3 * most),
        X=np.zeros((3 * most, rows)),
        answer=np.zeros(rows),
        speed=np.zeros((2, 3 * most)),
        least=np.zeros(gaps),
        dry=_number(0),
        owed=_number(0.0),
        sliding=np.zeros(dry, dtype=np.bool_),
        torque=np.zeros(dry),
    )


def _saved(plant: Plant, gaps: int) -> Saved:
    return Saved(
        np.zeros(plant.nq),
        np.zeros(plant.nv),
        np.zeros(plant.nq),
        np.zeros(plant.nv),
        _number(0.0),
        np.zeros(ACCOUNT.size({})),
        np.zeros(gaps),
        np.zeros((gaps, 4)),
        np.zeros(6 * gaps),
        _number(0.0),
        np.zeros(len(plant.dry), dtype=np.bool_),
    )


def _retry(plant: Plant, sizes: Sizes, gaps: int) -> Retry:
    n = plant.nv
    return Retry(
        saved=_saved(plant, gaps),
        began=_saved(plant, gaps),
        rested=np.zeros(gaps, dtype=np.bool_),
        poses=_zeros(POSES, sizes),
        balls=np.zeros((len(plant.contacts.shapes.sizes), 3)),
        phi=np.zeros(gaps),
        bound=np.zeros(gaps),
        struck=np.zeros(gaps, dtype=np.int64),
        spared=np.zeros(gaps, dtype=np.bool_),
        ahead=np.zeros(gaps),
        bracket=record(BRACKET),
        v=np.zeros(n),
        request=request_for(plant, np.ones(1), np.zeros(0, dtype=np.bool_)),
    )
