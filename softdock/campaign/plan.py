"""What a campaign is: a scenario, what varies in it and how, how many runs, and what is searched for."""

from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import combinations
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import tomli_w
from pydantic import ConfigDict, Field, model_validator

from softdock.campaign.design import Design, Kind, block_of, runs_of, seed_of
from softdock.campaign.distributions import Distribution, DistributionError, distribution, listed
from softdock.runs.measures import Measure, declared, measure_of
from softdock.scenarios import builder
from softdock.scenarios.loading import made_of, scenario_of
from softdock.scenarios.scenario import RunSettings, Scenario, Seconds
from softdock.scenarios.settings import Key, path_of, put
from softdock.world.describe import Described, nearest

SEED = "run.seed"
MOST_RUNS = 10_000_000
"""Of a campaign."""
MOST_TRIED = 500
"""Values of a quantity that are tried in the scenario before the campaign begins, if it has more."""
FIXED = ("index", "seed", "status", "outcome", "success", "reason", "seconds")
"""Columns of every table of results, before those of draws and metrics."""


MEASURES = declared(
    {
        "index": ("-", "which run of the campaign"),
        "seed": ("-", "of the run's random numbers"),
        "success": ("-", "did the run reach the scenario's goal?"),
        "seconds": ("s", "wall time of the run"),
        SEED: "-",
        "run.h": ("s", "time step"),
        "run.duration": ("s", "simulated time"),
    }
)
"""Of what every campaign has; a scenario's own come first."""


class Quantity(NamedTuple):
    """One key, or several that are drawn together, and its distribution."""

    keys: tuple[str, ...]
    paths: tuple[list[Key], ...]
    distribution: Distribution
    told: str
    """As messages name it."""

    def settings(self, value: Any) -> list[tuple[list[Key], Any]]:
        """Where a drawn value goes."""
        return list(zip(self.paths, value if len(self.paths) > 1 else [value], strict=True))


