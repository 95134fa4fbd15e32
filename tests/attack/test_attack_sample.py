"""A sample of studies/attack: 850 mutated, damaged and hostile inputs, each clean (studies/attack/verdict.py says what
that is). `python studies/attack/attack.py` tries all of it."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "studies" / "attack"))

import directories
import misuse
import models
import mutations
import raw
from commands import LINES
from verdict import Tally

SEED = 19


def clean(tally: Tally, least: int) -> None:
    assert tally.examples == {}
    assert tally.tried >= least


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_mutated_scenarios(tmp_path: Path) -> None:
    clean(mutations.attack(500, SEED, tmp_path, runnable=("free-flyer",)), 450)


def test_raw_text_and_command_lines(tmp_path: Path) -> None:
    quick = [line for line in LINES if line[0] in ("schema", "new") or line[:2] == ("facility", "export")]
    clean(raw.attack(12, SEED, tmp_path, rounds=1, lines=quick), 100)


def test_robots_and_meshes(tmp_path: Path) -> None:
    clean(models.attack(60, SEED, tmp_path), 60)


def test_directories_of_strangers(tmp_path: Path) -> None:
    clean(directories.attack(40, SEED, tmp_path), 40)


def test_the_interface_misused(tmp_path: Path) -> None:
    clean(misuse.attack(400, SEED, tmp_path), 230)
