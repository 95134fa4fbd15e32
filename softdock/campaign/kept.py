"""A compiled world of a campaign: what does not depend on the numbers that vary is looked up, not made again."""

from collections import OrderedDict
from collections.abc import Callable
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from softdock.dynamics import Dynamics
from softdock.dynamics.plant import Gaps
from softdock.kernels import Library
from softdock.world import World

MOST = 16


class Memory(OrderedDict[Any, Any]):
    """The last MOST answers by question."""

    def answer(self, question: Any, make: Callable[[], Any]) -> Any:
        """What was made for the question, or is now."""
        if question not in self:
            self[question] = make()
            if len(self) > MOST:
                self.popitem(last=False)
        return self[question]


class KeptDynamics(Dynamics):
    """Gives the same as Dynamics, bit for bit. Not for several threads at once."""

    _kernels: ClassVar[dict[str, dict[str, Library]]] = {}
    _shapes: ClassVar[Memory] = Memory()
    _orbits: ClassVar[Memory] = Memory()

    def kernel(self, name: str) -> int:
        """Address of a kernel: of one structure they are looked up on disk once a process."""
        self._libraries = self._kernels.setdefault(self._structure, {})
        return super().kernel(name)

    @cached_property
    def _gaps(self) -> tuple[Gaps, list[str]]:
        """Faces and edges of shapes depend on shapes and where they sit in their links."""
        world = self.world
        touching = {name for gap in world.gaps for name in (gap.body_a, gap.body_b)}
        limits = tuple((body.name, getattr(body.joint, "limits", None)) for body in world.bodies)
        places = tuple(
            (name, place.link, place.R_LB.tobytes(), place.p_LB.tobytes(), world.body(name).shapes)
            for name, place in ((name, self.tree.places[name]) for name in sorted(touching))
        )
        question = (self._structure, world.gaps, limits, places)
        return self._shapes.answer(question, lambda: super(KeptDynamics, self)._gaps)

    def _radius(self, t: ArrayLike) -> np.ndarray:
        times = np.atleast_1d(np.asarray(t, dtype=np.float64))
        question = (self._orbit.tobytes(), times.tobytes(), "radius")
        return self._orbits.answer(question, lambda: super(KeptDynamics, self)._radius(times))

    def reference_orbit(self, t: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
        """As of Dynamics; the arrays are shared, not to be written to."""
        times = np.atleast_1d(np.asarray(t, dtype=np.float64))
        question = (self._orbit.tobytes(), times.tobytes(), "both")
        return self._orbits.answer(question, lambda: super(KeptDynamics, self).reference_orbit(times))


_worlds = Memory()


def kept(world: World, announce: Callable[[str], None] | None = None) -> Dynamics:
    """The compiled world; the very same if it was asked for lately, as when only starts or commands vary."""
    return _worlds.answer(world, lambda: KeptDynamics(world, announce))
