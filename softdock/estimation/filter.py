"""The interface of both estimators, and the extended Kalman filter under them."""

from collections import Counter
from typing import NamedTuple

import numpy as np

from softdock.estimation import loops
from softdock.estimation.layouts import MOTION
from softdock.estimation.measurement import Checked, Forecast, PoseMeasurement, Update, checked, placed
from softdock.estimation.model import Model, definite, root
from softdock.world import Pose

_MOTION = MOTION.places()


CURVED = 0.05
"""Standard deviation of a forecast's attitude (rad) from which its covariance is that of a sample of motions: taken as
linear, forecasts of 60 s from 10 s of poses were overconfident by an order of magnitude."""
REMEMBERED = 256
"""Times for which forecasts of one estimate are kept: frames, records and planners ask for the same ones."""


class NotStarted(RuntimeError):
    """An estimate was asked for before there was a measurement to make it of."""


class RunAway(RuntimeError):
    """The estimate has left the range of numbers: no motion explains the measurements, or the filter has diverged."""


class Aliased(RunAway):
    """Several spins explain the measurements alike: they are too far apart in time to tell."""


class Estimate(NamedTuple):
    """What is believed of the target at time t; everything of the body is in its measured frame {C}."""

    t: float
    """(s)."""
    position: np.ndarray
    """Of {C} in {A} (m)."""
    quaternion: np.ndarray
    """q_AC (-)."""
    angular_velocity: np.ndarray
    """Inertial, in {C} (rad/s)."""
    center: np.ndarray
    """Centre of mass in {A} (m)."""
    velocity: np.ndarray
    """Of the centre of mass in {A} (m/s)."""
    offset: np.ndarray
    """ρ: from the centre of mass to {C}, in {C} (m)."""
    inertia: np.ndarray
    """(3, 3) about the centre of mass in {C}, of trace 1: its scale cannot be seen (-)."""
    acceleration: np.ndarray = np.zeros(3)
    """Constant disturbing angular acceleration in {C}; zero unless the poses ask for one (rad/s²)."""
    drift: np.ndarray = np.zeros(3)
    """Rate of the offset; zero unless the poses ask for one (m/s)."""


