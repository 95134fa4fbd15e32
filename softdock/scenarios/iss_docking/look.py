"""The station of 'iss-docking' as it is drawn; its mechanics are a rod's."""

from typing import Any

_CYLINDER = (0.7071067811865476, 0.0, 0.7071067811865476, 0.0)
"""Turns z to x."""


def drawn_station(length: float) -> list[dict[str, Any]]:
    """Shapes in the frame of a truss along x, as replay.json has them. The arm works on the side of -y."""
    truss = {"kind": "box", "size": [length, 0.8, 0.8], "look": "paint", "color": "#aab2bd"}
    shapes: list[dict[str, Any]] = [truss]
    for x in (-0.44, -0.29, 0.29, 0.44):  # pairs of wings across the truss, out of the plane of motion
        for side in (-1, 1):
            wing = [0.09 * length, 0.05, 0.24 * length]
            at = [x * length, 0.6, side * 0.15 * length]
            shapes.append({"kind": "box", "size": wing, "position": at, "look": "panel"})
    for x, radius, long in ((-0.17, 2.1, 0.14), (0.19, 2.1, 0.1), (0.3, 1.6, 0.06)):
        along = {"kind": "cylinder", "radius": radius, "length": long * length, "quaternion": list(_CYLINDER)}
        shapes.append({**along, "position": [x * length, 0.6 + radius, 0.0], "look": "paint", "color": "#d7dade"})
    for x in (-0.1, 0.1):
        plate = {"kind": "box", "size": [0.05 * length, 0.11 * length, 0.06]}
        shapes.append({**plate, "position": [x * length, 0.07 * length, 0.0], "look": "paint", "color": "#eef1f4"})
    return shapes
