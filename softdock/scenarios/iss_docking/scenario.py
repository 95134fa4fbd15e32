"""Scenario 'iss-docking': the station's arm docks a payload, which hits the side of the bay on its way.

Gibson & Murphey's planar system: a station in orbit, three links from its centre
with PD torques, a payload at the tip. What they leave open is calibrated (docs/scenarios/iss-docking.md).
"""

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import Field, field_validator, model_validator

from softdock import mission as ms
from softdock.dynamics import ACCOUNT, Dynamics, Trajectory
from softdock.mission.conductor import Phases
from softdock.mission.part import Part
from softdock.runs.ledger import Columns
from softdock.runs.simulation import Controller, Simulation
from softdock.scenarios.derived import DerivedScenario
from softdock.scenarios.iss_docking.look import drawn_station
from softdock.scenarios.iss_docking.measures import Poses, Wall, clearance, conservation, spells, wandering
from softdock.scenarios.iss_docking.units import UNITS
from softdock.scenarios.mission import Mission
from softdock.world import (
    Beam,
    Body,
    Box,
    Compliance,
    Contact,
    Fixed,
    Frame,
    JointState,
    Latch,
    Orbit,
    Planar,
    Pose,
    Revolute,
    Servo,
    Sphere,
    World,
)  # fmt: skip
from softdock.world.describe import Described, Matrix3, Number, nearest
from softdock.world.joints import NonNegative
from softdock.world.shapes import Positive

if TYPE_CHECKING:
    from softdock.figures import Drawing

JOINTS = ("arm1", "arm2", "arm3")
GRASP, DOCK = "grasp", "dock"
"""Latches: the arm's on the payload, and the bay's."""
SIDE, END = "side walls", "end wall"
"""Bodies of the bay, and the gaps between them and the payload."""
STYLES = ("impact", "compliant")
PLANAR, SERVOED = Planar(), Revolute(servo=Servo())
_AT_REST = JointState()
FREE_ROOT = 4.730040744862704
"""β L of the first mode of a beam with free ends: cos βL cosh βL = 1."""
KEPT = 64
"""So many parts of worlds are kept: those of a campaign differ in few."""

Angles = tuple[Number, Number, Number]


class Station(Described):
    """A uniform rod (kg, m) that turns with its orbit; `angle` (rad) at the start, from the outward radius.

    If it is `flexible`, it bends in the plane: either half is a boom of `rods`, such that the first frequency of the
    whole, free, is `frequency` (Hz), with that `damping_ratio`.
    """

    mass: Positive
    length: Positive
    angle: Number = 0.0
    flexible: bool = False
    frequency: Positive = 0.15
    damping_ratio: Annotated[float, Field(ge=0, lt=1)] = 0.005
    rods: Annotated[int, Field(ge=1, le=20)] = 4


class Arm(Described):
    """Three uniform rods from the station's centre: lengths (m), density (kg/m), angles (rad, each to the last link).

    The torque of a joint is kp (target − angle) − kd rate; targets are `docked` until the payload is
    released, then `start`, where the arm begins.
    """

    lengths: tuple[Positive, Positive, Positive]
    density: Positive
    start: Angles
    docked: Angles
    kp: Positive
    kd: NonNegative


class Payload(Described):
    """A uniform ball (kg, m), its centre at the arm's tip."""

    mass: Positive
    radius: Positive


class Bay(Described):
    """Two side walls and an end wall on the station (m, rad, in its frame).

    `position` is the middle of the end wall's inner face, `angle` the direction of the way in,
    `width` the room between the side walls, `length` theirs. Its latch takes a payload that touches
    the end wall within `capture_distance` of the middle and within `capture_angle` of how the arm should bring it.
    """

    position: tuple[Number, Number]
    angle: Number
    width: Positive
    length: Positive
    wall: Positive
    capture_distance: NonNegative
    capture_angle: Annotated[float, Field(ge=0, le=1)]


