"""The step's equations are the discrete Euler-Lagrange equations of L_d = h L(q_mid, ξ).

Both ends of a step are varied on R^n × SO(3)^m and L_d is differentiated by CasADi; kinematics,
energies and forces are written here a second time, with homogeneous matrices.
"""

import casadi as ca
import numpy as np
import pytest

from softdock.mechanics.functions import derive
from softdock.mechanics.layouts import ADVANCE, NEWTON, STEP_INPUT
from softdock.mechanics.tree import Tree
from softdock.world import (
    Body,
    Fixed,
    Free,
    Friction,
    Mode,
    NoGravity,
    Orbit,
    Planar,
    Pose,
    Prismatic,
    Revolute,
    Rotor,
    Servo,
    Spherical,
    Spring,
    Uniform,
    World,
)

RADIUS = np.array([5.1e6, -3.2e6, 3.9e6])
GRAVITIES = [
    NoGravity(),
    Uniform(acceleration=(1.0, -2.0, -9.0)),
    Orbit(semi_major_axis=7e6, mu=3.986e14),
    Orbit(semi_major_axis=7e6, mu=3.986e14, gradient=True),
]


def random_mass(rng: np.random.Generator, at: np.ndarray) -> dict[str, object]:
    mass = rng.uniform(1, 5)
    inertia = mass / 12 * (np.sum(at * at) * np.eye(3) - at.T @ at)
    return {"mass": mass, "center": rng.uniform(-0.2, 0.2, 3), "inertia": inertia}


def world_of(joints: list[tuple[str, object]], gravity) -> World:  # type: ignore[no-untyped-def]
    rng = np.random.default_rng(2)
    bodies = []
    for k, (parent, joint) in enumerate(joints):
        at = rng.uniform(-0.3, 0.3, (12, 3))
        at -= at.mean(axis=0)
        bodies.append(
            Body(
                name=f"b{k}",
                parent=parent,
                joint=joint,
                placement=Pose(position=rng.uniform(-0.5, 0.5, 3), quaternion=rng.normal(size=4)),
                **({"mass": 0.0} if isinstance(joint, Mode) else random_mass(rng, at)),
            )
        )
    return World(name="discrete", gravity=gravity, bodies=tuple(bodies))


FREE_ROOT = [
    ("world", Free(damping=0.3, spring=Spring(stiffness=(1.0, 2.0, 3.0, 4.0), rest=(0.1, -0.2, 0.3)))),
    ("b0", Revolute(axis=(0.3, -0.5, 0.8), servo=Servo(kp=4.0, kd=1.5))),
    ("b1", Spherical(spring=Spring(stiffness=2.0), damping=0.4, friction=Friction(force=0.3, speed=0.2))),
    ("b2", Prismatic(axis=(0.6, 0.1, -0.7), spring=Spring(stiffness=3.0, rest=0.4))),
]
FIXED_ROOT = [
    ("world", Spherical(friction=Friction(force=0.3, speed=0.2))),
    ("b0", Planar(spring=Spring(stiffness=(1.0, 2.0, 3.0)), damping=(0.1, 0.2, 0.3))),
    ("b1", Free(damping=0.2)),
    ("b2", Fixed()),
    ("b0", Revolute(axis=(0, 1, 0), friction=Friction(force=0.5, speed=0.3))),
]


FLEXIBLE = [
    ("world", Free()),
    ("b0", Revolute(axis=(0.3, -0.5, 0.8), servo=Servo(kp=4.0, kd=1.5), rotor=Rotor(inertia=2e-3, gear_ratio=40.0))),
    ("b1", Fixed()),
    ("b2", Mode(frequency=0.7, damping_ratio=0.02, linear=(0.3, -0.4, 0.2), angular=(0.1, 0.2, -0.3))),
    ("b2", Mode(frequency=1.9, linear=(0.1, 0.5, -0.2), angular=(-0.2, 0.1, 0.1))),
    ("b1", Prismatic(axis=(0.6, 0.1, -0.7), spring=Spring(stiffness=30.0, rest=0.1, play=0.3))),
    ("b0", Mode(frequency=0.4, linear=(0.0, 0.2, 0.0), angular=(0.3, 0.0, 0.1))),
]


