"""The commands. No physics here, and nothing heavy is loaded before it is needed."""

import json
import os
import shlex
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from datetime import datetime
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from softdock.cli import arm, facility
from softdock.cli.campaign import campaign
from softdock.cli.interrupts import heed, listen
from softdock.cli.modes import modes
from softdock.cli.terminal import (
    announce,
    busy,
    compiling,
    counting,
    is_verbose,
    opened,
    say,
    set_loudness,
    summary,
    warn,
    watched,
)
from softdock.scenarios import SCENARIOS, UnknownScenario, described, is_file, text_of

if TYPE_CHECKING:
    from softdock.replay.live import Live
    from softdock.runs.artist import Artist
    from softdock.scenarios.runner import Runner

RUN_FAILED, WRONG_REQUEST, INTERRUPTED = 1, 2, 130

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="On-orbit servicing, simulated.\n\nExit status: 0 done; 1 the run failed, what was recorded is kept; "
    "2 the request was wrong, nothing is written; 130 interrupted by Ctrl-C or SIGTERM, what was recorded is kept.",
)


def names(incomplete: str) -> list[str]:
    """Scenarios, for the shell's completion."""
    return [name for name in SCENARIOS if name.startswith(incomplete)]


for command in (arm.compare, arm.identify, arm.excite, modes):
    app.command()(command)


def main() -> None:
    """Entry point of the `softdock` command. Whatever is wrong is one line: also a mistake of softdock's own."""
    warnings.showwarning = lambda message, *_, **__: warn(str(message))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # names of files need not be text
    listen()
    try:
        status = app(standalone_mode=False)
    except KeyboardInterrupt:
        say("interrupted")
        status = INTERRUPTED
    except Exception as error:
        status = _told_last(error)
    sys.exit(status)


def _told_last(error: Any) -> int:
    """What no command has told: a wrong command line (typer's exceptions, which have no public name), or a mistake of
    softdock's."""
    if type(error).__name__ == "NoArgsIsHelpError":
        error.show()
    elif hasattr(error, "format_message"):
        context = getattr(error, "ctx", None)
        say(error.format_message() + (f" ({context.command_path} --help)" if context else ""))
    else:
        from softdock.scenarios.faults import told

        say(f"this should not happen, please report it: {told(error, is_own=False)}")
        return RUN_FAILED
    return WRONG_REQUEST


def _stop(message: object, status: int) -> NoReturn:
    if isinstance(message, ValueError) and hasattr(message, "errors"):  # pydantic's, of many lines
        from softdock.scenarios.faults import told

        message = told(message, is_own=False)
    say(str(message))
    raise typer.Exit(status)


def _version(asked: bool) -> None:
    if asked:
        from softdock import __version__

        print(f"softdock {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Show version.")] = False,
    verbose: Annotated[
        bool, typer.Option("-v", "--verbose", help="Say more: what metrics mean, what is logged.")
    ] = False,
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="Only results and what went wrong.")] = False,
) -> None:
    """Options of the program itself."""
    set_loudness(1 if verbose else -1 if quiet else 0)


app.command()(campaign)
app.add_typer(facility.app, name="facility")


@app.command("list")
def list_scenarios() -> None:
    """All scenarios, one line each; those of other packages with where they come from."""
    try:
        lines = described()
    except UnknownScenario as error:
        _stop(error, WRONG_REQUEST)
    width = max(map(len, lines))
    for name, line in lines.items():
        print(f"{name:<{width}}  {line}")


@app.command()
def schema(
    name: Annotated[
        str,
        typer.Argument(metavar="NAME|FILE", help="A scenario, its TOML file, or a Python file.", autocompletion=names),
    ],
) -> None:
    """The JSON Schema of a scenario's file, with descriptions and units.

    With `#:schema NAME.json` as its first line, editors that know TOML schemas (Taplo, VS Code's Even Better TOML)
    complete and check the file: softdock schema capture > capture.json
    """
    from softdock.scenarios.schema import schema_of

    try:
        if name.endswith(".toml"):
            from softdock.world.files import read_toml

            path = Path(name)
            found = str(read_toml(path).get("scenario", ""))
            name = str(path.parent / found) if is_file(found) else found
        print(json.dumps(schema_of(name), indent=2, ensure_ascii=False))
    except ValueError as error:
        _stop(error, WRONG_REQUEST)


