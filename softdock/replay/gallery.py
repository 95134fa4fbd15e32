"""A page of cards for a folder of runs."""

import html
from pathlib import Path
from typing import Any

from softdock.replay.document import document, inert, put
from softdock.replay.page import own_first, replay_data, write_page
from softdock.runs.measures import shown
from softdock.runs.recorder import RunFolderError
from softdock.runs.recording import read_run

GALLERY = "index.html"
"""Its page."""


def runs_in(folder: Path) -> list[Path]:
    """Run directories directly in a folder, by name."""
    return sorted(path.parent for path in folder.glob("*/scenario.toml"))


def gallery(folder: Path) -> tuple[Path, list[str]]:
    """Write the folder's index.html, and the replay of each run; and what could not be shown."""
    cards, troubles = [], []
    for path in runs_in(folder):
        try:
            cards.append(_card(path))
        except Exception as error:  # it may be anybody's
            why = str(error) if isinstance(error, RunFolderError) else f"{path}: {error or type(error).__name__}"
            troubles.append(why)
            cards.append({"run": path.name, "outcome": "cannot be shown", "why": why, "metrics": {}})
    if not cards:
        raise RunFolderError(f"{folder}: is neither a run directory nor a folder of them")
    title, index = f"Runs in {folder.resolve().name}", folder / GALLERY
    body = _BODY.format(title=html.escape(title), cards=inert(cards))
    put(index, document(title, body, __package__, "bundle/gallery"))
    return index, troubles


def _card(path: Path) -> dict[str, Any]:
    run = read_run(path)
    data, tracks, svg = replay_data(run)
    if not path.is_symlink():  # nothing is written through links; its page may be there
        write_page(path / "replay.html", [(data, tracks, svg)])
    numbers = {k: v for k, v in own_first(run.metrics) if isinstance(v, int | float) and not isinstance(v, bool)}
    return {
        "run": path.name,
        "scenario": data["name"],
        "outcome": str(run.metrics.get("outcome") or data["status"]),
        "status": data["status"],
        "page": f"{path.name}/replay.html",
        "picture": svg,
        "metrics": numbers,
        "texts": {name: shown(name, value, run.measures) for name, value in numbers.items()},
    }


_BODY = """<h1>{title}</h1>
<div id="gallery"></div>
<script type="application/json" id="cards">{cards}</script>"""
