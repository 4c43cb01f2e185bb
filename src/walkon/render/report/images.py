"""Pictures as text that a page can hold: PNG in base64."""

from __future__ import annotations

import base64

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from walkon.render.png import png_bytes

COMMON, RARE = 128, 64
"""Colours of a rendered picture: the most frequent, for the ground, and those that differ most, for people."""


def encode_png(picture: NDArray[np.uint8]) -> str:
    """The address of a picture (H, W, 3 or 4) that is in the address itself."""
    return _address(Image.fromarray(np.ascontiguousarray(picture)))


def encode_photograph(picture: NDArray[np.uint8]) -> str:
    """The same for a rendered picture (H, W, 3), with few colours: a third of the size."""
    return _address(with_few_colours(Image.fromarray(np.ascontiguousarray(picture))))


def with_few_colours(image: Image.Image) -> Image.Image:
    """The same picture with a palette."""
    palette: list[int] = []
    for count, method in ((COMMON, Image.Quantize.MEDIANCUT), (RARE, Image.Quantize.MAXCOVERAGE)):
        palette += (image.quantize(count, method=method).getpalette() or [])[: 3 * count]
    chosen = Image.new("P", (1, 1))
    chosen.putpalette(palette)
    return image.quantize(palette=chosen, dither=Image.Dither.NONE)


def _address(image: Image.Image) -> str:
    return "data:image/png;base64," + base64.b64encode(png_bytes(image)).decode("ascii")
