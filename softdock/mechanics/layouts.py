"""What kernels take and give, part by part: the only place where the order of their vectors is written.

Sizes (`Tree.sizes`): nq, nv, links, latches, rows (of all latches' constraints), factor (of the step matrix), known
(values by which the next ξ is foreseen).
"""

from softdock.mechanics.fields import Fields

NEWTON = Fields(
    step="nv", gradient="nv", force="nv", load="nv", momentum="nv", energy=1, power=1, powers=3, change=1, scale=1,
    residual="nv",
)  # fmt: skip
"""An iteration of the step (step.newton): the change of ξ, the force g, the part of it that is not inertial, all of it,
and the momentum l; kinetic energy (J) in the middle of the step and power (W) of that part, after the change; powers of
actuators, dampers, friction."""

GROSS = Fields(terms="nv", grain=1)
"""Of such an iteration: the size of the residual's terms, and the change that their rounding makes (step.gross)."""

WEIGHT = Fields(force=3, moment=3)
"""Of gravity on the whole world, the moment about the centre of mass (motion.weight)."""

PUSH = Fields(force=3, moment=3)
"""Of what free roots are commanded, on the whole world, the moment about the centre of mass (motion.push)."""

NEWTON_HELD = NEWTON.then(push="nv", multipliers="rows", violation=1, reach=1)
"""The same with engaged latches (latch.newton_held): besides, the change of their impulses and what it is in p."""

WEIGHED = NEWTON_HELD.then(weight=6)
"""The same for the ledger: besides, what it keeps of gravity (WEIGHT), of ξ before the change. Where there are no
latches, what would be of them is zero; where there is no ledger, only the beginning is written."""

HELD = Fields(p=("latches", 3), R=("latches", 3, 3), length="latches")
"""What engaging holds of every latch: p_AB and R_AB of its frames, and their distance."""

CONSTRAINTS = Fields(c="rows", A=("rows", "nv"))
"""Of all latches: violation (m, rad) and Jacobian (latch.constraints_and_jacobian)."""

HOLDING = Fields(held=HELD, on="rows", start=CONSTRAINTS, Y=("rows", "nv"), F=("rows", "rows"))
"""What the step is told of latches: what they hold, 1 for every row of an engaged one and 0 for the others, constraints
at the step's start, and of the iteration's matrix W: W⁻¹Aᵀ by rows and the factor of A W⁻¹ Aᵀ, as
dynamics/latch_system.py has it, or its inverse if there are few rows."""

WEIGHTS = Fields(momentum="nv", position="nv")
"""Of the step's end in the equations of joints with a damper or servo: ½, the midpoint, where the step resolves it
(docs/theory/step.md, eq. 12)."""

FORESEEN = Fields(momentum="nv", velocity="nv")
"""For such joints: p at the step's end and ξ, if they go on as they did; p at its start and 0 after a jump."""

FACTOR_INPUT = Fields(h=1, weights=WEIGHTS)
STEP_INPUT = FACTOR_INPUT.then(
    radius=3, command="nv", momentum="nv", foreseen=FORESEEN, newton=WEIGHED, factor="factor", latches=HOLDING
)
"""Of newton and its kin, move, advance, gross, weight and push; the factor kernel reads the beginning. `radius`
is that of the reference orbit, `newton` what newton or its kin gave."""

MOVE = Fields(way="nq", gain="nv")
"""By how much q and p change in a step (step.move)."""

ADVANCE = Fields(q="nq", momentum="nv", by=MOVE)
"""After a step (step.advance), and by how much both changed in it."""

DEPTH, VALUES = 6, 10
"""How many backward differences the predictor may use, and in long chains, how many earlier values."""
FAR_BACK = (
    (-131 / 12, 97 / 6, -131 / 12, 11 / 3, -1 / 2),
    (1.0, -23 / 3, 25 / 3, -11 / 3, 3 / 5),
    (1.0, 1.0, -14 / 3, 49 / 15, -7 / 10),
    (1.0, 1.0, 1.0, -12 / 5, 4 / 5),
    (1.0, 1.0, 1.0, 1.0, -9 / 10),
)
"""Weights of differences of order 5 to 9, with which those are foreseen (of lower ones: 1): the polynomials of order 4
to 8 by least squares of ten values. Of noise in the values they make 3, 6, 13, 31 and 96 times as much; those through
the last five and six values 16 and 30 times."""

