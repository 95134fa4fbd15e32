"""A compiled world with other numbers: what does not depend on them is shared, and nothing is compiled or looked up."""

from typing import Any

import numpy as np

from softdock.dynamics import orbit
from softdock.dynamics.gaps import contacts_of
from softdock.dynamics.guard import levers
from softdock.dynamics.model import Dynamics
from softdock.dynamics.renumbered import WEIGHT, Change, changes, renumbered
from softdock.dynamics.turning import followed_turns
from softdock.world import Orbit, World

_OF_NUMBERS = ("plant", "struct", "_contacts", "_directly", "_size", "_places", "_holds", "_idle")
"""What a Dynamics makes when asked, and what depends on numbers."""
_OF_MASSES = ("_felt", "_armatures", "_generic_mass")


def revised(dynamics: Dynamics, world: World) -> Dynamics:
    """The compiled `world`, in all answers the same as Dynamics(world), and quickly made if it differs from that of
    `dynamics` only in masses, gains, gravity, and how contacts answer. The very same if it is the same world."""
    before = dynamics.world
    changed = changes(before, world)
    if changed == [] and all(x == getattr(before, name) for name, x in vars(world).items() if name not in _MADE):
        return dynamics
    alike = bool(world.thrusters) == bool(before.thrusters)
    tree = renumbered(dynamics.tree, world, changed) if changed is not None and alike else None
    if tree is None or changed is None:
        return Dynamics(world, dynamics._announce)
    new = Dynamics.__new__(Dynamics)
    new.__dict__.update(dynamics.__dict__)
    heavier = any(one.own & WEIGHT for one in changed)
    rubs = any("friction" in one.joint for one in changed)
    for name in _OF_NUMBERS + (_OF_MASSES if heavier else ()) + (("_dry",) if rubs else ()):
        new.__dict__.pop(name, None)
    new.world, new.tree, new.theta = world, tree, tree.theta()
    if isinstance(world.gravity, Orbit) and world.gravity != before.gravity:
        new._orbit = orbit.elements(world.gravity)
    if heavier:
        new.mass = float(sum(link.mass for link in tree.links))
        new._refuse_singular()
    if "plant" in dynamics.__dict__ and not rubs and _touch_alike(before, world, changed):
        _take_plant(new, dynamics, heavier)
    return new


_MADE = ("bodies", "touching")
"""Of a world: what is compared by its parts, and what is made of the rest."""


def _take_plant(new: Dynamics, old: Dynamics, heavier: bool) -> None:
    """The old plant with the new numbers: of one structure, what resists in one resists in the other."""
    contacts = old._contacts
    if new.world.contacts != old.world.contacts:
        contacts = contacts_of(new.tree, contacts[0].shapes)
    new._contacts, new._holds, new._idle = contacts, old._holds, old._idle
    differ: dict[str, Any] = {"theta": new.theta, "settling": new._settling, "sprung": new._sprung}
    if new._orbit is not old._orbit:
        differ["orbit"] = new._orbit
    if contacts is old._contacts:
        new._size = old._size
    else:
        differ["contacts"] = contacts[0]
    if heavier and new._idle and not np.array_equal(turning := followed_turns(new.tree), old.plant.turning):
        differ |= {"turning": turning, "levers": levers(new.tree, turning)}
    new.plant = old.plant._replace(**differ)
    if "struct" in old.__dict__:
        new.struct = old.struct.renewed(new.plant, differ)


def _touch_alike(old: World, new: World, changed: list[Change]) -> bool:
    """Are shapes, who may touch whom, and stops the same? Then only the law of contact may differ."""
    pairs = old.touching.pairs
    if pairs is not new.touching.pairs and [pair[:3] for pair in pairs] != [pair[:3] for pair in new.touching.pairs]:
        return False
    if any("limits" in one.joint for one in changed):
        return False
    reshaped = {new.bodies[one.body].name for one in changed if "shapes" in one.own}
    return not (reshaped and reshaped & {body for pair in pairs for body in (pair.body_a, pair.body_b)})
