"""Recursive inverse dynamics over many samples, compiled: by D-H frames, and by twists and wrenches.

All compiled code of this package is in this file and calls nothing outside it, so Numba's own check of the file's
age is enough to renew what it keeps.
"""

import numpy as np

from softdock.kernels.jit import njit

_FAST = {"reassoc", "contract", "nsz"}


@njit(cache=True, nogil=True, inline="always")
def _down(R, i, x, y, z):
    """R_iᵀ u. Indices into the whole array: a view of one matrix would cost reference counts."""
    return (
        R[i, 0, 0] * x + R[i, 1, 0] * y + R[i, 2, 0] * z,
        R[i, 0, 1] * x + R[i, 1, 1] * y + R[i, 2, 1] * z,
        R[i, 0, 2] * x + R[i, 1, 2] * y + R[i, 2, 2] * z,
    )


@njit(cache=True, nogil=True, inline="always")
def _up(R, i, x, y, z):
    """R_i u."""
    return (
        R[i, 0, 0] * x + R[i, 0, 1] * y + R[i, 0, 2] * z,
        R[i, 1, 0] * x + R[i, 1, 1] * y + R[i, 1, 2] * z,
        R[i, 2, 0] * x + R[i, 2, 1] * y + R[i, 2, 2] * z,
    )


@njit(cache=True, nogil=True, inline="always")
def _cross(ax, ay, az, bx, by, bz):
    return ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx


@njit(cache=True, nogil=True, fastmath=_FAST)
def twist_torques(R0, p0, slides, parameters, gravity, q, v, a, out):
    """Product of exponentials, O(n): twists down the arm, wrenches back up, in frames with z along the joints.

    V_i = Ad(T_i⁻¹) V_{i−1} + A q̇,  V̇_i = Ad(T_i⁻¹) V̇_{i−1} + ad(V_i) A q̇ + A q̈,  F_i = J_i V̇_i − ad(V_i)ᵀ J_i V_i,
    with A = (0 0 1, 0 0 0) or (0 0 0, 0 0 1) and parameters (n, 10) as `Inertial.parameters` has them.
    """
    n = q.shape[1]
    R, p, F = np.empty((n, 3, 3)), np.empty((n, 3)), np.empty((n, 6))
    for b in range(q.shape[0]):
        wx = wy = wz = vx = vy = vz = dwx = dwy = dwz = 0.0
        dvx, dvy, dvz = -gravity[0], -gravity[1], -gravity[2]
        for i in range(n):
            x, rate, speedup = q[b, i], v[b, i], a[b, i]
            if slides[i]:
                for k in range(3):
                    p[i, k] = p0[i, k] + R0[i, k, 2] * x
                    for l in range(3):
                        R[i, k, l] = R0[i, k, l]
            else:
                c, s = np.cos(x), np.sin(x)
                for k in range(3):
                    p[i, k] = p0[i, k]
                    R[i, k, 0] = c * R0[i, k, 0] + s * R0[i, k, 1]
                    R[i, k, 1] = c * R0[i, k, 1] - s * R0[i, k, 0]
                    R[i, k, 2] = R0[i, k, 2]
            ux, uy, uz = _cross(wx, wy, wz, p[i, 0], p[i, 1], p[i, 2])
            vx, vy, vz = _down(R, i, vx + ux, vy + uy, vz + uz)
            ux, uy, uz = _cross(dwx, dwy, dwz, p[i, 0], p[i, 1], p[i, 2])
            dvx, dvy, dvz = _down(R, i, dvx + ux, dvy + uy, dvz + uz)
            wx, wy, wz = _down(R, i, wx, wy, wz)
            dwx, dwy, dwz = _down(R, i, dwx, dwy, dwz)
            if slides[i]:
                vz += rate
                dvx, dvy, dvz = dvx + wy * rate, dvy - wx * rate, dvz + speedup
            else:
                wz += rate
                dwx, dwy, dwz = dwx + wy * rate, dwy - wx * rate, dwz + speedup
                dvx, dvy = dvx + vy * rate, dvy - vx * rate
            m, hx, hy, hz = parameters[i, 0], parameters[i, 1], parameters[i, 2], parameters[i, 3]
            xx, yy, zz = parameters[i, 4], parameters[i, 5], parameters[i, 6]
            xy, xz, yz = parameters[i, 7], parameters[i, 8], parameters[i, 9]
            ux, uy, uz = _cross(hx, hy, hz, vx, vy, vz)
            Lx = xx * wx + xy * wy + xz * wz + ux
            Ly = xy * wx + yy * wy + yz * wz + uy
            Lz = xz * wx + yz * wy + zz * wz + uz
            ux, uy, uz = _cross(hx, hy, hz, wx, wy, wz)
            Px, Py, Pz = m * vx - ux, m * vy - uy, m * vz - uz
            ux, uy, uz = _cross(hx, hy, hz, dvx, dvy, dvz)
            sx, sy, sz = _cross(wx, wy, wz, Lx, Ly, Lz)
            rx, ry, rz = _cross(vx, vy, vz, Px, Py, Pz)
            F[i, 0] = xx * dwx + xy * dwy + xz * dwz + ux + sx + rx
            F[i, 1] = xy * dwx + yy * dwy + yz * dwz + uy + sy + ry
            F[i, 2] = xz * dwx + yz * dwy + zz * dwz + uz + sz + rz
            ux, uy, uz = _cross(hx, hy, hz, dwx, dwy, dwz)
            sx, sy, sz = _cross(wx, wy, wz, Px, Py, Pz)
            F[i, 3], F[i, 4], F[i, 5] = m * dvx - ux + sx, m * dvy - uy + sy, m * dvz - uz + sz
        for i in range(n - 1, -1, -1):
            out[b, i] = F[i, 5] if slides[i] else F[i, 2]
            if i > 0:
                fx, fy, fz = _up(R, i, F[i, 3], F[i, 4], F[i, 5])
                nx, ny, nz = _up(R, i, F[i, 0], F[i, 1], F[i, 2])
                ux, uy, uz = _cross(p[i, 0], p[i, 1], p[i, 2], fx, fy, fz)
                F[i - 1, 0] += nx + ux
                F[i - 1, 1] += ny + uy
                F[i - 1, 2] += nz + uz
                F[i - 1, 3] += fx
                F[i - 1, 4] += fy
                F[i - 1, 5] += fz


