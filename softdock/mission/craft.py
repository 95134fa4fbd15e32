"""What a mission knows of its spacecraft: a model of each, and its state as measured.

A craft is what hangs together by joints: one tree of the world. Its planning frame A has the craft's centre of mass as
origin; its axes are the world's at t = 0 and turn about z with the orbit, if there is one (the Hill frame).
"""

import math
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from softdock.control import ComputedTorque, Limited, ReactionWheels
from softdock.control.reference import Wanted
from softdock.dynamics import Dynamics
from softdock.mission.part import Part, PartError, Truth
from softdock.spatial import cross, quaternion_of_vector, quaternion_product
from softdock.world import WORLD, Body, Orbit, World
from softdock.world.describe import nearest
from softdock.world.rigid import rigid, stilled

if TYPE_CHECKING:
    from softdock.mission.navigation import Navigation
    from softdock.mission.pilot import Pilot
    from softdock.tracking.viewpoint import Viewpoint

Found = TypeVar("Found")


def orbit_rate(world: World) -> float:
    """Of a circular orbit (rad/s); 0 without one. PartError if it is another: A would not turn evenly."""
    orbit = world.gravity
    if not isinstance(orbit, Orbit):
        return 0.0
    if orbit != Orbit(semi_major_axis=orbit.semi_major_axis, mu=orbit.mu, gradient=orbit.gradient):
        raise PartError("gravity: a mission's orbit must be circular, with all angles zero")
    return math.sqrt(orbit.mu / orbit.semi_major_axis**3)


def turned_hill(n: float, t: float) -> np.ndarray:
    """R_WA at time t (s), of axes that turn about z at the rate n (rad/s)."""
    c, s = math.cos(n * t), math.sin(n * t)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def tree_of(world: World, root: str, still: Mapping[str, float]) -> World:
    """The part of a world that a body carries, with its frames, under the same gravity; joints in `still`, sliding or
    turning, are fixed there (m or rad)."""
    names, bodies = {root}, []
    for body in world.bodies:  # parents come first
        if body.name == root or body.parent in names:
            names.add(body.name)
            bodies.append(stilled(body, [still[body.name]]) if body.name in still else body)
    frames = tuple(frame for frame in world.frames if frame.body in names)
    thrusters = tuple(thruster for thruster in world.thrusters if thruster.body == root)
    return World(name=root, gravity=world.gravity, bodies=tuple(bodies), frames=frames, thrusters=thrusters)


