"""Whole campaigns: the same table however it was made, nothing lost, bad requests refused before anything runs."""

import math
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from softdock.campaign import CampaignError, campaign_of, rerun, results, run_campaign
from softdock.campaign.report import report_data, write_report
from softdock.campaign.runs import chosen
from softdock.campaign.search import search
from softdock.campaign.store import Store, _picked, rows_in
from softdock.campaign.trial import Trial, blank
from softdock.cli.app import app
from softdock.scenarios import load
from softdock.scenarios.runner import Runner

SHORT = ["run.duration=0.5", "run.record_every=10"]
VARY = ["arm.kp=normal(10, 0.5)", "payload.mass=uniform(90, 110)", "arm.start=normal([3.37, 0.97, 1.23], 0.01)"]


def short(runs: int = 12, **options):
    return campaign_of("iss-docking", vary=VARY, changes=SHORT, runs=runs, **options)


def rows(path: Path) -> list[dict]:
    return results(path).drop_columns("seconds").to_pylist()


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("campaign") / "one"
    tally = run_campaign(short(), path, workers=1)
    assert tally.done == tally.now == 12
    return path


def test_rows_are_put_in_order_as_arrow_does_it() -> None:
    """Few of them without its module of computations; every kind of column, with nulls."""
    table = pa.table(
        {
            "index": [3, 1, 2],
            "x": [0.1, None, -0.0],
            "y": [1e300, 5e-324, 2.0],
            "word": ["a", None, "é"],
            "truth": [True, False, None],
            "none": pa.nulls(3),
            "list": [[1], [], None],
        }
    )
    order = np.array([1, 2, 0])
    assert _picked(table, order).equals(table.take(order)) and _picked(table, order).schema == table.schema
    assert math.copysign(1.0, _picked(table, order)["x"][1].as_py()) == -1.0


def test_the_table_is_the_same_with_more_workers_and_after_resumes(finished: Path, tmp_path: Path) -> None:
    run_campaign(short(), tmp_path / "three", workers=3)
    assert rows(tmp_path / "three") == rows(finished)

    def stop(tally) -> None:
        if tally.now >= 3:
            raise KeyboardInterrupt

    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            run_campaign(short(), tmp_path / "again", resume=True, workers=2, progress=stop)
    assert 6 <= len(rows_in(tmp_path / "again")) < 12
    run_campaign(short(), tmp_path / "again", resume=True, workers=2)
    assert rows(tmp_path / "again") == rows(finished)
    assert run_campaign(short(), tmp_path / "again", resume=True).now == 0


def test_a_row_is_what_a_plain_run_gives(finished: Path) -> None:
    """The way without recording and with kept kernels changes no bit."""
    campaign, row = short(), rows(finished)[5]
    scenario = load("iss-docking", [*SHORT, *(f"{k}={row[k]!r}" for k in campaign.draws(0))])
    metrics = Runner(scenario).run(None)
    same = [name for name in metrics if name in row and not isinstance(metrics[name], list)]
    assert len(same) > 8 and all(metrics[name] == row[name] for name in same)


def test_rerun_is_bit_identical_and_recorded(finished: Path) -> None:
    place, outcome = rerun(finished, 7)
    assert outcome.status == "done" and (place / "replay.html").exists()
    assert outcome.metrics["max_latch_violation"] == rows(finished)[7]["max_latch_violation"]
    with pytest.raises(CampaignError, match="the last is 11"):
        rerun(finished, 12)


def test_more_runs_of_the_same(finished: Path, tmp_path: Path) -> None:
    run_campaign(short(6), tmp_path / "c", workers=1)
    assert run_campaign(short(12), tmp_path / "c", resume=True, workers=1).now == 6
    assert rows(tmp_path / "c") == rows(finished)


def test_killed_parent_loses_only_runs_in_flight(finished: Path, tmp_path: Path) -> None:
    script = (
        "import sys, time\nfrom softdock.campaign import campaign_of, run_campaign\n"
        "from softdock.campaign.trial import Trial\n"
        "plain = Trial.__call__\n"
        "Trial.__call__ = lambda self, *task: (time.sleep(0.5), plain(self, *task))[1]\n"
        f"run_campaign(campaign_of('iss-docking', vary={VARY!r}, changes={SHORT!r}, runs=12), sys.argv[1], workers=2)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", script, str(tmp_path / "c")])
    while not list((tmp_path / "c").glob("parts/*.parquet")):
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    before = len(rows_in(tmp_path / "c"))
    assert 0 < before < 12
    assert run_campaign(short(), tmp_path / "c", resume=True, workers=2).now == 12 - before
    assert rows(tmp_path / "c") == rows(finished)


