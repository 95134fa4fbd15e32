"""Delay and contact along one axis, in softdock's own mechanics: the laws of theory.py beside a sampled loop.

A servicer slides on a rail; a tip, moved by a robot's stiff servo, is where the simulated target should be.
"""

import math
from collections import deque
from typing import Any, NamedTuple

import numpy as np

from softdock.dynamics import Dynamics, Motion
from softdock.facility.theory import reduced
from softdock.world import Body, Box, Compliance, Contact, Pose, Prismatic, Servo, Spring, World

TIP = 3.0
"""Mass of what the robot moves (kg)."""
RAIL: dict[str, Any] = {"axis": (1.0, 0.0, 0.0)}
ROUND: dict[str, Any] = {"inertia": (1.0, 1.0, 1.0)}


def _servo(rate: float) -> Servo:
    """Critically damped, at a rate (rad/s)."""
    return Servo(kp=TIP * rate * rate, kd=2 * TIP * rate)


class _Loop:
    """The simulated target: m_t ẍ = f, sent `delay` late to the servo of the tip, by `lead` ahead."""

    def __init__(
        self, servo: Servo, mass: float, period: float, delay: float, lead: float = 0.0, x: float = 0.0
    ) -> None:
        self.mass, self.period, self.lead, self.x, self.v = mass, period, lead, x, 0.0
        self._kp, self._kd = servo.kp, servo.kd
        self._under_way = deque([(x, 0.0, 0.0)] * round(delay / period))

    def advance(self, force: float) -> float:
        """The simulated target over a period under a force; its acceleration."""
        T, a = self.period, force / self.mass
        self.x, self.v = self.x + T * self.v + 0.5 * T * T * a, self.v + T * a
        return a

    def command(self, x: float, v: float, a: float) -> float:
        """Send where the target is, with its rates; what the servo is given of what arrives. It aims at the middle of
        the period that it is held for, so that holding it adds no delay."""
        L, T = self.lead, self.period
        self._under_way.append((x + L * v + 0.5 * L * L * a, v + L * a, a))
        x, v, a = self._under_way.popleft()
        return self._kp * (x + 0.5 * T * v) + self._kd * (v + 0.5 * T * a) + TIP * a


def growth(
    delay: float, *, mass: float, stiffness: float, viscosity: float, servicer: float = math.inf, period: float = 1e-3,
    seconds: float = 4.0,
) -> float:  # fmt: skip
    """Rate (1/s) at which an oscillation of the delayed loop grows, the contact never letting go: the least-squares
    recurrence y(t + 2τ) = a y(t + τ) − e^(2στ) y(t)."""
    servo = _servo(1e4)
    give = Prismatic(**RAIL, spring=Spring(stiffness=(stiffness,)), damping=(viscosity,))
    tip = Body(name="tip", joint=Prismatic(**RAIL, servo=servo), mass=TIP, **ROUND)
    if math.isinf(servicer):
        world = World(bodies=(tip.altered(joint=give.altered(servo=servo)),))
    else:
        own = Body(name="servicer", parent="tip", joint=give, mass=servicer, **ROUND)
        world = World(bodies=(tip, own))
    dynamics = Dynamics(world)
    q, v = dynamics.state(
        {"tip": {"position": 0.01}, **({} if math.isinf(servicer) else {"servicer": {"position": -0.01}})}
    )
    loop = _Loop(servo, mass, period, delay, x=0.01)
    motion, sign, depth = Motion(dynamics, q, v, h=period), -1.0 if math.isinf(servicer) else 1.0, []
    u = np.zeros(dynamics.nv)
    for _ in range(round(seconds / period)):
        x, w = float(motion.q[-1]), float(motion.v[-1])
        depth.append(x)
        force = sign * (stiffness * x + viscosity * w)
        u[0] = loop.command(loop.x, loop.v, force / mass)
        loop.advance(force)
        motion.run(1, u)
    y = np.array(depth)[len(depth) // 4 :]
    lag = max(1, round(0.25 * 2 * math.pi / math.sqrt(stiffness / reduced(mass, servicer)) / period))
    first, middle, last = y[: -2 * lag], y[lag:-lag], y[2 * lag :]
    (_, b), *_ = np.linalg.lstsq(np.column_stack([middle, first]), last, rcond=None)
    return 0.5 * math.log(max(-b, 1e-300)) / (lag * period)


def crossing(
    *, mass: float, stiffness: float, viscosity: float, servicer: float = math.inf, period: float = 1e-3, near: float
) -> float:
    """The delay (s) at which the simulated loop neither grows nor decays, looked for around `near` (s); with a sampled
    force that is held for a period T it is T/2 below the law's."""
    given = {"mass": mass, "stiffness": stiffness, "viscosity": viscosity, "servicer": servicer, "period": period}
    low = max(0, math.floor(near / period) - 1)
    rates = [growth(n * period, **given) for n in (low, low + 2)]
    return period * (low - 2 * rates[0] / (rates[1] - rates[0]))


class Impact(NamedTuple):
    """What a touch did."""

    restitution: float
    """Speed apart over speed of approach (-)."""
    peak: float
    """Largest force, averaged over a period (N)."""
    impulse: float
    """(N s)."""
    momentum_error: float
    """Momentum made, relative to what there was (-)."""


def impact(
    delay: float | None, *, mass: float, servicer: float, stiffness: float, damping: float = 0.0,
    viscosity: float = 0.0, speed: float = 0.03, period: float = 1e-3, lead: float = 0.0, servo_rate: float = 628.0,
) -> Impact:  # fmt: skip
    """A servicer meets the emulated target at a `speed` (m/s), with a sensor that averages over its `period` (s). A
    delay of None is orbit: a free target of that mass."""
    box, servo = Box(size=(0.1, 0.1, 0.1)), _servo(servo_rate)
    soft = Compliance(stiffness=stiffness, exponent=1.0, damping=damping, viscosity=viscosity)
    free = delay is None
    tip = Body(
        name="tip", joint=Prismatic(**RAIL, servo=None if free else servo), mass=mass if free else TIP, **ROUND,
        shapes=(box,), placement=Pose(position=(0.101, 0, 0)),
    )  # fmt: skip
    own = Body(name="servicer", joint=Prismatic(**RAIL), mass=servicer, **ROUND, shapes=(box,))
    world = World(
        bodies=(own, tip), contacts=(Contact(name="touch", body_a="tip", body_b="servicer", compliance=soft),)
    )
    dynamics = Dynamics(world)
    q, v = dynamics.state({"servicer": {"velocity": speed}})
    motion, loop = Motion(dynamics, q, v, h=period / 2), _Loop(servo, mass, period, delay or 0.0, lead)
    u, forces, before, quiet = np.zeros(2), [0.0], 0.0, 0
    for _ in range(round(3.0 / period)):
        motion.run(2, u)
        pushed = float(motion.contact_impulses[0, 0])
        forces.append((pushed - before) / period)
        before = pushed
        if not free:
            a = loop.advance(forces[-1])
            u[1] = loop.command(loop.x, loop.v, a)
        quiet = quiet + 1 if before > 0 and forces[-1] == 0.0 else 0
        if quiet * period > 0.1:
            break
    after, own_after = (float(motion.v[1]) if free else loop.v), float(motion.v[0])
    made = (servicer * own_after + mass * after) / (servicer * speed) - 1
    return Impact((after - own_after) / speed, max(forces), before, made)
