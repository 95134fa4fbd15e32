"""Appendages by their modal data: the interface's response, momentum, the same beam as rods, ranges, files, errors."""

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import softdock as sd

PLACE = sd.Pose(position=(0.5, 0.2, 0.1), rpy=(0.1, 0.2, 0.3))
HUB = sd.Body(name="bus", mass=30.0, inertia=(3, 4, 5))


def skew(c: Any) -> np.ndarray:
    return np.array([[0, -c[2], c[1]], [c[2], 0, -c[0]], [-c[1], c[0], 0]])


def rigid(mass: float, center: Any, inertia: np.ndarray) -> np.ndarray:
    C = skew(center)
    return np.block([[mass * np.eye(3), -mass * C], [mass * C, inertia - mass * C @ C]])


M_RIGID = rigid(20.0, (2.0, 0.1, -0.2), np.diag([5.0, 40.0, 42.0]))


def screws(n: int, share: float = 0.9, seed: int = 3) -> dict[str, Any]:
    """n modes with general screws, which together take `share` of the rigid mass in the direction of the most."""
    rng = np.random.default_rng(seed)
    raw = rng.normal(size=(6, n))
    raw *= np.sqrt(share / np.linalg.eigvalsh(raw @ raw.T)[-1])
    return {
        "frequencies": np.sort(rng.uniform(0.2, 5.0, n)),
        "damping_ratio": rng.uniform(0.002, 0.02, n),
        "participation": np.linalg.cholesky(M_RIGID) @ raw,
        "mass_matrix": M_RIGID,
    }


@cache
def craft() -> sd.Dynamics:
    return sd.Dynamics(sd.modal(sd.World(bodies=(HUB,)), name="p", on="bus", placement=PLACE, **screws(8)))


def test_response_at_the_interface_is_the_modal_models() -> None:
    """Eight modes with general screws on a light hub: (M − Σ l lᵀ s²/(s² + 2ζωs + ω²))⁻¹ to 1e-12."""
    data, dynamics = screws(8), craft()
    n = dynamics.nv
    A, B = dynamics.linearise(*dynamics.state())
    X = np.block([[PLACE.rotation.T, -PLACE.rotation.T @ skew(PLACE.position)], [np.zeros((3, 3)), PLACE.rotation.T]])
    M = np.diag([30.0, 30, 30, 3, 4, 5]) + X.T @ M_RIGID @ X
    L, rates = X.T @ data["participation"], 2 * np.pi * data["frequencies"]
    worst = 0.0
    for hz in [*np.logspace(-2, 1.5, 40), *data["frequencies"]]:
        s = 2j * np.pi * hz
        found = s * np.linalg.solve(s * np.eye(2 * n) - A, B[:, :6])[n : n + 6]
        left = sum(
            np.outer(l, l) * s * s / (s * s + 2 * z * w * s + w * w)
            for l, w, z in zip(L.T, rates, data["damping_ratio"], strict=True)
        )
        expected = np.linalg.inv(M - left)
        worst = max(worst, float(np.abs(found - expected).max() / np.abs(expected).max()))
    assert worst < 1e-12


def shaken(dynamics: sd.Dynamics) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(5)
    q, _ = dynamics.state()
    q[7:] = rng.normal(size=dynamics.nq - 7) * 0.05
    return q, rng.normal(size=dynamics.nv) * 0.1


def test_momentum_is_kept_and_is_that_of_the_moving_centre() -> None:
    dynamics = craft()
    q, v = shaken(dynamics)
    before = dynamics.balance(q, v)
    rows = sd.Motion(dynamics, q, v, h=0.01).run(1000, every=50)
    after = dynamics.balance(rows.q, rows.v)
    for name in ("momentum", "angular_momentum"):
        start = getattr(before, name)
        assert np.abs(getattr(after, name) - start).max() < 1e-12 * np.linalg.norm(start)
    small = 1e-6  # d/dt of the centre of mass, by differences
    ahead, behind = (dynamics.balance(_moved(dynamics, q, sign * small * v), v).center for sign in (1, -1))
    np.testing.assert_allclose((ahead - behind) / (2 * small), before.momentum / dynamics.mass, atol=1e-9)


def _moved(dynamics: sd.Dynamics, q: np.ndarray, delta: np.ndarray) -> np.ndarray:
    from softdock.dynamics.latch_loads import displaced

    return displaced(dynamics, q[None], delta[None])[0]


def test_dynamics_agree_with_each_other() -> None:
    dynamics = craft()
    q, v = shaken(dynamics)
    M = dynamics.mass_matrix(q)
    np.testing.assert_allclose(dynamics.momenta(q, v), M @ v, atol=1e-12)
    assert dynamics.balance(q, v).kinetic == pytest.approx(v @ M @ v / 2, rel=1e-13)
    a = np.random.default_rng(6).normal(size=dynamics.nv)
    np.testing.assert_allclose(dynamics.forward_dynamics(q, v, dynamics.inverse_dynamics(q, v, a)), a, atol=1e-11)
    exact, _ = sd.reference(dynamics, q, v, [0.0, 0.4])
    errors = [
        np.abs(sd.Motion(dynamics, q, v, h=h).run(round(0.4 / h)).q[-1] - exact[-1]).max() for h in (0.004, 0.002)
    ]
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.1)


