"""Sawyer, the arm of Korczyk et al., from two public descriptions that do not agree."""

import json
import math
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
from pydantic import TypeAdapter

from softdock.arm.inertial import Inertial
from softdock.arm.serial import SerialArm
from softdock.world import Pose
from softdock.world.shapes import Shape

Parameters = Literal["urdf", "mjcf"]
_ANGLES = {"pi/2": math.pi / 2, "-pi/2": -math.pi / 2}


def sawyer(parameters: Parameters = "urdf") -> SerialArm:
    """The seven joints from base link to wrist, home pose (q = 0) stretched out along x, under Earth's gravity.

    `parameters` says whose figures: "urdf" (the default) or "mjcf"; sawyer.json names the sources. They differ in
    masses, centres and inertias of right_l2 to right_l5 and in the joints' limits. The tool frame is the last link's.
    Torques and speeds of the motors are the URDF's in both; shapes are those that its makers put around its meshes.
    """
    if parameters not in get_args(Parameters):
        raise ValueError(f"parameters must be 'urdf' or 'mjcf', not {parameters!r}")
    data = json.loads((Path(__file__).parent / "sawyer.json").read_text(encoding="utf-8"))
    rows = data[parameters]["links"]
    return SerialArm(
        placements=np.array([_placement(row) for row in rows]),
        axes=np.tile([0.0, 0.0, 1.0], (7, 1)),
        prismatic=np.zeros(7, dtype=bool),
        inertials=tuple(_inertial(row) for row in rows),
        lower=np.array([row["limits"][0] for row in rows]),
        upper=np.array([row["limits"][1] for row in rows]),
        effort=np.array([row["effort"] for row in data["urdf"]["links"]]),
        speed=np.array([row["speed"] for row in data["urdf"]["links"]]),
        shapes=tuple(TypeAdapter(tuple[Shape, ...]).validate_python(row) for row in data["shapes"]["links"]),
        name="sawyer",
        links=tuple(data["links"]),
    )


def _placement(row: dict[str, Any]) -> np.ndarray:
    if "rpy" in row:
        turn = {"rpy": [_ANGLES.get(angle, angle) for angle in row["rpy"]]}
    else:
        turn = {"quaternion": row["quaternion"]}
    return Pose.model_validate({"position": row["origin"], **turn}).matrix()


def _inertial(row: dict[str, Any]) -> Inertial:
    xx, yy, zz, xy, xz, yz = row["inertia"]
    return Inertial(row["mass"], np.array(row["center"]), np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]))
