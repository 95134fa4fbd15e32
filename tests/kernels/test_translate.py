"""Every operation, against CasADi's own virtual machine, on ordinary, special and missing numbers."""

import casadi
import numpy as np
import pytest

from softdock.kernels import split
from softdock.kernels.lanes import FOUR
from softdock.kernels.operations import templates
from softdock.kernels.translate import TranslationError, module_of

UNARY = {
    **{name: getattr(casadi, name) for name in ("sqrt", "sin", "cos", "tan", "exp", "log", "fabs", "floor", "ceil")},
    **{name: getattr(casadi, name) for name in ("asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh")},
    **{name: getattr(casadi, name) for name in ("atanh", "erf", "log1p", "expm1", "sign", "logic_not")},
    "neg": lambda x: -x,
    "inv": lambda x: 1 / x,
    "sq": lambda x: x * x,
    "twice": lambda x: x + x,
    "constpow": lambda x: x**2.7,
}
BINARY = {
    **{name: getattr(casadi, name) for name in ("fmin", "fmax", "atan2", "copysign", "fmod", "hypot", "remainder")},
    **{name: getattr(casadi, name) for name in ("logic_and", "logic_or")},
    "if_else_zero": lambda x, y: casadi.if_else(x, y, 0),
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "mul": lambda x, y: x * y,
    "div": lambda x, y: x / y,
    "pow": lambda x, y: x**y,
    "lt": lambda x, y: x < y,
    "le": lambda x, y: x <= y,
    "eq": lambda x, y: x == y,
    "ne": lambda x, y: x != y,
}
SPECIAL = np.array([0.0, 1.0, -1.0, 0.5, -0.5, 2.0, np.inf, -np.inf, np.nan])


def samples() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(7)
    random = rng.normal(size=(200, 2)) * 10 ** rng.uniform(-3, 1, size=(200, 1))
    special = np.stack(np.meshgrid(SPECIAL, SPECIAL), axis=-1).reshape(-1, 2)
    x, y = np.concatenate([random, special]).T
    return x, y


def assert_same(ours: np.ndarray, theirs: np.ndarray) -> None:
    np.testing.assert_allclose(ours, theirs, rtol=5e-16, atol=0, equal_nan=True)


@pytest.mark.parametrize("name", UNARY)
def test_unary_operation_is_casadis(compiled, name: str) -> None:
    x, _ = samples()
    q = casadi.SX.sym("q", x.size)
    function = casadi.Function("f", [q], [UNARY[name](q)])
    assert_same(compiled(function)(x), function(x).full().ravel())


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 9])
def test_sines_in_groups_of_any_size_and_sines_of_sines(compiled, count: int) -> None:
    """Those of inputs are taken four at a time; one that needs another waits for it."""
    q = casadi.SX.sym("q", count)
    twice = casadi.sin(casadi.cos(2 * q) + q[0])
    out = casadi.vertcat(casadi.sin(q), casadi.cos(q), twice, casadi.sin(casadi.SX(0.3)), casadi.cos(q[0] + twice[0]))
    function, x = casadi.Function("f", [q], [out]), np.linspace(-3.0, 7.0, count)
    np.testing.assert_allclose(compiled(function)(x), function(x).full().ravel(), rtol=0, atol=3e-16)


@pytest.mark.parametrize("name", BINARY)
def test_binary_operation_is_casadis(compiled, name: str) -> None:
    x, y = samples()
    q, v = casadi.SX.sym("q", x.size), casadi.SX.sym("v", x.size)
    function = casadi.Function("f", [q, v], [BINARY[name](q, v)])
    assert_same(compiled(function)(x, y), function(x, y).full().ravel())


def test_the_operations_above_are_all_that_are_translated() -> None:
    x, y = casadi.SX.sym("x"), casadi.SX.sym("y")
    outputs = [f(x) for f in UNARY.values()] + [f(x, y) for f in BINARY.values()]
    function = casadi.Function("f", [x, y], outputs)
    used = {function.instruction_id(k) for k in range(function.n_instructions())}
    assert {getattr(casadi, f"OP_{op}") for op in templates()} <= used


def test_missing_number_passes_through_arithmetic(compiled) -> None:
    q = casadi.SX.sym("q", 2)
    function = casadi.Function("f", [q], [casadi.sqrt(q[0] * casadi.sin(q[1])) / (q[0] + 1)])
    assert np.isnan(compiled(function)([np.nan, 1.0]))
    assert np.isnan(compiled(function)([1.0, np.nan]))


