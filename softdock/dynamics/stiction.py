"""True stiction in joints: friction that keeps a joint still as long as it can bear the load, and slides otherwise.

    |x| ≤ τ Δt,    x = −τ Δt sign(ξ) where ξ ≠ 0                                      (x the impulse on one joint)

It is solved with the contacts that rest (resting.py), each joint as one more point with a coefficient of friction of 1.
The joint's velocity is the point's first tangent; its normal moves nothing, and u_N = G (r_N − τ Δt) makes r_N = τ Δt.
Impulses come between two steps: Δt is half of each, or half of the next if the momentum has the last one's already. τ
is `hold` until the joint breaks away, and then `slide` until it comes to rest.
"""

from softdock.dynamics.guard import velocity_before
from softdock.kernels.jit import njit
from softdock.kernels.linear import dot

STILL = 1e-12
"""Speed, relative to what friction could change and to the speeds without it, up to which a joint is at rest."""
SPENT, ROUGH = 1.0 - 1e-6, 1e-7
"""Of what friction bears: a joint that bears less does not slide, by Coulomb's law, and a speed up to the second number
is the solver's, not its own."""
PUSHED_OUT = 10.0
"""Times the rounding of gaps: what is inside another body by rounding comes out with twice that, and moves joints."""


@njit(forceinline=True)
def bound_of(plant, points, j):
    """The force or torque that friction of joint j bears."""
    return plant.dry[j].slide if points.sliding[j] else plant.dry[j].hold


@njit(forceinline=True)
def within(x, bound):
    """x, but not beyond ±bound."""
    return max(-bound, min(bound, x))


@njit(cache=True, nogil=True)
def is_still(points, i, own, bound, push, speed):
    """Is the joint whose rows begin at i, of velocity `own`, at rest, but for rounding, as it moves with that speed
    under that impulse? (At its bound it may be moved by the rounding of gaps, while a contact could bear more.)"""
    size, lever = points.G[i, i] * bound, 0.0
    for k in range(3 * (points.number - points.dry)):
        lever = max(lever, abs(points.J[k, own]))
    for k in range(3 * points.number):
        if k % 3 > 0 or k < 3 * (points.number - points.dry):
            size = max(size, abs(points.b[k]))
    if lever * abs(speed) <= PUSHED_OUT * points.floor and lever > 0.0:
        return True
    return abs(speed) <= (STILL if abs(push) >= SPENT * bound else ROUGH) * size


@njit(cache=True, nogil=True)
def begin_dry(plant, points, h):
    """First impulses of the joints, which are the last points."""
    span, first = points.owed + 0.5 * h, points.number - points.dry
    for j in range(points.dry):
        i, bound = 3 * (first + j), span * bound_of(plant, points, j)
        points.allowed[first + j] = 0.0
        points.impulse[i] = bound
        points.impulse[i + 1] = within(span * points.torque[j], bound)
        points.impulse[i + 2] = 0.0


@njit(cache=True, nogil=True)
def hold_normals(points):
    """G of the joints' normals, which J leaves zero: as of their tangents without latches, for the scale alone."""
    for i in range(points.number - points.dry, points.number):
        points.G[3 * i, 3 * i] = dot(points.J[3 * i + 1], points.Y[3 * i + 1])


@njit(cache=True, nogil=True)
def break_away(plant, state):
    """Let the joints slide that have begun to move under `hold`: do some bear less when they slide?"""
    points, xi, momentum, weaker = state.points, state.xi, state.input.momentum, False
    first = points.number - points.dry
    for j in range(points.dry):
        i, v = 3 * (first + j), plant.dry[j].v
        if points.sliding[j] or is_still(points, i, v, points.impulse[i], points.impulse[i + 1], xi[v]):
            continue
        points.sliding[j] = True
        if plant.dry[j].slide < plant.dry[j].hold:
            weaker = True
            change = (plant.dry[j].slide / plant.dry[j].hold - 1.0) * points.impulse[i + 1]
            points.impulse[i] *= plant.dry[j].slide / plant.dry[j].hold
            points.impulse[i + 1] += change
            momentum[v] += change
    return weaker


@njit(cache=True, nogil=True)
def end_dry(plant, state, h):
    """Joints that stick do not move at all. Keeps the impulses as forces; returns the power that joints take (W)."""
    points, xi, power = state.points, state.xi, 0.0
    span, first = points.owed + 0.5 * h, points.number - points.dry
    for j in range(points.dry):
        i, v = 3 * (first + j), plant.dry[j].v
        points.sliding[j] = not is_still(points, i, v, points.impulse[i], points.impulse[i + 1], xi[v])
        if not points.sliding[j]:
            xi[v] = 0.0
        points.torque[j] = points.impulse[i + 1] / span
        power += 0.5 * points.impulse[i + 1] / h * (velocity_before(state, 0, v) + xi[v])
    points.owed = 0.5 * h if points.dry > 0 else 0.0
    return power


@njit(cache=True, nogil=True)
def begin_settling(plant, points):
    """First impulses `points.r` of the joints, and b of their normals, at an instant."""
    for j in range(points.dry):
        i = 3 * (points.number - points.dry + j)
        points.r[i] = points.owed * bound_of(plant, points, j)
        points.b[i] = -points.G[i, i] * points.r[i]
        points.r[i + 1] = within(points.owed * points.torque[j], points.r[i])
        points.r[i + 2] = 0.0


@njit(cache=True, nogil=True)
def end_settling(plant, points, v):
    """Joints that stick have no velocity."""
    for j in range(points.dry):
        i, own = 3 * (points.number - points.dry + j), plant.dry[j].v
        if points.owed > 0.0 and is_still(points, i, own, points.r[i], points.r[i + 1], v[own]):
            v[own] = 0.0


@njit(cache=True, nogil=True)
def work_settling(plant, state, v):
    """What the impulses `points.r` of the joints have taken (J), with the mean of the last step's velocity and v."""
    points, last, work = state.points, state.step.velocities.differences, 0.0
    for j in range(points.dry):
        i, own = 3 * (points.number - points.dry + j), plant.dry[j].v
        work += 0.5 * points.r[i + 1] * (last[0, own, 0] + v[own])
    return work


@njit(forceinline=True)
def rests(plant, state):
    """Does a contact rest, or may a joint stick?"""
    return plant.dry.size > 0 or lies(state)


@njit(forceinline=True)
def lies(state):
    """Does a contact rest?"""
    found, proximity = False, state.proximity
    for i in range(proximity.seen.number):
        found = found or state.held.resting[proximity.near[i]]
    return found
