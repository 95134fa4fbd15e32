"""Units and meanings of the metrics of 'berthing'."""

UNITS = {
    "hinge": ("", "how the coupling is made: exact (a latch), or as the paper does"),
    "end_effector_at_contact": ("m", "where the end-effector is at the coupling, in the base's frame"),
    "coupling_distance_max_after_contact": ("m", "largest distance of the coupled points"),
    "coupling_distance_at_end": ("m", "their distance at the end"),
    "tracking_error_max": ("m", "largest distance of the end-effector from its reference while reaching"),
    "target_final_position": ("m", "the target's centre at the end, in the world's frame"),
    "target_final_distance_from_base": ("m", "between the centres of target and base"),
    "base_attitude_error_max": ("rad", "largest angle of the base from its start"),
    "base_attitude_error_max_while_reaching": ("rad", "the same, before the coupling"),
    "wheel_momentum_max": ("N m s", "largest angular momentum stored in a wheel"),
    "angular_momentum_drift": ("kg m²/s", "largest change of angular momentum, which nothing outside should change"),
    "contact_energy_loss": ("J", "energy lost in the contact"),
    "saturations": ("-", "actuators cut by a limit, for how many control periods"),
    "saturations.first": ("s", "when first"),
}
