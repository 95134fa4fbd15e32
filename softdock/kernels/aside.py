"""A second process that compiles loops while the first one does: from the last that a scenario takes to the first.

The list of them is that of the archive (shipped.py), whose code may be for other processors or versions. Loops that are
compiled from other sources than when it was made are left alone. Each process takes what is not there and not being
compiled by the other (`cache.Claim`), so they meet halfway.
"""

from __future__ import annotations

import atexit
import os
import subprocess
import sys
from importlib import import_module
from typing import Any

from softdock.kernels import cache, loop_cache, shipped
from softdock.kernels.loop import CompiledLoop


def start_when_needed(scenario: str) -> None:
    """Start it when this process compiles for the first time; it ends with this process."""
    if len(os.sched_getaffinity(0)) > 1 if hasattr(os, "sched_getaffinity") else (os.cpu_count() or 1) > 1:
        loop_cache.on_compile.append(_Start(scenario))


class _Start:
    def __init__(self, scenario: str) -> None:
        self._command = [sys.executable, "-m", __spec__.name, scenario, str(os.getpid())]

    def __call__(self, _: str) -> None:
        loop_cache.on_compile.remove(self)
        if shipped.manifest() is not None:
            nothing = subprocess.DEVNULL
            process = subprocess.Popen(self._command, stdin=nothing, stdout=nothing, stderr=nothing)
            atexit.register(process.kill)  # what it has compiled is stored whole


def compiler_of(loop: shipped.Loop) -> Any:
    """What compiles a loop: its dispatcher, or None if there is no such function any more."""
    try:
        function = getattr(import_module(loop.module), loop.function)
    except (ImportError, AttributeError):
        return None
    dispatcher = function._function if isinstance(function, CompiledLoop) else function
    return dispatcher.callee if loop.name.endswith(".apart") else dispatcher.entry


def is_current(loop: shipped.Loop, compiler: Any) -> bool:
    """Would the same be compiled now?"""
    return compiler is not None and compiler._cache.source(shipped.signature(loop)) == loop.source


def main(scenario: str, parent: int) -> None:
    """Compile what a scenario takes, as long as the process lives for which that is."""
    manifest = shipped.manifest()
    if manifest is None:
        return
    names = manifest.taken.get(scenario) or list(manifest.loops)
    for name in reversed(names):
        loop = manifest.loops[name]
        compiler = compiler_of(loop)
        if os.getppid() != parent:
            return
        if is_current(loop, compiler):
            signature = shipped.signature(loop)
            claim = cache.Claim(compiler._cache.name(signature), wait=False)
            claim.release()
            if claim.is_mine:
                compiler.compile(signature)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