class ContactModel(Described):
    """How touching is modelled: as located impacts, or, of the side walls, as contact that gives way.

    `restitution` is Newton's, of located impacts; `stiffness` (N/m^exponent), `exponent` and `damping` (s/m)
    are the compliant law's. The end wall is always located: docking happens at the instant of its touch.
    """

    style: str = STYLES[0]
    """Located impacts, or contact that gives way."""
    restitution: Annotated[float, Field(ge=0, le=1)] = 1.0
    stiffness: Positive = 1e9
    exponent: Annotated[float, Field(ge=1, le=5)] = 3.0
    damping: NonNegative = 0.0

    @field_validator("style")
    @classmethod
    def _known(cls, style: str) -> str:
        if style not in STYLES:
            raise ValueError(f"no contact style {style!r}{nearest(style, STYLES)}")
        return style

    def compliance(self, wall: str) -> Compliance | None:
        """How a wall gives way, if it does."""
        if self.style == "impact" or wall == END:
            return None
        return Compliance(stiffness=self.stiffness, exponent=self.exponent, damping=self.damping)


class Handover(Described):
    """The arm releases the payload `release_after` seconds after the bay's latch took the payload."""

    release_after: NonNegative = 0.0


class OptimalControl(Described):
    """How the docking is planned, with `control = "optimal"` (docs/optimal.md).

    `end = "pd"`: where PD docks, when it does and as fast, which is the fair comparison; `end = "gentle"`: at the
    middle of the end wall, straight on, at `approach_speed` (m/s), after `duration` (s; 0: as long as it is worth at
    `time_weight`, N² m²). `torque` (N m) is the most of a joint, `margin` (m) the room kept to the side walls, `knots`
    the steps of the coarse plan from which the one on the simulation's own step is found.
    """

    end: Literal["pd", "gentle"] = "pd"
    """Where PD docks, or at the middle, gently."""
    duration: NonNegative = 39.0
    approach_speed: Positive = 0.01
    time_weight: NonNegative = 10.0
    torque: Positive = 5.0
    margin: NonNegative = 0.01
    knots: Annotated[int, Field(ge=10, le=2000)] = 110


class Parts(Described):
    """What the world is made from."""

    orbit: Orbit
    station: Station
    arm: Arm
    payload: Payload
    bay: Bay
    contact: ContactModel = ContactModel()

    @model_validator(mode="after")
    def _fits(self) -> "Parts":
        if self.bay.width <= 2 * self.payload.radius:
            raise ValueError(
                f"bay.width: {self.bay.width:g} m leaves no room for a payload of radius {self.payload.radius:g} m"
            )
        return self

    # --- the world -----------------------------------------------------------------------------

    def make_world(self) -> World:
        """Station, arm and payload (held by the arm), and what may touch."""
        turned = sum(self.arm.docked) - self.bay.angle
        return World(
            name="iss-docking",
            gravity=self.orbit,
            bodies=(*self._rigid_bodies(), *_trusses(self.station)),
            frames=(
                _frame("tip", JOINTS[-1], self.arm.lengths[2], 0.0),
                _frame("port", END, -self.payload.radius, turned),
            ),
            latches=_latches(self.bay.capture_distance, self.bay.capture_angle),
            contacts=_contacts(self.contact),
        )

    def _rigid_bodies(self) -> list[Body]:
        return [_station(self.station), *_arm(self.arm), _payload(self.payload), *self._bay()]

    def _bay(self) -> list[Body]:
        all_walls = self.walls()
        walls = {SIDE: all_walls[:2], END: all_walls[2:]}
        return [_wall(name, self.bay.position, self.bay.angle, boxes) for name, boxes in walls.items()]

    def walls(self) -> tuple[Wall, ...]:
        """Centre and size of the side walls and the end wall in the bay's frame (x along the way in)."""
        bay = self.bay
        return _walls(bay.length, bay.width, bay.wall, self.payload.radius)

    def make_initial(self) -> dict[str, JointState]:
        """All at rest in a frame that turns with the orbit."""
        rate = math.sqrt(self.orbit.mu / self.orbit.semi_major_axis**3)
        heading = np.add.accumulate(self.arm.start) + self.station.angle
        lengths = np.array(self.arm.lengths)
        x, y = (float(lengths.dot(f(heading))) for f in (np.cos, np.sin))
        states: dict[str, JointState] = {
            "iss": JointState(position=(0.0, 0.0, self.station.angle), velocity=(0.0, 0.0, rate)),
            "payload": JointState(position=(x, y, float(heading[-1])), velocity=(-rate * y, rate * x, rate)),
        }
        return states | {
            name: _AT_REST._with(position=(angle,)) for name, angle in zip(JOINTS, self.arm.start, strict=True)
        }


