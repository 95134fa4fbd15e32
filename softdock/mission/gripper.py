"""The part `Gripper`: closes on a handle, and holds it by a latch if it is between the fingers."""

from typing import Any, NamedTuple

import numpy as np

from softdock.dynamics import Dynamics
from softdock.mission.craft import Craft, Crafts
from softdock.mission.part import Mechanism, Part, PartError, Truth
from softdock.mission.phase import Done, Missed, Phase
from softdock.runs.simulation import Simulation
from softdock.spatial import vector_of_matrix
from softdock.world import Body, Fixed, Pose
from softdock.world.describe import nearest


class Envelope(NamedTuple):
    """How far off the handle may be for the gripper to hold it."""

    distance: float = 0.010
    """(m)."""
    angle: float = 0.0349
    """(rad)."""
    speed: float = 0.010
    """(m/s)."""


class Gripper(Part):
    """Closes in `closing` (s); then its `latch`, a weld of a frame of the gripper to one of the handle, engages if
    the handle is within the `envelope` of the grasp that was wanted. This is the `kind` "ideal": no fingers, no
    contact. What it is to hold is believed to have `mass` (-) and `inertia` (-) times what it has."""

    kind = "ideal"

    def __init__(
        self,
        latch: str,
        *,
        closing: float = 2.0,
        envelope: Envelope | None = None,
        mass: float = 1.0,
        inertia: float = 1.0,
    ) -> None:
        if not (mass > 0 and inertia > 0):
            raise ValueError("a gripper: mass and inertia of what it is to hold must be positive multiples")
        self._scales = mass, inertia
        self.latch, self.closing, self.envelope = latch, closing, envelope or Envelope()
        self.holds: bool | None = None
        """Does it hold the handle? Unknown (None) until it has closed."""
        self.closed_at = np.nan
        """(s)."""

    def fit(self, crafts: Crafts) -> None:
        latches = {latch.name: latch for latch in crafts.world.latches}
        if self.latch not in latches:
            raise PartError(f"{self.name}: no latch {self.latch!r}{nearest(self.latch, latches)}")
        latch = latches[self.latch]
        if latch.kind != "weld":
            raise PartError(f"{self.name}: latch {self.latch!r} must be a weld, not a {latch.kind}")
        self.tip, self.handle_name = latch.frame_a, latch.frame_b
        self.craft: Craft = crafts.join(self.tip, self)
        held, (mass, inertia) = crafts.world.body(crafts.world.body_of(self.handle_name)), self._scales
        moments = tuple(tuple(inertia * x for x in row) for row in held.inertia)
        self.target = held.altered(mass=mass * held.mass, inertia=moments)
        """What it is to hold, as it is believed."""
        self._grip, self._handle = (crafts.world.frame(name).placement for name in (self.tip, self.handle_name))

    def mechanism(self, dynamics: Dynamics) -> Mechanism:
        return IdealGrasp(
            self.latch, self.tip, self.handle_name, self.envelope, dynamics.world.body_of(self.handle_name)
        )

    def close(self, grasp: Pose) -> None:
        """Close now; the gripper is meant to be at `grasp` in the handle's frame."""
        self.request = grasp

    def take(self, t: float, reading: Any) -> None:
        self.holds, self.closed_at = reading, t

    def payload(self, grasp: Pose) -> Body:
        """What the craft holds from now on, as the mission knows it: the target, fixed to the gripper."""
        placement = self._grip @ grasp.inverse() @ self._handle.inverse()
        parent = self.craft.world.body_of(self.tip)
        return self.target.altered(parent=parent, joint=Fixed(), placement=placement)


class Close(Phase):
    """A gripper on a handle, at `grasp` in the handle's frame; `Missed` if it does not hold it. `other` (-) is what
    every `Phase` takes."""

    kind = "close"

    def __init__(self, gripper: Gripper, grasp: Pose | None = None, **other: Any) -> None:
        super().__init__(**other)
        self.gripper, self.grasp, self._end, self._asked = gripper, grasp or Pose(), np.inf, False

    def begin(self, t: float) -> None:
        self._end, self.gripper.holds, self._asked = t + self.gripper.closing, None, False

    def update(self, t: float) -> Done | None:
        if t < self._end - 1e-9:
            return None
        if not self._asked:
            self._asked = True
            self.gripper.close(self.grasp)
        if self.gripper.holds is None:
            return None
        if not self.gripper.holds:
            raise Missed("the handle was not between the fingers")
        return Done()


class IdealGrasp:
    """The world's side of an ideal gripper: compares, engages, and notes how well it fitted."""

    def __init__(self, latch: str, tip: str, handle: str, envelope: Envelope, target: str) -> None:
        self._latch, self._tip, self._handle, self._envelope, self._target = latch, tip, handle, envelope, target

    def act(self, simulation: Simulation, truth: Truth, request: Pose) -> bool:
        fit = self.fit(truth, request)
        limits = self._envelope._asdict()
        held = all(fit[key] <= limits[key] for key in limits)
        changed = {"momentum_change": self._engaged(simulation, truth)} if held else {}
        simulation.note("closed", gripper=self._tip, kind_of_grasp="ideal", held=held, **fit, **changed)
        return held

    def fit(self, truth: Truth, grasp: Pose) -> dict[str, float]:
        """How the gripper is off its grasp of the handle: m, rad, m/s."""
        dynamics, q = truth.dynamics, truth.q
        (R_g, p_g), (R_h, p_h) = (dynamics.pose(frame, q) for frame in (self._tip, self._handle))
        slip = (dynamics.jacobian(self._tip, q) - dynamics.jacobian(self._handle, q)) @ truth.v
        return {
            "distance": float(np.linalg.norm(p_g - p_h - R_h @ np.asarray(grasp.position))),
            "angle": float(np.linalg.norm(vector_of_matrix((R_h @ grasp.rotation).T @ R_g))),
            "speed": float(np.linalg.norm(slip[3:])),
        }

    def _engaged(self, simulation: Simulation, truth: Truth) -> float:
        """Engage; the change of momentum and angular momentum, over the target's own."""
        dynamics, t = truth.dynamics, truth.t
        before = dynamics.balance(truth.q, truth.v, t)
        simulation.engage(self._latch)
        q, v = simulation.q, simulation.v
        after = dynamics.balance(q, v, t)
        alone = np.zeros(dynamics.nv)
        alone[dynamics.layout.v[self._target]] = v[dynamics.layout.v[self._target]]
        own = dynamics.balance(q, alone, t)
        changes = (
            (after.angular_momentum - before.angular_momentum, own.angular_momentum),
            (after.momentum - before.momentum, own.momentum),
        )
        sizes = [(np.linalg.norm(change), np.linalg.norm(size)) for change, size in changes]
        return float(max(change / size if size else change for change, size in sizes))
