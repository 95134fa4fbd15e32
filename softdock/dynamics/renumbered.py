"""The tree of a world that differs from another's in masses, and in what resists and drives its joints."""

from typing import Any, NamedTuple

import numpy as np

from softdock.mechanics.layouts import LINK, RESISTANCE
from softdock.mechanics.tree import WORLD_LINK, Link, Tree, resist, six
from softdock.world import World
from softdock.world.joints import Fixed, Mode

WEIGHT = frozenset(("mass", "center", "inertia"))
SEEN = frozenset(("shapes", "visuals"))
"""What a tree has nothing of."""
DRIVE = frozenset(("spring", "damping", "friction", "servo", "actuator", "limits"))
"""Of a joint: what makes no other tree."""
_PLACES = LINK.places({"points": 0})
_POINTS = slice(_PLACES.points.start, None)
_RESISTANCE = [(name, getattr(_PLACES, name)) for name in RESISTANCE.parts]
_GAINS = [(name, getattr(_PLACES, name)) for name in ("kp", "kd")]
_SERVO, _NONE = frozenset(("servo",)), frozenset[str]()


class Change(NamedTuple):
    """What differs in a body: its number, and names of its own fields and of its joint's."""

    body: int
    own: frozenset[str]
    joint: frozenset[str]


def differing(a: Any, b: Any) -> frozenset[str]:
    """Names of the fields in which two records of a class differ."""
    other = vars(b)
    return frozenset([name for name, x in vars(a).items() if x is not other[name] and x != other[name]])


def changes(before: World, world: World) -> list[Change] | None:
    """What differs in the bodies of two worlds; None if they are not of the same number, or differ in kinds of joints.
    (Records are often the very same, and to compare all of each takes long.)"""
    if len(before.bodies) != len(world.bodies):
        return None
    found = []
    for k, (a, b) in enumerate(zip(before.bodies, world.bodies, strict=True)):
        if a is b:
            continue
        own, other = vars(a), vars(b)
        names = frozenset([n for n, x in own.items() if x is not other[n] and (n == "joint" or x != other[n])])
        joint = _NONE
        if "joint" in names:
            if type(a.joint) is not type(b.joint):
                return None
            joint = differing(a.joint, b.joint)
            names -= _NONE if joint else {"joint"}
        if names:
            found.append(Change(k, names, joint))
    return found


def renumbered(tree: Tree, world: World, changed: list[Change]) -> Tree | None:
    """The tree of a world with such changes; None if it is one of another structure. Links that are the same are
    shared."""
    before, gravity = tree.world, world.gravity
    alike = world.frames == before.frames and world.latches == before.latches and gravity.kind == before.gravity.kind
    if not alike or any(one.own - WEIGHT - SEEN - {"joint"} or one.joint - DRIVE for one in changed):
        return None
    new = Tree.__new__(Tree)
    _ = tree.theta()  # which numbers are folded is found there
    new.__dict__.update(tree.__dict__)
    new.world, new.links = world, list(tree.links)
    heavier = _heavier(tree, world, changed)
    if heavier is None:
        return None
    driven = {world.bodies[one.body].name: one.joint for one in changed if one.joint}
    numbers = new.numbers = tree.numbers.copy()
    ends = tree.link_ends
    for k, link in enumerate(tree.links):
        if k in heavier or link.body in driven:
            new.links[k] = _remade(new, k, k in heavier, driven.get(link.body, _NONE))
            numbers[ends[k] - len(link.numbers) : ends[k]] = new.links[k].numbers
    if gravity is not before.gravity or (heavier and getattr(gravity, "gradient", False)):
        tail = new.numbers_beyond_links()
        if len(tail) != len(numbers) - ends[-1]:
            return None
        numbers[ends[-1] :] = tail
    new.__dict__.pop("_theta", None)
    return new if new.folds_as_it_did() else None


def _heavier(tree: Tree, world: World, changed: list[Change]) -> set[int] | None:
    """Links whose bodies weigh otherwise; None if one carries modes, or if a body gains mass or loses it."""
    heavier = set()
    for one in changed:
        if one.own & WEIGHT:
            body, before = world.bodies[one.body], tree.world.bodies[one.body]
            if (body.mass == 0) != (before.mass == 0):
                return None
            heavier.add(tree.places[body.name].link)
    heavier.discard(WORLD_LINK)
    return None if heavier and heavier & {link.parent for link in tree.links if link.kind == "M"} else heavier


def _remade(tree: Tree, k: int, heavier: bool, driven: frozenset[str]) -> Link:
    """A link with the numbers of its bodies, if it is heavier or lighter, and of its joint, if that resists or is
    driven otherwise, as they are now."""
    old, link = tree.links[k], Link.__new__(Link)
    link.__dict__.update(old.__dict__)  # rotors are the same: a world with others is another world
    numbers = link.numbers = old.numbers.copy()
    if heavier:
        link.mass, link.points = 0.0, []
        link.first_moment, link.inertia, link.own_inertia = np.zeros(3), np.zeros((3, 3)), np.zeros((3, 3))
        for body in tree.world.bodies:
            place = tree.places[body.name]
            if place.link == k:
                link.add(body, place.R_LB, place.p_LB)
        numbers[_PLACES.mass], numbers[_PLACES.first_moment] = link.mass, link.first_moment
        numbers[_PLACES.inertia] = six(link.inertia + link.geared)
        numbers[_POINTS] = link.masses
    if driven:
        link.__dict__.pop("settles", None)
        first = old.v - tree.layout.v[old.body].start
        joint = tree.world.body(old.body).joint
        assert not isinstance(joint, Fixed | Mode)
        resist(link, joint, slice(first, first + link.dof))
        for name, place in _GAINS if driven == _SERVO else _RESISTANCE:
            numbers[place] = getattr(link, name)
    return link
