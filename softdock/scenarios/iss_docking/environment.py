"""Docking as a Gymnasium environment, over the scenario 'iss-docking':

    gymnasium.make("softdock.scenarios.environments:softdock/Docking-v0")

The arm's servos stay; an action moves their targets away from those of the scenario, so that zero actions are the
scenario's own docking. It ends when the bay's latch takes the payload; it is cut off at the scenario's duration.
"""

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from softdock.dynamics import Dynamics
from softdock.runs.simulation import Simulation
from softdock.scenarios import load
from softdock.scenarios.environments import fitting
from softdock.scenarios.iss_docking.scenario import DOCK, END, JOINTS, IssDocking

MOST = 0.5
"""Most that an action moves a target (rad)."""
DOCKED = 10.0
"""Reward for docking; on the way it is the metres gained towards the port, less what side impacts cost."""
HIT = 0.01
"""Cost of an impulse (1/(N s)) on the side walls."""


class DockingEnv(gymnasium.Env[np.ndarray, np.ndarray]):
    """Observes joint angles less the docked ones (rad) and their rates (rad/s), and where the payload is in the
    port's frame (m, along the way in and across)."""

    metadata: dict[str, Any] = {"render_modes": []}  # noqa: RUF012 (Gymnasium's own way)

    def __init__(
        self,
        render_mode: str | None = None,
        *,
        period: float = 0.1,
        spread: float = 0.01,
        changes: tuple[str, ...] = (),
    ) -> None:
        """An action every `period` (s); starts are `spread` (rad, standard deviation) about the scenario's; `changes`
        are as of `softdock run --set`."""
        scenario = load("iss-docking", changes)
        assert isinstance(scenario, IssDocking)
        self.render_mode, self._period, self._spread, self._scenario = render_mode, period, spread, scenario
        self._dynamics = Dynamics(scenario.world)
        self._docked = np.array(scenario.arm.docked)
        self._joints = [self._dynamics.layout.q[name].start for name in JOINTS]
        self._rates = [self._dynamics.layout.v[name].start for name in JOINTS]
        self.action_space = spaces.Box(-MOST, MOST, (3,), np.float64)
        self.observation_space = spaces.Box(-np.inf, np.inf, (8,), np.float64)
        self._docking: Simulation | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """A new start, all at rest in the turning frame of the orbit."""
        super().reset(seed=seed)
        arm = self._scenario.arm
        start = tuple((np.array(arm.start) + self._spread * self.np_random.standard_normal(3)).tolist())
        scenario = self._scenario.altered_parts(arm=arm.altered(start=start))
        self._docking = scenario.simulation(self._dynamics)
        self._away = self._distance()
        return self._seen(), {"time": 0.0}

    def step(self, action: np.ndarray) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Hold the targets for a period."""
        if self._docking is None:
            raise gymnasium.error.ResetNeeded("call reset before step")
        docking, told = self._docking, len(self._docking.events)
        targets = self._docked + np.clip(fitting(self, action), -MOST, MOST)
        docking.run(self._period, commands=self._dynamics.command(position=dict(zip(JOINTS, targets, strict=True))))
        away, before = self._distance(), self._away
        self._away = away
        hits = [e for e in docking.events[told:] if e["kind"] == "impact" and e["contact"] != END]
        done = DOCK in docking.motion.engaged
        reward = before - away + DOCKED * done - HIT * sum(abs(e["impulse"]) for e in hits)
        late = docking.t >= self._scenario.run.duration - self._period / 2
        return self._seen(), float(reward), done, bool(late and not done), {"time": docking.t, "impacts": len(hits)}

    def _offset(self) -> np.ndarray:
        """Where the payload's centre is in the port's frame (m)."""
        assert self._docking
        R, p = self._dynamics.pose("port", self._docking.motion.q)
        return np.asarray(R.T @ (self._dynamics.pose("payload", self._docking.motion.q)[1] - p))

    def _distance(self) -> float:
        return float(np.linalg.norm(self._offset()))

    def _seen(self) -> np.ndarray:
        assert self._docking
        q, v = self._docking.motion.q, self._docking.motion.v
        return np.concatenate([q[self._joints] - self._docked, v[self._rates], self._offset()[:2]])
