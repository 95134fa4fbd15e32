"""The file of 'capture' for one's own arm and target, to start from: `softdock new capture --arm … --target …`."""

import json
import math
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from softdock.dynamics import Dynamics
from softdock.estimation import Estimate
from softdock.estimation.model import Model
from softdock.estimation.target import target_state
from softdock.planning import joint_limits
from softdock.planning.clearance import _Solid
from softdock.scenarios.capture.craft import Target, orbit_rate
from softdock.scenarios.capture.own import Mounted, carried, mounted
from softdock.scenarios.capture.rehearsal import grasp_to_find
from softdock.scenarios.capture.scenario import Capture, Parts
from softdock.sensing.mesh import MeshError, check, load
from softdock.spatial import matrix_of_quaternion, quaternion_of_matrix, quaternion_of_rpy, rpy_of_matrix
from softdock.world import Body, Orbit, Pose

STAND = 0.07
"""Of the bar off the mesh (m)."""
PALM = 0.04
"""Between whatever is at the arm's end and the bar in the fingers (m)."""
SHOULDER, AWAY, AT_LEAST, BEYOND = 0.62, 1.0, 2.85, 0.5
"""Of the shoulder, ahead of the chaser's middle; of the target's swept ball, ahead of that; of the target's mass centre
at least; and how far an arm's reach is to go beyond that (m)."""
ABOVE = 0.45
"""Of the shoulder, above the target (m): arms whose wrist is not in line with their shoulder, like the UR10's, cannot
reach what is ahead of their first axis, about that."""
FACES = 117.0
"""When the handle faces the chaser (s): the gripper closes from 116 s to 118 s."""
TILT = (0.0, 0.25, 0.2)
"""Roll, pitch, yaw (rad) by which it is off then."""
SOON = 8.0
"""Seconds, from when the gripper may first close, in which there must be a grasp if the target's motion is known."""
SLOWER = (1.0, 0.7, 0.5, 0.35)
"""Of the tumble, until there is."""
FURTHER = (0.0, 0.3, 0.6, 1.0, 1.5)
"""Metres by which the target is put further ahead, if need be."""
LIKE = (15.0, 2.75)
"""Mass (kg) and reach (m) of the built-in arm, for which the chaser's mass and wheels are made."""
SAMPLE = 4000
"""Configurations among which the reach is found."""
TURNS = {"x": (0.0, 0.0, 0.0), "y": (0.0, 0.0, math.pi / 2), "z": (0.0, -math.pi / 2, 0.0)}
TURNS |= {"-x": (0.0, 0.0, math.pi), "-y": (0.0, 0.0, -math.pi / 2), "-z": (0.0, math.pi / 2, 0.0)}
"""Roll, pitch, yaw of a frame whose x is along an axis."""
MOUNTS = {"x": (0.0, 0.0, 0.0), "y": (0.0, 0.0, -math.pi / 2), "z": (0.0, math.pi / 2, 0.0)}
"""Roll, pitch, yaw that turn an axis ahead, to x."""


TOLD = {
    "inertia": "kg m², of an even density, about the mass centre",
    "handle": "off the middle of its side towards -x",
}
"""Comments that take the place of those on the paper's values."""


class Tumble(NamedTuple):
    """How a target starts."""

    rpy: tuple[float, float, float]
    """B in A (rad)."""
    spin: tuple[float, float, float]
    """In B (rad/s)."""


def tumble_before(target: Target, orbit: Orbit, R_AB: np.ndarray, spin: np.ndarray, seconds: float) -> Tumble:
    """Attitude and spin some time before a target has given ones."""
    rho, center = np.array(target.frame.position), np.array(target.position)
    q = quaternion_of_matrix(R_AB)  # of the body: only its tumble is asked for
    there = Estimate(seconds, center + R_AB @ rho, q, spin, center, np.zeros(3), rho, target.shape)
    model = Model("target", orbit_rate(orbit), 0.0, 0.0)
    x, _ = model.propagated(target_state(there), model.certain(), -seconds)
    u, v, w = x[4:7].tolist()
    return Tumble(rpy_of_matrix(matrix_of_quaternion(x[:4])), (u, v, w))


