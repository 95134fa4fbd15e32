"""Many bodies of which any two may touch: what is near is found in time, whatever else moves, and little else costs."""

import numpy as np
import pytest

import softdock as sd
from softdock.bench.many_bodies import boxes
from softdock.dynamics.gaps import MOST_PAIRS

COUNT = 40


@pytest.fixture(scope="module")
def balls() -> sd.Dynamics:
    """Balls of 0.2 m of which any two may touch: 780 pairs, far more than are all looked at."""
    bodies = [
        sd.Body(name=f"b{k}", mass=1 + k % 3, inertia=[0.01] * 3, shapes=[sd.Sphere(radius=0.1)]) for k in range(COUNT)
    ]
    return sd.Dynamics(sd.World(bodies=bodies, contacts="all"))


def thrown(speed: float, common: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """A swarm that flies into its own middle, and all along x."""
    rng = np.random.default_rng(seed)
    q, v = np.zeros((COUNT, 7)), np.zeros((COUNT, 6))
    q[:, :3] = 0.45 * (np.array([(k % 4, k // 4 % 4, k // 16) for k in range(COUNT)]) - 1.5)
    q[:, :3] += 0.05 * rng.uniform(-1, 1, (COUNT, 3))
    q[:, 3] = 1.0
    v[:, :3] = -speed * q[:, :3] + 0.3 * speed * rng.standard_normal((COUNT, 3))
    v[:, 0] += common
    return q.ravel(), v.ravel()


def events_of(q: np.ndarray, v: np.ndarray, masses: np.ndarray, time: float) -> list[tuple[float, int, int]]:
    """Impacts of elastic balls that fly straight between them, by the roots of |x_i − x_j| = 0.2."""
    x, u, t, found = q.reshape(-1, 7)[:, :3].copy(), v.reshape(-1, 6)[:, :3].copy(), 0.0, []
    i, j = np.triu_indices(COUNT, 1)
    while True:
        d, w = x[i] - x[j], u[i] - u[j]
        a, b, c = (w * w).sum(1), (d * w).sum(1), (d * d).sum(1) - 0.04
        with np.errstate(invalid="ignore", divide="ignore"):
            when = np.where(b < 0, (-b - np.sqrt(b * b - a * c)) / a, np.inf)
        k = int(np.nanargmin(when))
        if not t + when[k] < time:
            return found
        t, x = t + when[k], x + when[k] * u
        p, r = i[k], j[k]
        n = (x[p] - x[r]) / np.linalg.norm(x[p] - x[r])
        impulse = -2 * n @ (u[p] - u[r]) / (1 / masses[p] + 1 / masses[r])
        u[p], u[r] = u[p] + impulse / masses[p] * n, u[r] - impulse / masses[r] * n
        found.append((t, int(p), int(r)))


@pytest.mark.parametrize(("speed", "common", "h"), [(0.2, 0.0, 0.02), (0.2, 30.0, 0.02), (2.0, 1.0, 0.005)])
def test_every_impact_is_found(balls: sd.Dynamics, speed: float, common: float, h: float) -> None:
    """The same impacts as by exact flight from one to the next: time and pair, and energy and momentum stay."""
    q, v = thrown(speed, common, seed=5)
    masses, steps = np.array([body.mass for body in balls.world.bodies]), 150
    motion = sd.Motion(balls, q, v, h=h)
    run = motion.run(steps, every=steps)
    exact = events_of(q, v, masses, steps * h)
    assert len(exact) > 20
    assert [impact.contact for impact in run.impacts] == [f"b{i} & b{j}" for _, i, j in exact]
    assert [impact.time for impact in run.impacts] == pytest.approx([t for t, _, _ in exact], abs=1e-8)
    before, after = (x.reshape(-1, 6)[:, :3] for x in (v, motion.v))
    assert (masses[:, None] * after**2).sum() == pytest.approx((masses[:, None] * before**2).sum(), rel=1e-12)
    assert masses @ after == pytest.approx(masses @ before, abs=1e-11 * np.abs(masses @ before).max())


def test_compliant_ones_too(balls: sd.Dynamics) -> None:
    """A swarm with compliant contacts: listed or all, with steps that change, momentum is exact and energy within the
    error; the same as small steps everywhere."""
    law = sd.Compliance(stiffness=1e5, exponent=1.5)
    soft = sd.Dynamics(balls.world.altered(contacts=()).with_contacts("all", compliance=law))
    q, v = thrown(0.2, 1.0, seed=6)
    motion, fine = sd.Motion(soft, q, v, h=0.02, contact_error=1e-3), sd.Motion(soft, q, v, h=2e-4)
    motion.run(60, every=60)
    fine.run(6000, every=6000)
    masses = np.repeat([body.mass for body in soft.world.bodies], 3)
    here, there, start = (x.reshape(-1, 6)[:, :3].ravel() for x in (motion.v, fine.v, v))
    assert (masses * here).reshape(-1, 3).sum(0) == pytest.approx((masses * start).reshape(-1, 3).sum(0), rel=1e-13)
    assert np.abs(here - there).max() < 2e-3 and np.abs(there - start).max() > 0.1
    assert motion.counts["divided"] + motion.counts["steps"] < 1500


def test_boxes_fly_together() -> None:
    """27 boxes in a grid at 1 m/s: what all do together is no motion of one against another."""
    world, q, v = boxes(27, 0.3)
    assert len(world.touching.pairs) == 351
    motion = sd.Motion(sd.Dynamics(world), q, v, h=0.01)
    motion.run(100, every=100)
    other = sd.Motion(motion.dynamics, q, np.where(np.arange(v.size) % 6 == 0, v - 1.0, v), h=0.01)
    other.run(100, every=100)
    shift = np.where(np.arange(q.size) % 7 == 0, 1.0, 0.0)
    assert motion.q - shift == pytest.approx(other.q, abs=1e-12)


def test_bounds() -> None:
    """Too many pairs are refused in one line, and so are too many points."""
    shapes = [sd.Sphere(radius=0.1, placement={"position": (0, 0, k)}) for k in range(150)]
    bodies = [sd.Body(name=f"b{k}", mass=1, inertia=[1] * 3, shapes=shapes) for k in range(11)]
    with pytest.raises(ValueError, match=f"1237500 pairs of shapes may touch, more than {MOST_PAIRS}"):
        _ = sd.Dynamics(sd.World(bodies=bodies, contacts="all")).contact_names
    floor = sd.Body(name="floor", mass=0, joint=sd.Fixed(), shapes=[sd.Box(size=(99, 9, 1))])
    feet = [sd.Box(size=(0.5, 0.5, 0.2), placement={"position": (k - 34, 0, 0.6)}) for k in range(68)]
    table = sd.Body(name="table", mass=1, inertia=[9] * 3, shapes=feet)
    lying = sd.Dynamics(
        sd.World(bodies=[floor, table], gravity=sd.Uniform(acceleration=(0, 0, -9.81))).with_contacts("all")
    )
    with pytest.raises(
        sd.StepFailed, match=r"at more than 256 points at once, which is the most: no room for 'floor & table'$"
    ):
        sd.Motion(lying, *lying.state({}), h=0.01).run(5)
