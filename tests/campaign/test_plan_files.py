"""A campaign's file holds everything: what it says can be resumed and repeated, and nothing else can."""

import multiprocessing
import re
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from softdock import campaign as campaigns
from softdock.campaign import CampaignError, campaign_of, rerun, results, run_campaign
from softdock.campaign.search import search
from softdock.campaign.store import Store, locked, planned, rows_in
from softdock.cli.app import app

SHORT = ["run.duration=0.2", "run.record_every=10"]
GIVEN = [{"arm.kp": 8.5 + 0.5 * k, "payload.mass": 90.0 + 2 * k} for k in range(8)]
VARY = {"arm.kp": "uniform(8, 12)", "payload.mass": "uniform(90, 110)"}
OWN = """
from pathlib import Path

from softdock.scenarios import RunSettings, Scenario
from softdock.world import Body, Free, JointState, World
from speeds import SPEED


class Flight(Scenario):
    run: RunSettings = RunSettings(duration=0.1)
    push: float = 1.0
    world: World = World(bodies=(Body(name="probe", mass=2.0, inertia=(0.01, 0.01, 0.01), joint=Free()),))
    initial: dict[str, JointState] = {"probe": JointState(velocity=(SPEED, 0, 0))}

    def simulation(self, dynamics):
        self.__dict__["read"] = float(Path(__file__).with_name("table.txt").read_text())
        return super().simulation(dynamics)

    def metrics(self, simulation, rows):
        return {"went": self.push * self.__dict__["read"] * float(rows.q[-1, 0])}
"""


def rows(path: Path) -> list[dict]:
    return results(path).drop_columns("seconds").to_pylist()


def stop(tally) -> None:
    if tally.now >= 3:
        raise KeyboardInterrupt


def said(*arguments: object) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["campaign", *map(str, arguments)])
    return result.exit_code, result.output


def test_given_draws_are_matched_by_name() -> None:
    other = [dict(reversed(draw.items())) if k % 2 else draw for k, draw in enumerate(GIVEN)]
    table = campaigns.run("iss-docking", other, changes=SHORT, workers=1)
    assert table.select(["arm.kp", "payload.mass"]).to_pylist() == GIVEN


def test_order_of_names_matters_on_resuming_where_draws_depend_on_it(tmp_path: Path) -> None:
    """Not of given draws; of distributions it does, and is told."""
    other = [dict(reversed(draw.items())) for draw in GIVEN]
    with pytest.raises(KeyboardInterrupt):
        campaigns.run("iss-docking", GIVEN, changes=SHORT, out=tmp_path / "g", workers=1, progress=stop)
    campaigns.run("iss-docking", other, changes=SHORT, out=tmp_path / "g", workers=1, resume=True)
    assert [{key: row[key] for key in GIVEN[0]} for row in rows(tmp_path / "g")] == GIVEN
    with pytest.raises(KeyboardInterrupt):
        campaigns.run("iss-docking", VARY, runs=9, changes=SHORT, out=tmp_path / "v", workers=1, progress=stop)
    with pytest.raises(CampaignError, match="in this order, on which draws depend"):
        swapped = dict(reversed(VARY.items()))
        campaigns.run("iss-docking", swapped, runs=9, changes=SHORT, out=tmp_path / "v", workers=1, resume=True)


@pytest.mark.parametrize("kind", ["given", "search", "falsify", "latin-hypercube"])
def test_a_plan_is_gone_on_with_and_repeated_as_it_was_begun(kind: str, tmp_path: Path) -> None:
    """Interrupted, then resumed by `--resume` alone; and repeated from its campaign.toml."""

    def begin(path: Path, progress=None) -> None:
        if kind == "given":
            campaigns.run("iss-docking", GIVEN, changes=SHORT, out=path, workers=1, progress=progress)
            return
        design = kind if kind == "latin-hypercube" else None
        campaign = campaign_of("iss-docking", vary=VARY, changes=SHORT, runs=9, seed=4, design=design)
        if kind in ("search", "falsify"):
            what = {"minimise": "-energy_balance_error"} if kind == "search" else {"falsify": "not docked"}
            search(campaign, path, **what, workers=1, progress=progress)
        else:
            run_campaign(campaign, path, workers=1, progress=progress)

    begin(tmp_path / "whole")
    with pytest.raises(KeyboardInterrupt):
        begin(tmp_path / "broken", stop)
    assert len(rows_in(tmp_path / "broken")) < len(rows(tmp_path / "whole"))
    code, output = said("--out", tmp_path / "broken", "--resume", "--workers", "1")
    assert code == 0, output
    assert rows(tmp_path / "broken") == rows(tmp_path / "whole")
    code, output = said(tmp_path / "whole" / "campaign.toml", "--out", tmp_path / "again", "--workers", "1")
    assert code == 0, output
    assert rows(tmp_path / "again") == rows(tmp_path / "whole")
    rerun(tmp_path / "broken", 5)  # raises if it is another run than that of the table


