"""Contact sheets: many poses of a clip in one picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from walkon.basics import Picture
from walkon.errors import RenderError
from walkon.motion import Clip
from walkon.render.framing import side_azimuth
from walkon.render.look import Look
from walkon.render.overlays import ELEVATION, draw_overlay
from walkon.render.pose_series import pose_series
from walkon.render.renderer import MAX_SIDE
from walkon.render.scenery import GroundPath
from walkon.render.strips import draw_strip, lay_out_strip
from walkon.world.tints import Colour

Mode = Literal["strip", "overlay"]

MOST_POSES, LEAST_WIDTH = 200, 64
"""Poses of a sheet at most, and its width [px] at least."""


def contact_sheet(
    clip: Clip,
    poses: int = 12,
    *,
    mode: Mode = "strip",
    width: int = 1600,
    azimuth: float | None = None,
    look: Look | None = None,
    colour: Colour | None = None,
    captions: bool = True,
    elevation: float = ELEVATION,
    paths: Sequence[GroundPath] = (),
) -> Picture:
    """One picture (H, W, 3) uint8 of at most `poses` moments of a clip, evenly spread in time.

    mode: "strip" sets the poses side by side, all at one scale and on one ground line, with the time below each;
    "overlay" leaves them where they happened, lets the earlier ones fade, and leaves out what would hide another.
    width [px]; the height follows.
    azimuth [rad]: where the camera stands; by default such that the motion goes from left to right.
    elevation [rad], paths: how steeply an overlay is looked down at, and lines on its ground.
    """
    if not 1 <= poses <= MOST_POSES:
        raise RenderError(f"a contact sheet has 1 to {MOST_POSES} poses, not {poses}")
    if not LEAST_WIDTH <= width <= MAX_SIDE:
        raise RenderError(f"a contact sheet is {LEAST_WIDTH} to {MAX_SIDE} pixels wide, not {width}")
    series = pose_series(clip, poses, colour)
    azimuth = side_azimuth(clip) if azimuth is None else azimuth
    if mode == "overlay":
        track = clip.root_positions[:, [0, 2]]
        return draw_overlay(series, track, width, azimuth, look, elevation=elevation, paths=paths)
    if mode == "strip":
        return draw_strip(series, lay_out_strip(series, width, azimuth, captions=captions), width, look)
    raise RenderError(f"no contact sheet of mode {mode!r}; there are: strip, overlay")
