"""A sparse nonlinear program made of blocks that repeat, solved by IPOPT with exact derivatives."""

import re
import time
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr
from dataclasses import dataclass
from io import StringIO
from typing import Any, NamedTuple

import casadi as ca
import numpy as np

from softdock.optimal.block import Block

COLD = {
    "print_level": 0, "sb": "yes", "tol": 1e-9, "constr_viol_tol": 1e-10, "dual_inf_tol": 1e-6, "compl_inf_tol": 1e-9,
    "acceptable_iter": 0, "max_iter": 500, "linear_solver": "mumps", "mumps_permuting_scaling": 0, "mumps_scaling": 0,
    "mumps_pivot_order": 0, "mu_strategy": "adaptive", "bound_relax_factor": 0.0, "min_refinement_steps": 0,
}  # fmt: skip
"""Options of IPOPT. MUMPS looks for no permutation and no scaling of a matrix that is scaled and nearly in order, and
orders by minimum degree: half the time of what it does by itself."""
NEAR = {"mu_strategy": "monotone", "mu_init": 1e-5, "bound_push": 1e-5, "bound_frac": 1e-5}
"""Further ones from a guess that is nearly a solution."""
WARM = {
    "mu_strategy": "monotone",
    "warm_start_init_point": "yes", "mu_init": 1e-7, "warm_start_bound_push": 1e-8, "warm_start_bound_frac": 1e-8,
    "warm_start_slack_bound_push": 1e-8, "warm_start_slack_bound_frac": 1e-8, "warm_start_mult_bound_push": 1e-8,
}  # fmt: skip
"""Further ones from a neighbouring solution."""
SIZE = 10.0
"""Of the cost at a guess, as the solver sees it: its tolerances are numbers, and mean nothing beside a cost of 1e-9."""
OPTIMAL = 1e-8
"""Error of the conditions of optimality up to which they count as kept."""
AS_NEAR_AS_CAN_BE = {"Solved_To_Acceptable_Level", "Search_Direction_Becomes_Too_Small"}
"""What IPOPT says where rounding lets it come no nearer: of positions of 100 km, say, beside tolerances of 1e-10 m. It
is a solution if the error of the conditions of optimality, which we compute ourselves, says so."""
FALLEN = 100.0
"""By this factor below the guess's cost, a solution's own cost is the unit in which it is solved for again."""


@dataclass
class Part:
    """A block at several places of the program."""

    name: str
    block: Block
    at: np.ndarray
    """(places, n): which variables it takes."""
    given: np.ndarray
    """(places or 1, …): its parameters."""
    low: np.ndarray
    """(places, m)."""
    high: np.ndarray
    labels: Sequence[str] = ()
    """Of its rows, for messages."""


class Solved(NamedTuple):
    """What the solver gave."""

    x: np.ndarray
    cost: float
    multipliers: np.ndarray
    """Of the constraints."""
    bound_multipliers: np.ndarray
    status: str
    """IPOPT's word."""
    iterations: int
    seconds: float
    kkt: float
    """Error of the conditions of optimality, scaled as IPOPT does (-)."""
    regularised: bool = False
    """Was the last iteration's matrix without the inertia of a minimum, or was there no iteration?"""
    minimum: bool = True
    """Is it one, as far as was tried?"""


