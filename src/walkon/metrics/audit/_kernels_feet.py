"""Kernel: how far do feet slide while they stand?"""

from __future__ import annotations

import math

import numpy as np

from walkon.kernels import kernel


@kernel
def measure_slides(path, stretches, slides):
    """Fill slides (N,) [m]: how far a path (F, 3) gets on the ground from where it mostly is, in each of the
    stretches (N, 2) of frames, the last included. Where it mostly is: the median of either coordinate."""
    for n in range(len(stretches)):
        first, stop = stretches[n, 0], stretches[n, 1] + 1
        x = np.sort(path[first:stop, 0])[(stop - first) // 2]
        z = np.sort(path[first:stop, 2])[(stop - first) // 2]
        most = 0.0
        for f in range(first, stop):
            dx, dz = path[f, 0] - x, path[f, 2] - z
            most = max(most, dx * dx + dz * dz)
        slides[n] = math.sqrt(most)
