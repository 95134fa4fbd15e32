"""Links out of docs/ lead to files of the repository, which the site does not hold: there they become plain text."""

import re
from typing import Any

_OUTSIDE = re.compile(r"\[([^\]]+)\]\((?:\.\./)+(?!scenarios/|theory/)[^)]*\)")


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Called by MkDocs for every page."""
    depth = page.file.src_uri.count("/")
    return _OUTSIDE.sub(lambda link: link[1] if link[0].count("../") > depth else link[0], markdown)
