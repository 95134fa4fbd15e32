"""Gaps of a recorded run by coal and kinematics of its own: from states.parquet and the world in scenario.toml only."""

from typing import Any

import coal
import numpy as np
from scipy.spatial.transform import Rotation

from softdock.runs.recording import Run

QUATERNION = ("qw", "qx", "qy", "qz")


def _matrix(R: Any, p: Any) -> np.ndarray:
    X = np.eye(4)
    X[:3, :3], X[:3, 3] = R, p
    return X


def _placed(pose: dict[str, Any]) -> np.ndarray:
    w, x, y, z = pose["quaternion"]
    return _matrix(Rotation.from_quat([x, y, z, w]).as_matrix(), pose["position"])


def _joint(body: dict[str, Any], states: Any, row: int) -> np.ndarray:
    name, kind = body["name"], body["joint"]["kind"]
    if kind == "free":
        w, x, y, z = (states[f"q.{name}.{part}"][row] for part in QUATERNION)
        at = [states[f"q.{name}.{axis}"][row] for axis in "xyz"]
        return _matrix(Rotation.from_quat([x, y, z, w]).as_matrix(), at)
    if kind == "fixed":
        return np.eye(4)
    turn = states[f"q.{name}"][row] * np.array(body["joint"]["axis"])
    if kind == "prismatic":
        return _matrix(np.eye(3), turn)
    assert kind == "revolute"
    return _matrix(Rotation.from_rotvec(turn).as_matrix(), np.zeros(3))


def poses(run: Run, row: int) -> dict[str, np.ndarray]:
    """Of all bodies in the world, at a recorded row."""
    found = {"world": np.eye(4)}
    for body in run.scenario["world"]["bodies"]:
        moved = _joint(body, run.states, row)
        found[body["name"]] = found[body["parent"]] @ _placed(body["placement"]) @ moved
    return found


def _solid(shape: dict[str, Any]) -> Any:
    if shape["kind"] == "box":
        return coal.Box(*shape["size"])
    assert shape["kind"] == "capsule"
    return coal.Capsule(shape["radius"], shape["length"])


def least_gaps(run: Run, pairs: list[tuple[str, str]], rows: np.ndarray) -> np.ndarray:
    """(rows, pairs): the least gap of the shapes of each pair of bodies (m)."""
    bodies = {body["name"]: body for body in run.scenario["world"]["bodies"]}
    solids = {
        name: [(_solid(shape), _placed(shape["placement"])) for shape in body["shapes"]]
        for name, body in bodies.items()
    }
    request, gaps = coal.DistanceRequest(True, True), np.full((len(rows), len(pairs)), np.inf)
    for i, row in enumerate(rows):
        X = poses(run, int(row))
        for k, (a, b) in enumerate(pairs):
            for solid_a, X_a in solids[a]:
                for solid_b, X_b in solids[b]:
                    result = coal.DistanceResult()
                    A, B = X[a] @ X_a, X[b] @ X_b
                    places = [coal.Transform3s(Y[:3, :3], Y[:3, 3]) for Y in (A, B)]
                    gap = coal.distance(solid_a, places[0], solid_b, places[1], request, result)
                    gaps[i, k] = min(gaps[i, k], gap)
    return gaps
