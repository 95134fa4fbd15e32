"""Logs in, parameters out: beside MuJoCo, beside known answers, and with logs that are no good."""

import json
from pathlib import Path

import numpy as np
import pytest
from mujoco_log import COULOMB, VISCOUS, driven, write
from typer.testing import CliRunner

from softdock.arm import BadLog, Log, arm_named, compare, excite, identify, inverse_dynamics, read_log, sawyer
from softdock.arm.identify import Base
from softdock.arm.physical import pseudo_inertia
from softdock.cli.app import app

ARM, TRUE = sawyer(), sawyer("mjcf")


@pytest.fixture(scope="module")
def motion():
    return excite(ARM, tries=100)


@pytest.fixture(scope="module")
def logged(motion, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("log") / "arm.csv", driven(TRUE, motion, 20.0))


@pytest.fixture(scope="module")
def exact(motion) -> Log:
    """Without noise, filter or another engine."""
    t, q, v, a = motion.samples(np.arange(1000) / 100)
    torque = inverse_dynamics(TRUE, q, v, a) + VISCOUS * v
    return Log(t, q, v, a, torque)


@pytest.mark.parametrize("physical", [False, True])
def test_a_log_of_mujoco_with_friction_and_noise(logged: Path, physical: bool) -> None:
    log = read_log(logged, ARM)
    found = identify(log, ARM, physical=physical)
    assert found.undetermined == ()
    np.testing.assert_allclose(found.viscous, VISCOUS, rtol=0.05)
    np.testing.assert_allclose(found.coulomb, COULOMB, rtol=0.05)
    table = compare(log, found).table()
    assert max(row["moving_share"] for row in table) < 0.02
    assert max(row["share"] for row in table) < 0.03  # with joints that turn over: sticking has no torque of its own
    assert min(row["share"] for row in compare(log, ARM).table()) > 0.02


def test_standard_deviations_are_those_of_the_errors(logged: Path) -> None:
    found = identify(read_log(logged, ARM), ARM)
    off = np.concatenate(
        [(found.viscous - VISCOUS) / found.viscous_deviation, (found.coulomb - COULOMB) / found.coulomb_deviation]
    )
    assert 0.3 < np.sqrt(np.mean(off**2)) < 2.5  # 14 errors, filtered noise, an engine of its own
    assert np.abs(off).max() < 5


def test_friction_of_another_law_is_told_with_its_joints(motion, tmp_path: Path) -> None:
    """MuJoCo's dry friction is soft by default: light joints creep as in honey. Their deviations cannot know that (20
    of them, of the last joint), so its name is told; joints that keep Coulomb's law are not accused, and are right."""
    log = read_log(write(tmp_path / "soft.csv", driven(TRUE, motion, 20.0, softness=0.02)), ARM)
    found = identify(log, ARM)
    (note,) = [note for note in found.notes if "not noise alone" in note]
    assert "right_l6" in note
    kept = [k for k, link in enumerate(ARM.links) if link not in note]
    assert kept
    off = [(found.viscous - VISCOUS) / found.viscous_deviation, (found.coulomb - COULOMB) / found.coulomb_deviation]
    assert np.abs(np.array(off)[:, kept]).max() < 4
    assert max(row["moving_share"] for row in compare(log, found).table()) < 0.05


def test_it_holds_for_another_motion_too(logged: Path, tmp_path: Path) -> None:
    found = identify(read_log(logged, ARM), ARM)
    other = read_log(write(tmp_path / "other.csv", driven(TRUE, excite(ARM, tries=40, seed=5), 10.0, seed=3)), ARM)
    assert max(row["moving_share"] for row in compare(other, found).table()) < 0.02


def test_exact_torques_give_the_exact_base_parameters(exact: Log) -> None:
    found, base = identify(exact, ARM), Base(ARM)
    np.testing.assert_allclose(found.base, base.of(TRUE.parameters()), atol=1e-9)
    np.testing.assert_allclose(found.viscous, VISCOUS, atol=1e-9)
    np.testing.assert_allclose(found.coulomb, 0, atol=1e-8)
    assert len(found.base) == 43  # seven turning joints, the first vertical: 10·7 less what never shows
    assert len(set(found.names)) == 43


