"""Scenario 'berthing': an arm reaches a free target, couples to it, and drags it to the base.

Asci & Nanjangud's system: a base with reaction wheels, four links, a target; all cuboids,
all in the plane. Table 1's lengths are half-lengths (docs/deviations.md); what the paper leaves open
is said in the file.
"""

import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
from pydantic import Field, model_validator

from softdock import mission as ms
from softdock.control import AttitudeHold, ComputedTorque, Follow, Limited, ReactionWheels
from softdock.dynamics import Dynamics, Trajectory
from softdock.mission.conductor import Phases
from softdock.mission.part import Part
from softdock.planning import Plan, minimum_acceleration
from softdock.runs.ledger import Columns
from softdock.runs.simulation import Controller, Simulation
from softdock.scenarios.berthing.metered import Metered
from softdock.scenarios.berthing.published_hinge import PublishedHinge
from softdock.scenarios.berthing.units import UNITS
from softdock.scenarios.derived import DerivedScenario
from softdock.scenarios.mission import Mission
from softdock.scenarios.scenario import Seconds
from softdock.spatial import seen
from softdock.world import (
    Body,
    Box,
    Compliance,
    Contact,
    Frame,
    Free,
    JointState,
    Latch,
    Pose,
    Revolute,
    World,
    with_wheels,
)
from softdock.world.describe import Described, Matrix3, Number
from softdock.world.joints import NonNegative
from softdock.world.shapes import Positive

if TYPE_CHECKING:
    from softdock.figures import Drawing

LINKS = ("B", "C", "F", "G")
BASE, TARGET, HINGE, CONTACT = "A", "T", "hinge", "contact"
COARSER = 10
"""Steps in a period of control, of the least-acceleration reach beside a planned one."""
HINGES = ("exact", "published-off", "published-on")

Angles = tuple[Number, Number, Number, Number]
Half = tuple[Positive, Positive, Positive]


class Cuboid(Described):
    """A uniform cuboid: half-lengths along x, y, z (m) and mass (kg)."""

    half: Half
    """Half-lengths along x, y, z (m)."""
    mass: Positive
    """(kg)."""

    @property
    def size(self) -> tuple[float, float, float]:
        x, y, z = self.half
        return 2 * x, 2 * y, 2 * z

    def inertia(self, mass: float) -> Matrix3:
        """About its centre, if `mass` is spread over it."""
        x, y, z = (mass / 3 * half**2 for half in self.half)
        return (y + z, 0.0, 0.0), (0.0, x + z, 0.0), (0.0, 0.0, x + y)


class Wheels(Described):
    """Three wheels in the base, of whose mass they are part: mass of each (kg), spin inertia (kg m²), limits."""

    mass: Positive
    """Of each (kg)."""
    inertia: Positive
    """About the axis of each (kg m²)."""
    torque: Positive
    """Most of each (N m)."""
    momentum: Positive
    """Most of each (N m s)."""


class Bodies(Described):
    """`[bodies]`: the cuboids of Table 1."""

    A: Cuboid
    B: Cuboid
    C: Cuboid
    F: Cuboid
    G: Cuboid
    T: Cuboid

    def links(self) -> list[Cuboid]:
        return [getattr(self, name) for name in LINKS]


class Reach(Described):
    """`[reach]`: relative joint angles (rad) at the start and at the coupling, in so many seconds (Table 2).

    Gains kp (1/s²) and kd (1/s) and period (s) of the computed torque; bounds on rates (rad/s) and
    accelerations (rad/s²) of the joints. The motion is planned with least acceleration, as in the paper, or with the
    least effort of joints and wheels by optimal control, which also turns the base and brings it back.
    """

    plan: Literal["least-acceleration", "optimal"] = "least-acceleration"
    """Least acceleration, as in the paper, or least effort by optimal control."""
    starts: int = Field(4, ge=1)
    """Of an optimal plan: guesses that it is sought from (-); the best is taken."""
    start: Angles
    """Joint angles (rad)."""
    goal: Angles
    """Joint angles at the coupling (rad)."""
    duration: Seconds
    """(s)."""
    rate: Positive
    """Most of a joint (rad/s)."""
    acceleration: Positive
    """Most of a joint (rad/s²)."""
    kp: NonNegative
    """Of the computed torque (1/s²)."""
    kd: NonNegative
    """Of the computed torque (1/s)."""
    period: Seconds
    """Of the control (s)."""


