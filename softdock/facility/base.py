"""The servicer's base, emulated too: a robot moves the platform as it would float under what its arm does to it."""

import numpy as np

from softdock.arm import Inertial, link_frames
from softdock.dynamics import Dynamics
from softdock.facility.emulation import Settings
from softdock.facility.laboratory import R_SERVICER, SERVICER, Laboratory
from softdock.facility.moving import FreeBody, Moving, wrench_to_move
from softdock.mission.part import Truth
from softdock.runs.simulation import Simulation
from softdock.sensing import WrenchSensor
from softdock.spatial import cross, vector_of_matrix
from softdock.world import Body, Free, Uniform, World

PLATFORM = SERVICER + "platform"


class BaseEmulation:
    """A second emulation, of the platform that carries the servicer's arm. Its sensor is between both; what the arm,
    its joints held, needs to move as the platform does is taken off, so that the simulated body is platform and arm
    together. What moves the platform is a robot with six motors, such as a hexapod, of the first's bandwidth, but
    without delay, filter, noise or bias: late by 10 ms it was unstable, since the arm's joints bend."""

    def __init__(self, laboratory: Laboratory, dynamics: Dynamics, settings: Settings, q: np.ndarray) -> None:
        self.period, self.settings, self.dynamics = settings.period, settings, dynamics
        zero, platform = np.zeros(3), laboratory.balanced.inertial
        R, p = dynamics.pose(PLATFORM, q)
        self._told = start = Moving(R, p, zero, zero, zero, zero)
        frames = laboratory.balanced.mount @ link_frames(laboratory.servicer, laboratory.servicer_posture)
        links = zip(laboratory.servicer.inertials, frames, strict=True)
        arm = sum((link.moved(T) for link, T in links), Inertial(0.0, zero, np.zeros((3, 3))))
        whole, n2 = platform + arm, laboratory.stretch**2  # time stretched by n: masses n²
        self.body = FreeBody(
            _described(Inertial(n2 * whole.mass, whole.center, n2 * whole.inertia)), start, settings.period
        )
        gravity = Uniform(acceleration=tuple(laboratory.servicer.gravity))
        self._platform, self._arm = (
            Dynamics(World(gravity=gravity, bodies=(_described(own),))) for own in (platform, arm)
        )
        self.sensor = WrenchSensor(dynamics, SERVICER + laboratory.servicer.links[0], period=settings.period)
        self._carried, self._own = wrench_to_move(self._arm, start), dynamics.layout.v[PLATFORM]
        self._twist = start.twist
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
            push = wrench_to_move(self._arm, moved) - self._carried
            self.body.advance(push, push)
        self._twist = twist
        self._told = self.body.now
        return self._command(R, p, twist)

    def _command(self, R: np.ndarray, p: np.ndarray, twist: np.ndarray) -> np.ndarray:
        told, w = self._told.after(0.5 * self.period), self.settings.rate
        turn = w * w * vector_of_matrix(told.R @ R.T) + 2 * w * (told.w - twist[:3])
        shift = w * w * (told.p - p) + 2 * w * (told.v - twist[3:])
        wrench = (
            wrench_to_move(self._platform, told._replace(a=told.a + shift, alpha=told.alpha + turn)) + self._carried
        )
        out = np.zeros(self.dynamics.nv)
        # a free joint's force is along its placement's axes, its torque along the body's
        out[self._own] = np.concatenate([wrench[:3] @ R_SERVICER, wrench[3:] @ R])
        return out


def _described(own: Inertial) -> Body:
    mass = {"mass": own.mass, "center": own.center.tolist(), "inertia": own.inertia.tolist()}
    return Body.model_validate({"name": "body", "joint": Free(), **mass})
