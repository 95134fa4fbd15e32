"""What stands in the scene: bodies with their shapes, frames, latches, Earth; and the story: events and phases."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from softdock.dynamics import Dynamics
from softdock.replay.tracks import POSITION_STEP, Tracks
from softdock.runs.measures import number
from softdock.world import WORLD, Body, Box, ConvexMesh, Orbit, Pose, Uniform, World

EARTH_RADIUS = 6_371_000.0
"""Mean radius (m); it is only drawn."""
ROOTS = ("#c3cad6", "#d8a23c", "#8fb8a8", "#b99ac9")
LINKS = ("#4f86c6", "#dfe5ee")
CARRIED = "#8a93a3"
"""Colours of bodies that move by themselves, of links one after the other, and of what is fixed on a body."""


def bodies(world: World, tracks: Tracks, visuals: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Name, parent, colour and shapes of every body: one without shapes is rods, one without mass is see-through.
    `visuals` of a body are drawn in place of its shapes, those of "world" beside everything."""
    colors, trails = colors_of(world), trails_of(world)
    return [
        {
            "name": body.name,
            "parent": body.parent,
            "color": colors[body.name],
            "glass": body.mass == 0 and body.name not in visuals,
            "main": body.parent == WORLD and not _is_arm(world, body) and bool(body.shapes),
            "trail": body.name in trails,
            "shapes": _shapes(world, body, tracks, visuals) + ([] if body.name in visuals else rods(world, body)),
        }
        for body in world.bodies
    ] + [
        {
            "name": WORLD,
            "parent": "",
            "color": CARRIED,
            "glass": False,
            "shapes": [_visual(x, tracks) for x in _listed(WORLD, visuals[WORLD])],
        }
        for _ in range(WORLD in visuals)
    ]


def trails_of(world: World) -> set[str]:
    """Bodies whose way is drawn: roots that move, and what ends an arm; one of those that hang side by side (fingers),
    nothing that only turns on its carrier (wheels) or is fixed to it."""
    carriers = {body.parent for body in world.bodies}
    moved, ends = {WORLD: False}, dict[str, str]()
    for body in world.bodies:  # does its origin move against its root?
        up = False if body.parent == WORLD else moved[body.parent] or _swings(world, body.parent)
        moved[body.name] = up or (body.parent != WORLD and body.joint.kind in ("prismatic", "planar", "free"))
        if body.parent == WORLD and body.joint.kind not in ("fixed", "revolute", "spherical"):
            ends[body.name] = body.name
        elif moved[body.name] and body.name not in carriers:
            ends.setdefault(body.parent, body.name)
    return set(ends.values())


def _swings(world: World, name: str) -> bool:
    """Does what a body carries move against its root, or against the world if the root is a joint of an arm?"""
    body = world.body(name)
    return body.joint.kind not in (("fixed", "free", "planar") if body.parent == WORLD else ("fixed",))


def _is_arm(world: World, body: Body) -> bool:
    """Is it fixed to the world, or the first link of an arm that is? Its name says nothing."""
    carries = any(other.parent == body.name for other in world.bodies)
    return body.joint.kind == "fixed" or (body.joint.kind in ("revolute", "prismatic") and carries)


_COLOR = re.compile(r"#[0-9a-fA-F]{6}")


def _listed(name: str, given: Any) -> list[Any]:
    if not isinstance(given, list):
        raise ValueError(f"visuals: of {name!r:.60} there must be a list of shapes")
    return given


def _shapes(world: World, body: Body, tracks: Tracks, visuals: Mapping[str, Any]) -> list[dict[str, Any]]:
    if body.name in visuals:
        return [_visual(x, tracks) for x in _listed(body.name, visuals[body.name])]
    return [_shape(shape, tracks) | _look(world, body, shape) for shape in body.shapes]


LOOKS = ("paint", "foil", "panel", "metal", "rubber", "floor")
_HELD = ("grip", "hand", "finger", "tool", "claw", "jaw")