class Drag(Described):
    """`[drag]`: constant joint torques (N m) after the coupling, and the attitude hold's gains and period."""

    torques: Angles
    """Of the joints after the coupling (N m)."""
    kp: NonNegative
    """Of the attitude hold (1/s²)."""
    kd: NonNegative
    """Of the attitude hold (1/s)."""
    period: Seconds
    """Of the control (s)."""


class Gains(Described):
    """`[published]`: K_s (1/s²) and K_d (1/s) of eq. 25 with constant gains, and of eq. 26 when the contact force is
    above `threshold` (N), and when it is not."""

    constant: tuple[NonNegative, NonNegative]
    """K_s, K_d of eq. 25 (1/s², 1/s)."""
    touching: tuple[NonNegative, NonNegative]
    """Of eq. 26, when the contact force is above the threshold (1/s², 1/s)."""
    apart: tuple[NonNegative, NonNegative]
    """Of eq. 26, when it is not (1/s², 1/s)."""
    threshold: NonNegative
    offset: Positive
    """Distance of the coupling points (m) at the coupling: with none, eq. 24 is singular."""


class Parts(Described):
    """What the world is made from."""

    hinge: Literal["exact", "published-off", "published-on"] = "exact"
    """softdock's latch, or the paper's coupling without or with contact."""
    bodies: Bodies
    wheels: Wheels
    reach: Reach
    contact: Compliance
    published: Gains

    @model_validator(mode="after")
    def _wheels_fit(self) -> "Parts":
        if 3 * self.wheels.mass >= self.bodies.A.mass:
            raise ValueError("wheels.mass: three wheels must be lighter than the base that they are part of")
        return self

    def make_world(self) -> World:
        """Base with wheels and arm, and the target, free."""
        A, T, b = self.bodies.A, self.bodies.T, self.bodies
        own = A.mass - 3 * self.wheels.mass
        bodies = [Body(name=BASE, joint=Free(), mass=own, inertia=A.inertia(own), shapes=(Box(size=A.size),))]
        away = A.half[0]
        for name, link in zip(LINKS, b.links(), strict=True):
            center = (link.half[0], 0.0, 0.0)
            bodies.append(
                Body(
                    name=name, parent=bodies[-1].name, joint=Revolute(axis=(0.0, 0.0, 1.0)), mass=link.mass,
                    placement=Pose(position=(away, 0.0, 0.0)), center=center, inertia=link.inertia(link.mass),
                    shapes=(Box(size=link.size, placement=Pose(position=center)),),
                )
            )  # fmt: skip
            away = link.size[0]
        bodies.append(
            Body(name=TARGET, joint=Free(), mass=T.mass, inertia=T.inertia(T.mass), shapes=(Box(size=T.size),))
        )
        contacts = () if self.hinge == "published-off" else (
            Contact(name=CONTACT, body_a="G", body_b=TARGET, compliance=self.contact),
        )  # fmt: skip
        world = World(
            name="berthing",
            bodies=tuple(bodies),
            frames=(
                Frame(name="E", body="G", placement=Pose(position=(b.G.size[0], 0.0, 0.0))),
                Frame(name="P", body=TARGET, placement=Pose(position=(-T.half[0], 0.0, 0.0))),
            ),
            latches=(Latch(name=HINGE, kind="point", frame_a="E", frame_b="P", capture_distance=0.01),),
            contacts=contacts,
        )
        return with_wheels(world, BASE, inertia=self.wheels.inertia, mass=self.wheels.mass)[0]

    def make_initial(self) -> dict[str, JointState]:
        """At rest; the target flat before the end-effector where that will be, though the base gives way."""
        start, (tip, heading, center) = self.reach.start, self.arm_at(self.reach.goal)
        shift = self.arm_at(start)[2] - center  # the chaser's centre of mass stays where it is
        along = np.array([np.cos(heading), np.sin(heading)])
        apart = self.published.offset if self.hinge != "exact" else 0.0
        x, y = (tip + shift + (self.bodies.T.half[0] + apart) * along).tolist()
        turned = (float(np.cos(heading / 2)), 0.0, 0.0, float(np.sin(heading / 2)))
        target = JointState(position=(x, y, 0.0), quaternion=turned)
        return {TARGET: target, **{name: JointState(position=(a,)) for name, a in zip(LINKS, start, strict=True)}}

    def arm_at(self, angles: Iterable[float]) -> tuple[np.ndarray, float, np.ndarray]:
        """End-effector (m), heading of the last link (rad) and the chaser's centre of mass (m), by plain geometry,
        in the base's frame."""
        at_, heading = np.array([self.bodies.A.half[0], 0.0]), 0.0
        moment, mass = np.zeros(2), self.bodies.A.mass
        for angle, link in zip(angles, self.bodies.links(), strict=True):
            heading += angle
            along = np.array([np.cos(heading), np.sin(heading)])
            moment += link.mass * (at_ + link.half[0] * along)
            mass += link.mass
            at_ = at_ + link.size[0] * along
        return at_, heading, moment / mass


