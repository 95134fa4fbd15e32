"""The Gymnasium environments, registered when this module is imported; Gymnasium imports it itself if asked for

    gymnasium.make("softdock.scenarios.environments:softdock/Docking-v0")

and likewise "softdock/Capture-v0", and "softdock/Mission-v0" with `mission=FILE`. (Since 1.0 it looks for no entry
points.)
"""

from abc import abstractmethod
from typing import Any, NamedTuple

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import ArrayLike

from softdock.dynamics import StepFailed
from softdock.scenarios.pictures import View

ENVIRONMENTS = {
    "softdock/Docking-v0": "softdock.scenarios.iss_docking.environment:DockingEnv",
    "softdock/Capture-v0": "softdock.scenarios.capture.environment:CaptureEnv",
    "softdock/Mission-v0": "softdock.scenarios.mission_environment:MissionEnv",
}

for name, place in ENVIRONMENTS.items():
    gymnasium.register(name, entry_point=place)

FAILED = -10.0
"""Reward of a step that could not be computed."""


class Stepped(NamedTuple):
    """What a step gave: reward, whether the task is done or time is over, and what else is known."""

    reward: float
    done: bool
    late: bool
    info: dict[str, Any]


class ScenarioEnv(gymnasium.Env[np.ndarray, np.ndarray]):
    """What the environments share: actions within their bounds, the end of an episode, failures, copies, pictures.

    Its state is its arguments, its random numbers before the last reset, and the actions since: so it is pickled, and
    made anew by doing the same again.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 10}  # noqa: RUF012 (Gymnasium's own way)

    def __init__(self, render_mode: str | None, **arguments: Any) -> None:
        if render_mode not in (None, "rgb_array"):
            raise ValueError(f"render_mode must be None or 'rgb_array', not {render_mode!r}")
        self.render_mode, self._arguments = render_mode, {"render_mode": render_mode, **arguments}
        self._actions: list[np.ndarray] = []
        self._drawn_from: dict[str, Any] | None = None
        self._over = True

    @abstractmethod
    def _begin(self) -> dict[str, Any]:
        """A new start, drawn from `np_random`: its info."""

    @abstractmethod
    def _advance(self, action: np.ndarray) -> Stepped:
        """Hold an action for a period. StepFailed or ValueError if that cannot be computed."""

    @abstractmethod
    def _seen(self) -> np.ndarray:
        """What is observed now."""

    @abstractmethod
    def scripted(self) -> np.ndarray:
        """An action of a policy that was written, not learnt: a baseline that may know more than is observed."""

    @abstractmethod
    def _view(self) -> View:
        """What a picture shows now."""

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """A new episode."""
        super().reset(seed=seed)
        self._drawn_from = dict(self.np_random.bit_generator.state)
        self._actions = []
        info = self._begin()
        self._over, self._last = False, self._seen()
        return self._last.copy(), info

    def step(self, action: np.ndarray) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Hold an action for a period. What cannot be computed ends the episode: the observation is then the last one,
        the reward FAILED, and info has `failed`, why."""
        if self._over:
            raise gymnasium.error.ResetNeeded("the episode has ended, or none has begun: call reset before step")
        space = self.action_space
        assert isinstance(space, spaces.Box)
        action = np.minimum(np.maximum(fitting(space, action), space.low), space.high)
        self._actions.append(action)
        try:
            stepped, seen = self._advance(action), self._seen()
            if not np.isfinite(seen).all():
                raise ValueError("the state is no longer finite")
        except (StepFailed, ArithmeticError, ValueError) as error:
            stepped, seen = Stepped(FAILED, True, False, {"failed": str(error)}), self._last
        self._over, self._last = stepped.done or stepped.late, seen
        return seen.copy(), stepped.reward, stepped.done, stepped.late and not stepped.done, stepped.info

    def render(self) -> np.ndarray | None:
        """The scene as (height, width, 3) bytes, if the render mode is rgb_array."""
        if self.render_mode is None:
            return None
        if self._drawn_from is None:
            raise gymnasium.error.ResetNeeded("call reset before render")
        return self._view().picture()

    def __getstate__(self) -> dict[str, Any]:
        generator = self._np_random.bit_generator.state if self._np_random else None
        return {
            "arguments": self._arguments, "spec": self.spec, "generator": generator, "drawn_from": self._drawn_from,
            "actions": self._actions,
        }  # fmt: skip

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(**state["arguments"])  # type: ignore[misc]
        self.spec = state["spec"]
        if state["drawn_from"] is not None:
            self.np_random.bit_generator.state = state["drawn_from"]
            self.reset()
            for action in state["actions"]:
                self.step(action)
        if state["generator"] is not None:
            self.np_random.bit_generator.state = state["generator"]


def fitting(space: spaces.Box, action: ArrayLike) -> np.ndarray:
    """An action as numbers of the shape of the action space; ValueError if it is none."""
    array, shape = np.asarray(action, dtype=np.float64), space.shape
    if array.shape != shape or not np.isfinite(array).all():
        raise ValueError(f"an action must be finite numbers of shape {shape}, not {action!r:.80}")
    return array
