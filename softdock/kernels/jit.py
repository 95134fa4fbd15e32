"""The decorators of compiled functions, with softdock's own cache (loop_cache.py) and linking (linking.py)."""

from functools import partial
from typing import Any

from numba.core import ccallback, sigutils

from softdock.kernels.linking import Compiled, WholeCompiler
from softdock.kernels.loop_cache import LoopCache

_normalized: Any = sigutils.normalize_signature


def njit(function: Any = None, *, cache: bool = False, **options: Any) -> Any:
    """As Numba's, but optimised once (linking.py), and division by zero is no exception."""
    if function is None:
        return partial(njit, cache=cache, **options)
    return Compiled(function, options, cached=cache)


def cfunc(signature: Any, *, cache: bool = False, **options: Any) -> Any:
    """Numba's, with softdock's cache."""

    def decorated(function: Any) -> Any:
        compiled: Any = ccallback.CFunc(
            function, _normalized(signature), locals={}, options=options, pipeline_class=WholeCompiler
        )
        compiled._cache = kept = LoopCache(function, options) if cache else compiled._cache
        try:
            compiled.compile()
        finally:
            if cache:
                kept.release()
        return compiled

    return decorated
