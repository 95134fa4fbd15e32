"""Videos and pictures of a recorded run: its replay page, drawn frame by frame by a headless browser, or plainly."""

import base64
import math
import os
import shutil
import subprocess
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from softdock.replay.browser import NoBrowser, Page, found, opened
from softdock.replay.plain import Plain
from softdock.runs.recorder import RunFolderError
from softdock.runs.whole import write_whole

VIEWS = ("whole", "chase", "target", "port", "top", "far")
QUALITY = 0.92
"""Of the JPEG frames that the encoder gets."""
_H264 = "-c:v libx264 -preset veryfast -crf 20 -pix_fmt yuv420p -movflags +faststart"
_VP9 = "-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -row-mt 1 -b:v 0 -crf 32"
_PALETTE = (
    "split[a][b];[a]palettegen=stats_mode=diff[p];[b][p]paletteuse=dither=bayer:bayer_scale=5:diff_mode=rectangle"
)
ENCODED = {".mp4": _H264.split(), ".webm": _VP9.split(), ".gif": ["-filter_complex", _PALETTE]}
"""Arguments of ffmpeg by the file's ending."""
MOST_FRAMES = 200_000
INSTANT = 1e-6
"""Times are recorded to this (s)."""
MOST_PAGES, WORTHWHILE = 2, 90
"""A video of so many frames is drawn by several browsers, one a core: each takes seconds to start."""


class Shot(NamedTuple):
    """What is filmed: from and to (s; None: the run's ends), speed, view, size, frames a second."""

    start: float | None = None
    end: float | None = None
    speed: float = 1.0
    view: str = "whole"
    width: int = 1280
    height: int = 720
    rate: float = 30.0


def encoder() -> str:
    """Where ffmpeg is: that of imageio-ffmpeg, or one on the path. ValueError if there is none."""
    try:
        from imageio_ffmpeg import get_ffmpeg_exe

        return str(get_ffmpeg_exe())
    except (ImportError, RuntimeError):
        if place := shutil.which("ffmpeg"):
            return place
    raise ValueError("a video needs an encoder: pip install 'softdock[video]', or install ffmpeg")


def video(page: Path, out: Path, shot: Shot = Shot(), progress: Callable[[int, int], None] | None = None) -> Path:  # noqa: B008
    """Write a video of a replay page; ValueError or RunFolderError, in one line, if that cannot be done."""
    if out.suffix.lower() not in ENCODED:
        raise ValueError(f"{out}: a video ends in {', '.join(ENCODED)}")
    if os.path.lexists(out):
        raise ValueError(f"{out}: exists already; choose another")
    _refuse(shot)
    ffmpeg = encoder()
    out.parent.mkdir(parents=True, exist_ok=True)

    def write(place: Path) -> None:
        coded = place.with_name(f"{place.name}{out.suffix.lower()}")  # ffmpeg goes by the ending
        try:
            _encode(ffmpeg, _frames(page, shot, progress), coded, shot.rate)
            os.replace(coded, place)
        finally:
            coded.unlink(missing_ok=True)

    write_whole(out, write)
    return out


def picture(page: Path, time: float, out: Path, shot: Shot = Shot()) -> Path:  # noqa: B008
    """Write one picture (PNG) of a replay page at a time (s)."""
    if os.path.lexists(out):
        raise ValueError(f"{out}: exists already; choose another")
    if not math.isfinite(time):
        raise ValueError(f"--picture: {time} is no time")
    _refuse(shot)
    with _filmed(page, shot) as (film, ends):
        if not ends[0] - INSTANT <= time <= ends[1] + INSTANT:
            raise ValueError(f"--picture t={time:g}: the run goes from {ends[0]:g} to {ends[1]:g} s")
        image = film(time, None)
    out.parent.mkdir(parents=True, exist_ok=True)
    write_whole(out, lambda place: place.write_bytes(image))
    return out


def _refuse(shot: Shot) -> None:
    if shot.view not in VIEWS:
        raise ValueError(f"--view {shot.view}: there are {', '.join(VIEWS)}")
    if not (16 <= shot.width <= 7680 and 16 <= shot.height <= 4320):
        raise ValueError(f"--size {shot.width}x{shot.height}: from 16x16 to 7680x4320 pixels")
    if shot.width % 2 or shot.height % 2:
        raise ValueError(f"--size {shot.width}x{shot.height}: encoders take even numbers of pixels")
    if not (math.isfinite(shot.speed) and shot.speed > 0 and math.isfinite(shot.rate) and 1 <= shot.rate <= 240):
        raise ValueError("--speed must be positive, and --fps from 1 to 240")