class IssDocking(Parts, DerivedScenario, Mission):
    """The payload is brought, hits, docks and is released; the arm goes back to where it started."""

    made_from: ClassVar[type[Described]] = Parts
    goal = "docked"
    outcomes = ("docked", "not docked", "touched the end wall outside the capture envelope")
    units = UNITS
    handover: Handover = Handover()
    control: Literal["pd", "optimal"] = "pd"
    """The paper's PD, or its next step: a motion planned by discrete mechanics and optimal control."""
    optimal: OptimalControl = OptimalControl()

    @model_validator(mode="after")
    def _docks_within_the_run(self) -> "IssDocking":
        if self.control == "optimal" and self.station.flexible:
            raise ValueError("station.flexible: dockings are planned with a rigid station; take control = 'pd'")
        if self.control == "optimal" and self.optimal.end == "gentle" and self.optimal.duration >= self.run.duration:
            raise ValueError(
                f"optimal.duration: {self.optimal.duration:g} s is not within the run's {self.run.duration:g} s"
            )
        return self

    # --- the mission ---------------------------------------------------------------------------

    def parts(self) -> Mapping[str, Part]:
        """The arm with its servos and, if it is planned, the plan; both latches."""
        return {"arm": ms.Driver(JOINTS, self._controllers), "bay": ms.Lock(DOCK), "hand": ms.Lock(GRASP)}

    def phases(self, *, arm: ms.Driver, bay: ms.Lock, hand: ms.Lock) -> Phases:
        """The arm brings the payload; the bay's latch takes it at the instant at which it touches the end wall, if it
        is within the capture envelope; then the arm lets go, and returns."""
        docked, start = (dict(zip(JOINTS, angles, strict=True)) for angles in (self.arm.docked, self.arm.start))
        if self.control == "optimal":
            arm.use("plan")
        else:
            arm.use(position=docked)
        while not bay.engaged:
            yield ms.Touch(END, name="bring")
            try:
                yield ms.Latch(bay, patience=0.0, name="dock")
            except ms.NotLatched:
                continue
        if self.control == "optimal":  # the plan is done: servos hold the arm
            arm.use(position=docked)
        yield ms.Wait(self.handover.release_after, name="hand over")
        yield ms.Release(hand)
        arm.use(position=start)
        return ms.Success("docked")

    def period(self) -> float:
        """None: everything happens at an instant."""
        return math.inf

    def _controllers(self, dynamics: Dynamics) -> dict[str, Controller]:
        if self.control == "pd":
            return {}
        from softdock.scenarios.iss_docking.planned import Follow, plan_docking

        dynamics._say("planning the docking by optimal control (some seconds)")
        return {"plan": Follow(plan_docking(self, dynamics))}

    def simulation(self, dynamics: Dynamics) -> Simulation:
        """The loop, in as few compiled calls as there are instants."""
        simulation = super().simulation(dynamics)
        simulation.chunk = 4000
        return simulation

    def docked_command(self, dynamics: Dynamics) -> np.ndarray:
        """Servos' targets where the payload docks."""
        return dynamics.command(position=dict(zip(JOINTS, self.arm.docked, strict=True)))

    @classmethod
    def figures(cls) -> "dict[str, Drawing]":
        """Of the paper, and the ledger."""
        from softdock.scenarios.iss_docking.figures import FIGURES

        return FIGURES

    def annotations(self) -> dict[str, Any]:
        """The station as it is drawn: truss, modules, wings and radiators; a flexible one as the rods that bend."""
        if self.station.flexible:
            return {}
        return {"visuals": {"iss": drawn_station(self.station.length)}}

    def metrics(self, simulation: Simulation, rows: Trajectory) -> dict[str, Any]:
        """When it hit, docked and was released, and how well everything balances."""
        dynamics, events = simulation.dynamics, simulation.events
        frames = (END, "payload", "tip", "port")
        poses = dict(zip(frames, dynamics.poses(frames, rows.q), strict=True))
        hits = [event for event in events if event["kind"] == "impact"]
        keys = ("time", "impulse", "speed_before", "speed_after", "energy_change")
        docked, released = _time_of(events, "engaged", DOCK), _time_of(events, "released", GRASP)
        refused = any(phase.name == "dock" for phase in self.conductor(simulation).phases)
        missed = "touched the end wall outside the capture envelope" if refused else "not docked"
        return {
            "outcome": missed if docked is None else "docked",
            "impacts": [{"bodies": [hit["contact"], "payload"]} | {key: hit[key] for key in keys} for hit in hits],
            "docked_at": docked,
            "released_at": released,
            **self._planned(simulation, rows),
            **conservation(dynamics, rows),
            **self._touching(clearance(poses[END], poses["payload"], self.walls(), self.payload.radius), rows),
            "max_latch_violation": self._violation(poses, rows.t, docked, released),
        }

    def _planned(self, simulation: Simulation, rows: Trajectory) -> dict[str, Any]:
        """Of a planned docking, beside PD's."""
        if self.control != "optimal":
            return {}
        from softdock.scenarios.iss_docking.planned import docking_of, measures

        return measures(docking_of(simulation), rows)

    def tables(self, simulation: Simulation, rows: Trajectory) -> dict[str, Columns]:
        """Phases; of a planned docking, its torques and PD's."""
        found = super().tables(simulation, rows)
        if self.control != "optimal":
            return found
        from softdock.scenarios.iss_docking.planned import docking_of, tables

        return found | tables(docking_of(simulation))

    def _violation(
        self, poses: Mapping[str, Poses], t: np.ndarray, docked: float | None, released: float | None
    ) -> float:
        """How far (m or rad) the latches' frames moved against each other while engaged, over all rows."""
        held = {
            GRASP: slice(0, None if released is None else t.searchsorted(released, "right")),
            DOCK: slice(len(t) if docked is None else t.searchsorted(docked), None),
        }
        return max(wandering(poses[one.frame_a], poses[one.frame_b], held[one.name]) for one in self.world.latches)

    def _touching(self, away: np.ndarray, rows: Trajectory) -> dict[str, Any]:
        """Where walls gave way, and how far the payload was in one that does not: of its distance from each (m)."""
        soft = self.contact.style == "compliant"
        depth = -away[:, :2].min(axis=1) if soft else None
        spent = [] if depth is None else spells(rows.t, depth)
        return {
            "contacts": [{"bodies": [SIDE, "payload"]} | spell for spell in spent],
            "contact_energy_loss": -float(rows.account[-1, ACCOUNT.index("work_contacts")]) + 0.0,
            "max_contact_depth": 0.0 if depth is None else max(0.0, float(depth.max())),
            "max_penetration": max(0.0, -float(away[:, 2 if soft else 0 :].min())),
        }


