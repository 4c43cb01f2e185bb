"""Still pictures of clips."""

from __future__ import annotations

from collections.abc import Sequence

from walkon.basics import Picture
from walkon.render.camera import Camera
from walkon.render.cast import Cast, Clips
from walkon.render.framing import frame_clips
from walkon.render.look import Look
from walkon.render.renderer import Renderer, check_size
from walkon.render.setting import Setting
from walkon.world.tints import Colour

STILL_MARGIN = 0.22
"""Free share of a still around its subject: room for the shadow."""


def render_frame(
    clips: Clips,
    *,
    time: float = 0.0,
    size: tuple[int, int] = (1280, 720),
    camera: Camera | None = None,
    look: Look | None = None,
    setting: Setting | None = None,
    colours: Sequence[Colour] | None = None,
) -> Picture:
    """A picture (H, W, 3) uint8 of one clip or several, one character each, at `time` [s].

    size: width and height [px]. camera: by default one that sees everybody at that moment.
    setting: what surrounds them, such as `level_setting` makes.
    colours: one for each character, instead of the wardrobe's.
    """
    check_size(*size)
    cast = Cast(clips, colours=colours)
    if camera is None:
        camera = frame_clips(clips, time=time, aspect=size[0] / size[1], margin=STILL_MARGIN)
    renderer = Renderer(*size, camera, look=look, setting=setting)
    return renderer.draw_cast(cast, time)
