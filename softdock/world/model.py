"""A world: what exists and how it may move. Immutable, and apart from its initial state."""

import heapq
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BeforeValidator, Field, model_validator

from softdock.world.composite import all_convex
from softdock.world.contacts import Contact, Touching, everything, touching
from softdock.world.describe import Described, Matrix3, Name, Vec3, nearest
from softdock.world.gravity import Gravity, NoGravity
from softdock.world.joints import Fixed, Free, Joint, Mode, Revolute, Rotor, Spring
from softdock.world.pose import Pose
from softdock.world.shapes import Shape
from softdock.world.thrusters import Thruster
from softdock.world.visuals import Visual

WORLD = "world"
"""Name of the frame that everything hangs from."""
MOST_BODIES, MOST_PARTS, MOST_SHAPES = 1000, 20_000, 200
"""A world has no more bodies; no more frames, latches or contacts each; and a body no more shapes."""


class Body(Described):
    """A rigid body and the joint that carries it. With the joint at zero, the body's own frame coincides with the joint
    frame."""

    name: Name
    parent: Name = WORLD
    joint: Joint = Free()
    placement: Pose = Pose()
    """Of the joint frame in the parent's frame."""
    mass: Annotated[float, Field(ge=0, allow_inf_nan=False)]
    """(kg)."""
    center: Vec3 = (0.0, 0.0, 0.0)
    """Centre of mass in the body's frame (m)."""
    inertia: Matrix3 = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    """About the centre of mass, along the body's axes; three numbers are its diagonal (kg m²)."""
    shapes: Annotated[tuple[Shape, ...], BeforeValidator(all_convex), Field(max_length=MOST_SHAPES)] = ()
    """Convex ones. `Annulus`, `Drogue`, `Handle` and `MeshFile` are taken too, and replaced by their parts."""
    visuals: Annotated[tuple[Visual, ...], Field(max_length=MOST_SHAPES)] = ()
    """What is drawn in place of the shapes; a URDF's `<visual>` elements, with materials. Nothing touches them."""

    def model_post_init(self, context: Any, /) -> None:
        """Refuse what no body can have. (Not an `after` validator: those run again wherever a body is put.)"""
        (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = self.inertia
        size = max(abs(x) for row in self.inertia for x in row)
        if max(abs(xy - yx), abs(xz - zx), abs(yz - zy)) > 1e-9 * size:
            raise ValueError(f"inertia of body {self.name!r} is not symmetric")
        plain = xy == xz == yz == 0.0  # as of most bodies that are made from few numbers
        a, b, c = sorted((xx, yy, zz)) if plain else np.linalg.eigvalsh(self.inertia).tolist()
        if a < -1e-9 * size:
            raise ValueError(f"inertia of body {self.name!r} is not positive: principal moment {a:.6g} kg m²")
        if a + b < c * (1 - 1e-6):
            raise ValueError(
                f"inertia of body {self.name!r} violates the triangle inequality: "
                f"principal moments {a:.6g}, {b:.6g}, {c:.6g} kg m² (the two smaller must add up to the largest)"
            )
        if self.mass == 0 and size > 0:
            raise ValueError(f"body {self.name!r} has inertia but no mass")


class Frame(Described):
    """A named place on a body (or on the world)."""

    name: Name
    body: Name
    placement: Pose = Pose()


Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]
_CARRIES_TORQUE = ("hinge", "weld")
"""Kinds of latches that hold directions too."""


class Strength(Described):
    """Load that a latch bears; beyond either it breaks."""

    force: Positive | None = None
    """(N)."""
    torque: Positive | None = None
    """(N m)."""

    @model_validator(mode="after")
    def _of_something(self) -> "Strength":
        if self.force is None and self.torque is None:
            raise ValueError("a strength needs 'force' (N) or 'torque' (N m)")
        return self


class Bushing(Described):
    """Springs and dampers in place of what a rigid latch holds."""

    stiffness: Positive
    """(N/m)."""
    damping: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0.0
    """(N s/m)."""
    angular_stiffness: Positive | None = None
    """Of kinds hinge and weld (N m/rad)."""
    angular_damping: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0.0
    """Of kinds hinge and weld (N m s/rad)."""


