"""iss-docking with side walls that give way: it docks, balances, and approaches the located run (issue 4)."""

import numpy as np
import pytest
from stiffening import differences, step_for

from softdock.scenarios import load
from softdock.scenarios.iss_docking.measures import spells
from softdock.scenarios.runner import Runner


@pytest.fixture(scope="module")
def metrics(tmp_path_factory):
    folder = tmp_path_factory.mktemp("compliant") / "run"
    outcome = Runner(load("iss-docking", ['contact.style="compliant"'])).record(folder)
    assert outcome.status == "done"
    return outcome.metrics


def test_it_presses_on_the_side_wall_and_docks_at_the_end_wall(metrics):
    assert metrics["outcome"] == "docked"
    assert [hit["bodies"][0] for hit in metrics["impacts"]] == ["end wall"]
    (contact,) = metrics["contacts"]
    assert contact["bodies"] == ["side walls", "payload"]
    assert contact["time"] == pytest.approx(12.4967, abs=1e-3)  # it begins where the located impact is
    assert contact["depth"] == metrics["max_contact_depth"] < 0.02
    assert metrics["docked_at"] == pytest.approx(27.51, abs=0.3)


def test_what_is_conserved_is_conserved_and_the_rest_balances_in_the_compliant_run(metrics):
    assert metrics["angular_momentum_drift"] <= 1e-13
    assert metrics["angular_momentum_balance_error"] <= 1e-9
    assert metrics["energy_balance_error"] <= 1e-4
    assert metrics["max_penetration"] <= 1e-9
    assert metrics["max_latch_violation"] <= 1e-11
    assert 0 <= metrics["contact_energy_loss"] < 0.01


def test_the_compliant_run_approaches_the_located_one_as_the_contact_gets_shorter():
    """As k^(−1/4): a hundred times stiffer, √10 times nearer (studies/compliant_docking.py goes further)."""
    apart = [differences(k, 3.0, step_for(k, 3.0, steps=50))[1] for k in (1e10, 1e12)]
    assert np.log(apart[0] / apart[1]) / np.log(100) == pytest.approx([0.25] * 3, abs=0.02)


def test_damping_loses_energy_in_the_wall():
    scenario = load("iss-docking", ['contact.style="compliant"', "contact.damping=5.0", "run.duration=20.0"])
    runner = Runner(scenario)
    rows = runner.simulation.run(20.0)
    found = scenario.metrics(runner.simulation, rows)
    assert found["contact_energy_loss"] > 0.01
    assert found["energy_balance_error"] <= 1e-4


def test_too_stiff_a_wall_says_what_step_would_do(tmp_path):
    changes = ['contact.style="compliant"', "contact.stiffness=1e14"]
    outcome = Runner(load("iss-docking", changes)).record(tmp_path / "run")
    assert outcome.status == "failed"
    assert "a step of" in outcome.reason


@pytest.mark.parametrize("change", ["contact.stiffness=0.0", "contact.exponent=0.5", "contact.damping=-1.0"])
def test_bad_laws_name_the_key(change):
    with pytest.raises(ValueError, match=change.partition("=")[0]):
        load("iss-docking", [change])


def test_spells_are_found_also_at_the_ends_of_a_run():
    t = np.arange(7.0)
    found = spells(t, np.array([1.0, -1.0, -1.0, 2.0, -2.0, -1.0, 1.0]))
    assert [(s["time"], s["duration"], s["depth"]) for s in found] == [
        (0.0, 0.5, 1.0), (pytest.approx(2 + 1 / 3), pytest.approx(3.5 - 2 - 1 / 3), 2.0), (5.5, 0.5, 1.0)
    ]  # fmt: skip
    assert spells(t, np.zeros(7)) == []
