"""The part `Gripper`: closes on a handle, with fingers or ideally, and holds it by a latch."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np

from softdock.dynamics import Dynamics
from softdock.mission.craft import Craft, Crafts
from softdock.mission.grasping import (
    Drive,
    Engage,
    Envelope,
    FingerEncoders,
    FingerGrasp,
    FingerState,
    Handle,
    IdealGrasp,
)
from softdock.mission.keeping_clear import rigid_shapes
from softdock.mission.part import Mechanism, Part, PartError, Sensor, refuse_negative
from softdock.mission.phase import Done, Missed, Phase
from softdock.world import Body, Fixed, Latch, Pose, World
from softdock.world.describe import nearest
from softdock.world.fingers import fingers_of, locks_of
from softdock.world.rigid import lumped

SLOW = 0.1
"""A finger that goes slower than this, of its own speed, is stopped by something."""
DWELL = 0.4
"""Seconds for which both fingers must be stopped before the gripper is said to hold."""
OFF = 0.35
"""How far from the bar's thickness the fingers' distance may be then, of that thickness."""


class Gripper(Part):
    """Closes in about `closing` (s) on a handle; `latch` is a weld of a frame of the gripper to one of the handle. Of a
    target with several handles, `latch` are several, one for each; grasps are all given in the first one's frame.

    Of `kind` "fingers", the world has fingers at that frame (`with_fingers`): they close by contact and friction, and
    hold when both are stopped as far apart as the bar is thick, twice its radius `bar` (m); then `Rigidise` engages the
    latch and welds the fingers to the palm. Of `kind` "ideal", the latch engages when the time is over, if the handle
    is within the `envelope` of the grasp that was wanted: no fingers, no contact. The envelope is also what a forecast
    must be sure to. What it is to hold is believed to have `mass` (-) and `inertia` (-) times what it has.
    """

    def __init__(
        self,
        latch: str | Sequence[str],
        *,
        kind: Literal["ideal", "fingers"] = "ideal",
        closing: float = 2.0,
        envelope: Envelope | None = None,
        bar: float = 0.01,
        mass: float = 1.0,
        inertia: float = 1.0,
    ) -> None:
        if not (mass > 0 and inertia > 0):
            raise ValueError("a gripper: mass and inertia of what it is to hold must be positive multiples")
        if kind not in ("ideal", "fingers"):
            raise ValueError(f"a gripper is of kind 'ideal' or 'fingers', not {kind!r:.40}")
        refuse_negative(closing=closing, bar=bar)
        self._scales = mass, inertia
        self.latches = (latch,) if isinstance(latch, str) else tuple(latch)
        if not self.latches:
            raise ValueError("a gripper needs the name of a latch")
        self.kind, self.closing, self.envelope, self.bar = kind, closing, envelope or Envelope(), bar
        self.holds: bool | None = None
        """Does it hold the handle? Unknown (None) until it has closed."""
        self.closed_at = np.nan
        """(s)."""
        self.fingers: FingerState | None = None
        """As measured last."""
        self.is_rigid = False
        """Is the latch engaged?"""
        self._stopped = np.nan
        """Since when both fingers are (s)."""

    def _welds(self, world: World) -> list[Latch]:
        known = {latch.name: latch for latch in world.latches}
        for name in self.latches:
            if name not in known:
                raise PartError(f"{self.name}: no latch {name!r}{nearest(name, known)}")
            if known[name].kind != "weld":
                raise PartError(f"{self.name}: latch {name!r} must be a weld, not a {known[name].kind}")
        found = [known[name] for name in self.latches]
        for one in found[1:]:
            if one.frame_a != found[0].frame_a or world.body_of(one.frame_b) != world.body_of(found[0].frame_b):
                raise PartError(f"{self.name}: latch {one.name!r} is not of the same gripper and target as the first")
        return found

    def still(self, world: World) -> Mapping[str, float]:
        """To the arm's control fingers are where they are when open; they are light."""
        if self.kind == "ideal":
            return {}
        tip, names = self._welds(world)[0].frame_a, [body.name for body in world.bodies]
        if missing := [name for name in fingers_of(tip) if name not in names]:
            raise PartError(f"{self.name}: there is no {missing[0]!r}; `with_fingers` adds fingers to {tip!r}")
        _, *both = fingers_of(tip)
        joints: list[Any] = [world.body(name).joint for name in both]
        return {name: joint.limits.upper[0] for name, joint in zip(both, joints, strict=True)}

    def fit(self, crafts: Crafts) -> None:
        welds = self._welds(crafts.world)
        self.tip, self.handle_name = welds[0].frame_a, welds[0].frame_b
        first = crafts.world.frame(self.handle_name).placement.inverse()
        self.handles = [
            Handle(weld.name, weld.frame_b, first @ crafts.world.frame(weld.frame_b).placement) for weld in welds
        ]
        """What it may hold."""
        self.craft: Craft = crafts.join(self.tip, self)
        world, (mass, inertia) = crafts.world, self._scales
        held = lumped(world, world.body_of(self.handle_name))
        self.target = scaled(held, mass, inertia)
        """What it is to hold, as it is believed."""
        self.target_shapes = rigid_shapes(world, held.name)
        """Of that and of what is fixed to it, in its frame."""
        self._grip, self._handle = (world.frame(name).placement for name in (self.tip, self.handle_name))
        if self.kind == "fingers":
            self._fit_fingers(world)

    def _fit_fingers(self, world: World) -> None:
        joint: Any = world.body(fingers_of(self.tip)[1]).joint
        self._speed, opening = joint.actuator.rate, joint.limits.upper[0]
        self._wide = 0.9 * opening
        if missing := [name for name in locks_of(self.tip) if name not in [latch.name for latch in world.latches]]:
            raise PartError(f"{self.name}: there is no latch {missing[0]!r}; `with_fingers` adds it")
        if not (0 < self.bar < opening):
            raise PartError(
                f"{self.name}: a bar of radius {self.bar:g} m does not go between fingers that open to {opening:g} m"
            )

    def sensors(self, dynamics: Dynamics, seed: np.random.SeedSequence) -> Sequence[Sensor]:
        return [FingerEncoders(dynamics, self.tip)] if self.kind == "fingers" else []

    def mechanism(self, dynamics: Dynamics) -> Mechanism:
        if self.kind == "fingers":
            return FingerGrasp(dynamics, self.latches, self.tip)
        return IdealGrasp(self.latches, self.tip, self.envelope)

    # --- what it is asked to do --------------------------------------------------------------------

    def close(self) -> None:
        """Begin to close."""
        self.holds, self._stopped = None, np.nan
        if self.kind == "fingers":
            self.request = Drive(-1)

    def open(self) -> None:
        """Let go, and open."""
        self.holds, self.is_rigid = None, False
        self.request = Drive(1, release=True)

    def engage(self, grasp: Pose) -> None:
        """Engage the latch; the gripper is meant to be at `grasp` in the first handle's frame."""
        self.request = Engage(grasp, self.handle_of(grasp))

    def handle_of(self, grasp: Pose) -> Handle:
        """The one that a grasp is of: the nearest to it."""
        at = np.asarray(grasp.position)
        return min(self.handles, key=lambda one: float(np.linalg.norm(np.asarray(one.placement.position) - at)))

    def take(self, t: float, reading: FingerState | bool | None) -> None:
        if isinstance(reading, FingerState):
            self.fingers = reading
        elif reading is not None:
            self.holds = self.is_rigid = reading
            self.closed_at = t

    def feel(self, t: float) -> None:
        """Are the fingers stopped by the bar? Then it holds, after a while; closed on nothing, it does not."""
        assert self.fingers
        half, rates = self.fingers.openings.mean(), self.fingers.rates
        if half < (1 - OFF) * self.bar:
            self.holds = False
        elif np.abs(rates).max() > SLOW * self._speed or half > (1 + OFF) * self.bar:
            self._stopped = np.nan
        elif not t - self._stopped >= DWELL:
            self._stopped = t if np.isnan(self._stopped) else self._stopped
        else:
            self.holds = True

    @property
    def is_open(self) -> bool:
        """Are both fingers nearly as far apart as they go?"""
        return self.fingers is None or bool(self.fingers.openings.min() > self._wide)

    def payload(self, grasp: Pose, share: float = 1.0) -> Body:
        """What the craft holds from now on, as the mission knows it: the target, fixed to the gripper; with a `share`
        (-) of its mass and inertia."""
        placement = self._grip @ grasp.inverse() @ self._handle.inverse()
        parent = self.craft.world.body_of(self.tip)
        return scaled(self.target, share, share).altered(parent=parent, joint=Fixed(), placement=placement)