def _time_of(events: Sequence[Mapping[str, Any]], kind: str, latch: str) -> float | None:
    """When (s) a latch was first engaged or released."""
    return next((event["time"] for event in events if event["kind"] == kind and event.get("latch") == latch), None)


@lru_cache(KEPT)
def _walls(length: float, width: float, wall: float, radius: float) -> tuple[Wall, ...]:
    """Of a bay for a payload (m)."""
    aside, depth = (width + wall) / 2, 4 * radius
    side, end = (length, wall, depth), (wall, width + 2 * wall, depth)
    return ((-length / 2, aside, 0.0), side), ((-length / 2, -aside, 0.0), side), ((wall / 2, 0.0, 0.0), end)


@lru_cache(KEPT)
def _along(x: float, angle: float) -> Pose:
    """At x (m), turned about z (rad)."""
    return Pose(position=(x, 0.0, 0.0), quaternion=_turn(angle))


@lru_cache(KEPT)
def _frame(name: str, body: str, x: float, angle: float) -> Frame:
    return Frame(name=name, body=body, placement=_along(x, angle))


@lru_cache(KEPT)
def _latches(capture_distance: float, capture_angle: float) -> tuple[Latch, Latch]:
    return (
        Latch(name=GRASP, kind="weld", frame_a="tip", frame_b="payload", engaged=True),
        Latch(
            name=DOCK,
            kind="weld",
            frame_a="port",
            frame_b="payload",
            capture_distance=capture_distance,
            capture_angle=capture_angle,
        ),
    )


