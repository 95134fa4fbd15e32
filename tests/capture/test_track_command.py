"""`softdock track` on data with a known truth."""

import json
from pathlib import Path

import numpy as np
import pytest
import trimesh
from scipy.spatial.transform import Rotation
from typer.testing import CliRunner

from softdock import sensing
from softdock.cli.app import app
from softdock.estimation import write_poses
from softdock.estimation.tumbles import TUMBLES, observed, true_motion
from softdock.tracking.tracked import tracked
from softdock.world import Pose


def test_poses_of_a_tumble_give_its_rates_and_a_forecast(tmp_path: Path) -> None:
    tumble = TUMBLES["rich"]
    truth = true_motion(tumble, np.arange(0, 60.5, 0.5))
    write_poses(tmp_path / "poses.csv", observed(truth, np.random.default_rng(1))[:81])
    out = tmp_path / "found"
    period = str(2 * np.pi / tumble.n)
    command = ["track", str(tmp_path / "poses.csv"), "--period", period, "--out", str(out), "--json"]
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 0, result.output
    summary = json.loads(result.stdout)
    assert {file.name for file in out.iterdir()} == {"estimates.csv", "poses.csv", "summary.json", "track.png"}
    np.testing.assert_allclose(summary["angular_velocity"], truth.states[80].angular_velocity, atol=0.003)
    off = np.linalg.norm(np.subtract(summary["forecast"]["position"], truth.states[-1].position))
    assert off < 4 * summary["forecast"]["position_sigma"]


@pytest.fixture(scope="module")
def scans(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("scans")
    surface = sensing.satellite()
    camera = sensing.LaserCamera(surface, sensing.raster(60, 60, (0.9, 0.9)), rng=np.random.default_rng(0))
    for k in range(10):
        t = 0.5 * k
        turn = Rotation.from_rotvec([0.1 * t, 0.0, 0.0]) * Rotation.from_euler("yxz", [-0.9, 0.5, 0.2])
        w, x, y, z = turn.as_quat(scalar_first=True).tolist()
        pose = Pose(position=(0.1, 0.02 * t, 2.5), quaternion=(w, x, y, z))
        sensing.write_scan(folder / f"scan-{t:06.2f}.npz", camera.scan(pose, time=t))
    corners = surface.triangles.reshape(-1, 3)
    trimesh.Trimesh(corners, np.arange(len(corners)).reshape(-1, 3)).export(folder / "model.stl")
    return folder


def test_scans_with_a_model_give_poses_and_rates(scans: Path) -> None:
    found = tracked(scans, scans / "model.stl")
    assert found.summary["registered"] >= 9
    spin = np.linalg.norm(found.summary["angular_velocity"])
    assert spin == pytest.approx(0.1, abs=0.01)
    last = np.asarray(found.measurements[-1].position)
    np.testing.assert_allclose(last, [0.1, 0.09, 2.5], atol=0.005)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["{scans}"], "needs --model"),
        (["{scans}", "--model", "{scans}/model.stl", "--scale", "1000"], "millimetre"),
        (["{scans}/none.csv"], "cannot be read"),
        (["{scans}/model.stl"], "model.stl"),
    ],
)
def test_what_cannot_be_tracked_is_told(scans: Path, tmp_path: Path, arguments: list[str], words: str) -> None:
    given = [argument.format(scans=scans) for argument in arguments]
    result = CliRunner().invoke(app, ["track", *given, "--out", str(tmp_path / "out")])
    assert result.exit_code == 2
    assert words in result.output
    assert not (tmp_path / "out").exists()
