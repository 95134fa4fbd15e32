"""Seeing the target: a laser camera, its scans, and the pose that they tell."""

from softdock.sensing.acquisition import Hypothesis, acquire
from softdock.sensing.camera import LaserCamera, Noise, Pattern, lissajous, raster
from softdock.sensing.files import read_scan, read_scans, write_scan
from softdock.sensing.hypothesis_tracker import HypothesisTracker
from softdock.sensing.mesh import MeshError
from softdock.sensing.registration import UNKNOWN, Quality, Registration, register
from softdock.sensing.scan import Rates, Scan, ScanError, deskew
from softdock.sensing.surface import Surface
from softdock.sensing.target import HANDLE, satellite

__all__ = [
    "HANDLE",
    "UNKNOWN",
    "Hypothesis",
    "HypothesisTracker",
    "LaserCamera",
    "MeshError",
    "Noise",
    "Pattern",
    "Quality",
    "Rates",
    "Registration",
    "Scan",
    "ScanError",
    "Surface",
    "acquire",
    "deskew",
    "lissajous",
    "raster",
    "read_scan",
    "read_scans",
    "register",
    "satellite",
    "write_scan",
]


def __dir__() -> list[str]:
    return __all__
