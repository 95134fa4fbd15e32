"""One's own mission as a Gymnasium environment: whoever steps it decides for the mission's `Agent`.

gymnasium.make("softdock.scenarios.environments:softdock/Mission-v0", mission="mine.py")
"""

from typing import Any

import numpy as np
from gymnasium import spaces

from softdock.mission.agent import Agent
from softdock.runs.simulation import Simulation
from softdock.scenarios import load
from softdock.scenarios.environments import ScenarioEnv, Stepped
from softdock.scenarios.mission import Mission
from softdock.scenarios.pictures import View
from softdock.scenarios.runner import Runner
from softdock.spatial import matrix_of_quaternion, quaternion_of_rpy

GOAL = 10.0
"""Reward for a mission that ends with its goal."""


class MissionEnv(ScenarioEnv):
    """A mission until its agent is asked, and on from there by every action; it ends with the mission. Rewards are
    those of `Decide`, and GOAL for the mission's goal; every episode has its own `run.seed`."""

    def __init__(self, render_mode: str | None = None, *, mission: str, changes: tuple[str, ...] = ()) -> None:
        """`mission` is a file or a name; `changes` are as of `softdock run --set`."""
        super().__init__(render_mode, mission=mission, changes=changes)
        self._mission, self._changes = mission, list(changes)
        self._simulation, agent = self._made(0)
        self._agent, self._paid = agent, 0.0
        self.action_space = spaces.Box(agent.low, agent.high, dtype=np.float64)
        self.observation_space = spaces.Box(-np.inf, np.inf, (agent.observed,), np.float64)

    def _made(self, seed: int) -> tuple[Simulation, Agent]:
        scenario = load(self._mission, [*self._changes, f"run.seed={seed}"])
        if not isinstance(scenario, Mission):
            raise ValueError(f"{self._mission} is no mission: it has no parts and phases")
        self._scenario = scenario
        simulation = Runner(scenario).simulation
        self._conductor = scenario.conductor(simulation)
        agents = [part for part in self._conductor.parts.values() if isinstance(part, Agent)]
        if len(agents) != 1:
            raise ValueError(f"{self._mission}: an environment is of a mission with one ms.Agent, not {len(agents)}")
        agents[0].is_stepped = True
        return simulation, agents[0]

    def _begin(self) -> dict[str, Any]:
        self._simulation, self._agent = self._made(int(self.np_random.integers(2**31)))
        self._paid = 0.0
        self._go_on()
        if not self._agent.is_asked:
            raise ValueError(f"{self._mission}: the mission ended before its agent was asked: {self._told()}")
        return self._told()

    def _advance(self, action: np.ndarray) -> Stepped:
        self._agent.given = action
        self._go_on()
        ended = self._conductor.ended
        reward, self._paid = self._agent.reward - self._paid, self._agent.reward
        reward += GOAL * bool(ended and ended.outcome == self._scenario.goal)
        return Stepped(reward, ended is not None, self._is_late(), self._told())

    def _go_on(self) -> None:
        """Until the agent is asked, or it is over."""
        period, agent = self._conductor.period, self._agent
        while True:
            self._simulation.run(period, record_every=max(1, round(period / self._simulation.h)))
            if (agent.is_asked and agent.given is None) or self._conductor.ended or self._is_late():
                return

    def _is_late(self) -> bool:
        return self._simulation.t + self._conductor.period > self._scenario.run.duration + 1e-9

    def _told(self) -> dict[str, Any]:
        ended = self._conductor.outcome()
        return {"time": self._simulation.t, "outcome": ended.outcome, "reason": ended.reason}

    def _seen(self) -> np.ndarray:
        return self._agent.observation.copy()

    def scripted(self) -> np.ndarray:
        """By the agent's own policy; the middle of the bounds if it has none."""
        agent = self._agent
        if agent.policy is None:
            return (agent.low + agent.high) / 2
        return np.clip(np.asarray(agent.policy(self._seen()), float), agent.low, agent.high)

    def _view(self) -> View:
        dynamics, q = self._simulation.dynamics, self._simulation.q
        places = np.array([dynamics.pose(body.name, q)[1] for body in dynamics.world.bodies])
        low, high = places.min(axis=0), places.max(axis=0)
        slant = matrix_of_quaternion(np.array(quaternion_of_rpy(1.0, 0.0, 0.6)))
        return View(dynamics, q, slant, (low + high) / 2, 1.5 * float(np.linalg.norm(high - low)) + 1.0)
