"""Force and torque sensors: what a joint carries, averaged over the sensor's period.

With momentum P and angular momentum L, about the world's origin, of all bodies that the joint carries, the wrench that
it hands to them is on average over a period T

    F = (ΔP − ∫ gravity − ∫ contacts) / T,     N = (ΔL − ∫ moments of both) / T

which counts every impulse of the step, however short: forces sampled at instants under a stiff servo are wrong by tens
of per cent in momentum.
"""

from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike

from softdock.dynamics import Dynamics
from softdock.sensing.delay import DelayLine
from softdock.spatial import cross, quaternion_of_matrix
from softdock.world import WORLD, Free, Pose


class State(Protocol):
    """What sensors measure (`mission.Truth`)."""

    @property
    def t(self) -> float: ...
    @property
    def q(self) -> np.ndarray: ...
    @property
    def v(self) -> np.ndarray: ...
    @property
    def impulses(self) -> np.ndarray | None: ...


class WrenchReading(NamedTuple):
    """What a sensor says."""

    t: float
    """End of the period that it is of (s)."""
    force: np.ndarray
    """That the joint hands to what it carries, in the sensor's axes (N)."""
    torque: np.ndarray
    """About the sensor's origin (N m)."""


class CarriedBodies:
    """The bodies that hang from one body's joint, and with it: their momentum and weight. Latches and located contacts
    between them and others are not counted, so they may have none."""

    def __init__(self, dynamics: Dynamics, body: str) -> None:
        world, own = dynamics.world, [body]
        root = world.body(body)
        if root.joint.kind == "free" and root.parent == WORLD:
            raise ValueError(f"the joint of {body!r} is free: it carries nothing that a sensor could measure")
        for other in world.bodies:  # parents come first
            if other.parent in own:
                own.append(other.name)
        self._sides = _sides(dynamics, own)
        loose = root.altered(parent=WORLD, joint=Free(), placement=Pose())
        bodies = [loose if name == body else world.body(name) for name in own]
        self._whole, self.body = dynamics, body
        self.dynamics = Dynamics(world.altered(bodies=tuple(bodies), frames=(), latches=(), contacts=()))
        names = [name for name in own[1:] if dynamics.layout.q[name].stop > dynamics.layout.q[name].start]
        self._theirs, self._own = _places(dynamics.layout, names), _places(self.dynamics.layout, names)
        self._rest = np.zeros(self.dynamics.nv)

    def at(self, t: float, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, ...]:
        """Momentum and angular momentum (6) and weight with its moment (6), about the world's origin; R, p and twist
        (angular velocity, velocity) of the body."""
        R, p = self._whole.pose(self.body, q)
        twist = self._whole.jacobian(self.body, q) @ v
        own_q, own_v = np.empty(self.dynamics.nq), np.empty(self.dynamics.nv)
        own_q[:3], own_q[3:7] = p, quaternion_of_matrix(R)
        own_v[:3], own_v[3:6] = twist[3:], R.T @ twist[:3]
        own_q[self._own[0]], own_v[self._own[1]] = q[self._theirs[0]], v[self._theirs[1]]
        held = self.dynamics.inverse_dynamics(own_q, self._rest, self._rest, t)[:6]
        # M(q) v of the free joint: momentum, and angular momentum about the body's origin along its axes
        momentum = self.dynamics.inverse_dynamics(own_q, self._rest, own_v, t)[:6] - held
        about = np.stack([momentum, held])
        moments = about[:, 3:] @ R.T + cross(p[None], about[:, :3])
        both = np.concatenate([about[:, :3], moments], axis=1)
        return both[0], -both[1], R, p, twist

    def pushed(self, impulses: np.ndarray | None) -> np.ndarray:
        """What contacts with other bodies have done to these (6), of the motion's `contact_impulses`."""
        if impulses is None or not self._sides.any():
            return np.zeros(6)
        return np.asarray(self._sides @ impulses)


