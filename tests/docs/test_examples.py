"""The pages keep their word: code blocks run, in order, page by page (pages.py); files that they name exist."""

import re
from pathlib import Path

import pytest
from pages import ROOT, TUTORIALS, alike, blocks, performed

PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


PROGRAMS = [page for page in PAGES if any(language == "python" for language, _, _ in blocks(page))]


@pytest.mark.parametrize("page", PROGRAMS, ids=name)
def test_a_page_is_a_program_that_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for line, expected, said in performed(page):
        assert alike(expected, said), f"{name(page)}:{line}: it prints\n{said}"


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_lead_somewhere(page: Path) -> None:
    links = [link for link in LINK.findall(page.read_text(encoding="utf-8")) if "://" not in link]
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_the_pages_hold_programs() -> None:
    assert {"README.md", "docs/describing-a-world.md", "docs/using-from-python.md"} <= {name(page) for page in PROGRAMS}
    assert {page.stem for page in TUTORIALS} >= {"first-run", "your-arm", "your-contact", "your-estimator"}
    assert set(TUTORIALS) <= set(PROGRAMS)