class Craft:
    """One spacecraft as the mission knows it: `dynamics` of its model, and q and v by the last measurement."""

    def __init__(self, world: World, root: str, still: Mapping[str, float]) -> None:
        self.root, self.world = root, tree_of(world, root, still)
        self.n = orbit_rate(world)
        self.shells = set(world.touching.excluded)
        """Pairs of bodies that contacts of many leave out."""
        self.dynamics = Dynamics(self.world)
        self.t = 0.0
        self.q, self.v = self.dynamics.layout.neutral(), np.zeros(self.dynamics.nv)
        self._made_at, self._made = (self.t, self.q, self.v), dict[str, Any]()
        self.commanded = np.zeros(self.dynamics.nv)
        """What its control commanded last (N or N m)."""
        self.parts: list[Part] = []
        self.pilot: Pilot | None = None
        """Who flies it by thrusters; A's origin is then the world's."""
        self.navigation: Navigation | None = None
        """Who says where it is; without, that is measured."""
        self.limiters: list[Limited] = []
        """Of the model alone, then with each payload; they count what was cut."""

    def __contains__(self, name: str) -> bool:
        return name in self.dynamics.tree.places

    @property
    def is_free(self) -> bool:
        """Does nothing hold it?"""
        return self.dynamics.layout.kind[self.root] == "free"

    def measured(self, t: float, q: np.ndarray, v: np.ndarray) -> None:
        """Take a measurement of its own state."""
        if self.navigation:
            q, v = self.navigation.believed(t, q, v)
        self.t, self.q, self.v = t, q, v

    # --- frames ------------------------------------------------------------------------------------

    def center(self) -> tuple[np.ndarray, np.ndarray]:
        """The origin of A and its velocity, in W (m, m/s); of a craft that is held, or flown by thrusters, the world's
        origin at rest."""
        if not self.is_free or self.pilot:
            return np.zeros(3), np.zeros(3)
        return self._once("", self._balanced)

    def _balanced(self) -> tuple[np.ndarray, np.ndarray]:
        balance = self.dynamics.balance(self.q, self.v, self.t)
        return balance.center, balance.momentum / self.dynamics.mass

    def _once(self, what: str, make: Callable[[], Found]) -> Found:
        """What depends on the measured state alone, made once for each: sensors, parts and records all ask for it."""
        t, q, v = self._made_at
        if not (t == self.t and q is self.q and v is self.v):
            self._made_at, self._made = (self.t, self.q, self.v), {}
        if what not in self._made:
            self._made[what] = make()
        found: Found = self._made[what]
        return found

    def viewpoint(self, frame: str) -> "Viewpoint":
        """A frame of the craft, and its motion, in A."""
        return self._once(frame, lambda: self._seen_from(frame))

    def _seen_from(self, frame: str) -> "Viewpoint":
        from softdock.tracking.viewpoint import Viewpoint  # with all that sees

        R_WA, rate = turned_hill(self.n, self.t), np.array([0.0, 0.0, self.n])
        R_WK, p_WK = self.dynamics.pose(frame, self.q)
        moving = self.dynamics.jacobian(frame, self.q) @ self.v
        center, drift = self.center()
        p = R_WA.T @ (p_WK - center)
        velocity = R_WA.T @ (moving[3:] - drift) - cross(rate, p)
        return Viewpoint(R_WA.T @ R_WK, p, velocity, R_WA.T @ moving[:3] - rate)

    # --- control -----------------------------------------------------------------------------------

    def chain(self, frame: str) -> list[Body]:
        """Bodies from the root to the one that carries a frame."""
        found, name = [], self.world.body_of(frame)
        while name != WORLD:
            found.append(self.world.body(name))
            name = found[-1].parent
        return found[::-1]

    def drive(self, period: float, model: Dynamics | None = None) -> None:
        """Make ready to command the actuators of its parts, by its own model or one with a payload."""
        driven = [part for part in self.parts if part.actuators]
        self.model = model = model or self.dynamics
        if any(part.servoed for part in driven):
            self.model = model = Dynamics(self.unservoed(model.world))
        if not driven:
            return
        actuators = [name for part in driven for name in part.actuators]
        tracked = [name for part in driven for name in part.tracked]
        counts = [len(model.layout.velocities(part.tracked)) for part in driven]
        gains = [np.broadcast_to(part.gains, (count, 2)) for part, count in zip(driven, counts, strict=True)]
        kp, kd = np.concatenate(gains).T
        motors = {name: getattr(self.world.body(name).joint, "actuator", None) for name in actuators if name in self}
        efforts = {name: motor.effort for name, motor in motors.items() if motor and motor.effort}
        largest = np.full(model.nv, np.inf)
        for name, effort in efforts.items():
            largest[model.layout.velocities([name])] = effort
        control = ComputedTorque(
            model, self.wanted, kp=kp, kd=kd, period=period, actuators=actuators, tracked=tracked,
            largest=largest if self.pilot else None,
        )  # fmt: skip
        ranges = [store for part in driven if (store := store_of(model, part))]
        self.limiters.append(Limited(control, model, torque=efforts, ranges=ranges))

    def unservoed(self, world: World) -> World:
        """A model without the servos of the joints that its parts drive: what they do is not mechanics to control."""
        names = {name for part in self.parts for name in part.servoed}
        bodies = (
            body.altered(joint=body.joint.altered(servo=None)) if body.name in names else body for body in world.bodies
        )
        return world.altered(bodies=tuple(bodies))

    def carry(self, payload: Body, period: float) -> None:
        """From now on the control's model has a payload, fixed to one of the craft's bodies; A stays as it is."""
        self.drive(period, Dynamics(self.world.altered(bodies=(*self.world.bodies, payload))))

    def wanted(self, t: float) -> Wanted:
        """What all parts want at time t; what none wants is as it was measured."""
        wanted = Wanted(self.q.copy(), np.zeros(self.dynamics.nv), np.zeros(self.dynamics.nv))
        for part in self.parts:
            part.want(t, wanted)
        return wanted

    def command(self, t: float) -> np.ndarray:
        """Of its actuators (nv of the craft), within what they can give."""
        if self.limiters:
            self.commanded = self.limiters[-1](t, self.q, self.v)
        return self.commanded.copy()

    def fired(self, command: np.ndarray, period: float) -> dict[str, float]:
        """What thrusters do of a command, by name (s), which then has the rest; within what wheels can give."""
        if not self.pilot:
            return {}
        times = self.pilot.fired(command, period)
        for name in self.pilot.wheels:
            motor = getattr(self.world.body(name).joint, "actuator", None)
            if motor and motor.effort:
                at = self.dynamics.layout.v[name]
                command[at] = np.clip(command[at], -motor.effort, motor.effort)
        return times


