"""Located contacts that rest: points that push, stick or slide, or part, by Signorini's and Coulomb's laws.

    u = G r + b,    0 ≤ r_N ⊥ u_N ≥ 0,    |r_T| ≤ μ r_N against u_T                     (contact/coulomb.py)

In a step u_N is the gap at its end over h, u_T the step's own slip, and G = J W⁻¹ Jᵀ, with what engaged latches and
compliant contacts answer eliminated. At an instant (`settle_points`) u is the velocity and W the mass matrix.
"""

from functools import partial

import numpy as np

from softdock.contact.coulomb import ROUNDING, beyond, error_of, into_disc, refine, signorini_coulomb, terms
from softdock.contact.vectors import dot as along
from softdock.contact.vectors import plus, row
from softdock.dynamics.guard import velocity_before
from softdock.dynamics.latch import align, prepare, share_pushes
from softdock.dynamics.manifold import FULL, fill_rows, points_at, points_moved
from softdock.dynamics.sliding import go_on_sliding, keep_rubbing, lean_back, settled_slides
from softdock.dynamics.state import NEAR
from softdock.dynamics.stiction import begin_dry, begin_settling, end_settling, hold_normals, lies, rests, work_settling
from softdock.kernels import CompiledLoop, call, enter
from softdock.kernels.jit import njit
from softdock.kernels.linear import FAST, dot, semidefinite_solve
from softdock.mechanics.tree import NOISE

SOLVED, STUCK = 1e-13, 1e-15
"""Tolerance of Signorini's and Coulomb's laws, relative to the speeds without contact; and with joints that may stick:
near break-away an error of the laws is a speed a thousand times as large, at which a joint would count as sliding."""
STILL = 1e-300
"""Speed (m/s) that stands for none."""
INSIDE = 1e-7
"""Of the largest normal impulse: what is less outside a cone may stay (the guard's bound is ten times that)."""
GRAIN = 1e-15
"""Rounding of gaps, relative to 1 + the largest coordinate. What is inside the other body by rounding comes out by
twice that a step while it is pressed, and is not pushed out otherwise."""
SHORT = 1e-6
"""Part of a whole step below which points move along straight lines: the rounding of gaps, over so short a time, would
be a speed, and what curvature does in it is less than that rounding."""
SPANNED = 1e-12
"""Of what an impulse along a row moves without latches: what is less with them is rounding."""
FRESH = 4
"""Iterations in which it is found anew by how much slip is not J ξ: later that may swing, for ever in piles."""
UNSOLVED, LOADED = 1e-7, 1e-4
"""Error above which the contacts count as without a solution: relative to the speeds without contact, or to this part
of those that the impulses alone would make, which cancel. (Under a load of 1e4 times a body's own weight more is not to
be had.)"""


@partial(CompiledLoop, makes_arrays=True)
def complementarity(plant, state):
    """The impulses `points.r` of G and b, from a first guess there; what is left in `points.error`."""
    points = state.points
    n, info, size = 3 * points.number, np.zeros(4, np.int64), size_of(points)
    G, b, r = points.G[:n, :n].copy(), points.b[:n], points.r[:n]
    tolerance = max(STUCK if points.dry > 0 else SOLVED, points.enough / size)
    mu, base = points.friction[: points.number], points.base[: points.number]
    points.error = np.inf
    if points.warm and points.dry == 0:  # joints that may stick need the last digit
        points.error = refine(G, b, mu, base, r, tolerance, points.floor, 1e-6, info)
    if points.error == np.inf:
        points.error = signorini_coulomb(G, b, mu, base, r, tolerance, points.floor, 1e-6, info)
    points.error -= min(points.error, 10.0 * points.enough / size)
    points.error *= size / max(size, LOADED * terms(G, b, r))
    into_cones(points)
    return 1


@njit(cache=True, nogil=True)
def size_of(points):
    """The largest speed of b."""
    size = STILL
    for i in range(3 * points.number):
        size = max(size, abs(points.b[i]))
    return size


@njit(cache=True, nogil=True)
def solve_points(plant, state):
    """The impulses `points.r`, from a first guess there: that itself, if it solves the laws, as where nothing changes
    (`complementarity` makes arrays, which takes longer than to see that)."""
    points = state.points
    mu, base = points.friction[: points.number], points.base[: points.number]
    size, (error, gross) = size_of(points), error_of(points.G, points.b, mu, base, points.r, points.floor)
    if size > STILL and error <= max((STUCK if points.dry > 0 else SOLVED) * size, points.enough, ROUNDING * gross):
        points.error = 0.0
        into_cones(points)
    else:
        enter(state.loops.complementarity, plant, state)