# --- a second description of the mechanics ---------------------------------------------------------


def quaternion_product(a: ca.SX, b: ca.SX) -> ca.SX:
    return ca.vertcat(
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    )


def exp(phi: ca.SX) -> ca.SX:
    """To second order where phi is a mere variation: enough for first derivatives, and smooth at zero."""
    x = ca.sqrt(ca.sumsqr(phi) + 1e-300)
    return ca.vertcat(ca.cos(x / 2), ca.sin(x / 2) / x * phi)


def small(delta: ca.SX) -> ca.SX:
    return ca.vertcat(1 - ca.sumsqr(delta) / 8, delta / 2)


def log(q: ca.SX) -> ca.SX:
    norm = ca.norm_2(q[1:])
    return 2 * ca.atan2(norm, q[0]) / norm * q[1:]


class Joints:
    """Flat and rotational blocks (kind, q start, v start) of a layout."""

    def __init__(self, world: World, tree: Tree) -> None:
        self.blocks: list[tuple[str, int, int]] = []
        for body in world.bodies:
            q, v = tree.layout.q[body.name], tree.layout.v[body.name]
            if body.joint.kind in ("spherical", "free"):
                flat = 3 if body.joint.kind == "free" else 0
                self.blocks += [("flat", q.start + k, v.start + k) for k in range(flat)]
                self.blocks.append(("turn", q.start + flat, v.start + flat))
            else:
                self.blocks += [("flat", q.start + k, v.start + k) for k in range(v.stop - v.start)]

    def moved(self, q: ca.SX, delta: ca.SX, turn=small) -> ca.SX:  # type: ignore[no-untyped-def]
        return ca.vertcat(
            *(
                q[i] + delta[j] if kind == "flat" else quaternion_product(q[i : i + 4], turn(delta[j : j + 3]))
                for kind, i, j in self.blocks
            )
        )

    def between(self, q0: ca.SX, q1: ca.SX, of_turn=log) -> ca.SX:  # type: ignore[no-untyped-def]
        def back(q: ca.SX) -> ca.SX:
            return ca.vertcat(q[0], -q[1:])

        return ca.vertcat(
            *(
                q1[i] - q0[i] if kind == "flat" else of_turn(quaternion_product(back(q0[i : i + 4]), q1[i : i + 4]))
                for kind, i, _ in self.blocks
            )
        )


def rotation(q: ca.SX) -> ca.SX:
    v = ca.skew(q[1:])
    return ca.SX.eye(3) + 2 * q[0] * v + 2 * v @ v


def transform(R: ca.SX, p: ca.SX) -> ca.SX:
    return ca.vertcat(ca.horzcat(R, p), ca.SX([[0, 0, 0, 1]]))


def joint_transform(joint, q: ca.SX) -> ca.SX:  # type: ignore[no-untyped-def]
    zero, one = ca.SX.zeros(3), ca.SX.eye(3)

    def about(axis, angle: ca.SX) -> ca.SX:  # type: ignore[no-untyped-def]
        return rotation(ca.vertcat(ca.cos(angle / 2), ca.sin(angle / 2) * ca.DM(axis)))

    return {
        "fixed": lambda: transform(one, zero),
        "mode": lambda: transform(one, zero),
        "revolute": lambda: transform(about(joint.axis, q), zero),
        "prismatic": lambda: transform(one, ca.DM(joint.axis) * q),
        "planar": lambda: transform(about((0, 0, 1), q[2]), ca.vertcat(q[0], q[1], 0)),
        "spherical": lambda: transform(rotation(q), zero),
        "free": lambda: transform(rotation(q[3:]), q[:3]),
    }[joint.kind]()


def bodies_at(world: World, tree: Tree, q: ca.SX) -> dict[str, ca.SX]:
    at = {"world": ca.SX.eye(4)}
    for body in world.bodies:
        own = q[tree.layout.q[body.name]]
        at[body.name] = at[body.parent] @ ca.SX(body.placement.matrix()) @ joint_transform(body.joint, own)
    return at


