"""Recorded scans: NPZ and PLY files, or a folder of them.

NPZ holds `points` (n, 3) in m, camera frame; and, if known, `times` (n) in s from the stamp, the stamp `time` in s and
the range noise `sigma` in m. PLY holds the points as vertices. Where the file has no stamp, the last number in its name
is the time in s: `scan-0012.5.ply` is of 12.5 s.
"""

import itertools
import os
import re
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from softdock.sensing.scan import Scan, ScanError

SUFFIXES = (".npz", ".ply")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")


def read_scan(path: str | Path, sigma: float = 0.002) -> Scan:
    """One scan. Rows that are not finite, as cameras write where nothing returned, are left out and counted in `lost`.

    `sigma` is the range noise where the file does not say it.
    """
    path = Path(path)
    if path.suffix.lower() not in SUFFIXES:
        raise ScanError(f"{path}: scans of this format are not read (known: {', '.join(SUFFIXES)})")
    if not os.path.isfile(path):
        raise ScanError(f"{path}: no such scan")
    fields = _npz(path) if path.suffix.lower() == ".npz" else _ply(path)
    points = fields["points"]
    if points.ndim != 2 or points.shape[1] != 3:
        raise ScanError(f"{path}: 'points' must have 3 columns, not shape {points.shape}")
    finite = np.isfinite(points).all(axis=1)
    times = fields.get("times", np.zeros(len(points)))
    if times.shape != (len(points),):
        raise ScanError(f"{path}: 'times' must have {len(points)} numbers, one for each point, not shape {times.shape}")
    try:
        time = float(fields["time"]) if "time" in fields else _time_of(path)
        noise = float(fields.get("sigma", sigma))
        return Scan(points[finite], times[finite], time=time, sigma=noise, lost=int((~finite).sum()))
    except (ScanError, TypeError) as error:
        raise ScanError(f"{path}: {error}") from None


def read_scans(folder: str | Path, sigma: float = 0.002) -> list[Scan]:
    """All scans of a folder, in the order of their times, which must differ."""
    folder = Path(folder)
    paths = sorted(path for path in folder.glob("*") if path.suffix.lower() in SUFFIXES)
    if not paths:
        raise ScanError(f"{folder}: no scans here ({', '.join(SUFFIXES)})")
    scans = sorted(((read_scan(path, sigma), path) for path in paths), key=lambda pair: pair[0].time)
    for (a, first), (b, second) in itertools.pairwise(scans):
        if a.time == b.time:
            raise ScanError(f"{first.name} and {second.name} in {folder} are both of {a.time:g} s; name them by time")
    return [scan for scan, _ in scans]


def write_scan(path: str | Path, scan: Scan) -> None:
    """Write a scan as NPZ."""
    if Path(path).suffix.lower() != ".npz":
        raise ScanError(f"{path}: scans are written as .npz")
    np.savez_compressed(path, points=scan.points, times=scan.times, time=scan.time, sigma=scan.sigma)


def _npz(path: Path) -> dict[str, np.ndarray]:
    try:
        with np.load(path, allow_pickle=False) as file:
            found = {key: np.asarray(file[key], dtype=float) for key in file.files if key in Scan.__dataclass_fields__}
    except (ValueError, TypeError, OSError, EOFError, zipfile.BadZipFile) as error:
        raise ScanError(f"{path}: cannot be read as NPZ: {error}") from None
    if "points" not in found:
        raise ScanError(f"{path}: has no array 'points'")
    return found


def _ply(path: Path) -> dict[str, np.ndarray]:
    import trimesh

    try:
        cloud: Any = trimesh.load(path, process=False)
        return {"points": np.asarray(cloud.vertices, dtype=float).reshape(-1, 3)}
    except Exception as error:
        reason = (str(error).splitlines() or [repr(error)])[0]
        raise ScanError(f"{path}: cannot be read as PLY: {reason}") from None


def _time_of(path: Path) -> float:
    numbers = _NUMBER.findall(path.stem)
    if not numbers:
        raise ScanError("has no time: neither a field 'time' nor a number in its name")
    return float(numbers[-1])