class Berthing(Parts, DerivedScenario, Mission):
    """Reach, couple, drag; with the hinge as softdock makes it, or as the paper does."""

    made_from: ClassVar[type[Described]] = Parts
    goal = "coupled"
    outcomes = ("coupled", "missed", "unfinished")
    units = UNITS
    drag: Drag
    compare: bool = False
    """Also run the other two hinges, and draw all three."""

    def plan(self) -> Plan:
        """The joints' least-acceleration motion."""
        reach = self.reach
        return minimum_acceleration(
            reach.start, reach.goal, reach.duration, rate=reach.rate, acceleration=reach.acceleration, names=LINKS
        )

    def wheel_names(self) -> tuple[str, ...]:
        return tuple(body.name for body in self.world.bodies if body.name.startswith(f"{BASE}.wheel"))

    # --- the mission ---------------------------------------------------------------------------

    def parts(self) -> Mapping[str, Part]:
        """Joints and wheels with their controllers, and the hinge."""
        return {"drive": ms.Driver((*LINKS, *self.wheel_names()), self._controllers), "hinge": ms.Lock(HINGE)}

    def phases(self, *, drive: ms.Driver, hinge: ms.Lock) -> Phases:
        """Computed torque until the coupling; then the hinge, constant torques and attitude hold."""
        drive.use("reach")
        yield ms.Wait(self.reach.duration, name="reach")
        drag = dict(zip(LINKS, self.drag.torques, strict=True))
        if self.hinge != "exact":
            drive.use("hold", "published hinge", force=drag)
            return ms.Success("coupled")
        drive.use("hold", force=drag)
        try:
            yield ms.Latch(hinge, patience=0.0, name="couple")
        except ms.NotLatched as why:
            drive.use("hold")
            return ms.Aborted(why, "missed")
        return ms.Success("coupled")

    def period(self) -> float:
        """None: everything happens at an instant."""
        return math.inf

    def _controllers(self, dynamics: Dynamics) -> dict[str, Controller]:
        drag, store = self.drag, self._store(dynamics)
        hold = AttitudeHold(store, kp=drag.kp, kd=drag.kd, period=drag.period)
        made: dict[str, Controller] = {
            "reach": self._limited(self._following(dynamics, self._reference(dynamics)), store),
            "hold": self._limited(hold, store),
        }
        if self.hinge != "exact":
            made["published hinge"] = self._published_hinge(dynamics)
        return made

    def _published_hinge(self, dynamics: Dynamics) -> PublishedHinge:
        gains, adaptive = self.published, self.hinge == "published-on"
        return PublishedHinge(
            dynamics, "E", "P", period=self.run.h, touching=gains.touching if adaptive else gains.constant,
            apart=gains.apart if adaptive else gains.constant, threshold=gains.threshold,
            contact=self.contact if adaptive else None,
        )  # fmt: skip

    def _reference(self, dynamics: Dynamics) -> Any:
        if self.reach.plan == "optimal":
            from softdock.scenarios.berthing.planned import Along, plan_reach

            return Along(dynamics, plan_reach(self, dynamics), self.state()[0])
        return Follow(dynamics, self.plan(), LINKS, self.state()[0])

    def _following(self, dynamics: Dynamics, reference: Any) -> Metered:
        reach, wheels = self.reach, self.wheel_names()
        follow = ComputedTorque(
            dynamics, reference, kp=reach.kp, kd=reach.kd, period=reach.period, actuators=(*LINKS, *wheels),
            tracked=(*LINKS, *(f"{BASE}.w{axis}" for axis in "xyz")),
        )  # fmt: skip
        return Metered(follow, reference, reach.duration)

    def _meter(self, simulation: Simulation) -> Metered:
        """The controller of the reach."""
        limited = next(one for one in simulation.all_controllers if isinstance(one, Limited))
        assert isinstance(limited.controller, Metered)
        return limited.controller

    def _followed(self, simulation: Simulation) -> Any:
        """What the reach follows, if it was planned by optimal control."""
        return self._meter(simulation).reference if self.reach.plan == "optimal" else None

    def _planned(self, simulation: Simulation) -> dict[str, Any]:
        """The planned reach beside the least-acceleration one."""
        meter, dynamics = self._meter(simulation), simulation.dynamics
        if self.reach.plan != "optimal":
            return {}
        beside = self._following(dynamics, Follow(dynamics, self.plan(), LINKS, self.state()[0]))
        other = Simulation(dynamics, *self.state(), h=self.reach.period / COARSER, controllers=[beside])
        other.run(self.reach.duration)
        plan, seconds = meter.reference.reached
        return {
            "effort": meter.effort,
            "effort_least_acceleration": beside.effort,
            "effort_ratio": meter.effort / beside.effort,
            "plan_seconds": seconds,
            "plan_iterations": plan.solved.iterations,
            "kkt_residual": plan.solved.kkt,
            "replay_error": plan.check().replay_error,
        }

    def _store(self, dynamics: Dynamics) -> ReactionWheels:
        return ReactionWheels(dynamics, self.wheel_names(), momentum_limit=self.wheels.momentum)

    def _limited(self, controller: Any, store: ReactionWheels) -> Limited:
        torque = dict.fromkeys(store.names, self.wheels.torque)
        return Limited(controller, store.dynamics, torque=torque, ranges=[store])

    def tables(self, simulation: Simulation, rows: Trajectory) -> dict[str, Columns]:
        """Phases; where the end-effector and the coupling points are; of all three hinges if they are compared."""
        tables = super().tables(simulation, rows)
        tables["berthing"] = self.columns(simulation.dynamics, rows, self._followed(simulation))
        if self.compare and simulation.t >= self.run.duration - self.run.h / 2:
            for hinge in HINGES:
                if hinge != self.hinge:
                    other = self.altered_parts(hinge=hinge, compare=False)
                    dynamics = Dynamics(other.world)
                    path = other.simulation(dynamics).run(self.run.duration, record_every=self.run.record_every)
                    tables[f"berthing_{hinge.replace('-', '_')}"] = other.columns(dynamics, path)
        return tables

    def columns(self, dynamics: Dynamics, rows: Trajectory, followed: Any = None) -> Columns:
        """End-effector seen from the base, its reference (by what was `followed`, if that was planned otherwise), and
        the distance of the coupling points."""
        E, P = (dynamics.pose(frame, rows.q)[1] for frame in ("E", "P"))
        R, p = dynamics.pose(BASE, rows.q)
        tip = seen(R, E - p)
        plan = self.plan()
        if followed is None:
            wanted = np.array([self.arm_at(plan.at(min(t, plan.duration)).q)[0] for t in rows.t])
        else:
            there = np.array([followed(min(t, plan.duration)).q for t in rows.t])
            R_there, p_there = dynamics.pose(BASE, there)
            wanted = seen(R_there, dynamics.pose("E", there)[1] - p_there)
        store = ReactionWheels(dynamics, self.wheel_names())
        touched = min(int(np.searchsorted(rows.t, self.reach.duration - 1e-9)), len(rows) - 1)
        R_G, p_T = dynamics.pose("G", rows.q)[0], dynamics.pose(TARGET, rows.q)[1]
        mark = R_G[touched].T @ (P - E)[touched]  # the latch holds the points as it finds them
        held = E + R_G @ mark if self.hinge == "exact" else E
        return {
            "t": (rows.t, "s"),
            **{f"end_effector_{axis}": (tip[:, k], "m") for k, axis in enumerate("xy")},
            **{f"reference_{axis}": (wanted[:, k], "m") for k, axis in enumerate("xy")},
            "coupling_distance": (np.linalg.norm(P - held, axis=-1), "m"),
            **{f"target_{axis}": (p_T[:, k] - p[:, k], "m") for k, axis in enumerate("xy")},
            **{f"wheel_momentum_{k + 1}": (x, "N m s") for k, x in enumerate(store.stored(rows.v).T)},
        }

    @classmethod
    def figures(cls) -> "dict[str, Drawing]":
        """Of the paper, and the ledger."""
        from softdock.scenarios.berthing.figures import FIGURES

        return FIGURES

    def metrics(self, simulation: Simulation, rows: Trajectory) -> dict[str, Any]:
        """How well it reached and held."""
        dynamics = simulation.dynamics
        own = {name: values for name, (values, _) in self.columns(dynamics, rows, self._followed(simulation)).items()}
        reaching, after = rows.t <= self.reach.duration + 1e-9, rows.t >= self.reach.duration - 1e-9
        E, wanted = (np.stack([own[f"{what}_{axis}"] for axis in "xy"], -1) for what in ("end_effector", "reference"))
        start = dynamics.layout.q[BASE].start
        quaternion = rows.q[:, start + 3 : start + 7]
        turned = 2 * np.arctan2(np.linalg.norm(quaternion[:, 1:], axis=-1), np.abs(quaternion[:, 0]))
        momentum = dynamics.balance(rows.q, rows.v).angular_momentum
        stored = np.stack([own[f"wheel_momentum_{k}"] for k in (1, 2, 3)], -1)
        touched: dict[str, Any] = {}  # of a run that is shorter than the reach
        if after.any():
            touched["end_effector_at_contact"] = E[after][0].tolist()
            touched["coupling_distance_max_after_contact"] = float(own["coupling_distance"][after].max())
        ended = self.conductor(simulation).outcome()
        return {
            "hinge": self.hinge,
            "outcome": ended.outcome,
            "reason": ended.reason or None,
            **touched,
            **self._planned(simulation),
            "tracking_error_max": float(np.linalg.norm(E - wanted, axis=-1)[reaching].max()),
            "coupling_distance_at_end": float(own["coupling_distance"][-1]),
            "target_final_position": dynamics.pose(TARGET, rows.q[-1])[1].tolist(),
            "target_final_distance_from_base": float(np.hypot(own["target_x"][-1], own["target_y"][-1])),
            "base_attitude_error_max": float(turned.max()),
            "base_attitude_error_max_while_reaching": float(turned[reaching].max()),
            "wheel_momentum_max": float(np.abs(stored).max()),
            "angular_momentum_drift": float(np.linalg.norm(momentum - momentum[0], axis=-1).max()),
            "contact_energy_loss": -float(simulation.motion.account["work_contacts"]),
            "saturations": [
                {"actuator": actuator, "limit": kind, "periods": cut.calls, "first": cut.first}
                for limited in simulation.all_controllers
                if isinstance(limited, Limited)
                for (kind, actuator), cut in limited.saturations.items()
            ],
        }


SCENARIO = Berthing
