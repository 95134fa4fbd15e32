"""The command about vibrations: softdock modes. No physics here."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from softdock.cli.terminal import announce, say

if TYPE_CHECKING:
    import numpy as np

    from softdock.dynamics import Dynamics
    from softdock.dynamics.modes import Modes

WRONG_REQUEST = 2
POINTS = 2000
"""Of a Bode plot."""


def _stop(message: object) -> NoReturn:
    say(str(message))
    raise typer.Exit(WRONG_REQUEST)


def modes(
    source: Annotated[str, typer.Argument(metavar="NAME|FILE", help="A scenario, or a TOML file of one or a world.")],
    changes: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Change a key. As often as needed.")
    ] = None,
    figure: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw frequencies and shapes (PNG).")] = None,
    bode: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the response of --output to --force (PNG).")
    ] = None,
    force: Annotated[str, typer.Option(metavar="NAME", help="Coordinate that is pushed, such as bus.wz.")] = "",
    output: Annotated[
        str, typer.Option(metavar="NAME", help="Coordinate, or frame with axis, such as boom.tip:y.")
    ] = "",
    animate: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write a run of one mode's motion, for softdock replay.")
    ] = None,
    mode: Annotated[int, typer.Option(min=1, help="Which mode that is.")] = 1,
    amplitude: Annotated[float, typer.Option(help="Largest displacement in it (m or rad).")] = 0.1,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")] = False,
) -> None:
    """Frequencies, damping and shapes of small vibrations about a scenario's initial configuration, at rest.

    Example: softdock modes craft.toml --bode bode.png --force bus.wz --output boom.tip:y
    """
    from softdock.runs.recorder import RunFolderError

    try:
        if bode and not (force and output):
            raise ValueError("--bode needs --force and --output")
        dynamics, q = _read(source, changes or [])
        found = dynamics.modes(q)
        if animate and not mode <= len(found.frequency):
            raise ValueError(f"--mode {mode}: there are {len(found.frequency)}")
        files = _drawn(dynamics, q, found, figure, bode, force, output)
        if animate:
            from softdock.runs.vibration import record_mode

            files.append(record_mode(dynamics, q, found, mode - 1, amplitude, animate))
    except (ValueError, RunFolderError, OSError) as error:
        _stop(error)
    if as_json:
        rows = [
            {"frequency": f, "damping": d, "largest": found.largest(k)}
            for k, (f, d) in enumerate(zip(found.frequency.tolist(), found.damping.tolist(), strict=True))
        ]
        print(json.dumps({"modes": rows, "rigid": found.rigid, "files": [str(f) for f in files]}, indent=2))
        return
    print(_table(found))
    for file in files:
        print(file)


def _read(source: str, changes: list[str]) -> "tuple[Dynamics, np.ndarray]":
    """The compiled world, and its initial configuration."""
    from softdock.dynamics import Dynamics
    from softdock.scenarios import load
    from softdock.world import world_of
    from softdock.world.files import read_toml

    path = Path(source)
    if path.suffix == ".toml" and path.is_file() and "scenario" not in (data := read_toml(path)):
        if changes:
            raise ValueError(f"{source}: --set changes scenarios, and this is a world")
        dynamics = Dynamics(world_of(data, source, path.parent), announce=announce)
        return dynamics, dynamics.state()[0]
    scenario = load(source, changes)
    dynamics = Dynamics(scenario.world, announce=announce)
    return dynamics, scenario.state()[0]


def _drawn(
    dynamics: "Dynamics", q: "np.ndarray", found: "Modes", figure: Path | None, bode: Path | None, force: str,
    output: str,
) -> list[Path]:  # fmt: skip
    files = []
    if figure:
        from softdock.figures.modes import mode_shapes

        mode_shapes(found, f"Modes of {dynamics.world.name}").savefig(figure)
        files.append(figure)
    if bode:
        import numpy as np

        from softdock.figures.modes import bode as draw

        slow, fast = (found.frequency[0], found.frequency[-1]) if len(found.frequency) else (1.0, 1.0)
        hz = np.geomspace(slow / 10, min(10 * fast, 1e4 * slow), POINTS)
        draw(hz, dynamics.response(hz, force, output, q), f"{output} by {force}").savefig(bode)
        files.append(bode)
    return files


def _table(found: "Modes") -> str:
    lines = [f"{'mode':>4} {'frequency (Hz)':>15} {'damping (%)':>12}  moves most"]
    for k, (hz, ratio) in enumerate(zip(found.frequency, found.damping, strict=True)):
        lines.append(f"{k + 1:>4} {hz:>15.6g} {100 * ratio:>12.4g}  {found.largest(k)}")
    return "\n".join([*lines, f"and {found.rigid} rates of rigid motion"])
