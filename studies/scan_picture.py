"""The picture of docs/sensing.md: a scan as the camera sees it, and on the model before and after registration.

python studies/scan_picture.py docs/pictures/scan-on-model.png
"""

import argparse

import numpy as np
import trimesh
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure
from scipy.spatial.transform import Rotation

from softdock.figures.look import COLORS, INK
from softdock.sensing import LaserCamera, Noise, Scan, Surface, raster, register, satellite
from softdock.world import Pose

TURN = Rotation.from_euler("yx", [-0.75, 0.3])
"""The onlooker of the two panels on the right stands beside the camera."""


def outline(ax: Axes, surface: Surface, pose: Pose) -> None:
    """Faces of the model that the onlooker sees, in small pieces, the farthest first."""
    vertices, faces = trimesh.remesh.subdivide_to_size(
        surface.triangles.reshape(-1, 3), np.arange(3 * len(surface.triangles)).reshape(-1, 3), 0.05
    )
    corners = TURN.apply(vertices @ pose.rotation.T + pose.position)[faces]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    order = [k for k in np.argsort(-corners[:, :, 2].mean(axis=1)) if normals[k, 2] < 0]
    shade = [str(0.66 + 0.26 * -normals[k, 2]) for k in order]
    ax.add_collection(PolyCollection(corners[order][:, :, :2], facecolors=shade, edgecolors=shade, linewidths=0.4))


def side(ax: Axes, surface: Surface, scan: Scan, pose: Pose, color: str) -> None:
    outline(ax, surface, pose)
    points = TURN.apply(scan.points)
    ax.scatter(points[:, 0], points[:, 1], s=1.5, color=color, linewidths=0)
    middle = (points.min(axis=0) + points.max(axis=0)) / 2
    ax.set_xlim(middle[0] - 1.0, middle[0] + 1.0)
    ax.set_ylim(middle[1] + 1.0, middle[1] - 1.0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file")
    surface = satellite()
    facing = Rotation.from_matrix(np.array([[0, 0.6, 0.8], [0, -0.8, 0.6], [1, 0, 0]]))  # handle towards the camera
    truth = Pose.of((Rotation.from_rotvec([0.45, 0.5, 0.0]) * facing).as_matrix(), np.array([0.0, 0.0, 3.0]))
    scan = LaserCamera(surface, raster(150, 150, (0.8, 0.8)), Noise(0.002)).scan(truth)
    off = Rotation.from_rotvec(np.radians(10) * np.array([0.6, -0.64, 0.48])).as_matrix()
    guess = Pose.of(truth.rotation @ off, np.add(truth.position, [0.06, -0.064, 0.048]))
    result = register(scan, surface, guess)
    figure = Figure(figsize=(13, 4.9), dpi=110, facecolor="white")
    axes = figure.subplots(1, 3)
    x, y, z = scan.points.T
    seen = axes[0].scatter(x / z, y / z, c=np.linalg.norm(scan.points, axis=1), s=3, cmap="viridis", linewidths=0)
    axes[0].set_xlim(-0.36, 0.36)
    axes[0].set_ylim(0.36, -0.36)
    figure.colorbar(seen, ax=axes[0], shrink=0.7, pad=0.02).set_label("range (m)", color=INK)
    side(axes[1], surface, scan, guess, COLORS[1])
    side(axes[2], surface, scan, result.pose, COLORS[0])
    titles = (
        f"What the camera measures: {len(scan)} ranges",
        "Seen from aside, model at the guess (10°, 10 cm off)",
        f"Model as registered: {100 * result.quality.overlap:.1f} % of the points on it",
    )
    for ax in axes:
        ax.set_aspect("equal")
        ax.axis("off")
    figure.subplots_adjust(left=0.01, right=0.99, top=0.9, bottom=0.01, wspace=0.04)
    for left, title in zip((0.02, 0.36, 0.69), titles, strict=True):
        figure.text(left, 0.94, title, fontsize=11, color=INK)
    figure.savefig(parser.parse_args().file)


if __name__ == "__main__":
    main()
