"""How alike two recordings are, moment by moment: bright where one could go over into the other, as in KGP02.

Motion Graphs, figure 3: "white values correspond to lower errors and black values to higher errors; the colored
dots represent local minima".
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array, Indices
from walkon.errors import RenderError
from walkon.render.label_colours import labels_colour, labels_name
from walkon.render.page import Page, whole_colour

ALIKE_TO_APART = np.array(
    [(255, 252, 238), (250, 224, 170), (222, 160, 112), (150, 92, 104), (78, 56, 86), (34, 30, 50)]
)
"""Colours from no distance to one where nobody would go over."""

NO_WINDOW = (222, 223, 224)
"""Where a clip ends before the window does."""

KEPT_COLOUR, LEFT_OUT = (34, 122, 196), (196, 202, 214)
SIDE, HEAD, FOOT, STRIP = 60, 88, 92, 9
"""[px] left of the surface, above and below it, and of the strips that say what is done."""

DARKEST = 0.8
"""Without a limit given, this share of the surface is brighter than black."""

TALLEST = 1.6
"""Height of the surface against its width, at most."""


@dataclass(frozen=True, eq=False)
class Axis:
    """One side of a surface: a clip, or several end to end.

    name: beside the axis. frames: how many there are. labels: (start, stop, labels) of what is done when. breaks:
    the frames at which another clip begins.
    """

    name: str
    frames: int
    labels: Sequence[tuple[int, int, frozenset[str]]] = ()
    breaks: Sequence[int] = field(default=())


def draw_surface(
    surface: Array,
    path: Path | str,
    across: Axis,
    up: Axis,
    *,
    fps: float,
    minima: Indices | None = None,
    kept: NDArray[np.bool_] | None = None,
    darkest: float | None = None,
    title: str = "",
    unit: str = "m",
    width: int = 1200,
) -> None:
    """Draw a PNG of a distance surface, its minima marked: full where a transition was kept, hollow elsewhere.

    surface: (A, B) [m] over `across.frames` and `up.frames`; if it has fewer rows or columns than frames, each
    stands for several. minima: (K, 2) frames of both. kept: (K,). darkest: the distance that is drawn black.
    unit: of distances, m or rad.
    """
    if surface.ndim != 2 or not surface.size:
        raise RenderError(f"a surface has two sides, not shape {surface.shape}")
    finite = surface[np.isfinite(surface)]
    if not len(finite):
        raise RenderError("nothing on this surface is a distance")
    darkest = float(np.quantile(finite, DARKEST)) if darkest is None else darkest
    wide = width - SIDE - 24
    high = round(min(max(wide * up.frames / across.frames, 0.25 * wide), TALLEST * wide))
    page = Page(width, high + HEAD + FOOT)
    page.paste(_coloured(surface, darkest), (SIDE, HEAD), (wide, high))
    box = _Box(wide / across.frames, high / up.frames, HEAD + high)
    _draw_axes(page, across, up, box, fps)
    if minima is not None:
        _draw_minima(page, minima, np.ones(len(minima), bool) if kept is None else kept, box)
    counted = "" if minima is None else _counted(len(minima), kept)
    page.text((SIDE - 13, 22), title or f"{across.name} and {up.name}", size=18)
    page.text((SIDE - 13, 46), counted, faint=True)
    _draw_legend(page, f"{100 * darkest:.0f} cm" if unit == "m" else f"{darkest:.2g} {unit}", minima is not None)
    _draw_kinds(page, across, up)
    page.save(path)


@dataclass(frozen=True)
class _Box:
    """Where frames are on the page: [px] a frame across and up, and the row of frame 0."""

    right: float
    upward: float
    bottom: float

    def at(self, across: float, up: float) -> tuple[float, float]:
        return SIDE + self.right * across, self.bottom - self.upward * up


def _coloured(surface: Array, darkest: float) -> NDArray[np.uint8]:
    """The surface (A, B) as pixels (B, A, 3): across to the right, up to the top."""
    known = np.isfinite(surface)
    tone = np.clip(np.where(known, surface, darkest).T[::-1] / max(darkest, 1e-12), 0.0, 1.0)
    steps = np.linspace(0.0, 1.0, len(ALIKE_TO_APART))
    colours = np.stack([np.interp(tone, steps, ALIKE_TO_APART[:, c]) for c in range(3)], axis=-1)
    colours[~known.T[::-1]] = NO_WINDOW
    return colours.astype(np.uint8)


def _draw_axes(page: Page, across: Axis, up: Axis, box: _Box, fps: float) -> None:
    right, top = box.at(across.frames, up.frames)
    for start, stop, labels in across.labels or [(0, across.frames, frozenset())]:
        (left, low), (end, _) = box.at(start, 0), box.at(stop, 0)
        top_edge, low_edge = low + 2, low + 2 + STRIP
        corners = [(left, top_edge), (end, top_edge), (end, low_edge), (left, low_edge)]
        page.patch(np.array(corners), labels_colour(labels))
    for start, stop, labels in up.labels or [(0, up.frames, frozenset())]:
        (left, low), (_, end) = box.at(0, start), box.at(0, stop)
        near, far = left - 2, left - 2 - STRIP
        page.patch(np.array([(near, low), (near, end), (far, end), (far, low)]), labels_colour(labels))
    for at in across.breaks:
        page.stroke(np.array([(box.at(at, 0)[0], top), box.at(at, 0)]), (255, 255, 255, 90), 1.0)
    for at in up.breaks:
        page.stroke(np.array([box.at(0, at), (right, box.at(0, at)[1])]), (255, 255, 255, 90), 1.0)
    for seconds in _ticks(across.frames / fps):
        x, y = box.at(seconds * fps, 0)
        page.text((x, y + 22), f"{seconds:g}", size=11, anchor="mm")
    for seconds in _ticks(up.frames / fps):
        x, y = box.at(0, seconds * fps)
        page.text((x - 16, y), f"{seconds:g}", size=11, anchor="rm")
    page.text((right, box.bottom + 40), f"{across.name} [s]", size=12, anchor="rm")
    page.text((SIDE - 13, HEAD - 14), f"{up.name} [s]", size=12, anchor="lm")


def _ticks(seconds: float) -> list[float]:
    """Round times from 0 to the end, at most a dozen."""
    step = next(step for step in (0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, math.inf) if seconds / step <= 12)
    return [0.0] if math.isinf(step) else [k * step for k in range(math.floor(seconds / step) + 1)]


def _draw_minima(page: Page, minima: Indices, kept: NDArray[np.bool_], box: _Box) -> None:
    size = 3.4 if len(minima) <= 600 else 2.2 if len(minima) <= 2000 else 1.2
    for (across, up), stays in zip(minima, kept, strict=True):
        if not stays:
            page.blob(box.at(across + 0.5, up + 0.5), 0.6 * size, LEFT_OUT)
    for (across, up), stays in zip(minima, kept, strict=True):
        if stays:
            page.blob(box.at(across + 0.5, up + 0.5), size, KEPT_COLOUR, (255, 255, 255) if size > 2.0 else ())


def _counted(minima: int, kept: NDArray[np.bool_] | None) -> str:
    if kept is None:
        return f"{minima} local minima"
    if kept.all():
        return f"{minima} transitions"
    return f"{minima} local minima, {int(kept.sum())} of them transitions that are kept"


def _draw_legend(page: Page, darkest: str, marked: bool) -> None:
    y, wide = page.height - 18, 150.0
    bar = page.width - 24 - wide - 60
    page.text((bar - 8, y), "alike", size=11, anchor="rm")
    colours = np.stack([whole_colour(colour, 1.0) for colour in ALIKE_TO_APART]).astype(np.uint8)
    page.gradient((bar, y), colours, wide, 9.0)
    page.text((bar + wide + 8, y), darkest, size=11)
    if marked:
        page.blob((SIDE + 6, y), 3.4, KEPT_COLOUR, (255, 255, 255))
        x = SIDE + 16 + page.text((SIDE + 16, y), "transition", size=11)
        page.blob((x + 22, y), 3.4, (90, 80, 100))
        page.blob((x + 22, y), 2.2, LEFT_OUT)
        page.text((x + 32, y), "minimum left out", size=11)


def _draw_kinds(page: Page, across: Axis, up: Axis) -> None:
    """What the colours along the axes mean."""
    kinds = dict.fromkeys(labels for axis in (across, up) for _, _, labels in axis.labels)
    x, y = float(SIDE), page.height - 42.0
    for labels in kinds:
        page.swatch((x, y), labels_colour(labels))
        x += 22 + page.text((x + 22, y), labels_name(labels), size=11) + 16
