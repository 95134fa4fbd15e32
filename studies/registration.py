"""Registration of random views of the target satellite from 2.5 to 4 m, from a guess 10 degrees and 10 cm off.

    python studies/registration.py [--views 100] [--seed 0] [--odd]

Right: within 1 degree and 20 mm. NEES is of the six errors (expectation 6, median 5.35); false: accepted, not right.
With --odd: bodies that look alike from several sides, faces seen head-on, a fifth of a target; overconfident is a NEES
above 30, and acquisition is tried on symmetric bodies.
"""

import argparse
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
from report import heading
from scipy.spatial.transform import Rotation

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "sensing"))
import odd_views

from softdock.bench.sensing import views
from softdock.sensing import (
    LaserCamera,
    Noise,
    Rates,
    Registration,
    Scan,
    Surface,
    acquire,
    raster,
    register,
    satellite,
)
from softdock.sensing.scan import difference
from softdock.world import Pose

TURNING, DRIFT = np.radians(10), 0.03
"""Of the moving target (rad/s, m/s)."""
Case = tuple[Pose, Scan, Pose, Rates | None]


def nees(truth: Pose, result: Registration) -> float:
    """Squared error of (δ, ε) in units of the covariance."""
    turn = Rotation.from_matrix(result.pose.rotation.T @ truth.rotation).as_rotvec()
    error = np.concatenate([turn, np.subtract(truth.position, result.pose.position)])
    return float(error @ np.linalg.solve(result.covariance, error)) if np.isfinite(result.covariance).all() else np.nan


def row(name: str, cases: list[Case], surface: Surface, spread: np.ndarray | None = None) -> str:
    """One line of the table; `spread` is the covariance of the rates that the registration is told."""
    results, took = [], []
    for _, scan, guess, rates in cases:
        start = time.thread_time()
        results.append(register(scan, surface, guess, rates, spread))
        took.append(time.thread_time() - start)
    error = np.array([difference(result.pose, truth) for result, (truth, *_) in zip(results, cases, strict=True)])
    right = (error[:, 0] < np.radians(1)) & (error[:, 1] < 0.02)
    accepted = np.array([result.quality.accepted for result in results])
    chi = np.array([nees(truth, result) for result, (truth, *_) in zip(results, cases, strict=True)])
    angle, distance = np.degrees(error[:, 0]), 1e3 * error[:, 1]
    return (
        f"| {name} | {right.sum()} of {len(cases)} | {accepted.sum()} | {(accepted & ~right).sum()} "
        f"| {np.median(angle):.4f} | {np.median(distance):.3f} | {angle.max():.3f} | {distance.max():.2f} "
        f"| {np.nanmedian(chi):.2f} | {np.nanmean(chi):.2f} | {1e3 * np.median(took):.0f} |"
    )


def still(surface: Surface, points: int, count: int, seed: int, noise: Noise | None = None) -> list[Case]:
    return [(*case, None) for case in views(surface, points, count, seed, noise)]


def declared(cases: list[Case], factor: float) -> list[Case]:
    """The same scans, with another noise declared than they have."""
    return [(truth, replace(scan, sigma=factor * scan.sigma), guess, r) for truth, scan, guess, r in cases]


def moving(surface: Surface, count: int, seed: int, tell: bool) -> list[Case]:
    """A raster of half a second of a target that turns at 10 degrees a second and drifts at 3 cm/s."""
    cases: list[Case] = []
    for truth, _, guess in views(surface, 100, count, seed):
        rng = np.random.default_rng([seed, len(cases)])
        w, v = (x / np.linalg.norm(x) for x in rng.normal(size=(2, 3)))
        rates = Rates(tuple(TURNING * w), tuple(DRIFT * v))
        scan = LaserCamera(surface, raster(150, 150, (1.0, 1.0), duration=0.5), rng=rng).scan(truth, rates)
        cases.append((truth, scan, guess, rates if tell else None))
    return cases


