"""Pictures of a run where there is no browser: outlines of bodies with a little light, from aside or from above."""

import io
from pathlib import Path
from typing import Any

import numpy as np

from softdock.replay import scene
from softdock.replay.picture import ABOVE, ASIDE, framing, outlines_at, spots_at
from softdock.replay.poses import Poses, dynamics_of, poses_of
from softdock.runs.recording import read_run
from softdock.world import WORLD, World

VIEWS = {"whole": ASIDE, "top": ABOVE}
MOST_ROWS = 6000
LOOKS, FAR = 24, 3.0
"""Times at which all is to be seen; if it is so many times as large at one as at another, the view goes along."""
FINER = 2
"""Times as fine as asked for is drawn, for smooth edges."""
SPACE, EDGE, WORDS = "#05080f", "#161c26", "#eef3fa"


class Plain:
    """A recorded run, ready to be drawn."""

    def __init__(self, page: Path, view: str, size: tuple[int, int]) -> None:
        if page.name != "replay.html" or view not in VIEWS:
            known = ", ".join(VIEWS)
            only = f"without one, {known} of a single run are drawn"
            raise ValueError(f"--view {view} of {page.name} needs Chromium; {only}")
        self._run, self._size, self._axes = read_run(page.parent), size, VIEWS[view]
        dynamics = dynamics_of(self._run)
        self._world, self._poses = dynamics.world, _followed(poses_of(self._run, dynamics, MOST_ROWS), dynamics.world)
        self.start, self.end = float(self._poses.t[0]), float(self._poses.t[-1])
        rows = np.unique(np.linspace(0, len(self._poses.t) - 1, LOOKS).astype(int)).tolist()
        looks = [(self._spots(row), outlines_at(self._world, self._poses, row, self._axes)) for row in rows]
        frames = [framing(*look, size) for look in looks]
        scales = [scale for _, scale in frames]
        if max(scales) < FAR * min(scales):  # all of the run is seen at once
            every = np.concatenate([spots for spots, _ in looks])
            frames = [framing(every, [one for _, seen in looks for one in seen], size)] * len(rows)
        self._times, self._frames = self._poses.t[rows], frames
        engaged = [latch.name for latch in self._world.latches if latch.engaged]
        self._phases = scene.phases(self._run.events, self.end, engaged, self._run.metrics.get("phases"))

    def picture(self, time: float, quality: float | None = None) -> bytes:
        """The picture at a time (s): JPEG of a quality from 0 to 1, or PNG."""
        from PIL import Image, ImageDraw

        width, height = self._size
        image = Image.new("RGB", (FINER * width, FINER * height), SPACE)
        row = int(np.abs(self._poses.t - time).argmin())
        middle, scale = self._frame(time)
        half = np.array(self._size) / 2
        pen = ImageDraw.Draw(image)
        for one in outlines_at(self._world, self._poses, row, self._axes):
            corners = FINER * ((one.points - middle) * scale * (1, -1) + half)
            if len(corners) > 2:
                pen.polygon([(float(x), float(y)) for x, y in corners], fill=one.color, outline=EDGE)
        image = image.resize(self._size, Image.Resampling.LANCZOS)
        self._write(ImageDraw.Draw(image), time, scale)
        made = io.BytesIO()
        if quality is None:
            image.save(made, "PNG")
        else:
            image.save(made, "JPEG", quality=round(100 * quality))
        return made.getvalue()

    def _spots(self, row: int) -> np.ndarray:
        return np.asarray(spots_at(self._world, self._poses, row) @ self._axes[:, :2])

    def _frame(self, time: float) -> tuple[np.ndarray, float]:
        """Middle (m) and pixels a metre at a time."""
        x, y = (np.interp(time, self._times, [middle[k] for middle, _ in self._frames]) for k in (0, 1))
        scale = np.exp(np.interp(time, self._times, np.log([scale for _, scale in self._frames])))
        return np.array([x, y]), float(scale)

    def _write(self, pen: Any, time: float, scale: float) -> None:
        """Name, time, phase and a scale bar."""
        from PIL import ImageFont

        width, height = self._size
        font = ImageFont.load_default(max(10, height // 40))
        phase = next((str(p["name"]) for p in reversed(self._phases) if p["start"] <= time + 1e-9), "")
        pen.text((0.02 * width, 0.02 * height), str(self._run.scenario.get("scenario", "")), WORDS, font)
        pen.text((0.02 * width, 0.95 * height), f"t = {time:.1f} s   {phase}", WORDS, font, anchor="lm")
        power = 10.0 ** np.floor(np.log10(0.16 * width / scale))
        metres = next(k * power for k in (5, 2, 1) if k * power * scale <= 0.16 * width)
        left = 0.98 * width - metres * scale
        pen.line([(left, 0.97 * height), (0.98 * width, 0.97 * height)], WORDS, 2)
        pen.text((0.98 * width, 0.95 * height), f"{metres:g} m", WORDS, font, anchor="rm")


def _followed(poses: Poses, world: World) -> Poses:
    """As seen by who goes along with the first body that moves by itself, without turning."""
    free = [body.name for body in world.bodies if body.parent == WORLD and body.joint.kind != "fixed"]
    way = poses.position[free[0] if free else world.bodies[0].name]
    return Poses(poses.t, {name: p - way for name, p in poses.position.items()}, poses.quaternion)
