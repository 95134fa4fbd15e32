"""The models' derivatives against differences, their discretisation against the matrix exponential, eqs. 11-13."""

import casadi as ca
import numpy as np
import pytest
from scipy.linalg import expm

from softdock.estimation import inertia, loops, pose_error, symbols
from softdock.estimation.model import Model
from softdock.mechanics import rotation

N = 1.13e-3
MODELS = {"target": symbols.TARGET, "paper": symbols.PAPER}


def random_state(name: str, rng: np.random.Generator) -> np.ndarray:
    model = MODELS[name]
    x = rng.normal(0, 0.3, model.numbers)
    x[:4] = rng.normal(size=4)
    x[:4] /= np.linalg.norm(x[:4])
    if name == "paper":
        x[18:] = rng.normal(size=4)
        x[18:] /= np.linalg.norm(x[18:])
    return x


def function(name: str, expression, *extra: str) -> ca.Function:
    model = MODELS[name]
    x = ca.SX.sym("x", model.numbers)
    symbolic = [ca.SX.sym(key) for key in extra]
    return ca.Function("f", [x, *symbolic], [expression(model, x, *symbolic)])


def kernel(model: Model, which: int, x, e, size: int) -> np.ndarray:
    return loops.evaluated(model.kernels[which], x, x, np.atleast_1d(np.asarray(e, float)), model.theta, size)


