"""Any mission as a Gymnasium environment: what is decided in its phases `ms.Policy` is decided by actions.

    gymnasium.make("softdock.scenarios.environments:softdock/Mission-v0", mission="mine.py")

An episode begins when the first such phase does, and goes on to the end of the mission, with all phases between two.
"""

from typing import Any

import numpy as np
from gymnasium import spaces

from softdock.dynamics import Dynamics
from softdock.mission.conductor import Conductor
from softdock.mission.policy import Policy
from softdock.scenarios import load
from softdock.scenarios.environments import ScenarioEnv, Stepped
from softdock.scenarios.mission import Mission
from softdock.scenarios.pictures import View

NO_ROWS = 10**9
"""Nothing is recorded."""
REACHED = 10.0
"""Reward when the mission ends with its goal; on the way it is what the phase's `reward` says."""
AROUND = 1.5
"""Of a picture's height, over the farthest that bodies are apart."""


class MissionEnv(ScenarioEnv):
    """Observes what the phase does, as of the mission's last period."""

    def __init__(self, render_mode: str | None = None, *, mission: str, changes: tuple[str, ...] = ()) -> None:
        """`mission` is a name, a TOML or a Python file; `changes` are as of `softdock run --set`. ValueError if it has
        no phase `ms.Policy`."""
        super().__init__(render_mode, mission=mission, changes=changes)
        scenario = load(mission, changes)
        if not isinstance(scenario, Mission):
            raise ValueError(f"{mission}: is no mission, so it has no phases to decide in")
        self._scenario, self._dynamics = scenario, Dynamics(scenario.world)
        self._decided: np.ndarray | None = None
        self._start(scenario)
        phase = self._asked()
        if phase is None:
            raise ValueError(f"{mission}: came to no phase ms.Policy; it is {self._conductor.outcome().outcome!r}")
        self.action_space = spaces.Box(phase.low, phase.high, dtype=np.float64)
        self.observation_space = spaces.Box(-np.inf, np.inf, phase.observed().shape, np.float64)

    def _start(self, scenario: Mission) -> None:
        self._simulation, self._decided = scenario.simulation(self._dynamics), None
        self._conductor: Conductor = Mission.conductor(self._simulation)
        self._conductor.pupil = self._decide
        self._phase = self._go_on()

    def _decide(self, seen: np.ndarray) -> np.ndarray | None:
        """The action, once."""
        decided, self._decided = self._decided, None
        return decided

    def _asked(self) -> Policy | None:
        """The phase that wants a decision, if there is one now."""
        return self._conductor.deciding

    def _is_late(self) -> bool:
        return self._simulation.t >= self._scenario.run.duration - self._scenario.run.h / 2

    def _run(self, seconds: float) -> None:
        """For so long, or to the end of the run."""
        h = self._simulation.h
        left = round(self._scenario.run.duration / h) - self._simulation.steps
        self._simulation.run(min(round(seconds / h), left) * h, record_every=NO_ROWS)

    def _go_on(self) -> Policy | None:
        """To the next phase that wants a decision, or to the end."""
        while self._asked() is None and self._conductor.ended is None and not self._is_late():
            self._run(self._conductor.period)
        return self._asked()

    def _begin(self) -> dict[str, Any]:
        self._start(self._scenario.episode(self.np_random))
        return {"time": self._simulation.t}

    def _advance(self, action: np.ndarray) -> Stepped:
        phase = self._phase
        if phase is None:
            raise ValueError("the mission ended before anything was to be decided")
        self._decided = action
        self._run(phase.every)
        reward = float(phase.reward())
        self._phase = self._asked() or self._go_on()
        outcome = self._conductor.outcome()
        done = self._conductor.ended is not None
        reached = done and outcome.outcome == self._scenario.goal
        info = {"time": self._simulation.t, "outcome": outcome.outcome, "reason": outcome.reason}
        self._shown = (self._phase or phase).observed()
        return Stepped(reward + REACHED * reached, done, self._is_late(), info)

    def _seen(self) -> np.ndarray:
        return self._phase.observed() if self._phase else self._shown

    def scripted(self) -> np.ndarray:
        """The mission's own policy."""
        phase = self._phase
        assert phase
        return np.clip(np.asarray(phase.own(phase.observed()), float), phase.low, phase.high)

    def _view(self) -> View:
        """From above."""
        q = self._simulation.q
        places = np.array([self._dynamics.pose(body.name, q)[1] for body in self._dynamics.world.bodies])
        far = float(np.ptp(places, axis=0).max())
        return View(self._dynamics, q, np.eye(3), places.mean(axis=0), AROUND * max(far, 1.0))
