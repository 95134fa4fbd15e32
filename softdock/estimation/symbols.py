"""The two models of a tumbling target as CasADi expressions (docs/theory/estimation.md).

A model has numbers x (with unit quaternions) and errors e about them (three for a quaternion): x ⊕ e = `moved(x, e)`.
All Jacobians are derivatives with respect to e at e = 0, by automatic differentiation of the expressions written here.
The orbit turns frame {A} at the rate n about its z axis. Kernel inputs: q = x, v and e as `functions` says, theta. The
parts of all vectors are declared in layouts.py.
"""

from collections.abc import Callable
from dataclasses import dataclass

import casadi as ca

from softdock.estimation import layouts
from softdock.estimation.layouts import (
    DISTURBANCE,
    MOTION,
    MOTION_ERROR,
    POSE,
    POSE_ERROR,
    RESIDUAL,
    SHOWN,
    STEP,
    THETA,
)
from softdock.mechanics import rotation
from softdock.mechanics.fields import Fields

_GAUSS = (0.5 - 0.5 / 3**0.5, 0.5 + 0.5 / 3**0.5)


@dataclass(frozen=True)
class Symbols:
    """A model: parts of its state and error, continuous motion, displacement, and the measured pose's residual."""

    state: Fields
    error: Fields
    rate: Callable[[ca.SX, ca.SX], tuple[ca.SX, ca.SX]]
    """x, n -> angular velocity relative to {A} in the quaternion's own axes; rates of the flat parts (η rests)."""
    moved: Callable[[ca.SX, ca.SX], ca.SX]
    pose: Callable[[ca.SX], tuple[ca.SX, ca.SX]]
    """x -> position and quaternion of the measured frame {C} in {A}."""
    motion: Callable[[ca.SX, ca.SX], tuple[ca.SX, ca.SX]]
    """x, n -> velocity of {C}'s origin in {A}; angular velocity relative to {A}, in {C}."""
    residual: Callable[[ca.SX, ca.SX, ca.SX], ca.SX]
    """x, e, measured (position, quaternion) -> what a measurement shows beyond x ⊕ e, in coordinates fixed by x."""
    disturbed: Callable[[ca.SX], ca.SX]
    """x -> (errors, 6): what a disturbing angular acceleration and force per mass do to the error's rate."""
    turn: float
    """Rotation vector per unit of the quaternion's error."""

    @property
    def sizes(self) -> dict[str, int]:
        return {"numbers": self.numbers, "errors": self.errors}

    @property
    def numbers(self) -> int:
        return self.state.size({})

    @property
    def errors(self) -> int:
        return self.error.size({})


# --- motion in parts -----------------------------------------------------------------------------


def hill(r: ca.SX, v: ca.SX, n: ca.SX) -> ca.SX:
    """Clohessy-Wiltshire (eq. 7): relative acceleration in the orbit's turning frame, chaser at the origin."""
    return ca.vertcat(3 * n**2 * r[0] + 2 * n * v[1], -2 * n * v[0], -(n**2) * r[2])


def seen_turning(q: ca.SX, w: ca.SX, n: ca.SX) -> ca.SX:
    """ω_rel = ω − R(q)ᵀ n: {A} turns with the orbit, so attitude follows this and not ω."""
    return w - rotation.turn(rotation.conjugate(q), ca.vertcat(0, 0, n))


def inertia(s: ca.SX) -> ca.SX:
    """Inertia tensor (up to scale) of five numbers: Σ = L Lᵀ with det Σ = 1, I = tr(Σ) 1 − Σ.

    Σ is the second moment of mass; every s gives a positive Σ, so every s is a body that can exist, and s = 0 a sphere.
    """
    a, b = s[0], s[1]
    zero = ca.SX(0)
    L = ca.vertcat(
        ca.horzcat(ca.exp(a), zero, zero),
        ca.horzcat(s[2], ca.exp(b), zero),
        ca.horzcat(s[3], s[4], ca.exp(-a - b)),
    )
    moment = L @ L.T
    return ca.trace(moment) * ca.SX.eye(3) - moment


def ratios(u: ca.SX) -> ca.SX:
    """p of eq. 3 from two numbers: tanh(u₀), tanh(u₁), −tanh(u₀ + u₁) meet p's constraint and |p_i| < 1 identically."""
    return ca.vertcat(ca.tanh(u[0]), ca.tanh(u[1]), -ca.tanh(u[0] + u[1]))


