"""Arms out of worlds and URDF files, and worlds out of arms: fixed, on an air bearing, or in orbit."""

import os
from pathlib import Path
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from softdock.arm.inertial import Inertial
from softdock.arm.platform import CONTROL_BOX, Platform
from softdock.arm.serial import EARTH, SerialArm
from softdock.spatial import matrix_of_vector
from softdock.world import (
    WORLD,
    Actuator,
    Body,
    Elastic,
    Fixed,
    Frame,
    Free,
    Limits,
    NoGravity,
    Orbit,
    Planar,
    Pose,
    Prismatic,
    Revolute,
    Spherical,
    Uniform,
    World,
    load_urdf,
)
from softdock.world.joints import Joint
from softdock.world.shapes import Shape

Mount = Literal["fixed", "bearing", "planar", "orbit"]
LOW_EARTH_ORBIT = Orbit(semi_major_axis=6.778e6)
PLATFORM, TOOL = "platform", "tool"


def arm_of(world: World, tip: str, base: str = WORLD, gravity: ArrayLike | None = None) -> SerialArm:
    """The chain of joints from body `base` to the body or frame `tip`, which becomes the tool.

    Bodies fixed to a link are part of it, and so are those on revolute and prismatic joints off the chain (fingers),
    held at zero, or at the limit next to it; others that move on their own are refused. Gravity is the world's if that
    is uniform and the base is the world itself; otherwise zero, unless given. Springs, dampers and friction of the
    joints are left out.
    """
    frame = world.frame(tip)
    chain = _chain(world, frame.body, base)
    moving = [body for body in chain if not isinstance(body.joint, Fixed)]
    if not moving:
        raise ValueError(f"no joint moves between {base!r} and {tip!r}")
    placements, T, owner = [], np.eye(4), {base: ""}
    at: dict[str, np.ndarray] = {base: T}
    for body in chain:
        T = T @ body.placement.matrix()
        owner[body.name] = owner[body.parent]
        if body in moving:
            placements.append(T)
            T, owner[body.name] = np.eye(4), body.name
        at[body.name] = T
    tool = at.get(frame.body, np.eye(4)) @ frame.placement.matrix()
    return SerialArm(
        placements=np.array(placements),
        axes=np.array([_axis(body) for body in moving]),
        prismatic=np.array([isinstance(body.joint, Prismatic) for body in moving]),
        inertials=_inertials(world, [body.name for body in moving], owner, at, base),
        tool=tool,
        gravity=_gravity(world, base) if gravity is None else np.array(gravity, dtype=np.float64),
        lower=np.array([_limit(body, "lower", -np.inf) for body in moving]),
        upper=np.array([_limit(body, "upper", np.inf) for body in moving]),
        effort=np.array([_motor(body, "effort") for body in moving]),
        speed=np.array([_motor(body, "rate") for body in moving]),
        shapes=_shapes(world, [body.name for body in moving], owner, at),
        name=world.name,
        links=tuple(body.name for body in moving),
    )


def arm_of_urdf(path: str | Path, tip: str, base: str = WORLD, gravity: ArrayLike = EARTH) -> SerialArm:
    """The chain to a link or joint of a URDF file, from its root link or another."""
    return arm_of(load_urdf(path, meshes=False), tip, base, gravity)


def arm_named(what: str, tip: str | None = None) -> SerialArm:
    """ "sawyer", "sawyer:mjcf" or a URDF file; of the latter the chain to `tip`, or the one with most joints."""
    from softdock.arm.sawyer import sawyer

    name, _, parameters = what.partition(":")
    if name == "sawyer":
        return sawyer(parameters or "urdf")  # type: ignore[arg-type]
    if not os.path.isfile(what):
        raise ValueError(f"no arm {what!r}: it must be 'sawyer', 'sawyer:mjcf' or a URDF file")
    world = load_urdf(what, meshes=False)
    try:
        if tip is not None:
            world.frame(tip)
    except KeyError as error:
        raise ValueError(f"{what}: {error.args[0]}") from None
    return arm_of(world, tip or _longest(world), gravity=EARTH)


def _longest(world: World) -> str:
    """The body with most joints between it and the world, the last of them if there are several."""
    joints = {WORLD: 0}
    for body in world.bodies:
        joints[body.name] = joints[body.parent] + (not isinstance(body.joint, Fixed))
    return max(reversed(joints), key=lambda name: joints[name])


