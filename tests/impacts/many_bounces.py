"""Energy over many elastic impacts, free and forced; studies/many_impacts.py runs it for very many."""

from typing import NamedTuple

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import softdock as sd


class Drift(NamedTuple):
    """Relative energy error at the ends of steps, thinned, the impacts, and the force's net work so far, relative."""

    error: np.ndarray
    impacts: int
    work: np.ndarray


def pendulum(lower: float, upper: float) -> sd.World:
    """A metre from pivot to mass, between stops at two angles from hanging, in uniform gravity."""
    stops = sd.Limits(lower=lower, upper=upper, restitution=1.0)
    body = sd.Body(name="p", mass=1, center=(0, -1, 0), inertia=[0.01] * 3, joint=sd.Revolute(limits=stops))
    return sd.World(gravity=sd.Uniform(acceleration=(0, -9.81, 0)), bodies=[body])


PERIOD, AMPLITUDE, H = 40, 4.0, 0.01
"""Of the torque: in steps, and in N m; the step (s)."""


def in_step() -> float:
    """Speed (rad/s) of hanging at which the forced pendulum reaches a stop a quarter of the period later."""

    def late(speed: float) -> float:
        def slope(t: float, y: np.ndarray) -> tuple[float, float]:
            torque = AMPLITUDE * np.sin(2 * np.pi * t / (PERIOD * H))
            return y[1], (torque - 9.81 * np.sin(y[0])) / 1.01

        return float(solve_ivp(slope, (0.0, PERIOD * H / 4), (0.0, speed), rtol=1e-10, atol=1e-12).y[0, -1]) - 0.6

    return float(brentq(late, 1.0, 12.0))


def drift(case: str, impacts: int, chunk: int = 100_000) -> Drift:
    """Until so many impacts have happened."""
    dynamics = sd.Dynamics(pendulum(*(-0.9, 0.4) if case == "pendulum" else (-0.6, 0.6)))
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
