"""How a body may move in its parent, and what resists it.

Layout of coordinates and velocities (docs/conventions.md):

    fixed      -                                   -
    revolute   angle                               rate
    prismatic  displacement                        rate
    planar     x, y, angle                         rates            (x, y in the parent's joint frame)
    spherical  quaternion w x y z                  angular velocity in the child's frame
    free       position x y z, quaternion w x y z  velocity of the origin in the joint frame,
                                                   angular velocity in the child's frame
    mode       modal coordinate                    rate             (of the parent's own vibration)
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BeforeValidator, Field, model_validator

from softdock.world.describe import Described, Name, Number, UnitVec3, Vec3, _listed


class Freedom(NamedTuple):
    """What a kind of joint leaves free: flat coordinates, whose velocities are their rates, and then, maybe, a rotation
    in space, with a quaternion in q and an angular velocity in v. A spring acts on each of these; limits and positions
    are of the flat ones only."""

    flat: tuple[str, ...]
    """What stands after the body's name in the labels of the flat coordinates."""
    rotates: bool = False

    @property
    def nq(self) -> int:
        return len(self.flat) + 4 * self.rotates

    @property
    def nv(self) -> int:
        return len(self.flat) + 3 * self.rotates

    @property
    def springs(self) -> int:
        return len(self.flat) + self.rotates

    def labels(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Of the entries of q and of v, each to stand after the body's name."""
        in_space = ((".qw", ".qx", ".qy", ".qz"), (".wx", ".wy", ".wz")) if self.rotates else ((), ())
        return self.flat + in_space[0], self.flat + in_space[1]


FREEDOM = {
    "fixed": Freedom(()),
    "revolute": Freedom(("",)),
    "prismatic": Freedom(("",)),
    "planar": Freedom((".x", ".y", ".angle")),
    "spherical": Freedom((), rotates=True),
    "free": Freedom((".x", ".y", ".z"), rotates=True),
    "mode": Freedom(("",)),
}
"""The one table of joints."""

NonNegative = Annotated[float, Field(ge=0, allow_inf_nan=False)]


def _per_coordinate(value: Any) -> Any:
    value = _listed(value)
    return (value,) if isinstance(value, (int, float)) else value


Numbers = Annotated[tuple[Number, ...], BeforeValidator(_per_coordinate)]
NonNegatives = Annotated[tuple[NonNegative, ...], BeforeValidator(_per_coordinate)]


class Spring(Described):
    """Pulls every coordinate toward `rest`.

    A rotation in space (spherical, free) has one stiffness k and the potential k (1 - cos angle),
    which is k angle²/2 when small and smooth everywhere; its rest is the joint's zero.
    """

    stiffness: NonNegatives
    """(N/m or N m/rad)."""
    rest: Numbers = (0.0,)
    """(m or rad)."""
    play: NonNegative = 0.0
    """Of a revolute or prismatic joint: width about `rest` in which it does not pull; the edges are rounded over a
    hundredth of it (m or rad)."""


class Friction(Described):
    """Dry friction of at most `force`, smoothed as force·v/√(v² + speed²); with `static`, Coulomb's own."""

    force: NonNegatives
    """(N or N m)."""
    speed: Annotated[float, Field(gt=0)] = 1e-3
    """Where friction reaches 0.7 of `force`; below it the joint creeps (m/s or rad/s). Not used with `static`."""
    static: NonNegatives | None = None
    """What a joint at rest bears without moving at all: at least `force`, with which it slides (N or N m)."""

    @model_validator(mode="after")
    def _breaks_away_before_it_slides(self) -> "Friction":
        hold = self.static or self.force
        for k in range(max(len(hold), len(self.force))):
            at_rest, sliding = hold[k % len(hold)], self.force[k % len(self.force)]
            if at_rest < sliding:
                raise ValueError(f"static friction {at_rest:g} is less than the friction {sliding:g} of sliding")
        return self


class Limits(Described):
    """Lowest and highest value of each coordinate; of a free joint, of its position. A rotation in space has none.

    Without a `restitution`, crossing them is only reported.
    """

    lower: Numbers
    """(m or rad)."""
    upper: Numbers
    """(m or rad)."""
    restitution: Annotated[float, Field(ge=0, le=1)] | None = None
    """With it the limits are stops that the joint hits and bounces from (-)."""

    @model_validator(mode="after")
    def _ordered(self) -> "Limits":
        if len(self.lower) != len(self.upper):
            raise ValueError("'lower' and 'upper' must have the same length")
        for low, high in zip(self.lower, self.upper, strict=True):
            if not low < high:
                raise ValueError(f"lower limit {low} is not below upper limit {high}")
        return self


class Servo(Described):
    """An actuator with torque kp (target − q) + kd (target rate − v) + feed-forward, inside the step.

    Its gains are part of the mechanics (implicit; too stiff for the step, it settles without ringing); its targets are
    commanded at run time.
    """

    kp: NonNegative = 0.0
    """(N/m or N m/rad)."""
    kd: NonNegative = 0.0
    """(N s/m or N m s/rad)."""


class Actuator(Described):
    """What a joint's motor can give. Data for planners and missions, which keep to it; the mechanics do not."""

    effort: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None
    """Largest force or torque (N or N m)."""
    rate: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None
    """Largest speed (m/s or rad/s)."""


class Rotor(Described):
    """The fast side of a gear: a rotor on the parent's side, that turns `gear_ratio` times as fast as the joint.

    Its energy is ½ J (u·ω + N q̇)², with u the axis and ω the angular velocity of the parent, which has the rotor's mass
    and its inertia across the axis.
    """

    inertia: Annotated[float, Field(gt=0, allow_inf_nan=False)]
    """J, about its axis (kg m²)."""
    gear_ratio: Number = 1.0
    """N; negative if it turns the other way (-)."""

    @model_validator(mode="after")
    def _turns(self) -> "Rotor":
        if self.gear_ratio == 0:
            raise ValueError("a rotor with a gear ratio of 0 does not turn")
        return self


class Elastic(Described):
    """A gear that gives way between its motor and the link that it turns."""

    stiffness: Annotated[float, Field(gt=0, allow_inf_nan=False)]
    """On the link's side (N m/rad)."""
    damping: NonNegative = 0.0
    """Parallel to it (N m s/rad)."""
    gear_ratio: Number = 1.0
    """Turns of the rotor to one of the joint (-)."""
    rotor_inertia: Annotated[float, Field(gt=0, allow_inf_nan=False)]
    """Of the rotor itself, about its axis (kg m²)."""
    backlash: NonNegative = 0.0
    """Angle, on the link's side, in which the gear does not engage (rad)."""
    hysteresis: Friction | None = None
    """Dry friction parallel to the spring: a loop that is twice its torque wide."""


class Jointed(Described):
    """Every joint."""

    kind: str

    @property
    def freedom(self) -> Freedom:
        return FREEDOM[self.kind]

    @property
    def nq(self) -> int:
        """Number of coordinates."""
        return self.freedom.nq

    @property
    def nv(self) -> int:
        """Number of velocities."""
        return self.freedom.nv


class Moving(Jointed):
    """What every moving joint may carry."""

    spring: Spring | None = None
    damping: NonNegatives = (0.0,)
    """Viscous (N s/m or N m s/rad)."""
    friction: Friction | None = None
    limits: Limits | None = None

    def model_post_init(self, context: Any, /) -> None:
        """Refuse numbers that are too many or too few."""
        flat = len(self.freedom.flat)
        if self.limits and not flat:
            raise ValueError(
                f"a {self.kind} joint cannot have limits: it has a rotation in space, not single coordinates"
            )
        rows: list[tuple[str, tuple[float, ...], int]] = [("damping", self.damping, self.nv)]
        if self.spring:
            rows += [
                ("spring.stiffness", self.spring.stiffness, self.freedom.springs),
                ("spring.rest", self.spring.rest, flat),
            ]
            if self.spring.play and self.kind not in ("revolute", "prismatic"):
                raise ValueError(f"a {self.kind} joint's spring cannot have play")
        if self.friction:
            rows.append(("friction.force", self.friction.force, self.nv))
            rows.append(("friction.static", self.friction.static or (0.0,), self.nv))
        if self.limits:
            rows.append(("limits.lower", self.limits.lower, flat))
        for key, value, size in rows:
            if len(value) not in (1, size) or (size == 0 and any(value)):
                raise ValueError(f"{key} of a {self.kind} joint takes 1 or {size} numbers, not {len(value)}")


class Fixed(Jointed):
    """No motion: the body is part of its parent."""

    kind: Literal["fixed"] = "fixed"


class Revolute(Moving):
    """Turns about `axis`."""

    kind: Literal["revolute"] = "revolute"
    axis: UnitVec3 = (0.0, 0.0, 1.0)
    """Unit vector in the joint frame (-)."""
    servo: Servo | None = None
    actuator: Actuator | None = None
    rotor: Rotor | None = None
    elastic: Elastic | None = None
    """With it a world has another body, "<name>.motor", on the motor's side of the gear: what is given of this joint is
    the motor's, and the body's own joint the angle by which the gear gives way."""

    @model_validator(mode="after")
    def _one_gear(self) -> "Revolute":
        if self.elastic and (self.spring or self.rotor):
            raise ValueError(f"an elastic joint takes no '{'spring' if self.spring else 'rotor'}': its gear has one")
        return self


class Prismatic(Moving):
    """Slides along `axis`."""

    kind: Literal["prismatic"] = "prismatic"
    axis: UnitVec3 = (0.0, 0.0, 1.0)
    """Unit vector in the joint frame (-)."""
    servo: Servo | None = None
    actuator: Actuator | None = None


class Planar(Moving):
    """Slides along x and y of the joint frame and turns about its z."""

    kind: Literal["planar"] = "planar"


class Spherical(Moving):
    """Turns freely about a point."""

    kind: Literal["spherical"] = "spherical"


class Free(Moving):
    """Six degrees of freedom."""

    kind: Literal["free"] = "free"


class Mode(Jointed):
    """One vibration of the parent: a modal coordinate η of unit modal mass, whose rate adds its participation × η̇ to
    the parent's momentum. The body on it has no mass and carries nothing."""

    kind: Literal["mode"] = "mode"
    frequency: Annotated[float, Field(gt=0, allow_inf_nan=False)]
    """With the parent held (Hz)."""
    damping_ratio: Annotated[float, Field(ge=0, lt=1)] = 0.0
    """(-)."""
    linear: Vec3
    """Participation: linear momentum of the parent at unit rate, in the joint frame (√kg)."""
    angular: Vec3
    """Participation: angular momentum about the joint frame's origin, in it (√kg m)."""
    limits: Limits | None = None
    """Of η; crossing them is reported (√kg m)."""
    moves: Mapping[Name, tuple[Number, Number, Number, Number, Number, Number]] = {}
    """For the replay alone: how bodies fixed to the parent are displaced along and turned about its axes at η = 1
    (1/√kg, rad/(√kg m))."""

    def model_post_init(self, context: Any, /) -> None:
        """Stops are for joints."""
        if self.limits and (self.limits.restitution is not None or len(self.limits.lower) != 1):
            raise ValueError("limits of a mode are two numbers, and no stops")


Joint = Annotated[Fixed | Revolute | Prismatic | Planar | Spherical | Free | Mode, Field(discriminator="kind")]
