"""Where the target is: a scan registered against the surface that is visible from the predicted pose."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.spatial import cKDTree

from softdock.sensing.alignment import APPROACHING, CLOSE, PROBED, Alignment, Fit, Larger
from softdock.sensing.alignment_loops import EDGE, OFF, extent, lying
from softdock.sensing.scan import Rates, Scan
from softdock.sensing.surface import Surface
from softdock.sensing.turns import other_turns
from softdock.world.pose import Pose

FARTHEST = 1e9
"""Distance (m) up to which points are looked at."""
FEWEST = 30
"""Points below which a scan is not registered."""
OVERLAP = 0.9
"""Share of the points near the target that must lie on the model."""
NOISIEST = 5.0
"""Largest noise, in units of the one that the scan declares."""
VAGUEST = (np.radians(8.0), 0.1)
"""Largest standard deviation (rad, m) of a pose worth having."""
VAGUE = "the view leaves the pose free"
UNKNOWN = np.diag([0.1**2] * 3 + [0.02**2] * 3)
"""Covariance of rates (rad/s, m/s) of a target of which nothing is known yet but that a camera can follow it."""
TOGETHER, APART = 4, 0.08
"""So many points off the model within this part of the radius are a part of the target that a pose does not explain."""
PART = 0.05
"""Largest share of such points."""
_FEW, _SOME = 300, 2000
"""Points of the approach, and of the refinement before the last steps."""


class Quality(NamedTuple):
    """How well a pose explains a scan."""

    rms: float
    """Of the residuals on the model, in units of the scan's declared noise (-)."""
    overlap: float
    """Their share of the points within the target's bounding sphere (-)."""
    iterations: int
    """Gauss-Newton's."""
    accepted: bool
    reason: str = ""
    """Why it is not accepted."""
    larger: Larger = Larger()
    """Than its model: the target, if accepted."""


@dataclass(frozen=True, eq=False)
class Registration:
    """Pose of B in C.

    A pose that is not accepted is only the best that was found; where nothing was, it is the guess, and the covariance
    is infinite on its diagonal.
    """

    pose: Pose
    covariance: np.ndarray
    """(6, 6) of (δ, ε): R → R exp(δ) with δ in B (rad²), and p → p + ε in C (m²)."""
    quality: Quality
    time: float = 0.0
    """Of the scan (s)."""

    def of(self, frame: Pose) -> "Registration":
        """The same for a frame F fixed to the target: `frame` is F in B."""
        x, y, z = frame.position
        J = np.eye(6)  # p_F = p + R r, so ε_F = ε + R (δ × r); δ_F = R_BFᵀ δ
        J[:3, :3] = frame.rotation.T
        J[3:, :3] = -self.pose.rotation @ [[0, -z, y], [z, 0, -x], [-y, x, 0]]
        known = np.isfinite(self.covariance).all()
        covariance = J @ self.covariance @ J.T if known else self.covariance
        return Registration(self.pose @ frame, covariance, self.quality, self.time)


def register(
    scan: Scan, surface: Surface, guess: Pose, rates: Rates | None = None, spread: np.ndarray | None = None
) -> Registration:
    """Find the pose of the target in a scan, from a guess within about 10° and 10 cm.

    `rates` say how the target moves while it is scanned (`Rates`); without them it is taken to stand still. `spread`
    (6, 6) is their covariance, angular before linear; without it they are taken to be exact.
    A scan that cannot be registered gives a result that is not accepted, and says why.
    """
    if reason := unusable(scan):
        return _refused(guess, reason, scan.time)
    alignment = Alignment(scan, surface, guess, rates or Rates())
    few, some = alignment.some(_FEW), alignment.some(_SOME)
    every = alignment.some(len(scan)) if len(scan) > _SOME else some
    for width, iterations in ((0.1, 6), (0.03, 5)):
        if not alignment.look():
            return _refused(guess, "the model cannot be seen from the guessed pose", scan.time)
        alignment.approach(few, width, iterations)
    return refined(alignment, some, every, scan.time, spread, guess)


