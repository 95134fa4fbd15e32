"""Loads of joints and latches at given states: Newton's and Euler's laws, body by body (docs/theory/loads.md).

The force F and torque N that a joint hands to the body that it carries, at the body's origin o (world axes):

    F = m c̈ − G − ΣX + Σ F',    N = (c − o) × (m c̈ − G) + I α + ω × I ω − T − Σ (x − o) × X + Σ N' + (o' − o) × F'

with gravity G and T, other forces X at points x (contacts, latches), and what the joints that it carries hand on (').
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from softdock.dynamics.contacts import Contacts
from softdock.dynamics.latch_loads import Hold, Push, Wrench, latch_wrenches, multipliers_of
from softdock.spatial import cross, matrix_of_quaternion, matrix_of_vector, seen
from softdock.world import WORLD, Body, Mode, Orbit, Revolute, Uniform

if TYPE_CHECKING:
    from softdock.dynamics.model import Dynamics


class Loads(NamedTuple):
    """What joints and latches carry, at one state or many."""

    joints: dict[str, Wrench]
    """By body: what its parent does to it through its joint, at the origin and in the axes of the body's frame. Along a
    free direction it is what drive, spring, damper and friction do. Free joints carry nothing, and are left out."""
    latches: dict[str, Wrench]
    """By latch: what the body of `frame_a` does to that of `frame_b`, at the origin and in the axes of `frame_b`."""
    contacts: Contacts
    """Closed compliant contacts, and located ones that rest."""

    def at(self, row: int) -> "Loads":
        """Those of one of many states."""
        joints, latches = (
            {name: Wrench(load.force[row], load.torque[row]) for name, load in loads.items()}
            for loads in (self.joints, self.latches)
        )
        return Loads(joints, latches, Contacts(*(x[self.contacts.row == row] for x in self.contacts)))


class _Moving(NamedTuple):
    """A body's frame in the world: pose, angular velocity and acceleration, acceleration of the origin."""

    R: np.ndarray
    p: np.ndarray
    w: np.ndarray
    alpha: np.ndarray
    a: np.ndarray


def all_contacts(
    dynamics: "Dynamics",
    q: np.ndarray,
    v: np.ndarray,
    eased: np.ndarray | None,
    pressed: np.ndarray,
    locked: np.ndarray,
) -> Contacts:
    """At states (n, nq), (n, nv): compliant contacts, by the parts that they have of their law (`state.EASED`), and
    located ones at rest (`state.FOUND`, n or no rows × contacts), but for those that are `locked` (n, contacts)."""
    soft = dynamics.contacts(q, v, eased)
    parts = [Contacts(*(x[~locked[soft.row, soft.contact]] for x in soft))]
    if pressed.size:
        rows, which = np.nonzero(pressed["normal_force"][:, : len(dynamics.plant.contacts.pairs)] > 0.0)
        found = pressed[rows, which]
        found["row"], found["contact"] = rows, which
        parts.append(Contacts.of(found))
    return Contacts(*map(np.concatenate, zip(*parts, strict=True)))


def loads_of(
    dynamics: "Dynamics",
    q: np.ndarray,
    v: np.ndarray,
    command: np.ndarray,
    t: np.ndarray,
    contacts: Contacts,
    pressed: np.ndarray,
    rubbed: np.ndarray,
    hold: Hold,
) -> Loads:
    """At states (n, nq), (n, nv) and times (n) under commands (n, nv), with contacts, stops at rest (`pressed`), static
    friction (n, joints) and engaged latches."""
    plant, force, pushes = dynamics.plant, command.copy(), list[Push]()
    pairs = len(plant.contacts.pairs)
    if rubbed.size:
        force[:, plant.dry["v"]] += rubbed
    if pressed.size:
        for k, stop in enumerate(plant.contacts.stops, start=pairs):
            force[:, stop["v"]] += plant.contacts.laws["side"][k] * pressed["normal_force"][:, k]
    bodies = {contact.name: (contact.body_a, contact.body_b) for contact in dynamics.world.touching.pairs}
    for k in np.unique(contacts.contact):
        own = contacts.contact == k
        row, point = contacts.row[own], contacts.point[own]
        for body, sign in zip(bodies[dynamics.contact_names[k]], (1.0, -1.0), strict=True):
            pushes.append(Push(body, row, point, sign * contacts.force[own], sign * contacts.moment[own]))
    return _loads(dynamics, q, v, force, t, contacts, pushes, hold)


