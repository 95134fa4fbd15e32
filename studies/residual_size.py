"""How long is the step's residual: the momentum recursion beside an automatically differentiated Lagrangian.

    python studies/residual_size.py [joints …]

Both give the same function of (q, ξ, h, command, p) for a free base with an arm of revolute joints; the script checks
that they agree at a random state, and counts the instructions of each after common subexpressions are removed.
"""

import sys

import casadi as ca
import numpy as np

from softdock import Body, Free, Pose, Revolute, World
from softdock.mechanics import step
from softdock.mechanics.forces import joint_forces
from softdock.mechanics.numbers import Numbers
from softdock.mechanics.recursion import momentum, place, velocities
from softdock.mechanics.tree import Tree


def arm(joints: int) -> World:
    """A free base with joints about z, y, z, y …; every number is general, so that none folds away."""
    numbers = {"mass": 8.0, "center": (0.2, 0.01, -0.015), "inertia": (0.03, 0.14, 0.15, 0.001, -0.002, 0.0015)}
    bodies = [Body(name="base", joint=Free(), **{**numbers, "mass": 300.0, "inertia": (40, 55, 62, 1.5, -0.8, 0.6)})]
    for k in range(joints):
        joint = Revolute(axis=(0, 0, 1) if k % 2 == 0 else (0, 1, 0))
        at = Pose(position=(0.4, 0.1, 0.2))
        bodies.append(Body(name=f"link{k + 1}", parent=bodies[-1].name, joint=joint, placement=at, **numbers))
    return World(name="arm", bodies=tuple(bodies))


def kinetic_energy(tree: Tree, numbers: Numbers, q: ca.SX, rate: ca.SX) -> ca.SX:
    """T, link by link."""
    motions, _ = velocities(tree.links, place(tree.links, numbers, q), rate)
    pairs = zip(numbers.links, motions, strict=True)
    return sum(ca.dot(h, u) / 2 for n, motion in pairs for h, u in zip(momentum(n, motion), motion, strict=True))


def by_recursion(tree: Tree, numbers: Numbers, s: step.StepSymbols) -> ca.SX:
    """The residual as softdock has it (docs/theory/step.md, eqs. 6, 8, 9)."""
    row, *_ = step.residual(tree, numbers, s)
    return row


def by_differentiation(tree: Tree, numbers: Numbers, s: step.StepSymbols) -> ca.SX:
    """The same equations with ∂L/∂ξ and ∂L/∂q_mid from one reverse-mode gradient of the scalar L."""
    nudge = ca.SX.sym("nudge", tree.nv)
    mid = step.moved(tree, s.q, s.xi, s.h / 2)
    middle = ca.SX.sym("middle", tree.nq)
    L = kinetic_energy(tree, numbers, step.moved(tree, middle, nudge, ca.SX(1)), s.xi)
    slopes = ca.gradient(L, ca.vertcat(nudge, s.xi))
    slopes = ca.substitute(slopes, ca.vertcat(nudge, middle), ca.vertcat(ca.SX.zeros(tree.nv), mid))
    rows = []
    for link, n in zip(tree.links, numbers.links, strict=True):
        own = slice(link.v, link.v + link.dof)
        push = slopes[: tree.nv][own] + joint_forces(link, n, mid, s.xi, s.command).total()
        rows.append(step._row(link.kind, s, link.v, slopes[tree.nv :][own], push))
    return ca.vertcat(*rows)


def main(joint_counts: list[int]) -> None:
    print("joints   recursion   differentiated   ratio   largest relative difference")
    for joints in joint_counts:
        tree = Tree(arm(joints))
        numbers, s = Numbers(tree), step.StepSymbols(tree)
        inputs = [s.q, s.xi, s.e, numbers.theta]
        ours, other = (
            ca.Function("residual", inputs, [ca.densify(make(tree, numbers, s))], {"cse": True})
            for make in (by_recursion, by_differentiation)
        )
        difference = disagreement(tree, ours, other)
        sizes = ours.n_instructions(), other.n_instructions()
        print(f"{joints:6d}   {sizes[0]:9d}   {sizes[1]:14d}   {sizes[1] / sizes[0]:5.2f}   {difference:.1e}")


def disagreement(tree: Tree, ours: ca.Function, other: ca.Function) -> float:
    """Largest difference of the two at a random state whose base momentum satisfies its own equation."""
    rng = np.random.default_rng(0)
    q, xi, e = tree.layout.neutral(), 0.3 * rng.normal(size=tree.nv), np.zeros(ours.numel_in(2))
    q[7:], e[0] = rng.normal(size=tree.nv - 6), 0.05
    # the free root's rotation takes the momentum that its translation keeps (eq. 10): equal only where row 1 holds
    e[4 + tree.nv : 7 + tree.nv] -= np.array(ours(q, xi, e, tree.theta())).ravel()[:3]
    a, b = (np.array(f(q, xi, e, tree.theta())).ravel() for f in (ours, other))
    return float(np.abs(a - b).max() / np.abs(b).max())


if __name__ == "__main__":
    main([int(word) for word in sys.argv[1:]] or [3, 7, 14, 32])