def lagrangian(world: World, tree: Tree, joints: Joints, q: ca.SX, xi: ca.SX) -> ca.SX:
    s = ca.SX.sym("s")
    ahead = bodies_at(world, tree, joints.moved(q, s * xi))
    L = ca.SX(0)
    for body in world.bodies:
        T = ca.substitute(ahead[body.name], s, 0)
        dT = ca.substitute(ca.reshape(ca.jacobian(ca.vec(ahead[body.name]), s), 4, 4), s, 0)
        center = ca.vertcat(ca.DM(body.center), 1)
        velocity, at = (dT @ center)[:3], (T @ center)[:3]
        w = ca.inv_skew(T[:3, :3].T @ dT[:3, :3])
        L += body.mass * ca.sumsqr(velocity) / 2 + w.T @ ca.DM(np.array(body.inertia)) @ w / 2
        if body.joint.kind == "mode":
            own_q, own_v = tree.layout.q[body.name], tree.layout.v[body.name]
            L += mode_energy(body.joint, T, dT, w, q[own_q], xi[own_v])
        if getattr(body.joint, "rotor", None):
            parent = ahead[body.parent] @ ca.SX(body.placement.matrix())
            R, dR = (ca.substitute(x, s, 0)[:3, :3] for x in (parent, ca.reshape(ca.jacobian(ca.vec(parent), s), 4, 4)))
            spin = ca.dot(ca.DM(body.joint.axis), ca.inv_skew(R.T @ dR))
            rotor = body.joint.rotor
            L += rotor.inertia / 2 * (spin + rotor.gear_ratio * xi[tree.layout.v[body.name]]) ** 2
        if isinstance(world.gravity, Uniform):
            L += body.mass * ca.dot(ca.DM(world.gravity.acceleration), at + displaced(world, tree, body, T, q))
        if isinstance(world.gravity, Orbit):  # tide of gravity, up to a constant: μm(1/|r+ρ| − 1/r + r·ρ/r³)
            r, R = ca.DM(RADIUS), np.linalg.norm(RADIUS)
            there = at + displaced(world, tree, body, T, q)
            x = (2 * ca.dot(r, there) + ca.sumsqr(there)) / R**2
            series = sum(float(c) * x**k for k, c in [(2, 3 / 8), (3, -5 / 16), (4, 35 / 128)])
            L += world.gravity.mu * body.mass / R * (-ca.sumsqr(there) / (2 * R**2) + series)
            if world.gravity.gradient:  # μ/2 Σ m (3 (d·n)² − d²)/R³ of its points at d, n the direction to Earth
                moments = np.array(body.inertia)
                spread = T[:3, :3] @ ca.DM(np.trace(moments) / 2 * np.eye(3) - moments) @ T[:3, :3].T
                n = (r + at) / ca.norm_2(r + at)
                L += world.gravity.mu / 2 * (3 * ca.dot(n, spread @ n) - ca.trace(spread)) / ca.norm_2(r + at) ** 3
        if getattr(body.joint, "spring", None):
            L -= spring_energy(body, q[tree.layout.q[body.name]])
    return L


def mode_energy(mode: Mode, T: ca.SX, dT: ca.SX, w: ca.SX, eta: ca.SX, rate: ca.SX) -> ca.SX:
    """½η̇² + (b·v + a·w) η̇ + v·(w × bη) − ½ω²η², v and w of the joint frame in its axes."""
    v, b, a = T[:3, :3].T @ dT[:3, 3], ca.DM(mode.linear), ca.DM(mode.angular)
    kinetic = rate**2 / 2 + (ca.dot(b, v) + ca.dot(a, w)) * rate + ca.dot(v, ca.cross(w, b * eta))
    return kinetic - (2 * np.pi * mode.frequency) ** 2 * eta**2 / 2


def displaced(world: World, tree: Tree, body: Body, T: ca.SX, q: ca.SX) -> ca.SX:
    """By how much modes move a body's centre of mass."""
    modes = [m for m in world.bodies if m.joint.kind == "mode" and m.parent == body.name]
    moved = [
        ca.SX(m.placement.rotation) @ (ca.DM(m.joint.linear) * q[tree.layout.q[m.name]]) / body.mass for m in modes
    ]
    return T[:3, :3] @ sum(moved, ca.SX.zeros(3))


