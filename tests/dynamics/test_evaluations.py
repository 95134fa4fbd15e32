"""Evaluations that a run counts are those that were made."""

from softdock.bench.free_arm import start
from softdock.bench.worlds import free_arm
from softdock.dynamics import Dynamics, Motion
from softdock.dynamics.step import MAX_ITERATIONS


def test_an_iteration_that_is_broken_off_counts_as_far_as_it_went():
    """It is broken off when it contracts too slowly after more than three evaluations, long before its limit; Newton's
    own method, which is counted apart, then goes on."""
    world = free_arm(7)
    motion = Motion(Dynamics(world), *start(world, 2.0, 2), h=0.2)
    motion.run(5)
    assert motion.counts["exact_newton"] == 5
    assert 5 * 4 <= motion.counts["evaluations"] < 5 * MAX_ITERATIONS
