"""What a run leaves to look at, how the commands answer, and what they say to bad input."""

import csv
import json
import os
import shutil
import subprocess
import sys
import webbrowser
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from scipy.spatial.transform import Rotation
from typer.testing import CliRunner

from softdock import replay
from softdock.bench.replay import run as measure
from softdock.cli.app import app
from softdock.dynamics import Dynamics
from softdock.replay.exports import export
from softdock.replay.scene import phases
from softdock.runs.recorder import Recorder, RunFolderError
from softdock.runs.recording import Table, read_run
from softdock.runs.simulation import Simulation
from softdock.world import Body, Box, World


def command(*words: object) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, [str(word) for word in words])
    return result.exit_code, result.stdout, result.stderr


@pytest.fixture
def copy(docking: Path, tmp_path: Path) -> Path:
    """The docking's directory, to be damaged."""
    return Path(shutil.copytree(docking, tmp_path / "run"))


def test_every_run_writes_its_replay_and_says_so(tmp_path: Path) -> None:
    words = ("run", "free-flyer", "--set", "run.duration=1.0", "--set", "run.record_every=1")
    status, out, _ = command(*words, "--out", tmp_path / "a")
    assert status == 0
    assert out.splitlines()[-2:] == [
        f"Replay: {tmp_path / 'a' / 'replay.html'}, or softdock replay {tmp_path / 'a'}",
        f"Report: {tmp_path / 'a' / 'report.html'}",
    ]
    text = (tmp_path / "a" / "replay.html").read_text(encoding="utf-8")
    assert text.startswith("<!doctype html>")
    assert text.count("</script>") == 3  # data, tracks, program: nothing in them ends one early
    assert command(*words, "--out", tmp_path / "b", "--no-figures")[0] == 0
    assert not (tmp_path / "b" / "replay.html").exists()


def test_a_replay_that_fails_does_not_lose_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("the dog ate it")

    monkeypatch.setattr(replay, "make", fail)
    status, _, error = command("run", "free-flyer", "--set", "run.duration=0.5", "--out", tmp_path / "a")
    assert status == 0
    assert "warning: no replay: RuntimeError: the dog ate it\n" in error
    assert read_run(tmp_path / "a").metrics["status"] == "done"


def test_an_older_run_gets_its_page_and_without_a_browser_its_place_is_told(
    copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (copy / "run.json").unlink()

    def none(*_: object) -> None:
        raise webbrowser.Error

    monkeypatch.setattr(webbrowser, "get", none)
    status, out, error = command("replay", copy)
    assert (status, out) == (0, f"{copy / 'replay.html'}\n")
    assert f"no browser could be opened; open this file in one: {copy / 'replay.html'}" in error


def test_the_browser_is_given_the_file(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Browser:
        seen = ""

        def open(self, address: str) -> bool:
            Browser.seen = address
            return True

    monkeypatch.setattr(webbrowser, "get", Browser)
    status, _, error = command("replay", copy)
    assert (status, error) == (0, "")
    assert Browser.seen == (copy / "replay.html").resolve().as_uri()


def test_a_run_of_a_later_format_says_which_softdock_is_needed(copy: Path) -> None:
    (copy / "run.json").write_text('{"format": 2, "softdock": "9.1"}')
    status, _, error = command("replay", copy, "--no-open")
    assert status == 2
    assert "was written by softdock 9.1 in format 2; this one reads formats up to 1: use softdock 9.1 or later" in error


def _truncated(run: Path) -> None:
    (run / "states.parquet").write_bytes((run / "states.parquet").read_bytes()[:1000])


def _no_states(run: Path) -> None:
    (run / "states.parquet").unlink()


def _another_world(run: Path) -> None:
    text = (run / "scenario.toml").read_text(encoding="utf-8")
    (run / "scenario.toml").write_text(text.replace('"payload"', '"cargo"'), encoding="utf-8")


def _no_mesh(run: Path) -> None:
    text = (run / "scenario.toml").read_text(encoding="utf-8")
    (run / "scenario.toml").write_text(
        text.replace('kind = "sphere"\nradius = 0.25\n', 'kind = "mesh"\n'), encoding="utf-8"
    )


def _no_world(run: Path) -> None:
    (run / "scenario.toml").write_text('scenario = "world"', encoding="utf-8")


def _bad_notes(run: Path) -> None:
    (run / "replay.json").write_text('{"views": {"target": "nobody"}}', encoding="utf-8")


def _broken_notes(run: Path) -> None:
    (run / "replay.json").write_text("{", encoding="utf-8")


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (_truncated, "states.parquet: cannot be read"),
        (_no_states, "has no states.parquet: nothing was recorded"),
        (_another_world, "it belongs to another world than scenario.toml"),
        (_no_mesh, "vertices: Field required"),
        (_no_world, "world: bodies: Field required"),
        (_bad_notes, "replay.json: views: no body 'nobody'"),
        (_broken_notes, "replay.json: cannot be read"),
    ],
)
def test_a_damaged_or_foreign_run_is_one_clear_line(copy: Path, damage: object, message: str) -> None:
    damage(copy)  # type: ignore[operator]
    status, _, error = command("replay", copy, "--no-open")
    assert status == 2
    assert message in error
    assert error.count("\n") == 1


