"""A world, flattened: links joined by four elementary joints, and the numbers that describe them.

A world's joints are broken into elementary ones, each with a constant motion subspace in the
link's own frame, so that every recursion has four short cases, and one for vibrations:

    R  turn about z          P  slide along z
    S  turn about a point    T  slide in space (x, y, z)
    M  mode: its link does not move in its parent, but its rate is momentum

revolute -> R, prismatic -> P, planar -> P P R, spherical -> S, free -> T S; a fixed body becomes
part of the link that carries it. A link's frame is turned so that its joint's axis is z.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from softdock.mechanics.layouts import DEPTH, FRAME, LINK, LINK_FACTOR, RESISTANCE, VALUES
from softdock.spatial import clean
from softdock.world import Body, Layout, Orbit, Pose, Uniform, World
from softdock.world.joints import Fixed, Free, Mode, Moving, Planar, Prismatic, Revolute, Rotor, Spherical

WORLD_LINK = -1
DOF = {"R": 1, "P": 1, "S": 3, "T": 3, "M": 1}
COORDINATES = {"R": 1, "P": 1, "S": 4, "T": 3, "M": 1}
FACTOR_TURN = {"R": 2, "P": 0, "S": 9, "T": 0, "M": 0}
FACTOR_SHIFT = {"R": 0, "P": 1, "S": 0, "T": 3, "M": 0}
"""Numbers of a link's turn and displacement that the step matrix's factor holds (articulated.py)."""
LATCH_ROWS = {"point": range(3), "hinge": range(5), "weld": range(6), "distance": range(1)}
"""Constraints of a latch: p_AB (3), then what it holds of R_AB."""
FLAT_ROWS = {"point": (0, 1), "hinge": (0, 1), "weld": (0, 1, 5), "distance": (0,)}
"""Those that motion in the x, y plane could violate."""
LONG = 24
"""Links in a chain, above which its step is taken otherwise (docs/theory/step.md, "Long chains")."""
NOISE = 1e-14
"""Violation of latches (m, rad), relative to 1 + the largest coordinate, that is rounding: over a tiny part of a step
c/h would make a speed of it."""


@dataclass
class Link:
    """One elementary joint and the mass it moves. Frames: P the parent link's, L the link's own."""

    kind: str
    parent: int
    q: int
    v: int
    R_PL: np.ndarray
    p_PL: np.ndarray
    body: str
    mass: float = 0.0
    first_moment: np.ndarray = field(default_factory=lambda: np.zeros(3))
    inertia: np.ndarray = field(default_factory=lambda: np.zeros((3, 3)))
    """About the link's origin, in L (kg m²)."""
    own_inertia: np.ndarray = field(default_factory=lambda: np.zeros((3, 3)))
    """The part of it that its bodies have about their own centres of mass, in L (kg m²)."""
    points: list[tuple[float, np.ndarray]] = field(default_factory=list)
    """Mass and centre, in L, of every body in the link: gravity acts on each."""
    stiffness: np.ndarray = field(default_factory=lambda: np.zeros(3))
    rest: np.ndarray = field(default_factory=lambda: np.zeros(3))
    damping: np.ndarray = field(default_factory=lambda: np.zeros(3))
    friction: np.ndarray = field(default_factory=lambda: np.zeros(3))
    friction_speed: float = 1.0
    slide: np.ndarray = field(default_factory=lambda: np.zeros(3))
    hold: np.ndarray = field(default_factory=lambda: np.zeros(3))
    """Friction that is not smoothed, while sliding and while at rest; no kernel has it (dynamics/stiction.py)."""
    kp: float = 0.0
    kd: float = 0.0
    play: float = 0.0
    armature: float = 0.0
    """Inertia of the joint's own rate, ½ c q̇²: of a geared rotor (docs/theory/flexible.md, eq. 4), 1 of a mode."""
    geared: np.ndarray = field(default_factory=lambda: np.zeros((3, 3)))
    """What geared rotors add to the link's inertia, in L (kg m²)."""
    screw: np.ndarray = field(default_factory=lambda: np.zeros(6))
    """Of a mode: angular and linear momentum at unit rate, in its link's frame (√kg m, √kg)."""
    point: int = -1
    """Of a mode: which of the parent's points vibrates."""

    @property
    def dof(self) -> int:
        return DOF[self.kind]

    @cached_property
    def settles(self) -> list[bool]:
        """Of each velocity: is it damped, and not by the damper of a spring alone? Such a one settles even where the
        step does not resolve it; springs are structures, whose slow vibration must not be damped by the step."""
        damped = [bool(self.kd or x) for x in self.damping[: self.dof].tolist()]
        sprung = any(damped) and self.kp == 0.0 and bool(self.stiffness.any())
        return [False] * self.dof if sprung else damped

    @cached_property
    def numbers(self) -> np.ndarray:
        """All of them (`layouts.LINK`)."""
        return LINK.pack(
            R=self.R_PL, p=self.p_PL, mass=self.mass, first_moment=self.first_moment,
            inertia=six(self.inertia + self.geared), **{name: getattr(self, name) for name in RESISTANCE.parts},
            armature=self.armature, screw=self.screw, points=self.masses,
        )  # fmt: skip

    @property
    def masses(self) -> list[float]:
        """Those of `points`, each with its centre."""
        return [x for mass, center in self.points for x in (mass, *center.tolist())]

    def add(self, body: Body, place: "Place") -> None:
        """Make `body`, fixed at a place in the link, part of the link's mass."""
        if body.mass == 0:
            return
        c, about_center = np.array(body.center), np.array(body.inertia)
        if not place.is_straight:
            R = place.R_LB
            c, about_center = R @ c + place.p_LB, R @ about_center @ R.T
        self.mass += body.mass
        self.first_moment = self.first_moment + body.mass * c
        self.inertia = self.inertia + about_center
        if c.any():
            self.inertia = self.inertia + body.mass * (c @ c * _ONE - c[:, None] * c)
        self.own_inertia = self.own_inertia + about_center
        self.points.append((body.mass, c))


