"""Comparisons in kernels, whose results CasADi takes for numbers: kept as the processor has them where they are used.

    if_else(a < b, x, y)    CasADi: ((a < b) ? x : 0) + (not (a < b) ? y : 0)    here: a < b ? x : y

These are the same numbers but for the sign of a zero, and 1 or 0 need not be made and compared again.
"""

from __future__ import annotations

from softdock.kernels.lanes import Kind

_COMPARES = {"LT", "LE", "EQ", "NE"}
_JOINS = {"AND": "and", "OR": "or"}


class Flags:
    """What is known of the numbers of a kernel, of that kind, as it is written."""

    def __init__(self, kind: Kind) -> None:
        self._number, self._flag = kind.number, kind.flag
        self._one, self._zero, self._set = kind.constant("1.0"), kind.constant("0.0"), kind.constant("true", "i1")
        self._known: set[str] = set()
        """Numbers that are 1 or 0: `.c` of each is its flag."""
        self._opposite: dict[str, str] = {}
        self._chosen: dict[str, tuple[str, str]] = {}
        """Of numbers that are another one or 0: the flag's number, and that one."""

    def written(self, op: str, r: str, operands: tuple[str, ...]) -> str | None:
        """An operation that uses flags; None if it is to be written as it is."""
        a, b = operands[0], operands[-1]
        if op in _COMPARES:
            self._known.add(r)
        elif op == "NOT" and a in self._known:
            self._opposite[r] = a
            return self._made(r, f"xor {self._flag} {a}.c, {self._set}")
        elif op in _JOINS and a in self._known and b in self._known:
            return self._made(r, f"{_JOINS[op]} {self._flag} {a}.c, {b}.c")
        elif op == "IF_ELSE_ZERO" and a in self._known:
            self._chosen[r] = a, b
            return self._select(r, a, b, self._zero)
        elif op == "ADD" and a in self._chosen and b in self._chosen:
            (flag, this), (other, that) = self._chosen[a], self._chosen[b]
            if self._opposite.get(other) == flag:
                return self._select(r, flag, this, that)
        return None

    def _made(self, r: str, flag: str) -> str:
        self._known.add(r)
        return f"{r}.c = {flag}\n{self._select(r, r, self._one, self._zero)}"

    def _select(self, r: str, flag: str, a: str, b: str) -> str:
        return f"{r} = select {self._flag} {flag}.c, {self._number} {a}, {self._number} {b}"
