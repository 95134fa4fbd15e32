"""A fast ball rebounds from a wall and meets a peg, often within one step: where and when, by exact flight."""

import numpy as np
import pytest

import softdock as sd

RADIUS, PEG = 0.1, np.array([-1.0, 0.6, 0.0])


@pytest.fixture(scope="module")
def table() -> sd.Dynamics:
    """A wall from x = 0 on, and a fixed ball as large as the one that flies."""
    ball = sd.Sphere(radius=RADIUS)
    wall = sd.Box(size=(1, 400, 400), placement=sd.Pose(position=(0.5, 0, 0)))
    peg = sd.Sphere(radius=RADIUS, placement=sd.Pose(position=PEG))
    bodies = [
        sd.Body(name="wall", mass=0, joint=sd.Fixed(), shapes=[wall]),
        sd.Body(name="peg", mass=0, joint=sd.Fixed(), shapes=[peg]),
        sd.Body(name="ball", mass=1, inertia=[0.004] * 3, shapes=[ball]),
    ]
    contacts = [sd.Contact(name=name, body_a="ball", body_b=name, restitution=1.0) for name in ("wall", "peg")]
    return sd.Dynamics(sd.World(bodies=bodies, contacts=contacts))


def flight(p: np.ndarray, v: np.ndarray, time: float) -> list[tuple[str, float, float]]:
    """Impacts of a ball that flies straight: what, when, and how deep it would pass through what it hits."""
    found, t = [], 0.0
    while True:
        to_wall = (-RADIUS - p[0]) / v[0] if v[0] > 0 else np.inf
        d = p - PEG
        a, b, c = v @ v, d @ v, d @ d - (2 * RADIUS) ** 2
        to_peg = (-b - np.sqrt(b * b - a * c)) / a if b < 0 and b * b > a * c else np.inf
        if not t + min(to_wall, to_peg) < time:
            return found
        t, p = t + min(to_wall, to_peg), p + min(to_wall, to_peg) * v
        if to_wall < to_peg:
            found.append(("wall", t, np.inf))
            v = v * [-1, 1, 1]
        else:
            n = (p - PEG) / (2 * RADIUS)
            found.append(("peg", t, 2 * RADIUS - np.sqrt(d @ d - b * b / a)))
            v = v - 2 * (v @ n) * n


def test_what_follows_a_rebound_in_the_same_step_is_seen(table: sd.Dynamics) -> None:
    """At 2 to 120 m/s, with steps in which the ball flies up to sixty radii."""
    met = 0
    for seed in range(40):
        rng = np.random.default_rng([7, seed])
        h, speed = float(rng.choice([0.05, 0.02, 0.01])), rng.uniform(2, 120)
        start = np.array([-rng.uniform(0.3, 2.0), rng.uniform(-1.5, -0.2), 0.0])
        mirrored = np.array([1.0 - 2 * RADIUS, 0.6 + rng.uniform(-0.25, 0.25), rng.uniform(-0.1, 0.1)])
        way = (mirrored - start) / np.linalg.norm(mirrored - start)
        exact = flight(start, speed * way, 0.3)
        if any(depth < 0.01 * 2 * RADIUS for _, _, depth in exact):
            continue  # a graze that may go unseen
        motion = sd.Motion(table, *table.state({"ball": {"position": start, "velocity": speed * way}}), h=h)
        impacts = motion.run(round(0.3 / h), every=round(0.3 / h)).impacts
        assert [impact.contact for impact in impacts] == [what for what, _, _ in exact]
        assert [impact.time for impact in impacts] == pytest.approx([when for _, when, _ in exact], abs=1e-10)
        met += "peg" in [what for what, _, _ in exact]
    assert met > 15
