"""Why the forecast of a tumbling handle is surer than it says: the poses of runs of `capture` until the camera is
blocked at 96 s, filtered again with one thing changed at a time.

    python studies/capture_forecast.py [--runs 20] [--seed 0] [--pose scan|fine|coarse] [--rows FILE]

Tumbles are those of `capture.py`. Of the forecast for 118 s: NEES of the pose (of 6), of attitude and position alone
(of 3 each); medians of error and of standard deviation; in how many runs correlated noise was assumed.

`no widening`: noise is taken as white, whatever the residuals are. `no disturbances`: the densities of disturbing
torque and force that the filter allows for are 0, as in the simulated world. `no steady torque`: its prior is about 0
to 1e-8 rad/s² instead of 1e-5. `shuffled`: every pose has the error of another time. `disturbed world`: the target is
disturbed as the filter thinks (densities, and a steady torque drawn from the prior), and seen with the same errors.
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np
from capture import DURATION, POSES, drawn
from report import heading

from softdock.estimation import PoseMeasurement, TargetEstimator, batch, consistent, nees, pose_error, target
from softdock.estimation.doubt import Explained
from softdock.estimation.layouts import TARGET, TARGET_ERROR
from softdock.estimation.model import Model, root
from softdock.estimation.target import target_state
from softdock.scenarios import load
from softdock.scenarios.capture.craft import orbit_rate
from softdock.scenarios.capture.scenario import Capture
from softdock.scenarios.runner import Runner
from softdock.spatial import quaternion_of_vector, quaternion_product

BLOCKED, CLOSED = 96.0, 118.0
STEADY = TARGET_ERROR.places().flat.acceleration
KNOWN = batch.PRIOR.copy()
KNOWN[STEADY] = 1e16
VARIANTS: dict[str, tuple[str, ...]] = {
    "as it is": (),
    "no widening": ("white",),
    "no disturbances": ("calm",),
    "no disturbances, no steady torque": ("calm", "known"),
    "shuffled": ("shuffled",),
    "shuffled, no disturbances": ("shuffled", "calm"),
    "disturbed world": ("disturbed",),
}


class Motion:
    """The handle's true motion in A at some times (s)."""

    def __init__(self, scenario: Capture, times: Sequence[float], rng: np.random.Generator | None = None) -> None:
        """Disturbed as a `TargetEstimator` thinks if there is an `rng`."""
        n = orbit_rate(scenario.orbit)
        model = TargetEstimator(n).model if rng else Model("target", n, 0.0, 0.0)
        x = target_state(scenario.start())
        if rng:
            x[TARGET.places().flat.acceleration] = rng.standard_normal(3) / np.sqrt(batch.PRIOR[STEADY])
        self.poses = []
        for gap in np.diff(times, prepend=0.0):
            x, Q = model.propagated(x, model.certain(), float(gap))
            if rng:
                x = model.moved(x, root(Q) @ rng.standard_normal(model.errors))
            self.poses.append(model.pose(x))


class Seen(NamedTuple):
    """Measurements, and where the handle is in truth at closing."""

    measurements: list[PoseMeasurement]
    closed: tuple[np.ndarray, np.ndarray]


def measured(scenario: Capture) -> list[PoseMeasurement]:
    """What the tracker hands to its filter until the camera is blocked."""
    runner, found = Runner(scenario), list[PoseMeasurement]()
    nav: Any = scenario.conductor(runner.simulation).parts["nav"]
    update = nav.estimator.update

    def noted(measurement: PoseMeasurement) -> Any:
        found.append(measurement)
        return update(measurement)

    with patch.object(nav.estimator, "update", noted):
        runner.simulation.run(BLOCKED + 1.0)
    return found


