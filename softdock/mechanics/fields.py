"""Vectors with named parts: declared once, stacked by CasADi, read by compiled loops.

    NEWTON = Fields(step="nv", powers=3, change=1, jacobian=("rows", "nv"))
    NEWTON.stack(sizes, step=d, …)       the CasADi vector that a kernel gives
    NEWTON.split(vector, sizes)          the parts of a CasADi vector that a kernel takes
    NEWTON.view(array, sizes)            the same parts of a NumPy array, as views: what loops take
    NEWTON.places(sizes)                 where they are, as slices
    NEWTON.zeros("nv", "rows")           a compiled function of these sizes: the parts of a new array, within a loop

A part's shape is made of numbers and of names that `sizes` gives; 1 is a scalar; another `Fields` is a part with
parts of its own. Matrices are stored by rows.
"""

from __future__ import annotations

import math
from collections import namedtuple
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import casadi as ca

Shape = int | str | tuple[int | str, ...]
Sizes = Mapping[str, int]


class Fields:
    """The named parts of a vector, in order."""

    def __init__(self, **parts: Shape | Fields) -> None:
        self.parts = parts
        self._plans: dict[Any, Any] = {}
        self._whole: Any = namedtuple("Parts", ["vector", *parts])  # type: ignore[misc]

    def then(self, **parts: Shape | Fields) -> Fields:
        """These parts, and further ones behind them."""
        return Fields(**self.parts, **parts)

    def size(self, sizes: Sizes) -> int:
        """Length of the vector."""
        return int(self._plan(sizes)[0])

    def view(self, vector: np.ndarray, sizes: Sizes) -> Any:
        """The parts of an array along its last axis, by name, sharing its memory; `vector` is the array itself."""
        length, plan = self._plan(sizes)
        if length != vector.shape[-1]:
            raise ValueError(f"a vector of {vector.shape[-1]} numbers for parts of {length}: {', '.join(self.parts)}")
        lead = vector.shape[:-1]
        parts = [vector]
        for start, stop, part in plan:
            mine = vector[..., start:stop]
            if isinstance(part, Fields):
                mine = part.view(mine, sizes)
            elif len(part) != 1:
                mine = mine.reshape(lead + part)
            parts.append(mine)
        return self._whole(*parts)

    def beside(self, vectors: np.ndarray, sizes: Sizes) -> Any:
        """The parts of several vectors that stand side by side, number for number (length, lanes), by name: of each
        part the lanes are its last axis."""
        length, plan = self._plan(sizes)
        if length != len(vectors):
            raise ValueError(f"vectors of {len(vectors)} numbers for parts of {length}: {', '.join(self.parts)}")
        return self._whole(
            vectors,
            *(
                part.beside(vectors[start:stop], sizes)
                if isinstance(part, Fields)
                else vectors[start:stop].reshape(part + vectors.shape[1:])
                for start, stop, part in plan
            ),
        )

    def places(self, sizes: Sizes = MappingProxyType({}), start: int = 0) -> Any:
        """Where the parts are in the vector, or in one in which it begins at `start`: slices, by name."""
        length, plan = self._plan(sizes)
        parts = (
            part.places(sizes, start + first) if isinstance(part, Fields) else slice(start + first, start + last)
            for first, last, part in plan
        )
        return self._whole(slice(start, start + length), *parts)

    def zeros(self, *names: str) -> Any:
        """A function for compiled loops: of the sizes with these names, the parts of a new vector of zeros."""
        from softdock.kernels.jit import njit

        known: dict[str, Any] = {"zeros": np.zeros}
        parts, length = self._written("0", known)
        exec(f"def new({', '.join(names)}):\n    vector = zeros({length})\n    return {parts}\n", known)
        return njit(known["new"], forceinline=True)

    def _written(self, start: str, known: dict[str, Any]) -> tuple[str, str]:
        """Python text of the parts of `vector` from `start`, and of their end; the names in it come into `known`."""
        name, first, parts = f"Parts{len(known)}", start, []
        known[name] = self._whole
        for part in self.parts.values():
            if isinstance(part, Fields):
                text, start = part._written(start, known)
            else:
                axes = part if isinstance(part, tuple) else (part,)
                stop = f"{start} + {' * '.join(map(str, axes))}"
                text, start = f"vector[{start} : {stop}]", stop
                if len(axes) > 1:
                    text += f".reshape(({', '.join(map(str, axes))}))"
            parts.append(text)
        return f"{name}(vector[{first} : {start}], {', '.join(parts)})", start

    def _plan(self, sizes: Sizes) -> tuple[int, list[tuple[int, int, tuple[int, ...] | Fields]]]:
        """Length of the vector; first and last number, and shape, of every part. Found once for the same sizes."""
        key = tuple(sizes.items())
        if key not in self._plans:
            start, plan = 0, []
            for part in self.parts.values():
                stop = start + self._length(part, sizes)
                plan.append((start, stop, part if isinstance(part, Fields) else _shape(part, sizes)))
                start = stop
            self._plans[key] = start, plan
        return self._plans[key]

    def split(self, vector: ca.SX, sizes: Sizes) -> Any:
        """The parts of a CasADi vector, by name; an array of three axes is a list of matrices."""
        parts, start = [], 0
        for part in self.parts.values():
            stop = start + self._length(part, sizes)
            mine = vector[start:stop]
            parts.append(part.split(mine, sizes) if isinstance(part, Fields) else _shaped(mine, _shape(part, sizes)))
            start = stop
        return self._whole(vector, *parts)

    def stack(self, sizes: Sizes, **parts: Any) -> ca.SX:
        """The CasADi vector of all parts."""
        import casadi as ca  # slow, and not needed where kernels come from the cache

        rows = [_flat(parts.pop(name)) for name in self.parts]
        for row, (name, part) in zip(rows, self.parts.items(), strict=True):
            if row.numel() != self._length(part, sizes):
                raise ValueError(f"part {name!r} has {row.numel()} numbers, not {self._length(part, sizes)}")
        if parts:
            raise ValueError(f"no such part: {', '.join(parts)}")
        return ca.vertcat(*rows)

    def pack(self, **parts: Any) -> np.ndarray:
        """The NumPy vector of all parts."""
        return np.concatenate([parts[name] for name in self.parts], axis=None, dtype=np.float64)

    @staticmethod
    def _length(part: Shape | Fields, sizes: Sizes) -> int:
        return part.size(sizes) if isinstance(part, Fields) else math.prod(_shape(part, sizes))


def _shape(part: Shape, sizes: Sizes) -> tuple[int, ...]:
    axes = part if isinstance(part, tuple) else () if part == 1 else (part,)
    return tuple(sizes[axis] if isinstance(axis, str) else axis for axis in axes)


def _shaped(vector: ca.SX, shape: tuple[int, ...]) -> Any:
    import casadi as ca

    if len(shape) < 2:
        return vector
    if len(shape) == 2:
        return ca.reshape(vector, shape[1], shape[0]).T
    each = math.prod(shape[1:])
    return [_shaped(vector[k * each : (k + 1) * each], shape[1:]) for k in range(shape[0])]


def _flat(part: ca.SX | Sequence[ca.SX]) -> ca.SX:
    import casadi as ca

    if isinstance(part, list | tuple):
        return ca.vertcat(*(_flat(one) for one in part))
    matrix: Any = ca.SX(part)  # type: ignore[arg-type]
    return matrix if matrix.is_column() else ca.vec(matrix.T)
