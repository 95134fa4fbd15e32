"""What is drawn of a laboratory beside its robots: floor, pedestals, table, bearing."""

from typing import Any

import numpy as np

from softdock.arm import SerialArm
from softdock.arm.worlds import PLATFORM
from softdock.facility.laboratory import MOCKUP, SERVICER, Laboratory

FLOOR = -0.75
"""Height under the client's base (m)."""
STEEL, BRASS, STONE, DARK = "#8d97a6", "#d9b56a", "#5b616b", "#3c434d"
BOX = {"size": [0.5, 0.4, 0.25], "position": [-0.25, 0.0, -0.05]}
"""The control box (`arm.platform.CONTROL_BOX`), in the platform's frame."""
UNDER = -0.175
"""Its lower side (m)."""


def _column(x: float, y: float, top: float, radius: float) -> dict[str, Any]:
    place = {"length": top - FLOOR, "position": [x, y, 0.5 * (top + FLOOR)]}
    return {"kind": "cylinder", "radius": radius, **place, "look": "metal", "color": STEEL}


def _neck(arm: SerialArm, x: float, y: float, z: float) -> list[dict[str, Any]]:
    """From an arm's base, at (x, y, z), to its first link."""
    if not arm.shapes or not arm.shapes[0]:
        return []
    up = float((arm.placements[0] @ arm.shapes[0][0].placement.matrix())[2, 3])
    place = {"length": up, "position": [x, y, z + 0.5 * up]}
    return [{"kind": "cylinder", "radius": 0.055, **place, "look": "metal", "color": DARK}] if up > 0 else []


def _platform(mount: str) -> list[dict[str, Any]]:
    """In its own frame: the box, the arm's foot, and what it floats on."""
    box = {"kind": "box", **BOX, "look": "paint", "color": DARK}
    plate = {"kind": "box", "size": [0.6, 0.4, 0.03], "position": [-0.05, 0.0, 0.09], "look": "metal", "color": STEEL}
    feet: list[tuple[float, float]] = [(-0.45, -0.17), (-0.45, 0.17), (0.2, -0.17), (0.2, 0.17)]
    pads = [
        {"kind": "cylinder", "radius": 0.06, "length": 0.05, "position": [x, y, UNDER - 0.025], "look": "metal",
         "color": BRASS}
        for x, y in feet
    ]  # fmt: skip
    legs = [
        {"kind": "box", "size": [0.04, 0.04, 0.255], "position": [x, y, -0.0475], "look": "metal", "color": STEEL}
        for x, y in feet
        if x > 0
    ]
    return [box, plate, *(legs + pads if mount == "planar" else [])]


def _under(mount: str, x: float, y: float, forward: float) -> list[dict[str, Any]]:
    """What stands under the servicer at (x, y); its arm looks along x times `forward`."""
    if mount == "fixed":
        return [_column(x, y, 0.0, 0.09)]
    if mount == "planar":
        size, middle = [1.5, 1.2, 0.3], [x - 0.1 * forward, y, UNDER - 0.05 - 0.15]
        legs = [_column(middle[0] + dx, middle[1] + dy, middle[2], 0.05) for dx in (-0.6, 0.6) for dy in (-0.45, 0.45)]
        return [{"kind": "box", "size": size, "position": middle, "look": "floor", "color": STONE}, *legs]
    if mount == "spherical":
        ball = {"kind": "sphere", "radius": 0.09, "position": [x, y, 0.0], "look": "metal", "color": BRASS}
        return [_column(x, y, 0.0, 0.06), ball]
    foot = {"kind": "cylinder", "radius": 0.3, "length": 0.12, "position": [x, y, FLOOR + 0.06]}
    return [{**foot, "look": "metal", "color": STEEL}, _column(x, y, UNDER, 0.05)]


def annotations(laboratory: Laboratory) -> dict[str, Any]:
    """Of the replay."""
    first = SERVICER + (laboratory.servicer.links[0] if laboratory.mount == "fixed" else PLATFORM)
    x, y, _ = laboratory.servicer_place(laboratory.mount).position
    floor = {"kind": "box", "size": [3.0, 1.8, 0.04], "position": [0.5 * x, 0.5 * y, FLOOR - 0.02], "look": "floor"}
    arm, client = laboratory.servicer, [_column(0.0, 0.0, 0.0, 0.09), *_neck(laboratory.client, 0.0, 0.0, 0.0)]
    shown = {"world": [floor, *client, *_under(laboratory.mount, x, y, float(np.sign(-x)))]}
    if laboratory.mount == "fixed":
        shown["world"] += _neck(arm, x, y, 0.0)
    else:
        shown[first] = [*_platform(laboratory.mount), *_neck(arm, *laboratory.platform.mount[:3, 3].tolist())]
    return {"visuals": shown, "views": {"chaser": first, "target": MOCKUP}}