def test_physical_parameters_are_those_of_bodies(exact: Log) -> None:
    rng = np.random.default_rng(1)
    noisy = Log(
        exact.t[:150], exact.q[:150], exact.v[:150], exact.a[:150], exact.torque[:150] + rng.normal(size=(150, 7))
    )
    free, real = identify(noisy, ARM), identify(noisy, ARM, physical=True)
    least = [np.linalg.eigvalsh(pseudo_inertia(link.parameters())).min() for link in real.arm.inertials]
    assert min(least) > 0
    assert min(np.linalg.eigvalsh(pseudo_inertia(link.parameters())).min() for link in free.arm.inertials) < 0
    assert np.all(real.viscous > 0)
    real.arm.world()  # which refuses inertias that no body has


def test_too_little_excitation_says_which(exact: Log) -> None:
    v, a = exact.v.copy(), exact.a.copy()
    q = np.tile(exact.q[0], (len(v), 1))
    v[:, [0, *range(2, 7)]], a[:, [0, *range(2, 7)]] = 0.0, 0.0
    q[:, 1] = exact.q[:, 1]
    found = identify(Log(exact.t, q, v, a, inverse_dynamics(TRUE, q, v, a) + VISCOUS * v), ARM)
    words = " ".join(found.undetermined)
    assert "viscous friction(right_l3)" in words
    assert "viscous friction(right_l1)" not in words
    assert np.all(np.isinf(found.viscous_deviation[[0, *range(2, 7)]])) and np.isfinite(found.viscous_deviation[1])
    np.testing.assert_allclose(found.viscous[1], VISCOUS[1], rtol=1e-6)
    assert (
        np.abs(found.torques(Log(exact.t, q, v, a, None)) - inverse_dynamics(TRUE, q, v, a) - VISCOUS * v).max() < 1e-3
    )


def test_an_exciting_motion_keeps_the_limits_and_starts_at_rest(motion) -> None:
    _, q, v, a = motion.samples(np.linspace(0, 10, 5001))
    assert np.all(q > ARM.lower)
    assert np.all(q < ARM.upper)
    assert np.abs(v).max() < 1.02
    assert np.abs(a).max() < 3.06
    np.testing.assert_allclose(v[0], 0, atol=1e-12)
    assert motion.condition < 50 < excite(ARM, tries=1, seed=2).condition


# --- logs ------------------------------------------------------------------------------------------


def test_missing_rates_are_made(exact: Log, tmp_path: Path) -> None:
    for kinds, parts in (
        (("q", "tau"), (exact.q, exact.torque)),
        (("q", "v", "tau"), (exact.q, exact.v, exact.torque)),
    ):
        log = read_log(write(tmp_path / "log.csv", np.column_stack([exact.t, *parts]), kinds), ARM)
        assert "filtered" in log.done[0]
        inner = slice(100, -100)
        known = exact.a[20:-20][inner]
        np.testing.assert_allclose(log.a[inner], known, atol=0.02)
    whole = np.column_stack([exact.t, exact.q, exact.v, exact.a, exact.torque])
    log = read_log(write(tmp_path / "log.csv", whole, ("q", "v", "a", "tau")), ARM)
    assert log.done == ()
    np.testing.assert_allclose(log.a, exact.a, atol=1e-7)


def test_ros_joint_states_in_both_styles(exact: Log, tmp_path: Path) -> None:
    names = [f"right_j{k}" for k in range(6, -1, -1)]  # in another order than the arm's
    back = slice(None, None, -1)
    whole = np.column_stack([exact.t, exact.q[:, back], exact.v[:, back], exact.torque[:, back]])
    words = ("position", "velocity", "effort")
    plot = ["__time", *(f"/robot/joint_states/{name}/{word}" for word in words for name in names)]
    first = tmp_path / "plot.csv"
    np.savetxt(first, whole, delimiter=",", header=",".join(plot), comments="")
    echo = ["%time", "field.header.seq", *(f"field.name{k}" for k in range(7))]
    echo += [f"field.{word}{k}" for word in words for k in range(7)]
    second = tmp_path / "echo.csv"
    lines = [
        ",".join([f"{1_600_000_000_000_000_000 + round(1e9 * row[0])}", "1", *names, *map(repr, row[1:].tolist())])
        for row in whole
    ]
    second.write_text("\n".join([",".join(echo), *lines]))
    one, other = read_log(first, ARM), read_log(second, ARM)
    np.testing.assert_allclose(one.q[50:-50], exact.q[20:-20][50:-50], atol=1e-3)
    np.testing.assert_allclose(one.torque, other.torque, atol=1e-6)


