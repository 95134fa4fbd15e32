"""A page of cards for a folder of runs."""

import html
import json
from importlib import resources
from pathlib import Path
from typing import Any

from softdock.record import RunFolderError, finite
from softdock.recorded import read_run
from softdock.replay.page import own_first, put, replay_data, write_page


def runs_in(folder: Path) -> list[Path]:
    """Run directories directly in a folder, by name."""
    return sorted(path.parent for path in folder.glob("*/scenario.toml"))


def gallery(folder: Path) -> tuple[Path, list[str]]:
    """Write the folder's index.html, and the replay of each run; and what could not be shown."""
    cards, troubles = [], []
    for path in runs_in(folder):
        try:
            cards.append(_card(path))
        except RunFolderError as error:
            troubles.append(str(error))
            cards.append({"run": path.name, "outcome": "cannot be shown", "why": str(error), "metrics": {}})
    if not cards:
        raise RunFolderError(f"{folder}: is neither a run directory nor a folder of them")
    bundle = resources.files(__package__).joinpath("bundle")
    index = folder / "index.html"
    put(index, _page(folder, cards, bundle))
    return index, troubles


def _card(path: Path) -> dict[str, Any]:
    run = read_run(path)
    data, tracks, svg = replay_data(run)
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
    }


def _page(folder: Path, cards: list[dict[str, Any]], bundle: Any) -> str:
    text = json.dumps(finite(cards), ensure_ascii=False, allow_nan=False)
    data = text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")
    title = html.escape(f"Runs in {folder.resolve().name}")
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; \
style-src 'unsafe-inline'; img-src data:">
<link rel="icon" href="data:,">
<title>{title}</title>
<style>{bundle.joinpath("gallery.css").read_text(encoding="utf-8")}</style>
</head>
<body>
<h1>{title}</h1>
<div id="gallery"></div>
<script type="application/json" id="cards">{data}</script>
<script>{bundle.joinpath("gallery.js").read_text(encoding="utf-8")}</script>
</body>
</html>
"""
