"""Commands as a user gives them, and packages as pip leaves them."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from softdock.cli.app import app


def ran(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, list(arguments))
    return result.exit_code, result.output


def packaged(folder: Path, monkeypatch: pytest.MonkeyPatch, package: str, point: str) -> None:
    """A package that has an entry point, as pip would leave it."""
    info = folder / f"{package}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[softdock.scenarios]\n{point}\n")
    monkeypatch.syspath_prepend(str(folder))
