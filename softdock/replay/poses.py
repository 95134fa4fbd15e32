"""Where every body is in every row of a recording."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from softdock.dynamics import Dynamics
from softdock.runs.recorder import RunFolderError
from softdock.runs.recording import Run
from softdock.spatial import matrix_of_vector, quaternion_of_matrix, upward
from softdock.world import Body, Mode, Prismatic, Revolute, World
from softdock.world.files import WorldFileError, blaming

TOGETHER = 500_000
"""Poses that are computed in one go: 50 MB."""


@dataclass(frozen=True)
class Poses:
    """Times (n) and, by body, positions (n, 3) and continuous quaternions w x y z (n, 4) in the world frame."""

    t: np.ndarray
    position: Mapping[str, np.ndarray]
    quaternion: Mapping[str, np.ndarray]


def dynamics_of(run: Run) -> Dynamics:
    """The recorded world, compiled; RunFolderError if the recording does not describe one."""
    where = f"{run.path / 'scenario.toml'}: world"
    try:
        with blaming(where, run.scenario.get("world", {})):
            world = World.model_validate(run.scenario.get("world", {}))
        return Dynamics(world)
    except WorldFileError as error:
        raise RunFolderError(str(error)) from None
    except ValueError as error:
        raise RunFolderError(f"{where}: {error}") from None


def poses_of(run: Run, dynamics: Dynamics, most: int, exaggerate: float = 1.0) -> Poses:
    """Poses in at most `most` rows: every k-th of the recording, and the last; with what springs give way by
    (revolute and prismatic, without a servo), and modes, so many times as large. A body with modes is where they move
    it on average, its pieces where their mode shapes have them."""
    labels = [f"q.{name}" for name in dynamics.layout.names()[0]]
    states = run.states
    missing = [label for label in ("t", *labels) if label not in states]
    if missing:
        raise RunFolderError(
            f"{run.path}: states.parquet has no column {missing[0]!r}: it belongs to another world than scenario.toml"
        )
    rows = thinned(len(states["t"]), most)
    q = np.stack([states[label][rows] for label in labels], axis=-1)
    if not np.issubdtype(q.dtype, np.number):
        raise RunFolderError(f"{run.path}: states.parquet holds something else than numbers")
    if not np.all(np.isfinite(q)):
        raise RunFolderError(f"{run.path}: states.parquet holds numbers that are not finite")
    if exaggerate != 1.0:
        for at, rest in _sprung(dynamics):
            q[:, at] = rest + exaggerate * (q[:, at] - rest)
    position, quaternion = {}, {}
    moved = _moved(dynamics, q)
    bodies = dynamics.world.bodies
    together = max(1, TOGETHER // max(len(q), 1))
    for body, pose in _posed(dynamics, bodies, q, together):
        R, p = pose
        if body.name in moved:
            parent, by = moved[body.name]
            R_WP = dynamics.pose(parent, q)[0]
            turn = np.stack([matrix_of_vector(one) for one in by[:, 3:]])
            p, R = p + np.einsum("nij,nj->ni", R_WP, by[:, :3]), R_WP @ turn @ R_WP.swapaxes(1, 2) @ R
        position[body.name] = p
        quaternion[body.name] = continuous(upward(quaternion_of_matrix(R)))
    return Poses(states["t"][rows], position, quaternion)


def _posed(
    dynamics: Dynamics, bodies: Sequence[Body], q: np.ndarray, together: int
) -> Iterator[tuple[Body, tuple[np.ndarray, np.ndarray]]]:
    """Bodies and their poses, so many in one go: each go places the whole world."""
    for k in range(0, len(bodies), together):
        some = bodies[k : k + together]
        yield from zip(some, dynamics.poses([body.name for body in some], q), strict=True)


def _moved(dynamics: Dynamics, q: np.ndarray) -> dict[str, tuple[str, np.ndarray]]:
    """Bodies that modes move: whose modes, and by how much (n, 6) along and about the axes of that body."""
    world, found = dynamics.world, dict[str, tuple[str, np.ndarray]]()
    for body in world.bodies:
        if not isinstance(body.joint, Mode):
            continue
        parent, at = world.body(body.parent), body.placement
        R = np.kron(np.eye(2), at.rotation)
        screw = R @ np.concatenate([body.joint.linear, body.joint.angular])
        screw[3:] += np.cross(at.position, screw[:3])
        by = {parent.name: np.linalg.lstsq(_about_origin(parent), screw, rcond=1e-12)[0]}
        by |= {name: np.array(column) for name, column in body.joint.moves.items()}
        for name, column in by.items():
            so_far = found.get(name, (parent.name, 0.0))[1]
            found[name] = parent.name, so_far + q[:, dynamics.layout.q[body.name]] * column
    return found


def _about_origin(body: Body) -> np.ndarray:
    """The 6 × 6 mass matrix of a body about its origin, along its axes first."""
    m, (x, y, z) = body.mass, body.center
    C = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.block([[m * np.eye(3), -m * C], [m * C, np.array(body.inertia) - m * C @ C]])


def _sprung(dynamics: Dynamics) -> list[tuple[int, float]]:
    """Coordinates of modes and of joints that springs alone hold, and where they rest."""
    modes = [body.name for body in dynamics.world.bodies if isinstance(body.joint, Mode)]
    joints = [(body.name, body.joint) for body in dynamics.world.bodies if isinstance(body.joint, Revolute | Prismatic)]
    return [(dynamics.layout.q[name].start, 0.0) for name in modes] + [
        (dynamics.layout.q[name].start, joint.spring.rest[0])
        for name, joint in joints
        if joint.spring and any(joint.spring.stiffness) and not joint.servo
    ]


def thinned(count: int, most: int) -> np.ndarray:
    """Indices of at most `most` + 1 of `count` rows: evenly spaced ones, and the last."""
    rows = np.arange(0, count, max(1, -(-count // most)))
    return rows if count == 0 or rows[-1] == count - 1 else np.append(rows, count - 1)


def continuous(q_wxyz: np.ndarray) -> np.ndarray:
    """The same rotations with signs chosen so that quaternions do not jump."""
    flips = np.einsum("ni,ni->n", q_wxyz[1:], q_wxyz[:-1]) < 0
    signs = np.where(np.cumsum(flips) % 2 == 1, -1.0, 1.0)
    return np.asarray(q_wxyz * np.concatenate([[1.0], signs])[: len(q_wxyz), None])
