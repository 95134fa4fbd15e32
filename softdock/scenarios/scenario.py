"""What every scenario file has, and what a scenario can do."""

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

import numpy as np
import tomli_w
from pydantic import Field, model_validator
from pydantic_core import to_jsonable_python

from softdock.dynamics import Dynamics, Trajectory
from softdock.dynamics.motion import LARGEST_ERROR, LEAST_ERROR, LOOSEST
from softdock.runs.ledger import Columns
from softdock.runs.measures import Declared, Measure, declared
from softdock.runs.rows import whole_steps
from softdock.runs.simulation import Simulation
from softdock.world import JointState, Layout, World
from softdock.world.describe import Described, Name, shown
from softdock.world.joints import FREEDOM

if TYPE_CHECKING:
    from softdock.figures import Drawing

Seconds = Annotated[float, Field(gt=0, allow_inf_nan=False)]


class RunSettings(Described):
    """`[run]`."""

    h: Seconds = 0.01
    """Time step (s)."""
    order: Literal[2, 4, 6] = 2
    """Of the integrator."""
    duration: Seconds
    """(s)."""
    record_every: Annotated[int, Field(ge=1)] = 1
    """Steps a recorded row."""
    loads: bool = False
    """Are the loads of joints, latches and contacts recorded?"""
    seed: Annotated[int, Field(ge=0)] = 0
    """Of the random numbers."""
    tolerance: Annotated[float, Field(gt=0, le=LOOSEST)] = 1e-14
    """Relative size of the last Newton change at which a step counts as solved (-)."""
    contact_error: Annotated[float, Field(ge=LEAST_ERROR, le=LARGEST_ERROR)] | None = None
    """Relative error of compliant contacts for which steps are divided; without it every step is of size h (-)."""

    @property
    def stepping(self) -> dict[str, Any]:
        """Of these, what a `Simulation` takes."""
        return {"h": self.h, "order": self.order, "tolerance": self.tolerance, "contact_error": self.contact_error}

    @model_validator(mode="after")
    def _whole(self) -> "RunSettings":
        whole_steps(self.duration, self.h, "duration", least=1)
        return self


class Scenario(Described):
    """A world, where it starts, and how it is run. Kinds of scenarios add keys, and what of the methods they need:
    `simulation`, `metrics`, `tables`, `figures`, `annotations`."""

    goal: ClassVar[str | None] = None
    """The `outcome` among the metrics that counts as success; without one, a run that ends without failing is."""
    outcomes: ClassVar[tuple[str, ...]] = ()
    """Every `outcome` that a run may have; without them, only `goal` can be falsified."""
    fills: ClassVar[tuple[str, ...]] = ()
    """Keys that a file may leave out, since the scenario makes them from others (`run.duration`)."""
    units: ClassVar[Declared] = {}
    """Of metrics and keys: a unit (`-` for a number without one), or unit and one-line meaning. Classes add to those of
    their bases."""

    scenario: Name
    """Which one: a built-in or installed scenario's name, or a Python file."""
    run: RunSettings
    """Step, duration and recording."""
    initial: dict[Name, JointState] = Field(default_factory=dict)
    """By body name; what is not named is at zero and at rest."""
    world: World
    """What exists."""

    @model_validator(mode="after")
    def _initial_fits(self) -> "Scenario":
        self.state()
        return self

    def state(self) -> tuple[np.ndarray, np.ndarray]:
        """Where the world starts, (q, v)."""
        world, initial, q, v = self._start
        if world is not self.world or initial is not self.initial:  # of the one that this is a copy of
            return Layout(self.world).state(self.initial)
        return q.copy(), v.copy()

    @cached_property
    def _start(self) -> tuple[World, dict[str, JointState], np.ndarray, np.ndarray]:
        return self.world, self.initial, *Layout(self.world).state(self.initial)

    def simulation(self, dynamics: Dynamics) -> Simulation:
        """What runs it: the world at its initial state, with the scenario's command, controllers and actions."""
        return Simulation(dynamics, *self.state(), **self.run.stepping)

    def metrics(self, simulation: Simulation, rows: Trajectory) -> dict[str, Any]:
        """The scenario's own metrics of a finished run; they replace general ones of the same name."""
        return {}

    def tables(self, simulation: Simulation, rows: Trajectory) -> dict[str, Columns]:
        """What is recorded beside states, ledger and forces; of a run that failed, from the rows before."""
        return {}

    @classmethod
    def goal_of(cls, data: Mapping[str, Any]) -> str | None:
        """The `goal` of a scenario with these tables, where it depends on them."""
        return cls.goal

    @classmethod
    def measures(cls) -> dict[str, Measure]:
        """Unit and meaning of metrics and keys: those of every run, of the class and of its bases."""
        return declared(*(vars(base).get("units", {}) for base in reversed(cls.__mro__)))

    @classmethod
    def figures(cls) -> "dict[str, Drawing]":
        """The figures of its runs by file name."""
        from softdock.figures import FIGURES

        return FIGURES

    def annotations(self) -> dict[str, Any]:
        """What replay.json says (docs/replay.md)."""
        return {}

    @classmethod
    def defaults(cls) -> dict[str, Any]:
        """Keys that the class gives a value, as tables: changing one of them keeps the others."""
        fields = {name: field for name, field in cls.model_fields.items() if not field.is_required()}
        given = {name: field.get_default(call_default_factory=True) for name, field in fields.items()}
        states = given["initial"].items()  # of a joint, only what was said: not all joints have every key
        given["initial"] = {name: _said(state) for name, state in states}
        return {
            name: _as_toml(f"{cls.__name__}: key {name!r}", value) for name, value in given.items() if value is not None
        }

    @classmethod
    def defaults_as_toml(cls, name: str) -> str:
        """A file of these, to edit."""
        return tomli_w.dumps({"scenario": name, **cls.defaults()})

    def resolved(self) -> str:
        """The scenario as TOML with every default written out."""
        try:
            content = self.model_dump(mode="json", exclude_none=True)
            content["initial"] = named_state(self.world, *self.state())
            return tomli_w.dumps(content)
        except (ValueError, TypeError):
            for name in type(self).model_fields:
                _as_toml(f"key {name!r}", getattr(self, name))
            raise


def _said(state: Any) -> Any:
    return state.model_dump(mode="json", exclude_unset=True) if isinstance(state, JointState) else state


def _as_toml(what: str, value: Any) -> Any:
    """The value of a key as TOML has it; ValueError that says what it is of if TOML cannot hold it."""
    try:
        plain = to_jsonable_python(value, exclude_none=True)
        tomli_w.dumps({what: plain})
    except (ValueError, TypeError):
        raise ValueError(f"{what}: its value {shown(value)} cannot be written as TOML") from None
    return plain


def named_state(world: World, q: np.ndarray, v: np.ndarray) -> dict[str, Mapping[str, list[float]]]:
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