@pytest.mark.parametrize("name", ["none", "empty"])
def test_a_folder_without_runs(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty").mkdir()
    status, _, error = command("replay", tmp_path / name, "--no-open")
    assert status == 2
    assert "no such directory" in error or "is neither a run directory nor a folder of them" in error


def test_two_worlds_are_not_laid_over_each_other(docking: Path, flyer: Path) -> None:
    with pytest.raises(RunFolderError, match="are of different worlds"):
        replay.overlay(read_run(docking), read_run(flyer))
    assert command("replay", docking, flyer, docking)[0] == 2


def test_a_large_run_is_small_and_quick() -> None:
    """20 bodies, 6,000 frames: 3 MB and 1 s, in this thread's own time."""
    result = measure(lambda message: None)
    values = {limit.what: (limit.value, limit.limit) for limit in result.limits}
    assert len(values) == 2
    assert all(value is not None and value <= limit for value, limit in values.values()), values


# --- exports ---------------------------------------------------------------------------------------


def test_tables_as_csv(yielding: Path, tmp_path: Path) -> None:
    files = export(read_run(yielding), "csv", tmp_path / "csv")
    assert sorted(file.name for file in files) == [
        f"{name}.csv" for name in ("contacts", "forces", "ledger", "phases", "states")
    ]
    run = read_run(yielding)
    for table, column, unit in (("states", "q.arm1", "rad"), ("forces", "arm2", "N m"), ("contacts", "force_x", "N")):
        with (tmp_path / "csv" / f"{table}.csv").open(encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        assert [float(row[f"{column} ({unit})"]) for row in rows] == run.table(table)[column].tolist()
    assert {row["contact"] for row in rows} == {"side walls"}


def test_poses_for_urdf_viewers(flyer: Path, tmp_path: Path) -> None:
    joints, roots = export(read_run(flyer), "urdf-poses", tmp_path / "poses")
    states = read_run(flyer).states
    table = np.genfromtxt(joints, delimiter=",", names=True)
    assert np.array_equal(table["elbow"], states["q.elbow"])
    with roots.open(encoding="utf-8") as file:
        last = list(csv.DictReader(file))[-1]
    shown = Rotation.from_quat([float(last[f"q{axis}"]) for axis in "xyzw"])
    recorded = Rotation.from_quat([states[f"q.chaser.q{axis}"][-1] for axis in "xyzw"])
    assert (shown.inv() * recorded).magnitude() < 1e-7
    assert [float(last[axis]) for axis in "xyz"] == pytest.approx([states[f"q.chaser.{a}"][-1] for a in "xyz"])


def test_mcap_is_read_back_by_its_own_reader(yielding: Path, tmp_path: Path) -> None:
    pytest.importorskip("mcap")
    from mcap.reader import make_reader

    (path,) = export(read_run(yielding), "mcap", tmp_path / "run.mcap")
    run, counts, last = read_run(yielding), dict[str, int](), {}
    with path.open("rb") as file:
        for schema, channel, message in make_reader(file).iter_messages():
            counts[channel.topic] = counts.get(channel.topic, 0) + 1
            if schema.name == "foxglove.FrameTransforms":
                last = json.loads(message.data)
            elif channel.topic == "/contacts":
                kinds = {name: entry["type"] for name, entry in json.loads(schema.data)["properties"].items()}
                touch = json.loads(message.data)
                assert {name: "string" if isinstance(x, str) else "number" for name, x in touch.items()} == kinds
    rows, lines = len(run.states["t"]), len(run.table("contacts")["t"])
    phases = len(run.table("phases")["t"])
    tables = {"/states": rows, "/forces": rows, "/ledger": rows, "/contacts": lines, "/phases": phases}
    assert counts == tables | {"/tf": rows, "/scene": 1, "/events": len(run.events)}
    assert touch["contact"] == "side walls"
    payload = next(entry for entry in last["transforms"] if entry["child_frame_id"] == "payload")
    assert payload["translation"]["x"] == pytest.approx(run.states["q.payload.x"][-1])


def test_mcap_is_json_with_units_and_every_table(docking: Path, tmp_path: Path) -> None:
    """Numbers that are not finite are left out, tables without times are there, units and the scenario too."""
    pytest.importorskip("mcap")
    from mcap.reader import make_reader

    recorded = read_run(docking)
    odd = pa.table({"t": [0.0, 1.0, float("nan")], "x": [float("nan"), 2.0, float("-inf")], "ok": [True, False, True]})
    odd = odd.cast(pa.schema([f.with_metadata({"unit": "rad/s"} if f.name == "x" else {}) for f in odd.schema]))
    timeless = pa.table({"name": ["a", "b"], "mass": [1.0, 2.0]})
    run = replace(
        recorded, tables={**recorded.tables, "odd": Table(odd), "timeless": Table(timeless), "tf": Table(odd)}
    )
    (path,) = export(run, "mcap", tmp_path / "run.mcap")

    def refuse(word: str) -> None:
        raise AssertionError(f"{word} is not JSON")

    found: dict[str, list] = {}
    with path.open("rb") as file:
        reader = make_reader(file)
        for schema, channel, message in reader.iter_messages():
            row = json.loads(message.data, parse_constant=refuse)
            found.setdefault(channel.topic, []).append((message.log_time, row))
            properties = json.loads(schema.data).get("properties", {})
            if channel.topic == "/odd":
                assert channel.metadata == {"x": "rad/s"} and properties["x"]["description"] == "rad/s"
            if channel.topic == "/events":
                assert channel.metadata == {"time": "s"} and properties["time"]["description"] == "s"
            if channel.topic == "/states":
                assert channel.metadata["t"] == "s" and channel.metadata["v.arm1"] == "rad/s"
        attached = {one.name: one.data for one in reader.iter_attachments()}
    end = round(recorded.states["t"][-1] * 1e9)
    assert found["/tables/tf"] == found["/odd"] and all("transforms" in row for _, row in found["/tf"])
    assert found["/odd"] == [
        (0, {"t": 0.0, "ok": True}),
        (10**9, {"t": 1.0, "x": 2.0, "ok": False}),
        (end, {"ok": True}),
    ]
    assert [row for _, row in found["/timeless"]] == timeless.to_pylist()
    assert len(found["/states"]) == len(recorded.states["t"])
    assert attached["scenario.toml"] == (docking / "scenario.toml").read_bytes()
    assert json.loads(attached["metrics.json"])["status"] == "done"


def test_rrd_is_verified_and_listed_by_reruns_own_command(yielding: Path, hostile: Path, tmp_path: Path) -> None:
    pytest.importorskip("rerun")

    def rerun(*words: object) -> str:
        told = [sys.executable, "-m", "rerun", "rrd", *map(str, words)]
        environment = {**os.environ, "HOME": str(tmp_path)}
        told_back = subprocess.run(told, capture_output=True, text=True, check=True, env=environment)
        return told_back.stdout + told_back.stderr

    for run in (yielding, hostile):
        (path,) = export(read_run(run), "rrd", tmp_path / f"{run.parent.name}.rrd")
        assert "verified without error" in rerun("verify", path)
    rows = len(read_run(yielding).states["t"])
    listed = rerun("print", tmp_path / f"{yielding.parent.name}.rrd")
    assert any(f"{rows} rows" in line and "/world/payload" in line for line in listed.splitlines())


def test_an_unknown_format_and_a_missing_package(docking: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    status, _, error = command("export", docking, "--to", "mcab")
    assert status == 2
    assert "--to mcab: no such format; did you mean 'mcap'?" in error
    monkeypatch.setitem(sys.modules, "mcap.writer", None)
    status, _, error = command("export", docking, "--to", "mcap")
    assert status == 2
    assert "pip install 'softdock[mcap]'" in error


def test_a_program_of_ones_own_can_be_recorded_and_shown(tmp_path: Path) -> None:
    world = World(name="lone", bodies=(Body(name="bus", mass=2.0, inertia=(1, 1, 1), shapes=(Box(size=(1, 1, 1)),)),))
    dynamics = Dynamics(world)
    start = dynamics.state({"bus": {"velocity": (0.5, 0, 0)}})
    with Recorder(tmp_path / "mine", world) as recorder:
        Simulation(dynamics, *start, h=0.01).run(1.0, record_every=10, recorder=recorder)
    run = read_run(tmp_path / "mine")
    assert World.model_validate(run.scenario["world"]) == world
    assert run.metrics == {"status": "done"}
    data, _, _ = replay.replay_data(run)
    assert (data["name"], data["status"], len(run.states["t"])) == ("lone", "done", 11)
    assert np.isclose(run.states["q.bus.x"][-1], 0.5)
    with pytest.raises(RuntimeError), Recorder(tmp_path / "torn", world):
        raise RuntimeError("a fuse blew")
    assert read_run(tmp_path / "torn").metrics == {"status": "failed", "reason": "a fuse blew"}


def test_phases_go_on_until_the_next_and_the_last_until_it_is_over() -> None:
    events = [{"kind": "phase", "name": name, "time": t} for name, t in (("look", 0.0), ("think", 2.0), ("go", 2.0))]

    def spans(told: object = None) -> list[tuple[str, float, float]]:
        return [(phase["name"], phase["start"], phase["end"]) for phase in phases(events, 10.0, [], told)]

    whole = [("look", 0.0, 2.0), ("think", 2.0, 2.0), ("go", 2.0, 10.0)]
    assert spans() == spans([]) == spans("odd") == spans([{"end": "odd"}]) == spans([{"end": 2.0}]) == whole
    assert spans([{"end": 2.0}, {"end": 7.0}]) == [*whole[:2], ("go", 2.0, 7.0), ("over", 7.0, 10.0)]