def test_draws_of_choices_are_read_back_from_their_row() -> None:
    vary = {
        "arm.kp": "choice(9, 10.5)",
        "arm.start": "choice([3.3, 0.97, 1.23], (3.4, 0.97, 1.23))",
        "arm.kd": "uniform(1, 2)",
    }
    campaign = campaign_of("iss-docking", vary=vary, runs=12)
    for k in range(12):
        row = {key: float(x) for key, x in campaign.draws(k).items()}
        assert campaign.read(row) == campaign.values(k)


def test_resuming_with_anything_else_is_refused(tmp_path: Path) -> None:
    campaigns.run("iss-docking", GIVEN, changes=SHORT, out=tmp_path / "c", workers=1)
    before = rows(tmp_path / "c")
    for draws, options, says in [
        ([*GIVEN[:-1], GIVEN[0]], {}, "its given.arm.kp is"),
        (GIVEN, {"seed": 3}, "its seed is 0, not 3"),
        (GIVEN, {"time_limit": 3.0}, "its time_limit is None, not 3.0"),
        (VARY, {"runs": 8}, "is 'given', not 'monte-carlo'|its vary"),
        (GIVEN, {"metrics": lambda simulation, rows: {"x": 1}}, "its metrics is ''"),
    ]:
        with pytest.raises(CampaignError, match=says):
            campaigns.run("iss-docking", draws, changes=SHORT, out=tmp_path / "c", resume=True, **options)
    with pytest.raises(CampaignError, match=r"its scenario\.run\.duration is 0\.2, not 0\.3"):
        campaigns.run("iss-docking", GIVEN, changes=["run.duration=0.3", SHORT[1]], out=tmp_path / "c", resume=True)
    assert rows(tmp_path / "c") == before


@pytest.mark.parametrize("is_finished", [True, False])
def test_a_plan_that_was_edited_does_not_go_on(tmp_path: Path, is_finished: bool, monkeypatch) -> None:
    """Rows of two plans would be in one table."""
    if not is_finished:
        monkeypatch.setattr(Store, "join", lambda *_: tmp_path)  # as if it were killed: parts are all there is
    campaigns.run("iss-docking", VARY, changes=SHORT, runs=4, out=tmp_path / "c", workers=1)
    monkeypatch.undo()
    plan = tmp_path / "c" / "campaign.toml"
    text, before = plan.read_text(), rows(tmp_path / "c")
    for edited in (text.replace("seed = 0", "seed = 5"), text.replace("duration = 0.2", "duration = 0.3")):
        assert edited != text
        plan.write_text(edited)
        with pytest.raises(CampaignError, match=r"cannot be resumed, campaign\.toml is not the one of"):
            run_campaign(campaign_of(str(plan), runs=6), tmp_path / "c", resume=True, workers=1)
        assert rows(tmp_path / "c") == before
    plan.write_text(text.replace("runs = 4", "runs = 3"))
    with pytest.raises(CampaignError, match=r"has rows up to 3, and campaign\.toml is of 3 runs"):
        run_campaign(campaign_of(str(plan)), tmp_path / "c", resume=True, workers=1)
    plan.write_text(text)
    run_campaign(campaign_of(str(plan), runs=6), tmp_path / "c", resume=True, workers=1)
    assert rows(tmp_path / "c")[:4] == before and len(rows(tmp_path / "c")) == 6


def test_another_softdock_does_not_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    campaign = campaign_of("iss-docking", vary=VARY, changes=SHORT, runs=2)
    run_campaign(campaign, tmp_path / "c", workers=1)
    assert re.fullmatch(r"\d+\.\d+\.\S+ [0-9a-f]{16}", planned(tmp_path / "c").softdock)
    monkeypatch.setattr("softdock.campaign.request.softdock_of_now", lambda: "9.9.9 0123")
    code, output = said("--out", tmp_path / "c", "--resume")
    assert code == 2 and "this is 9.9.9 0123; its rows might be others" in output
    newer = campaign_of("iss-docking", vary=VARY, changes=SHORT, runs=2)
    with pytest.raises(CampaignError, match="cannot be resumed, its softdock is"):
        run_campaign(newer, tmp_path / "c", resume=True)