def _look(world: World, body: Body, shape: Any) -> dict[str, str]:
    """What a shape is made of, as its form suggests: thin plates are solar panels, boxes that fly are wrapped in foil,
    what grips is metal."""
    if body.mass == 0 or isinstance(world.gravity, Uniform):
        return {}
    if isinstance(shape, Box):
        thin, middle, _ = sorted(shape.size)
        if thin < 0.12 * middle and middle > 0.15:
            return {"look": "panel"}
        if body.parent == WORLD:
            return {"look": "foil"}
    if any(word in body.name.lower() for word in _HELD):
        return {"look": "metal"}
    return {}


def _visual(given: Mapping[str, Any], tracks: Tracks) -> dict[str, Any]:
    """A drawn shape of replay.json or visuals.json; ValueError if it is none."""
    kinds = {"box": ("size",), "sphere": ("radius",), "cylinder": ("radius", "length"), "capsule": ("radius", "length")}
    if not isinstance(given, Mapping) or not _COLOR.fullmatch(str(given.get("color", "#000000"))):
        raise ValueError(f"visuals: {given!r:.80} is no drawn shape")
    kind = given.get("kind")
    if kind == "mesh":
        return _drawn_mesh(given, tracks)
    if kind not in kinds or not all(key in given for key in kinds[kind]) or given.get("look", "paint") not in LOOKS:
        raise ValueError(f"visuals: {dict(given)!r:.80} is no drawn shape")
    pose = Pose(**{key: given[key] for key in ("position", "quaternion", "rpy") if key in given})
    chosen = {key: given[key] for key in ("look", "color") if key in given}
    return {"kind": kind, **_place(pose), **{key: given[key] for key in kinds[kind]}, **chosen}


def _drawn_mesh(given: Mapping[str, Any], tracks: Tracks) -> dict[str, Any]:
    vertices, triangles = (np.array(given.get(key), dtype=float) for key in ("vertices", "triangles"))
    color = str(given.get("color", ""))
    if not (vertices.ndim == triangles.ndim == 2 and vertices.shape[1] == triangles.shape[1] == 3):
        raise ValueError("visuals: a mesh takes vertices and triangles of three numbers each")
    if not np.all((triangles >= 0) & (triangles < len(vertices))):
        raise ValueError("visuals: a triangle of a mesh names a vertex that there is not")
    drawn = {"kind": "mesh", "smooth": True, **_place(Pose()), **({"color": color} if color else {})}
    return drawn | _packed(vertices, triangles, tracks)


def _packed(vertices: np.ndarray, triangles: np.ndarray, tracks: Tracks) -> dict[str, Any]:
    """A mesh, and how far it reaches from where it is placed (m)."""
    far = float(np.linalg.norm(vertices, axis=-1).max(initial=0.0))
    packed = {"vertices": tracks.add(vertices, POSITION_STEP), "triangles": tracks.add(triangles, 1.0)}
    return packed | {"reach": round(far, 4)}


def colors_of(world: World) -> dict[str, str]:
    """A colour for each body."""
    colors, roots, depth = {}, 0, {WORLD: 0}
    for body in world.bodies:
        depth[body.name] = depth[body.parent] + (body.joint.kind != "fixed")
        if body.parent == WORLD and body.joint.kind != "fixed":
            colors[body.name] = ROOTS[roots % len(ROOTS)]
            roots += 1
        else:
            colors[body.name] = CARRIED if body.joint.kind == "fixed" else LINKS[depth[body.name] % len(LINKS)]
    return colors


def _place(pose: Pose) -> dict[str, Sequence[float]]:
    return {"position": pose.position, "quaternion": pose.quaternion}


def _shape(shape: Any, tracks: Tracks) -> dict[str, Any]:
    drawn = {"kind": shape.kind, **_place(shape.placement)}
    if not isinstance(shape, ConvexMesh):
        return drawn | {key: getattr(shape, key) for key in ("size", "radius", "length") if hasattr(shape, key)}
    return drawn | _packed(np.array(shape.vertices), np.array(shape.triangles, dtype=float), tracks)


