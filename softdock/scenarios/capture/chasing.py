"""Keys of an arm that goes after a tumbling handle, in orbit and in the laboratory."""

from softdock.planning.intercept import Timing
from softdock.world.describe import Described
from softdock.world.shapes import Positive


class Chasing(Described):
    """Times (s). The arm leaves at `approach` and takes `reaching` to where it waits; an intercept is looked for every
    `every` seconds; aligning takes `align`; the handle is followed for at least `least` and at most `most` seconds
    before the gripper closes."""

    approach: Positive = 22.0
    reaching: Positive = 12.0
    every: Positive = 30.0
    align: Positive = 7.0
    least: Positive = 5.0
    most: Positive = 29.0

    def timing(self, closing: float, standoff: float) -> Timing:
        """Of an intercept, for a gripper that takes `closing` (s) from `standoff` (m) on."""
        return Timing(align=self.align, least=self.least, most=self.most, closing=closing, standoff=standoff)
