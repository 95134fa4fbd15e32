"""Kernels are compiled once, by the parent: workers start with them."""

import os
import sys
from pathlib import Path

import pytest

from softdock.campaign import campaign_of, results, run_campaign
from softdock.campaign.compiled import CompiledWorlds
from softdock.kernels import library


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere workers load what the parent compiled from its cache")
def test_no_worker_compiles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compile_, log = library._compile, tmp_path / "compiled"

    def noted(key, *arguments):
        with log.open("a") as file:
            file.write(f"{os.getpid()} {key}\n")
        return compile_(key, *arguments)

    monkeypatch.setenv("SOFTDOCK_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(library, "_loaded", {})
    monkeypatch.setattr(library, "_compile", noted)
    monkeypatch.setattr("softdock.campaign.trial.compiled", CompiledWorlds())
    vary = {"world.bodies[0].mass": "uniform(2, 3)"}
    campaign = campaign_of("world", vary=vary, changes=["run.duration=1.0"], runs=9)
    run_campaign(campaign, tmp_path / "c", workers=3)
    pids, keys = zip(*(line.split() for line in log.read_text().splitlines()), strict=True)
    assert set(pids) == {str(os.getpid())} and len(set(keys)) == len(keys) > 3
    assert results(tmp_path / "c")["status"].to_pylist() == ["done"] * 9