def rods(world: World, body: Body) -> list[dict[str, Any]]:
    """Thin rods from the body's origin to joints that it carries outside its shapes, and to its nearest shape, if it
    hangs on a joint outside of all; of a body without shapes, to all that it carries, or else to its centre of mass."""
    if body.mass == 0:
        return []
    carried = [other for other in world.bodies if other.parent == body.name]
    if body.shapes:
        ends = [other.placement.position for other in carried if other.joint.kind != "fixed"]
        found = [_rod(end) for end in ends if all(_outside(shape, end) for shape in body.shapes)]
        if body.parent != WORLD and all(_outside(shape, (0.0, 0.0, 0.0)) for shape in body.shapes):
            found.append(_rod(min((_middle(shape) for shape in body.shapes), key=lambda at: float(np.linalg.norm(at)))))
        return found
    ends = [other.placement.position for other in carried]
    ends += [frame.placement.position for frame in world.frames if frame.body == body.name]
    return [_rod(end) for end in [e for e in ends if np.linalg.norm(e) > 1e-9] or [body.center]]


def _middle(shape: Any) -> Sequence[float]:
    if not isinstance(shape, ConvexMesh):
        return tuple(shape.placement.position)
    at = shape.placement
    return tuple((at.rotation @ np.mean(shape.vertices, axis=0) + at.position).tolist())


def _rod(end: Sequence[float]) -> dict[str, Any]:
    length = float(np.linalg.norm(end))
    return {"kind": "rod", "to": list(end), "radius": float(np.clip(0.045 * length, 1e-3, 0.2)) or 0.05}


def _outside(shape: Any, point: Sequence[float]) -> bool:
    """Is a point well outside the box about a shape?"""
    local = shape.placement.rotation.T @ (np.array(point) - shape.placement.position)
    if isinstance(shape, ConvexMesh):
        half = np.abs(shape.vertices).max(axis=0)
    elif shape.kind == "box":
        half = np.array(shape.size) / 2
    else:
        along = getattr(shape, "length", 0.0) / 2 + (0.0 if shape.kind == "cylinder" else shape.radius)
        half = np.array([shape.radius, shape.radius, along])
    return bool(np.any(np.abs(local) > 1.05 * half + 0.02 * half.max()))


def frames(world: World) -> list[dict[str, Any]]:
    """Named frames on bodies."""
    return [{"name": f.name, "body": f.body, **_place(f.placement)} for f in world.frames]


def latches(world: World) -> list[dict[str, Any]]:
    """The two ends of each latch, as places on bodies."""
    ends = {}
    for latch in world.latches:
        for end in (latch.frame_a, latch.frame_b):
            frame = world.frame(end)
            ends[end] = {"body": frame.body, **_place(frame.placement)}
    return [{"name": x.name, "kind": x.kind, "a": ends[x.frame_a], "b": ends[x.frame_b]} for x in world.latches]


def orbit(dynamics: Dynamics, t: np.ndarray, samples: int = 64) -> dict[str, Any] | None:
    """Direction from the reference point to Earth during the run, and the whole orbit in its own plane."""
    gravity = dynamics.world.gravity
    if not isinstance(gravity, Orbit):
        return None
    period = 2 * np.pi * np.sqrt(gravity.semi_major_axis**3 / gravity.mu)
    times = np.linspace(t[0], t[-1], samples)
    r, velocity = dynamics.reference_orbit(times)
    around = dynamics.reference_orbit(np.linspace(0, period, 97))[0]
    normal = np.cross(r[0], velocity[0])
    x = r[0] / np.linalg.norm(r[0])
    y = np.cross(normal / np.linalg.norm(normal), x)
    return {
        "period": period,
        "times": times.tolist(),
        "radius": r.tolist(),
        "path": (around @ np.stack([x, y], axis=-1)).round(1).tolist(),
        "here": (r @ np.stack([x, y], axis=-1)).round(1).tolist(),
        "normal": (normal / np.linalg.norm(normal)).tolist(),
        "earth_radius": EARTH_RADIUS,
    }


# --- the story ---------------------------------------------------------------------------------------

