"""The same arms in other engines, built from the arm's own numbers; and random arms."""

import mujoco
import numpy as np
import pinocchio as pin
from scipy.spatial.transform import Rotation

from softdock.arm import Inertial, Platform, SerialArm


def random_arm(rng: np.random.Generator, n: int = 0, sliding: bool = True) -> SerialArm:
    """3 to 8 joints with random axes and places; about a third of them slide."""
    n = n or int(rng.integers(3, 9))
    axes = rng.normal(size=(n, 3))
    return SerialArm(
        placements=np.array([random_frame(rng) for _ in range(n)]),
        axes=axes / np.linalg.norm(axes, axis=1)[:, None],
        prismatic=(rng.uniform(size=n) < 0.35) if sliding else np.zeros(n, dtype=bool),
        inertials=tuple(random_inertial(rng) for _ in range(n)),
        tool=random_frame(rng),
        gravity=rng.uniform(-9, 9, 3),
    )


def random_frame(rng: np.random.Generator) -> np.ndarray:
    T = np.eye(4)
    T[:3, :3] = Rotation.from_quat(rng.normal(size=4)).as_matrix()
    T[:3, 3] = rng.uniform(-0.4, 0.4, 3)
    return T


def random_inertial(rng: np.random.Generator) -> Inertial:
    """Of twelve random particles."""
    at = rng.uniform(-0.3, 0.3, (12, 3))
    at, mass = at - at.mean(axis=0), rng.uniform(0.5, 6.0)
    return Inertial(mass, rng.uniform(-0.2, 0.2, 3), mass / 12 * (np.sum(at * at) * np.eye(3) - at.T @ at))


class Pinocchio:
    """Inverse dynamics by `pin.rnea`; with a platform, the first joint is its spherical bearing."""

    def __init__(self, arm: SerialArm, platform: Platform | None = None) -> None:
        self.model, parent = pin.Model(), 0
        mount = np.eye(4)
        if platform is not None:
            parent = self.model.addJoint(0, pin.JointModelSpherical(), pin.SE3.Identity(), "bearing")
            self.model.appendBodyToJoint(parent, _inertia(platform.inertial), pin.SE3.Identity())
            mount = platform.mount
        for k in range(arm.n):
            T = mount @ arm.placements[k] if k == 0 else arm.placements[k]
            kind = pin.JointModelPrismaticUnaligned if arm.prismatic[k] else pin.JointModelRevoluteUnaligned
            parent = self.model.addJoint(parent, kind(arm.axes[k]), pin.SE3(T[:3, :3], T[:3, 3]), f"j{k}")
            self.model.appendBodyToJoint(parent, _inertia(arm.inertials[k]), pin.SE3.Identity())
        self.model.gravity = pin.Motion(mount[:3, :3] @ arm.gravity, np.zeros(3))
        self.data = self.model.createData()

    def torques(self, q: np.ndarray, v: np.ndarray, a: np.ndarray) -> np.ndarray:
        return np.array([pin.rnea(self.model, self.data, *row) for row in zip(q, v, a, strict=True)])


def _inertia(link: Inertial) -> pin.Inertia:
    return pin.Inertia(link.mass, link.center, link.inertia)


class Mujoco:
    """Inverse dynamics by `mj_inverse`."""

    def __init__(self, arm: SerialArm) -> None:
        spec = mujoco.MjSpec()
        spec.option.gravity = arm.gravity
        spec.option.disableflags = mujoco.mjtDisableBit.mjDSBL_CONTACT | mujoco.mjtDisableBit.mjDSBL_LIMIT
        body = spec.worldbody
        for k, link in enumerate(arm.inertials):
            T = arm.placements[k]
            x, y, z, w = Rotation.from_matrix(T[:3, :3]).as_quat()
            body = body.add_body(name=f"b{k}", pos=T[:3, 3], quat=[w, x, y, z], explicitinertial=True)
            I = link.inertia
            body.mass, body.ipos = link.mass, link.center
            body.fullinertia = [I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]]
            kind = mujoco.mjtJoint.mjJNT_SLIDE if arm.prismatic[k] else mujoco.mjtJoint.mjJNT_HINGE
            body.add_joint(name=f"j{k}", type=kind, axis=arm.axes[k])
        self.model = spec.compile()
        self.data = mujoco.MjData(self.model)

    def torques(self, q: np.ndarray, v: np.ndarray, a: np.ndarray) -> np.ndarray:
        out = np.empty(q.shape)
        for row, *state in zip(out, q, v, a, strict=True):
            self.data.qpos, self.data.qvel, self.data.qacc = state
            mujoco.mj_inverse(self.model, self.data)
            row[:] = self.data.qfrc_inverse
        return out
