"""Calling a kernel from Numba: the address is a run-time value.

So a driver is compiled, and kept in Numba's cache, once for all worlds; a kernel taken as a global or as a
`ctypes` function would be baked into it.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import errors, types
from numba.extending import intrinsic

_NAMES = ("q", "v", "e", "theta", "out")


def _call(typingctx: Any, address: Any, q: Any, v: Any, e: Any, theta: Any, out: Any) -> Any:
    """call(address, q, v, e, theta, out): run the kernel at `address` on these arrays' data; `out` is written.

    Arrays of float64, C-contiguous, of any dimension; sizes are the caller's care. In compiled code only.
    """
    arrays = (q, v, e, theta, out)
    if not isinstance(address, types.Integer):
        raise errors.TypingError(f"a kernel's address is an integer, not {address}")
    for name, array in zip(_NAMES, arrays, strict=True):
        if not (isinstance(array, types.Array) and array.dtype == types.float64 and array.layout == "C"):
            raise errors.TypingError(f"{name} must be a C-contiguous array of float64, not {array}")
    if not out.mutable:
        raise errors.TypingError("out must be writable")
    return types.none(address, *arrays), _generate


def _generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    address = context.cast(builder, values[0], signature.args[0], types.intp)
    data = [
        context.make_array(kind)(context, builder, value).data
        for kind, value in zip(signature.args[1:], values[1:], strict=True)
    ]
    kernel = ir.FunctionType(ir.VoidType(), [pointer.type for pointer in data]).as_pointer()
    builder.call(builder.inttoptr(address, kernel), data)
    return context.get_dummy_value()


call: Any = intrinsic(_call)
