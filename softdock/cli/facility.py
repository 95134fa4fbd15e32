"""Questions before building a laboratory: delay, reach, budget. No physics here."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from softdock.cli.terminal import say

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WRONG_REQUEST = 2
app = typer.Typer(
    no_args_is_help=True, rich_markup_mode=None,
    help="Questions before building a laboratory that emulates free bodies with arms: how late it may be, which "
    "tumbles an arm can follow, what each imperfection costs. `softdock run facility` runs it.",
)  # fmt: skip
Out = Annotated[Path, typer.Option(metavar="DIR", help="Where figure and table go.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]
Figures = Annotated[bool, typer.Option("--figures/--no-figures", help="Draw.")]


def _stop(message: object) -> NoReturn:
    say(str(message))
    raise typer.Exit(WRONG_REQUEST)


def _progress() -> Callable[[str, float], None]:
    """A line on a terminal that is written over; nothing elsewhere."""
    if not sys.stderr.isatty():
        return lambda what, share: None

    def show(what: str, share: float) -> None:
        print(f"\r\x1b[K{100 * share:3.0f} %  {what}", end="", file=sys.stderr, flush=True)

    return show


def _tell(
    answer: Any, table: str, figure: "Callable[[], Figure]", name: str, out: Path, how: tuple[bool, bool]
) -> None:
    """Write table and figure, and print one of them."""
    as_json, figures = how
    files: list[str] = []
    if sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr)
    try:
        if figures:
            from softdock.figures import logs
            from softdock.runs.whole import write_whole

            files = [str(path) for path in logs.write({name: figure()}, out)]
            path, text = out / f"{name}.json", json.dumps(answer, indent=2, ensure_ascii=False) + "\n"
            write_whole(path, lambda place: place.write_text(text, encoding="utf-8"))
            files.append(str(path))
    except OSError as error:
        _stop(f"{out}: cannot be written: {error.strerror}")
    print(json.dumps(answer, indent=2, ensure_ascii=False) if as_json else table)
    if not as_json:
        for file in files:
            print(f"  {file}")


@app.command()
def delay(
    target: Annotated[float, typer.Option(metavar="KG", help="Emulated mass.")] = 60.0,
    servicer: Annotated[float, typer.Option(metavar="KG", help="Real mass that touches it.")] = 60.0,
    stiffness: Annotated[float, typer.Option(metavar="N/m", help="Of the contact.")] = 1000.0,
    viscosity: Annotated[float, typer.Option(metavar="N·s/m", help="Of the contact.")] = 20.0,
    damping: Annotated[float, typer.Option(metavar="s/m", help="Hunt and Crossley's, of the contact.")] = 0.0,
    speed: Annotated[float, typer.Option(metavar="m/s", help="Of approach.")] = 0.03,
    period: Annotated[float, typer.Option(metavar="s", help="Of the loop.")] = 0.001,
    out: Out = Path("facility-delay"),
    figures: Figures = True,
    as_json: Json = False,
) -> None:
    """Critical delay against stiffness, and apparent restitution against delay: theory beside simulation."""
    from softdock.dynamics import StepFailed
    from softdock.facility import delay as study

    try:
        found = study.study_delay(
            mass=target, servicer=servicer, stiffness=stiffness, viscosity=viscosity, damping=damping, speed=speed,
            period=period, progress=_progress(),
        )  # fmt: skip
    except (ValueError, ArithmeticError, StepFailed) as error:
        _stop(f"cannot be computed with these numbers: {error}" if not isinstance(error, ValueError) else error)
    _tell(study.told(found), study.table(found), lambda: study.drawn(found), "delay", out, (as_json, figures))


@app.command()
def reach(
    arm: Annotated[str, typer.Option(metavar="sawyer|sawyer:mjcf|URDF", help="The arm.")] = "sawyer",
    tip: Annotated[str | None, typer.Option(metavar="LINK", help="Of a URDF: where it ends [longest chain].")] = None,
    inertia: Annotated[
        str, typer.Option(metavar="A,B,C", help="Of the target, kg m²: its axes' ratios count.")
    ] = "4,8,5",
    rates: Annotated[str, typer.Option(metavar="X,Y,Z", help="One tumble of your own [default: five kinds].")] = "",
    rate: Annotated[float, typer.Option(metavar="DEG/S", help="Of the tumble.")] = 20.0,
    distance: Annotated[float, typer.Option(metavar="M", help="From the tool to the target's centre.")] = 0.1,
    payload: Annotated[float, typer.Option(metavar="KG", help="The mock-up.")] = 2.0,
    angle: Annotated[float, typer.Option(metavar="DEG", help="As far as it is followed.")] = 1080.0,
    starts: Annotated[int, typer.Option(min=1, max=20000, help="That are tried.")] = 600,
    seed: Annotated[int, typer.Option(min=0, help="Of the search.")] = 0,
    out: Out = Path("facility-reach"),
    figures: Figures = True,
    as_json: Json = False,
) -> None:
    """Which tumbles an arm can follow within joint, speed and torque limits, and for how long, from the best start."""
    import numpy as np

    from softdock.arm import arm_named
    from softdock.facility import reach as study

    try:
        model = arm_named(arm, tip)
        moments = _three("--inertia", inertia)
        own = {"as given": np.array(_three("--rates", rates))} if rates else None
        if own and not np.any(own["as given"]):
            raise ValueError("--rates: a tumble has a rate that is not zero")
        found = study.study_reach(
            model, inertia=moments, distance=distance, payload=payload, rate=np.radians(rate), angle=np.radians(angle),
            starts=starts, seed=seed, tumbles=own, progress=_progress(),
        )  # fmt: skip
    except (ValueError, ArithmeticError) as error:
        _stop(error)
    turning = float(np.radians(rate))
    answer = {"arm": model.name, "rate_deg_s": rate, "starts": starts, "tumbles": study.told(found, turning)}
    table = study.table(found, turning)
    _tell(answer, table, lambda: study.drawn(found, model, turning), "reach", out, (as_json, figures))


@app.command()
def budget(
    changes: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Of the scenario facility; may be repeated.")
    ] = None,
    out: Out = Path("facility-budget"),
    figures: Figures = True,
    as_json: Json = False,
) -> None:
    """Error of impulse, peak force and rates after an emulated touch from each cause alone, and from all together."""
    from softdock.dynamics import StepFailed
    from softdock.scenarios.facility import budget as study

    try:
        found = study.budget(changes or [], _progress())
    except (ValueError, ArithmeticError, StepFailed) as error:
        _stop(f"cannot be computed with these numbers: {error}" if not isinstance(error, ValueError) else error)
    _tell(study.told(found), study.table(found), lambda: study.drawn(found), "budget", out, (as_json, figures))


@app.command()
def export(
    run: Annotated[str, typer.Argument(metavar="RUN", help="The directory of a run of 'facility'.")],
    to: Annotated[str, typer.Option("--to", metavar="csv|mcap", help="CSV, or ROS 2 JointTrajectory.")] = "csv",
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="Where to [default: RUN/export/robots].")] = None,
) -> None:
    """Joint trajectories of both robots for real arms: positions, rates, accelerations, torques, stamps. `softdock
    compare LOG.csv` reads such CSV, written here or logged by a real facility."""
    from functools import partial

    from softdock.facility.robots import robots_of, write_csv, write_mcap
    from softdock.runs.recorder import RunFolderError
    from softdock.runs.recording import read_run
    from softdock.runs.whole import inner_folder, write_whole

    try:
        if to not in ("csv", "mcap"):
            raise ValueError(f"--to {to}: it must be csv or mcap")
        recorded = read_run(run)
        robots = robots_of(recorded)
        folder = out or inner_folder(recorded.path, "export", "robots")
        folder.mkdir(parents=True, exist_ok=True)
        writers = (
            {folder / "joint_trajectories.mcap": partial(write_mcap, robots)}
            if to == "mcap"
            else {folder / f"{name}.csv": partial(write_csv, motion) for name, motion in robots.items()}
        )
        for path, write in writers.items():
            write_whole(path, write)
    except (RunFolderError, ValueError) as error:
        _stop(error)
    except OSError as error:
        _stop(f"{out or run}: cannot be written: {error.strerror}")
    print("\n".join(map(str, writers)))


def _three(name: str, text: str) -> tuple[float, float, float]:
    try:
        a, b, c = (float(part) for part in text.split(","))
    except ValueError:
        raise ValueError(f"{name}: {text!r} is not three numbers, such as 4,8,5") from None
    return a, b, c