def worlds(scenario: Capture, found: list[PoseMeasurement], rng: np.random.Generator) -> dict[str, Seen]:
    """As it was; errors shuffled, in units of their own deviations; and the target disturbed."""
    times = [*(one.t for one in found), CLOSED]
    truth, disturbed = Motion(scenario, times), Motion(scenario, times, rng)
    roots = [np.linalg.cholesky(np.asarray(one.covariance)) for one in found]
    errors = [
        np.linalg.solve(L, pose_error(pose, (one.position, one.quaternion)))
        for one, pose, L in zip(found, truth.poses, roots, strict=False)
    ]

    def seen(motion: Motion, order: np.ndarray) -> Seen:
        again = []
        for one, (p, q), L, k in zip(found, motion.poses, roots, order, strict=False):
            e = L @ errors[k]
            turned = quaternion_product(q, quaternion_of_vector(e[:3]))
            again.append(one._replace(position=p + e[3:], quaternion=np.asarray(turned)))
        return Seen(again, motion.poses[-1])

    as_they_were = np.arange(len(found))
    return {
        "": Seen(found, truth.poses[-1]),
        "shuffled": seen(truth, rng.permutation(len(found))),
        "disturbed": seen(disturbed, as_they_were),
    }


def forecast(seen: Seen, n: float, changes: Sequence[str]) -> dict[str, float]:
    """Of the handle at closing, by a filter of its own."""
    with ExitStack() as stack:
        if "known" in changes:
            for where in (batch.solved, batch.Residuals.__init__):
                stack.enter_context(patch.object(where, "__defaults__", (KNOWN,)))
        if "white" in changes:
            stack.enter_context(patch.object(target, "explained", lambda arc, plain, before: Explained(plain)))
        estimator = TargetEstimator(n, torque=0.0, force=0.0) if "calm" in changes else TargetEstimator(n)
        for one in seen.measurements:
            estimator.update(one)
        there = estimator.forecast(CLOSED)
    error, P = pose_error((there.position, there.quaternion), seen.closed), there.covariance
    assert estimator.explained
    return {
        "nees": nees(error, P),
        "attitude": nees(error[:3], P[:3, :3]),
        "position": nees(error[3:], P[3:, 3:]),
        "mm": 1e3 * float(np.linalg.norm(error[3:])),
        "sigma mm": 1e3 * there.position_sigma,
        "deg": float(np.degrees(np.linalg.norm(error[:3]))),
        "sigma deg": float(np.degrees(there.angle_sigma)),
        "widened": float(estimator.explained.colour.share > 0 or estimator.explained.inflated > 1.0),
    }


def rows_of(options: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """A row of every variant of every tumble."""
    for k, seed in enumerate(np.random.SeedSequence(options.seed).spawn(options.runs)):
        rng = np.random.default_rng(seed)
        settings, _ = drawn(rng, "facing", 8.0)
        general = [f"run.duration={DURATION}", f"run.seed={k}", "gripper.kind=ideal", *POSES[options.pose]]
        scenario = load("capture", settings + general)
        assert isinstance(scenario, Capture)
        seen = worlds(scenario, measured(scenario), rng)
        for name, changes in VARIANTS.items():
            world = next((change for change in changes if change in seen), "")
            yield {"run": k, "variant": name} | forecast(seen[world], orbit_rate(scenario.orbit), changes)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--pose", choices=tuple(POSES), default="scan")
    parser.add_argument("--rows", type=Path, help="append rows to this file, as JSON")
    options = parser.parse_args()
    print(heading("forecast of 22 s", options), flush=True)
    rows = []
    for row in rows_of(options):
        rows.append(row)
        if options.rows:
            with options.rows.open("a") as file:
                file.write(json.dumps(row) + "\n")
    print("| | NEES | 95 % | attitude | position | error | σ | widened |\n|" + "---|" * 8)
    for name in VARIANTS:
        own = {key: [row[key] for row in rows if row["variant"] == name] for key in rows[0]}
        mean, low, high = consistent(own["nees"], 6)
        half = {key: float(np.median(own[key])) for key in ("mm", "sigma mm", "deg", "sigma deg")}
        print(
            f"| {name} | {mean:.2f} | {low:.2f}–{high:.2f} | {np.mean(own['attitude']):.2f} | "
            f"{np.mean(own['position']):.2f} | {half['mm']:.3f} mm, {half['deg']:.4f}° | "
            f"{half['sigma mm']:.3f} mm, {half['sigma deg']:.4f}° | {100 * np.mean(own['widened']):.0f} % |"
        )


if __name__ == "__main__":
    main()
