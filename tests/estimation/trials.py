"""Monte Carlo trials of the estimators against softdock's own truth: what studies count and tests sample."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from softdock.estimation import (
    PaperFilter,
    PoseMeasurement,
    RunAway,
    TargetEstimator,
    isotropic,
    nees,
    paper_state,
    pose_error,
)
from softdock.estimation.filter import Filter
from softdock.estimation.model import Model
from softdock.estimation.tumbles import Truth, Tumble, observed, true_motion
from softdock.spatial import quaternion_product
from softdock.world import Pose

DATA, BLIND, PERIOD = 90.0, 20.0, 0.5
KICK = 0.5
SIGMA = (0.005, np.radians(0.5))
PRIOR = np.array([0.001] * 3 + [0.001] * 3 + [0.01] * 2 + [0.004] * 3 + [4e-4] * 3 + [0.004] * 3 + [0.002] * 3)
"""Standard deviations of the paper's filter's start about the truth, in the order of its errors."""

Stream = list[tuple[float, PoseMeasurement]]
"""Measurements with their times of arrival."""


class Trial(NamedTuple):
    """A forecast's error after a blind time."""

    position: float
    angle: float
    nees: float
    """Of the forecast pose (6)."""
    state_nees: float
    rejected: int

    @property
    def failed(self) -> bool:
        return not (self.position <= 0.100 and self.angle <= np.radians(10))


def random_quaternion(rng: np.random.Generator) -> tuple[float, float, float, float]:
    q = rng.normal(size=4)
    return tuple(q / np.linalg.norm(q))


def truth_of(tumble: Tumble, rng: np.random.Generator, data: float = DATA, blind: float = BLIND) -> Truth:
    """The tumble seen with the handle turned at random in the body; the last time is that of the forecast."""
    handle = Pose(position=tumble.handle.position, quaternion=random_quaternion(rng))
    return true_motion(tumble._replace(handle=handle), [*np.arange(0, data + 1e-9, PERIOD), data + blind])


def plain(truth: Truth, rng: np.random.Generator) -> Stream:
    return [(m.t, m) for m in observed(_data(truth), rng)]


def scaled(factor: float) -> Callable[[Truth, np.random.Generator], Stream]:
    """Noise `factor` times what the measurements state."""

    def noise(truth: Truth, rng: np.random.Generator) -> Stream:
        stated = isotropic(*SIGMA)
        seen = observed(_data(truth), rng, position=factor * SIGMA[0], angle=factor * SIGMA[1], covariance=stated)
        return [(m.t, m) for m in seen]

    return noise


def outliers(truth: Truth, rng: np.random.Generator) -> Stream:
    """8 % of the poses are metres away and turned at random."""
    stream = plain(truth, rng)
    for k in np.flatnonzero(rng.random(len(stream)) < 0.08):
        t, m = stream[k]
        wrong = m._replace(position=m.position + rng.normal(0, 1.0, 3), quaternion=random_quaternion(rng))
        stream[k] = (t, wrong)
    return stream


def burst(truth: Truth, rng: np.random.Generator) -> Stream:
    """For 4 s, somewhere in the second half, every pose is metres away and turned at random."""
    stream = plain(truth, rng)
    begin = stream[0][0] + rng.uniform(0.5, 0.9) * (stream[-1][0] - stream[0][0])
    for k, (t, m) in enumerate(stream):
        if begin <= t < begin + 4.0:
            wrong = m._replace(position=m.position + rng.normal(0, 1.0, 3), quaternion=random_quaternion(rng))
            stream[k] = (t, wrong)
    return stream


def lost(truth: Truth, rng: np.random.Generator) -> Stream:
    """Half of the frames do not arrive."""
    return [item for item in plain(truth, rng) if rng.random() < 0.5]


def late(truth: Truth, rng: np.random.Generator) -> Stream:
    """Everything arrives 0.3 s after it was seen, with its stamp."""
    return [(t + 0.3, m) for t, m in plain(truth, rng)]


