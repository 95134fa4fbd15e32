"""Signorini's and Coulomb's laws at several points at once.

    u = G r + b,    0 ≤ r_N ⊥ u_N ≥ 0,    r_T in the disc of radius μ r_N, against u_T where u_T ≠ 0          (1)

Rows come in threes: normal, two tangents. At an impact points may have to push by `base` at the least; then it is
r_N − base that is complementary to u_N. The equations are those of Alart & Curnier (Comput. Methods Appl. Mech. Eng.
92, 1991, 353): r is the projection of r − ρ u on the disc of its own normal impulse.

G = J W⁻¹ Jᵀ may be singular: redundant points leave a choice, and with friction bodies turn one way or another by it.
The least impulses are chosen, as those of a contact that is alike everywhere: the equations are first solved with
G + δ instead of G (Tikhonov), then by a semi-smooth Newton method with a proximal term δ(r − r_before), which makes the
matrix regular and goes to zero, from there; where that stalls, by sweeps over the points, one after the other. Before
that, two guesses are tried: that nothing has changed, and that all points push and stick.
"""

import numpy as np

from softdock.kernels.jit import njit
from softdock.kernels.linear import (
    FAST,
    cholesky,
    cholesky_solve,
    copy,
    eliminate,
    remove,
    semidefinite_factor,
    semidefinite_null,
    semidefinite_solve,
)

OUTER, NEWTON, SWEEPS, STALLS = range(4)
"""What `info` counts."""
ROUNDING = 2e-15
"""Of the terms of G r + b: what is left of them when they cancel."""
ATTEMPTS, FAILED, LOST = 3, 1e-10, 1e-7
"""How often the equations are tried, the error above which they are tried again, and that above which friction is then
raised in steps."""
DEPENDENT = 1e-12
"""Pivot, relative to the largest, below which a row counts as dependent on the others."""
WEAKEST, STRONGEST = 1e-8, 0.3
"""Least and greatest proximal term, relative to the diagonal of G."""
REFINED, FEW = 3, 8
"""How often an r that was near is made better, and by how many of Newton's steps each time, before it is given up."""
IDLE, NEARLY, STRICT = 4, 1e3, 1e-14
"""After how many proximal terms in a row without progress what is so many times the goal is left, if the tolerance is
not as strict as this."""
CHOICE, CANCELLED = 1e-4, 1e-3
"""The term by which the least of the solutions is chosen, likewise: it is found to that, and to rounding over that.
Where effects of impulses cancel to less than `CANCELLED` (a load of a thousand times a body's own) none is chosen: it
would not let them."""


@njit(cache=True, nogil=True, apart=True)
def signorini_coulomb(G, b, mu, base, r, tolerance, floor, proximal, info):
    """Solve (1) in place of r, which is also the first guess; what is left of the equations, relative to |b|.

    G (3n, 3n), b and r (3n), mu and base (n). Normal speeds up to `floor` count as none. `proximal` is the first
    proximal term, relative to the diagonal of G. If an attempt fails, slips in b give way that no motion can answer,
    and the next begins where it ended; if all do, friction is raised in steps.
    """
    error = 1.0
    for turn in range(ATTEMPTS):
        error = attempt(G, b, mu, base, r, tolerance, floor, proximal, info)
        if error <= FAILED:
            return error
        if turn == 0 and slips_as_bodies_can(G, mu, b):
            copy(pushed_by(base), r)
    if error <= LOST:
        return error
    last, weaker, best = error, mu.copy(), r.copy()
    copy(pushed_by(base), r)
    for step in range(1, ATTEMPTS * ATTEMPTS + 1):
        for i in range(mu.size):
            weaker[i] = mu[i] * step / (ATTEMPTS * ATTEMPTS)
        last = attempt(G, b, weaker, base, r, tolerance, floor, proximal, info)
    if last > error:
        copy(best, r)
    return min(error, last)


