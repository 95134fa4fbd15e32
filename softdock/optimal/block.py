"""A stage's cost and constraints with exact first and second derivatives, as machine code.

A program's variables and constraints repeat from stage to stage, so one kernel, called for each stage, gives all of
the sparse Jacobian and of the Lagrangian's Hessian.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

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
        *(Path(__file__).parent / name for name in ("block.py", "stage.py")),
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
    """l(z) and c(z) with n variables and m constraints; `key` says all that they depend on besides code."""

    def __init__(
        self,
        key: str,
        n: int,
        m: int,
        derive: Callable[[], Written],
        announce: Callable[[str], None] | None = None,
    ) -> None:
        self.n, self.m = n, m
        self._library = kernels.load(f"optimal {key}", lambda: _functions(derive()), sources=SOURCES, announce=announce)
        nothing = np.zeros(1)
        pattern = np.empty((1, m * n + n * n))
        each(self._library.address("pattern"), nothing[None], nothing[None], nothing[None], nothing, pattern)
        # CasADi's order of nonzeros is by columns
        self.jacobian = tuple(np.nonzero(pattern[0, : m * n].reshape(n, m))[::-1])
        self.hessian = tuple(np.nonzero(pattern[0, m * n :].reshape(n, n))[::-1])
        self._sizes = {"value": 1 + m, "slope": n + len(self.jacobian[0]), "curvature": len(self.hessian[0])}

    def value(self, Z: np.ndarray, E: np.ndarray, theta: np.ndarray) -> np.ndarray:
        """(rows, 1 + m): l and c."""
        return self._all("value", Z, Z, E, theta)

    def slope(self, Z: np.ndarray, E: np.ndarray, theta: np.ndarray) -> np.ndarray:
        """(rows, n + nonzeros): ∂l/∂z and the nonzeros of ∂c/∂z."""
        return self._all("slope", Z, Z, E, theta)

    def curvature(self, Z: np.ndarray, multipliers: np.ndarray, E: np.ndarray, theta: np.ndarray) -> np.ndarray:
        """(rows, nonzeros) of the lower triangle of the Hessian of λ₀ l + Σ λ c."""
        return self._all("curvature", Z, multipliers, E, theta)

    def _all(self, name: str, Z: np.ndarray, multipliers: np.ndarray, E: np.ndarray, theta: np.ndarray) -> np.ndarray:
        out = np.empty((len(Z), self._sizes[name]))
        if out.size:
            each(self._library.address(name), *map(np.ascontiguousarray, (Z, multipliers, E)), theta, out)
        return out


def _functions(written: Written) -> "dict[str, ca.Function]":
    import casadi as ca

    z, e, theta, cost, rows = written
    rows = ca.densify(ca.vec(rows))
    multipliers = ca.SX.sym("multipliers", 1 + rows.numel())
    J = ca.jacobian(rows, z)
    lagrangian = multipliers[0] * cost + (ca.dot(multipliers[1:], rows) if rows.numel() else 0)
    H = ca.tril(ca.hessian(lagrangian, z)[0])
    flags = [ca.densify(ca.vec(ca.DM.ones(A.sparsity()))) for A in (J, H)]
    results = {
        "value": ca.vertcat(cost, rows),
        "slope": ca.vertcat(ca.densify(ca.gradient(cost, z)), *_nonzeros(J)),
        "curvature": ca.vertcat(*_nonzeros(H)),
        "pattern": ca.SX(ca.vertcat(*flags)),
    }
    return {
        name: ca.Function(name, [z, multipliers, e, theta], [ca.densify(out)], {"cse": True})
        for name, out in results.items()
    }


def _nonzeros(A: "ca.SX") -> "Sequence[ca.SX]":
    return [A.nz[k] for k in range(A.nnz())]
