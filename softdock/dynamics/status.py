"""How a step, or a run of steps, ended."""

(
    DONE, NOT_CONVERGED, TURN_TOO_LARGE, NOT_FINITE, STUCK, EVENTS_FULL, STOPPED, TUNNELLING, TOO_STIFF,
    CONTACTS_FULL, NO_SOLUTION, ENERGY_MADE, BROKE, OFF_BALANCE, ABREAST,
    TOO_DEEP,
) = range(1, 17)  # fmt: skip
"""Never 0, which is what a compiled loop gives that raised. ABREAST: steps are to be taken in a lane (lanes.py)."""