def flipped(truth: Truth, rng: np.random.Generator) -> Stream:
    """Quaternions of either sign."""
    return [(t, m._replace(quaternion=m.quaternion * rng.choice([-1, 1]))) for t, m in plain(truth, rng)]


def turned_about_far(sizes: tuple[float, float]) -> Callable[[Truth, np.random.Generator], Stream]:
    """Errors of a scanned pose: turns (1 mrad) about a point 2 m away, so that position and rotation together are known
    to 0.1 mm. Noise is `sizes` times the stated: of positions, and of rotations where positions are known."""

    def noise(truth: Truth, rng: np.random.Generator) -> Stream:
        stream = []
        for state in _data(truth).states:
            turn = Rotation.from_quat(state.quaternion, scalar_first=True)
            way = -turn.as_matrix() @ np.cross(np.eye(3), [0.0, 0.0, 2.0])  # what a turn does to the position
            P, C, R = 1e-6 * way @ way.T + 1e-8 * np.eye(3), 1e-6 * way.T, 1e-6 * np.eye(3)
            stated = np.block([[R, C], [C.T, P]])
            own = R - C @ np.linalg.solve(P, C.T)  # of the rotation, where the position is known
            e = sizes[0] * rng.multivariate_normal(np.zeros(3), P)
            d = C @ np.linalg.solve(P, e) + sizes[1] * rng.multivariate_normal(np.zeros(3), own)
            seen = (turn * Rotation.from_rotvec(d)).as_quat(scalar_first=True)
            stream.append((state.t, PoseMeasurement(state.t, state.position + e, seen, stated)))
        return stream

    return noise


STREAMS = {
    "8 % outliers": outliers,
    "4 s of outliers": burst,
    "noise 5 times the stated": scaled(5.0),
    "noise 3 times the stated": scaled(3.0),
    "noise a fifth of the stated": scaled(0.2),
    "half of the frames lost": lost,
    "0.3 s late": late,
    "quaternion signs at random": flipped,
}


# --- targets and sensors that are not as the estimator takes them to be ----------------------------


def disturbed(
    tumble: Tumble, times: np.ndarray, torque: np.ndarray, drift: np.ndarray, walk: np.ndarray | None = None
) -> Truth:
    """The tumble with a constant torque in the body (N m, in {B}) and a centre of mass that moves in it (m/s, in {C}),
    and angular accelerations `walk` (rad/s², in {B}), each for KICK seconds: attitude by SciPy, translation as without.
    """
    truth, I, R_BC = true_motion(tumble, times), np.array(tumble.moments), tumble.handle.rotation
    walk = np.zeros((1, 3)) if walk is None else walk

    (Ix, Iy, Iz), (Tx, Ty, Tz), kicks = I.tolist(), torque.tolist(), walk.tolist()

    def rate(t: float, state: np.ndarray) -> list[float]:
        """Number by number: it is called 60,000 times. The orbit's rate is the last row of R_WB times n."""
        a, x, y, z, wx, wy, wz = state.tolist()
        kx, ky, kz = kicks[min(int(t / KICK), len(kicks) - 1)]
        n = 2 * tumble.n / (a * a + x * x + y * y + z * z)
        rx, ry, rz = (
            wx - n * (x * z - a * y),
            wy - n * (y * z + a * x),
            wz - n * (0.5 * (a * a + z * z - x * x - y * y)),
        )
        turning = (
            -x * rx - y * ry - z * rz,
            a * rx + y * rz - z * ry,
            a * ry + z * rx - x * rz,
            a * rz + x * ry - y * rx,
        )
        gyring = ((Iy - Iz) * wy * wz + Tx) / Ix, ((Iz - Ix) * wz * wx + Ty) / Iy, ((Ix - Iy) * wx * wy + Tz) / Iz
        return [*(0.5 * part for part in turning), gyring[0] + kx, gyring[1] + ky, gyring[2] + kz]

    start = Rotation.from_quat(truth.states[0].quaternion, scalar_first=True) * Rotation.from_matrix(R_BC.T)
    y = np.concatenate([start.as_quat(scalar_first=True), tumble.spin])
    steps = {"rtol": 1e-10, "atol": 1e-12, "method": "DOP853", "max_step": KICK if len(walk) > 1 else np.inf}
    motion = solve_ivp(rate, (0, times[-1]), y, t_eval=times, **steps).y.T
    states = []
    for state, row in zip(truth.states, motion, strict=True):
        turn = Rotation.from_quat(row[:4], scalar_first=True) * Rotation.from_matrix(R_BC)
        offset = state.offset + drift * state.t
        place = {"position": state.center + turn.apply(offset), "quaternion": turn.as_quat(scalar_first=True)}
        states.append(state._replace(offset=offset, angular_velocity=R_BC.T @ row[4:], **place))
    return Truth(tumble, truth.times, tuple(states))


