"""Self-contained HTML files: what every page of softdock has, and how data stand in one."""

import html
import json
from importlib import resources
from pathlib import Path
from typing import Any

from softdock.runs.recorder import RunFolderError, finite
from softdock.runs.whole import write_whole

ALONE = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:"
LISTENING = f"{ALONE}; connect-src 'self'"
"""Content security policies: of a page that may load nothing, and of one that may also ask whoever served it."""
THEME = "bundle/theme.css"


def document(title: str, body: str, package: str, name: str, policy: str = ALONE) -> str:
    """A page with the colours of all pages and what there is of `name`.css and `name`.js among a package's files;
    `body` is HTML, the title is text. It may load nothing (unless the policy is another): the browser is told so."""
    files = (resources.files(package).joinpath(f"{name}.{kind}") for kind in ("css", "js"))
    theme = resources.files(__package__).joinpath(THEME).read_text(encoding="utf-8")
    style, script = (file.read_text(encoding="utf-8") if file.is_file() else "" for file in files)
    return _PAGE.format(title=html.escape(title), style=theme + style, script=script, body=body, policy=policy)


def inert(data: Any) -> str:
    """JSON that no HTML parser can end early or read as a comment."""
    text = json.dumps(finite(data), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e").replace("\u2028", "\\u2028")


def put(path: Path, text: str) -> None:
    """A text file, whole or not at all."""
    try:
        write_whole(path, lambda place: place.write_text(text, encoding="utf-8"))
    except OSError as error:
        raise RunFolderError(f"{path}: cannot be written: {error.strerror or error}") from None


_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="softdock">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<link rel="icon" href="data:,">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
{body}
<script>{script}</script>
</body>
</html>
"""
