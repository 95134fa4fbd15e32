"""Which body a tree should be rooted at: the motion of all others is written relative to it."""

import warnings

from softdock.mechanics.tree import WORLD_LINK, Tree
from softdock.world.joints import Free, Planar

LIGHT = 10.0
"""How many times heavier than a free root a body that it carries may be. Errors of order 2 grow with that ratio, since
what moves slowly is then the sum of fast motions."""


def warn_of_light_roots(tree: Tree, stacklevel: int) -> None:
    """A warning for every free or planar root that carries a far heavier body."""
    root_of: dict[int, int] = {}
    for k, link in enumerate(tree.links):
        root_of[k] = k if link.parent == WORLD_LINK else root_of[link.parent]
    heaviest: dict[int, int] = {}
    for k, root in root_of.items():
        if tree.links[k].mass > tree.links[heaviest.get(root, root)].mass:
            heaviest[root] = k
    for root, heavy in heaviest.items():
        light = tree.world.body(tree.links[root].body)
        own = tree.links[tree.places[light.name].link].mass
        other = tree.links[heavy]
        if isinstance(light.joint, Free | Planar) and other.mass > LIGHT * own:
            warnings.warn(
                f"world {tree.world.name!r}: {light.name!r} ({own:.3g} kg) is free and carries {other.body!r} "
                f"({other.mass:.3g} kg); rooted at {other.body!r}, the same world has far smaller errors",
                stacklevel=stacklevel,
            )
