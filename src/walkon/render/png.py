"""Pictures as PNG: in memory, and as files that are whole or not there."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
from PIL import Image

from walkon.basics import Picture
from walkon.errors import RenderError
from walkon.files import write_bytes


def write_png(path: Path | str, picture: Picture) -> None:
    """Write a picture (H, W, 3) uint8 as PNG: whole, or not at all."""
    picture = np.asarray(picture)
    if picture.ndim != 3 or picture.shape[2] != 3 or picture.dtype != np.uint8:
        raise RenderError(f"a picture is (H, W, 3) uint8, not {picture.shape} {picture.dtype}")
    write_bytes(path, png_bytes(Image.fromarray(picture)))


def png_bytes(image: Image.Image) -> bytes:
    """The image as a PNG file."""
    stream = io.BytesIO()
    image.save(stream, format="PNG", optimize=True)
    return stream.getvalue()