@njit(cache=True, nogil=True, fastmath=_FAST)
def frame_torques(table, modified, slides, gravity, mass, center, inertia, q, v, a, out):
    """Newton-Euler in D-H frames: velocities and accelerations of centres outward, forces and moments inward.

    Angular velocities, accelerations of the frames' origins and of the centres of mass, in each frame's axes; joint
    i's axis is z of frame i − 1 (standard) or of frame i (modified). `gravity` is along frame 0's axes.
    """
    n = q.shape[1]
    cosine, sine = np.cos(table[:, 1]), np.sin(table[:, 1])
    R, p, f, N = np.empty((n, 3, 3)), np.empty((n, 3)), np.empty((n, 3)), np.empty((n, 3))
    for b in range(q.shape[0]):
        wx = wy = wz = ax = ay = az = 0.0
        gx, gy, gz = -gravity[0], -gravity[1], -gravity[2]
        for i in range(n):
            x, rate, speedup = q[b, i], v[b, i], a[b, i]
            theta = table[i, 3] + (0.0 if slides[i] else x)
            d = table[i, 2] + (x if slides[i] else 0.0)
            ct, st, ca, sa = np.cos(theta), np.sin(theta), cosine[i], sine[i]
            if modified:
                R[i, 0, 0], R[i, 0, 1], R[i, 0, 2] = ct, -st, 0.0
                R[i, 1, 0], R[i, 1, 1], R[i, 1, 2] = st * ca, ct * ca, -sa
                R[i, 2, 0], R[i, 2, 1], R[i, 2, 2] = st * sa, ct * sa, ca
                p[i, 0], p[i, 1], p[i, 2] = table[i, 0], -sa * d, ca * d
                zx, zy, zz = 0.0, 0.0, 1.0
            else:
                R[i, 0, 0], R[i, 0, 1], R[i, 0, 2] = ct, -st * ca, st * sa
                R[i, 1, 0], R[i, 1, 1], R[i, 1, 2] = st, ct * ca, -ct * sa
                R[i, 2, 0], R[i, 2, 1], R[i, 2, 2] = 0.0, sa, ca
                p[i, 0], p[i, 1], p[i, 2] = table[i, 0] * ct, table[i, 0] * st, d
                zx, zy, zz = 0.0, sa, ca  # z of frame i − 1, in frame i
            if modified:  # origin i rides on link i − 1 (but for its slide), so it moves as that link turns
                ux, uy, uz = _cross(wx, wy, wz, p[i, 0], p[i, 1], p[i, 2])
                ux, uy, uz = _cross(wx, wy, wz, ux, uy, uz)
                sx, sy, sz = _cross(ax, ay, az, p[i, 0], p[i, 1], p[i, 2])
                gx, gy, gz = gx + ux + sx, gy + uy + sy, gz + uz + sz
            gx, gy, gz = _down(R, i, gx, gy, gz)
            wx, wy, wz = _down(R, i, wx, wy, wz)
            ax, ay, az = _down(R, i, ax, ay, az)
            ux, uy, uz = _cross(wx, wy, wz, zx * rate, zy * rate, zz * rate)
            if slides[i]:
                gx, gy, gz = gx + zx * speedup + 2 * ux, gy + zy * speedup + 2 * uy, gz + zz * speedup + 2 * uz
            else:
                ax, ay, az = ax + zx * speedup + ux, ay + zy * speedup + uy, az + zz * speedup + uz
                wx, wy, wz = wx + zx * rate, wy + zy * rate, wz + zz * rate
            if not modified:  # origin i rides on link i
                rx, ry, rz = _down(R, i, p[i, 0], p[i, 1], p[i, 2])
                ux, uy, uz = _cross(wx, wy, wz, rx, ry, rz)
                ux, uy, uz = _cross(wx, wy, wz, ux, uy, uz)
                sx, sy, sz = _cross(ax, ay, az, rx, ry, rz)
                gx, gy, gz = gx + ux + sx, gy + uy + sy, gz + uz + sz
            cx, cy, cz = center[i, 0], center[i, 1], center[i, 2]
            ux, uy, uz = _cross(wx, wy, wz, cx, cy, cz)
            ux, uy, uz = _cross(wx, wy, wz, ux, uy, uz)
            sx, sy, sz = _cross(ax, ay, az, cx, cy, cz)
            m = mass[i]
            fx, fy, fz = m * (gx + ux + sx), m * (gy + uy + sy), m * (gz + uz + sz)
            Lx, Ly, Lz = _up(inertia, i, wx, wy, wz)
            Tx, Ty, Tz = _up(inertia, i, ax, ay, az)
            ux, uy, uz = _cross(wx, wy, wz, Lx, Ly, Lz)
            sx, sy, sz = _cross(cx, cy, cz, fx, fy, fz)
            f[i, 0], f[i, 1], f[i, 2] = fx, fy, fz
            N[i, 0], N[i, 1], N[i, 2] = Tx + ux + sx, Ty + uy + sy, Tz + uz + sz  # about origin i
        fx = fy = fz = nx = ny = nz = 0.0  # of the links beyond, about origin i, in frame i
        for i in range(n - 1, -1, -1):
            fx, fy, fz = fx + f[i, 0], fy + f[i, 1], fz + f[i, 2]
            nx, ny, nz = nx + N[i, 0], ny + N[i, 1], nz + N[i, 2]
            if modified:
                out[b, i] = fz if slides[i] else nz
            fx, fy, fz = _up(R, i, fx, fy, fz)
            nx, ny, nz = _up(R, i, nx, ny, nz)
            ux, uy, uz = _cross(p[i, 0], p[i, 1], p[i, 2], fx, fy, fz)
            nx, ny, nz = nx + ux, ny + uy, nz + uz
            if not modified:
                out[b, i] = fz if slides[i] else nz
