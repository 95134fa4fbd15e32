"""Straight-line code, cut into functions that LLVM can compile in linear time.

Register allocation of one block grows faster than its length: 64,000 instructions took 15 s whole and 5 s in pieces
of 8000. A value that lives from one piece to the next goes through memory, as nearly all such values do anyway with
sixteen registers, and short pieces are the better for it (s to compile, and ns a call on a busy machine):

    pieces of                               8000           2000           1000           500
    step_derivatives of capture (57,759)    6.6   11,273   4.6   11,328   3.7   11,085   2.9   10,789
    newton of 64 joints (15,545)            1.8     3932   1.5     3982   1.2     4061   0.9     3892
    the same, four worlds side by side      2.0     6775   1.8     6474   1.3     6023   1.0     5848

What is no longer than 8000 is left whole: cut, some such kernels run 5 % slower. What is up to twice as long is cut
once: where it is cut changes rounding, and with it, in the end, at which instant `servicing` grasps.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from softdock.kernels.lanes import ONE, Kind

ARGUMENTS = ("q", "v", "e", "theta")
LENGTH, PIECE = 8000, 500
"""Longest whole function; length of the pieces of those more than twice as long."""

_INPUTS = ", ".join(f"ptr readonly %{name}" for name in ARGUMENTS)
_POINTERS = ", ".join(f"ptr %{name}" for name in (*ARGUMENTS, "out", "work"))


@dataclass(frozen=True, slots=True)
class Statement:
    """IR lines that belong together, the values that they define, and the operands that they use."""

    text: str
    results: tuple[str, ...]
    operands: tuple[str, ...]


def definition(name: str, statements: Sequence[Statement], kind: Kind = ONE) -> str:
    """The kernel `name`: one function, or one that calls its pieces in turn. Its values are of that kind."""
    head = f"define void @{name}({_INPUTS}, ptr noalias writeonly %out) nounwind {{\n"
    if len(statements) <= LENGTH:
        return head + "".join(f"{statement.text}\n" for statement in statements) + "ret void\n}\n"
    cut = [statements[start:end] for start, end in pairwise([0, *_starts(len(statements)), len(statements)])]
    slots = _slots(cut)
    pieces = "".join(_piece(f"{name}.{k}", piece, slots, kind.number) for k, piece in enumerate(cut))
    calls = "".join(f"call void @{name}.{k}({_POINTERS})\n" for k in range(len(cut)))
    return f"{pieces}{head}%work = alloca [{len(slots)} x {kind.number}], align 64\n{calls}ret void\n}}\n"


def _starts(length: int) -> range:
    """Where pieces after the first begin; short ones are counted from the end, where kernels of one lane and of four
    are alike: what is not cut apart may be contracted."""
    return range(LENGTH, length, LENGTH) if length <= 2 * LENGTH else range(PIECE + length % PIECE, length, PIECE)


def _slots(cut: Sequence[Sequence[Statement]]) -> dict[str, int]:
    """Where in the work array each value is kept that is used in a later piece than its own."""
    home = {result: k for k, piece in enumerate(cut) for statement in piece for result in statement.results}
    slots: dict[str, int] = {}
    for k, piece in enumerate(cut):
        for statement in piece:
            for operand in statement.operands:
                if home.get(operand, k) != k:
                    slots.setdefault(operand, len(slots))
    return slots


def _piece(name: str, statements: Sequence[Statement], slots: dict[str, int], number: str) -> str:
    body = "\n".join(_lines(statements, slots, number))
    head = f"define internal void @{name}({_INPUTS}, ptr noalias writeonly %out, ptr noalias %work) noinline nounwind"
    return f"{head} {{\n{body}\nret void\n}}\n"


def _lines(statements: Sequence[Statement], slots: dict[str, int], number: str) -> Iterator[str]:
    """The statements, with a load before the first use of each earlier value and a store after each lasting one."""
    here: set[str] = set()
    for statement in statements:
        for operand in statement.operands:
            if operand in slots and operand not in here:
                yield f"{operand}.w = getelementptr {number}, ptr %work, i64 {slots[operand]}"
                yield f"{operand} = load {number}, ptr {operand}.w"
                here.add(operand)
        yield statement.text
        for result in statement.results:
            here.add(result)
            if result in slots:
                yield f"{result}.w = getelementptr {number}, ptr %work, i64 {slots[result]}"
                yield f"store {number} {result}, ptr {result}.w"