@dataclass(frozen=True)
class Place:
    """A frame B fixed in a link's frame L (or in the world's, link -1)."""

    link: int
    R_LB: np.ndarray
    p_LB: np.ndarray

    @cached_property
    def numbers(self) -> np.ndarray:
        """All of them (`layouts.FRAME`)."""
        return FRAME.pack(R=self.R_LB, p=self.p_LB)

    @cached_property
    def is_straight(self) -> bool:
        """Is it that of L itself?"""
        return not self.p_LB.any() and np.array_equal(self.R_LB, _ONE)

    def then(self, pose: Pose) -> "Place":
        """The place of a frame that is at `pose` in this one."""
        return Place(self.link, clean(self.R_LB @ pose.rotation), self.R_LB @ np.array(pose.position) + self.p_LB)


class Tree:
    """The links of a world, and where its bodies and frames are on them."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.layout = Layout(world)
        self.links: list[Link] = []
        self.places: dict[str, Place] = {"world": Place(WORLD_LINK, np.eye(3), np.zeros(3))}
        for body in world.bodies:
            self._carry(body)
        for frame in world.frames:
            self.places[frame.name] = self.places[frame.body].then(frame.placement)
        self.nq, self.nv = self.layout.nq, self.layout.nv

    def _carry(self, body: Body) -> None:
        joint_place = self.places[body.parent].then(body.placement)
        if isinstance(body.joint, Fixed):
            self.places[body.name] = joint_place
        elif isinstance(body.joint, Mode):
            self.places[body.name] = joint_place
            self._add_mode(body, body.joint, joint_place)
        else:
            self.places[body.name] = self._add_links(body, body.joint, joint_place)
        place = self.places[body.name]
        if place.link != WORLD_LINK:
            self.links[place.link].add(body, place)

    def _add_links(self, body: Body, joint: Moving, at: Place) -> Place:
        q, v = self.layout.q[body.name].start, self.layout.v[body.name].start
        for kind, A in _elementary(joint):
            dof = slice(v - self.layout.v[body.name].start, v - self.layout.v[body.name].start + DOF[kind])
            link = Link(kind, at.link, q, v, clean(at.R_LB @ A), at.p_LB, body.name)
            resist(link, joint, dof)
            if isinstance(joint, Revolute) and joint.rotor:
                self._add_rotor(link, joint.rotor, at.link)
            self.links.append(link)
            at = Place(len(self.links) - 1, A.T, np.zeros(3))
            q, v = q + COORDINATES[kind], v + DOF[kind]
        return at

    def _add_mode(self, body: Body, joint: Mode, at: Place) -> None:
        """A link of a mode of what `at` is fixed to."""
        if at.link == WORLD_LINK and isinstance(self.world.gravity, Orbit):
            raise ValueError(f"body {body.name!r} is a mode of what is fixed to the world, which gravity does not move")
        q, v = self.layout.q[body.name].start, self.layout.v[body.name].start
        link = Link("M", at.link, q, v, np.eye(3), at.p_LB, body.name)
        link.screw = np.concatenate([at.R_LB @ np.array(x) for x in (joint.angular, joint.linear)])
        link.armature = 1.0
        rate = 2 * np.pi * joint.frequency
        link.stiffness[0], link.damping[0] = rate**2, 2 * joint.damping_ratio * rate
        carrier = self.world.body(body.parent)
        if at.link != WORLD_LINK:
            place = self.places[carrier.name]
            center = place.R_LB @ np.array(carrier.center) + place.p_LB
            points = self.links[at.link].points
            link.point = next(k for k, (m, c) in enumerate(points) if m == carrier.mass and np.array_equal(c, center))
        self.links.append(link)

    def _add_rotor(self, link: Link, rotor: Rotor, parent: int) -> None:
        """½ J (u·ω + N q̇)² as inertia about the axis of the parent, of the link, and of the rate alone (eq. 4)."""
        J, N = rotor.inertia, rotor.gear_ratio
        link.armature = J * N * (N - 1)
        link.geared = link.geared + np.diag([0.0, 0.0, J * N])
        if parent != WORLD_LINK:
            axis = link.R_PL[:, 2]
            self.links[parent].geared = self.links[parent].geared + J * (1 - N) * np.outer(axis, axis)

    def ancestors(self) -> np.ndarray:
        """Boolean (nv, nv): row i, column j true if velocity i moves the link of velocity j."""
        moves = np.zeros((self.nv, self.nv), dtype=np.bool_)
        for link in self.links:
            mine = slice(link.v, link.v + link.dof)
            moves[mine, mine] = True
            if link.parent != WORLD_LINK:
                moves[:, mine] |= moves[:, self.links[link.parent].v][:, None]
                moves[mine, mine] = True
        return moves

    def latch_rows(self) -> list[Sequence[int]]:
        """The constraints of every latch that matter: where all moves in the x, y plane, the others cannot fail."""
        upright = [np.eye(3)[2], -np.eye(3)[2]]
        flat, turn = {WORLD_LINK: True}, {WORLD_LINK: np.eye(3)}
        for k, link in enumerate(self.links):
            turn[k] = turn[link.parent] @ link.R_PL
            axis = turn[k][:, 2]
            along = any(np.array_equal(axis, z) for z in upright)
            flat[k] = flat[link.parent] and (along if link.kind == "R" else link.kind == "P" and axis[2] == 0.0)

        def in_plane(place: Place) -> bool:
            z = turn[place.link] @ place.R_LB[:, 2]
            return flat[place.link] and any(np.array_equal(z, one) for one in upright)

        ends = [(self.places[latch.frame_a], self.places[latch.frame_b]) for latch in self.world.latches]
        return [
            (FLAT_ROWS if in_plane(a) and in_plane(b) else LATCH_ROWS)[latch.kind]
            for latch, (a, b) in zip(self.world.latches, ends, strict=True)
        ]

    @cached_property
    def numbers(self) -> np.ndarray:
        """All numbers of the world that the kernels take, in the order in which `Numbers` reads them."""
        return np.concatenate([*(link.numbers for link in self.links), self.numbers_beyond_links()])

    @cached_property
    def ends(self) -> list[int]:
        """Where in these each link's end; before the first is 0, at index −1."""
        ends: list[int] = np.cumsum([len(link.numbers) for link in self.links]).tolist()
        return [*ends, 0]

    @cached_property
    def carried(self) -> list[list[int]]:
        """Of each link: which bodies it moves."""
        moved: list[list[int]] = [[] for _ in self.links]
        for k, body in enumerate(self.world.bodies):
            if (link := self.places[body.name].link) != WORLD_LINK:
                moved[link].append(k)
        return moved

    @cached_property
    def damped(self) -> list[tuple[int, int]]:
        """Velocities that settle: which of which link. Of one structure, these and those with springs are the same."""
        return [(n, k) for n, link in enumerate(self.links) for k, settles in enumerate(link.settles) if settles]

    @cached_property
    def sprung(self) -> list[int]:
        """Links with a spring or a servo's stiffness."""
        return [n for n, link in enumerate(self.links) if link.kp or link.stiffness.any()]

    def numbers_beyond_links(self) -> np.ndarray:
        """Of these, what is no link's: of gravity and latches."""
        rows: list[np.ndarray] = [np.empty(0)]
        gravity = self.world.gravity
        if isinstance(gravity, Uniform):
            rows.append(np.array(gravity.acceleration))
        if isinstance(gravity, Orbit):
            rows.append(np.array([gravity.mu]))
            if gravity.gradient:
                rows += [six(link.own_inertia) for link in self.links]
        for latch in self.world.latches:
            for end in (latch.frame_a, latch.frame_b):
                rows.append(self.places[end].numbers)
        return np.concatenate(rows)

    @cached_property
    def sizes(self) -> dict[str, int]:
        """What the vectors that kernels take and give are as long as (layouts.py)."""
        return {
            "nq": self.nq,
            "nv": self.nv,
            "links": len(self.links),
            "latches": len(self.world.latches),
            "rows": sum(map(len, self.latch_rows())),
            "given": 3 * self.nv + 1,
            "two_nv": 2 * self.nv,
            "factor": sum(LINK_FACTOR.size(factor_sizes(link)) for link in self.links),
            "known": VALUES if self.is_long else DEPTH,
        }

    @cached_property
    def is_long(self) -> bool:
        """Is there a chain of more links than `LONG`?"""
        depths: list[int] = []
        for link in self.links:
            depths.append(1 + (depths[link.parent] if link.parent != WORLD_LINK else 0))
        return max(depths, default=0) > LONG

    def theta(self) -> np.ndarray:
        """The numbers that are not folded into the kernels: their last argument."""
        return self._theta

    @cached_property
    def _theta(self) -> np.ndarray:
        return self.numbers.take(self._kept)

    @cached_property
    def _folded(self) -> np.ndarray:
        return folded(self.numbers)

    @cached_property
    def _kept(self) -> np.ndarray:
        return np.flatnonzero(self._folded == 2)

    @cached_property
    def gone(self) -> tuple[np.ndarray, bytes, np.ndarray]:
        """Which numbers are folded, their bytes, and what they are folded as."""
        gone = np.flatnonzero(self._folded != 2)
        return gone, self.numbers.take(gone).tobytes(), self._folded[gone]

    def folds_as_it_did(self) -> bool:
        """Are the numbers that are folded those that were when that was asked first, of other numbers?"""
        gone, before, values = self.gone
        if not _FOLD.isdisjoint(self._theta.tolist()):
            return False
        now = self.numbers.take(gone)
        return now.tobytes() == before or bool((now == values).all())  # -0.0 is 0.0

    def structure(self) -> str:
        """Everything but the numbers: worlds with the same structure share their compiled kernels."""
        return self._structure

    @cached_property
    def _structure(self) -> str:
        links = [(link.kind, link.parent, link.q, link.v, len(link.points), link.point) for link in self.links]
        latches = [
            (latch.kind, len(rows), self.places[latch.frame_a].link, self.places[latch.frame_b].link)
            for latch, rows in zip(self.world.latches, self.latch_rows(), strict=True)
        ]
        gravity = self.world.gravity
        gradient = isinstance(gravity, Orbit) and gravity.gradient
        return repr((links, latches, gravity.kind, *(["gradient"] if gradient else []), self._folded.tolist()))


