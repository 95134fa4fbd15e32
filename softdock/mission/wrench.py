"""Parts that feel: `ForceTorque` in a joint, `JointTorques` of an arm."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from softdock.dynamics import Dynamics
from softdock.mission.craft import Crafts
from softdock.mission.part import Part, PartError, Sensor, Truth
from softdock.sensing.wrench import WrenchReading, WrenchSensor


class ForceTorque(Part):
    """A force and torque sensor in the joint of `body` (a fixed joint too, such as that of a tool), read every `period`
    (s). Keywords of the `sensor` (-) are those of `sensing.WrenchSensor`: frame, filter, noise, bias,
    latency, jitter.

    `reading` is the last one that arrived; `tare()` takes it as zero from then on.
    """

    def __init__(self, body: str, *, period: float, **sensor: Any) -> None:
        self.body, self.period, self._options = body, period, sensor
        self._last: WrenchReading | None = None
        self._zero = np.zeros(6)

    def fit(self, crafts: Crafts) -> None:
        crafts.root_of(self.body, self)

    def sensors(self, dynamics: Dynamics, seed: np.random.SeedSequence) -> Sequence[Sensor]:
        try:
            return (WrenchSensor(dynamics, self.body, period=self.period, seed=seed, **self._options),)
        except (ValueError, KeyError) as error:
            raise PartError(f"{self.name}: {error.args[0]}") from None

    def take(self, t: float, reading: WrenchReading) -> None:
        self._last = reading

    @property
    def reading(self) -> WrenchReading | None:
        """Force (N) and torque (N m) that the joint hands to what it carries, with their stamp (s)."""
        if self._last is None:
            return None
        return WrenchReading(self._last.t, self._last.force - self._zero[:3], self._last.torque - self._zero[3:])

    def tare(self) -> None:
        """From now on the last reading is zero."""
        if self._last is not None:
            self._zero = np.concatenate([self._last.force, self._last.torque])


class _Torques:
    """One sensor in every joint, along its axis."""

    def __init__(self, dynamics: Dynamics, joints: Sequence[str], period: float, noise: float, seed: Any) -> None:
        self.period, self._noise, self._rng = period, noise, np.random.default_rng(seed)
        self._sensors = [WrenchSensor(dynamics, joint, period=period) for joint in joints]
        kinds = [dynamics.world.body(joint).joint for joint in joints]
        self._rows = np.zeros((len(joints), 6))
        for row, joint in zip(self._rows, kinds, strict=True):
            row[3 * (joint.kind == "revolute") :][:3] = joint.axis  # type: ignore[union-attr]

    def measure(self, truth: Truth) -> np.ndarray | None:
        means = [sensor.true_mean(truth) for sensor in self._sensors]
        if any(mean is None for mean in means):
            return None
        torque = np.einsum("ij,ij->i", self._rows, np.array(means))
        return torque + self._noise * self._rng.standard_normal(len(torque))


class JointTorques(Part):
    """Torque sensors in revolute joints, force sensors in prismatic ones, named by their bodies: what a joint hands on
    along its axis, averaged over `period` (s), with white `noise` (N or N m). `torques` are the last ones."""

    def __init__(self, joints: Sequence[str], *, period: float, noise: float = 0.0) -> None:
        self.joints, self.period, self.noise = tuple(joints), period, noise
        self.torques = np.zeros(len(self.joints))
        self.t = 0.0

    def fit(self, crafts: Crafts) -> None:
        for joint in self.joints:
            crafts.root_of(joint, self)
            if (kind := crafts.world.body(joint).joint.kind) not in ("revolute", "prismatic"):
                raise PartError(f"{self.name}: the joint of {joint!r} is {kind}; it has no axis")

    def sensors(self, dynamics: Dynamics, seed: np.random.SeedSequence) -> Sequence[Sensor]:
        try:
            return (_Torques(dynamics, self.joints, self.period, self.noise, seed),)
        except ValueError as error:
            raise PartError(f"{self.name}: {error}") from None

    def take(self, t: float, reading: np.ndarray) -> None:
        self.t, self.torques = t, reading
