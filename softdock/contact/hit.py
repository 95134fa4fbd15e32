"""Where two shapes are closest, as numbers."""

NORMAL, ON_A, ON_B, HIT = 0, 3, 6, 9
"""First number of the unit normal from B to A, of the point on A and of the point on B; and how many there are."""
GAP = 3
"""Column of a patch's points that holds the point's gap, after its place (patches.py)."""