class Campaign(Described):
    """A campaign's file: its keys, and the scenario's tables under `scenario`."""

    model_config = ConfigDict(ignored_types=(cached_property,))

    runs: Annotated[int, Field(ge=1, le=MOST_RUNS)] | None = None
    design: Kind = "monte-carlo"
    seed: Annotated[int, Field(ge=0)] = 0
    vary: dict[str, str] = Field(default_factory=dict)
    """Distributions by key, or by several keys."""
    given: dict[str, list[Any]] = Field(default_factory=dict)
    """With design "given": the values of each key, one a run."""
    minimise: str | None = None
    """Metric whose least is searched for; `-metric`: its greatest."""
    falsify: str | None = None
    """Outcome other than which a run is searched for."""
    time_limit: Seconds | None = None
    """Wall-clock time (s) that one run may take."""
    memory_limit: Annotated[float, Field(gt=0)] | None = None
    """Memory (MB) that one worker may take beyond what it starts with."""
    metrics: str = ""
    """Which function gives columns of its own, if any: name and digest."""
    folder: str = ""
    """Where the scenario's files are."""
    softdock: str = ""
    """Version and digest of the softdock that performs it."""
    files: dict[str, str] = Field(default_factory=dict)
    """SHA-256 of every file that it reads, by name in `folder` or in full."""
    scenario: dict[str, Any]

    @model_validator(mode="after")
    def _consistent(self) -> "Campaign":
        if (self.design == "given") != bool(self.given) or bool(self.given) == bool(self.vary):
            raise ValueError("vary: there must be distributions, or design 'given' with values")
        if self.given and self.searched:
            raise ValueError("given: a search makes its own; give it distributions")
        _ = self.length
        if fixed := [label for label in self.draws(0) if label in FIXED]:
            raise ValueError(f"vary: {fixed[0]!r} cannot vary")
        varied = [one for quantity in self.quantities for one in zip(quantity.keys, quantity.paths, strict=True)]
        for (key, path), (other, inside) in combinations(varied, 2):
            shorter = min(len(path), len(inside))
            if path[:shorter] == inside[:shorter]:
                raise ValueError(f"vary: {key!r} and {other!r} set the same value; only one can")
        return self

    @cached_property
    def quantities(self) -> tuple[Quantity, ...]:
        """What varies."""
        drawn = [(keys, text, None) for keys, text in self.vary.items()]
        given = [(key, "given", listed(key, values)) for key, values in self.given.items()]
        return tuple(_quantity(*one) for one in (*drawn, *given))

    @property
    def searched(self) -> bool:
        """Do the draws depend on what runs gave before?"""
        return bool(self.minimise or self.falsify)

    @cached_property
    def length(self) -> int:
        """How many runs it has; of a search, at most."""
        return runs_of(self.design, self.runs, self._sizes)

    @property
    def _sizes(self) -> list[int]:
        if self.design == "given":
            return [len(values) for values in self.given.values()]
        if self.design != "grid":
            return [quantity.distribution.size for quantity in self.quantities]
        for quantity in self.quantities:
            if not quantity.distribution.values:
                raise ValueError(f"vary: a grid takes choice(…) or steps(…), not {quantity.distribution.text}")
        return [len(quantity.distribution.values) for quantity in self.quantities]

    @cached_property
    def _design(self) -> Design:
        return Design(self.design, self.length, self._sizes, self.seed)

    def values(self, index: int) -> list[Any]:
        """The value of each quantity in run `index`: a pure function of the campaign and the index."""
        if self.given:
            return [values[index] for values in self.given.values()]
        return self.values_at(self._design.point(index))

    def values_at(self, point: Any) -> list[Any]:
        """The value of each quantity at a point of the unit cube."""
        values, at = [], 0
        for quantity in self.quantities:
            size = quantity.distribution.size
            values.append(quantity.distribution.quantile(point[at : at + size]))
            at += size
        return values

    def draws(self, index: int) -> dict[str, Any]:
        """The values of run `index` by column of the results."""
        return self.labelled(self.values(index))

    def labelled(self, values: Sequence[Any]) -> dict[str, Any]:
        """Values by column: a vector has one a component."""
        columns: dict[str, Any] = {}
        for quantity, value in zip(self.quantities, values, strict=True):
            for key, part in zip(quantity.keys, value if len(quantity.keys) > 1 else [value], strict=True):
                columns.update(_columns(key, part))
        return columns

    def read(self, row: Mapping[str, Any]) -> list[Any]:
        """The inverse of `labelled`."""
        values: list[Any] = []
        for quantity in self.quantities:
            drawn = quantity.distribution
            if drawn.values:
                values.append(next(x for x in drawn.values if _is_in(row, _columns(quantity.keys[0], x))))
            elif len(quantity.keys) > 1:
                values.append([row[key] for key in quantity.keys])
            elif drawn.vector:
                values.append([row[f"{quantity.keys[0]}[{k}]"] for k in range(drawn.size)])
            else:
                values.append(row[quantity.keys[0]])
        return values

    def run_seed(self, index: int) -> int | None:
        """`run.seed` of run `index`, unless that varies itself. Runs of one block of a saltelli design have one seed:
        they are to differ in the quantity that is exchanged, and in nothing else."""
        return None if self._seed_varies else seed_of(self.seed, block_of(self.design, index, len(self.quantities)))

    @cached_property
    def _seed_varies(self) -> bool:
        return SEED in self.draws(0)

    def tables(self, values: Sequence[Any], seed: int | None = None) -> dict[str, Any]:
        """The scenario's tables with values put in."""
        return self._put(dict(self.scenario), values, seed)

    def _put(self, data: dict[str, Any], values: Sequence[Any], seed: int | None) -> dict[str, Any]:
        for quantity, value in zip(self.quantities, values, strict=True):
            for path, part in quantity.settings(value):
                put(data, path, part, quantity.told)
        if seed is not None:
            run = data["run"]
            data["run"] = run._with(seed=seed) if type(run) is RunSettings else {**run, "seed": seed}
        return data

    def built(self, values: Sequence[Any], seed: int | None = None, where: str = "campaign") -> Scenario:
        """The scenario of given values; ValueError if they are none that it can have."""
        return made_of(self._kind, self._put(dict(self._standing), values, seed), where, self._place)

    @cached_property
    def _place(self) -> Path:
        return Path(self.folder)

    @cached_property
    def _kind(self) -> type[Scenario]:
        return builder(self.scenario["scenario"], self._place)

    @cached_property
    def _standing(self) -> dict[str, Any]:
        """The scenario's tables; those in which nothing varies are read and checked once, here."""
        varied = {path[0] for quantity in self.quantities for path in quantity.paths}
        try:
            scenario = scenario_of(dict(self.scenario), "campaign", Path(self.folder))
        except ValueError:  # as it stands it is none; with values put in it may be
            return self.scenario
        if type(scenario.run) is not RunSettings:
            varied.add("run")  # its seed will be put in
        return {key: value if key in varied else getattr(scenario, key) for key, value in self.scenario.items()}

    @property
    def goal(self) -> str | None:
        """The outcome that counts as success."""
        return self._kind.goal_of(self.scenario)

    def unit(self, column: str) -> str:
        """Unit of a column of the results, "" if it is not known."""
        measure = self.measure(column)
        return measure.unit if measure else ""

    def measure(self, column: str) -> Measure | None:
        """Unit and meaning of a column of the results, None if nothing is known of it."""
        known = MEASURES | self._kind.measures()
        return measure_of(column.partition("[")[0], known)

    def written(self) -> str:
        """As TOML; `campaign_of` reads it."""
        return tomli_w.dumps({"campaign": self.model_dump(mode="json", exclude_none=True)})


def _columns(key: str, value: Any) -> dict[str, Any]:
    return dict(zip(_names(key, len(value)), value, strict=True)) if isinstance(value, list | tuple) else {key: value}


@lru_cache(1000)
def _names(key: str, size: int) -> tuple[str, ...]:
    """Columns of the entries of a vector."""
    return tuple(f"{key}[{k}]" for k in range(size))


def _is_in(row: Mapping[str, Any], columns: Mapping[str, Any]) -> bool:
    """Does a row have these? It may hold 1 as 1.0, and what is no scalar as text."""
    return all(key in row and (row[key] == x or str(row[key]) == str(x)) for key, x in columns.items())


def _quantity(keys: str, text: str, drawn: Distribution | None) -> Quantity:
    names = (keys,) if drawn else tuple(key.strip() for key in keys.split(","))
    paths = tuple(path_of(name) for name in names)
    if not all(paths):
        raise ValueError(f"vary {keys}: expected a key such as arm.kp or world.bodies[2].mass")
    try:
        drawn = drawn or distribution(text)
    except DistributionError as error:
        raise ValueError(f"vary {keys}={error}") from None
    if len(names) > 1 and not (drawn.vector and drawn.size == len(names)):
        raise ValueError(f"vary {keys}={text}: {len(names)} keys take a vector of as many numbers")
    return Quantity(names, paths, drawn, f"vary {', '.join(names)}")


def known_column(name: str, columns: Sequence[str]) -> str:
    """`name`, if it is a column of the results; ValueError that suggests one if not."""
    if name not in columns:
        raise ValueError(f"no column {name!r} in the results{nearest(name, columns)}")
    return name
