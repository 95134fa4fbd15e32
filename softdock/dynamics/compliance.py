"""Compliant contact in the step: forces of patches at the middle of the step, solved with it.

A contact's force enters the residual as a command does. Its slope κ = (h/2)(h/2 ∂f/∂ρ + ∂f/∂ρ̇) along a row A
adds Aᵀκ A to the step matrix W. That is handled as the latches' rows are: with rows √κ A for A,
(A W⁻¹ Aᵀ + 1) y = −A d.
"""

from functools import partial

import numpy as np

from softdock.contact.hit import GAP
from softdock.contact.laws import drag, push
from softdock.contact.patches import patch
from softdock.contact.pressed import pressed
from softdock.contact.shapes import LINK, WIDTH
from softdock.dynamics.gaps import add_motion, place, placed_pair
from softdock.kernels import CompiledLoop, call, enter
from softdock.kernels.jit import njit
from softdock.kernels.linear import dot

THROUGH = 0.9
"""Of the mean width of two shapes where they are thinnest: how deep they may be in each other. Depths along n and −n
add up to both widths along n, so that the nearer way out is the other side only beyond the mean."""


@partial(CompiledLoop, makes_arrays=True)
def find_patch(plant, state):
    """The patch of the contact `touch.which`: all its points and, if it is compliant, the share of each; one more than
    their number."""
    touch = state.compliance
    shapes, a, b, A, B, R_A, R_B = placed_pair(plant, state, touch.which)
    if plant.contacts.soft[touch.which]:
        return pressed(shapes, a, b, A, B, R_A, R_B, touch.normal, touch.points, touch.shares) + 1
    return patch(shapes, a, b, A, B, R_A, R_B, np.inf, touch.normal, touch.points) + 1


@njit(forceinline=True)
def patch_of(plant, state, k):
    """`find_patch` of contact k, where `place` has put the shapes; the number of its corners."""
    state.compliance.which = k
    return enter(state.loops.find_patch, plant, state) - 1


@njit(cache=True, nogil=True)
def fill_row(plant, state, k, x, direction, row):
    """The speed of contact k's body A against its body B at the point x along a direction, by velocities."""
    table, pairs = plant.contacts.shapes.table, plant.contacts.pairs
    for i in range(row.size):
        row[i] = 0.0
    add_motion(plant.contacts.chain, state.proximity.poses, table[pairs[k, 0], LINK], x, direction, 1.0, row)
    add_motion(plant.contacts.chain, state.proximity.poses, table[pairs[k, 1], LINK], x, direction, -1.0, row)


@njit(cache=True, nogil=True)
def add_wrench(wrench, x, f, direction):
    """Add a force f along a direction at x, and its moment about the origin."""
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        wrench[i] += f * direction[i]
        wrench[3 + i] += f * (x[j] * direction[k] - x[k] * direction[j])


@njit(forceinline=True)
def weigh(row, kappa):
    """row × √κ."""
    root = np.sqrt(kappa)
    for i in range(row.size):
        row[i] *= root


@njit(forceinline=True)
def turn_rows(A, m, u, w):
    """Rows m and m + 1 turned to run along and across the velocity (u, w) that they give."""
    speed = np.sqrt(u * u + w * w)
    for i in range(A.shape[1]):
        x, y = A[m, i], A[m + 1, i]
        A[m, i], A[m + 1, i] = (u * x + w * y) / speed, (u * y - w * x) / speed


@njit(cache=True, nogil=True)
def rub(plant, state, k, x, normal_force, h, m, sharp):
    """Friction at a point of contact k: two tangential rows from row m on; how many rows there are then."""
    touch, law, A = state.compliance, plant.contacts.laws[k], state.held.A
    t, n0, n1, n2 = touch.tangent, touch.normal[0], touch.normal[1], touch.normal[2]
    mu, slip = law.friction, law.slip
    size = np.sqrt(n0 * n0 + n1 * n1) if abs(n2) < 0.9 else np.sqrt(n1 * n1 + n2 * n2)
    if abs(n2) < 0.9:
        t[0], t[1], t[2] = -n1 / size, n0 / size, 0.0
    else:
        t[0], t[1], t[2] = 0.0, -n2 / size, n1 / size
    fill_row(plant, state, k, x, t, A[m])
    u = dot(A[m], state.xi)
    first = (t[0], t[1], t[2])
    t[0], t[1], t[2] = n1 * t[2] - n2 * t[1], n2 * t[0] - n0 * t[2], n0 * t[1] - n1 * t[0]
    fill_row(plant, state, k, x, t, A[m + 1])
    w = dot(A[m + 1], state.xi)
    by_speed = drag(mu, slip, normal_force, u * u + w * w)
    add_wrench(touch.wrench[k], x, -by_speed * u, first)
    add_wrench(touch.wrench[k], x, -by_speed * w, t)
    touch.power[k] -= by_speed * (u * u + w * w)
    for i in range(state.xi.size):
        touch.force[i] -= by_speed * (u * A[m, i] + w * A[m + 1, i])
    part = 1.0
    if sharp and (u != 0.0 or w != 0.0):
        turn_rows(A, m, u, w)
        part = slip * slip / (u * u + w * w + slip * slip)
    weigh(A[m], 0.5 * h * by_speed * part)
    weigh(A[m + 1], 0.5 * h * by_speed)
    for row in range(m, m + 2):
        state.held.c[row] = touch.damped[row] = 0.0
        touch.owner[row] = k
    return m + 2


