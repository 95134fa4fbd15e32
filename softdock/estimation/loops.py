"""Compiled loops of the filters. All of them are in this one file: Numba renews its cache by the file of a function."""

import numpy as np

from softdock.estimation import layouts
from softdock.kernels import call
from softdock.kernels.jit import njit

STEP, NOISE, RESIDUAL, MOVED, SHOWN, ADVANCED = range(6)
KERNELS = ("step", "noise", "residual", "moved", "shown", "advanced")
"""Kernels by place in the array of addresses that the loops take."""
SOUND = -1
_FAR, _SHARP = 1e12, 1e-18
"""What counts as infinite (s, m, m²), and as zero (m², rad²): beyond, squares would not fit into a number."""
_FAST = {"reassoc", "contract", "nsz"}

_step_output = layouts.STEP.zeros("numbers", "errors")
_residual_output = layouts.RESIDUAL.zeros("errors")
_shown_output = layouts.SHOWN.zeros("errors")


@njit(cache=True, nogil=True, fastmath=_FAST)
def times(A, B, rows, inner, columns, C):
    """C = A B."""
    for i in range(rows):
        for j in range(columns):
            C[i, j] = 0.0
        for k in range(inner):
            a = A[i, k]
            if a != 0.0:
                for j in range(columns):
                    C[i, j] += a * B[k, j]


@njit(cache=True, nogil=True)
def evaluated(kernel, q, v, e, theta, size):
    """What a kernel gives, in a new array."""
    out = np.empty(size)
    call(kernel, q, v, e, theta, out)
    return out


@njit(cache=True, nogil=True, fastmath=_FAST)
def propagate(kernels, theta, x, P, h, steps):
    """x and P after `steps` steps of h, in place: P ← Φ P Φᵀ + Q (eq. 15)."""
    m, n = x.size, P.shape[0]
    out, Q, length = _step_output(m, n), np.empty((n, n)), np.full(1, h)
    Phi, turned, half = out.transition, np.empty((n, n)), np.empty((n, n))
    for _ in range(steps):
        call(kernels[NOISE], x, x, length, theta, Q)
        call(kernels[STEP], x, x, length, theta, out.vector)
        for i in range(m):
            x[i] = out.x[i]
        times(Phi, P, n, n, n, half)
        for i in range(n):
            for j in range(n):
                turned[j, i] = half[i, j]
        times(Phi, turned, n, n, n, P)  # few of its numbers are not zero
        for i in range(n):
            for j in range(i + 1):
                value = 0.5 * (P[i, j] + P[j, i] + Q[i, j] + Q[j, i])
                P[i, j] = value
                P[j, i] = value


@njit(cache=True, nogil=True, fastmath=_FAST)
def foresee(kernels, theta, x, P, h, steps):
    """x and P after `steps` steps of h, in place; then pose and motion of the measured frame (layouts.MOTION), and
    their covariance (12, 12: MOTION_ERROR)."""
    n = P.shape[0]
    propagate(kernels, theta, x, P, h, steps)
    out, turned, half, covariance = _shown_output(n), np.empty((n, 12)), np.empty((12, n)), np.empty((12, 12))
    call(kernels[SHOWN], x, x, x, theta, out.vector)
    for i in range(12):
        for j in range(n):
            turned[j, i] = out.H[i, j]
    times(out.H, P, 12, n, n, half)
    times(half, turned, 12, n, 12, covariance)
    return out.motion.vector, covariance


@njit(cache=True, nogil=True)
def _speed(x, spin):
    return np.sqrt(x[spin] ** 2 + x[spin + 1] ** 2 + x[spin + 2] ** 2)


@njit(cache=True, nogil=True)
def _advance(kernels, theta, x, spin, h, seconds, turn, most):
    """x after some time, in place, in steps of at most h and at most a turn (rad) each; whether `most` tries sufficed.
    `spin` is where x has the angular velocity."""
    z, length, left, longest = np.empty(x.size), np.empty(1), seconds, h
    for _ in range(most):
        if not left > 0.0:
            break
        length[0] = left if left < longest * (1 + 1e-9) else longest
        call(kernels[ADVANCED], x, x, length, theta, z)
        speed = max(_speed(x, spin), _speed(z, spin))
        if not speed * length[0] <= turn:  # also if it is not a number
            longest = 0.5 * length[0]
            continue
        x[:] = z
        left -= length[0]
        longest = min(h, 0.9 * turn / max(speed, 1e-9))
    return not left > 0.0