class Latch(Described):
    """A joint that comes and goes: holds `frame_b` to `frame_a` while it is engaged.

    point: origins together. hinge: origins together, z axes of the two frames aligned. weld: the
    whole relative pose. distance: origins `length` apart. Engaging holds the frames as they are
    then, if they are within the capture envelope of that ideal.
    """

    name: Name
    kind: Literal["point", "hinge", "weld", "distance"]
    frame_a: Name
    frame_b: Name
    length: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None
    """Of kind distance (m)."""
    capture_distance: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 1e-6
    """Of the capture envelope (m)."""
    capture_angle: Annotated[float, Field(ge=0, le=1.0)] = 1e-6
    """Of the capture envelope (rad)."""
    engaged: bool = False
    strength: Strength | None = None
    """With it the latch breaks at the instant at which its load passes that."""
    compliance: Bushing | None = None
    """With it the latch gives way, and engaging it loses no energy."""

    @model_validator(mode="after")
    def _torque_only_where_directions_are_held(self) -> "Latch":
        turns = self.kind in _CARRIES_TORQUE
        if self.strength and self.strength.torque is not None and not turns:
            raise ValueError(f"latch {self.name!r}: kind {self.kind!r} carries no torque that could break it")
        if self.compliance and (self.compliance.angular_stiffness is None) == turns:
            takes = "needs" if turns else "takes no"
            raise ValueError(f"latch {self.name!r}: the compliance of kind {self.kind!r} {takes} 'angular_stiffness'")
        return self

    @model_validator(mode="after")
    def _length_only_for_distance(self) -> "Latch":
        if self.kind == "distance" and self.length is None:
            raise ValueError(f"latch {self.name!r}: kind 'distance' needs 'length' (m)")
        if self.kind != "distance" and self.length is not None:
            raise ValueError(f"latch {self.name!r}: kind {self.kind!r} takes no 'length'")
        return self


_FOUND: "list[World | None]" = [None]
"""The last world that was found to hang together; its bodies come after their parents."""