def refined(
    alignment: Alignment,
    some: np.ndarray,
    every: np.ndarray,
    time: float,
    spread: np.ndarray | None = None,
    guess: Pose | None = None,
) -> Registration:
    """The result, from a pose that is a few millimetres and tenths of a degree off; `guess` is what was given."""
    if not alignment.look():
        return _refused(Pose.of(alignment.R, alignment.p), "the search ended where the model cannot be seen", time)
    fit, part = alignment.refine(some, (*APPROACHING, CLOSE)), some
    if _unexplained(alignment, fit, some) > 0:
        fit = _better(alignment, fit, some)
    if len(every) > len(some):
        fit, part = alignment.refine(every, (CLOSE,), tolerance=1e-4), every
    unexplained = _unexplained(alignment, fit, part)
    covariance = np.linalg.inv(alignment.information(fit, some, unexplained > 0))
    rms, overlap = _agreement(fit, alignment.near(every))
    shared = alignment.shared(fit, part)
    covariance = covariance * max(1.0, rms) ** 2 + alignment.carried(fit, part, shared, spread)
    if np.isfinite(covariance).all():
        covariance = (covariance + covariance.T) / 2
    pose = Pose.of(alignment.R, alignment.p)
    reason = _doubt(rms, overlap, unexplained / len(part), covariance)
    if not reason:
        others = other_turns(alignment, part, guess)
        if others.any():
            covariance = covariance + others
            reason = _doubt(rms, overlap, unexplained / len(part), covariance)
    larger = Larger() if reason else alignment.larger(fit, part, shared, spread)
    quality = Quality(rms, overlap, alignment.iterations, not reason, reason, larger)
    return Registration(pose, covariance, quality, time)


def _unexplained(alignment: Alignment, fit: Fit, part: np.ndarray) -> int:
    """Points that lie together near the target, but off the model: strays are alone, a part that was seen is not."""
    if len(fit.off) < TOGETHER:
        return 0
    on = np.abs(fit.residuals) < OFF
    on[fit.off] = False
    noise = float(np.sqrt(np.mean(fit.residuals[on] ** 2))) if on.any() else 1.0
    far = fit.off[EDGE * np.abs(fit.residuals[fit.off]) > OFF * max(1.0, noise)]
    if len(far) < TOGETHER:
        return 0
    points = alignment.points(part[far])
    points = points[np.linalg.norm(points - alignment.surface.center, axis=1) < alignment.surface.radius]
    if len(points) < TOGETHER:
        return 0
    about = cKDTree(points).query_ball_point(points, APART * alignment.surface.radius, return_length=True)
    return int((about >= TOGETHER).sum())


def _better(alignment: Alignment, fit: Fit, some: np.ndarray) -> Fit:
    """What fits best of this pose and those to which finite displacements lead: a bracket that ended up beside its
    place holds no pose, and bodies that look alike from turn to turn have a basin at each."""
    few = some[:: max(1, len(some) // PROBED)]
    for R, p in alignment.elsewhere(fit, few):
        before = alignment.R, alignment.p
        alignment.R, alignment.p = R, p
        if alignment.look():
            alignment.approach(few, 0.03, 6)
            if alignment.look():
                there = alignment.refine(some, (*APPROACHING, CLOSE))
                if _unexplained(alignment, there, some) < _unexplained(alignment, fit, some):
                    fit = there
                    continue
        alignment.R, alignment.p = before
        alignment.look()
    return fit


def _refused(pose: Pose, reason: str, time: float) -> Registration:
    return Registration(pose, np.diag(np.full(6, np.inf)), Quality(np.nan, 0.0, 0, False, reason), time)


def unusable(scan: Scan) -> str:
    """Why a scan cannot be registered at all; empty if it can."""
    if len(scan) == 0:
        return "the scan has no point: nothing was hit"
    bad, farthest, nearest = extent(np.ascontiguousarray(scan.points))
    if bad:
        return f"{bad} of {len(scan)} points are not finite"
    if farthest > FARTHEST:
        return f"some points are farther away than {FARTHEST:g} m"
    if nearest < 1e-6:
        return "some points are at the camera's origin, where no ray leads"
    if len(scan) < FEWEST:
        return f"the scan has {len(scan)} points; at least {FEWEST} are needed"
    return ""


def _agreement(fit: Fit, near: int) -> tuple[float, float]:
    """Rms of the residuals on the model, and their share of the points `near` the target."""
    on, squares = lying(fit.residuals, fit.off)
    if len(on) < FEWEST:
        return np.inf, 0.0
    return float(np.sqrt(squares / len(on))), len(on) / max(near, len(on))


def _doubt(rms: float, overlap: float, together: float, covariance: np.ndarray) -> str:
    """Why a result is not to be believed; empty if it is."""
    if overlap < OVERLAP:
        return f"only {100 * overlap:.0f} % of the points lie on the model (at least {100 * OVERLAP:.0f} % must)"
    if together > PART:
        return f"{100 * together:.0f} % of the points lie together beside the model (at most {100 * PART:.0f} % may)"
    if rms > NOISIEST:
        return f"residuals are {rms:.1f} times the noise that the scan declares (limit {NOISIEST:g})"
    if not np.isfinite(covariance).all():
        return "the search left the range of numbers"
    angle, distance = (float(np.sqrt(np.linalg.eigvalsh(covariance[k : k + 3, k : k + 3])[-1])) for k in (0, 3))
    if angle > VAGUEST[0] or distance > VAGUEST[1]:
        return f"{VAGUE} by {np.degrees(angle):.1f} deg and {1e3 * distance:.0f} mm"
    return ""
