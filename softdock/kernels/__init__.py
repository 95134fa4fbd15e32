"""CasADi functions as machine code: translated, compiled once per machine, callable from Numba."""

from softdock.kernels.call import call
from softdock.kernels.copies import Prototype
from softdock.kernels.direct import direct
from softdock.kernels.library import Library, load
from softdock.kernels.loop import CompiledLoop, enter, enter_request, loop
from softdock.kernels.struct import Struct, record

__all__ = [
    "CompiledLoop", "Library", "Prototype", "Struct",
    "call", "direct", "enter", "enter_request", "load", "loop", "record",
]  # fmt: skip
