"""The file of 'capture' for one's own arm and target, to start from: `softdock new capture --arm … --target …`."""

import json
import math
import re
from pathlib import Path

import numpy as np

from softdock.scenarios.capture.own import mounted
from softdock.sensing.mesh import MeshError, check, load
from softdock.world import Pose

REACH = 2.75
"""Of the built-in arm (m), to which another is scaled."""
STAND = 0.07
"""Of the bar off the mesh (m)."""
AHEAD = (0.0, math.pi / 2, 0.0)
"""Roll, pitch, yaw of an arm's base whose z, the axis of its first joint on most robots, is to point ahead."""


def text_with(text: str, arm: str = "", target: str = "") -> str:
    """The TOML text with the arm of a URDF file, scaled to reach the target, and a target of a mesh file: its mass
    centre and moments of inertia of an even density, a bar off the middle of its side towards −x. ValueError if either
    is not what it should be."""
    if arm:
        found = mounted(arm, "", 1.0, Pose(), "chaser")
        steps = [body.placement.position for body in found.bodies if body.name in found.joints]
        reach = sum(math.hypot(*step) for step in steps) + 0.1
        scale = round(min(max(REACH / reach, 0.1), 10.0), 2)
        text = _set(text, "urdf", json.dumps(arm))
        text = _set(_set(text, "mount", list(AHEAD)), "scale", scale)
    if target:
        text = _with_target(text, target)
    return text


def _with_target(text: str, target: str) -> str:
    try:
        mesh = load(Path(target))
        check(target, np.asarray(mesh.vertices, float), np.asarray(mesh.faces))
    except (MeshError, OSError) as error:
        raise ValueError(f"target.mesh: {error}") from None
    mass = float(re.search(r"^\[target\]\nmass = ([\d.]+)", text, re.MULTILINE).group(1))  # type: ignore[union-attr]
    center = np.asarray(mesh.center_mass, float)
    inertia = mass / float(mesh.volume) * np.asarray(mesh.moment_inertia, float)
    low = np.asarray(mesh.bounds, float)[0]
    handle = [float(low[0]) - STAND, float(center[1]), float(center[2])]
    text = _set(text, "mesh", json.dumps(target))
    even = [[round(x / 2, 6) for x in row] for row in (inertia + inertia.T).tolist()]
    text = _set(text, "inertia", even, after="target")
    return _set(_set(text, "center", [round(x, 6) for x in center.tolist()]), "handle", [round(x, 6) for x in handle])


def _set(text: str, key: str, value: object, after: str = "") -> str:
    """The text with another value of a key, the first of that name after a table's head."""
    start = text.index(f"\n[{after}]") if after else 0
    line = re.compile(rf"^{key} = [^#\n]*", re.MULTILINE)
    return text[:start] + line.sub(lambda _: f"{key} = {value} ", text[start:], count=1)
