"""Keys of 'servicing' that are not of its bodies: plan, own sensors, beliefs."""

from typing import Literal

from softdock.estimation.own import InertialUnit
from softdock.world.describe import Described
from softdock.world.joints import NonNegative
from softdock.world.shapes import Positive


class Plan(Described):
    """The chaser holds at `hold` and `near` (m) from the target's centre of mass, flies at most at `speed` (m/s),
    to the first within a cone of `cone` (rad) about the line of approach, and out of the sphere of `keep_out` (m) until
    it synchronises: at `outer`, then at `station` (m). The `way` is "fixed" (it stands still), "circle" (about the
    target's angular momentum), "body" (it turns with it), or "best": fixed, if the target is then turned by at most
    `aside` (rad) while the arm works, else body. It inspects until a forecast of `ahead` (s) is surer than
    `position` (m) and `angle` (rad), for at most `inspect` (s). The arm takes `reach` and `last` (s) to the handle, by
    a `reaching` that is "smooth" or "optimal", with the least effort of its joints; the
    stack is stopped in `stop` (s), by a `detumble` that is a "course" on which its rate falls about a fixed axis, or
    "optimal", with the least effort of arm, wheels and thrusters. It is carried in `carry` (s) to `above` (m) over the
    port, lowered in `insert` (s) to its `mouth` (m), and pressed in by `press` (m) in `seat` (s)."""

    hold: Positive = 10.0
    near: Positive = 3.7
    speed: Positive = 0.35
    cone: Positive = 0.4
    keep_out: Positive = 3.5
    outer: Positive = 3.3
    """Of the station, until it turns along (m)."""
    station: Positive = 2.85
    way: Literal["best", "fixed", "circle", "body"] = "best"
    aside: Positive = 0.35
    ahead: Positive = 20.0
    position: Positive = 0.02
    angle: Positive = 0.035
    inspect: Positive = 200.0
    reach: Positive = 15.0
    reaching: Literal["smooth", "optimal"] = "smooth"
    last: Positive = 8.0
    stop: Positive = 40.0
    detumble: Literal["course", "optimal"] = "course"
    carry: Positive = 50.0
    above: Positive = 0.30
    insert: Positive = 15.0
    mouth: Positive = 0.04
    seat: Positive = 8.0
    press: Positive = 0.06


class Own(InertialUnit):
    """Sensors of the chaser's own state: `exact`, or gyros (`gyro` rad/√s, `gyro_bias` rad/s, `gyro_walk` rad/s/√s),
    accelerometers (the same in m/s), a star tracker (`star` rad), Doppler (`doppler` m/s; none, since it makes the
    place beside the target less smooth), encoders (`encoders` rad)
    and tachometers (`tachometers` rad/s). What is not known of its own place counts `place` (m) in what is seen."""

    exact: bool = False
    star: Positive = 5e-5
    """Of the star tracker, about each axis (rad)."""
    doppler: Positive | None = None
    """Of a measured velocity, along each axis (m/s)."""
    place: NonNegative = 0.002
    encoders: NonNegative = 1e-5
    """Of joint angles (rad)."""
    tachometers: NonNegative = 1e-4
    """Of rates of joints and wheels (rad/s)."""


class Beliefs(Described):
    """What the chaser believes wrongly of the target: its `mass` and `inertia` over the true ones."""

    mass: Positive = 1.0
    inertia: Positive = 1.0


class Tank(Described):
    """`propellant` (kg) at the start, of which `reserve` (kg) is kept for leaving."""

    propellant: Positive = 8.0
    reserve: NonNegative = 0.3
