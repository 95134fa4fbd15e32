"""Compliant contact in the step: forces of patches at the middle of the step, solved with it.

A contact's force enters the residual as a command does. Its slope κ = (h/2)(h/2 ∂f/∂ρ + ∂f/∂ρ̇) along a row A
adds Aᵀκ A to the step matrix W. That is handled as the latches' rows are: with rows √κ A for A,
(A W⁻¹ Aᵀ + 1) y = −A d.
"""

from functools import partial

import numpy as np
from numba import njit

from softdock.contact.laws import drag, push
from softdock.contact.patches import patch
from softdock.contact.shapes import LINK, POINT
from softdock.dynamics.gaps import DAMPING, EXPONENT, FRICTION, SLIP, STIFFNESS, add_motion, place_points
from softdock.dynamics.plant import ACCOUNTS, FIND_PATCH, POSES
from softdock.kernels import Entry, call, enter

LOAD, DEEPEST, RATE, POWER = range(4)
"""Of all contacts: Σ force × depth (J); of the deepest point: depth, its rate, the law's exponent."""


@njit(cache=True, nogil=True)
def share_out(points, count, shares):  # type: ignore[no-untyped-def]
    """What part of a patch's area each of its corners stands for."""
    centre = (0.0, 0.0, 0.0)
    for k in range(count):
        centre = (
            centre[0] + points[k, 0] / count,
            centre[1] + points[k, 1] / count,
            centre[2] + points[k, 2] / count,
        )
        shares[k] = 0.0
    total = 0.0
    for k in range(count if count > 2 else 0):
        after = (k + 1) % count
        x0, x1, x2 = points[k, 0] - centre[0], points[k, 1] - centre[1], points[k, 2] - centre[2]
        y0, y1, y2 = points[after, 0] - centre[0], points[after, 1] - centre[1], points[after, 2] - centre[2]
        area = np.sqrt((x1 * y2 - x2 * y1) ** 2 + (x2 * y0 - x0 * y2) ** 2 + (x0 * y1 - x1 * y0) ** 2)
        shares[k] += 0.5 * area
        shares[after] += 0.5 * area
        total += area
    for k in range(count):
        shares[k] = shares[k] / total if total > 0.0 else 1.0 / count


@partial(Entry, makes_arrays=True)
def find_patch(plant, work):  # type: ignore[no-untyped-def]
    """The patch of the gap `touch.which`, with all its corners, and the share of each; one more than their number."""
    shapes, pairs, touch, corners = plant.gaps.shapes, plant.gaps.pairs, work.touch, work.corners
    a, b = pairs[touch.which[0], 0], pairs[touch.which[0], 1]
    A = corners[shapes.table[a, POINT] : shapes.table[a + 1, POINT]]
    B = corners[shapes.table[b, POINT] : shapes.table[b + 1, POINT]]
    count = patch(shapes, a, b, A, B, work.turns[a], work.turns[b], np.inf, touch.normal, touch.points)
    share_out(touch.points, count, touch.shares)
    return count + 1


@njit(forceinline=True)
def patch_of(plant, work, k):  # type: ignore[no-untyped-def]
    """`find_patch` of gap k, where `place_points` has put the shapes; the number of its corners."""
    work.touch.which[0] = k
    return enter(work.loops[FIND_PATCH], plant, work) - 1


@njit(cache=True, nogil=True)
def fill_row(plant, work, k, x, direction, row):  # type: ignore[no-untyped-def]
    """The speed of gap k's body A against its body B at the point x along a direction, by velocities."""
    table, pairs = plant.gaps.shapes.table, plant.gaps.pairs
    for i in range(row.size):
        row[i] = 0.0
    add_motion(plant.gaps.chain, work.poses, table[pairs[k, 0], LINK], x, direction, 1.0, row)
    add_motion(plant.gaps.chain, work.poses, table[pairs[k, 1], LINK], x, direction, -1.0, row)


@njit(forceinline=True)
def along(row, xi):  # type: ignore[no-untyped-def]
    """row · ξ."""
    speed = 0.0
    for i in range(xi.size):
        speed += row[i] * xi[i]
    return speed


@njit(forceinline=True)
def weigh(row, kappa):  # type: ignore[no-untyped-def]
    """row × √κ."""
    root = np.sqrt(kappa)
    for i in range(row.size):
        row[i] *= root


@njit(forceinline=True)
def turn_rows(A, m, u, w):  # type: ignore[no-untyped-def]
    """Rows m and m + 1 turned to run along and across the velocity (u, w) that they give."""
    speed = np.sqrt(u * u + w * w)
    for i in range(A.shape[1]):
        x, y = A[m, i], A[m + 1, i]
        A[m, i], A[m + 1, i] = (u * x + w * y) / speed, (u * y - w * x) / speed


