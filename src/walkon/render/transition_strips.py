"""Transitions as somebody sees them: before, during and after the blend, the shirt changing with the recording."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array
from walkon.errors import RenderError
from walkon.motion import Clip, ground_placements, place
from walkon.render.camera import Camera
from walkon.render.captions import Caption, write_captions
from walkon.render.cast import Cast
from walkon.render.films import Picture, Progress, check_film, write_frames
from walkon.render.framing import ELEVATION, FOV
from walkon.render.look import SUN_TO_THE_LEFT, Look
from walkon.render.outfits import SHIRTS, dress
from walkon.render.palette import ALARM, INK
from walkon.render.pose_series import PoseSeries
from walkon.render.renderer import MAX_SIDE, Renderer
from walkon.render.scenery import GroundPath
from walkon.render.setting import level_setting
from walkon.render.strips import STRIP_DISTANCE, StripLayout, lay_out_strip
from walkon.rotations import Placement

SOURCE, TARGET = SHIRTS[0], SHIRTS[1]
"""Shirts of who is still in the recording that is left, and of who is in the one that is entered."""

POSES = 11
STRIP_HEADER = 40
"""[px] above every strip, for what it shows."""

PAPER = (243, 244, 245)


@dataclass(frozen=True, eq=False)
class ShownTransition:
    """A transition to look at.

    clip: from before the blend to after it. shares: (F,) of the source in every frame: 1 before, 0 after.
    heading: what is written above it. facts: what was measured. verdict: what somebody has said about it.
    """

    clip: Clip
    shares: Array
    heading: str
    facts: str = ""
    verdict: str = ""


def draw_transitions(shown: Sequence[ShownTransition], *, poses: int = POSES, width: int = 1600) -> Picture:
    """One picture (H, W, 3) uint8: a strip for every transition, all at one scale, from left to right."""
    if not shown:
        raise RenderError("there is no transition to draw")
    series = [_series(one, poses) for one in shown]
    layout = _layout(series, width)
    camera = layout.camera()
    look = replace(Look(), fog=STRIP_DISTANCE, sun_azimuth=camera.azimuth + SUN_TO_THE_LEFT)
    height = (layout.row_height + STRIP_HEADER) * len(shown)
    if height > MAX_SIDE:
        raise RenderError(f"{len(shown)} transitions make a picture of {height} pixels; {MAX_SIDE} is the most")
    edge = 0.5 * layout.columns * layout.panel * layout.right[[0, 2]]
    line = GroundPath([-edge, edge], width=0.006 * layout.tall, opacity=0.3)
    renderer = Renderer(width, layout.row_height, camera, look=look, setting=level_setting(paths=[line]))
    strips = []
    for one, own in zip(shown, series, strict=True):
        strips += [_header(one, width), _strip(renderer, layout, own, one)]
    return np.concatenate(strips)


def film_transitions(
    path: Path | str,
    shown: Sequence[ShownTransition],
    *,
    size: tuple[int, int] = (960, 540),
    fps: float = 30.0,
    progress: Progress | None = None,
) -> int:
    """Film transitions one after another, each from the side, its heading above; returns the number of frames."""
    path, (width, height) = Path(path), size
    if not shown:
        raise RenderError("there is no transition to film")
    check_film(path, width, height, fps, None)
    scenes = [_Scene(one, width, height) for one in shown]
    counts = [math.floor(scene.clip.duration * fps + 1e-6) + 1 for scene in scenes]
    ends = np.cumsum(counts)

    def frame(k: int) -> Picture:
        number = int(np.searchsorted(ends, k, side="right"))
        return scenes[number].draw((k - (ends[number] - counts[number])) / fps)

    write_frames(path, [frame], int(ends[-1]), fps, progress)
    return int(ends[-1])


def _turned(clip: Clip) -> Clip:
    """The clip turned so that it goes along +x, the way from its first frame to its last."""
    begin, end = ground_placements(clip)[[0, -1]]
    way = end[:2] - begin[:2]
    # Who stays in place is seen from where they look at first.
    heading = math.atan2(way[0], way[1]) if np.hypot(*way) > 0.25 else float(begin[2])
    return place(
        clip, Placement(0.0, 0.0, 0.5 * math.pi) @ Placement(float(begin[0]), float(begin[1]), heading).inverse()
    )


def _shirts(shown: ShownTransition, cast: Cast, frames: NDArray[np.int64]) -> Array:
    """Colours (P, C, 3) of the body at some frames: from the source's shirt to the target's."""
    before, after = (dress(cast.bodies[0], 0, shirt=shirt) for shirt in (SOURCE, TARGET))
    share = shown.shares[frames][:, None, None]
    return share * before + (1.0 - share) * after


@dataclass(frozen=True, eq=False)
class _Poses:
    series: PoseSeries
    colours: Array
    frames: NDArray[np.int64]


def _series(shown: ShownTransition, poses: int) -> _Poses:
    clip = _turned(shown.clip)
    frames = np.unique(np.linspace(0, len(clip) - 1, min(poses, len(clip))).round().astype(np.int64))
    cast = Cast(clip)
    starts, ends = [], []
    for at in frames:
        cast.pose(float(at) / clip.fps)
        starts.append(cast.starts.copy())
        ends.append(cast.ends.copy())
    series = PoseSeries(frames / clip.fps, np.array(starts), np.array(ends), cast.radii, cast.colours)
    return _Poses(series, _shirts(shown, cast, frames), frames)


def _layout(series: Sequence[_Poses], width: int) -> StripLayout:
    """One layout for all strips: the widest pose and the tallest decide."""
    layouts = [lay_out_strip(own.series, width, 0.0, captions=False) for own in series]
    panel, tall = max(layout.panel for layout in layouts), max(layout.tall for layout in layouts)
    columns = max(len(own.frames) for own in series)
    return replace(
        layouts[0], columns=columns, panel=panel, tall=tall, scale=width / (columns * panel), caption=10
    )


def _strip(renderer: Renderer, layout: StripLayout, own: _Poses, shown: ShownTransition) -> Picture:
    series = own.series
    slots = layout.slots()[: len(series)]
    along = 0.5 * np.add(*series.bounds(layout.right))
    inwards = 0.5 * np.add(*series.bounds(layout.away))
    shifts = np.outer(slots - along, layout.right) - np.outer(inwards, layout.away)
    picture = renderer.draw(
        (series.starts + shifts[:, None]).reshape(-1, 3),
        (series.ends + shifts[:, None]).reshape(-1, 3),
        np.tile(series.radii, len(series)),
        own.colours.reshape(-1, 3),
    )
    columns = renderer.camera.project(np.outer(slots, layout.right), renderer.width, renderer.height)[:, 0]
    blend = np.flatnonzero(shown.shares < 1.0)
    first = int(blend[0]) if len(blend) else 0
    labels = [
        Caption(f"{(frame - first) / shown.clip.fps:+.2f} s", (float(column), renderer.height - 12.0))
        for frame, column in zip(own.frames, columns, strict=True)
    ]
    return write_captions(picture, labels, size=layout.caption)


def _header(shown: ShownTransition, width: int) -> Picture:
    band = np.full((STRIP_HEADER, width, 3), PAPER, dtype=np.uint8)
    band[0] = 214
    band = write_captions(band, [Caption(shown.heading, (14.0, STRIP_HEADER / 2), "lm")], size=17, colour=INK)
    band = write_captions(
        band, [Caption(shown.facts, (width - 14.0, STRIP_HEADER / 2), "rm")], size=14, colour=INK
    )
    if shown.verdict:
        said = [Caption(shown.verdict, (0.5 * width, STRIP_HEADER / 2))]
        band = write_captions(band, said, size=15, colour=ALARM if shown.verdict == "rejected" else (44, 120, 76))
    return band


class _Scene:
    """One transition on its stage, seen from the side by a camera that travels along."""

    def __init__(self, shown: ShownTransition, width: int, height: int) -> None:
        self.clip = _turned(shown.clip)
        self._shown, self._cast = shown, Cast(self.clip)
        self._colours = _shirts(shown, self._cast, np.arange(len(self.clip)))
        roots = self.clip.root_positions
        # A straight ride past what happens: nothing of the camera's motion is taken for that of the body.
        self._begin, self._way = roots[0] * (1.0, 0.0, 1.0), (roots[-1] - roots[0]) * (1.0, 0.0, 1.0)
        tall = float(np.ptp(self.clip.positions[..., 1])) + 0.3
        self._middle, self._distance = 0.5 * tall, 0.85 * tall / math.tan(FOV / 2.0)
        self._renderer = Renderer(width, height, self._camera(0.0))

    def _camera(self, share: float) -> Camera:
        target = self._begin + share * self._way + np.array([0.0, self._middle, 0.0])
        return Camera.orbit(target, self._distance, azimuth=0.0, elevation=0.6 * ELEVATION, fov=FOV)

    def draw(self, time: float) -> Picture:
        """The picture at a time [s]."""
        clip, cast = self.clip, self._cast
        self._renderer.camera = self._camera(time / max(clip.duration, 1e-9))
        cast.pose(time)
        frame = min(round(time * clip.fps), len(clip) - 1)
        picture = self._renderer.draw(cast.starts, cast.ends, cast.radii, self._colours[frame])
        labels = [Caption(self._shown.heading, (16.0, 24.0), "lm"), Caption(self._shown.facts, (16.0, 48.0), "lm")]
        return write_captions(picture, labels, size=17, colour=INK)
