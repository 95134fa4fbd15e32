"""Seeing the target: a laser camera, its scans, and the pose that they tell."""

from softdock.sensing.camera import LaserCamera, Noise, Pattern, lissajous, raster
from softdock.sensing.mesh import MeshError
from softdock.sensing.registration import Quality, Registration, register
from softdock.sensing.scan import Rates, Scan, ScanError, deskew
from softdock.sensing.surface import Surface
from softdock.sensing.target import HANDLE, satellite

__all__ = [
    "HANDLE",
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
    "deskew",
    "lissajous",
    "raster",
    "register",
    "satellite",
]
