"""How worlds in lanes move on by a step that is solved (lanes.py).

That is what the loop of one world does with its vectors then (step.py: `move_on`, `remember`, `predict`; guard.py), for
four, operation by operation.
"""

from softdock.dynamics.latch import AGING as AGING_HELD
from softdock.dynamics.latch import SLOW as SLOW_HELD
from softdock.dynamics.step import AGING, RELAXED, SLOW, added
from softdock.kernels.four import larger, put, root, smaller, spread, take, where
from softdock.kernels.jit import njit
from softdock.mechanics.layouts import DEPTH, FAR_BACK, VALUES


@njit(forceinline=True)
def commit(plant, lanes):
    """Move worlds in which nothing holds."""
    by, judged, now = lanes.moved.by, lanes.mine.judged, lanes.now
    for i in range(plant.nv):
        p, lost = added(take(now.momentum, i), take(by.gain, i) + take(now.kept.lost_gain, i))
        put(now.momentum, i, p)
        put(now.kept.lost_gain, i, lost)
    worst, aging, contraction = take(judged.worst, 0), take(now.aging, 0), take(now.contraction, 0)
    measured = worst > 0.0
    if plant.is_long:
        grown = where(measured, aging * root(root(worst / contraction)), RELAXED * aging)
        aging = smaller(larger(grown, spread(AGING)), spread(2.0))
    grown = where(measured, smaller(worst, spread(1.0)), smaller(aging * contraction, spread(2 * SLOW)))
    put(now.contraction, 0, grown)
    put(now.aging, 0, aging)
    commit_rest(plant, lanes)


@njit(forceinline=True)
def commit_held(plant, lanes):
    """The same with engaged latches, with what they pushed and the forces of their rows."""
    by, mine, now, rows = lanes.moved.by, lanes.mine, lanes.now, lanes.mine.multipliers.shape[0]
    for i in range(plant.nv):
        gain = take(mine.pushed, i) + (take(by.gain, i) + take(now.kept.lost_gain, i))
        p, lost = added(take(now.momentum, i), gain)
        put(now.momentum, i, p)
        put(now.kept.lost_gain, i, lost)
    worst, grown = take(mine.judged.worst, 0), AGING_HELD * take(now.contraction, 0)
    contraction = where(worst > 0.0, smaller(worst, spread(1.0)), smaller(grown, spread(2 * SLOW_HELD)))
    put(now.contraction, 0, contraction)
    rate, known = 1.0 / take(lanes.input.h, 0), take(now.history, 0)
    for i in range(rows):
        put(mine.multipliers, i, take(mine.multipliers, i) * rate)
    depth, _ = remember(mine.multipliers, now.forces.differences, rows, known)
    predict(now.forces.differences, smaller(depth, smaller(known + 1.0, spread(DEPTH))), now.forces.foreseen, rows)
    put(now.force_depth, 0, depth)
    commit_rest(plant, lanes)


@njit(forceinline=True)
def commit_rest(plant, lanes):
    """All but the momentum, the contraction and forces."""
    by, xi, now, n, known = lanes.moved.by, lanes.mine.velocity, lanes.now, plant.nv, take(lanes.now.history, 0)
    for i in range(plant.nq):
        q, lost = added(take(now.q, i), take(by.way, i) + take(now.kept.lost_way, i))
        put(now.q, i, q)
        put(now.kept.lost_way, i, lost)
    differences = now.kept.differences
    if plant.is_long:
        missed = remember_far_back(xi, differences, n)
        depth, least = remember(xi, differences, n, known)
        predict(differences, smaller(depth, smaller(known + 1.0, spread(DEPTH))), now.foreseen, n)
        for which in range(len(FAR_BACK)):
            least, depth = better(least, depth, missed[which], DEPTH + 1.0 + which, known >= VALUES)
        predict_far_back(differences, depth, now.foreseen, n)
    else:
        depth, _ = remember(xi, differences, n, known)
        predict(differences, smaller(depth, smaller(known + 1.0, spread(DEPTH))), now.foreseen, n)
    put(now.depth, 0, depth)
    put(now.history, 0, smaller(known + 1.0, spread(VALUES)))
    tell(plant, lanes)


@njit(forceinline=True)
def weigh(plant, lanes):
    """How far a step turns, and what its energy misses (guard.check_energy)."""
    newton, mine, of, h, largest = lanes.input.newton, lanes.mine, lanes.now.of, take(lanes.input.h, 0), spread(0.0)
    for i in range(plant.nv):  # what does not turn follows nothing
        x = take(mine.velocity, i)
        largest = larger(largest, take(mine.follows, i) * (x * x))
    for i in plant.spherical:
        x, y, z = take(mine.velocity, i), take(mine.velocity, i + 1), take(mine.velocity, i + 2)
        largest = larger(largest, x * x + y * y + z * z)
    done = 0.5 * (h * take(newton.power, 0) + take(of.h, 0) * take(of.power, 0))
    made = take(newton.energy, 0) - take(of.energy, 0) - done - smaller(take(of.rested, 0), spread(0.0))
    put(mine.missed, 0, larger(made, -1.0 * made))
    put(mine.turned, 0, h * h * largest)


@njit(forceinline=True)
def tell(plant, lanes):
    """What the guard and the ledger keep of a step."""
    newton, now, h = lanes.input.newton, lanes.now, take(lanes.input.h, 0)
    for i in range(plant.nv):
        put(now.force, i, take(newton.force, i))
    put(now.of.h, 0, h)
    put(now.of.energy, 0, take(newton.energy, 0))
    put(now.of.power, 0, take(newton.power, 0))
    put(now.of.rested, 0, spread(0.0))
    for i in range(now.ledger.work.shape[0]):
        put(now.ledger.work, i, take(now.ledger.work, i) + h * take(newton.powers, i))
    for i in range(now.ledger.gravity.shape[0]):
        put(now.ledger.gravity, i, take(now.ledger.gravity, i) + h * take(newton.weight, i))


