"""A guess made nearly optimal: the method of Gauss and Newton on the steps, by a Riccati recursion.

The cost's own curvature stands for the Lagrangian's, so that an iteration is a convex problem, which one sweep over the
steps solves at a third of what a factorisation of the whole program takes, and which needs no inertia corrected. From
where it leads, the solver's exact iterations converge in three or four.
"""

from typing import NamedTuple

import numpy as np

from softdock.optimal import stage
from softdock.optimal.linearisation import eliminated
from softdock.optimal.program import Part
from softdock.optimal.transcription import Transcription

MOST = 20
"""Iterations."""
NEAR = 0.1
"""Size of an iteration's change, in the program's units, from which the solver goes on."""


class Improved(NamedTuple):
    """Near an optimum."""

    x: np.ndarray
    multipliers: np.ndarray
    iterations: int


def nearly_optimal(made: Transcription, x: np.ndarray) -> Improved | None:
    """From a guess; None where the method does not apply or does not get there, or where bounds and paths, of which it
    knows nothing, would be violated."""
    program = made.program
    if not _applies(made):
        return None
    limited, counted = _limited(made), _limited(made, momenta=True)
    for k in range(MOST):
        try:
            with np.errstate(over="ignore", invalid="ignore"):
                change, multipliers = _iteration(made, x)
        except np.linalg.LinAlgError:
            return None
        size = float(np.abs(change[limited]).max(initial=0.0))
        if not np.all(np.isfinite(change)):
            return None
        x = x + min(1.0, 1.0 / max(size, 1e-300)) * change
        if np.abs(change[counted]).max() < NEAR:
            inside = np.all(x >= program.lower) and np.all(x <= program.upper)
            return Improved(x, multipliers, k + 1) if inside and program.violations(x).max() < NEAR else None
    return None


def foreseen(made: Transcription, x: np.ndarray) -> np.ndarray | None:
    """Where one whole iteration from a guess leads: by its torques and cost, what a motion that meets the end takes.
    None where that is not to be had, or turns something by more than half a turn, which linear equations cannot say."""
    if not _applies(made):
        return None
    try:
        with np.errstate(over="ignore", invalid="ignore"):
            change, _ = _iteration(made, x)
    except np.linalg.LinAlgError:
        return None
    turned = [link.q + k for link in made.tree.links if link.kind in "RS" for k in range(link.dof + (link.kind == "S"))]
    stages = change[: made.N * made.stride].reshape(made.N, made.stride)
    return x + change if np.all(np.isfinite(change)) and np.abs(stages[:, turned]).max(initial=0.0) < np.pi else None


def _applies(made: Transcription) -> bool:
    """Are all steps alike (a free duration stays the guess's), is the cost of squares with all torques in it, and are
    the end's conditions equations?"""
    task = made.task
    squares = task.cost.running is None and task.cost.final is None
    if not (squares and task.last is None and made.conditions):
        return False
    effort = made.program.parts[2].given[0, made.tree.nv : -2]
    return bool(np.all(effort > 0)) and not any(part.low.any() or part.high.any() for part in made.conditions)


def _limited(made: Transcription, momenta: bool = False) -> np.ndarray:
    """Variables by whose change an iteration is shortened: all but translations, their momenta and forces, in which
    steps are nearly linear; with these `momenta` and forces, those that are to change little at last."""
    tree, places = made.tree, stage.STAGE.places(made.sizes)
    own = np.ones(made.stride, dtype=bool)
    for link in tree.links:
        if link.kind not in "RS":
            along = np.arange(link.v, link.v + link.dof)
            own[places.q.start + link.q : places.q.start + link.q + link.dof] = False
            own[places.xi.start + along] = False
            own[places.p.start + along] = momenta
            own[places.u.start + np.flatnonzero(np.isin(made.actuated, along))] = momenta
    end = np.zeros(made.size - made.ends, dtype=bool)
    return np.concatenate([np.tile(own, made.N), end])


