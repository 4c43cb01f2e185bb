"""The renderer: capsules in, pictures out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from walkon.basics import Picture
from walkon.errors import RenderError
from walkon.render._kernels_bodies import draw_capsules
from walkon.render._kernels_planes import clear_spans, darken, empty_spans, restore, unpack
from walkon.render._kernels_shadows import shade_ground
from walkon.render.camera import Camera
from walkon.render.cast import Cast
from walkon.render.look import Look
from walkon.render.moving_solids import draw_solids, shade_solids
from walkon.render.setting import Setting, level_setting
from walkon.render.solids import Solid
from walkon.render.stage import PaintedStage
from walkon.render.triangles import TrianglePainter

MAX_SIDE = 16384
"""Pixels of a picture's longer side at most."""

FARTHEST_DRAWN = 1e6
"""Distance [m] from the origin beyond which capsules are refused: their depths would be too coarse."""


def check_size(width: int, height: int) -> None:
    """Refuse sizes [px] no picture can have."""
    if not (2 <= width <= MAX_SIDE and 2 <= height <= MAX_SIDE):
        raise RenderError(f"a picture has 2 to {MAX_SIDE} pixels a side, not {width}x{height}")


class Renderer:
    """Draws capsule people on a stage. The stage is painted once for a camera; a frame only adds the people.

    width, height: of the picture [px]. camera: may be replaced between frames, which repaints the stage.
    look: colours and light; the default puts the sun over the first camera's left shoulder.
    setting: ground, obstacles that stand or move, and lines on the ground; level and empty ground if not given.
    stage: of another renderer with the same size and camera, painted already; neither may then have another
    camera.
    """

    def __init__(
        self,
        width: int,
        height: int,
        camera: Camera,
        *,
        look: Look | None = None,
        setting: Setting | None = None,
        stage: PaintedStage | None = None,
    ) -> None:
        check_size(width, height)
        self.width, self.height = int(width), int(height)
        self.look = Look().lit_for(camera) if look is None else look
        setting = level_setting() if setting is None else setting
        self._stage = PaintedStage(self.width, self.height, self.look, setting) if stage is None else stage
        self._movers = self._stage.setting.movers
        self._painter = TrianglePainter(self._stage.size)
        self._scratch = np.zeros_like(self._stage.receive)
        self._colour = np.zeros_like(self._stage.shaded)
        self._depth = np.zeros_like(self._stage.depth)
        self._sun_plane = np.zeros_like(self._stage.sun_plane)
        self._contact_plane = np.zeros_like(self._stage.contact_plane)
        self._spans = empty_spans(self.height, self.width)
        self._order = np.empty(0, dtype=np.int64)
        self._sunlight = np.empty(0)
        self.pixels_evaluated = 0
        self._see(camera, painted=stage is not None)

    @property
    def stage(self) -> PaintedStage:
        """What stands still."""
        return self._stage

    @property
    def camera(self) -> Camera:
        """The camera; setting another one repaints the stage."""
        return self._camera

    @camera.setter
    def camera(self, camera: Camera) -> None:
        self._see(camera, painted=False)

    def _see(self, camera: Camera, *, painted: bool) -> None:
        self._camera = camera
        self._lens = camera.lens(self.width, self.height)
        self._lighting = self.look.lighting(camera)
        self._air = self.look.air(camera)
        if not painted:
            self._stage.paint(camera)
        for plane, original in self._planes():
            np.copyto(plane, original)

    def draw(
        self,
        starts: ArrayLike,
        ends: ArrayLike,
        radii: ArrayLike,
        colours: ArrayLike,
        *,
        time: float = 0.0,
        out: Picture | None = None,
    ) -> Picture:
        """A picture (H, W, 3) uint8 of N capsules.

        starts, ends: (N, 3) centres of both ends [m]; radii: (N,) [m]; colours: (N, 3) 0..255.
        time [s]: when, for obstacles that move. out: a picture to draw into instead of a new one.
        """
        starts, ends = np.ascontiguousarray(starts, np.float64), np.ascontiguousarray(ends, np.float64)
        radii, colours = np.ascontiguousarray(radii, np.float64), np.ascontiguousarray(colours, np.float64)
        self._check(starts, ends, radii, colours)
        frame = time * self._stage.setting.fps
        if self._movers.poles:
            begins, tips = self._movers.capsules(frame)
            starts, ends = np.concatenate([starts, begins]), np.concatenate([ends, tips])
            radii = np.concatenate([radii, self._movers.radii])
            colours = np.concatenate([colours, self._movers.colours])
        solids = [mover.at(frame) for mover in self._movers.solids]
        if out is None:
            out = np.empty((self.height, self.width, 3), dtype=np.uint8)
        elif out.shape != (self.height, self.width, 3) or out.dtype != np.uint8:
            raise RenderError(f"out is {out.dtype} {out.shape}, expected uint8 {(self.height, self.width, 3)}")
        if len(self._order) < len(radii):
            self._order = np.empty(len(radii), dtype=np.int64)
            self._sunlight = np.empty(len(radii))
        self._draw_shadows(starts, ends, radii, solids)
        if solids:
            planes = self._colour, self._depth, self._scratch
            draw_solids(self._painter, solids, self._stage, self._camera, planes, self._spans)
        self._draw_bodies(starts, ends, radii, colours)
        self._develop(out)
        self._strike()
        return out

    def draw_cast(self, cast: Cast, time: float, *, out: Picture | None = None) -> Picture:
        """A picture (H, W, 3) uint8 of everybody at `time` [s]."""
        cast.pose(time)
        return self.draw(cast.starts, cast.ends, cast.radii, cast.colours, time=time, out=out)

    def _develop(self, out: Picture) -> None:
        """Copy the packed pixels to RGB, eight at a time where the picture's rows allow it."""
        if self.width % 8 == 0 and out.flags.c_contiguous:
            unpack(self._colour.view("<u8"), self._stage.size, out.reshape(self.height, -1).view("<u8"))
        else:
            pixels = self._colour.view(np.uint8).reshape(self.height, -1, 4)
            np.copyto(out, pixels[:, : self.width, :3])

    def _strike(self) -> None:
        """Give the stage back as it was, where the frame touched it."""
        for plane, original in self._planes():
            restore(plane, original, self._spans, self._stage.size)
        clear_spans(self._spans, self.width)

    def _planes(self) -> list[tuple[NDArray, NDArray]]:
        """What a frame draws on, each with the same plane of the empty stage."""
        stage = self._stage
        return [
            (self._colour, stage.shaded),
            (self._depth, stage.depth),
            (self._sun_plane, stage.sun_plane),
            (self._contact_plane, stage.contact_plane),
        ]

    def _check(self, starts: NDArray, ends: NDArray, radii: NDArray, colours: NDArray) -> None:
        count = len(radii)
        if not (radii.shape == (count,) and starts.shape == ends.shape == colours.shape == (count, 3)):
            raise RenderError(
                f"starts {starts.shape}, ends {ends.shape}, radii {radii.shape} and colours {colours.shape} "
                f"do not describe the same capsules"
            )
        if count == 0:
            return
        # Negated comparisons, so that NaN fails them too.
        if not (max(np.abs(starts).max(), np.abs(ends).max()) <= FARTHEST_DRAWN):
            raise RenderError(f"capsule ends must be finite and within {FARTHEST_DRAWN:g} m of the origin")
        if not (radii.min() > 0.0 and radii.max() <= FARTHEST_DRAWN):
            raise RenderError("capsule radii must be positive")
        if not (colours.min() >= 0.0 and colours.max() <= 255.0):
            raise RenderError("colours lie between 0 and 255")

    def _draw_shadows(self, starts: NDArray, ends: NDArray, radii: NDArray, solids: Sequence[Solid]) -> None:
        stage, look, size = self._stage, self.look, self._stage.size
        planes = self._sun_plane, self._contact_plane
        if stage.relief is not None:
            stage.relief.shade(planes, stage.ground, self._spans, size, self._lens, (starts, ends, radii))
        else:
            canvas = self._spans, size, self._lens, stage.rows
            shade_ground(planes, canvas, look.sun, look.softness, (starts, ends, radii))
        if solids:
            shade_solids(planes, solids, stage, self._lens, self._spans)
        darken(self._colour, stage.lit, stage.receive, *planes, self._spans, size, look.darkness())

    def _draw_bodies(self, starts: NDArray, ends: NDArray, radii: NDArray, colours: NDArray) -> None:
        order, sunlight = self._order[: len(radii)], self._sunlight[: len(radii)]
        self._stage.sunlight(starts, ends, sunlight)
        canvas = self._colour, self._depth, self._spans, self._stage.size
        capsules, light = (starts, ends, radii, colours, sunlight), (self._lighting, self._air)
        self.pixels_evaluated = draw_capsules(canvas, self._lens, capsules, light, order)
