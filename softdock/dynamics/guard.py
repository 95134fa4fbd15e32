"""The guard: every step's energy and momentum must add up, within what its order explains (docs/theory/guard.md).

From the middle of one step to that of the next, kinetic energy changes by the work of the forces, each with the mean of
the two velocities; latches do none, and contacts at rest only take. What is missing is bounded by energy and rates
from before the step. What latches and contacts between bodies push has no sum and no moment.
"""

from typing import Any, NamedTuple

import numpy as np

from softdock.dynamics.latch_system import reach_of
from softdock.dynamics.plant import ROOT
from softdock.dynamics.settling import RESOLVED
from softdock.dynamics.status import DONE, OFF_BALANCE
from softdock.kernels import call
from softdock.kernels.jit import njit
from softdock.kernels.linear import FAST, copy
from softdock.mechanics.tree import WORLD_LINK, Tree
from softdock.world import WORLD
from softdock.world.joints import Free

GUARD = np.dtype(
    [*((name, "f8") for name in
     ("h", "energy", "power", "rested", "missed", "allowed", "worst", "worst_push", "worst_gain")),
     ("what", "i8"), ("which", "i8"), ("pushed", "?"), ("touched", "?")]
)  # fmt: skip
"""What is off balance (`ENERGY`, …), and of which contact (`GAIN`); do latches or contacts push, do contacts
touch? Of the step before: its length (s; 0 after a jump), kinetic
energy (J) and power (W) of forces in its middle. What contacts at rest did in this step (J). By how much a step is off
balance, and by how much it may be (J; N s or N m s). The largest ratios of the two so far: of energy, of pushes, and of
what compliant contacts gave."""

ENERGY, PUSH, PULL, GAIN = range(1, 5)
"""Off balance: energy; momentum, by what latches and contacts push; a contact that pulls, or rubs more than it may; a
compliant contact that gave back more than it took."""

SHARE = 10.0
"""C of eq. 2: how many times the step's own error, as estimated, it may be off."""
ROUNDING = 1e-9
"""Of energy, relative to what there is and to what forces do."""
TOUCHED = 1e-7
"""The same where contacts touch: friction far stiffer than what it holds is heavy is solved to that."""
BALANCED = 1e-12
"""Of loads in balance: likewise, relative to what they would do if they were not."""
COMPRESSED = 1e-10
"""Of compliant contacts and latches: relative to what they hold."""
STILL = 1e-200
"""Energy (J) below which nothing moves."""
CLOSED = 2e-13
"""Violation (m, rad), relative to 1 + the largest coordinate, at which latches and contacts count as closed."""
LEAK = 1e-12
"""Momentum that pushes between bodies may make in a step, relative to all momenta and forces."""
CONE = 1e-6
"""Impulse by which a point may pull or rub too much, relative to the largest that pushes."""
ROUNDED = 1e-11
"""Of the largest momentum: what an impulse may be outside its cone besides."""
PASSIVE = 0.01
"""Of the energy that a compliant contact took since it closed: what it may have given back beyond it."""
SHORT = 0.1
"""Way (m) of a sliding joint that counts as a turn by 1 rad."""


class Guard(NamedTuple):
    """What the guard knows of the step before."""

    of: Any
    """`GUARD`"""
    force: np.ndarray
    velocity: np.ndarray
    """Its generalised force; the velocity after a jump."""
    excess: np.ndarray
    """Of every joint that settles: momentum beyond the midpoint's (docs/theory/step.md, eq. 12)."""
    momentum: np.ndarray
    """Before latches and contacts push."""


def guard_for(nv: int, settling: int) -> Guard:
    """A new one."""
    return Guard(np.zeros(1, GUARD)[0], np.zeros(nv), np.zeros(nv), np.zeros(settling), np.zeros(nv))


def levers(tree: Tree, turning: np.ndarray) -> np.ndarray:
    """Of every velocity: how much of a turn (rad) its unit is for the mass matrix; 0 where that does not see it."""
    found = np.zeros(tree.nv)
    found[turning] = 1.0
    for link in tree.links:
        if link.kind == "S":
            found[link.v : link.v + 3] = 1.0
        elif link.kind == "M":
            if link.parent != WORLD_LINK and _turns(tree, link.parent):
                moved = np.linalg.norm(link.screw[3:]) / tree.links[link.parent].mass
                found[link.v] = moved / SHORT
        elif link.parent != WORLD_LINK and _turns(tree, link.parent):
            found[link.v : link.v + link.dof] = np.where(link.kind == "R", found[link.v], 1.0 / SHORT)
    return found