def spring_energy(body: Body, q: ca.SX) -> ca.SX:
    spring, kind = body.joint.spring, body.joint.kind
    if spring.play:
        return spring.stiffness[0] * played(q - spring.rest[0], spring.play)
    flat = {"spherical": 0, "free": 3, "planar": 3}.get(kind, 1)
    stiffness = np.broadcast_to(spring.stiffness, max(flat, 1)) if len(spring.stiffness) == 1 else spring.stiffness
    rest = np.broadcast_to(spring.rest, flat) if len(spring.rest) == 1 else spring.rest
    energy = sum((stiffness[k] * (q[k] - rest[k]) ** 2 / 2 for k in range(flat)), ca.SX(0))
    if kind in ("spherical", "free"):
        cosine = (ca.trace(rotation(q[flat:])) - 1) / 2
        energy += spring.stiffness[-1] * (1 - cosine)
    return energy


def played(x: ca.SX, play: float) -> ca.SX:
    """∫ of what is left of x beyond a play with rounded edges."""

    def whole(y: ca.SX) -> ca.SX:
        root = ca.sqrt(y**2 + (play / 100) ** 2)
        return (y * root + (play / 100) ** 2 * ca.log(y + root)) / 2

    return x**2 / 2 - (whole(x + play / 2) - whole(x - play / 2)) / 2


def forces(world: World, tree: Tree, q: ca.SX, xi: ca.SX, command: ca.SX) -> ca.SX:
    """Everything that has no potential."""
    out = command
    for body in world.bodies:
        joint, at = body.joint, tree.layout.v[body.name]
        if joint.kind == "fixed":
            continue
        v = xi[at]
        if joint.kind == "mode":
            push = -2 * joint.damping_ratio * 2 * np.pi * joint.frequency * v
            out = out + ca.vertcat(ca.SX.zeros(at.start), push, ca.SX.zeros(tree.nv - at.stop))
            continue
        push = -ca.DM(np.broadcast_to(joint.damping, joint.nv)) * v
        if joint.friction:
            push -= joint.friction.force[0] * v / ca.sqrt(v * v + joint.friction.speed**2)
        if servo := getattr(joint, "servo", None):
            push -= servo.kp * q[tree.layout.q[body.name]] + servo.kd * v
        out = out + ca.vertcat(ca.SX.zeros(at.start), push, ca.SX.zeros(tree.nv - at.stop))
    return out


class DiscreteEulerLagrange:
    """D1 L_d + f⁻ and D2 L_d + f⁺ as functions of (q, ξ, h, command), by automatic differentiation."""

    def __init__(self, world: World) -> None:
        tree = Tree(world)
        joints = Joints(world, tree)
        n = tree.nv
        q, xi, h, command = (ca.SX.sym("q", tree.nq), ca.SX.sym("xi", n), ca.SX.sym("h"), ca.SX.sym("u", n))
        ends = ca.SX.sym("ends", 2 * n)
        q0 = joints.moved(q, ends[:n])
        q1 = joints.moved(joints.moved(q, h * xi, exp), ends[n:])
        rate = joints.between(q0, q1) / h
        middle = joints.moved(q0, h / 2 * rate, exp)
        Ld = h * lagrangian(world, tree, joints, middle, rate)
        start = joints.moved(q, h / 2 * xi, exp)
        shift = joints.between(start, middle, lambda d: 2 * d[1:])  # log, to first order
        push = h * ca.jacobian(shift, ends).T @ forces(world, tree, start, xi, command)
        both = ca.substitute(ca.gradient(Ld, ends) + push, ends, ca.SX.zeros(2 * n))
        self.tree, self.joints = tree, joints
        self.ends = ca.Function("ends", [q, xi, h, command], [both[:n], both[n:]])


