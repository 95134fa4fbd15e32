"""The kinematics of the chaser's arm in 'capture', on a base that gives way."""

import numpy as np
from numba import njit

from softdock.dynamics import Dynamics
from softdock.dynamics.frames import link_poses
from softdock.scenarios.capture.craft import ELBOW, GRIPPER, JOINTS, NV, Q_AS, WRIST

ARM_Q, ARM_V = slice(7, 14), slice(6, 13)
"""The arm in the chaser's q and v."""


class Stance:
    """The arm's kinematics in A, when wheels hold the base's attitude and nothing moves the centre of mass.

    p_AG = p_G − c with the base's attitude R_AS, c the centre of mass by the joint values: the base gives way.
    """

    def __init__(self, dynamics: Dynamics) -> None:
        self._q = dynamics.layout.neutral()
        self._q[3:7] = Q_AS
        self._kernel, self._theta = dynamics.kernel("poses"), dynamics.theta
        places = dynamics.tree.places
        tool, self._elbow, self._wrist = (places[name] for name in (GRIPPER, ELBOW, WRIST))
        self._tool = tool.link, np.ascontiguousarray(tool.R_LB), np.ascontiguousarray(tool.p_LB)
        own, bodies = [places[name] for name in JOINTS], [dynamics.world.body(name) for name in JOINTS]
        self._links = np.array([place.link for place in own])
        self._masses = np.array([body.mass for body in bodies])
        self._centers = np.array(
            [place.p_LB + place.R_LB @ body.center for place, body in zip(own, bodies, strict=True)]
        )
        self._mass, self._rest, self._count = dynamics.mass, np.zeros(3), len(dynamics.tree.links)
        _, _, given_way, *_ = self._placed(np.zeros(7))
        center = np.asarray(dynamics.balance(self._q, np.zeros(NV)).center)
        self._rest = self._mass * (center - given_way)

    def _placed(self, x: np.ndarray) -> tuple[np.ndarray, ...]:
        self._q[ARM_Q] = x
        found: tuple[np.ndarray, ...] = _reach(
            self._kernel, self._theta, self._q, self._count, self._links, self._masses, self._centers, self._rest,
            self._mass, *self._tool,
        )  # fmt: skip
        return found

    def forward(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """R_AG, p_AG and Jacobian (6, 7) of the gripper."""
        *_, R, p, J = self._placed(x)
        return R, p, J

    def points(self, x: np.ndarray) -> np.ndarray:
        """Elbow, middle of the forearm, wrist (3, 3) in A."""
        R_WL, p_WL, center, *_ = self._placed(x)
        elbow, wrist = (
            p_WL[place.link] + R_WL[place.link] @ place.p_LB - center for place in (self._elbow, self._wrist)
        )
        return np.array([elbow, (elbow + wrist) / 2, wrist])


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
