"""What a contact did: impulse, peak force, restitution and rates after it, of any of the three worlds."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from time import process_time
from typing import Any

import numpy as np

from softdock.dynamics import Dynamics, Motion
from softdock.facility.laboratory import BRAKE, MOCKUP, Laboratory
from softdock.spatial import cross

QUIET = 0.03
"""A touch has ended when nothing was felt for so long (s)."""


@dataclass(frozen=True)
class Touch:
    """The first touch of a run, or a grasp from its first touch to the run's end."""

    start: float
    end: float
    impulse: float
    """On the target (N s); of a grasp, whose pushes cancel, that of the forces' sizes."""
    peak_force: float
    """Largest force, averaged over a period (N)."""
    restitution: float | None
    """Of the speed of tip and pad where they touch, along the pad's normal (-); of a grasp there is none."""
    velocity: np.ndarray
    """Of the target's centre afterwards (m/s)."""
    rates: np.ndarray
    """Of the target afterwards, world axes (rad/s)."""
    has_ended: bool
    """Or did the run end first?"""
    swings: tuple[float, float]
    """Size of the change of velocity and rates (m/s, rad/s); of a grasp, the largest on the way."""
    held: bool = False
    """Does the servicer hold the target at the end?"""

    def told(self) -> dict[str, Any]:
        """As metrics."""
        held = {} if self.restitution is not None else {"held": self.held}
        return {
            **held,
            "impulse": self.impulse,
            "peak_force": self.peak_force,
            "restitution": self.restitution,
            "rates_after": {"velocity": self.velocity.tolist(), "angular": self.rates.tolist()},
            "duration": self.end - self.start,
        }

    def sped_up(self, n: float) -> "Touch":
        """As it is in orbit, of a laboratory whose time is stretched by n: forces are as they are."""
        return replace(
            self, start=self.start / n, end=self.end / n, impulse=self.impulse / n, velocity=n * self.velocity,
            rates=n * self.rates, swings=(n * self.swings[0], n * self.swings[1]),
        )  # fmt: skip

    def error(self, true: "Touch") -> dict[str, float]:
        """Relative to another one; of velocity and rates, relative to their change there."""

        def off(a: np.ndarray, b: np.ndarray, change: float) -> float:
            return float(np.linalg.norm(a - b)) / max(change, 1e-12)

        return {
            "impulse": self.impulse / true.impulse - 1,
            "peak_force": self.peak_force / true.peak_force - 1,
            "velocity": off(self.velocity, true.velocity, true.swings[0]),
            "rates": off(self.rates, true.rates, true.swings[1]),
        }


