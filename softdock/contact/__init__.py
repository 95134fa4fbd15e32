"""Proximity of convex shapes."""

from importlib import import_module
from typing import Any

import softdock.kernels  # noqa: F401  (decides where Numba keeps compiled loops)

_FROM = {
    **dict.fromkeys(("Pair", "Proximity", "proximities", "proximity_of"), "query"),
    "overlapping_pairs": "broad",
    "patch": "patches",
    "by_program": "program",
}

__all__ = [*_FROM]  # noqa: PLE0604


def __getattr__(name: str) -> Any:
    """Load the compiler only when something is asked."""
    if name in _FROM:
        return getattr(import_module(f"softdock.contact.{_FROM[name]}"), name)
    raise AttributeError(f"module 'softdock.contact' has no attribute {name!r}")
