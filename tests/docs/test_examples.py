"""The pages keep their word: code blocks run, in order, page by page; files that they name exist.

A TOML or XML block whose first line is a comment with a file name is that file, beside the page's program.
"""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
FILE = re.compile(r"(?:#|<!--) ([\w-]+\.(?:toml|urdf))\b")
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def blocks(page: Path) -> list[tuple[str, str, int]]:
    """Language, text and line number of every fenced block."""
    text = page.read_text(encoding="utf-8")
    return [(found[1], found[2], text.count("\n", 0, found.start(2))) for found in BLOCK.finditer(text)]


PROGRAMS = [page for page in PAGES if any(language == "python" for language, _, _ in blocks(page))]


@pytest.mark.parametrize("page", PROGRAMS, ids=name)
def test_a_page_is_a_program_that_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    known: dict[str, object] = {"__name__": "__main__"}
    for language, text, line in blocks(page):
        if language == "python":
            exec(compile("\n" * line + text, str(page), "exec"), known)
            assert "softdock" in text or "sd" in known
        elif file := FILE.match(text):
            Path(file[1]).write_text(text, encoding="utf-8")


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_lead_somewhere(page: Path) -> None:
    links = [link for link in LINK.findall(page.read_text(encoding="utf-8")) if "://" not in link]
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_the_pages_hold_programs() -> None:
    assert {"README.md", "docs/describing-a-world.md", "docs/using-from-python.md"} <= {name(page) for page in PROGRAMS}
