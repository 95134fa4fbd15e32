"""From a wanted wrench to the times for which thrusters are open: least propellant within what valves can do."""

from collections.abc import Sequence

import numpy as np

from softdock.world.thrusters import Thruster

ECONOMY = 1e-3
"""Weight of propellant beside the wrench, in units of a thruster's own impulse."""
WORTH = 0.6
"""Of a valve's least time: what is shorter is owed instead. More than half, so that what a pulse gave too much is not
worth a pulse of the opposite thruster: with a half, both sides fire in turn, period by period (-)."""
AXES = ("+x", "+y", "+z", "-x", "-y", "-z")


class Allocation:
    """Shares a wrench out among the thrusters of one body, period by period.

    The on-times τ (s) of a `period` (s) minimise ½|S(Wτ − w)|² + ε Σ Fᵢτᵢ, 0 ≤ τ ≤ period: a quadratic program,
    solved by DAQP. W holds each thruster's wrench, w is the wanted impulse (N s, N m s), S weighs moments with
    1/`arm` (m). Times below WORTH of a valve's least are not given, those above it are made up to it; what is
    then too much or too little is owed to the next period, up to a period of one thruster.
    """

    def __init__(self, thrusters: Sequence[Thruster], *, period: float, arm: float = 0.5) -> None:
        self.thrusters, self.period = tuple(thrusters), period
        self.W = np.array([thruster.wrench for thruster in thrusters]).T
        """(6, n): N and N m, about the body's origin, in its axes."""
        self._scale = np.array([1.0] * 3 + [1 / arm] * 3)
        self._least = np.array([thruster.least_on_time for thruster in thrusters])
        strongest = max(thruster.thrust for thruster in thrusters)
        S = self.W * self._scale[:, None] / strongest
        ridge = ECONOMY * np.diag([(thruster.thrust / strongest) ** 2 for thruster in thrusters])
        self._H, self._S, self._strongest = S.T @ S + ridge, S, strongest
        self._cost = ECONOMY * np.array([thruster.thrust / strongest for thruster in thrusters])
        self._owed = np.zeros(6)
        self._most_owed = np.array([strongest * period] * 3 + [strongest * period * arm] * 3)
        self.short = 0.0
        """Largest impulse (N s) of a period that was asked for and could not be given."""
        self.missing = np.zeros(6)
        """What could not be given of the last wrench (N, N m)."""
        self._longest = np.full(len(self.thrusters), period)

    def on_times(self, wrench: np.ndarray) -> np.ndarray:
        """Seconds of each in the coming period, for a mean wrench (N, N m)."""
        wanted = np.asarray(wrench) * self.period + self._owed
        exact = self._solved(wanted)
        missing = wanted - self.W @ exact
        self.missing = missing / self.period
        self.short = max(self.short, float(np.linalg.norm(missing[:3])))
        times = np.where(exact < self._least, np.where(exact > WORTH * self._least, self._least, 0.0), exact)
        self._owed = np.clip(wanted - missing - self.W @ times, -self._most_owed, self._most_owed)
        return times

    def shut(self, name: str) -> None:
        """Use a thruster no more."""
        self._longest[[one.name for one in self.thrusters].index(name)] = 0.0

    def _solved(self, impulse: np.ndarray) -> np.ndarray:
        import daqp

        n = len(self.thrusters)
        f = -self._S.T @ (impulse * self._scale / self._strongest) + self._cost * self.period
        zero = np.zeros(n)
        x, _, flag, _ = daqp.solve(self._H, f, np.zeros((0, n)), self._longest, zero, np.zeros(n, dtype=np.int32))
        if flag <= 0:
            raise ValueError(f"thrusters: the allocation has no solution (DAQP says {flag})")
        return np.clip(x, 0.0, self._longest)

    def lacking(self) -> list[str]:
        """Directions in which they cannot push or turn the body, such as "force +x" or "moment -z"."""
        from scipy.optimize import nnls

        found = []
        for what, first in (("force", 0), ("moment", 3)):
            for k, axis in enumerate(AXES):
                want = np.zeros(6)
                want[first + k % 3] = 1.0 if k < 3 else -1.0
                if nnls(self.W / self._strongest, want)[1] > 1e-6:
                    found.append(f"{what} {axis}")
        return found