KEPT = Fields(lost_way="nq", lost_gain="nv", differences=("known", "nv"))
"""What a step needs of those before it: what rounding left out of q and p, and backward differences of ξ."""

FORCES = Fields(differences=(DEPTH, "rows"), foreseen="rows")
"""With engaged latches besides: backward differences of the rows' forces, and what they foresee."""

GUARDED = Fields(h=1, energy=1, power=1, rested=1)
"""What the guard knows of the step before (dynamics/guard.GUARD)."""

LEDGER = Fields(work=3, gravity=6)
"""Of dynamics/state.ACCOUNT, what a step without contacts adds to."""

MOVING = Fields(
    q="nq", momentum="nv", foreseen="nv", kept=KEPT, force="nv", history=1, depth=1, contraction=1, aging=1,
    of=GUARDED, ledger=LEDGER, forces=FORCES, force_depth=1,
)  # fmt: skip
"""What every step of a world in a lane changes. ξ is `foreseen` by so many differences, of as many steps as are known
(history); `force` is that of the step before, for the guard."""

JUDGED = Fields(rate=1, before=1, worst=1, load=1, used=1, since=1, open=1, solved=1)
"""Of an iteration: contraction, the change before, the worst contraction; what latches bear (< 0: not known yet);
evaluations, and those since the matrix might have been made anew; does it go on, has it ended well (1 or 0)?"""

IN_LANE = Fields(
    velocity="nv", multipliers="rows", pushed="nv", judged=JUDGED,
    turned=1, missed=1, active=1, tolerance=1, slack=1, stiffness=1, follows="nv",
)  # fmt: skip
"""Within a step of a world in a lane: ξ, the impulse λ of each row, and what they push, Aᵀλ; its turn (rad), squared,
and by how much its energy does not add up (J). Is there a world (1 or 0)? How much of a change is left at least;
stiffness of the latches' rows together; 1 for every turn that the step must follow."""

STEP_DERIVATIVES = Fields(
    residual_by_given=("nv", "given"), residual_by_velocity=("nv", "nv"),
    state_by_given=("two_nv", "given"), state_by_velocity=("two_nv", "nv"),
)  # fmt: skip
"""Of a step's residual and of the state (δ, p) after it (derivatives.step_derivatives); given are δ, p, command, h."""

INVERSE_INPUT = Fields(radius=3, acceleration="nv")

ENERGY = Fields(kinetic=1, gravity=1, spring=1, momentum=3, angular_momentum=3, first_moment=3)
"""motion.energy; the last three about the world's origin."""

POSES = Fields(R=("links", 3, 3), p=("links", 3))
"""R_WL and p_WL of every link."""

RELATIVE = Fields(p=("latches", 3), R=("latches", 3, 3))
"""p_AB and R_AB of every latch's frames."""

INERTIA = Fields(S=("nv", 6), F=("nv", 6))
"""Of every velocity: its axis, and the momentum of all that it moves (inertia.axes_and_momenta)."""

LINK_FACTOR = Fields(turn="turn", shift="shift", angular=("dof", 3), linear=("dof", 3), D_inverse=("dof", "dof"))
"""One link's share of the step matrix's factor (articulated.LinkFactor); U by columns."""

RESISTANCE = Fields(stiffness=3, rest=3, damping=3, friction=3, friction_speed=1, kp=1, kd=1, play=1)
"""Of one link's numbers: what resists and drives its joint."""

LINK = Fields(
    R=(3, 3), p=3, mass=1, first_moment=3, inertia=6, **RESISTANCE.parts, armature=1, screw=6, points=("points", 4),
)  # fmt: skip
"""One link's numbers; the inertia is xx, yy, zz, xy, xz, yz, a point is mass and centre."""

FRAME = Fields(R=(3, 3), p=3)
"""A latch's frame in its link."""
