"""The phase `Retreat`: from something that tumbles back to where the arm waited, by a way that is certified clear."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from softdock.estimation import NotStarted, RunAway
from softdock.mission.arm import From
from softdock.mission.chase import Chase
from softdock.mission.phase import Done, Unreachable
from softdock.mission.pursuit import Grasping
from softdock.planning import Infeasible, minimum_acceleration
from softdock.planning.intercept import gripper_at
from softdock.planning.plan import Sample

if TYPE_CHECKING:
    from scipy.interpolate import CubicSpline, PPoly

DURATIONS = (1.0, 1.5, 2.0, 3.0)
"""Of ways back that are tried, in units of its own."""
AWAY = (0.15, 0.3, 0.5)
"""How far behind the handle (m) the gripper first goes, where no straight way is clear; at SPEED (m/s)."""
SPEED, KNOT = 0.05, 0.5
EVERY = 2.0
"""Seconds between two looks for a clear way while there is none."""
STOPS = 2.0
"""Seconds in which the arm stops meanwhile."""
AT_REST = (1e-3, 1e-3)
"""Where the arm waited, and at rest: joints within so much (rad, rad/s)."""


class Way:
    """One plan after another: joints along cubics, from a time on (s)."""

    def __init__(self, begins: float, parts: list[Any]) -> None:
        self.parts, self.begins = parts, begins
        self.duration = float(sum(part.x[-1] - part.x[0] for part in parts))

    def at(self, t: float) -> Sample:
        """At time t (s) after it begins."""
        now = min(max(t, 0.0), self.duration) + self.begins
        part = next((one for one in self.parts if now <= one.x[-1]), self.parts[-1])
        return Sample(part(now), part(now, 1), part(now, 2))


class Retreat(Grasping):
    """Back to where the arm waited, in about `seconds` (s), by the first way that is certified clear of the target's
    forecast: straight, or first away from the handle, along with it. While there is none, the arm stops where it is,
    says so and looks again; `Unreachable` if that goes on for `patience` (s). `other` (-) is what every `Phase`
    takes."""

    kind = "retreat"

    def __init__(self, chase: Chase, seconds: float, *, patience: float = 20.0, **other: Any) -> None:
        super().__init__(chase, **other)
        self.seconds, self.patience = seconds, patience
        self._left, self._looked, self._end = False, -np.inf, np.inf

    def begin(self, t: float) -> None:
        arm = self.chase.arm
        here = arm.wanted_at(t)
        self._left, self._looked, self._end = False, -np.inf, t + self.patience
        if np.abs(here.q - self.chase.ready).max() < AT_REST[0] and np.abs(here.qd).max() < AT_REST[1]:
            self._left = True
            arm.motion = From(minimum_acceleration(here.q, self.chase.ready, 1.0), t)
            return
        self._look(t, here)
        if not self._left:
            stop = here.q + STOPS / 2 * here.qd
            arm.motion = From(minimum_acceleration(here.q, stop, STOPS, start_rate=here.qd), t)

    def _look(self, t: float, here: Sample) -> None:
        """Leave, if there is a clear way."""
        self._looked = t
        for parts in self._ways(t, here):
            if self._is_clear(parts, t):
                way = Way(t, parts)
                self.chase.arm.motion, self._left = From(way, t), True
                return
        self.waits_for = "a clear way back"

    def _ways(self, t: float, here: Sample) -> Iterator[list[Any]]:
        for times in DURATIONS:
            if (back := self._back(t, here, times * self.seconds)) is not None:
                yield [back]
        for far in AWAY if self.chase.intercept else ():
            if (away := self._away(t, here, far)) is not None:
                last = Sample(away(away.x[-1]), away(away.x[-1], 1), away(away.x[-1], 2))
                for times in DURATIONS[:3]:
                    if (back := self._back(float(away.x[-1]), last, times * self.seconds)) is not None:
                        yield [away, back]

    def _back(self, t: float, here: Sample, seconds: float) -> "PPoly | None":
        """From a state to where the arm waited; None if it cannot within its limits and rates."""
        from scipy.interpolate import PPoly

        arm = self.chase.arm
        try:
            plan = minimum_acceleration(
                here.q, self.chase.ready, seconds, start_rate=here.qd, position=(arm.lower, arm.upper), rate=arm.rates
            )
        except Infeasible:
            return None
        pieces = plan.cubics(t)
        return PPoly(pieces.c, pieces.x)

    def _away(self, t: float, here: Sample, far: float) -> "CubicSpline | None":
        """The gripper backwards, along with the handle; None if the arm cannot follow it."""
        from scipy.interpolate import CubicSpline

        chase, joints = self.chase, [here.q]
        assert chase.intercept
        try:
            R, p, _ = chase.arm.reacher.forward(here.q)
            behind = float((gripper_at(chase.nav.handle_at(t), chase.intercept.grasp, 0.0)[1] - p) @ R[:, 0])
            seconds = max(abs(far - behind) / SPEED, 2 * KNOT)
            times = np.append(t, t + np.arange(1, round(seconds / KNOT) + 1) * KNOT)
            for k, when in enumerate(times[1:], 1):
                s = k / (len(times) - 1)
                off = behind + (far - behind) * s**3 * (10 - 15 * s + 6 * s * s)
                goal = gripper_at(chase.nav.handle_at(when), chase.intercept.grasp, off)
                there = chase.arm.reacher.at(*goal, joints[-1])
                if there is None or np.abs(there - joints[-1]).max() > chase.arm.reacher.rate * KNOT:
                    return None
                joints.append(there)
        except (RunAway, NotStarted):
            return None
        return CubicSpline(times, joints, bc_type=((1, here.qd), (2, np.zeros(len(here.q)))))

    def _is_clear(self, parts: list[Any], t: float) -> bool:
        chase = self.chase
        try:
            speeds = chase.speeds(t)
            return all(chase.clear.along(part, chase.nav.placed_at, speeds) for part in parts)
        except (RunAway, NotStarted):
            return False

    def update(self, t: float) -> Done | None:
        arm = self.chase.arm
        assert isinstance(arm.motion, From)
        if self._left:
            return Done() if t >= arm.motion.end - 1e-9 else None
        if t - self._looked >= EVERY:
            self._look(t, arm.wanted_at(t))
        if not self._left and t >= self._end:
            raise Unreachable("no clear way back was found; the arm holds still")
        return None
