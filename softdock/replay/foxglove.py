"""Bodies as Foxglove's scene messages (foxglove.SceneUpdate, JSON), each in its own frame of /tf."""

from collections.abc import Mapping
from typing import Any

from softdock.replay.scene import colors_of
from softdock.world import Box, Capsule, Cylinder, Pose, Sphere, World

_NUMBER = {"type": "number"}
_WHOLE = {"type": "integer"}


def _object(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def _list(items: Any) -> dict[str, Any]:
    return {"type": "array", "items": items}


_TIME = _object(sec=_WHOLE, nsec=_WHOLE)
_POINT = _object(x=_NUMBER, y=_NUMBER, z=_NUMBER)
_TURN = _object(x=_NUMBER, y=_NUMBER, z=_NUMBER, w=_NUMBER)
_POSE = _object(position=_POINT, orientation=_TURN)
_COLOR = _object(r=_NUMBER, g=_NUMBER, b=_NUMBER, a=_NUMBER)
_SOLID = _object(pose=_POSE, size=_POINT, color=_COLOR)
_BARREL = _object(pose=_POSE, size=_POINT, bottom_scale=_NUMBER, top_scale=_NUMBER, color=_COLOR)
_FACES = _object(pose=_POSE, points=_list(_POINT), color=_COLOR, colors=_list(_COLOR), indices=_list(_WHOLE))
SCHEMA = _object(
    deletions=_list(_object(timestamp=_TIME, type=_WHOLE, id={"type": "string"})),
    entities=_list(
        _object(
            timestamp=_TIME, frame_id={"type": "string"}, id={"type": "string"}, lifetime=_TIME,
            frame_locked={"type": "boolean"}, metadata=_list(_object(key={"type": "string"}, value={"type": "string"})),
            arrows=_list(_object()), cubes=_list(_SOLID), spheres=_list(_SOLID), cylinders=_list(_BARREL),
            lines=_list(_object()), triangles=_list(_FACES), texts=_list(_object()), models=_list(_object()),
        )
    ),
)  # fmt: skip
"""JSON Schema of foxglove.SceneUpdate, as far as bodies need it."""


def scene(world: World, t: float) -> dict[str, Any]:
    """All bodies that have shapes, from time t (s) on and until the end."""
    colors = colors_of(world)
    stamp = {"sec": int(t // 1), "nsec": round(t % 1 * 1e9)}
    entities = []
    for body in world.bodies:
        if body.shapes:
            drawn: dict[str, list[Any]] = {key: [] for key in ("cubes", "spheres", "cylinders", "triangles")}
            for shape in body.shapes:
                _draw(shape, _rgba(colors[body.name], 0.4 if body.mass == 0 else 1.0), drawn)
            empty: dict[str, list[Any]] = {key: [] for key in ("metadata", "arrows", "lines", "texts", "models")}
            entities.append(
                {"timestamp": stamp, "frame_id": body.name, "id": body.name, "lifetime": {"sec": 0, "nsec": 0},
                 "frame_locked": True, **empty, **drawn}
            )  # fmt: skip
    return {"deletions": [], "entities": entities}


def _draw(shape: Any, color: Mapping[str, float], drawn: dict[str, list[Any]]) -> None:
    at = _pose(shape.placement)
    match shape:
        case Box():
            drawn["cubes"].append({"pose": at, "size": _xyz(shape.size), "color": color})
        case Sphere():
            drawn["spheres"].append({"pose": at, "size": _xyz((2 * shape.radius,) * 3), "color": color})
        case Cylinder() | Capsule():
            wide = 2 * shape.radius
            size = _xyz((wide, wide, shape.length))
            drawn["cylinders"].append({"pose": at, "size": size, "bottom_scale": 1.0, "top_scale": 1.0, "color": color})
            for end in (-1, 1) if isinstance(shape, Capsule) else ():
                tip = shape.placement @ Pose(position=(0.0, 0.0, end * shape.length / 2))
                drawn["spheres"].append({"pose": _pose(tip), "size": _xyz((wide,) * 3), "color": color})
        case _:
            points, indices = [_xyz(p) for p in shape.vertices], [k for triangle in shape.triangles for k in triangle]
            drawn["triangles"].append({"pose": at, "points": points, "color": color, "colors": [], "indices": indices})


def _xyz(values: Any) -> dict[str, float]:
    return dict(zip("xyz", map(float, values), strict=True))


def _pose(pose: Pose) -> dict[str, Any]:
    return {"position": _xyz(pose.position), "orientation": dict(zip("wxyz", pose.quaternion, strict=True))}


def _rgba(color: str, alpha: float) -> dict[str, float]:
    r, g, b = (int(color[k : k + 2], 16) / 255 for k in (1, 3, 5))
    return {"r": r, "g": g, "b": b, "a": alpha}
