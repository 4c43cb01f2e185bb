"""Kernels on whole picture planes: what a frame darkens, what it leaves behind, and the picture it becomes.

Planes are flat (H * S); `spans` (H, 2) are the first and last column of each row that a frame touched.
"""

from __future__ import annotations

import numpy as np
from numba import float32, int32, uint32, uint64

from walkon.render._jit import BYTE, pixel_kernel


@pixel_kernel
def darken(colour, lit, receive, sun_plane, contact_plane, spans, size, strengths):
    """colour = lit ground under its shadows, within `spans`; strengths: (4,) sun per channel (3), contact."""
    _, height, stride = size
    red, green, blue = float32(strengths[0]), float32(strengths[1]), float32(strengths[2])
    contact = float32(strengths[3])
    one, half = float32(1), float32(0.5)
    for y in range(height):
        first, count = y * stride + spans[y, 0], spans[y, 1] - spans[y, 0] + 1
        for j in range(count):
            i = uint64(first + j)
            shown = receive[i]
            sun, near = shown * sun_plane[i], one - contact * shown * contact_plane[i]
            old = lit[i]
            r = float32(int32(old & BYTE)) * (one - red * sun) * near + half
            g = float32(int32((old >> uint32(8)) & BYTE)) * (one - green * sun) * near + half
            b = float32(int32((old >> uint32(16)) & BYTE)) * (one - blue * sun) * near + half
            colour[i] = uint32(int32(r)) | (uint32(int32(g)) << uint32(8)) | (uint32(int32(b)) << uint32(16))


@pixel_kernel
def restore(plane, original, spans, size):
    """Give `plane` its original values within `spans`, so that the next frame starts clean."""
    _, height, stride = size
    for y in range(height):
        first, count = y * stride + spans[y, 0], spans[y, 1] - spans[y, 0] + 9
        for j in range(count):
            i = uint64(first + j)
            plane[i] = original[i]


@pixel_kernel
def unpack(pairs, size, words):
    """Copy packed pixels, seen as little-endian pairs, to RGB bytes, seen as words (H, 3 W / 8); 8 divides W."""
    width, height, stride = size
    low, high = uint64(0xFFFFFF), uint64(0xFFFFFF000000)
    eight, sixteen, half, most = uint64(8), uint64(16), uint64(32), uint64(48)
    for y in range(height):
        first = (y * stride) >> 1
        for k in range(width >> 3):
            i = first + 4 * k
            a = (pairs[i] & low) | ((pairs[i] >> eight) & high)
            b = (pairs[i + 1] & low) | ((pairs[i + 1] >> eight) & high)
            c = (pairs[i + 2] & low) | ((pairs[i + 2] >> eight) & high)
            d = (pairs[i + 3] & low) | ((pairs[i + 3] >> eight) & high)
            words[y, 3 * k] = a | (b << most)
            words[y, 3 * k + 1] = (b >> sixteen) | (c << half)
            words[y, 3 * k + 2] = (c >> half) | (d << sixteen)


@pixel_kernel
def clear_spans(spans, width):
    """Mark every row untouched."""
    for y in range(spans.shape[0]):
        spans[y, 0], spans[y, 1] = width, -1


def empty_spans(height: int, width: int) -> np.ndarray:
    """Spans (H, 2) of a picture nothing has touched."""
    return np.tile(np.array([width, -1], dtype=np.int64), (height, 1))
