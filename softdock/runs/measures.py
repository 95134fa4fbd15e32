"""What metrics mean, as data: a unit and one line for each; and values as people write them.

A name such as `forecast_error.position` is an entry of the metric `forecast_error`; entries of a list have the list's
name (`phases.start`). What is not declared by itself has the unit of what it is part of.
"""

import math
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

UNITS_FILE = "metrics.units.json"
RELATIVE = "relative"


class Measure(NamedTuple):
    """Of a metric."""

    unit: str
    """Such as `m/s`; `-` for a number without one, `relative` for a part of something, "" for what is no number."""
    meaning: str = ""
    """One line."""


GENERAL = {
    "scenario": Measure("", "what was run"),
    "status": Measure("", "done, failed or interrupted"),
    "reason": Measure("", "why it failed or was interrupted"),
    "time": Measure("s", "when it failed or was interrupted, in the run's own time"),
    "outcome": Measure("", "how it ended, in the scenario's words"),
    "residual": Measure("-", "of the step that failed, relative to the momenta in it"),
    "energy_balance_error": Measure("J", "largest change of energy that works and losses do not explain"),
    "momentum_drift": Measure("kg m/s", "largest change of momentum beyond the impulse of gravity and thrusters"),
    "angular_momentum_balance_error": Measure(
        "kg m²/s", "largest change of angular momentum about the centre of mass beyond that of gravity and thrusters"
    ),
    "propellant": Measure("kg", "used by thrusters"),
    "thruster_impulse": Measure("N s", "thrust × time of all thrusters together"),
    "firings": Measure("-", "pulses of thrusters"),
    "plume_impulse": Measure("N s", "what plumes pushed on other bodies"),
    "reference_difference": Measure("-", "largest difference from DOP853 among all states, each in its own SI unit"),
    "reference_until": Measure("s", "until when DOP853 went along"),
    "reference_ended": Measure("", "why it did not go further"),
    "steps": Measure("-", "time steps taken"),
    "evaluations_per_step": Measure("-", "evaluations of the step's equations, on average"),
    "compute_time": Measure("s", "wall time of the loop"),
    "realtime_factor": Measure("-", "simulated time per wall time"),
}
"""Metrics that every run has; those that say how well it was computed come last."""
_TOLD_FIRST = {"scenario", "status", "reason", "time", "outcome", "residual"}
_OF_THRUSTERS = {"propellant", "thruster_impulse", "firings", "plume_impulse"}
COMPUTING = GENERAL.keys() - _TOLD_FIRST - _OF_THRUSTERS
"""How well a run was computed: told last."""
Declared = Mapping[str, str | tuple[str, str] | Measure]


def declared(*tables: Declared) -> dict[str, Measure]:
    """Measures from tables of units, or of units and meanings; later ones go before."""
    found = dict(GENERAL)
    for table in tables:
        found |= {name: Measure(one) if isinstance(one, str) else Measure(*one) for name, one in table.items()}
    return found


def measure_of(name: str, known: Mapping[str, Measure]) -> Measure | None:
    """Of a metric or of an entry in it; None if nothing is known."""
    while name not in known:
        name, dot, _ = name.rpartition(".")
        if not dot:
            return None
    return known[name]


def used(metrics: Mapping[str, Any], known: Mapping[str, Measure]) -> dict[str, dict[str, str]]:
    """What metrics.units.json says of these metrics: name, then unit and meaning."""
    found: dict[str, dict[str, str]] = {}
    for path in _paths(metrics):
        parts = path.split(".")
        for k in range(1, len(parts) + 1):
            name = ".".join(parts[:k])
            if name in known:
                found[name] = known[name]._asdict()
    return found


def read(content: Mapping[str, Any]) -> dict[str, Measure]:
    """Measures of a metrics.units.json, over those of every run; what is of another shape is left out."""
    entries = {name: one for name, one in content.items() if isinstance(one, Mapping)}
    return GENERAL | {name: Measure(str(x.get("unit", "")), str(x.get("meaning", ""))) for name, x in entries.items()}


def undeclared(metrics: Mapping[str, Any], known: Mapping[str, Measure]) -> list[str]:
    """Numbers of which no unit is known, and metrics without a meaning: for the test of a scenario."""
    paths = {path for path, value in _leaves(metrics) if isinstance(value, int | float) and not isinstance(value, bool)}
    bare = [path for path in sorted(paths) if not ((measure := measure_of(path, known)) and measure.unit)]
    return bare + [name for name in metrics if not ((measure := measure_of(name, known)) and measure.meaning)]


