"""`softdock track` on data with a known truth."""

import json
import warnings
from pathlib import Path

import numpy as np
import pytest
import trimesh
from scipy.spatial.transform import Rotation
from typer.testing import CliRunner

from softdock import sensing
from softdock.cli.app import app
from softdock.estimation import PoseMeasurement, write_poses
from softdock.estimation.tumbles import TUMBLES, observed, true_motion
from softdock.tracking.stamps import ordered
from softdock.tracking.tracked import save, tracked
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


def test_exact_poses_of_a_target_at_rest_and_a_stray_one_give_no_warnings(tmp_path: Path) -> None:
    """All residuals are zero: their correlations were 0/0, which counts as not white, and everything else was tried."""
    covariance = np.diag([1e-4] * 3 + [1e-5] * 3)
    poses = [PoseMeasurement(0.1 * k, np.array([5.0, 0, 0]), np.array([1.0, 0, 0, 0]), covariance) for k in range(40)]
    poses[30] = poses[30]._replace(position=np.array([1e308, 0, 0]))
    write_poses(tmp_path / "poses.csv", poses)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = tracked(tmp_path / "poses.csv")
        save(found, tmp_path / "found")
    assert found.summary["accepted"] == 39 and found.summary["angular_velocity"] == [0, 0, 0]
    assert "deviations_widened_by" not in found.summary["assumed"]


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


@pytest.fixture(scope="module")
def sixty() -> list[PoseMeasurement]:
    """The first 40 s of a tumble at 2 Hz."""
    tumble = TUMBLES["rich"]
    return observed(true_motion(tumble, np.arange(0, 40.5, 0.5)), np.random.default_rng(1))


def test_order_units_and_stray_stamps_change_nothing(sixty: list[PoseMeasurement], tmp_path: Path) -> None:
    """Reversed, shuffled, in milliseconds, with a stamp of 1e9: all give what the file in order gives."""
    n = str(2 * np.pi / TUMBLES["rich"].n)
    shuffled = [sixty[k] for k in np.random.default_rng(0).permutation(len(sixty))]
    files = {
        "plain": (sixty, {"out_of_order": 0, "dropped": {}}),
        "reversed": (sixty[::-1], {"out_of_order": 80, "dropped": {}}),
        "shuffled": (shuffled, {"dropped": {}}),
        "milliseconds": ([p._replace(t=1000 * p.t) for p in sixty], {"stamps": "milliseconds"}),
        "stray": ([*sixty, sixty[3]._replace(t=1e9)], {"dropped": {"a time far from all others": 1}}),
        "nameless": ([*sixty, sixty[3]._replace(t=np.nan)], {"dropped": {"no time": 1}}),
        "twice": ([*sixty, sixty[3]], {"out_of_order": 1, "dropped": {"a time that is there twice": 1}}),
    }
    found = {}
    for name, (poses, says) in files.items():
        write_poses(tmp_path / f"{name}.csv", poses)
        result = CliRunner().invoke(app, ["track", str(tmp_path / f"{name}.csv"), "--period", n, "--out",
                                          str(tmp_path / name), "--json"])  # fmt: skip
        assert result.exit_code == 0, result.output
        summary = found[name] = json.loads(result.stdout)
        assert summary["rows"] == len(poses) and says.items() <= summary.items()
    for name, summary in found.items():
        np.testing.assert_allclose(summary["angular_velocity"], found["plain"]["angular_velocity"], atol=1e-9)
        assert summary["accepted"] == found["plain"]["accepted"], name


def test_where_most_is_refused_the_command_fails(sixty: list[PoseMeasurement], tmp_path: Path) -> None:
    poses = [p if k % 3 == 0 else p._replace(position=np.full(3, np.nan)) for k, p in enumerate(sixty)]
    write_poses(tmp_path / "poses.csv", poses)
    result = CliRunner().invoke(app, ["track", str(tmp_path / "poses.csv"), "--out", str(tmp_path / "out")])
    assert result.exit_code == 1 and "of 81 could be used (5" in result.output
    assert (tmp_path / "out" / "summary.json").exists()


def test_stamps_that_belong_together_are_kept() -> None:
    def of(t: list[float]) -> list[float]:
        pose = PoseMeasurement(0.0, np.zeros(3), np.array([1.0, 0, 0, 0]), np.eye(6))
        return [pose.t for pose in ordered([pose._replace(t=x) for x in t])[0]]

    assert of([0.0, 0.5, 1.0, 61.0, 61.5]) == [0.0, 0.5, 1.0, 61.0, 61.5]  # a gap of a minute is none of these
    steady = [0.5 * k + 0.25 for k in range(12)]
    assert of([-1e9, *steady, 1e9, 1e12]) == steady
    assert of([0, 1, 2, 3]) == [0, 1, 2, 3] and of([0, 100, 200]) == [0.0, 0.1, 0.2]
    assert of([5.0]) == [5.0] and of([]) == []