class World(Described):
    """Bodies in one or more kinematic trees, with named frames, latches, contacts, thrusters and gravity."""

    name: Name = "world"
    """Of files and messages."""
    gravity: Gravity = NoGravity()
    """None, uniform, or that of an orbit."""
    bodies: Annotated[tuple[Body, ...], Field(max_length=MOST_BODIES)]
    """Each with the joint to its parent."""
    frames: Annotated[tuple[Frame, ...], Field(max_length=MOST_PARTS)] = ()
    """Named places on bodies."""
    latches: Annotated[tuple[Latch, ...], Field(max_length=MOST_PARTS)] = ()
    """Joints that come and go."""
    contacts: Annotated[tuple[Contact, ...], BeforeValidator(everything), Field(max_length=MOST_PARTS)] = ()
    """Or "all": whatever has a shape may touch whatever else has one (`with_contacts`)."""
    thrusters: Annotated[tuple[Thruster, ...], Field(max_length=MOST_PARTS)] = ()
    """What pushes bodies."""

    def model_post_init(self, context: Any, /) -> None:
        """Refuse what does not hang together."""
        if not self.bodies:
            raise ValueError("a world needs at least one body")
        if (found := _FOUND[0]) is not None and _hangs_together_alike(self, found):
            if "touching" in found.__dict__:
                self.__dict__["touching"] = found.touching
            return
        if any(vars(body.joint).get("elastic") for body in self.bodies):
            object.__setattr__(self, "bodies", tuple(part for body in self.bodies for part in _geared(body)))
        self._refuse_loose_ends()
        for thruster in self.thrusters:
            _check_thruster(thruster, {body.name: body for body in self.bodies})
        _carries_mass(self.bodies)
        _vibrates(self.bodies)
        if self.contacts:
            _ = self.touching
        _FOUND[0] = self

    def _refuse_loose_ends(self) -> None:
        """ValueError if names are not unique, or name nothing; bodies after this come after their parents."""
        _unique("body", [body.name for body in self.bodies], reserved=WORLD)
        _unique("frame", [f.name for f in self.frames] + [b.name for b in self.bodies], reserved=WORLD)
        _unique("latch", [latch.name for latch in self.latches])
        _unique("contact", [contact.name for contact in self.contacts])
        _unique("thruster", [thruster.name for thruster in self.thrusters])
        places = {body.name for body in self.bodies} | {WORLD}
        for body in self.bodies:
            if body.parent not in places:
                raise ValueError(f"body {body.name!r}: unknown parent {body.parent!r}{nearest(body.parent, places)}")
        for frame in self.frames:
            if frame.body not in places:
                raise ValueError(f"frame {frame.name!r}: unknown body {frame.body!r}{nearest(frame.body, places)}")
        frames = places | {frame.name for frame in self.frames}
        for latch in self.latches:
            for end in (latch.frame_a, latch.frame_b):
                if end not in frames:
                    raise ValueError(f"latch {latch.name!r}: unknown frame {end!r}{nearest(end, frames)}")
            if self.body_of(latch.frame_a) == self.body_of(latch.frame_b):
                raise ValueError(f"latch {latch.name!r} would hold a body to itself")
        object.__setattr__(self, "bodies", _parents_first(self.bodies))

    def __repr__(self) -> str:
        counts = {"body": len(self.bodies), "latch": len(self.latches), "contact": len(self.touching.pairs)}
        plurals = {"body": "bodies", "latch": "latches", "contact": "contacts"}
        parts = [f"{n} {word if n == 1 else plurals[word]}" for word, n in counts.items() if n]
        nq, nv = (sum(getattr(body.joint, size) for body in self.bodies) for size in ("nq", "nv"))
        return f"<World {self.name!r}: {', '.join(parts)}; nq {nq}, nv {nv}; gravity {self.gravity.kind}>"

    def __str__(self) -> str:
        return repr(self)

    @cached_property
    def touching(self) -> Touching:
        """Which bodies may touch, by which contact; and which are left out of contacts of many, and why."""
        return touching(self.bodies, self.contacts)

    def with_contacts(
        self,
        which: Literal["all"] | Iterable[Contact] = "all",
        *,
        exclude: Iterable[str | tuple[str, str]] = (),
        **law: Any,
    ) -> "World":
        """The world with more contacts: those given or, with "all", one between any two bodies that have shapes, of one
        law (`restitution` and `friction`, or `compliance`).

        Pairs that have a contact already keep it. Bodies fixed to each other or joined by one joint (not a free or
        planar one) are left out, as are those of `exclude`: a name takes a body out, two names a pair; `*` stands for
        any part of a name. `touching` says what is left out.
        """
        if which == "all":
            taken = {contact.name for contact in self.contacts}
            name = next(name for k in range(len(taken) + 1) if (name := "all" + k * "'") not in taken)
            which = (Contact(name=name, body_a="*", body_b="*", exclude=tuple(exclude), **law),)
        elif isinstance(which, str) or law or tuple(exclude):
            raise ValueError("with_contacts takes 'all', with a law and what to exclude, or contacts")
        return self.altered(contacts=(*self.contacts, *which))

    def body(self, name: str) -> Body:
        """The body of that name; KeyError with a hint if there is none."""
        for body in self.bodies:
            if body.name == name:
                return body
        raise KeyError(f"no body {name!r}{nearest(name, (b.name for b in self.bodies))}")

    def frame(self, name: str) -> Frame:
        """The frame of that name; every body's own frame, and 'world', count as frames."""
        for frame in self.frames:
            if frame.name == name:
                return frame
        if name == WORLD or any(body.name == name for body in self.bodies):
            return Frame(name=name, body=name)
        known = [frame.name for frame in self.frames] + [body.name for body in self.bodies]
        raise KeyError(f"no frame {name!r}{nearest(name, known)}")

    def body_of(self, frame: str) -> str:
        """Name of the body that carries a frame."""
        if any(body.name == frame for body in self.bodies):
            return frame
        return self.frame(frame).body

    @property
    def floats(self) -> bool:
        """Does nothing but gravity act on the world as a whole? Then its angular momentum about the centre of mass
        changes by gravity's torque only."""
        roots = [body.joint for body in self.bodies if body.parent == WORLD]
        if not all(isinstance(joint, Free) and joint == Free(limits=joint.limits) for joint in roots):
            return False
        return all(self.body_of(end) != WORLD for latch in self.latches for end in (latch.frame_a, latch.frame_b))

    def joined(self, *others: "World", name: str | None = None) -> "World":
        """One world that holds the trees of several; the gravity is this one's."""
        worlds = (self, *others)
        return World(
            name=name or self.name,
            gravity=self.gravity,
            bodies=tuple(body for world in worlds for body in world.bodies),
            frames=tuple(frame for world in worlds for frame in world.frames),
            latches=tuple(latch for world in worlds for latch in world.latches),
            contacts=tuple(dict.fromkeys(contact for world in worlds for contact in world.contacts)),
            thrusters=tuple(thruster for world in worlds for thruster in world.thrusters),
        )

    def prefixed(self, prefix: str) -> "World":
        """The same world with `prefix` before the names of all bodies, frames, latches and contacts, so that it can be
        `joined` to another of the same names."""

        def own(name: str) -> str:
            return name if name == WORLD else prefix + name

        return self.altered(
            bodies=tuple(body.altered(name=own(body.name), parent=own(body.parent)) for body in self.bodies),
            frames=tuple(frame.altered(name=own(frame.name), body=own(frame.body)) for frame in self.frames),
            latches=tuple(
                latch.altered(name=own(latch.name), frame_a=own(latch.frame_a), frame_b=own(latch.frame_b))
                for latch in self.latches
            ),
            contacts=tuple(
                contact.altered(name=own(contact.name), body_a=own(contact.body_a), body_b=own(contact.body_b))
                for contact in self.contacts
            ),
        )

    def placed(self, pose: Pose) -> "World":
        """All trees, and frames of the world itself, put elsewhere: `pose` is where the world's frame goes. Gravity
        stays as it is."""
        return self.altered(
            bodies=tuple(
                body.altered(placement=pose @ body.placement) if body.parent == WORLD else body for body in self.bodies
            ),
            frames=tuple(
                frame.altered(placement=pose @ frame.placement) if frame.body == WORLD else frame
                for frame in self.frames
            ),
        )


