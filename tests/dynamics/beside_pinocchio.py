"""The same world in Pinocchio, and the ways between its state and ours.

Pinocchio's free flyer has the velocity of the origin in the body's axes where ours is in the joint
frame's, quaternions are x y z w, joints without limits are (cos, sin). A planar joint is made of two
slides and a turn, which is the same mechanics.
"""

from pathlib import Path

import numpy as np
import pinocchio as pin

from softdock.spatial import matrix_of_quaternion
from softdock.world import Body, Fixed, Free, Planar, Prismatic, Revolute, Spherical, Uniform, World


class Beside:
    """A Pinocchio model of a world, `parts` a list (kind, slice of our q, of our v, joint index of theirs)."""

    def __init__(self, world: World, model: pin.Model, parts: list[tuple[str, slice, slice, int]]) -> None:
        self.world, self.model, self.data, self.parts = world, model, model.createData(), parts
        g = world.gravity.acceleration if isinstance(world.gravity, Uniform) else (0.0, 0.0, 0.0)
        model.gravity.linear = np.array(g)

    @staticmethod
    def of(dynamics) -> "Beside":
        """Built body by body from our description; depth first, as Pinocchio's crba takes for granted."""
        model, carriers, parts = pin.Model(), {"world": (0, pin.SE3.Identity())}, []
        for body in _depth_first(dynamics.world, "world"):
            joint, at = carriers[body.parent]
            at = at * pin.SE3(body.placement.rotation, np.array(body.placement.position))
            q, v = dynamics.layout.q[body.name], dynamics.layout.v[body.name]
            for kind, width, theirs in _joints(body):
                start_q, start_v = q.start, v.start
                if kind != "free" and isinstance(body.joint, Planar):
                    done = sum(1 for part in parts if part[1].start >= q.start and part[1].stop <= q.stop)
                    start_q, start_v = q.start + done, v.start + done
                joint = model.addJoint(joint, theirs, at, f"{body.name}.{len(parts)}")
                parts.append((kind, slice(start_q, start_q + width[0]), slice(start_v, start_v + width[1]), joint))
                at = pin.SE3.Identity()
            inertia = pin.Inertia(body.mass, np.array(body.center), np.array(body.inertia))
            model.appendBodyToJoint(joint, inertia, at)
            carriers[body.name] = (joint, at)
        return Beside(dynamics.world, model, parts)

    @staticmethod
    def of_urdf(dynamics, path: Path, base: str) -> "Beside":
        """Read by Pinocchio itself; joints are matched by name."""
        root = (pin.JointModelFreeFlyer(),) if base == "free" else ()
        model, parts = pin.buildModelFromUrdf(str(path), *root), []
        for index in range(1, model.njoints):
            free = base == "free" and index == 1
            body = next(b.name for b in dynamics.world.bodies if isinstance(b.joint, Free)) if free else None
            body = body or dynamics.world.body_of(model.names[index])
            kind = "free" if free else ("circle" if model.nqs[index] == 2 else "flat")
            parts.append((kind, dynamics.layout.q[body], dynamics.layout.v[body], index))
        return Beside(dynamics.world, model, parts)

    def q(self, q: np.ndarray) -> np.ndarray:
        out = np.zeros(self.model.nq)
        for kind, mine, _, joint in self.parts:
            at, own = self.model.idx_qs[joint], q[mine]
            theirs = {
                "flat": lambda x: x,
                "circle": lambda x: [np.cos(x[0]), np.sin(x[0])],
                "ball": lambda x: [*x[1:], x[0]],
                "free": lambda x: [*x[:3], *x[4:], x[3]],
            }[kind](own)
            out[at : at + len(theirs)] = theirs
        return out

    def T(self, q: np.ndarray) -> np.ndarray:
        """Their velocities from ours: v_pin = T v."""
        out = np.zeros((self.model.nv, self.model.nv))
        for kind, mine, v, joint in self.parts:
            at = self.model.idx_vs[joint]
            block = np.eye(v.stop - v.start)
            if kind == "free":
                block[:3, :3] = matrix_of_quaternion(q[mine][3:]).T
            out[at : at + len(block), v] = block
        return out

    def drift(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Ṫ v: what their accelerations have besides T a."""
        out = np.zeros(self.model.nv)
        for kind, mine, mine_v, joint in self.parts:
            if kind == "free":
                own, at = v[mine_v], self.model.idx_vs[joint]
                out[at : at + 3] = -np.cross(own[3:], matrix_of_quaternion(q[mine][3:]).T @ own[:3])
        return out

    def mass_matrix(self, q: np.ndarray) -> np.ndarray:
        M = pin.crba(self.model, self.data, self.q(q))
        M = np.triu(M) + np.triu(M, 1).T
        T = self.T(q)
        return T.T @ M @ T

    def inverse_dynamics(self, q: np.ndarray, v: np.ndarray, a: np.ndarray) -> np.ndarray:
        T = self.T(q)
        return T.T @ pin.rnea(self.model, self.data, self.q(q), T @ v, T @ a + self.drift(q, v))

    def forward_dynamics(self, q: np.ndarray, v: np.ndarray, force: np.ndarray) -> np.ndarray:
        T = self.T(q)
        theirs = pin.aba(self.model, self.data, self.q(q), T @ v, np.linalg.solve(T.T, force))
        return np.linalg.solve(T, theirs - self.drift(q, v))

    def energies(self, q: np.ndarray, v: np.ndarray) -> tuple[float, float]:
        kinetic = pin.computeKineticEnergy(self.model, self.data, self.q(q), self.T(q) @ v)
        return kinetic, pin.computePotentialEnergy(self.model, self.data, self.q(q))

    def momentum(self, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Linear momentum, angular momentum about the centre of mass, centre of mass."""
        h = pin.computeCentroidalMomentum(self.model, self.data, self.q(q), self.T(q) @ v)
        return h.linear.copy(), h.angular.copy(), pin.centerOfMass(self.model, self.data, self.q(q)).copy()

    def frame(self, name: str, q: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """R, p and the Jacobian (angular; linear) of a frame of our world."""
        frame = self.world.frame(name)
        at, body = pin.SE3(frame.placement.rotation, np.array(frame.placement.position)), self.world.body(frame.body)
        while isinstance(body.joint, Fixed):
            at = pin.SE3(body.placement.rotation, np.array(body.placement.position)) * at
            body = self.world.body(body.parent)
        joint = max(
            index for index in range(1, self.model.njoints) if self.model.names[index].startswith(f"{body.name}.")
        )
        J = pin.computeJointJacobian(self.model, self.data, self.q(q), joint)
        pin.forwardKinematics(self.model, self.data, self.q(q))
        M = self.data.oMi[joint] * at
        J = pin.SE3(M.rotation, np.zeros(3)).action @ at.actionInverse @ J
        return M.rotation, M.translation, np.vstack([J[3:], J[:3]]) @ self.T(q)


def _depth_first(world: World, parent: str) -> list[Body]:
    return [
        body for child in world.bodies if child.parent == parent for body in (child, *_depth_first(world, child.name))
    ]


def _joints(body: Body) -> list[tuple[str, tuple[int, int], pin.JointModel]]:
    match body.joint:
        case Fixed():
            return []
        case Revolute(axis=axis):
            return [("flat", (1, 1), pin.JointModelRevoluteUnaligned(np.array(axis)))]
        case Prismatic(axis=axis):
            return [("flat", (1, 1), pin.JointModelPrismaticUnaligned(np.array(axis)))]
        case Planar():
            models = (pin.JointModelPX(), pin.JointModelPY(), pin.JointModelRZ())
            return [("flat", (1, 1), model) for model in models]
        case Spherical():
            return [("ball", (4, 3), pin.JointModelSpherical())]
    return [("free", (7, 6), pin.JointModelFreeFlyer())]


def worst_disagreement(dynamics, theirs: Beside, q: np.ndarray, v: np.ndarray, x: np.ndarray) -> dict[str, float]:
    """Relative disagreement, in the largest norm, of the three functions; x serves as acceleration and force."""
    pairs = {
        "mass matrix": (dynamics.mass_matrix(q), theirs.mass_matrix(q)),
        "inverse dynamics": (dynamics.inverse_dynamics(q, v, x), theirs.inverse_dynamics(q, v, x)),
        "forward dynamics": (dynamics.forward_dynamics(q, v, x), theirs.forward_dynamics(q, v, x)),
    }
    return {name: float(np.abs(a - b).max() / np.abs(b).max()) for name, (a, b) in pairs.items()}