def store_of(dynamics: Dynamics, part: Part) -> ReactionWheels | None:
    """The momentum that the wheels of a part can store, by the rates of their motors."""
    wheels: tuple[str, ...] = getattr(part, "wheels", ())
    if not wheels:
        return None
    store = ReactionWheels(dynamics, wheels)
    motors = [getattr(dynamics.world.body(name).joint, "actuator", None) for name in wheels]
    rates = np.array([motor.rate if motor and motor.rate else np.inf for motor in motors])
    return ReactionWheels(dynamics, wheels, momentum_limit=rates * store.inertia)


def own_places(craft: Craft, dynamics: Dynamics) -> tuple[np.ndarray, np.ndarray]:
    """Where the craft's coordinates and velocities are among those of the whole world."""
    whole, own = dynamics.layout, craft.dynamics.layout
    names = [body for body in own.q if own.q[body].stop > own.q[body].start]
    q, v = (
        np.concatenate([np.arange(slices[body].start, slices[body].stop) for body in names])
        for slices in (whole.q, whole.v)
    )
    return q, v


class OwnState:
    """The sensor of a craft's own joints, attitude and place: encoders, star trackers, navigation. Joint values have
    their part's noise, the attitude its part's error, the same all the time; all else is exact."""

    def __init__(self, craft: Craft, dynamics: Dynamics, period: float, seed: np.random.SeedSequence) -> None:
        self.period, self._rng = period, np.random.default_rng(seed)
        own, (self._q, self._v) = craft.dynamics.layout, own_places(craft, dynamics)
        self._noise = np.zeros(own.nq)
        for part in craft.parts:
            if part.encoder_noise:
                self._noise[own.flat(part.actuators)[0]] = part.encoder_noise
        axis, off = self._rng.standard_normal(3), max((part.attitude_error for part in craft.parts), default=0.0)
        self._turn = quaternion_of_vector(off * axis / np.linalg.norm(axis))
        self._attitude = slice(own.q[craft.root].stop - 4, own.q[craft.root].stop) if craft.is_free and off else None

    def measure(self, truth: Truth) -> tuple[np.ndarray, np.ndarray]:
        q, v = truth.q[self._q], truth.v[self._v]
        if self._noise.any():
            q = q + self._noise * self._rng.standard_normal(len(q))
        if self._attitude:
            q[self._attitude] = quaternion_product(q[self._attitude], self._turn)
        return q, v

    def spread(self, command: np.ndarray, onto: np.ndarray) -> None:
        """Add a command of the craft to that of the whole world (nv)."""
        onto[self._v] += command[: len(self._v)]


class Crafts:
    """All spacecraft of a world that parts sit on, made as they are asked for. Their models are rigid: what gives way
    by springs or vibrates is at rest in them, and joints in `still` do not move (m or rad)."""

    def __init__(self, world: World, still: Mapping[str, float] | None = None) -> None:
        self.world, self._still = rigid(world), still or {}
        """As the models have it."""
        self._made: dict[str, Craft] = {}

    def __iter__(self) -> Iterator[Craft]:
        return iter(self._made.values())

    def root_of(self, frame: str, part: Part) -> str:
        """The body at the bottom of the tree that carries a body or frame; PartError if there is none of that name."""
        places = [body.name for body in self.world.bodies] + [one.name for one in self.world.frames]
        if frame not in places:
            raise PartError(f"{part.name}: no body or frame {frame!r}{nearest(frame, places)}")
        name = self.world.body_of(frame)
        if name == WORLD:
            raise PartError(f"{part.name}: {frame!r} is fixed to the world, not to a body")
        while (parent := self.world.body(name).parent) != WORLD:
            name = parent
        return name

    def join(self, frame: str, part: Part) -> Craft:
        """The craft that carries a body or frame, with this part among its parts."""
        root = self.root_of(frame, part)
        if root not in self._made:
            self._made[root] = Craft(self.world, root, self._still)
        self._made[root].parts.append(part)
        return self._made[root]


def refuse_shared_actuators(parts: Mapping[str, Part]) -> None:
    """PartError if two parts would command one actuator."""
    owner: dict[str, str] = {}
    for name, part in parts.items():
        for actuator in part.actuators:
            if actuator in owner:
                raise PartError(f"{name}: actuator {actuator!r} is commanded by {owner[actuator]!r} already")
            owner[actuator] = name