@app.command()
def doctor() -> None:
    """What is installed, where caches are, which extras work. Exit status 1 if something that is needed does not."""
    from softdock.cli.doctor import findings

    found = list(findings())
    width = max(len(what) for what, _, _ in found)
    for what, how, well in found:
        print(f"{'' if well else '! '}{what:<{width}}  {how}")
    if not all(well for _, _, well in found):
        raise typer.Exit(RUN_FAILED)


@app.command()
def new(
    name: Annotated[
        str,
        typer.Argument(
            help="A scenario (`softdock list` names them), or a Python file with one.", autocompletion=names
        ),
    ],
    file: Annotated[Path | None, typer.Argument(help="Where to write it [default: NAME.toml].")] = None,
    arm: Annotated[str, typer.Option(help="Of capture: the arm, a URDF file.")] = "",
    target: Annotated[str, typer.Option(help="Of capture: the target, a mesh file in metres.")] = "",
    editor: Annotated[
        bool,
        typer.Option("--schema", help="Write its JSON Schema beside it too, by which editors complete and check it."),
    ] = False,
) -> None:
    """Write a scenario as a TOML file to edit. An existing file is never overwritten."""
    path = file or Path(f"{name}.toml")
    checks = path.parent / f"{path.stem}.schema.json"
    try:
        if editor and os.path.lexists(checks):
            raise ValueError(f"{checks}: exists already; give another FILE")
        text = text_of(os.path.relpath(name, path.parent), path.parent) if is_file(name) else text_of(name)
        if arm or target:
            if name != "capture":
                raise ValueError(f"--arm and --target are options of 'capture', not of {name!r}")
            from softdock.scenarios.capture.begin import text_with

            text = text_with(text, arm, target, say=announce)
        if editor:
            from softdock.scenarios.schema import schema_of

            described = json.dumps(schema_of(name), indent=2, ensure_ascii=False)
            text = f"#:schema ./{checks.name}\n{text}"
        with path.open("x", encoding="utf-8") as out:
            try:
                out.write(text)
                out.flush()
            except OSError:
                path.unlink()
                raise
        if editor:
            checks.write_text(described, encoding="utf-8")
    except ValueError as error:
        _stop(error, WRONG_REQUEST)
    except FileExistsError:
        _stop(f"{path}: exists already; give another FILE", WRONG_REQUEST)
    except OSError as error:
        _stop(f"{path}: cannot be written: {error.strerror}", WRONG_REQUEST)
    print(f"{path}: edit it, then: softdock run {shlex.quote(str(path))}")


@app.command()
def run(
    scenario: Annotated[
        str,
        typer.Argument(
            metavar="NAME|FILE",
            help="A scenario, a TOML file, or a Python file with a scenario.",
            autocompletion=names,
        ),
    ],
    changes: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY.PATH=VALUE", help="Change a key; VALUE is TOML. As often as needed."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Run directory, new or empty [default: runs/NAME-DATE-TIME].")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print metrics.json and nothing else.")] = False,
    figures: Annotated[bool, typer.Option("--figures/--no-figures", help="Draw figures/*.png and replay.html.")] = True,
    reference: Annotated[
        bool, typer.Option("--reference", help="Run again by DOP853 and tell how far apart they are.")
    ] = False,
    live: Annotated[
        bool, typer.Option("--live", help="Show the replay while the run goes on: a page for this machine alone.")
    ] = False,
    port: Annotated[int | None, typer.Option(help="Of that page [default: any that is free].")] = None,
    browser: Annotated[bool, typer.Option("--open/--no-open", help="Open that page in the browser.")] = True,
) -> None:
    """Run a scenario and record it.

    Examples: softdock run free-flyer --set run.h=0.005 --set 'world.bodies[0].mass=500'; softdock run capture --live
    """
    if port is not None and not live:
        _stop(f"--port {port}: is the port of --live, which is not asked for", WRONG_REQUEST)
    from softdock.runs.artist import is_of_use, ready

    with ready() if figures and is_of_use() else nullcontext() as artist:
        try:
            runner, path = _prepared(scenario, changes or [], out, reference)
            heed()
        except KeyboardInterrupt:
            _stop("interrupted before the run began; nothing was written", INTERRUPTED)
        with _shown_live(runner, path, port or 0, browser) if live else nullcontext() as page:
            _record(runner, path, (as_json, figures, reference), page, artist)


