"""Gaps of a recorded run by coal, and where its frames are, by kinematics of their own: from states.parquet
and the world in scenario.toml only."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import coal
import numpy as np
from scipy.spatial.transform import Rotation

QUATERNION = ("qw", "qx", "qy", "qz")


def _matrices(turns: Rotation, p: Any) -> np.ndarray:
    R = np.atleast_3d(turns.as_matrix())
    R = R.reshape(-1, 3, 3)
    X = np.tile(np.eye(4), (len(R), 1, 1))
    X[:, :3, :3], X[:, :3, 3] = R, p
    return X


def _placed(pose: Mapping[str, Any]) -> np.ndarray:
    return _matrices(Rotation.from_quat(pose["quaternion"], scalar_first=True), pose["position"])[0]


class Solid:
    """A shape for coal, with its place in its body and a ball about it."""

    def __init__(self, shape: Mapping[str, Any]) -> None:
        self.X, kind = _placed(shape["placement"]), shape["kind"]
        if kind == "box":
            self.form, self.ball = coal.Box(*shape["size"]), np.linalg.norm(shape["size"]) / 2
        elif kind == "capsule":
            self.form = coal.Capsule(shape["radius"], shape["length"])
            self.ball = shape["radius"] + shape["length"] / 2
        elif kind == "cylinder":
            self.form = coal.Cylinder(shape["radius"], shape["length"])
            self.ball = np.hypot(shape["radius"], shape["length"] / 2)
        elif kind == "sphere":
            self.form, self.ball = coal.Sphere(shape["radius"]), shape["radius"]
        else:
            corners = np.asarray(shape["vertices"], float)
            points = coal.StdVec_Vec3s()
            for corner in corners:
                points.append(corner)
            self.form = coal.Convex.convexHull(points, True, "Qt")
            self.ball = np.linalg.norm(corners, axis=1).max()


class Recorded:
    """A run as its files have it: the `world` of scenario.toml and the columns of states.parquet."""

    def __init__(self, world: Mapping[str, Any], states: Mapping[str, np.ndarray]) -> None:
        self._bodies = {body["name"]: body for body in world["bodies"]}
        self._frames = {frame["name"]: frame for frame in world["frames"]}
        self._states, self.t = states, np.asarray(states["t"])
        self._solids = {name: [Solid(shape) for shape in body["shapes"]] for name, body in self._bodies.items()}

    @classmethod
    def of(cls, dynamics: Any, rows: Any) -> "Recorded":
        """The same of a run that was not written."""
        labels, _ = dynamics.layout.names()
        states = {"t": rows.t} | {f"q.{label}": rows.q[:, k] for k, label in enumerate(labels)}
        return cls(dynamics.world.model_dump(mode="json"), states)

    def _moved(self, body: Mapping[str, Any]) -> np.ndarray:
        name, kind, states = body["name"], body["joint"]["kind"], self._states
        if kind == "free":
            turns = np.stack([states[f"q.{name}.{part}"] for part in QUATERNION], axis=1)
            at = np.stack([states[f"q.{name}.{axis}"] for axis in "xyz"], axis=1)
            return _matrices(Rotation.from_quat(turns, scalar_first=True), at)
        if kind == "fixed":
            return np.eye(4)[None]
        if kind == "planar":
            x, y, angle = (np.asarray(states[f"q.{name}.{part}"]) for part in ("x", "y", "angle"))
            return _matrices(Rotation.from_rotvec(angle[:, None] * (0, 0, 1)), np.stack([x, y, 0 * x], axis=1))
        by = np.asarray(states[f"q.{name}"])[:, None] * np.array(body["joint"]["axis"])
        if kind == "prismatic":
            return _matrices(Rotation.identity(len(by)), by)
        assert kind == "revolute", kind
        return _matrices(Rotation.from_rotvec(by), np.zeros(3))

    @cached_property
    def poses(self) -> dict[str, np.ndarray]:
        """(rows, 4, 4) of all bodies in the world."""
        found = {"world": np.tile(np.eye(4), (len(self.t), 1, 1))}
        for name, body in self._bodies.items():
            found[name] = found[body["parent"]] @ _placed(body["placement"]) @ self._moved(body)
        return found

    def frame(self, name: str) -> np.ndarray:
        """(rows, 4, 4) of a frame, or a body, in the world."""
        if name not in self._frames:
            return self.poses[name]
        return self.poses[self._frames[name]["body"]] @ _placed(self._frames[name]["placement"])

    def between(self, a: str, b: str, since: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """b in a at the last row before a time (4, 4); how far (m) and by what angle (rad) it is elsewhere than at the
        first row after it, at every row."""
        X = np.linalg.inv(self.frame(a)) @ self.frame(b)
        first = X[np.searchsorted(self.t, since, "right")]
        turned = Rotation.from_matrix(first[:3, :3].T @ X[:, :3, :3]).magnitude()
        return X[np.searchsorted(self.t, since) - 1], np.linalg.norm(X[:, :3, 3] - first[:3, 3], axis=1), turned

    def least(self, a: str, b: str, rows: np.ndarray) -> float:
        """The least gap of two bodies at rows (m). Coal is asked where balls about their shapes are near enough."""
        found, request = np.inf, coal.DistanceRequest(True, True)
        for one in self._solids[a]:
            for other in self._solids[b]:
                A, B = self.poses[a][rows] @ one.X, self.poses[b][rows] @ other.X
                low = np.linalg.norm(A[:, :3, 3] - B[:, :3, 3], axis=1) - one.ball - other.ball
                for k in np.argsort(low):
                    if low[k] >= found:
                        break
                    places = [coal.Transform3s(X[:3, :3], X[:3, 3]) for X in (A[k], B[k])]
                    result = coal.DistanceResult()
                    found = min(found, coal.distance(one.form, places[0], other.form, places[1], request, result))
        return found
