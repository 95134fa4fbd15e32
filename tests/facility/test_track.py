"""Track and capture on the ground: the tumble that the client follows, and the plan of the servicer's hand."""

from typing import Any

import numpy as np
import pytest

from softdock.facility.moving import FreeBody, Moving, free_body
from softdock.planning.intercept import Moving as Planned
from softdock.scenarios.facility.tracking import Mission, TrackKeys
from softdock.scenarios.loading import load
from softdock.scenarios.runner import Runner
from softdock.spatial import cross

TRACK = "experiment=track-and-capture"


def test_the_angular_momentum_is_along_the_way_to_the_servicer() -> None:
    for rates in ((3.5, 0.4, 0.3), (0.0, 0.0, 2.0), (1.0, -2.0, 0.5)):
        R = TrackKeys(rates_deg=rates, roll_deg=33.0).attitude((4.0, 8.0, 5.0))
        assert np.allclose(R @ R.T, np.eye(3), atol=1e-14) and np.linalg.det(R) == pytest.approx(1.0)
        H = R @ (np.array([4.0, 8.0, 5.0]) * np.radians(rates))
        assert H / np.linalg.norm(H) == pytest.approx([-1.0, 0.0, 0.0], abs=1e-14)


@pytest.mark.parametrize("change", ["mount=emulated", "stretch=2.0", "run.duration=100.0"])
def test_what_has_no_plan_is_refused_in_one_line(change: str) -> None:
    with pytest.raises(ValueError, match="track-and-capture") as caught:
        load("facility", [TRACK, change])
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 250


def test_a_grasp_is_found_at_the_times_of_the_paper() -> None:
    """Of a motion that is known: aligned from 80 to 87 s, closing at 116 s, clear of what the client holds."""
    runner = Runner(load("facility", [TRACK, "mount=fixed"]))
    assert runner.scenario.payload.share < 1.0  # type: ignore[attr-defined]
    mission = Mission.of(runner.simulation)
    assert mission
    runner.simulation.run(0.25)
    chase: Any = mission.conductor.parts["chase"]
    laboratory = mission.laboratory
    body, rows = FreeBody(free_body(60.0, (4.0, 8.0, 5.0)), laboratory.start(), 0.05), []
    for _ in range(2500):
        rows.append(body.now)
        body.advance(np.zeros(6), np.zeros(6))

    def at(t: float) -> Moving:
        k = round(float(t) / 0.05)
        return rows[k].after(float(t) - 0.05 * k)

    def handle_at(t: float) -> Planned:
        there = at(t)
        arm = there.R @ [-0.15, 0.0, 0.0]
        return Planned(there.R, there.p + arm, there.v + cross(there.w, arm), there.w)

    def placed_at(t: float) -> np.ndarray:
        there, X = at(t), np.eye(4)
        X[:3, :3], X[:3, 3] = there.R, there.p
        return X

    chase.nav.handle_at, chase.nav.placed_at = handle_at, placed_at
    chase.unsure, chase._braked = lambda t, grasp: 0.1, lambda t: []
    chase.search(50.0)
    found = chase.intercept
    assert found, chase.obstacle
    assert (found.begins, found.tracks, found.closes) == pytest.approx((80.0, 87.0, 116.0))
    closed = found.at(116.0).q
    assert chase.clear.at(closed, placed_at(116.0))
    in_the_way = placed_at(116.0)
    in_the_way[:3, 3] += [0.25, 0.0, 0.0]  # where the wrist is
    assert not chase.clear.at(closed, in_the_way)
