"""The run directory: what is in it, with units; what a crash leaves; what is refused."""

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import softdock.runs.recorder
from softdock.dynamics import Dynamics, Trajectory
from softdock.figures import draw
from softdock.replay import make
from softdock.replay.exports import export
from softdock.runs.ledger import Columns
from softdock.runs.recorder import Recorder, RunFolderError
from softdock.runs.recording import read_run
from softdock.runs.rows import Rows
from softdock.runs.simulation import Simulation, engage
from softdock.runs.spill import size

SCENARIO = 'scenario = "world"\n'
START = {"bus": {"angular_velocity": (0.0, 0.0, 0.1)}, "arm": {"velocity": 0.2}}


def recorded(dynamics: Dynamics, path: Path) -> Simulation:
    simulation = Simulation(dynamics, *dynamics.state(START), h=0.01)
    simulation.at(0.1, engage("stow"))
    with Recorder(path, SCENARIO) as recorder:
        simulation.run(0.3, record_every=2, recorder=recorder)
        simulation.run(0.2, record_every=2, recorder=recorder)
        recorder.write_metrics({"status": "done", "bad": float("nan"), "array": np.arange(2)})
    return simulation


def test_a_run_directory_holds_states_ledger_events_and_metrics_with_units(dynamics: Dynamics, tmp_path: Path) -> None:
    simulation = recorded(dynamics, tmp_path / "run")
    run = read_run(tmp_path / "run")
    assert {file.name for file in run.path.iterdir()} == {
        "scenario.toml", "run.json", "states.parquet", "ledger.parquet", "forces.parquet", "events.json",
        "metrics.json", "metrics.units.json",
    }  # fmt: skip
    assert run.states["t"] == pytest.approx(np.arange(0, 0.51, 0.02), abs=1e-12)
    units = {name: run.states.unit(name) for name in run.states}
    assert units["t"] == "s"
    assert (units["q.bus.x"], units["q.bus.qw"], units["q.arm"]) == ("m", "-", "rad")
    assert (units["v.bus.x"], units["v.bus.wx"], units["v.arm"]) == ("m/s", "rad/s", "rad/s")
    assert pq.read_schema(run.path / "ledger.parquet").field("kinetic").metadata[b"unit"] == b"J"
    assert all(run.ledger.unit(name) for name in run.ledger)
    assert run.events == simulation.events
    assert run.metrics == {"status": "done", "bad": None, "array": [0, 1]}
    assert run.scenario == {"scenario": "world"}
    with pytest.raises(KeyError, match=r"did you mean 'q\.arm'"):
        run.states["q.arn"]


def test_the_ledger_accounts_for_engaging_and_shows_the_latchs_violation(dynamics: Dynamics, tmp_path: Path) -> None:
    (event, *_) = recorded(dynamics, tmp_path / "run").events
    ledger = read_run(tmp_path / "run").ledger
    assert ledger["lost_engaging"][-1] == event["energy_lost"]
    assert np.abs(ledger["energy_error"]).max() < 1e-3 * event["energy_lost"]
    assert np.all(ledger["violation"] < 1e-11)
    assert np.all(np.diff(ledger["evaluations"]) >= 0)
    assert ledger["evaluations"][-1] >= 50


def test_parts_are_readable_before_the_run_ends(dynamics: Dynamics, tmp_path: Path) -> None:
    recorder = Recorder(tmp_path / "run", SCENARIO)
    simulation = Simulation(dynamics, *dynamics.state(START), h=0.01)
    simulation.run(0.2, recorder=recorder)
    simulation.run(0.2, recorder=recorder)
    run = read_run(tmp_path / "run")  # as a killed process leaves it
    assert not list(run.path.glob("*.parquet"))
    assert len(run.states["t"]) == len(run.ledger["t"]) == 41
    assert run.metrics == {}


