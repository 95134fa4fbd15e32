"""Torques by every method and engine are the same; so are their parts and their linear form."""

import numpy as np
import pytest
from engines import Mujoco, Pinocchio, random_arm

from softdock.arm import (
    SerialArm,
    block,
    coriolis_matrix,
    forward_dynamics,
    gravity_torque,
    inverse_dynamics,
    mass_matrix,
    newton_euler,
    regressor,
    rest_to_upright,
    sawyer,
    table_1,
)
from softdock.dynamics import Dynamics
from softdock.spatial import twist_bracket

ARMS = [random_arm(np.random.default_rng([2, seed])) for seed in range(20)]


def disagreements(arm: SerialArm, q: np.ndarray, v: np.ndarray, a: np.ndarray) -> dict[str, float]:
    """Largest difference from the product of exponentials (N m, N), by method."""
    ours = inverse_dynamics(arm, q, v, a)
    others = {
        "D-H standard": newton_euler(arm, q, v, a),
        "D-H modified": newton_euler(arm, q, v, a, "modified"),
        "block matrices": block.inverse_dynamics(arm, q, v, a),
        "Pinocchio": Pinocchio(arm).torques(q, v, a),
        "MuJoCo": Mujoco(arm).torques(q, v, a),
        "softdock": Dynamics(arm.world()).inverse_dynamics(q, v, a),
    }
    return {name: float(np.max(np.abs(torques - ours))) for name, torques in others.items()}


@pytest.mark.parametrize("parameters", ["urdf", "mjcf"])
@pytest.mark.parametrize("motion", [table_1, rest_to_upright])
def test_sawyer_along_the_papers_motions(parameters, motion) -> None:
    samples = motion(np.linspace(0.0, 2 * np.pi, 101))
    worst = disagreements(sawyer(parameters), samples.q, samples.v, samples.a)
    assert max(worst.values()) < 1e-10, worst


@pytest.mark.parametrize("seed", range(20))
def test_random_arms_at_random_states(seed: int) -> None:
    arm = ARMS[seed]
    q, v, a = np.random.default_rng([3, seed]).uniform(-2, 2, (3, 50, arm.n))
    worst = disagreements(arm, q, v, a)
    assert max(worst.values()) < 1e-10, worst


@pytest.mark.parametrize("arm", [*ARMS[:4], sawyer()])
def test_the_parts_make_the_whole(arm: SerialArm) -> None:
    rng = np.random.default_rng(4)
    q, v, a = rng.uniform(-2, 2, (3, 30, arm.n))
    M, C, phi = mass_matrix(arm, q), coriolis_matrix(arm, q, v), gravity_torque(arm, q)
    torque = inverse_dynamics(arm, q, v, a)
    whole = np.einsum("bij,bj->bi", M, a) + np.einsum("bij,bj->bi", C, v) + phi
    assert np.max(np.abs(whole - torque)) < 1e-10
    assert np.max(np.abs(forward_dynamics(arm, q, v, torque) - a)) < 1e-9
    assert np.max(np.abs(regressor(arm, q, v, a) @ arm.parameters() - torque)) < 1e-10
    assert np.all(np.linalg.eigvalsh(M) > 0)


@pytest.mark.parametrize("arm", [*ARMS[:4], sawyer()])
def test_mass_rate_less_twice_coriolis_is_skew(arm: SerialArm) -> None:
    """Ṁ by Richardson's extrapolation of central differences."""
    q, v = np.random.default_rng(5).uniform(-1.5, 1.5, (2, 20, arm.n))

    def rate(h: float) -> np.ndarray:
        return (mass_matrix(arm, q + h * v) - mass_matrix(arm, q - h * v)) / (2 * h)

    X = (4 * rate(1e-3) - rate(2e-3)) / 3 - 2 * coriolis_matrix(arm, q, v)
    assert np.max(np.abs(X + np.swapaxes(X, -1, -2))) < 1e-8
    B = block.blocks(arm, q).G @ block.blocks(arm, q).S
    ad_V = twist_bracket((B @ v[..., None])[..., 0].reshape(20, arm.n, 6))
    J = np.array([link.spatial() for link in arm.inertials])
    links = B.reshape(20, arm.n, 6, arm.n)
    Z = X + 2 * np.einsum("bkin,kij,bkjl,bklm->bnm", links, J, ad_V, links)  # C without J ad_V, as the paper has it
    assert np.max(np.abs(Z + np.swapaxes(Z, -1, -2))) > 1e-2


def test_equation_4_as_printed_has_the_wrong_sign() -> None:
    """With it, Coriolis torques of Sawyer along Table 1 are off by newton metres, most at joint 1 (docs)."""
    arm, samples = sawyer(), table_1(np.linspace(0.0, 2 * np.pi, 101))
    right, printed = (
        np.einsum("bij,bj->bi", C(arm, samples.q, samples.v), samples.v)
        for C in (coriolis_matrix, block.coriolis_as_printed)
    )
    error = np.max(np.abs(printed - right), axis=0)
    assert np.argmax(error) == 0 and 6 < error[0] < 7


def test_other_parameters_by_their_linear_form() -> None:
    """Parameters that no body has still give torques Y π."""
    arm = sawyer()
    rng = np.random.default_rng(6)
    pi = arm.parameters() + rng.normal(scale=0.01, size=70)
    q, v, a = rng.uniform(-1, 1, (3, 40, 7))
    torque = inverse_dynamics(arm.with_parameters(pi), q, v, a)
    assert np.max(np.abs(regressor(arm, q, v, a) @ pi - torque)) < 1e-11
    assert np.max(np.abs(arm.with_parameters(pi).parameters() - pi)) < 1e-12


def test_one_state_and_shared_states() -> None:
    arm, (q, v, a) = sawyer(), np.random.default_rng(7).uniform(-1, 1, (3, 4, 5, 7))
    many = inverse_dynamics(arm, q, v, a)
    assert many.shape == (4, 5, 7)
    assert np.array_equal(many[2, 3], inverse_dynamics(arm, q[2, 3], v[2, 3], a[2, 3]))
    assert np.array_equal(
        inverse_dynamics(arm, q, v[0, 0], a[0, 0])[3, 4], inverse_dynamics(arm, q[3, 4], v[0, 0], a[0, 0])
    )
    assert regressor(arm, q, v, a).shape == (4, 5, 7, 70)
    with pytest.raises(ValueError, match=r"v has shape \(6,\); its last axis must have 7"):
        inverse_dynamics(arm, q, np.zeros(6), a)
    with pytest.raises(ValueError, match="leading axes do not match: q"):
        inverse_dynamics(arm, q, v[:3], a)
    with pytest.raises(ValueError, match="q has an entry that is not finite"):
        inverse_dynamics(arm, np.full(7, np.nan), v, a)