def _loads(
    dynamics: "Dynamics",
    q: np.ndarray,
    v: np.ndarray,
    force: np.ndarray,
    t: np.ndarray,
    contacts: Contacts,
    pushes: list[Push],
    hold: Hold,
) -> Loads:
    force = force + sum((_along(dynamics, q, push) for push in pushes), np.zeros_like(force))
    rows, multipliers = multipliers_of(dynamics, q, v, force, t, hold)
    a = dynamics.forward_dynamics(q, v, force + np.einsum("nij,ni->nj", rows, multipliers), t)
    moving = _moving(dynamics, q, v, a)
    latches, pulls = latch_wrenches(dynamics, q, multipliers, hold)
    passed = _passed(dynamics, moving, t, [*pushes, *pulls], _inner(dynamics, moving, q, v, a))
    joints = {
        body.name: Wrench(*(seen(moving[body.name].R, x) for x in passed[body.name]))
        for body in dynamics.world.bodies
        if body.joint.kind not in ("free", "mode")
    }
    return Loads(joints, latches, contacts)


def _along(dynamics: "Dynamics", q: np.ndarray, push: Push) -> np.ndarray:
    """The generalised force of a push (n, nv)."""
    out = np.zeros((len(q), dynamics.nv))
    if push.body != WORLD and len(push.row):
        at = q[push.row]
        J, arm = dynamics.jacobian(push.body, at), push.point - dynamics.pose(push.body, at)[1]
        wrench = np.concatenate([push.torque + cross(arm, push.force), push.force], axis=-1)
        np.add.at(out, push.row, np.einsum("nij,ni->nj", J, wrench))
    return out


def _moving(dynamics: "Dynamics", q: np.ndarray, v: np.ndarray, a: np.ndarray) -> dict[str, _Moving]:
    """All bodies, parents first."""
    n, layout = len(q), dynamics.layout
    zero, one = np.zeros((n, 3)), np.broadcast_to(np.eye(3), (n, 3, 3))
    found = {WORLD: _Moving(one, zero, zero, zero, zero)}
    for body in dynamics.world.bodies:
        own_q, own_v = layout.q[body.name], layout.v[body.name]
        P = found[body.parent]
        R_JB, (p, u, du), (w, dw) = _relative_motion(body, q[:, own_q], v[:, own_v], a[:, own_v])
        R_WJ = P.R @ body.placement.rotation
        arm = np.einsum("nij,j->ni", P.R, body.placement.position) + np.einsum("nij,nj->ni", R_WJ, p)
        u, du, w, dw = (np.einsum("nij,nj->ni", R_WJ, x) for x in (u, du, w, dw))
        found[body.name] = _Moving(
            R_WJ @ R_JB,
            P.p + arm,
            P.w + w,
            P.alpha + cross(P.w, w) + dw,
            P.a + cross(P.alpha, arm) + cross(P.w, cross(P.w, arm)) + 2 * cross(P.w, u) + du,
        )
    return found


def _relative_motion(
    body: Body, q: np.ndarray, v: np.ndarray, a: np.ndarray
) -> tuple[np.ndarray, tuple[np.ndarray, ...], tuple[np.ndarray, ...]]:
    """Of a body in its joint's frame: rotation; position of its origin, with two rates; angular velocity, with one."""
    n, kind = len(q), body.joint.kind
    R, zero = np.broadcast_to(np.eye(3), (n, 3, 3)), np.zeros((n, 3))
    slide, turn = (zero, zero, zero), (zero, zero)
    if kind == "revolute":
        axis = np.array(body.joint.axis)  # type: ignore[union-attr]
        R, turn = matrix_of_vector(q * axis), (v * axis, a * axis)
    elif kind == "prismatic":
        axis = np.array(body.joint.axis)  # type: ignore[union-attr]
        slide = (q * axis, v * axis, a * axis)
    elif kind == "planar":
        z = np.array([0.0, 0.0, 1.0])
        slide = tuple(np.column_stack([x[:, :2], np.zeros(n)]) for x in (q, v, a))  # type: ignore[assignment]
        R, turn = matrix_of_vector(q[:, 2:] * z), (v[:, 2:] * z, a[:, 2:] * z)
    elif kind in ("spherical", "free"):
        R = matrix_of_quaternion(q[:, -4:])
        turn = tuple(np.einsum("nij,nj->ni", R, x[:, -3:]) for x in (v, a))
        if kind == "free":
            slide = (q[:, :3], v[:, :3], a[:, :3])
    return R, slide, turn