def bad(change):
    def make(path: Path, table: np.ndarray) -> Path:
        write(path, table)
        lines = path.read_text().splitlines()
        path.write_text("\n".join(change(lines)))
        return path

    return make


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda x: [*x[:100], *x[160:]], r"has a gap of 0.61 s after 0.98 s \(row 100\)"),
        (lambda x: [*x[:100], x[99], *x[100:]], "time repeats at row 101"),
        (lambda x: [*x[:100], x[50], *x[100:]], "time goes back at row 101"),
        (lambda x: [x[0].replace("q3,", "k3,"), *x[1:]], "has 6 columns of position, sawyer has 7 joints"),
        (lambda x: [x[0].replace("t,", "k,", 1), *x[1:]], "has no column of time"),
        (lambda x: [x[0].replace("q", "k"), *x[1:]], "has no columns of joint positions"),
        (lambda x: [*x[:30], "nan" + x[30][x[30].index(",") :], *x[31:]], "column 't', row 31: nan is not a finite"),
        (lambda x: [*x[:30], x[30].rsplit(",", 1)[0] + ",", *x[31:]], "column 'tau7', row 31: '' is not a number"),
        (lambda x: [*x[:30], x[30] + ",1", *x[31:]], "row 31 has 23 cells, the header has 22"),
        (lambda x: x[:1], "no rows below its header"),
        (lambda x: x[:60], "too few to be filtered"),
    ],
)
def test_a_bad_log_is_one_message(exact: Log, tmp_path: Path, change, message: str) -> None:
    path = bad(change)(tmp_path / "log.csv", np.column_stack([exact.t, exact.q, exact.v, exact.torque]))
    with pytest.raises(BadLog, match=message):
        read_log(path, ARM)


def test_the_commands(logged: Path, tmp_path: Path) -> None:
    def softdock(*words: object) -> tuple[int, str, str]:
        result = CliRunner().invoke(app, [str(word) for word in words])
        return result.exit_code, result.stdout, result.stderr

    status, out, _ = softdock("compare", logged, "--arm", "sawyer", "--json", "--out", tmp_path / "c")
    answer = json.loads(out)
    assert status == 0
    assert len(answer["joints"]) == 7
    assert {Path(file).name for file in answer["figures"]} == {"motion.png", "torques.png"}
    status, out, _ = softdock("identify", logged, "--json", "--no-figures")
    assert status == 0
    assert json.loads(out)["joints"][0]["viscous"] == pytest.approx(2.0, rel=0.05)
    status, out, _ = softdock("identify", logged, "--no-figures")
    assert "right_l6" in out
    assert softdock("compare", tmp_path / "none.csv")[2].count("\n") == 1
    assert "no arm 'puma'" in softdock("compare", logged, "--arm", "puma")[2]
    status, out, _ = softdock("excite", tmp_path / "e.csv", "--period", 5, "--tries", 5)
    assert status == 0
    assert "has no torques" in softdock("identify", tmp_path / "e.csv", "--no-figures")[2]


def test_an_arm_by_name_or_file(tmp_path: Path) -> None:
    assert arm_named("sawyer:mjcf").mass == TRUE.mass
    links = "".join(
        f'<link name="l{k}"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
        "</inertial></link>" for k in range(3)
    )  # fmt: skip
    joints = "".join(
        f'<joint name="j{k}" type="continuous"><parent link="l{k}"/><child link="l{k + 1}"/><axis xyz="0 0 1"/></joint>'
        for k in range(2)
    )
    path = tmp_path / "arm.urdf"
    path.write_text(f'<robot name="two">{links}{joints}</robot>')
    assert arm_named(str(path)).n == 2
    with pytest.raises(ValueError, match="l9"):
        arm_named(str(path), "l9")