def scaled(body: Body, mass: float, inertia: float) -> Body:
    """A body with multiples of its mass and inertia."""
    moments = tuple(tuple(inertia * x for x in row) for row in body.inertia)
    return body.altered(mass=mass * body.mass, inertia=moments)


class Close(Phase):
    """A gripper on a handle, at `grasp` in the first handle's frame; `Missed` if it does not hold it. `other` (-)
    is what every `Phase` takes."""

    kind = "close"

    def __init__(self, gripper: Gripper, grasp: Pose | None = None, **other: Any) -> None:
        super().__init__(**other)
        self.gripper, self.grasp, self._end, self._asked = gripper, grasp or Pose(), np.inf, False

    def begin(self, t: float) -> None:
        self._end, self._asked = t + self.gripper.closing, False
        self.gripper.close()

    def update(self, t: float) -> Done | None:
        hand = self.gripper
        if hand.kind == "fingers":
            hand.feel(t)
            if hand.holds is None and t >= self._end + hand.closing - 1e-9:
                raise Missed("the fingers did not close on the bar in time")
        elif not self._asked and t >= self._end - 1e-9:
            self._asked = True
            hand.engage(self.grasp)
        if hand.holds is None:
            return None
        if not hand.holds:
            raise Missed("the handle was not between the fingers")
        return Done()


class Rigidise(Phase):
    """What a gripper's fingers hold at `grasp` becomes rigid: the latch engages, and welds hold fingers to palm.
    An ideal gripper has done so already. `other` (-) is what every `Phase` takes."""

    kind = "rigidise"

    def __init__(self, gripper: Gripper, grasp: Pose | None = None, **other: Any) -> None:
        super().__init__(**other)
        self.gripper, self.grasp = gripper, grasp or Pose()

    def begin(self, t: float) -> None:
        if not self.gripper.holds:
            raise Missed("there is nothing between the fingers to be held")
        if not self.gripper.is_rigid:
            self.gripper.engage(self.grasp)

    def update(self, t: float) -> Done | None:
        return Done() if self.gripper.is_rigid else None


class Open(Phase):
    """A gripper lets go, and opens. `other` (-) is what every `Phase` takes."""

    kind = "open"

    def __init__(self, gripper: Gripper, **other: Any) -> None:
        super().__init__(**other)
        self.gripper, self._asked = gripper, False

    def begin(self, t: float) -> None:
        self._asked = False

    def update(self, t: float) -> Done | None:
        if not self._asked:
            self._asked = True
            self.gripper.open()
            return None
        if not self.gripper.is_open:
            return None
        if self.gripper.kind == "fingers":
            self.gripper.request = Drive(0)
        return Done()