class Program:
    """min Σ l, low ≤ c ≤ high, lower ≤ x ≤ upper."""

    def __init__(self, size: int, parts: Sequence[Part], theta: np.ndarray) -> None:
        self.size, self.parts, self.theta = size, list(parts), theta
        self.lower, self.upper = np.full(size, -np.inf), np.full(size, np.inf)
        counts = [len(part.at) * part.block.m for part in self.parts]
        self.starts = np.concatenate([[0], np.cumsum(counts)]).astype(int)
        self.rows = int(self.starts[-1])
        self._jacobian = _Sparse(*self._entries("jacobian"), (self.rows, size))
        rows, columns = self._entries("hessian")
        self._hessian = _Sparse(np.minimum(rows, columns), np.maximum(rows, columns), (size, size))
        self._solvers: dict[Any, Any] = {}
        self._callbacks: dict[str, Any] = {}
        self._known: tuple[bytes, list[np.ndarray]] = (b"", [])
        self.unit = 1.0
        """Of the cost in the last solution."""

    def _entries(self, which: str) -> tuple[np.ndarray, np.ndarray]:
        """Rows and columns of all nonzeros, part by part."""
        rows, columns = [], []
        for start, part in zip(self.starts, self.parts, strict=False):
            i, j = getattr(part.block, which)
            places = np.arange(len(part.at))[:, None]
            rows.append((start + places * part.block.m + i if which == "jacobian" else part.at[:, i]).ravel())
            columns.append(part.at[:, j].ravel())
        return np.concatenate(rows).astype(int), np.concatenate(columns).astype(int)

    # --- evaluation ----------------------------------------------------------------------------

    def value(self, x: np.ndarray) -> tuple[float, np.ndarray]:
        """Cost and constraints."""
        outs = [part.block.value(x[part.at], part.given, self.theta) for part in self.parts]
        return float(sum(out[:, 0].sum() for out in outs)), np.concatenate([out[:, 1:].ravel() for out in outs])

    def _slopes(self, x: np.ndarray) -> list[np.ndarray]:
        """Of all parts; the last answer is kept, since gradient and Jacobian are asked for one after the other."""
        key = x.tobytes()
        if self._known[0] != key:
            self._known = key, [part.block.slope(x[part.at], part.given, self.theta) for part in self.parts]
        return self._known[1]

    def gradient(self, x: np.ndarray) -> np.ndarray:
        """Of the cost."""
        out = np.zeros(self.size)
        for part, slope in zip(self.parts, self._slopes(x), strict=True):
            own = slope[:, : part.block.n]
            if own.any():
                out += np.bincount(part.at.ravel(), own.ravel(), self.size)
        return out

    def jacobian(self, x: np.ndarray) -> np.ndarray:
        """Nonzeros of the constraints' Jacobian."""
        slopes = zip(self.parts, self._slopes(x), strict=True)
        return self._jacobian.fill(np.concatenate([slope[:, part.block.n :].ravel() for part, slope in slopes]))

    def hessian(self, x: np.ndarray, factor: float, multipliers: np.ndarray) -> np.ndarray:
        """Nonzeros of the Lagrangian's Hessian, upper triangle."""
        values = []
        for k, part in enumerate(self.parts):
            weights = np.empty((len(part.at), 1 + part.block.m))
            weights[:, 0] = factor
            weights[:, 1:] = multipliers[self.starts[k] : self.starts[k + 1]].reshape(len(part.at), -1)
            values.append(part.block.curvature(x[part.at], weights, part.given, self.theta).ravel())
        return self._hessian.fill(np.concatenate(values))

    @property
    def bounds(self) -> tuple[np.ndarray, np.ndarray]:
        """Of the constraints."""
        low, high = (
            np.concatenate([np.broadcast_to(getattr(p, side), (len(p.at), p.block.m)).ravel() for p in self.parts])
            for side in ("low", "high")
        )
        return low, high

    def violations(self, x: np.ndarray) -> np.ndarray:
        """By how much each constraint is violated."""
        c, (low, high) = self.value(x)[1], self.bounds
        return np.maximum(np.maximum(low - c, c - high), 0.0)

    def worst(self, x: np.ndarray) -> tuple[str, float]:
        """The constraint that is violated most, and by how much: conditions before the step's own equations, which a
        solver that gives up leaves open too."""
        off = self.violations(x)
        found = []
        for k, part in enumerate(self.parts):
            own = off[self.starts[k] : self.starts[k + 1]].reshape(len(part.at), -1)
            if own.size:
                place, row = np.unravel_index(int(own.argmax()), own.shape)
                label = part.labels[int(row)] if part.labels else part.name
                found.append((bool(part.labels), float(own[place, row]), label))
        found.sort(key=lambda one: (one[0] and one[1] > 1e-6, one[1]))
        return found[-1][2], found[-1][1]

    # --- solution ------------------------------------------------------------------------------

    def solve(
        self,
        x: np.ndarray,
        warm: Solved | None = None,
        near: bool = False,
        again: bool = False,
        like: np.ndarray | None = None,
        **options: Any,
    ) -> Solved:
        """From a guess x, `near` a solution or not; warm from an earlier solution's multipliers. The unit of cost is
        that of x, or of what the solution will be `like`; a solution that is not exact in units of its own cost is
        solved for `again`."""
        solver = self._solver(COLD | (NEAR if near else {}) | (WARM if warm is not None else {}) | options)
        low, high = self.bounds
        self.unit = unit = self._cost_unit(x if like is None else like)
        known = {} if warm is None else {"lam_g0": warm.multipliers / unit, "lam_x0": warm.bound_multipliers / unit}
        began = time.perf_counter()
        with redirect_stderr(StringIO()):  # CasADi's word that fixed variables leave more equations than unknowns
            out = solver(x0=x, lbx=self.lower, ubx=self.upper, lbg=low, ubg=high, **known)
        seconds, stats = time.perf_counter() - began, solver.stats()
        self._raise()
        x, multipliers, bound_multipliers = (np.array(out[name]).ravel() for name in ("x", "lam_g", "lam_x"))
        status, iterations = stats["return_status"], int(stats["iter_count"])
        kkt = self.optimality(x, multipliers, bound_multipliers)
        if status in AS_NEAR_AS_CAN_BE and kkt <= OPTIMAL:
            status = "Solve_Succeeded"
        cost, multipliers, bound_multipliers = self.value(x)[0], unit * multipliers, unit * bound_multipliers
        bent = stats["iterations"]["regularization_size"][-1] > 0.0 if iterations else warm is None
        solved = Solved(x, cost, multipliers, bound_multipliers, status, iterations, seconds, kkt, bent)
        exact = kkt <= OPTIMAL and self._cost_unit(x) > unit / FALLEN
        if status != "Solve_Succeeded" or exact or again:
            return solved
        finer = self.solve(x, solved, again=True, **options)
        return finer._replace(iterations=iterations + finer.iterations, seconds=seconds + finer.seconds)

    def _cost_unit(self, x: np.ndarray) -> float:
        """In which the solver has the cost: by its terms at x, each without its sign, or by those of variables of one,
        if x costs next to nothing."""
        sizes = float(np.abs(self.gradient(x)) @ np.abs(x)), float(np.abs(self.gradient(np.ones(self.size))).sum())
        own, one = (size if np.isfinite(size) else 0.0 for size in sizes)
        return (own if own > 1e-6 * one else one) / SIZE or 1.0

    def measured(self, solved: Solved, x: np.ndarray) -> Solved:
        """The last solution moved by little, to x."""
        multipliers = solved.multipliers / self.unit, solved.bound_multipliers / self.unit
        return solved._replace(x=x, cost=self.value(x)[0], kkt=self.optimality(x, *multipliers))

    def optimality(self, x: np.ndarray, multipliers: np.ndarray, bound_multipliers: np.ndarray) -> float:
        """IPOPT's error (Wächter & Biegler 2006, eq. 5) without barrier: stationarity and complementarity over the mean
        size of multipliers, if that is above 100, and feasibility; of the cost in the solver's units."""
        free = self.lower < self.upper
        slope = (
            self.gradient(x) / self.unit + self._jacobian.transposed(self.jacobian(x)) @ multipliers + bound_multipliers
        )
        low, high = self.bounds
        c = self.value(x)[1]
        slack = [_slack(c, low, high, multipliers), _slack(x, self.lower, self.upper, bound_multipliers)[free]]
        size = max(100.0, float(np.abs(np.concatenate([multipliers, bound_multipliers[free]])).mean())) / 100.0
        beyond = np.maximum(self.lower - x, x - self.upper)
        errors = [np.abs(slope[free]) / size, *(np.abs(s) / size for s in slack), self.violations(x), beyond]
        return max(float(error.max(initial=0.0)) for error in errors)

    def _solver(self, options: dict[str, Any]) -> Any:
        key = tuple(sorted(options.items()))
        if key not in self._solvers:
            if not self._callbacks:
                self._callbacks = self._make_callbacks()
            calls = self._callbacks
            try:
                self._solvers[key] = ca.nlpsol(
                    "plan", "ipopt", calls["nlp"],
                    {"print_time": False, "grad_f": calls["nlp_grad_f"], "jac_g": calls["nlp_jac_g"],
                     "hess_lag": calls["nlp_hess_l"], "calc_lam_p": False, "no_nlp_grad": True,
                     "show_eval_warnings": False, "ipopt": options},
                )  # fmt: skip
            except RuntimeError as error:
                said = re.sub(r"^\S*:\d+: ", "", str(error).strip().rsplit("\n", 1)[-1])
                raise ValueError(f"IPOPT's options: {said}"[:280]) from error
        return self._solvers[key]

    def _make_callbacks(self) -> dict[str, Any]:
        dense = ca.Sparsity.dense
        x, nothing = ("x", dense(self.size)), ("p", dense(0, 0))
        f, g = ("f", dense(1)), ("g", dense(self.rows))

        def nlp(given: list[Any], out: list[Any]) -> None:
            cost, c = self.value(given[0])
            _put(out[0], cost / self.unit)
            _put(out[1], c)

        def gradient(given: list[Any], out: list[Any]) -> None:
            _put(out[0], 0.0)
            _put(out[1], self.gradient(given[0]) / self.unit)

        def jacobian(given: list[Any], out: list[Any]) -> None:
            _put(out[0], 0.0)
            _put(out[1], self.jacobian(given[0]))

        def hessian(given: list[Any], out: list[Any]) -> None:
            factor = 1.0 if given[2] is None else float(given[2][0])
            _put(out[0], self.hessian(given[0], factor / self.unit, given[3]))

        J, H = self._jacobian.pattern, self._hessian.pattern
        return {
            "nlp": _Callback("nlp", [x, nothing], [f, g], nlp),
            "nlp_grad_f": _Callback("nlp_grad_f", [x, nothing], [f, ("grad_f_x", dense(self.size))], gradient),
            "nlp_jac_g": _Callback("nlp_jac_g", [x, nothing], [g, ("jac_g_x", J)], jacobian),
            "nlp_hess_l": _Callback(
                "nlp_hess_l", [x, nothing, ("lam_f", dense(1)), ("lam_g", dense(self.rows))],
                [("triu_hess_gamma_x_x", H)], hessian,
            ),
        }  # fmt: skip

    def _raise(self) -> None:
        """What a callback raised: CasADi would tell it as a failed evaluation."""
        for callback in self._callbacks.values():
            error, callback.error = callback.error, None
            if error is not None:
                raise error


