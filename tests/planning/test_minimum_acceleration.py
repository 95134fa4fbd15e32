"""Plans against closed forms and another solver; bounds at every time; reasons when there is no plan."""

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

from softdock.planning import Infeasible, Plan, Waypoint, minimum_acceleration
from softdock.planning.quadratic import EVENT, Program
from softdock.planning.request import requested

FINE = 20_001


def test_rest_to_rest_is_the_cubic() -> None:
    plan = minimum_acceleration([0, 0, 1], [2, 1, -1], 5.0)
    s = np.linspace(0, 1, FINE)[:, None]
    exact = np.array([0, 0, 1]) + np.array([2, 1, -2]) * (3 * s**2 - 2 * s**3)
    assert np.abs(plan.at(5 * s[:, 0]).q - exact).max() < 1e-13
    assert plan.cost == pytest.approx(12 * (4 + 1 + 4) / 5**3, rel=1e-12)
    assert plan.kkt < 1e-10


def test_any_end_rates_give_the_hermite_cubic() -> None:
    rng = np.random.default_rng(2)
    a, b, va, vb = rng.normal(size=(4, 7))
    plan = minimum_acceleration(a, b, 2.5, start_rate=va, goal_rate=vb)
    exact = CubicSpline([0, 2.5], [a, b], bc_type=((1, va), (1, vb)))
    t = np.linspace(0, 2.5, 301)
    assert np.abs(plan.at(t).q - exact(t)).max() < 1e-12
    assert np.abs(plan.at(t).qdd - exact(t, 2)).max() < 1e-10


def test_way_points_give_the_interpolating_spline() -> None:
    """Least ∫ q̈² through points is the clamped cubic spline (Schoenberg); a given rate splits it in two."""
    times, points = [0.0, 0.7, 2.0, 3.0], np.array([[0.0], [1.0], [-0.5], [0.3]])
    passing = [Waypoint(0.7, [1.0]), Waypoint(2.0, [-0.5])]
    plan = minimum_acceleration([0.0], [0.3], 3.0, waypoints=passing)
    exact = CubicSpline(times, points, bc_type="clamped")
    t = np.linspace(0, 3, 301)
    assert np.abs(plan.at(t).q - exact(t)).max() < 1e-11
    split = minimum_acceleration([0.0], [0.3], 3.0, waypoints=[Waypoint(0.7, [1.0], [0.2])])
    left = CubicSpline([0, 0.7], [[0.0], [1.0]], bc_type=((1, [0.0]), (1, [0.2])))
    right = CubicSpline([0.7, 3.0], [[1.0], [0.3]], bc_type=((1, [0.2]), (1, [0.0])))
    assert np.abs(split.at(t).q - np.where(t[:, None] < 0.7, left(t), right(t))).max() < 1e-11


def test_a_rate_bound_alone_has_a_closed_form() -> None:
    """Rest to rest with |q̇| ≤ v: acceleration falls linearly to 0 in t₁, coasts, mirrored; distance v (T − 2t₁/3)."""
    v, T, distance = 0.5, 5.0, 2.0
    t1 = 1.5 * (T - distance / v)
    exact = 2 * (2 * v / t1) ** 2 * t1 / 3
    errors = [minimum_acceleration([0.0], [distance], T, rate=v, knots=k).cost / exact - 1 for k in (50, 100, 200)]
    assert all(error > 0 for error in errors)
    assert errors[1] < 2e-3 and errors[2] < errors[1] / 3 < errors[0] / 9


def peaks(plan: Plan) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    sample = plan.at(np.linspace(0, plan.duration, FINE))
    return sample.q.min(0), sample.q.max(0), np.abs(sample.qd).max(0), np.abs(sample.qdd).max(0)


def test_bounds_hold_at_every_time() -> None:
    rng = np.random.default_rng(5)
    active = 0
    for _ in range(10):
        a, b = rng.uniform(-1, 1, (2, 7))
        distance, T = np.abs(b - a) + 0.05, rng.uniform(1, 8)
        rate, acceleration = 1.3 * distance / T, 7.5 * distance / T**2
        low, high = np.minimum(a, b), np.maximum(a, b)
        plan = minimum_acceleration(a, b, T, start_rate=0.0, rate=rate, acceleration=acceleration, position=(low, high))
        lowest, highest, fastest, hardest = peaks(plan)
        assert np.all(lowest > low - 1e-9) and np.all(highest < high + 1e-9)
        assert np.all(fastest < rate * (1 + 1e-8)) and np.all(hardest < acceleration * (1 + 1e-8))
        active += int(np.sum(fastest > 0.999 * rate))
        assert np.abs(plan.q[-1] - b).max() < 1e-9 and np.abs(plan.qd[-1]).max() < 1e-9
        assert plan.kkt < 1e-8
    assert active >= 50


