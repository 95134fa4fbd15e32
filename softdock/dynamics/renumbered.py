"""The tree of a world that differs from another's in masses, and in what resists and drives its joints."""

from typing import Any, NamedTuple

import numpy as np

from softdock.mechanics.layouts import LINK, RESISTANCE
from softdock.mechanics.tree import WORLD_LINK, Link, Tree, resist, six
from softdock.world import Orbit, World
from softdock.world.describe import Described
from softdock.world.gravity import Gravity

WEIGHT = frozenset(("mass", "center", "inertia"))
KNOWN = WEIGHT | {"shapes", "visuals"}
"""Of a body: likewise; of the last two a tree has nothing."""
DRIVE = frozenset(("spring", "damping", "friction", "servo", "actuator", "limits"))
"""Of a joint: what may differ in trees of one structure."""
_PLACES = LINK.places({"points": 0})
_WEIGHT, _RESISTANCE, _GAINS, _POINTS = (x.start for x in (_PLACES.mass, _PLACES.stiffness, _PLACES.kp, _PLACES.points))
"""Where these begin among a link's numbers; the mass is followed by its moments, kp by kd."""
_SERVO, _NONE = frozenset(("servo",)), frozenset[str]()


class Change(NamedTuple):
    """What differs in a body: its number, and names of its own fields, but for the joint, and of the joint's."""

    body: int
    own: frozenset[str]
    joint: frozenset[str]


def differing(a: Any, b: Any, but: str = "") -> frozenset[str]:
    """Names of the fields in which two records of a class differ, but for one."""
    mine, other = a.__dict__.items(), b.__dict__
    return frozenset([name for name, x in mine if x is not other[name] and name != but and _is_other(x, other[name])])


def _is_other(x: Any, y: Any) -> bool:
    """Do two values differ? (Of records the fields: pydantic looks at more, and takes ten times as long.)"""
    return bool(type(x) is not type(y) or x.__dict__ != y.__dict__ if isinstance(x, Described) else x != y)


def changes(before: World, world: World) -> list[Change] | None:
    """What differs in the bodies of two worlds; None if they are not of the same number, or differ in kinds of joints.
    (Records are often the very same, and to compare all of each takes long.)"""
    if len(before.bodies) != len(world.bodies):
        return None
    found = []
    for k, (a, b) in enumerate(zip(before.bodies, world.bodies, strict=True)):
        if a is b:
            continue
        joint = _NONE
        if a.joint is not b.joint:
            if type(a.joint) is not type(b.joint):
                return None
            joint = differing(a.joint, b.joint)
        own = differing(a, b, but="joint")
        if own or joint:
            found.append(Change(k, own, joint))
    return found


def renumbered(tree: Tree, world: World, changed: list[Change]) -> Tree | None:
    """The tree of a world with such changes; None if it is one of another structure. Links that are the same are
    shared."""
    before, gravity = tree.world, world.gravity
    alike = world.frames == before.frames and world.latches == before.latches
    if not (alike and _pull_alike(gravity, before.gravity)) or any(
        one.own - KNOWN or one.joint - DRIVE for one in changed
    ):
        return None
    new = Tree.__new__(Tree)
    _ = tree.theta(), tree.gone, tree.ends, tree.carried  # found once
    new.__dict__.update(tree.__dict__)
    new.world, new.links = world, list(tree.links)
    heavier = _heavier(tree, world, changed)
    if heavier is None:
        return None
    driven = {world.bodies[one.body].name: one for one in changed if one.joint}
    numbers = new.numbers = tree.numbers.copy()
    for k, link in enumerate(tree.links):
        if k in heavier or link.body in driven:
            new.links[k] = _remade(new, k, k in heavier, driven.get(link.body), tree.ends[k - 1])
    if gravity is not before.gravity or (heavier and _has_gradient(gravity)):
        numbers[tree.ends[-2] :] = new.numbers_beyond_links()
    new.__dict__.pop("_theta", None)
    return new if new.folds_as_it_did() else None


def _pull_alike(a: Gravity, b: Gravity) -> bool:
    """Have two gravities numbers of the same meaning?"""
    return a is b or (a.kind == b.kind and _has_gradient(a) == _has_gradient(b))


def _has_gradient(gravity: Gravity) -> bool:
    return isinstance(gravity, Orbit) and gravity.gradient


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


def _remade(tree: Tree, k: int, heavier: bool, driven: Change | None, begin: int) -> Link:
    """A link with the numbers of its bodies, if it is heavier or lighter, and of its joint, if that resists or is
    driven otherwise, as they are now; those of the tree, from `begin` on, are made so."""
    old, link, numbers = tree.links[k], Link.__new__(Link), tree.numbers
    link.__dict__.update(old.__dict__)  # rotors are the same: a world with others is another world
    link.__dict__.pop("numbers", None)
    if heavier:
        link.mass, link.points = 0.0, []
        link.first_moment, link.inertia, link.own_inertia = np.zeros(3), np.zeros((3, 3)), np.zeros((3, 3))
        for body in (tree.world.bodies[n] for n in tree.carried[k]):
            link.add(body, tree.places[body.name])
        weight = [link.mass, *link.first_moment.tolist(), *six(link.inertia + link.geared).tolist()]
        numbers[begin + _WEIGHT : begin + _WEIGHT + len(weight)] = weight
        masses = link.masses
        numbers[begin + _POINTS : begin + _POINTS + len(masses)] = masses
    if driven:
        joint: Any = tree.world.bodies[driven.body].joint
        if driven.joint == _SERVO and joint.servo:
            link.kp, link.kd = joint.servo.kp, joint.servo.kd
            numbers[begin + _GAINS], numbers[begin + _GAINS + 1] = link.kp, link.kd
        else:
            first = old.v - tree.layout.v[old.body].start
            resist(link, joint, slice(first, first + link.dof))
            resistance = RESISTANCE.pack(**{name: getattr(link, name) for name in RESISTANCE.parts})
            numbers[begin + _RESISTANCE : begin + _RESISTANCE + len(resistance)] = resistance
    return link