def test_every_file_that_is_read_is_on_record(tmp_path: Path) -> None:
    """Of someone's own scenario: its module, what that imports, and what it opens when it runs."""
    home = tmp_path / "home"
    home.mkdir()
    for name, text in {"flight.py": OWN, "speeds.py": "SPEED = 0.5\n", "table.txt": "3.0\n"}.items():
        (home / name).write_text(text)
    import sys

    sys.path.insert(0, str(home))
    try:
        campaign = campaign_of(str(home / "flight.py"), vary={"push": "uniform(1, 2)"}, runs=3)
        run_campaign(campaign, tmp_path / "c", workers=1)
    finally:
        sys.path.remove(str(home))
    assert set(planned(tmp_path / "c").files) == {"flight.py", "speeds.py", "table.txt"}
    assert rows(tmp_path / "c")[0]["went"] == pytest.approx(rows(tmp_path / "c")[0]["push"] * 3.0 * 0.05)
    for name in ("table.txt", "speeds.py", "flight.py"):
        text = (home / name).read_text()
        (home / name).write_text(text + "\n")
        code, output = said("--out", tmp_path / "c", "--resume")
        assert code == 2 and f"{name} is not the file that it was" in output
        with pytest.raises(CampaignError, match=f"{name} has changed since"):
            run_campaign(campaign, tmp_path / "c", resume=True)
        (home / name).write_text(text)
    assert run_campaign(campaign, tmp_path / "c", resume=True).now == 0
    (home / "table.txt").write_text("4.0\n")
    with pytest.raises(CampaignError, match=r"is not the run of the table \(table.txt has changed since\): went"):
        rerun(tmp_path / "c", 1)


def test_own_metrics_are_part_of_the_plan(tmp_path: Path) -> None:
    def last(simulation, rows) -> dict[str, float]:
        return {"last": float(rows.q[-1, 3])}

    def other(simulation, rows) -> dict[str, float]:
        return {"last": 0.0}

    campaigns.run("iss-docking", GIVEN[:2], last, changes=SHORT, out=tmp_path / "c", workers=1)
    code, output = said("--out", tmp_path / "c", "--resume")
    assert code == 2 and "last(); give it that function" in output
    with pytest.raises(CampaignError, match="its metrics is"):
        campaigns.run("iss-docking", GIVEN[:2], other, changes=SHORT, out=tmp_path / "c", resume=True)
    assert len(campaigns.run("iss-docking", GIVEN[:2], last, changes=SHORT, out=tmp_path / "c", resume=True)) == 2


def _hold(path: Path, held, done) -> None:
    with locked(path):
        held.set()
        done.wait(60)


def test_two_at_once_are_refused_and_a_dead_one_is_not_waited_for(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    held, done = context.Event(), context.Event()
    holder = context.Process(target=_hold, args=(tmp_path, held, done))
    holder.start()
    assert held.wait(60)
    campaign = campaign_of("iss-docking", vary=VARY, changes=SHORT, runs=2)
    with pytest.raises(CampaignError, match=f"process {holder.pid} is at work there"):
        run_campaign(campaign, tmp_path, resume=True)
    assert not (tmp_path / "campaign.toml").exists()
    holder.kill()
    holder.join()
    assert run_campaign(campaign, tmp_path, resume=True, workers=1).now == 2


def test_results_have_units_and_say_where_they_come_from(tmp_path: Path) -> None:
    vary = {**VARY, "arm.start": "normal([3.37, 0.97, 1.23], 0.01)"}
    campaign = campaign_of("iss-docking", vary=vary, changes=SHORT, runs=2)
    run_campaign(campaign, tmp_path / "c", workers=1)
    schema = pq.read_schema(tmp_path / "c" / "results.parquet")
    units = {field.name: (field.metadata or {}).get(b"unit", b"").decode() for field in schema}
    assert units["arm.kp"] == "N m/rad" and units["arm.start[2]"] == "rad" and units["payload.mass"] == "kg"
    assert units["max_penetration"] == "m" and units["seconds"] == "s"
    words = {"status", "outcome", "reason"}
    assert {name for name, unit in units.items() if not unit} == words
    assert schema.metadata[b"softdock"].decode() == campaign.softdock
    (tmp_path / "plan.toml").write_bytes(schema.metadata[b"campaign"])
    assert campaign_of(str(tmp_path / "plan.toml")) == planned(tmp_path / "c")


@pytest.mark.parametrize(
    ("vary", "told"),
    [
        (["arm.kp=uniform(9, 11)", "arm.kp=uniform(9, 12)"], "arm.kp: is given twice"),
        ({"arm.docked": "choice([[1, 1, 1]])", "arm.docked[0]": "uniform(2, 3)"}, "'arm.docked' and 'arm.docked[0]'"),
        (
            {"arm.kp, arm.kd": "normal([10, 2], [1, 1])", "arm.kp": "uniform(1, 2)"},
            "'arm.kp' and 'arm.kp' set the same",
        ),
        ({"arm.kp, arm.kp": "normal([10, 2], [1, 1])"}, "'arm.kp' and 'arm.kp' set the same"),
    ],
)
def test_what_is_varied_twice_is_refused(vary, told: str) -> None:
    """The last one won, without a word."""
    with pytest.raises(ValueError, match=re.escape(told)):
        campaign_of("iss-docking", vary=vary, runs=2)


def test_a_rule_that_is_none_is_refused_before_the_first_run(tmp_path: Path) -> None:
    wanted = ["campaign", "iss-docking", "--runs", "2", "--vary", "arm.kp=uniform(9, 11)", "--out", str(tmp_path / "c")]
    result = CliRunner().invoke(app, [*wanted, "--keep", "the worst"])
    assert result.exit_code == 2 and not (tmp_path / "c").exists()