Draw = Callable[[float, float | None], bytes]
"""A picture of a time (s): JPEG of a quality, or PNG."""


class _filmed:
    """A page ready to be filmed: a function that draws it at a time, and when the run begins and ends."""

    def __init__(self, page: Path, shot: Shot) -> None:
        self._page, self._shot = page, shot
        self._browser = opened(shot.width, shot.height) if found() else None

    def __enter__(self) -> tuple[Draw, tuple[float, float]]:
        shot = self._shot
        if self._browser is None:
            plain = Plain(self._page, shot.view, (shot.width, shot.height))
            return plain.picture, (plain.start, plain.end)
        try:
            tab: Page = self._browser.__enter__()
        except NoBrowser as error:
            raise ValueError(str(error)) from None
        try:
            tab.open(self._page, "?theme=dark")
            if shot.view not in (views := tab.run("window.replay.views()")):
                self._browser.__exit__(None, None, None)
                raise ValueError(f"--view {shot.view}: this run has {', '.join(views)}")
            tab.run(f"window.replay.view('{shot.view}')")
            start, end = tab.run(
                f"(window.film = window.replay.film({shot.width}, {shot.height}), [film.start, film.end])"
            )
        except NoBrowser as error:
            self._browser.__exit__(None, None, None)
            raise RunFolderError(f"{self._page}: {error}") from None

        def draw(time: float, quality: float | None) -> bytes:
            given = f"{time!r}" if quality is None else f"{time!r}, {quality}"
            return base64.b64decode(tab.run(f"film.picture({given})").partition(",")[2])

        return draw, (float(start), float(end))

    def __exit__(self, *what: object) -> None:
        if self._browser is not None:
            self._browser.__exit__(None, None, None)


def _frames(page: Path, shot: Shot, progress: Callable[[int, int], None] | None) -> Iterator[bytes]:
    with ExitStack() as open_pages:
        draw, (first, last) = open_pages.enter_context(_filmed(page, shot))
        start = first if shot.start is None else max(first, shot.start)
        end = last if shot.end is None else min(last, shot.end)
        if not end > start:
            raise ValueError(f"--from {start:g} --to {end:g}: the run goes from {first:g} to {last:g} s")
        count = math.floor((end - start) / shot.speed * shot.rate) + 1
        if count > MOST_FRAMES:
            raise ValueError(f"that is {count} frames, more than {MOST_FRAMES}; film a part, or at a higher --speed")
        times = [min(end, start + k * shot.speed / shot.rate) for k in range(count)]
        more = min(MOST_PAGES, os.cpu_count() or 1) - 1 if count >= WORTHWHILE and found() else 0
        pages = [draw, *(open_pages.enter_context(_filmed(page, shot))[0] for _ in range(more))]
        try:
            for k, image in enumerate(_in_turn(pages, times)):
                yield image
                if progress:
                    progress(k + 1, count)
        except NoBrowser as error:
            raise RunFolderError(f"{page}: {error}") from None


def _in_turn(pages: list[Draw], times: list[float]) -> Iterator[bytes]:
    """Pictures in order, drawn by several pages at a time: what one of them waits for, another does not."""
    with ExitStack() as ends:
        workers = [ends.enter_context(ThreadPoolExecutor(1)) for _ in pages]  # a page does one thing at a time
        ahead: deque[Future[bytes]] = deque()
        ends.callback(lambda: [future.cancel() for future in ahead])
        for k, time in enumerate(times):
            ahead.append(workers[k % len(pages)].submit(pages[k % len(pages)], time, QUALITY))
            if len(ahead) >= 2 * len(pages):
                yield ahead.popleft().result()
        while ahead:
            yield ahead.popleft().result()


def _encode(ffmpeg: str, frames: Iterator[bytes], out: Path, rate: float) -> None:
    source = ["-f", "image2pipe", "-c:v", "mjpeg", "-framerate", f"{rate:g}", "-i", "-"]
    command = [ffmpeg, "-loglevel", "error", "-y", *source, *ENCODED[out.suffix], str(out)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    assert process.stdin and process.stderr
    try:
        for frame in frames:
            try:
                process.stdin.write(frame)
            except BrokenPipeError:
                break
        process.stdin.close()
        said = process.stderr.read().decode(errors="replace")
        if process.wait() != 0:
            raise ValueError(f"the encoder failed: {' '.join(said.split())[:200]}")
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
        process.stderr.close()