def test_runs_that_fail_are_rows_with_their_reason(tmp_path: Path) -> None:
    vary = ["bay.width=steps(0.6, 1.2, 3)", "payload.radius=steps(0.2, 0.29, 2)", "run.h=choice(0.01, 0.1)"]
    campaign = campaign_of("iss-docking", vary=vary, changes=["run.duration=0.2"], design="grid")
    assert campaign.length == 12
    run_campaign(campaign, tmp_path / "c", workers=2)
    table = results(tmp_path / "c")
    assert table["index"].to_pylist() == list(range(12))
    assert len(set(zip(*(table[k].to_pylist() for k in campaign.draws(0)), strict=True))) == 12

    row = Trial(campaign)(0, [0.1, 0.25, 0.01])
    assert row["status"] == "failed" and "leaves no room" in row["reason"] and not row["success"]


def test_a_full_disk_stops_with_what_was_written_readable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(table, path):
        if "parts" in str(path) and list((tmp_path / "c" / "parts").glob("*.parquet")):
            raise OSError(28, "No space left on device")
        pq.write_table(table, path)

    monkeypatch.setattr("softdock.campaign.store.write_table", full)
    monkeypatch.setattr("softdock.campaign.store.MOST_ROWS", 4)
    arguments = ["campaign", "iss-docking", "--runs", "12", "--out", str(tmp_path / "c"), "--workers", "1"]
    for item in VARY:
        arguments += ["--vary", item]
    for item in SHORT:
        arguments += ["--set", item]
    said = CliRunner().invoke(app, arguments)
    assert said.exit_code == 1 and "No space left on device" in said.stderr
    monkeypatch.undo()
    assert len(rows_in(tmp_path / "c")) == 4
    said = CliRunner().invoke(app, ["campaign", "--out", str(tmp_path / "c"), "--resume"])
    assert said.exit_code == 0 and len(results(tmp_path / "c")) == 12


def test_parts_become_one_and_rows_written_twice_count_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("softdock.campaign.store.MOST_PARTS", 3)
    store = Store(tmp_path)
    for k in range(10):
        store.add({"index": k, "x": 0.5 * k if k % 2 else None, "n": "a" if k == 7 else k})
        store.write()
    assert len(list((tmp_path / "parts").iterdir())) <= 4
    store.add({"index": 3, "x": 1.5})
    store.write()
    store.join()
    table = pq.read_table(tmp_path / "results.parquet")
    assert table["index"].to_pylist() == list(range(10)) and table["x"].to_pylist()[3] == 1.5
    assert table["n"].to_pylist()[6:8] == ["6", "a"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--vary", "arm.kpp=normal(10, 1)"], "did you mean 'kp'"),
        (["--vary", "arm.kp=normal(10, 2)"], "can give -6.4"),
        (["--vary", "contact.restitution=uniform(0.5, 1.2)"], "less than or equal to 1"),
        (["--vary", "arm.start[3]=uniform(0, 1)"], "the last is [2]"),
        (["--vary", "arm.kp"], "expected key=distribution"),
        (["--vary", "arm.kp, arm.kd=uniform(1, 2)"], "2 keys take a vector"),
        (["--vary", "arm.kp=uniform(1, 2)", "--design", "grid"], "choice(…) or steps(…)"),
        (["--vary", "arm.kp=uniform(1, 2)", "--design", "saltelli", "--runs", "10"], "a multiple of 3"),
        (["--vary", "arm.kp=uniform(1, 2)", "--engine", "slurm"], "must be one of local, ray"),
        ([], "nothing varies"),
        (["--vary", "arm.kp=uniform(9, 11)", "--vary", 'arm."kp"=uniform(9, 12)'], "set the same value"),
        (["--vary", "arm.kp=uniform(9, 11)", "--keep", "worst 2 docked_a"], "did you mean 'docked_at'"),
        (["--vary", "arm.kp=uniform(1, 2)", "--out", "FINISHED"], "or give --resume"),
        (["--vary", "arm.kp=uniform(1, 2)", "--out", "FINISHED", "--resume"], "cannot be resumed, its scenario.run"),
    ],
)
def test_bad_requests_end_before_any_run(finished: Path, tmp_path: Path, arguments: list[str], says: str) -> None:
    arguments = [str(finished) if a == "FINISHED" else a for a in arguments]
    options = ["--runs", "10"] if "--runs" not in arguments and "grid" not in arguments else []
    out = [] if "--out" in arguments else ["--out", str(tmp_path / "c")]
    said = CliRunner().invoke(app, ["campaign", "iss-docking", *options, *out, *arguments])
    assert said.exit_code == 2 and says in said.stderr
    assert not list(tmp_path.glob("c/parts/*"))


