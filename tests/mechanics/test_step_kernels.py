"""Parts of a step that have functions of their own are those that the whole functions have."""

import numpy as np
import pytest

from softdock.mechanics.functions import derive
from softdock.mechanics.layouts import ADVANCE, GROSS, MOVE, NEWTON, NEWTON_HELD, STEP_INPUT, WEIGHED
from softdock.mechanics.tree import Tree
from softdock.world import Body, Frame, Free, Latch, Orbit, Pose, Revolute, Servo, Spherical, World

INERTIA = (1.0, 1.2, 1.5)


@pytest.fixture(scope="module")
def tree() -> Tree:
    """A free body that carries a joint with a servo and a ball joint, held to another in orbit."""
    joint = Revolute(axis=(0, 1, 0), servo=Servo(kp=20.0, kd=3.0), damping=0.5)
    at = Pose(position=(0.4, 0.1, 0.0))
    bodies = (
        Body(name="bus", joint=Free(), mass=10.0, inertia=INERTIA),
        Body(name="arm", parent="bus", joint=joint, mass=2.0, inertia=INERTIA, placement=at, center=(0.2, 0.0, 0.1)),
        Body(name="ball", parent="arm", joint=Spherical(), mass=1.0, inertia=INERTIA, placement=at),
        Body(name="other", joint=Free(), mass=5.0, inertia=INERTIA),
    )
    frames = (Frame(name="tip", body="ball"), Frame(name="grip", body="other"))
    latch = Latch(name="latch", kind="hinge", frame_a="tip", frame_b="grip")
    return Tree(World(bodies=bodies, gravity=Orbit(semi_major_axis=6.9e6), frames=frames, latches=(latch,)))


@pytest.fixture(scope="module")
def state(tree: Tree) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(7)
    e = STEP_INPUT.view(rng.normal(size=STEP_INPUT.size(tree.sizes)), tree.sizes)
    e.h[()], e.radius[:], e.latches.on[:] = 0.01, (6.9e6, 0.0, 0.0), 1.0
    return tree.layout.neutral() + 0.1 * rng.normal(size=tree.nq), rng.normal(size=tree.nv), e.vector, tree.theta()


def found(tree: Tree, name: str, state: tuple[np.ndarray, ...]) -> np.ndarray:
    return np.asarray(derive(tree, name)(*state).full().ravel())


@pytest.mark.parametrize(("plain", "fields"), [("newton", NEWTON), ("newton_held", NEWTON_HELD)])
def test_a_step_for_the_ledger_begins_as_without(tree: Tree, state, plain: str, fields) -> None:
    """Then what a loop reads is there whichever it called; what there is of latches is zero if they are not held."""
    weighed, size = found(tree, f"{plain}_weighed", state), fields.size(tree.sizes)
    np.testing.assert_array_equal(weighed[:size], found(tree, plain, state))
    np.testing.assert_array_equal(weighed[size:-6], 0.0)
    np.testing.assert_array_equal(weighed[-6:], found(tree, "weight", state))
    assert len(weighed) == WEIGHED.size(tree.sizes)
    assert np.all(weighed[-6:] != 0.0)


def test_a_move_is_that_of_the_whole_advance(tree: Tree, state) -> None:
    moved = found(tree, "move", state)
    np.testing.assert_array_equal(moved, ADVANCE.view(found(tree, "advance", state), tree.sizes).by.vector)
    assert len(moved) == MOVE.size(tree.sizes)


def test_terms_are_at_least_the_residual_that_they_add_up_to(tree: Tree, state) -> None:
    """Of joints without rotations in space: p + ½ h g − l, each by its size; grain by the change of ξ."""
    q, xi, e, theta = state
    e = e.copy()
    given = STEP_INPUT.view(e, tree.sizes)
    given.weights.vector[:], given.foreseen.momentum[:] = 0.5, given.momentum
    newton = found(tree, "newton", (q, xi, e, theta))
    given.newton.vector[: newton.size] = newton
    gross = GROSS.view(found(tree, "gross", (q, xi, e, theta)), tree.sizes)
    flat = [link.v + k for link in tree.links if link.kind != "S" for k in range(link.dof)]
    assert np.all(np.abs(given.newton.residual[flat]) <= gross.terms[flat] * (1 + 1e-12))
    assert gross.grain == pytest.approx(np.abs(given.newton.step) @ gross.terms, rel=1e-12)
