"""A scan of the target satellite, and its registration from 10 degrees and 10 cm off."""

import numpy as np

from softdock.bench.rows import Limit, Result, Row, Say
from softdock.bench.timing import Job, least, timed
from softdock.sensing import LaserCamera, Noise, Pattern, Rates, Scan, Surface, raster, register, satellite
from softdock.sensing.scan import difference
from softdock.spatial import matrix_of_quaternion, matrix_of_vector
from softdock.world import Pose

CASE = "sensing"


def views(
    surface: Surface, points: int, count: int, seed: int = 0, noise: Noise | None = None
) -> list[tuple[Pose, Scan, Pose]]:
    """Random views from 2.5 to 4 m: pose, scan with so many points, and a guess 10 degrees and 10 cm off."""
    found = []
    for rng in (np.random.default_rng(s) for s in np.random.SeedSequence(seed).spawn(count)):
        q = rng.normal(size=4)
        pose = Pose.of(matrix_of_quaternion(q / np.linalg.norm(q)), rng.uniform([-0.2, -0.2, 2.5], [0.2, 0.2, 4.0]))
        scan = _scan(surface, pose, points, noise or Noise(), rng)
        axis, way = (v / np.linalg.norm(v) for v in rng.normal(size=(2, 3)))
        turned = pose.rotation @ matrix_of_vector(np.radians(10.0) * axis)
        found.append((pose, scan, Pose.of(turned, np.array(pose.position) + 0.1 * way)))
    return found


def _scan(surface: Surface, pose: Pose, points: int, noise: Noise, rng: np.random.Generator) -> Scan:
    """A raster fine enough for so many points on the target, and as many drawn from it."""
    share = np.isfinite(LaserCamera(surface, _square(4000)).ranges(pose)).mean()
    pattern = _square(round(1.1 * points / share))
    return LaserCamera(surface, pattern, noise, rng=rng).scan(pose).thinned(points, rng)


def _square(rays: int) -> Pattern:
    side = int(np.ceil(np.sqrt(rays)))
    return raster(side, side, (1.0, 1.0))


def run(say: Say, *, rays: int = 20_000, sizes: tuple[int, ...] = (2_000, 20_000), count: int = 10) -> Result:
    """At most 10 ms for 20,000 rays at a moving target, 30 ms to register 2,000 points, 120 ms for 20,000.

    The error of a registration row is the median angle (rad).
    """
    surface = satellite()
    camera = LaserCamera(surface, raster(100, rays // 100, (0.8, 0.8), duration=0.5))
    pose = Pose.of(matrix_of_vector([0.3, 0.4, 0.5]), np.array([0.0, 0.0, 3.0]))
    rates = Rates((0.08, 0.05, 0.10), (0.01, 0.0, 0.0))
    say(f"{CASE}: a scan, and {count} views of each of {sizes} points")
    jobs: dict[str, Job] = {f"{CASE}/scan": lambda: timed(lambda: camera.scan(pose, rates))}
    errors: dict[str, float] = {}
    for points in sizes:
        cases = views(surface, points, count)
        key = f"{CASE}/register-{points}"
        jobs[key] = _registering(surface, cases)
        errors[key] = float(np.median([difference(register(s, surface, g).pose, p)[0] for p, s, g in cases]))
    best = {key: 1e3 * seconds for key, seconds in least(jobs, rounds=5, seconds=20.0).items()}
    rows = [Row(key, "softdock", key.split("/")[1], total_ms=ms, error=errors.get(key)) for key, ms in best.items()]
    allowed = dict(zip(best, (10.0, 30.0, 120.0), strict=False))
    return Result(rows, [Limit(f"{key}: ms", ms, allowed[key]) for key, ms in best.items()])


def _registering(surface: Surface, cases: list[tuple[Pose, Scan, Pose]]) -> Job:
    return lambda: timed(lambda: [register(scan, surface, guess) for _, scan, guess in cases]) / len(cases)
