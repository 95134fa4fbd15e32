"""CasADi functions to LLVM IR text: one pass over each function's instruction list.

CasADi has already made straight-line code of the expression graph, so each instruction becomes a line or two. Text is
written directly because llvmlite's IR objects take several times as long as LLVM itself needs to parse the text.
Reading an instruction through CasADi's interface takes 5 µs and writing its line 1 µs: 0.07 s per 10,000.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING

from softdock.kernels import sincos
from softdock.kernels.lanes import FOUR, LANES, ONE, Kind, literal
from softdock.kernels.operations import DECLARATIONS, templates
from softdock.kernels.split import ARGUMENTS, Statement, definition

if TYPE_CHECKING:
    import casadi


class TranslationError(ValueError):
    """A function that has no translation: a wrong shape, or an operation that kernels do not have."""


def module_of(functions: Mapping[str, casadi.Function], kind: Kind = ONE) -> str:
    """LLVM IR of a module with one symbol `void name(q, v, e, theta, out)`, five pointers to doubles, per function.

    A function takes any of the four inputs, by these names or (if CasADi named them i0, i1, …) in this order, and has
    one output; all are dense, matrices column by column. The inputs may overlap one another but not `out`. If the kind
    is of several lanes, so is each of these numbers: they stand one beside the other.
    """
    kernels = [_kernel(name, function, kind) for name, function in functions.items()]
    body = "\n".join(kernels)
    return f"{DECLARATIONS}\n{sincos.definitions(body)}\n{body}"


def _kernel(name: str, function: casadi.Function, kind: Kind) -> str:
    if not name.isidentifier() or not name.isascii():
        raise TranslationError(f"kernel {name!r}: the name must be an identifier")
    pointers = _pointers(name, function)
    scalar = function if function.is_a("SXFunction") else function.expand()
    return definition(name, _side_by_side(list(_statements(name, scalar, pointers, kind)), kind), kind)


def _pointers(name: str, function: casadi.Function) -> list[str]:
    """Which of the kernel's arguments each of the function's inputs is."""
    inputs = range(function.n_in())
    if len(inputs) > len(ARGUMENTS) or function.n_out() != 1:
        raise TranslationError(
            f"kernel {name!r}: {len(inputs)} inputs and {function.n_out()} outputs, "
            f"where at most {len(ARGUMENTS)} and exactly 1 are possible"
        )
    pointers = [_pointer(name, k, function.name_in(k)) for k in inputs]
    if len(set(pointers)) != len(pointers):
        raise TranslationError(f"kernel {name!r}: two inputs for one argument in {pointers}")
    sparse = [pointers[k] for k in inputs if not function.sparsity_in(k).is_dense()]
    if not function.sparsity_out(0).is_dense():
        sparse.append("out")
    if sparse:
        raise TranslationError(f"kernel {name!r}: {', '.join(sparse)} must be dense")
    return pointers


def _pointer(kernel: str, index: int, label: str) -> str:
    if label in ARGUMENTS:
        return label
    if label == f"i{index}":
        return ARGUMENTS[index]
    raise TranslationError(f"kernel {kernel!r}: input {label!r} is none of {', '.join(ARGUMENTS)}")


def _statements(name: str, function: casadi.Function, pointers: list[str], kind: Kind) -> Iterator[Statement]:
    codes, known = _codes(), templates(kind)
    values: dict[int, str] = {}  # CasADi's work vector: what each of its places holds now
    pairs: dict[str, str] = {}  # angle -> the statement that computed its sine and cosine
    for k in range(function.n_instructions()):
        op = codes.get(function.instruction_id(k), "unnamed operation")
        source, target = function.instruction_input(k), function.instruction_output(k)
        result = f"%r{k}"
        if op == "CONST":
            values[target[0]] = kind.constant(literal(function.instruction_constant(k)))
        elif op == "INPUT":
            yield _load(result, pointers[source[0]], source[1], kind.number)
            values[target[0]] = result
        elif op == "OUTPUT":
            yield _store(result, values[source[0]], target[1], kind.number)
        elif op in ("SIN", "COS"):
            angle = values[source[0]]
            if angle not in pairs:
                pairs[angle] = result
                yield _pair(result, angle, kind)
            values[target[0]] = f"{pairs[angle]}.{op}"
        elif op in known:
            operands = tuple(values[place] for place in source)
            yield Statement(known[op].format(r=result, a=operands[0], b=operands[-1]), (result,), operands)
            values[target[0]] = result
        else:
            raise TranslationError(f"kernel {name!r}: no translation of CasADi's operation {op}")


def _load(result: str, pointer: str, index: int, number: str) -> Statement:
    text = f"{result}.p = getelementptr {number}, ptr %{pointer}, i64 {index}\n"
    return Statement(f"{text}{result} = load {number}, ptr {result}.p, align 8", (result,), ())


def _store(result: str, value: str, index: int, number: str) -> Statement:
    text = f"{result}.p = getelementptr {number}, ptr %out, i64 {index}\n"
    return Statement(f"{text}store {number} {value}, ptr {result}.p, align 8", (), (value,))


class _Turn(Statement):
    """The sine and the cosine of its operand."""


def _pair(result: str, angle: str, kind: Kind) -> _Turn:
    number, name = kind.number, sincos.NAME if kind == ONE else sincos.NAME_OF_FOUR
    text = (
        f"{result} = call {{{number}, {number}}} @{name}({number} {angle})\n"
        f"{result}.SIN = extractvalue {{{number}, {number}}} {result}, 0\n"
        f"{result}.COS = extractvalue {{{number}, {number}}} {result}, 1"
    )
    return _Turn(text, (f"{result}.SIN", f"{result}.COS"), (angle,))


def _side_by_side(statements: list[Statement], kind: Kind) -> list[Statement]:
    """The same program, with the sines and cosines that need no other one at its head; of one lane, computed four at a
    time.

    Nearly all are of joints' angles, which come straight from the inputs. One after the other, they took a fifth to a
    quarter of the time of a planar world's kernels (latches 92 → 69 ns, newton 223 → 175, weight 141 → 100).
    """
    made = {result: statement for statement in statements for result in statement.results}
    later: set[str] = set()
    turns: list[_Turn] = []
    for statement in statements:
        late = not later.isdisjoint(statement.operands)
        if late or isinstance(statement, _Turn):
            later.update(statement.results)
        if isinstance(statement, _Turn) and not late:
            turns.append(statement)
    needed: set[str] = set()
    waiting = [turn.operands[0] for turn in turns]
    while waiting:
        value = waiting.pop()
        if value in made and value not in needed:
            needed.add(value)
            waiting += made[value].operands
    size = LANES // kind.lanes
    groups = [turns[k : k + size] for k in range(0, len(turns), size)]
    first = [statement for statement in statements if not needed.isdisjoint(statement.results)]
    done = {*map(id, first), *map(id, turns)}
    rest = [statement for statement in statements if id(statement) not in done]
    return [*first, *(_four(f"%g{k}", group) if len(group) > 1 else group[0] for k, group in enumerate(groups)), *rest]


def _four(name: str, turns: list[_Turn]) -> Statement:
    """Up to four of them in one call; what is left of the vector is zero."""
    vector = FOUR.number
    lines, last = [], "zeroinitializer"
    for k, turn in enumerate(turns):
        lines.append(f"{name}.{k} = insertelement {vector} {last}, double {turn.operands[0]}, i32 {k}")
        last = f"{name}.{k}"
    lines.append(f"{name} = call {{{vector}, {vector}}} @{sincos.NAME_OF_FOUR}({vector} {last})")
    for which, function in enumerate(("SIN", "COS")):
        lines.append(f"{name}.{function} = extractvalue {{{vector}, {vector}}} {name}, {which}")
        lines += [
            f"{turn.results[which]} = extractelement {vector} {name}.{function}, i32 {k}"
            for k, turn in enumerate(turns)
        ]
    results = tuple(result for turn in turns for result in turn.results)
    return Statement("\n".join(lines), results, tuple(turn.operands[0] for turn in turns))


@cache
def _codes() -> dict[int, str]:
    """CasADi's operation numbers, by name."""
    import casadi  # slow, and not needed when machine code comes from the cache

    return {getattr(casadi, name): name.removeprefix("OP_") for name in dir(casadi) if name.startswith("OP_")}
