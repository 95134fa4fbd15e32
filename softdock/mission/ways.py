"""Ways to stand beside a tumbling target: at a fixed side, circling about its angular momentum, or turning with it.

Each leads a frame C, which the chaser follows (`Formation`). The target's attitude is D = R_AB R_BS; while the arm
works, C may be turned away from it by no more than `aside`, which the arm makes up for. A fixed side costs nothing to
stay at, circling a constant turn; turning with the target is possible whatever it does.
"""

from typing import Literal, NamedTuple

import numpy as np

from softdock.mission.formation import DIFFERENCE, Lead, Limits, caught_up
from softdock.mission.tracker import TargetTracker
from softdock.spatial import matrix_of_vector, vector_of_matrix

Name = Literal["fixed", "circle", "body"]
WAYS: tuple[Name, ...] = ("fixed", "body")
"""Those that are tried, in this order. (Circling took as much thrust as turning with the target, or more.)"""
AHEAD = 120.0
"""How long catching up may take (s)."""
EVERY = 3.0
"""Between two moments that are compared (s)."""
CATCHING_UP = (15.0, 25.0, 35.0, 50.0, 70.0, 90.0, 120.0)
"""How long catching up with a steady lead may take: the first that suffices (s)."""
ANCHOR = 0.8
"""Share of the arm's work after which C and D are the same: when the gripper closes."""
SPARE = 1.2
"""Thrust that catching up sooner may take, of the least (-)."""
BEHIND = np.array([-1.0, 0.0, 0.0])
"""Where the chaser is in C, for a radius of 1 m."""


class Task(NamedTuple):
    """What the chaser is to do beside the target."""

    R_BS: np.ndarray
    """Its attitude against the target's (-)."""
    settling: float
    """From when it has caught up until the arm begins (s)."""
    work: float
    """How long the arm works (s)."""
    aside: float
    """How far C may be turned from D meanwhile (rad)."""
    patience: float
    """How long it may wait before it follows (s)."""


class Way(NamedTuple):
    """A way that was found."""

    name: Name
    lead: Lead
    begins: float
    """When to follow it (s)."""
    opens: float
    """When the arm may begin (s)."""