def _passed(
    dynamics: "Dynamics", moving: Mapping[str, _Moving], t: np.ndarray, pushes: list[Push], inner: "_Needs"
) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Force and torque that every joint hands to its body, at the body's origin, in world axes."""
    bodies = dynamics.world.bodies
    net = {body.name: _needed(dynamics, body, moving[body.name], t) for body in bodies}
    for name, force, torque in inner:
        F, N = net[name]
        net[name] = F + force, N + torque
    for push in pushes:
        if push.body != WORLD:
            F, N = net[push.body]
            np.subtract.at(F, push.row, push.force)
            np.subtract.at(N, push.row, push.torque + cross(push.point - moving[push.body].p[push.row], push.force))
    for body in reversed(bodies):
        if body.parent != WORLD:
            (F, N), (dF, dN) = net[body.parent], net[body.name]
            net[body.parent] = F + dF, N + dN + cross(moving[body.name].p - moving[body.parent].p, dF)
    return net


def _needed(dynamics: "Dynamics", body: Body, at: _Moving, t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What moves a body as it moves, less gravity: force, and torque about its origin."""
    arm = np.einsum("nij,j->ni", at.R, body.center)
    inertia = at.R @ np.array(body.inertia) @ at.R.transpose(0, 2, 1)
    acceleration = at.a + cross(at.alpha, arm) + cross(at.w, cross(at.w, arm))
    pull, twist = _gravity(dynamics, body, at.p + arm, inertia, t)
    F = body.mass * acceleration - pull
    spin = np.einsum("nij,nj->ni", inertia, at.w)
    N = np.einsum("nij,nj->ni", inertia, at.alpha) + cross(at.w, spin) - twist
    return F, N + cross(arm, F)


_Needs = list[tuple[str, np.ndarray, np.ndarray]]
"""Name of a body, force and torque about its origin, in world axes, that it needs."""


def _inner(dynamics: "Dynamics", moving: Mapping[str, _Moving], q: np.ndarray, v: np.ndarray, a: np.ndarray) -> _Needs:
    """What moves modes, and geared rotors on their parents, beyond their bodies' own inertia. (Of gravity on a mode's
    displacement, what is uniform.)"""
    gravity, found = dynamics.world.gravity, list[tuple[str, np.ndarray, np.ndarray]]()
    for body in dynamics.world.bodies:
        own_q, own_v, joint = dynamics.layout.q[body.name], dynamics.layout.v[body.name], body.joint
        if isinstance(joint, Mode):
            at = moving[body.name]
            b, turned = (np.einsum("nij,j->ni", at.R, x) for x in (joint.linear, joint.angular))
            moved, rate, shaken = b * q[:, own_q], v[:, own_v], a[:, own_v]
            felt = at.a - (gravity.acceleration if isinstance(gravity, Uniform) else 0.0)
            F = b * shaken + 2 * cross(at.w, b * rate) + cross(at.alpha, moved) + cross(at.w, cross(at.w, moved))
            found.append((body.name, F, turned * shaken + cross(at.w, turned * rate) + cross(moved, felt)))
        elif isinstance(joint, Revolute) and joint.rotor and body.parent != WORLD:
            at = moving[body.parent]
            axis = np.einsum("nij,j->ni", at.R, body.placement.rotation @ np.array(joint.axis))
            along = (np.sum(axis * x, axis=1, keepdims=True) for x in (at.w, at.alpha))
            spin, gain = (
                joint.rotor.inertia * (x + joint.rotor.gear_ratio * y[:, own_v])
                for x, y in zip(along, (v, a), strict=True)
            )
            found.append((body.parent, np.zeros_like(axis), axis * gain + cross(at.w, axis * spin)))
    return found


def _gravity(
    dynamics: "Dynamics", body: Body, center: np.ndarray, inertia: np.ndarray, t: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """On a body with its centre of mass there: force, and torque about that (mechanics/gravity.py, in NumPy)."""
    gravity, zero = dynamics.world.gravity, np.zeros_like(center)
    if isinstance(gravity, Uniform):
        return body.mass * np.broadcast_to(np.array(gravity.acceleration), center.shape), zero
    if not isinstance(gravity, Orbit):
        return zero, zero
    r = np.broadcast_to(dynamics._radius(t), center.shape)
    per_r2 = 1 / np.sum(r * r, axis=1, keepdims=True)
    s = np.sum((2 * r + center) * center, axis=1, keepdims=True) * per_r2
    u = np.sqrt(1 + s)
    weight = gravity.mu * per_r2**1.5 / (u**3 * (1 + u))
    force = body.mass * weight * (s * (u * u + u + 1) * r - (1 + u) * center)
    if not gravity.gradient:
        return force, zero
    far = r + center
    per_far2 = 1 / np.sum(far * far, axis=1, keepdims=True)
    k, turned = 1.5 * gravity.mu * per_far2**2.5, np.einsum("nij,nj->ni", inertia, far)
    trace = np.trace(inertia, axis1=1, axis2=2)[:, None]
    along = np.sum(far * turned, axis=1, keepdims=True) * per_far2
    return force - k * ((trace - 5 * along) * far + 2 * turned), 2 * k * cross(far, turned)
