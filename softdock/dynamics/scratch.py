"""The memory of a motion, and what was found for it once: that of one that has ended serves the next of its kind."""

import struct
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from softdock.dynamics.state import ACCOUNT_NAMES, EVENT, OPTIONS, PROGRESS
from softdock.kernels import CompiledLoop
from softdock.kernels.struct import address_of, whole
from softdock.mechanics.layouts import RELATIVE

if TYPE_CHECKING:
    from softdock.dynamics.model import Dynamics


_CODES = {"f": "d", "i": "q", "b": "?"}


def _packing(kind: np.dtype[Any]) -> struct.Struct:
    """A record's numbers as bytes."""
    return struct.Struct("=" + "".join(_CODES[kind[name].kind] for name in kind.names or ()))


_OPTIONS, _DONE = _packing(OPTIONS), _packing(PROGRESS)


class Scratch:
    """A state and a request (state.py), room for impacts, and how loops are entered with these."""

    def __init__(self, dynamics: "Dynamics", fractions: np.ndarray, kind: Any) -> None:
        self.kind = kind
        self._prototypes = dynamics._state_prototype(len(fractions)), dynamics._request_prototype(fractions)
        self.state, self.request = (prototype.copy() for prototype in self._prototypes)
        self.entries: dict[CompiledLoop, Callable[..., int]] = {}
        self._options, self._done = (
            whole(x).view(np.uint8).data for x in (self.request.record.options, self.request.record.done)
        )
        state = self.state.record
        self.clock, self.counts = whole(state.clock).view(np.float64), whole(state.counts).view(np.int64)
        """`state.CLOCK` and `state.COUNTS`, entry by entry."""
        self.command = self.request.record.commands
        """The request's own row of a command."""
        self._widths, self._sizes = (dynamics.nq, dynamics.nv, len(ACCOUNT_NAMES)), dynamics.tree.sizes
        self.make_room(0)

    @cached_property
    def no_rows(self) -> tuple[np.ndarray, ...]:
        """t, q, v and account."""
        return np.empty(0), *(np.empty((0, width)) for width in self._widths)

    @cached_property
    def relative(self) -> Any:
        """Room for where latches' frames are in each other."""
        return RELATIVE.view(np.empty((1, RELATIVE.size(self._sizes))), self._sizes)

    def make_room(self, impacts: int) -> None:
        """For so many."""
        self.events = np.empty(impacts, EVENT)
        self.events_at = address_of(self.events) if impacts else 0

    def ask(self, *options: float) -> None:
        """Write the request's options, of which nothing is done yet. (As bytes: in a third of the time.)"""
        _OPTIONS.pack_into(self._options, 0, *options)
        _DONE.pack_into(self._done, 0, 0, 0, 0)

    def done(self) -> tuple[int, ...]:
        """`state.PROGRESS` of the request."""
        return _DONE.unpack_from(self._done)

    def renew(self) -> None:
        """As new; but the loops that are called by others are those of before."""
        loops = whole(self.state.record.loops)
        known = loops.copy()
        for prototype, copy in zip(self._prototypes, (self.state, self.request), strict=True):
            prototype.renew(copy)
        loops[:] = known

    def leave(self, dynamics: "Dynamics") -> None:
        """Nobody uses it any more. (It is renewed now: it takes what the beginning of a motion has in the caches.)"""
        self.renew()
        dynamics._spare[self.kind].append(self)


def scratch_for(dynamics: "Dynamics", fractions: np.ndarray) -> Scratch:
    """Memory for a motion of a world, in parts of steps of these sizes: new, or as new."""
    kind = len(fractions), dynamics._size, id(dynamics.struct._numba_type_)  # of kinds there is one each, and they stay
    spare: list[Scratch] = dynamics._spare.setdefault(kind, [])
    return spare.pop() if spare else Scratch(dynamics, fractions, kind)