def correlated(truth: Truth, rng: np.random.Generator, seconds: float = 10.0) -> Stream:
    """Noise of the stated size that stays for about 10 s."""
    data = _data(truth)
    keep = np.exp(-np.diff(data.times, prepend=-np.inf) / seconds)
    noise, stream = rng.normal(size=6), []
    for state, rho in zip(data.states, keep, strict=True):
        noise = rho * noise + np.sqrt(1 - rho**2) * rng.normal(size=6)
        turn = Rotation.from_quat(state.quaternion, scalar_first=True) * Rotation.from_rotvec(SIGMA[1] * noise[3:])
        place = state.position + SIGMA[0] * noise[:3], turn.as_quat(scalar_first=True)
        stream.append((state.t, PoseMeasurement(state.t, *place, isotropic(*SIGMA))))
    return stream


def sharp(truth: Truth, rng: np.random.Generator) -> Stream:
    """Poses as good as those of scans: 0.2 mm, 0.3 mrad."""
    return [(m.t, m) for m in observed(_data(truth), rng, position=2e-4, angle=3e-4)]


class Wrong(NamedTuple):
    """What differs from what the estimator assumes; along directions drawn at random."""

    torque: float = 0.0
    """(N m)."""
    drift: float = 0.0
    """(m/s)."""
    walk: float = 0.0
    """Density of a disturbing angular acceleration (rad/s²/√Hz)."""
    stream: Callable[[Truth, np.random.Generator], Stream] = plain
    data: float = DATA
    blind: float = BLIND
    period: float = PERIOD
    spin: tuple[float, float, float] | None = None


WRONG = {
    "leak of 1e-4 N m": Wrong(torque=1e-4),
    "leak of 1e-3 N m": Wrong(torque=1e-3),
    "centre of mass drifts by 1 mm/s": Wrong(drift=1e-3),
    "… by 0.3 mm/s": Wrong(drift=3e-4),
    "… by 0.1 mm/s": Wrong(drift=1e-4),
    "… by 0.05 mm/s": Wrong(drift=5e-5),
    "noise correlated over 10 s": Wrong(stream=correlated),
    "disturbed as much as allowed, poses of 0.2 mm": Wrong(walk=1e-6, stream=sharp),
    "60 s ahead from 10 s": Wrong(data=10.0, blind=60.0),
    "60 s ahead from 20 s": Wrong(data=20.0, blind=60.0),
    "60 s ahead from 30 s": Wrong(data=30.0, blind=60.0),
    "40°/s about the major axis, every 5 s": Wrong(period=5.0, spin=(0.0, np.radians(40), 0.0)),
    "rich tumble, 60°/s": Wrong(spin=tuple(np.radians(60) * np.array([0.08, 0.05, 0.10]) / 0.1375)),
}


