"""One's own arm and target: the file that `softdock new capture --arm … --target …` writes is run as it is, but for
sure poses, an ideal gripper, a slow tumble and no waiting, which make it quick. `studies/capture_own.py` runs the files
exactly as they are written."""

import tomllib
from pathlib import Path

import numpy as np
import pytest
import trimesh
from robots import ARMS, TARGETS
from typer.testing import CliRunner

from softdock.cli.app import app
from softdock.scenarios import load, text_of
from softdock.scenarios.capture import begin
from softdock.scenarios.capture.scenario import Capture, Parts
from softdock.scenarios.runner import Runner

QUICK = (
    "vision.pose=ideal", "vision.position=0.001", "vision.angle=0.001", "gripper.kind=ideal", "run.record_every=25",
    "occlusion.windows=[[200.0, 201.0]]", "target.spin=[0.0, 0.005, 0.01]", "target.rpy=[0.0, 0.0, 1.4]",
    "plan.approach=2.0", "plan.reaching=4.0", "plan.align=10.0", "plan.most=6.0", "plan.after=5.0", "run.duration=50.0",
)  # fmt: skip


@pytest.mark.parametrize(("arm", "target"), [("panda", "box"), ("ur10", "prism"), ("nine", "box")])
def test_an_arm_and_a_target_from_files(arm: str, target: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(begin, "grasp_to_find", lambda *_: "")  # of another tumble than is flown here
    urdf, mesh, file = ARMS[arm](tmp_path), TARGETS[target](tmp_path), tmp_path / "mine.toml"
    result = CliRunner().invoke(app, ["new", "capture", str(file), "--arm", str(urdf), "--target", str(mesh)])
    assert result.exit_code == 0, result.output
    scenario = load(file, list(QUICK))
    assert isinstance(scenario, Capture)
    metrics = Runner(scenario).run()
    assert (metrics["outcome"], metrics["collisions"]) == ("captured", []), metrics["reason"]
    assert metrics["reason"].startswith("held by an ideal gripper") and metrics["grasp"]["kind"] == "ideal"
    assert metrics["position_error"] < 0.01 and metrics["clearance_min"] > 0.003


def test_the_tumble_is_slowed_until_a_grasp_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The search itself is that of a run; it says here that only half of the paper's tumble will do."""
    tried: list[float] = []

    def found(scenario: Capture, within: float) -> str:
        tried.append(float(np.linalg.norm(scenario.target.spin)))
        return "" if tried[-1] < 0.6 * tried[0] else "too fast"

    monkeypatch.setattr(begin, "grasp_to_find", found)
    urdf, said = str(ARMS["nine"](tmp_path)), list[str]()
    text = begin.text_with(text_of("capture"), urdf, str(TARGETS["box"](tmp_path)), said.append)
    spin = tomllib.loads(text)["target"]["spin"]
    assert np.linalg.norm(spin) == pytest.approx(0.5 * tried[0], rel=0.02)  # it varies as it tumbles
    assert [line.endswith("too fast") for line in said] == [False, True, True]
    assert "# rad/s, body axes; 4.0 degrees a second" in text


def test_the_new_file_has_what_the_mesh_says(tmp_path: Path) -> None:
    file, box = tmp_path / "mine.toml", TARGETS["box"](tmp_path)
    result = CliRunner().invoke(app, ["new", "capture", str(file), "--target", str(box)])
    assert result.exit_code == 0, result.output
    scenario = load(file)
    assert isinstance(scenario, Capture)
    np.testing.assert_allclose(scenario.target.frame.position, (-0.37, 0.0, 0.0), atol=1e-6)
    moments = 80 / 12 * np.array([0.5**2 + 0.7**2, 0.6**2 + 0.7**2, 0.6**2 + 0.5**2])
    np.testing.assert_allclose(scenario.target.inertia, np.diag(moments), atol=1e-5)


def test_files_that_are_no_arm_or_no_target_are_told(tmp_path: Path) -> None:
    short, free, flat = tmp_path / "short.urdf", tmp_path / "free.urdf", tmp_path / "flat.stl"
    text = ARMS["nine"](tmp_path).read_text()
    short.write_text(text.replace("revolute", "fixed", 4))
    free.write_text(text.replace('type="revolute"', 'type="continuous"', 1))
    trimesh.Trimesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]).export(flat)
    for options, words in (
        (["--arm", str(short)], "5 joints lead to"),
        (["--arm", str(free)], "has no limits"),
        (["--arm", str(tmp_path / "none.urdf")], "no such file"),
        (["--target", str(flat)], "watertight"),
    ):
        result = CliRunner().invoke(app, ["new", "capture", str(tmp_path / "mine.toml"), *options])
        assert result.exit_code == 2 and words in result.output, result.output
        assert not (tmp_path / "mine.toml").exists()


def test_what_no_file_can_be_written_for_is_told_on_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not as pydantic shows it, with all that it was given."""

    def refused(*_: object, **__: object) -> str:
        return str(Parts.model_validate({"target": {"mass": -1.0}}))

    monkeypatch.setattr(begin, "text_with", refused)
    result = CliRunner().invoke(
        app, ["new", "capture", str(tmp_path / "a.toml"), "--target", str(TARGETS["box"](tmp_path))]
    )
    assert (
        result.exit_code == 2 and "softdock: orbit: Field required" in result.output and "pydantic" not in result.output
    )
    assert len(result.output.strip().splitlines()) == 1
