"""How the kernels of pictures are compiled, and what they all know of pixels.

They differ from other kernels of the package in one way: sums may be taken in any order and nothing is checked for
not being a number, because a pixel that is off by a rounding error cannot be seen. That lets LLVM work on eight
pixels at a time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from walkon import kernels

BYTE = np.uint32(255)
"""Mask of one channel of a packed pixel, 0x00BBGGRR."""

NO_SURFACE = 1e9
"""Depth [m] of a pixel that shows no surface: farther than anything that is drawn."""

NEAR_PLANE = 0.05
"""What reaches nearer to a perspective camera than this [m] is not drawn: its image would grow out of bounds."""


def pixel_kernel(function: Callable, /, **options: Any) -> Any:
    """A `walkon.kernels.kernel` for pictures: quick rather than exact to the last bit."""
    return kernels.kernel(function, fastmath=True, error_model="numpy", **options)


def pixel_inlined(function: Callable, /) -> Any:
    """A pixel kernel that becomes part of whoever calls it: for what runs once a row.

    A call there, with its fifty arguments, costs as much as eight pixels.
    """
    return pixel_kernel(function, inline="always")