def vector_part(q: ca.SX) -> ca.SX:
    """Vector part of q or −q, whichever has a positive scalar."""
    return ca.if_else(q[0] < 0, -1, 1) * q[1:]


def small(vector: ca.SX) -> ca.SX:
    """Unit quaternion with this vector part, to third order; unlike √(1 − |vector|²) it exists for every vector."""
    return ca.vertcat(1, vector) / ca.sqrt(1 + ca.dot(vector, vector))


# --- softdock's own: everything in the measured frame {C} ---------------------------------------------


def _target_rate(x: ca.SX, n: ca.SX) -> tuple[ca.SX, ca.SX]:
    at = layouts.TARGET.split(x, {})
    w, r, v = at.flat.angular_velocity, at.flat.position, at.flat.velocity
    I = inertia(at.flat.inertia)
    rates = layouts.TARGET_FLAT.stack(
        {},
        angular_velocity=ca.inv(I) @ ca.cross(I @ w, w) + at.flat.acceleration,
        inertia=ca.SX.zeros(5),
        position=v,
        velocity=hill(r, v, n),
        offset=at.flat.drift,
        acceleration=ca.SX.zeros(3),
        drift=ca.SX.zeros(3),
    )
    return seen_turning(at.attitude, w, n), rates


def _target_moved(x: ca.SX, e: ca.SX) -> ca.SX:
    at, by = layouts.TARGET.split(x, {}), layouts.TARGET_ERROR.split(e, {})
    attitude = rotation.product(at.attitude, small(by.attitude / 2))
    return layouts.TARGET.stack({}, attitude=attitude, flat=at.flat.vector + by.flat.vector, eta=at.eta)


def _target_pose(x: ca.SX) -> tuple[ca.SX, ca.SX]:
    at = layouts.TARGET.split(x, {})
    return at.flat.position + rotation.turn(at.attitude, at.flat.offset), at.attitude


def _target_motion(x: ca.SX, n: ca.SX) -> tuple[ca.SX, ca.SX]:
    at = layouts.TARGET.split(x, {})
    turning = seen_turning(at.attitude, at.flat.angular_velocity, n)
    along = ca.cross(turning, at.flat.offset) + at.flat.drift
    return at.flat.velocity + rotation.turn(at.attitude, along), turning


def _target_residual(x: ca.SX, e: ca.SX, z: ca.SX) -> ca.SX:
    """z − (r + R ρ), and twice the vector part of the turn from x ⊕ e to z, in {C}."""
    (position, q), seen = _target_pose(_target_moved(x, e)), POSE.split(z, {})
    turned = rotation.product(rotation.conjugate(q), seen.quaternion)
    return POSE_ERROR.stack({}, position=seen.position - position, rotation=2 * vector_part(turned))


def _target_disturbed(x: ca.SX) -> ca.SX:
    return _pushed(layouts.TARGET_ERROR, ca.SX.eye(3))


def _pushed(error: Fields, spin_up: ca.SX) -> ca.SX:
    """(errors, 6): a force per mass is the velocity's rate, an angular acceleration `spin_up` times that of ω."""
    at, by = error.places().flat, DISTURBANCE.places()
    G = ca.SX.zeros(error.size({}), DISTURBANCE.size({}))
    G[at.angular_velocity, by.torque] = spin_up
    G[at.velocity, by.force] = ca.SX.eye(3)
    return G


TARGET = Symbols(
    layouts.TARGET, layouts.TARGET_ERROR,
    _target_rate, _target_moved, _target_pose, _target_motion, _target_residual, _target_disturbed, 1.0,
)  # fmt: skip


# --- the paper's: principal axes {B}, and η from {B} to {C} -----------------------------------------


def _paper_rate(x: ca.SX, n: ca.SX) -> tuple[ca.SX, ca.SX]:
    at = layouts.PAPER.split(x, {})
    w, p, r, v = at.flat.angular_velocity, ratios(at.flat.ratios), at.flat.position, at.flat.velocity
    rates = layouts.PAPER_FLAT.stack(
        {},
        angular_velocity=ca.vertcat(p[0] * w[1] * w[2], p[1] * w[0] * w[2], p[2] * w[0] * w[1]),
        ratios=ca.SX.zeros(2),
        position=v,
        velocity=hill(r, v, n),
        offset=ca.SX.zeros(3),
    )
    return seen_turning(at.attitude, w, n), rates


