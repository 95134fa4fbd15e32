"""The filters' vectors, part by part: the only place where their order is written.

A state x has rotations, whose errors have three numbers each, and `flat` parts, whose errors are differences. Sizes:
numbers (of x), errors. Kernels and loops have positions before rotations: whitened by a lower factor, they stay apart.
"""

from softdock.mechanics.fields import Fields

TARGET_FLAT = Fields(angular_velocity=3, inertia=5, position=3, velocity=3, offset=3, acceleration=3, drift=3)
"""The last two are zero unless poses ask for them: a constant disturbing angular acceleration, and the rate of the
offset, both in {C}."""
TARGET = Fields(attitude=4, flat=TARGET_FLAT, eta=0)
"""softdock's own model: q_AC, ω_C, s, r, v, ρ_C, α_C, ρ̇_C. Everything is in {C}, so there is no η."""
TARGET_ERROR = Fields(attitude=3, flat=TARGET_FLAT, eta=0)
"""Rotation vector on the body side, then differences."""

PAPER_FLAT = Fields(angular_velocity=3, ratios=2, position=3, velocity=3, offset=3)
PAPER = Fields(attitude=4, flat=PAPER_FLAT, eta=4)
"""The paper's model: q_AB, ω_B, two numbers for p, r_o, v_o, ρ_t in {B}, η."""
PAPER_ERROR = Fields(attitude=3, flat=PAPER_FLAT, eta=3)
"""δq_v, differences, δη_v."""

MODELS = {"target": (TARGET, TARGET_ERROR), "paper": (PAPER, PAPER_ERROR)}

THETA = Fields(n=1, torque=1, force=1)
"""Orbit's rate, spectral densities of disturbance."""
DISTURBANCE = Fields(torque=3, force=3)
"""Angular acceleration, force per mass."""

POSE = Fields(position=3, quaternion=4)
"""As measured: of {C} in {A}."""
POSE_ERROR = Fields(position=3, rotation=3)
"""Position in {A}, rotation vector in {C}."""
MOTION = POSE.then(velocity=3, angular_velocity=3)
"""Pose of {C}, velocity of its origin in {A}, angular velocity relative to {A} in {C}."""
MOTION_ERROR = POSE_ERROR.then(velocity=3, angular_velocity=3)

STEP = Fields(x="numbers", transition=("errors", "errors"))
"""x after a step, and Φ."""
RESIDUAL = Fields(residual=6, H=(6, "errors"))
"""What a measurement shows beyond x (POSE_ERROR), and minus its derivative by the error."""
SHOWN = Fields(motion=MOTION, H=(12, "errors"))
"""Of {C}; H: MOTION_ERROR by the state's error."""
