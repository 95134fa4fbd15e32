"""Is the deviation that convex parts state the largest? By random points and coal (docs/describing-a-world.md).

    python studies/convex_parts.py [--points 4000] [--seed 2611] [--asked 0.02]

A ring, a drogue and a handle, turned at random, and a bracket are split by CoACD. What is stated must be at least what
points at random on both surfaces find (tests/world/deviations.py). (CoACD cuts along its axes: a bracket that is turned
is refused.)
"""

import argparse
import sys
from pathlib import Path

import numpy as np
from report import heading
from scipy.spatial.transform import Rotation

from softdock.world.convex_parts import split

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "world"))
from deviations import bracket, drogue, handle, largest, ring


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--points", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=2611)
    parser.add_argument("--asked", type=float, default=0.02, help="largest deviation (m)")
    arguments = parser.parse_args()
    rng = np.random.default_rng(arguments.seed)
    print(heading("Convex parts", arguments))
    print("| mesh | parts | stated (mm) | found (mm) |\n|---|---:|---:|---:|")
    for name, mesh in (("ring", ring(24)), ("drogue", drogue(24)), ("handle", handle()), ("bracket", bracket())):
        if name != "bracket":
            mesh.vertices = Rotation.random(random_state=rng).apply(mesh.vertices)
        stated = split(mesh.vertices, mesh.faces, arguments.asked)
        found = largest(mesh, stated.parts, arguments.points, rng)
        print(f"| {name} | {len(stated.parts)} | {1e3 * stated.deviation:.3f} | {1e3 * found:.3f} |", flush=True)


if __name__ == "__main__":
    main()
