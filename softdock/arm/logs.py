"""Logs of joints: CSV in, evenly sampled positions, rates, accelerations and torques out."""

import csv
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.interpolate import CubicSpline, make_interp_spline

from softdock.arm.serial import SerialArm

KINDS = {
    "q": ("q", "pos", "position"),
    "v": ("v", "qd", "dq", "vel", "velocity"),
    "a": ("a", "qdd", "ddq", "acc", "acceleration"),
    "tau": ("tau", "torque", "effort"),
}
"""What a column may be called, before or after the joint's number or name."""
TIMES = ("t", "time", "timestamp", "%time", "__time", "field.header.stamp")
_WORDS = {word: kind for kind, words in KINDS.items() for word in words}
_LONGEST_FIRST = "|".join(sorted(_WORDS, key=len, reverse=True))
_BEFORE = re.compile(rf"(?:.*[/.])?({_LONGEST_FIRST})[._]?\[?(\d+)\]?$|({_LONGEST_FIRST})[._/](.+)$", re.IGNORECASE)
_AFTER = re.compile(rf"(?:.*[/.])?([^/.]+)[._/]({_LONGEST_FIRST})$", re.IGNORECASE)
_NANOSECONDS = 1e15
_GAP = 5.0
"""A step of time this many times the usual one is a gap."""


class BadLog(ValueError):
    """A log that cannot be used; the message names the file, the place and what was expected."""


@dataclass(frozen=True, eq=False)
class Log:
    """An even time grid and joint values (N, n); `torque` is None if the log has none."""

    t: np.ndarray
    """From 0 (s)."""
    q: np.ndarray
    """(m or rad)."""
    v: np.ndarray
    """(m/s or rad/s)."""
    a: np.ndarray
    """(m/s² or rad/s²)."""
    torque: np.ndarray | None
    """(N or N m)."""
    direction: np.ndarray = None  # type: ignore[assignment]
    """(N, n): the sign of the rates, filtered as the torques are, so that both turn over alike; `sign` if not given
    (-)."""
    done: tuple[str, ...] = ()
    """What was done to the log's numbers, in order."""
    correlation: float = 1.0
    """Samples that stand for one independent sample, after filtering (-)."""

    def __post_init__(self) -> None:
        if self.direction is None:
            object.__setattr__(self, "direction", sign(self.v))


def sign(v: np.ndarray) -> np.ndarray:
    """Of rates (N, n), smoothed within a hundredth of each joint's largest so that noise at rest has none."""
    slow = 0.01 * np.abs(v).max(axis=0)
    return np.asarray(v / np.sqrt(v**2 + slow**2 + 1e-30))


def read_log(path: str | Path, arm: SerialArm, cutoff: float | None = None) -> Log:
    """A CSV log made ready for `arm`; docs/identification.md says which headers are understood.

    Rates and accelerations that are missing are made by differentiating. Then, or if `cutoff` (Hz) is given,
    everything is filtered first: Butterworth of order 4 forward and backward, so without delay (10 Hz if not given,
    at most a fifth of the sampling rate), and two periods of it are dropped at each end.
    """
    names, rows = _table(Path(path))
    time = _time(Path(path), names, rows)
    columns = _columns(Path(path), names, rows, arm)
    return _prepared(Path(path), time, columns, cutoff)


def _table(path: Path) -> tuple[list[str], list[list[str]]]:
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            rows = [row for row in csv.reader(file) if any(cell.strip() for cell in row)]
    except OSError as error:
        raise BadLog(f"{path}: cannot be read: {error.strerror}") from None
    except (UnicodeDecodeError, csv.Error) as error:
        raise BadLog(f"{path}: is no CSV file: {error}") from None
    if len(rows) < 2:
        raise BadLog(f"{path}: has no rows below its header")
    names = [name.strip() for name in rows[0]]
    for number, row in enumerate(rows[1:], 2):
        if len(row) != len(names):
            raise BadLog(f"{path}: row {number} has {len(row)} cells, the header has {len(names)}")
    return names, rows[1:]


def _time(path: Path, names: list[str], rows: list[list[str]]) -> np.ndarray:
    found = [k for word in TIMES for k, name in enumerate(names) if name.lower() == word]
    if not found:
        raise BadLog(f"{path}: has no column of time ({', '.join(TIMES[:3])}); its columns are {', '.join(names[:8])}")
    values = _numbers(path, names[found[0]], [row[found[0]] for row in rows])
    if values[0] > _NANOSECONDS:
        values = (values - values[0]) / 1e9
    steps = np.diff(values)
    if np.any(steps <= 0):
        k = int(np.argmax(steps <= 0))
        what = "repeats" if steps[k] == 0 else "goes back"
        raise BadLog(f"{path}: time {what} at row {k + 3}: {values[k]:.6g} s, then {values[k + 1]:.6g} s")
    usual = float(np.median(steps)) if len(steps) else 0.0
    if len(steps) < 20:
        raise BadLog(f"{path}: has {len(values)} rows; at least 21 are needed")
    if np.any(steps > _GAP * usual):
        k = int(np.argmax(steps))
        raise BadLog(
            f"{path}: has a gap of {steps[k]:.3g} s after {values[k]:.6g} s (row {k + 2}), where rows are usually "
            f"{usual:.3g} s apart; cut the log there"
        )
    return values - values[0]