@njit(cache=True, nogil=True)
def refine(G, b, mu, base, r, tolerance, floor, proximal, info):
    """As `signorini_coulomb`, from an r that solves (1) with nearly the same b: what is left of the equations, or an
    infinite error with r as it was, if that does not lead there soon."""
    n, m = mu.size, b.size
    size, begun = 0.0, r.copy()
    for i in range(m):
        size = max(size, abs(b[i]))
    rho, u, F, best, least, solved = step_sizes(G, n), np.empty(m), np.empty(m), r.copy(), np.inf, False
    delta = np.empty(n)
    for i in range(n):
        delta[i] = proximal / rho[i]
    for _ in range(REFINED):
        rounding = ROUNDING * terms(G, b, r)
        goal = max(tolerance * size, rounding)
        used = newton(G, b, mu, base, r.copy(), r, 0.5 * (rounding if solved else goal), delta, rho, floor)[1]
        info[OUTER], info[NEWTON] = info[OUTER] + 1, info[NEWTON] + used
        error, least = judged(G, b, mu, base, r, rho, floor, u, F, best, least)
        if solved or error <= rounding:
            copy(best, r)
            return least / size if size > 0.0 else 0.0
        solved = error <= goal
        if used > FEW:
            break
    copy(begun, r)
    return np.inf


@njit(cache=True, nogil=True)
def slips_as_bodies_can(G, mu, b):
    """Take off b_T what no motion can answer; False if there is nothing to take.

    Impulses that hold each other, G n = 0, do nothing, so that n·u = n·b whatever r is. Where they are within their
    cones (something wedged), n·b < 0 would have no solution, and none with n·b ≠ 0 sticks. b of velocities has
    n·b = 0; that of a step has gaps and slips of second order, which need not agree: slips give way, by the least.
    """
    rows, count = held_rows(mu)
    S, null, x = np.empty((count, count)), np.empty((count, count)), np.empty(count)
    kept, order = np.empty(count, np.bool_), np.empty(count, np.int64)
    for i in range(count):
        for j in range(count):
            S[i, j] = 0.5 * (G[rows[i], rows[j]] + G[rows[j], rows[i]])
        x[i] = S[i, i]
    x[:] = x.max()
    semidefinite_factor(S, count, kept, order, x, DEPENDENT)
    free = semidefinite_null(S, count, kept, order, null)
    for k in range(free):
        x[k] = 0.0
        for i in range(count):
            x[k] += null[k, i] * b[rows[i]]
        for j in range(k + 1):
            S[k, j] = 0.0
            for i in range(count):
                S[k, j] += null[k, i] * null[j, i] if rows[i] % 3 > 0 else 0.0
            S[j, k] = S[k, j]
    semidefinite_factor(S, free, kept, order, np.ones(free), DEPENDENT)
    semidefinite_solve(S, free, kept, order, x)
    for i in range(count):
        for k in range(free if rows[i] % 3 > 0 else 0):
            b[rows[i]] -= x[k] * null[k, i]
    return free > 0


