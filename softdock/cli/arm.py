"""Commands about a real arm's logs: compare, identify, excite. No physics here."""

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from softdock.cli.terminal import say

if TYPE_CHECKING:
    from softdock.arm import Identified, Log, Measured, SerialArm

WRONG_REQUEST = 2
MOST_ROWS = 1_000_000
"""Of a motion that is written."""

LogFile = Annotated[Path, typer.Argument(metavar="LOG.csv", help="Time, joint positions, and what else was logged.")]
ArmName = Annotated[str, typer.Option("--arm", metavar="sawyer|sawyer:mjcf|URDF", help="The model.")]
Tip = Annotated[
    str | None, typer.Option(metavar="LINK", help="Of a URDF: where the arm ends [default: longest chain].")
]
Cutoff = Annotated[float | None, typer.Option(metavar="HZ", help="Filter at [default: 10 Hz if something is missing].")]
Out = Annotated[
    Path | None, typer.Option(metavar="DIR", help="Where figures go [default: LOG-compare or LOG-identify].")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]
Figures = Annotated[bool, typer.Option("--figures/--no-figures", help="Draw.")]


def _stop(message: object) -> NoReturn:
    say(str(message))
    raise typer.Exit(WRONG_REQUEST)


def _read(path: Path, arm: str, tip: str | None, cutoff: float | None) -> "tuple[Log, SerialArm]":
    from softdock.arm import arm_named, read_log

    try:
        model = arm_named(arm, tip)
        return read_log(path, model, cutoff), model
    except ValueError as error:
        _stop(error)


def compare(
    log: LogFile,
    arm: ArmName = "sawyer",
    tip: Tip = None,
    cutoff: Cutoff = None,
    out: Out = None,
    figures: Figures = True,
    as_json: Json = False,
) -> None:
    """Measured torques of a log beside the model's, joint by joint."""
    from softdock.arm import compare as beside

    data, model = _read(log, arm, tip, cutoff)
    found = beside(data, model)
    files = _drawn(data, {"torques": (found, "as the model has it")}, out or _beside(log, "compare"), figures)
    answer = {"arm": model.name, "samples": len(data.t), "done": list(data.done), "joints": _rows(found, model)}
    if as_json:
        print(json.dumps(answer | {"figures": files}, indent=2, ensure_ascii=False))
        return
    _tell(data, files)
    if data.torque is None:
        say("this log has no torques: only the model's are shown")
    print(_table(found, model))


def identify(
    log: LogFile,
    arm: ArmName = "sawyer",
    tip: Tip = None,
    physical: Annotated[bool, typer.Option("--physical", help="Only parameters that a body can have.")] = False,
    cutoff: Cutoff = None,
    out: Out = None,
    figures: Figures = True,
    as_json: Json = False,
) -> None:
    """Friction and inertial parameters out of a log, with standard deviations."""
    from softdock.arm import compare as beside
    from softdock.arm import identify as solve
    from softdock.runs.recorder import finite

    data, model = _read(log, arm, tip, cutoff)
    try:
        found = solve(data, model, physical=physical)
    except ValueError as error:
        _stop(f"{log}: {error}")
    before, after = beside(data, model), beside(data, found)
    drawn = {"before": (before, "before identification"), "after": (after, "after identification")}
    files = _drawn(data, drawn, out or _beside(log, "identify"), figures)
    for words in found.undetermined:
        say(f"warning: too little excitation: this log cannot tell {words}")
    if as_json:
        answer = finite(_found(found, model, before, after)) | {"figures": files}
        print(json.dumps(answer, indent=2, ensure_ascii=False))
        return
    _tell(data, files)
    for words in found.notes[len(data.done) :]:
        say(f"note: {words}")
    print(f"condition {found.condition:.3g}, {len(found.base)} base parameters (--json lists them)")
    print(f"{'joint':<12}{'viscous (N m s/rad)':>24}{'Coulomb (N m)':>24}{'error before':>14}{'after':>9}{'moving':>9}")
    for k, link in enumerate(model.links):
        viscous = _with_deviation(found.viscous[k], found.viscous_deviation[k])
        coulomb = _with_deviation(found.coulomb[k], found.coulomb_deviation[k])
        errors = [before.table()[k]["share"], after.table()[k]["share"], after.table()[k]["moving_share"]]
        first, second, third = (f"{100 * (error or 0):.2f} %" for error in errors)
        print(f"{link:<12}{viscous:>24}{coulomb:>24}{first:>14}{second:>9}{third:>9}")
    print("Errors: root mean square, of the torque's range; moving: without samples in which a joint turns over.")