_KEYS = ("latch", "contact", "joint", "name", "thruster", "gripper")
_UNITS = {
    "impulse": "N s", "speed": "m/s", "speed_before": "m/s", "speed_after": "m/s", "energy_change": "J",
    "energy_lost": "J", "force": "N", "torque": "N m", "distance": "m", "angle": "rad", "momentum_change": "kg m/s",
}  # fmt: skip


def told(event: Mapping[str, Any], joints: Mapping[str, str]) -> tuple[str, str]:
    """Of an event: what it is and of whom, and the particulars with their units, for people. `joints` are units of the
    coordinates that limits are about."""
    kind = str(event["kind"])
    what = " ".join(str(event[key]) for key in _KEYS if key in event)
    own = joints.get(str(event.get("joint")), "")
    units = _UNITS | {"limit": own, "value": own}
    details = [
        f"{key.replace('_', ' ')} {_told(value, units.get(key, ''))}"
        for key, value in event.items()
        if key not in ("time", "kind", "point", "normal", *_KEYS) and value not in ("", None)
    ]
    return f"{kind}: {what}" if what else kind, ", ".join(details)


def _told(value: Any, unit: str) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return number(value, unit)
    return value if isinstance(value, str) else json.dumps(value)


def joint_units(world: Any) -> dict[str, str]:
    """Of revolute and prismatic joints, by name, from the world of a scenario's file, which may be anything."""
    bodies = world.get("bodies") if isinstance(world, Mapping) else None
    units, found = {"revolute": "rad", "prismatic": "m"}, dict[str, str]()
    for body in bodies if isinstance(bodies, list) else ():
        joint = body.get("joint") if isinstance(body, Mapping) else None
        if isinstance(joint, Mapping) and joint.get("kind") in units:
            found[str(body.get("name"))] = units[str(joint["kind"])]
    return found


def events(recorded: Sequence[Mapping[str, Any]], world: Any = None) -> list[dict[str, Any]]:
    """What happened: a label, the particulars as text, and for an impact where and how hard."""
    shown, joints = [], joint_units(world)
    for event in sorted(recorded, key=lambda event: float(event["time"])):
        kind = str(event["kind"])
        label, detail = told(event, joints)
        shown_as = "released" if kind == "broke" else kind
        entry = {"time": float(event["time"]), "kind": shown_as, "label": label}
        entry |= {"detail": detail, "latch": str(event.get("latch", ""))}
        if kind == "impact" and {"point", "normal", "impulse"} <= event.keys():
            entry |= {key: event[key] for key in ("point", "normal", "impulse")}
        shown.append(entry)
    return shown


def phases(
    recorded: Sequence[Mapping[str, Any]], end: float, engaged: Sequence[str], told: Any = None
) -> list[dict[str, Any]]:
    """Stretches of time: between events of kind "phase", or else between changes of the latches that hold. What metrics
    have `told` of phases says when the last of them was over, if that was before the end."""
    named = [(float(e["time"]), str(e.get("name", "phase"))) for e in recorded if e["kind"] == "phase"]
    real = bool(named)
    if real:
        last = told[-1].get("end") if isinstance(told, list) and told and isinstance(told[-1], Mapping) else None
        if isinstance(last, int | float) and named[-1][0] < last < end:
            named.append((float(last), "over"))
    else:
        holding, named = list(engaged), [(0.0, _holding(engaged))]
        for event in recorded:
            if event["kind"] in ("engaged", "released", "broke"):
                latch = str(event.get("latch"))
                holding = [name for name in holding if name != latch] + [latch] * (event["kind"] == "engaged")
                named.append((float(event["time"]), _holding(holding)))
        if len(named) == 1:
            return []
    ends = [start for start, _ in named[1:]] + [end]
    return [
        {"name": name, "start": start, "end": stop}
        for (start, name), stop in zip(named, ends, strict=True)
        if stop > start or (real and stop == start)
    ]


def _holding(latches: Sequence[str]) -> str:
    return " + ".join(latches) + " hold" + ("s" if len(latches) == 1 else "") if latches else "free"