def _iteration(made: Transcription, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The change that minimises the cost's quadratic model under the linearised equations, and the multipliers."""
    program, N, nx, nv = made.program, made.N, made.nx, made.tree.nv
    part, places = program.parts[0], stage.STAGE.places(made.sizes)
    steps = eliminated(made, part, x)
    u, xi = x[part.at][:, places.u], x[part.at][:, places.xi]
    given, h = program.parts[2].given[0], float(x[-1]) if made.task.free else made.task.h
    by_xi, by_u = 2 * h * given[:nv], 2 * h * given[nv:-2]
    D = steps.inner[:, :nv].copy()  # of ξ itself, by (x, u, 1)
    D[:, :, -1] += xi
    H = D.swapaxes(1, 2) @ (by_xi[:, None] * D)
    torque = np.arange(nx, nx + len(by_u))
    H[:, torque, torque] += by_u
    H[:, torque, -1] += by_u * u
    end = _end(made, x)
    swept = _swept(H, steps.after, end.off, bool(by_xi.any()))
    all_ = np.concatenate([swept.x[:-1, :-1], swept.u, np.ones((N, 1))], axis=1)
    inner = (steps.inner @ all_[..., None])[..., 0]
    stages = np.hstack([swept.x[:-1, :-1], inner[:, :nv], swept.u, inner[:, nv:]])
    change = np.concatenate(
        [stages.ravel(), swept.x[-1, :-1], end.velocity @ swept.x[-1], np.zeros(int(made.task.free))]
    )

    slope = np.zeros_like(inner)
    slope[:, :nv] = by_xi * (xi + inner[:, :nv])
    costate = swept.costate[1:, :, None]
    right = -(steps.moved.swapaxes(1, 2) @ costate) - slope[..., None]
    second = np.linalg.solve(steps.own.swapaxes(1, 2), right)
    first = -costate - steps.closed.swapaxes(1, 2) @ second
    multipliers = np.zeros(program.rows)
    multipliers[: program.starts[1]] = np.concatenate([first, second], axis=1).ravel()
    multipliers[program.starts[1] : program.starts[2]] = end.multipliers @ swept.multipliers
    multipliers[program.rows - len(swept.multipliers) :] = swept.multipliers
    return change, multipliers


class _Swept(NamedTuple):
    """Solution of a linear-quadratic problem: changes of states (N + 1, nx + 1; a one at the end) and torques, the
    multipliers ν of the end's conditions, and what the rest of the motion costs by each state, (N + 1, nx)."""

    x: np.ndarray
    u: np.ndarray
    multipliers: np.ndarray
    costate: np.ndarray


def _swept(H: np.ndarray, F: np.ndarray, end: np.ndarray, curved: bool) -> _Swept:
    """min Σ zᵀHz/2, z = (x, u, 1), with x' = F z from x = 0 and `end` (x, 1) = 0: backwards for the cost to go
    xᵀPx/2 + νᵀGᵀx, then forwards. Without costs of states (`curved`) P stays zero."""
    N, nx, n = F.shape
    nu, state = n - 1 - nx, [*range(nx), n - 1]
    x, u = slice(0, nx + 1), slice(nx, n - 1)
    P, G = np.zeros((N + 1, nx + 1, nx + 1)), np.empty((N + 1, nx + 1, len(end)))
    G[N] = end.T
    K = np.empty((N, nu, nx + 1 + len(end)))
    S = np.zeros((len(end), len(end)))
    F = np.concatenate([F, np.broadcast_to(np.eye(n)[-1:], (N, 1, n))], axis=1)
    for k in range(N - 1, -1, -1):
        of_end = F[k].T @ G[k + 1]
        cost = H[k] + F[k].T @ P[k + 1] @ F[k] if curved else H[k]
        K[k] = np.linalg.solve(cost[u, u], np.hstack([cost[u][:, state], of_end[u]]))
        if curved:
            P[k] = cost[np.ix_(state, state)] - cost[state, u] @ K[k, :, x]
        G[k] = of_end[state] - K[k, :, x].T @ of_end[u]
        S += of_end[u].T @ K[k, :, nx + 1 :]
    if not np.all(np.isfinite(S)):
        raise np.linalg.LinAlgError("what grows along the motion is no number any more")
    multipliers = np.linalg.lstsq(S, G[0, -1], rcond=1e-12)[0]
    X, U = np.zeros((N + 1, nx + 1)), np.empty((N, nu))
    X[:, -1] = 1.0
    for k in range(N):
        U[k] = -K[k, :, x] @ X[k] - K[k, :, nx + 1 :] @ multipliers
        X[k + 1] = F[k] @ np.concatenate([X[k, :nx], U[k], [1.0]])
    costate = (P @ X[..., None])[..., 0] + G @ multipliers
    return _Swept(X, U, multipliers, costate[:, :nx])


class _End(NamedTuple):
    """At the last state (x, 1): the end's conditions, the velocity with the latches' impulses, and the multipliers of
    its equations by those of the conditions."""

    off: np.ndarray
    velocity: np.ndarray
    multipliers: np.ndarray


def _end(made: Transcription, x: np.ndarray) -> _End:
    program, nx, nq = made.program, made.nx, made.tree.nq

    def at(part: Part) -> tuple[np.ndarray, np.ndarray]:
        J, z = np.zeros((part.block.m, part.block.n)), x[part.at]
        J[part.block.jacobian] = part.block.slope(z, part.given, program.theta)[0, part.block.n :]
        return J, part.block.value(z, part.given, program.theta)[0, 1:]

    J, c = at(program.parts[1])
    v = -np.linalg.solve(J[:, nx:], np.column_stack([J[:, :nx], c]))
    C, off = (np.concatenate(both) for both in zip(*map(at, made.conditions), strict=True))
    by_state, by_v = np.zeros((len(off), nx + 1)), np.zeros((len(off), len(v)))
    by_state[:, :nq], by_state[:, -1], by_v[:, : C.shape[1] - nq] = C[:, :nq], off, C[:, nq:]
    return _End(by_state + by_v @ v, v, -np.linalg.solve(J[:, nx:].T, by_v.T))