def test_joined_keys_are_correlated() -> None:
    vary = {"arm.kp, arm.kd": "normal([10, 2], [[0.25, 0.045], [0.045, 0.01]])"}
    campaign = campaign_of("iss-docking", vary=vary, runs=400, design="sobol")
    kp, kd = np.array([list(campaign.draws(k).values()) for k in range(400)]).T
    assert np.corrcoef(kp, kd)[0, 1] == pytest.approx(0.9, abs=0.02)
    scenario = campaign.built(campaign.values(3))
    assert (scenario.arm.kp, scenario.arm.kd) == (kp[3], kd[3])


def test_a_campaigns_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(
        '[campaign]\nscenario = "iss-docking"\nset = ["run.duration=0.5"]\nruns = 3\ndesign = "latin-hypercube"\n'
        '[campaign.vary]\n"arm.kp" = "uniform(9, 11)"\n'
    )
    campaign = campaign_of(str(file))
    assert campaign.length == 3 and campaign.scenario["run"]["duration"] == 0.5
    (tmp_path / "again.toml").write_text(campaign.written())
    assert campaign_of(str(tmp_path / "again.toml")) == campaign


def test_what_is_kept(finished: Path) -> None:
    assert chosen(finished, "none") == [] and chosen(finished, "all") == list(range(12))
    table = results(finished)
    column = table["angular_momentum_drift"].to_numpy()
    assert chosen(finished, "worst 2 angular_momentum_drift") == list(np.argsort(-column, kind="stable")[:2])
    assert chosen(finished, "worst 1 -angular_momentum_drift") == [int(np.argmin(column))]
    assert chosen(finished, "failures") == list(range(12))  # half a second is too short to dock
    with pytest.raises(ValueError, match="no column"):
        chosen(finished, "worst 2 nonsense")


def test_the_page_says_what_the_table_says(finished: Path) -> None:
    from softdock.campaign.store import planned

    page = write_report(finished).read_text()
    assert "src=" not in page and 'href="http' not in page and "not docked" in page
    data = report_data(finished, planned(finished), results(finished))
    assert data["rate"]["successes"] == 0 and data["rate"]["runs"] == 12
    assert data["drawn"] == ["arm.kp", "payload.mass", "arm.start[0]", "arm.start[1]", "arm.start[2]"]
    assert len(data["columns"]["arm.kp"]) == 12


def test_search_finds_the_least_of_a_known_function(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In place of runs, (kp − 9)² + 100 (kd − 2.3)², which has its least, 0, within the distributions."""

    def bowl(self: Trial, index: int, values: list[float]) -> dict:
        kp, kd = values
        value = (kp - 9) ** 2 + 100 * (kd - 2.3) ** 2
        outcome = "docked" if value > 0.5 else "too near"
        return blank(self.campaign, index, values) | {"status": "done", "outcome": outcome, "value": value}

    monkeypatch.setattr(Trial, "__call__", bowl)
    monkeypatch.setattr(Trial, "warm", lambda self: {"value": 0.0})
    vary = {"arm.kp": "uniform(8, 12)", "arm.kd": "uniform(1.5, 2.5)"}
    campaign = campaign_of("iss-docking", vary=vary, runs=240, seed=1)
    found = search(campaign, tmp_path / "c", "value", workers=2)
    assert found.value < 1e-4 and abs(found.row["arm.kp"] - 9) < 0.01 and "value = " in str(found)
    assert found.value == min(results(tmp_path / "c")["value"].to_pylist())
    most = search(campaign, tmp_path / "m", "-value", workers=2)
    assert most.value == pytest.approx(9 + 64, rel=1e-2)

    def stop(tally) -> None:
        if tally.now >= 20:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        search(campaign, tmp_path / "r", "value", progress=stop)
    assert search(campaign, tmp_path / "r", "value", resume=True).row == found.row
    assert rows(tmp_path / "r") == rows(tmp_path / "c")
    falsified = search(campaign, tmp_path / "f", "value", "docked")
    assert falsified.falsified and len(results(tmp_path / "f")) < 240 and "too near" in str(falsified)
    with pytest.raises(CampaignError, match="no metric 'valu' of numbers; did you mean 'value'"):
        search(campaign, tmp_path / "n", "valu")
    with pytest.raises(CampaignError, match="at least two numbers"):
        search(campaign_of("iss-docking", vary={"arm.kp": "uniform(8, 12)"}, runs=9), tmp_path / "x", "value")


def test_a_run_of_a_search_can_be_done_again(tmp_path: Path) -> None:
    vary = {"arm.start[0]": "uniform(3.3, 3.4)", "arm.kp": "uniform(9, 11)"}
    campaign = campaign_of("iss-docking", vary=vary, changes=SHORT, runs=6)
    found = search(campaign, tmp_path / "c", "-energy_balance_error", workers=2)
    place, outcome = rerun(tmp_path / "c", found.index)
    assert outcome.metrics["energy_balance_error"] == found.value and (place / "states.parquet").exists()
