"""Contacts that rest, for the reference integrator: Signorini's and Coulomb's laws of accelerations.

    u = J v,   a = J v̇ + J̇ v,   0 ≤ f_N ⊥ a_N ≥ 0
    f_T in the disc of radius μ f_N, against a_T where a_T ≠ 0, of a point that sticks;
    f_T = −μ f_N u_T/|u_T|, of one that slides                                                                     (1)

Forces at an instant, not impulses of a step: what points have in common with steps is where they are (manifold.py) and
how such laws are solved (contact/coulomb.py). What each point does is given, and holds until `ReferenceMotion` finds
that it does not any more.
"""

import numpy as np

from softdock.contact.coulomb import signorini_coulomb
from softdock.contact.vectors import cross, norm, plus, row, times, write
from softdock.contact.vectors import dot as inner
from softdock.dynamics.compliance import fill_row
from softdock.dynamics.latch import align, prepare
from softdock.dynamics.latch_system import DEPENDENT
from softdock.dynamics.manifold import fill_rows, points_at, points_moved
from softdock.dynamics.resting import SOLVED, delassus
from softdock.kernels import call
from softdock.kernels.jit import njit
from softdock.kernels.linear import dot, semidefinite_factor, semidefinite_solve

APART, STICKS, SLIDES = 0, 1, 2
"""What a point does: it does not touch, or leaves."""
ASIDE = 1e-5
"""Way (m or rad) by which J is looked at before and after, for J̇ v by central differences."""
CERTAIN = 1e-9
"""Of its cone: a point that sticks with less force than that to spare may slide."""


@njit(cache=True, nogil=True)
def lay(plant, state, resting, q):
    """All points of the contacts that rest, touching or not; False if there are too many."""
    points, proximity = state.points, state.proximity
    points.wide, proximity.seen.number = True, 0
    for k in range(resting.size):
        points.wanted[k], points.margin[k] = resting[k], np.inf
        if resting[k]:
            proximity.near[proximity.seen.number] = k
            proximity.seen.number += 1
    points.wanted[resting.size] = False
    return points_at(plant, state, q)


@njit(cache=True, nogil=True)
def rows_moved(plant, state, q):
    """The points and their rows at q, with tangents that turn no more than the normal does. (Those of `fill_rows` may
    jump where it turns by rounding.)"""
    points, pairs = state.points, plant.contacts.pairs.shape[0]
    before = points.tangents[: points.number, 0].copy()
    points_moved(plant, state, q)
    fill_rows(plant, state)
    for i in range(points.number):
        if points.contact[i] < pairs and points.friction[i] > 0.0:
            n = row(points.normal, i)
            t = plus(row(before, i), -inner(row(before, i), n), n)
            t = times(1.0 / norm(t), t)
            write(points.tangents[i, 0], 0, t)
            write(points.tangents[i, 1], 0, cross(n, t))
            for c in range(2):
                fill_row(plant, state, points.contact[i], points.x[i], points.tangents[i, c], points.J[3 * i + 1 + c])


@njit(cache=True, nogil=True)
def speeds_at(plant, state, q, v):
    """u = J v of the points at q."""
    rows_moved(plant, state, q)
    u = np.empty(3 * state.points.number)
    for i in range(u.size):
        u[i] = dot(state.points.J[i], v)
    return u


@njit(cache=True, nogil=True)
def bias_at(plant, state, rates, y):
    """J̇ v of the points, by central differences along the motion."""
    nq, v, fastest = plant.nq, y[plant.nq :], 1e-3
    dq, q = np.empty(nq), np.empty(nq)
    call(rates, y, v, v, plant.theta, dq)
    for k in range(v.size):
        fastest = max(fastest, abs(v[k]))
    s = ASIDE / fastest
    for i in range(nq):
        q[i] = y[i] - s * dq[i]
    before = speeds_at(plant, state, q, v)
    for i in range(nq):
        q[i] = y[i] + s * dq[i]
    after = speeds_at(plant, state, q, v)
    for i in range(after.size):
        after[i] = (after[i] - before[i]) / (2.0 * s)
    return after


@njit(cache=True, nogil=True)
def answers(plant, state, of, used):
    """G = J M⁻¹ Jᵀ of the rows `used`, with what latches answer taken off, at the configuration `of`; how many rows
    latches have."""
    points = state.points
    for i in range(plant.nq):
        state.q[i] = of[i]
    for i in range(used.size):
        for k in range(plant.nv if not used[i] else 0):
            points.J[i, k] = 0.0
    m = prepare(plant, state)
    state.projection.rows = m
    delassus(plant.kernels.solve, plant.theta, state.projection.factor, points, state.held.A, state.projection, m)
    return m


@njit(cache=True, nogil=True)
def pushed(plant, state, m, r):
    """M⁻¹Jᵀ r, with the answer of `m` rows of latches."""
    p, change = np.zeros(plant.nv), np.empty(plant.nv)
    for i in range(r.size):
        for k in range(plant.nv if r[i] != 0.0 else 0):
            p[k] += state.points.J[i, k] * r[i]
    align(plant, state, m, p, change)
    return change