def difference(name: str, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    model = MODELS[name]
    return np.array(ca.DM(symbols.difference(model, ca.SX(x), ca.SX(y)))).ravel()


@pytest.mark.parametrize("name", MODELS)
def test_transition_agrees_with_differences(name):
    rng, model, d = np.random.default_rng(1), Model(name, N, 1e-3, 1e-3), 1e-6
    x = random_state(name, rng)
    n, m = model.errors, model.numbers
    out = kernel(model, loops.STEP, x, 0.5, m + n * n)
    Phi = out[m:].reshape(n, n)
    for k in range(n):
        e = np.zeros(n)
        e[k] = d
        ends = [kernel(model, loops.STEP, model.moved(x, s * e), 0.5, m + n * n)[:m] for s in (1, -1)]
        column = (difference(name, out[:m], ends[0]) - difference(name, out[:m], ends[1])) / (2 * d)
        assert np.abs(Phi[:, k] - column).max() < 2e-9


@pytest.mark.parametrize("name", MODELS)
def test_sensitivity_of_the_measurement_agrees_with_differences(name):
    """At residuals that are not small, too: the batch starts far away."""
    rng, model, d = np.random.default_rng(2), Model(name, N, 1e-3, 1e-3), 1e-6
    x, z = random_state(name, rng), np.concatenate([rng.normal(size=3), rng.normal(size=4)])
    z[3:] /= np.linalg.norm(z[3:])
    size = 6 + 6 * model.errors
    H = kernel(model, loops.RESIDUAL, x, z, size)[6:].reshape(6, -1)
    symbolic, e = MODELS[name], ca.SX.sym("e", model.errors)
    residual = ca.Function("r", [e], [symbolic.residual(ca.SX(x), e, ca.SX(z))])
    for k in range(model.errors):
        step = np.zeros(model.errors)
        step[k] = d
        column = np.array(residual(step) - residual(-step)).ravel() / (2 * d)
        assert np.abs(H[:, k] + column).max() < 1e-9


def exponentials(name: str, model: Model, x: np.ndarray, h: float, parts: int = 100) -> np.ndarray:
    """Product of exp(𝒜 h/parts) along the motion, 𝒜 in the middle of each part."""
    A = function(name, lambda m, y: symbols.linearised(m, y, N))
    m, n = model.numbers, model.errors
    product, y = np.eye(n), x
    for _ in range(parts):
        middle = kernel(model, loops.STEP, y, h / parts / 2, m + n * n)[:m]
        product = expm(np.array(A(middle)) * h / parts) @ product
        y = kernel(model, loops.STEP, y, h / parts, m + n * n)[:m]
    return product


@pytest.mark.parametrize("name", MODELS)
def test_transition_is_the_product_of_exponentials_of_the_exact_linearisation(name):
    """At the longest step that the filters take (0.1 rad of turn), and at twice that: the error is of order h⁵."""
    model = Model(name, N, 1e-3, 1e-3)
    x = random_state(name, np.random.default_rng(3))
    m, n = model.numbers, model.errors
    longest = 0.1 / np.linalg.norm(x[4:7])
    errors = []
    for h in (longest, 2 * longest):
        Phi = kernel(model, loops.STEP, x, h, m + n * n)[m:].reshape(n, n)
        errors.append(np.abs(Phi - exponentials(name, model, x, h)).max())
    assert errors[0] < 1e-6 and 20 < errors[1] / errors[0] < 45
    constant = expm(np.array(function(name, lambda m, y: symbols.linearised(m, y, N))(x)) * longest)
    assert np.abs(constant - exponentials(name, model, x, longest)).max() > 1e-4  # constant ω in a step is not enough


@pytest.mark.parametrize("name", MODELS)
def test_process_noise_agrees_with_van_loan(name):
    """Paper, after eq. 9: D of [[−𝒜, GΣGᵀ], [0, 𝒜ᵀ]] T."""
    rng, torque, force, h = np.random.default_rng(4), 2e-3, 3e-3, 0.2
    model = Model(name, N, torque, force)
    x, n = random_state(name, rng), model.errors
    Q = kernel(model, loops.NOISE, x, h, n * n).reshape(n, n)
    A = np.array(function(name, lambda m, y: symbols.linearised(m, y, N))(x))
    G = np.array(function(name, lambda m, y: m.disturbed(y))(x))
    GSG = G @ np.diag([torque**2] * 3 + [force**2] * 3) @ G.T
    D = expm(np.block([[-A, GSG], [np.zeros((n, n)), A.T]]) * h)
    assert np.abs(Q - D[n:, n:].T @ D[:n, n:]).max() < 1e-4 * np.abs(Q).max()


def test_the_sensitivities_before_eq_13_have_the_other_sign():
    """h₂ = vector part of δq δη. As DESIGN says: −[δη] + δη_o − δη δqᵀ/δq_o; as printed: all three differ in sign."""
    rng = np.random.default_rng(5)
    dq, deta, d = rng.normal(0, 0.2, 3), rng.normal(0, 0.2, 3), 1e-6

    def whole(v):
        return np.concatenate([[np.sqrt(1 - v @ v)], v])

    def h2(a, b):
        return np.array(ca.DM(rotation.product(ca.SX(whole(a)), ca.SX(whole(b)))))[1:, 0]

    def cross(v):
        return np.array(ca.skew(ca.DM(v)))

    qo, no = whole(dq)[0], whole(deta)[0]
    by_q = np.column_stack([(h2(dq + s, deta) - h2(dq - s, deta)) / (2 * d) for s in d * np.eye(3)])
    by_eta = np.column_stack([(h2(dq, deta + s) - h2(dq, deta - s)) / (2 * d) for s in d * np.eye(3)])
    assert np.allclose(by_q, -cross(deta) + no * np.eye(3) - np.outer(deta, dq) / qo, atol=1e-9)
    assert np.allclose(by_eta, cross(dq) + qo * np.eye(3) - np.outer(dq, deta) / no, atol=1e-9)
    assert np.abs(by_q - (cross(deta) + no * np.eye(3) + np.outer(deta, dq) / qo)).max() > 0.1


def test_eq_13_is_the_sensitivity_at_the_reset_state():
    """H = [−2R[ρ] 0 I 0 R 0; I 0 I] with δq = δη = 0; r, v, ρ from the ninth error on."""
    rng, model = np.random.default_rng(6), Model("paper", N, 0, 0)
    x = random_state("paper", rng)
    z = np.concatenate(model.pose(x))
    H = kernel(model, loops.RESIDUAL, x, z, 6 + 120)[6:].reshape(6, 20)
    R = np.array(ca.DM(rotation.matrix(ca.SX(x[:4]))))
    expected = np.zeros((6, 20))
    expected[:3, :3] = -2 * R @ np.array(ca.skew(ca.DM(x[15:18])))
    expected[:3, 8:11], expected[:3, 14:17] = np.eye(3), R
    expected[3:, :3] = expected[3:, 17:] = np.eye(3)
    assert np.allclose(H, expected, atol=1e-14)


@pytest.mark.parametrize("name", MODELS)
def test_shown_motion_is_the_poses_rate_and_its_sensitivity_agrees_with_differences(name):
    rng, model = np.random.default_rng(8), Model(name, N, 0, 0)
    x, d, n = random_state(name, rng), 1e-5, model.errors

    def change(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        turn, moved = np.split(pose_error((a[:3], a[3:7]), (b[:3], b[3:7])), 2)
        return np.concatenate([moved, turn, b[7:] - a[7:]])

    def shown(y: np.ndarray) -> np.ndarray:
        return kernel(model, loops.SHOWN, y, 0.0, 13 + 12 * n)[:13]

    H = kernel(model, loops.SHOWN, x, 0.0, 13 + 12 * n)[13:].reshape(12, n)
    moved = [(shown(model.moved(x, -e)), shown(model.moved(x, e))) for e in d * np.eye(n)]
    assert np.allclose(H, np.stack([change(a, b) for a, b in moved], axis=1) / (2 * d), atol=1e-8)
    before, after = (shown(model.propagated(x, np.zeros((n, n)), s)[0]) for s in (-d, d))
    assert np.allclose(shown(x)[7:], change(before, after)[:6] / (2 * d), atol=1e-8)


def test_ratios_of_inertia_meet_their_constraint_and_come_back():
    rng = np.random.default_rng(7)
    for _ in range(50):
        u = rng.normal(0, 1, 2)
        p = np.array(ca.DM(symbols.ratios(ca.SX(u)))).ravel()
        moments = inertia.of_ratios(u)
        x, y, z = moments
        assert abs(p.sum() + p.prod()) < 1e-15 and np.abs(p).max() < 1
        assert np.allclose(p, [(y - z) / x, (z - x) / y, (x - y) / z], atol=1e-13)
        assert np.allclose(inertia.ratios_of(moments), u, atol=1e-9)
        J = [1, (1 - p[1]) / (1 + p[0]), (1 + p[2]) / (1 - p[0])]
        assert np.allclose(J, x / moments)


def test_every_five_numbers_are_a_body_and_come_back():
    rng = np.random.default_rng(8)
    for _ in range(50):
        s = rng.normal(0, 1.5, 5)
        I = inertia.of_numbers(s)
        a, b, c = np.linalg.eigvalsh(I)
        assert a > 0 and a + b > c and np.isclose(np.trace(I), 1)
        assert np.allclose(inertia.numbers_of(7.0 * I), s, atol=1e-6)
        symbolic = np.array(ca.DM(symbols.inertia(ca.SX(s))))
        assert np.allclose(symbolic / np.trace(symbolic), I)
    assert np.allclose(inertia.of_numbers(np.zeros(5)), np.eye(3) / 3)
    with pytest.raises(ValueError, match="triangle"):
        inertia.numbers_of(np.diag([1.0, 1.0, 3.0]))


def test_principal_axes_diagonalise():
    I = inertia.of_numbers(np.array([0.3, -0.2, 0.5, 0.1, -0.4]))
    axes = inertia.principal(I)
    assert np.allclose(axes.R_CB @ np.diag(axes.moments) @ axes.R_CB.T, I) and np.isclose(np.linalg.det(axes.R_CB), 1)
    assert abs(axes.ratios.sum() + axes.ratios.prod()) < 1e-12
