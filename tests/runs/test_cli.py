"""The commands as users give them: what they print, write, and return."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from softdock.cli.app import app
from softdock.runs.recording import read_run
from softdock.scenarios import SCENARIOS, text_of


def softdock(*words: object) -> tuple[int, str, str]:
    """Exit status, standard output and standard error of a command."""
    result = CliRunner().invoke(app, [str(word) for word in words])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.stdout, result.stderr


def run(*words: object) -> tuple[int, str, str]:
    return softdock("run", *words, "--no-figures")


def test_list_names_every_scenario_on_a_line() -> None:
    status, out, _ = softdock("list")
    assert status == 0
    assert [line.split()[0] for line in out.splitlines()] == list(SCENARIOS)


def test_version_and_help() -> None:
    assert softdock("--version")[1].startswith("softdock ")
    status, out, _ = softdock("--help")
    assert status == 0
    assert "Exit status" in out


def test_new_writes_a_scenario_and_never_overwrites(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    assert softdock("new", "free-flyer", path)[0] == 0
    assert path.read_text() == text_of("free-flyer")
    path.write_text("mine")
    status, _, error = softdock("new", "free-flyer", path)
    assert (status, path.read_text()) == (2, "mine")
    assert "exists already" in error
    status, _, error = softdock("new", "free-flier", tmp_path / "other.toml")
    assert status == 2
    assert "did you mean 'free-flyer'?" in error


def test_json_is_metrics_json_and_nothing_else(tiny: Path, tmp_path: Path) -> None:
    status, out, _ = run(tiny, "--json", "--out", tmp_path / "out")
    assert status == 0
    metrics = json.loads(out)
    assert metrics == json.loads((tmp_path / "out" / "metrics.json").read_text())
    assert metrics["status"] == "done"
    assert metrics["steps"] == 50
    assert metrics["energy_balance_error"] < 1e-5
    assert metrics["momentum_drift"] < 1e-14


def test_the_same_scenario_gives_the_same_bytes_and_so_does_its_resolved_form(tiny: Path, tmp_path: Path) -> None:
    assert run(tiny, "--out", tmp_path / "a")[0] == 0
    assert run(tiny, "--out", tmp_path / "b")[0] == 0
    assert run(tmp_path / "a" / "scenario.toml", "--out", tmp_path / "c")[0] == 0
    for name in ("states.parquet", "ledger.parquet"):
        assert len({(tmp_path / folder / name).read_bytes() for folder in "abc"}) == 1
    assert (tmp_path / "a" / "scenario.toml").read_text() == (tmp_path / "c" / "scenario.toml").read_text()


def test_the_resolved_scenario_has_every_default(tiny: Path, tmp_path: Path) -> None:
    run(tiny, "--out", tmp_path / "out")
    scenario = read_run(tmp_path / "out").scenario
    assert scenario["run"] == {
        "h": 0.01, "order": 2, "duration": 0.5, "record_every": 1, "loads": False, "seed": 0, "tolerance": 1e-14,
    }  # fmt: skip
    assert scenario["initial"]["arm"] == {"position": [0.0], "velocity": [0.5]}
    assert scenario["world"]["gravity"] == {"kind": "none"}
    assert scenario["world"]["bodies"][1]["joint"]["damping"] == [0.1]


def test_set_changes_any_key(tiny: Path, tmp_path: Path) -> None:
    changes = ["run.duration=0.2", "world.bodies[1].mass=3", "initial.arm.position=0.1", "commands.arm.force=0.5"]
    words = [word for change in changes for word in ("--set", change)]
    assert run(tiny, *words, "--out", tmp_path / "out")[0] == 0
    recorded = read_run(tmp_path / "out")
    assert recorded.scenario["world"]["bodies"][1]["mass"] == 3.0
    assert recorded.states["q.arm"][0] == 0.1
    assert recorded.states["t"][-1] == pytest.approx(0.2)
    assert recorded.ledger["work_actuators"][-1] != 0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("run.dration=3", "run: unknown key 'dration'; did you mean 'duration'?"),
        ("rum.h=3", "unknown key 'rum'; did you mean 'run'?"),
        ("world.bodis[0].mass=3", "no key 'bodis'; did you mean 'bodies'?"),
        ("world.bodies[0].mas=3", "world: bodies[0]: unknown key 'mas'; did you mean 'mass'?"),
        ("world.bodies[7].mass=3", "there is no [7]; the last is [1]"),
        ("world.bodies.arm.mass=3", "before 'arm' an index is needed"),
        ("world.bodies[0].mass=-3", "world: bodies[0].mass: Input should be greater than or equal to 0"),
        ("world.bodies[0].mass=heavy", "world: bodies[0].mass: Input should be a valid number"),
        ("world.bodies[0].mass=3 kg", "'3 kg' is not a TOML value"),
        ("world.name[0]=1", "looked for in what is no list"),
        ("run.h", "expected key.path=value"),
        ("run.h=nan", "run.h: Input should be"),
        ("run.h=0.3", "run: duration must be a whole number of steps of 0.3 s"),
        ("run.order=3", "run.order: Input should be 2, 4 or 6"),
        ("initial.bas.position=[0, 0, 0]", "no body 'bas'; did you mean 'bus'?"),
        ("commands.arn.force=1", "no body 'arn'; did you mean 'arm'?"),
        ("commands.arm.position=1", "has no servo"),
        ('latching=[{latch="stw", time=1, action="engage"}]', "no latch 'stw'; did you mean 'stow'?"),
        ('scenario="word"', "did you mean 'world'?"),
    ],
)
def test_a_wrong_set_is_one_line_and_writes_nothing(tiny: Path, tmp_path: Path, change: str, message: str) -> None:
    status, out, error = run(tiny, "--set", change, "--out", tmp_path / "out")
    assert (status, out) == (2, "")
    assert error.count("\n") == 1
    assert message in error
    assert not (tmp_path / "out").exists()


def test_an_unknown_key_in_a_file_is_named_with_the_file_and_the_nearest(tiny: Path, tmp_path: Path) -> None:
    tiny.write_text(tiny.read_text().replace("damping", "dampng"))
    status, _, error = run(tiny, "--out", tmp_path / "out")
    assert status == 2
    assert f"{tiny}: world: bodies[1].joint: unknown key 'dampng'; did you mean 'damping'?" in error


@pytest.mark.parametrize(
    ("name", "message"),
    [("fre-flyer", "did you mean 'free-flyer'?"), ("no/such.toml", "no/such.toml: no such file")],
)
def test_an_unknown_scenario_or_file(name: str, message: str) -> None:
    status, _, error = run(name)
    assert status == 2
    assert message in error


def test_a_file_that_is_no_toml(tmp_path: Path) -> None:
    path = tmp_path / "broken.toml"
    path.write_text("scenario = \n")
    status, _, error = run(path)
    assert status == 2
    assert error.startswith(f"softdock: {path}: ")
    assert error.count("\n") == 1


def test_a_world_that_cannot_move_is_refused_before_anything_is_written(tiny: Path, tmp_path: Path) -> None:
    changes = ["world.bodies[0].inertia=[0,0,0]", "world.bodies[1].inertia=[0,0,0]", "world.bodies[1].center=[0,0,0]"]
    words = [word for change in changes for word in ("--set", change)]
    status, _, error = run(tiny, *words, "--out", tmp_path / "out")
    assert status == 2
    assert "mass matrix is singular" in error
    assert not (tmp_path / "out").exists()


def test_two_runs_into_one_directory(tiny: Path, tmp_path: Path) -> None:
    assert run(tiny, "--out", tmp_path / "out")[0] == 0
    before = (tmp_path / "out" / "states.parquet").read_bytes()
    status, _, error = run(tiny, "--out", tmp_path / "out")
    assert status == 2
    assert "exists and is not an empty directory" in error
    assert (tmp_path / "out" / "states.parquet").read_bytes() == before


def test_default_directories_are_unique_within_a_second(
    tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for _ in range(3):
        assert run("tiny.toml")[0] == 0
    names = sorted(path.name for path in (tmp_path / "runs").iterdir())
    assert len(names) == 3
    assert all(name.startswith("tiny-20") for name in names)


@pytest.mark.parametrize("place", ["file/out", "/proc/out"])
def test_an_output_that_cannot_be_written(tiny: Path, tmp_path: Path, place: str) -> None:
    (tmp_path / "file").touch()
    status, _, error = run(tiny, "--out", tmp_path / place)
    assert status == 2
    assert "cannot be written" in error
    assert error.count("\n") == 1


def test_a_step_that_fails_says_when_and_keeps_the_recording(tiny: Path, tmp_path: Path) -> None:
    spin_up = "commands.bus.force=[0, 0, 0, 0, 0, 500]"
    status, out, error = run(tiny, "--set", spin_up, "--set", "run.duration=20", "--json", "--out", tmp_path / "out")
    assert status == 1
    assert "at t = " in error
    assert str(tmp_path / "out") in error
    metrics = json.loads(out)
    assert metrics["status"] == "failed"
    assert "residual" in metrics
    recorded = read_run(tmp_path / "out")
    assert recorded.metrics == metrics
    assert 0 < recorded.states["t"][-1] <= metrics["time"]
    assert recorded.events[-1]["kind"] == "failed"


def test_a_step_too_large_to_converge_says_when_and_by_how_much(tiny: Path, tmp_path: Path) -> None:
    changes = ("run.h=10.0", "run.duration=80", "initial.arm.velocity=8")
    words = [word for change in changes for word in ("--set", change)]
    status, _, error = run(tiny, *words, "--out", tmp_path / "out")
    assert status == 1
    (told,) = [line for line in error.splitlines() if "softdock: compiling" not in line]  # what caches did not hold
    assert "at t = 0 s the step of 10 s did not converge (residual " in told
    recorded = read_run(tmp_path / "out")
    assert recorded.states["t"].tolist() == [0.0]
    assert recorded.metrics["residual"] > 1


def test_a_latch_out_of_reach_ends_the_run_with_what_was_computed(tiny: Path, tmp_path: Path) -> None:
    latching = 'latching=[{latch="stow", time=0.4, action="engage"}]'
    status, _, error = run(tiny, "--set", latching, "--out", tmp_path / "out")
    assert status == 1
    assert "latch 'stow' cannot engage at t = 0.4 s" in error
    assert read_run(tmp_path / "out").states["t"][-1] == pytest.approx(0.4)


def test_the_reference_integrator_agrees(tiny: Path, tmp_path: Path) -> None:
    words = ("--set", "run.order=6", "--reference", "--json", "--out", tmp_path / "out")
    status, out, _ = run(tiny, *words)
    assert status == 0
    metrics = json.loads(out)
    assert metrics["reference_difference"] < 1e-9
    assert "reference_ended" not in metrics
