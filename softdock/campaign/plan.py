"""What a campaign is: a scenario, what varies in it and how, and how many runs. And whether it can be."""

import os
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
import tomli_w
from pydantic import ConfigDict, Field, ValidationError, model_validator

from softdock.campaign.design import Design, Kind, runs_of, seed_of
from softdock.campaign.distributions import Distribution, DistributionError, distribution
from softdock.scenarios import builder
from softdock.scenarios.loading import draft, scenario_of
from softdock.scenarios.scenario import Scenario, Seconds
from softdock.scenarios.settings import Key, SettingError, path_of, put
from softdock.world.describe import Described, nearest
from softdock.world.files import blaming, parse_toml, read_bytes

SEED = "run.seed"
MOST_RUNS = 10_000_000
"""Of a campaign."""
MOST_TRIED = 500
"""Values of a quantity that are tried in the scenario before the campaign begins, if it has more."""
FIXED = ("index", "seed", "status", "outcome", "success", "reason", "seconds")
"""Columns of every table of results, before those of draws and metrics."""


class Quantity(NamedTuple):
    """One key, or several that are drawn together, and its distribution."""

    keys: tuple[str, ...]
    paths: tuple[list[Key], ...]
    distribution: Distribution

    def settings(self, value: Any) -> list[tuple[list[Key], Any]]:
        """Where a drawn value goes."""
        return list(zip(self.paths, value if len(self.paths) > 1 else [value], strict=True))


class Campaign(Described):
    """A campaign's file: its keys, and the scenario's tables under `scenario`."""

    model_config = ConfigDict(ignored_types=(cached_property,))

    runs: Annotated[int, Field(ge=1, le=MOST_RUNS)] | None = None
    design: Kind = "monte-carlo"
    seed: Annotated[int, Field(ge=0)] = 0
    vary: Annotated[dict[str, str], Field(min_length=1)]
    time_limit: Seconds | None = None
    """Wall-clock time (s) that one run may take."""
    memory_limit: Annotated[float, Field(gt=0)] | None = None
    """Memory (MB) that one worker may take beyond what it starts with."""
    searched: bool = False
    """Are the draws chosen by an optimiser?"""
    folder: str = ""
    """Where the scenario's files are."""
    scenario: dict[str, Any]

    @model_validator(mode="after")
    def _consistent(self) -> "Campaign":
        _ = self.length
        labels = list(self.draws(0))
        for label in labels:
            if labels.count(label) > 1 or label in FIXED:
                raise ValueError(f"vary: {label!r} {'is given twice' if label not in FIXED else 'cannot vary'}")
        return self

    @cached_property
    def quantities(self) -> tuple[Quantity, ...]:
        """What varies."""
        return tuple(_quantity(keys, text) for keys, text in self.vary.items())

    @cached_property
    def length(self) -> int:
        """How many runs it has."""
        return runs_of(self.design, self.runs, self._sizes)

    @property
    def _sizes(self) -> list[int]:
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
                if isinstance(part, list):
                    columns |= {f"{key}[{k}]": x for k, x in enumerate(part)}
                else:
                    columns[key] = part
        return columns

    def read(self, row: Mapping[str, Any]) -> list[Any]:
        """The inverse of `labelled`."""
        values: list[Any] = []
        for quantity in self.quantities:
            drawn = quantity.distribution
            if len(quantity.keys) > 1:
                values.append([row[key] for key in quantity.keys])
            elif drawn.vector:
                values.append([row[f"{quantity.keys[0]}[{k}]"] for k in range(drawn.size)])
            else:
                values.append(row[quantity.keys[0]])
        return values

    def run_seed(self, index: int) -> int | None:
        """`run.seed` of run `index`, unless that varies itself."""
        return None if self._seed_varies else seed_of(self.seed, index)

    @cached_property
    def _seed_varies(self) -> bool:
        return SEED in self.draws(0)

    def tables(self, values: Sequence[Any], seed: int | None = None) -> dict[str, Any]:
        """The scenario's tables with values put in."""
        return self._put(dict(self.scenario), values, seed)

    def _put(self, data: dict[str, Any], values: Sequence[Any], seed: int | None) -> dict[str, Any]:
        for quantity, value in zip(self.quantities, values, strict=True):
            for path, part in quantity.settings(value):
                put(data, path, part, f"vary {', '.join(quantity.keys)}")
        if seed is not None:
            data["run"] = {**data["run"], "seed": seed}
        return data

    def built(self, values: Sequence[Any], seed: int | None = None, where: str = "campaign") -> Scenario:
        """The scenario of given values; ValueError if they are none that it can have."""
        return scenario_of(self._put(dict(self._standing), values, seed), where, Path(self.folder))

    @cached_property
    def _standing(self) -> dict[str, Any]:
        """The scenario's tables; those in which nothing varies are read and checked once, here."""
        varied = {"run", *(path[0] for quantity in self.quantities for path in quantity.paths)}
        try:
            scenario = scenario_of(dict(self.scenario), "campaign", Path(self.folder))
        except ValueError:  # as it stands it is none; with values put in it may be
            return self.scenario
        return {key: value if key in varied else getattr(scenario, key) for key, value in self.scenario.items()}

    @property
    def goal(self) -> str | None:
        """The outcome that counts as success."""
        return builder(self.scenario["scenario"], Path(self.folder)).goal

    def written(self) -> str:
        """As TOML; `campaign_of` reads it."""
        return tomli_w.dumps({"campaign": self.model_dump(mode="json", exclude_none=True)})


