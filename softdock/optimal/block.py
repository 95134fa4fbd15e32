"""A stage's cost and constraints with exact first and second derivatives, as machine code.

A program's variables and constraints repeat from stage to stage, so one kernel, called for each stage, gives all of
the sparse Jacobian and of the Lagrangian's Hessian.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

import softdock.mechanics
from softdock import kernels
from softdock.kernels import call
from softdock.kernels.jit import njit

if TYPE_CHECKING:
    import casadi as ca

SOURCES = sorted(
    [
        *Path(softdock.mechanics.__file__).parent.glob("*.py"),
        *(Path(__file__).parent / name for name in ("block.py", "drives.py", "stage.py")),
    ]
)


class Written(NamedTuple):
    """A stage as expressions: variables z, parameters e, the world's numbers θ, cost l and constraints c."""

    z: "ca.SX"
    e: "ca.SX"
    theta: "ca.SX"
    cost: "ca.SX"
    rows: "ca.SX"


@njit(cache=True, nogil=True)
def each(kernel, Z, multipliers, E, theta, out):
    """A kernel at every row; one row of E stands for all."""
    for k in range(Z.shape[0]):
        call(kernel, Z[k], multipliers[k], E[min(k, E.shape[0] - 1)], theta, out[k])


class Block:
    """l(z) and c(z) with n variables and m constraints; `key` says all that they depend on besides code, `more` what is
    compiled besides values and slopes: "curvature" or "along"."""

    def __init__(
        self,
        key: str,
        n: int,
        m: int,
        derive: Callable[[], Written],
        announce: Callable[[str], None] | None = None,
        more: str = "curvature",
    ) -> None:
        self.n, self.m = n, m
        self._library = kernels.load(
            f"optimal {more} {key}", lambda: _functions(derive(), more), sources=SOURCES, announce=announce
        )
        nothing = np.zeros(1)
        pattern = np.empty((1, m * n + n * n))
        each(self._library.address("pattern"), nothing[None], nothing[None], nothing[None], nothing, pattern)
        # CasADi's order of nonzeros is by columns
        self.jacobian = tuple(np.nonzero(pattern[0, : m * n].reshape(n, m))[::-1])
        self.hessian = tuple(np.nonzero(pattern[0, m * n :].reshape(n, n))[::-1])
        self._sizes = {
            "value": 1 + m,
            "slope": n + len(self.jacobian[0]),
            "curvature": len(self.hessian[0]),
            "along": m,
        }

    def value(self, Z: np.ndarray, E: np.ndarray, theta: np.ndarray) -> np.ndarray:
        """(rows, 1 + m): l and c."""
        return self._all("value", Z, Z, E, theta)

    def slope(self, Z: np.ndarray, E: np.ndarray, theta: np.ndarray) -> np.ndarray:
        """(rows, n + nonzeros): ∂l/∂z and the nonzeros of ∂c/∂z."""
        return self._all("slope", Z, Z, E, theta)

    def curvature(self, Z: np.ndarray, multipliers: np.ndarray, E: np.ndarray, theta: np.ndarray) -> np.ndarray:
        """(rows, nonzeros) of the lower triangle of the Hessian of λ₀ l + Σ λ c."""
        return self._all("curvature", Z, multipliers, E, theta)

    def along(self, z: np.ndarray, directions: np.ndarray, e: np.ndarray, theta: np.ndarray) -> np.ndarray:
        """(directions, m): ∂c of changes of (e, θ), at one place."""
        Z = np.broadcast_to(z, (len(directions), len(z)))
        return self._all("along", Z, directions, e[None], theta)

    def _all(self, name: str, Z: np.ndarray, multipliers: np.ndarray, E: np.ndarray, theta: np.ndarray) -> np.ndarray:
        out = np.empty((len(Z), self._sizes[name]))
        if out.size:
            each(self._library.address(name), *map(np.ascontiguousarray, (Z, multipliers, E)), theta, out)
        return out


def _functions(written: Written, more: str) -> "dict[str, ca.Function]":
    import casadi as ca

    z, e, theta, cost, rows = written
    rows = ca.densify(ca.vec(rows))
    J = ca.jacobian(rows, z)
    second, pattern, of_second = (_curvature if more == "curvature" else _along)(z, e, theta, cost, rows)
    flags = [ca.densify(ca.vec(ca.DM.ones(A))) for A in (J.sparsity(), pattern)]
    results = {
        "value": ca.vertcat(cost, rows),
        "slope": ca.vertcat(ca.densify(ca.gradient(cost, z)), *_nonzeros(J)),
        "pattern": ca.SX(ca.vertcat(*flags)),
        more: second,
    }
    return {
        name: ca.Function(name, [z, of_second, e, theta], [ca.densify(out)], {"cse": True})
        for name, out in results.items()
    }


def _curvature(z: "ca.SX", e: "ca.SX", theta: "ca.SX", cost: "ca.SX", rows: "ca.SX") -> "tuple[ca.SX, Any, ca.SX]":
    """The Lagrangian's Hessian, its pattern, and the multipliers."""
    import casadi as ca

    multipliers = ca.SX.sym("multipliers", 1 + rows.numel())
    lagrangian = multipliers[0] * cost + (ca.dot(multipliers[1:], rows) if rows.numel() else 0)
    H = ca.tril(ca.hessian(lagrangian, z)[0])
    return ca.vertcat(*_nonzeros(H)), H.sparsity(), multipliers


def _along(z: "ca.SX", e: "ca.SX", theta: "ca.SX", cost: "ca.SX", rows: "ca.SX") -> "tuple[ca.SX, Any, ca.SX]":
    """The constraints' change with parameters and numbers, no Hessian, and the direction of the change."""
    import casadi as ca

    given = ca.vertcat(e, theta)
    direction = ca.SX.sym("direction", given.numel())
    return ca.jtimes(rows, given, direction), ca.Sparsity(z.numel(), z.numel()), direction


def _nonzeros(A: "ca.SX") -> "Sequence[ca.SX]":
    return [A.nz[k] for k in range(A.nnz())]
