"""A compiled world with other numbers: what does not depend on them is shared, and nothing is compiled or looked up."""

import numpy as np

from softdock.dynamics import orbit
from softdock.dynamics.gaps import contacts_of
from softdock.dynamics.guard import levers
from softdock.dynamics.model import Dynamics
from softdock.dynamics.turning import followed_turns
from softdock.world import Orbit, World

_OF_NUMBERS = ("plant", "struct", "_contacts", "_directly", "_size", "_places", "_holds", "_felt", "_armatures",
               "_generic_mass")  # fmt: skip
"""What a Dynamics makes when asked, and what depends on numbers."""


def revised(dynamics: Dynamics, world: World) -> Dynamics:
    """The compiled `world`, in all answers the same as Dynamics(world), and quickly made if it differs from that of
    `dynamics` only in masses, gains, gravity, and how contacts answer."""
    tree = dynamics.tree.revised(world)
    alike = bool(world.thrusters) == bool(dynamics.world.thrusters)
    if tree is None or not alike or tree.structure() != dynamics._structure:
        return Dynamics(world, dynamics._announce)
    new = Dynamics.__new__(Dynamics)
    new.__dict__.update(dynamics.__dict__)
    for name in _OF_NUMBERS:
        new.__dict__.pop(name, None)
    new.world, new.tree, new.theta = world, tree, tree.theta()
    new.mass = float(sum(link.mass for link in tree.links))
    if isinstance(world.gravity, Orbit) and world.gravity != dynamics.world.gravity:
        new._orbit = orbit.elements(world.gravity)
    new._refuse_singular()
    if "plant" in dynamics.__dict__:
        _take_plant(new, dynamics)
    return new


def _take_plant(new: Dynamics, old: Dynamics) -> None:
    """The old plant with the new numbers: of one structure, what resists in one resists in the other."""
    contacts = old._contacts
    if not _touches_alike(old.world, new.world):
        return
    if new.world.contacts != old.world.contacts:
        contacts = contacts_of(new.tree, contacts[0].shapes)
    new._contacts, new._holds = contacts, old._holds
    turning, before = followed_turns(new.tree), old.plant.turning
    new.plant = old.plant._replace(
        theta=new.theta, orbit=new._orbit, contacts=contacts[0], settling=new._settling, sprung=new._sprung,
        turning=turning, levers=old.plant.levers if np.array_equal(turning, before) else levers(new.tree, turning),
    )  # fmt: skip
    if "struct" in old.__dict__:
        new.struct = old.struct.renewed(new.plant)


def _touches_alike(old: World, new: World) -> bool:
    """Are shapes, who may touch whom, and stops the same? Then only the law of contact may differ."""
    pairs = old.touching.pairs
    if pairs is not new.touching.pairs and [pair[:3] for pair in pairs] != [pair[:3] for pair in new.touching.pairs]:
        return False
    touching = {body for pair in pairs for body in (pair.body_a, pair.body_b)}
    changed = [(a, b) for a, b in zip(old.bodies, new.bodies, strict=True) if a is not b]
    return all(
        (a.shapes is b.shapes or a.name not in touching or a.shapes == b.shapes)
        and vars(a.joint).get("limits") == vars(b.joint).get("limits")
        for a, b in changed
    )