def _paper_moved(x: ca.SX, e: ca.SX) -> ca.SX:
    """q = q̄ δq, η = δη η̄."""
    at, by = layouts.PAPER.split(x, {}), layouts.PAPER_ERROR.split(e, {})
    q, eta = rotation.product(at.attitude, small(by.attitude)), rotation.product(small(by.eta), at.eta)
    return layouts.PAPER.stack({}, attitude=q, flat=at.flat.vector + by.flat.vector, eta=eta)


def _paper_pose(x: ca.SX) -> tuple[ca.SX, ca.SX]:
    at = layouts.PAPER.split(x, {})
    return at.flat.position + rotation.turn(at.attitude, at.flat.offset), rotation.product(at.attitude, at.eta)


def _paper_motion(x: ca.SX, n: ca.SX) -> tuple[ca.SX, ca.SX]:
    at = layouts.PAPER.split(x, {})
    turning = seen_turning(at.attitude, at.flat.angular_velocity, n)
    velocity = at.flat.velocity + rotation.turn(at.attitude, ca.cross(turning, at.flat.offset))
    return velocity, rotation.turn(rotation.conjugate(at.eta), turning)


def _paper_residual(x: ca.SX, e: ca.SX, z: ca.SX) -> ca.SX:
    """Eqs. 10-12: z − h(x ⊕ e), with h₂ = vector part of q̄* μ η̄*, which is δq δη."""
    at, by, measured = layouts.PAPER.split(x, {}), layouts.PAPER_ERROR.split(e, {}), POSE.split(z, {})
    position, _ = _paper_pose(_paper_moved(x, e))
    back, ahead = rotation.conjugate(at.attitude), rotation.conjugate(at.eta)
    seen = rotation.product(back, rotation.product(measured.quaternion, ahead))
    expected = rotation.product(small(by.attitude), small(by.eta))
    return POSE_ERROR.stack({}, position=measured.position - position, rotation=vector_part(seen) - expected[1:])


def _paper_disturbed(x: ca.SX) -> ca.SX:
    """J of eq. 3 by p alone: Ixx/Iyy = (1 − p_y)/(1 + p_x), Ixx/Izz = (1 + p_z)/(1 − p_x)."""
    p = ratios(layouts.PAPER.split(x, {}).flat.ratios)
    return _pushed(layouts.PAPER_ERROR, ca.diag(ca.vertcat(1, (1 - p[1]) / (1 + p[0]), (1 + p[2]) / (1 - p[0]))))


PAPER = Symbols(
    layouts.PAPER, layouts.PAPER_ERROR,
    _paper_rate, _paper_moved, _paper_pose, _paper_motion, _paper_residual, _paper_disturbed, 2.0,
)  # fmt: skip

MODELS = {"target": TARGET, "paper": PAPER}


# --- what is made of them ------------------------------------------------------------------------


def step(model: Symbols, x: ca.SX, h: ca.SX, n: ca.SX) -> ca.SX:
    """x after h by the classical Runge-Kutta method, quaternion brought back to unit length."""

    def slope(y: ca.SX) -> ca.SX:
        turning, rates = model.rate(y, n)
        at = model.state.split(y, {})
        attitude = rotation.product(at.attitude, ca.vertcat(0, turning)) / 2
        return model.state.stack({}, attitude=attitude, flat=rates, eta=ca.SX.zeros(at.eta.numel()))

    a = slope(x)
    b = slope(x + h / 2 * a)
    c = slope(x + h / 2 * b)
    d = slope(x + h * c)
    y = model.state.split(x + h / 6 * (a + 2 * b + 2 * c + d), {})
    return model.state.stack({}, attitude=rotation.normalised(y.attitude), flat=y.flat.vector, eta=y.eta)


def difference(model: Symbols, x: ca.SX, y: ca.SX) -> ca.SX:
    """e with x ⊕ e = y, for y next to x."""
    at, to = model.state.split(x, {}), model.state.split(y, {})
    attitude = 2 / model.turn * rotation.product(rotation.conjugate(at.attitude), to.attitude)[1:]
    eta = rotation.product(to.eta, rotation.conjugate(at.eta))[1:] if at.eta.numel() else at.eta
    return model.error.stack({}, attitude=attitude, flat=to.flat.vector - at.flat.vector, eta=eta)