class Filter:
    """`predict`, `update`, `forecast`, `estimate`. Time is a measurement's own stamp: what arrives late is put where it
    belongs, as long as it is later than the one before it."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.accepted = 0
        self.rejected: Counter[str] = Counter()
        """How many measurements were not used, by reason."""
        self.nis = np.nan
        """Of the last measurement that was compared."""
        self._at = -np.inf
        self._x = np.zeros(0)
        self._P = np.zeros((0, 0))
        self._ahead: tuple[float, np.ndarray, np.ndarray] | None = None
        self._foreseen: dict[float, tuple[np.ndarray, np.ndarray]] = {}

    # --- the interface ---------------------------------------------------------------------------

    @property
    def time(self) -> float:
        """Of the estimate: the last `predict`, or the last measurement if it came after."""
        return self._now()[0]

    @property
    def state(self) -> np.ndarray:
        """The model's own numbers at `time` (docs/theory/estimation.md)."""
        return self._now()[1].copy()

    @property
    def covariance(self) -> np.ndarray:
        """Of the errors of `state`."""
        return self._now()[2].copy()

    def predict(self, t: float) -> None:
        """Take the estimate to time t, not before the last measurement used; does nothing before the first."""
        if self._x.size:
            self._ahead = (t, *self._reached(t))
            self._foreseen.clear()

    def update(self, measurement: PoseMeasurement) -> Update:
        """Use a measured pose, or count it as rejected; the estimate is then at its time stamp."""
        got = checked(measurement, self._at)
        if isinstance(got, str):
            self.rejected[got] += 1
            return Update(False, got, np.nan)
        return self._counted(self._use(got))

    def forecast(self, t: float, frame: Pose | None = None) -> Forecast:
        """Pose, velocity and covariance at time t of {C}, or of a grasp frame placed in it."""
        shown, covariance = self._shown_at(t)
        if frame is not None:
            shown, covariance = placed(shown, covariance, frame)
        if not (np.isfinite(shown).all() and np.isfinite(covariance).all()):
            raise RunAway(f"no forecast for t = {t:g} s: the estimate has run away")
        covariance = definite(covariance)
        parts = (
            shown[_MOTION.position],
            shown[_MOTION.quaternion],
            shown[_MOTION.velocity],
            shown[_MOTION.angular_velocity],
        )
        return Forecast(t, *parts, covariance[:6, :6], covariance[6:, 6:])

    def _shown_at(self, t: float) -> tuple[np.ndarray, np.ndarray]:
        """Pose and motion of {C} at time t, and their covariance: found once for all that is asked for there."""
        if t not in self._foreseen:
            shown, covariance = self.model.foreseen(*self._from(t))
            if not covariance[:3, :3].trace() < CURVED**2 and np.isfinite(covariance).all():
                covariance = self.model.scattered(*self._sample(t), shown)
            if len(self._foreseen) >= REMEMBERED:
                self._foreseen.clear()
            self._foreseen[t] = shown, covariance
        return self._foreseen[t]

    def expected(self, t: float) -> np.ndarray:
        """Pose and motion of {C} at time t (layouts.MOTION), as in `forecast`, without a covariance: where only the
        motion is asked for, it takes a fraction of the time."""
        x, _, ahead = self._from(t)
        shown = self.model.expected(x, ahead)
        if not np.isfinite(shown).all():
            raise RunAway(f"no forecast for t = {t:g} s: the estimate has run away")
        return shown

    def estimate(self) -> Estimate:
        """The state at `time`, in plain terms."""
        t, x, _ = self._now()
        return self._estimate_of(t, x)

    # --- inside ----------------------------------------------------------------------------------

    def _use(self, measurement: Checked) -> Update:
        raise NotImplementedError

    def _counted(self, update: Update) -> Update:
        if update.accepted:
            self.accepted += 1
        else:
            self.rejected[str(update.reason)] += 1
        if np.isfinite(update.nis):
            self.nis = update.nis
        return update

    def _now(self) -> tuple[float, np.ndarray, np.ndarray]:
        if not self._x.size:
            raise NotStarted("there is no estimate yet: no measurement has been accepted")
        return self._ahead or (self._at, self._x, self._P)

    def _reached(self, t: float) -> tuple[np.ndarray, np.ndarray]:
        """State and covariance at t."""
        return self.model.propagated(*self._from(t))

    def _from(self, t: float) -> tuple[np.ndarray, np.ndarray, float]:
        """The nearest known state and covariance before t, and how long before."""
        start, x, P = self._now()
        if t < start:
            start, x, P = self._at, self._x, self._P
        if not (np.isfinite(t) and t >= start):
            raise ValueError(f"cannot predict to t = {t:g} s: the last measurement used is of t = {start:g} s")
        return x, P, t - start

    def _sample(self, t: float) -> tuple[np.ndarray, float]:
        """States that the estimate might be at some time before t, and how long before."""
        x, P, ahead = self._from(t)
        return self.model.sampled(x, root(P)), ahead

    def _innovate(self, measurement: Checked, limit: float) -> float:
        """Correct at the measurement's time; its normalised innovation squared."""
        x, P = self._reached(measurement.t)
        R = self.model.noise(x, measurement.covariance)
        nis = float(loops.innovate(self.model.kernels, self.model.theta, x, P, measurement.pose, R, limit))
        if not (np.isfinite(x).all() and np.isfinite(P).all()):  # run away: keep what it was, count what came
            return np.inf
        self._place(measurement.t, x, P)
        return nis

    def _place(self, t: float, x: np.ndarray, P: np.ndarray) -> None:
        self._at, self._x, self._P, self._ahead = t, x, definite(P), None
        self._foreseen.clear()

    def _estimate_of(self, t: float, x: np.ndarray) -> Estimate:
        raise NotImplementedError
