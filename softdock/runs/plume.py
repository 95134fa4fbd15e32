"""What plumes do to other spacecraft, by a simple model (docs/thrusters.md).

The exhaust's momentum, as much a second as the thrust, is spread evenly over the cross-section of a cone: at a distance
d behind the nozzle a surface that faces it feels the pressure p = F/(π d² tan²θ). Every element of area A and outward
normal n within the cone takes up what arrives, p A |n·u| along the flow u; nothing is in another's shadow, and no body
feels more than the thrust.
"""

from typing import Any, NamedTuple

import numpy as np

from softdock.dynamics import Dynamics
from softdock.spatial import matrix_of_quaternion
from softdock.world import WORLD, Body, Free

SIZE, MOST, ALONG = 0.15, 4000, 64
"""Longest edge of a surface element (m); longer where a surface has more than so many such squares, or is longer than
so many such edges."""


class Blown(NamedTuple):
    """A plume on a body: force in W (N), moment about its origin in its axes (N m)."""

    t: float
    thruster: str
    body: str
    v: int
    """Where its velocities begin."""
    force: np.ndarray
    moment: np.ndarray
    seconds: float = 0.0
    """For how long (s)."""


class Elements(NamedTuple):
    """The surface of a free body, in its frame."""

    body: str
    q: int
    v: int
    points: np.ndarray
    normals: np.ndarray
    areas: np.ndarray
    radius: float
    """About its origin (m)."""


class Plumes:
    """The plumes of a world's thrusters, and the free bodies that they may hit: all but the thruster's own."""

    def __init__(self, dynamics: Dynamics) -> None:
        world, layout = dynamics.world, dynamics.layout
        self._of = [(k, thruster) for k, thruster in enumerate(world.thrusters) if thruster.plume]
        own = {thruster.body for _, thruster in self._of}
        free = [body for body in world.bodies if body.parent == WORLD and isinstance(body.joint, Free) and body.shapes]
        free = [body for body in free if own - {body.name}]
        self._bodies = (
            [_elements(body, layout.q[body.name].start, layout.v[body.name].start) for body in free] if self._of else []
        )
        self._q = {thruster.body: layout.q[thruster.body].start for _, thruster in self._of}

    def blown(self, now: float, q: np.ndarray, thrust: np.ndarray) -> list[Blown]:
        """What is felt now, if each thruster pushes so much (N)."""
        found = []
        for k, thruster in self._of:
            if thrust[k] <= 0 or not self._bodies:
                continue
            at = self._q[thruster.body]
            R = matrix_of_quaternion(q[at + 3 : at + 7])
            nozzle, flow = q[at : at + 3] + R @ np.array(thruster.position), -R @ thruster.along
            assert thruster.plume
            for body in self._bodies:
                if body.body != thruster.body:
                    felt = _felt(body, q, nozzle, flow, thruster.plume.half_angle, thruster.plume.reach, thrust[k])
                    if felt is not None:
                        found.append(Blown(now, thruster.name, body.body, body.v, *felt))
        return found


def _felt(
    body: Elements, q: np.ndarray, nozzle: np.ndarray, flow: np.ndarray, half: float, reach: float, thrust: float
) -> tuple[np.ndarray, np.ndarray] | None:
    to = q[body.q : body.q + 3] - nozzle
    along = float(to @ flow)
    if along < -body.radius or along > reach + body.radius:
        return None
    aside = np.sqrt(max(float(to @ to) - along**2, 0.0))
    if aside * np.cos(half) - along * np.sin(half) > body.radius:  # its sphere is outside of the cone
        return None
    R = matrix_of_quaternion(q[body.q + 3 : body.q + 7])
    u, start = R.T @ flow, R.T @ to  # in the body's frame
    offset = body.points + start
    depth = offset @ u
    off = np.linalg.norm(offset - depth[:, None] * u, axis=1)
    facing = -(body.normals @ u)
    hit = (depth > 1e-3) & (depth < reach) & (off < depth * np.tan(half)) & (facing > 0)
    if not hit.any():
        return None
    pushes = thrust / (np.pi * (depth[hit] * np.tan(half)) ** 2) * body.areas[hit] * facing[hit]
    pushes *= min(1.0, thrust / pushes.sum())
    moment = np.cross((pushes[:, None] * body.points[hit]).sum(axis=0), u)
    return pushes.sum() * flow, moment


def _elements(body: Body, q: int, v: int) -> Elements:
    import trimesh

    from softdock.sensing.mesh import mesh_of  # with the whole of sensing, and few worlds have thrusters

    mesh: Any = trimesh.util.concatenate([mesh_of(shape) for shape in body.shapes])
    size = max(SIZE, float(np.sqrt(mesh.area / MOST)), float(np.ptp(mesh.vertices, axis=0).max()) / ALONG)
    remesh: Any = trimesh.remesh
    vertices, faces = remesh.subdivide_to_size(mesh.vertices, mesh.faces, size, max_iter=20)
    fine = trimesh.Trimesh(vertices, faces, process=False)
    radius = float(np.linalg.norm(vertices, axis=1).max())
    return Elements(body.name, q, v, fine.triangles_center, fine.face_normals, fine.area_faces, radius)
