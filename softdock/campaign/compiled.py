"""The compiled worlds of a campaign: what does not depend on the numbers that vary is taken over, not made again."""

from collections.abc import Callable

from softdock.dynamics import Dynamics, revised
from softdock.world import Body, World


class CompiledWorlds:
    """Compiles worlds; of those that differ in numbers only, once."""

    def __init__(self) -> None:
        self._last: Dynamics | None = None

    def __call__(self, world: World, announce: Callable[[str], None] | None = None) -> Dynamics:
        """The compiled world; the very same if it was the last, as when only starts or commands vary."""
        last = self._last
        if last is None or any(map(_differ, last.world.bodies, world.bodies)) or last.world != world:
            last = self._last = revised(last, world) if last else Dynamics(world, announce)
        return last


def _differ(a: Body, b: Body) -> bool:
    """Do two bodies differ in what usually varies? Pydantic takes long to find that worlds are not the same."""
    return a is not b and (a.mass != b.mass or (a.joint is not b.joint and vars(a.joint) != vars(b.joint)))


compiled = CompiledWorlds()
"""Of this process."""