@njit(forceinline=True)
def remember(values, differences, n, known):
    """Backward differences with the newest values, and the depth that would have foreseen those best: by so many
    differences of as many as are known, or one more; and what it missed by, squared."""
    m1 = m2 = m3 = m4 = m5 = m6 = spread(0.0)
    for i in range(n):
        d0 = take(values, i)
        d1 = d0 - take(differences, i)
        d2 = d1 - take(differences, n + i)
        d3 = d2 - take(differences, 2 * n + i)
        d4 = d3 - take(differences, 3 * n + i)
        d5 = d4 - take(differences, 4 * n + i)
        d6 = d5 - take(differences, 5 * n + i)
        put(differences, i, d0)
        put(differences, n + i, d1)
        put(differences, 2 * n + i, d2)
        put(differences, 3 * n + i, d3)
        put(differences, 4 * n + i, d4)
        put(differences, 5 * n + i, d5)
        m1, m2, m3, m4, m5, m6 = m1 + d1 * d1, m2 + d2 * d2, m3 + d3 * d3, m4 + d4 * d4, m5 + d5 * d5, m6 + d6 * d6
    least, depth = m1, spread(1.0)
    least, depth = better(least, depth, m2, 2.0, known > 1.0)
    least, depth = better(least, depth, m3, 3.0, known > 2.0)
    least, depth = better(least, depth, m4, 4.0, known > 3.0)
    least, depth = better(least, depth, m5, 5.0, known > 4.0)
    least, depth = better(least, depth, m6, 6.0, known > 5.0)
    return where(depth == known, smaller(depth + 1.0, spread(DEPTH)), depth), least


@njit(forceinline=True)
def better(least, depth, missed, other, counts):
    """The smaller miss, and its depth."""
    is_less = counts & (missed < least)
    return where(is_less, missed, least), where(is_less, other, depth)


@njit(forceinline=True)
def predict(differences, depth, values, n):
    """The next values by so many differences."""
    two, three, four, five, six = depth > 1.0, depth > 2.0, depth > 3.0, depth > 4.0, depth > 5.0
    for i in range(n):
        total = take(differences, i)
        total = total + where(two, take(differences, n + i), 0.0)
        total = total + where(three, take(differences, 2 * n + i), 0.0)
        total = total + where(four, take(differences, 3 * n + i), 0.0)
        total = total + where(five, take(differences, 4 * n + i), 0.0)
        total = total + where(six, take(differences, 5 * n + i), 0.0)
        put(values, i, total)


@njit(cache=True, nogil=True)
def remember_far_back(values, differences, n):
    """Of long chains, before `remember`: differences of order 6 to 9, and what each of `FAR_BACK` would have missed by,
    squared."""
    f0 = f1 = f2 = f3 = f4 = spread(0.0)
    for i in range(n):
        d5 = take(values, i)
        for k in range(5):
            d5 = d5 - take(differences, k * n + i)
        b5, b6, b7 = take(differences, 5 * n + i), take(differences, 6 * n + i), take(differences, 7 * n + i)
        b8, b9 = take(differences, 8 * n + i), take(differences, 9 * n + i)
        d6 = d5 - b5
        d7 = d6 - b6
        d8 = d7 - b7
        put(differences, 6 * n + i, d6)
        put(differences, 7 * n + i, d7)
        put(differences, 8 * n + i, d8)
        put(differences, 9 * n + i, d8 - b8)
        n0, n1 = d5 - weighed(FAR_BACK[0], b5, b6, b7, b8, b9), d5 - weighed(FAR_BACK[1], b5, b6, b7, b8, b9)
        n2, n3 = d5 - weighed(FAR_BACK[2], b5, b6, b7, b8, b9), d5 - weighed(FAR_BACK[3], b5, b6, b7, b8, b9)
        n4 = d5 - weighed(FAR_BACK[4], b5, b6, b7, b8, b9)
        f0, f1, f2, f3, f4 = f0 + n0 * n0, f1 + n1 * n1, f2 + n2 * n2, f3 + n3 * n3, f4 + n4 * n4
    return f0, f1, f2, f3, f4


@njit(cache=True, nogil=True)
def predict_far_back(differences, depth, values, n):
    """The next values, where that depth asks for differences of order 5 to 9."""
    a = b = c = e = f = spread(0.0)
    for which, weights in enumerate(FAR_BACK):
        mine = depth == DEPTH + 1.0 + which
        a, b, c = where(mine, weights[0], a), where(mine, weights[1], b), where(mine, weights[2], c)
        e, f = where(mine, weights[3], e), where(mine, weights[4], f)
    deep = depth > DEPTH
    for i in range(n):
        total = take(differences, i) + take(differences, n + i) + take(differences, 2 * n + i)
        total = total + take(differences, 3 * n + i) + take(differences, 4 * n + i)
        total = total + weighed(
            (a, b, c, e, f), take(differences, 5 * n + i), take(differences, 6 * n + i), take(differences, 7 * n + i),
            take(differences, 8 * n + i), take(differences, 9 * n + i),
        )  # fmt: skip
        put(values, i, where(deep, total, take(values, i)))


@njit(forceinline=True)
def weighed(weights, d5, d6, d7, d8, d9):
    """What differences of order 5 to 9 add to a prediction."""
    a, b, c, e, f = weights
    return a * d5 + b * d6 + c * d7 + e * d8 + f * d9
