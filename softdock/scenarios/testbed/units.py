"""Units and meanings of the metrics of 'testbed'."""

UNITS = {
    "independent_engine": ("", "the other engine that computed the same torques, if one is installed"),
    "torque_difference_max": ("N m", "largest difference of joint torques, by pair of methods"),
    "paper_discrepancy": ("-", "largest difference of torque between the two published parameter sets"),
    "paper_discrepancy.joint": ("-", "where, counted from 1"),
    "paper_discrepancy.max_torque": ("N m", "as computed here"),
    "paper_discrepancy.paper_torque": ("N m", "as the paper has it"),
    "paper_discrepancy.share": ("relative", "the part of it that the cause explains"),
    "bearing_torque_max": ("N m", "largest torque about the bearing, an axis"),
    "bearing_torque_difference_max": ("N m", "largest difference of it between the methods"),
    "balance_mass": ("kg", "mass that balances the platform on average over a cycle"),
    "balance_position": ("m", "where it is mounted, in the platform's frame"),
    "platform_attitude_range": ("rad", "largest angle of the platform from its start, in this run"),
    "platform_attitude_ranges": ("rad", "the same: released as it is, balanced, and held by wheels"),
    "tips_over_after": ("s", "when the platform had tipped over, if it did"),
    "wheel_torque_max": ("N m", "largest torque of a wheel that holds the platform"),
    "wheel_momentum_max": ("N m s", "largest angular momentum stored in a wheel"),
    "mount": ("", "what carries the platform"),
    "joint_error_max": ("rad", "largest distance of a joint from its reference"),
    "bearing_momentum_error": ("N m s", "largest change of angular momentum about the bearing beyond gravity's torque"),
    "angular_momentum_drift": ("relative", "largest change of angular momentum about Earth, of the orbit's"),
}
