"""The servicer's base, emulated too: a robot moves the platform as it would float under what its arm does to it."""

import numpy as np

from softdock.arm import Inertial, link_frames
from softdock.dynamics import Dynamics
from softdock.facility.emulation import Emulation
from softdock.facility.laboratory import R_SERVICER, SERVICER, Laboratory
from softdock.facility.moving import FreeBody, Moving, wrench_to_move
from softdock.mission.part import Truth
from softdock.runs.simulation import Simulation
from softdock.sensing import DelayLine, WrenchSensor
from softdock.spatial import cross, vector_of_matrix
from softdock.world import Body, Free, Layout, Uniform, World

HOLDING = 10.0
"""Rate (rad/s) of the loop that holds the base after it was stopped."""
PLATFORM = SERVICER + "platform"


class BaseEmulation:
    """A second emulation, of the platform that carries the servicer's arm. Its sensor is between both; what the arm,
    its joints held, needs to move as the platform does is taken off, so that the simulated body is platform and arm
    together. What moves the platform is a robot with six motors, such as a hexapod, with a position loop of `rate`
    (rad/s), told `delay` (s) late where to be, led by that if `is_led`; its sensor has no filter, noise or bias.

    The loop must be slower than the arm's servos are soft: at 190 rad/s the arm bends against it, and it is unstable.
    """

    def __init__(
        self, laboratory: Laboratory, emulation: Emulation, q: np.ndarray, *, rate: float, delay: float, is_led: bool
    ) -> None:
        settings, dynamics = emulation.settings, emulation.dynamics
        self.period, self.rate, self.dynamics, self._client = settings.period, rate, dynamics, emulation
        zero, platform = np.zeros(3), laboratory.balanced.inertial
        R, p = dynamics.pose(PLATFORM, q)
        self._told = start = Moving(R, p, zero, zero, zero, zero)
        frames = laboratory.balanced.mount @ link_frames(laboratory.servicer, laboratory.meeting_posture)
        links = zip(laboratory.loaded.inertials, frames, strict=True)
        arm = sum((link.moved(T) for link, T in links), Inertial(0.0, zero, np.zeros((3, 3))))
        whole, n2 = platform + arm, laboratory.stretch**2  # time stretched by n: masses n²
        self.body = FreeBody(
            _described(Inertial(n2 * whole.mass, whole.center, n2 * whole.inertia)), start, settings.period
        )
        gravity = Uniform(acceleration=tuple(laboratory.servicer.gravity))
        self._platform = Dynamics(World(gravity=gravity, bodies=(_described(platform),)))
        self._servicer = Dynamics(laboratory.servicer_world("emulated"))
        self._theirs = own_places(dynamics.layout, self._servicer.layout)
        self.sensor = WrenchSensor(dynamics, SERVICER + laboratory.servicer.links[0], period=settings.period)
        self._own = dynamics.layout.v[PLATFORM]
        self._carried = self._needed(q, np.zeros(dynamics.nv), start)
        self._twist, self._released = start.twist, laboratory.released or 0.0
        self._lead, self._line = delay if is_led else 0.0, DelayLine(delay)
        self.energy_made = 0.0
        """By the loop so far (J)."""
        self._simulation: Simulation | None = None

    def bind(self, simulation: Simulation) -> None:
        self._simulation = simulation

    def __call__(self, t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        assert self._simulation
        R, p = self.dynamics.pose(PLATFORM, q)
        twist = self.dynamics.jacobian(PLATFORM, q) @ v
        reading = self.sensor.measure(Truth(t, q, v, self.dynamics, self._simulation.motion.contact_impulses))
        if reading is not None:
            R_S, p_S, _ = self.sensor.body_motion
            force = R_S @ reading.force
            self._carried = np.concatenate([force, R_S @ reading.torque + cross(p_S - p, force)])
            rise = (twist - self._twist) / self.period
            moved = Moving(R, p, twist[3:], rise[3:], twist[:3], rise[:3])
            push = self._needed(q, v, moved) - self._carried
            if t > self._released and self._client.stopped is None:
                self.body.advance(push, push)
                self._watch(t, push, twist)
        self._twist = twist
        self._line.send(t, self.body.now.after(self._lead))
        message = self._line.newest(t)
        if self._client.stopped is not None:
            zero = np.zeros(3)
            self._told = Moving(self._told.R, self._told.p, zero, zero, zero, zero)
        elif message is not None:
            self._told = message.value
        return self._command(R, p, twist)

    def _watch(self, t: float, push: np.ndarray, twist: np.ndarray) -> None:
        """The energy that is given to the simulated base but not taken from the real one."""
        lag = self.body.now.twist - twist
        self.energy_made += self.period * float(push[:3] @ lag[3:] + push[3:] @ lag[:3])
        if self.energy_made > self._client.budget:
            self._client.stop(
                t, f"the base's loop has made {self.energy_made:.3g} J, more than {self._client.budget:.3g} J"
            )

    def _needed(self, q: np.ndarray, v: np.ndarray, moved: Moving) -> np.ndarray:
        """What the arm needs to move with the platform, at its joints' rates as they are (6, about the platform's
        origin, world axes): what both need, less what the platform does."""
        servicer, (in_q, in_v) = self._servicer, self._theirs
        own = servicer.layout.v[PLATFORM]
        a = np.zeros(servicer.nv)
        # a free joint's velocity and force are along its placement's axes, its rates and torque along the body's
        a[own] = np.concatenate([moved.a @ R_SERVICER, moved.alpha @ moved.R])
        both = servicer.inverse_dynamics(q[in_q], v[in_v], a)[own]
        whole = np.concatenate([R_SERVICER @ both[:3], moved.R @ both[3:]])
        return whole - wrench_to_move(self._platform, moved)

    def _command(self, R: np.ndarray, p: np.ndarray, twist: np.ndarray) -> np.ndarray:
        told = self._told.after(0.5 * self.period)
        w = self.rate if self._client.stopped is None else min(self.rate, HOLDING)
        turn = w * w * vector_of_matrix(told.R @ R.T) + 2 * w * (told.w - twist[:3])
        shift = w * w * (told.p - p) + 2 * w * (told.v - twist[3:])
        wrench = (
            wrench_to_move(self._platform, told._replace(a=told.a + shift, alpha=told.alpha + turn)) + self._carried
        )
        out = np.zeros(self.dynamics.nv)
        out[self._own] = np.concatenate([wrench[:3] @ R_SERVICER, wrench[3:] @ R])
        return out


def _described(own: Inertial) -> Body:
    mass = {"mass": own.mass, "center": own.center.tolist(), "inertia": own.inertia.tolist()}
    return Body.model_validate({"name": "body", "joint": Free(), **mass})


def own_places(whole: Layout, part: Layout) -> tuple[np.ndarray, np.ndarray]:
    """Where the coordinates and velocities of some bodies are among those of all."""
    names = [name for name in part.q if part.q[name].stop > part.q[name].start]
    spans = [[getattr(whole, kind)[name] for name in names] for kind in ("q", "v")]
    q, v = (np.concatenate([np.arange(span.start, span.stop) for span in some]) for some in spans)
    return q, v
