"""Four numbers side by side in compiled loops: the processor's vectors, one lane of each for a world (lanes.py).

    x = take(array, i)          row i of an array of rows of four
    put(array, i, x)            writes it
    a + b, a - b, a * b, a / b, a < b, a <= b, a > b, f & g, f | g, ~f; numbers among them are the same in all lanes
    where(flags, a, b), root(x), spread(number), any_of(flags)

Each operation is rounded on its own, as one of a loop of one world. Functions that only use these and numbers are those of
one world and of four. What loops do with long vectors is better said so than as a kernel: the same few instructions are
done again and again, while a kernel's own do not stay in the processor's cache from step to step.
"""

import operator
from typing import Any

from llvmlite import ir
from numba.core import types
from numba.core.datamodel import models
from numba.core.imputils import lower_builtin
from numba.core.typing.templates import ConcreteTemplate, infer_global, signature
from numba.extending import intrinsic, register_model

from softdock.kernels.jit import njit
from softdock.kernels.lanes import FOUR, LANES

_NUMBERS, _FLAGS = ir.VectorType(ir.DoubleType(), LANES), ir.VectorType(ir.IntType(1), LANES)


class _Four(types.Type):
    """Four numbers, or four flags."""


four, flags = _Four("four"), _Four("flags")


class _FourModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, _NUMBERS if kind == four else _FLAGS)


register_model(_Four)(_FourModel)


def _spread(builder: Any, number: Any) -> Any:
    """The same number in all lanes."""
    vector = builder.insert_element(ir.Constant(_NUMBERS, ir.Undefined), number, ir.IntType(32)(0))
    return builder.shuffle_vector(
        vector, ir.Constant(_NUMBERS, ir.Undefined), ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
    )


def _define(operation: Any, result: Any, instruction: Any) -> None:
    cases = [signature(result, *pair) for pair in ((four, four), (four, types.float64), (types.float64, four))]

    class _Template(ConcreteTemplate):
        pass

    _Template.cases = cases
    infer_global(operation)(_Template)

    def generate(context: Any, builder: Any, signed: Any, values: Any) -> Any:
        a, b = (
            value if kind == four else _spread(builder, value) for kind, value in zip(signed.args, values, strict=True)
        )
        return instruction(builder, a, b)

    for case in cases:
        lower_builtin(operation, *case.args)(generate)


for _operation, _name in (
    (operator.add, "fadd"),
    (operator.sub, "fsub"),
    (operator.mul, "fmul"),
    (operator.truediv, "fdiv"),
):
    _define(_operation, four, lambda builder, a, b, name=_name: getattr(builder, name)(a, b))
for _operation, _sign in (
    (operator.lt, "<"),
    (operator.le, "<="),
    (operator.gt, ">"),
    (operator.ge, ">="),
    (operator.eq, "=="),
):
    _define(_operation, flags, lambda builder, a, b, sign=_sign: builder.fcmp_ordered(sign, a, b))


def _join(operation: Any, name: str) -> None:
    class _Template(ConcreteTemplate):
        pass

    _Template.cases = [signature(flags, flags, flags)]
    infer_global(operation)(_Template)
    lower_builtin(operation, flags, flags)(lambda context, builder, signed, values: getattr(builder, name)(*values))


_join(operator.and_, "and_")
_join(operator.or_, "or_")


@infer_global(operator.invert)
class _Opposite(ConcreteTemplate):
    cases = [signature(flags, flags)]


@lower_builtin(operator.invert, flags)
def _opposite(context: Any, builder: Any, signed: Any, values: Any) -> Any:
    return builder.not_(values[0])


def _pointer(context: Any, builder: Any, kind: Any, array: Any, row: Any) -> Any:
    data = context.make_array(kind)(context, builder, array).data
    return builder.gep(builder.bitcast(data, _NUMBERS.as_pointer()), [row])


def _take(typingctx: Any, array: Any, row: Any) -> Any:
    """take(array, i): row i of an array of rows of four."""

    def generate(context: Any, builder: Any, signed: Any, values: Any) -> Any:
        return builder.load(_pointer(context, builder, signed.args[0], *values), align=8)

    return four(array, row), generate


def _put(typingctx: Any, array: Any, row: Any, x: Any) -> Any:
    """put(array, i, x): write it."""

    def generate(context: Any, builder: Any, signed: Any, values: Any) -> Any:
        array, row, value = values
        if signed.args[2] != four:
            value = _spread(builder, value)
        builder.store(value, _pointer(context, builder, signed.args[0], array, row), align=8)
        return context.get_dummy_value()

    return types.none(array, row, x if x == four else types.float64), generate


def _where(typingctx: Any, chosen: Any, a: Any, b: Any) -> Any:
    """where(flags, a, b): of each lane a or b."""
    kinds = [kind if kind == four else types.float64 for kind in (a, b)]

    def generate(context: Any, builder: Any, signed: Any, values: Any) -> Any:
        a, b = (
            value if kind == four else _spread(builder, value)
            for kind, value in zip(signed.args[1:], values[1:], strict=True)
        )
        return builder.select(values[0], a, b)

    return four(flags, *kinds), generate


def _root(typingctx: Any, x: Any) -> Any:
    """root(x): √x."""

    def generate(context: Any, builder: Any, signed: Any, values: Any) -> Any:
        function = ir.FunctionType(_NUMBERS, [_NUMBERS])
        return builder.call(builder.module.declare_intrinsic(f"llvm.sqrt.{FOUR.suffix}", fnty=function), values)

    return four(four), generate


def _spread_out(typingctx: Any, x: Any) -> Any:
    """spread(x): the same number in all lanes."""
    return four(types.float64), lambda context, builder, signed, values: _spread(builder, values[0])


def _any_of(typingctx: Any, chosen: Any) -> Any:
    """any_of(flags): is one of them set?"""

    def generate(context: Any, builder: Any, signed: Any, values: Any) -> Any:
        bits = builder.bitcast(values[0], ir.IntType(LANES))
        return builder.icmp_unsigned("!=", bits, ir.IntType(LANES)(0))

    return types.boolean(flags), generate


take: Any = intrinsic(_take)
put: Any = intrinsic(_put)
where: Any = intrinsic(_where)
root: Any = intrinsic(_root)
spread: Any = intrinsic(_spread_out)
any_of: Any = intrinsic(_any_of)


@njit(forceinline=True)
def larger(a: Any, b: Any) -> Any:
    return where(a < b, b, a)


@njit(forceinline=True)
def smaller(a: Any, b: Any) -> Any:
    return where(b < a, b, a)


@njit(forceinline=True)
def copy_rows(source: Any, target: Any, n: int) -> None:
    for i in range(n):
        put(target, i, take(source, i))