def text_with(text: str, arm: str = "", target: str = "", say: Callable[[str], object] | None = None) -> str:
    """The TOML text with the arm of a URDF file and a target of a mesh file; ValueError if either is not what it should
    be. The target has the mass centre and moments of inertia of an even density, a bar off the middle of its side
    towards −x, and is so far ahead that it clears the arm that waits; it tumbles so that the bar faces the chaser when
    it is time to close. The arm is scaled to reach it; the axis of its first joint points ahead; the gripper is put
    ahead of whatever is at its end, and the chaser's mass and wheels grow with it. Where it waits is computed; if there
    is no such place, the target is put further ahead; if the arm then cannot grasp the bar in time, it tumbles more
    slowly. `say` is told what takes a while."""
    say = say or (lambda message: None)
    for further in FURTHER:
        ahead, made = AT_LEAST + further, text
        if target:
            made, ahead = _with_target(text, target, further)
        elif further:
            made = _set(text, "position", [0.0, ahead, 0.0], after="target")
        if not arm:
            return made
        made = _with_arm(made, arm, ahead - SHOULDER + BEYOND)
        try:
            return _that_can_be_grasped(_with_place(made), say)
        except ValueError as error:
            refused = error
    raise refused


def _that_can_be_grasped(text: str, say: Callable[[str], object]) -> str:
    """With a tumble at which a grasp is found."""
    say("looking whether the arm can grasp the target (a minute or so)")
    for slower in SLOWER:
        made = text if slower == 1.0 else _slowed(text, slower)
        if not (why := grasp_to_find(Capture.model_validate(tomllib.loads(made)), SOON)):
            return made
        say(f"at {_degrees(made):.1f} degrees a second: {why}")
    raise ValueError(f"however slowly it tumbles: {why}"[:290])


def _slowed(text: str, slower: float) -> str:
    keys = tomllib.loads(text)
    target = Target.model_validate(keys["target"])
    u, v, w = target.spin
    tumble = _tumble(target.altered(spin=(slower * u, slower * v, slower * w)), _orbit(text))
    return _with_tumble(text, tumble)


def _with_tumble(text: str, tumble: Tumble) -> str:
    told = f"so that the handle faces the chaser at {FACES:g} s"
    text = _set(text, "rpy", json.dumps(tumble.rpy), after="target", told=told)
    told = f"rad/s, body axes; {math.degrees(math.dist(tumble.spin, (0, 0, 0))):.1f} degrees a second"
    return _set(text, "spin", json.dumps(tumble.spin), after="target", told=told)


def _degrees(text: str) -> float:
    """A second, of the tumble."""
    return math.degrees(math.dist(tomllib.loads(text)["target"]["spin"], (0, 0, 0)))


def _with_place(text: str) -> str:
    """With where the arm waits."""
    keys = tomllib.loads(text)
    parts = Parts.model_validate({key: keys[key] for key in Parts.model_fields if key in keys})
    return _set(text, "ready", _rounded(parts.arm.ready, 4), after="arm")


# --- the arm -----------------------------------------------------------------------------------------


def _with_arm(text: str, file: str, reach: float) -> str:
    found = mounted(file, "", 1.0, Pose(), "chaser")
    bodies = {body.name: body for body in found.bodies}
    grip, extent = _forward(found, [bodies[name] for name in carried(found.world, (found.tip,))])
    scale = reach / _reach(found, extent)
    scale = round(min(max(scale, 0.06), 19.0), 2)
    axis: Any = bodies[found.joints[0]].joint.axis  # type: ignore[union-attr]
    mount = MOUNTS[_named(np.array(axis))]
    away = extent + PALM / scale
    place = {"position": _rounded(away * _axis(grip)), "rpy": _rounded(TURNS[grip], 15)}
    text = _set(_set(text, "urdf", json.dumps(file)), "shoulder", [SHOULDER, 0.0, ABOVE])
    mass = scale * sum(body.mass for body in found.bodies)
    text = _with_chaser(text, max(1.0, mass / LIKE[0] * (reach / LIKE[1]) ** 2))
    told = f"{{ position = {place['position']}, rpy = {place['rpy']} }}"
    return _set(_set(_set(text, "grip", told), "mount", _rounded(mount, 15)), "scale", scale)


def _with_chaser(text: str, heavier: float) -> str:
    """A chaser for an arm that is so many times as hard to turn as the built-in one."""
    keys = tomllib.loads(text)["chaser"]
    wheels = keys["wheels"] | {
        key: round(heavier * keys["wheels"][key], 2) for key in ("torque", "momentum", "inertia")
    }
    told = ", ".join(f"{key} = {value}" for key, value in wheels.items())
    text = _set(text, "wheels", f"{{ {told} }}")
    return _set(text, "mass", round(keys["mass"] * heavier, 1), after="chaser")


