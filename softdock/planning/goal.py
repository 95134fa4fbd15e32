"""A goal given as the pose of a frame: the joint values that put it there."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike

from softdock.dynamics import Dynamics
from softdock.planning.inverse_kinematics import Reached, solve_pose
from softdock.world.joints import Moving


def reach(
    dynamics: Dynamics,
    frame: str,
    p_goal: ArrayLike,
    R_goal: ArrayLike | None = None,
    *,
    joints: Iterable[str],
    q: ArrayLike,
    restarts: int = 100,
) -> Reached:
    """Values of `joints` (in the order given) with `frame` at p_goal (3) and R_goal (3, 3) in the world frame.

    `q` (nq) is where the search starts and where every other coordinate stays. The joints' limits, where the
    world gives them, are kept. R_goal None leaves the orientation free. `Unreachable` carries the nearest found.
    """
    names = list(joints)
    in_q, in_v = dynamics.layout.flat(names)
    low, high = joint_limits(dynamics, names)
    whole = np.array(q, dtype=np.float64)
    if whole.shape != (dynamics.nq,):
        raise ValueError(f"q must have shape ({dynamics.nq},), not {whole.shape}")

    def forward(x: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        whole[in_q] = x
        R, p = dynamics.pose(frame, whole)
        return R, p, dynamics.jacobian(frame, whole)[:, in_v]

    return solve_pose(forward, whole[in_q], R_goal, p_goal, lower=low, upper=high, restarts=restarts)


def joint_limits(dynamics: Dynamics, joints: Iterable[str]) -> tuple[np.ndarray, np.ndarray]:
    """Lowest and highest value of each named coordinate as the world's joints declare them; ±∞ where they do not."""
    low, high = np.full(dynamics.nv, -np.inf), np.full(dynamics.nv, np.inf)
    for body in dynamics.world.bodies:
        if isinstance(body.joint, Moving) and body.joint.limits is not None:
            at = dynamics.layout.v[body.name]
            limited = slice(at.start, at.start + len(body.joint.freedom.flat))
            low[limited], high[limited] = body.joint.limits.lower, body.joint.limits.upper
    v = dynamics.layout.flat(joints)[1]
    return low[v], high[v]
