"""Four worlds side by side: each moves as it would alone, whatever its neighbours."""

from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from worlds import flying, free_flyer, iss_state, mixed, mixed_state, planar_iss, tumbler

from softdock.dynamics import Dynamics, Motion, StepFailed, Trajectory, revised, rollout
from softdock.world import Orbit, Servo

ARRAYS = ("t", "q", "v", "account")


def alone(dynamics: Dynamics, q: np.ndarray, v: np.ndarray, commands=None, **options) -> Trajectory:
    motion = Motion(dynamics, q, v, h=options["h"], tolerance=options.get("tolerance", 1e-14))
    return motion.run(options["steps"], commands, every=options.get("every", 1), ledger=options.get("ledger", False))


def assert_as_alone(rows: Trajectory, singles: list[Trajectory]) -> None:
    """To 1e-12, as docs/architecture.md says."""
    for k, one in enumerate(singles):
        for name in ARRAYS:
            mine, theirs = getattr(rows, name)[k], getattr(one, name)
            np.testing.assert_allclose(mine, theirs, rtol=1e-12, atol=1e-12 * max(1.0, np.abs(theirs).max(initial=0.0)))


def stations(rng: np.random.Generator, count: int) -> tuple[list[Dynamics], np.ndarray, np.ndarray]:
    """The planar station with other gains, masses and starts each."""
    first = Dynamics(planar_iss(10.0, 2.0))
    worlds = []
    for k in range(count):
        bodies = [
            replace_body(body, 1 + 0.2 * rng.uniform(), Servo(kp=8 + k, kd=1.5 + 0.1 * k))
            for body in first.world.bodies
        ]
        worlds.append(revised(first, first.world.model_copy(update={"bodies": tuple(bodies)})))
    q, v = iss_state(0.02)
    return worlds, q + 0.1 * rng.normal(size=(count, len(q))), v + 0.01 * rng.normal(size=(count, len(v)))


def replace_body(body, factor: float, servo: Servo):
    changes = {"mass": body.mass * factor}
    if getattr(body.joint, "servo", None) is not None:
        changes["joint"] = body.joint.model_copy(update={"servo": servo})
    return body.model_copy(update=changes)


@pytest.mark.parametrize("count", [2, 3, 7])
def test_worlds_with_other_numbers_in_one_batch_move_as_alone(count: int):
    rng = np.random.default_rng(count)
    worlds, q, v = stations(rng, count)
    commands = 0.5 * rng.normal(size=(count, 90, worlds[0].nv))
    options = {"h": 0.02, "steps": 90, "every": 7, "ledger": True}
    rows = rollout(worlds, q, v, commands=commands, threads=1, **options)
    assert rows.q.shape == (count, 12, worlds[0].nq)
    assert_as_alone(rows, [alone(*each, **options) for each in zip(worlds, q, v, commands, strict=True)])


def test_springs_dampers_friction_and_all_kinds_of_joints():
    dynamics = Dynamics(mixed(Orbit(semi_major_axis=7e6, eccentricity=0.1)))
    q, v = mixed_state(dynamics)
    speeds = np.array([0.5, 1.0, 2.0, 4.0, -1.0])[:, None] * v
    options = {"h": 0.01, "steps": 60, "every": 20, "ledger": True}
    assert_as_alone(
        rollout(dynamics, q, speeds, threads=1, **options), [alone(dynamics, q, each, **options) for each in speeds]
    )


def test_a_world_does_not_depend_on_its_neighbours():
    """To the bit: not on which they are, how many, where it stands among them, nor on threads."""
    dynamics = Dynamics(free_flyer(3))
    rng = np.random.default_rng(4)
    q, v = flying(dynamics)
    speeds = v * rng.uniform(-3, 3, size=(11, 1)) + 0.1 * rng.normal(size=(11, dynamics.nv))
    options = {"h": 0.02, "steps": 40, "every": 10}
    all_ = rollout(dynamics, q, speeds, threads=1, **options)
    for chosen in ([6], [3, 8], [10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0], [0, 4, 2, 6, 7], [5, 1, 1, 1]):
        some = rollout(dynamics, q, speeds[chosen], threads=2, **options)
        for name in ARRAYS:
            np.testing.assert_array_equal(getattr(some, name), getattr(all_, name)[chosen])


def test_a_lane_that_does_not_converge_takes_the_step_alone():
    """Steps that turn by over a radian need Newton's own method, which lanes do not have."""
    dynamics = Dynamics(tumbler())
    q, _ = dynamics.state()
    speeds = np.zeros((6, dynamics.nv))
    speeds[:, -3:] = np.array([0.1, 5.0, 12.0, 17.0, 0.3, 14.0])[:, None] * [0.6, 0.64, 0.48]
    motion = Motion(dynamics, q, speeds[3], h=0.1)
    motion.run(20)
    assert motion.counts["exact_newton"] > 0
    options = {"h": 0.1, "steps": 20}
    assert_as_alone(
        rollout(dynamics, q, speeds, threads=1, **options), [alone(dynamics, q, each, **options) for each in speeds]
    )


