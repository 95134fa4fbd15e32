"""Energy over very many elastic impacts: a pendulum that swings between two stops.

Between impacts its motion is not integrated exactly, so each impact may change the energy by O(h²);
this study shows whether such changes add up.

    python studies/many_impacts.py [--impacts 100000]
"""

import argparse

import numpy as np
from report import heading

import softdock as sd


def pendulum() -> sd.World:
    """A metre from pivot to mass, between stops at −0.9 and 0.4 rad from hanging, in uniform gravity."""
    stops = sd.Limits(lower=-0.9, upper=0.4, restitution=1.0)
    body = sd.Body(name="p", mass=1, center=(0, -1, 0), inertia=[0.01] * 3, joint=sd.Revolute(limits=stops))
    return sd.World(gravity=sd.Uniform(acceleration=(0, -9.81, 0)), bodies=[body])


def energies(impacts: int, h: float = 0.01, chunk: int = 100_000) -> tuple[np.ndarray, int]:
    """Relative energy error at the ends of the steps, thinned, until so many impacts have happened."""
    dynamics = sd.Dynamics(pendulum())
    motion = sd.Motion(dynamics, *dynamics.state({"p": {"velocity": 3.0}}), h=h)
    start = dynamics.balance(motion.q, motion.v).kinetic
    total = dynamics.balance(motion.q, motion.v).total
    found, count = [], 0
    while count < impacts:
        run = motion.run(chunk, every=10)
        count += len(run.impacts)
        found.append((dynamics.balance(run.q, run.v).total - total) / start)
    return np.concatenate(found), count


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--impacts", type=int, default=100_000)
    arguments = parser.parse_args()
    print(heading("many impacts", arguments))
    error, count = energies(arguments.impacts)
    tenth = len(error) // 10
    steps = 10 * np.arange(len(error))
    slope = np.polyfit(steps, error, 1)[0]
    print(f"{count} impacts in {10 * len(error)} steps of 0.01 s")
    print(f"largest relative energy error: first tenth {np.abs(error[:tenth]).max():.2e}, "
          f"last tenth {np.abs(error[-tenth:]).max():.2e}")  # fmt: skip
    print(f"mean: first tenth {error[:tenth].mean():.2e}, last tenth {error[-tenth:].mean():.2e}; "
          f"trend {slope * steps[-1]:.1e} over the run")  # fmt: skip


if __name__ == "__main__":
    main()
