"""Videos and pictures from the command line, by the Chromium that is there; and what is said where one is missing."""

import subprocess
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from softdock.cli.app import app
from softdock.replay import browser, film
from softdock.replay.plain import Plain
from softdock.runs.recording import read_run
from softdock.scenarios import Runner, load

needs_browser = pytest.mark.skipif(browser.found() is None, reason="no Chromium")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("film") / "run"
    Runner(load("iss-docking", ["run.duration=2.0"])).record(path)
    return path


def command(*arguments: object) -> tuple[int, str]:
    done = CliRunner().invoke(app, [str(x) for x in arguments])
    return done.exit_code, done.stdout + done.stderr


@needs_browser
def test_a_video_has_the_frames_and_the_size_that_were_asked_for(run: Path, tmp_path: Path) -> None:
    pytest.importorskip("imageio_ffmpeg")
    out = tmp_path / "short.mp4"
    status, said = command(
        "replay", run, "--video", out, "--from", 1, "--to", 2, "--speed", 2, "--size", "320x180", "--fps", 10
    )
    assert status == 0, said
    raw = subprocess.run(
        [film.encoder(), "-loglevel", "error", "-i", out, "-f", "rawvideo", "-pix_fmt", "gray", "-"],
        capture_output=True, check=True,
    ).stdout  # fmt: skip
    frames = np.frombuffer(raw, np.uint8).reshape(-1, 180, 320).astype(float)
    assert len(frames) == 6  # half a second, both ends
    assert frames.std() > 10  # something is to be seen
    assert np.abs(frames[-1] - frames[0]).mean() > 0.1  # and it moves
    assert command("replay", run, "--video", out)[0] == 2  # never over an existing file


@needs_browser
def test_a_picture_is_of_its_time(run: Path, tmp_path: Path) -> None:
    from PIL import Image

    status, said = command(
        "replay", run, "--picture", f"t=0,{tmp_path / 'a.png'}", "--picture", f"t=2,{tmp_path / 'b.png'}",
        "--size", "400x300",
    )  # fmt: skip
    assert status == 0, said
    a, b = (np.asarray(Image.open(tmp_path / f"{name}.png").convert("L"), float) for name in "ab")
    assert a.shape == (300, 400) and a.std() > 10 and np.abs(a - b).mean() > 0.1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--video", "x.avi"], "a video ends in .mp4, .webm, .gif"),
        (["--video", "x.mp4", "--size", "12"], "--size 12: expected WIDTHxHEIGHT"),
        (["--video", "x.mp4", "--size", "101x100"], "even numbers"),
        (["--video", "x.mp4", "--view", "side"], "--view side: there are whole"),
        (["--video", "x.mp4", "--speed", "0"], "--speed must be positive"),
        (["--picture", "t=soon"], "--picture t=soon: expected t=SECONDS"),
    ],
)
def test_a_wrong_request_is_told_in_one_line(run: Path, arguments: list[str], said: str) -> None:
    status, text = command("replay", run, *arguments)
    assert status == 2 and said in text and len(text.strip().splitlines()) == 1


def test_without_a_browser_it_is_drawn_plainly_and_without_an_encoder_one_line_says_so(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A payload of 0.6 m in diameter is as large in the picture as its scale says, and moves as it is recorded."""
    from PIL import Image

    for module in (browser, film):
        monkeypatch.setattr(module, "found", lambda: None)
    asked = [f"--picture=t={t},{tmp_path / f'{t}.png'}" for t in (0, 2)]
    status, text = command("replay", run, *asked, "--view", "top", "--size", "640x360")
    assert status == 0 and text.count("no Chromium or Chrome was found") == 1
    plain = Plain(run / "replay.html", "top", (640, 360))
    recorded = read_run(run)
    balls = []
    for k, t in enumerate((0, 2)):
        pixels = np.asarray(Image.open(tmp_path / f"{t}.png").convert("RGB"), float)
        ball = (pixels[..., 0] > pixels[..., 2] + 60) & (pixels[..., 1] > pixels[..., 2] + 20)  # it alone is of gold
        middle, scale = plain._frame(t)
        rows, columns = np.nonzero(ball)
        balls.append(np.array([columns.mean() - 320, 180 - rows.mean()]) / scale + middle)
        radius = recorded.scenario["payload"]["radius"]
        assert np.ptp(columns) / scale == pytest.approx(2 * radius, rel=0.1)
        if k:
            states = recorded.states
            gone = [states[f"q.payload.{axis}"] - states[f"q.iss.{axis}"] for axis in "xy"]
            np.testing.assert_allclose(balls[1] - balls[0], [way[-1] - way[0] for way in gone], atol=0.03)
    status, text = command("replay", run, "--picture", f"t=1,{tmp_path / 'c.png'}", "--view", "port")
    assert status == 2 and "--view port of replay.html needs Chromium" in text
    for file in tmp_path.iterdir():
        file.unlink()

    def missing() -> str:
        raise ValueError("a video needs an encoder: pip install 'softdock[video]', or install ffmpeg")

    monkeypatch.setattr(film, "encoder", missing)
    status, text = command("replay", run, "--video", tmp_path / "a.mp4")
    assert status == 2 and "softdock[video]" in text and not list(tmp_path.iterdir())
