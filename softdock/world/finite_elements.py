"""Appendages as finite-element models deliver them: frequencies, damping, participation at the interface, rigid mass.

In files: NPZ with the arrays `frequency`, `participation`, `mass_matrix` and, maybe, `damping_ratio`, or with the
matrices `M` and `K` of a model whose first six coordinates are the interface; Nastran's matrices as it punches them
(DMIG, .pch).
"""

from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

LARGEST_FILE = 200_000_000
"""A file of more bytes is refused."""
LOOSE = 1e-6
"""Share by which what should be zero may miss it: forces at the interface under rigid motion, a rigid mass matrix."""


class ModalData(NamedTuple):
    """Of an appendage held at its interface; six coordinates are x, y, z and turns about them, about the interface."""

    frequency: np.ndarray
    """(n) (Hz)."""
    participation: np.ndarray
    """(6, n) momentum of the interface at unit rates of mass-normalised modes (√kg, √kg m)."""
    mass_matrix: np.ndarray
    """(6, 6) of the whole as a rigid body (kg, kg m, kg m²)."""
    damping_ratio: np.ndarray
    """(n) (-)."""


def modal_data(M: ArrayLike, K: ArrayLike, modes: int | None = None) -> ModalData:
    """The modal data of mass and stiffness matrices whose first six coordinates are the interface: of a free
    finite-element model, or reduced after Craig and Bampton. Undamped; the `modes` lowest, or all."""
    M_, K_ = (np.asarray(A, dtype=np.float64) for A in (M, K))
    if M_.ndim != 2 or M_.shape != K_.shape or M_.shape[0] != M_.shape[1] or len(M_) < 7:
        raise ValueError(f"M and K must be square, of one size beyond 6, not {M_.shape} and {K_.shape}")
    if not (np.isfinite(M_).all() and np.isfinite(K_).all()):
        raise ValueError("M and K must be finite")
    for name, A in (("M", M_), ("K", K_)):
        if np.abs(A - A.T).max() > LOOSE * np.abs(A).max():
            raise ValueError(f"{name} is not symmetric")
    from scipy.linalg import LinAlgError, eigh

    b, i = slice(0, 6), slice(6, None)
    try:
        squares, shapes = eigh(K_[i, i], M_[i, i])
    except LinAlgError:
        raise ValueError("M has no positive inner part: some coordinate has no mass (condense it first)") from None
    if squares[0] <= 0:
        raise ValueError(f"K leaves motion free with the interface held: a squared rate is {squares[0]:.3g} 1/s²")
    rigid = -np.linalg.solve(K_[i, i], K_[i, b])
    left = K_[b, b] + K_[b, i] @ rigid
    if np.abs(left).max() > LOOSE * np.abs(K_).max():
        raise ValueError("rigid motion of the interface loads the model: its first six coordinates are no interface")
    whole = np.vstack([np.eye(6), rigid])
    kept = slice(0, modes)
    return ModalData(
        np.sqrt(squares[kept]) / (2 * np.pi), (M_[b, i] + rigid.T @ M_[i, i]) @ shapes[:, kept], whole.T @ M_ @ whole,
        np.zeros(len(squares[kept])),
    )  # fmt: skip


def read_modal(path: str | Path, modes: int | None = None) -> ModalData:
    """The modal data of a file: .npz, or Nastran's .pch with a mass and a stiffness matrix (symmetric DMIG), of which
    the first grid with six components is the interface."""
    path = Path(path)
    if not path.is_file():
        raise ValueError(f"{path}: no such file")
    if path.stat().st_size > LARGEST_FILE:
        raise ValueError(f"{path}: larger than {LARGEST_FILE / 1e6:g} MB")
    readers = {".npz": _npz, ".pch": _pch}
    if path.suffix.lower() not in readers:
        raise ValueError(f"{path}: no modal data are read from {path.suffix!r} (known: {', '.join(readers)})")
    found = readers[path.suffix.lower()](path)
    try:
        if "M" in found:
            return modal_data(found["M"], found["K"], modes)
        kept = slice(0, modes)
        frequency = np.atleast_1d(found["frequency"])[kept]
        damping = np.broadcast_to(found.get("damping_ratio", 0.0), frequency.shape)
        return ModalData(frequency, np.atleast_2d(found["participation"])[:, kept], found["mass_matrix"], damping)
    except (ValueError, IndexError) as error:
        raise ValueError(f"{path}: {error}") from None