@njit(cache=True, nogil=True)
def scatter(kernels, theta, states, errors, spin, h, seconds, turn, most, motions):
    """Each row of states after some time, in place, and its pose and motion of the measured frame (layouts.MOTION), in
    steps as of `_advance`: states of a wide sample spin faster than their mean. If one cannot be followed, no motion is
    a number. `errors` is the number of a state's errors."""
    out = _shown_output(errors)
    for k in range(states.shape[0]):
        if not _advance(kernels, theta, states[k], spin, h, seconds, turn, most):
            motions[:] = np.nan
            return
        call(kernels[SHOWN], states[k], states[k], states[k], theta, out.vector)
        for i in range(motions.shape[1]):
            motions[k, i] = out.motion.vector[i]


@njit(cache=True, nogil=True)
def definite(P):
    """Whether a covariance is positive, but for rounding: Cholesky of it in units of its standard deviations."""
    n = P.shape[0]
    L = np.empty((n, n))
    for j in range(n):
        if not P[j, j] > 0.0:
            return False
        for i in range(j, n):
            value = P[i, j] / np.sqrt(P[i, i] * P[j, j]) if P[i, i] > 0.0 else -1.0
            for k in range(j):
                value -= L[i, k] * L[j, k]
            if i == j:
                if not value > 1e-14:
                    return False
                L[j, j] = np.sqrt(value)
            else:
                L[i, j] = value / L[j, j]
    return True


@njit(cache=True, nogil=True, fastmath=_FAST)
def follow(kernels, theta, x, gaps, steps, measured, residuals, J):
    """A whole arc from its first state: residuals (N, 6) of the measured poses, and minus their derivatives (N, 6, n)
    by that state's error. gaps[k], taken in steps[k], leads to measurement k from the one before, or from the state."""
    m, n = x.size, J.shape[2]
    y, out, seen = x.copy(), _step_output(m, n), _residual_output(n)
    S, grown, length = np.zeros((n, n)), np.empty((n, n)), np.empty(1)
    for i in range(n):
        S[i, i] = 1.0
    for k in range(gaps.size):
        if gaps[k] != 0.0:
            length[0] = gaps[k] / steps[k]
            for _ in range(steps[k]):
                call(kernels[STEP], y, y, length, theta, out.vector)
                for i in range(m):
                    y[i] = out.x[i]
                times(out.transition, S, n, n, n, grown)
                for i in range(n):
                    for j in range(n):
                        S[i, j] = grown[i, j]
        call(kernels[RESIDUAL], y, y, measured[k], theta, seen.vector)
        for i in range(6):
            residuals[k, i] = seen.residual[i]
        times(seen.H, S, 6, n, n, J[k])
    return y, S


@njit(cache=True, nogil=True, fastmath=_FAST)
def compare(kernels, theta, x, gaps, steps, measured, errors, residuals):
    """As `follow`, the residuals alone: it takes a fraction of the time. `errors` is the number of a state's."""
    m, y, z, length = x.size, x.copy(), np.empty(x.size), np.empty(1)
    seen = _residual_output(errors)
    for k in range(gaps.size):
        if gaps[k] != 0.0:
            length[0] = gaps[k] / steps[k]
            for _ in range(steps[k]):
                call(kernels[ADVANCED], y, y, length, theta, z)
                for i in range(m):
                    y[i] = z[i]
        call(kernels[RESIDUAL], y, y, measured[k], theta, seen.vector)
        for i in range(6):
            residuals[k, i] = seen.residual[i]


