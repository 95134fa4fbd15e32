"""Why two models of one arm give different torques: parameters exchanged one at a time."""

import dataclasses
from typing import NamedTuple

import numpy as np

from softdock.arm.inertial import Inertial
from softdock.arm.serial import SerialArm
from softdock.arm.torques import inverse_dynamics, regressor
from softdock.arm.trajectories import Samples

PARTS = ("mass", "center", "inertia")


class Cause(NamedTuple):
    """What giving one link's mass, centre or inertia of the one model to the other does to the torques."""

    link: str
    parameter: str
    joint: int
    """The joint whose torque changes most, counted from 1."""
    max_torque: float
    """By how much at most, along the motion (N m)."""
    share: float
    """Of the joint with the largest discrepancy, at its worst sample: the part of it that goes away; 1 is all (-)."""


class Discrepancy(NamedTuple):
    """The largest difference of torque between two models along a motion, and what makes it up."""

    joint: int
    """Counted from 1."""
    max_torque: float
    """(N m)."""
    time: float
    """(s)."""
    per_joint: np.ndarray
    """(n): the largest difference at each joint (N m)."""
    causes: tuple[Cause, ...]
    """By their effect on that joint at that time, largest first."""

    @property
    def cause(self) -> str:
        """The first cause in words."""
        if not self.causes:
            return "none: the models have the same inertial parameters"
        return f"{self.causes[0].parameter} of {self.causes[0].link}"


class Explanation(NamedTuple):
    """One change that alone would make a given difference of torque at a joint."""

    where: str
    """The link whose mass is changed (centre and central inertia kept), or "tool": a point mass there."""
    mass: float
    """Mass to add (kg), or to take away."""
    per_joint: np.ndarray
    """(n): the largest change of torque that it makes at each joint (N m)."""


def masses_that_explain(arm: SerialArm, along: Samples, joint: int, nm: float) -> tuple[Explanation, ...]:
    """How much mass, in one link or at the tool, changes the torque of a joint (from 1) by `nm` at most along a motion.

    Torques are linear in a mass, so this is exact. Places that do not move the joint's torque are left out.
    """
    if not 1 <= joint <= arm.n:
        raise ValueError(f"joint {joint} is not one of 1 to {arm.n}")
    Y = regressor(arm, along.q, along.v, along.a)
    none = np.zeros((3, 3))
    places = [(name, k, link.center) for k, (name, link) in enumerate(zip(arm.links, arm.inertials, strict=True))]
    out = []
    for where, k, center in [*places, ("tool", arm.n - 1, arm.tool[:3, 3])]:
        kilogram = Inertial(1.0, center, none).parameters()
        effect = np.max(np.abs(Y[..., 10 * k : 10 * k + 10] @ kilogram), axis=0)
        if effect[joint - 1] > 1e-9:
            mass = nm / float(effect[joint - 1])
            out.append(Explanation(where, mass, mass * effect))
    return tuple(sorted(out, key=lambda one: one.mass))


def discrepancy(one: SerialArm, other: SerialArm, along: Samples) -> Discrepancy:
    """How the torques of two models differ along a motion, and which links' parameters are responsible.

    Torques are not linear in mass and centre together, so shares add up to 1 only nearly; what is left over is the
    products of two changes, and differences of geometry.
    """
    if one.links != other.links:
        raise ValueError("the two models must have the same links")
    base = inverse_dynamics(one, along.q, along.v, along.a)
    gap = inverse_dynamics(other, along.q, along.v, along.a) - base
    sample, joint = np.unravel_index(int(np.argmax(np.abs(gap))), gap.shape)
    worst = float(gap[sample, joint])
    causes = []
    for k, (mine, theirs) in enumerate(zip(one.inertials, other.inertials, strict=True)):
        for part in PARTS:
            if np.array_equal(getattr(mine, part), getattr(theirs, part)):
                continue
            links = list(one.inertials)
            links[k] = dataclasses.replace(mine, **{part: getattr(theirs, part)})
            change = inverse_dynamics(one.altered(inertials=tuple(links)), along.q, along.v, along.a) - base
            most = np.max(np.abs(change), axis=0)
            at = int(np.argmax(most))
            share = float(change[sample, joint]) / worst if worst else 0.0
            causes.append(Cause(one.links[k], part, at + 1, float(most[at]), share))
    ranked = tuple(sorted(causes, key=lambda cause: -abs(cause.share)))
    per_joint = np.max(np.abs(gap), axis=0)
    return Discrepancy(int(joint) + 1, abs(worst), float(along.t[sample]), per_joint, ranked)
