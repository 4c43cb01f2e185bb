"""A sheet of paper to draw on: lines, dots, text and legends in pixels, twice as large and then scaled down."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from walkon.basics import Array
from walkon.render.palette import FAINT, INK, PAPER
from walkon.render.png import write_png
from walkon.render.renderer import check_size

LARGER = 2
"""How many times larger everything is drawn before it is scaled down, which smooths all edges; more would smooth
them better and take longer."""


class Page:
    """A drawing of `width` by `height` [px]; all lengths are in its pixels."""

    def __init__(self, width: int, height: int) -> None:
        check_size(width, height)
        self.width, self.height = width, height
        self._image = Image.new("RGB", (LARGER * width, LARGER * height), PAPER)
        self._pen = ImageDraw.Draw(self._image, "RGBA")

    def stroke(self, points: Array, colour: Sequence[int], width: float) -> None:
        """A line through points (K, 2) of the page."""
        pixels = [tuple(point) for point in LARGER * np.asarray(points, dtype=np.float64)]
        self._pen.line(pixels, fill=tuple(colour), width=max(round(LARGER * width), 1), joint="curve")

    def patch(self, points: Array, colour: Sequence[int]) -> None:
        """A filled polygon with corners (K, 2)."""
        self._pen.polygon([tuple(point) for point in LARGER * np.asarray(points, dtype=np.float64)], tuple(colour))

    def blob(self, at: tuple[float, float], radius: float, colour: Sequence[int], rim: Sequence[int] = ()) -> None:
        """A filled disc, with a rim if a colour is given for one."""
        x, y = at
        for grown, tone in ((1.2, rim), (0.0, colour)):
            if tone:
                r = radius + grown
                box = [
                    LARGER * (x - r),
                    LARGER * (y - r),
                    LARGER * (x + r),
                    LARGER * (y + r),
                ]
                self._pen.ellipse(box, fill=tuple(tone))

    def paste(self, picture: NDArray[np.uint8], at: tuple[float, float], size: tuple[float, float]) -> None:
        """A picture (H, W, 3), stretched to `size`; single pixels stay sharp where they become larger."""
        wide, high = (max(round(LARGER * side), 1) for side in size)
        larger = wide >= picture.shape[1] and high >= picture.shape[0]
        how = Image.Resampling.NEAREST if larger else Image.Resampling.BOX
        shown = Image.fromarray(np.ascontiguousarray(picture)).resize((wide, high), how)
        self._image.paste(shown, (round(LARGER * at[0]), round(LARGER * at[1])))

    def text(
        self,
        at: tuple[float, float],
        text: str,
        *,
        size: int = 13,
        faint: bool = False,
        anchor: str = "lm",
        colour: tuple[int, int, int] | None = None,
        halo: bool = False,
    ) -> float:
        """Text, at [px] of the result; with a halo it is legible on anything. Returns its width [px]."""
        ink = colour or (FAINT if faint else INK)
        return self._write((LARGER * at[0], LARGER * at[1]), text, size, ink, anchor, halo)

    def _write(
        self, at: tuple[float, float], text: str, size: int, colour: tuple, anchor: str, halo: bool = False
    ) -> float:
        font = ImageFont.load_default(LARGER * size)
        around = {"stroke_width": LARGER * 2, "stroke_fill": (255, 255, 255, 210)} if halo else {}
        self._pen.text(at, text, fill=colour, font=font, anchor=anchor, **around)
        return self._pen.textlength(text, font=font) / LARGER

    def swatch(self, at: tuple[float, float], colour: Sequence[float]) -> None:
        """A patch of a colour in the legend; at [px] of the result."""
        x, y = LARGER * at[0], LARGER * at[1]
        box = [x, y - LARGER * 6, x + LARGER * 16, y + LARGER * 6]
        self._pen.rounded_rectangle(box, radius=LARGER * 2, fill=whole_colour(colour, 1.0))

    def gradient(self, at: tuple[float, float], colours: NDArray[np.uint8], width: float, height: float) -> None:
        """A bar of colours (K, 3) from left to right; all [px] of the result."""
        bar = Image.fromarray(np.ascontiguousarray(colours[None])).resize(
            (round(LARGER * width), round(LARGER * height))
        )
        self._image.paste(bar, (round(LARGER * at[0]), round(LARGER * (at[1] - height / 2))))

    def picture(self) -> NDArray[np.uint8]:
        """The drawing (H, W, 3) uint8, scaled down."""
        return np.asarray(self._image.resize((self.width, self.height), Image.Resampling.BOX)).copy()

    def save(self, path: Path | str) -> None:
        """Write it as PNG: whole, or not at all."""
        write_png(path, self.picture())


def whole_colour(colour: Sequence[float], factor: float) -> tuple[int, int, int]:
    """A colour made darker or lighter, as whole numbers 0 to 255."""
    red, green, blue = (int(min(max(factor * channel, 0.0), 255.0)) for channel in colour)
    return red, green, blue