def test_loads_at_the_root_hold_the_modes() -> None:
    """A modal panel on a driven hinge: along the hinge's axis its load is what drives it."""
    hinge = sd.Body(
        name="hinge", parent="bus", joint=sd.Revolute(axis=(0, 0.6, 0.8)), mass=1.0, inertia=(0.1, 0.1, 0.1)
    )
    world = sd.modal(sd.World(bodies=(HUB, hinge), gravity=sd.Uniform()), name="p", on="hinge", **screws(3))
    dynamics = sd.Dynamics(world)
    q, v = dynamics.state()
    rng = np.random.default_rng(8)
    q[7:], v[:] = rng.normal(size=len(q) - 7) * 0.1, rng.normal(size=len(v))
    command = dynamics.command(force={"hinge": 3.0})
    load = dynamics.loads(q, v, command).joints["hinge"]
    assert load.torque @ (0, 0.6, 0.8) == pytest.approx(3.0, rel=1e-9)


def rods() -> tuple[sd.World, sd.ModalData]:
    """A boom of eight rods on a hub, and the modal data of that boom by its matrices: hub at rest, small motion."""
    keys: dict[str, Any] = {"length": 5.0, "line_mass": 2.0, "bending_z": 200.0, "gyration": (0.1, 0.1, 0.0)}
    world = sd.beam(sd.World(bodies=(HUB,)), name="b", on="bus", **keys)
    dynamics = sd.Dynamics(world)
    q, v = dynamics.state()
    n, M = dynamics.nv, dynamics.mass_matrix(q)
    K = -M @ dynamics.linearise(q, v)[0][n:, :n]
    M[:6, :6] -= np.diag([30.0, 30, 30, 3, 4, 5])
    return world, sd.modal_data(M, (K + K.T) / 2)


def test_a_beam_as_rods_and_by_its_modes_move_alike() -> None:
    """Kicked by a torque of 1 s: attitude and tip-side momentum of the two, first with all modes, agree to 1 %."""
    world, data = rods()
    keys: dict[str, Any] = {"frequencies": data.frequency[:4], "participation": data.participation[:, :4]}
    by_modes = sd.modal(
        sd.World(bodies=(HUB,)), name="b", on="bus", mass_matrix=data.mass_matrix, damping_ratio=0.0, **keys
    )
    turned = []
    for one in (world, by_modes):
        dynamics = sd.Dynamics(one)
        command = np.zeros((1000, dynamics.nv))
        command[:100, 5] = 0.02
        turned.append(sd.Motion(dynamics, *dynamics.state(), h=0.01).run(1000, command).q[:, 6])
    assert np.abs(turned[0] - turned[1]).max() < 0.01 * np.abs(turned[0]).max()


def test_a_run_that_leaves_the_range_says_so() -> None:
    world = sd.modal(sd.World(bodies=(HUB,)), name="p", on="bus", **screws(2))
    dynamics = sd.Dynamics(world)
    limit = world.body("p.mode1").joint.limits.upper[0]  # type: ignore[union-attr]
    for start, told in ((0.9, []), (1.5, ["p.mode1"])):
        q, v = dynamics.state({"p.mode1": {"position": start * limit}})
        simulation = sd.Simulation(dynamics, q, v, h=0.01)
        simulation.run(0.05)
        assert [event["joint"] for event in simulation.events if event["kind"] == "limit"] == told


def finite_elements() -> tuple[np.ndarray, np.ndarray]:
    """M and K of a free chain of three masses on springs at an interface of mass 1, all in x, y, z."""
    at = np.array([[1.0, 0, 0], [2.0, 0.3, 0], [2.5, 0, 0.4]])
    M, K = np.diag([1.0] * 3 + [0.1] * 3 + [2.0] * 9), np.zeros((15, 15))
    before = np.hstack([np.eye(3), np.zeros((3, 3)), np.zeros((3, 9))])
    points = [before]
    for k in range(3):
        row = np.zeros((3, 15))
        row[:, 6 + 3 * k : 9 + 3 * k] = np.eye(3)
        points.append(row)
    for k in range(3):  # a spring between where the interface would carry each mass, and where it is
        carried = np.hstack([np.eye(3), -skew(at[k]), np.zeros((3, 9))])
        stretch = points[k + 1] - carried
        K += stretch.T @ np.diag([900.0, 400.0, 100.0 * (k + 1)]) @ stretch
    return M, K


