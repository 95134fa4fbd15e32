"""Seeing the target: a laser camera, its scans, and the pose that they tell."""

from softdock.sensing.acquisition import Hypothesis, acquire
from softdock.sensing.alignment import Larger
from softdock.sensing.camera import LaserCamera, Noise, Pattern, lissajous, raster
from softdock.sensing.delay import DelayLine, Message
from softdock.sensing.files import read_scan, read_scans, write_scan
from softdock.sensing.hypothesis_tracker import HypothesisTracker
from softdock.sensing.mesh import MeshError
from softdock.sensing.registration import UNKNOWN, Quality, Registration, register
from softdock.sensing.scan import Rates, Scan, ScanError, deskew
from softdock.sensing.surface import Surface
from softdock.sensing.target import HANDLE, satellite
from softdock.sensing.wrench import WrenchReading, WrenchSensor

__all__ = [
    "HANDLE",
    "UNKNOWN",
    "DelayLine",
    "Hypothesis",
    "HypothesisTracker",
    "Larger",
    "LaserCamera",
    "MeshError",
    "Message",
    "Noise",
    "Pattern",
    "Quality",
    "Rates",
    "Registration",
    "Scan",
    "ScanError",
    "Surface",
    "WrenchReading",
    "WrenchSensor",
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
