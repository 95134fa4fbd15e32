"""Names that would be code if a page took them for HTML, in the three kinds of pages, opened in Chromium."""

import sys
from pathlib import Path

from raw import TOML
from verdict import Tally, command

TESTS = Path(__file__).parents[2] / "tests" / "replay"
PAYLOADS = (
    "</script><script>window.hacked=1</script>", "<img src=x onerror=window.hacked=1>",
    "\"><svg onload=window.hacked=1>",
    "'-window.hacked=1-'", "${window.hacked=1}", "<!--<script>window.hacked=1//", "javascript:window.hacked=1",
    "</style><script>window.hacked=1</script>", "&lt;script&gt;window.hacked=1", "\\u003cscript>window.hacked=1",
    "<iframe srcdoc='<script>parent.hacked=1</script>'>",
    "\u2028window.hacked=1//",
)  # fmt: skip


def attack(count: int, folder: Path) -> Tally:
    """Every payload is a body's name, a folder's and a scenario's; nothing of it may run, in any page."""
    sys.path.insert(0, str(TESTS))
    from browser import browser

    tally = Tally("injections in four kinds of pages")
    with browser() as driver:
        for k, payload in enumerate(PAYLOADS[:count]):
            flaw = ""
            for page in _pages(folder, k, payload):
                driver.get("about:blank")
                driver.get(page.resolve().as_uri())
                driver.execute_async_script("setTimeout(arguments[0], 700)")
                if driver.execute_script("return window.hacked") is not None:
                    flaw = f"it ran in {page.name}"
            tally.count(flaw, payload)
    return tally


def _pages(folder: Path, k: int, payload: str) -> list[Path]:
    place = folder / f"gallery-{k}" / payload.replace("/", "∕")[:80]
    place.parent.mkdir()
    file = folder / "page.toml"
    file.write_text(
        TOML.replace('name = "a"', f"name = {_quoted(payload)}").replace(
            "[world]", f"[world]\nname = {_quoted(payload)}"
        ),
        encoding="utf-8",
    )
    assert command("run", file, "--out", place, "--no-figures", seconds=300)[0] == 0
    assert command("replay", place.parent, "--no-open", seconds=300)[0] == 0
    assert command("report", place, seconds=300)[0] == 0
    out = folder / f"campaign-{k} {payload.replace('/', '∕')[:80]}"
    status, _, said, _ = command(
        "campaign",
        file,
        "--runs",
        3,
        "--workers",
        1,
        "--vary",
        "world.bodies[0].mass=uniform(1, 2)",
        "--out",
        out,
        seconds=300,
    )
    assert status == 0, said
    return [place / "replay.html", place / "report.html", place.parent / "index.html", out / "report.html"]


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\u2028", "\\u2028") + '"'
