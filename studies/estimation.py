"""The estimators against truth, by the hundred: the tables of docs/estimation.md.

python studies/estimation.py [bound paper tumbles robust wrong standing drawn] [--runs 100] [--seed 0] [--only rich]
"""

import argparse
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
from report import heading

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "estimation"))
sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "mission"))
from standing import Stood, stood
from trials import BLIND, DATA, PERIOD, SIGMA, STREAMS, WRONG, Trial, Wrong, ours, papers, truth_of, wronged

from softdock.estimation import TargetEstimator, consistent, cramer_rao, isotropic
from softdock.estimation.batch import PRIOR
from softdock.estimation.tumbles import TUMBLES, Tumble
from softdock.world import Pose

RICH = TUMBLES["rich"]


def bound_of(tumble: Tumble, data: float = DATA, prior: np.ndarray | None = None) -> tuple[float, float]:
    """Cramér-Rao bound of the forecast (mm, degrees)."""
    truth = truth_of(tumble, np.random.default_rng(0), 1.0)
    times = np.arange(0, data + 1e-9, PERIOD)
    bound = cramer_rao(truth.states[0], tumble.n, times, isotropic(*SIGMA), data + BLIND, prior)
    return 1e3 * bound.position, float(np.degrees(bound.angle))


def bounds(options: argparse.Namespace) -> None:
    """How the bound falls with data, for a handle near the centre of mass and for one farther out."""
    print("\nCramér-Rao bound of the forecast over 20 s, rich tumble, 5 mm and 0.5° at 2 Hz\n")
    print("| handle from centre | knowledge before | after 14 s | 30 s | 60 s | 90 s |\n|---|---|---|---|---|---|")
    inertia = np.diag(PRIOR) + np.diag([0.0] * 6 + [1 / 0.4**2 - 1] * 5 + [0.0] * 15)
    for reach in (0.15, 0.45):
        tumble = RICH._replace(handle=Pose(position=(-reach, 0, 0)))
        for label, prior in (("none", None), ("inertia numbers to 0.4", inertia)):
            cells = [bound_of(tumble, data, prior) for data in (14.0, 30.0, 60.0, 90.0)]
            print(f"| {reach} m | {label} | " + " | ".join(f"{p:.3g} mm, {a:.2g}°" for p, a in cells) + " |")


HEAD = "rms | worst | failed | forecast's NEES (of 6) |"


def row(label: str, trials: list[Trial] | list[Stood], extra: str = "", *, everything: bool = False) -> None:
    good = [trial for trial in trials if everything or not trial.failed]
    failed = sum(trial.failed for trial in trials)
    if not good:
        print(f"| {label} | {extra}| | {failed} of {len(trials)} | |", flush=True)
        return
    rms = [np.sqrt(np.mean([getattr(t, key) ** 2 for t in good])) for key in ("position", "angle")]
    worst = [max(getattr(t, key) for t in good) for key in ("position", "angle")]
    mean, low, high = consistent((t.nees for t in good), 6)
    cells = (f"{1e3 * p:.2f} mm, {np.degrees(a):.2f}°" for p, a in (rms, worst))
    print(
        f"| {label} | {extra}{' | '.join(cells)} | {failed} of {len(trials)} | {mean:.2f} ({low:.2f}–{high:.2f}) |",
        flush=True,
    )


def many(runs: int, trial: Callable[[int], Trial]) -> list[Trial]:
    found = []
    for index in range(runs):
        found.append(trial(index))
        if sys.stderr.isatty():
            print(f"\r{index + 1}/{runs}", end="", file=sys.stderr)
    return found


def paper(options: argparse.Namespace) -> None:
    """The paper's filter: consistent from a start near the truth, and not from elsewhere."""
    print(f"\nThe paper's filter, rich tumble, {options.runs} runs (rms of those that did not fail)\n")
    print(f"| | state's NEES (of 20) | {HEAD}\n|---|---|---|---|---|---|")
    cases = {
        "start drawn around the truth": {"guess": True},
        "the same, five times as wide": {"guess": True, "wide": 5.0},
        "start drawn around the truth, without the orbit's turning": {"guess": True, "turning": False},
        "from one measurement, a sphere": {"guess": False},
    }
    for label, case in cases.items():
        trials = many(options.runs, lambda k, case=case: papers(RICH, [options.seed, k], **case))
        text = "| "
        if case["guess"]:
            mean, low, high = consistent((t.state_nees for t in trials), 20)
            text = f"{mean:.4g} ({low:.2f}–{high:.2f}) | "
        row(label, trials, text)


