"""CasADi functions as machine code: translated, compiled once per machine, callable from Numba."""

from softdock.kernels.call import call
from softdock.kernels.library import Library, load

__all__ = ["Library", "call", "load"]
