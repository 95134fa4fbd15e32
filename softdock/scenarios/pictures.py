"""A state of a world as a picture in memory, for environments: convex shapes, seen from far away, shaded by direction.

Faces are painted from the farthest to the nearest, by their middles; where solids overlap that can be wrong. For a true
scene there is the replay.
"""

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from softdock.dynamics import Dynamics
from softdock.replay.scene import colors_of, rods

WIDTH, HEIGHT = 480, 360
_LIGHT = np.array([0.3, 0.5, 0.81])
"""Direction of the light in the picture's axes: x to the right, y up, z to the viewer."""
_ROUND = 14
"""Points on a circle."""


class View(NamedTuple):
    """A world in a configuration, seen by a viewer."""

    dynamics: Dynamics
    q: np.ndarray
    R_WV: np.ndarray
    """Axes of the picture in the world: right, up, to the viewer."""
    center: np.ndarray
    """Of the picture (m, in the world)."""
    height: float
    """Of the picture (m)."""

    def picture(self) -> np.ndarray:
        """(HEIGHT, WIDTH, 3) bytes."""
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.collections import PolyCollection
        from matplotlib.figure import Figure

        triangles, colors = self._faces()
        order = np.argsort(triangles[:, :, 2].mean(axis=1))
        figure = Figure(figsize=(WIDTH / 100, HEIGHT / 100), dpi=100, facecolor="#10151c")
        axes = figure.add_axes((0, 0, 1, 1))
        half = self.height / 2
        axes.set(xlim=(-half * WIDTH / HEIGHT, half * WIDTH / HEIGHT), ylim=(-half, half))
        axes.set_axis_off()
        axes.add_collection(
            PolyCollection(list(triangles[order][:, :, :2]), facecolors=colors[order], edgecolors="face")
        )
        canvas: Any = FigureCanvasAgg(figure)
        canvas.draw()
        return np.array(canvas.buffer_rgba())[:, :, :3]

    def _faces(self) -> tuple[np.ndarray, np.ndarray]:
        """Triangles (n, 3, 3) in the picture's axes that face the viewer, and their colours (n, 3)."""
        world, found, shades = self.dynamics.world, [], []
        colors = colors_of(world)
        for body in world.bodies:
            paint = np.array([int(colors[body.name][k : k + 2], 16) for k in (1, 3, 5)]) / 255
            R, p = self.dynamics.pose(body.name, self.q)
            for solid in [*map(_solid, body.shapes), *(_rod(rod) for rod in rods(world, body))]:
                seen = (solid @ R.T + p - self.center) @ self.R_WV
                normal = np.cross(seen[:, 1] - seen[:, 0], seen[:, 2] - seen[:, 0])
                normal /= np.linalg.norm(normal, axis=1, keepdims=True) + 1e-300
                front = normal[:, 2] > 0
                found.append(seen[front])
                shades.append((0.35 + 0.65 * np.maximum(normal[front] @ _LIGHT, 0.0))[:, None] * paint)
        return np.concatenate(found), np.concatenate(shades)


@cache
def _solid(shape: Any) -> np.ndarray:
    """Triangles (n, 3, 3) of a shape in its body's axes, counter-clockwise seen from outside."""
    return _hull(_points(shape) @ shape.placement.rotation.T + shape.placement.position)


def _rod(rod: dict[str, Any]) -> np.ndarray:
    """A rod of the replay's scene: four faces from the origin to its end."""
    end, radius = np.array(rod["to"]), rod["radius"]
    if not end.any():
        return np.empty((0, 3, 3))
    across = np.linalg.svd(end[None])[2][1:]
    ring = radius * np.array([across[0], across[1], -across[0], -across[1]])
    return _hull(np.concatenate([ring, ring + end]))


def _points(shape: Any) -> np.ndarray:
    match shape.kind:
        case "box":
            corners = np.array(np.meshgrid(*[(-0.5, 0.5)] * 3)).reshape(3, -1).T
            return np.asarray(corners * shape.size)
        case "sphere":
            return shape.radius * _ball()
        case "capsule" | "cylinder":
            up = np.array([0.0, 0.0, shape.length / 2])
            end = shape.radius * (_ball() if shape.kind == "capsule" else _circle())
            return np.concatenate([end + up, end - up])
    return np.array(shape.vertices)


def _circle() -> np.ndarray:
    turn = np.linspace(0, 2 * np.pi, _ROUND, endpoint=False)
    return np.stack([np.cos(turn), np.sin(turn), 0 * turn], axis=1)


def _ball() -> np.ndarray:
    rise = np.linspace(-1, 1, _ROUND // 2 + 2)[1:-1] * np.pi / 2
    rings = [np.cos(a) * _circle() + [0, 0, np.sin(a)] for a in rise]
    return np.concatenate([*rings, [[0, 0, 1], [0, 0, -1]]])


def _hull(points: np.ndarray) -> np.ndarray:
    from scipy.spatial import ConvexHull

    hull = ConvexHull(points)
    triangles = points[hull.simplices]
    outward = np.einsum("ij,ij->i", np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]),
                        hull.equations[:, :3])  # fmt: skip
    triangles[outward < 0] = triangles[outward < 0][:, ::-1]
    return np.asarray(triangles)
