"""iss-docking with compliant side walls beside located impacts; studies/compliant_docking.py makes the table."""

import json
from typing import NamedTuple

import numpy as np

from softdock.dynamics import Dynamics
from softdock.scenarios import load

STEPS_IN_CONTACT = 120
AFTER = 20.0
"""When the payload's velocity is compared (s): after the side impact, before docking."""


class Run(NamedTuple):
    """What is compared: time of the impact (middle of the contact), payload's velocity later, time of docking."""

    h: float
    impact: float
    velocity: np.ndarray
    docked: float
    duration: float = 0.0
    depth: float = 0.0


def run(h: float, **contact: float | str) -> Run:
    """One run with some keys of `contact`, to the docking."""
    changes = [f"contact.{key}={json.dumps(value)}" for key, value in contact.items()]
    scenario = load("iss-docking", [f"run.h={h!r}", "run.duration=30.0", *changes])
    dynamics = Dynamics(scenario.world)
    docking = scenario.simulation(dynamics)
    rows = docking.run(scenario.run.duration)
    found = scenario.metrics(docking, rows)
    velocity = rows.v[round(AFTER / h), dynamics.layout.v["payload"]][:2]
    if found["contacts"]:
        touch = found["contacts"][0]
        middle = touch["time"] + touch["duration"] / 2
        return Run(h, middle, velocity, found["docked_at"], touch["duration"], touch["depth"])
    return Run(h, found["impacts"][0]["time"], velocity, found["docked_at"])


def differences(stiffness: float, exponent: float, h: float) -> tuple[Run, np.ndarray]:
    """A compliant run, and how its impact time (s), velocity (m/s) and docking time (s) differ from the located ones
    of the same step."""
    soft, hard = run(h, style="compliant", stiffness=stiffness, exponent=exponent), run(h)
    apart = float(np.linalg.norm(soft.velocity - hard.velocity))
    return soft, np.array([soft.impact - hard.impact, apart, abs(soft.docked - hard.docked)])


def step_for(stiffness: float, exponent: float, steps: int = STEPS_IN_CONTACT) -> float:
    """A step of 0.01 s or a whole part of it that takes many steps through the contact (0.17 s at 1e9, exponent 3)."""
    scale = 0.17 * (stiffness / 1e9) ** (-0.25) if exponent == 3.0 else 0.1 * (stiffness / 1e5) ** (-1 / (exponent + 1))
    return 0.01 / max(1, round(0.01 * steps / scale))
