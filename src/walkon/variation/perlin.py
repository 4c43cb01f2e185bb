"""Band-limited noise along a line (Perlin 1985): zero at the knots of a lattice, with random slopes there."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from walkon.basics import Array
from walkon.errors import ClipError

ONE_OCTAVE = 0.14069
"""Root mean square of one octave whose slopes are evenly spread over -1 … 1."""


def perlin(
    times: ArrayLike,
    count: int,
    random: np.random.Generator,
    *,
    slowest: float = 1.0,
    octaves: int = 3,
    persistence: float = 0.5,
) -> Array:
    """`count` independent noises (T, count) at times (T,) [s], of mean 0 and mean square about 1.

    slowest: knots a second [Hz] of the first octave; each further one has twice as many and is `persistence` times
    as high.
    """
    times = np.asarray(times, dtype=np.float64)
    if octaves < 1 or not slowest > 0.0:
        raise ClipError(f"noise has octaves and a frequency, not {octaves} octaves from {slowest} Hz")
    total, power = np.zeros((len(times), count)), 0.0
    for octave in range(octaves):
        height, rate = persistence**octave, slowest * 2.0**octave
        total += height * _octave(rate * (times - times[0]), random.random(count), random, count)
        power += height**2
    return total / (ONE_OCTAVE * np.sqrt(power))


def _octave(at: Array, phases: Array, random: np.random.Generator, count: int) -> Array:
    """One octave (T, count), each noise with knots at whole numbers plus its phase."""
    slopes = random.uniform(-1.0, 1.0, (int(at.max(initial=0.0)) + 3, count))
    where = at[:, None] + phases
    knot = np.floor(where).astype(np.int64)
    along = where - knot
    columns = np.arange(count)
    before, after = slopes[knot, columns] * along, slopes[knot + 1, columns] * (along - 1.0)
    fade = along**3 * (along * (6.0 * along - 15.0) + 10.0)
    return before + fade * (after - before)
