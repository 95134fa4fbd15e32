"""The report of a run: one self-contained HTML file that can be read without softdock, and printed."""

import base64
import html
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import tomli_w

from softdock.replay.document import document, put
from softdock.replay.scene import joint_units, told
from softdock.runs.measures import COMPUTING, lines, number
from softdock.runs.recorder import RunFolderError
from softdock.runs.recording import Run, read_json

PAGE = "report.html"
MOST_EVENTS = 200
"""Rows of the table of events; of a kind that would fill it, only the first are told."""
PER_KIND = 20
LARGEST_FIGURE = 5_000_000
"""Bytes; a larger picture is left out."""
HEAD = ("scenario", "status", "outcome", "reason")


def write_report(run: Run) -> Path:
    """Write report.html into a run's directory; RunFolderError if it cannot be."""
    try:
        sections = [_summary(run), _timeline(run), _metrics(run), _figures(run.path), _events(run), _keys(run)]
    except RunFolderError:
        raise
    except Exception:  # the directory may be anybody's
        raise RunFolderError(f"{run.path}: cannot be reported: it holds something else than softdock writes") from None
    body = f"<main>{''.join(sections)}</main>"
    put(run.path / PAGE, document(f"{run.scenario['scenario']}: report", body, __package__, "report"))
    return run.path / PAGE


def _section(title: str, content: str) -> str:
    return f"<section><h2>{html.escape(title)}</h2>{content}</section>" if content else ""


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Cells are HTML."""
    top = "".join(f"<th>{cell}</th>" for cell in head)
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    return f"<div class=scroll><table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>"


def _summary(run: Run) -> str:
    metrics, settings = run.metrics, run.scenario.get("run", {})
    outcome = html.escape(str(metrics.get("outcome") or metrics.get("status") or "killed"))
    reason = html.escape(str(metrics.get("reason") or ""))
    t = run.tables["states"]["t"].tolist() if "states" in run.tables else []
    facts = [f"{number(t[-1], 's')} simulated" if len(t) else "nothing recorded"]
    facts += [f"h = {settings['h']:g} s"] if isinstance(settings.get("h"), int | float) else []
    facts += [f"seed {settings['seed']}"] if "seed" in settings else []
    facts.append(f"softdock {read_json(run.path / 'run.json', {}).get('softdock', '?')}")
    return (
        f"<header><h1>{html.escape(run.scenario['scenario'])}</h1><p class=outcome>{outcome}</p>"
        f"<p>{reason}</p><p>{html.escape(', '.join(facts))}</p></header>"
    )


def _timeline(run: Run) -> str:
    """Phases as bars over the whole run."""
    phases = run.metrics.get("phases") or []
    last = max((float(phase["end"]) for phase in phases), default=0.0)
    if not last:
        return ""
    rows = []
    for phase in phases:
        start, end = float(phase["start"]), float(phase["end"])
        place = f"left:{100 * start / last:.2f}%;width:max(2px,{100 * (end - start) / last:.2f}%)"
        result = str(phase.get("result", ""))
        kind = "" if result == "done" else " class=bad"
        bar = f'<div class=track><i{kind} style="{place}"></i></div>'
        times = [number(x, "s") for x in (start, end, end - start)]
        rows.append((html.escape(str(phase["name"])), *times, html.escape(result), bar))
    return _section("Timeline", _table(("phase", "from", "to", "takes", "result", ""), rows))


def _metrics(run: Run) -> str:
    """The scenario's own first, then those that every run has."""
    shown = {name: value for name, value in run.metrics.items() if name not in HEAD and name != "phases"}
    own = {name: value for name, value in shown.items() if name not in COMPUTING}
    general = {name: value for name, value in shown.items() if name in COMPUTING}
    return _section("Results", _measured(own, run)) + _section("Balances and computing", _measured(general, run))


def _measured(metrics: Mapping[str, Any], run: Run) -> str:
    if not metrics:
        return ""
    told = (map(html.escape, line) for line in lines(metrics, run.measures))
    rows = [(name, f"<pre>{value}</pre>", meaning) for name, value, meaning in told]
    return _table(("", "", "meaning"), rows)


def _figures(path: Path) -> str:
    """Those that were drawn."""
    found = []
    for file in sorted((path / "figures").glob("*.png")):
        if file.is_file() and not file.is_symlink() and file.stat().st_size <= LARGEST_FIGURE:
            coded = base64.b64encode(file.read_bytes()).decode()
            name = html.escape(file.stem.replace("-", " "))
            picture = f'<img alt="{name}" src="data:image/png;base64,{coded}">'
            found.append(f"<figure>{picture}<figcaption>{name}</figcaption></figure>")
    return _section("Figures", "".join(found))


def _events(run: Run) -> str:
    counts: Counter[str] = Counter()
    rows, joints = list[tuple[str, ...]](), joint_units(run.scenario.get("world"))
    for event in run.events:
        kind = str(event.get("kind", ""))
        counts[kind] += 1
        if kind == "phase" or counts[kind] > PER_KIND or len(rows) >= MOST_EVENTS:
            continue
        label, detail = told(event, joints)
        time = f"{float(event.get('time', 0.0)):.3f} s"
        rows.append((time, html.escape(label), html.escape(detail[:300])))
    more = [
        f"{count - PER_KIND} more of {kind!r}" for kind, count in counts.items() if count > PER_KIND and kind != "phase"
    ]
    rest = f"<p>{html.escape('; '.join(more))}: see events.json.</p>" if more else ""
    return _section("Events", _table(("time", "what", ""), rows) + rest) if rows else ""


def _keys(run: Run) -> str:
    """What was asked for; the world and its initial state, which are long, are in scenario.toml."""
    asked = {key: value for key, value in run.scenario.items() if key not in ("world", "initial")}
    return _section("Scenario", f"<pre>{html.escape(tomli_w.dumps(asked))}</pre>")
