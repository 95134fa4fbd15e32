"""Driven accelerations against the same by LAPACK."""

import numpy as np

from softdock.control.driven import least, reach, settle

RNG = np.random.default_rng(3)
A = RNG.normal(size=(9, 9))
M, C, OWN = A @ A.T + np.eye(9), RNG.normal(size=9), RNG.normal(size=9)
P, U = np.array([0, 2, 5]), np.array([1, 3, 4, 6, 7, 8])


def reached():
    S, s = np.zeros((9, 6)), np.zeros(9)
    S[U, np.arange(6)] = 1.0
    assert reach(M, C, OWN, P, U, S, s)
    return S, s


def test_passive_rows_have_no_command():
    S, s = reached()
    a = S @ RNG.normal(size=6) + s
    np.testing.assert_allclose((M @ a + C - OWN)[P], 0.0, atol=1e-12)
    assert not reach(np.zeros((9, 9)), C, OWN, P, U, S, s)


def test_what_is_tracked_has_what_is_wanted():
    S, s = reached()
    tracked, wanted = np.array([0, 1, 2, 3, 7, 8]), RNG.normal(size=6)
    driven, is_sure = least(S, s, tracked, wanted, 1e-300, 1e-4)
    assert is_sure
    np.testing.assert_allclose((S @ driven + s)[tracked], wanted, rtol=1e-9)
    S[tracked[0]] = S[tracked[1]] * (1 + 1e-6)
    assert not least(S, s, tracked, wanted, 1e-300, 1e-4)[1]
    S[tracked[0]] = 0.0
    assert not least(S, s, tracked, wanted, 1e-300, 1e-4)[1]


def test_stiff_joints_settle_by_eulers_backward_rule():
    """Of x'' = push − k x − d x' at the period's end, by the state in its middle."""
    stiffness, damping, period = np.array([0.0, 1e4, 10.0]), np.array([0.0, 50.0, 0.1]), 0.1
    inertia, push, v, a = np.eye(3), np.array([1.0, 2.0, 3.0]), np.array([0.1, 0.2, 0.3]), np.array([1.0, -2.0, 3.0])
    rows, own = inertia.copy(), push.copy()
    settle(rows, own, np.arange(3), stiffness, damping, v, a, period, 2.0)
    k, d, before = stiffness[1], damping[1], v[1] - period / 2 * a[1]
    np.testing.assert_allclose(rows, np.diag([1.0, 1.0 + d * period + k * period**2, 1.0]))
    # −d v₁ − k x₁, with v₁ and x₁ at the end, of forces −d v − k x that `push` has at the middle
    expected = push[1] + d * period / 2 * a[1] - k * (period / 2 * before - period**2 / 8 * a[1])
    np.testing.assert_allclose(own, [push[0], expected, push[2]])
