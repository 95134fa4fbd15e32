"""Why a plan is not possible: the least by which each kind of bound would have to give."""

import numpy as np

from softdock.planning.quadratic import EVENT, POSITION, RATE, Program

ACCELERATION = 2
WORDS = {POSITION: "position", RATE: "rate", ACCELERATION: "acceleration"}


def explain(program: Program, i: int) -> str:
    """One line for coordinate i: the bounds that, each by itself, would make the plan possible if wider."""
    request = program.request
    units = {POSITION: 1.0, RATE: request.duration, ACCELERATION: request.duration**2}
    bounds = [request.bounds[k] for k in range(3)]
    words = []
    for kind, word in WORDS.items():
        if not np.isfinite(bounds[kind].upper[i]) and not np.isfinite(bounds[kind].lower[i]):
            continue
        wider = least_widening(program, i, {kind})
        if wider is None:
            continue
        by = wider / units[kind]
        if kind == POSITION:
            words.append(f"position bounds wider by {_up(by, 3):.3g}")
        else:
            high = float(bounds[kind].upper[i])
            words.append(f"{_article(word)} {word} of {_up(high + by, 4):.4g} instead of {high:.6g}")
    event = "the goal" if len(request.events) == 1 else "the way-points and the goal"
    head = f"{request.names[i]!r} cannot reach {event} in {request.duration:g} s within its bounds: "
    if words:
        return head + " or ".join(words) + " would do"
    return head + "no one bound alone stands in the way; all must be wider"


def _up(x: float, digits: int) -> float:
    """The next number of so many digits over x, and over what the solvers' tolerances may take off it."""
    last = 10.0 ** (np.floor(np.log10(x)) + 1 - digits) if x > 0 else 10.0 ** (-digits - 3)
    return float(np.ceil(x * (1 + 1e-6) / last + 1e-9) * last)


def _article(word: str) -> str:
    return "an" if word == "acceleration" else "a"


def least_widening(program: Program, i: int, kinds: set[int]) -> float | None:
    """The least s ≥ 0 such that rows of these kinds, wider by s on both sides, can be met (a linear program)."""
    from scipy.optimize import linprog

    rows = program.sides(i)
    count = len(program.grid.tau)
    A = np.vstack([np.eye(count), program.A])
    kind = np.concatenate([np.full(count, ACCELERATION), rows.kinds])
    equal = kind == EVENT
    gives = np.isin(kind, list(kinds)).astype(float)
    upper, lower = ~equal & np.isfinite(rows.upper), ~equal & np.isfinite(rows.lower)
    sides = np.vstack([np.column_stack([A[upper], -gives[upper]]), np.column_stack([-A[lower], -gives[lower]])])
    result = linprog(
        np.append(np.zeros(count), 1.0),
        A_ub=sides,
        b_ub=np.concatenate([rows.upper[upper], -rows.lower[lower]]),
        A_eq=np.column_stack([A[equal], np.zeros(equal.sum())]),
        b_eq=rows.upper[equal],
        bounds=[(None, None)] * count + [(0, None)],
        method="highs",
    )
    return float(result.x[-1]) if result.status == 0 else None
