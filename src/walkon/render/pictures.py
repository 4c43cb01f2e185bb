"""Still pictures of clips."""

from __future__ import annotations

from collections.abc import Sequence

from walkon.basics import Picture
from walkon.render.camera import Camera
from walkon.render.cast import Cast, Clips
from walkon.render.framing import frame_clips
from walkon.render.look import Look
from walkon.render.renderer import Renderer, check_size
from walkon.render.scenery import GroundPath, Obstacle
from walkon.world.tints import Colour

STILL_MARGIN = 0.22
"""Free share of a still around its subject: room for the shadow."""


def render_frame(
    clips: Clips,
    *,
    time: float = 0.0,
    width: int = 1280,
    height: int = 720,
    camera: Camera | None = None,
    look: Look | None = None,
    obstacles: Sequence[Obstacle] = (),
    paths: Sequence[GroundPath] = (),
    colours: Sequence[Colour] | None = None,
) -> Picture:
    """A picture (H, W, 3) uint8 of one clip or several, one character each, at `time` [s].

    camera: by default one that sees everybody at that moment.
    colours: one for each character, instead of the wardrobe's.
    """
    check_size(width, height)
    cast = Cast(clips, colours=colours)
    if camera is None:
        camera = frame_clips(clips, time=time, aspect=width / height, margin=STILL_MARGIN)
    renderer = Renderer(width, height, camera, look=look, obstacles=obstacles, paths=paths)
    return renderer.draw_cast(cast, time)
