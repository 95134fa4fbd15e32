"""Docking as a Gymnasium environment, over the scenario 'iss-docking':

    gymnasium.make("softdock.scenarios.environments:softdock/Docking-v0")

The arm's servos stay, but their targets are off by an error of calibration that is drawn in each episode and not
observed; an action moves the targets. It ends when the bay's latch takes the payload; it is cut off at the scenario's
duration. With `calibration=0` zero actions are the scenario's own docking.
"""

import itertools
import math
from contextlib import suppress
from typing import Any

import numpy as np
from gymnasium import spaces

from softdock.dynamics import Dynamics, Motion
from softdock.dynamics.trajectory import Impact
from softdock.scenarios import load
from softdock.scenarios.environments import ScenarioEnv, Stepped
from softdock.scenarios.iss_docking.scenario import DOCK, END, JOINTS, IssDocking
from softdock.scenarios.pictures import View

MOST = 0.5
"""Most that an action moves a target (rad)."""
DOCKED = 10.0
"""Reward for docking; on the way it is the metres gained towards the port, less what side impacts cost."""
HIT = 0.01
"""Cost of an impulse (1/(N s)) on the side walls."""
STIFF, DAMPED = 60.0, 80.0
"""Gains (-, s) of the scripted policy."""
MOST_TOUCHES = 20
"""So often in a period the latch tries to take the payload."""


class DockingEnv(ScenarioEnv):
    """Observes joint angles less the docked ones (rad) and their rates (rad/s), and where the payload is in the
    port's frame (m, along the way in and across)."""

    def __init__(
        self,
        render_mode: str | None = None,
        *,
        period: float = 0.1,
        spread: float = 0.01,
        calibration: float = 0.4,
        changes: tuple[str, ...] = (),
    ) -> None:
        """An action every `period` (s); starts are `spread` (rad, standard deviation) about the scenario's, and the
        servos' three targets `calibration` (rad) away from it in any direction; `changes` are as of `softdock run
        --set`."""
        super().__init__(render_mode, period=period, spread=spread, calibration=calibration, changes=changes)
        scenario = load("iss-docking", changes)
        assert isinstance(scenario, IssDocking)
        self._period, self._spread, self._calibration, self._scenario = period, spread, calibration, scenario
        dynamics = self._dynamics = Dynamics(scenario.world)
        self._docked = np.array(scenario.arm.docked)
        self._joints = [dynamics.layout.q[name].start for name in JOINTS]
        self._rates = [dynamics.layout.v[name].start for name in JOINTS]
        self._gains = dynamics.command(position=dict.fromkeys(JOINTS, 1.0))
        self.action_space = spaces.Box(-MOST, MOST, (3,), np.float64)
        self.observation_space = spaces.Box(-np.inf, np.inf, (8,), np.float64)
        self._motion: Motion | None = None
        self._way: list[np.ndarray] | None = None

    def _begin(self) -> dict[str, Any]:
        """All at rest in the turning frame of the orbit."""
        arm = self._scenario.arm
        start = tuple((np.array(arm.start) + self._spread * self.np_random.standard_normal(3)).tolist())
        direction = self.np_random.standard_normal(3)
        self._targets = self._docked + self._calibration * direction / np.linalg.norm(direction)
        scenario = self._scenario.altered_parts(arm=arm.altered(start=start))
        self._motion, self._number = scenario.simulation(self._dynamics).motion, 0
        self._offset = self._offset_now()
        return {"time": 0.0}

    def _advance(self, action: np.ndarray) -> Stepped:
        assert self._motion
        command = self._gains.copy()
        command[self._rates] *= self._targets + action
        self._number += 1
        hits = [hit for hit in self._moved(command, self._number * self._period) if hit.contact != END]
        before, self._offset = self._offset, self._offset_now()
        done, t = DOCK in self._motion.engaged, self._motion.t
        gained = float(np.linalg.norm(before) - np.linalg.norm(self._offset))
        reward = gained + DOCKED * done - HIT * sum(abs(hit.impulse) for hit in hits)
        late = t >= self._scenario.run.duration - self._period / 2
        return Stepped(float(reward), done, late, {"time": t, "impacts": len(hits)})

    def _moved(self, command: np.ndarray, to: float) -> list[Impact]:
        """Under a command to a time (s), or until the latch takes the payload as it touches the end wall."""
        motion, h = self._motion, self._scenario.run.h
        hits: list[Impact] = []
        assert motion
        for touches in itertools.count():
            whole = round(motion.t / h)
            awaited = (END,) if touches < MOST_TOUCHES else ()
            if abs(motion.t - whole * h) < 1e-9 * h:
                steps = round((to - motion.t) / h)
                part = motion.run(steps, command, every=max(steps, 1), stop_at=awaited)
            else:
                part = motion.step_to((math.floor(motion.t / h) + 1) * h, command, stop_at=awaited)
            hits += part.impacts
            if any(hit.contact == END and hit.time == motion.t for hit in part.impacts):
                with suppress(ValueError):  # outside the capture envelope it is an impact like others
                    motion.engage(DOCK)
            if DOCK in motion.engaged or motion.t >= to - h / 2:
                return hits
        raise AssertionError

    def scripted(self) -> np.ndarray:
        """Keeps the joints on the way that they take where nothing is off, by high gains."""
        seen = self._last
        if self._way is None:
            plain = DockingEnv(period=self._period, spread=0.0, calibration=0.0, changes=self._arguments["changes"])
            self._way = [plain.reset(seed=0)[0]]
            while not plain._over:
                self._way.append(plain.step(np.zeros(3))[0])
        off = self._way[min(self._number, len(self._way) - 1)] - seen
        return np.asarray(np.clip(STIFF * off[:3] + DAMPED * off[3:6], -MOST, MOST))

    def _offset_now(self) -> np.ndarray:
        """Where the payload's centre is in the port's frame (m)."""
        assert self._motion
        q = self._motion.q
        R, p = self._dynamics.pose("port", q)
        return np.asarray((self._dynamics.pose("payload", q)[1] - p) @ R)

    def _seen(self) -> np.ndarray:
        assert self._motion
        q, v = self._motion.q, self._motion.v
        return np.concatenate([q[self._joints] - self._docked, v[self._rates], self._offset[:2]])

    def _view(self) -> View:
        assert self._motion
        q = self._motion.q
        R, p = self._dynamics.pose("iss", q)
        return View(self._dynamics, q, R, (p + self._dynamics.pose("port", q)[1]) / 2, 8.0)
