"""Benchmarks at tiny sizes: rows have their keys, and the figures are of the right motions."""

import json
import math
import sys
from dataclasses import fields

import numpy as np
import pytest

from softdock.bench import (
    arm,
    command,
    estimation,
    first_runs,
    free_arm,
    growth,
    inverse,
    mujoco_peer,
    planar_iss,
    planning,
    rollouts,
    start_up,
)
from softdock.bench.rows import Limit, Result, Row, exponent, time_at
from softdock.bench.softdock_engine import Adaptive, Variational, deviation
from softdock.bench.timing import least, one_core

KEYS = ["case", "engine", "integrator", "order", "h", "us_per_step", "total_ms", "error"]
peer = pytest.mark.skipif(not mujoco_peer.installed(), reason="MuJoCo is not installed")


def quiet(message: str) -> None:
    pass


def test_rows_have_the_published_keys_in_json():
    text = command.as_text([Row("case", "softdock", "variational", 2, 0.01, 0.5, 2.0, 1e-6), Row("a", "b", "c")])
    first, second = json.loads(text)
    assert list(first) == KEYS == [field.name for field in fields(Row)]
    assert second["error"] is None


def test_no_rows_is_an_empty_list():
    assert json.loads(command.as_text([])) == []


def test_a_page_tells_all_rows_limits_and_failures(tmp_path, monkeypatch):
    row, limit = Row("case", "softdock", "variational", 2, 0.01, 0.5, 2.0, 1e-6), Limit("what", 2.0, 1.0)

    def measured(name):
        def run(say):
            if name == "replay":
                raise OSError("no disk")
            return Result([row], [limit])

        return run

    monkeypatch.setattr(command, "_case", measured)
    with pytest.raises(RuntimeError, match="replay: no disk"):
        command.main(True, ["growth", "replay"], tmp_path / "run.md")
    lines = (tmp_path / "run.md").read_text(encoding="utf-8").splitlines()
    assert "| case | softdock | variational | 2 | 0.01 | 0.5 | 2 | 1.0e-06 |" in lines
    assert {"- what = 2 (limit 1, MISSED)", "- failed: replay: no disk"} <= {*lines}
    with pytest.raises(OSError):  # before anything is measured
        command.main(True, ["growth"], tmp_path / "none" / "run.md")


@peer
@pytest.mark.parametrize("name", ["pd40", "free40"])
def test_planar_iss_ends_where_it_should_in_both_engines(name):
    methods, peers = (Variational(2, 0.1), Adaptive(1e-10)), (("RK4", 0.05),)
    result = planar_iss.run(name, quiet, methods=methods, peer=peers, rounds=1)
    ours, reference, theirs = result.rows
    assert (ours.engine, reference.engine, theirs.engine) == ("softdock", "softdock", "mujoco")
    assert ours.error < 2e-3 and reference.error < 1e-9 and theirs.error < 1e-7
    assert all(row.total_ms > 0 for row in result.rows)


@peer
def test_free_arm_ends_where_it_should_in_both_engines():
    result = free_arm.run(quiet, span=1.0, methods=(Variational(2, 0.01),), peer=(("RK4", 0.01),), rounds=1)
    ours, theirs = result.rows
    assert ours.error < 1e-5 and theirs.error < 1e-9


def test_inverse_dynamics_is_that_of_pinocchio():
    pytest.importorskip("pinocchio")
    result = inverse.run(quiet, calls=10, batch=10, rounds=1)
    assert result.rows[0].error < 1e-12
    assert [row.engine for row in result.rows] == ["softdock", "softdock", "softdock", "pinocchio"]


def test_growth_rows_and_exponent():
    result = growth.run(quiet, joints=(1, 2), steps=10, rounds=1, compiled=())
    assert {row.case for row in result.rows} == {"growth/1", "growth/2"}
    assert any("exponent" in limit.what for limit in result.limits)


def test_compile_time_is_measured_in_a_process_of_its_own():
    assert 0 < growth.in_fresh_process(1, warm=True) < 120


def test_start_up_says_why_it_is_left_out(monkeypatch):
    said = []
    monkeypatch.setattr(start_up.importlib.util, "find_spec", lambda name: None)
    assert start_up.run(said.append).rows == []
    assert "no command line" in said[0]


def test_first_runs_are_timed_by_stage(monkeypatch, tmp_path):
    """A command that says what `softdock run` says, with known pauses."""
    told = "import time, sys\nfor text in ('compiling equations of motion', '1.0 of 40 s', 'drawing figures'):\n"
    told += "    print(text, flush=True); time.sleep(0.3 if text[0] == '1' else 0.05)\nsys.exit(sys.argv[1] == 'bad')"
    monkeypatch.setattr(first_runs, "COMMAND", (sys.executable, "-c", told))
    first = first_runs.first_run("good", tmp_path / "good")
    assert list(first.stages) == ["loading", "running", "drawing"]
    assert first.stages["running"] >= 0.2 <= first.silence  # a busy machine reads the line before it later
    assert sum(first.stages.values()) == pytest.approx(first.seconds)
    said = []
    monkeypatch.setattr(first_runs, "COMMAND", (sys.executable, "-c", "raise SystemExit(1)"))
    assert first_runs.run(said.append, scenarios=("world",)).rows == [] and "failed" in said[-1]


