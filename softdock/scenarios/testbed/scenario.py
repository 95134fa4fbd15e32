"""Scenario 'testbed': Sawyer on a spherical air bearing, or the same craft in orbit (Korczyk et al.)."""

from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from softdock.arm import CONTROL_BOX, Balance, Inertial, Platform, SerialArm, balance, sawyer
from softdock.arm.trajectories import table_1_from_rest
from softdock.arm.worlds import PLATFORM, mounted
from softdock.control import ComputedTorque, Follow
from softdock.dynamics import Dynamics, Trajectory
from softdock.runs.ledger import Columns, earth_angular_momentum
from softdock.runs.simulation import Simulation
from softdock.scenarios.derived import DerivedScenario
from softdock.scenarios.scenario import Seconds
from softdock.scenarios.testbed.units import UNITS
from softdock.spatial import angle_between
from softdock.world import Box, JointState, Pose, Uniform, World
from softdock.world.describe import Described, Number, Vec3
from softdock.world.shapes import Positive
from softdock.world.wheels import with_wheels

if TYPE_CHECKING:
    from softdock.figures import Drawing

ParameterSet = Literal["urdf", "mjcf"]
TURNS = tuple(f"{PLATFORM}.w{axis}" for axis in "xyz")


class Arm(Described):
    """Sawyer, with the figures of one of two public descriptions; gravity (m/s²) along the platform's axes."""

    parameters: ParameterSet = "urdf"
    """Which public figures."""
    gravity: Vec3 = (0.0, 0.0, -9.80665)
    """Along the platform's axes (m/s²)."""

    def made(self, parameters: ParameterSet | None = None) -> SerialArm:
        return sawyer(parameters or self.parameters).altered(gravity=np.array(self.gravity))


class Box3(Described):
    """A uniform box: mass (kg), edges (m), centre from the bearing (m), and where the arm's base stands on it."""

    mass: Positive = CONTROL_BOX.inertial.mass
    """(kg)."""
    size: tuple[Positive, Positive, Positive] = (0.5, 0.4, 0.25)
    """Edges (m)."""
    center: Vec3 = (-0.25, 0.0, -0.05)
    """From the bearing (m)."""
    arm_position: Vec3 = (0.15, 0.0, 0.1)
    """Of the arm's base, from the bearing (m)."""

    def made(self) -> Platform:
        x, y, z = np.square(self.size)
        mount = np.eye(4)
        mount[:3, 3] = self.arm_position
        return Platform(
            Inertial(self.mass, np.array(self.center), self.mass / 12 * np.diag([y + z, x + z, x + y])), mount
        )


class Wheels(Described):
    """Three reaction wheels along the platform's axes: spin inertia (kg m²) and mass (kg) of each, position (m)."""

    inertia: Positive = 0.05
    """About the axis of each (kg m²)."""
    mass: Positive = 4.0
    """Of each (kg)."""
    position: Vec3 = (-0.25, 0.0, -0.05)
    """Of all three, from the bearing (m)."""


class BalanceMass(Described):
    """Whether the platform carries its balance mass, and at what distance from the bearing (m)."""

    wanted: bool = True
    """Does the platform carry it?"""
    distance: Positive = 0.4
    """From the bearing (m)."""