def _numbers(path: Path, name: str, cells: list[str]) -> np.ndarray:
    try:
        values = np.array(cells, dtype=np.float64)
    except ValueError:
        row = next(k for k, cell in enumerate(cells) if not _is_number(cell))
        raise BadLog(f"{path}: column {name!r}, row {row + 2}: {cells[row]!r} is not a number") from None
    if not np.all(np.isfinite(values)):
        row = int(np.argmin(np.isfinite(values)))
        raise BadLog(f"{path}: column {name!r}, row {row + 2}: {cells[row]} is not a finite number")
    return values


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _columns(path: Path, names: list[str], rows: list[list[str]], arm: SerialArm) -> dict[str, np.ndarray]:
    """(N, n) of each kind that the log has for all of the arm's joints."""
    found: dict[str, dict[str, int]] = {kind: {} for kind in KINDS}
    called = {name.lower().removeprefix("field.name"): rows[0][k].strip() for k, name in enumerate(names)
              if re.fullmatch(r"field\.name\d+", name.lower())}  # fmt: skip
    for k, name in enumerate(names):
        if name.lower() in TIMES or name.lower().startswith(("field.name", "field.header")):
            continue
        if match := _BEFORE.match(name):
            kind, joint = _WORDS[(match[1] or match[3]).lower()], match[2] or match[4]
        elif match := _AFTER.match(name):
            kind, joint = _WORDS[match[2].lower()], match[1]
        else:
            continue
        found[kind][called.get(joint, joint)] = k
    if not found["q"]:
        raise BadLog(f"{path}: has no columns of joint positions (such as q1, q2, … or position.NAME)")
    out = {}
    for kind, columns in found.items():
        if columns:
            order = [columns[joint] for joint in _order(path, kind, list(columns), arm)]
            out[kind] = np.column_stack([_numbers(path, names[k], [row[k] for row in rows]) for k in order])
    return out


def _order(path: Path, kind: str, joints: list[str], arm: SerialArm) -> list[str]:
    """The log's joints in the arm's order: by name (Sawyer's right_j0 moves right_l0), by number, or as they come."""
    named = {joint.replace("_j", "_l"): joint for joint in joints} | {joint: joint for joint in joints}
    if all(link in named for link in arm.links):
        return [named[link] for link in arm.links]
    if len(joints) != arm.n:
        missing = [link for link in arm.links if link not in named] if any(x in named for x in arm.links) else []
        lacks = f"; {', '.join(missing)} missing" if missing else ""
        raise BadLog(f"{path}: has {len(joints)} columns of {KINDS[kind][-1]}, {arm.name} has {arm.n} joints{lacks}")
    return sorted(joints, key=int) if all(joint.isdigit() for joint in joints) else joints


def _prepared(path: Path, time: np.ndarray, columns: dict[str, np.ndarray], cutoff: float | None) -> Log:
    done = []
    step = (time[-1] - time[0]) / (len(time) - 1)
    grid = step * np.arange(len(time))
    if np.max(np.abs(time - grid)) > 0.02 * step:
        done.append(f"resampled evenly, {1 / step:.4g} Hz")
        inside = np.clip(grid, time[0], time[-1])
        columns = {kind: CubicSpline(time, values)(inside) for kind, values in columns.items()}
    missing = [kind for kind in ("v", "a") if kind not in columns]
    smooth, low, drop = _filter(path, len(grid), 1 / step, cutoff) if missing or cutoff is not None else (_same, 0.0, 0)
    if drop:
        columns = {kind: smooth(values) for kind, values in columns.items()}
        done.append(f"filtered forward and backward, Butterworth of order 4, {low:.3g} Hz")
    for kind, source in (("v", "q"), ("a", "v")):
        if kind in missing:
            columns[kind] = make_interp_spline(grid, columns[source], k=5).derivative()(grid)
            done.append(f"{KINDS[kind][-1]} from {KINDS[source][-1]}, by splines of order 5")
    columns["direction"] = smooth(sign(columns["v"]))
    if drop:
        done.append(f"{drop} samples dropped at each end")
    kept = {kind: values[drop : len(grid) - drop] for kind, values in columns.items()}
    return Log(
        t=grid[drop : len(grid) - drop],
        q=kept["q"],
        v=kept["v"],
        a=kept["a"],
        torque=kept.get("tau"),
        direction=kept["direction"],
        done=tuple(done),
        correlation=max(1.0, 0.5 / (step * low)) if drop else 1.0,
    )


def _same(values: np.ndarray) -> np.ndarray:
    return values


def _filter(
    path: Path, count: int, rate: float, cutoff: float | None
) -> tuple[Callable[[np.ndarray], np.ndarray], float, int]:
    """What filters without delay, its frequency (Hz), and how many samples its start-up spoils at each end."""
    from scipy.signal import butter, sosfiltfilt  # slow to load

    low = min(10.0, rate / 5) if cutoff is None else cutoff
    if not 0 < low < rate / 2:
        raise BadLog(f"{path}: a filter at {low:g} Hz needs more than {2 * low:g} samples a second, not {rate:.4g}")
    drop = round(2 * rate / low)
    if count < 4 * drop + 21:
        raise BadLog(f"{path}: {count} rows are too few to be filtered at {low:g} Hz; {4 * drop + 21} are needed")
    sections = butter(4, low, fs=rate, output="sos")
    return lambda values: sosfiltfilt(sections, values, axis=0), low, drop
