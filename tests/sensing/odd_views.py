"""Views that determine a pose badly, or in several ways: what studies count and tests sample."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import trimesh
from scipy.spatial.transform import Rotation

from softdock.sensing import LaserCamera, Noise, Registration, Scan, Surface, raster, register, satellite
from softdock.world import Pose


def joined(*meshes: trimesh.Trimesh) -> Surface:
    return Surface(trimesh.util.concatenate(list(meshes)))


def box(size: tuple[float, float, float], at: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> trimesh.Trimesh:
    mesh = trimesh.creation.box(size)
    mesh.apply_translation(at)
    return mesh


def prism(sides: int, radius: float, height: float) -> trimesh.Trimesh:
    return trimesh.creation.cylinder(radius=radius, height=height, sections=sides)


def cylinder_with_bracket(facets: int = 64) -> Surface:
    return joined(prism(facets, 0.5, 1.2), box((0.2, 0.15, 0.3), (0.55, 0.0, 0.2)))


def ball_with_knob() -> Surface:
    return joined(trimesh.creation.icosphere(subdivisions=3, radius=0.5), box((0.12,) * 3, (0.5, 0.0, 0.0)))


SYMMETRIC: dict[str, Callable[[], Surface]] = {
    "cube with a knob": lambda: joined(box((1, 1, 1)), box((0.1, 0.1, 0.15), (0.3, 0.2, 0.52))),
    "hexagonal prism with a knob": lambda: joined(prism(6, 0.6, 0.8), box((0.1, 0.1, 0.12), (0.25, 0.1, 0.42))),
    "square slab with a knob": lambda: joined(box((1.2, 1.2, 0.3)), box((0.1, 0.2, 0.1), (0.3, 0.4, 0.18))),
    "cylinder with a bracket": cylinder_with_bracket,
}


class Odd(NamedTuple):
    """A kind of views."""

    surface: Callable[[], Surface]
    attitude: str = "any"
    """any; facing: +x within 60° of the camera; face-on: −z within 2° of it."""
    part: float = 1.0
    """Share of the points that is seen, around one of them."""


ODD = {
    "cylinder with a bracket in view": Odd(cylinder_with_bracket, "facing"),
    "ball with a knob in view": Odd(ball_with_knob, "facing"),
    "cube, face on": Odd(lambda: joined(box((1, 1, 1))), "face-on"),
    "plate, face on": Odd(lambda: joined(box((1.2, 0.8, 0.02))), "face-on"),
    "20 % of a cube": Odd(lambda: joined(box((1, 1, 1))), part=0.2),
    "20 % of a plate": Odd(lambda: joined(box((1.2, 0.8, 0.02))), part=0.2),
    "20 % of the cylinder": Odd(cylinder_with_bracket, part=0.2),
    "20 % of the satellite": Odd(satellite, part=0.2),
}


def attitude(kind: str, rng: np.random.Generator) -> np.ndarray:
    if kind == "face-on":
        way = rng.normal(size=2)
        tilt = np.radians(rng.uniform(0, 2)) * np.array([*way, 0.0]) / np.linalg.norm(way)
        return (Rotation.from_rotvec(tilt) * Rotation.from_rotvec([0, 0, rng.uniform(0, 2 * np.pi)])).as_matrix()
    while True:
        R = Rotation.random(random_state=int(rng.integers(1 << 31))).as_matrix()
        if kind == "any" or R[2, 0] < -0.5:
            return R


def seen(surface: Surface, R: np.ndarray, rng: np.random.Generator, points: int = 2000) -> tuple[Pose, Scan]:
    """A scan that just holds the target, from 2.5 to 4 m."""
    p = np.array([*rng.uniform(-0.1, 0.1, 2), rng.uniform(2.5, 4.0)])
    half = np.arctan(1.3 * surface.radius / np.linalg.norm(p))
    truth = Pose.of(R, p)
    scan = LaserCamera(surface, raster(90, 90, (2 * half, 2 * half)), Noise(0.002), rng=rng).scan(truth)
    return truth, scan.part(np.sort(rng.choice(len(scan), min(points, len(scan)), replace=False)))


def registered(odd: Odd, surface: Surface, seed: list[int]) -> tuple[Pose, Registration]:
    """From a guess 10° and 10 cm off; about the axis where that is one of near symmetry."""
    rng = np.random.default_rng(seed)
    truth, scan = seen(surface, attitude(odd.attitude, rng), rng)
    if odd.part < 1:
        away = np.linalg.norm(scan.points - scan.points[rng.integers(len(scan))], axis=1)
        scan = scan.part(np.sort(np.argsort(away)[: int(odd.part * len(scan))]))
    axis, way = (x / np.linalg.norm(x) for x in rng.normal(size=(2, 3)))
    if odd.surface is cylinder_with_bracket:
        axis = np.array([0.0, 0.0, rng.choice([-1.0, 1.0])])
    turned = truth.rotation @ Rotation.from_rotvec(np.radians(10) * axis).as_matrix()
    return truth, register(scan, surface, Pose.of(turned, np.array(truth.position) + 0.1 * way))


def error(truth: Pose, result: Registration) -> np.ndarray:
    turn = Rotation.from_matrix(result.pose.rotation.T @ truth.rotation).as_rotvec()
    return np.concatenate([turn, np.subtract(truth.position, result.pose.position)])


def nees(truth: Pose, result: Registration) -> float:
    e = error(truth, result)
    return float(e @ np.linalg.solve(result.covariance, e))
