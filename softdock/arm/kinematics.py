"""Where the links and the tool of an arm are, how they move, and which joint values put the tool at a pose."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from softdock.arm.serial import SerialArm, states
from softdock.planning.inverse_kinematics import Reached, solve_pose
from softdock.spatial import adjoint, inverse, matrix_of_vector


def link_frames(arm: SerialArm, q: ArrayLike) -> np.ndarray:
    """(…, n, 4, 4): the links in the base frame."""
    (q_,) = states(arm, q=q)
    out = np.empty((*q_.shape, 4, 4))
    T = np.eye(4)
    for i in range(arm.n):
        T = T @ relative_frame(arm, i, q_[..., i])
        out[..., i, :, :] = T
    return out


def relative_frame(arm: SerialArm, i: int, x: np.ndarray) -> np.ndarray:
    """(…, 4, 4): link i in link i − 1 at joint values x (…)."""
    motion = np.zeros((*x.shape, 4, 4))
    motion[..., [0, 1, 2, 3], [0, 1, 2, 3]] = 1.0
    if arm.prismatic[i]:
        motion[..., :3, 3] = x[..., None] * arm.axes[i]
    else:
        motion[..., :3, :3] = matrix_of_vector(x[..., None] * arm.axes[i])
    return arm.placements[i] @ motion


def pose(arm: SerialArm, q: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """R (…, 3, 3) and p (…, 3) of the tool in the base frame."""
    T = link_frames(arm, q)[..., -1, :, :] @ arm.tool
    return T[..., :3, :3], T[..., :3, 3]


def space_jacobian(arm: SerialArm, q: ArrayLike) -> np.ndarray:
    """(…, 6, n): twist of the tool in the base frame: angular velocity, then velocity at the base's origin."""
    T = link_frames(arm, q)
    along = np.einsum("...nij,nj->...ni", T[..., :3, :3], arm.axes)
    turning = np.concatenate([along, np.cross(T[..., :3, 3], along)], axis=-1)
    sliding = np.concatenate([np.zeros_like(along), along], axis=-1)
    return np.swapaxes(np.where(arm.prismatic[:, None], sliding, turning), -1, -2)


def body_jacobian(arm: SerialArm, q: ArrayLike) -> np.ndarray:
    """(…, 6, n): twist of the tool in its own frame: angular velocity, then velocity of its origin."""
    T = link_frames(arm, q)[..., -1, :, :] @ arm.tool
    return adjoint(inverse(T)) @ space_jacobian(arm, q)


def jacobian(arm: SerialArm, q: ArrayLike) -> np.ndarray:
    """(…, 6, n): angular velocity of the tool, then its origin's velocity, in base axes, as `Dynamics.jacobian`."""
    J, (_, p) = space_jacobian(arm, q), pose(arm, q)
    J[..., 3:, :] += np.cross(J[..., :3, :], p[..., :, None], axis=-2)
    return J


def reach(arm: SerialArm, R: ArrayLike | None, p: ArrayLike, q0: ArrayLike | None = None, **options: Any) -> Reached:
    """Joint values within the limits that put the tool at a pose in the base frame; `solve_pose` has the options."""
    middle = np.clip(np.zeros(arm.n), arm.lower, arm.upper)
    start = middle if q0 is None else q0
    options = {"lower": arm.lower, "upper": arm.upper, **options}
    return solve_pose(lambda q: (*pose(arm, q), jacobian(arm, q)), start, R, p, **options)


class Motions(NamedTuple):
    """How the links move, in the base frame and along its axes, each (…, n, 3) but R."""

    R: np.ndarray
    """(…, n, 3, 3)."""
    angular_velocity: np.ndarray
    angular_acceleration: np.ndarray
    center: np.ndarray
    """Centre of mass."""
    velocity: np.ndarray
    """Of the centre of mass."""
    acceleration: np.ndarray


def motions(arm: SerialArm, q: ArrayLike, v: ArrayLike, a: ArrayLike) -> Motions:
    """The links' motion at joint positions, rates and accelerations (…, n), base at rest."""
    q_, v_, a_ = states(arm, q=q, v=v, a=a)
    T = link_frames(arm, q_)
    w, dw, p_, dp, ddp = (np.zeros((*q_.shape[:-1], 3)) for _ in range(5))
    rows: list[tuple[np.ndarray, ...]] = []
    for i, inertial in enumerate(arm.inertials):
        R, p = T[..., i, :3, :3], T[..., i, :3, 3]
        axis, x, dx = R @ arm.axes[i], v_[..., i, None], a_[..., i, None]
        arm_ = p - p_
        ddp = ddp + np.cross(dw, arm_) + np.cross(w, np.cross(w, arm_))
        dp = dp + np.cross(w, arm_)
        if arm.prismatic[i]:
            ddp = ddp + axis * dx + 2 * np.cross(w, axis * x)
            dp = dp + axis * x
        else:
            dw = dw + axis * dx + np.cross(w, axis * x)
            w = w + axis * x
        p_, c = p, R @ inertial.center
        rows.append((w, dw, p + c, dp + np.cross(w, c), ddp + np.cross(dw, c) + np.cross(w, np.cross(w, c))))
    return Motions(T[..., :3, :3], *(np.stack(parts, axis=-2) for parts in zip(*rows, strict=True)))