@lru_cache(KEPT)
def _contacts(contact: ContactModel) -> tuple[Contact, ...]:
    e = contact.restitution
    return tuple(
        Contact(name=wall, body_a=wall, body_b="payload", restitution=e, compliance=contact.compliance(wall))
        for wall in (SIDE, END)
    )


@lru_cache(KEPT)
def _station(station: Station) -> Body:
    if station.flexible:  # its mass is in its halves
        return Body(name="iss", joint=Planar(), mass=0.0)
    truss = Box(size=(station.length, 0.8, 0.8))
    return _rod("iss", station.mass, station.length, center=0.0, joint=Planar(), shapes=(truss,))


@lru_cache(KEPT)
def _trusses(station: Station) -> tuple[Body, ...]:
    """The halves of a flexible station: what bends together as the free rod does."""
    if not station.flexible:
        return ()
    line = station.mass / station.length
    bending = (2 * math.pi * station.frequency) ** 2 * line * (station.length / FREE_ROOT) ** 4
    bodies: list[Body] = []
    for name, angle in (("starboard", 0.0), ("port side", math.pi)):
        half = Beam(
            name=name, on="iss", placement=_along(0.0, angle), length=station.length / 2, rods=station.rods,
            line_mass=(line,), bending_z=(bending,), damping_ratio=station.damping_ratio, section=(0.8, 0.8),
            gyration=(0.0, 0.0, 0.0),
        )  # fmt: skip
        bodies += half.carried(Frame(name="iss", body="iss")).bodies
    return tuple(bodies)


def _arm(arm: Arm) -> list[Body]:
    assert SERVOED.servo
    joint = SERVOED._with(servo=SERVOED.servo._with(kp=arm.kp, kd=arm.kd))
    return [rod._with(joint=joint) for rod in _rods(arm.lengths, arm.density)]


@lru_cache(KEPT)
def _rods(lengths: tuple[float, float, float], density: float) -> list[Body]:
    """The arm without its actuators."""
    bodies, at = [], 0.0
    for name, parent, length in zip(JOINTS, ("iss", *JOINTS), lengths, strict=False):
        at_joint = _along(at, 0.0)
        mass, center = density * length, length / 2
        body = _rod(name, mass, length, center=center, joint=Revolute(), parent=parent, placement=at_joint)
        bodies.append(body)
        at = length
    return bodies


def _payload(payload: Payload) -> Body:
    inertia = 0.4 * payload.mass * payload.radius**2
    return _ball(payload.radius)._with(mass=payload.mass, inertia=_moments(*[inertia] * 3))


@lru_cache(KEPT)
def _ball(radius: float) -> Body:
    """The payload without its mass."""
    return Body(name="payload", joint=PLANAR, mass=0.0, shapes=(Sphere(radius=radius),))


@lru_cache(KEPT)
def _wall(name: str, position: tuple[float, float], angle: float, boxes: tuple[Wall, ...]) -> Body:
    placement = Pose(position=(*position, 0.0), quaternion=_turn(angle))
    shapes = tuple(Box(size=size, placement=Pose(position=center)) for center, size in boxes)
    return Body(name=name, parent="iss", joint=Fixed(), placement=placement, mass=0.0, shapes=shapes)


def _rod(name: str, mass: float, length: float, *, center: float, **what: Any) -> Body:
    """A uniform rod along x."""
    inertia = mass * length**2 / 12
    return Body(name=name, mass=mass, center=(center, 0.0, 0.0), inertia=_moments(0.0, inertia, inertia), **what)


def _moments(x: float, y: float, z: float) -> Matrix3:
    return (x, 0.0, 0.0), (0.0, y, 0.0), (0.0, 0.0, z)


def _turn(angle: float) -> tuple[float, float, float, float]:
    return math.cos(angle / 2), 0.0, 0.0, math.sin(angle / 2)


SCENARIO = IssDocking
