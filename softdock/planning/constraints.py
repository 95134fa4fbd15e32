"""What a plan must also meet that is not linear in it: torques and clearances, with their derivatives."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple, Protocol

import numpy as np

from softdock.dynamics import Dynamics
from softdock.planning.clearance import Clearance, clearances
from softdock.planning.courses import JointMotion
from softdock.planning.plan import Plan
from softdock.world import Contact

STEP = 1e-6
"""Of the central differences of torques by positions and rates (rad or m, and by s)."""

SURE = 2e-6
"""To which least gaps are certified (m); clearances are tightened by more than that."""


class Slopes(NamedTuple):
    """Derivatives (m, rows, n) at m samples by positions, rates and accelerations."""

    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray


class Constraint(Protocol):
    """lower ≤ values ≤ upper, (rows) each, at every time; `unit` makes rows comparable."""

    names: list[str]
    kind: str
    lower: np.ndarray
    upper: np.ndarray
    unit: np.ndarray

    def values(self, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> np.ndarray:
        """(m, rows) at m samples of the planned coordinates, (m, n) each."""
        ...

    def slopes(self, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> Slopes: ...

    def missed(self, plan: Plan) -> list[Clearance]:
        """Where a plan that keeps the constraint at samples does not keep it in between, as far as that is known."""
        ...


class Torques:
    """Actuator forces by inverse dynamics, at most `torque` (by body or label, N m or N).

    Coordinates that are not planned are held still at q, except those of `floating`: they move freely, from a
    state of no momentum.
    """

    kind = "torque"

    def __init__(
        self,
        dynamics: Dynamics,
        joints: Iterable[str],
        q: np.ndarray,
        torque: Mapping[str, float],
        floating: Iterable[str],
    ) -> None:
        self._dynamics, self._q = dynamics, q
        self._in_q, self._in_v = dynamics.layout.flat(joints)
        self._floating = dynamics.layout.velocities(floating)
        if np.intersect1d(self._floating, self._in_v).size:
            raise ValueError("a coordinate cannot be both planned and floating")
        labels = dynamics.layout.names()[1]
        limits: dict[int, float] = {}
        for name, limit in torque.items():
            if not limit > 0:
                raise ValueError(f"the torque limit of {name!r} must be positive, not {limit}")
            limits |= dict.fromkeys(dynamics.layout.velocities([name]).tolist(), float(limit))
        self._rows = np.array(sorted(limits), dtype=np.int64)
        self.names = [labels[k] for k in self._rows]
        self.upper = np.array([limits[k] for k in self._rows.tolist()])
        self.lower, self.unit = -self.upper, self.upper

    def values(self, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> np.ndarray:
        d, f = self._dynamics, self._floating
        whole = np.tile(self._q, (len(q), 1))
        v, a = np.zeros((len(q), d.nv)), np.zeros((len(q), d.nv))
        whole[:, self._in_q], v[:, self._in_v], a[:, self._in_v] = q, qd, qdd
        if f.size:
            M = d.mass_matrix(whole)
            M_ff = M[:, f[:, None], f]
            v[:, f] = -np.linalg.solve(M_ff, (M[:, f] @ v[..., None]))[..., 0]
            a[:, f] = -np.linalg.solve(M_ff, d.inverse_dynamics(whole, v, a)[:, f, None])[..., 0]
        return d.inverse_dynamics(whole, v, a)[:, self._rows]

    def slopes(self, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> Slopes:
        parts = [np.empty((len(q), len(self._rows), q.shape[1])) for _ in range(3)]
        for i in range(q.shape[1]):
            for k, part in enumerate(parts):
                move = np.zeros((3, q.shape[1]))
                move[k, i] = STEP if k < 2 else 1.0  # affine in accelerations: any step will do
                on = self.values(q + move[0], qd + move[1], qdd + move[2])
                back = self.values(q - move[0], qd - move[1], qdd - move[2])
                part[:, :, i] = (on - back) / (2 * move[k, i])
        return Slopes(*parts)

    def missed(self, plan: Plan) -> list[Clearance]:
        return []


class Clearances:
    """Gaps between the shapes of pairs of bodies, at least so much (m). All that is not planned stays at q."""

    kind = "clearance"

    def __init__(
        self, dynamics: Dynamics, joints: Iterable[str], q: np.ndarray, clearance: Mapping[tuple[str, str], float]
    ) -> None:
        pairs = {f"{a} – {b}": Contact(name=f"{a} – {b}", body_a=a, body_b=b) for a, b in clearance}
        self._pairs = Dynamics(dynamics.world.altered(contacts=tuple(pairs.values())))
        names = self._pairs.contact_names
        count = sum(name in pairs for name in names)
        least = {f"{a} – {b}": float(margin) for (a, b), margin in clearance.items()}
        self.names = names[:count]
        self.lower = np.array([least[name] for name in self.names])
        self.upper = np.full(count, np.inf)
        self.unit = np.full(count, 0.1)
        self._dynamics, self._q, self._joints, self._asked = dynamics, q, list(joints), dict(clearance)
        self._in_q, self._in_v = dynamics.layout.flat(joints)

    def values(self, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> np.ndarray:
        return self._evaluated(q)[0]

    def missed(self, plan: Plan) -> list[Clearance]:
        course = JointMotion(self._dynamics, self._joints, self._q, plan.cubics())
        shapes = {body.name: body.shapes for body in self._dynamics.world.bodies}
        found = clearances(course, shapes, self._asked, course.times, least=self._asked, tolerance=SURE)
        return [one for one in found if one.certified < self._asked[one.bodies]]

    def slopes(self, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> Slopes:
        by_q = self._evaluated(q)[1]
        return Slopes(by_q, np.zeros_like(by_q), np.zeros_like(by_q))

    def _evaluated(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        whole = np.repeat(self._q[None], len(q), axis=0)
        whole[:, self._in_q] = q
        values, slopes = self._pairs.gap_values(whole)
        count = len(self.names)
        return values[:, :count], slopes[:, :count, self._in_v]