@njit(cache=True, nogil=True)
def held_rows(mu):
    """The rows that may have an impulse, and how many."""
    rows, count = np.empty(3 * mu.size, np.int64), 0
    for i in range(3 * mu.size):
        if i % 3 == 0 or mu[i // 3] > 0.0:
            rows[count] = i
            count += 1
    return rows, count


@njit(cache=True, nogil=True)
def attempt(G, b, mu, base, r, tolerance, floor, proximal, info):
    """One of `signorini_coulomb`."""
    n, m = mu.size, b.size
    size = 0.0
    for i in range(m):
        size = max(size, abs(b[i]))
    if size == 0.0:
        copy(pushed_by(base), r)
        return 0.0
    # redundant points leave a choice: what solves the equations already is kept, or it would wander from step to step
    error, gross = error_of(G, b, mu, base, r, floor)
    if error <= max(tolerance * size, ROUNDING * gross):
        return 0.0
    rho, u, F, goal = step_sizes(G, n), np.empty(m), np.empty(m), tolerance * size
    rest, delta, best, least = pushed_by(base), np.empty(n), r.copy(), np.inf
    if stop(G, b, mu, best, u) and alart_curnier(u, best, mu, base, rho, floor, F) <= ROUNDING * terms(G, b, best):
        copy(best, r)
        return 0.0
    if stick(G, b, mu, base, r, best, rho, floor, u, F):
        return 0.0
    copy(r, best)
    velocities(G, b, r, u)
    sweep(G, mu, base, r, u, 8, 0.0)
    info[SWEEPS] += 8
    solved, idle = False, 0
    for turn in range(0 if CANCELLED * terms(G, b, r) <= size else 1, 41):
        info[OUTER] += 1
        for i in range(n):
            delta[i] = (CHOICE if turn == 0 else proximal) / rho[i]
        rounding = ROUNDING * terms(G, b, r)
        goal = max(tolerance * size, rounding)
        aim = 0.5 * (rounding if solved else goal)
        left, used = newton(G, b, mu, base, rest if turn == 0 else r.copy(), r, aim, delta, rho, floor)
        info[NEWTON] += used
        if turn == 0:
            continue
        idle, known = idle + 1, least
        error, least = judged(G, b, mu, base, r, rho, floor, u, F, best, least)
        if least < 0.5 * known:
            idle = 0
        if solved or error <= rounding or (idle >= IDLE and tolerance > STRICT and least <= NEARLY * goal):
            copy(best, r)
            return least / size
        solved = error <= goal  # once more, for what a proximal term leaves: slow slips are small differences
        if left <= 10 * goal:  # the proximal problem is solved: nearer to the true one
            proximal = max(WEAKEST, 0.03 * proximal)
        else:
            info[STALLS] += 1
            count = 20 * min(info[STALLS], 10)
            sweep(G, mu, base, r, u, count, 0.0)
            info[SWEEPS] += count
            proximal = min(STRONGEST, 10 * proximal)
    copy(best, r)
    for _ in range(5):
        velocities(G, b, r, u)
        sweep(G, mu, base, r, u, 200, 0.0)
        info[SWEEPS] += 200
        error, least = judged(G, b, mu, base, r, rho, floor, u, F, best, least)
        if error <= goal:
            break
    copy(best, r)
    return least / size


@njit(cache=True, nogil=True)
def judged(G, b, mu, base, r, rho, floor, u, F, best, least):
    """The error of r, with u of it; and the least so far, whose r is kept in `best`."""
    velocities(G, b, r, u)
    error = alart_curnier(u, r, mu, base, rho, floor, F)
    if error < least:
        copy(r, best)
    return error, min(error, least)


@njit(cache=True, nogil=True, fastmath=FAST)
def stop(G, b, mu, r, u):
    """The least impulses that let no point move, r = −L (LᵀL)⁻² Lᵀ b with G = L Lᵀ, and u of them; False if that cannot
    be computed. (What `stick` begins with, in a fraction of its time.)"""
    m, largest, rank = b.size, 0.0, 0
    L, left, held = np.empty((m, m)), np.empty(m), np.empty(m)  # L by columns
    for i in range(m):
        held[i] = 1.0 if i % 3 == 0 or mu[i // 3] > 0.0 else 0.0
        left[i], r[i] = held[i] * G[i, i], 0.0
        largest = max(largest, left[i])
    while rank < m:
        p = 0
        for i in range(1, m):
            p = i if left[i] > left[p] else p
        if left[p] <= DEPENDENT * largest:
            break
        column = L[rank]
        for i in range(m):
            column[i] = G[p, i]
        for k in range(rank):
            f = L[k, p]
            for i in range(m):
                column[i] -= f * L[k, i]
        scale = 1.0 / np.sqrt(left[p])
        for i in range(m):
            column[i] *= scale * held[i]
            left[i] -= column[i] * column[i]
        left[p] = 0.0
        rank += 1
    B, y = np.empty((rank, rank)), np.empty(rank)
    for i in range(rank):
        for j in range(i + 1):
            total = 0.0
            for k in range(m):
                total += L[i, k] * L[j, k]
            B[i, j] = total
    if not cholesky(B):
        return False
    for _ in range(2):  # the second time for what rounding left
        velocities(G, b, r, u)
        for i in range(rank):
            total = 0.0
            for k in range(m):
                total -= L[i, k] * u[k]
            y[i] = total
        cholesky_solve(B, y)
        cholesky_solve(B, y)
        for i in range(rank):
            for k in range(m):
                r[k] += L[i, k] * y[i]
    velocities(G, b, r, u)
    return True


@njit(cache=True, nogil=True)
def stick(G, b, mu, base, r, trial, rho, floor, u, F):
    """If all points can push, and stick where they have friction: r that does it, with the tangential impulses about in
    proportion to the normal ones (redundant points leave a choice). False, with r as it was, if they cannot."""
    rows, count = held_rows(mu)
    S, null, x = np.empty((count, count)), np.empty((count, count)), np.empty(count)
    kept, order, weight = np.empty(count, np.bool_), np.empty(count, np.int64), np.ones(mu.size)
    for _ in range(3):
        for i in range(b.size):
            trial[i] = 0.0
        for i in range(count):
            for j in range(count):
                S[i, j] = G[rows[i], rows[j]] * weight[rows[i] // 3] * weight[rows[j] // 3]
            x[i] = S[i, i]
        x[:] = x.max()
        semidefinite_factor(S, count, kept, order, x, DEPENDENT)
        free = semidefinite_null(S, count, kept, order, null)
        for _ in range(2):  # the second time for what rounding left
            velocities(G, b, trial, u)
            for i in range(count):
                x[i] = -u[rows[i]] * weight[rows[i] // 3]
            remove(null, free, count, x)
            semidefinite_solve(S, count, kept, order, x)
            remove(null, free, count, x)
            for i in range(count):
                trial[rows[i]] += x[i] * weight[rows[i] // 3]
        velocities(G, b, trial, u)
        if alart_curnier(u, trial, mu, base, rho, floor, F) <= ROUNDING * terms(G, b, trial):
            copy(trial, r)
            return True
        for i in range(mu.size):
            if trial[3 * i] <= 0.0:
                return False
            weight[i] = np.sqrt(trial[3 * i])
    return False


@njit(cache=True, nogil=True)
def step_sizes(G, n):
    """ρ of every point."""
    rho = np.empty(n)
    for i in range(n):
        rho[i] = step_size(G, 3 * i)
    return rho


@njit(forceinline=True)
def step_size(G, k):
    """The inverse of the mean of the diagonal of the point whose rows begin at k."""
    trace = G[k, k] + G[k + 1, k + 1] + G[k + 2, k + 2]
    return 3.0 / trace if trace > 0.0 else 1.0


@njit(cache=True, nogil=True, fastmath=FAST)
def error_of(G, b, mu, base, r, floor):
    """`alart_curnier` and `terms` of r, without arrays. (G, b and r may have more rows than there are points.)"""
    error, gross, total = 0.0, 0.0, 0.0
    for i in range(mu.size):
        k = 3 * i
        u0, u1, u2, g0, g1, g2 = b[k], b[k + 1], b[k + 2], abs(b[k]), abs(b[k + 1]), abs(b[k + 2])
        for j in range(3 * mu.size):
            x0, x1, x2 = G[k, j] * r[j], G[k + 1, j] * r[j], G[k + 2, j] * r[j]
            u0, u1, u2, g0, g1, g2 = u0 + x0, u1 + x1, u2 + x2, g0 + abs(x0), g1 + abs(x1), g2 + abs(x2)
        f0, f1, f2 = off_law(u0, u1, u2, r[k], r[k + 1], r[k + 2], mu[i], base[i], step_size(G, k))
        error = max(error, abs(f0) - floor, abs(f1), abs(f2))
        gross, total = max(gross, g0, g1, g2), total + abs(f0) + abs(f1) + abs(f2)
    return error if np.isfinite(total) else np.inf, gross


@njit(forceinline=True)
def off_law(u0, u1, u2, r0, r1, r2, mu, base, p):
    """(r − projection of r − ρ u)/ρ of one point, ρ being p."""
    normal = max(r0 - p * u0, base)
    x, y = r1 - p * u1, r2 - p * u2
    slip, bound = np.sqrt(x * x + y * y), mu * normal
    share = 1.0 if slip <= bound else bound / slip
    return (r0 - normal) / p, (r1 - share * x) / p, (r2 - share * y) / p


@njit(cache=True, nogil=True, fastmath=FAST)
def velocities(G, b, r, u):
    """u = G r + b."""
    m = b.size
    for i in range(m):
        total = b[i]
        for j in range(m):
            total += G[i, j] * r[j]
        u[i] = total


@njit(cache=True, nogil=True, fastmath=FAST)
def terms(G, b, r):
    """The largest sum of the sizes of all terms of a row of G r + b."""
    most = 0.0
    for i in range(b.size):
        total = abs(b[i])
        for j in range(b.size):
            total += abs(G[i, j] * r[j])
        most = max(most, total)
    return most


@njit(cache=True, nogil=True)
def alart_curnier(u, r, mu, base, rho, floor, F):
    """F = (r − projection of r − ρ u)/ρ, a velocity; its largest entry, of normals above `floor`. Infinite if one is
    not a number (which is not larger than anything): a G that is not semidefinite may lead there."""
    most, total = 0.0, 0.0
    for i in range(mu.size):
        k = 3 * i
        F[k], F[k + 1], F[k + 2] = off_law(u[k], u[k + 1], u[k + 2], r[k], r[k + 1], r[k + 2], mu[i], base[i], rho[i])
        most = max(most, abs(F[k]) - floor, abs(F[k + 1]), abs(F[k + 2]))
        total += abs(F[k]) + abs(F[k + 1]) + abs(F[k + 2])
    return most if np.isfinite(total) else np.inf


@njit(cache=True, nogil=True)
def into_disc(x, y, bound):
    """(x, y), shortened to `bound`."""
    size = np.sqrt(x * x + y * y)
    if size <= bound:
        return x, y
    return x * (bound / size), y * (bound / size)


@njit(cache=True, nogil=True)
def tangential_stiffness(G, k):
    """The larger eigenvalue of the tangential block of the point whose rows begin at k."""
    mean, half = 0.5 * (G[k + 1, k + 1] + G[k + 2, k + 2]), 0.5 * (G[k + 1, k + 1] - G[k + 2, k + 2])
    return mean + np.sqrt(half * half + G[k + 1, k + 2] ** 2)


@njit(cache=True, nogil=True)
def sweep(G, mu, base, r, u, times, enough):
    """Solve point after point, the others held, `times` over (block Gauss-Seidel), or until no point changes its
    velocity by more than `enough`; u = G r + b is kept true. The last change."""
    change = 0.0
    for _ in range(times):
        change = 0.0
        for i in range(mu.size):
            if G[3 * i, 3 * i] > 0.0:
                change = max(change, solve_point(G, mu[i], base[i], 3 * i, r, u))
        if change <= enough:
            break
    return change


@njit(cache=True, nogil=True)
def solve_point(G, mu, base, k, r, u):
    """One point's impulse, in normal and tangential turns; the change, as a velocity."""
    before = (r[k], r[k + 1], r[k + 2])
    x0, x1, x2 = u[k], u[k + 1], u[k + 2]
    normal, tangential = G[k, k], tangential_stiffness(G, k)
    for _ in range(6):
        d0 = max(base, r[k] - x0 / normal) - r[k]
        r[k] += d0
        x0, x1, x2 = x0 + G[k, k] * d0, x1 + G[k + 1, k] * d0, x2 + G[k + 2, k] * d0
        d1, d2 = 0.0, 0.0
        if tangential > 0.0:
            y1, y2 = into_disc(r[k + 1] - x1 / tangential, r[k + 2] - x2 / tangential, mu * r[k])
            d1, d2 = y1 - r[k + 1], y2 - r[k + 2]
        r[k + 1], r[k + 2] = r[k + 1] + d1, r[k + 2] + d2
        x0 += G[k, k + 1] * d1 + G[k, k + 2] * d2
        x1 += G[k + 1, k + 1] * d1 + G[k + 1, k + 2] * d2
        x2 += G[k + 2, k + 1] * d1 + G[k + 2, k + 2] * d2
        if abs(d0) * normal + (abs(d1) + abs(d2)) * tangential < 1e-15 * (abs(x0) + abs(x1) + abs(x2)):
            break
    d0, d1, d2 = r[k] - before[0], r[k + 1] - before[1], r[k + 2] - before[2]
    if d0 != 0.0 or d1 != 0.0 or d2 != 0.0:
        for j in range(u.size):
            u[j] += G[j, k] * d0 + G[j, k + 1] * d1 + G[j, k + 2] * d2
    return abs(d0) * normal + (abs(d1) + abs(d2)) * tangential


@njit(cache=True, nogil=True)
def pushed_by(base):
    """Impulses of the points that push by `base`, without friction."""
    r = np.zeros(3 * base.size)
    for i in range(base.size):
        r[3 * i] = base[i]
    return r


@njit(cache=True, nogil=True)
def newton(G, b, mu, base, centre, r, goal, delta, rho, floor):
    """Semi-smooth Newton on Alart-Curnier of G + δ about `centre`; what is left, and how many steps it took."""
    m = b.size
    best, trial = r.copy(), np.empty(m)
    u, F, step = np.empty(m), np.empty(m), np.empty(m)
    J, rhs, rows = np.empty((m, m)), np.empty(m), np.empty(m, np.int64)
    least, last, stalls = np.inf, np.inf, 0
    used = 0
    for used in range(25):
        error = proximal_error(G, b, mu, base, r, delta, centre, rho, floor, u, F)
        if error < least:
            least = error
            copy(r, best)
        if error <= goal or (used > 2 and error <= 20 * goal and error > 0.5 * last):
            break
        last = error
        count = linearise(G, mu, base, r, u, F, delta, rho, floor, J, rhs, rows, step)
        if count > 0 and not eliminate(J, count, rhs):
            break
        for a in range(count):
            step[rows[a]] = rhs[a] * rho[rows[a] // 3]
        if not shortened(G, b, mu, base, r, step, delta, centre, rho, floor, u, F, trial):
            stalls += 1
            if stalls > 2:
                break
            for i in range(m):
                trial[i] = r[i] + step[i]
        copy(trial, r)
    copy(best, r)
    return least, used


@njit(cache=True, nogil=True)
def proximal_error(G, b, mu, base, r, delta, centre, rho, floor, u, F):
    """`alart_curnier` with u = G r + b + δ (r − centre)."""
    velocities(G, b, r, u)
    for i in range(b.size):
        u[i] += delta[i // 3] * (r[i] - centre[i])
    return alart_curnier(u, r, mu, base, rho, floor, F)


@njit(cache=True, nogil=True)
def shortened(G, b, mu, base, r, step, delta, centre, rho, floor, u, F, trial):
    """The longest of step, step/2, …, after which the equations are better solved, in `trial`; False if none is."""
    before, size = 0.0, 1.0
    for i in range(b.size):
        before += F[i] * F[i]
    for _ in range(6):
        for i in range(b.size):
            trial[i] = r[i] + size * step[i]
        proximal_error(G, b, mu, base, trial, delta, centre, rho, floor, u, F)
        after = 0.0
        for i in range(b.size):
            after += F[i] * F[i]
        if after < (1.0 - 1e-4 * size) * before:
            return True
        size *= 0.5
    return False


@njit(cache=True, nogil=True)
def beyond(x, floor):
    """x less `floor` in size; 0 within it."""
    return max(0.0, x - floor) if x > 0.0 else min(0.0, x + floor)


@njit(cache=True, nogil=True)
def linearise(G, mu, base, r, u, F, delta, rho, floor, J, rhs, rows, step):
    """The Newton equations of the points that push, scaled by ρ; those that part go to zero in `step`. How many.
    (Points that part, but have to push by their `base`, keep it, and rub by it.)"""
    m, count = r.size, 0
    for i in range(mu.size):
        takes_part = r[3 * i] - rho[i] * u[3 * i] > base[i] or base[i] > 0.0
        for c in range(3 * i, 3 * i + 3):
            step[c] = 0.0 if takes_part else -r[c]
            if takes_part:
                rows[count] = c
                count += 1
    for a in range(0, count, 3):
        i = rows[a] // 3
        k, p = 3 * i, rho[i]
        d0 = d1 = d2 = 0.0  # what the points that part change here
        for j in range(m):
            if step[j] != 0.0:
                d0, d1, d2 = d0 + G[k, j] * step[j], d1 + G[k + 1, j] * step[j], d2 + G[k + 2, j] * step[j]
        normal = r[k] - p * u[k]
        pushes = normal > base[i]
        # the rounding of redundant gaps, over δ, would make r wander
        rhs[a] = -(d0 if abs(u[k]) <= floor else u[k] + d0)
        for e in range(count):
            J[a, e] = G[k, rows[e]] if pushes else 0.0
        J[a, a] += delta[i] if pushes else 1.0 / p
        if not pushes:
            normal, rhs[a] = base[i], (base[i] - r[k]) / p
        y1, y2 = r[k + 1] - p * u[k + 1], r[k + 2] - p * u[k + 2]
        slip, bound = np.sqrt(y1 * y1 + y2 * y2), mu[i] * normal
        if slip <= bound:
            for c in range(1, 3):
                for e in range(count):
                    J[a + c, e] = G[k + c, rows[e]]
                J[a + c, a + c] += delta[i]
            rhs[a + 1], rhs[a + 2] = -(u[k + 1] + d1), -(u[k + 2] + d2)
            continue
        t1, t2, share, grows = y1 / slip, y2 / slip, bound / slip, mu[i] if pushes else 0.0
        for e in range(count):
            g0, g1, g2 = G[k, rows[e]], G[k + 1, rows[e]], G[k + 2, rows[e]]
            own = e - a
            g0, g1, g2 = g0 + delta[i] * (own == 0), g1 + delta[i] * (own == 1), g2 + delta[i] * (own == 2)
            x0, x1, x2 = (own == 0) - p * g0, (own == 1) - p * g1, (own == 2) - p * g2
            along = t1 * x1 + t2 * x2
            J[a + 1, e] = ((own == 1) - grows * t1 * x0 - share * (x1 - t1 * along)) / p
            J[a + 2, e] = ((own == 2) - grows * t2 * x0 - share * (x2 - t2 * along)) / p
        along = t1 * d1 + t2 * d2
        rhs[a + 1] = -F[k + 1] - (grows * t1 * d0 + share * (d1 - t1 * along))
        rhs[a + 2] = -F[k + 2] - (grows * t2 * d0 + share * (d2 - t2 * along))
    for a in range(count):
        for e in range(count):
            J[a, e] *= rho[rows[e] // 3]
    return count
