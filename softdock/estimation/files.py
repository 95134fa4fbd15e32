"""Measured poses in a CSV file.

The first line names the columns, in any order:

    t                  when the pose was seen (s)
    x, y, z            position of {C} in {A} (m)
    qw, qx, qy, qz     quaternion q_AC
    c11, c12, … c66    optional: upper triangle of the covariance, row by row (21 columns); indices 1 to 3 are the
                       rotation vector (rad, in {C}), 4 to 6 the position (m, in {A})

Empty lines and lines that start with # are skipped. `nan` is a number here: a frame without a pose, which an
estimator counts as rejected.
"""

import csv
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from softdock.estimation.measurement import PoseMeasurement, isotropic
from softdock.world.describe import nearest

COLUMNS = ("t", "x", "y", "z", "qw", "qx", "qy", "qz")
COVARIANCE = tuple(f"c{i}{j}" for i in range(1, 7) for j in range(i, 7))


class PoseFileError(ValueError):
    """A file of poses that cannot be read; the message names the file, the line and what was expected."""


def read_poses(path: Path | str, *, position: float = 0.005, angle: float = np.radians(0.5)) -> list[PoseMeasurement]:
    """All measurements of a file, in its order. Without covariance columns, `position` (m) and `angle` (rad) are the
    standard deviations along each axis."""
    path = Path(path)
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise PoseFileError(f"{path}: cannot be read ({error})") from error
    numbered = [(k, line) for k, line in enumerate(lines, 1) if line.strip() and not line.lstrip().startswith("#")]
    if len(numbered) < 2:
        raise PoseFileError(
            f"{path}: no poses: expected a line of column names ({', '.join(COLUMNS)}) and rows below it"
        )
    header = _header(path, numbered[0][0], next(csv.reader([numbered[0][1]])))
    stated = None if COVARIANCE[0] in header else isotropic(position, angle)
    return [_measurement(row, stated) for row in _rows(path, header, numbered[1:])]


def write_poses(path: Path | str, measurements: Iterable[PoseMeasurement]) -> None:
    """A file that `read_poses` reads back exactly, covariances included."""
    upper = np.triu_indices(6)
    with Path(path).open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow((*COLUMNS, *COVARIANCE))
        for one in measurements:
            numbers = [
                one.t,
                *np.asarray(one.position),
                *np.asarray(one.quaternion),
                *np.asarray(one.covariance)[upper],
            ]
            rows.writerow([repr(float(number)) for number in numbers])


def _header(path: Path, line: int, names: list[str]) -> list[str]:
    names = [name.strip() for name in names]
    for name in names:
        if name not in (*COLUMNS, *COVARIANCE):
            raise PoseFileError(f"{path}, line {line}: unknown column {name!r}{nearest(name, COLUMNS + COVARIANCE)}")
        if names.count(name) > 1:
            raise PoseFileError(f"{path}, line {line}: column {name!r} is named twice")
    wanted = COLUMNS + COVARIANCE if any(name in names for name in COVARIANCE) else COLUMNS
    if missing := [name for name in wanted if name not in names]:
        raise PoseFileError(f"{path}, line {line}: no column {missing[0]!r}; expected {', '.join(COLUMNS)}"
                            + (" and all of c11 … c66" if len(wanted) > len(COLUMNS) else ""))  # fmt: skip
    return names


def _rows(path: Path, header: list[str], lines: list[tuple[int, str]]) -> Iterator[dict[str, float]]:
    for number, line in lines:
        cells = next(csv.reader([line]))
        if len(cells) != len(header):
            raise PoseFileError(f"{path}, line {number}: {len(cells)} values, where there are {len(header)} columns")
        yield {name: _number(path, number, name, cell) for name, cell in zip(header, cells, strict=True)}


def _number(path: Path, line: int, name: str, cell: str) -> float:
    try:
        return float(cell)
    except ValueError:
        raise PoseFileError(f"{path}, line {line}: {name} is {cell.strip()!r}, which is not a number") from None


def _measurement(row: dict[str, float], stated: np.ndarray | None) -> PoseMeasurement:
    if stated is None:
        stated = np.zeros((6, 6))
        stated[np.triu_indices(6)] = [row[name] for name in COVARIANCE]
        stated = stated + np.triu(stated, 1).T
    position, quaternion = ([row[name] for name in names] for names in (COLUMNS[1:4], COLUMNS[4:8]))
    return PoseMeasurement(row["t"], np.array(position), np.array(quaternion), stated)
