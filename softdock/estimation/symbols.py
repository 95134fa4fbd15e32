"""The two models of a tumbling target as CasADi expressions (docs/theory/estimation.md).

A model has numbers x (with unit quaternions) and errors e about them (three for a quaternion): x ⊕ e = `moved(x, e)`.
All Jacobians are derivatives with respect to e at e = 0, by automatic differentiation of the expressions written here.
The orbit turns frame {A} at the rate n about its z axis. Kernel inputs: q = x, v and e as `functions` says, theta =
(n, σ_τ², σ_f²).
"""

from collections.abc import Callable
from dataclasses import dataclass

import casadi as ca

from softdock.mechanics import rotation

_GAUSS = (0.5 - 0.5 / 3**0.5, 0.5 + 0.5 / 3**0.5)


@dataclass(frozen=True)
class Symbols:
    """A model: sizes, continuous motion, displacement, and the measured pose's residual."""

    numbers: int
    errors: int
    rate: Callable[[ca.SX, ca.SX], tuple[ca.SX, ca.SX]]
    """x, n -> angular velocity relative to {A} in the quaternion's own axes; rates of x[4:]."""
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
    q, w, s, r, v = x[:4], x[4:7], x[7:12], x[12:15], x[15:18]
    I = inertia(s)
    spin_up = ca.inv(I) @ ca.cross(I @ w, w)
    return seen_turning(q, w, n), ca.vertcat(spin_up, ca.SX.zeros(5), v, hill(r, v, n), ca.SX.zeros(3))


def _target_moved(x: ca.SX, e: ca.SX) -> ca.SX:
    return ca.vertcat(rotation.product(x[:4], small(e[:3] / 2)), x[4:] + e[3:])


def _target_pose(x: ca.SX) -> tuple[ca.SX, ca.SX]:
    return x[12:15] + rotation.turn(x[:4], x[18:21]), x[:4]


def _target_motion(x: ca.SX, n: ca.SX) -> tuple[ca.SX, ca.SX]:
    turning = seen_turning(x[:4], x[4:7], n)
    return x[15:18] + rotation.turn(x[:4], ca.cross(turning, x[18:21])), turning


def _target_residual(x: ca.SX, e: ca.SX, z: ca.SX) -> ca.SX:
    """z − (r + R ρ), and twice the vector part of the turn from x ⊕ e to z, in {C}."""
    position, q = _target_pose(_target_moved(x, e))
    turned = rotation.product(rotation.conjugate(q), z[3:])
    return ca.vertcat(z[:3] - position, 2 * vector_part(turned))


def _target_disturbed(x: ca.SX) -> ca.SX:
    G = ca.SX.zeros(20, 6)
    G[3:6, :3] = ca.SX.eye(3)
    G[14:17, 3:] = ca.SX.eye(3)
    return G


TARGET = Symbols(
    21, 20, _target_rate, _target_moved, _target_pose, _target_motion, _target_residual, _target_disturbed, 1.0
)
"""x = q_AC, ω_C, s, r, v, ρ_C; e = rotation vector on the body side, then differences."""


# --- the paper's: principal axes {B}, and η from {B} to {C} -----------------------------------------


def _paper_rate(x: ca.SX, n: ca.SX) -> tuple[ca.SX, ca.SX]:
    q, w, p, r, v = x[:4], x[4:7], ratios(x[7:9]), x[9:12], x[12:15]
    spin_up = ca.vertcat(p[0] * w[1] * w[2], p[1] * w[0] * w[2], p[2] * w[0] * w[1])
    return seen_turning(q, w, n), ca.vertcat(spin_up, ca.SX.zeros(2), v, hill(r, v, n), ca.SX.zeros(7))


def _paper_moved(x: ca.SX, e: ca.SX) -> ca.SX:
    """q = q̄ δq, η = δη η̄."""
    q, eta = rotation.product(x[:4], small(e[:3])), rotation.product(small(e[17:20]), x[18:22])
    return ca.vertcat(q, x[4:18] + e[3:17], eta)


def _paper_pose(x: ca.SX) -> tuple[ca.SX, ca.SX]:
    return x[9:12] + rotation.turn(x[:4], x[15:18]), rotation.product(x[:4], x[18:22])


def _paper_motion(x: ca.SX, n: ca.SX) -> tuple[ca.SX, ca.SX]:
    turning = seen_turning(x[:4], x[4:7], n)
    velocity = x[12:15] + rotation.turn(x[:4], ca.cross(turning, x[15:18]))
    return velocity, rotation.turn(rotation.conjugate(x[18:22]), turning)


def _paper_residual(x: ca.SX, e: ca.SX, z: ca.SX) -> ca.SX:
    """Eqs. 10-12: z − h(x ⊕ e), with h₂ = vector part of q̄* μ η̄*, which is δq δη."""
    position, _ = _paper_pose(_paper_moved(x, e))
    back, ahead = rotation.conjugate(x[:4]), rotation.conjugate(x[18:22])
    seen = rotation.product(back, rotation.product(z[3:], ahead))
    expected = rotation.product(small(e[:3]), small(e[17:20]))
    return ca.vertcat(z[:3] - position, vector_part(seen) - expected[1:])