def mounted(
    arm: SerialArm, mount: Mount = "fixed", platform: Platform = CONTROL_BOX, elastic: Elastic | None = None
) -> World:
    """The arm as a world, with a frame "tool".

    fixed: alone, its base frame the world's. bearing: on a platform that turns about a spherical bearing at the
    origin, under the arm's gravity. planar: the platform floats on a table, along x and y and about z. orbit: on the
    same platform, free, in a low Earth orbit. Efforts and speeds of the motors are the joints' actuators. With
    `elastic` every joint that turns has such a gear: its motor is then the joint of the body "….motor".
    """
    if mount not in get_args(Mount):
        raise ValueError(f"mount must be one of {', '.join(get_args(Mount))}, not {mount!r}")
    gravity: NoGravity | Uniform | Orbit = (
        Uniform(acceleration=tuple(arm.gravity)) if np.any(arm.gravity) else NoGravity()
    )
    bodies: list[Body] = []
    if mount != "fixed":
        carries: dict[str, Joint] = {"bearing": Spherical(), "planar": Planar(), "orbit": Free()}
        bodies.append(_body(PLATFORM, WORLD, carries[mount], np.eye(4), platform.inertial))
        pull = platform.mount[:3, :3] @ arm.gravity
        gravity = LOW_EARTH_ORBIT if mount == "orbit" else Uniform(acceleration=tuple(pull))
    for k, (link, inertial) in enumerate(zip(arm.links, arm.inertials, strict=True)):
        kind = Prismatic if arm.prismatic[k] else Revolute
        bounded = np.isfinite([arm.lower[k], arm.upper[k]]).all()
        limits = Limits(lower=(arm.lower[k],), upper=(arm.upper[k],)) if bounded else None
        on_platform = k == 0 and mount != "fixed"
        T = platform.mount @ arm.placements[k] if on_platform else arm.placements[k]
        parent = arm.links[k - 1] if k else PLATFORM if on_platform else WORLD
        motor = {"effort": arm.effort[k], "rate": arm.speed[k]}
        said = {key: value for key, value in motor.items() if np.isfinite(value)}
        joint: Joint = kind(axis=tuple(arm.axes[k]), limits=limits, actuator=Actuator(**said) if said else None)
        if elastic and isinstance(joint, Revolute):
            joint = joint.altered(elastic=elastic)
        bodies.append(_body(link, parent, joint, T, inertial).altered(shapes=arm.shapes[k]))
    tool = Frame(name=TOOL, body=arm.links[-1], placement=Pose.of(arm.tool[:3, :3], arm.tool[:3, 3]))
    return World(name=f"{arm.name}-{mount}", gravity=gravity, bodies=tuple(bodies), frames=(tool,))


def _chain(world: World, tip: str, base: str) -> list[Body]:
    if base != WORLD:
        world.body(base)
    chain: list[Body] = []
    name = tip
    while name != base:
        if name == WORLD:
            raise ValueError(f"body {tip!r} does not hang from {base!r}")
        chain.insert(0, world.body(name))
        name = chain[0].parent
    for body in chain:
        if not isinstance(body.joint, (Fixed, Revolute, Prismatic)):
            raise ValueError(
                f"body {body.name!r}: a {body.joint.kind} joint is not a serial arm's; give a base beyond it"
            )
        if isinstance(body.joint, Revolute) and body.joint.rotor:
            raise ValueError(f"body {body.name!r}: a serial arm's model has no geared rotors; leave 'rotor' out of it")
    return chain


def _inertials(
    world: World, moving: list[str], owner: dict[str, str], at: dict[str, np.ndarray], base: str
) -> tuple[Inertial, ...]:
    total = {name: Inertial(0.0, np.zeros(3), np.zeros((3, 3))) for name in moving}
    for body in world.bodies:  # parents come first
        if body.name not in owner and body.parent in owner and owner[body.parent]:
            owner[body.name] = owner[body.parent]
            at[body.name] = at[body.parent] @ body.placement.matrix() @ _held(body)
        if owner.get(body.name) and body.name != base:
            own = Inertial(body.mass, np.array(body.center), np.array(body.inertia))
            total[owner[body.name]] = total[owner[body.name]] + own.moved(at[body.name])
    return tuple(total.values())


def _held(body: Body) -> np.ndarray:
    """(4, 4): where a joint off the chain has its body, relative to its placement."""
    T = np.eye(4)
    if isinstance(body.joint, Fixed):
        return T
    if not isinstance(body.joint, (Revolute, Prismatic)):
        raise ValueError(f"body {body.name!r} moves on its own off the chain; this is no serial arm")
    value = float(np.clip(0.0, _limit(body, "lower", -np.inf), _limit(body, "upper", np.inf)))
    if isinstance(body.joint, Prismatic):
        T[:3, 3] = value * np.array(_axis(body))
    else:
        T[:3, :3] = matrix_of_vector(value * np.array(_axis(body)))
    return T


def _shapes(
    world: World, moving: list[str], owner: dict[str, str], at: dict[str, np.ndarray]
) -> tuple[tuple[Shape, ...], ...]:
    """Of every link, with those of what is fixed to it; `_inertials` has completed `owner` and `at`."""
    found: dict[str, tuple[Shape, ...]] = dict.fromkeys(moving, ())
    for body in world.bodies:
        if link := owner.get(body.name):
            T = Pose.of(at[body.name][:3, :3], at[body.name][:3, 3])
            found[link] += tuple(shape.altered(placement=T @ shape.placement) for shape in body.shapes)
    return tuple(found.values())


def _motor(body: Body, which: str) -> float:
    value = getattr(getattr(body.joint, "actuator", None), which, None)
    return np.inf if value is None else float(value)


def _axis(body: Body) -> tuple[float, float, float]:
    assert isinstance(body.joint, (Revolute, Prismatic))
    return body.joint.axis


def _limit(body: Body, side: str, default: float) -> float:
    limits = getattr(body.joint, "limits", None)
    return float(getattr(limits, side)[0]) if limits else default


def _gravity(world: World, base: str) -> np.ndarray:
    known = isinstance(world.gravity, Uniform) and base == WORLD
    return np.array(world.gravity.acceleration if known else (0.0, 0.0, 0.0))  # type: ignore[union-attr]


def _body(name: str, parent: str, joint: Joint, T: np.ndarray, inertial: Inertial) -> Body:
    return Body(
        name=name,
        parent=parent,
        joint=joint,
        placement=Pose.of(T[:3, :3], T[:3, 3]),
        mass=inertial.mass,
        center=inertial.center.tolist(),
        inertia=inertial.inertia.tolist(),
    )
