"""By what a step's iteration is judged: numbers that loops and lockstep.py share."""

SLOW = 0.05
"""Contraction above which the step matrix is factored anew."""
SLOW_HELD = 0.02
"""The same with engaged latches; less than of free steps, since it costs less than an iteration."""
AGING = 1.1
"""How the contraction grows at least in a step in which it is not measured."""
RELAXED = 0.99
"""Of that growth, a step later."""
FLOOR = 1e-10
"""Relative change of ξ, in the norm of kinetic energy, below which an iteration that no longer
contracts has met its rounding error (about 1e-16 × the square root of the mass matrix's condition)."""
GRAIN_OF_ROWS = 1e-15
"""Rounding of c of latches, relative to 1 + the largest coordinate: ξ need not be better than this over h in plain steps,
whose own error is far larger. (Compositions are there for accuracy to rounding.)"""
CLOSED = 2e-13
"""Violation (m, rad), relative to 1 + the largest coordinate, at which latches and contacts count as closed."""
