"""Where compliant contacts are closed at given states, and how they push: the step's law (docs/theory/contact.md)."""

from typing import NamedTuple

import numpy as np

from softdock.contact.hit import GAP
from softdock.contact.laws import drag, push
from softdock.contact.vectors import cross, plus, times, upright, vector
from softdock.dynamics.compliance import fill_row, patch_of
from softdock.dynamics.gaps import evaluate_at
from softdock.dynamics.stiction import lies
from softdock.kernels import loop
from softdock.kernels.jit import njit
from softdock.kernels.linear import dot


class Contacts(NamedTuple):
    """Closed compliant contacts, one after the other; vectors (n, 3) are in the world frame."""

    row: np.ndarray
    """Index of the state asked about (-)."""
    contact: np.ndarray
    """Index in `Dynamics.contact_names` (-)."""
    depth: np.ndarray
    """Of the deepest point (m)."""
    normal_force: np.ndarray
    """Sum over the patch (N)."""
    point: np.ndarray
    """Where that sum acts (m)."""
    normal: np.ndarray
    """Unit vector from body b to body a (-)."""
    force: np.ndarray
    """On body a (N), friction included."""
    moment: np.ndarray
    """Of that about the point, where friction twists (N m)."""

    @classmethod
    def of(cls, found: np.ndarray) -> "Contacts":
        """From what `contact_batch` found."""
        return cls(*(found[name] for name in cls._fields))


@loop
def contact_batch(plant, state, q, v, told, found):
    """What compliant contacts do at each row of q and v into `found`; how many of them push. They have the parts of
    their law's force that are `told` (`state.EASED`), row after row."""
    contacts, count, first, eased = plant.contacts, 0, 0, state.compliance.eased
    for b in range(q.shape[0]):
        evaluate_at(plant, state, q[b])
        last = first
        while last < told.size and told[last].row == b:
            eased[told[last].contact] = told[last].part
            last += 1
        for i in range(state.xi.size):
            state.xi[i] = v[b, i]
        for k in range(contacts.pairs.shape[0]):
            if contacts.soft[k] and state.proximity.phi[k] < 0.0:
                press(plant, state, k, found[count])
                if found[count].normal_force > 0.0:
                    found[count].row, found[count].contact = b, k
                    count += 1
        for i in range(first, last):
            eased[told[i].contact] = 1.0
        first = last
    return count


@njit(cache=True, nogil=True)
def press(plant, state, k, out):
    """Contact k where `evaluate` left the world, at the velocity ξ: one row of `found`."""
    touch, n, law = state.compliance, state.compliance.normal, plant.contacts.laws[k]
    out.depth, out.normal_force = 0.0, 0.0
    for i in range(3):
        out.point[i], out.normal[i], out.force[i], out.moment[i] = 0.0, 0.0, 0.0, 0.0
    for point in range(patch_of(plant, state, k)):
        rho, x = -touch.points[point, GAP], touch.points[point]
        if rho <= 0.0:
            continue
        w0, w1, w2 = speed(plant, state, k, x, 0), speed(plant, state, k, x, 1), speed(plant, state, k, x, 2)
        parting = n[0] * w0 + n[1] * w1 + n[2] * w2
        w0, w1, w2 = w0 - parting * n[0], w1 - parting * n[1], w2 - parting * n[2]
        share = touch.shares[point]
        stiffness, viscosity = law.stiffness * share * touch.eased[k], law.viscosity * share
        f, _, _ = push(stiffness, law.exponent, law.damping, viscosity, rho, -parting, 0.0)
        rub = drag(law.friction, law.slip, f, w0 * w0 + w1 * w1 + w2 * w2)
        out.depth = max(out.depth, rho)
        out.normal_force += f
        add_force(out, x, (f * n[0] - rub * w0, f * n[1] - rub * w1, f * n[2] - rub * w2))
        for i in range(3):
            out.point[i] += f * x[i]
    finish(out, n)


@njit(cache=True, nogil=True)
def add_force(out, x, force):
    """Add a force at x to the sum of `out`, and its moment, for now about the world's origin."""
    moment = cross((x[0], x[1], x[2]), force)
    for i in range(3):
        out.force[i] += force[i]
        out.moment[i] += moment[i]


@njit(cache=True, nogil=True)
def finish(out, n):
    """The point, of which `out` has the sum weighted by normal forces, and the moment about it."""
    for i in range(3):
        out.normal[i] = n[i]
        if out.normal_force > 0.0:
            out.point[i] /= out.normal_force
    about = cross((out.point[0], out.point[1], out.point[2]), (out.force[0], out.force[1], out.force[2]))
    for i in range(3):
        out.moment[i] -= about[i]


@njit(cache=True, nogil=True)
def press_resting(plant, state, pressed, rubbed):
    """What located contacts that rest, and friction of joints, do where the momentum was last brought in line
    (resting.settle_points): the impulses there are of half a step."""
    points, r, pairs = state.points, state.points.r, plant.contacts.pairs.shape[0]
    if not points.of_step or not (points.span > 0.0 and (lies(state) or points.owed > 0.0)):
        return
    for i in range(points.number - points.dry):
        k, rate = points.contact[i], 2.0 / points.span
        out, f = pressed[k], rate * r[3 * i]
        out.normal_force += f
        if k < pairs:
            n = vector(points.normal[i])
            t = upright(n)
            x, force = vector(points.x[i]), plus(times(f, n), rate * r[3 * i + 1], t)
            add_force(out, x, plus(force, rate * r[3 * i + 2], cross(n, t)))
            for c in range(3):
                out.point[c] += f * x[c]
                out.normal[c] = n[c]
    for k in range(pressed.size):
        if pressed[k].normal_force > 0.0:
            finish(pressed[k], vector(pressed[k].normal))
    for j in range(points.dry if points.owed > 0.0 else 0):
        rubbed[j] = r[3 * (points.number - points.dry + j) + 1] / points.owed


@njit(cache=True, nogil=True)
def speed(plant, state, k, x, axis):
    """Of contact k's body A against its body B at the point x, along an axis of the world (m/s)."""
    for i in range(3):
        state.compliance.tangent[i] = 1.0 if i == axis else 0.0
    fill_row(plant, state, k, x, state.compliance.tangent, state.compliance.force)
    return dot(state.compliance.force, state.xi)