class Sight:
    """The forecast of D from a time on for `ahead` (s), and what follows from it."""

    def __init__(self, nav: TargetTracker, task: Task, t: float, ahead: float) -> None:
        self.nav, self.task, self.t = nav, task, t
        lead = turning_with(nav, task, t).lead
        self.D = np.array([lead(t + DIFFERENCE * k) for k in range(round(ahead / DIFFERENCE) + 2)])
        self.rates = vector_of_matrix(np.swapaxes(self.D[:-1], 1, 2) @ self.D[1:]) / DIFFERENCE
        turning = np.einsum("kij,kj->ki", self.D[:-1], self.rates)
        self.turning = turning.mean(axis=0)
        """Mean angular velocity in A (rad/s): of a body without torque it is along its angular momentum."""

    def turned(self, lead: Lead, opens: float) -> float:
        """The largest angle between a lead and D while the arm works (rad)."""
        first = round((opens - self.t) / DIFFERENCE)
        window = self.D[first : first + round(self.task.work / DIFFERENCE) + 1]
        leads = np.array([lead(opens + DIFFERENCE * k) for k in range(len(window))])
        cosines = (np.einsum("kij,kij->k", leads, window) - 1) / 2
        return float(np.arccos(np.clip(cosines.min(), -1.0, 1.0)))

    def arrival(self, lead: Lead, R: np.ndarray, begin: int, limits: Limits, latest: float) -> tuple[float, float]:
        """When C, at rest at R until the moment `begin`, has caught up with a lead (s), and the change of velocity that
        this takes at a radius of 1 m (m/s); both infinite if not until `latest` (s)."""
        C, w, k, spent = R, np.zeros(3), begin, 0.0
        step, t = DIFFERENCE, self.t
        D = [lead(t + step * (begin + i)) for i in (0, 1, 2)]
        while t + step * k < latest:
            rate, later = (vector_of_matrix(D[i].T @ D[i + 1]) / step for i in (0, 1))
            seen = C.T @ D[0]
            if np.linalg.norm(vector_of_matrix(seen)) < 0.03 and np.linalg.norm(w - seen @ rate) < 0.01:
                return t + step * k, spent
            C, w, alpha = caught_up(C, w, (D[0], rate, (later - rate) / step), limits, step)
            spent += step * float(np.linalg.norm(np.cross(alpha, BEHIND) + np.cross(w, np.cross(w, BEHIND))))
            k += 1
            D = [D[1], D[2], lead(t + step * (k + 2))]
        return np.inf, np.inf

    def steady(self, name: Name, turning: np.ndarray, R: np.ndarray, limits: Limits) -> Way | None:
        """A lead that turns evenly (rad/s, in A), soonest, followed no longer than is needed. None if it is nowhere
        near enough to D for long enough, or not reached in time."""
        task, t = self.task, self.t
        for k in range(0, round((task.patience + AHEAD) / EVERY)):
            opens = t + task.settling + EVERY * k
            anchor = opens + ANCHOR * task.work
            at = round((anchor - t) / DIFFERENCE)
            if at + (1 - ANCHOR) * task.work / DIFFERENCE >= len(self.D) - 1:
                return None
            lead = even(turning, self.D[at], t + DIFFERENCE * at)
            if self.turned(lead, opens) > task.aside:
                continue
            arrive = opens - task.settling
            for seconds in CATCHING_UP:
                begin = round((arrive - seconds - t) / DIFFERENCE)
                if begin >= 0 and self.arrival(lead, R, begin, limits, arrive)[0] < np.inf:
                    return Way(name, lead, t + DIFFERENCE * begin, opens)
        return None

    def wait(self, R: np.ndarray, limits: Limits) -> float:
        """How long to wait (s) at the attitude R before following D: of the moments from which catching up takes little
        thrust (`SPARE`), the one from which it is there soonest. The soonest of all may take four times the thrust."""
        latest = self.t + self.task.patience + AHEAD - 2 * DIFFERENCE
        moments = range(0, round(self.task.patience / DIFFERENCE), round(EVERY / DIFFERENCE))
        found = [(*self.arrival(self._sampled, R, k, limits, latest), DIFFERENCE * k) for k in moments]
        enough = SPARE * min(spent for _, spent, _ in found)
        return min((arrived, wait) for arrived, spent, wait in found if spent <= enough)[1]

    def _sampled(self, t: float) -> np.ndarray:
        return np.asarray(self.D[min(round((t - self.t) / DIFFERENCE), len(self.D) - 1)])


def turning_with(nav: TargetTracker, task: Task, begins: float) -> Way:
    """The way that turns with the target, followed from a time (s) on."""
    return Way("body", lambda t: np.asarray(nav.body_at(t).rotation @ task.R_BS), begins, -np.inf)


def even(turning: np.ndarray, R: np.ndarray, at: float) -> Lead:
    """A frame that is R at a time (s) and turns with the angular velocity `turning` (rad/s, in A)."""
    return lambda t: np.asarray(matrix_of_vector((t - at) * turning) @ R)


def best_way(
    nav: TargetTracker, task: Task, R: np.ndarray, t: float, limits: Limits, ways: tuple[Name, ...] = WAYS
) -> Way:
    """The first of some `ways` that the forecast allows, from the attitude R at time t on; turning with the target, if
    it allows none."""
    sight = Sight(nav, task, t, ahead=task.patience + AHEAD + task.settling + task.work)
    for name in ways:
        if name == "body":
            break
        turning = sight.turning if name == "circle" else np.zeros(3)
        if found := sight.steady(name, turning, R, limits):
            return found
    return turning_with(nav, task, t + sight.wait(R, limits))
