"""What kernels compute with: one number, or one number of each of four worlds side by side.

Four numbers are a vector of the processor (AVX, or two of NEON): an instruction does all four. A kernel of four worlds
has the same program as that of one, number for vector, so that what it gives of a world depends on that world alone.
Eight would take more registers than there are (a kernel with latches: 259 ns for one world, 98 a world for four, 116
for eight).
"""

import struct
from dataclasses import dataclass

LANES = 4


@dataclass(frozen=True)
class Kind:
    """A number in LLVM's language, if there are so many `lanes`."""

    lanes: int

    def of(self, scalar: str) -> str:
        """The type of values that are of that type in one lane."""
        return scalar if self.lanes == 1 else f"<{self.lanes} x {scalar}>"

    @property
    def number(self) -> str:
        return self.of("double")

    @property
    def flag(self) -> str:
        return self.of("i1")

    @property
    def integer(self) -> str:
        return self.of("i64")

    @property
    def suffix(self) -> str:
        """Of intrinsics' names."""
        return "f64" if self.lanes == 1 else f"v{self.lanes}f64"

    def constant(self, value: str, scalar: str = "double") -> str:
        """A constant, the same in all lanes."""
        return value if self.lanes == 1 else "<" + ", ".join([f"{scalar} {value}"] * self.lanes) + ">"


ONE, FOUR = Kind(1), Kind(LANES)


def literal(value: float) -> str:
    """An IR double constant, by its bits: decimal text is not accepted for all values (0.1, NaN, infinities)."""
    return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"