STRONGER = 1.5
"""Largest part of the law's force with which a contact opens."""


@njit(cache=True, nogil=True)
def potential_of(plant, state, k, v, row):
    """The potential of compliant contact k (J) where `place` has put the shapes, and its rate (W) at the velocity v."""
    touch, law = state.compliance, plant.contacts.laws[k]
    n, count = law.exponent, patch_of(plant, state, k)
    potential, rate = 0.0, 0.0
    for point in range(count):
        rho = -touch.points[point, GAP]
        if rho > 0.0:
            fill_row(plant, state, k, touch.points[point], touch.normal, row)
            elastic = law.stiffness * touch.shares[point] * rho**n
            potential += elastic * rho / (n + 1.0)
            rate -= elastic * dot(row, v)
    return potential, rate


@njit(cache=True, nogil=True)
def part_of(touch, k, potential, rate):
    """What part of the law's force contact k has at that potential and rate (σ of eq. 4)."""
    if rate >= 0.0 or potential >= touch.traded[k, 3] or potential <= 0.0:
        return 1.0
    held, opened = touch.stored[k] / potential, 2.0 * (1.0 - potential / touch.traded[k, 3])
    part = opened / min(1.0, held) if opened < min(1.0, held) else 1.0
    return min(STRONGER, 1.0 + part * (held - 1.0))


@njit(cache=True, nogil=True)
def ease(plant, state, row):
    """What part of the law's force each compliant contact has in this step: all while it closes; while it opens, less
    if it holds less energy than the law's potential, more if it holds more.

    Normal forces on a patch whose shape changes have no potential, so a contact could give back more or less than it
    took. What it took is kept, and given back in proportion to the potential: at its end nothing is owed. That sets in
    as the potential falls to half of what it was when the contact began to open (sooner if little is held), or the
    force would jump there, and what rests would never come to rest.
    """
    contacts, touch = plant.contacts, state.compliance
    place(plant, state, state.q)
    for i in range(state.proximity.seen.number):
        k = state.proximity.near[i]
        touch.eased[k] = 1.0
        if not contacts.soft[k] or state.proximity.apart[k]:
            continue
        potential, rate = potential_of(plant, state, k, state.xi, row)
        if potential <= 0.0:
            touch.stored[k] = touch.traded[k, 0] = touch.traded[k, 1] = 0.0
        elif touch.stored[k] < 0.0:  # the motion begins in touch
            touch.stored[k] = touch.traded[k, 1] = potential
            touch.traded[k, 0] = -potential
        touch.eased[k] = part_of(touch, k, potential, rate)
        if rate >= 0.0 or potential >= touch.traded[k, 3]:
            touch.traded[k, 3] = potential


@njit(cache=True, nogil=True)
def tell_eased(plant, state, v, request, row):
    """Append to what a request tells, in place of what it told of that row and later ones: of the contacts that do not
    have all of their law's force at the present state, with the velocity v, what part they have. It is the mean of the
    last step's and the next one's, so that rows summed by trapezoids give the steps' impulse."""
    touch, done, told = state.compliance, request.done, request.eased
    while done.eased > 0 and told[done.eased - 1].row >= row:
        done.eased -= 1
    if not touch.touching:
        return
    place(plant, state, state.q)
    for i in range(state.proximity.seen.number):
        k = state.proximity.near[i]
        if not plant.contacts.soft[k] or state.proximity.apart[k] or touch.stored[k] < 0.0:
            continue
        potential, rate = potential_of(plant, state, k, v, touch.force)
        part = 0.5 * (touch.eased[k] + part_of(touch, k, potential, rate))
        if potential > 0.0 and part != 1.0 and done.eased < told.size:
            told[done.eased].row, told[done.eased].contact, told[done.eased].part = row, k, part
            done.eased += 1


