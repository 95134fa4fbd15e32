"""Scores of simple policies in the Gymnasium environments: what docs/campaigns.md shows.

    python studies/environment_baselines.py [--episodes 50] [--generations 8] [--only Docking]

Random and zero actions, the environments' own scripted policies, and for Docking a policy found by a short
cross-entropy search (CEM): each joint's action from its own angle and rate, nine numbers. Scores are of episodes
whose seeds the search has not seen.
"""

import argparse
import time
from collections.abc import Callable

import gymnasium
import numpy as np
from report import heading

SCALE = np.array([[0.4], [0.03]])
"""What angles (rad) and rates (rad/s) are divided by."""
CANDIDATES, BEST, EACH, FIRST = 20, 5, 3, 1.0
"""Of a generation; episodes for each; first standard deviation of the numbers."""
SCORED = 1000
"""First seed of the episodes that count."""

Act = Callable[[np.ndarray], np.ndarray]


def episode(environment, act: Act, seed: int) -> tuple[float, bool, bool]:
    """The sum of rewards, whether the task was done, and whether a step failed."""
    seen, _ = environment.reset(seed=seed)
    total, done, late, info = 0.0, False, False, {}
    while not (done or late):
        seen, reward, done, late, info = environment.step(act(seen))
        total += reward
    return total, done and not {"failed", "collided"} & info.keys(), "failed" in info


def policy(numbers: np.ndarray) -> Act:
    """Half of tanh of a linear function of a joint's angle and rate, for each of the three joints."""
    W = numbers.reshape(3, 3)
    return lambda seen: 0.5 * np.tanh((W[:2] * seen[:6].reshape(2, 3) / SCALE).sum(axis=0) + W[2])


def cross_entropy(environment, generations: int) -> np.ndarray:
    """Numbers of a policy: the mean of the best candidates, generation by generation."""
    rng = np.random.default_rng(0)
    mean, deviation = np.zeros(9), np.full(9, FIRST)
    for generation in range(generations):
        candidates = mean + deviation * rng.standard_normal((CANDIDATES, 9))
        seeds = range(EACH * generation, EACH * (generation + 1))
        scores = [np.mean([episode(environment, policy(x), seed)[0] for seed in seeds]) for x in candidates]
        best = candidates[np.argsort(scores)[-BEST:]]
        mean, deviation = best.mean(axis=0), best.std(axis=0) + 0.05
        print(f"  generation {generation + 1}: best {max(scores):.2f}, mean {np.mean(scores):.2f}", flush=True)
    return mean


def tell(name: str, policy: str, environment, act: Act, episodes: int) -> None:
    began = time.process_time()
    found = np.array([episode(environment, act, SCORED + k) for k in range(episodes)])
    done = f"{int(found[:, 1].sum())} of {episodes} done, {int(found[:, 2].sum())} failed"
    spent = time.process_time() - began
    error = found[:, 0].std() / np.sqrt(episodes)
    print(f"{name:8} {policy:10} {found[:, 0].mean():6.2f} ± {error:.2f}  {done}  ({spent:.0f} s)", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--episodes", type=int, default=50)
    parser.add_argument("--generations", type=int, default=8)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    print(heading("baselines", options))
    for name in ("Docking", "Capture"):
        if not name.startswith(options.only):
            continue
        environment = gymnasium.make(f"softdock.scenarios.environments:softdock/{name}-v0").unwrapped
        space, rng = environment.action_space, np.random.default_rng(0)
        zero = np.zeros(space.shape)
        tell(name, "zero", environment, lambda seen, zero=zero: zero, options.episodes)
        sampled = lambda seen, space=space, rng=rng: rng.uniform(space.low, space.high)  # noqa: E731
        tell(name, "random", environment, sampled, options.episodes)
        tell(name, "scripted", environment, lambda seen, one=environment: one.scripted(), options.episodes)
        if name == "Docking":
            found = policy(cross_entropy(environment, options.generations))
            tell(name, "CEM", environment, found, options.episodes)


if __name__ == "__main__":
    main()
