"""Generalised forces of joints: springs, dampers, dry friction and actuators."""

from dataclasses import dataclass

import casadi as ca

from softdock.mechanics.numbers import LinkNumbers
from softdock.mechanics.tree import Link


@dataclass(frozen=True)
class JointForces:
    """Forces on one joint's velocities, by what makes them."""

    actuator: ca.SX
    spring: ca.SX
    damping: ca.SX
    friction: ca.SX

    def total(self) -> ca.SX:
        return self.actuator + self.spring + self.damping + self.friction


def joint_forces(link: Link, n: LinkNumbers, q: ca.SX, rate: ca.SX, command: ca.SX) -> JointForces:
    """Forces at coordinates q and velocities rate; `command` is the actuators' feed-forward."""
    own = rate[link.v : link.v + link.dof]
    actuator = command[link.v : link.v + link.dof]
    if link.kind == "S":
        quaternion = q[link.q : link.q + 4]
        spring = -n.stiffness[0] * 2 * quaternion[0] * quaternion[1:]
    else:
        at = q[link.q : link.q + link.dof]
        stretch = at - n.rest[: link.dof]
        spring = -n.stiffness[: link.dof] * (engaged(n, stretch) if link.play else stretch)
        actuator = actuator - n.kp * at - n.kd * own
    friction = -n.friction[: link.dof] * own / ca.sqrt(own * own + n.friction_speed**2)
    return JointForces(actuator, spring, -n.damping[: link.dof] * own, friction)


def weights(link: Link, given: ca.SX) -> ca.SX:
    """A link's share of one of layouts.WEIGHTS: ½ where nothing damps."""
    return ca.vertcat(*(given[link.v + k] if settles else 0.5 for k, settles in enumerate(link.settles)))


def gross_force(link: Link, n: LinkNumbers, q: ca.SX, rate: ca.SX, command: ca.SX) -> ca.SX:
    """Sum of the sizes of a joint's forces, which may balance each other at rest."""
    speed = ca.fabs(rate[link.v : link.v + link.dof])
    size = ca.fabs(command[link.v : link.v + link.dof]) + n.friction[: link.dof] + n.damping[: link.dof] * speed
    if link.kind == "S":
        return size + n.stiffness[0]
    at = ca.fabs(q[link.q : link.q + link.dof])
    springs = n.stiffness[: link.dof] * (at + ca.fabs(n.rest[: link.dof]))
    return size + springs + n.kp * at + n.kd * speed


def spring_energy(link: Link, n: LinkNumbers, q: ca.SX) -> ca.SX:
    """Potential energy of a joint's spring (J)."""
    if link.kind == "S":
        vector = q[link.q + 1 : link.q + 4]
        return n.stiffness[0] * 2 * ca.dot(vector, vector)
    stretch = q[link.q : link.q + link.dof] - n.rest[: link.dof]
    if link.play:
        return n.stiffness[0] * _engaged_energy(n, stretch)
    return ca.dot(n.stiffness[: link.dof], stretch * stretch) / 2


ROUNDED = 0.01
"""Share of a play over which its edges are rounded."""


def engaged(n: LinkNumbers, x: ca.SX) -> ca.SX:
    """What is left of a stretch x beyond the play: x − ½(√((x + b)² + e²) − √((x − b)² + e²)), b half the play."""
    above, below, e = x + n.play / 2, x - n.play / 2, ROUNDED * n.play
    return x - (ca.sqrt(above**2 + e**2) - ca.sqrt(below**2 + e**2)) / 2


def play_slope(n: LinkNumbers, x: ca.SX) -> ca.SX:
    """Slope of `engaged`, at least ½: with it the iteration converges whichever side of an edge a step ends on."""
    above, below, e = x + n.play / 2, x - n.play / 2, ROUNDED * n.play
    slope = 1 - (above / ca.sqrt(above**2 + e**2) - below / ca.sqrt(below**2 + e**2)) / 2
    return ca.fmax(slope, 0.5)


def _engaged_energy(n: LinkNumbers, x: ca.SX) -> ca.SX:
    """∫ engaged dx from 0."""
    b, e = n.play / 2, ROUNDED * n.play

    def whole(y: ca.SX) -> ca.SX:
        return (y * ca.sqrt(y**2 + e**2) + e**2 * ca.asinh(y / e)) / 2

    return x**2 / 2 - (whole(x + b) - whole(x - b)) / 2 + whole(b)