def test_a_recording_over_two_runs_has_the_row_between_them(dynamics: Dynamics, tmp_path: Path) -> None:
    simulation = Simulation(dynamics, *dynamics.state(START), h=0.01)
    push = dynamics.command(force={"arm": 1.0})
    with Recorder(tmp_path / "run", SCENARIO) as recorder:
        first = simulation.run(0.1, record_every=3, recorder=recorder, commands=push)
        second = simulation.run(0.06, record_every=3, recorder=recorder, commands=3 * push)
        third = simulation.run(0.03, record_every=3, recorder=recorder)
    run = read_run(tmp_path / "run")
    for table in ("states", "ledger", "forces"):
        assert run.table(table)["t"] == pytest.approx([0, 0.03, 0.06, 0.09, 0.10, 0.13, 0.16, 0.19], abs=1e-12)
    rows = np.concatenate([first.q, second.q, third.q[1:]])  # two runs meet at 0.16 s, in one row
    np.testing.assert_array_equal(run.states["q.arm"], rows[:, dynamics.layout.q["arm"]].ravel())
    assert run.table("forces")["arm"][4] == pytest.approx(2.0)  # between the 1 before and the 3 after it
    assert run.ledger["energy_error"][4:] == pytest.approx(0.0, abs=1e-5)


def test_a_used_directory_is_refused_and_left_alone(tmp_path: Path) -> None:
    Recorder(tmp_path / "run", SCENARIO).close()
    for path in (tmp_path / "run", tmp_path / "run" / "scenario.toml"):
        with pytest.raises(RunFolderError, match="exists and is not an empty directory"):
            Recorder(path, "other")
    assert (tmp_path / "run" / "scenario.toml").read_text() == SCENARIO
    (tmp_path / "empty").mkdir()
    Recorder(tmp_path / "empty", SCENARIO).close()


def test_two_runs_that_start_at_once_do_not_share_a_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Recorder(tmp_path / "run", SCENARIO)
    monkeypatch.setattr(softdock.runs.recorder, "refuse_used", lambda path: None)  # the rival looked just before
    with pytest.raises(RunFolderError, match="another run is writing there"):
        Recorder(tmp_path / "run", "other")


def test_a_directory_that_is_no_run_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "missing"):
        with pytest.raises(RunFolderError, match="is not a run directory"):
            read_run(path)


@pytest.mark.parametrize("name", ["states.parquet", "events.json", "scenario.toml", "metrics.json"])
def test_a_truncated_file_is_named(dynamics: Dynamics, tmp_path: Path, name: str) -> None:
    recorded(dynamics, tmp_path / "run")
    file = tmp_path / "run" / name
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    with pytest.raises(RunFolderError, match=f"{name}: cannot be read"):
        read_run(tmp_path / "run")


def test_a_run_killed_before_its_first_rows_says_so(tmp_path: Path) -> None:
    Recorder(tmp_path / "run", SCENARIO)
    with pytest.raises(RunFolderError, match="nothing was recorded"):
        _ = read_run(tmp_path / "run").states