def _hangs_together_alike(world: World, found: World) -> bool:
    """Does a world differ from another in nothing but numbers that play no part in whether it hangs together?"""
    others = world.contacts, world.frames, world.latches, world.thrusters
    if len(world.bodies) != len(found.bodies) or others != (
        found.contacts, found.frames, found.latches, found.thrusters
    ):  # fmt: skip
        return False
    for a, b in zip(world.bodies, found.bodies, strict=True):
        if a is b:
            continue
        own, other = a.__dict__, b.__dict__
        joint, before = own["joint"], other["joint"]
        if (
            own["name"] != other["name"] or own["parent"] != other["parent"] or type(joint) is not type(before)
            or joint.__dict__.get("elastic") or (own["mass"] == 0) != (other["mass"] == 0)
            or bool(own["shapes"]) != bool(other["shapes"])
        ):  # fmt: skip
            return False
    return True


def _check_thruster(thruster: Thruster, known: Mapping[str, Body]) -> None:
    if thruster.body not in known:
        raise ValueError(f"thruster {thruster.name!r}: unknown body {thruster.body!r}{nearest(thruster.body, known)}")
    body = known[thruster.body]
    if body.parent != WORLD or not isinstance(body.joint, Free):
        raise ValueError(
            f"thruster {thruster.name!r}: body {body.name!r} is not free: it must be on a free joint on the world"
        )


def _unique(what: str, names: Sequence[str], reserved: str = "") -> None:
    if len(set(names)) == len(names) and reserved not in names:
        return
    for name, count in Counter(names).items():
        if count > 1:
            raise ValueError(f"{what} {name!r} is named twice")
        if name == reserved:
            raise ValueError(f"{what} {name!r}: that name is the world frame's own")


def _parents_first(bodies: tuple[Body, ...]) -> tuple[Body, ...]:
    """The bodies in the order given, but each after its parent; a cycle is an error."""
    carried: dict[str, list[int]] = {}
    for index, body in enumerate(bodies):
        carried.setdefault(body.parent, []).append(index)
    ready, ordered = carried.pop(WORLD, []), []
    while ready:
        ordered.append(bodies[heapq.heappop(ready)])
        for index in carried.pop(ordered[-1].name, ()):
            heapq.heappush(ready, index)
    if carried:
        names = [repr(bodies[index].name) for group in carried.values() for index in group]
        cycle = ", ".join(names[:5]) + (", …" if len(names) > 5 else "")
        raise ValueError(f"bodies {cycle} carry each other in a cycle; close a loop with a latch instead")
    return tuple(ordered)


def _carries_mass(bodies: tuple[Body, ...]) -> None:
    carried = {body.name: body.mass for body in bodies}
    for body in reversed(bodies):
        if carried[body.name] == 0 and not isinstance(body.joint, Fixed | Mode):
            raise ValueError(f"body {body.name!r} moves but has no mass; mass must be positive")
        if body.parent != WORLD:
            carried[body.parent] += carried[body.name]


def _geared(body: Body) -> tuple[Body, ...]:
    """A body on an elastic joint as two: the motor's side of the gear, and the body, which turns on it."""
    joint = body.joint
    if not (isinstance(joint, Revolute) and joint.elastic):
        return (body,)
    gear, name = joint.elastic, f"{body.name}.motor"
    driven = joint.altered(elastic=None, rotor=Rotor(inertia=gear.rotor_inertia, gear_ratio=gear.gear_ratio))
    gives = Revolute(
        axis=joint.axis, spring=Spring(stiffness=(gear.stiffness,), play=gear.backlash), damping=(gear.damping,),
        friction=gear.hysteresis,
    )  # fmt: skip
    motor = Body(name=name, parent=body.parent, placement=body.placement, joint=driven, mass=0.0)
    return motor, body.altered(parent=name, placement=Pose(), joint=gives)


def _vibrates(bodies: tuple[Body, ...]) -> None:
    """Modes are of bodies that have mass, and carry nothing."""
    modes = {body.name for body in bodies if isinstance(body.joint, Mode)}
    if not modes:
        return
    mass = {body.name: body.mass for body in bodies}
    for body in bodies:
        if body.parent in modes:
            raise ValueError(f"body {body.name!r} is on {body.parent!r}, a mode, which carries nothing")
        if body.name in modes and (body.mass > 0 or body.shapes):
            raise ValueError(f"body {body.name!r} is a mode: it has no mass and no shapes of its own")
        if body.name in modes and not mass.get(body.parent, 0.0) > 0:
            raise ValueError(f"body {body.name!r} is a mode of {body.parent!r}, which has no mass")