def _turns(tree: Tree, k: int) -> bool:
    """Can a link turn?"""
    while k != WORLD_LINK:
        if tree.links[k].kind in "RS":
            return True
        k = tree.links[k].parent
    return False


def roots_of(tree: Tree, touched: bool) -> np.ndarray:
    """`ROOT` of a world on which nothing from outside can push: all its roots are free, and no latch or contact
    (`touched`) is with the world."""
    roots = [body for body in tree.world.bodies if body.parent == WORLD]
    ends = {tree.places[end].link for latch in tree.world.latches for end in (latch.frame_a, latch.frame_b)}
    if touched or WORLD_LINK in ends or not all(isinstance(body.joint, Free) for body in roots):
        return np.zeros(0, ROOT)
    found = []
    for turn in tree.links:
        base = tree.links[turn.parent]
        if turn.kind == "S" and turn.parent != WORLD_LINK and base.kind == "T" and base.parent == WORLD_LINK:
            found.append((base.q, base.v, turn.q, turn.v, base.p_PL, base.R_PL, np.array_equal(base.R_PL, np.eye(3))))
    return np.array(found, dtype=ROOT)


@njit(forceinline=True)
def guard_anew(state, v):
    """After a jump to velocity v: the next step is compared with the present state."""
    guard, twice = state.guard, 0.0
    for i in range(v.size):
        guard.velocity[i] = v[i]
        twice += state.input.momentum[i] * v[i]
    for k in range(guard.excess.size):
        guard.excess[k] = 0.0
    guard.of.h, guard.of.energy = 0.0, 0.5 * twice


@njit(forceinline=True)
def velocity_before(state, stage, i):
    """ξ of the step before, or the velocity after a jump."""
    last = state.step.velocities.differences
    return state.guard.velocity[i] if state.guard.of.h == 0.0 else last[stage - 1, i, 0]


@njit(forceinline=True)
def excess_of(state, v, h):
    """Momentum of a joint that settles in the middle of the step, beyond the midpoint's (docs/theory/step.md, 12)."""
    given = state.input
    ahead = given.momentum[v] + h * given.newton.gradient[v]
    return (given.weights.momentum[v] - 0.5) * (ahead - given.foreseen.momentum[v])


@njit(cache=True, nogil=True)
def excess_work(plant, state, h, stage):
    """Work (J) of joints that settle beyond the midpoint's, and the sum of its sizes."""
    guard, xi, work, gross = state.guard, state.xi, 0.0, 0.0
    for k in range(plant.settling.size):
        v = plant.settling[k].v
        excess = excess_of(state, v, h)
        part = 0.5 * (excess - guard.excess[k]) * (xi[v] + velocity_before(state, stage, v))
        work, gross = work + part, gross + abs(part)
        guard.excess[k] = excess
    return work, gross


@njit(cache=True, nogil=True)
def ringing(plant, state, h, stage):
    """Energy (J) that dampers and servos should have taken: by a mean velocity (ξ₀ + ξ)/2 the midpoint rule takes
    ¼ hλ J (ξ − ξ₀)² less than by the velocities themselves, which is all of it where they change sign in every step.
    Of joints that the step does not resolve, and whose weight is not what that asks for (docs/theory/step.md, 12)."""
    missing = 0.0
    for joint in plant.settling:
        fast = abs(h) * joint.fast
        if fast > RESOLVED and state.input.weights.momentum[joint.v] < 0.99 * (1.0 - 1.0 / fast):
            change = state.xi[joint.v] - velocity_before(state, stage, joint.v)
            missing += 0.25 * fast * abs(change * state.moved.by.gain[joint.v])
    return missing


@njit(cache=True, nogil=True)
def touched(plant, state, h):
    """Write the energy and power of a step with contacts, which push after the kernel was called: 2 T = ξ·l, and along
    ξ that is the mean of the momenta at the step's ends, but for joints that settle."""
    newton, xi, twice, power = state.input.newton, state.xi, 0.0, 0.0
    for i in range(plant.nv):
        twice += xi[i] * (state.input.momentum[i] + 0.5 * state.moved.by.gain[i])
        power += xi[i] * newton.force[i]
    for joint in plant.settling:
        twice += xi[joint.v] * excess_of(state, joint.v, h)
    newton.energy, newton.power = 0.5 * twice, power


