"""What the last change of a step's iteration leaves in momentum, by the length of a chain (docs/theory/step.md).

    python studies/long_chains.py [--joints 4 16 32 64]

Of the chains of `softdock bench --only growth` after 3 s, in the norm of kinetic energy: the contraction with a fresh
factor, and h ∂m/∂ξ, which is how much of a change d is missing in p if q moves by it; and how far from its start a
chain ends that flies for 4 s and back.
"""

import argparse

import numpy as np
from report import heading

from softdock.bench.free_arm import start
from softdock.bench.worlds import free_arm
from softdock.dynamics import Dynamics, Motion
from softdock.dynamics.step import refactor
from softdock.kernels import call, loop

H, RATE, NUDGE = 0.01, 0.02, 1e-6


@loop
def evaluate(plant, state, fresh):
    """The step's iteration at ξ, with its matrix factored there if `fresh`."""
    if fresh:
        refactor(plant, state, H)
    call(state.loops.newton, state.q, state.xi, state.input.vector, plant.theta, state.input.newton.vector)


def slopes(motion: Motion) -> tuple[float, float]:
    """Norms of I − W⁻¹J and of h ∂m/∂ξ."""
    state, n = motion._state, motion.dynamics.nv
    left = np.linalg.inv(np.linalg.cholesky(np.atleast_3d(motion.dynamics.mass_matrix(motion.q)).reshape(n, n)))
    kept, by_step, by_load = state.xi.copy(), np.empty((n, n)), np.empty((n, n))
    evaluate(*motion._structs, True)
    for j in range(n):
        found = []
        for side in (1.0, -1.0):
            state.xi[:] = kept
            state.xi[j] += side * NUDGE
            evaluate(*motion._structs, False)
            found.append((state.input.newton.step.copy(), state.input.newton.load.copy()))
        by_step[:, j], by_load[:, j] = ((a - b) / (2 * NUDGE) for a, b in zip(*found, strict=True))
    state.xi[:] = kept
    contraction = np.linalg.inv(left).T @ (np.eye(n) + by_step) @ left.T
    return float(np.linalg.norm(contraction, 2)), float(np.linalg.norm(H * left @ by_load @ left.T, 2))


def return_error(dynamics: Dynamics, q: np.ndarray, v: np.ndarray, steps: int = 400) -> float:
    """How far from q a motion ends that is turned round."""
    there = Motion(dynamics, q, v, h=H)
    there.run(steps, every=steps)
    back = Motion(dynamics, there.q, -there.v, h=H)
    back.run(steps, every=steps)
    return float(np.abs(back.q - q).max())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--joints", type=int, nargs="+", default=[4, 16, 32, 64])
    arguments = parser.parse_args()
    print(heading("Long chains", arguments))
    print(
        "| joints | contraction | h ∂m/∂ξ | evaluations a step | there and back, off by |\n|---:|---:|---:|---:|---:|"
    )
    for joints in arguments.joints:
        dynamics = Dynamics(free_arm(joints))
        q, v = start(dynamics.world, RATE, 2)
        motion = Motion(dynamics, q, v, h=H)
        motion.run(300, every=300)
        used, (contraction, missing) = motion.counts["evaluations"] / 300, slopes(motion)
        print(f"| {joints} | {contraction:.2g} | {missing:.2g} | {used:.2f} | {return_error(dynamics, q, v):.1e} |")


if __name__ == "__main__":
    main()
