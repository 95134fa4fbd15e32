"""Units and meanings of the metrics of 'facility'."""

_TOUCH = {
    "": ("-", "the first touch, or the grasp until the end"),
    ".held": ("", "of a grasp: do the fingers hold the bar at the end?"),
    ".impulse": ("N s", "of the contact on the target; of a grasp, whose pushes cancel, that of the forces' sizes"),
    ".peak_force": ("N", "largest force, averaged over a period"),
    ".restitution": ("-", "speed apart over speed of approach, along the pad's normal; none of a grasp"),
    ".rates_after": ("-", "of the target after the touch, or at the end of a grasp"),
    ".rates_after.velocity": ("m/s", "of its centre"),
    ".rates_after.angular": ("rad/s", "in the laboratory's axes"),
    ".duration": ("s", "of the touch"),
}
_WORLDS = {
    "orbit": "both free",
    "ideal_ground": "the mount and the laboratory's gravity, perfect emulation",
    "ground": "as it is",
}
_ERRORS = {
    "emulation_error": "ground against ideal ground",
    "mount_error": "ideal ground against orbit",
}
UNITS = {
    "mount": ("", "of the servicer"),
    "reason": ("", "of track-and-capture: why it ended so"),
    "phases": ("", "of track-and-capture: what it did, and what came of it"),
    "phases.start": ("s", "when a phase began"),
    "phases.end": ("s", "when it ended"),
    "closes": ("s", "when the fingers began to close"),
    "blind_for": ("s", "from the last frame that was used until then"),
    "fit": ("-", "how far the hand was off its grasp of the handle then"),
    "fit.distance": ("m", "its place"),
    "fit.angle": ("rad", "its attitude"),
    "fit.speed": ("m/s", "its velocity against the handle"),
    "experiment": ("", "what is done"),
    "compensation": ("", "of what is late"),
    "stopped": ("", "when and why the emulation was stopped, if it was"),
    "critical_delay": ("s", "delay at which the loop begins to make energy"),
    "critical_delay.theory": ("s", "by the law of the contact, nothing compensated; none if no delay does"),
    "critical_delay.total_delay": ("s", "of sensor, filter and robot"),
    "critical_delay.margin": ("s", "what is left"),
    "tracking_error": ("-", "largest, of the mock-up from where it was told to be"),
    "tracking_error.position": ("m", "of its centre"),
    "tracking_error.angle": ("rad", "of its attitude"),
    "joint_margins": ("relative", "least share of the client's joint limits that was left"),
    "energy_made_by_delay": ("J", "that the contact gave to the simulated target and did not take from the mock-up"),
    "payload_share": (
        "relative",
        "of a client's motor, the worst, that arm and mock-up take until the contact",
    ),
    "realtime_factor": ("-", "simulated time per processor time of the loops of all three worlds"),
    **{
        f"{world}{key}": (unit, f"{meaning} ({what})" if not key else meaning)
        for world, what in _WORLDS.items()
        for key, (unit, meaning) in _TOUCH.items()
    },
    **{
        f"{name}{key}": ("relative", text)
        for name, what in _ERRORS.items()
        for key, text in (
            ("", what),
            (".impulse", "relative"),
            (".peak_force", "relative"),
            (".velocity", "relative to its change; of a grasp, to the largest on the way"),
            (".rates", "relative to their change; of a grasp, to the largest on the way"),
        )
    },
}
