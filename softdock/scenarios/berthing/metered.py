"""What a reach costs."""

from typing import Any

import numpy as np


class Metered:
    """A controller, and ∫ Σ u² dt (N² m² s) of what it commanded until `until` (s)."""

    def __init__(self, controller: Any, reference: Any, until: float) -> None:
        self.controller, self.reference, self.period = controller, reference, controller.period
        self.effort, self._until = 0.0, until

    def __call__(self, t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        command = np.asarray(self.controller(t, q, v))
        if t < self._until - 1e-9:
            self.effort += self.period * float(command @ command)
        return command