def wronged(tumble: Tumble, seed: list[int], wrong: Wrong) -> tuple[Trial, TargetEstimator]:
    """softdock's estimator on what it does not expect."""
    rng = np.random.default_rng(seed)
    handle = Pose(position=tumble.handle.position, quaternion=random_quaternion(rng))
    tumble = tumble._replace(handle=handle, spin=wrong.spin or tumble.spin)
    times = np.array([*np.arange(0, wrong.data + 1e-9, wrong.period), wrong.data + wrong.blind])
    way = rng.normal(size=3)
    way /= np.linalg.norm(way)
    if wrong.torque or wrong.drift or wrong.walk:
        kicks = wrong.walk / np.sqrt(KICK) * rng.normal(size=(int(times[-1] / KICK), 3)) if wrong.walk else None
        truth = disturbed(tumble, times, wrong.torque * way, wrong.drift * way, kicks)
    else:
        truth = true_motion(tumble, times)
    estimator = TargetEstimator(tumble.n)
    feed(estimator, wrong.stream(truth, rng))
    return judged(estimator, truth), estimator


def _data(truth: Truth) -> Truth:
    return Truth(truth.tumble, truth.times[:-1], truth.states[:-1])


def feed(estimator: Filter, stream: Stream) -> None:
    """As a mission would: predict to now, then use what has just arrived, whenever it was seen."""
    for now, measurement in stream:
        estimator.predict(now)
        estimator.update(measurement)


def judged(estimator: Filter, truth: Truth, state_nees: float = np.nan) -> Trial:
    rejected = sum(estimator.rejected.values())
    try:
        forecast, there = estimator.forecast(truth.times[-1]), truth.states[-1]
    except RunAway:
        return Trial(np.inf, np.inf, np.nan, state_nees, rejected)
    error = pose_error((forecast.position, forecast.quaternion), (there.position, there.quaternion))
    angle, distance = np.linalg.norm(error[:3]), np.linalg.norm(error[3:])
    return Trial(float(distance), float(angle), nees(error, forecast.covariance), state_nees, rejected)


def ours(tumble: Tumble, seed: list[int], stream: Callable[..., Stream] = plain, **options: float) -> Trial:
    """softdock's estimator from no guess."""
    rng = np.random.default_rng(seed)
    truth = truth_of(tumble, rng)
    estimator = TargetEstimator(tumble.n, **options)
    feed(estimator, stream(truth, rng))
    return judged(estimator, truth)


def papers(tumble: Tumble, seed: list[int], *, guess: bool = True, turning: bool = True, wide: float = 1.0) -> Trial:
    """The paper's filter from a start drawn around the truth, or from its first measurement.

    `turning` false leaves the orbit's turning out of the attitude's motion, as the paper does; `wide` widens the start.
    """
    rng = np.random.default_rng(seed)
    truth = truth_of(tumble, rng)
    stream = plain(truth, rng)
    if not guess:
        estimator = PaperFilter(tumble.n)
        feed(estimator, stream)
        return judged(estimator, truth)
    x = paper_state(truth.states[0])
    n = tumble.n if turning else 0.0
    sigma = wide * PRIOR
    start = Model("paper", n, 0.0, 0.0).moved(x, rng.normal(0, sigma))
    estimator = PaperFilter(n, t=-1e-9, state=start, covariance=np.diag(sigma**2), torque=0.0, force=0.0)
    feed(estimator, stream)
    error = paper_difference(estimator.state, paper_state(truth.states[-2]))
    return judged(estimator, truth, nees(error, estimator.covariance))


def paper_difference(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The error e of the paper's filter with x ⊕ e = y."""
    back = np.array([1, -1, -1, -1])
    dq = np.array(quaternion_product(tuple(x[:4] * back), tuple(y[:4])))
    deta = np.array(quaternion_product(tuple(y[18:]), tuple(x[18:] * back)))
    return np.concatenate([dq[1:] / dq[0], y[4:18] - x[4:18], deta[1:] / deta[0]])