@contextmanager
def _shown_live(runner: "Runner", path: Path, port: int, browser: bool) -> "Iterator[Live]":
    """A page of the run while it goes on, and until whoever looks at it has all of it."""
    from softdock.replay.live import Live

    try:
        live = Live(path, runner.dynamics, runner.scenario.run.duration, port)
    except ValueError as error:
        _stop(error, WRONG_REQUEST)
    with live:
        say(f"live, for this machine alone: {live.address}")
        looked_at = browser and opened(live.address)
        try:
            yield live
        finally:
            live.end()
            live.see_off(looked_at)


def _prepared(scenario: str, changes: list[str], out: Path | None, reference: bool) -> "tuple[Runner, Path]":
    """The scenario made ready, and where it goes; whatever is wrong with the request ends here."""
    from softdock.runs.recorder import RunFolderError, refuse_used
    from softdock.scenarios import load
    from softdock.scenarios.faults import told
    from softdock.scenarios.runner import Runner

    try:
        wanted = load(scenario, changes)
        path = out or _unused(Path("runs"), Path(scenario).stem)
        refuse_used(path)
    except (RunFolderError, ValueError) as error:
        _stop(error, WRONG_REQUEST)
    try:
        with compiling(wanted.scenario):
            runner = Runner(wanted, announce=announce)
        if reference:
            runner.refuse_check()
    except Exception as error:  # of extreme numbers, and of code of one's own
        _stop(f"{scenario}: {told(error, is_own=False)}", WRONG_REQUEST)
    return runner, path


def _unused(folder: Path, name: str) -> Path:
    """A run directory that does not exist yet, named by the time."""
    stem = f"{name}-{datetime.now():%Y%m%d-%H%M%S}"
    names = [stem, *(f"{stem}-{k}" for k in range(2, 1000))]
    return next(folder / name for name in names if not (folder / name).exists())


def _record(
    runner: "Runner", path: Path, asked: tuple[bool, bool, bool], live: "Live | None", artist: "Artist | None"
) -> None:
    """Run, draw, and say how it went. Asked for: JSON, figures, a reference."""
    from softdock.runs.recorder import RunFolderError, finite
    from softdock.scenarios.faults import HookFailed
    from softdock.scenarios.runner import FAILED

    as_json, figures, reference = asked
    try:
        with watched(runner.scenario.run.duration, live.tell if live else None) as progress:
            outcome = runner.record(path, progress, check=reference)
    except (RunFolderError, HookFailed) as error:
        _stop(error, WRONG_REQUEST)
    except KeyboardInterrupt:  # a second one, when the run's directory was closed
        _stop(f"interrupted; what was recorded is in {path}", INTERRUPTED)
    if live:
        live.end()
    if figures:
        with busy("drawing figures and the replay"):
            runner.draw(path, warn, artist)
    if as_json:
        print(json.dumps(finite(outcome.metrics), indent=2, ensure_ascii=False))
    else:
        print(f"{path}\n{summary(outcome.metrics, type(runner.scenario).measures(), is_verbose())}")
        if (path / "replay.html").exists():
            print(f"Replay: {path / 'replay.html'}, or softdock replay {path}")
        if (path / "report.html").exists():
            print(f"Report: {path / 'report.html'}")
    if outcome.reason:
        status = RUN_FAILED if outcome.status == FAILED else INTERRUPTED
        _stop(f"{outcome.reason}; what was recorded is in {path}", status)


@app.command()
def warmup(
    scenarios: Annotated[
        list[str] | None,
        typer.Argument(metavar="[NAME|FILE]...", help="Scenarios [default: all built-in ones].", autocompletion=names),
    ] = None,
    ship: Annotated[
        bool, typer.Option("--ship", help="Make the archive of loops that comes with softdock, for this Python.")
    ] = False,
    check: Annotated[bool, typer.Option("--check", help="Say whether that archive is of these sources.")] = False,
) -> None:
    """Compile ahead what scenarios take, by running each once into nowhere.

    What is compiled is stored piece by piece: interrupted, it goes on from there the next time.
    """
    from softdock.cli import warmup as work

    try:
        if check:
            print(work.check())
        elif ship:
            path = work.ship()
            print(f"{path}: {path.stat().st_size / 1e6:.2f} MB")
        else:
            work.warm(scenarios or [])
    except ValueError as error:
        _stop(error, RUN_FAILED if check else WRONG_REQUEST)
    except KeyboardInterrupt:
        _stop("interrupted; what is compiled is kept", INTERRUPTED)


