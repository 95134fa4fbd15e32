"""One self-contained HTML file of one run, or of two laid over each other."""

import warnings
from pathlib import Path
from typing import Any

import numpy as np

from softdock.dynamics import Dynamics
from softdock.replay import scene
from softdock.replay.contacts import contacts_of, touches
from softdock.replay.document import document, inert, put
from softdock.replay.extras import extras_of, notes_of
from softdock.replay.lab import surroundings
from softdock.replay.picture import picture
from softdock.replay.plots import plots_of
from softdock.replay.poses import Poses, dynamics_of, poses_of
from softdock.replay.pushes import loads_of, thrusters_of
from softdock.replay.tracks import POSITION_STEP, QUATERNION_STEP, TIME_STEP, Tracks
from softdock.runs.measures import COMPUTING, measure_of, shown
from softdock.runs.recorder import RunFolderError, finite
from softdock.runs.recording import Run
from softdock.world import WORLD, Uniform, World

FORMAT = 1
"""Of the data in a page, for scripts that read it."""
MOST_OWN = 2_200_000
"""Characters of a run's own data with which a page stays below 3 MB: of larger ones, visual meshes are left out, then
rows."""
MOST_NAMES = 8
"""So many bodies have their names beside them; of more, only chaser and target."""
MOST_FRAMES = 12_000
"""A page shows at most so many rows of a recording, evenly chosen."""
MOST_POSES = 500_000
"""Rows times bodies: of many bodies, fewer rows are shown, and as few as keep the page small."""