def astray(surface: Surface, count: int, seed: int, angle: float, distance: float) -> list[Case]:
    """Guesses that are too far off."""
    cases: list[Case] = []
    for truth, scan, _ in views(surface, 2000, count, seed):
        axis, way = (x / np.linalg.norm(x) for x in np.random.default_rng([seed, len(cases)]).normal(size=(2, 3)))
        turned = truth.rotation @ Rotation.from_rotvec(np.radians(angle) * axis).as_matrix()
        cases.append((truth, scan, Pose.of(turned, np.array(truth.position) + distance * way), None))
    return cases


def odd(count: int, seed: int) -> None:
    print("| views | tried | accepted | right | overconfident | NEES median | median ° | ms |")
    print("|---|---|---|---|---|---|---|---|")
    for name, kind in odd_views.ODD.items():
        surface, chi, angles, right, took = kind.surface(), [], [], 0, time.thread_time()
        for k in range(count):
            truth, result = odd_views.registered(kind, surface, [seed, k])
            if result.quality.accepted:
                angle, distance = difference(result.pose, truth)
                chi.append(odd_views.nees(truth, result))
                angles.append(np.degrees(angle))
                right += angle < np.radians(1) and distance < 0.02
        took = 1e3 * (time.thread_time() - took) / count
        middle = (f"{np.median(chi):.2f}", f"{np.median(angles):.3f}") if chi else ("", "")
        over = int(np.sum(np.array(chi) > 30))
        print(f"| {name} | {count} | {len(chi)} | {right} | {over} | {' | '.join(middle)} | {took:.0f} |", flush=True)
    print("\n| acquisition of | scans | right one in the list | none given | poses (mean) | ms |")
    print("|---|---|---|---|---|---|")
    for name, make in odd_views.SYMMETRIC.items():
        surface, held, none, poses, took = make(), 0, 0, [], 0.0
        for k in range(max(1, count // 5)):
            rng = np.random.default_rng([seed, k])
            truth, scan = odd_views.seen(surface, odd_views.attitude("any", rng), rng, 1500)
            began = time.thread_time()
            found = [difference(h.registration.pose, truth) for h in acquire(scan, surface)]
            took += time.thread_time() - began
            held += any(angle < np.radians(2) and distance < 0.02 for angle, distance in found)
            none += not found
            poses.append(len(found))
        n = len(poses)
        print(f"| {name} | {n} | {held} | {none} | {np.mean(poses):.1f} | {1e3 * took / n:.0f} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--views", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--odd", action="store_true")
    options = parser.parse_args()
    if options.odd:
        print(heading("registration", options))
        return odd(options.views, options.seed)
    surface, count, seed = satellite(), options.views, options.seed
    table: dict[str, Callable[[], list[Case]]] = {
        "2,000 points": lambda: still(surface, 2000, count, seed),
        "20,000 points": lambda: still(surface, 20_000, count, seed),
        "200 points": lambda: still(surface, 200, count, seed),
        "2,000, of which strays (8 % of rays), 10 % lost": lambda: still(
            surface, 2000, count, seed, Noise(0.002, 0.08, 0.1)
        ),
        "2,000, noise 3 times the declared": lambda: declared(still(surface, 2000, count, seed, Noise(0.006)), 1 / 3),
        "2,000, noise a fifth of the declared": lambda: declared(still(surface, 2000, count, seed, Noise(0.0004)), 5),
        "moving, with its rates": lambda: moving(surface, count, seed, tell=True),
        "moving, taken to be still": lambda: moving(surface, count, seed, tell=False),
        "guess 20° and 20 cm off": lambda: astray(surface, count, seed, 20, 0.2),
        "guess 45° and 30 cm off": lambda: astray(surface, count, seed, 45, 0.3),
        "guess 90° and 30 cm off": lambda: astray(surface, count, seed, 90, 0.3),
    }
    print(heading("registration", options))
    print("| scans | right | accepted | false | median ° | median mm | worst ° | worst mm | NEES median | mean | ms |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    for name, make in table.items():
        print(row(name, make(), surface), flush=True)
    spread = np.diag([TURNING**2 / 3] * 3 + [DRIFT**2 / 3] * 3)  # of directions that are uniform
    cases = moving(surface, count, seed, tell=False)
    print(row("moving, taken to be still, its rates' spread told", cases, surface, spread))


if __name__ == "__main__":
    main()
