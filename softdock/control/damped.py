"""A pseudo-inverse that stays bounded where a matrix loses rank."""

from contextlib import suppress

import numpy as np


def inverse(A: np.ndarray, threshold: float = 0.0) -> np.ndarray:
    """A⁺ (n, m) with singular values σ inverted as σ/(σ² + λ²), λ² = threshold² (1 − (σ_least/threshold)²).

    λ is zero where every σ is above the threshold (Nakamura & Hanafusa 1986, with a continuous λ); with a
    threshold of zero this is the plain pseudo-inverse, without the singular values lost in rounding.
    """
    if A.shape[0] == A.shape[1] and threshold > 0.0:  # most are far from losing rank: a plain inverse is enough
        with suppress(np.linalg.LinAlgError):
            plain = np.linalg.inv(A)
            if threshold * np.sqrt(np.vdot(plain, plain)) < 1.0:  # 1/σ_least is at most Frobenius' norm of the inverse
                return plain
    U, sigma, Vt = np.linalg.svd(A, full_matrices=False)
    least = sigma[-1]
    damping = threshold**2 - least**2 if least < threshold else 0.0
    if damping == 0.0:
        kept = sigma > 1e-12 * sigma[0]
        inverted = np.where(kept, 1.0 / np.where(kept, sigma, 1.0), 0.0)
    else:
        inverted = sigma / (sigma**2 + damping)
    return np.asarray((Vt.T * inverted) @ U.T)
