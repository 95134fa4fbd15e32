"""One state or many give the same numbers, and arrays that make no sense are refused."""

import copy
import pickle
import threading
import time

import numpy as np
import pytest
from worlds import ISS_ORBIT, mixed, random_state

from softdock.dynamics import Dynamics, Motion, Trajectory, reference, rollout
from softdock.world import Body, Pose, Revolute, World


@pytest.fixture(scope="module")
def dynamics() -> Dynamics:
    return Dynamics(mixed(ISS_ORBIT))


@pytest.fixture(scope="module")
def states(dynamics: Dynamics) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    rows = [random_state(dynamics, rng) for _ in range(4)]
    return np.array([q for q, _ in rows]), np.array([v for _, v in rows])


def test_a_batch_is_its_single_states(dynamics: Dynamics, states: tuple[np.ndarray, np.ndarray]) -> None:
    q, v = states
    a = np.random.default_rng(1).normal(size=v.shape)
    times = np.array([0.0, 10.0, 200.0, 3000.0])
    batches = {
        "mass_matrix": (dynamics.mass_matrix(q), lambda k: dynamics.mass_matrix(q[k])),
        "inverse": (
            dynamics.inverse_dynamics(q, v, a, times),
            lambda k: dynamics.inverse_dynamics(q[k], v[k], a[k], times[k]),
        ),
        "forward": (
            dynamics.forward_dynamics(q, v, a, times),
            lambda k: dynamics.forward_dynamics(q[k], v[k], a[k], times[k]),
        ),
        "momenta": (dynamics.momenta(q, v), lambda k: dynamics.momenta(q[k], v[k])),
        "rates": (dynamics.rates(q, v), lambda k: dynamics.rates(q[k], v[k])),
        "jacobian": (dynamics.jacobian("tip", q), lambda k: dynamics.jacobian("tip", q[k])),
        "rotation": (dynamics.pose("tip", q)[0], lambda k: dynamics.pose("tip", q[k])[0]),
        "position": (dynamics.pose("tip", q)[1], lambda k: dynamics.pose("tip", q[k])[1]),
    }
    for name, (batch, single) in batches.items():
        np.testing.assert_array_equal(batch, [single(k) for k in range(4)], err_msg=name)
    balance = dynamics.balance(q, v, times)
    for k in range(4):
        one = dynamics.balance(q[k], v[k], times[k])
        for name in (
            "kinetic",
            "gravity",
            "spring",
            "momentum",
            "angular_momentum",
            "center",
            "internal",
            "centroidal_angular_momentum",
        ):
            np.testing.assert_array_equal(getattr(balance, name)[k], getattr(one, name), err_msg=name)


def test_one_argument_may_be_shared_by_a_batch_of_another(
    dynamics: Dynamics, states: tuple[np.ndarray, np.ndarray]
) -> None:
    q, v = states
    shared = dynamics.inverse_dynamics(q[0], v, np.zeros(dynamics.nv))
    for k in range(4):
        np.testing.assert_array_equal(shared[k], dynamics.inverse_dynamics(q[0], v[k], np.zeros(dynamics.nv)))


def test_commands_may_be_a_batch_at_one_state(dynamics: Dynamics, states: tuple[np.ndarray, np.ndarray]) -> None:
    q, v = states
    commands = np.random.default_rng(2).normal(size=(3, dynamics.nv))
    a = dynamics.forward_dynamics(q[0], v[0], commands)
    assert a.shape == commands.shape
    for k in range(3):
        np.testing.assert_array_equal(a[k], dynamics.forward_dynamics(q[0], v[0], commands[k]))


def test_lists_and_strided_arrays_are_taken(dynamics: Dynamics, states: tuple[np.ndarray, np.ndarray]) -> None:
    q, v = states[0][0], states[1][0]
    a = np.linspace(-1, 1, dynamics.nv)
    plain = dynamics.inverse_dynamics(q, v, a)
    np.testing.assert_array_equal(dynamics.inverse_dynamics(list(q), list(v), list(a)), plain)
    np.testing.assert_array_equal(dynamics.inverse_dynamics(np.repeat(q, 2)[::2], v, np.repeat(a, 3)[::3]), plain)


def test_quaternions_need_not_be_of_unit_length(dynamics: Dynamics, states: tuple[np.ndarray, np.ndarray]) -> None:
    q = states[0][0]
    longer = q.copy()
    for k in dynamics.layout.quaternions():
        longer[k : k + 4] *= 2.5
    np.testing.assert_allclose(dynamics.mass_matrix(longer), dynamics.mass_matrix(q), rtol=1e-14, atol=1e-14)


