"""Kernel of clips: are their numbers what they should be?"""

from __future__ import annotations

import math

from walkon.kernels import kernel


@kernel
def first_flaw(rotations, tolerance):
    """Frame and joint of the first rotation (F, J, 4) that is not finite or not unit; -1 if there is none."""
    for f in range(rotations.shape[0]):
        for j in range(rotations.shape[1]):
            w, x, y, z = rotations[f, j, 0], rotations[f, j, 1], rotations[f, j, 2], rotations[f, j, 3]
            squared = w * w + x * x + y * y + z * z
            # Written so that what is not a number is a flaw as well.
            if not math.fabs(squared - 1.0) <= tolerance:
                return f, j
    return -1, -1
