"""Writes metrics.md: every metric of every built-in scenario, with its unit and meaning, as the scenarios declare them.

python docs/metrics.py
"""

from pathlib import Path

from softdock.runs.measures import GENERAL, Measure, declared
from softdock.scenarios import SCENARIOS, builder
from softdock.scenarios.mission import Mission
from softdock.scenarios.scenario import Scenario

HEAD = """# Metrics

Every run writes `metrics.json`, a flat table of names and values in SI units, and `metrics.units.json` with unit and
meaning of each. The terminal, the replay and the report of a campaign show values with these units: lengths in mm or µm
where they are small, four digits. `-` is a number without a unit;
`relative` is a part of something, shown in percent. `phases.start` is the entry `start` of each phase.

Scenarios declare theirs in `units` ([your own scenario](your-scenario.md)); this page is written from there by
`python docs/metrics.py`.
"""


def page() -> str:
    """The whole of it."""
    parts = [HEAD, table("Of every run", GENERAL), table("Of every mission", declared_by(Mission))]
    for name in SCENARIOS:
        kind = builder(name)
        own = declared(*(vars(base).get("units", {}) for base in kind.__mro__ if base is not Mission))
        parts.append(table(f"`{name}`", {k: m for k, m in own.items() if m != GENERAL.get(k) and m.meaning}))
    return "\n".join(parts)


def declared_by(kind: type[Scenario]) -> dict[str, Measure]:
    return {name: measure for name, measure in declared(kind.units).items() if name in kind.units}


def table(title: str, measures: dict[str, Measure]) -> str:
    rows = [f"| `{name}` | {measure.unit} | {measure.meaning} |" for name, measure in measures.items()]
    return "\n".join([f"## {title}", "", "| metric | unit | meaning |", "|---|---|---|", *rows, ""])


if __name__ == "__main__":
    Path(__file__).with_suffix(".md").write_text(page(), encoding="utf-8")
