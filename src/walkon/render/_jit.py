"""How the kernels of this room are compiled."""

from __future__ import annotations

from functools import partial

import numpy as np

from walkon import kernels

BYTE = np.uint32(255)
"""Mask of one channel of a packed pixel, 0x00BBGGRR."""

FAR = 1e9
"""Depth [m] of a pixel that shows no surface."""

NEAR = 0.05
"""What reaches nearer to a perspective camera than this [m] is not drawn."""

kernel = partial(kernels.kernel, fastmath=True, error_model="numpy")
inlined = partial(kernel, inline="always")
"""What runs once a row: a call there, with its fifty arguments, costs as much as eight pixels."""
