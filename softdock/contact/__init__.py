"""Proximity of convex shapes."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

import softdock.kernels  # noqa: F401  (decides where Numba keeps compiled loops)

if TYPE_CHECKING:
    from softdock.contact.broad import overlapping_pairs
    from softdock.contact.patches import patch
    from softdock.contact.program import by_program
    from softdock.contact.query import Pair, Proximity, proximities, proximity_of

_FROM = {
    **dict.fromkeys(("Pair", "Proximity", "proximities", "proximity_of"), "query"),
    "overlapping_pairs": "broad",
    "patch": "patches",
    "by_program": "program",
}

__all__ = ["Pair", "Proximity", "by_program", "overlapping_pairs", "patch", "proximities", "proximity_of"]

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """Load the compiler only when something is asked."""
        if name in _FROM:
            return getattr(import_module(f"softdock.contact.{_FROM[name]}"), name)
        raise AttributeError(f"module 'softdock.contact' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
