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
from softdock.kernels.operations import DECLARATIONS, TEMPLATES
from softdock.kernels.pieces import ARGUMENTS, Statement, definition

if TYPE_CHECKING:
    import casadi


class TranslationError(ValueError):
    """A function that has no translation: a wrong shape, or an operation that kernels do not have."""


def module_of(functions: Mapping[str, casadi.Function]) -> str:
    """LLVM IR of a module with one symbol `void name(q, v, e, theta, out)`, five pointers to doubles, per function.

    A function takes any of the four inputs, by these names or (if CasADi named them i0, i1, …) in this order, and has
    one output; all are dense, matrices column by column. The inputs may overlap one another but not `out`.
    """
    kernels = [_kernel(name, function) for name, function in functions.items()]
    return "\n".join([DECLARATIONS, sincos.definition(), *kernels])


def _kernel(name: str, function: casadi.Function) -> str:
    if not name.isidentifier() or not name.isascii():
        raise TranslationError(f"kernel {name!r}: the name must be an identifier")
    pointers = _pointers(name, function)
    scalar = function if function.is_a("SXFunction") else function.expand()
    return definition(name, list(_statements(name, scalar, pointers)))


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


def _statements(name: str, function: casadi.Function, pointers: list[str]) -> Iterator[Statement]:
    codes = _codes()
    values: dict[int, str] = {}  # CasADi's work vector: what each of its places holds now
    pairs: dict[str, str] = {}  # angle -> the statement that computed its sine and cosine
    for k in range(function.n_instructions()):
        op = codes.get(function.instruction_id(k), "unnamed operation")
        source, target = function.instruction_input(k), function.instruction_output(k)
        result = f"%r{k}"
        if op == "CONST":
            values[target[0]] = sincos.literal(function.instruction_constant(k))
        elif op == "INPUT":
            yield _load(result, pointers[source[0]], source[1])
            values[target[0]] = result
        elif op == "OUTPUT":
            yield _store(result, values[source[0]], target[1])
        elif op in ("SIN", "COS"):
            angle = values[source[0]]
            if angle not in pairs:
                pairs[angle] = result
                yield _pair(result, angle)
            values[target[0]] = f"{pairs[angle]}.{op}"
        elif op in TEMPLATES:
            operands = tuple(values[place] for place in source)
            yield Statement(TEMPLATES[op].format(r=result, a=operands[0], b=operands[-1]), (result,), operands)
            values[target[0]] = result
        else:
            raise TranslationError(f"kernel {name!r}: no translation of CasADi's operation {op}")


def _load(result: str, pointer: str, index: int) -> Statement:
    text = f"{result}.p = getelementptr double, ptr %{pointer}, i64 {index}\n{result} = load double, ptr {result}.p"
    return Statement(text, (result,), ())


def _store(result: str, value: str, index: int) -> Statement:
    text = f"{result}.p = getelementptr double, ptr %out, i64 {index}\nstore double {value}, ptr {result}.p"
    return Statement(text, (), (value,))


def _pair(result: str, angle: str) -> Statement:
    text = (
        f"{result} = call {{double, double}} @{sincos.NAME}(double {angle})\n"
        f"{result}.SIN = extractvalue {{double, double}} {result}, 0\n"
        f"{result}.COS = extractvalue {{double, double}} {result}, 1"
    )
    return Statement(text, (f"{result}.SIN", f"{result}.COS"), (angle,))


@cache
def _codes() -> dict[int, str]:
    """CasADi's operation numbers, by name."""
    import casadi  # slow, and not needed when machine code comes from the cache

    return {getattr(casadi, name): name.removeprefix("OP_") for name in dir(casadi) if name.startswith("OP_")}
