"""The compiled worlds of a campaign: what does not depend on the numbers that vary is taken over, not made again."""

from collections.abc import Callable

from softdock.dynamics import Dynamics, revised
from softdock.world import World


class CompiledWorlds:
    """Compiles worlds; of those that differ in numbers only, once."""

    def __init__(self) -> None:
        self._last: Dynamics | None = None

    def __call__(self, world: World, announce: Callable[[str], None] | None = None) -> Dynamics:
        """The compiled world; the very same if it was the last, as when only starts or commands vary."""
        self._last = revised(self._last, world) if self._last else Dynamics(world, announce)
        return self._last


compiled = CompiledWorlds()
"""Of this process."""