def test_a_lane_that_fails_says_what_it_says_alone_and_leaves_others_as_they_are():
    dynamics = Dynamics(tumbler())
    q, _ = dynamics.state()
    speeds = np.zeros((5, dynamics.nv))
    speeds[:, -1] = [1.0, 2.0, 30.0, 3.0, 4.0]
    out = Trajectory(*(np.full((5, 10, *more), np.nan) for more in ((), (dynamics.nq,), (dynamics.nv,), (19,))))
    with pytest.raises(StepFailed) as beside:
        rollout(dynamics, q, speeds, h=0.1, steps=10, threads=1, out=out)
    with pytest.raises(StepFailed) as single:
        alone(dynamics, q, speeds[2], h=0.1, steps=10)
    assert str(beside.value) == f"motion 2 of the batch: {single.value}"
    assert len(beside.value.trajectory) == len(single.value.trajectory)
    fine = [0, 1, 3, 4]
    assert_as_alone(
        Trajectory(*(getattr(out, name)[fine] for name in ARRAYS)),
        [alone(dynamics, q, speeds[k], h=0.1, steps=10) for k in fine],
    )


def test_servos_that_steps_cannot_resolve_move_as_alone():
    first = Dynamics(planar_iss(10.0, 2.0))
    stiff = [first]
    for kd in (3000.0, 2.5):
        bodies = tuple(replace_body(body, 1.0, Servo(kp=20.0, kd=kd)) for body in first.world.bodies)
        stiff.append(revised(first, first.world.model_copy(update={"bodies": bodies})))
    q, v = iss_state(0.05)
    options = {"h": 0.5, "steps": 20}
    assert any(Dynamics(world.world).plant.settling["fast"].max() * 0.5 > 2 for world in stiff)
    assert_as_alone(rollout(stiff, q, v, threads=1, **options), [alone(world, q, v, **options) for world in stiff])


@pytest.mark.parametrize("steps", [0, 1, 2])
def test_few_steps(steps: int):
    dynamics = Dynamics(free_flyer(3))
    q, v = flying(dynamics)
    rows = rollout(dynamics, np.tile(q, (3, 1)), v, h=0.01, steps=steps)
    assert rows.q.shape == (3, steps, dynamics.nq)
    assert_as_alone(rows, 3 * [alone(dynamics, q, v, h=0.01, steps=steps)])


def test_rows_go_into_the_callers_arrays_in_the_callers_threads():
    dynamics = Dynamics(free_flyer(3))
    q, v = flying(dynamics)
    speeds = v * np.linspace(1, 2, 9)[:, None]
    options = {"h": 0.01, "steps": 20, "every": 5}
    before = rollout(dynamics, q, speeds, **options)
    out = Trajectory(*(np.full_like(getattr(before, name), np.nan) for name in ARRAYS))
    with ThreadPoolExecutor(2) as pool:
        rows = rollout(dynamics, q, speeds, pool=pool, out=out, **options)
    for name in ARRAYS:
        assert np.shares_memory(getattr(rows, name), getattr(out, name))
        np.testing.assert_array_equal(getattr(out, name), getattr(before, name))
    one = Trajectory(*(np.full_like(getattr(before, name)[0], np.nan) for name in ARRAYS))
    rollout(dynamics, q, speeds[0], out=one, **options)
    np.testing.assert_array_equal(one.q, before.q[0])


@pytest.mark.parametrize("threads", [0, -1, 1.5, "two"])
def test_threads_are_a_whole_number(threads):
    dynamics = Dynamics(free_flyer(3))
    q, v = flying(dynamics)
    with pytest.raises(ValueError, match="threads must be a whole number from 1 on"):
        rollout(dynamics, q, v[None], h=0.01, steps=4, threads=threads)


def test_arrays_that_rows_do_not_fit_and_processes_are_refused():
    dynamics = Dynamics(free_flyer(3))
    q, v = flying(dynamics)
    rows = rollout(dynamics, q, v[None], h=0.01, steps=4)
    wrong = {
        r"out\.q .* array \(1, 4, 10\), not float64 \(1, 4, 9\)": replace(rows, q=rows.q[..., :-1].copy()),
        r"out\.v .* not float32": replace(rows, v=rows.v.astype(np.float32)),
        r"out\.t .* not list": replace(rows, t=[0.0]),
        r"out\.account .* not float64 \(1, 4, 19\)": replace(rows, account=np.asfortranarray(rows.account)),
    }
    for message, out in wrong.items():
        with pytest.raises(ValueError, match=message):
            rollout(dynamics, q, v[None], h=0.01, steps=4, out=out)
    with ProcessPoolExecutor(1) as pool, pytest.raises(ValueError, match="of threads"):
        rollout(dynamics, q, v[None], h=0.01, steps=4, pool=pool)


def test_arrays_that_would_lose_a_part_are_refused():
    dynamics = Dynamics(free_flyer(3))
    q, v = flying(dynamics)
    for lossy in (v + 1j, np.ma.array(v, mask=v > 0)):
        with pytest.raises(ValueError, match="v must be an array of real numbers without a mask"):
            rollout(dynamics, q, lossy, h=0.01, steps=2)
        with pytest.raises(ValueError, match="commands must be an array of real numbers"):
            rollout(dynamics, q, v[None], h=0.01, steps=2, commands=lossy)


def test_in_the_callers_threads_all_have_ended_when_one_fails():
    """Nothing is written to the caller's arrays afterwards."""
    dynamics = Dynamics(tumbler())
    q, _ = dynamics.state()
    speeds = np.zeros((12, dynamics.nv))
    speeds[:, -1] = [30.0] + 11 * [1.0]
    shapes = ((), (dynamics.nq,), (dynamics.nv,), (19,))
    out = Trajectory(*(np.full((12, 1, *more), np.nan) for more in shapes))
    with ThreadPoolExecutor(1) as pool:
        with pytest.raises(StepFailed):
            rollout(dynamics, q, speeds, h=0.1, steps=2000, every=2000, threads=3, pool=pool, out=out)
        assert np.isfinite(out.q[4:]).all()