@app.command("replay")
def show_replay(
    runs: Annotated[
        list[Path], typer.Argument(metavar="RUN [RUN]|DIR", help="A run; two, to compare them; or a folder of runs.")
    ],
    browser: Annotated[bool, typer.Option("--open/--no-open", help="Open the page in the browser.")] = True,
    video: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a video instead: .mp4, .webm or .gif.")
    ] = None,
    picture: Annotated[
        list[str] | None,
        typer.Option(metavar="t=S[,FILE]", help="Write a picture (PNG) of that time instead. As often as needed."),
    ] = None,
    start: Annotated[float | None, typer.Option("--from", metavar="S", help="Where the video begins.")] = None,
    end: Annotated[float | None, typer.Option("--to", metavar="S", help="Where it ends.")] = None,
    speed: Annotated[float, typer.Option(help="Simulated seconds a second of it.")] = 1.0,
    view: Annotated[str, typer.Option(help="whole, chase, target, port, top, far: those that the run has.")] = "whole",
    size: Annotated[str, typer.Option(metavar="WxH", help="In pixels.")] = "1280x720",
    fps: Annotated[float, typer.Option(help="Frames a second.")] = 30.0,
    exaggerate: Annotated[float, typer.Option(help="Draw what springs give way by so many times as large.")] = 1.0,
) -> None:
    """Show a run in the browser, two laid over each other (the second as a ghost), or a gallery of a folder; or write a
    video or pictures of it.

    Examples: softdock replay runs/a --video a.mp4 --from 80 --to 120 --speed 2 --view target; softdock replay runs/a
    --picture t=118
    """
    from softdock import replay
    from softdock.replay.gallery import GALLERY
    from softdock.runs.recorder import RunFolderError

    try:
        page = replay.page_of(runs, say, exaggerate)
        if video or picture:
            if page.name == GALLERY:
                raise ValueError(f"{runs[0]}: is a folder of runs; name one of them to film")
            _film(page, video, picture or [], (start, end, speed, view), (size, fps))
            return
    except (RunFolderError, ValueError, OSError) as error:
        _stop(error, WRONG_REQUEST)
    except KeyboardInterrupt:
        _stop("interrupted; nothing was written", INTERRUPTED)
    print(page)
    if browser and not opened(page):
        say(f"no browser could be opened; open this file in one: {page}")


def _film(
    page: Path, video: Path | None, pictures: list[str], part: tuple[float | None, float | None, float, str],
    frame: tuple[str, float],
) -> None:  # fmt: skip
    """Write what is asked for; ValueError or RunFolderError if that cannot be done."""
    import math
    import re

    from softdock.replay import browser, film

    if browser.found() is None:
        warn("no Chromium or Chrome was found (SOFTDOCK_BROWSER says where one is): drawn plainly, as outlines")
    size = re.fullmatch(r"(\d{1,5})x(\d{1,5})", frame[0])
    if not size:
        raise ValueError(f"--size {frame[0]}: expected WIDTHxHEIGHT, such as 1280x720")
    start, end, speed, view = part
    shot = film.Shot(start, end, speed, view, int(size[1]), int(size[2]), frame[1])
    for wanted in pictures:
        found = re.fullmatch(r"(?:t=)?([-+.\deE]+)(?:,(.+))?", wanted)
        try:
            time = float(found[1]) if found else float("nan")
        except ValueError:
            time = float("nan")
        if not found or math.isnan(time):
            raise ValueError(f"--picture {wanted}: expected t=SECONDS, or t=SECONDS,FILE")
        out = Path(found[2]) if found[2] else page.parent / f"picture-{time:g}s.png"
        print(film.picture(page, time, out, shot))
    if video:
        with counting("frames") as progress:
            film.video(page, video, shot, progress)
        print(video)


@app.command()
def report(run: Annotated[Path, typer.Argument(metavar="RUN", help="A run directory.")]) -> None:
    """Write report.html of a run, to read and to print: timeline, results, figures, events, what was asked."""
    from softdock.replay.report import write_report
    from softdock.runs.recorder import RunFolderError
    from softdock.runs.recording import read_run

    try:
        print(write_report(read_run(run)))
    except (RunFolderError, OSError) as error:
        _stop(error, WRONG_REQUEST)


