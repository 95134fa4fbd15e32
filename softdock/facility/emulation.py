"""The hybrid simulator: a measured wrench moves a simulated free body, and an arm moves the mock-up as that moves.

At every period: the sensor's mean wrench, less what the mock-up itself needs, is the contact's; the simulated body is
advanced under it over the period that it is of; where it is, led by what is late, is sent to the arm.
"""

from dataclasses import dataclass, field
from time import process_time
from typing import Any, Literal

import numpy as np

from softdock.arm import SerialArm
from softdock.dynamics import Dynamics
from softdock.facility.follower import ArmFollower, LeftWorkspace, Margins
from softdock.facility.laboratory import BRAKE, MOCKUP, Laboratory
from softdock.facility.moving import FreeBody, free_body, wrench_to_move
from softdock.facility.touch import Record
from softdock.mission.part import Truth
from softdock.runs.simulation import Simulation
from softdock.sensing import DelayLine, WrenchReading, WrenchSensor
from softdock.spatial import vector_of_matrix
from softdock.world import Body, Free, Uniform, World

COARSE = 20
Inertia = Literal["none", "command", "encoders"]
Compensation = Literal["none", "lead", "lead+slope", "passivity"]


@dataclass(frozen=True)
class Settings:
    """Of the emulation."""

    period: float = 1e-3
    """Of sensor and controller (s)."""
    delay: float = 0.0
    """From the simulation to the robot (s)."""
    jitter: float = 0.0
    """Mean of what is added to it (s)."""
    compensation: Compensation = "lead"
    rate: float = 62.8
    """Of the arm's position loop (rad/s)."""
    feed_forward: bool = True
    """Is the measured wrench given to the joints?"""
    inertia: Inertia = "command"
    """How the mock-up's own inertia is taken off: by the commanded acceleration, or by that of ideal encoders."""
    filter: float = 0.0
    noise: tuple[float, float] = (0.0, 0.0)
    bias: tuple[float, ...] = (0.0,) * 6
    """After tare, along the mock-up's axes (N, N m)."""
    latency: float = 0.0
    """Of the sensor (s)."""
    mass_error: float = 0.0
    """Of the mock-up as the controller has it (kg)."""
    gate: float = 0.0
    """Forces below it (N), and moments below it times the handle's distance, count as none."""
    settle: float = 0.05
    """What is felt before this time (s) is not used: the arm's friction and loop settle."""
    energy: float = 0.5
    """Energy that the loop may make, relative to that of the approach, before it is stopped (-)."""
    slope_filter: float = 2e-3
    coarse_until: float = 0.0
    """Before this time (s) only one of `COARSE` periods is logged."""
    seed: int = 0

    @property
    def lead(self) -> float:
        """What is known to be late (s)."""
        return self.delay + self.jitter + self.latency if "lead" in self.compensation else 0.0


@dataclass
class Log:
    """Of every period."""

    t: list[float] = field(default_factory=list)
    measured: list[np.ndarray] = field(default_factory=list)
    """Force and torque on the simulated body (N, N m)."""
    poses: list[tuple[np.ndarray, ...]] = field(default_factory=list)
    """R and p of the mock-up, as it was told and as it is."""
    energy: list[float] = field(default_factory=list)
    joints: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = field(default_factory=list)
    """Values, rates, torques of the client's joints."""

    def off(self) -> np.ndarray:
        """Of the mock-up from where it was told to be (n, 2: m, rad)."""
        told_R, told_p, R, p = (np.array(column) for column in zip(*self.poses, strict=True))
        turn = vector_of_matrix(told_R @ np.swapaxes(R, 1, 2))
        return np.column_stack([np.linalg.norm(told_p - p, axis=1), np.linalg.norm(turn, axis=1)])

    def margins(self, arm: SerialArm) -> Margins:
        """What was left of the arm's limits, at least."""
        q, v, torque = (np.array(column) for column in zip(*self.joints, strict=True))
        half = np.where(np.isfinite(arm.upper - arm.lower), 0.5 * (arm.upper - arm.lower), np.pi)
        position = float(np.min(np.minimum(q - arm.lower, arm.upper - q) / half))
        return Margins(
            position, 1 - float(np.max(np.abs(v) / arm.speed)), 1 - float(np.max(np.abs(torque) / arm.effort))
        )


