"""Impulses of impacts at one instant, and what rests afterwards.

The law (contact/impact_law.py) works in coordinates w in which kinetic energy is |w|²/2: with momenta q orthonormal by
M⁻¹, of which the first span the rows of engaged latches, J = B q. What the latches span is left out of B, so that they
answer with impulses of their own.
"""

from functools import partial

import numpy as np

from softdock.contact.impact_law import impact, speeds
from softdock.contact.shapes import LINK
from softdock.dynamics.guard import begin_pushes, check_cones, check_pushes
from softdock.dynamics.latch_system import DEPENDENT
from softdock.dynamics.manifold import points_at
from softdock.dynamics.resting import SPANNED, settle_now
from softdock.dynamics.status import CONTACTS_FULL, DONE, ENERGY_MADE, OFF_BALANCE
from softdock.kernels import CompiledLoop, call, enter
from softdock.kernels.jit import njit
from softdock.kernels.linear import dot

TOUCH = 1e-12
"""Gap (m or rad) that counts as closed; as far as this a body may be inside another."""
CLOSING = 1e-12
"""Speed of approach (m/s or rad/s) that counts as an impact."""
MADE = 1e-9
"""Energy that an impact may make, relative to what there is: rounding."""
ZENO = 8
"""Impacts of two bodies within one step after which they are taken to rest, if they lose energy; after twice as many,
as when a box rattles on its corners, all points of a patch that is struck are held for the rest of the step."""


@njit(cache=True, nogil=True)
def expand(plant, state, row, Q, Y, known, coefficients):
    """A row as a sum of momenta that are orthonormal by M⁻¹ (rows of Q; Y = M⁻¹Q): its coefficients; what is left of it
    becomes one more, if it does not depend on those known. How many there are then. (Gram-Schmidt, twice.)"""
    new, answer = Q[known], Y[known]
    for k in range(row.size):
        new[k] = row[k]
    length = 0.0
    for _ in range(2):
        for j in range(known):
            part = dot(Y[j], new)
            coefficients[j] += part
            for k in range(row.size):
                new[k] -= part * Q[j, k]
    for j in range(known):
        length += coefficients[j] ** 2
    call(plant.kernels.solve, new, new, state.projection.factor, plant.theta, answer)
    left = max(0.0, dot(new, answer))
    if left <= DEPENDENT**2 * (left + length):
        return known
    coefficients[known] = np.sqrt(left)
    for k in range(row.size):
        new[k] /= coefficients[known]
        answer[k] /= coefficients[known]
    return known + 1