def test_an_offset_of_the_torque_sensors_is_not_taken_for_friction(exact: Log) -> None:
    """0.2 N m made friction 30 % wrong, by twelve of its deviations."""
    rng, offset = np.random.default_rng(40), 0.2 * np.array([1, -1, 1, -1, 1, -1, 1])
    assert exact.torque is not None
    noisy = exact.torque + offset + rng.normal(0, 0.02, exact.torque.shape)
    found = identify(Log(exact.t, exact.q, exact.v, exact.a, noisy), ARM)
    z = [(found.offset - offset) / found.offset_deviation, (found.viscous - VISCOUS) / found.viscous_deviation]
    assert np.abs(z).max() < 4 and 0.4 < np.sqrt(np.mean(np.square(z))) < 1.8
    assert found.offset_deviation.max() < 0.1


@pytest.mark.parametrize("memory", [0.0, 0.9, 0.99])
def test_deviations_are_honest_for_noise_that_stays(exact: Log, memory: float) -> None:
    """Noise that remembers 0.99 of itself from sample to sample had errors of 2.3 deviations."""
    assert exact.torque is not None
    z = []
    for seed in range(3):
        rng = np.random.default_rng([41, seed])
        noise = rng.normal(0, 0.05, exact.torque.shape)
        for k in range(1, len(noise)):
            noise[k] = memory * noise[k - 1] + np.sqrt(1 - memory**2) * noise[k]
        found = identify(Log(exact.t, exact.q, exact.v, exact.a, exact.torque + noise), ARM)
        z += [*((found.viscous - VISCOUS) / found.viscous_deviation), *(found.coulomb / found.coulomb_deviation)]
        assert any("whitened" in note for note in found.notes) == (memory > 0)
        assert not any("not noise alone" in note for note in found.notes)
    assert 0.5 < np.sqrt(np.mean(np.square(z))) < 1.5


@pytest.mark.parametrize("moved", [0.0, 1e-3])
def test_what_is_said_to_be_known_is_known_beside_a_joint_that_hardly_moves(exact: Log, moved: float) -> None:
    """Friction of a joint that was held still came out as 4e-17 ± 7e-18."""
    part, rng = np.array([1, 1, moved, 1, 1, 1, 1]), np.random.default_rng(42)
    q, v, a = exact.q * part, exact.v * part, exact.a * part
    torque = inverse_dynamics(TRUE, q, v, a) + VISCOUS * v + COULOMB * np.sign(v) + rng.normal(0, 0.05, q.shape)
    found = identify(Log(exact.t, q, v, a, torque), ARM)
    got = np.concatenate([found.base, found.viscous, found.coulomb, found.offset])
    true = np.concatenate([Base(ARM).of(TRUE.parameters()), VISCOUS, COULOMB, np.zeros(7)])
    deviation = np.concatenate(
        [found.base_deviation, found.viscous_deviation, found.coulomb_deviation, found.offset_deviation]
    )
    assert np.isinf(found.viscous_deviation[2])
    assert 40 < np.isfinite(deviation).sum() < len(deviation)
    assert np.abs((got - true) / deviation).max() < 4.5


def test_friction_of_the_wrong_sign_is_told(exact: Log) -> None:
    assert exact.torque is not None
    wrong = exact.torque - 2 * VISCOUS * exact.v
    found = identify(Log(exact.t, exact.q, exact.v, exact.a, wrong), ARM)
    np.testing.assert_allclose(found.viscous, -VISCOUS, rtol=1e-6)
    assert any("viscous friction came out negative" in note and "right_l0" in note for note in found.notes)
    bound = identify(Log(exact.t, exact.q, exact.v, exact.a, wrong), ARM, physical=True)
    assert any("viscous friction came out negative" in note for note in bound.notes)