class Motion(Described):
    """Table 1, begun at rest within `ease` seconds."""

    ease: Seconds = 2.0
    """In which the motion is begun (s)."""

    def at(self, t: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Joint positions, rates and accelerations."""
        _, q, v, a = table_1_from_rest([t], self.ease)
        return q[0], v[0], a[0]


class Control(Described):
    """Computed torque with gains (1/s², 1/s) each period, on a model with the arm's figures of `parameters`.

    hold: the wheels hold the platform's attitude. locked: they do not turn on it, and the platform reacts.
    """

    wheels: Literal["hold", "locked"] = "hold"
    """What they do."""
    parameters: ParameterSet = "mjcf"
    kp: Number = 400.0
    """(1/s²)."""
    kd: Number = 40.0
    """(1/s)."""
    period: Seconds = 0.01
    """(s)."""


class Parts(Described):
    """What the world is made from."""

    mount: Literal["bearing", "orbit"] = "bearing"
    """What the platform is on."""
    arm: Arm = Arm()
    platform: Box3 = Box3()
    wheels: Wheels = Wheels()
    balance: BalanceMass = BalanceMass()
    motion: Motion = Motion()

    def weight(self) -> Balance:
        """The balance mass (kg) and its place: for one whole cycle of the motion, whether it is wanted or not."""
        bare = self.platform.made().with_mass(3 * self.wheels.mass, self.wheels.position)
        cycle = table_1_from_rest(self.motion.ease + np.linspace(0.0, 2 * np.pi, 400, endpoint=False), self.motion.ease)
        return balance(self.arm.made(), bare, cycle.q, self.balance.distance)

    def carrier(self) -> Platform:
        """The platform as it is released, without its wheels."""
        bare = self.platform.made()
        return bare.with_mass(*self.weight()) if self.balance.wanted else bare

    def make_world(self, parameters: ParameterSet | None = None) -> World:
        """The craft, with the arm's figures of another set if one is named."""
        plain = mounted(self.arm.made(parameters), self.mount, self.carrier())
        box = Box(size=self.platform.size, placement=Pose(position=self.platform.center))
        bodies = tuple(b.altered(shapes=(box,)) if b.name == PLATFORM else b for b in plain.bodies)
        wheels = self.wheels
        return with_wheels(
            plain.altered(bodies=bodies, name="testbed"), PLATFORM, inertia=wheels.inertia, mass=wheels.mass,
            position=wheels.position,
        )[0]  # fmt: skip

    def make_initial(self) -> dict[str, JointState]:
        """At rest, the arm where Table 1 begins."""
        links = self.arm.made().links
        return {link: JointState(position=(x,)) for link, x in zip(links, self.motion.at(0.0)[0].tolist(), strict=True)}


class Testbed(Parts, DerivedScenario):
    """The arm moves; the platform reacts, or its wheels hold it."""

    made_from: ClassVar[type[Described]] = Parts
    units = UNITS
    control: Control = Field(default_factory=Control)

    def simulation(self, dynamics: Dynamics) -> Simulation:
        """The platform released, with its controller."""
        control, links = self.control, self.arm.made().links
        model = Dynamics(self.make_world(control.parameters))
        wheels = [b.name for b in dynamics.world.bodies if ".wheel" in b.name]
        law = ComputedTorque(
            model,
            Follow(model, self.motion, links, self.state()[0]),
            kp=control.kp,
            kd=control.kd,
            period=control.period,
            actuators=(*links, *wheels),
            tracked=(*links, *(TURNS if control.wheels == "hold" else wheels)),
        )
        return Simulation(dynamics, *self.state(), **self.run.stepping, controllers=[Remembered(law)])

    @cached_property
    def _study(self) -> Any:
        from softdock.scenarios.testbed.study import Study

        return Study(self)

    def annotations(self) -> dict[str, Any]:
        """Floor, stand and bearing under the platform, as they are drawn."""
        if self.mount != "bearing":
            return {}
        low = self.platform.center[2] - self.platform.size[2] / 2 - 0.45
        floor = {"kind": "box", "size": [1.8, 1.8, 0.04], "position": [0.0, 0.0, low], "look": "floor"}
        stand = {"kind": "cylinder", "radius": 0.07, "length": -low, "position": [0.0, 0.0, low / 2], "look": "metal"}
        bearing = {"kind": "sphere", "radius": 0.1, "color": "#d9b56a", "look": "metal"}
        return {"visuals": {"world": [floor, {**stand, "color": "#8d97a6"}, bearing]}}

    def tables(self, simulation: Simulation, rows: Trajectory) -> dict[str, Columns]:
        """Torques by every method along both motions, about the bearing, and the platform released in three ways."""
        if simulation.t < self.run.duration - self.run.h / 2:
            return {}
        columns: dict[str, Columns] = self._study.tables()
        return columns

    @classmethod
    def figures(cls) -> "dict[str, Drawing]":
        """Of the paper, and the ledger."""
        from softdock.scenarios.testbed.figures import FIGURES

        return FIGURES

    def metrics(self, simulation: Simulation, rows: Trajectory) -> dict[str, Any]:
        """The study's findings, and what the platform of this run did."""
        dynamics = simulation.dynamics
        links = self.arm.made().links
        wanted = table_1_from_rest(rows.t, self.motion.ease).q
        error = np.abs(rows.q[:, [dynamics.layout.q[link].start for link in links]] - wanted)
        return {
            **self._study.metrics(),
            "mount": self.mount,
            "platform_attitude_range": float(turned(dynamics, rows).max()),
            "joint_error_max": float(error.max()),
            **momentum_error(dynamics, rows),
        }


class Remembered:
    """A controller, and every command that it gave."""

    def __init__(self, law: ComputedTorque) -> None:
        self._law, self.period = law, law.period
        self.given: list[np.ndarray] = []

    def __call__(self, t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        self.given.append(self._law(t, q, v))
        return self.given[-1]


def turned(dynamics: Dynamics, rows: Trajectory) -> np.ndarray:
    """Angle (rad, 0 to π) of the platform from its start."""
    attitude = rows.q[:, dynamics.layout.q[PLATFORM]][:, -4:]
    return angle_between(attitude[0], attitude)


def momentum_error(dynamics: Dynamics, rows: Trajectory) -> dict[str, float]:
    """By how much angular momentum differs from what gravity's torque made of it.

    On the bearing, about it (N m s): gravity's torque is taken in the middle of each two rows, which is where the step
    of order 2 takes it, so with every step recorded this is rounding. In orbit, about Earth, relative to the orbit's.
    """
    if not isinstance(dynamics.world.gravity, Uniform):
        if dynamics.layout.kind[PLATFORM] == "spherical":
            kept = dynamics.balance(rows.q, rows.v).angular_momentum
            return {"bearing_momentum_error": float(np.abs(kept - kept[0]).max())}
        momentum, size = earth_angular_momentum(dynamics, rows)
        return {"angular_momentum_drift": float(np.linalg.norm(momentum - momentum[0], axis=-1).max()) / size}
    momentum = dynamics.balance(rows.q, rows.v).angular_momentum
    middle = (rows.q[1:] + rows.q[:-1]) / 2
    turn = dynamics.layout.q[PLATFORM]
    middle[:, turn] /= np.linalg.norm(middle[:, turn], axis=1)[:, None]
    center = dynamics.balance(middle, np.zeros(dynamics.nv)).center
    torque = np.cross(center, dynamics.mass * np.array(dynamics.world.gravity.acceleration))
    impulse = np.cumsum(torque * np.diff(rows.t)[:, None], axis=0)
    return {"bearing_momentum_error": float(np.abs(momentum[1:] - momentum[0] - impulse).max())}


SCENARIO = Testbed
