"""Who may touch whom, and how: contacts of two bodies, and of many at once."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from pydantic import Field

from softdock.world.describe import Described, Name, nearest
from softdock.world.joints import Fixed, Free, Planar

if TYPE_CHECKING:
    from softdock.world.model import Body


JOINED = "connected by a joint"


class Compliance(Described):
    """A contact that gives way: force = stiffness × depthⁿ × (1 + damping × speed of approach) + viscosity × that
    speed, never pulling."""

    stiffness: Annotated[float, Field(gt=0)]
    """Of the whole area of contact (N/mⁿ)."""
    exponent: Annotated[float, Field(ge=1, le=5)] = 3.0
    """n: 3 is Asci & Nanjangud's, 1.5 Hunt & Crossley's (-)."""
    damping: Annotated[float, Field(ge=0)] = 0.0
    """(s/m)."""
    viscosity: Annotated[float, Field(ge=0)] = 0.0
    """Of the whole area of contact; with exponent 1 and no damping the law is Kelvin & Voigt's (N s/m)."""
    friction: Annotated[float, Field(ge=0)] = 0.0
    """Coulomb's coefficient (-)."""
    slip: Annotated[float, Field(gt=0)] = 1e-3
    """At a tangential speed well below it the contact is nearly stuck (m/s)."""


class Contact(Described):
    """Two bodies that may not pass through each other: where their shapes meet, they hit.

    With `*` for any part of a name, `body_a` or `body_b` stand for many bodies; contacts then are called "a & b".
    """

    name: Name
    body_a: Name
    body_b: Name
    restitution: Annotated[float, Field(ge=0, le=1)] = 1.0
    """Speed apart after over speed of approach before, along the normal; with friction, of impulses (-)."""
    friction: Annotated[float, Field(ge=0)] = 0.0
    """Coulomb's coefficient (-)."""
    compliance: Compliance | None = None
    """With it the bodies press into each other: `restitution` is not used, and friction is the compliance's."""
    exclude: tuple[Name | tuple[Name, Name], ...] = ()
    """Of many bodies: those, and the pairs, that do not touch; `*` as above."""

    def model_post_init(self, context: Any, /) -> None:
        """Friction belongs to one law, and what to leave out to contacts of many."""
        if self.compliance and self.friction:
            raise ValueError(f"contact {self.name!r}: the friction of a compliant contact is that of its compliance")
        if self.exclude and "*" not in self.body_a + self.body_b:
            raise ValueError(f"contact {self.name!r}: 'exclude' needs a '*' in body_a or body_b")


class Pair(NamedTuple):
    """Two bodies that may touch, and how."""

    name: str
    body_a: str
    body_b: str
    law: Contact


class Touching(NamedTuple):
    """Of a world: who may touch whom."""

    pairs: tuple[Pair, ...]
    """First those of contacts of two bodies, then of many; one for any two bodies in the latter."""
    excluded: dict[tuple[str, str], str]
    """What contacts of many leave out, and why."""

    def told(self) -> str:
        """What is left out, in one line; "" if nothing is."""
        connected = [f"{a} & {b}" for (a, b), why in self.excluded.items() if why == JOINED]
        if not connected:
            return ""
        more = ", …" if len(connected) > 5 else ""
        return (
            f"{len(self.pairs)} pairs of bodies may touch; not those that a joint connects: "
            f"{', '.join(connected[:5])[:150]}{more}"
        )


def everything(contacts: Any) -> Any:
    """What "all" stands for."""
    if isinstance(contacts, str):
        if contacts != "all":
            raise ValueError(f"takes 'all' or a list of contacts, not {contacts[:40]!r}")
        return (Contact(name="all", body_a="*", body_b="*"),)
    return contacts