@dataclass
class Record:
    """What is kept of every period of a world: its state, the impulse on the target (6, about the world's origin), and
    the target's pose and twist."""

    dynamics: Dynamics
    laboratory: Laboratory
    t: list[float] = field(default_factory=list)
    state: list[tuple[np.ndarray, np.ndarray]] = field(default_factory=list)
    impulse: list[np.ndarray] = field(default_factory=list)
    pose: list[tuple[np.ndarray, np.ndarray]] = field(default_factory=list)
    """R and p."""
    twist: list[np.ndarray] = field(default_factory=list)

    def add(
        self,
        t: float,
        state: tuple[np.ndarray, np.ndarray],
        impulse: np.ndarray,
        pose: tuple[np.ndarray, np.ndarray],
        twist: np.ndarray,
    ) -> None:
        self.t.append(t)
        self.state.append(state)
        self.impulse.append(impulse)
        self.pose.append(pose)
        self.twist.append(twist)

    def forces(self) -> np.ndarray:
        """On the target, averaged over every period; zero at first (n, 3)."""
        impulses = np.array(self.impulse)[:, :3]
        steps = np.diff(np.array(self.t))[:, None]
        return np.vstack([np.zeros(3), np.diff(impulses, axis=0) / steps])

    def touch(self) -> Touch | None:
        """The first one that has ended, or goes on at the end; a grasp goes on until the end. None if there is none."""
        force = np.linalg.norm(self.forces(), axis=1)
        felt = np.flatnonzero(force > 0)
        if not len(felt):
            return None
        t = np.array(self.t)
        if self.laboratory.released is not None:
            return self._grasp(t, force, int(felt[0]))
        gaps = np.flatnonzero(np.diff(t[felt]) > QUIET)
        first, last = int(felt[0]), int(felt[gaps[0]] if len(gaps) else felt[-1])
        after = min(last + 1, len(t) - 1)
        impulse = float(np.linalg.norm(self.impulse[last][:3] - self.impulse[first - 1][:3]))
        before, later = (self._closing(k) for k in (max(first - 1, 0), after))
        return Touch(
            start=float(t[first - 1]),
            end=float(t[last]),
            impulse=impulse,
            peak_force=float(force[first : last + 1].max()),
            restitution=float(-later / before) if before else 0.0,
            velocity=self.twist[after][3:],
            rates=self.twist[after][:3],
            has_ended=bool(t[-1] - t[last] > QUIET or len(gaps)),
            swings=self._swings(first - 1, [after]),
        )

    def _grasp(self, t: np.ndarray, force: np.ndarray, first: int) -> Touch:
        return Touch(
            start=float(t[first - 1]),
            end=float(t[-1]),
            impulse=float(np.sum(force[1:] * np.diff(t))),
            peak_force=float(force[first:].max()),
            restitution=None,
            velocity=self.twist[-1][3:],
            rates=self.twist[-1][:3],
            has_ended=True,
            swings=self._swings(first - 1, range(first, len(t))),
            held=self.laboratory.holds(self.dynamics, *self.state[-1]),
        )

    def _swings(self, before: int, after: Iterable[int]) -> tuple[float, float]:
        """Largest change of velocity and rates, from a row to some others."""
        change = np.array([self.twist[k] - self.twist[before] for k in after])
        rates, velocity = (float(np.linalg.norm(part, axis=1).max()) for part in (change[:, :3], change[:, 3:]))
        return velocity, rates

    def _closing(self, k: int) -> float:
        """Speed of the target where the tip is, against the tip, along the pad's normal."""
        (q, v), (R, p), twist = self.state[k], self.pose[k], self.twist[k]
        own = self.laboratory.tip
        tip, moving = self.dynamics.pose(own, q)[1], (self.dynamics.jacobian(own, q) @ v)[3:]
        return float(R[:, 0] @ (twist[3:] + cross(twist[:3], tip - p) - moving))


def free_run(laboratory: Laboratory, mount: str, duration: float, period: float, h: float) -> tuple[Record, float]:
    """A free target and the servicer on a mount: what is emulated (on the laboratory's mount), or orbit; and the
    processor time of the loop (s)."""
    dynamics = Dynamics(laboratory.free_world(mount))
    q, v = laboratory.free_state(dynamics)
    motion, record = Motion(dynamics, q, v, h=h), Record(dynamics, laboratory)
    commands = np.atleast_2d(laboratory.commands(dynamics, q, duration, h))
    motion.warm()
    began = process_time()
    every, own = round(period / h), dynamics.layout.v[MOCKUP]
    free = None if laboratory.released is None else round(laboratory.released / period)
    for k in range(round(duration / period) + 1):
        if k:
            motion.run(every, commands[(k - 1) * every : k * every] if len(commands) > 1 else commands)
        if k == free and BRAKE in motion.engaged:
            motion.release(BRAKE)
        q, v = motion.q, motion.v
        R, p = dynamics.pose(MOCKUP, q)
        # a free joint's velocity is along its placement's axes, its angular velocity along the body's
        twist = np.concatenate([R @ v[own][3:], laboratory.attitude @ v[own][:3]])
        record.add(motion.t, (q, v), laboratory.on_target(motion.contact_impulses), (R, p), twist)
    return record, process_time() - began
