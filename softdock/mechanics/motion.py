"""Continuous-time mechanics: momentum, inverse dynamics, energy and where the bodies are."""

import casadi as ca

from softdock.mechanics import rotation
from softdock.mechanics.forces import joint_forces, spring_energy
from softdock.mechanics.gravity import Gravity, moment_about_origin
from softdock.mechanics.layouts import ENERGY, PUSH, WEIGHT
from softdock.mechanics.numbers import LinkNumbers, Numbers
from softdock.mechanics.recursion import (
    ZERO,
    Pair,
    along_joint,
    along_mode,
    gather,
    joint_momentum,
    joint_motion,
    momenta_of,
    momentum,
    place,
    screwed,
    velocities,
)
from softdock.mechanics.tree import WORLD_LINK, Tree


def momenta(tree: Tree, numbers: Numbers, q: ca.SX, v: ca.SX) -> ca.SX:
    """p = ∂L/∂v = M v."""
    numbers = numbers.deformed(tree, q)
    placed = place(tree.links, numbers, q)
    motions, carried = velocities(tree.links, placed, v)
    total, _ = gather(tree.links, placed, momenta_of(tree.links, numbers, motions, v))
    return ca.vertcat(
        *(joint_momentum(link, numbers.links[i], carried[i], total[i], v) for i, link in enumerate(tree.links))
    )


def inverse_dynamics(tree: Tree, numbers: Numbers, q: ca.SX, v: ca.SX, a: ca.SX, r: ca.SX) -> ca.SX:
    """Generalised force that gives accelerations a (recursive Newton-Euler).

    With the classical accelerations of the links' origins: no velocity of an origin enters, so a
    world that drifts fast loses no digits. Gravity, springs, dampers and friction are overcome;
    actuators' own gains are not counted.
    """
    numbers = numbers.deformed(tree, q)
    placed = place(tree.links, numbers, q)
    motions, _ = velocities(tree.links, placed, v)
    gravity = Gravity(tree, numbers, placed, r)
    uniform = tree.world.gravity.kind == "uniform"
    accelerations: list[Pair] = []
    wrenches: list[Pair] = []
    for i, (link, at) in enumerate(zip(tree.links, placed, strict=True)):
        root = (ZERO, -numbers.g if uniform else ZERO)
        alpha, linear = accelerations[link.parent] if link.parent != WORLD_LINK else root
        turning = motions[link.parent][0] if link.parent != WORLD_LINK else ZERO
        n, w, (sw, su), push = numbers.links[i], motions[i][0], joint_motion(link, v), joint_motion(link, a)
        around = ca.cross(alpha, at.p) + ca.cross(turning, ca.cross(turning, at.p))
        alpha, linear = (
            at.down(alpha) + push[0] + ca.cross(w, sw),
            at.down(linear + around) + push[1] + 2 * ca.cross(w, su),
        )
        accelerations.append((alpha, linear))
        rate = momentum(n, (alpha, linear))
        if link.kind == "M":
            rate = _shaken(rate, n, w, v[link.v], a[link.v])
        weight = (ZERO, ZERO) if uniform else gravity.wrench(i)
        wrenches.append(
            (
                rate[0] + ca.cross(w, n.I @ w) - weight[0],
                rate[1] + ca.cross(w, ca.cross(w, n.mc)) - weight[1],
            )
        )
    total, _ = gather(tree.links, placed, wrenches)
    rows = []
    for i, link in enumerate(tree.links):
        n, forces = numbers.links[i], joint_forces(link, numbers.links[i], q, v, ca.SX.zeros(tree.nv))
        needed = along_joint(link, total[i])
        if link.kind == "M":
            needed = along_mode(n, accelerations[i]) - (0 if uniform else gravity.on_mode(i))
        if link.armature:
            needed = needed + n.armature * a[link.v]
        rows.append(needed - forces.spring - forces.damping - forces.friction)
    return ca.vertcat(*rows)


def _shaken(rate: Pair, n: LinkNumbers, w: ca.SX, velocity: ca.SX, acceleration: ca.SX) -> Pair:
    """The rate of momentum of a mode that vibrates on a link that turns with w."""
    angular, linear = screwed(n, acceleration)
    turning, moving = screwed(n, velocity)
    return rate[0] + angular + ca.cross(w, turning), rate[1] + linear + 2 * ca.cross(w, moving)


def actuators(tree: Tree, numbers: Numbers, q: ca.SX, v: ca.SX, command: ca.SX) -> ca.SX:
    """Generalised force of the actuators: feed-forward and servo gains."""
    return ca.vertcat(
        *(joint_forces(link, n, q, v, command).actuator for link, n in zip(tree.links, numbers.links, strict=True))
    )