def _paper_disturbed(x: ca.SX) -> ca.SX:
    """J of eq. 3 by p alone: Ixx/Iyy = (1 − p_y)/(1 + p_x), Ixx/Izz = (1 + p_z)/(1 − p_x)."""
    p = ratios(x[7:9])
    G = ca.SX.zeros(20, 6)
    G[3:6, :3] = ca.diag(ca.vertcat(1, (1 - p[1]) / (1 + p[0]), (1 + p[2]) / (1 - p[0])))
    G[11:14, 3:] = ca.SX.eye(3)
    return G


PAPER = Symbols(22, 20, _paper_rate, _paper_moved, _paper_pose, _paper_motion, _paper_residual, _paper_disturbed, 2.0)
"""x = q_AB, ω_B, two numbers for p, r_o, v_o, ρ_t in {B}, η; e = δq_v, differences, δη_v."""

MODELS = {"target": TARGET, "paper": PAPER}


# --- what is made of them ------------------------------------------------------------------------


def step(model: Symbols, x: ca.SX, h: ca.SX, n: ca.SX) -> ca.SX:
    """x after h by the classical Runge-Kutta method, quaternion brought back to unit length."""

    def slope(y: ca.SX) -> ca.SX:
        turning, rest = model.rate(y, n)
        return ca.vertcat(rotation.product(y[:4], ca.vertcat(0, turning)) / 2, rest)

    a = slope(x)
    b = slope(x + h / 2 * a)
    c = slope(x + h / 2 * b)
    d = slope(x + h * c)
    y = x + h / 6 * (a + 2 * b + 2 * c + d)
    return ca.vertcat(rotation.normalised(y[:4]), y[4:])


def difference(model: Symbols, x: ca.SX, y: ca.SX) -> ca.SX:
    """e with x ⊕ e = y, for y next to x."""
    attitude = 2 / model.turn * rotation.product(rotation.conjugate(x[:4]), y[:4])[1:]
    if model.numbers - model.errors == 1:
        return ca.vertcat(attitude, y[4:] - x[4:])
    eta = rotation.product(y[-4:], rotation.conjugate(x[-4:]))[1:]
    return ca.vertcat(attitude, y[4:-4] - x[4:-4], eta)


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
    turning, rest = model.rate(model.moved(x, e), n)
    flat = ca.vertcat(turning / model.turn, rest[: model.errors - 3])  # what is left out is η, which rests
    A = ca.substitute(ca.jacobian(flat, e), e, ca.SX.zeros(model.errors))
    A[:3, :3] -= ca.skew(model.rate(x, n)[0])
    return A


def shown(model: Symbols, x: ca.SX, n: ca.SX) -> ca.SX:
    """Pose of {C} (7), its motion (6), and by rows H (12, errors): position in {A}, rotation vector in {C}, velocity,
    angular velocity by e."""
    e = ca.SX.sym("e", model.errors)
    there = model.moved(x, e)
    position, quaternion = model.pose(there)
    turned = 2 * rotation.product(rotation.conjugate(model.pose(x)[1]), quaternion)[1:]
    changed = ca.vertcat(position, turned, *model.motion(there, n))
    H = ca.substitute(ca.jacobian(changed, e), e, ca.SX.zeros(model.errors))
    return ca.vertcat(*model.pose(x), *model.motion(x, n), rows(H))


def noise(model: Symbols, x: ca.SX, h: ca.SX, theta: ca.SX) -> ca.SX:
    """Q = ∫ e^{𝒜s} G Σ Gᵀ e^{𝒜ᵀs} ds over the step, by Gauss's rule of two points and e^{𝒜s} to second order."""
    A, G = linearised(model, x, theta[0]), model.disturbed(x)
    AG = A @ G
    AAG = A @ AG
    densities = ca.diag(ca.vertcat(theta[1], theta[1], theta[1], theta[2], theta[2], theta[2]))
    Q = ca.SX.zeros(model.errors, model.errors)
    for point in _GAUSS:
        s = point * h
        spread = G + s * AG + s**2 / 2 * AAG
        Q += h / 2 * (spread @ densities @ spread.T)
    return Q


def functions(name: str) -> dict[str, ca.Function]:
    """All kernels of a model; matrices row by row. Inputs: q = x; e = h (step, noise) or the measured pose (residual);
    v = the error (moved)."""
    model = MODELS[name]
    x, e = ca.SX.sym("q", model.numbers), ca.SX.sym("v", model.errors)
    h, z, theta = ca.SX.sym("e"), ca.SX.sym("e", 7), ca.SX.sym("theta", 3)
    zero = ca.SX.zeros(model.errors)
    residual = model.residual(x, e, z)
    H = -ca.substitute(ca.jacobian(residual, e), e, zero)
    made = {
        "moved": ([x, e], model.moved(x, e)),
        "step": ([x, h, theta], ca.vertcat(step(model, x, h, theta[0]), rows(transition(model, x, h, theta[0])))),
        "noise": ([x, h, theta], rows(noise(model, x, h, theta))),
        "shown": ([x, theta], shown(model, x, theta[0])),
        "residual": ([x, z], ca.vertcat(ca.substitute(residual, e, zero), rows(H))),
    }
    names = {id(x): "q", id(e): "v", id(h): "e", id(z): "e", id(theta): "theta"}
    return {
        key: ca.Function(key, inputs, [ca.densify(out)], [names[id(i)] for i in inputs], ["out"], {"cse": True})
        for key, (inputs, out) in made.items()
    }


def rows(matrix: ca.SX) -> ca.SX:
    return ca.vec(ca.densify(matrix).T)