def excite(
    out: Annotated[Path, typer.Argument(metavar="FILE.csv", help="Where the motion goes.")],
    arm: ArmName = "sawyer",
    tip: Tip = None,
    period: Annotated[float, typer.Option(help="s; the motion repeats.")] = 10.0,
    rate: Annotated[float, typer.Option(help="Largest joint rate, rad/s.")] = 1.0,
    acceleration: Annotated[float, typer.Option(help="Largest joint acceleration, rad/s².")] = 3.0,
    sampling: Annotated[float, typer.Option(metavar="HZ", help="Rows a second.")] = 100.0,
    tries: Annotated[int, typer.Option(min=1, help="Motions that the search looks at.")] = 400,
    seed: Annotated[int, typer.Option(min=0, help="Of the search.")] = 0,
) -> None:
    """Design a motion within the joints' limits that shows an arm's parameters well, one period as CSV."""
    import numpy as np

    from softdock.arm import arm_named
    from softdock.arm import excite as design
    from softdock.runs.whole import write_whole

    try:
        model = arm_named(arm, tip)
        if not 0 < period * sampling <= MOST_ROWS:
            raise ValueError(f"--sampling: a period has at most {MOST_ROWS} rows, not {period * sampling:g}")
        found = design(model, period=period, rate=rate, acceleration=acceleration, tries=tries, seed=seed)
        _, q, v, a = samples = found.samples(np.arange(round(period * sampling) + 1) / sampling)
        names = [f"{kind}{k + 1}" for kind in "qva" for k in range(model.n)]
        header = ",".join(["t", *names])
        table = np.column_stack([samples.t, q, v, a])
        write_whole(out, lambda new: np.savetxt(new, table, "%.10g", ",", header=header, comments=""))
    except ValueError as error:
        _stop(error)
    except OSError as error:
        _stop(f"{out}: cannot be written: {error.strerror}")
    print(f"{out}: condition {found.condition:.3g}, {period:g} s")


# --- parts -----------------------------------------------------------------------------------------


def _beside(log: Path, word: str) -> Path:
    return log.with_name(f"{log.stem}-{word}")


def _drawn(data: "Log", found: "dict[str, tuple[Measured, str]]", folder: Path, wanted: bool) -> list[str]:
    if not wanted:
        return []
    from softdock.figures import logs

    drawn = {"motion": logs.motion(data)}
    for name, (one, words) in found.items():
        title = f"Torques {words}" + (f": off by up to {logs.worst(one)}" if one.measured is not None else "")
        drawn[name] = logs.torques(one, title, "; ".join(data.done) or "As logged.")
    try:
        return [str(path) for path in logs.write(drawn, folder)]
    except OSError as error:
        _stop(f"{folder}: cannot be written: {error.strerror}")


def _tell(data: "Log", files: list[str]) -> None:
    print(f"{len(data.t)} samples over {data.t[-1] - data.t[0]:.4g} s")
    for line in (*data.done, *files):
        print(f"  {line}")


def _rows(found: "Measured", arm: "SerialArm") -> list[dict[str, Any]]:
    return [{"joint": k + 1, "link": arm.links[k], **row} for k, row in enumerate(found.table())]


def _table(found: "Measured", arm: "SerialArm") -> str:
    lines = [f"{'joint':<12}{'range (N m)':>14}{'largest error':>16}{'rms error':>12}{'of range':>11}"]
    for k, row in enumerate(found.table()):
        line = f"{arm.links[k]:<12}{row['range']:>14.4g}"
        if found.measured is not None:
            line += f"{row['error_max']:>16.4g}{row['error_rms']:>12.4g}{100 * (row['share'] or 0):>9.2f} %"
        lines.append(line)
    return "\n".join(lines)


def _with_deviation(value: float, deviation: float) -> str:
    return f"{value:.4g} ± {deviation:.1g}" if math.isfinite(deviation) else "undetermined"


def _found(found: "Identified", arm: "SerialArm", before: "Measured", after: "Measured") -> dict[str, Any]:
    joints = [
        {
            "link": link,
            "viscous": found.viscous[k],
            "viscous_deviation": found.viscous_deviation[k],
            "coulomb": found.coulomb[k],
            "coulomb_deviation": found.coulomb_deviation[k],
            "offset": found.offset[k],
            "offset_deviation": found.offset_deviation[k],
            "noise": found.noise[k],
            "before": before.table()[k],
            "after": after.table()[k],
        }
        for k, link in enumerate(arm.links)
    ]
    base = [
        {"name": name, "value": value, "deviation": deviation}
        for name, value, deviation in zip(found.names, found.base, found.base_deviation, strict=True)
    ]
    return {
        "arm": arm.name,
        "done": list(found.notes),
        "condition": found.condition,
        "joints": joints,
        "base_parameters": base,
        "undetermined": list(found.undetermined),
        "parameters": found.arm.parameters().tolist(),
    }
