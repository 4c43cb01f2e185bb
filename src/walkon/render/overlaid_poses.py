"""Many bodies in one place: the poses of several clips at the same moments of their motion."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array, Picture
from walkon.motion import Clip, ground_placements
from walkon.render.look import SUN_TO_THE_LEFT, Look
from walkon.render.outfits import SHIRTS
from walkon.render.pose_series import PoseSeries
from walkon.render.strips import STRIP_DISTANCE, StripLayout, draw_strip, lay_out_strip
from walkon.rotations import rotate, rotation_about_y
from walkon.skeleton import build_body
from walkon.variation.poses import own_positions
from walkon.variation.warping import rows_along, warp

POSE_HEADING = math.radians(60.0)
"""Heading of the bodies [rad]: towards the right, and a little to the viewer."""

SLENDER = 0.42
"""Thickness of the bodies against their own: one sees who is behind."""

LOOSE_ENDS = 0.5
"""Seconds that may be left out at the ends where clips are warped to each other."""

COLOURS = tuple(SHIRTS[k] for k in (0, 1, 2, 3, 4, 5, 6, 8, 9, 11))
"""One for each clip, in turn."""


def moments_of(reference: Clip, clips: Sequence[Clip], poses: int) -> tuple[Array, NDArray[np.int64]]:
    """Times (P,) [s] evenly spread over the reference, and the frames (C, P) of clips that belong to them.

    Where clips begin later or end earlier, only over what all of them show, if that is half of the reference or
    more.
    """
    flat, paths = _flat(reference), []
    for clip in clips:
        paths.append(warp(flat, _flat(clip)[: 2 * len(reference)], loose=round(LOOSE_ENDS * clip.fps)))
    first, last = max(path[0, 0] for path in paths), min(path[-1, 0] for path in paths)
    if last - first < 0.5 * len(reference):
        first, last = 0, len(reference) - 1
    frames = np.unique(np.linspace(first, last, poses).round().astype(np.int64))
    rows = [rows_along(path, len(reference))[frames].round().astype(np.int64) for path in paths]
    return frames / reference.fps, np.array(rows)


def overlay_series(clips: Sequence[Clip], times: Array, frames: NDArray[np.int64]) -> PoseSeries:
    """The poses of all clips at frames (C, P) in one place for each moment (P,) [s], facing one way."""
    body = build_body(clips[0].skeleton)
    starts, ends, colours = [], [], []
    for number, clip in enumerate(clips):
        shown = np.stack([_placed(clip, int(frame)) for frame in frames[number]])
        starts.append(shown[:, body.starts])
        ends.append(shown[:, body.ends])
        colours.append(np.tile(COLOURS[number % len(COLOURS)], (len(body), 1)))
    radii = np.tile(SLENDER * body.radii, len(clips))
    return PoseSeries(
        times, np.concatenate(starts, axis=1), np.concatenate(ends, axis=1), radii, np.concatenate(colours)
    )


def draw_overlays(series: Sequence[PoseSeries], width: int) -> list[Picture]:
    """A strip (H, W, 3) for every series, all at one scale."""
    layouts = [lay_out_strip(one, width, 0.0, captions=True) for one in series]
    panel, tall = (max(getattr(layout, name) for layout in layouts) for name in ("panel", "tall"))
    columns = max(layout.columns for layout in layouts)
    common = StripLayout(
        layouts[0].right, layouts[0].away, columns, panel, tall, width / (columns * panel), layouts[0].caption
    )
    plain = Look().ground
    look = replace(Look(), grid=plain, fog=STRIP_DISTANCE, sun_azimuth=common.camera().azimuth + SUN_TO_THE_LEFT)
    return [draw_strip(one, common, width, look) for one in series]


def _placed(clip: Clip, frame: int) -> Array:
    """Joints (J, 3) [m] of a frame, standing at the origin."""
    x, z, heading = ground_placements(clip)[frame]
    return rotate(rotation_about_y(POSE_HEADING - heading), clip.positions[frame] - np.array([x, 0.0, z]))


def _flat(clip: Clip) -> Array:
    return own_positions(clip).reshape(len(clip), -1)