def touching(bodies: Sequence["Body"], contacts: Sequence[Contact]) -> Touching:
    """Contacts as pairs of bodies; ValueError for one that cannot be."""
    known = {body.name: body for body in bodies}
    pairs, many = list[Pair](), list[Contact]()
    for contact in contacts:
        if any("*" in end and end not in known for end in (contact.body_a, contact.body_b)):
            many.append(contact)
        else:
            _check(contact, known)
            pairs.append(Pair(contact.name, contact.body_a, contact.body_b, contact))
    if not many:
        return Touching(tuple(pairs), {})
    taken = {ends for pair in pairs for ends in ((pair.body_a, pair.body_b), (pair.body_b, pair.body_a))}
    apart, excluded = _connected(bodies), dict[tuple[str, str], str]()
    for contact in many:
        left_out, before = _left_out(contact, known), len(pairs)
        for a, b in _meant(contact, known):
            if (a, b) in taken:
                continue
            why = apart(a, b) or left_out(a, b)
            if why:
                excluded[a, b] = why
            else:
                pairs.append(Pair(f"{a} & {b}", a, b, contact))
                taken.add((a, b))
        if len(pairs) == before:
            raise ValueError(
                f"contact {contact.name!r} is between no two bodies: too few have shapes, or all are excluded"
            )
    for pair in pairs:
        if (pair.body_a, pair.body_b) in excluded:
            del excluded[pair.body_a, pair.body_b]
    return Touching(tuple(pairs), excluded)


def _check(contact: Contact, known: Mapping[str, "Body"]) -> None:
    if contact.body_a == contact.body_b:
        raise ValueError(f"contact {contact.name!r} is between body {contact.body_a!r} and itself")
    for end in (contact.body_a, contact.body_b):
        if not known[_matching(contact, end, known)[0]].shapes:
            raise ValueError(f"contact {contact.name!r}: body {end!r} has no shape to touch with")


def _matching(contact: Contact, pattern: str, known: Mapping[str, "Body"]) -> list[str]:
    """Names of the bodies that a pattern stands for, in the world's order."""
    if pattern in known:
        return [pattern]
    form = re.compile(re.escape(pattern).replace(r"\*", ".*"), re.DOTALL)
    found = [name for name in known if "*" in pattern and form.fullmatch(name)]
    if not found:
        what = "no body is called like" if "*" in pattern else "unknown body"
        raise ValueError(f"contact {contact.name!r}: {what} {pattern!r}{nearest(pattern, known)}")
    return found


def _meant(contact: Contact, known: Mapping[str, "Body"]) -> Iterator[tuple[str, str]]:
    """Pairs of bodies with shapes that a contact of many stands for, once each, in the world's order."""
    order = {name: k for k, name in enumerate(known)}
    first, second = (
        [name for name in _matching(contact, end, known) if known[name].shapes]
        for end in (contact.body_a, contact.body_b)
    )
    both = set(first) & set(second)
    for a in first:
        for b in second:
            if a != b and (order[a] < order[b] or not (a in both and b in both)):
                yield (a, b) if order[a] < order[b] else (b, a)


def _left_out(contact: Contact, known: Mapping[str, "Body"]) -> Callable[[str, str], str]:
    """Why a contact of many excludes a pair: "" if it does not."""
    alone, couples = set[str](), list[tuple[set[str], set[str]]]()
    for entry in contact.exclude:
        if isinstance(entry, str):
            alone.update(_matching(contact, entry, known))
        else:
            a, b = (set(_matching(contact, end, known)) for end in entry)
            couples.append((a, b))

    def why(a: str, b: str) -> str:
        out = a in alone or b in alone or any((a in A and b in B) or (b in A and a in B) for A, B in couples)
        return "excluded" if out else ""

    return why


def _connected(bodies: Sequence["Body"]) -> Callable[[str, str], str]:
    """Why two bodies cannot touch: fixed to each other, or one joint connects them; "" if they can. (A body on a free
    or planar joint may come from anywhere; a joint of several axes has bodies in it without mass and shape.)"""
    part, joints, beyond = {"world": "world"}, set[frozenset[str]](), dict[str, str]()
    solid = {"world"}
    for body in bodies:
        part[body.name] = part[body.parent] if isinstance(body.joint, Fixed) else body.name
        if body.mass > 0 or body.shapes:
            solid.add(part[body.name])
    for body in bodies:
        if isinstance(body.joint, Fixed | Free | Planar):
            continue
        own, before = part[body.name], part[body.parent]
        beyond[own] = beyond.get(before, before) if before not in solid else before
        joints |= {frozenset((own, before)), frozenset((own, beyond[own]))}

    def why(a: str, b: str) -> str:
        if part[a] == part[b]:
            return "fixed to each other"
        return JOINED if frozenset((part[a], part[b])) in joints else ""

    return why