def transition(model: Symbols, x: ca.SX, h: ca.SX, n: ca.SX) -> ca.SX:
    """Φ: derivative of the step's end with respect to its start, in errors."""
    e = ca.SX.sym("e", model.errors)
    end = ca.SX.sym("end", model.numbers)
    change = ca.jacobian(difference(model, end, step(model, model.moved(x, e), h, n)), e)
    at_zero = ca.substitute(change, e, ca.SX.zeros(model.errors))
    return ca.substitute(at_zero, end, step(model, x, h, n))


def linearised(model: Symbols, x: ca.SX, n: ca.SX) -> ca.SX:
    """𝒜 of the continuous motion of the error: with δ the attitude's error, δ̇ = δω_rel / turn − ω_rel × δ."""
    e = ca.SX.sym("e", model.errors)
    turning, rates = model.rate(model.moved(x, e), n)
    still, attitude = ca.SX.zeros(model.error.split(e, {}).eta.numel()), model.error.places().attitude
    change = model.error.stack({}, attitude=turning / model.turn, flat=rates, eta=still)
    A = ca.substitute(ca.jacobian(change, e), e, ca.SX.zeros(model.errors))
    A[attitude, attitude] -= ca.skew(model.rate(x, n)[0])
    return A


def shown(model: Symbols, x: ca.SX, n: ca.SX) -> ca.SX:
    """Pose and motion of {C}, and their derivative H by e."""
    e = ca.SX.sym("e", model.errors)
    there = model.moved(x, e)
    position, quaternion = model.pose(there)
    turned = 2 * rotation.product(rotation.conjugate(model.pose(x)[1]), quaternion)[1:]
    velocity, turning = model.motion(there, n)
    changed = MOTION_ERROR.stack({}, position=position, rotation=turned, velocity=velocity, angular_velocity=turning)
    H = ca.substitute(ca.jacobian(changed, e), e, ca.SX.zeros(model.errors))
    (position, quaternion), (velocity, turning) = model.pose(x), model.motion(x, n)
    motion = MOTION.stack({}, position=position, quaternion=quaternion, velocity=velocity, angular_velocity=turning)
    return SHOWN.stack(model.sizes, motion=motion, H=H)


def noise(model: Symbols, x: ca.SX, h: ca.SX, theta: ca.SX) -> ca.SX:
    """Q = ∫ e^{𝒜s} G Σ Gᵀ e^{𝒜ᵀs} ds over the step, by Gauss's rule of two points and e^{𝒜s} to second order."""
    given = THETA.split(theta, {})
    A, G = linearised(model, x, given.n), model.disturbed(x)
    AG = A @ G
    AAG = A @ AG
    torque, force = ca.repmat(given.torque, 3, 1), ca.repmat(given.force, 3, 1)
    densities = ca.diag(DISTURBANCE.stack({}, torque=torque, force=force))
    Q = ca.SX.zeros(model.errors, model.errors)
    for point in _GAUSS:
        s = point * h
        spread = G + s * AG + s**2 / 2 * AAG
        Q += h / 2 * (spread @ densities @ spread.T)
    return Q


def functions(name: str) -> dict[str, ca.Function]:
    """All kernels of a model; matrices row by row. Inputs: q = x; e = h (step, advanced, noise) or the measured pose
    (residual); v = the error (moved)."""
    model = MODELS[name]
    x, e = ca.SX.sym("q", model.numbers), ca.SX.sym("v", model.errors)
    h, z, theta = ca.SX.sym("e"), ca.SX.sym("e", POSE.size({})), ca.SX.sym("theta", THETA.size({}))
    zero, n = ca.SX.zeros(model.errors), THETA.split(theta, {}).n
    Phi, Q = transition(model, x, h, n), noise(model, x, h, theta)
    residual = model.residual(x, e, z)
    H = -ca.substitute(ca.jacobian(residual, e), e, zero)
    made = {
        "moved": ([x, e], model.moved(x, e)),
        "step": ([x, h, theta], STEP.stack(model.sizes, x=step(model, x, h, n), transition=Phi)),
        "advanced": ([x, h, theta], step(model, x, h, n)),
        "noise": ([x, h, theta], ca.vec(Q.T)),
        "shown": ([x, theta], shown(model, x, n)),
        "residual": ([x, z], RESIDUAL.stack(model.sizes, residual=ca.substitute(residual, e, zero), H=H)),
    }
    names = {id(x): "q", id(e): "v", id(h): "e", id(z): "e", id(theta): "theta"}
    return {
        key: ca.Function(key, inputs, [ca.densify(out)], [names[id(i)] for i in inputs], ["out"], {"cse": True})
        for key, (inputs, out) in made.items()
    }