def six(inertia: np.ndarray) -> np.ndarray:
    """xx, yy, zz, xy, xz, yz of a symmetric matrix."""
    return inertia.reshape(-1)[_SIX]


_SIX = np.array([0, 4, 8, 1, 2, 5])
_ONE = np.eye(3)
_FOLD = frozenset((0.0, 1.0, -1.0))


def factor_sizes(link: Link) -> dict[str, int]:
    """Sizes of one link's share of the step matrix's factor (`layouts.LINK_FACTOR`)."""
    return {"turn": FACTOR_TURN[link.kind], "shift": FACTOR_SHIFT[link.kind], "dof": link.dof}


def folded(numbers: np.ndarray) -> np.ndarray:
    """0, 1, -1 for the numbers that are exactly that and fold away in the kernels; 2 for the others."""
    kinds = np.full(len(numbers), 2)
    for one in (0, 1, -1):
        kinds[numbers == one] = one
    return kinds


def _elementary(joint: Moving) -> list[tuple[str, np.ndarray]]:
    """Elementary joints of a joint, each with the rotation that takes z to its axis."""
    one = np.eye(3)
    if isinstance(joint, Revolute):
        return [("R", _z_to(np.array(joint.axis)))]
    if isinstance(joint, Prismatic):
        return [("P", _z_to(np.array(joint.axis)))]
    if isinstance(joint, Planar):
        return [("P", _z_to(one[0])), ("P", _z_to(one[1])), ("R", one)]
    if isinstance(joint, Spherical):
        return [("S", one)]
    assert isinstance(joint, Free)
    return [("T", one), ("S", one)]


