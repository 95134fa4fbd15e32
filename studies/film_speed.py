"""How long a video takes: processor time of browsers, encoder and Python, which depends little on what else runs.

python studies/film_speed.py RUN [FRAMES]
"""

import contextlib
import os
import sys
import tempfile
import threading
import time
from pathlib import Path

from softdock import replay
from softdock.replay import film
from softdock.runs.recording import read_run


class Meter(threading.Thread):
    """Processor time (s) of this process and all below it, also of those that have ended: looked at twice a second."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.ticks: dict[int, int] = {}
        self.ended = threading.Event()

    def run(self) -> None:
        """Until it is stopped."""
        while not self.ended.wait(0.5):
            self.look()

    def look(self) -> None:
        """Linux: by /proc."""
        below, spent = {os.getpid()}, dict[int, tuple[int, int]]()
        for entry in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
                spent[int(entry.name)] = int(fields[1]), int(fields[11]) + int(fields[12])
        for number in sorted(spent):
            if spent[number][0] in below:
                below.add(number)
        self.ticks |= {number: spent[number][1] for number in below if number in spent}

    @property
    def seconds(self) -> float:
        """So far."""
        return sum(self.ticks.values()) / os.sysconf("SC_CLK_TCK")


def spent(page: Path, span: float, frames: int) -> tuple[float, float]:
    """Processor time and time by the clock (s) of a whole video: browsers with their start, encoder and Python."""
    meter = Meter()
    meter.look()
    before, began = meter.seconds, time.monotonic()
    meter.start()
    with tempfile.TemporaryDirectory() as folder:
        film.video(page, Path(folder) / "out.mp4", film.Shot(speed=span * 30 / frames))
    meter.ended.set()
    return meter.seconds - before, time.monotonic() - began


def main() -> None:
    """Two videos, of which the difference is what frames take, and the rest what browsers take to start."""
    run, frames = read_run(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 300
    page, span = replay.make(run), float(run.states["t"][-1])
    (few, _), (many, passed) = spent(page, span, 100), spent(page, span, 100 + frames)
    each = (many - few) / frames
    start = few - 100 * each
    whole, load = (1200 * each + start) / 2, os.getloadavg()[0]
    print(
        f"1280x720: {1e3 * each:.0f} ms of processor time a frame, {start:.1f} s to start; {passed:.0f} s by the clock"
    )
    print(f"1200 frames (40 s of video) are {whole:.0f} s of two idle cores; load {load:.1f}")


if __name__ == "__main__":
    main()