@njit(cache=True, nogil=True)
def rub(plant, work, k, x, normal_force, h, m, sharp):  # type: ignore[no-untyped-def]
    """Friction at a point of gap k: two tangential rows from row m on; how many rows there are then."""
    n0, n1, n2 = work.touch.normal[0], work.touch.normal[1], work.touch.normal[2]
    mu, slip = plant.gaps.numbers[k, FRICTION], plant.gaps.numbers[k, SLIP]
    A, t = work.holds.A, work.touch.tangent
    size = np.sqrt(n0 * n0 + n1 * n1) if abs(n2) < 0.9 else np.sqrt(n1 * n1 + n2 * n2)
    if abs(n2) < 0.9:
        t[0], t[1], t[2] = -n1 / size, n0 / size, 0.0
    else:
        t[0], t[1], t[2] = 0.0, -n2 / size, n1 / size
    fill_row(plant, work, k, x, t, A[m])
    t[0], t[1], t[2] = n1 * t[2] - n2 * t[1], n2 * t[0] - n0 * t[2], n0 * t[1] - n1 * t[0]
    fill_row(plant, work, k, x, t, A[m + 1])
    u, w = along(A[m], work.xi), along(A[m + 1], work.xi)
    by_speed = drag(mu, slip, normal_force, u * u + w * w)
    for i in range(work.xi.size):
        work.touch.force[i] -= by_speed * (u * A[m, i] + w * A[m + 1, i])
    part = 1.0
    if sharp and (u != 0.0 or w != 0.0):
        turn_rows(A, m, u, w)
        part = slip * slip / (u * u + w * w + slip * slip)
    weigh(A[m], 0.5 * h * by_speed * part)
    weigh(A[m + 1], 0.5 * h * by_speed)
    for row in range(m, m + 2):
        work.holds.c[row] = 0.0
        work.touch.owner[row] = k
    return m + 2


@njit(cache=True, nogil=True)
def ease(plant, work, row):  # type: ignore[no-untyped-def]
    """What part of the law's force each compliant gap has in this step: all, but less while it opens with less
    energy than the law's potential.

    Normal forces on a patch whose shape changes have no potential, so a contact could give back more than it took.
    What it took is kept, and given back in proportion to the potential: at its end nothing is owed.
    """
    gaps, touch, account = plant.gaps, work.touch, work.account
    call(plant.kernels[POSES], work.q, work.q, work.q, plant.theta, work.poses)
    place_points(gaps.shapes.table, gaps.shapes.points, work.poses, work.turns, work.corners)
    for k in range(gaps.pairs.shape[0]):
        touch.eased[k] = 1.0
        if not gaps.soft[k]:
            continue
        n, count = gaps.numbers[k, EXPONENT], patch_of(plant, work, k)
        potential, rate = 0.0, 0.0
        for point in range(count):
            rho = -touch.points[point, 3]
            if rho > 0.0:
                fill_row(plant, work, k, touch.points[point], touch.normal, row)
                elastic = gaps.numbers[k, STIFFNESS] * touch.shares[point] * rho**n
                potential += elastic * rho / (n + 1.0)
                rate -= elastic * along(row, work.xi)
        if potential <= 0.0:
            account[ACCOUNTS + k] = 0.0
        elif account[ACCOUNTS + k] < 0.0:  # the motion begins in touch
            account[ACCOUNTS + k] = potential
        elif rate < 0.0:
            touch.eased[k] = min(1.0, account[ACCOUNTS + k] / potential)


@njit(cache=True, nogil=True)
def contact_rows(plant, work, middle, h, m, sharp):  # type: ignore[no-untyped-def]
    """The force of all compliant contacts at the middle of the step, and a row √κ A for each from row m on,
    with the elastic part of κ in c; how many rows there are then."""
    gaps, holds, touch = plant.gaps, work.holds, work.touch
    call(plant.kernels[POSES], middle, middle, middle, plant.theta, work.poses)
    place_points(gaps.shapes.table, gaps.shapes.points, work.poses, work.turns, work.corners)
    for i in range(touch.force.size):
        touch.force[i] = 0.0
    touch.state[LOAD] = touch.state[DEEPEST] = 0.0
    for k in range(gaps.pairs.shape[0]):
        touch.filling[k] = 0.0
        if not gaps.soft[k]:
            continue
        numbers = gaps.numbers[k]
        for point in range(patch_of(plant, work, k)):
            rho, x = -touch.points[point, 3], touch.points[point]
            if rho <= 0.0 or touch.shares[point] <= 0.0:
                continue
            fill_row(plant, work, k, x, touch.normal, holds.A[m])
            stiffness = numbers[STIFFNESS] * touch.shares[point] * touch.eased[k]
            rate = -along(holds.A[m], work.xi)
            touch.filling[k] += stiffness * rho ** numbers[EXPONENT] * rate
            f, by_rho, by_rate = push(stiffness, numbers[EXPONENT], numbers[DAMPING], rho, rate)
            if f <= 0.0:
                continue
            touch.state[LOAD] += f * rho
            if rho > touch.state[DEEPEST]:
                touch.state[DEEPEST], touch.state[RATE], touch.state[POWER] = rho, rate, numbers[EXPONENT]
            for i in range(touch.force.size):
                touch.force[i] += f * holds.A[m, i]
            kappa = 0.5 * h * (0.5 * h * by_rho + by_rate)
            weigh(holds.A[m], kappa)
            holds.c[m] = 0.25 * h * h * by_rho / kappa
            touch.owner[m] = k
            m += 1
            if numbers[FRICTION] > 0.0:
                m = rub(plant, work, k, x, f, h, m, sharp)
    return m
