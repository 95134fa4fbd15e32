"""What IPython and Jupyter show of runs, trajectories and worlds. A run shows itself; for the others,
`%load_ext softdock.notebook`."""

import base64
import html
import io
from collections.abc import Sequence
from typing import Any

HEIGHT = 560
"""Of a replay in a notebook (pixels)."""
MOST_ROWS = 40


def load_ipython_extension(shell: Any) -> None:
    """Tell IPython, by the names of the classes: nothing is loaded before it is shown."""
    formatter = shell.display_formatter.formatters["text/html"]
    formatter.for_type_by_name("softdock.dynamics.motion", "Trajectory", html_of_trajectory)
    formatter.for_type_by_name("softdock.world.model", "World", html_of_world)


def html_of_run(run: Any) -> str:
    """Its replay, which needs no network, and its metrics below."""
    from softdock import replay
    from softdock.runs.measures import lines

    page = replay.make(run).read_text(encoding="utf-8")
    frame = f'<iframe srcdoc="{html.escape(page)}" style="width:100%;height:{HEIGHT}px;border:0"></iframe>'
    rows = list(lines(run.metrics, run.measures))
    return f"{frame}<details><summary>Metrics</summary>{_table(('metric', 'value', 'meaning'), rows)}</details>"


def html_of_trajectory(path: Any) -> str:
    """Its coordinates over time, and how many rows there are."""
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.5, 2.6), layout="constrained")
    FigureCanvasSVG(figure)
    axes = figure.subplots()
    axes.plot(path.t, path.q)
    axes.set(xlabel="t (s)", ylabel="q (m, rad, -)")
    axes.grid(alpha=0.3)
    picture = io.BytesIO()
    figure.savefig(picture, format="svg")
    coded = base64.b64encode(picture.getvalue()).decode()
    return (
        f'<pre>{html.escape(repr(path))}</pre><img alt="coordinates over time" src="data:image/svg+xml;base64,{coded}">'
    )


def html_of_world(world: Any) -> str:
    """Its bodies: parent, joint, mass and shapes."""
    rows = [
        (body.name, body.parent, body.joint.kind, f"{body.mass:g}", ", ".join(s.kind for s in body.shapes) or "–")
        for body in world.bodies[:MOST_ROWS]
    ]
    more = f"<p>{len(world.bodies) - MOST_ROWS} more</p>" if len(world.bodies) > MOST_ROWS else ""
    head = ("body", "carried by", "joint", "mass (kg)", "shapes")
    return f"<pre>{html.escape(repr(world))}</pre>{_table(head, rows)}{more}"


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    def cells(tag: str, row: tuple[str, ...]) -> str:
        return "".join(
            f'<{tag} style="text-align:left;white-space:pre-line">{html.escape(str(x))}</{tag}>' for x in row
        )

    body = "".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
    return f"<table><thead><tr>{cells('th', head)}</tr></thead><tbody>{body}</tbody></table>"
