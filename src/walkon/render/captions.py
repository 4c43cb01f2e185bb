"""Small text in pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from walkon.basics import Picture

CAPTION_INK = (104, 110, 120)
"""Of captions in rendered pictures: paler than on paper, so that the poses come first."""


@dataclass(frozen=True)
class Caption:
    """A line of text. at: column and row [px] of its anchor; anchor: Pillow's, such as "mm" for the middle."""

    text: str
    at: tuple[float, float]
    anchor: str = "mm"


def write_captions(
    picture: Picture, labels: Sequence[Caption], *, size: int, colour: tuple[int, int, int] = CAPTION_INK
) -> Picture:
    """A copy of the picture with labels of that height [px] in Pillow's own font."""
    image = Image.fromarray(picture)
    pen = ImageDraw.Draw(image)
    font = ImageFont.load_default(size)
    for label in labels:
        pen.text(label.at, label.text, fill=colour, font=font, anchor=label.anchor)
    return np.asarray(image).copy()
