"""Keys of an arm that goes after a tumbling handle, in orbit and in the laboratory."""

from softdock.planning.intercept import Timing
from softdock.world.describe import Described
from softdock.world.shapes import Positive


class Chasing(Described):
    """Times (s). The arm leaves at `approach` and takes `reaching` to where it waits; an intercept is looked for every
    `every` seconds; aligning takes `align`; the handle is followed for at least `least` and at most `most` seconds
    before the gripper closes."""

    approach: Positive = 22.0
    """When the arm leaves (s)."""
    reaching: Positive = 12.0
    """How long it takes to where it waits (s)."""
    every: Positive = 30.0
    """Between two looks for an intercept (s)."""
    align: Positive = 7.0
    """How long aligning takes (s)."""
    least: Positive = 5.0
    """For which the handle is followed, at least (s)."""
    most: Positive = 29.0
    """At most (s)."""

    def timing(self, closing: float, standoff: float) -> Timing:
        """Of an intercept, for a gripper that takes `closing` (s) from `standoff` (m) on."""
        return Timing(align=self.align, least=self.least, most=self.most, closing=closing, standoff=standoff)
