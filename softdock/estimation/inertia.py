"""Inertia tensors without scale: from the models' numbers and back, and their principal axes."""

from typing import NamedTuple

import numpy as np


class Principal(NamedTuple):
    """A target's inertia as the paper speaks of it."""

    moments: np.ndarray
    """(3) along {B}'s axes, summing to 1 (-)."""
    R_CB: np.ndarray
    """Principal axes in {C}, right-handed, smallest moment first (-)."""
    ratios: np.ndarray
    """p = ((I_y − I_z)/I_x, (I_z − I_x)/I_y, (I_x − I_y)/I_z) (-)."""


def of_numbers(s: np.ndarray) -> np.ndarray:
    """Inertia tensor of trace 1 from the five numbers of `symbols.inertia`."""
    L = np.array([[np.exp(s[0]), 0, 0], [s[2], np.exp(s[1]), 0], [s[3], s[4], np.exp(-s[0] - s[1])]])
    moment = L @ L.T
    return _scaled(np.trace(moment) * np.eye(3) - moment)


def numbers_of(inertia: np.ndarray) -> np.ndarray:
    """The five numbers of an inertia tensor of any scale; ValueError if no body has it."""
    moment = np.trace(inertia) / 2 * np.eye(3) - np.asarray(inertia, float)
    try:
        L = np.linalg.cholesky(moment)
    except np.linalg.LinAlgError:
        raise ValueError("no body with volume has this inertia: its moments violate the triangle inequality") from None
    L /= np.prod(np.diag(L)) ** (1 / 3)
    return np.array([np.log(L[0, 0]), np.log(L[1, 1]), L[1, 0], L[2, 0], L[2, 1]])


def of_ratios(u: np.ndarray) -> np.ndarray:
    """Principal moments, summing to 1, from the two numbers of `symbols.ratios`."""
    z = (u[0] - u[1]) / 3
    moment = np.exp(2 * np.array([z + u[1], z - u[0], z]))
    return (moment.sum() - moment) / (2 * moment.sum())


def ratios_of(moments: np.ndarray) -> np.ndarray:
    """The two numbers of three principal moments."""
    x, y, z = moments
    return np.arctanh(np.array([(y - z) / x, (z - x) / y]))


def principal(inertia: np.ndarray) -> Principal:
    """Eigen-decomposition. Axes of equal moments are arbitrary, and only their span means something."""
    moments, R = np.linalg.eigh(_scaled(inertia))
    R[:, 2] *= np.linalg.det(R)
    x, y, z = moments
    return Principal(moments, R, np.array([(y - z) / x, (z - x) / y, (x - y) / z]))


def _scaled(inertia: np.ndarray) -> np.ndarray:
    return np.asarray(inertia, float) / np.trace(inertia)