@njit(forceinline=True)
def check_energy(plant, state, h, stage, turned):
    """Does the energy of a step whose turn (rad), squared, is so much add up? DONE or OFF_BALANCE. Most do by the
    powers alone: half of the turn, cubed, is less than a twentieth of what `judge` explains by it. The others are
    judged. (`move_on` keeps the force for the next step.)"""
    of, newton, status = state.guard.of, state.input.newton, DONE
    if of.touched:
        touched(plant, state, h)
    made = newton.energy - of.energy - 0.5 * (h * newton.power + of.h * of.power) - min(of.rested, 0.0)
    of.missed = abs(made)
    beyond, cubed = of.missed - ROUNDING * of.energy, SHARE / 8 * of.energy
    plain = beyond * beyond <= cubed * cubed * (turned * turned * turned) and 0.75 * newton.energy <= of.energy
    if state.clock.damping > RESOLVED or not (beyond <= 0.0 or plain):
        status = judge(plant, state, h, stage, True)
    of.h, of.energy, of.power, of.rested = h, newton.energy, newton.power, 0.0
    of.pushed = of.touched = False
    return status


@njit(cache=True, nogil=True)
def judge(plant, state, h, stage, loads):
    """Is more missing than the step explains? θ is the turn of the step before, or of this one as far as the known
    energy explains it; χ the change of rates, at most θ (eq. 2). What pushes does no work but by curvature: less than
    with the change of velocity; and by how far latches and contacts are closed. Without `loads`, what large ones in
    balance may leave does not count."""
    guard, of, xi, force, levers = state.guard, state.guard.of, state.xi, state.input.newton.force, plant.levers
    work, gross, turn, change, before, bent = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(plant.nv):
        last = velocity_before(state, stage, i)
        part = 0.25 * (h * force[i] + of.h * guard.force[i]) * (xi[i] + last)
        work, gross = work + part, gross + abs(part)
        before = max(before, levers[i] * abs(last))
        turn = max(turn, levers[i] * abs(xi[i]))
        change = max(change, levers[i] * abs(xi[i] - last))
        if of.pushed:
            bent += abs((state.input.momentum[i] - guard.momentum[i]) * (xi[i] - last))
    settled, rang = 0.0, 0.0
    if plant.settling.size > 0:
        part, settled = excess_work(plant, state, h, stage)
        work, rang = work + part, ringing(plant, state, h, stage)
    energy, known = state.input.newton.energy, abs(of.energy) + gross + abs(of.rested)
    of.missed = abs(energy - of.energy - work - min(of.rested, 0.0)) + rang
    explained = turn * (np.sqrt(known / energy) if energy > known else 1.0)
    theta = abs(h) * max(before, explained)
    chi = min(abs(h) * change, theta) if of.h == h else theta
    of.allowed = STILL + (TOUCHED if of.touched else ROUNDING) * known + settled  # those are of order 1
    if theta > 0.0:
        of.allowed += SHARE * (theta * theta + chi) ** 2 / theta * known
    if of.pushed:
        between = abs(h + of.h)  # steps of a composition go back and forth, and their velocities differ less
        bent = bent * (abs(h) + abs(of.h)) / between if between > 0.0 else known
        of.allowed += min(bent, known)
    if loads and not of.missed <= of.allowed:  # then what is not found as quickly counts, too
        of.allowed += BALANCED * load(plant, state) + state.step.gross.grain
        of.allowed += CLOSED * reach_of(state.q) / abs(h) * all_pushed(state) if of.pushed else 0.0
        of.allowed += COMPRESSED * state.compliance.contact.load if of.touched else 0.0
    of.worst = max(of.worst, of.missed / of.allowed)
    if of.missed <= of.allowed:
        return DONE
    of.what = ENERGY
    return OFF_BALANCE


@njit(cache=True, nogil=True)
def load(plant, state):
    """What all terms of the step's equations could do (J) if they did not balance each other."""
    gross, terms, answer, total = state.step.gross, state.step.gross.terms, state.step.change, 0.0
    call(plant.kernels.gross, state.q, state.xi, state.input.vector, plant.theta, gross.vector)
    call(plant.kernels.solve, terms, terms, state.input.factor, plant.theta, answer)
    for i in range(plant.nv):
        total += abs(terms[i] * answer[i])
    return total


@njit(cache=True, nogil=True)
def all_pushed(state):
    """What latches and contacts pushed (N s, N m s), all of it added up."""
    total = 0.0
    for i in range(state.xi.size):
        total += abs(state.input.momentum[i] - state.guard.momentum[i])
    return total


@njit(forceinline=True)
def begin_pushes(state):
    """Remember the momentum before latches and contacts push."""
    copy(state.input.momentum, state.guard.momentum)
    state.guard.of.pushed = True


