"""docs/architecture.md agrees with the code: layers, and where things are."""

import ast
import re
import tomllib

from pages import ROOT

PAGE = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")


def rows(title: str) -> list[list[str]]:
    """Cells of the table under a heading."""
    section = PAGE.split(f"## {title}\n", 1)[1].split("\n## ", 1)[0]
    lines = [line for line in section.splitlines() if line.startswith("|")][2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def names(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def test_the_table_of_packages_is_the_contract_of_import_linter() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    layers = next(contract["layers"] for contract in contracts if contract["type"] == "layers")
    table = [sorted(names(packages)) for packages, _ in rows("Package layering")]
    assert table == [sorted(re.findall(r"softdock\.(\w+)", layer)) for layer in layers]
    packages = {path.parent.name for path in ROOT.glob("softdock/*/__init__.py")}
    assert {name for layer in table for name in layer} == packages


def test_the_top_of_the_tree_holds_packages_only() -> None:
    top = {file.name for file in (ROOT / "softdock").iterdir() if not file.is_dir()}
    assert top == {"__init__.py", "__main__.py", "py.typed"}


def test_what_the_page_points_to_is_there() -> None:
    for _, files, functions in rows("Where to find it"):
        defined = set()
        for file in names(files):
            for node in ast.parse((ROOT / "softdock" / file).read_text(encoding="utf-8")).body:
                if isinstance(node, ast.ClassDef):
                    defined |= {f"{node.name}.{part.name}" for part in node.body if isinstance(part, ast.FunctionDef)}
                elif isinstance(node, ast.FunctionDef):
                    defined.add(node.name)
        assert set(names(functions)) <= defined, files