def test_peers_that_are_not_installed_are_left_out_with_a_line(monkeypatch):
    monkeypatch.setattr(mujoco_peer, "installed", lambda: False)
    said = []
    result = free_arm.run(said.append, span=0.1, methods=(Variational(2, 0.01),), peer=(("RK4", 0.01),), rounds=1)
    assert [row.engine for row in result.rows] == ["softdock"]
    assert any("not installed" in line for line in said)
    assert result.limits[0].value is None


def test_planning_measures_optimal_plans_of_which_one_is_at_its_bounds():
    free, bound = planning.run(quiet, rounds=1).rows
    assert free.total_ms > 0 and bound.total_ms > 0 and free.error < 1e-9 and bound.error < 1e-7
    tight = planning.plans()["active bounds"]
    plan = planning.minimum_acceleration(planning.START, planning.GOAL, 5.0, **tight)
    assert np.all(np.abs(plan.qd).max(axis=0) > 0.99 * tight["rate"])


def test_cases_are_chosen_by_prefix_and_a_wrong_one_is_refused():
    assert command.chosen([]) == list(command.CASES)
    assert command.chosen(["planar-iss", "growth"]) == ["planar-iss/pd40", "planar-iss/free40", "growth"]
    with pytest.raises(ValueError, match="did you mean 'growth'"):
        command.chosen(["grwth"])


def test_json_output_is_rows_only(monkeypatch, capsys):
    monkeypatch.setattr(command, "_case", lambda name: lambda say: inverse.run(say, calls=2, batch=2, rounds=1))
    command.main(as_json=True, only=["free-arm-7"])
    printed = capsys.readouterr()
    assert all(list(row) == KEYS for row in json.loads(printed.out))
    assert "limit" in printed.err


def test_table_output_names_the_limits(monkeypatch, capsys):
    monkeypatch.setattr(command, "_case", lambda name: lambda say: inverse.run(say, calls=2, batch=2, rounds=1))
    command.main(as_json=False, only=["inverse-dynamics-7"])
    printed = capsys.readouterr().out
    assert "inverse_dynamics" in printed and "limit 0.3" in printed


def test_time_at_an_error_is_read_off_the_front():
    rows = [Row("c", "e", "i", total_ms=ms, error=error) for ms, error in ((1, 1e-4), (2, 1e-6), (3, 1e-5), (4, 1e-8))]
    assert time_at(rows, 1e-6) == pytest.approx(2)
    assert time_at(rows, 1e-7) == pytest.approx(math.sqrt(8))
    assert time_at(rows, 1e-2) == 1
    assert time_at(rows, 1e-9) is None
    assert time_at([], 1e-9) is None


def test_exponent_of_a_power_law():
    assert exponent([4, 8, 16], [2 * n**1.5 for n in (4, 8, 16)]) == pytest.approx(1.5)


def test_limit_says_whether_it_is_met():
    assert "met" in str(Limit("x", 0.4, 0.5)) and "MISSED" in str(Limit("x", 0.6, 0.5))
    assert "not measured" in str(Limit("x", None, 0.5))


def test_deviation_counts_attitude_up_to_the_quaternion_sign():
    half = 1e-9 / 2
    turned = np.array([-math.cos(half), -math.sin(half), 0, 0, 0.25])
    exact = np.array([1.0, 0, 0, 0, 0.25])
    assert deviation(turned, exact, slice(4, 5), slice(0, 4)) == pytest.approx(1e-9)


def test_least_takes_turns_and_keeps_the_smallest():
    order: list[str] = []
    times = iter([9.0, 3.0, 1.0, 2.0])

    def job() -> float:
        order.append("a")
        return next(times, 5.0)

    def other() -> float:
        order.append("b")
        return 1.0

    with one_core():
        best = least({"a": job, "b": other}, rounds=3)
    assert best == {"a": 1.0, "b": 1.0}
    assert order == ["a", "b"] * 4


def test_a_case_that_fails_does_not_take_the_others_along(monkeypatch, capsys):
    def case(name):
        def run(say):
            if name == "growth":
                raise ArithmeticError("diverged")
            return inverse.run(say, calls=2, batch=2, rounds=1)

        return run

    monkeypatch.setattr(command, "_case", case)
    with pytest.raises(RuntimeError, match="growth: diverged"):
        command.main(as_json=True, only=["growth", "inverse"])
    assert json.loads(capsys.readouterr().out)


def test_ways_to_an_arms_torques_agree_and_are_timed():
    result = arm.run(lambda message: None, samples=200, block_samples=20, rounds=1)
    assert [row.integrator for row in result.rows] == [
        "product of exponentials", "D-H frames", "block matrices", "kernels",
    ]  # fmt: skip
    assert all(row.error < 1e-10 and row.us_per_step > 0 for row in result.rows)
    assert result.limits[1].value < 1


def test_estimation_rows_and_limits():
    result = estimation.run(lambda _: None, seconds=10.0, rounds=1)
    assert [row.integrator for row in result.rows[:2]] == ["TargetEstimator", "PaperFilter"]
    assert all((row.us_per_step or row.total_ms) > 0 for row in result.rows)
    assert [limit.limit for limit in result.limits] == [200.0, 200.0, 300.0, 300.0]


def test_rollouts_count_steps_without_set_up(monkeypatch):
    monkeypatch.setattr(rollouts, "STEPS", dict.fromkeys(rollouts.STEPS, 40))
    result = rollouts.run(quiet, rounds=1)
    assert {row.case for row in result.rows if row.us_per_step} >= {f"rollouts/{name}" for name in rollouts.STEPS}
    assert all(limit.value is not None for limit in result.limits)