def _leaves(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Names and values of what is no table and no list."""
    entries = value.items() if isinstance(value, Mapping) else ()
    for key, entry in entries:
        yield from _leaves(entry, f"{name}.{key}" if name else str(key))
    if isinstance(value, list | tuple):
        for entry in value:
            yield from _leaves(entry, name)
    elif not isinstance(value, Mapping):
        yield name, value


def _paths(value: Any, name: str = "") -> Iterator[str]:
    """Names of a metric and of all entries in it."""
    if name:
        yield name
    if isinstance(value, Mapping):
        for key, entry in value.items():
            yield from _paths(entry, f"{name}.{key}" if name else str(key))
    elif isinstance(value, list | tuple):
        for entry in value:
            if isinstance(entry, Mapping):
                yield from (path for path in _paths(entry, name) if path != name)


# --- for people -----------------------------------------------------------------------------------

MOST_SHOWN = 4
"""Entries of a long table that a terminal shows."""
_PREFIXES = ((0.1, 1.0, ""), (1e-4, 1e3, "m"), (1e-7, 1e6, "µ"), (1e-9, 1e9, "n"))
"""From which size on, a factor and SI's prefix."""
_PREFIXED = ("m", "rad", "s", "N", "J", "W", "Hz")
"""Symbols that may have one, if a unit begins with them."""


def number(value: float, unit: str = "") -> str:
    """A number with four digits, and its unit with the prefix that makes it easy to read."""
    unit = "" if unit == "-" else unit
    if unit == RELATIVE and (value == 0 or abs(value) >= 1e-5):
        value, unit = 100 * value, "%"
    if not math.isfinite(value):
        return f"{value} {unit}".rstrip()
    size, factor = abs(value), 1.0
    if unit.replace("/", " ").split(" ")[0] in _PREFIXED and " or " not in unit and 1e-9 <= size < 0.1:
        _, factor, prefix = next(row for row in _PREFIXES if size >= row[0])
        unit = prefix + unit
    scaled = factor * value
    if float(scaled).is_integer() and abs(scaled) < 1e7:
        text = str(int(scaled))
    else:
        text = f"{scaled:.4g}" if 1e-3 <= abs(scaled) < 1e6 else f"{scaled:.3g}"
    return f"{text} {unit}".rstrip()


def shortened(value: Any) -> Any:
    """A metric without what fills screens: of numbers by name, if there are many, the first few and how many more."""
    if not isinstance(value, Mapping):
        return value
    if len(value) > 2 * MOST_SHOWN and all(isinstance(x, int | float) for x in value.values()):
        return dict(list(value.items())[:MOST_SHOWN]) | {"and": f"{len(value) - MOST_SHOWN} more"}
    return {key: shortened(entry) for key, entry in value.items()}


def shown(name: str, value: Any, known: Mapping[str, Measure]) -> str:
    """The value of a metric: a line; of a list or a table of tables, a line for each entry."""
    if isinstance(value, Mapping) and value and all(isinstance(entry, Mapping) for entry in value.values()):
        return "\n".join(f"{key}: {_line(f'{name}.{key}', entry, known)}" for key, entry in value.items())
    if isinstance(value, list | tuple) and any(isinstance(entry, Mapping | list | tuple) for entry in value):
        return "\n".join(_entry(name, entry, known) for entry in value)
    return _line(name, value, known)


def lines(metrics: Mapping[str, Any], known: Mapping[str, Measure]) -> Iterator[tuple[str, str, str]]:
    """Of each metric: its name, its value and what it means, for people."""
    for name, value in metrics.items():
        measure = measure_of(name, known)
        yield _word(name), shown(name, value, known), measure.meaning if measure else ""


def _entry(name: str, value: Any, known: Mapping[str, Measure]) -> str:
    """Of a list: what has a name begins with it, and what has a start and an end goes from the one to the other."""
    if isinstance(value, Mapping) and isinstance(value.get("name"), str):
        rest = {key: x for key, x in value.items() if key != "name" and (key, x) != ("result", "done")}
        told = [] if rest else ["done"]
        if {"start", "end"} <= rest.keys():
            start, end = (_line(f"{name}.{key}", rest.pop(key), known) for key in ("start", "end"))
            told = [f"{start} to {end}"]
        told += [_line(name, rest, known)] if rest else []
        return f"{value['name']}: {', '.join(told)}"
    return _line(name, value, known)


def _line(name: str, value: Any, known: Mapping[str, Measure]) -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        measure = measure_of(name, known)
        return number(value, measure.unit if measure else "")
    if isinstance(value, Mapping):
        return ", ".join(f"{_word(key)} {_line(f'{name}.{key}', x, known)}" for key, x in value.items()) or "none"
    if isinstance(value, list | tuple):
        return _listed(name, value, known)
    return str(value)


def _listed(name: str, value: Any, known: Mapping[str, Measure]) -> str:
    """Numbers in brackets before their unit; anything else with commas."""
    if value and all(isinstance(x, int | float) and not isinstance(x, bool) for x in value):
        measure = measure_of(name, known)
        unit = measure.unit if measure and measure.unit != "-" else ""
        largest = max(map(abs, value))
        near = [0.0 if abs(x) < 1e-12 * largest else x for x in value]  # rounding beside a number is zero
        return f"({', '.join(number(x) for x in near)}) {unit}".rstrip()
    return ", ".join(_line(name, x, known) for x in value) or "none"


def _word(key: Any) -> str:
    return str(key).replace("_", " ")