class _Sparse:
    """A sparse matrix of a fixed pattern, filled from entries of which some may fall together."""

    def __init__(self, rows: np.ndarray, columns: np.ndarray, shape: tuple[int, int]) -> None:
        key = columns.astype(np.int64) * shape[0] + rows
        unique, self._to = np.unique(key, return_inverse=True)
        self._count, self._single, self.shape = len(unique), len(unique) == len(key), shape
        self._order = np.argsort(self._to, kind="stable") if self._single else np.zeros(0, int)
        self.rows, columns = unique % shape[0], unique // shape[0]
        self._starts = np.searchsorted(columns, np.arange(shape[1] + 1))
        self.pattern = ca.Sparsity(*shape, self._starts.tolist(), self.rows.tolist())

    def fill(self, values: np.ndarray) -> np.ndarray:
        return values[self._order] if self._single else np.bincount(self._to, values, self._count)

    def transposed(self, nonzeros: np.ndarray) -> Any:
        from scipy.sparse import csc_matrix

        return csc_matrix((nonzeros, self.rows, self._starts), shape=self.shape).T


class _Callback(ca.Callback):
    """A function of buffers."""

    def __init__(self, name: str, given: list[Any], out: list[Any], function: Callable[..., None]) -> None:
        ca.Callback.__init__(self)
        self._given, self._out, self._function = given, out, function
        self.error: Exception | None = None
        self.construct(name, {})

    def get_n_in(self) -> int:
        return len(self._given)

    def get_n_out(self) -> int:
        return len(self._out)

    def get_name_in(self, i: int) -> str:
        return str(self._given[i][0])

    def get_name_out(self, i: int) -> str:
        return str(self._out[i][0])

    def get_sparsity_in(self, i: int) -> Any:
        return self._given[i][1]

    def get_sparsity_out(self, i: int) -> Any:
        return self._out[i][1]

    def has_eval_buffer(self) -> bool:
        return True

    def has_jacobian(self, *_: Any) -> bool:
        return False

    def eval_buffer(self, given: Any, out: Any) -> int:
        try:
            self._function(
                [None if a is None or len(a) == 0 else np.frombuffer(a, dtype=np.float64) for a in given],
                [None if b is None else np.frombuffer(b, dtype=np.float64) for b in out],
            )
        except Exception as error:  # told by `_raise`, once the solver has returned
            self.error = error
            return 1
        return 0


def _put(target: np.ndarray | None, values: Any) -> None:
    if target is not None:
        target[:] = values


def _slack(x: np.ndarray, low: np.ndarray, high: np.ndarray, multipliers: np.ndarray) -> np.ndarray:
    """Multiplier × distance from the bound that it belongs to: above zero, the upper one (CasADi's sign)."""
    distance = np.where(multipliers > 0, high - x, x - low)
    return np.where(np.isfinite(distance), distance, 0.0) * multipliers
