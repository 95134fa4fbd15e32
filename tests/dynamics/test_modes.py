"""Modes and frequency responses against closed forms: two masses on springs, a damped hinge, a pendulum that falls."""

import numpy as np
import pytest
from typer.testing import CliRunner

import softdock as sd
from softdock.cli.app import app
from softdock.figures import bode, mode_shapes

M1, M2, K1, K2, C2 = 2.0, 3.0, 50.0, 20.0, 0.4


def slide(name: str, parent: str, mass: float, stiffness: float, damping: float = 0.0) -> sd.Body:
    joint = sd.Prismatic(axis=(1, 0, 0), spring=sd.Spring(stiffness=stiffness), damping=damping)
    return sd.Body(name=name, parent=parent, joint=joint, mass=mass)


def chain(damping: float = 0.0) -> sd.Dynamics:
    return sd.Dynamics(sd.World(bodies=(slide("a", "world", M1, K1), slide("b", "a", M2, K2, damping))))


def by_hand(damping: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """M, C, K in the coordinates: b's is relative to a."""
    M = np.array([[M1 + M2, M2], [M2, M2]])
    return M, np.diag([0.0, damping]), np.diag([K1, K2])


def test_two_masses_have_their_frequencies_damping_and_shapes() -> None:
    M, C, K = by_hand(C2)
    A = np.block([[np.zeros((2, 2)), np.eye(2)], [-np.linalg.solve(M, K), -np.linalg.solve(M, C)]])
    expected = np.linalg.eigvals(A)
    expected = expected[expected.imag > 0]
    expected = expected[np.argsort(np.abs(expected))]
    found = chain(C2).modes()
    np.testing.assert_allclose(found.rate, expected, rtol=1e-12)
    np.testing.assert_allclose(found.frequency, np.abs(expected) / (2 * np.pi), rtol=1e-12)
    np.testing.assert_allclose(found.damping, -expected.real / np.abs(expected), rtol=1e-9)
    for rate, shape in zip(found.rate, found.shape, strict=True):
        assert np.abs((rate**2 * M + rate * C + K) @ shape).max() < 1e-11 * K.max()
        assert np.abs(shape).max() == pytest.approx(1.0)
    assert found.rigid == 0
    assert found.names == ("a", "b")


def test_rigid_motion_is_counted_and_what_falls_grows() -> None:
    """A free bus with a spring: six coordinates that nothing holds. A pendulum above its hinge: rates ±√(g/l)."""
    bus = sd.Body(name="bus", mass=10.0, inertia=(1, 2, 3))
    found = sd.Dynamics(sd.World(bodies=(bus, slide("a", "bus", M1, K1)))).modes()
    assert found.rigid == 12
    assert found.frequency == pytest.approx([np.sqrt(K1 * (1 / 10 + 1 / M1)) / (2 * np.pi)], rel=1e-12)
    rod = sd.Body(name="rod", joint=sd.Revolute(axis=(0, 1, 0)), mass=1.0, center=(0, 0, 0.5))
    found = sd.Dynamics(sd.World(bodies=(rod,), gravity=sd.Uniform(acceleration=(0, 0, -9.81)))).modes()
    np.testing.assert_allclose(np.sort(found.rate.real), [-np.sqrt(2 * 9.81), np.sqrt(2 * 9.81)], rtol=1e-12)
    np.testing.assert_allclose(np.sort(found.damping), [-1.0, 1.0], rtol=1e-12)


def test_response_is_that_of_the_equations() -> None:
    dynamics, hz = chain(C2), np.geomspace(0.05, 5.0, 20)
    M, C, K = by_hand(C2)
    s = 2j * np.pi * hz
    G = np.array([np.linalg.inv(each**2 * M + each * C + K) for each in s])
    np.testing.assert_allclose(dynamics.response(hz, "a", "b"), G[:, 1, 0], rtol=1e-11)
    np.testing.assert_allclose(dynamics.response(hz, "b", "b:x"), G[:, 0, 1] + G[:, 1, 1], rtol=1e-11)
    mode_shapes(dynamics.modes())
    bode(hz, dynamics.response(hz, "a", "b"), "b by a")


def test_a_step_that_does_not_resolve_a_mode_is_refused() -> None:
    """A mode rings at (2/h) atan(ωh/2): as the equation says, and as a run of it counts."""
    dynamics = chain()
    found = dynamics.modes()
    slow, fast = found.frequency
    h = 1.0 / (2 * np.pi * slow)
    expected = 2 / h * np.arctan(2 * np.pi * slow * h / 2) / (2 * np.pi)
    assert found.warped(h)[0] == pytest.approx(expected, rel=1e-14)
    rows = sd.Motion(dynamics, 1e-3 * found.shape[0].real, np.zeros(2), h=h).run(1000)
    x = rows.q @ found.shape[0].real
    ups = np.flatnonzero((x[:-1] < 0) & (x[1:] >= 0))
    at = rows.t[ups] + h * x[ups] / (x[ups] - x[ups + 1])
    assert (len(at) - 1) / (at[-1] - at[0]) == pytest.approx(expected, rel=1e-3)
    found.refuse_unresolved(h, 0.9 * slow)
    found.refuse_unresolved(0.3 / (2 * np.pi * fast), fast)
    with pytest.raises(ValueError, match=r"does not resolve the mode of .* Hz, in which 'b' moves most"):
        found.refuse_unresolved(h, slow)


@pytest.mark.parametrize(
    ("force", "output", "words"),
    [("c", "a", "no coordinate 'c'"), ("a", "b:q", "'q' is none of"), ("a", "c:x", "no frame 'c'")],
)
def test_wrong_names_are_told(force: str, output: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        chain().response([1.0], force, output)


def test_command_prints_draws_and_animates(tmp_path) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "two.toml"
    joint = 'joint = { kind = "prismatic", axis = [1, 0, 0], spring = { stiffness = %g } }'
    file.write_text(
        f'[[bodies]]\nname = "a"\nmass = {M1}\n{joint % K1}\n'
        f'[[bodies]]\nname = "b"\nparent = "a"\nmass = {M2}\n{joint % K2}\n'
        'shapes = [{ kind = "sphere", radius = 1 }]\n'
    )
    given = ["modes", str(file), "--figure", str(tmp_path / "m.png"), "--bode", str(tmp_path / "b.png")]
    given += ["--force", "a", "--output", "b:x", "--animate", str(tmp_path / "run"), "--mode", "2"]
    said = CliRunner().invoke(app, given)
    assert said.exit_code == 0, said.output
    assert f"{chain().modes().frequency[0]:.6g}" in said.stdout
    assert (tmp_path / "m.png").stat().st_size > 1000 < (tmp_path / "b.png").stat().st_size
    states = sd.read_run(tmp_path / "run").states
    assert max(np.abs(states["q.a"]).max(), np.abs(states["q.b"]).max()) == pytest.approx(0.1)
    wrong = CliRunner().invoke(app, ["modes", str(file), "--bode", str(tmp_path / "c.png")])
    assert wrong.exit_code == 2