def energy(tree: Tree, numbers: Numbers, q: ca.SX, v: ca.SX, r: ca.SX) -> ca.SX:
    """Kinetic energy, potential of gravity and of springs (J); momentum, angular momentum and first
    mass moment, the last two about the world's origin (kg m/s, kg m²/s, kg m)."""
    numbers = numbers.deformed(tree, q)
    placed = place(tree.links, numbers, q)
    motions, _ = velocities(tree.links, placed, v)
    gravity = Gravity(tree, numbers, placed, r)
    kinetic = stored = springs = ca.SX(0)
    carried = momenta_of(tree.links, numbers, motions, v)
    moments: list[Pair] = []
    for i, (link, n) in enumerate(zip(tree.links, numbers.links, strict=True)):
        h = carried[i]
        kinetic += (ca.dot(h[0], motions[i][0]) + ca.dot(h[1], motions[i][1])) / 2
        if link.kind == "M":
            kinetic += along_mode(n, motions[i]) * v[link.v] / 2
        if link.armature:
            kinetic += n.armature * v[link.v] ** 2 / 2
        stored += gravity.potential(i)
        springs += spring_energy(link, n, q)
        moments.append((ZERO, moment_about_origin(n, gravity.sight[i][0])))
    _, (angular, linear) = gather(tree.links, placed, carried)
    _, (_, moment) = gather(tree.links, placed, moments)
    return ENERGY.stack(
        {},
        kinetic=kinetic,
        gravity=stored,
        spring=springs,
        momentum=linear,
        angular_momentum=angular,
        first_moment=moment,
    )


def weight(tree: Tree, numbers: Numbers, q: ca.SX, r: ca.SX) -> ca.SX:
    """Force of gravity on the whole world, and its moment about the centre of mass."""
    numbers = numbers.deformed(tree, q)
    placed = place(tree.links, numbers, q)
    gravity = Gravity(tree, numbers, placed, r)
    _, (angular, linear) = gather(tree.links, placed, [gravity.wrench(i) for i in range(len(tree.links))])
    moments = [(ZERO, moment_about_origin(n, gravity.sight[i][0])) for i, n in enumerate(numbers.links)]
    _, (_, moment) = gather(tree.links, placed, moments)
    center = (1 / sum(n.m for n in numbers.links)) * moment
    return WEIGHT.stack({}, force=linear, moment=angular - ca.cross(center, linear))


def push(tree: Tree, numbers: Numbers, q: ca.SX, command: ca.SX) -> ca.SX:
    """Force of what free roots are commanded on the whole world, and its moment about the centre of mass."""
    numbers = numbers.deformed(tree, q)
    R, p = poses(tree, numbers, q)
    mass = sum(n.m for n in numbers.links)
    center = sum((n.m * at + turn @ n.mc for n, at, turn in zip(numbers.links, p, R, strict=True)), ZERO) / mass
    force, moment = ZERO, ZERO
    for i, link in enumerate(tree.links):
        own = command[link.v : link.v + link.dof]
        if link.kind == "T" and link.parent == WORLD_LINK:
            force, moment = force + own, moment + ca.cross(p[i] - center, own)
        elif link.kind == "S" and link.parent != WORLD_LINK and tree.links[link.parent].parent == WORLD_LINK:
            moment = moment + (R[i] @ own if tree.links[link.parent].kind == "T" else ZERO)
    return PUSH.stack({}, force=force, moment=moment)


def poses(tree: Tree, numbers: Numbers, q: ca.SX) -> tuple[list[ca.SX], list[ca.SX]]:
    """Rotation R_WL and origin p_WL of every link in the world."""
    R: list[ca.SX] = []
    p: list[ca.SX] = []
    for link, at in zip(tree.links, place(tree.links, numbers, q), strict=True):
        if link.parent == WORLD_LINK:
            R.append(at.matrix())
            p.append(at.p)
        else:
            R.append(R[link.parent] @ at.matrix())
            p.append(p[link.parent] + R[link.parent] @ at.p)
    return R, p


def rates(tree: Tree, q: ca.SX, v: ca.SX) -> ca.SX:
    """dq/dt."""
    parts = []
    for link in tree.links:
        own = v[link.v : link.v + link.dof]
        if link.kind == "S":
            parts.append(rotation.product(q[link.q : link.q + 4], ca.vertcat(0, own)) / 2)
        else:
            parts.append(own)
    return ca.vertcat(*parts)
