"""What each cause alone adds to the errors of an emulated touch."""

import math
from collections.abc import Callable, Sequence
from typing import Any

from matplotlib.figure import Figure

from softdock.facility.emulation import Emulation
from softdock.facility.touch import Touch, free_run
from softdock.figures.look import COLORS, charts, legend
from softdock.scenarios.facility.scenario import TRACK, Facility
from softdock.scenarios.loading import load
from softdock.scenarios.runner import Runner

NONE = "[0.0, 0.0, 0.0, 0.0, 0.0, 0.0]"
CLEAN = {
    "delay": ["emulator.delay=0.0", "emulator.jitter=0.0", "sensor.latency=0.0"],
    "filter": ["sensor.filter=0.0"],
    "noise": ["sensor.noise=[0.0, 0.0]"],
    "bias": [f"sensor.bias={NONE}"],
    "mass error": ["sensor.mass_error=0.0"],
    "mock-up's inertia": ["sensor.inertia=encoders"],
    "arm model": ["client.model={arm}"],
    "friction": ["client.friction=0.0"],
}
"""How to be without each cause."""
FEW = 0.003
"""Time constant (s) of the filter without which commanded accelerations do not take the mock-up's inertia off: what
they miss is felt as contact, and the loop is unstable."""
KEYS = ("impulse", "peak_force", "velocity", "rates")
Progress = Callable[[str, float], None]


def budget(changes: Sequence[str] = (), progress: Progress = lambda what, share: None) -> dict[str, dict[str, float]]:
    """Errors against the ideal ground, by cause: `nothing`, each of `CLEAN` alone, and `all` as the file has it."""
    whole = load("facility", list(changes))
    assert isinstance(whole, Facility)
    if whole.experiment == TRACK:
        raise ValueError(f"experiment: a budget is of 'touch' or 'grasp', not of {TRACK!r}")
    without = {cause: [one.format(arm=whole.client.arm) for one in how] for cause, how in CLEAN.items()}
    progress("ideal ground", 0.0)
    ideal = free_run(whole.laboratory(), whole.mount, whole.run.duration, whole.sensor.period, whole.run.h)[0].touch()
    if ideal is None:
        raise ValueError("there is no touch: a budget has nothing to compare")
    cases: dict[str, list[str]] = {"nothing": [one for how in without.values() for one in how] + ["sensor.gate=0.0"]}
    for cause in CLEAN:
        cases[cause] = [one for other, how in without.items() if other != cause for one in how]
    cases["mock-up's inertia"].append(f"sensor.filter={FEW}")
    cases["all"] = []
    found = {}
    for k, (cause, more) in enumerate(cases.items()):
        progress(cause, (k + 1) / (len(cases) + 1))
        found[cause] = _errors([*changes, *more], ideal)
    return found


def _errors(changes: list[str], ideal: Touch) -> dict[str, float]:
    scenario = load("facility", changes)
    assert isinstance(scenario, Facility)
    simulation = Runner(scenario).simulation
    simulation.run(scenario.run.duration)
    emulation = simulation.controllers[0]
    assert isinstance(emulation, Emulation)
    touch = emulation.record.touch()
    if emulation.stopped or touch is None:
        return dict.fromkeys(KEYS, float("nan"))
    return touch.error(ideal)


def table(found: dict[str, dict[str, float]]) -> str:
    """For a terminal, in per cent."""
    lines = [f"{'cause':<20}" + "".join(f"{key.replace('_', ' ') + ' (%)':>18}" for key in KEYS)]
    lines += [f"{cause:<20}" + "".join(f"{100 * row[key]:>18.3f}" for key in KEYS) for cause, row in found.items()]
    return "\n".join(lines)


def drawn(found: dict[str, dict[str, float]]) -> Figure:
    """Bars by cause."""
    figure, (left, right) = charts(
        f"Error of the emulated touch: impulse {100 * found['all']['impulse']:+.2g} %, "
        f"rates {100 * found['all']['rates']:.2g} %",
        "Each cause alone, and all together, against the ideal ground. Rates: relative to their change.",
        ["", ""],
        ["impulse and peak force (%)", "velocity and rates (%)"],
    )
    rows = [len(found) - 1 - k for k in range(len(found))]
    for ax, keys in ((left, KEYS[:2]), (right, KEYS[2:])):
        for shift, key, color in zip((0.2, -0.2), keys, COLORS, strict=False):
            values = [100 * row[key] for row in found.values()]
            ax.barh([row + shift for row in rows], values, 0.38, color=color, label=key.replace("_", " "))
        ax.set_yticks(rows, list(found))
        legend(ax)
    return figure


def told(found: dict[str, dict[str, float]]) -> dict[str, Any]:
    """As JSON has it: what is no number is null."""
    return {cause: {key: None if math.isnan(x) else x for key, x in row.items()} for cause, row in found.items()}
