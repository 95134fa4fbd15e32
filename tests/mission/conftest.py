"""The mission of docs/missions.md, which tests change."""

import re
from pathlib import Path
from types import ModuleType

import pytest

from softdock.scenarios import builder

PAGE = Path(__file__).parents[2] / "docs" / "missions.md"


@pytest.fixture(scope="session")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = re.search(r"write_text\('''(.*?)'''\)", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert found
    path = tmp_path_factory.mktemp("mission") / "fetch.py"
    path.write_text(found[1], encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def fetch(file: Path) -> ModuleType:
    import sys

    return sys.modules[builder(str(file)).__module__]