def test_modal_data_of_a_pair_of_matrices_and_of_files(tmp_path: Path) -> None:
    M, K = finite_elements()
    data = sd.modal_data(M, K)
    hz = np.sqrt(np.sort([900 / 2, 400 / 2, 100 / 2, 900 / 2, 400 / 2, 200 / 2, 900 / 2, 400 / 2, 300 / 2])) / 2 / np.pi
    np.testing.assert_allclose(data.frequency, hz, rtol=1e-12)
    assert data.mass_matrix[0, 0] == pytest.approx(7.0)
    inner = data.participation @ data.participation.T  # all modes: all mass but the interface's own
    np.testing.assert_allclose(data.mass_matrix - inner, np.diag([1.0] * 3 + [0.1] * 3), atol=1e-12)
    np.savez(tmp_path / "pair.npz", M=M, K=K)
    np.savez(
        tmp_path / "modes.npz", frequency=data.frequency, participation=data.participation,
        mass_matrix=data.mass_matrix, damping_ratio=0.01,
    )  # fmt: skip
    for name, damping in (("pair", 0.005), ("modes", 0.01)):
        world = sd.modal(name="p", file=str(tmp_path / f"{name}.npz"), modes=4)
        joint = world.body("p.mode4").joint
        assert isinstance(joint, sd.Mode)
        assert joint.frequency == pytest.approx(hz[3], rel=1e-12)
        assert joint.damping_ratio == damping
        assert len(world.bodies) == 5
    file = {"modal": [{"name": "p", "file": "modes.npz"}]}
    from softdock.world.world_files import world_of

    assert len(world_of(file, "file", tmp_path).bodies) == 10


def test_nastran_files(tmp_path: Path) -> None:
    M, K = finite_elements()
    rows = [(1, k) for k in range(1, 7)] + [(10 + k, c) for k in range(3) for c in (1, 2, 3)]
    lines = []
    for name, A in (("KAAX", K), ("MAAX", M)):
        lines.append(f"DMIG    {name:8s}       0       6       2       0")
        for j, (grid, component) in enumerate(rows):
            lines.append(f"DMIG*   {name:16s}{grid:16d}{component:16d}")
            for i in range(j, len(rows)):
                if A[i, j]:
                    lines.append(f"*       {rows[i][0]:16d}{rows[i][1]:16d}{A[i, j]:16.9E}")
    (tmp_path / "panel.pch").write_text("\n".join(lines) + "\n")
    found = sd.read_modal(tmp_path / "panel.pch")
    np.testing.assert_allclose(found.frequency, sd.modal_data(M, K).frequency, rtol=1e-8)
    np.testing.assert_allclose(found.mass_matrix, sd.modal_data(M, K).mass_matrix, atol=1e-7)
    (tmp_path / "broken.pch").write_text("\n".join(lines).replace("9.000000000E+02", "nine hundred"))
    with pytest.raises(ValueError, match="line 6: no DMIG entry"):
        sd.read_modal(tmp_path / "broken.pch")
    (tmp_path / "half.pch").write_text(
        "\n".join(line for line in lines if "MAAX" not in line and "KAAX" in line) + "\n"
    )
    with pytest.raises(ValueError, match="begins with M"):
        sd.read_modal(tmp_path / "half.pch")


def too_much() -> dict[str, Any]:
    data = screws(4)
    data["participation"] = data["participation"].copy()
    data["participation"][:, 2] *= 3
    return data


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "too much mass": (too_much(), "with mode 3 the participation exceeds the rigid mass: by"),
    "out of order": ({**screws(2), "frequencies": (2.0, 1.0)}, "out of order: mode 2 has 1 Hz after 2 Hz"),
    "no stiffness": ({**screws(2), "frequencies": (0.0, 1.0)}, "greater than 0"),
    "too few columns": ({**screws(2), "participation": np.zeros((6, 3))}, "6 rows of 2"),
    "no rigid body": ({**screws(2), "mass_matrix": M_RIGID + np.eye(6)[::-1] * 5}, "no rigid body's|not positive"),
    "no data": ({}, "needs 'file'"),
    "no file": ({"file": "nowhere.npz"}, "no such file"),
    "unknown file": ({"file": __file__}, "no modal data are read from '.py'"),
    "damping of three": ({**screws(2), "damping_ratio": (0.1, 0.1, 0.1)}, "takes 1 or 2 numbers"),
}


@pytest.mark.parametrize(("keys", "words"), BAD.values(), ids=BAD)
def test_what_cannot_be_is_refused(keys: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        sd.modal(sd.World(bodies=(HUB,)), name="p", on="bus", **keys)


def test_modes_carry_nothing() -> None:
    world = sd.modal(sd.World(bodies=(HUB,)), name="p", on="bus", **screws(2))
    with pytest.raises(ValueError, match="a mode, which carries nothing"):
        world.altered(bodies=(*world.bodies, sd.Body(name="x", parent="p.mode1", joint=sd.Fixed(), mass=1.0)))


def test_matrices_that_are_no_appendage() -> None:
    M, K = finite_elements()
    with pytest.raises(ValueError, match="are no interface"):
        sd.modal_data(M, K + np.diag([1.0] * 6 + [0.0] * 9) * 1e3)
    with pytest.raises(ValueError, match="leaves motion free"):
        sd.modal_data(M, np.where(np.arange(15)[:, None] + np.arange(15) == 28, 0.0, K) * 0)
    with pytest.raises(ValueError, match="square"):
        sd.modal_data(M[:5], K)