def test_inputs_are_taken_by_name_and_outputs_column_by_column(compiled) -> None:
    theta, q = casadi.SX.sym("theta", 2), casadi.SX.sym("q", 2)
    function = casadi.Function("f", [theta, q], [q @ theta.T], ["theta", "q"], ["out"])
    out = compiled(function)([2.0, 3.0], [], [], [5.0, 7.0])
    np.testing.assert_array_equal(out, [10.0, 15.0, 14.0, 21.0])


def test_inputs_may_be_one_array(compiled) -> None:
    q, v = casadi.SX.sym("q", 3), casadi.SX.sym("v", 3)
    function = casadi.Function("f", [q, v], [q * v])
    x = np.array([1.0, 2.0, 3.0])
    np.testing.assert_array_equal(compiled(function)(x, x), x * x)


def test_graph_of_matrices_is_expanded(compiled) -> None:
    q = casadi.MX.sym("q", 4)
    function = casadi.Function("f", [q], [casadi.mtimes(casadi.reshape(q, 2, 2), q[:2])])
    x = np.array([1.0, 2.0, 3.0, 4.0])
    assert_same(compiled(function)(x), function(x).full().ravel())


def test_sine_and_cosine_of_an_angle_are_computed_once() -> None:
    q = casadi.SX.sym("q", 2)
    angle = q[0] + q[1]
    text = module_of({"f": casadi.Function("f", [q], [casadi.vertcat(casadi.sin(angle), casadi.cos(angle))])})
    assert text.count("call {double, double} @softdock.sincos") == 1


def test_long_code_in_pieces_gives_the_same(compiled, monkeypatch: pytest.MonkeyPatch) -> None:
    q = casadi.SX.sym("q", 9)
    x = q
    for _ in range(30):
        x = casadi.sin(x) * casadi.vertcat(x[1:], x[0]) + casadi.cos(x) / (2 + casadi.tanh(q))
    function = casadi.Function("f", [q], [x])
    values = np.random.default_rng(0).normal(size=9)
    whole = compiled(function)(values)
    monkeypatch.setattr(split, "LENGTH", 97)
    monkeypatch.setattr(split, "PIECE", 97)
    in_pieces = compiled(function)(values)
    np.testing.assert_allclose(in_pieces, whole, rtol=1e-13)
    side_by_side = compiled(function, FOUR)(np.repeat(values, 4)).reshape(-1, 4)
    np.testing.assert_array_equal(side_by_side, np.repeat(in_pieces[:, None], 4, axis=1), "cut at the same places")
    np.testing.assert_allclose(whole, function(values).full().ravel(), rtol=1e-13)


def _sparse() -> casadi.Function:
    q = casadi.SX.sym("q", casadi.Sparsity.diag(2))
    return casadi.Function("f", [q], [q[0, 0]])


q0, v0 = casadi.SX.sym("q", 2), casadi.SX.sym("v")
WRONG = {
    "no translation of CasADi's operation ERFINV": lambda: casadi.Function("f", [q0], [casadi.erfinv(q0)]),
    "1 inputs and 2 outputs": lambda: casadi.Function("f", [q0], [q0, q0]),
    "input 'x' is none of q, v, e, theta": lambda: casadi.Function("f", [q0], [q0], ["x"], ["out"]),
    "two inputs for one argument": lambda: casadi.Function("f", [q0, v0], [q0], ["v", "i1"], ["out"]),
    "out must be dense": lambda: casadi.Function("f", [q0], [casadi.diag(q0)]),
    "q must be dense": _sparse,
}


@pytest.mark.parametrize("message", WRONG)
def test_what_cannot_be_translated_is_named(message: str) -> None:
    with pytest.raises(TranslationError, match=message):
        module_of({"f": WRONG[message]()})


def test_kernel_names_are_identifiers() -> None:
    with pytest.raises(TranslationError, match="identifier"):
        module_of({"a b": casadi.Function("f", [q0], [q0])})


def test_four_worlds_side_by_side_are_each_as_one(compiled) -> None:
    """All operations, ordinary and special numbers: to the bit, but for which NaN it is. Pieces too."""
    x, y = samples()
    q, v = casadi.SX.sym("q", 4), casadi.SX.sym("v", 4)
    outputs = [f(q) for f in UNARY.values()] + [f(q, v) for f in BINARY.values()]
    function = casadi.Function("f", [q, v], [casadi.vertcat(*outputs, q[0] * v[1] + q[2] * v[3])])
    one, four = compiled(function), compiled(function, FOUR)
    count = len(x) // 16 * 16
    for first in range(0, count, 16):
        left, right = (values[first : first + 16].reshape(4, 4) for values in (x, y))
        beside = four(left, right).reshape(-1, 4)
        for lane in range(4):
            np.testing.assert_array_equal(beside[:, lane], one(left[:, lane], right[:, lane]))
