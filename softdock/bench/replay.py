"""How large a replay page is and how long it takes to make: 20 bodies, 6,000 frames."""

import tempfile
import time
from pathlib import Path

import numpy as np

from softdock import replay
from softdock.bench.rows import Limit, Result, Row, Say
from softdock.dynamics import Dynamics, Trajectory
from softdock.runs.forces import actuator_columns
from softdock.runs.ledger import state_columns
from softdock.runs.recorder import Recorder
from softdock.runs.recording import Run, read_run
from softdock.scenarios.scenario import RunSettings, Scenario
from softdock.world import Body, Box, Free, Layout, Orbit, Pose, Revolute, World
from softdock.world.describe import Matrix3

BODIES, FRAMES = 20, 6_000
LIMITS = {"seconds": 1.0, "megabytes": 3.0}


def run(say: Say) -> Result:
    """At most 1 s and 3 MB."""
    say(f"replay: a page of {BODIES} bodies in {FRAMES} frames")
    with tempfile.TemporaryDirectory() as place:
        recorded, dynamics = many_bodies(Path(place) / "run")
        replay.make(recorded, dynamics)
        best = min(_seconds(recorded, dynamics) for _ in range(3))
        size = (recorded.path / "replay.html").stat().st_size / 1e6
    what = f"replay of {BODIES} bodies, {FRAMES} frames"
    return Result(
        [Row(what, "softdock", "page", total_ms=1e3 * best)],
        [Limit(f"{what}: seconds", best, LIMITS["seconds"]), Limit(f"{what}: MB", size, LIMITS["megabytes"])],
    )


def _seconds(recorded: Run, dynamics: Dynamics) -> float:
    before = time.thread_time()
    replay.make(recorded, dynamics)
    return time.thread_time() - before


def many_bodies(path: Path) -> tuple[Run, Dynamics]:
    """A recorded run of a free body with 19 links in orbit, every joint turning all the time and the base tumbling."""
    link = Box(size=(0.4, 0.1, 0.1), placement=Pose(position=(0.25, 0.0, 0.0)))
    bodies = [
        Body(name="chaser", joint=Free(), mass=300.0, inertia=_moments(50, 60, 70), shapes=(Box(size=(1, 1, 1)),))
    ]
    for k in range(1, BODIES):
        joint = Revolute(axis=(0, 0, 1) if k % 2 else (0, 1, 0))
        placement = Pose(position=(0.5, 0.0, 0.0))
        bodies.append(
            Body(name=f"link{k}", parent=bodies[-1].name, joint=joint, placement=placement, mass=5.0,
                 center=(0.25, 0.0, 0.0), inertia=_moments(0.1, 0.2, 0.2), shapes=(link,))
        )  # fmt: skip
    world = World(name="many", gravity=Orbit(semi_major_axis=6.8e6), bodies=tuple(bodies))
    layout, t = Layout(world), 0.01 * np.arange(FRAMES)
    return _recorded(path, world, t, _motion(layout, t), _torques(layout, t))


def drifting_boxes(path: Path, count: int) -> tuple[Run, Dynamics]:
    """A recorded run of free boxes in orbit, each on its own way and turning about an axis of its own."""
    box, rng = Box(size=(0.5, 0.4, 0.3)), np.random.default_rng(1)
    bodies = [Body(name=f"box{k}", mass=1.0, inertia=_moments(0.1, 0.1, 0.1), shapes=(box,)) for k in range(count)]
    world = World(name="boxes", gravity=Orbit(semi_major_axis=6.8e6), bodies=tuple(bodies))
    layout, t = Layout(world), 0.01 * np.arange(FRAMES)
    q = np.tile(layout.neutral(), (FRAMES, 1))
    for k in range(count):
        axis, angle = rng.normal(size=3), 0.5 * rng.uniform(0.1, 1.0) * t
        q[:, 7 * k : 7 * k + 3] = rng.uniform(-5, 5, 3) + np.outer(t, 0.1 * rng.normal(size=3))
        q[:, 7 * k + 3] = np.cos(angle)
        q[:, 7 * k + 4 : 7 * k + 7] = np.outer(np.sin(angle), axis / np.linalg.norm(axis))
    return _recorded(path, world, t, (q, np.zeros((FRAMES, layout.nv))))


def _recorded(
    path: Path, world: World, t: np.ndarray, motion: tuple[np.ndarray, np.ndarray], torques: np.ndarray | None = None
) -> tuple[Run, Dynamics]:
    scenario = Scenario(scenario="world", run=RunSettings(h=0.01, duration=60.0), world=world)
    dynamics, rows = Dynamics(world), Trajectory(t, *motion, np.zeros((len(t), 0)))
    with Recorder(path, scenario.resolved()) as recorder:
        recorder.append("states", state_columns(dynamics, rows))
        if torques is not None:
            recorder.append("forces", actuator_columns(dynamics, rows, torques))
        recorder.write_metrics({"scenario": "world", "status": "done"})
    return read_run(path), dynamics


def _moments(x: float, y: float, z: float) -> Matrix3:
    return (x, 0.0, 0.0), (0.0, y, 0.0), (0.0, 0.0, z)


def _motion(layout: Layout, t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """q and v of a tumbling base that drifts, and joints that swing at different rates."""
    q, v = np.tile(layout.neutral(), (len(t), 1)), np.zeros((len(t), layout.nv))
    angle, axis = 0.2 * t, np.array([0.48, 0.6, 0.64])
    q[:, 3], q[:, 4:7] = np.cos(angle / 2), np.sin(angle / 2)[:, None] * axis
    q[:, :3] = 0.02 * np.outer(t, [1.0, -0.5, 0.2])
    rates = 0.3 + 0.05 * np.arange(layout.nq - 7)
    q[:, 7:] = 0.4 * np.sin(np.outer(t, rates))
    v[:, 6:] = 0.4 * rates * np.cos(np.outer(t, rates))
    return q, v


def _torques(layout: Layout, t: np.ndarray) -> np.ndarray:
    """Commands (N m) of the joints, as different as their motions."""
    commands = np.zeros((len(t), layout.nv))
    commands[:, 6:] = 2.0 * np.sin(np.outer(t, 0.5 + 0.07 * np.arange(layout.nv - 6)))
    return commands