@njit(cache=True, nogil=True)
def slide_along(G, friction, i, along):
    """Let the friction of point i go with its normal force: −μ f_N along a direction; its tangents answer nothing."""
    for k in range(G.shape[0]):
        G[k, 3 * i] -= friction * (along[0] * G[k, 3 * i + 1] + along[1] * G[k, 3 * i + 2])
    for c in range(3 * i + 1, 3 * i + 3):
        for k in range(G.shape[0]):
            G[k, c] = G[c, k] = 0.0


@njit(cache=True, nogil=True)
def direction(u, last):
    """The unit vector along the slip u, on the side of the `last` one; that, where there is no slip."""
    speed = np.sqrt(u[0] ** 2 + u[1] ** 2)
    if speed <= 1e-300:
        return last[0], last[1]
    side = 1.0 if u[0] * last[0] + u[1] * last[1] >= 0.0 else -1.0
    return side * u[0] / speed, side * u[1] / speed


@njit(cache=True, nogil=True, apart=True)
def do_as_before(plant, state, does, slow, last, y):
    """Do points that stick slip no faster than `slow`, and those that slide no slower, and not back? Then `last` are
    their directions now."""
    u = speeds_at(plant, state, y[: plant.nq], y[plant.nq :])
    for i in range(does.size):
        slip = u[3 * i + 1 : 3 * i + 3]
        speed = np.sqrt(slip[0] ** 2 + slip[1] ** 2)
        back = slip[0] * last[i, 0] + slip[1] * last[i, 1] < 0.0
        if (does[i] == STICKS and speed > slow[i]) or (does[i] == SLIDES and (speed < slow[i] or back)):
            return False
    for i in range(does.size):
        last[i, 0], last[i, 1] = direction(u[3 * i + 1 : 3 * i + 3], last[i])
    return True


@njit(cache=True, nogil=True, apart=True)
def press(plant, state, rates, does, last, force, y, a):
    """Change accelerations a at y = (q, v) by what points push (1): by what each `does`, about along the `last` slip;
    into `force`, which is also the first guess, their forces. What is left of the laws, relative."""
    points, nq, count = state.points, plant.nq, 3 * state.points.number
    bias = bias_at(plant, state, rates, y)
    u = speeds_at(plant, state, y[:nq], y[nq:])
    used = np.empty(count, np.bool_)
    for i in range(count):
        used[i] = does[i // 3] != APART
    m = answers(plant, state, y[:nq], used)
    G, b, mu, info = points.G[:count, :count].copy(), np.zeros(count), np.zeros(does.size), np.zeros(4, np.int64)
    along = np.zeros((does.size, 2))
    for i in range(count):
        if used[i]:
            b[i] = dot(points.J[i], a) + bias[i]
    for i in range(does.size):
        if does[i] == STICKS:
            mu[i] = points.friction[i]
        elif does[i] == SLIDES:
            along[i, 0], along[i, 1] = direction(u[3 * i + 1 : 3 * i + 3], last[i])
            slide_along(G, points.friction[i], i, along[i])
            b[3 * i + 1] = b[3 * i + 2] = force[3 * i + 1] = force[3 * i + 2] = 0.0
    left = signorini_coulomb(G, b, mu, np.zeros(mu.size), force, SOLVED, 0.0, 1e-6, info)
    for i in range(does.size):
        if does[i] == SLIDES:
            for c in range(2):
                force[3 * i + 1 + c] = -points.friction[i] * force[3 * i] * along[i, c]
    change = pushed(plant, state, m, force)
    for k in range(a.size):
        a[k] += change[k]
    return left


@njit(cache=True, nogil=True, apart=True)
def keep_rest(plant, state, rates, does, force, y):
    """Bring gaps of points that push back to 0, and then their speeds; of those that stick also their slips."""
    points, nq, count = state.points, plant.nq, 3 * state.points.number
    used, dq = np.empty(count, np.bool_), np.empty(nq)
    for turn in range(2):
        rows_moved(plant, state, y[:nq])
        for i in range(does.size):
            f_N, f_T = force[3 * i], np.sqrt(force[3 * i + 1] ** 2 + force[3 * i + 2] ** 2)
            used[3 * i] = does[i] != APART and f_N > 0.0
            sticks = used[3 * i] and does[i] == STICKS and f_T < (1.0 - CERTAIN) * points.friction[i] * f_N
            used[3 * i + 1] = used[3 * i + 2] = turn == 1 and sticks
        x = np.zeros(count)
        for i in range(count):
            if used[i]:
                x[i] = -points.gap[i // 3] if turn == 0 else -dot(points.J[i], y[nq:])
        m = answers(plant, state, y[:nq], used)
        S, own = points.G[:count, :count].copy(), np.empty(count)
        kept, order = np.empty(count, np.bool_), np.empty(count, np.int64)
        for i in range(count):
            own[i] = S[i, i]
        semidefinite_factor(S, count, kept, order, own, DEPENDENT)
        semidefinite_solve(S, count, kept, order, x)
        change = pushed(plant, state, m, x)
        if turn == 1:
            y[nq:] += change
        else:
            call(rates, y, change, change, plant.theta, dq)
            y[:nq] += dq
