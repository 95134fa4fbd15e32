"""Phases that bring a gripper onto something that tumbles: found, aligned with, followed, also blind."""

from typing import Any

from softdock.mission.chase import AGAIN, Chase
from softdock.mission.phase import Done, Phase, Unreachable, Unsure

ENOUGH = 10
"""Measurements before an intercept is looked for."""
SOONER = 10.0
"""Seconds after which an intercept is looked for again where there was none."""


class Grasping(Phase):
    """A phase of a `chase`; `other` (-) is what every `Phase` takes."""

    def __init__(self, chase: Chase, **other: Any) -> None:
        super().__init__(**other)
        self.chase = chase


class Seek(Grasping):
    """Until an intercept is found, its time has come, and the forecast is good enough; the arm follows it from then on.
    It waits as long as there is time for a grasp, and says what for; then, or with the camera blocked until it is too
    late, `Unsure` or `Unreachable`. Its result is the intercept."""

    kind = "seek"

    def begin(self, t: float) -> None:
        self.chase.intercept = None

    def update(self, t: float) -> Done | None:
        chase, blind = self.chase, self.chase.is_last_look(t)
        patience = chase.every if chase.intercept else SOONER
        due = t - chase.searched >= patience or (blind and chase.intercept is None)
        if chase.nav.accepted >= ENOUGH and due and (chase.nav.is_fresh or blind):
            chase.search(t)
        if blind and (why := chase.doubt()):
            raise Unsure(why)
        if not chase.intercept or t < chase.intercept.begins - 1e-9:
            self._wait(t)
            return None
        if why := chase.doubt_to_begin(t):
            self.waits_for = f"a surer forecast: {why}"
            chase.intercept, chase.searched = None, t - SOONER + AGAIN
            return None
        chase.follow(t)
        return Done(chase.intercept)

    def _wait(self, t: float) -> None:
        """Say what for; a failure if there is no more time."""
        chase = self.chase
        if chase.intercept:
            self.waits_for = f"the grasp that closes at {chase.intercept.closes:.1f} s"
        elif chase.nav.accepted < ENOUGH:
            self.waits_for = f"{ENOUGH} poses of the target"
        elif chase.obstacle:
            self.waits_for = f"another view: {chase.obstacle}"
        if t > chase.last_start:
            if chase.nav.accepted < ENOUGH:
                raise Unsure(f"no time is left for a grasp: {chase.nav.accepted} poses were measured")
            raise Unreachable(f"no time is left for a grasp: it waited for {self.waits_for or 'a plan'}")


class Align(Grasping):
    """Until the gripper is behind the handle, and moves with it."""

    kind = "align"

    def update(self, t: float) -> Done | None:
        self.chase.improve(t)
        assert self.chase.intercept
        if self.chase.knows_all(t):
            self.chase.refuse_doubt()
        return Done() if t >= self.chase.intercept.tracks - 1e-9 else None


class Track(Grasping):
    """Along with the handle while it will be seen, or until the gripper is to close."""

    kind = "track"

    def update(self, t: float) -> Done | None:
        chase = self.chase
        chase.improve(t)
        assert chase.intercept
        if not (t >= chase.intercept.closes - 1e-9 or chase.knows_all(t)):
            return None
        chase.refuse_doubt()
        return Done()


class Blind(Grasping):
    """Along with the handle by its forecast, until the gripper is to close."""

    kind = "blind"

    def update(self, t: float) -> Done | None:
        assert self.chase.intercept
        if t < self.chase.intercept.closes - 1e-9:
            return None
        self.chase.refuse_doubt()
        return Done()