def _npz(path: Path) -> dict[str, np.ndarray]:
    try:
        with np.load(path, allow_pickle=False) as file:
            found = {name: np.asarray(file[name], dtype=np.float64) for name in file.files}
    except (ValueError, OSError, EOFError, KeyError) as error:
        raise ValueError(f"{path}: cannot be read: {error}") from None
    if {"M", "K"} <= found.keys():
        return {"M": found["M"], "K": found["K"]}
    if missing := {"frequency", "participation", "mass_matrix"} - found.keys():
        raise ValueError(f"{path}: has no {', '.join(sorted(missing))}, and no M and K")
    return found


def _pch(path: Path) -> dict[str, np.ndarray]:
    """Two matrices as Nastran punches them: DMIG entries of large fields."""
    matrices = _read_dmig(path)
    M, K = (_named(path, matrices, kind) for kind in "MK")
    order = _interface_first(path, sorted({row for entry in K for row in entry}))
    place = {row: k for k, row in enumerate(order)}
    found = {}
    for kind, entries in (("M", M), ("K", K)):
        full = np.zeros((len(order), len(order)))
        for (a, b), value in entries.items():
            if a not in place or b not in place:
                raise ValueError(f"{path}: grid {a[0] if a not in place else b[0]} has mass, but no stiffness")
            full[place[a], place[b]] = full[place[b], place[a]] = value
        found[kind] = full
    return found


Coordinate = tuple[int, int]
"""Grid and component."""
Entries = dict[tuple[Coordinate, Coordinate], float]


def _read_dmig(path: Path) -> dict[str, Entries]:
    """Symmetric matrices by name."""
    matrices: dict[str, Entries] = {}
    entries: Entries | None = None
    column: Coordinate = (0, 0)
    for number, line in enumerate(path.read_text(encoding="latin-1").splitlines(), start=1):
        head, fields = line[:8].strip().upper(), [line[k : k + 16].strip() for k in range(8, 72, 16)]
        try:
            if head == "DMIG":
                name, zero, form = line[8:16].strip(), line[16:24].strip(), line[24:32].strip()
                if zero != "0" or form != "6":
                    raise ValueError("only symmetric matrices in large fields (DMIG*) are read")
                matrices[name] = {}
            elif head == "DMIG*":
                entries, column = matrices[fields[0]], (int(fields[1]), int(fields[2]))
            elif head == "*" and entries is not None:
                value = float(fields[2].replace("D", "E").replace("d", "e"))
                entries[column, (int(fields[0]), int(fields[1] or 0))] = value
            elif head and not head.startswith("$"):
                entries = None
        except (ValueError, KeyError) as error:
            raise ValueError(f"{path}: line {number}: no DMIG entry as Nastran punches it: {error}") from None
    return matrices


def _named(path: Path, matrices: dict[str, Entries], kind: str) -> Entries:
    """The one matrix whose name begins with M or K."""
    found = [name for name in matrices if name.upper().startswith(kind)]
    if len(found) != 1 or not matrices[found[0]]:
        said = ", ".join(sorted(matrices)) or "none"
        raise ValueError(f"{path}: needs one matrix whose name begins with {kind}; it has: {said}")
    return matrices[found[0]]


def _interface_first(path: Path, rows: list[Coordinate]) -> list[Coordinate]:
    """The coordinates with the six of the first grid that has six before the others."""
    known = set(rows)
    grids = [grid for grid, component in rows if component == 6 and all((grid, k) in known for k in range(1, 7))]
    if not grids:
        raise ValueError(f"{path}: no grid has six components that could be the interface")
    first = [(grids[0], k) for k in range(1, 7)]
    return first + [row for row in rows if row not in first]