@njit(cache=True, nogil=True)
def into_cones(points):
    """Impulses that are next to nothing, with an error relative to the speeds, may be far outside their cones: those
    are put into them."""
    r, most = points.r, 0.0
    for i in range(0, 3 * points.number, 3):
        r[i] = max(0.0, r[i])
        most = max(most, r[i])
    for i in range(0, 3 * points.number, 3):
        r[i + 1], r[i + 2] = into_disc(r[i + 1], r[i + 2], points.friction[i // 3] * (r[i] + INSIDE * most))


@njit(forceinline=True)
def extent_of(row, n):
    """Where a row is not zero: from, and to before."""
    first, last = 0, n
    while first < n and row[first] == 0.0:
        first += 1
    while last > first and row[last - 1] == 0.0:
        last -= 1
    return first, last


@njit(cache=True, nogil=True, fastmath=FAST)
def delassus(solve, theta, factor, points, A, rows, total):
    """Y = W⁻¹Jᵀ (by rows) of the points and G = J Y; what `total` rows A, with the factor `rows` of their own
    A W⁻¹ Aᵀ, answer is taken off: X holds their impulses for unit impulses of the points, with the sign turned."""
    J, Y, G, X, n = points.J, points.Y, points.G, points.X, points.J.shape[1]
    count = 3 * points.number
    for i in range(count):
        joint = i >= count - 3 * points.dry  # its normal and second tangent move nothing
        if (joint and i % 3 == 1) or (not joint and (i % 3 == 0 or points.friction[i // 3] > 0.0)):
            call(solve, J[i], J[i], factor, theta, Y[i])
        else:
            for k in range(n):
                Y[i, k] = 0.0
        first, last = extent_of(Y[i], n)
        points.extent[i, 0], points.extent[i, 1] = extent_of(J[i], n)
        for j in range(i + 1):  # rows of bodies that have nothing in common are zero there
            s = 0.0
            for k in range(max(first, points.extent[j, 0]), min(last, points.extent[j, 1])):
                s += J[j, k] * Y[i, k]
            G[i, j] = G[j, i] = s
    if total == 0:
        return
    for i in range(count):
        for a in range(total):
            s = 0.0
            for k in range(n):
                s += A[a, k] * Y[i, k]
            X[i, a] = s
            points.answer[a] = s
        semidefinite_solve(rows.S, total, rows.independent, rows.order, points.answer)
        for j in range(i):  # X[j] holds A Y[j]ᵀ still
            s = 0.0
            for a in range(total):
                s += X[j, a] * points.answer[a]
            G[i, j] -= s
            G[j, i] = G[i, j]
        for a in range(total):
            G[i, i] -= X[i, a] * points.answer[a]
    for i in range(count):
        semidefinite_solve(rows.S, total, rows.independent, rows.order, X[i])


@njit(cache=True, nogil=True)
def leave_to_latches(points, p):
    """Rows along which engaged latches let nothing move (of a corner at which two boxes touch and are latched to each
    other) take no part, nor do tangents of such a normal; p loses what it had of their impulses."""
    for i in range(3 * (points.number - points.dry)):
        free = dot(points.J[i], points.Y[i])
        bare = i % 3 > 0 and points.G[i - i % 3, i - i % 3] == 0.0
        if free > 0.0 and (bare or points.G[i, i] <= SPANNED * free):
            for k in range(p.size):
                p[k] -= points.J[i, k] * points.impulse[i]
                points.J[i, k] = points.Y[i, k] = 0.0
            for j in range(3 * points.number):
                points.G[i, j] = points.G[j, i] = 0.0
            for a in range(points.X.shape[1]):
                points.X[i, a] = 0.0
            points.impulse[i] = 0.0


@njit(cache=True, nogil=True)
def delassus_in_step(plant, state, total):
    """The same of the step's matrix and the `total` rows `held.A` (as `latch.compliance_in_step`)."""
    points, held, count = state.points, state.held, 3 * state.points.number
    share_pushes(plant, state, points.J, count, 0.5)
    share_pushes(plant, state, held.A, total, 0.5)
    delassus(plant.kernels.solve, plant.theta, state.input.factor, points, held.A, held, total)
    hold_normals(points)
    share_pushes(plant, state, points.J, count, -0.5)
    share_pushes(plant, state, held.A, total, -0.5)
    share_pushes(plant, state, points.Y, count, 0.5)
    if total > 0:
        leave_to_latches(points, state.input.momentum)


@njit(cache=True, nogil=True)
def begin_bend(points):
    """K = ∂(gap at the step's end)/∂ξ over h of every point: its normal row, to begin with."""
    for i in range(points.number):
        for k in range(points.K.shape[1]):
            points.K[i, k] = points.J[3 * i, k]


@njit(cache=True, nogil=True)
def bend(state, h, reach, total):
    """Broyden's update of K by the last change d of ξ (and W d), where J is not near enough to it, and G with it; not
    by what may be rounding of the gaps."""
    points, held, n = state.points, state.held, state.xi.size
    size = 0.0
    for k in range(n):
        size += points.moved[k] * points.loaded[k]
    for i in range(points.number - points.dry if size > 0.0 else 0):
        missed = (points.gap[i] - points.last[i]) / h
        for k in range(n):
            missed -= points.K[i, k] * points.moved[k]
        if abs(missed) * h <= 10.0 * GRAIN * reach:
            continue
        for k in range(n):
            points.K[i, k] += missed * points.loaded[k] / size
        for j in range(3 * points.number):
            g = 0.0
            for k in range(n):
                g += points.K[i, k] * points.Y[j, k]
            for a in range(total):
                answer = 0.0
                for k in range(n):
                    answer += points.K[i, k] * held.Y[a, k]
                g -= answer * points.X[j, a]
            points.G[3 * i, j] = g


@njit(cache=True, nogil=True)
def want_resting(state):
    """Mark the contacts that rest, and the joints that may stick."""
    state.points.wide = True
    for i in range(state.proximity.seen.number):
        k = state.proximity.near[i]
        state.points.wanted[k] = state.held.resting[k]
    state.points.wanted[state.held.resting.size] = True


@njit(cache=True, nogil=True)
def leave_out(points, resting):
    """Points that do not touch any more, or not yet, and those of contacts that rest no more, since a latch holds their
    bodies, take no part."""
    for i in range(points.number):
        which = points.contact[i]
        if points.gap[i] > NEAR or (which < resting.size and not resting[which]):
            for c in range(3 * i, 3 * i + 3):
                points.impulse[c] = 0.0
                for k in range(points.J.shape[1]):
                    points.J[c, k] = 0.0


@CompiledLoop
def settle_points(plant, state):
    """`projection.momentum`, in line with the engaged latches, brought in line with the contacts that rest: a plastic
    impulse. The points are those of the step before, if there was one; returns 1, or FULL."""
    points, held, now = state.points, state.held, state.projection
    p, v, fastest = now.momentum, now.v, 0.0
    share = 0.5 if points.of_step else 0.0  # p lacks the second half of the step's impulse
    if points.of_step:
        points_moved(plant, state, state.q)
        fill_rows(plant, state)
        leave_out(points, held.resting)
    else:
        want_resting(state)
        if not points_at(plant, state, state.q):
            return FULL
        for i in range(points.number):
            points.slides[i] = False
    delassus(plant.kernels.solve, plant.theta, now.factor, points, held.A, now, now.rows)
    if now.rows > 0:
        leave_to_latches(points, points.moved)  # p does not have them
    call(plant.kernels.solve, state.q, p, now.factor, plant.theta, v)
    for k in range(v.size if now.rows > 0 else 0):
        fastest = max(fastest, abs(v[k]))
    points.floor, points.enough = NOISE * fastest, 0.1 * NOISE * fastest  # of latches, as in a step
    for i in range(3 * points.number):
        points.b[i], points.r[i] = 0.0, share * points.impulse[i]
        for k in range(v.size):
            points.b[i] += points.J[i, k] * v[k]
    hold_normals(points)
    begin_settling(plant, points)
    points.warm = False
    for k in range(v.size):
        points.earlier[k] = state.step.velocities.differences[0, k, 0]
    lean_back(points, 1.0)
    solve_points(plant, state)
    if not settled_slides(points):
        for i in range(3 * points.number - 3 * points.dry):
            points.r[i] = share * points.impulse[i]
        solve_points(plant, state)
    for i in range(3 * points.number):
        for k in range(v.size):
            p[k] += points.J[i, k] * points.r[i]
    align(plant, state, now.rows, p, v)
    end_settling(plant, points, v)
    return 1


@njit(cache=True, nogil=True, apart=True, _nrt=False)
def settle_all(plant, state, p, v):
    """p brought in line with all that holds, and v = M⁻¹ p; the energy lost (J)."""
    now, m = state.projection, prepare(plant, state)
    now.rows = m
    lost = align(plant, state, m, p, v)
    if lies(state) or state.points.owed > 0.0:
        for k in range(v.size):
            lost += 0.5 * p[k] * v[k]
            now.momentum[k] = p[k]
        enter(state.loops.settle_points, plant, state)
        for k in range(v.size):
            p[k], v[k] = now.momentum[k], now.v[k]
            lost -= 0.5 * p[k] * v[k]
    return lost


@njit(cache=True, nogil=True)
def settle_now(plant, state, v, ledger):
    """Bring the momentum in line with all that holds, and write its velocity; of contacts at rest this is the second
    half of the last step's impulse, whose work goes into the account if there is a `ledger`."""
    settle_all(plant, state, state.input.momentum, v)
    if ledger:
        contacts, friction = work_of_settling(plant, state, v)
        state.account.work_contacts += contacts
        state.account.work[2] += friction
    state.points.share, state.points.owed = 0.5, 0.0


@njit(cache=True, nogil=True)
def work_of_settling(plant, state, v):
    """What contacts at rest, and joints that stick or slide, do (J) in the impulse that brings the momentum in line
    with them, to velocity v."""
    points, last, work, rubbed = state.points, state.step.velocities.differences, 0.0, 0.0
    if lies(state) or points.owed > 0.0:
        for i in range(3 * points.number):
            for k in range(v.size):
                work += 0.5 * points.r[i] * points.J[i, k] * (last[0, k, 0] + v[k])
        rubbed = work_settling(plant, state, v)
    return work - rubbed, rubbed


@njit(cache=True, nogil=True)
def begin_points(plant, state, h, reach):
    """Gather the points that rest at the step's start, with the impulses of the last step; p += Jᵀr. False if there
    are too many."""
    points, momentum = state.points, state.input.momentum
    points.number, points.released, points.coarse, points.fresh = 0, False, False, FRESH
    points.warm = False
    if not rests(plant, state):
        return True
    known = points.of_step
    want_resting(state)
    if not points_at(plant, state, state.q):
        return False
    known = known and points.number == points.before
    for i in range(points.number):
        s, k = points.gap[i], points.contact[i]
        out = 0.1 * points.part * max(0.0, points.caught[k] - s)
        points.depth[k] = 2.0 * GRAIN * reach * points.part if points.pressed[k] > 0.0 else -GRAIN * reach
        points.allowed[i] = min(0.0, s + points.depth[k]) if s >= points.caught[k] - NEAR else s + out
        if points.part < SHORT:
            points.allowed[i] = 0.0  # gaps are counted from where they are
    for i in range(points.number):
        points.depth[points.contact[i]] = 0.0
    for i in range(points.number):
        k = points.contact[i]
        points.depth[k] = min(points.depth[k], points.gap[i] if points.part < SHORT else points.allowed[i])
    for k in range(momentum.size):
        points.earlier[k] = velocity_before(state, 0, k)
    go_on_sliding(points, GRAIN * reach / h, known)
    for i in range(3 * points.number):
        points.impulse[i] = points.share * h * points.force[i] if known else 0.0
    begin_dry(plant, points, h)
    for i in range(3 * points.number):
        for k in range(momentum.size):
            momentum[k] += points.J[i, k] * points.impulse[i]
    return True


@njit(cache=True, nogil=True)
def move_straight(state, h):
    """What gaps of the points change in h at ξ, to first order."""
    points = state.points
    for i in range(points.number):
        points.gap[i] = h * dot(points.J[3 * i], state.xi)


@njit(cache=True, nogil=True)
def keep_pushes(state, h):
    """Keep with what force every contact pushed. If it is less than half of that before, though that half was still to
    come (`points.share` is 1), the force would have to pull now: then it was `released`."""
    points, near = state.points, state.proximity.near
    for i in range(state.proximity.seen.number):
        k, now = near[i], 0.0
        for j in range(points.number if points.pressed[k] > 0.0 and points.share == 1.0 else 0):
            now += points.impulse[3 * j] if points.contact[j] == k else 0.0
        points.released |= points.share == 1.0 and now < 0.5 * h * points.pressed[k]
    for i in range(state.proximity.seen.number):
        points.pressed[near[i]] = 0.0
    points.pressed[points.pressed.size - 1] = 0.0
    for i in range(points.number):
        points.pressed[points.contact[i]] += points.impulse[3 * i] / (points.share * h)


@njit(cache=True, nogil=True)
def end_points(state, h):
    """Keep the impulses as forces; returns the power that points at rest take (W). The impulse comes between the last
    step and this one, so that its work is with the mean of their velocities."""
    points, power = state.points, 0.0
    keep_pushes(state, h)
    keep_rubbing(points)
    for i in range(3 * points.number):
        points.force[i] = points.impulse[i] / (points.share * h)
        slip = 0.0
        for k in range(state.xi.size):
            slip += 0.5 * points.J[i, k] * (velocity_before(state, 0, k) + state.xi[k])
        power += points.impulse[i] / h * slip
    points.before, points.of_step, points.share, points.span = points.number, True, 1.0, h
    return power


@njit(cache=True, nogil=True)
def curve_slips(state, h, together):
    """By how much the slip of every point, over h, is not J ξ. `together`: a mean for each contact, by what its points
    push, for that is a motion of its two bodies; what redundant points have of their own might be none."""
    points, first = state.points, 0
    points.fresh -= 1
    for i in range(3 * (points.number - points.dry)):
        points.curve[i] = 0.0
        if i % 3 > 0:
            points.curve[i] = beyond(points.slip[i // 3, i % 3 - 1] / h - dot(points.J[i], state.xi), points.floor)
    while together and first < points.number - points.dry:
        total, x, last = 1e-300, (0.0, 0.0, 0.0), first
        while last < points.number - points.dry and points.contact[last] == points.contact[first]:
            total += points.impulse[3 * last]
            for c in range(2):
                part = points.impulse[3 * last] * points.curve[3 * last + 1 + c]
                x = plus(x, part, row(points.tangents[last], c))
            last += 1
        for i in range(first, last):
            for c in range(2):
                points.curve[3 * i + 1 + c] = along(x, row(points.tangents[i], c)) / total
        first = last


@njit(cache=True, nogil=True, fastmath=FAST)
def push_points(plant, state, h, reach, total, share):
    """One iteration: the impulses of the points, where `newton.step` and the answers `held.push` of `total` rows would
    take the step without a change of them. Their change, or a share of it, into `points.r`; how far gaps are from
    complementarity."""
    points, held, step, violation = state.points, state.held, state.input.newton.step, 0.0
    count = 3 * points.number
    grain = (NOISE if total > 0 else GRAIN) * reach / h  # latches are true to their own rounding
    points.floor = grain if points.part >= SHORT else 0.0
    points.enough = 0.1 * grain * (1.0 if total > 0 and points.part >= SHORT else min(points.part, SHORT))
    if points.part >= SHORT and (total > 0 or points.fresh > 0):
        curve_slips(state, h, total == 0)
    if points.dry > 0:
        points.enough = min(points.enough, 0.1 * grain * SHORT)
    for k in range(state.xi.size):
        points.moved[k] = step[k]
        for a in range(total):
            points.moved[k] += held.Y[a, k] * held.push[a]
    for i in range(count):
        speed, ahead = 0.0, 0.0
        for k in range(state.xi.size):
            ahead += (points.K[i // 3, k] if i % 3 == 0 else points.J[i, k]) * points.moved[k]
            speed += points.J[i, k] * state.xi[k]
        if i % 3 > 0 and points.part >= SHORT and i < count - 3 * points.dry:
            # Slip is what it is at the step's end, as the gap is: J ξ, at its start, would let what turns about a
            # point that sticks slide, to second order, and make energy.
            if points.slides[i // 3]:
                speed += dot(points.J[i], points.earlier)
            else:
                speed += points.curve[i]
        points.b[i] = ahead + ((points.gap[i // 3] - points.allowed[i // 3]) / h if i % 3 == 0 else speed)
        for j in range(count):
            points.b[i] -= points.G[i, j] * points.impulse[j]
        if points.G[i, i] == 0.0:  # left to latches, which are closed to their own rounding
            points.b[i] = 0.0
        points.r[i] = points.impulse[i]
        if i % 3 == 0:
            s = points.gap[i // 3] - points.allowed[i // 3]
            violation = max(violation, -s, min(s, h * points.impulse[i] * points.G[i, i]))
    solve_points(plant, state)
    points.warm = points.error <= UNSOLVED
    for i in range(count):
        change = share * (points.r[i] - points.impulse[i])
        points.impulse[i] = points.r[i] if share == 1.0 else points.impulse[i] + change
        points.r[i] = change
        if change != 0.0:
            for a in range(total):
                held.push[a] -= points.X[i, a] * change
    return violation
