"""`softdock doctor`: what is installed, where caches are, which extras work."""

import os
import platform
import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

EXTRAS = {
    "gym": ("gymnasium", "environments"),
    "meshes": ("coacd", "concave meshes in parts"),
    "search": ("cmaes", "campaigns that search"),
    "ray": ("ray", "campaigns on a cluster"),
    "mcap": ("mcap", "export to Foxglove"),
    "ros2": ("mcap_ros2", "export to ROS 2"),
    "rerun": ("rerun", "export to Rerun"),
    "fmu": ("pythonfmu3", "export as FMU"),
    "video": ("imageio_ffmpeg", "videos"),
    "bench": ("mujoco", "comparison with MuJoCo"),
}
NEEDED = ("numpy", "scipy", "casadi", "numba", "llvmlite", "pyarrow", "pydantic", "matplotlib", "trimesh")


def findings() -> Iterator[tuple[str, str, bool]]:
    """What, how it is, and is it well?"""
    yield "softdock", f"{version('softdock')}, {Path(__file__).parents[1]}", True
    yield "Python", f"{platform.python_version()}, {sys.executable}", sys.version_info >= (3, 11)
    yield "machine", f"{platform.machine()}, {os.cpu_count()} cores, {platform.system()} {platform.release()}", True
    for name in NEEDED:
        yield name, *_imported(name, name)
    yield from _cache()
    yield from _tools()
    for extra, (module, use) in EXTRAS.items():
        said, well = _imported(module, module)
        yield f"[{extra}]", said if well else f"not installed: {use} (pip install 'softdock[{extra}]')", True


def _imported(module: str, name: str) -> tuple[str, bool]:
    """Version of a package that can be imported, or why it cannot."""
    try:
        import_module(module)
    except Exception as error:  # whatever a broken package does
        return f"cannot be imported: {type(error).__name__}: {str(error)[:120]}", False
    try:
        return version(name.replace("_", "-")), True
    except PackageNotFoundError:
        return "works", True


def _cache() -> Iterator[tuple[str, str, bool]]:
    from softdock.kernels import cache

    place = cache.directory()
    from softdock.cli.warmup import check

    try:
        yield "loops that softdock brings", check(), True
    except ValueError as error:
        yield "loops that softdock brings", str(error), True
    if not place.exists():
        yield "cache", f"{place}: empty", True
        return
    files = [file for file in place.rglob("*") if file.is_file()]
    size = sum(file.stat().st_size for file in files) / 1e6
    kernels = sum(file.suffix == ".o" for file in files)
    loops = sum(file.suffix == ".loop" for file in files)
    yield "cache", f"{place}: {size:.0f} MB, {kernels} kernels of worlds", os.access(place, os.W_OK)
    yield "compiled loops", f"{loops} stored", True


def _tools() -> Iterator[tuple[str, str, bool]]:
    from softdock.replay import browser, film

    yield "Chromium", browser.found() or "not found: no videos or pictures (SOFTDOCK_BROWSER)", True
    try:
        yield "ffmpeg", film.encoder(), True
    except ValueError as error:
        yield "ffmpeg", str(error), True