def replay_data(run: Run, dynamics: Dynamics | None = None, exaggerate: float = 1.0) -> tuple[dict[str, Any], str, str]:
    """What the page shows, as JSON's data; its tracks as text; and a still picture (SVG). What springs give way by is
    drawn `exaggerate` times as large, and the page's title says so."""
    dynamics, notes = dynamics or dynamics_of(run), notes_of(run)
    rows = max(2, min(MOST_FRAMES, MOST_POSES // len(dynamics.world.bodies)))
    shown = _replay_data(run, dynamics, notes, rows, exaggerate)
    visuals = notes["visuals"]
    plain = {name: shapes for name, shapes in visuals.items() if not _has_mesh(shapes)}
    if _size(shown) > MOST_OWN and len(plain) < len(visuals):
        warnings.warn(f"{run.path}: its page would be too large; it is drawn without visual meshes", stacklevel=2)
        notes = notes | {"visuals": plain}
        shown = _replay_data(run, dynamics, notes, rows, exaggerate)
    rows = min(rows, len(run.states["t"]))
    while rows > 2 and (over := _size(shown) - MOST_OWN) > 0:
        rows = max(2, int(rows * (1.0 - min(0.9, 1.3 * over / len(shown[1])))))
        shown = _replay_data(run, dynamics, notes, rows, exaggerate)
    return shown


def _size(shown: tuple[dict[str, Any], str, str]) -> int:
    return len(inert(shown[0])) + len(shown[1]) + len(shown[2])


def _has_mesh(shapes: Any) -> bool:
    return isinstance(shapes, list) and any(isinstance(x, dict) and x.get("kind") == "mesh" for x in shapes)


def _replay_data(
    run: Run, dynamics: Dynamics, notes: dict[str, Any], rows: int, exaggerate: float
) -> tuple[dict[str, Any], str, str]:
    world, tracks = dynamics.world, Tracks()
    poses = poses_of(run, dynamics, rows, exaggerate)
    engaged = [latch.name for latch in world.latches if latch.engaged]
    scaled = f" (deflections × {exaggerate:g})" if exaggerate != 1.0 else ""
    if len(poses.t) == 0:
        raise RunFolderError(f"{run.path}: nothing was recorded before the run ended")
    try:
        happened = scene.events(run.events, run.scenario.get("world"))
        data = {
            "format": FORMAT,
            "name": str(run.scenario.get("scenario", "")) + scaled,
            "run": run.path.resolve().name,
            "status": run.metrics.get("status", "unfinished"),
            "t": tracks.add(poses.t, TIME_STEP),
            "bodies": scene.bodies(world, tracks, _drawn(world, poses, notes)),
            "sun": notes.get("sun", {}).get("direction"),
            "lab": isinstance(world.gravity, Uniform),
            "frames": scene.frames(world),
            "latches": scene.latches(world),
            "engaged": engaged,
            "orbit": scene.orbit(dynamics, poses.t),
            "events": sorted([*happened, *touches(run)], key=lambda event: float(event["time"])),
            "phases": scene.phases(run.events, float(poses.t[-1]), engaged, run.metrics.get("phases")),
            "plots": plots_of(run, dynamics, poses, tracks),
            "contacts": contacts_of(run, poses.t, tracks),
            "thrusters": thrusters_of(run, world, tracks),
            "loads": loads_of(run, world, tracks),
            "extras": extras_of(run, world, poses, notes, tracks),
            "views": _views(world, notes.get("views", {}), run),
            "metrics": [_metric(run, name, value) for name, value in own_first(run.metrics)],
            "scenario": (run.path / "scenario.toml").read_text(encoding="utf-8"),
        }
        many = sum(body.get("main", False) for body in data["bodies"]) > MOST_NAMES
        main = {data["views"]["chaser"], data["views"]["target"]}
        for body in data["bodies"]:
            body["main"] = body.get("main", False) and (not many or body["name"] in main)
            body["trail"] = body.get("trail", False) and (not many or body["parent"] != WORLD or body["name"] in main)
            position, quaternion = poses.position.get(body["name"]), poses.quaternion.get(body["name"])
            if position is None or quaternion is None:  # of the world itself
                position, quaternion = np.zeros((len(poses.t), 3)), np.tile([1.0, 0.0, 0.0, 0.0], (len(poses.t), 1))
            body["p"] = [tracks.add(column, POSITION_STEP) for column in position.T]
            body["q"] = [tracks.add(column, QUATERNION_STEP) for column in quaternion.T]
    except RunFolderError:
        raise
    except Exception as error:  # the directory may be anybody's
        raise RunFolderError(f"{run.path}: cannot be shown: {error or type(error).__name__}") from None
    data["channels"] = tracks.head()
    return data, tracks.text(), picture(world, poses)


def _drawn(world: World, poses: Poses, notes: dict[str, Any]) -> dict[str, Any]:
    """What is drawn in place of bodies, and beside them: without anything given, what stands on the ground."""
    visuals: dict[str, Any] = notes.get("visuals", {})
    return visuals if WORLD in visuals else surroundings(world, poses) | visuals


def _metric(run: Run, name: str, value: Any) -> list[str]:
    """Name, value as people write it, and what it means."""
    measure = measure_of(name, run.measures)
    return [name, shown(name, finite(value), run.measures), measure.meaning if measure else ""]


def own_first(metrics: dict[str, Any]) -> list[tuple[str, Any]]:
    """Metrics with those of the computation at the end: a scenario's own say more."""
    return sorted(metrics.items(), key=lambda item: item[0] in COMPUTING)


def _views(world: World, asked: dict[str, Any], run: Run) -> dict[str, str]:
    """Who is the chaser, who the target, and which frame the port: as asked, by name, or the first that fits; "" where
    there is none."""
    roots = [body.name for body in world.bodies if body.parent == "world"]
    ports = [latch.frame_a for latch in world.latches if not latch.engaged]
    chaser = (
        "chaser" if "chaser" in roots else next((r for r in roots if world.body(r).joint.kind != "fixed"), roots[0])
    )
    others = [root for root in roots if root != chaser and world.body(root).joint.kind != "fixed"]
    views = {
        "chaser": chaser,
        "target": "target" if "target" in roots else (others or [""])[-1],
        "port": "port" if "port" in [frame.name for frame in world.frames] else (ports or [""])[0],
    } | {key: str(value) for key, value in asked.items()}
    try:
        world.body(views["chaser"]), world.body(views["target"] or chaser), world.frame(views["port"] or chaser)
    except KeyError as error:
        raise RunFolderError(f"{run.path / 'replay.json'}: views: {error.args[0]}") from None
    return views


def write_page(path: Path, runs: list[tuple[dict[str, Any], str, str]]) -> Path:
    """Put the page of one or two runs in place, whole or not at all."""
    title = " beside ".join(f"{data['name']} ({data['run']})" for data, _, _ in runs)
    blocks = []
    for data, tracks, _ in runs:
        blocks.append(f'<script type="application/json" class="run">{inert(data)}</script>')
        blocks.append(f'<script type="text/plain" class="tracks">{tracks}</script>')
    body = _BODY.format(picture=runs[0][2], blocks="\n".join(blocks))
    put(path, document(title, body, __package__, "bundle/replay"))
    return path


_BODY = """<noscript>{picture}<p>The moving picture, plots and tables of this page need JavaScript.</p></noscript>
<div id="app"></div>
{blocks}"""
