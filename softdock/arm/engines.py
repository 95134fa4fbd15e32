"""The same arm in engines that share no code with softdock: Pinocchio and MuJoCo, where they are installed."""

from typing import Any

import numpy as np

from softdock.arm.inertial import Inertial
from softdock.arm.platform import Platform
from softdock.arm.serial import SerialArm
from softdock.spatial import quaternion_of_matrix


class Pinocchio:
    """Inverse dynamics by `pinocchio.rnea`; with a platform, the first joint is its spherical bearing."""

    def __init__(self, arm: SerialArm, platform: Platform | None = None) -> None:
        import pinocchio as pin

        self._pin, self.name = pin, f"Pinocchio {pin.__version__}"
        self.model, parent, mount = pin.Model(), 0, np.eye(4)
        if platform is not None:
            parent = self.model.addJoint(0, pin.JointModelSpherical(), pin.SE3.Identity(), "bearing")
            self.model.appendBodyToJoint(parent, self._inertia(platform.inertial), pin.SE3.Identity())
            mount = platform.mount
        for k in range(arm.n):
            T = mount @ arm.placements[k] if k == 0 else arm.placements[k]
            kind = pin.JointModelPrismaticUnaligned if arm.prismatic[k] else pin.JointModelRevoluteUnaligned
            parent = self.model.addJoint(parent, kind(arm.axes[k]), pin.SE3(T[:3, :3], T[:3, 3]), f"j{k}")
            self.model.appendBodyToJoint(parent, self._inertia(arm.inertials[k]), pin.SE3.Identity())
        self.model.gravity = pin.Motion(mount[:3, :3] @ arm.gravity, np.zeros(3))
        self.data = self.model.createData()

    def _inertia(self, link: Inertial) -> Any:
        return self._pin.Inertia(link.mass, link.center, link.inertia)

    def torques(self, q: np.ndarray, v: np.ndarray, a: np.ndarray) -> np.ndarray:
        return np.array([self._pin.rnea(self.model, self.data, *row) for row in zip(q, v, a, strict=True)])

    def unturned(self, q: np.ndarray) -> np.ndarray:
        """Coordinates with the bearing's quaternion, x y z w, at rest before the joints' (N, n)."""
        return np.hstack([np.tile([0.0, 0.0, 0.0, 1.0], (len(q), 1)), q])


class Mujoco:
    """Inverse dynamics by `mj_inverse`; with a platform, the first joint is its spherical bearing."""

    def __init__(self, arm: SerialArm, platform: Platform | None = None) -> None:
        import mujoco

        self._mujoco, self.name = mujoco, f"MuJoCo {mujoco.__version__}"
        self.spec = mujoco.MjSpec()
        self.spec.option.disableflags = mujoco.mjtDisableBit.mjDSBL_CONTACT | mujoco.mjtDisableBit.mjDSBL_LIMIT
        mount, body = np.eye(4), self.spec.worldbody
        if platform is not None:
            body, mount = self._body(body, "platform", np.eye(4), platform.inertial), platform.mount
            body.add_joint(name="bearing", type=mujoco.mjtJoint.mjJNT_BALL)
        self.spec.option.gravity = mount[:3, :3] @ arm.gravity
        for k, link in enumerate(arm.inertials):
            body = self._body(body, f"b{k}", mount @ arm.placements[k] if k == 0 else arm.placements[k], link)
            kind = mujoco.mjtJoint.mjJNT_SLIDE if arm.prismatic[k] else mujoco.mjtJoint.mjJNT_HINGE
            body.add_joint(name=f"j{k}", type=kind, axis=arm.axes[k])
        self.model = self.spec.compile()
        self.data = mujoco.MjData(self.model)

    @staticmethod
    def _body(parent: Any, name: str, T: np.ndarray, link: Inertial) -> Any:
        body = parent.add_body(name=name, pos=T[:3, 3], quat=quaternion_of_matrix(T[:3, :3]), explicitinertial=True)
        I = link.inertia
        body.mass, body.ipos = link.mass, link.center
        body.fullinertia = [I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]]
        return body

    def torques(self, q: np.ndarray, v: np.ndarray, a: np.ndarray) -> np.ndarray:
        out = np.empty(v.shape)
        for row, *state in zip(out, q, v, a, strict=True):
            self.data.qpos, self.data.qvel, self.data.qacc = state
            self._mujoco.mj_inverse(self.model, self.data)
            row[:] = self.data.qfrc_inverse
        return out

    def unturned(self, q: np.ndarray) -> np.ndarray:
        """Coordinates with the bearing's quaternion, w x y z, at rest before the joints' (N, n)."""
        return np.hstack([np.tile([1.0, 0.0, 0.0, 0.0], (len(q), 1)), q])


def independent(arm: SerialArm, platform: Platform | None = None) -> Pinocchio | Mujoco | None:
    """The first engine that is installed; None if neither is."""
    for engine in (Pinocchio, Mujoco):
        try:
            return engine(arm, platform)
        except ImportError:
            continue
    return None
