"""What to follow: the world's state as a function of time, and how far a state is from it."""

from collections.abc import Iterable
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike

from softdock.dynamics import Dynamics
from softdock.spatial import matrix_of_quaternion, quaternion_product, turn_between, vector_of_quaternion
from softdock.world.joints import FREEDOM


class Wanted(NamedTuple):
    """A state to be in, q (nq) and v (nv), and its acceleration a (nv), laid out as the world's."""

    q: np.ndarray
    v: np.ndarray
    a: np.ndarray


class Reference(Protocol):
    """The state wanted at time t (s)."""

    def __call__(self, t: float) -> Wanted: ...


class Planned(Protocol):
    """A motion of some coordinates: position, rate and acceleration at time t."""

    def at(self, t: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]: ...


class Hold:
    """Stay at a configuration `q` (m or rad), at rest."""

    def __init__(self, dynamics: Dynamics, q: ArrayLike) -> None:
        still = np.zeros(dynamics.nv)
        self._wanted = Wanted(_configuration(dynamics, q), still, still)

    def __call__(self, t: float) -> Wanted:
        return self._wanted


class Follow:
    """Joints along a plan (anything with `at(t)`, such as planning's `Plan`); the rest held at `q` (m or rad)."""

    def __init__(self, dynamics: Dynamics, plan: Planned, joints: Iterable[str], q: ArrayLike) -> None:
        self._plan = plan
        self._q = _configuration(dynamics, q)
        self._in_q, self._in_v = dynamics.layout.flat(joints)
        self._still = np.zeros(dynamics.nv)
        if np.shape(plan.at(0.0)[0]) != self._in_q.shape:
            raise ValueError(f"the plan has {np.size(plan.at(0.0)[0])} coordinates, not {len(self._in_q)}")

    def __call__(self, t: float) -> Wanted:
        position, rate, acceleration = self._plan.at(t)
        q, v, a = self._q.copy(), self._still.copy(), self._still.copy()
        q[self._in_q], v[self._in_v], a[self._in_v] = position, rate, acceleration
        return Wanted(q, v, a)


def _configuration(dynamics: Dynamics, q: ArrayLike) -> np.ndarray:
    row = np.array(q, dtype=np.float64)
    if row.shape != (dynamics.nq,) or not np.all(np.isfinite(row)):
        raise ValueError(f"q must be {dynamics.nq} finite numbers, not of shape {row.shape}")
    return row


class Chart:
    """Differences and short moves of configurations, in the coordinates of v."""

    def __init__(self, dynamics: Dynamics) -> None:
        layout = dynamics.layout
        labels = layout.names()[1]
        self._turns = [
            (layout.q[body].stop - 4, layout.v[body].stop - 3)
            for body, kind in layout.kind.items()
            if FREEDOM[kind].rotates
        ]
        spatial = {v + k for _, v in self._turns for k in range(3)}
        self._in_q, self._in_v = layout.flat([label for k, label in enumerate(labels) if k not in spatial])

    def errors(self, wanted: Wanted, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Wanted less actual position and velocity, (nv) each; turns as rotation vectors in the body's own axes."""
        e, rate = np.zeros(len(v)), wanted.v - v
        e[self._in_v] = wanted.q[self._in_q] - q[self._in_q]
        for i, k in self._turns:
            off = turn_between(q[i : i + 4], wanted.q[i : i + 4])
            e[k : k + 3] = vector_of_quaternion(off)
            if wanted.v[k : k + 3].any():
                rate[k : k + 3] = matrix_of_quaternion(off) @ wanted.v[k : k + 3] - v[k : k + 3]
        return e, rate

    def moved(self, q: np.ndarray, v: np.ndarray, time: float) -> np.ndarray:
        """q after a short time at velocity v: exact for coordinates, to third order for turns."""
        out = q.copy()
        out[self._in_q] += time * v[self._in_v]
        for i, k in self._turns:
            turned = q[i : i + 4] + time / 2 * quaternion_product(q[i : i + 4], (0.0, *v[k : k + 3].tolist()))
            out[i : i + 4] = turned / np.sqrt(turned @ turned)
        return out
