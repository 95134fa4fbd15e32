"""How long a frame of a video takes: processor time of the browser, which does not depend on what else runs.

python studies/film_speed.py RUN [FRAMES]
"""

import os
import sys
import time
from pathlib import Path

from softdock import replay
from softdock.replay import browser
from softdock.runs.recording import read_run


def processor_time(root: int) -> float:
    """Of a process and all that it started (s), by /proc."""
    parents, times = {}, {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            parents[int(entry.name)] = int(fields[1])
            times[int(entry.name)] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    total = 0.0
    for number, seconds in times.items():
        at = number
        while at and at != root:
            at = parents.get(at, 0)
        total += seconds if at == root and number != root else 0.0
    return total


def main() -> None:
    """Frames one after the other, after two that compile shaders."""
    page, frames = replay.make(read_run(sys.argv[1])), int(sys.argv[2]) if len(sys.argv) > 2 else 60
    with browser.opened(1280, 720) as tab:
        tab.open(page, "?theme=dark")
        start, end = tab.run("(window.film = window.replay.film(1280, 720), [film.start, film.end])")
        for k in range(2):
            tab.run(f"film.picture({start + k}, 0.92).length")
        before, began = processor_time(os.getpid()), time.monotonic()
        for k in range(frames):
            tab.run(f"film.picture({start + (end - start) * k / frames}, 0.92).length")
        used, passed = processor_time(os.getpid()) - before, time.monotonic() - began
    print(f"{1e3 * used / frames:.0f} ms of processor time a frame, {1e3 * passed / frames:.0f} ms as the clock went")


if __name__ == "__main__":
    main()
