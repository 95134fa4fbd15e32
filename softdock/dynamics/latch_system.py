"""The latches' system S = A W⁻¹ Aᵀ, by the bodies that they join (mechanics/latch_pattern.py, docs/theory/latches.md).

The factor L of S stands in the lower half of F, its rows in the order in which they are eliminated, 1/L_ii on the
diagonal; that is 0 where a row is not engaged, or depends on those before it, and its multiplier is 0 then.
"""

import numpy as np

from softdock.kernels import call
from softdock.kernels.jit import njit
from softdock.kernels.linear import FAST, independent, remove
from softdock.mechanics.tree import NOISE

DEPENDENT = 1e-11
"""Pivot, relative to the row's own diagonal, at which a constraint row counts as dependent on others: the square of
its angle to them."""


@njit(forceinline=True)
def reach_of(q):
    """1 + the largest coordinate: violations are relative to it."""
    reach = 1.0
    for i in range(q.size):
        reach = max(reach, 1.0 + abs(q[i]))
    return reach


@njit(forceinline=True)
def felt(x, grain):
    """x, or 0 if it is rounding: a row of nothing else depends on the others, and must not be scaled up."""
    return x if abs(x) > grain else 0.0


@njit(cache=True, nogil=True)
def answer_by_bodies(plant, state, factor, weights, A, Y):
    """Y = W⁻¹Aᵀ by rows, W the factored matrix. Joints that settle take G (`taken_of`) of what latches push, with
    the `weights` w (½ for M): Y = G^½ W⁻¹ G^½ Aᵀ."""
    of, rows, on, f, x = plant.pattern, plant.latch_rows, state.input.latches.on, state.step.residual, state.step.change
    group_start, group, path_start, path = of.group_start, of.group, of.path_start, of.path
    reach_start, reach, grain, shares = of.reach_start, of.reach, NOISE * reach_of(state.q), False
    for joint in plant.settling:
        shares = shares or weights[joint.v] > 0.5
    for g in range(group_start.size - 1):
        most = 0
        for i in range(group_start[g], group_start[g + 1]):
            if on[rows[group[i]]] != 0.0:  # a latch is engaged with all its rows
                most = max(most, rows[group[i] + 1] - rows[group[i]])
        for row in range(most):
            for k in range(f.size):
                f[k] = 0.0
            for i in range(group_start[g], group_start[g + 1]):
                at = rows[group[i]] + row
                if at < rows[group[i] + 1] and on[at] != 0.0:
                    for j in range(path_start[group[i]], path_start[group[i] + 1]):
                        for k in range(path[j, 0], path[j, 1]):
                            f[k] = felt(A[at, k], grain)
            if shares:
                share(plant, state, weights, f)
            call(plant.kernels.solve, f, f, factor, plant.theta, x)
            if shares:
                share(plant, state, weights, x)
            for i in range(group_start[g], group_start[g + 1]):
                at = rows[group[i]] + row
                if at < rows[group[i] + 1] and on[at] != 0.0:
                    for j in range(reach_start[group[i]], reach_start[group[i] + 1]):
                        for k in range(reach[j, 0], reach[j, 1]):
                            Y[at, k] = x[k]


@njit(forceinline=True)
def whole_of(state):
    """What holds pushes between two steps, for half of each, or for half of the next if the momentum is in line with
    it: times this it is that of the whole step."""
    return 2.0 * state.input.h / (state.input.h + state.guard.of.h)


@njit(forceinline=True)
def taken_of(state, w):
    """What a joint that settles with weight w takes of a push in this step: 1 + (w − ½) × (that of the whole step)."""
    return 1.0 + (w - 0.5) * whole_of(state) if w > 0.5 else 1.0


@njit(forceinline=True)
def share(plant, state, weights, x):
    """x × √G at joints that settle."""
    for joint in plant.settling:
        x[joint.v] *= np.sqrt(taken_of(state, weights[joint.v]))


@njit(cache=True, nogil=True, fastmath=FAST)
def factor_by_bodies(plant, state, A, Y, F):
    """The factor of S into F; how many engaged rows depend on others."""
    on, order, first, rows = state.input.latches.on, plant.pattern.order, plant.pattern.first, plant.rows
    path_start, path, dependent = plant.pattern.path_start, plant.pattern.path, 0
    for i in range(first.size):
        row, begin = order[i], first[i]
        for k in range(begin, i + 1):
            F[i, k] = 0.0
        if on[row] == 0.0:
            continue
        for j in range(path_start[rows[row].latch], path_start[rows[row].latch + 1]):
            for k in range(begin, i + 1):
                other, s = order[k], 0.0
                if on[other] != 0.0:
                    for v in range(path[j, 0], path[j, 1]):
                        s += A[row, v] * Y[other, v]
                F[i, k] += s
        own = F[i, i]
        left = own
        for k in range(begin, i):
            s = F[i, k]
            for j in range(max(begin, first[k]), k):
                s -= F[i, j] * F[k, j]
            F[i, k] = s * F[k, k]
            left -= F[i, k] * F[i, k]
        F[i, i] = 1.0 / np.sqrt(left) if independent(left, own, DEPENDENT) else 0.0
        dependent += 1 if F[i, i] == 0.0 else 0
    return dependent


