"""The process that draws a run's figures: it loads Matplotlib while the run goes on (runs/artist.py starts it)."""

import gc
import json
import os
import sys
import warnings
from contextlib import suppress
from importlib import import_module
from io import BytesIO


def main() -> None:
    """Load what drawing takes, wait for a line that says what to draw, and tell the name of each figure drawn.

    Whatever goes wrong with a figure, or would be warned of, is not told: who asked draws that one, and tells.
    """
    gc.disable()
    artist = import_module("matplotlib.artist")
    artist.kwdoc = lambda _: ""  # type: ignore[attr-defined]  # docstrings, a third of Matplotlib's start
    for module in ("matplotlib.figure", "matplotlib.backends.backend_agg", "softdock.figures"):
        import_module(module)
    _practise()
    line = sys.stdin.readline()
    if line:
        path, figures = json.loads(line)
        _draw_all(path, figures)
    os._exit(0)


def _practise() -> None:
    """Load fonts and all else that the first figure takes."""
    from softdock.figures.look import legend, panels

    figure, (ax,) = panels("0", "0", ["0"])
    ax.plot([0, 1], [0, 1], label="0")
    legend(ax)
    figure.savefig(BytesIO(), format="png")


def _draw_all(path: str, figures: list[tuple[str, str, str]]) -> None:
    """On two cores, if there is a fork: each takes the last figure that nobody has taken (the ledger, the largest, is
    often the last)."""
    waiting, queue = os.pipe()
    os.write(queue, bytes(reversed(range(min(len(figures), 256)))))
    os.close(queue)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if len(figures) > 1 and hasattr(os, "fork"):
            os.fork()
    warnings.simplefilter("error")
    from softdock.figures import draw
    from softdock.runs.recording import read_run

    run = read_run(path)
    while taken := os.read(waiting, 1):
        name, module, function = figures[taken[0]]
        with suppress(Exception):
            draw(run, {name: getattr(import_module(module), function)})
            os.write(sys.stdout.fileno(), f"{json.dumps(name)}\n".encode())
