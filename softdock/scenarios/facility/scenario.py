"""Scenario 'facility': the two-arm laboratory as a twin, beside orbit (Aghili; Korczyk et al.)."""

import math
import warnings
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import Field, model_validator

from softdock.arm import SerialArm, arm_named
from softdock.dynamics import Dynamics, Trajectory
from softdock.facility.base import BaseEmulation
from softdock.facility.emulation import Compensation, Emulation, Settings, ground
from softdock.facility.followed import Load, followed
from softdock.facility.follower import LeftWorkspace
from softdock.facility.grasp import GraspLaboratory
from softdock.facility.laboratory import SERVICER, Held, Laboratory, Mount, Target, apparent_mass
from softdock.facility.robots import JointMotion, columns, motion_of
from softdock.facility.theory import critical_delay, delay_without_loss
from softdock.facility.touch import Record, Touch, free_run
from softdock.facility.track import TrackLaboratory
from softdock.runs.ledger import Columns
from softdock.runs.simulation import Simulation
from softdock.scenarios.derived import DerivedScenario
from softdock.scenarios.facility.keys import (
    BaseKeys,
    ClientKeys,
    ContactKeys,
    EmulatorKeys,
    HandKeys,
    MockupKeys,
    SensorKeys,
    ServicerKeys,
    TargetKeys,
)
from softdock.scenarios.facility.look import annotations
from softdock.scenarios.facility.tracking import Camera, Mission, Occlusion, TrackKeys, Vision
from softdock.scenarios.facility.units import UNITS
from softdock.world import JointState, World
from softdock.world.describe import Described

if TYPE_CHECKING:
    from softdock.figures import Drawing

ENOUGH = 0.9
"""Share of a motor's torque above which holding the mock-up is warned of."""


TRACK = "track-and-capture"
Experiment = Literal["touch", "grasp", "track-and-capture"]
GOALS: dict[str, str] = {"touch": "touched", "grasp": "grasped", TRACK: "captured"}
"""The outcome that counts as success, by experiment."""
LASTING: dict[str, dict[str, Any]] = {
    "touch": {"duration": 1.2, "record_every": 1},
    "grasp": {"duration": 6.0, "record_every": 1},
    TRACK: {"duration": 124.0, "record_every": 20},
}
"""Of runs that do not say it: seconds, and steps a recorded row."""


class Parts(Described):
    """What the laboratory is made from."""

    experiment: Experiment = "touch"
    """What is done."""
    mount: Mount = "planar"
    """Of the servicer."""
    stretch: Annotated[float, Field(ge=1, le=100, allow_inf_nan=False)] = 1.0
    """How many times as long all takes in the laboratory (-)."""
    target: TargetKeys = TargetKeys()
    mockup: MockupKeys = MockupKeys()
    client: ClientKeys = ClientKeys()
    servicer: ServicerKeys = ServicerKeys()
    contact: ContactKeys = ContactKeys()
    hand: HandKeys = HandKeys()
    track: TrackKeys = TrackKeys()
    occlusion: Occlusion = Occlusion()

    @model_validator(mode="after")
    def _possible(self) -> "Parts":
        if self.experiment == TRACK and self.mount == "emulated":
            raise ValueError(f"mount: {TRACK} has no plan for a base that is emulated; fixed, planar or spherical")
        if self.experiment == TRACK and self.stretch != 1.0:
            raise ValueError(f"stretch: {TRACK} runs in the paper's own time; slower rates are track.rates_deg")
        return self

    def laboratory(self, stretch: float | None = None) -> Laboratory:
        """With time stretched by n: masses n², speeds 1/n."""
        n, target = stretch or self.stretch, self.target
        a, b, c = target.inertia
        client, servicer = (_arm(keys.arm, keys.posture) for keys in (self.client, self.servicer))
        given: dict[str, Any] = {} if self.experiment == "touch" else {"hand": self.hand.hand(n)}
        kind: type[Laboratory] = GraspLaboratory if given else Laboratory
        velocity, rates = np.array(target.velocity), np.radians(target.rates_deg)
        if self.experiment == TRACK:
            kind, track = TrackLaboratory, self.track
            velocity, rates = np.zeros(3), np.radians(track.rates_deg)
            attitude = track.attitude(target.inertia)
            given |= {"ready": track.ready, "stowed": track.stowed, "attitude": attitude, "closes": self._closes()}
        return kind(
            **given,
            client=client,
            servicer=servicer,
            client_posture=np.array(self.client.posture),
            servicer_posture=np.array(self.servicer.posture),
            position=np.array(self.client.position),
            target=Target(
                mass=n * n * target.mass,
                inertia=(n * n * a, n * n * b, n * n * c),
                handle=target.handle,
                velocity=velocity / n,
                rates=rates / n,
            ),
            held=Held(self.mockup.mass, self.mockup.inertia, self.mockup.distance),
            compliance=self.contact.law,
            mount=self.mount,
            clearance=self.contact.clearance,
            lateral=self.contact.lateral,
            servo=self.servicer.servo,
            friction=self.client.friction,
            stretch=n,
        )

    def _closes(self) -> float:
        """When the fingers of a mission have closed, about (s)."""
        return self.occlusion.earliest + self.hand.closing

    def make_world(self) -> World:
        return self.laboratory().ground_world()

    def make_initial(self) -> dict[str, JointState]:
        """At rest: the client is set in motion as its emulation begins."""
        laboratory = self.laboratory()
        start = zip(laboratory.client.links, laboratory.client_start.tolist(), strict=True)
        states = {**laboratory.servicer_state(), **{link: {"position": (x,)} for link, x in start}}
        return {name: JointState.model_validate(state) for name, state in states.items()}


