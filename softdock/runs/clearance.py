"""How near bodies came in a run, by their true shapes, at every time between its rows; and what collided.

Every pair of bodies that have shapes is looked at, but for bodies that are fixed to each other, and neighbours by a
joint whose shapes overlap at the start, as the shells of a joint do. What is certified is the motion of
`planning.RecordedMotion`: rows, and steady rates between two of them.
"""

from collections.abc import Collection, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from softdock.contact import Pair
from softdock.contact.query import DISTANCE
from softdock.dynamics import Dynamics, Trajectory
from softdock.planning.clearance import clearances
from softdock.planning.courses import RecordedMotion
from softdock.world import WORLD, World

TOLERANCE = 1e-4
"""How far a clearance may be over the true least one (m)."""
FINE = 0.01
"""Seconds between two looks for when a collision begins and ends, which halving then finds."""

BodyPair = tuple[str, str]
UNITS = {
    "clearance_min": ("m", "least gap of any two bodies, by their true shapes, at any time"),
    "clearances": ("m", "least gap of each pair of bodies"),
    "clearances_by_phase": ("m", "the same, by phase"),
    "clearances_left_out": ("m", "of pairs that are to come near each other, from then on"),
    "collisions": ("", "where bodies were within each other"),
    "collisions.time": ("s", "since when"),
    "collisions.until": ("s", "until when"),
    "collisions.depth": ("m", "how deep at most"),
    "collisions.deepest": ("s", "when"),
}
"""Of its metrics, with their meaning."""
JOINED = 1e-6
"""Neighbours by a joint that are this near at first touch there, as rods of a panel do (m)."""


class Stage(NamedTuple):
    """A stretch of a run by name, such as a phase (s)."""

    name: str
    start: float
    end: float


class RunClearances(NamedTuple):
    """Least gaps in a run (m)."""

    least: float
    """Of all pairs at all times, but for what was left out."""
    pairs: dict[str, float]
    stages: dict[str, dict[str, float]]
    """By the stage's name, then by pair."""
    collisions: list[dict[str, Any]]
    """Where bodies were within each other: `time` and `until` (s), `bodies`, `stage`, `depth` (m) at `deepest` (s); or
    hit each other: `impulse` (N s), `impacts` (how many) instead."""
    left_out: dict[str, float]
    """Of pairs that were left out, from then on."""

    def metrics(self, within: float = np.inf) -> dict[str, Any]:
        """As metrics.json has them; of pairs, those that came within a distance (m) of each other, nearest first."""

        def near(gaps: dict[str, float]) -> dict[str, float]:
            sorted_gaps = sorted(gaps.items(), key=lambda item: item[1])
            return {name: gap for name, gap in sorted_gaps if gap <= max(within, self.least)}

        return {
            "clearance_min": self.least,
            "clearances": near(self.pairs),
            "clearances_by_phase": {stage: near(gaps) for stage, gaps in self.stages.items()},
            "clearances_left_out": near(self.left_out),
            "collisions": self.collisions,
        }


def stages_of(events: Sequence[Mapping[str, Any]], end: float) -> list[Stage]:
    """The phases that events tell of; the last goes on to the `end` (s). Without any, all is one, of no name."""
    began = [(str(event["name"]), float(event["time"])) for event in events if event["kind"] == "phase"] or [("", 0.0)]
    ends = [time for _, time in began[1:]] + [end]
    return [Stage(name, time, stop) for (name, time), stop in zip(began, ends, strict=True) if stop > time]


def impacts_of(world: World, events: Sequence[Mapping[str, Any]], stages: Sequence[Stage]) -> list[dict[str, Any]]:
    """Bodies that hit each other, as events tell of their contacts: by contact and stage, when first and last (s), how
    often, and their impulses together (N s)."""
    bodies = {pair.name: [pair.body_a, pair.body_b] for pair in world.touching.pairs}
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for event in events:
        if event["kind"] != "impact" or event["contact"] not in bodies:
            continue
        stage = next((one.name for one in stages if one.start <= event["time"] <= one.end), "")
        first = {
            "time": event["time"],
            "bodies": bodies[event["contact"]],
            "stage": stage,
            "impulse": 0.0,
            "impacts": 0,
        }
        one = found.setdefault((event["contact"], stage), first)
        one |= {"until": event["time"], "impulse": one["impulse"] + event["impulse"], "impacts": one["impacts"] + 1}
    return list(found.values())


def named(pair: BodyPair) -> str:
    return " to ".join(pair)


def pairs_of(dynamics: Dynamics, q: np.ndarray) -> list[BodyPair]:
    """All pairs of bodies whose gap says something; `q` is where the run starts."""
    world, places = dynamics.world, dynamics.tree.places
    shaped = [body.name for body in world.bodies if body.shapes]
    apart = [(a, b) for a, b in combinations(shaped, 2) if places[a].link != places[b].link]
    return [pair for pair in apart if not (are_neighbours(world, pair) and gap_at(dynamics, pair, q) <= JOINED)]


