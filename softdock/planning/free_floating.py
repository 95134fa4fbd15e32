"""Kinematics of a serial arm on a free base that gives way."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from softdock.dynamics import Dynamics
from softdock.dynamics.frames import link_poses
from softdock.kernels.jit import njit
from softdock.world import WORLD
from softdock.world.joints import Revolute


class FreeFloatingArm:
    """Joint values to poses about the whole system's centre of mass, when something (wheels) holds the base's attitude
    and nothing moves that centre. In frame A, whose origin is the centre of mass:

        p_AG = p_G − c,    J = ∂(turn, p_AG)/∂x

    with p_G and c of a base at its own origin with attitude `q_AS` (-), w x y z, and c by the joint values: as the arm
    moves, the base gives way. The `joints` are revolute bodies in a chain, each carrying the next. Other joints stay as
    they are in `q` (m or rad), at zero if it is not given; what they carry moves with the base, or with the arm.
    """

    def __init__(
        self,
        dynamics: Dynamics,
        base: str,
        joints: Sequence[str],
        tool: str,
        q_AS: ArrayLike = (1.0, 0.0, 0.0, 0.0),
        q: ArrayLike | None = None,
    ) -> None:
        layout, places = dynamics.layout, dynamics.tree.places
        bodies = [dynamics.world.body(name) for name in joints]
        if layout.kind.get(base) != "free":
            raise ValueError(f"{base!r} is not a free body: it cannot give way")
        for body in bodies:
            if not isinstance(body.joint, Revolute):
                raise ValueError(f"{body.name!r} does not turn about an axis: its joint is {body.joint.kind}")
        neutral = layout.neutral()
        self._q = neutral.copy() if q is None else np.array(q, dtype=np.float64)
        self._q[layout.q[base]] = neutral[layout.q[base]]
        self._q[layout.q[base].stop - 4 : layout.q[base].stop] = q_AS
        self._at = np.array([layout.q[name].start for name in joints])
        self._kernel, self._theta, self._places = dynamics.kernel("poses"), dynamics.theta, places
        self._tool = places[tool].link, np.ascontiguousarray(places[tool].R_LB), np.ascontiguousarray(places[tool].p_LB)
        self._links = np.array([places[name].link for name in joints])
        self._masses, self._centers = _carried(dynamics, joints, self._q)
        self._mass, self._rest, self._count = dynamics.mass, np.zeros(3), len(dynamics.tree.links)
        _, _, given_way, *_ = self._placed(np.zeros(len(joints)))
        center = np.asarray(dynamics.balance(self._q, np.zeros(dynamics.nv)).center)
        self._rest = self._mass * (center - given_way)

    def _placed(self, x: np.ndarray) -> tuple[np.ndarray, ...]:
        self._q[self._at] = x
        found: tuple[np.ndarray, ...] = _reach(
            self._kernel, self._theta, self._q, self._count, self._links, self._masses, self._centers, self._rest,
            self._mass, *self._tool,
        )  # fmt: skip
        return found

    def forward(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """R_AG, p_AG and Jacobian (6, n), the angular velocity first, of the tool at joint values x (n)."""
        *_, R, p, J = self._placed(x)
        return R, p, J

    def points(self, x: np.ndarray, names: Iterable[str]) -> list[np.ndarray]:
        """Origins in A of bodies or frames."""
        R_WL, p_WL, center, *_ = self._placed(x)
        places = [self._places[name] for name in names]
        return [p_WL[at.link] + R_WL[at.link] @ at.p_LB - center for at in places]


def _carried(dynamics: Dynamics, joints: Sequence[str], q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mass of all that each joint carries before the next one (n), and its centre in the joint's link (n, 3)."""
    masses, moments = np.zeros(len(joints)), np.zeros((len(joints), 3))
    for body in dynamics.world.bodies:
        name = body.name
        while name != WORLD and name not in joints:
            name = dynamics.world.body(name).parent
        if name in joints and body.mass > 0.0:
            k, place = joints.index(name), dynamics.tree.places[name]
            (R, p), (R_j, p_j) = dynamics.pose(body.name, q), dynamics.pose(name, q)
            masses[k] += body.mass
            moments[k] += body.mass * (place.p_LB + place.R_LB @ R_j.T @ (p + R @ np.array(body.center) - p_j))
    return masses, moments / np.where(masses > 0.0, masses, 1.0)[:, None]


@njit(cache=True, nogil=True)
def _reach(kernel, theta, q, count, links, masses, centers, rest, mass, tool, R_LT, p_LT):
    """All links' poses, the centre of mass (`rest`: mass times position of all but the arm), and the tool's rotation,
    position about that centre, and Jacobian by the joints, which turn about their links' z."""
    R_WL, p_WL = link_poses(kernel, theta, q, count)
    n = links.size
    moments, center, R, p, J = np.empty((n, 3)), np.empty(3), np.zeros((3, 3)), np.empty(3), np.empty((6, n))
    for i in range(3):
        center[i], p[i] = rest[i], p_WL[tool, i]
        for k in range(n):
            moments[k, i] = p_WL[links[k], i]
            for j in range(3):
                moments[k, i] += R_WL[links[k], i, j] * centers[k, j]
            moments[k, i] *= masses[k]
            center[i] += moments[k, i]
        center[i] /= mass
        for j in range(3):
            p[i] += R_WL[tool, i, j] * p_LT[j]
            for k in range(3):
                R[i, j] += R_WL[tool, i, k] * R_LT[k, j]
    beyond, heavy, lever = np.zeros(3), 0.0, np.empty(3)
    for k in range(n - 1, -1, -1):  # what turns with joint k moves the centre of mass, and that the base
        link = links[k]
        heavy += masses[k]
        for i in range(3):
            beyond[i] += moments[k, i]
            at = p_WL[link, i]
            lever[i] = p[i] - at - (beyond[i] - heavy * at) / mass
            J[i, k] = R_WL[link, i, 2]
        for i in range(3):
            a, b = (i + 1) % 3, (i + 2) % 3
            J[3 + i, k] = J[a, k] * lever[b] - J[b, k] * lever[a]
    for i in range(3):
        p[i] -= center[i]
    return R_WL, p_WL, center, R, p, J