@njit(cache=True, nogil=True, fastmath=_FAST)
def disturbed(kernels, theta, x, e, P, gaps, steps, measured, R, used, white):
    """A Kalman filter of the error along an arc from x, with the noise that disturbs the motion: linear, about the
    motion from x itself, from an error e of covariance P, both in place. Measurements that are not `used` are left out;
    `white` (N, 6) has the others' innovations, over their standard deviations. Returns the last state, and the
    logarithm of all innovations' determinants, NaN if one is not positive."""
    m, n, log = x.size, P.shape[0], 0.0
    y, out, seen = x.copy(), _step_output(m, n), _residual_output(n)
    Q, half, turned, length = np.empty((n, n)), np.empty((n, n)), np.empty((n, n)), np.empty(1)
    HP, S, moved = np.empty((6, n)), np.empty((6, 6)), np.empty(n)
    for k in range(gaps.size):
        if gaps[k] != 0.0:
            length[0] = gaps[k] / steps[k]
            for _ in range(steps[k]):
                call(kernels[NOISE], y, y, length, theta, Q)
                call(kernels[STEP], y, y, length, theta, out.vector)
                for i in range(m):
                    y[i] = out.x[i]
                times(out.transition, P, n, n, n, half)
                for i in range(n):
                    moved[i] = 0.0
                    for j in range(n):
                        moved[i] += out.transition[i, j] * e[j]
                        turned[j, i] = half[i, j]
                times(out.transition, turned, n, n, n, P)  # few of its numbers are not zero
                for i in range(n):
                    e[i] = moved[i]
                    for j in range(n):
                        P[i, j] += Q[i, j]
        if not used[k]:
            continue
        call(kernels[RESIDUAL], y, y, measured[k], theta, seen.vector)
        times(seen.H, P, 6, n, n, HP)
        for i in range(6):
            white[k, i] = seen.residual[i]
            for j in range(n):
                white[k, i] -= seen.H[i, j] * e[j]
            for j in range(6):
                S[i, j] = R[k, i, j]
                for a in range(n):
                    S[i, j] += HP[i, a] * seen.H[j, a]
        for j in range(6):  # S = L Lᵀ; HP and the innovation are divided by L
            for a in range(j):
                S[j, j] -= S[j, a] * S[j, a]
            if not S[j, j] > 0.0:
                return y, np.nan
            S[j, j] = np.sqrt(S[j, j])
            log += 2 * np.log(S[j, j])
            for i in range(j + 1, 6):
                for a in range(j):
                    S[i, j] -= S[i, a] * S[j, a]
                S[i, j] /= S[j, j]
            for a in range(j):
                white[k, j] -= S[j, a] * white[k, a]
                for i in range(n):
                    HP[j, i] -= S[j, a] * HP[a, i]
            white[k, j] /= S[j, j]
            for i in range(n):
                HP[j, i] /= S[j, j]
        for i in range(n):
            for a in range(6):
                e[i] += HP[a, i] * white[k, a]
                for j in range(n):
                    P[i, j] -= HP[a, i] * HP[a, j]
    return y, log


@njit(cache=True, nogil=True)
def squares(r, scales):
    """Of whitened residuals (N, 6), positions and rotations divided by their `scales`."""
    out = np.empty(len(r))
    for k in range(len(r)):
        position = r[k, 0] ** 2 + r[k, 1] ** 2 + r[k, 2] ** 2
        rotation = r[k, 3] ** 2 + r[k, 4] ** 2 + r[k, 5] ** 2
        out[k] = position / scales[0] ** 2 + rotation / scales[1] ** 2
    return out


