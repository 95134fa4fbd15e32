"""Runs to look at, made once: a docking with impacts and latches, a free flyer in orbit, and one with hostile names."""

import json
from pathlib import Path

import numpy as np
import pytest
from hostile_names import HOSTILE

from softdock.runs.recorder import Recorder
from softdock.scenarios import load
from softdock.scenarios.runner import Runner


def recorded(name: str, path: Path, *changes: str) -> Path:
    """A run directory of a scenario, without figures."""
    assert Runner(load(name, changes)).record(path).status == "done"
    return path


@pytest.fixture(scope="session")
def docking(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return recorded("iss-docking", tmp_path_factory.mktemp("runs") / "docking")


@pytest.fixture(scope="session")
def softer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The docking again, with softer impacts: it goes another way."""
    return recorded("iss-docking", tmp_path_factory.mktemp("runs") / "softer", "contact.restitution=0.3")


@pytest.fixture(scope="session")
def yielding(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The docking again, with side walls that give way."""
    return recorded("iss-docking", tmp_path_factory.mktemp("runs") / "yielding", "contact.style=compliant")


@pytest.fixture(scope="session")
def flyer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return recorded("free-flyer", tmp_path_factory.mktemp("runs") / "flyer", "run.duration=12.0")


@pytest.fixture(scope="session")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run whose bodies, frames and latches have names that no page should act upon, with all optional tracks."""
    folder = tmp_path_factory.mktemp("hostile")
    a, b, c, d = (json.dumps(name, ensure_ascii=False) for name in HOSTILE.values())
    scenario = folder / "hostile.toml"
    scenario.write_text(
        f"""
scenario = "world"
run = {{ h = 0.01, duration = 2.0 }}
latching = [{{ latch = {b}, time = 1.0, action = "release" }}]
[initial.{c}]
angular_velocity = [0.4, 0.3, 0.2]
[world]
name = {a}
[[world.bodies]]
name = {c}
mass = 10.0
inertia = [1.0, 2.0, 2.5]
shapes = [{{ kind = "cylinder", radius = 0.4, length = 1.0 }}]
[[world.bodies]]
name = {a}
parent = {c}
mass = 2.0
center = [0.0, 0.0, 0.5]
inertia = [0.1, 0.1, 0.02]
joint = {{ kind = "revolute", axis = [0.0, 1.0, 0.0] }}
[[world.bodies.shapes]]
kind = "mesh"
vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
triangles = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]
[[world.frames]]
name = {d}
body = {c}
[[world.latches]]
name = {b}
kind = "weld"
frame_a = {d}
frame_b = {a}
engaged = true
""",
        encoding="utf-8",
    )
    run = recorded(str(scenario), folder / "a 'run' & <more>")
    _optional_tracks(run, HOSTILE["script"])
    return run


def _optional_tracks(run: Path, body: str) -> None:
    """A camera that is blind for a while, scans, and an estimate with bounds (docs/replay.md)."""
    t = np.linspace(0.0, 2.0, 21)
    still = {"qw": np.ones(21), "qx": np.zeros(21), "qy": np.zeros(21), "qz": np.zeros(21)}
    pose = {"x": 0.1 * t, "y": 0 * t, "z": -2 + 0 * t, **still}
    table = {"t": (t, "s")} | {name: (values, "m") for name, values in pose.items()}
    extra = run.parent / "extra"
    with Recorder(extra, "") as recorder:
        recorder.append("camera", table | {"occluded": ((t > 0.5) & (t < 1.0), "1")})
        sigma = {f"sigma_{axis}": (0.1 + 0 * t, "m") for axis in "xyz"}
        errors = {"error.x": (np.sin(t), "mm"), "bound.x": (1.5 + 0 * t, "mm")}
        recorder.append("estimates", table | sigma | errors)
        scan = np.random.default_rng(1).normal(size=(210, 3))
        recorder.append("scan", {"t": (t.repeat(10), "s")} | {a: (scan[:, k], "m") for k, a in enumerate("xyz")})
    for file in extra.glob("*.parquet"):
        file.rename(run / file.name)
    notes = {"camera": {"fov": [0.5, 0.4], "range": 2.5}, "estimate": {"body": body}}
    (run / "replay.json").write_text(json.dumps(notes), encoding="utf-8")
