"""The replay page in headless Chromium: pictures for the docs, and how fast it opens and scrubs without a GPU.

    python studies/replay_in_browser.py pictures [--out docs/pictures]
    python studies/replay_in_browser.py speed

`pictures` runs the scenarios and takes 1280×720 screenshots, light and dark. `speed` opens a page of 20 bodies and
6,000 frames and scrubs through it for five seconds, all pixels drawn by the processor (SwiftShader).
"""

import argparse
import sys
import tempfile
from pathlib import Path
from typing import Any

from report import heading

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "replay"))
from browser import browser, visit

from softdock import replay
from softdock.bench.replay import many_bodies
from softdock.recorded import read_run
from softdock.scenarios.load import load
from softdock.scenarios.perform import perform
from softdock.scenarios.scenario import Play

PICTURES = {"iss-docking": 13.0, "free-flyer": 33.0}
"""Scenarios, and the time (s) that is shown."""
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


def pictures(out: Path) -> None:
    with tempfile.TemporaryDirectory() as place, browser() as driver:
        for name, time in PICTURES.items():
            path = Path(place) / name
            perform(Play(load(name)), path)
            page = replay.make(read_run(path))
            for theme in ("light", "dark"):
                visit(driver, page, f"?theme={theme}#t={time}")
                file = out / f"replay-{name}-{theme}.png"
                driver.save_screenshot(str(file))
                print(file)


def speed(options: argparse.Namespace) -> None:
    print(heading("replay page: 20 bodies, 6,000 frames, 1280×720, software rendering", options))
    with tempfile.TemporaryDirectory() as place, browser(log=False) as driver:
        recorded, dynamics = many_bodies(Path(place) / "run")
        page = replay.make(recorded, dynamics)
        print(f"file: {page.stat().st_size / 1e6:.2f} MB")
        for attempt in range(3):
            visit(driver, page)
            print(f"opening {attempt + 1}: interactive after {_ready(driver):.2f} s")
        for attempt in range(3):
            print(f"scrubbing {attempt + 1}: {driver.execute_async_script(SCRUB, 60.0):.1f} frames a second")


def _ready(driver: Any) -> float:
    """Seconds from the start of navigation until the page had been drawn and could be used."""
    return float(driver.execute_script("return window.replay.readyAt")) / 1000


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["pictures", "speed"])
    parser.add_argument("--out", type=Path, default=Path("docs/pictures"))
    chosen = parser.parse_args()
    speed(chosen) if chosen.what == "speed" else pictures(chosen.out)
