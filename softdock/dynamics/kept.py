"""A compiled world of a campaign: what does not depend on the numbers that vary is taken over, not made again."""

import copy
from collections.abc import Callable, Iterator
from typing import Any
from weakref import ref

import numpy as np
from numpy.typing import ArrayLike

from softdock.dynamics import Dynamics
from softdock.dynamics.revise import revised
from softdock.kernels import Struct
from softdock.world import World


class Last:
    """The last answer, and the question that it is to."""

    def __init__(self) -> None:
        self._question: Any = None
        self._answer: Any = None

    def answer(self, question: Any, make: Callable[[], Any]) -> Any:
        """What was made for an equal question, or is now."""
        if question != self._question:
            self._question, self._answer = question, make()
        return self._answer


class Lent:
    """The scratch space of one motion at a time, as new for each: making it takes longer than filling it."""

    def __init__(self, room: Struct) -> None:
        self._room = room
        self._arrays = [(array, array.copy()) for array in _arrays(room)]
        self._borrowed: Any = None

    def room(self) -> Struct | None:
        """The space, or None while somebody has it."""
        if self._borrowed and self._borrowed() is not None:
            return None
        for array, fresh in self._arrays:
            array[...] = fresh
        room = copy.copy(self._room)  # of the same arrays; when it is gone, they are free again
        self._borrowed = ref(room)
        return room


def _arrays(room: Struct) -> Iterator[np.ndarray]:
    """All that are not parts of others."""
    yield from (part for part in room.record if isinstance(part, np.ndarray) and part.base is None)
    yield from (np.asarray(part.base) for part in room.record if isinstance(part, np.void))
    for inner in room.parts.values():
        yield from _arrays(inner)


class KeptDynamics(Dynamics):
    """Gives the same as Dynamics, bit for bit. Not for several threads at once."""

    def __init__(self, world: World, announce: Callable[[str], None] | None = None) -> None:
        self._radii, self._orbits = Last(), Last()
        self._lent: dict[Any, Lent] = {}
        super().__init__(world, announce)

    def workspace(self, stages: int, tolerance: float) -> Struct:
        """As of Dynamics; used again when the motion that had it is gone."""
        gaps = self.plant.gaps
        kind = stages, self._structure, len(gaps.laws), int(gaps.soft.sum()), gaps.shapes.points.shape
        room = self._lent[kind].room() if kind in self._lent else None
        if room is None:
            self._lent[kind] = Lent(super().workspace(stages, tolerance))
            room = self._lent[kind].room()
            assert room
        room.record.clock["tolerance"] = tolerance
        return room

    def _radius(self, t: ArrayLike) -> np.ndarray:
        times = np.atleast_1d(np.asarray(t, dtype=np.float64))
        question = (self._orbit.tobytes(), times.tobytes())
        answer: np.ndarray = self._radii.answer(question, lambda: super(KeptDynamics, self)._radius(times))
        return answer

    def reference_orbit(self, t: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
        """As of Dynamics; the arrays are shared, not to be written to."""
        times = np.atleast_1d(np.asarray(t, dtype=np.float64))
        question = (self._orbit.tobytes(), times.tobytes())
        answer: tuple[np.ndarray, np.ndarray] = self._orbits.answer(
            question, lambda: super(KeptDynamics, self).reference_orbit(times)
        )
        return answer


class Keeper:
    """Compiles worlds; of those that differ in numbers only, once."""

    def __init__(self) -> None:
        self._last: KeptDynamics | None = None

    def __call__(self, world: World, announce: Callable[[str], None] | None = None) -> Dynamics:
        """The compiled world; the very same if it was the last, as when only starts or commands vary."""
        last = self._last
        if last is None or last.world != world:
            last = self._last = revised(last, world) if last else KeptDynamics(world, announce)
        return last


kept = Keeper()
