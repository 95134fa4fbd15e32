"""Energy over many elastic impacts, free and forced; studies/many_impacts.py runs it for very many."""

from typing import NamedTuple

import numpy as np

import softdock as sd


class Drift(NamedTuple):
    """Relative energy error at the ends of steps, thinned, the impacts, and the force's net work so far, relative."""

    error: np.ndarray
    impacts: int
    work: np.ndarray


def pendulum() -> sd.World:
    """A metre from pivot to mass, between stops at −0.9 and 0.4 rad from hanging, in uniform gravity."""
    stops = sd.Limits(lower=-0.9, upper=0.4, restitution=1.0)
    body = sd.Body(name="p", mass=1, center=(0, -1, 0), inertia=[0.01] * 3, joint=sd.Revolute(limits=stops))
    return sd.World(gravity=sd.Uniform(acceleration=(0, -9.81, 0)), bodies=[body])


def sprung() -> sd.World:
    """A kilogram on a spring of 20 N/m between stops 0.3 m to either side."""
    stops, spring = sd.Limits(lower=-0.3, upper=0.3, restitution=1.0), sd.Spring(stiffness=20.0)
    body = sd.Body(name="p", mass=1, inertia=[0.01] * 3, joint=sd.Prismatic(limits=stops, spring=spring))
    return sd.World(bodies=[body])


PERIOD, AMPLITUDE, H = 40, 4.0, 0.01
"""Of the force: in steps, and in N; the step (s)."""


def in_step() -> float:
    """Speed (m/s) in the middle with which the mass reaches a stop a quarter of the period later:
    x = (v + b) sin(ωt)/ω, ω² = 20, and the force A sin(Ωt) adds A (sin Ωt − (Ω/ω) sin ωt)/(ω² − Ω²)."""
    w, W, t = np.sqrt(20.0), 2 * np.pi / (PERIOD * H), PERIOD * H / 4
    forced = AMPLITUDE * (np.sin(W * t) - W / w * np.sin(w * t)) / (w * w - W * W)
    return float((0.3 - forced) * w / np.sin(w * t))


def drift(case: str, impacts: int, chunk: int = 100_000) -> Drift:
    """Until so many impacts have happened."""
    dynamics = sd.Dynamics(pendulum() if case == "pendulum" else sprung())
    speed = 3.0 if case == "pendulum" else 1.001 * in_step()  # a little off: it must find no resonance
    motion = sd.Motion(dynamics, *dynamics.state({"p": {"velocity": speed}}), h=H)
    wave = AMPLITUDE * np.sin(2 * np.pi * (np.arange(PERIOD) + 0.5) / PERIOD)
    push = None if case == "pendulum" else np.resize(wave, chunk)[:, None]
    first = dynamics.balance(motion.q, motion.v)
    error, work, count = [], [], 0
    while count < impacts:
        run = motion.run(chunk, push, every=10, ledger=True)
        count += len(run.impacts)
        work.append(run.account[:, 0] / first.kinetic)
        error.append((dynamics.balance(run.q, run.v).total - first.total) / first.kinetic - work[-1])
    return Drift(np.concatenate(error), count, np.concatenate(work))