def test_a_disk_that_fills_leaves_the_parts(
    dynamics: Dynamics, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorder = Recorder(tmp_path / "run", SCENARIO)
    simulation = Simulation(dynamics, *dynamics.state(START), h=0.01)
    simulation.run(0.2, recorder=recorder)

    def full(table: pa.Table, place: Path, **_: object) -> None:
        place.write_bytes(b"PAR1")
        raise OSError(28, "No space left on device")

    def also_full(place: Path, *_: object, **__: object) -> None:
        full(pa.table({}), place)

    monkeypatch.setattr(pq, "write_table", full)
    monkeypatch.setattr(pq, "ParquetWriter", also_full)
    with pytest.raises(OSError, match="No space left"):
        simulation.run(0.2, recorder=recorder)
    assert simulation.recorded_until == pytest.approx(0.2)
    with pytest.raises(OSError, match="No space left"):
        recorder.close()
    monkeypatch.undo()
    assert len(read_run(tmp_path / "run").states["t"]) == 21
    assert not list((tmp_path / "run").rglob("*.tmp"))


@pytest.mark.parametrize("table", ["states", "ledger", "forces"])
def test_rows_that_could_not_be_written_wait_in_memory(
    dynamics: Dynamics, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, table: str
) -> None:
    """The disk is full for a while, at any of the tables: then no row is missing and none is there twice."""
    append = Recorder.append

    def full(self: Recorder, name: str, columns: Columns) -> None:
        if name == table:
            raise OSError(28, "No space left on device")
        append(self, name, columns)

    with Recorder(tmp_path / "run", SCENARIO) as recorder:
        simulation = Simulation(dynamics, *dynamics.state(START), h=0.01)
        simulation.run(0.2, recorder=recorder)
        monkeypatch.setattr(Recorder, "append", full)
        with pytest.raises(OSError, match="No space left"):
            simulation.run(0.2, recorder=recorder)
        monkeypatch.undo()
        simulation.run(0.1, recorder=recorder)
    run = read_run(tmp_path / "run")
    for name in ("states", "ledger", "forces"):
        np.testing.assert_allclose(run.table(name)["t"], 0.01 * np.arange(51), atol=1e-12)


def test_a_table_is_the_same_file_whatever_its_parts_were(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("softdock.runs.recorder._MOST_GROUP", 100)
    values = np.random.default_rng(0).normal(size=1234)
    for name, sizes in (("a", [1234]), ("b", [1, 99, 100, 101, 450, 483]), ("c", [617, 617])):
        with Recorder(tmp_path / name, SCENARIO) as recorder:
            for part in np.split(values, np.cumsum(sizes)[:-1]):
                recorder.append("x", {"x": (part, "m")})
                recorder.append("x-y", {"x": (part[:1], "m")})
    files = [(tmp_path / name / "x.parquet").read_bytes() for name in "abc"]
    assert files[0] == files[1] == files[2]
    np.testing.assert_array_equal(read_run(tmp_path / "b").table("x")["x"], values)
    assert len(read_run(tmp_path / "b").table("x-y")["x"]) == 6  # whose name begins as the other's


def test_a_long_run_keeps_few_rows_in_memory_and_returns_all(
    dynamics: Dynamics, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def rows_of(recorder: Recorder | None) -> tuple[Trajectory, Rows]:
        simulation = Simulation(dynamics, *dynamics.state(START), h=0.01)
        simulation.chunk = 10
        rows = simulation.run(1.0, recorder=recorder)
        assert simulation._rows
        return rows, simulation._rows

    wanted, _ = rows_of(None)
    monkeypatch.setattr("softdock.runs.rows.MOST_BYTES", 20_000)
    with Recorder(tmp_path / "run", SCENARIO) as recorder:
        rows, book = rows_of(recorder)
    assert sum(size(part) for part in book._parts) < 20_000 < size(rows)
    for name in ("t", "q", "v", "account"):
        np.testing.assert_array_equal(getattr(rows, name), getattr(wanted, name))
    assert sorted(path.name for path in (tmp_path / "run").iterdir()) == [
        "forces.parquet", "ledger.parquet", "metrics.json", "metrics.units.json", "run.json", "scenario.toml",
        "states.parquet",
    ]  # fmt: skip


def test_nothing_is_written_through_links(dynamics: Dynamics, tmp_path: Path) -> None:
    """A received directory's links lead to what is not its sender's."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "mine").write_text("mine")
    with Recorder(tmp_path / "run", dynamics.world) as recorder:
        Simulation(dynamics, *dynamics.state(START), h=0.01).run(0.1, recorder=recorder)
    received = tmp_path / "run"
    for name in ("figures", "export"):
        (received / name).symlink_to(outside)
    for name in ("replay.html", "replay.html.tmp", "metrics.json.tmp"):
        (received / name).symlink_to(outside / "mine")
    run = read_run(received)
    with pytest.raises(OSError, match="is a link"):
        draw(run)
    with pytest.raises(OSError, match="is a link"):
        export(run, "csv")
    make(run, dynamics)
    assert not (received / "replay.html").is_symlink()
    assert [path.name for path in outside.iterdir()] == ["mine"]
    assert (outside / "mine").read_text() == "mine"


def test_json_files_are_plain_json(tmp_path: Path) -> None:
    content = {"a": np.float64(1.5), "b": [float("inf"), np.int64(3)], "c": {"d": np.nan}, "e": "é"}
    softdock.runs.recorder.write_json(tmp_path / "x.json", content)
    assert json.loads((tmp_path / "x.json").read_text()) == {"a": 1.5, "b": [None, 3], "c": {"d": None}, "e": "é"}
