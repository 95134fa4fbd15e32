"""What the site adds to the pages: their order, mathematics as MathML, links that a reader of the site can follow."""

import html
import re
from pathlib import Path
from typing import Any

from latex2mathml.converter import convert

_OUTSIDE = re.compile(r"\[([^\]]+)\]\((?:\.\./)+(?!scenarios/|theory/|tutorials/|pictures/)[^)]*\)")
_DISPLAY = re.compile(r'<div class="arithmatex">\\\[(.*?)\\\]</div>', re.DOTALL)
_INLINE = re.compile(r'<span class="arithmatex">\\\((.*?)\\\)</span>', re.DOTALL)
_TAG = re.compile(r"\\tag\{(\w+)\}")
TUTORIALS = (
    "first-run",
    "grasp-something",
    "plan-a-motion",
    "your-arm",
    "your-contact",
    "your-mission",
    "your-estimator",
)
APART = {
    "Verification": ("verification.md", "security.md", "deviations.md", "references.md"),
    "Reference": ("conventions.md", "metrics.md", "architecture.md"),
}


def on_config(config: Any) -> Any:
    """Tutorials, how-to, scenarios, theory, then what to look things up in; a new page falls in its place by itself."""
    docs = Path(config["docs_dir"])

    def pages(folder: str) -> list[str]:
        return sorted(page.relative_to(docs).as_posix() for page in (docs / folder).glob("*.md"))

    apart = {"index.md"}.union(*APART.values())
    tutorials = [f"tutorials/{name}.md" for name in TUTORIALS]
    config["nav"] = [
        {"Home": "index.md"},
        {"Tutorials": tutorials + [page for page in pages("tutorials") if page not in tutorials]},
        {"How-to": [page for page in pages("") if page not in apart]},
        {"Scenarios": pages("scenarios")},
        {"Theory": pages("theory")},
        *({title: list(names)} for title, names in APART.items()),
        {"API": ["api/index.md", *(page for page in pages("api") if page != "api/index.md")]},
    ]
    return config


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Links out of docs/ lead to files of the repository, which the site does not hold: they become plain text."""
    depth = page.file.src_uri.count("/")
    return _OUTSIDE.sub(lambda link: link[1] if link[0].count("../") > depth else link[0], markdown)


def on_page_content(content: str, **_: Any) -> str:
    """LaTeX to MathML, which browsers typeset themselves: no script, no font from elsewhere."""
    return _INLINE.sub(lambda found: convert(html.unescape(found[1])), _DISPLAY.sub(_equation, content))


def _equation(found: re.Match[str]) -> str:
    """A displayed equation, with its number, if it has one, as an anchor: eq. 4 is at #eq-4."""
    latex = html.unescape(found[1]).strip().replace("{aligned}", "{align*}")  # as latex2mathml calls it
    tag = _TAG.search(latex)
    kind = "formula aligned" if "align*" in latex else "formula"
    shown = f'<div class="{kind}">{convert(_TAG.sub("", latex), display="block")}</div>'
    if not tag:
        return f'<div class="equation">{shown}</div>'
    return f'<div class="equation" id="eq-{tag[1]}">{shown}<a class="number" href="#eq-{tag[1]}">({tag[1]})</a></div>'
