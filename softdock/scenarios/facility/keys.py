"""Keys of 'facility': target, mock-up, arms, sensor, emulator and hand."""

from typing import Annotated

import numpy as np
from pydantic import Field

from softdock.facility.emulation import Inertia
from softdock.facility.grasp import STEP, Hand
from softdock.scenarios.scenario import Seconds
from softdock.world import Compliance, Fingers
from softdock.world.describe import Described, Number, Vec3
from softdock.world.shapes import Positive


class TargetKeys(Described):
    """What is emulated."""

    mass: Positive = 60.0
    """(kg)."""
    inertia: tuple[Positive, Positive, Positive] = (4.0, 8.0, 5.0)
    """Along its axes (kg m²)."""
    handle: Positive = 0.15
    """From its centre to the pad's face (m)."""
    velocity: Vec3 = (0.03, 0.002, 0.0)
    """In the laboratory, whose x is from client to servicer (m/s)."""
    rates_deg: Vec3 = (0.6, 1.0, 2.0)
    """Along its own axes (degrees/s)."""


class MockupKeys(Described):
    """In the client's hand."""

    mass: Positive = 2.0
    """(kg)."""
    inertia: tuple[Positive, Positive, Positive] = (0.01, 0.01, 0.01)
    """Along its axes (kg m²)."""
    distance: Positive = 0.1
    """From the flange to the target's centre (m)."""


class ClientKeys(Described):
    """The arm that moves the mock-up, and its control."""

    arm: str = "sawyer"
    """A name or a URDF file."""
    model: str = "sawyer:mjcf"
    """The controller's."""
    posture: tuple[Number, ...] = (0.6237, -0.0106, -1.8093, 1.3689, -0.2115, -0.7717, 2.0869)
    """Joint angles near which it starts (rad)."""
    position: Vec3 = (0.75, 0.16, 0.45)
    """Of the target's centre at the start (m)."""
    friction: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)] = 0.01
    """Of the joints, relative to their efforts (-)."""
    bandwidth_hz: Positive = 30.0
    """Of its motion (Hz)."""
    feed_forward: bool = True
    """Is the measured wrench given to the joints?"""


class ServicerKeys(Described):
    """The arm that is touched."""

    arm: str = "sawyer"
    """A name or a URDF file."""
    posture: tuple[Number, ...] = (0.4062, 0.5128, 0.6916, -1.4769, -0.0228, 0.8345, -3.5412)
    """Joint angles near which it starts (rad)."""
    servo: tuple[Positive, Positive] = (3000.0, 60.0)
    """Of its joints, which hold still (N m/rad, N m s/rad)."""


class SensorKeys(Described):
    """In the client's wrist."""

    period: Seconds = 1e-3
    """Of the controller too (s)."""
    filter: Annotated[float, Field(ge=0, le=10, allow_inf_nan=False)] = 0.01
    """Time constant; 0: none (s)."""
    noise: tuple[float, float] = (0.1, 0.005)
    """Standard deviations of force and moment (N, N m)."""
    bias: tuple[Number, Number, Number, Number, Number, Number] = (0.02, 0.0, 0.0, 0.0, 0.0, 0.0)
    """After tare (N, N m)."""
    latency: Annotated[float, Field(ge=0, le=10, allow_inf_nan=False)] = 0.0
    """(s)."""
    mass_error: Number = 0.002
    """Of the mock-up, as the controller has it, relative (-)."""
    settle: Annotated[float, Field(ge=0, le=10, allow_inf_nan=False)] = 0.05
    """What is felt before this time is not used (s)."""
    gate: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0.2
    """Forces below it count as none (N)."""
    inertia: Inertia = "command"
    """How the mock-up's own is taken off."""


class EmulatorKeys(Described):
    """From the simulated target to the robot."""

    delay: Annotated[float, Field(ge=0, le=10, allow_inf_nan=False)] = 0.01
    """From the simulation to the robot (s)."""
    jitter: Annotated[float, Field(ge=0, le=10, allow_inf_nan=False)] = 0.0
    """Mean of what is added to it (s)."""
    energy: Positive = 0.5
    """That the loop may make, relative to the approach's, before it is stopped (-)."""


class BaseKeys(Described):
    """The robot that moves an `emulated` base."""

    bandwidth_hz: Positive = 6.0
    """Of its motion (Hz)."""
    delay: Annotated[float, Field(ge=0, le=10, allow_inf_nan=False)] = 0.0
    """From the simulation to that robot (s)."""


class ContactKeys(Described):
    """Of tip and pad."""

    stiffness: Positive = 1000.0
    """(N/m^exponent)."""
    exponent: Annotated[float, Field(ge=1, le=5, allow_inf_nan=False)] = 1.0
    """(-)."""
    damping: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 3.0
    """Hunt & Crossley's (s/m)."""
    viscosity: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0.0
    """Kelvin & Voigt's (N s/m)."""
    friction: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0.2
    """(-)."""
    clearance: Positive = 0.006
    """Between tip and pad at the start (m)."""
    lateral: Number = 0.035
    """Of the tip from the pad's middle (m)."""

    @property
    def law(self) -> Compliance:
        return Compliance(
            stiffness=self.stiffness, exponent=self.exponent, damping=self.damping, viscosity=self.viscosity,
            friction=self.friction,
        )  # fmt: skip


Short = Annotated[float, Field(gt=0, le=600, allow_inf_nan=False)]


class HandKeys(Described):
    """The servicer's two fingers, and when they do what (s); all but `off` (m) is of the experiment `grasp`."""

    force: Positive = 20.0
    """Of each finger (N)."""
    speed: Positive = 0.025
    """Of each finger when nothing is in its way (m/s)."""
    stiffness: Positive = 3000.0
    """Of each point at which a finger's rod touches the bar (N/m)."""
    damping: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 3.0
    """Hunt & Crossley's (s/m)."""
    friction: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0.4
    """(-)."""
    standoff: Positive = 0.08
    """Of the hand from the handle at the start (m)."""
    approach: Short = 2.0
    """Until the hand is there (s)."""
    closing: Short = 2.0
    """For which it goes on with the handle (s)."""
    stopping: Short = 0.5
    """In which the arm then stops (s)."""
    off: Vec3 = (0.0, 0.008, 0.0)

    def hand(self, n: float) -> Hand:
        """With time stretched by n."""
        law = Compliance(
            stiffness=self.stiffness, exponent=1.0, damping=self.damping, friction=self.friction, slip=1e-3
        )
        approach, closing, stopping = (STEP * max(1, round(n * x / STEP)) for x in
                                       (self.approach, self.closing, self.stopping))  # fmt: skip
        fingers = Fingers(force=self.force, speed=self.speed / n)
        return Hand(fingers, law, self.standoff, approach, closing, stopping, np.array(self.off))