def tumbles(options: argparse.Namespace) -> None:
    """Ours from no guess, on every tumble."""
    print(f"\nsoftdock's estimator from no guess, 90 s of data, 20 s blind, {options.runs} runs each\n")
    print(f"| tumble | bound | {HEAD}\n|---|---|---|---|---|---|")
    for label, tumble in TUMBLES.items():
        if options.only not in label:
            continue
        trials = many(options.runs, lambda k, tumble=tumble: ours(tumble, [options.seed, k]))
        row(label, trials, "{:.2f} mm, {:.2f}° | ".format(*bound_of(tumble)))


def robust(options: argparse.Namespace) -> None:
    """Ours with measurements that are not as they should be."""
    runs = max(1, options.runs // 2)
    print(f"\nsoftdock's estimator, rich tumble, measurements not as stated, {runs} runs each\n")
    print(f"| | {HEAD}\n|---|---|---|---|---|")
    for label, stream in STREAMS.items():
        row(label, many(runs, lambda k, stream=stream: ours(RICH, [options.seed, k], stream)))


def wrong(options: argparse.Namespace) -> None:
    """Ours on targets and sensors that are not as it takes them to be."""
    runs = max(1, options.runs // 2)
    print(f"\nsoftdock's estimator where its model is wrong, {runs} runs each\n")
    print(f"| | assumed | forecast refused | {HEAD}\n|---|---|---|---|---|---|---|")
    for label, case in WRONG.items():
        if options.only not in label:
            continue
        found = [wronged(RICH, [options.seed, k], case) for k in range(runs)]
        assumed = Counter(_assumed(estimator) for _, estimator in found)
        refused = sum(bool(estimator.aliases) for _, estimator in found)
        told = ", ".join(f"{name} ({count})" for name, count in assumed.most_common())
        trials = [trial for trial, estimator in found if not estimator.aliases]
        if trials:
            row(label, trials, f"{told} | {refused} | ", everything=True)
        else:
            print(f"| {label} | {told} | {refused} | | | | |", flush=True)


def _assumed(estimator: TargetEstimator) -> str:
    found = estimator.explained
    assert found is not None
    parts = ["torque"] * found.torque + ["drift"] * found.drift
    parts += [f"noise over {found.colour.tau:g} s"] * (found.colour.share > 0) + ["wider"] * (found.inflated > 1)
    return " and ".join(parts) or "nothing more"


def standing(options: argparse.Namespace) -> None:
    """A target that stands still before a coarse laser camera, by 30 s of scans; seeds from `--seed` on."""
    print(f"\nA target that stands still, by scans, now, {options.runs} runs\n\n| | {HEAD}\n|---|---|---|---|---|")
    row("standing target", [stood(options.seed + k) for k in range(options.runs)])


def drawn(options: argparse.Namespace) -> None:
    """Leaks of targets of any inertia (2 to 10 kg m²) and spin (4 to 12°/s about any axis)."""
    print(f"\nLeaks of drawn tumbles, {options.runs} runs each\n\n| | {HEAD}\n|---|---|---|---|---|")
    for torque in (0.0, 1e-4, 1e-3):
        trials = []
        for k in range(options.runs):
            rng = np.random.default_rng([options.seed, k])
            sides = rng.uniform(1.0, 5.0, 3)  # any such are moments of a body
            spin = rng.normal(size=3)
            spin *= np.radians(rng.uniform(4, 12)) / np.linalg.norm(spin)
            tumble = RICH._replace(moments=tuple(sides.sum() - sides), spin=tuple(spin))
            trials.append(wronged(tumble, [options.seed, k, 1], Wrong(torque=torque))[0])
        row(f"leak of {torque:g} N m", trials, everything=True)


TABLES = {
    "bound": bounds, "paper": paper, "tumbles": tumbles, "robust": robust, "wrong": wrong, "standing": standing,
    "drawn": drawn,
}  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tables", nargs="*", metavar="table", default=list(TABLES), help=", ".join(TABLES))
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", help="only rows with this in their names (tumbles, wrong)")
    options = parser.parse_args()
    if unknown := [name for name in options.tables if name not in TABLES]:
        parser.error(f"no table {unknown[0]!r}; there are {', '.join(TABLES)}")
    print(heading("estimation", options))
    for name in options.tables:
        TABLES[name](options)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