@pytest.mark.parametrize("seed", range(6))
def test_random_programs_against_clarabel(seed: int) -> None:
    """Another method altogether (interior point, sparse) on the same program; bounds and way-points active."""
    import clarabel
    from scipy.sparse import csc_matrix

    rng = np.random.default_rng(seed)
    a, b, via = rng.uniform(-1, 1, (3, 2))
    asked = {
        "start_rate": rng.uniform(-0.2, 0.2, 2), "goal_rate": 0.0, "position": (-1.3, 1.3), "rate": 1.3,
        "acceleration": 3.0, "waypoints": [Waypoint(2.2, via)], "weights": 1.0, "names": None, "knots": 60,
    }  # fmt: skip
    program = Program(requested(a, b, 5.0, **asked))
    plan = minimum_acceleration(a, b, 5.0, **asked)
    cost = 0.0
    for i in range(2):
        rows = program.sides(i)
        A = np.vstack([np.eye(len(program.H)), program.A])
        equal = np.concatenate([np.zeros(len(program.H), bool), rows.kinds == EVENT])
        G = np.vstack([A[equal], A[~equal], -A[~equal]])
        h = np.concatenate([rows.upper[equal], rows.upper[~equal], -rows.lower[~equal]])
        cones = [clarabel.ZeroConeT(int(equal.sum())), clarabel.NonnegativeConeT(2 * int((~equal).sum()))]
        settings = clarabel.DefaultSettings()
        settings.verbose = False
        settings.tol_gap_rel = settings.tol_feas = 1e-11
        P, zero = csc_matrix(np.triu(program.H)), np.zeros(len(program.H))
        x = np.array(clarabel.DefaultSolver(P, zero, csc_matrix(G), h, cones, settings).solve().x)
        assert np.abs(program.states(np.column_stack([x, x]))[0][:, i] - plan.q[:, i]).max() < 1e-6
        cost += float(x @ program.grid.W @ x) / 5.0**3
    assert plan.cost == pytest.approx(cost, rel=1e-7)


def test_the_plan_outside_its_time() -> None:
    plan = minimum_acceleration([1.0], [2.0], 2.0, goal_rate=[0.5])
    assert plan.at(-1.0) == (1.0, 0.0, 0.0)
    later = plan.at([2.0, 3.0])
    times = [-1.0, 0.0, 0.3, 1.0, 2.0, 2.5]
    for sample, t in zip(zip(*plan.at(times), strict=True), times, strict=True):
        assert np.allclose(sample, plan.at(t), rtol=0, atol=1e-15)
    assert np.allclose(later.q[:, 0], [2.0, 2.5]) and np.allclose(later.qd, 0.5) and later.qdd[1, 0] == 0.0


@pytest.mark.parametrize(
    ("bounds", "message"),
    [
        ({"rate": 0.39}, "a rate of 0.40"),
        ({"acceleration": 0.3}, "an acceleration of 0.320"),
        ({"rate": 0.5, "acceleration": 0.33}, r"a rate of 0.68\d+ instead of 0.5 or an acceleration of 0.50"),
        ({"position": (0, 1.9)}, "goal: the position 2 of 'upper' is outside its bounds, 0 to 1.9"),
        ({"position": (0, 2), "start_rate": -0.1}, "position bounds wider by"),
        ({"rate": 0.5, "start_rate": 0.6}, "start: the rate 0.6 of 'upper'"),
    ],
)
def test_what_is_infeasible_is_named(bounds: dict[str, object], message: str) -> None:
    with pytest.raises(Infeasible, match=message):
        minimum_acceleration([0.0], [2.0], 5.0, names=["upper"], **bounds)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"duration": -1.0}, "positive number of seconds"),
        ({"goal": [1.0, 2.0]}, "goal must be a number or have 1"),
        ({"goal": [np.nan]}, "goal has a value that is not finite"),
        ({"rate": 0.0}, "largest rate must be positive"),
        ({"waypoints": [Waypoint(6.0, [0.0])]}, "in order of time"),
        ({"names": ["a", "b"]}, "2 names for 1"),
        ({"weights": -1.0}, "weights must be positive"),
        ({"knots": 3}, "at least 4 knots"),
    ],
)
def test_bad_requests(change: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        minimum_acceleration(**{"start": [0.0], "goal": [2.0], "duration": 5.0, **change})  # type: ignore[arg-type]


def test_advice_is_feasible_when_it_is_followed() -> None:
    """Every bound that a refusal names, widened as it says and by nothing more."""
    import re

    rng = np.random.default_rng(8)
    followed = 0
    for _ in range(40):
        goal, T = rng.uniform(0.2, 3.0), rng.uniform(0.5, 9.0)
        asked = {"rate": rng.uniform(0.7, 1.4) * goal / T, "acceleration": rng.uniform(0.6, 1.3) * 4 * goal / T**2}
        asked["start_rate"] = rng.choice([0.0, -0.3 * asked["rate"]])
        asked["position"] = (-rng.choice([1e-3, 0.1]), goal)
        try:
            minimum_acceleration([0.0], [goal], T, **asked)
            continue
        except Infeasible as error:
            words = str(error)
        for kind, number, before in re.findall(r"(rate|acceleration) of ([\d.e+-]+) instead of ([\d.e+-]+)", words):
            assert float(number) > float(before)
            minimum_acceleration([0.0], [goal], T, **{**asked, kind: float(number)})
            followed += 1
        for number in re.findall(r"position bounds wider by ([\d.e+-]+)", words):
            low, high = asked["position"]
            minimum_acceleration([0.0], [goal], T, **{**asked, "position": (low - float(number), high + float(number))})
            followed += 1
    assert followed > 20


def test_advice_differs_from_what_was_asked() -> None:
    with pytest.raises(Infeasible, match=r"a rate of 0\.6818 instead of 0\.681698"):
        minimum_acceleration([0.0], [2.0], 5.0, rate=0.681698, acceleration=0.33)
    minimum_acceleration([0.0], [2.0], 5.0, rate=0.6818, acceleration=0.33)