@njit(cache=True, nogil=True)
def soft_rows(plant, state, middle, h, m, sharp):
    """`spring_rows` of latches and `contact_rows`, from row m on; with what that returns."""
    touch = state.compliance
    for i in range(touch.force.size):
        touch.force[i] = 0.0
    for i in range(state.proximity.seen.number):
        k = state.proximity.near[i]
        touch.filling[k] = touch.power[k] = 0.0
        for c in range(6):
            touch.wrench[k, c] = 0.0
    touch.contact.load, touch.contact.depth = 0.0, 0.0
    if state.held.sprung:
        m = spring_rows(plant, state, middle, h, m)
    return contact_rows(plant, state, middle, h, m, sharp) if touch.touching else (m, -1)


@njit(cache=True, nogil=True)
def spring_rows(plant, state, middle, h, m):
    """As `contact_rows`, of engaged latches that give way: f = −(k c + d ċ) along every row of c."""
    held, touch, latches = state.held, state.compliance, state.input.latches
    call(plant.kernels.latches, middle, middle, latches.held.vector, plant.theta, latches.start.vector)
    for row in range(held.springs.size):
        if not held.springs[row]:
            continue
        A, k, d = held.A[m], plant.rows[row].stiffness, plant.rows[row].damping
        for i in range(A.size):
            A[i] = latches.start.A[row, i]
        f = -(k * latches.start.c[row] + d * dot(A, state.xi))
        held.load[row] = f
        touch.contact.load += abs(f * latches.start.c[row])
        for i in range(A.size):
            touch.force[i] += f * A[i]
        kappa = 0.5 * h * (0.5 * h * k + d)
        weigh(A, kappa)
        held.c[m] = 0.25 * h * h * k / kappa
        touch.damped[m] = 1.0 - held.c[m]
        touch.owner[m] = plant.contacts.laws.size + plant.rows[row].latch
        m += 1
    return m


@njit(cache=True, nogil=True)
def contact_rows(plant, state, middle, h, m, sharp):
    """The force of all compliant contacts at the middle of the step, and a row √κ A for each from row m on,
    with the elastic part of κ in c and the viscous one in `damped`; how many rows there are then, −1 if they are more
    than there is room for. And a contact that is too deep at an end of the step (`THROUGH`), or −1."""
    contacts, held, touch, contact = plant.contacts, state.held, state.compliance, state.compliance.contact
    place(plant, state, middle)
    too_deep = -1
    for i in range(state.proximity.seen.number):
        k = state.proximity.near[i]
        if not contacts.soft[k] or state.proximity.apart[k]:
            continue
        law, sizes = contacts.laws[k], contacts.shapes.sizes
        most = THROUGH * 0.5 * (sizes[contacts.pairs[k, 0], WIDTH] + sizes[contacts.pairs[k, 1], WIDTH])
        for point in range(patch_of(plant, state, k)):
            rho, x = -touch.points[point, GAP], touch.points[point]
            if (rho <= 0.0 and law.viscosity == 0.0) or touch.shares[point] <= 0.0:
                continue
            if m + 3 > held.A.shape[0]:
                return -1, too_deep
            fill_row(plant, state, k, x, touch.normal, held.A[m])
            stiffness = law.stiffness * touch.shares[point] * touch.eased[k]
            rate = -dot(held.A[m], state.xi)
            too_deep = k if rho > 0.0 and rho + 0.5 * h * abs(rate) > most else too_deep
            touch.filling[k] += stiffness * max(rho, 0.0) ** law.exponent * rate
            viscosity = law.viscosity * touch.shares[point]
            f, by_rho, by_rate = push(stiffness, law.exponent, law.damping, viscosity, rho, rate, h)
            if f <= 0.0:
                continue
            touch.power[k] -= f * rate
            contact.load += f * max(rho, 0.0)
            if rho > contact.depth:
                contact.depth, contact.rate, contact.exponent = rho, rate, law.exponent
            for c in range(touch.force.size):
                touch.force[c] += f * held.A[m, c]
            add_wrench(touch.wrench[k], x, f, touch.normal)
            kappa = 0.5 * h * (0.5 * h * by_rho + by_rate)
            weigh(held.A[m], kappa)
            held.c[m] = 0.25 * h * h * by_rho / kappa
            touch.damped[m] = 0.5 * h * viscosity / kappa if rho + 0.5 * h * rate > 0.0 else 0.0
            touch.owner[m] = k
            m += 1
            if law.friction > 0.0:
                m = rub(plant, state, k, x, f, h, m, sharp)
    return m, too_deep
