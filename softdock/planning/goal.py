"""A goal given as the pose of a frame: the joint values that put it there."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike

from softdock.dynamics import Dynamics
from softdock.dynamics.frames import frame_jacobian, frame_pose
from softdock.dynamics.gaps import chain_of
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
    restarts: int = 40,
) -> Reached:
    """Values of `joints` (in the order given) with `frame` at p_goal (3) and R_goal (3, 3) in the world frame.

    `q` (nq) is where the search starts and where every other coordinate stays. The joints' limits, where the
    world gives them, are kept; angles are by whole turns as near to those in q as limits allow. R_goal None leaves
    the orientation free. `Unreachable` carries the nearest found.
    """
    names = list(joints)
    in_q, in_v = dynamics.layout.flat(names)
    low, high = joint_limits(dynamics, names)
    whole = np.array(q, dtype=np.float64)
    if whole.shape != (dynamics.nq,):
        raise ValueError(f"q must have shape ({dynamics.nq},), not {whole.shape}")

    dynamics.pose(frame, whole)  # an unknown frame, or a q that is not one, is refused here
    place, kernel, chain = dynamics.tree.places[frame], dynamics.kernel("poses"), chain_of(dynamics.tree)

    def forward(x: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        whole[in_q] = x
        R, p, J = np.empty((3, 3)), np.empty(3), np.empty((6, dynamics.nv))
        R_WL, p_WL = frame_pose(kernel, dynamics.theta, whole, len(chain), place.link, place.R_LB, place.p_LB, R, p)
        frame_jacobian(R_WL, p_WL, chain, place.link, p, J)
        return R, p, J[:, in_v]

    start = whole[in_q].copy()
    found = solve_pose(forward, start, R_goal, p_goal, lower=low, upper=high, restarts=restarts)
    turning = {link.v for link in dynamics.tree.links if link.kind == "R"}
    turns = np.array([int(v) in turning for v in in_v], dtype=bool)
    return found._replace(q=np.where(turns, _nearest_turn(found.q, start, low, high), found.q))


def _nearest_turn(q: np.ndarray, start: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """The same angles by whole turns as near to `start` as the limits allow."""
    turn = 2 * np.pi
    return np.asarray(
        q + turn * np.clip(np.round((start - q) / turn), np.ceil((low - q) / turn), np.floor((high - q) / turn))
    )


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
