"""`softdock facility`: delay, reach and budget, from the command line and beside what is known."""

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from softdock.arm import pose, read_log, sawyer
from softdock.cli.app import app
from softdock.dynamics import Dynamics
from softdock.facility.reach import study_reach, turns
from softdock.scenarios.loading import load
from softdock.scenarios.runner import Runner
from softdock.spatial import transform


def asked(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["facility", *words])
    return result.exit_code, result.stdout or result.stderr  # what is said of compiling goes to stderr


def test_delay_is_told_and_drawn(tmp_path: Path) -> None:
    code, out = asked("delay", "--stiffness", "2000", "--servicer", "80", "--out", str(tmp_path), "--json")
    assert code == 0
    answer = json.loads(out)
    for row in answer["critical_delay"]:
        assert row["simulated"] == pytest.approx(row["servicer"], abs=0.05e-3)
    for row in answer["apparent_restitution"]:
        assert row["simulated"] == pytest.approx(row["theory"], abs=0.012)
    assert (tmp_path / "delay.png").stat().st_size > 10_000 and (tmp_path / "delay.json").is_file()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["delay", "--target", "-3"], "target mass: -3 must be from 1e-06 to 1e+09"),
        (["delay", "--stiffness", "1e9"], "does not resolve the contact"),
        (["reach", "--inertia", "1,2"], "'1,2' is not three numbers"),
        (["reach", "--arm", "nobody"], "no arm 'nobody'"),
        (["budget", "--set", "mount=magnetic"], "mount"),
    ],
)
def test_a_wrong_question_is_one_line(words: list[str], says: str, tmp_path: Path) -> None:
    code, out = asked(*words, "--out", str(tmp_path / "x"))
    assert code == 2 and says in out and len(out.strip().splitlines()) == 1
    assert not (tmp_path / "x").exists()


def test_a_tumble_is_followed_as_far_as_limits_allow() -> None:
    """The best path holds the target's centre, turns it as the tumble turns, and keeps to limits, speeds, torques."""
    arm, inertia, rate = sawyer(), (4.0, 8.0, 5.0), np.radians(20.0)
    rates = {"own": np.array([1.0, 2.0, 0.5])}
    (found,) = study_reach(
        arm, inertia=inertia, distance=0.1, payload=2.0, rate=rate, angle=np.radians(120), starts=30, seed=2,
        tumbles=rates,
    )  # fmt: skip
    assert found.longest > found.median > 0 and len(found.path) == round(np.degrees(found.longest)) + 1
    R, p = pose(arm.altered(tool=transform(np.eye(3), np.array([0, 0, 0.1]))), found.path)
    assert np.abs(p - p[0]).max() < 1e-4
    angles = np.arccos(np.clip((np.trace(R @ R[0].T, axis1=1, axis2=2) - 1) / 2, -1, 1))
    path = turns(inertia, rates["own"], found.longest)
    assert angles == pytest.approx(np.arccos(np.clip((np.trace(path, axis1=1, axis2=2) - 1) / 2, -1, 1)), abs=1e-3)
    speed = np.abs(np.diff(found.path, axis=0)) / np.radians(1.0) * rate
    assert np.all(found.path > arm.lower) and np.all(found.path < arm.upper) and np.all(speed < arm.speed)
    still = np.zeros_like(found.path)
    assert np.all(np.abs(Dynamics(arm.world()).inverse_dynamics(found.path, still, still)) < arm.effort)


def test_robots_motions_are_written_and_read_back(tmp_path: Path) -> None:
    """CSV by `softdock compare`'s reader: the same joints; accelerations are the rates' slopes; MCAP decodes."""
    code, out = asked("export", str(tmp_path / "nothing"))
    assert code == 2 and len(out.strip().splitlines()) == 1
    Runner(load("facility", ["run.duration=0.1"])).record(tmp_path / "run")
    code, out = asked("export", str(tmp_path / "run"), "--out", str(tmp_path / "robots"))
    assert code == 0
    for name in ("client", "servicer"):
        log = read_log(tmp_path / "robots" / f"{name}.csv", sawyer())
        assert len(log.t) == 100 and log.torque is not None
        assert np.gradient(log.q, log.t, axis=0)[2:-2] == pytest.approx(log.v[2:-2], abs=2e-3)
        assert np.gradient(log.v, log.t, axis=0)[1:-1] == pytest.approx(log.a[1:-1], abs=1e-6)
    reader = pytest.importorskip("mcap_ros2.reader")
    code, out = asked("export", str(tmp_path / "run"), "--to", "mcap", "--out", str(tmp_path / "robots"))
    assert code == 0
    messages = list(reader.read_ros2_messages(str(tmp_path / "robots" / "joint_trajectories.mcap")))
    assert len(messages) == 2 and messages[0].ros_msg.joint_names[0] == "right_l0"
    assert messages[0].ros_msg.points[-1].time_from_start.nanosec == 99_000_000


def test_a_budget_names_every_cause(tmp_path: Path) -> None:
    """Short of a touch there is nothing to compare; with one, all together is more than nothing."""
    code, out = asked("budget", "--set", "run.duration=0.1", "--out", str(tmp_path / "x"))
    assert code == 2 and "there is no touch" in out