@njit(cache=True, nogil=True, fastmath=_FAST)
def normal(r, J, scales, weights, A, b):
    """A += Σ w JᵀJ, of a symmetric A, and b += Σ w Jᵀr over the rows of whitened residuals (N, 6) and their J
    (N, 6, n), positions and rotations divided by their `scales`. By hand: BLAS would share out a task this small among
    threads."""
    n = J.shape[2]
    for k in range(r.shape[0]):
        for i in range(6):
            w = weights[k] / scales[i // 3] ** 2
            if w == 0.0:
                continue
            for a in range(n):
                pull = w * J[k, i, a]
                b[a] += pull * r[k, i]
                for c in range(min((a | 7) + 1, n)):  # the lower half, in whole vectors
                    A[a, c] += pull * J[k, i, c]
    for a in range(n):
        for c in range(a):
            A[c, a] = A[a, c]


@njit(cache=True, nogil=True, fastmath=_FAST)
def right_side(r, J, scales, weights, b):
    """As `normal`, b alone."""
    for k in range(r.shape[0]):
        for i in range(6):
            pull = weights[k] / scales[i // 3] ** 2 * r[k, i]
            for a in range(J.shape[2]):
                b[a] += pull * J[k, i, a]


@njit(cache=True, nogil=True, fastmath=_FAST)
def whitened(whiten, r, J):
    """r and J times the lower triangles (N, 6, 6), in place."""
    for k in range(r.shape[0]):
        for i in range(5, -1, -1):
            r[k, i] *= whiten[k, i, i]
            for a in range(J.shape[2]):
                J[k, i, a] *= whiten[k, i, i]
            for j in range(i):
                w = whiten[k, i, j]
                r[k, i] += w * r[k, j]
                for a in range(J.shape[2]):
                    J[k, i, a] += w * J[k, j, a]


@njit(cache=True, nogil=True)
def coloured(times, tau, share, r, J, white_r, white_J):
    """Residuals (N, 6) and their J (N, 6, n) whitened for noise of variance 1, of which `share` is correlated by
    exp(−|t|/tau) (Gauss and Markov's) and the rest is white: innovations of the Kalman filter that knows it, over their
    standard deviations. Returns the logarithm of one channel's determinant."""
    n = J.shape[2]
    mean_r, mean_J, P, K, log = np.zeros(6), np.zeros((6, n)), share, 0.0, 0.0
    for k in range(times.size):
        if k > 0:
            rho = np.exp(-(times[k] - times[k - 1]) / tau)
            P = rho * rho * (P - K * P) + (1 - rho * rho) * share
            for i in range(6):
                mean_r[i] = rho * (mean_r[i] + K * (r[k - 1, i] - mean_r[i]))
                for a in range(n):
                    mean_J[i, a] = rho * (mean_J[i, a] + K * (J[k - 1, i, a] - mean_J[i, a]))
        S = P + 1 - share
        K = P / S
        log += np.log(S)
        size = 1 / np.sqrt(S)
        for i in range(6):
            white_r[k, i] = size * (r[k, i] - mean_r[i])
            for a in range(n):
                white_J[k, i, a] = size * (J[k, i, a] - mean_J[i, a])
    return log


@njit(cache=True, nogil=True)
def correction(S, rhs, n):
    """Cholesky of S (6 × 6) in place, and rhs (6, n) ← S⁻¹ rhs; False if S is not positive."""
    for j in range(6):
        for k in range(j):
            S[j, j] -= S[j, k] * S[j, k]
        if not S[j, j] > 0.0:
            return False
        S[j, j] = np.sqrt(S[j, j])
        for i in range(j + 1, 6):
            for k in range(j):
                S[i, j] -= S[i, k] * S[j, k]
            S[i, j] /= S[j, j]
    for c in range(n):
        for i in range(6):
            for k in range(i):
                rhs[i, c] -= S[i, k] * rhs[k, c]
            rhs[i, c] /= S[i, i]
        for i in range(5, -1, -1):
            for k in range(i + 1, 6):
                rhs[i, c] -= S[k, i] * rhs[k, c]
            rhs[i, c] /= S[i, i]
    return True


@njit(cache=True, nogil=True)
def _lever(R, a, J, row, column):
    """Block of J: −R [a]."""
    for i in range(3):
        for j in range(3):
            k, m = (j + 1) % 3, (j + 2) % 3
            J[row + i, column + j] = R[i, m] * a[k] - R[i, k] * a[m]


@njit(cache=True, nogil=True)
def carried(R_AC, R_BC, offset, swing, covariance):
    """Covariance (12, 12; rotation, position, angular velocity, velocity) of the motion of a frame that is fixed in {C}
    at `offset`, turned by R_BCᵀ, and moves there by `swing`, of {C}'s."""
    J, half, out = np.zeros((12, 12)), np.zeros((12, 12)), np.zeros((12, 12))
    for i in range(3):
        J[3 + i, 3 + i] = J[9 + i, 9 + i] = 1.0
        for j in range(3):
            J[i, j] = J[6 + i, 6 + j] = R_BC[i, j]
    _lever(R_AC, offset, J, 3, 0)
    _lever(R_AC, offset, J, 9, 6)
    _lever(R_AC, swing, J, 9, 0)
    times(J, covariance, 12, 12, 12, half)
    for i in range(12):
        for k in range(12):
            if J[i, k] != 0.0:
                for j in range(12):
                    out[j, i] += half[j, k] * J[i, k]
    return out


@njit(cache=True, nogil=True)
def fault(t, position, quaternion, stated, R):
    """What is wrong with a measurement: 0 a number, 1 its quaternion, 2 its covariance, or `SOUND`; normalises the
    quaternion, and puts the stated covariance into R with position before rotation. (`not a < b` also holds for NaN.)
    """
    if not abs(t) < _FAR:
        return 0
    square, largest = 0.0, 0.0
    for number in position:
        if not abs(number) < _FAR:
            return 0
    for number in quaternion:
        if not abs(number) < _FAR:
            return 0
        square += number**2
    for i in range(6):
        for j in range(6):
            R[i, j] = stated[(i + 3) % 6, (j + 3) % 6]
            if not abs(R[i, j]) < _FAR:
                return 0
            largest = max(largest, abs(R[i, j]))
    if square < 1e-12:
        return 1
    for i in range(6):
        for j in range(6):
            if abs(R[i, j] - R[j, i]) > 1e-9 * largest:
                return 2
        if R[i, i] < _SHARP:
            return 2
    if not correction(R.copy(), np.zeros((6, 1)), 1):
        return 2
    for i in range(4):
        quaternion[i] /= np.sqrt(square)
    return SOUND


@njit(cache=True, nogil=True, fastmath=_FAST)
def innovate(kernels, theta, x, P, measured, R, limit):
    """Correct x and P by a measured pose, in place, in Joseph's form; the normalised innovation squared. Nothing is
    changed if that is above `limit`."""
    m, n = x.size, P.shape[0]
    out, Ht = _residual_output(n), np.empty((n, 6))
    call(kernels[RESIDUAL], x, x, measured, theta, out.vector)
    seen, H = out.residual, out.H
    for i in range(6):
        for j in range(n):
            Ht[j, i] = H[i, j]
    HP, S, gain = np.empty((6, n)), np.empty((6, 6)), np.empty((6, n + 1))
    times(H, P, 6, n, n, HP)
    times(HP, Ht, 6, n, 6, S)
    for i in range(6):
        gain[i, n] = seen[i]
        for j in range(n):
            gain[i, j] = HP[i, j]
        for j in range(6):
            S[i, j] += R[i, j]
    if not correction(S, gain, n + 1):
        return np.inf
    nis = 0.0
    for i in range(6):
        nis += seen[i] * gain[i, n]
    if not nis <= limit:
        return nis
    e, turned, kept, K = np.zeros(n), np.empty((n, n)), np.empty((n, n)), np.empty((n, 6))
    for i in range(n):
        for k in range(6):
            K[i, k] = gain[k, i]
            e[i] += gain[k, i] * seen[k]
        for j in range(n):
            kept[i, j] = 1.0 if i == j else 0.0
            for k in range(6):
                kept[i, j] -= gain[k, i] * H[k, j]
    for i in range(n):
        for j in range(n):
            turned[j, i] = kept[i, j]
    half, KR, noise, Kt = np.empty((n, n)), np.empty((n, 6)), np.empty((n, n)), np.empty((6, n))
    for i in range(n):
        for k in range(6):
            Kt[k, i] = K[i, k]
    times(kept, P, n, n, n, half)
    times(half, turned, n, n, n, P)
    times(K, R, n, 6, 6, KR)
    times(KR, Kt, n, 6, n, noise)
    for i in range(n):
        for j in range(i + 1):
            value = 0.5 * (P[i, j] + P[j, i] + noise[i, j] + noise[j, i])
            P[i, j] = value
            P[j, i] = value
    moved = np.empty(m)
    call(kernels[MOVED], x, e, e, theta, moved)
    for i in range(m):
        x[i] = moved[i]
    return nis
