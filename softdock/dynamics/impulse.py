"""Impulses of impacts at one instant, and what rests afterwards.

The impulse is λ = −(1 + e) (∇φ·v)/(∇φ M⁻¹ ∇φᵀ): energy changes by −(1 − e²)(∇φ·v)²/(2 ∇φ M⁻¹ ∇φᵀ), exactly.
Impacts at one instant are resolved one after the other until no touching contact is closing.
"""

from softdock.contact.hit import NORMAL, ON_A
from softdock.dynamics.gaps import gradient
from softdock.dynamics.latch import align, prepare
from softdock.dynamics.linear import some
from softdock.kernels.jit import njit

TOUCH = 1e-12
"""Gap (m or rad) that counts as closed; as far as this a body may be inside another."""
CLOSING = 1e-12
"""Speed of approach (m/s or rad/s) that counts as an impact."""
ZENO = 8
"""Impacts of one contact within one step after which it is taken to rest, if it loses energy."""


@njit(cache=True, nogil=True)
def strike(plant, state, m, k, v, row, push, answer, plastic, event):
    """The impulse of contact k on p and v; writes the event. The m rows of engaged latches answer with their own."""
    n, hit = plant.nv, state.proximity.hits[k]
    for i in range(n):
        push[i] = row[i]
    align(plant, state, m, push, answer)
    speed, compliance = 0.0, 0.0
    for i in range(n):
        speed += row[i] * v[i]
        compliance += row[i] * answer[i]
    e = 0.0 if plastic else plant.contacts.laws[k].restitution
    impulse = -(1.0 + e) * speed / compliance
    for i in range(n):
        state.input.momentum[i] += impulse * push[i]
        v[i] += impulse * answer[i]
    change = impulse * (speed + 0.5 * impulse * compliance)
    state.account.lost_impacts -= change
    event.time, event.contact = state.clock.time, k
    for i in range(3):
        event.point[i], event.normal[i] = hit[ON_A + i], hit[NORMAL + i]
    event.impulse, event.speed_before, event.speed_after, event.energy_change = impulse, speed, -e * speed, change


@njit(cache=True, nogil=True)
def resolve(plant, state, struck, events, count, v):
    """All impacts at the present instant, the fastest closing contact first; the velocity after them in v.
    Returns the events so far."""
    n, retry, proximity, held = plant.nv, state.retry, state.proximity, state.held
    row, best, rested = retry.row, retry.best, retry.rested
    m = prepare(plant, state)
    align(plant, state, m, state.input.momentum, v)
    for k in range(rested.size):
        rested[k] = held.resting[k]
        held.resting[k] = False
    if some(rested):  # each for itself, like any other contact
        m = prepare(plant, state)
    while count < events.shape[0]:
        pick, fastest = -1, -CLOSING
        for k in range(proximity.phi.size):
            if proximity.phi[k] <= TOUCH or rested[k]:
                gradient(plant.contacts, proximity.poses, k, proximity.hits[k], row)
                speed = 0.0
                for i in range(n):
                    speed += row[i] * v[i]
                if speed < fastest:
                    pick, fastest = k, speed
                    for i in range(n):
                        best[i] = row[i]
        if pick < 0:
            break
        struck[pick] += 1
        plastic = struck[pick] > ZENO and plant.contacts.laws[pick].restitution < 1.0
        strike(plant, state, m, pick, v, best, retry.push, retry.answer, plastic, events[count])
        count += 1
    for k in range(rested.size):
        held.resting[k] = rested[k]
    return count


@njit(cache=True, nogil=True)
def closing(plant, proximity, spared, v, row):
    """Is a closed gap among the suspects closing further?"""
    for k in range(proximity.phi.size):
        if not spared[k] and proximity.phi[k] <= TOUCH:
            gradient(plant.contacts, proximity.poses, k, proximity.hits[k], row)
            speed = 0.0
            for i in range(v.size):
                speed += row[i] * v[i]
            if speed < -CLOSING:
                return True
    return False


@njit(forceinline=True)
def come_to_rest(phi, resting, ahead):
    """Let the contacts rest that are closed and would be violated `ahead`; how many."""
    added = 0
    for k in range(phi.size):
        if not resting[k] and phi[k] <= TOUCH and ahead[k] < -TOUCH:
            resting[k] = True
            added += 1
    return added


@njit(forceinline=True)
def lift_off(plant, state):
    """Release the resting contacts that would have to pull (after a constrained step); how many."""
    held, m, released = state.held, 0, 0
    for k in range(held.engaged.size):
        if held.engaged[k]:
            m += plant.latch_rows[k + 1] - plant.latch_rows[k]
    for k in range(held.resting.size):
        if held.resting[k]:
            if held.multipliers[m] < 0.0:
                held.resting[k] = False
                state.clock.factor_h = 0.0
                released += 1
            m += 1
    return released