class Emulation:
    """The controller of the client's arm in a `ground_world`; `model` is the arm as it believes it to be."""

    def __init__(self, laboratory: Laboratory, dynamics: Dynamics, settings: Settings, model: Dynamics) -> None:
        self.settings, self.period, self.dynamics, self._laboratory = settings, settings.period, dynamics, laboratory
        target, s = laboratory.target, settings
        self.body = FreeBody(free_body(target.mass, target.inertia), laboratory.start(), s.period)
        start = self.body.now
        links = laboratory.client.links
        self._q = np.array([dynamics.layout.q[link].start for link in links])
        self._v = np.array([dynamics.layout.v[link].start for link in links])
        first = start.after(s.lead - s.delay)
        self.follower = ArmFollower(
            laboratory.client, model, MOCKUP, laboratory.client_start, first, period=s.period, rate=s.rate
        )
        seeds = np.random.SeedSequence(s.seed).spawn(2)
        self.sensor = WrenchSensor(
            dynamics, MOCKUP, period=s.period, filter=s.filter, noise=s.noise, bias=s.bias, latency=s.latency,
            seed=seeds[0],
        )  # fmt: skip
        self._line = DelayLine(s.delay, s.jitter, seeds[1])
        for k in range(round(s.delay / s.period), 0, -1):  # what was sent before t = 0
            self._line.send(-k * s.period, start.after(s.lead - k * s.period))
        believed = Body(name=MOCKUP, joint=Free(), **laboratory.mockup(s.mass_error))
        gravity = Uniform(acceleration=tuple(laboratory.client.gravity))
        self._mockup = Dynamics(World(gravity=gravity, bodies=(believed,)))
        self._told, self._needed = first, wrench_to_move(self._mockup, first)
        self._gain = 1.0 - np.exp(-s.period / s.filter) if s.filter else 1.0
        self._wrench, self._slope, self._lever = np.zeros(6), np.zeros(6), target.handle
        self.budget = (
            s.energy * 0.5 * target.mass * laboratory.contact_speed**2 * (0.2 if s.compensation == "passivity" else 1.0)
        )
        self.stopped: tuple[float, str] | None = None
        self._held: np.ndarray | None = None
        self.beside: tuple[dict[str, Record], float] | None = None
        """The worlds that it is compared with, and the processor time that they took (s), once they were run."""
        self.log, self.record = Log(), Record(dynamics, laboratory)
        self._energy, self._twist, self._count = 0.0, first.twist, 0
        self._simulation: Simulation | None = None
        self._began = self._ended = 0.0

    @property
    def spent(self) -> float:
        """Processor time from its first call to its last (s)."""
        return self._ended - self._began

    def bind(self, simulation: Simulation) -> None:
        self._simulation = simulation

    def __call__(self, t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        assert self._simulation
        self._ended = process_time()
        self._began = self._began or self._ended
        truth = Truth(t, q, v, self.dynamics, self._simulation.motion.contact_impulses)
        own_q, own_v = q[self._q], v[self._v]
        reading = self.sensor.measure(truth)
        R, p, twist = self.sensor.body_motion
        if t > 0 and self.stopped is None:
            before = self._wrench
            self._feel(reading, R, twist)
            self.body.advance(self._unlagged(before), self._wrench)
            self._watch(t, twist)
        torque = self._move(t, own_q, own_v)
        assert truth.impulses is not None
        out = np.zeros(self.dynamics.nv)
        out[self._v] = torque
        self._count += 1
        if t < self.settings.coarse_until and self._count % COARSE != 1:
            return out
        now, log = self.body.now, self.log
        self.record.add(t, (q, v), self._laboratory.on_target(truth.impulses), (now.R, now.p), now.twist)
        log.t.append(t)
        log.measured.append(self._wrench)
        log.poses.append((self._told.R, self._told.p, R, p))
        log.energy.append(self._energy)
        log.joints.append((own_q, own_v, torque))
        return out

    def _feel(self, reading: WrenchReading | None, R: np.ndarray, twist: np.ndarray) -> None:
        """The contact's wrench on the body, about its centre, from the sensor's reading."""
        s, at = self.settings, self._told
        if s.inertia == "none":
            at = at._replace(a=np.zeros(3), alpha=np.zeros(3))
        elif s.inertia == "encoders":
            rise = (twist - self._twist) / s.period
            at = at._replace(a=rise[3:], alpha=rise[:3])
        self._twist = twist
        self._needed = self._needed + self._gain * (wrench_to_move(self._mockup, at) - self._needed)
        if reading is None or reading.t <= s.settle:
            return
        measured = np.concatenate([R @ reading.force, R @ reading.torque])
        wrench = self._needed - measured
        if s.gate and np.linalg.norm(wrench[:3]) < s.gate and np.linalg.norm(wrench[3:]) < s.gate * self._lever:
            wrench = np.zeros(6)
        share = s.period / (s.slope_filter + s.period)
        self._slope = self._slope + share * ((wrench - self._wrench) / s.period - self._slope)
        self._wrench = wrench

    def _unlagged(self, before: np.ndarray) -> np.ndarray:
        """The mean wrench before the sensor's filter: exact in momentum, ∫ (f − y) = τ y, and as loud as the filter is
        slow, so that it is for the simulated body alone."""
        if "lead" in self.settings.compensation:
            return before + (self._wrench - before) / self._gain
        return self._wrench

    def _watch(self, t: float, twist: np.ndarray) -> None:
        """The energy that the contact gives to the simulated body but does not take from the real one."""
        lag = self.body.now.twist - twist
        self._energy += self.period * float(self._wrench[:3] @ lag[3:] + self._wrench[3:] @ lag[:3])
        if self._energy > self.budget:
            self.stop(t, f"the loop has made {self._energy:.3g} J, more than {self.budget:.3g} J")

    def stop(self, t: float, why: str) -> None:
        """From now on the arm holds still."""
        assert self._simulation
        self.stopped = t, why
        self._simulation.note("emulation stopped", reason=why)

    def _move(self, t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        s, now = self.settings, self.body.now
        ahead = now.after(s.lead) if s.lead else now
        if s.compensation == "lead+slope":
            mass, spin = self.body.dynamics.mass, now.R @ np.diag(1 / self._inertia) @ now.R.T
            ahead = ahead.with_slope(s.lead, self._slope[:3] / mass, spin @ self._slope[3:])
        self._line.send(t, ahead)
        message = self._line.newest(t)
        if message is not None:
            self._told = message.value
        else:
            self._told = self._told.after(s.period)
        push = np.concatenate([self._wrench[3:], self._wrench[:3]]) if s.feed_forward else np.zeros(6)
        if self.stopped is not None:
            return self._brake(q, v)
        try:
            return self.follower.torque(t, self._told, q, v, push)
        except LeftWorkspace as error:
            self.stop(t, str(error))
            return self._move(t, q, v)

    def _brake(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Hold where the emulation was stopped."""
        if self._held is None:
            self._held = q
        follower = self.follower
        still = follower.model.inverse_dynamics(q, v, 400.0 * (self._held - q) - 40.0 * v)
        return np.clip(still + follower.offset, -follower.arm.effort, follower.arm.effort)

    @property
    def _inertia(self) -> np.ndarray:
        return np.diag(np.array(self.body.dynamics.world.bodies[0].inertia))

    @property
    def energy_made(self) -> float:
        """By the delay so far (J)."""
        return self._energy


def ground(
    laboratory: Laboratory, settings: Settings, model: Dynamics, dynamics: Dynamics, duration: float, h: float
) -> Simulation:
    """The laboratory as it is, with its emulation at work (the first controller)."""
    emulation = Emulation(laboratory, dynamics, settings, model)
    follower = emulation.follower
    still = np.zeros(laboratory.client.n)
    true = Dynamics(laboratory.client_world())
    start = follower.q
    follower.offset = true.inverse_dynamics(start, still, still) - model.inverse_dynamics(start, still, still)
    moving: dict[str, Any] = {
        link: {"position": (x,), "velocity": (rate,)}
        for link, x, rate in zip(laboratory.client.links, start.tolist(), follower.v.tolist(), strict=True)
    }
    q, v = dynamics.state({**laboratory.servicer_state(), **moving})
    commands = laboratory.commands(dynamics, q, duration, h)
    simulation = Simulation(dynamics, q, v, h=h, command=commands, controllers=[emulation])
    when = laboratory.released
    if when is not None and np.isfinite(when) and BRAKE in simulation.motion.engaged:
        simulation.at(when, lambda one: one.release(BRAKE))
    return simulation
