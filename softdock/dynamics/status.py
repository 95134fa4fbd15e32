"""How a step, or a run of steps, ended."""

DONE, NOT_CONVERGED, TURN_TOO_LARGE, NOT_FINITE, STUCK, EVENTS_FULL, STOPPED, TUNNELLING, TOO_STIFF = range(1, 10)
"""Never 0, which is what a compiled loop gives that raised."""