def _z_to(axis: np.ndarray) -> np.ndarray:
    """A rotation A with A z = axis; a signed permutation, which costs nothing, where that does."""
    k = int(np.argmax(np.abs(axis)))
    A = np.roll(np.eye(3), k + 1, axis=0)
    if axis[k] < 0:
        A = A @ np.diag([1.0, -1.0, -1.0])
    if np.count_nonzero(axis) == 1:
        return A
    x = np.cross(A[:, 1], axis)
    x /= np.linalg.norm(x)
    return np.column_stack([x, np.cross(axis, x), axis])


def resist(link: Link, joint: Moving, dof: slice) -> None:
    """Give a link its share of its joint's spring, damper, friction and actuator, and of nothing else."""
    link.damping = _share(joint.damping, joint.nv, dof)
    link.stiffness = link.rest = link.friction = link.slide = link.hold = _NOTHING
    link.friction_speed, link.kp, link.kd, link.play = 1.0, 0.0, 0.0, 0.0
    if joint.friction and joint.friction.static is not None:
        link.slide, link.hold = (_share(x, joint.nv, dof) for x in (joint.friction.force, joint.friction.static))
    elif joint.friction:
        link.friction = _share(joint.friction.force, joint.nv, dof)
        link.friction_speed = joint.friction.speed
    if joint.spring:
        if link.kind == "S":
            link.stiffness = np.array([joint.spring.stiffness[-1], 0.0, 0.0])
        else:
            translations = 3 if isinstance(joint, Free) else joint.nv
            link.stiffness = _share(joint.spring.stiffness, translations, dof)
            link.rest = _share(joint.spring.rest, translations, dof)
        link.play = joint.spring.play
    servo = getattr(joint, "servo", None)
    if servo:
        link.kp, link.kd = servo.kp, servo.kd


_NOTHING = np.zeros(3)
_NOTHING.flags.writeable = False


def _share(values: tuple[float, ...], size: int, dof: slice) -> np.ndarray:
    if not any(values):
        return _NOTHING
    whole = np.full(size, values[0]) if len(values) == 1 else np.array(values)[:size]
    share = np.zeros(3)
    share[: dof.stop - dof.start] = whole[dof]
    return share