def gap_at(dynamics: Dynamics, pair: BodyPair, q: np.ndarray) -> float:
    """The gap of two bodies at a configuration (m)."""
    still = RecordedMotion(dynamics, [0.0, 1.0], np.stack([q, q]))
    return float(_gaps(still, dynamics.world, pair, np.zeros(1))[0])


def are_neighbours(world: World, pair: BodyPair) -> bool:
    """Is there no body with a shape between the two on the way from one to the other?"""

    def carrier(name: str) -> str:
        name = world.body(name).parent
        while name != WORLD and not world.body(name).shapes:
            name = world.body(name).parent
        return name

    return carrier(pair[0]) == pair[1] or carrier(pair[1]) == pair[0]


def clearances_of(
    dynamics: Dynamics,
    rows: Trajectory,
    stages: Sequence[Stage] = (),
    left_out: Mapping[BodyPair, float] | None = None,
    meant: Collection[BodyPair] = (),
    enough: float = np.inf,
) -> RunClearances:
    """Of a run's rows, by stage. A pair in `left_out` does not count from that time (s) on, but may not collide; those
    that are `meant` to touch may, and are not looked at from then on, or if there is no such time, at all. Gaps beyond
    `enough` (m) are certified to be so, not followed to their least."""
    out = {frozenset(pair): time for pair, time in (left_out or {}).items()}
    may = {frozenset(pair) for pair in meant}
    course, world, last = RecordedMotion(dynamics, rows.t, rows.q), dynamics.world, float(rows.t[-1])
    shapes = {body.name: body.shapes for body in world.bodies}
    by_stage, after, collisions = dict[str, dict[str, float]](), dict[str, float](), list[dict[str, Any]]()
    every = stages or [Stage("run", float(rows.t[0]), last)]
    pairs = pairs_of(dynamics, rows.q[0])
    for stage in every:
        of_stage, spans = by_stage.setdefault(stage.name, {}), dict[tuple[float, float, bool], list[BodyPair]]()
        for pair in pairs:
            until = out.get(frozenset(pair), -np.inf if frozenset(pair) in may else np.inf)
            spans.setdefault((stage.start, min(stage.end, until, last), False), []).append(pair)
            if frozenset(pair) not in may:
                spans.setdefault((max(stage.start, until), min(stage.end, last), True), []).append(pair)
        for (begin, end, is_after), some in spans.items():
            if end <= begin:
                continue
            into = after if is_after else of_stage
            times = np.concatenate([[begin], rows.t[(rows.t > begin) & (rows.t < end)], [end]])
            for found in clearances(course, shapes, some, times, least=enough, tolerance=TOLERANCE):
                name = named(found.bodies)
                into[name] = min(found.gap, into.get(name, np.inf))
                if found.gap < 0:
                    collisions += _collisions(course, world, found.bodies, Stage(stage.name, begin, end))
    least: dict[str, float] = {}
    for of_stage in by_stage.values():
        for name, gap in of_stage.items():
            least[name] = min(gap, least.get(name, np.inf))
    collisions.sort(key=lambda collision: collision["time"])
    return RunClearances(min(least.values(), default=np.inf), least, by_stage, collisions, after)


def _gaps(course: RecordedMotion, world: World, pair: BodyPair, t: np.ndarray) -> np.ndarray:
    """Of a pair at times t (k): the least of its shapes' gaps (m)."""
    X_A, X_B = (course.poses(body, t) for body in pair)
    first, second = (world.body(body).shapes for body in pair)
    every = [Pair(a, b).many(X_A, X_B)[:, DISTANCE] for a in first for b in second]
    return np.min(every, axis=0)


def _collisions(course: RecordedMotion, world: World, pair: BodyPair, stage: Stage) -> list[dict[str, Any]]:
    """Every stretch of the stage in which the two bodies are within each other."""
    t = np.linspace(stage.start, stage.end, max(2, round((stage.end - stage.start) / FINE) + 1))
    gaps = _gaps(course, world, pair, t)
    inside = np.concatenate([[False], gaps < 0, [False]])
    begins, ends = np.flatnonzero(inside[1:] & ~inside[:-1]), np.flatnonzero(~inside[1:] & inside[:-1]) - 1
    found = []
    for begin, end in zip(begins, ends, strict=True):
        worst = begin + int(np.argmin(gaps[begin : end + 1]))
        found.append(
            {
                "time": _crossing(course, world, pair, t[begin], t[begin - 1]) if begin else float(t[begin]),
                "until": _crossing(course, world, pair, t[end], t[end + 1]) if end + 1 < len(t) else float(t[end]),
                "bodies": list(pair), "stage": stage.name, "depth": float(-gaps[worst]), "deepest": float(t[worst]),
            }
        )  # fmt: skip
    return found


def _crossing(course: RecordedMotion, world: World, pair: BodyPair, inside: float, outside: float) -> float:
    """When the gap is zero between two times, by halving to a microsecond."""
    while abs(outside - inside) > 1e-6:
        middle = (inside + outside) / 2
        if _gaps(course, world, pair, np.array([middle]))[0] < 0:
            inside = middle
        else:
            outside = middle
    return float(inside)