def _forward(found: Mounted, ends: list[Body]) -> tuple[str, float]:
    """The axis of the tip along which its end is, by the farthest link that is fixed to it, or else by its own shape;
    and how far its shapes and theirs go along it (m)."""
    at, points = {found.tip: Pose()}, []
    for body in ends:
        at[body.name] = at.get(body.parent, Pose()) @ (body.placement if body.name != found.tip else Pose())
        for shape in body.shapes:
            solid = _Solid(shape)
            X = at[body.name].matrix()
            points.append((solid.points @ X[:3, :3].T + X[:3, 3], solid.radius + solid.disc))
    farthest = max((np.array(pose.position) for pose in at.values()), key=np.linalg.norm)
    if np.linalg.norm(farthest) < 0.01 and points:
        farthest = np.concatenate([some for some, _ in points]).mean(axis=0)
    axis = "z" if np.linalg.norm(farthest) < 1e-6 else _named(farthest, signed=True)
    far = [float((some @ _axis(axis)).max()) + radius for some, radius in points]
    return axis, max([float(farthest @ _axis(axis)), *far, 0.0])


def _reach(found: Mounted, extent: float) -> float:
    """The largest distance (m) from the first joint of what is at the arm's end, of a sample of configurations."""
    dynamics = Dynamics(found.world)
    low, high = joint_limits(dynamics, list(found.joints))
    if not np.isfinite([low, high]).all():
        raise ValueError("arm.urdf: some joint has no limits; the file must say how far it goes")
    q = np.tile(dynamics.layout.neutral(), (SAMPLE, 1))
    q[:, dynamics.layout.flat(found.joints)[0]] = np.random.default_rng(0).uniform(low, high, (SAMPLE, len(low)))
    tip, first = dynamics.pose(found.tip, q)[1], dynamics.pose(found.joints[0], q)[1]
    return float(np.linalg.norm(tip - first, axis=1).max()) + extent


def _named(axis: np.ndarray, *, signed: bool = False) -> str:
    """The coordinate axis that is nearest."""
    k = int(np.argmax(np.abs(axis)))
    return ("-" if signed and axis[k] < 0 else "") + "xyz"[k]


def _axis(name: str) -> np.ndarray:
    return (-1.0 if name[0] == "-" else 1.0) * np.eye(3)["xyz".index(name[-1])]


# --- the target --------------------------------------------------------------------------------------


def _with_target(text: str, file: str, further: float) -> tuple[str, float]:
    """The text, and how far ahead the target is (m)."""
    try:
        mesh = load(Path(file))
        check(file, np.asarray(mesh.vertices, float), np.asarray(mesh.faces))
    except (MeshError, OSError) as error:
        raise ValueError(f"target.mesh: {error}") from None
    mass = float(tomllib.loads(text)["target"]["mass"])
    center = np.asarray(mesh.center_mass, float)
    inertia = mass / float(mesh.volume) * np.asarray(mesh.moment_inertia, float)
    low = np.asarray(mesh.bounds, float)[0]
    handle = [float(low[0]) - STAND, float(center[1]), float(center[2])]
    radius = float(np.linalg.norm(np.asarray(mesh.vertices, float) - center, axis=1).max())
    ahead = round(max(AT_LEAST, SHOULDER + AWAY + radius) + further, 2)
    even = [[round(x / 2, 6) for x in row] for row in (inertia + inertia.T).tolist()]
    keys: dict[str, Any] = {
        "mesh": file, "inertia": even, "center": _rounded(center), "handle": _rounded(handle),
        "position": [0.0, ahead, 0.0],
    }  # fmt: skip
    tumble = _tumble(Target(mass=mass, **keys), _orbit(text))
    for key, value in keys.items():
        text = _set(text, key, json.dumps(value), after="target", told=TOLD.get(key, ""))
    return _with_tumble(text, tumble), ahead


def _tumble(target: Target, orbit: Orbit) -> Tumble:
    """So that the handle faces the chaser, which is at −y of A, when it is time to close."""
    towards, off = (matrix_of_quaternion(np.array(quaternion_of_rpy(*rpy))) for rpy in ((0.0, 0.0, math.pi / 2), TILT))
    return tumble_before(target, orbit, towards @ off @ target.frame.rotation.T, np.array(target.spin), FACES)


def _orbit(text: str) -> Orbit:
    return Orbit(**tomllib.loads(text)["orbit"])


def _rounded(values: Any, digits: int = 6) -> list[float]:
    return [round(float(x), digits) + 0.0 for x in values]


def _set(text: str, key: str, value: object, after: str = "", told: str = "") -> str:
    """The text with another value of a key, the first of that name after a table's head; with another comment, if it is
    told what."""
    start = text.index(f"\n[{after}]") if after else 0
    line = re.compile(rf"^{key} = (?:\{{[^}}\n]*\}}|[^#\n]*)(#.*)?", re.MULTILINE)

    def changed(found: re.Match[str]) -> str:
        comment = f"# {told}" if told else found[1] or ""
        return f"{key} = {value} {comment}".rstrip()

    return text[:start] + line.sub(changed, text[start:], count=1)
