"""iss-docking planned by optimal control: beside PD, by the bounds of its issue (h = 0.05 s; docs have 0.01 s)."""

import pytest

from softdock.dynamics import Dynamics
from softdock.scenarios import load

COARSE = ("control=optimal", "run.h=0.05")


def metrics(*changes: str) -> dict:
    scenario = load("iss-docking", [*COARSE, *changes])
    simulation = scenario.simulation(Dynamics(scenario.world))
    rows = simulation.run(scenario.run.duration)
    return scenario.metrics(simulation, rows) | {"tables": scenario.tables(simulation, rows)}


def test_to_pd_s_own_end_state() -> None:
    found = metrics()
    assert found["outcome"] == "docked"
    assert [hit["bodies"][0] for hit in found["impacts"]] == ["end wall"]
    assert found["effort_ratio"] <= 0.56
    assert found["docked_at"] == pytest.approx(found["docked_at_pd"], abs=1e-6)
    assert found["replay_error"] < 1e-9 and found["kkt_residual"] < 1e-8
    assert found["plan_iterations"] > 0 and found["plan_seconds"] > 0 and found["conditioning"] > 0.9
    assert set(found["tables"]) == {"phases", "planned", "pd"}


def test_gently_at_a_prescribed_speed() -> None:
    """The instant of the touch is a variable; nothing else is touched."""
    found = metrics("optimal.end=gentle", "optimal.approach_speed=0.02")
    (hit,) = found["impacts"]
    assert hit["bodies"][0] == "end wall" and hit["speed_before"] == pytest.approx(-0.02, abs=1e-6)
    assert found["outcome"] == "docked" and found["effort_ratio"] <= 0.65
    assert found["replay_error"] < 1e-9


def test_what_cannot_be_planned_is_one_line() -> None:
    with pytest.raises(ValueError, match="found no motion that meets the conditions") as error:
        metrics("optimal.torque=0.5", "run.h=0.2")
    assert len(str(error.value)) < 300
    with pytest.raises(ValueError, match="not within the run"):
        load("iss-docking", [*COARSE, "optimal.end=gentle", "optimal.duration=60"])
