"""CasADi functions in arithmetic of any precision: their instructions, one by one, with mpmath."""

from collections.abc import Callable, Sequence
from typing import Any

import casadi as ca
import mpmath as mp

_TWO = {
    ca.OP_ADD: lambda a, b: a + b, ca.OP_SUB: lambda a, b: a - b, ca.OP_MUL: lambda a, b: a * b,
    ca.OP_DIV: lambda a, b: a / b, ca.OP_POW: lambda a, b: a**b, ca.OP_CONSTPOW: lambda a, b: a**b,
}  # fmt: skip
_ONE = {
    ca.OP_ASSIGN: lambda a: a, ca.OP_NEG: lambda a: -a, ca.OP_SIN: mp.sin, ca.OP_COS: mp.cos, ca.OP_SQ: lambda a: a * a,
    ca.OP_TWICE: lambda a: 2 * a, ca.OP_INV: lambda a: 1 / a, ca.OP_SQRT: mp.sqrt, ca.OP_FABS: abs,
}  # fmt: skip


def in_digits(f: ca.Function) -> Callable[[Sequence[Sequence[Any]]], list[list[Any]]]:
    """f of lists of mpmath's numbers."""
    count = f.n_instructions()
    steps = [
        (
            f.instruction_id(k), f.instruction_input(k), f.instruction_output(k),
            mp.mpf(f.instruction_constant(k)) if f.instruction_id(k) == ca.OP_CONST else None,
        )
        for k in range(count)
    ]  # fmt: skip

    def run(given: Sequence[Sequence[Any]]) -> list[list[Any]]:
        work, out = [mp.mpf(0)] * f.sz_w(), [[mp.mpf(0)] * f.nnz_out(i) for i in range(f.n_out())]
        for op, i, o, constant in steps:
            if op == ca.OP_CONST:
                work[o[0]] = constant
            elif op == ca.OP_INPUT:
                work[o[0]] = given[i[0]][i[1]]
            elif op == ca.OP_OUTPUT:
                out[o[0]][o[1]] = work[i[0]]
            elif op in _ONE:
                work[o[0]] = _ONE[op](work[i[0]])
            else:
                work[o[0]] = _TWO[op](work[i[0]], work[i[1]])
        return out

    return run