def evaluate(tree: Tree, q: np.ndarray, xi: np.ndarray, h: float, command: np.ndarray, p: np.ndarray):  # type: ignore[no-untyped-def]
    """(residual, q', p') of softdock's step functions."""
    theta, sizes = tree.theta(), tree.sizes
    e = STEP_INPUT.view(np.zeros(STEP_INPUT.size(sizes)), sizes)
    e.h[()], e.radius[:], e.command[:], e.momentum[:], e.factor[:] = h, RADIUS, command, p, 1.0
    e.foreseen.momentum[:], e.weights.vector[:] = p, 0.5  # all dampers and servos are resolved
    out = derive(tree, "newton")(q, xi, e.vector, theta).full().ravel()
    e.newton.vector[: out.size] = out
    ahead = ADVANCE.view(derive(tree, "advance")(q, xi, e.vector, theta).full().ravel(), sizes)
    return NEWTON.view(out, sizes).residual, ahead.q, ahead.momentum


def in_middle(joints: Joints, xi: np.ndarray, h: float, row: np.ndarray) -> np.ndarray:
    """Rows of rotations turned from the frame at the step's start into that at its middle."""
    out = row.copy()
    for kind, _, j in joints.blocks:
        if kind == "turn":
            back = ca.DM(rotation(exp(ca.SX(-h / 2 * xi[j : j + 3])))).full()
            out[j : j + 3] = back @ row[j : j + 3]
    return out


def sample(tree: Tree, seed: int, turn: float) -> tuple[np.ndarray, np.ndarray, float, np.ndarray]:
    """q, ξ, h and a command; the largest turn in the step is about `turn` rad."""
    rng = np.random.default_rng(seed)
    q = rng.uniform(-1, 1, tree.nq)
    for k in tree.layout.quaternions():
        q[k : k + 4] /= np.linalg.norm(q[k : k + 4])
    xi = rng.normal(size=tree.nv)
    return q, xi, turn / np.linalg.norm(xi), rng.normal(size=tree.nv)


@pytest.mark.parametrize("gravity", GRAVITIES, ids=lambda g: g.kind)
@pytest.mark.parametrize("root", [FREE_ROOT, FIXED_ROOT, FLEXIBLE], ids=["free-root", "fixed-root", "flexible"])
def test_a_step_solves_the_discrete_equations_and_gives_the_next_momentum(root, gravity) -> None:  # type: ignore[no-untyped-def]
    world = world_of(root, gravity)
    discrete = DiscreteEulerLagrange(world)
    for seed, turn in enumerate((0.05, 0.3, 1.0, 1.9)):
        q, xi, h, command = sample(discrete.tree, seed, turn)
        start, end = (x.full().ravel() for x in discrete.ends(q, xi, h, command))
        residual, _, p_next = evaluate(discrete.tree, q, xi, h, command, -start)
        scale = np.abs(start).max()
        np.testing.assert_allclose(residual, 0, atol=2e-13 * scale)
        np.testing.assert_allclose(p_next, end, atol=2e-13 * scale)


@pytest.mark.parametrize("gravity", GRAVITIES, ids=lambda g: g.kind)
def test_the_residual_is_the_discrete_equation_in_the_middle_frame(gravity) -> None:  # type: ignore[no-untyped-def]
    """For any momentum, not only the solution's. (A free root's rotation differs off the solution, by design.)"""
    discrete = DiscreteEulerLagrange(world_of(FIXED_ROOT, gravity))
    q, xi, h, command = sample(discrete.tree, 9, 0.7)
    p = np.random.default_rng(1).normal(size=discrete.tree.nv)
    start = discrete.ends(q, xi, h, command)[0].full().ravel()
    residual, _, _ = evaluate(discrete.tree, q, xi, h, command, p)
    np.testing.assert_allclose(residual, in_middle(discrete.joints, xi, h, p + start), atol=1e-12)


def test_the_next_configuration_is_q_plus_h_xi() -> None:
    discrete = DiscreteEulerLagrange(world_of(FREE_ROOT, NoGravity()))
    q, xi, h, command = sample(discrete.tree, 4, 1.0)
    _, ahead, _ = evaluate(discrete.tree, q, xi, h, command, np.zeros(discrete.tree.nv))
    expected = ca.DM(discrete.joints.moved(ca.SX(q), ca.SX(h * xi), exp)).full().ravel()
    np.testing.assert_allclose(ahead, expected, atol=1e-14)