@njit(cache=True, nogil=True, fastmath=FAST)
def solve_by_bodies(plant, F, b, x):
    """S⁻ b in place of b, with rows that depend on others left out; x is as long, for the work."""
    order, first, m = plant.pattern.order, plant.pattern.first, plant.pattern.first.size
    for i in range(m):
        s = b[order[i]]
        for k in range(first[i], i):
            s -= F[i, k] * x[k]
        x[i] = s * F[i, i]
    for i in range(m - 1, -1, -1):
        x[i] *= F[i, i]
        for k in range(first[i], i):
            x[k] -= F[i, k] * x[i]
        b[order[i]] = x[i]


@njit(cache=True, nogil=True)
def write_out(plant, F, inverse, x):
    """S⁻, row by row of c, zero where a row is left out; x is room for as many numbers."""
    m = plant.pattern.first.size
    for i in range(m):
        row = plant.pattern.order[i]
        for k in range(m):
            inverse[row, k] = x[k] = 0.0
        if F[i, i] != 0.0:
            write_row(plant, F, i, inverse[row], x)


@njit(forceinline=True, fastmath={"contract"})
def write_row(plant, F, row, b, x):
    """S⁻ b of the unit vector of the row that is eliminated so: `solve_by_bodies` without what is zero."""
    order, first, m = plant.pattern.order, plant.pattern.first, plant.pattern.first.size
    x[row] = F[row, row]
    for i in range(row + 1, m):
        if F[i, i] != 0.0:
            s = 0.0
            for k in range(max(first[i], row), i):
                s -= F[i, k] * x[k]
            x[i] = s * F[i, i]
    for i in range(m - 1, -1, -1):
        if F[i, i] != 0.0:
            x[i] *= F[i, i]
            for k in range(first[i], i):
                x[k] -= F[i, k] * x[i]
            b[order[i]] = x[i]


@njit(cache=True, nogil=True)
def find_self_stress(plant, state, F):
    """Orthonormal multipliers n of all rows with Aᵀn = 0 into `held.self_stress`; how many. A row that depends on
    others is Σ t_k × theirs, with t L = its row of the factor, so that n = (−t, 1) is one; Gram and Schmidt make them
    orthonormal."""
    order, first, m = plant.pattern.order, plant.pattern.first, plant.pattern.first.size
    null, on, x, count = state.held.self_stress, state.input.latches.on, state.held.push, 0
    for i in range(m):
        if on[order[i]] == 0.0 or F[i, i] != 0.0:
            continue
        for k in range(m):
            x[k] = F[i, k] if first[i] <= k < i and F[k, k] != 0.0 else 0.0
            null[count, k] = 0.0
        for k in range(i - 1, -1, -1):
            x[k] *= F[k, k]
            for j in range(first[k], k):
                x[j] -= F[k, j] * x[k]
        for k in range(i):
            null[count, order[k]] = -x[k]
        null[count, order[i]] = 1.0
        remove(null, count, m, null[count])
        size = 0.0
        for k in range(m):
            size += null[count, k] * null[count, k]
        for k in range(m):
            null[count, k] /= np.sqrt(size)
        count += 1
    return count


@njit(cache=True, nogil=True)
def push_by_bodies(plant, A, multipliers, p):
    """p += Aᵀ × multipliers of all rows, row by row, along which A is read."""
    rows, start, path = plant.latch_rows, plant.pattern.path_start, plant.pattern.path
    for latch in range(rows.size - 1):
        for row in range(rows[latch], rows[latch + 1]):
            push = multipliers[row]
            if push != 0.0:
                for j in range(start[latch], start[latch + 1]):
                    for k in range(path[j, 0], path[j, 1]):
                        p[k] += A[row, k] * push


@njit(forceinline=True, fastmath=FAST)
def answer_along(plant, Y, latch, row, p):
    """Y p of a row of a latch."""
    start, reach, answer = plant.pattern.reach_start, plant.pattern.reach, 0.0
    for j in range(start[latch], start[latch + 1]):
        for k in range(reach[j, 0], reach[j, 1]):
            answer += Y[row, k] * p[k]
    return answer


@njit(cache=True, nogil=True)
def energy_by_bodies(plant, Y, multipliers, pushed):
    """λᵀ S λ: what the impulses λ could do, which push p = Aᵀλ. (Sums are in order, as lanes_held.load_of has them.)"""
    rows, energy = plant.rows, 0.0
    start, reach = plant.pattern.reach_start, plant.pattern.reach
    for row in range(rows.size):
        if multipliers[row] != 0.0:
            rate, latch = 0.0, rows[row].latch
            for j in range(start[latch], start[latch + 1]):
                for k in range(reach[j, 0], reach[j, 1]):
                    rate += Y[row, k] * pushed[k]
            energy += multipliers[row] * rate
    return energy


@njit(cache=True, nogil=True)
def rates_by_bodies(plant, on, Y, p, rates):
    """Y p of all rows, 0 of those that are not engaged."""
    rows = plant.rows
    for row in range(rows.size):
        rates[row] = answer_along(plant, Y, rows[row].latch, row, p) if on[row] != 0.0 else 0.0


@njit(forceinline=True)
def stiffness_by_bodies(F, m, inverse):
    """Of m rows together: the trace of S⁻, or by their factor at least that of the last ones."""
    total = 0.0
    for i in range(m):
        total += F[i, i] if inverse else F[i, i] * F[i, i]
    return total
