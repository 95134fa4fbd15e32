"""The documentation site: it builds without a warning, documents what is public and only that, and fetches nothing."""

import html
import importlib
import os
import re
import subprocess
import sys
from collections import Counter

import pytest
from pages import ROOT

import softdock as sd

pytest.importorskip("mkdocstrings")

PACKAGES = (
    "arm",
    "campaign",
    "contact",
    "control",
    "estimation",
    "figures",
    "mission",
    "optimal",
    "planning",
    "replay",
    "scenarios",
    "sensing",
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Every page, style and script of the built site by its path."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "-q", "--site-dir", str(folder)]
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    files = [file for file in folder.rglob("*") if file.suffix in (".html", ".css")]
    return {file.relative_to(folder).as_posix(): file.read_text(encoding="utf-8") for file in files}


def documented(site: dict[str, str]) -> list[str]:
    """Dotted paths of the documented objects, each page's once: as it is imported there or where it is defined."""
    found = []
    for path, text in site.items():
        if path.startswith("api/"):
            found += re.findall(r'<h[2-6] id="(softdock\.[^"]+)"', text)
    return found


def located(path: str) -> tuple[str, str, str]:
    """Defining module, name, and name of the member if it is one, of a documented path."""
    parts = path.split(".")
    for k in range(len(parts) - 1, 0, -1):
        try:
            module = importlib.import_module(".".join(parts[:k]))
        except ImportError:
            continue
        thing = getattr(module, parts[k])
        return getattr(thing, "__module__", None) or module.__name__, parts[k], ".".join(parts[k + 1 :])
    raise AssertionError(path)


def test_what_is_public_is_what_is_documented(site: dict[str, str]) -> None:
    seen = [located(path) for path in documented(site)]
    twice = [what for what, count in Counter(seen).items() if count > 1]
    assert not twice
    names = {name for _, name, member in seen if not member}
    public = {name for name in sd.__all__ if name not in PACKAGES}
    public |= {name for package in PACKAGES for name in getattr(sd, package).__all__}
    assert names - {"dynamics", "runs"} == public


def test_nothing_private_is_documented(site: dict[str, str]) -> None:
    called = ("__call__", "__matmul__", "__getitem__")
    private = [path for path in documented(site) if re.search(r"\._", path) and not path.endswith(called)]
    assert not private


def test_fields_and_arguments_are_shown_with_types_units_and_defaults(site: dict[str, str]) -> None:
    pages = {name: re.sub(r"<[^>]+>", " ", site[f"api/{name}.html"]) for name in ("world", "dynamics")}
    world, dynamics = (" ".join(html.unescape(text).split()) for text in pages.values())
    assert "eccentricity float, ≥ 0, < 1 - 0.0" in world
    assert "mass float, ≥ 0 kg required" in world
    assert "spring Spring or None - None" in world  # inherited by every joint that moves
    assert "v array m/s or rad/s required h float s required" in dynamics  # of Motion


def test_the_site_fetches_nothing_from_elsewhere(site: dict[str, str]) -> None:
    for path, text in site.items():
        fetched = re.findall(r"<(?:script|img|iframe|source)[^>]+src=\"?(?:https?:)?//[^\s>]+", text)
        fetched += [tag for tag in re.findall(r"<link[^>]+href=\"?(?:https?:)?//[^>]+", text) if "canonical" not in tag]
        fetched += re.findall(r"(?:url\(|@import\s+)[\"']?(?:https?:)?//[^\s)]+", text)
        assert not fetched, path


def test_equations_are_typeset_and_numbered_as_the_code_cites_them(site: dict[str, str]) -> None:
    pages = {path.removeprefix("theory/")[:-5]: text for path, text in site.items() if path.startswith("theory/")}
    for page, text in pages.items():
        source = (ROOT / f"docs/theory/{page}.md").read_text(encoding="utf-8")
        assert "arithmatex" not in text, page
        assert "&amp;" not in "".join(re.findall(r"<math.*?</math>", text, re.DOTALL)), page
        assert text.count('display="block"') == source.count("$$") // 2, page
    cited = re.compile(r"eqs?\. ([\d, and]+) of docs/theory/([\w-]+)\.md|docs/theory/([\w-]+)\.md, eqs?\. ([\d, ]+)")
    found = 0
    for file in [*ROOT.glob("softdock/**/*.py"), *ROOT.glob("studies/*.py")]:
        for a, page_a, page_b, b in cited.findall(file.read_text(encoding="utf-8")):
            for number in re.findall(r"\d+", a or b):
                assert f'id="eq-{number}"' in pages[page_a or page_b], (file, number)
                found += 1
    assert found >= 5