def _places(layout: object, names: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """Indices of joints' coordinates and velocities."""
    spans = [[getattr(layout, kind)[name] for name in names] for kind in ("q", "v")]
    joined = [[np.arange(span.start, span.stop) for span in some] for some in spans]
    q, v = (np.concatenate(some) if some else np.zeros(0, dtype=np.int64) for some in joined)
    return q, v


def _sides(dynamics: Dynamics, own: list[str]) -> np.ndarray:
    """Of every contact: +1 if its body a is carried, −1 if its body b is, 0 if both or none are."""
    world = dynamics.world
    inside = set(own)
    for latch in world.latches:
        if (world.body_of(latch.frame_a) in inside) != (world.body_of(latch.frame_b) in inside):
            raise ValueError(f"a wrench sensor at {own[0]!r} does not see latch {latch.name!r}; hold by contacts")
    signs = {one.name: float((one.body_a in inside) - (one.body_b in inside)) for one in world.contacts}
    for contact in world.contacts:
        if signs[contact.name] and contact.compliance is None:
            raise ValueError(
                f"a wrench sensor at {own[0]!r} does not see contact {contact.name!r}, which is located; "
                "give it a compliance"
            )
    return np.array([signs.get(name, 0.0) for name in dynamics.contact_names])


class WrenchSensor:
    """A force and torque sensor in the joint of `body`, with the origin and axes of `frame` (the body's own if none is
    given), which must be fixed to the body.

    A reading of every `period` (s) is the average over it with white `noise` (N, N m) of that standard deviation, then
    filtered (first order, time constant `filter` (s)), with a `bias` (N, N m), six numbers, and handed over
    `latency` (s) later, or more by an exponentially distributed `jitter` (s). `tare` takes the mean reading as zero.
    """

    def __init__(
        self,
        dynamics: Dynamics,
        body: str,
        *,
        frame: str | None = None,
        period: float,
        filter: float = 0.0,
        noise: tuple[float, float] = (0.0, 0.0),
        bias: ArrayLike = (0.0,) * 6,
        latency: float = 0.0,
        jitter: float = 0.0,
        seed: int | np.random.SeedSequence = 0,
    ) -> None:
        if frame is not None and dynamics.world.body_of(frame) != body:
            raise ValueError(f"frame {frame!r} is not on {body!r}, in whose joint the sensor is")
        if not (period > 0 and filter >= 0 and min(noise) >= 0):
            raise ValueError("a sensor's period must be positive, its filter and noise at least 0")
        self.period, self.body = period, body
        self._carried = CarriedBodies(dynamics, body)
        placement = dynamics.world.frame(frame or body).placement
        self._R_BS, self._p_BS = placement.rotation, np.array(placement.position)
        self._gain = 1.0 - np.exp(-period / filter) if filter else 1.0
        self._noise = np.repeat(noise, 3)
        self.bias = np.array(bias, dtype=np.float64)
        self._rng = np.random.default_rng(seed)
        self._line = DelayLine(latency, jitter, int(self._rng.integers(2**32)))
        self._before: tuple[float, tuple[np.ndarray, ...], np.ndarray] | None = None
        self._filtered: np.ndarray | None = None
        self._sum, self._count = np.zeros(6), 0

    def true_mean(self, state: State) -> np.ndarray | None:
        """Force and torque (6) as they were on average since it was last called; None at the first call."""
        now, pushed = self._carried.at(state.t, state.q, state.v), self._carried.pushed(state.impulses)
        before, self._before = self._before, (state.t, now, pushed)
        if before is None or state.t <= before[0]:
            return None
        span = state.t - before[0]
        mean = (now[0] - before[1][0] - (pushed - before[2])) / span - 0.5 * (now[1] + before[1][1])
        return 0.5 * (self._seen(mean, *before[1][2:4]) + self._seen(mean, *now[2:4]))

    @property
    def body_motion(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """R, p and twist (angular velocity, then velocity) of its body when it last measured, in world axes."""
        assert self._before
        R, p, twist = self._before[1][2:]
        return R, p, twist

    def _seen(self, wrench: np.ndarray, R_WB: np.ndarray, p_WB: np.ndarray) -> np.ndarray:
        """A wrench about the world's origin, about the sensor's and along its axes."""
        R_WS, p_WS = R_WB @ self._R_BS, p_WB + R_WB @ self._p_BS
        return np.concatenate([wrench[:3] @ R_WS, (wrench[3:] - cross(p_WS, wrench[:3])) @ R_WS])

    def measure(self, state: State) -> WrenchReading | None:
        """The newest reading that has arrived; None if there is no new one."""
        if (mean := self.true_mean(state)) is not None:
            if self._filtered is None:
                self._filtered = mean
            noisy = mean + self._noise * self._rng.standard_normal(6) if self._noise.any() else mean
            self._filtered = self._filtered + self._gain * (noisy - self._filtered)
            self._sum, self._count = self._sum + self._filtered + self.bias, self._count + 1
            self._line.send(state.t, self._filtered + self.bias)
        message = self._line.newest(state.t)
        return None if message is None else WrenchReading(message.sent, message.value[:3], message.value[3:])

    def tare(self) -> None:
        """From now on the mean of what was measured since the start, or the last tare, is zero."""
        if self._count:
            self.bias = self.bias - self._sum / self._count
            self._sum, self._count = np.zeros(6), 0
