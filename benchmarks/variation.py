"""Variation: how long it takes to learn and to make, and how good what comes of it is.

Four clips of a motion are learned from, two or more are held out. Beside our times stand those of Lau 2009 (30
to 120 minutes of learning, 0.2 s to make a second of motion) and what this project aims at. `value` is of what
`what` says; what every group of rows is about stands at the top of benchmarks/_variation_motions.py,
_variation_models.py and _variation_crowds.py.
"""

from __future__ import annotations

import sys
import time

from _variation_crowds import crowd_rows
from _variation_models import model_rows
from _variation_motions import motions

Row = dict[str, object]


def measure() -> list[Row]:
    """Rows for every motion, and for a crowd that plays from a varied library."""
    begun, rows = time.perf_counter(), []
    for motion in motions():
        rows += model_rows(motion)
        sys.stderr.write(f"{time.perf_counter() - begun:5.0f} s  {motion.name}\n")
    rows += crowd_rows()
    sys.stderr.write(f"{time.perf_counter() - begun:5.0f} s  crowd\n")
    return rows