def _stretch_of(data: dict[str, Any]) -> float:
    n = data.get("stretch", 1.0)
    return float(math.ceil(n)) if isinstance(n, int | float) and 1 <= n <= 100 else 1.0


def _arm(name: str, posture: tuple[float, ...]) -> SerialArm:
    arm = arm_named(name)
    if len(posture) != arm.n:
        raise ValueError(f"posture: {len(posture)} joint values for arm {name!r}, which has {arm.n}")
    return arm


class Facility(Parts, DerivedScenario):
    """A target that a laboratory emulates drifts against a servicer; the same in orbit, and ideally on the ground."""

    made_from: ClassVar[type[Described]] = Parts
    fills = (*DerivedScenario.fills, "run.duration")
    units = UNITS
    goal = "touched"
    outcomes = (
        "touched",
        "still touching",
        "grasped",
        "captured",
        "not held",
        "aborted",
        "no contact",
        "unstable",
        "left the workspace",
    )
    compensation: Compensation = "lead"
    """Of what is late."""
    sensor: SensorKeys = Field(default_factory=SensorKeys)
    emulator: EmulatorKeys = Field(default_factory=EmulatorKeys)
    base: BaseKeys = Field(default_factory=BaseKeys)
    vision: Vision = Vision()
    camera: Camera = Camera()

    @model_validator(mode="before")
    @classmethod
    def _lasting(cls, data: Any) -> Any:
        """Without a duration, the experiment says how long it takes."""
        run = data.get("run") if isinstance(data, dict) else None
        lasting = LASTING.get(str(data.get("experiment", "touch"))) if isinstance(data, dict) else None
        if not lasting or not isinstance(run, dict):
            return data
        longer = {"duration": lasting["duration"] * _stretch_of(data)}
        return data | {"run": lasting | longer | run}

    @model_validator(mode="after")
    def _in_time(self) -> "Facility":
        least = self._closes() + self.hand.closing + 1.0
        if self.experiment == TRACK and self.run.duration < least:
            raise ValueError(f"run.duration: {TRACK} needs at least {least:g} s: the fingers close before that")
        return self

    @classmethod
    def goal_of(cls, data: Mapping[str, Any]) -> str | None:
        return GOALS.get(str(data.get("experiment")), cls.goal)

    @cached_property
    def _laboratory(self) -> Laboratory:
        return self.laboratory()

    def settings(self) -> Settings:
        """Of the emulation; delays are whole periods."""
        sensor, period = self.sensor, self.sensor.period
        delay = self._whole_periods("emulator.delay", self.emulator.delay)
        latency = self._whole_periods("sensor.latency", sensor.latency)
        return Settings(
            period=period, delay=delay, jitter=self.emulator.jitter, compensation=self.compensation,
            rate=2 * math.pi * self.client.bandwidth_hz, feed_forward=self.client.feed_forward, inertia=sensor.inertia,
            filter=sensor.filter, noise=sensor.noise, bias=sensor.bias, latency=latency, mass_error=sensor.mass_error,
            gate=sensor.gate, settle=sensor.settle, energy=self.emulator.energy, seed=self.run.seed,
            coarse_until=self.occlusion.earliest - 1.0 if self.experiment == TRACK else 0.0,
        )  # fmt: skip

    def _whole_periods(self, name: str, given: float) -> float:
        """A delay (s), rounded to whole periods, which is said."""
        period = self.sensor.period
        taken = round(given / period) * period
        if not math.isclose(given, taken, rel_tol=1e-9, abs_tol=1e-12):
            warnings.warn(f"{name}: {given:g} s is no multiple of the period; {taken:g} s is taken", stacklevel=2)
        return taken

    def simulation(self, dynamics: Dynamics) -> Simulation:
        """The laboratory as it is."""
        laboratory, settings = self._laboratory, self.settings()
        believed = arm_named(self.client.model)
        if believed.links != laboratory.client.links:
            raise ValueError(f"client.model: {self.client.model!r} has other joints than {self.client.arm!r}")
        self._refuse_unsampled()
        self._refuse_out_of_reach(laboratory)
        model = Dynamics(laboratory.client_world(believed, settings.mass_error))
        simulation = ground(laboratory, settings, model, dynamics, self.run.duration, self.run.h)
        if self.mount == "emulated":
            base = BaseEmulation(
                laboratory, self._emulation(simulation), simulation.q, rate=2 * math.pi * self.base.bandwidth_hz,
                delay=self._whole_periods("base.delay", self.base.delay), is_led="lead" in self.compensation,
            )  # fmt: skip
            simulation.control(*simulation.controllers, base)
        if isinstance(laboratory, TrackLaboratory):
            Mission(self, laboratory, simulation)
        return simulation

    def _refuse_unsampled(self) -> None:
        """ValueError if a robot's loop is faster than its period can make it."""
        most = 1 / (2 * math.pi * self.sensor.period)
        for name, keys in (("client", self.client), ("base", self.base)):
            if keys.bandwidth_hz > most:
                raise ValueError(
                    f"{name}.bandwidth_hz: {keys.bandwidth_hz:g} Hz are more than {most:.3g} Hz, the most of a loop "
                    f"with a period of {self.sensor.period:g} s"
                )

    def _refuse_out_of_reach(self, laboratory: Laboratory) -> None:
        """ValueError if the contact comes before the emulation has settled, or if the client cannot follow until then:
        when, and which joint."""
        meets = laboratory.meets
        if meets < self.sensor.settle:
            raise ValueError(
                f"sensor.settle: the touch comes after {meets:.3g} s, before the emulation has settled "
                f"({self.sensor.settle:g} s); a larger contact.clearance or hand.approach gives it time"
            )
        load = self.payload
        if load.share > 1:
            raise ValueError(
                f"mockup: {laboratory.held.mass:g} kg at {laboratory.held.distance:g} m need {load.share:.0%} of the "
                f"torque of joint {load.joint!r} at t = {load.time:.3g} s; a lighter one, or another start"
            )
        if load.share > ENOUGH:
            warnings.warn(
                f"mockup: at t = {load.time:.3g} s it takes {load.share:.0%} of the torque of joint {load.joint!r}",
                stacklevel=2,
            )

    @cached_property
    def payload(self) -> Load:
        """What the client's motors give, at most, to move arm and mock-up until the contact, if nothing is wrong."""
        laboratory = self._laboratory
        try:
            return followed(laboratory, min(self.run.duration, laboratory.meets))
        except LeftWorkspace as error:
            raise ValueError(
                f"target: {error} before there is a touch; change its motion or the client's start"
            ) from None

    # --- what came of it ---------------------------------------------------------------------------

    def _emulation(self, simulation: Simulation) -> Emulation:
        return next(one for one in simulation.all_controllers if isinstance(one, Emulation))

    def _free(self, simulation: Simulation) -> tuple[dict[str, Record], float]:
        """Orbit, unstretched, and ideal ground; processor time of both. Of a mission, from when fingers close."""
        emulation = self._emulation(simulation)
        if emulation.beside is None:
            emulation.beside = self._run_beside(simulation)
        return emulation.beside

    def _run_beside(self, simulation: Simulation) -> tuple[dict[str, Record], float]:
        mission, spent, records = Mission.of(simulation), 0.0, {}
        for name, mount in (("orbit", "orbit"), ("ideal_ground", self.mount)):
            n = self.stretch if self._stretched(name) else 1.0
            laboratory, duration = self.laboratory(n), self.run.duration * n / self.stretch
            if mission:
                handed = mission.handed_over(simulation, self._emulation(simulation))
                if handed is None:
                    return {}, 0.0
                laboratory, duration = handed, simulation.t - handed.at
            records[name], seconds = free_run(laboratory, mount, duration, self.sensor.period, self.run.h)
            spent += seconds
        return records, spent

    def _stretched(self, world: str) -> bool:
        """Is time stretched there? Orbit's is not, nor that of what an emulated base, n² as heavy, shows ideally."""
        return world != "orbit" and (world, self.mount) != ("ideal_ground", "emulated")

    def _touches(self, simulation: Simulation) -> dict[str, Touch | None]:
        """Of the three worlds, in orbit's time."""
        records, _ = self._free(simulation)
        found: dict[str, Touch | None] = dict.fromkeys(("orbit", "ideal_ground"))
        found |= {name: record.touch() for name, record in records.items()}
        found["ground"] = self._emulation(simulation).record.touch()
        return {
            name: touch and touch.sped_up(self.stretch if self._stretched(name) else 1.0)
            for name, touch in found.items()
        }

    def metrics(self, simulation: Simulation, rows: Trajectory) -> dict[str, Any]:
        """Of the three worlds, and what the emulation did."""
        emulation, touches, mission = self._emulation(simulation), self._touches(simulation), Mission.of(simulation)
        off = emulation.log.off()
        told = {name: touch.told() if touch else None for name, touch in touches.items()}
        pairs = {"emulation_error": ("ground", "ideal_ground"), "mount_error": ("ideal_ground", "orbit")}
        errors: dict[str, Any] = {}
        for name, (one, other) in pairs.items():
            a, b = touches[one], touches[other]
            errors[name] = a.error(b) if a and b else None
        stopped = emulation.stopped
        return {
            "outcome": self._outcome(stopped, touches["ground"], mission),
            **(mission.metrics(simulation, emulation) if mission else {}),
            "mount": self.mount,
            "experiment": self.experiment,
            "compensation": self.compensation,
            "stopped": {"time": stopped[0], "reason": stopped[1]} if stopped else None,
            "critical_delay": self._critical(touches["ideal_ground"]),
            **told,
            **errors,
            "tracking_error": {"position": float(off[:, 0].max()), "angle": float(off[:, 1].max())},
            "joint_margins": emulation.log.margins(self._laboratory.client)._asdict(),
            "payload_share": self.payload.share,
            "energy_made_by_delay": emulation.energy_made,
            "realtime_factor": self.run.duration / (emulation.spent + self._free(simulation)[1]),
        }

    def _outcome(self, stopped: tuple[float, str] | None, touch: Touch | None, mission: Mission | None) -> str:
        if stopped:
            return "unstable" if "made" in stopped[1] else "left the workspace"
        if mission and mission.conductor.outcome().outcome == "aborted":
            return "aborted"
        if touch is None:
            return "no contact"
        if self.experiment != "touch":
            return GOALS[self.experiment] if touch.held else "not held"
        return "touched" if touch.has_ended else "still touching"

    def _critical(self, ideal: Touch | None) -> dict[str, float | None]:
        """Against the mass that the servicer's tip shows on its mount, its joints held. Kelvin and Voigt's law has a
        critical delay; of Hunt and Crossley's it is the delay at which this touch would lose nothing, of a grasp that
        of the closed fingers' law, linear about their squeeze."""
        contact, laboratory, settings = self.contact, self._laboratory, self.settings()
        mass, servicer = laboratory.target.mass, apparent_mass(laboratory)
        theory: float | None = None
        if isinstance(laboratory, GraspLaboratory):
            theory = critical_delay(mass, *laboratory.grip_law, servicer).delay
        elif contact.exponent == 1.0 and contact.damping == 0.0:
            theory = critical_delay(mass, contact.stiffness, contact.viscosity, servicer).delay
        elif contact.exponent == 1.0 and ideal and ideal.restitution is not None and ideal.restitution > 0:
            theory = delay_without_loss(ideal.restitution, contact.stiffness, mass, servicer)
        if theory is not None and math.isinf(theory):  # the servicer is so light that no delay makes energy
            theory = None
        total = settings.delay + settings.jitter + settings.latency + settings.filter + 0.5 * settings.period
        return {"theory": theory, "total_delay": total, "margin": None if theory is None else theory - total}

    def tables(self, simulation: Simulation, rows: Trajectory) -> dict[str, Columns]:
        """Contact forces of the three worlds, and the emulation's own log."""
        emulation = self._emulation(simulation)
        log, record = emulation.log, emulation.record
        if len(record.t) < 2:
            return {}
        found: dict[str, Columns] = {}
        mission = Mission.of(simulation)
        closes = mission.closed_at(simulation) if mission else None
        worlds = {**self._free(simulation)[0], "ground": record}
        for name, one in worlds.items():
            force, twist = one.forces(), np.array(one.twist)
            begins = closes if closes is not None and name != "ground" else 0.0
            found[name] = {
                "t": (np.array(one.t) + begins, "s"),
                **{f"force.{axis}": (force[:, k], "N") for k, axis in enumerate("xyz")},
                **{f"velocity.{axis}": (twist[:, 3 + k], "m/s") for k, axis in enumerate("xyz")},
                **{f"rate.{axis}": (twist[:, k], "rad/s") for k, axis in enumerate("xyz")},
            }
        found |= {name: columns(motion) for name, motion in self._robots(simulation, emulation).items()}
        if mission:
            found |= mission.tables(simulation, emulation)
        measured, off = np.array(log.measured), log.off()
        found["emulation"] = {
            "t": (np.array(log.t), "s"),
            **{f"measured.{axis}": (measured[:, k], "N") for k, axis in enumerate("xyz")},
            "tracking.position": (off[:, 0], "m"),
            "tracking.angle": (off[:, 1], "rad"),
            "energy_made": (np.array(log.energy), "J"),
        }
        return found

    def _robots(self, simulation: Simulation, emulation: Emulation) -> dict[str, JointMotion]:
        """Joint motions of both arms, every period."""
        laboratory, dynamics, t = self._laboratory, simulation.dynamics, np.array(emulation.log.t)
        q, v, torque = (np.array(column) for column in zip(*emulation.log.joints, strict=True))
        client = motion_of(laboratory.client.links, t, q, v, torque)
        all_q, all_v = (np.array(column) for column in zip(*emulation.record.state, strict=True))
        names = [SERVICER + link for link in laboratory.servicer.links]
        in_q, in_v = dynamics.layout.flat(names)
        commands, every = np.atleast_2d(simulation.command), round(self.sensor.period / self.run.h)
        commands = commands[np.minimum(every * np.arange(len(t)), len(commands) - 1)]
        force = dynamics.actuator_forces(all_q, all_v, commands)[:, in_v]
        servicer = motion_of(laboratory.servicer.links, t, all_q[:, in_q], all_v[:, in_v], force)
        return {"client": client, "servicer": servicer}

    def annotations(self) -> dict[str, Any]:
        """Floor, pedestals, table and bearing, as they are drawn."""
        notes = annotations(self._laboratory)
        return notes | {"camera": {"fov": self.camera.field, "range": 1.6}} if self.experiment == TRACK else notes

    @classmethod
    def figures(cls) -> "dict[str, Drawing]":
        from softdock.scenarios.facility.figures import FIGURES

        return FIGURES


SCENARIO = Facility
