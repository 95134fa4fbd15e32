"""What every scenario file has, and what a scenario can do."""

from collections.abc import Callable, Mapping
from time import perf_counter
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
import tomli_w
from pydantic import Field, model_validator

from softdock.dynamics import Dynamics, Trajectory, reference
from softdock.runs.ledger import Columns, Ledger, floats
from softdock.runs.recorder import Recorder, write_json
from softdock.runs.rows import whole_steps
from softdock.runs.simulation import Action, Simulation
from softdock.world import JointState, Layout, World
from softdock.world.describe import Described, Name
from softdock.world.joints import FREEDOM

Seconds = Annotated[float, Field(gt=0, allow_inf_nan=False)]
Progress = Callable[[float], None]


class RunSettings(Described):
    """`[run]`: step h (s), order of the integrator, duration (s), steps a recorded row, random seed.

    `tolerance` is the relative size of the last Newton change at which a step counts as solved.
    """

    h: Seconds = 0.01
    order: Literal[2, 4, 6] = 2
    duration: Seconds
    record_every: Annotated[int, Field(ge=1)] = 1
    seed: Annotated[int, Field(ge=0)] = 0
    tolerance: Annotated[float, Field(gt=0, le=1e-3)] = 1e-14

    @model_validator(mode="after")
    def _whole(self) -> "RunSettings":
        whole_steps(self.duration, self.h, "duration", least=1)
        return self


class Scenario(Described):
    """A world, where it starts, and how it is run. Kinds of scenarios add keys, commands and metrics."""

    goal: ClassVar[str | None] = None
    """The `outcome` among the metrics that counts as success; without one, a run that ends without failing is."""

    scenario: Name
    run: RunSettings
    initial: dict[Name, JointState] = Field(default_factory=dict)
    world: World

    @model_validator(mode="after")
    def _initial_fits(self) -> "Scenario":
        self.state()
        return self

    def state(self) -> tuple[np.ndarray, np.ndarray]:
        """Where the world starts, (q, v)."""
        return Layout(self.world).state(self.initial)

    def command_table(self, dynamics: Dynamics) -> np.ndarray:
        """Command of every step (steps, nv), or one (nv) for all."""
        return np.zeros(dynamics.nv)

    def actions(self) -> list[Action]:
        """What is done at given times."""
        return []

    def tables(self, rows: Trajectory) -> dict[str, Columns]:
        """What is recorded beside states and ledger."""
        return {}

    def judge(self, dynamics: Dynamics, rows: Trajectory) -> dict[str, float]:
        """The scenario's own metrics."""
        return {}

    def simulation(self, dynamics: Dynamics) -> Simulation:
        """The loop that runs it."""
        run = self.run
        return Simulation(
            dynamics, *self.state(), h=run.h, order=run.order, actions=self.actions(), tolerance=run.tolerance
        )

    def findings(self, simulation: Simulation, rows: Trajectory) -> dict[str, Any]:
        """Metrics that need to know how the run went; they replace general ones of the same name."""
        return {}

    def logs(self, simulation: Simulation) -> dict[str, Columns]:
        """Tables that the loop's own controllers kept; recorded however the run ends."""
        return {}

    def remarks(self) -> dict[str, Any]:
        """What replay.json says (docs/replay.md)."""
        return {}

    def resolved(self) -> str:
        """The scenario as TOML with every default written out."""
        content = self.model_dump(mode="json", exclude_none=True)
        content["initial"] = _written(self.world, *self.state())
        return tomli_w.dumps(content)


class Play:
    """A scenario made ready: whatever is wrong with the request shows here, before anything is written."""

    def __init__(
        self,
        scenario: Scenario,
        announce: Callable[[str], None] | None = None,
        compiled: Callable[..., Dynamics] = Dynamics,
    ) -> None:
        self.scenario, self.dynamics = scenario, compiled(scenario.world, announce)
        self.commands = scenario.command_table(self.dynamics)
        self.simulation = scenario.simulation(self.dynamics)
        if compiled is Dynamics:
            self.simulation.motion.warm()

    def run(self, recorder: Recorder | None, progress: Progress | None = None, check: bool = False) -> dict[str, Any]:
        """Run, record if there is a recorder, and judge: the metrics. With `check`, beside the reference integrator."""
        settings, began = self.scenario.run, perf_counter()
        if recorder and (remarks := self.scenario.remarks()):
            write_json(recorder.path / "replay.json", remarks)
        try:
            self.rows = rows = self.simulation.run(
                settings.duration, commands=self.commands, record_every=settings.record_every, progress=progress,
                recorder=recorder,
            )  # fmt: skip
        finally:
            if recorder:
                for name, columns in self.scenario.logs(self.simulation).items():
                    recorder.append(name, columns)
        seconds = perf_counter() - began
        if recorder:
            for name, columns in self.scenario.tables(rows).items():
                recorder.append(name, columns)
        counts = self.simulation.motion.counts
        findings = self.scenario.findings(self.simulation, rows)
        return {
            **self.scenario.judge(self.dynamics, rows),
            **balance_errors(self.dynamics, rows, known=findings),
            "steps": counts["steps"],
            "evaluations_per_step": counts["evaluations"] / counts["steps"],
            "compute_seconds": seconds,
            "realtime_factor": settings.duration / seconds,
            **findings,
            **(self._checked(rows) if check else {}),
        }

    def refuse_check(self) -> None:
        """ValueError if the reference integrator cannot follow: it holds no latches and one command."""
        if self.commands.ndim > 1 or self.scenario.actions() or self.simulation.motion.engaged:
            raise ValueError("the reference integrator follows only worlds without latches and changing commands")

    def _checked(self, rows: Trajectory) -> dict[str, float]:
        q, v = reference(self.dynamics, rows.q[0], rows.v[0], rows.t, self.commands)
        return {"reference_difference": max(float(np.abs(q - rows.q).max()), float(np.abs(v - rows.v).max()))}


def balance_errors(dynamics: Dynamics, rows: Trajectory, known: Mapping[str, Any]) -> dict[str, float]:
    """Largest errors of the ledger over a run; of momentum and spin only if nothing holds the world. Those that are
    known are as they are known."""
    names = {"energy_error": "energy_balance_error"}
    if floats(dynamics.world):
        names |= {"momentum_error": "momentum_drift", "spin_error": "spin_balance_error"}
    if all(metric in known for metric in names.values()):
        return {metric: known[metric] for metric in names.values()}
    errors = Ledger(dynamics, rows).errors(rows)
    return {metric: float(np.abs(errors[column]).max()) for column, metric in names.items()}


def _written(world: World, q: np.ndarray, v: np.ndarray) -> dict[str, Mapping[str, list[float]]]:
    """`[initial]` of a state, with every moving body in the words of its joint."""
    layout, written = Layout(world), {}
    for name, kind in layout.kind.items():
        freedom = FREEDOM[kind]
        mine, moving = q[layout.q[name]].tolist(), v[layout.v[name]].tolist()
        flat = len(freedom.flat)
        state = {"position": mine[:flat], "velocity": moving[:flat]}
        if freedom.rotates:
            state |= {"quaternion": mine[flat:], "angular_velocity": moving[flat:]}
        written[name] = {key: value for key, value in state.items() if value}
    return {name: state for name, state in written.items() if state}
