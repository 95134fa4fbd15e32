"""Motions of an arm by optimal control: the least effort of the joints on the way."""

from dataclasses import replace
from typing import Any

import numpy as np

from softdock.dynamics import Dynamics
from softdock.mission.arm import Arm
from softdock.mission.chase import Chase
from softdock.mission.flying import ReachBeside
from softdock.mission.passivating import AROUND, STEPS, told
from softdock.mission.phase import Move
from softdock.planning.flight import quintic
from softdock.planning.intercept import Intercept, Search
from softdock.planning.plan import Plan, Sample
from softdock.world import Fixed, NoGravity

SHARE = 0.98
"""Of the largest rates, what the means over a plan's steps may use: what `_through` adds is within the rest."""


class ReachOptimally(ReachBeside):
    """As `ReachBeside`, whose way to the standoff is planned by `reach`. What the handle moves meanwhile is blended in.
    If there is no such plan, it reaches as `ReachBeside` does; `planned` tells."""

    planned = ""

    def begin(self, t: float) -> None:
        super().begin(t)
        self._goal = self.servo.at(t).q.copy()
        still = np.zeros(len(self._goal))
        self._plan, self.planned = reach(self.arm, Sample(self._from, still, still), self._goal, still, self.seconds)

    def at(self, t: float) -> Sample:
        if self._plan is None:
            return super().at(t)
        s, rate, bend = quintic((t - self._begin) / self.seconds)
        rate, bend = rate / self.seconds, bend / self.seconds**2
        there, way = self.servo.at(t), self._plan.at(t - self._begin)
        moved = there.q - self._goal
        return Sample(
            way.q + s * moved, way.qd + rate * moved + s * there.qd, way.qdd + bend * moved + 2 * rate * there.qd
        )


class MoveOptimally(Move):
    """As `Move`, planned by `reach`. If there is no such plan, by the least accelerations; `told` says."""

    told = ""

    def planned(self, t: float) -> Any:
        usual, here = super().planned(t), self.arm.wanted_at(t)
        plan, self.told = reach(self.arm, here, self.to, np.zeros(len(self.to)), self.seconds)
        return plan or usual


class ChaseOptimally(Chase):
    """As `Chase`, whose way behind the handle is planned by `reach`, between the joint values and rates that its search
    found, and in its time. Without such a plan, or if that is not clear or is more than motors give, it stays as found;
    `reached` tells."""

    reached = ""

    def follow(self, t: float) -> None:
        assert self.intercept
        self.intercept = self._led(t, self.planner(t), self.intercept)
        super().follow(t)

    def replanned(self, t: float, planner: Search, old: Intercept) -> Intercept | None:
        found = super().replanned(t, planner, old)
        return found if found is None or found.align is old.align else self._led(t, planner, found)

    def _led(self, t: float, planner: Search, found: Intercept) -> Intercept:
        there, rates = found.along(found.tracks), found.along(found.tracks, 1)
        align, self.reached = reach(self.arm, found.at(found.begins), there, rates, found.tracks - found.begins)
        if align is None:
            return found
        better = replace(found, align=align)
        if planner.admits(better, t):
            return better
        self.reached = f"not kept, since not clear or not within rates and torques: {self.reached}"
        return found


def reach(arm: Arm, start: Sample, goal: np.ndarray, rates: np.ndarray, duration: float) -> tuple[Plan | None, str]:
    """The arm from a start to joint values and rates in a time (s): the least ∫ Σ u² dt of its joints, its base held,
    within torques, rates and limits, at most `AROUND` beyond where they are and shall be. And what came of it."""
    from softdock import optimal

    dynamics = held(arm)
    now = zip(arm.joints, start.q.tolist(), start.qd.tolist(), strict=True)
    q, v = dynamics.state({name: {"position": x, "velocity": rate} for name, x, rate in now})
    low = np.maximum(arm.lower, np.minimum(start.q, goal) - AROUND)
    high = np.minimum(arm.upper, np.maximum(start.q, goal) + AROUND)
    ends = [
        optimal.joints_at(dict(zip(arm.joints, goal.tolist(), strict=True))),
        optimal.rates_at(dict(zip(arm.joints, rates.tolist(), strict=True))),
    ]
    ranges = dict(zip(arm.joints, zip(low.tolist(), high.tolist(), strict=True), strict=True))
    try:
        plan = optimal.plan(
            optimal.Task(
                dynamics, q, v, duration=duration, steps=STEPS, actuators=arm.joints, end=ends,
                limits=optimal.Limits(joints=ranges, rate=dict(zip(arm.joints, SHARE * arm.rates, strict=True))),
            )
        )  # fmt: skip
    except ValueError as failure:
        return None, str(failure)
    return _through(arm.joints, plan, start.qd, rates), told(plan)


def held(arm: Arm) -> Dynamics:
    """The arm alone, on a base that is held."""
    bodies = [body if body.name in arm.joints else body.altered(joint=Fixed()) for body in arm.craft.world.bodies]
    world = arm.craft.world.altered(bodies=tuple(bodies), contacts=(), latches=(), thrusters=(), gravity=NoGravity())
    return Dynamics(arm.craft.unservoed(world))


def _through(joints: tuple[str, ...], plan: Any, first: np.ndarray, last: np.ndarray) -> Plan:
    """A plan's motion with rates that are linear between the middles of its steps, where they are its own, and so as
    bounded as those; a little is added to all, so that it ends where the plan does."""
    ends = plan.t - plan.t[0]
    t = np.concatenate([[0.0], (ends[1:] + ends[:-1]) / 2, ends[-1:]])
    step, rates = np.diff(t)[:, None], np.vstack([first, plan.motion.xi, last])
    moved = (step * (rates[1:] + rates[:-1]) / 2).sum(axis=0)
    rates[1:-1] += (plan.q[-1] - plan.q[0] - moved) / (ends[-1] - float(step[0, 0] + step[-1, 0]) / 2)
    bend, way = np.diff(rates, axis=0) / step, step * (rates[1:] + rates[:-1]) / 2
    q = np.vstack([plan.q[:1], plan.q[0] + np.cumsum(way, axis=0)])
    twice = np.repeat(np.arange(len(t)), 2)[1:-1]
    squares = float((step * bend**2).sum())
    return Plan(tuple(joints), t[twice], q[twice], rates[twice], np.repeat(bend, 2, axis=0), squares, plan.solved.kkt)