@partial(CompiledLoop, makes_arrays=True)
def strike(plant, state):
    """The impacts of all points gathered: their impulses into `points.r`, and into the momentum with those of the
    latches, whose rows and factor of M are `prepare`d; speeds before and after; what a unit impulse of a row
    alone would change of its speed in `points.b`."""
    points, m, n, momentum = state.points, state.projection.rows, plant.nv, state.input.momentum
    count = 3 * points.number
    most = min(n, m + count) + 1
    Q, Y, R, known = np.zeros((most, n)), np.zeros((most, n)), np.zeros((count, most)), 0
    for i in range(m):
        known = expand(plant, state, state.held.A[i], Q, Y, known, np.zeros(most))
    latched = known
    for i in range(count):
        if i % 3 == 0 or points.friction[i // 3] > 0.0:
            known = expand(plant, state, points.J[i], Q, Y, known, R[i])
    B, w = np.empty((known - latched, count)), np.empty(known - latched)
    for j in range(w.size):
        w[j] = dot(Y[latched + j], momentum)
        for i in range(count):
            B[j, i] = R[i, latched + j]
    for i in range(count):
        points.b[i], held = 0.0, 0.0
        for j in range(w.size):
            points.b[i] += B[j, i] ** 2
        for j in range(latched):
            held += R[i, j] ** 2
        if points.b[i - i % 3] == 0.0 or points.b[i] <= SPANNED * held:  # latches let nothing move along it
            points.b[i] = 0.0
            for j in range(w.size):
                B[j, i] = 0.0
    r, stats = points.r[:count], np.zeros(5)
    speeds(B, w, points.speed[0])
    impact(B, w, points.restitution[: points.number], points.friction[: points.number], r, stats)
    speeds(B, w, points.speed[1])
    for i in range(count):
        r[i] = r[i] if points.b[i] > 0.0 else 0.0
        if r[i] != 0.0:
            for k in range(n):
                momentum[k] += r[i] * points.J[i, k]
            for j in range(latched):
                for k in range(n):
                    momentum[k] -= r[i] * R[i, j] * Q[j, k]
    return 1


@njit(cache=True, nogil=True)
def resolve(plant, state, struck, events, count, v, ledger):
    """All impacts at the present instant; the velocity after them in v. Returns status and events so far."""
    points, phi, held = state.points, state.proximity.phi, state.held
    settle_now(plant, state, v, ledger)
    twice = dot(state.input.momentum, v)
    points.wide = False
    for i in range(state.proximity.seen.number):
        k = state.proximity.near[i]
        points.wanted[k] = phi[k] <= TOUCH or held.resting[k]
    points.wanted[phi.size] = False  # at an instant the friction of joints does nothing
    if not points_at(plant, state, state.q):
        return CONTACTS_FULL, count
    for i in range(points.number):
        k = points.contact[i]
        e = plant.contacts.laws[k].restitution
        points.restitution[i] = 0.0 if struck[k] >= ZENO and e < 1.0 else e
    begin_pushes(state)
    enter(state.loops.strike, plant, state)
    if check_cones(state, points.r) != DONE or (plant.roots.size > 0 and check_pushes(plant, state, 0.0) != DONE):
        return OFF_BALANCE, count
    call(plant.kernels.solve, state.q, state.input.momentum, state.projection.factor, plant.theta, v)
    if dot(state.input.momentum, v) > (1.0 + MADE) * twice:
        return ENERGY_MADE, count
    i, before = 0, count
    while i < points.number:
        k, j = points.contact[i], i
        while j < points.number and points.contact[j] == k:
            j += 1
        if write_event(state, k, i, j, events[count]):
            count += 1
        i = j
    for i in range(state.proximity.seen.number):
        k = state.proximity.near[i]
        for j in range(before, count):
            if same_bodies(plant.contacts, k, events[j].contact):
                struck[k] += 1
                break
    for j in range(before, count):
        k = events[j].contact
        if struck[k] > 2 * ZENO and plant.contacts.laws[k].restitution < 1.0:
            points.margin[k], held.resting[k] = np.inf, True
    return DONE, count


@njit(cache=True, nogil=True)
def same_bodies(contacts, i, j):
    """Are contacts i and j between the same two bodies? (A ball that settles in a funnel of 30 staves would else rattle
    on each of them for itself.)"""
    pairs, table = contacts.pairs, contacts.shapes.table
    if max(i, j) >= pairs.shape[0]:
        return i == j
    a, b = table[pairs[i, 0], LINK], table[pairs[i, 1], LINK]
    c, d = table[pairs[j, 0], LINK], table[pairs[j, 1], LINK]
    return (a == c and b == d) or (a == d and b == c)


@njit(cache=True, nogil=True)
def write_event(state, k, first, last, event):
    """The impact of contact k, whose points are from `first` to before `last`; False if there was none, or none but
    rounding. Its place is where the sum of its normal impulses acts; its speeds are of the point with the largest."""
    points, r, account = state.points, state.points.r, state.account
    impulse, change, most, felt = 0.0, 0.0, first, 0.0
    for i in range(first, last):
        impulse += r[3 * i]
        felt = max(felt, r[3 * i] * points.b[3 * i])
        if r[3 * i] > r[3 * most]:
            most = i
        for c in range(3 * i, 3 * i + 3):
            change += 0.5 * r[c] * (points.speed[0, c] + points.speed[1, c])
    account.lost_impacts -= change
    if felt <= CLOSING:
        return False
    event.time, event.contact, event.impulse, event.energy_change = state.clock.time, k, impulse, change
    event.speed_before, event.speed_after = points.speed[0, 3 * most], points.speed[1, 3 * most]
    for c in range(3):
        event.normal[c], event.point[c] = points.normal[most, c], 0.0
        for i in range(first, last):
            event.point[c] += points.x[i, c] * r[3 * i] / impulse
    return True


@njit(cache=True, nogil=True)
def stays_closed(plant, state, spared, v, span):
    """Is a closed gap among the suspects closing further, or none opening by more than a touch in `span`? (Velocities
    that an impact has just taken to zero: what is violated later then is violated from the start.)"""
    points, phi = state.points, state.proximity.phi
    points.wide = False
    for i in range(state.proximity.seen.number):
        k = state.proximity.near[i]
        points.wanted[k] = not spared[k] and phi[k] <= TOUCH
    points.wanted[phi.size] = False
    if not points_at(plant, state, state.q):
        return True
    least, most = 0.0, 0.0
    for i in range(points.number):
        speed = dot(points.J[3 * i], v)
        least, most = min(least, speed), max(most, speed)
    return least < -CLOSING or (points.number > 0 and most * span <= TOUCH)


@njit(forceinline=True)
def strikes(proximity, struck, spared):
    """How often suspects were struck so far."""
    total = 0
    for i in range(proximity.seen.number):
        k = proximity.near[i]
        total += 0 if spared[k] else struck[k]
    return total


@njit(forceinline=True)
def rattles(proximity, struck, resting):
    """Is one that rests struck without end?"""
    found = False
    for i in range(proximity.seen.number):
        k = proximity.near[i]
        found = found or (resting[k] and struck[k] > 4 * ZENO)
    return found


@njit(forceinline=True)
def come_to_rest(proximity, resting, ahead):
    """Let the contacts rest that are closed and would be violated `ahead`; how many."""
    added = 0
    for i in range(proximity.seen.number):
        k = proximity.near[i]
        if not resting[k] and proximity.phi[k] <= TOUCH and ahead[k] < -TOUCH:
            resting[k] = True
            added += 1
    return added