@app.command()
def export(
    run: Annotated[str, typer.Argument(metavar="RUN|NAME|FILE", help="A run directory; for urdf and fmu, a scenario.")],
    to: Annotated[
        str,
        typer.Option(
            "--to",
            metavar="FORMAT",
            help="csv, mcap, ros2, joint-trajectory, rrd, urdf-poses; of a scenario: urdf, fmu.",
        ),
    ],
    out: Annotated[
        Path | None, typer.Option(metavar="PATH", help="Where to [default: RUN/export/…, or NAME.urdf, NAME.fmu].")
    ] = None,
) -> None:
    """Write a run for other tools: tables, MCAP for Foxglove, a ROS 2 bag, a joint trajectory, .rrd for Rerun, poses
    for a URDF viewer; or a scenario: its world as URDF, itself as a co-simulation FMU (FMI 3.0)."""
    from softdock.replay.exports import export as write
    from softdock.runs.recorder import RunFolderError
    from softdock.runs.recording import read_run

    try:
        files = _export_scenario(run, to, out) if to in ("urdf", "fmu") else write(read_run(run), to, out)
    except (RunFolderError, ValueError, OSError) as error:
        _stop(error, WRONG_REQUEST)
    print("\n".join(map(str, files)))


def _export_scenario(source: str, to: str, out: Path | None) -> list[Path]:
    """A scenario, by name or file or as a run was of it, as URDF or FMU."""
    from softdock.scenarios import load
    from softdock.scenarios.fmu import save_fmu
    from softdock.world import save_urdf

    folder = Path(source)
    named = str(folder / "scenario.toml") if (folder / "scenario.toml").is_file() else source
    scenario = load(named)
    place = out or Path(f"{folder.stem}.{to}")
    if to == "fmu":
        return [save_fmu(scenario, place, Path(named).parent if named.endswith(".toml") else Path())]
    if os.path.lexists(place):
        raise ValueError(f"{place}: exists already; choose another")
    return save_urdf(scenario.world, place)


@app.command()
def track(
    source: Annotated[Path, typer.Argument(metavar="POSES.csv|FOLDER", help="Poses, or a folder of PLY/NPZ scans.")],
    model: Annotated[Path | None, typer.Option(metavar="FILE", help="The target's shape (m); for scans.")] = None,
    scale: Annotated[float, typer.Option(help="Multiplies the model's coordinates (0.001 for millimetres).")] = 1.0,
    period: Annotated[float, typer.Option(metavar="SECONDS", help="Of the orbit; 0: no gravity.")] = 0.0,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="New or empty [default: runs/track-DATE-TIME].")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print summary.json and nothing else.")] = False,
) -> None:
    """Estimate a tumbling target from your own data: rates, inertia, centre of mass, a forecast."""
    from softdock.runs.measures import declared
    from softdock.runs.recorder import RunFolderError, finite, refuse_used
    from softdock.tracking.tracked import UNITS, save, tracked

    folder = out or _unused(Path("runs"), "track")
    try:
        refuse_used(folder)
        with busy("estimating"):
            found = tracked(source, model, period=period, scale=scale)
            save(found, folder)
    except (RunFolderError, ValueError, ArithmeticError, MemoryError, OSError) as error:
        _stop(str(error) or type(error).__name__, WRONG_REQUEST)
    if as_json:
        print(json.dumps(finite(found.summary), indent=2))
    else:
        print(f"{folder}\n{summary(found.summary, declared(UNITS))}")
    if found.mostly_refused:
        _stop(found.mostly_refused, RUN_FAILED)


@app.command()
def bench(
    as_json: Annotated[bool, typer.Option("--json", help="Print the rows as JSON and nothing else.")] = False,
    only: Annotated[
        list[str] | None, typer.Option(metavar="CASE", help="Only cases whose names start so. As often as needed.")
    ] = None,
    write: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write everything into this Markdown file too.")
    ] = None,
) -> None:
    """Measure this machine, beside the peers that are installed."""
    from softdock.bench.command import main as measure

    try:
        measure(as_json, only or [], write)
    except (ValueError, OSError) as error:
        _stop(error, WRONG_REQUEST)
    except KeyboardInterrupt:
        _stop("interrupted", INTERRUPTED)