@njit(forceinline=True)
def in_world(root, a, b, c):
    """R (a, b, c), R the frame that a root is in."""
    R = root.R
    if root.plain:
        return a, b, c
    return (
        R[0, 0] * a + R[0, 1] * b + R[0, 2] * c,
        R[1, 0] * a + R[1, 1] * b + R[1, 2] * c,
        R[2, 0] * a + R[2, 1] * b + R[2, 2] * c,
    )


@njit(cache=True, nogil=True, fastmath=FAST)
def check_pushes(plant, state, h):
    """Do the pushes on floating bodies cancel? DONE or OFF_BALANCE. Moments are about the first root."""
    of, p, before, q = state.guard.of, state.input.momentum, state.guard.momentum, state.q
    first, scale, reach = plant.roots[0], 0.0, 1.0
    f0, f1, f2, n0, n1, n2 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    x0, y0, z0 = in_world(first, q[first.q], q[first.q + 1], q[first.q + 2])
    for i in range(plant.nv):
        scale += abs(before[i]) + abs(h * state.input.newton.gradient[i])
    for root in plant.roots:
        i, j = root.v, root.q
        x, y, z = in_world(root, q[j], q[j + 1], q[j + 2])
        x, y, z = x - x0 + root.p[0] - first.p[0], y - y0 + root.p[1] - first.p[1], z - z0 + root.p[2] - first.p[2]
        reach = max(reach, abs(x), abs(y), abs(z))
        a, b, c = in_world(root, p[i] - before[i], p[i + 1] - before[i + 1], p[i + 2] - before[i + 2])
        f0, f1, f2 = f0 + a, f1 + b, f2 + c
        n0, n1, n2 = n0 + y * c - z * b, n1 + z * a - x * c, n2 + x * b - y * a
        i, j = root.turn_v, root.turn_q
        a, b, c = p[i] - before[i], p[i + 1] - before[i + 1], p[i + 2] - before[i + 2]
        w, x, y, z = q[j], q[j + 1], q[j + 2], q[j + 3]
        r, s, t = 2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)
        a, b, c = in_world(root, a + w * r + y * t - z * s, b + w * s + z * r - x * t, c + w * t + x * s - y * r)
        n0, n1, n2 = n0 + a, n1 + b, n2 + c
    missed, allowed = max(reach * max(abs(f0), abs(f1), abs(f2)), abs(n0), abs(n1), abs(n2)), LEAK * scale * reach
    if missed > of.worst_push * allowed:
        of.worst_push = missed / allowed if allowed > 0.0 else np.inf
    if missed <= allowed:
        return DONE
    of.what, of.missed, of.allowed = PUSH, missed / reach, LEAK * scale
    return OFF_BALANCE


@njit(cache=True, nogil=True)
def check_cones(state, impulse):
    """Do points only push, and rub no more than friction may? DONE or OFF_BALANCE."""
    of, points, most, missed, moving = state.guard.of, state.points, 0.0, 0.0, 0.0
    for k in range(state.input.momentum.size):
        moving = max(moving, abs(state.input.momentum[k]))
    for i in range(points.number - points.dry):
        n, t, u = impulse[3 * i], impulse[3 * i + 1], impulse[3 * i + 2]
        most = max(most, abs(n))
        missed = max(missed, -n, np.sqrt(t * t + u * u) - points.friction[i] * max(n, 0.0))
    allowed = CONE * most + ROUNDED * moving  # impulses may be next to nothing, in a part of a step
    if not missed > allowed:
        return DONE
    of.what, of.missed, of.allowed = PULL, missed, allowed
    return OFF_BALANCE


@njit(cache=True, nogil=True)
def check_gains(state, h):
    """Has no compliant contact given back more than it took since it closed? DONE, and the step's trade is kept, or
    OFF_BALANCE. What contacts hold at present may be theirs by sliding into each other, in one step."""
    of, touch, near = state.guard.of, state.compliance, state.proximity.near
    for i in range(state.proximity.seen.number):
        gain = touch.traded[near[i], 0] + h * touch.power[near[i]]
        allowed = STILL + PASSIVE * touch.traded[near[i], 1] + touch.contact.load
        if gain > 0.0:
            of.worst_gain = max(of.worst_gain, gain / allowed)
        if gain > allowed:
            of.what, of.which, of.missed, of.allowed = GAIN, near[i], gain, allowed
            return OFF_BALANCE
    for i in range(state.proximity.seen.number):
        k = near[i]
        touch.traded[k, 0] += h * touch.power[k]
        touch.traded[k, 1] = max(touch.traded[k, 1], -touch.traded[k, 0])
    return DONE