SMALL = {
    "mass_matrix": 1,
    "inverse_dynamics": 3,
    "forward_dynamics": 3,
    "momenta": 2,
    "rates": 2,
    "balance": 2,
    "linearise": 3,
}


@pytest.mark.parametrize("method", SMALL)
@pytest.mark.parametrize("size", [-1, +1])
def test_a_wrong_shape_is_refused_by_name(dynamics: Dynamics, states, method: str, size: int) -> None:
    q, v = states[0][0], states[1][0]
    right = [q, v, np.zeros(dynamics.nv)][: SMALL[method]]
    for k, name in enumerate(["q", "v", "a|command"][: SMALL[method]]):
        wrong = [np.resize(x, x.size + size) if i == k else x for i, x in enumerate(right)]
        with pytest.raises(ValueError, match=rf"({name}) must have shape"):
            getattr(dynamics, method)(*wrong)


def test_velocity_and_acceleration_of_the_same_wrong_size_are_refused(dynamics: Dynamics, states) -> None:
    longer = np.zeros(dynamics.nv + 1)
    with pytest.raises(ValueError, match="must have shape"):
        dynamics.inverse_dynamics(states[0][0], longer, longer)


@pytest.mark.parametrize("method", [m for m in SMALL if m != "inverse_dynamics"])
def test_not_a_number_is_refused(dynamics: Dynamics, states, method: str) -> None:
    right = [states[0][0], states[1][0], np.zeros(dynamics.nv)][: SMALL[method]]
    for k in range(SMALL[method]):
        wrong = [x + np.nan * (i == k) if i == k else x for i, x in enumerate(right)]
        with pytest.raises(ValueError, match="not finite"):
            getattr(dynamics, method)(*wrong)


def test_a_zero_quaternion_is_refused(dynamics: Dynamics, states) -> None:
    q = states[0][0].copy()
    q[3:7] = 0.0
    with pytest.raises(ValueError, match=r"q\[3:7\] has zero norm"):
        dynamics.mass_matrix(q)