def _quantity(keys: str, text: str) -> Quantity:
    names = tuple(key.strip() for key in keys.split(","))
    paths = tuple(path_of(name) for name in names)
    if not all(paths):
        raise ValueError(f"vary {keys}: expected a key such as arm.kp or world.bodies[2].mass")
    try:
        drawn = distribution(text)
    except DistributionError as error:
        raise ValueError(f"vary {keys}={error}") from None
    if len(names) > 1 and not (drawn.vector and drawn.size == len(names)):
        raise ValueError(f"vary {keys}={text}: {len(names)} keys take a vector of as many numbers")
    return Quantity(names, paths, drawn)


def campaign_of(
    source: str, *, vary: Sequence[str] | Mapping[str, str] = (), changes: Sequence[str] = (), **options: Any
) -> Campaign:
    """The campaign of a scenario's name or file, or of a campaign's file, checked: every quantity at the ends of
    its distribution makes a valid scenario. ValueError with a one-line message if not.

    `vary` is a mapping or a list of `key=distribution`; `changes` are as of `softdock run --set`.
    """
    given = {key: value for key, value in options.items() if value is not None}
    wanted = dict(vary) if isinstance(vary, Mapping) else dict(_split(item) for item in vary)
    content = _content(source)
    if content is None:
        data, folder = draft(source, changes)
        content = {"scenario": data, "folder": str(folder.resolve()) if folder.parts else ""}
    elif changes:
        raise SettingError("--set: a campaign's file has its own scenario; change it there")
    content["vary"] = {**content.get("vary", {}), **wanted}
    if not content["vary"]:
        raise ValueError(f"{source}: nothing varies; give --vary 'key=distribution'")
    content |= given
    with blaming(source, content):
        try:
            campaign = Campaign.model_validate(content)
        except ValidationError:
            raise
        except ValueError as error:
            raise ValueError(f"{source}: {error}") from None
    _refuse_invalid(campaign, source)
    return campaign


def _content(source: str) -> dict[str, Any] | None:
    """The `[campaign]` table of a file that has one, its scenario as tables."""
    path = Path(source)
    if path.suffix != ".toml" or not os.path.isfile(path):
        return None
    with blaming(source):
        content = parse_toml(read_bytes(path).decode()).get("campaign")  # its choices may be long
    if not isinstance(content, dict):
        return None
    changes = content.pop("set", [])
    if not (isinstance(changes, list) and all(isinstance(change, str) for change in changes)):
        raise ValueError(f'{source}: set: must be a list of texts, such as ["run.h=0.005"]')
    if not isinstance(content.get("vary", {}), dict):
        raise ValueError(f"{source}: vary: must be a table of keys with their distributions")
    if isinstance(content.get("scenario"), str):
        name = content["scenario"]
        beside = path.parent / name
        data, folder = draft(str(beside) if beside.suffix == ".toml" else name, changes)
        content |= {"scenario": data, "folder": str(folder.resolve()) if folder.parts else ""}
    return content


def _split(item: str) -> tuple[str, str]:
    key, equals, text = item.partition("=")
    if not equals:
        raise SettingError(f"--vary {item}: expected key=distribution, such as arm.kp=normal(10, 1)")
    return key.strip(), text.strip()


def _refuse_invalid(campaign: Campaign, source: str) -> None:
    """ValueError if a quantity can leave the range of its key, or if the key is none."""
    scenario_of(dict(campaign.scenario), source, Path(campaign.folder))
    middle = campaign.values_at(np.full(sum(q.distribution.size for q in campaign.quantities), 0.5))
    for k, quantity in enumerate(campaign.quantities):
        extremes = quantity.distribution.extremes()
        for value in extremes[:: 1 + len(extremes) // MOST_TRIED]:
            values = [*middle[:k], value, *middle[k + 1 :]]
            what = f"--vary {', '.join(quantity.keys)}={quantity.distribution.text}"
            try:
                campaign.built(values, where=what)
            except SettingError as error:
                raise ValueError(f"{what}: {error}") from None
            except ValueError as error:
                reason = str(error).removeprefix(f"{what}: ")
                can = "" if "unknown key" in reason else f"can give {_short(value)}, which cannot be: "
                raise ValueError(f"{what}: {can}{reason}") from None


def _short(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_short, value))}]"
    return f"{value:.6g}" if isinstance(value, float) else repr(value)


def known_column(name: str, columns: Sequence[str]) -> str:
    """`name`, if it is a column of the results; ValueError that suggests one if not."""
    if name not in columns:
        raise ValueError(f"no column {name!r} in the results{nearest(name, columns)}")
    return name
