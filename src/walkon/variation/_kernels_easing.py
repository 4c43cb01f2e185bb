"""How the shift of a held joint fades before and after it is held."""

from __future__ import annotations

import numpy as np

from walkon.kernels import kernel


@kernel(inline="always")
def _fading(s, length):
    """What is left, at s from 0 to 1, of a value and of a slope (a frame) at s = 0, over `length` frames."""
    left = (1.0 - s) ** 3
    return left * (1.0 + 3.0 * s + 6.0 * s * s), left * (s + 3.0 * s * s) * length


@kernel
def ease_shifts(places, starts, stops, paths, ease, slope_share, shift, firmness):
    """Fill shift (F, 3) and firmness (F,), given as zeros, of a joint at places (F, 3).

    It is held on paths (F, 3) from starts to stops; see `easing.shift_curve`.
    """
    frames, count = places.shape[0], starts.shape[0]
    slopes = np.zeros((count, 2, 3))
    for i in range(count):
        for f in range(starts[i], stops[i]):
            firmness[f] = 1.0
            for k in range(3):
                shift[f, k] = paths[f, k] - places[f, k]
        for end in range(2):
            f = starts[i] if end == 0 else stops[i] - 1
            early, late = max(f - 1, 0), min(f + 1, frames - 1)
            inner_early, inner_late = max(f - 1, starts[i]), min(f + 1, stops[i] - 1)
            for k in range(3):
                speed = (places[late, k] - places[early, k]) / max(late - early, 1)
                own = (paths[inner_late, k] - paths[inner_early, k]) / max(inner_late - inner_early, 1)
                slopes[i, end, k] = slope_share * (own - speed)
    for gap in range(count + 1):
        first = stops[gap - 1] - 1 if gap > 0 else -1
        last = starts[gap] if gap < count else frames
        joined = 0 < gap < count and last - first < 2 * ease
        for f in range(first + 1, last):
            loose = 0.0
            if gap > 0 and (joined or f - first < ease):
                length = last - first if joined else ease
                s = (f - first) / length
                value, slope = _fading(s, length)
                firmness[f] += value
                loose = 16.0 * (s * (1.0 - s)) ** 2 if joined else 0.0
                for k in range(3):
                    shift[f, k] += value * shift[first, k] + slope * slopes[gap - 1, 1, k]
            if gap < count and (joined or last - f < ease):
                length = last - first if joined else ease
                value, slope = _fading((last - f) / length, length)
                firmness[f] += value
                for k in range(3):
                    shift[f, k] += value * shift[last, k] - slope * slopes[gap, 0, k]
            firmness[f] -= loose
