"""Structs by their address, in compiled loops over several of one kind."""

from typing import Any

from numba.core import types
from numba.extending import intrinsic


def _at(typingctx: Any, like: Any, address: Any) -> Any:
    """at(struct, address): the struct of the same kind at that address. In compiled code only."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return builder.inttoptr(values[1], values[0].type)

    return like(like, types.int64), generate


at: Any = intrinsic(_at)
