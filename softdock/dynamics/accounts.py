"""What the ledger adds up, compiled: of few rows, NumPy's preparations take longer than the sums."""

import numpy as np

from softdock.dynamics.state import ACCOUNT_NAMES as ACCOUNT
from softdock.kernels.jit import njit

WORKS = tuple(ACCOUNT.index(f"work_{what}") for what in ("actuators", "dampers", "friction", "contacts", "carried"))
ENGAGING, IMPACTS = ACCOUNT.index("lost_engaging"), ACCOUNT.index("lost_impacts")
IMPULSE, TURN = ACCOUNT.index("gravity_impulse_x"), ACCOUNT.index("gravity_turn_x")
PUSH, PUSH_TURN = ACCOUNT.index("push_impulse_x"), ACCOUNT.index("push_turn_x")


@njit(forceinline=True)
def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@njit(forceinline=True)
def cross(a, b, i):
    """Component i of a × b."""
    j, k = (i + 1) % 3, (i + 2) % 3
    return a[j] * b[k] - a[k] * b[j]


@njit(cache=True, nogil=True)
def contents(kinetic, gravity, spring, momentum, angular, center, energies, centroidal):
    """Energies, and angular momenta about the centre of mass, of each row."""
    for k in range(kinetic.shape[0]):
        energies[k] = kinetic[k] + (gravity[k] + spring[k])
        for i in range(3):
            centroidal[k, i] = angular[k, i] - cross(center[k], momentum[k], i)


@njit(cache=True, nogil=True)
def add_fall(momentum, center, r, velocity, cubes, pull, energies):
    """What the world's energy has about Earth besides (ledger.py): `pull` is μ M, `cubes` are r³."""
    for k in range(energies.shape[0]):
        energies[k] = energies[k] + dot(velocity[k], momentum[k]) + pull / cubes[k] * dot(r[k], center[k])


@njit(cache=True, nogil=True)
def about_earth(r, velocity, momentum, angular, center, mass, own):
    """Angular momentum about Earth less the reference orbit's, of each row."""
    for k in range(own.shape[0]):
        for i in range(3):
            own[k, i] = cross(r[k], momentum[k], i) + mass * cross(center[k], velocity[k], i) + angular[k, i]


@njit(forceinline=True)
def left(x, first, account, before, a, b):
    """Length of what two parts of the account, from a and b on, leave of a change."""
    square = 0.0
    for i in range(3):
        one = x[i] - first[i] - (account[a + i] - before[a + i]) - (account[b + i] - before[b + i])
        square += one * one
    return np.sqrt(square)


@njit(cache=True, nogil=True)
def furthest(x):
    """Largest distance of rows (n, 3) from the first; not a number if one is none."""
    most = 0.0
    for row in x:
        square = 0.0
        for i in range(3):
            square += (row[i] - x[0, i]) * (row[i] - x[0, i])
        most = greater(most, np.sqrt(square))
    return most


@njit(cache=True, nogil=True)
def largest(x, first):
    """Of |x − first|; not a number if one is none."""
    most = 0.0
    for one in x:
        most = greater(most, abs(one - first))
    return most


@njit(forceinline=True)
def greater(most, x):
    """Of two; what is not a number stays so."""
    return most if np.isnan(most) or x <= most else x


@njit(cache=True, nogil=True)
def missing(energies, momentum, centroidal, account, energies_0, momentum_0, centroidal_0, before, out):
    """What does not balance in each row since the first: energy, momentum, angular momentum (out: 3, rows)."""
    for k in range(account.shape[0]):
        row, works = account[k], 0.0
        for what in WORKS:
            works += row[what] - before[what]
        change = energies[k] - energies_0[0]
        lost, struck = row[ENGAGING] - before[ENGAGING], row[IMPACTS] - before[IMPACTS]
        out[0, k] = change - works + lost + struck
        out[1, k] = left(momentum[k], momentum_0[0], row, before, IMPULSE, PUSH)
        out[2, k] = left(centroidal[k], centroidal_0[0], row, before, TURN, PUSH_TURN)
