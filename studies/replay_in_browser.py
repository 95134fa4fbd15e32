"""The replay page in headless Chromium: pictures for the docs, and how fast it opens and scrubs without a GPU.

    python studies/replay_in_browser.py pictures [--out docs/pictures] [--only NAME]
    python studies/replay_in_browser.py speed [--boxes 500 [--apart]]

`pictures` runs scenarios and tutorials and takes 1280×720 screenshots of their pages. `speed` opens a page of 20 bodies
(or so many boxes) and 6,000 frames and scrubs through it for five seconds, all pixels drawn by the processor
(SwiftShader); with `--apart` also with each body drawn by itself, in turn, to see what drawing them together gains.
"""

import argparse
import contextlib
import io
import os
import sys
import tempfile
from pathlib import Path
from time import process_time
from typing import Any

from PIL import Image
from report import heading

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "replay"))
sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "docs"))
from browser import browser, visit
from pages import ROOT, performed

from softdock import replay
from softdock.bench.replay import drifting_boxes, many_bodies
from softdock.runs.recording import read_run
from softdock.scenarios import load
from softdock.scenarios.runner import Runner

SCENARIOS = {
    "capture": {"replay-capture-dark": (94.0, "dark", "whole"), "replay-capture-blind": (114.0, "light", "port")},
    "iss-docking": {"replay-iss-docking-dark": (13.0, "dark", "whole")},
    "iss-docking contact.style=compliant": {"replay-contact-light": (12.63, "light", "whole")},
    "free-flyer": {"replay-free-flyer-dark": (33.0, "dark", "whole")},
    "berthing": {"replay-berthing-dark": (5.61, "dark", "whole")},
}
"""Scenarios, with what is changed in them, and of each picture the time (s), the theme and the view."""
TUTORIALS = {
    "first-run": ("runs/first/replay-beside-light.html", 33.0, "light"),
    "your-arm": ("runs/corrected/replay-beside-blind.html", 12.0, "dark"),
    "your-contact": ("runs/hard/replay-beside-soft.html", 14.0, "light"),
    "your-estimator": ("runs/mine/replay.html", 66.0, "dark"),
}
"""Tutorials, and the page of one of their runs, its time and theme."""
SCRUB = """
const end = arguments[0], done = arguments[1], began = performance.now();
let frames = 0;
function next() {
  const passed = performance.now() - began;
  if (passed > 5000) return done(frames / passed * 1000);
  window.replay.seek((passed / 5000) * end);
  frames += 1;
  requestAnimationFrame(next);
}
requestAnimationFrame(next);
"""


def pictures(out: Path, only: str) -> None:
    with tempfile.TemporaryDirectory() as folder, browser() as driver, contextlib.chdir(folder):
        for name in [name for name in SCENARIOS if only in name]:
            scenario, *changes = name.split()
            place = Path("-".join([scenario, *(change.rpartition("=")[2] for change in changes)]))
            Runner(load(scenario, changes)).record(place)
            page = replay.make(read_run(place))
            for file, (time, theme, view) in SCENARIOS[name].items():
                take(driver, page, f"?theme={theme}#t={time}", view, out / f"{file}.png")
        for name in [name for name in TUTORIALS if only in name]:
            Path(name).mkdir()
            with contextlib.chdir(name):
                list(performed(ROOT / "docs" / "tutorials" / f"{name}.md"))
                page, time, theme = TUTORIALS[name]
                take(driver, Path(page), f"?theme={theme}#t={time}", "whole", out / f"tutorial-{name}.png")


def take(driver: Any, page: Path, address: str, view: str, file: Path) -> None:
    """A screenshot of a page."""
    visit(driver, page, address)
    driver.execute_script(f"window.replay.view({view!r})")
    driver.execute_async_script("setTimeout(arguments[0], 500)")  # until it is drawn sharply again
    Image.open(io.BytesIO(driver.get_screenshot_as_png())).convert("RGB").save(file, optimize=True)
    print(file)


def speed(options: argparse.Namespace) -> None:
    what = f"{options.boxes} boxes" if options.boxes else "20 bodies"
    print(heading(f"replay page: {what}, 6,000 frames, 1280×720, software rendering", options))
    with tempfile.TemporaryDirectory() as place, browser(log=False) as driver:
        run = Path(place) / "run"
        recorded, dynamics = drifting_boxes(run, options.boxes) if options.boxes else many_bodies(run)
        began = process_time()
        page = replay.make(recorded, dynamics)
        print(f"file: {page.stat().st_size / 1e6:.2f} MB, written in {process_time() - began:.1f} s of processor time")
        for attempt in range(3):
            visit(driver, page)
            print(f"opening {attempt + 1}: interactive after {_ready(driver):.2f} s")
        ways = ["", "?apart"] if options.apart else [""]
        for attempt, way in ((attempt, way) for attempt in range(3) for way in ways):
            if options.apart:
                visit(driver, page, way)
            before = spent(driver.service.process.pid)
            rate = driver.execute_async_script(SCRUB, 60.0)
            each = 1000 * (spent(driver.service.process.pid) - before) / (5 * rate)
            told = f"scrubbing {attempt + 1}{way and ', each apart'}"
            print(f"{told}: {rate:.1f} frames a second, {each:.0f} ms of processor time each")
        print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


def spent(root: int) -> float:
    """Processor time (s) of all processes below one: Chromium's page, its drawing and the rest (Linux)."""
    below: dict[int, list[tuple[int, float]]] = {}
    for place in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            fields = (place / "stat").read_text().rpartition(")")[2].split()
            ticks = int(fields[11]) + int(fields[12])
            below.setdefault(int(fields[1]), []).append((int(place.name), ticks / os.sysconf("SC_CLK_TCK")))
    total, left = 0.0, [root]
    while left:
        for process, seconds in below.get(left.pop(), []):
            total += seconds
            left.append(process)
    return total


def _ready(driver: Any) -> float:
    """Seconds from the start of navigation until the page had been drawn and could be used."""
    return float(driver.execute_script("return window.replay.readyAt")) / 1000


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["pictures", "speed"])
    parser.add_argument("--out", type=Path, default=Path("docs/pictures"))
    parser.add_argument("--only", default="", help="pictures of names that contain this")
    parser.add_argument("--boxes", type=int, default=0, help="speed with so many free boxes")
    parser.add_argument("--apart", action="store_true", help="also with each of them drawn by itself")
    chosen = parser.parse_args()
    speed(chosen) if chosen.what == "speed" else pictures(chosen.out.resolve(), chosen.only)