def test_batches_of_different_length_are_refused(dynamics: Dynamics, states) -> None:
    with pytest.raises(ValueError, match="batch axes differ"):
        dynamics.momenta(states[0], states[1][:3])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"order": 3}, "order must be one of"),
        ({"order": 8}, "order must be one of"),
        ({"h": 0.0}, "h must be a positive number"),
        ({"h": -0.1}, "h must be a positive number"),
        ({"h": np.nan}, "h must be a positive number"),
    ],
)
def test_a_motion_of_no_sense_is_refused(dynamics: Dynamics, states, change: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Motion(dynamics, states[0][0], states[1][0], **{"h": 0.1, **change})


def test_runs_of_no_sense_are_refused(dynamics: Dynamics, states) -> None:
    motion = Motion(dynamics, states[0][0], states[1][0], h=0.1)
    with pytest.raises(ValueError, match="steps must be a whole number from 0"):
        motion.run(-1)
    with pytest.raises(ValueError, match="every a positive one"):
        motion.run(2, every=0)
    with pytest.raises(ValueError, match="1 or 5 rows, not 3"):
        motion.run(5, np.zeros((3, dynamics.nv)))
    with pytest.raises(ValueError, match="commands has a value that is not finite"):
        motion.run(5, np.full(dynamics.nv, np.inf))
    with pytest.raises(ValueError, match="use rollout for a batch"):
        motion.place(states[0], states[1])
    with pytest.raises(ValueError, match="increasing"):
        reference(dynamics, states[0][0], states[1][0], [0.0, 0.0])


def test_an_unknown_name_is_refused_with_the_nearest(dynamics: Dynamics) -> None:
    with pytest.raises(ValueError, match="no frame 'tipp'; did you mean 'tip'"):
        dynamics.pose("tipp", dynamics.layout.neutral())
    with pytest.raises(ValueError, match="no body 'b11'; did you mean 'b1'"):
        dynamics.command(force={"b11": 1.0})
    with pytest.raises(ValueError, match="'b7' has no servo with kp > 0"):
        dynamics.command(position={"b7": 1.0})


def test_a_command_is_target_rate_and_force_of_the_servo(dynamics: Dynamics) -> None:
    v = dynamics.layout.v
    command = dynamics.command(position={"b1": 2.0}, rate={"b1": 0.5}, force={"b1": 0.1, "b0": np.arange(6.0)})
    assert command[v["b1"]] == pytest.approx(4.0 * 2.0 + 1.5 * 0.5 + 0.1)
    np.testing.assert_array_equal(command[v["b0"]], np.arange(6.0))
    table = dynamics.command(position={"b1": np.linspace(0, 1, 5)})
    assert table.shape == (5, dynamics.nv)
    np.testing.assert_allclose(table[:, v["b1"]].ravel(), 4.0 * np.linspace(0, 1, 5))


def test_a_joint_that_nothing_resists_is_named() -> None:
    rod = Body(name="rod", joint=Revolute(axis=(1, 0, 0)), mass=2.0, center=(0.5, 0, 0), inertia=(0.0, 0.1, 0.1))
    with pytest.raises(ValueError, match="mass matrix is singular at 'rod'"):
        Dynamics(World(bodies=(rod,)))
    twin = (
        Body(name="arm", joint=Revolute(axis=(0, 0, 1)), mass=2.0, center=(0.5, 0, 0), inertia=(0.1, 0.1, 0.1)),
        Body(name="spare", parent="arm", joint=Revolute(axis=(0, 0, 1)), placement=Pose(), mass=1.0),
    )
    with pytest.raises(ValueError, match="mass matrix is singular at 'spare'"):
        Dynamics(World(bodies=twin))


def test_a_rollout_of_many_is_each_of_them(dynamics: Dynamics, states) -> None:
    q, v = states[0], 0.2 * states[1]
    commands = np.random.default_rng(5).normal(size=(30, dynamics.nv))
    keys = {"h": 0.02, "steps": 30, "order": 4, "commands": commands, "every": 10, "ledger": True}
    many = rollout(dynamics, q, v, **keys)
    assert many.q.shape == (4, 3, dynamics.nq)
    for k in range(4):
        one = rollout(dynamics, q[k], v[k], **keys)
        for name in ("t", "q", "v", "account"):
            np.testing.assert_array_equal(getattr(many, name)[k], getattr(one, name), err_msg=name)


def test_a_table_of_commands_is_one_row_a_step(dynamics: Dynamics, states) -> None:
    q, v = states[0][0], 0.2 * states[1][0]
    commands = np.random.default_rng(6).normal(size=(12, dynamics.nv))
    table = rollout(dynamics, q, v, h=0.02, steps=12, commands=commands)
    motion = Motion(dynamics, q, v, h=0.02)
    one_by_one = [motion.run(1, row) for row in commands]
    np.testing.assert_array_equal(table.q, np.concatenate([part.q for part in one_by_one]))
    held = rollout(dynamics, q, v, h=0.02, steps=12, commands=commands[0])
    same = rollout(dynamics, q, v, h=0.02, steps=12, commands=np.tile(commands[0], (12, 1)))
    np.testing.assert_array_equal(held.q, same.q)


def test_the_same_run_twice_gives_the_same_bits(dynamics: Dynamics, states) -> None:
    runs = []
    for _ in range(2):
        fresh = Dynamics(dynamics.world)
        runs.append(rollout(fresh, states[0][1], 0.3 * states[1][1], h=0.01, steps=200, order=6, ledger=True))
    for name in ("t", "q", "v", "account"):
        assert getattr(runs[0], name).tobytes() == getattr(runs[1], name).tobytes()


def test_rows_kept_every_so_often_are_rows_of_the_whole(dynamics: Dynamics, states) -> None:
    q, v = states[0][0], 0.2 * states[1][0]
    whole = rollout(dynamics, q, v, h=0.02, steps=20)
    some = rollout(dynamics, q, v, h=0.02, steps=20, every=6)
    np.testing.assert_array_equal(some.q, whole.q[5::6])
    np.testing.assert_array_equal(some.t, whole.t[5::6])


@pytest.mark.parametrize("tolerance", [np.nan, np.inf, 0.0, -1e-14, 1.1e-6, 0.1])
def test_a_tolerance_that_solves_nothing_is_refused(dynamics: Dynamics, states, tolerance: float) -> None:
    with pytest.raises(ValueError, match="tolerance must be above 0 and at most 1e-06"):
        Motion(dynamics, states[0][0], states[1][0], h=0.01, tolerance=tolerance)


@pytest.mark.parametrize("steps", [10**30, 10**9 + 1, -1, 2.0, np.nan, None, "3"])
def test_steps_that_nobody_means_are_refused(dynamics: Dynamics, states, steps: object) -> None:
    with pytest.raises(ValueError, match="steps must be a whole number from 0 to 1000000000"):
        Motion(dynamics, states[0][0], states[1][0], h=0.01).run(steps)  # type: ignore[arg-type]


@pytest.mark.parametrize("change", [copy.copy, copy.deepcopy, pickle.dumps])
def test_a_motion_cannot_be_copied(dynamics: Dynamics, states, change) -> None:
    with pytest.raises(TypeError, match="a motion cannot be copied or pickled; make another"):
        change(Motion(dynamics, states[0][0], states[1][0], h=0.01))


def test_a_motion_is_for_one_thread_at_a_time(dynamics: Dynamics, states) -> None:
    """While one thread runs it, whatever another asks for is refused; then the motion is as if nobody had asked."""
    q, v = states[0][0], 0.1 * states[1][0]
    motion, alone = (Motion(dynamics, q, v, h=1e-4) for _ in range(2))
    motion.run(0), alone.run(150_000, every=150_000)
    running = threading.Event()

    def run() -> None:
        running.set()
        motion.run(150_000, every=150_000)

    thread = threading.Thread(target=run)
    thread.start()
    running.wait()
    time.sleep(0.02)
    for use in (lambda: motion.run(1), lambda: motion.place(q, v), lambda: motion.v, motion.gaps):
        with pytest.raises(ValueError, match="another thread is using this motion; give each thread a motion of its"):
            use()
    thread.join()
    assert motion.q.tobytes() == alone.q.tobytes()


def test_rows_are_written_where_they_are_wanted(dynamics: Dynamics, states) -> None:
    q, v = states[0][0], states[1][0]
    wanted = Motion(dynamics, q, v, h=0.01).run(20, every=5, ledger=True)
    room = Trajectory(*(np.full((7, *part.shape[1:]), np.nan) for part in _states(wanted)))
    rows = Motion(dynamics, q, v, h=0.01).run(20, every=5, ledger=True, out=room)
    for row, there, right in zip(_states(rows), _states(room), _states(wanted), strict=True):
        assert row.base is there
        np.testing.assert_array_equal(there[:4], right)
        assert np.isnan(there[4:]).all()


def test_room_for_rows_of_the_wrong_kind_is_refused(dynamics: Dynamics, states) -> None:
    motion = Motion(dynamics, states[0][0], states[1][0], h=0.01)
    t, q, v, account = (np.empty((3, *part.shape[1:])) for part in _states(motion.run(1)))
    for out in (
        Trajectory(t[:2], q, v, account),
        Trajectory(t, q[:, :-1], v, account),
        Trajectory(t, q, v.astype(np.float32), account),
        Trajectory(t, q, np.empty((3, 2 * v.shape[1]))[:, ::2], account),
    ):
        with pytest.raises(ValueError, match="out: 3 rows of float64 are needed"):
            motion.run(3, out=out)
    for at in (-1, 1):
        with pytest.raises(ValueError, match=f"out: 3 rows of float64 are needed from row {at} on"):
            motion.run(3, out=Trajectory(t, q, v, account), at=at)


def test_rows_go_on_where_those_before_ended(dynamics: Dynamics, states) -> None:
    """Also after a change of place, and within a step."""
    q, v = states[0][0], states[1][0]
    wanted = Motion(dynamics, q, v, h=0.01).run(6)
    room, other = (Trajectory(*(np.full((5, *x.shape[1:]), np.nan) for x in _states(wanted))) for _ in range(2))
    motion = Motion(dynamics, q, v, h=0.01)
    motion.run(2, out=room, at=1)
    motion.run(3, out=other)
    motion.step_to(motion.t + motion.h, out=room, at=4)
    for there, elsewhere, right in zip(_states(room), _states(other), _states(wanted), strict=True):
        np.testing.assert_array_equal(there[1:3], right[:2])
        np.testing.assert_array_equal(elsewhere[:3], right[2:5])
        np.testing.assert_allclose(there[4], right[5], rtol=1e-12, atol=1e-14)
        assert np.isnan(there[[0, 3]]).all()


def _states(rows: Trajectory) -> tuple[np.ndarray, ...]:
    return rows.t, rows.q, rows.v, rows.account
