"""Compliant contacts in the reference integrator: their force at an instant, and what each remembers.

How hard a contact opens depends on the energy that it took (eq. 4 of docs/theory/contact.md). That is part of the law,
not of the step: it does not vanish with h. So y has, behind (q, v), the energy that every contact holds, whose rate is
the power of its elastic force, and its potential where it began to open, which changes between steps only.
"""

from softdock.dynamics.compliance import contact_rows, ease
from softdock.kernels import CompiledLoop, enter
from softdock.kernels.jit import njit

OPENED = 3
"""Of what contacts `traded`: the potential where they began to open (J)."""
INSTANT = 1e-12
"""A step (s) so short that contacts push as they do at an instant."""
SHORTEST, NEAR = 1e-12, 1e-6
"""Length of a step (s), and the part of it that is left, up to which the instant at which a contact begins to open is
not sought any more."""


@CompiledLoop
def contact_force(plant, state):
    """The generalised force of compliant contacts at `state.q` and `state.xi`, into `compliance.force`, of each the
    power that it takes up, and what it remembers from now on; 1, or 2 if they touch at too many points."""
    touch, proximity = state.compliance, state.proximity
    proximity.seen.number = 0
    for k in range(plant.contacts.pairs.shape[0]):
        if plant.contacts.soft[k]:
            proximity.near[proximity.seen.number], proximity.apart[k] = k, False
            proximity.seen.number += 1
            touch.filling[k] = 0.0
    ease(plant, state, touch.force)
    for i in range(touch.force.size):
        touch.force[i] = 0.0
    touch.contact.load, touch.contact.depth = 0.0, 0.0
    return 1 if contact_rows(plant, state, state.q, INSTANT, 0, False)[0] >= 0 else 2


@njit(cache=True, nogil=True)
def push_soft(plant, state, kernel, y, acting, dy):
    """Add the force of compliant contacts to `acting`, and tell at what rate they take up energy."""
    touch, m, contacts = state.compliance, plant.nq + plant.nv, state.compliance.stored.size
    state.q[:] = y[: plant.nq]
    state.xi[:] = y[plant.nq : m]
    for k in range(contacts):
        touch.stored[k], touch.traded[k, OPENED] = max(0.0, y[m + k]), y[m + contacts + k]
    enter(kernel, plant, state)
    for i in range(plant.nv):
        acting[i] += touch.force[i]
    for k in range(contacts):
        dy[m + k], dy[m + contacts + k] = touch.filling[k], 0.0


@njit(cache=True, nogil=True)
def recall(plant, state, kernel, y):
    """What contacts remember at the state y: of those that do not know yet, the law's."""
    touch, m, contacts = state.compliance, plant.nq + plant.nv, state.compliance.stored.size
    state.q[:] = y[: plant.nq]
    state.xi[:] = y[plant.nq : m]
    for k in range(contacts):
        touch.stored[k], touch.traded[k, OPENED] = y[m + k], y[m + contacts + k]
    enter(kernel, plant, state)
    remember(plant, state, y)


@njit(cache=True, nogil=True)
def remember(plant, state, y):
    """Into y, what contacts remember from the state on at which their force was evaluated last."""
    touch, m, contacts = state.compliance, plant.nq + plant.nv, state.compliance.stored.size
    for k in range(contacts):
        y[m + k], y[m + contacts + k] = touch.stored[k], touch.traded[k, OPENED]


@njit(cache=True, nogil=True)
def before_opening(plant, K, step):
    """Part of a step with those rates at which the first contact begins to open, nearly; 1 if none does, or at its
    end."""
    m, part = plant.nq + plant.nv, 1.0
    for k in range(m, m + (K.shape[1] - m) // 2):
        before, after = K[0, k], K[-1, k]
        if before > 0.0 and after < 0.0:
            part = min(part, before / (before - after))
    return part if part * step > SHORTEST and part < 1.0 - NEAR else 1.0
