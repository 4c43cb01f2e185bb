"""The same motion, faster here and slower there."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from walkon.basics import Array
from walkon.errors import ClipError
from walkon.motion.clip import Clip
from walkon.motion.editing.sampling import sample_clip

TIME_TOLERANCE = 1e-6
"""Times this far [s] past either end are rounding, not a wish."""


def retime(clip: Clip, times: ArrayLike) -> Clip:
    """The clip whose frame g shows what `clip` shows at `times[g]` [s]; the rate stays.

    times: (G,) never decreasing, within 0 … clip.duration. `warp_times` makes them from a few keys.
    Labels and contacts go along.
    """
    times = np.asarray(times, dtype=np.float64)
    if times.ndim != 1 or len(times) == 0 or not np.isfinite(times).all():
        raise ClipError(f"clip {clip.name!r}: retiming needs finite times (G,), not an array of {times.shape}")
    if np.any(np.diff(times) < 0):
        frame = int(np.argmax(np.diff(times) < 0)) + 1
        raise ClipError(f"clip {clip.name!r}: time runs backwards at new frame {frame}: {times[frame]:g} s")
    if times[0] < -TIME_TOLERANCE or times[-1] > clip.duration + TIME_TOLERANCE:
        raise ClipError(
            f"clip {clip.name!r}: times {times[0]:g} to {times[-1]:g} s leave its 0 to {clip.duration:g} s"
        )
    return sample_clip(clip, np.clip(times * clip.fps, 0.0, len(clip) - 1.0), clip.fps)


def warp_times(keys: ArrayLike, fps: float) -> Array:
    """Times (G,) [s] for `retime` at `fps` [Hz], along a smooth curve through `keys`.

    keys: (K, 2) pairs (new time, clip time) [s], K at least 2; new times start at 0 and increase, clip times
    never decrease. The curve never overshoots, so time never runs backwards between keys. Two keys, (0, 0)
    and (2, clip.duration), make any clip last two seconds.
    """
    from scipy.interpolate import PchipInterpolator

    keys = np.asarray(keys, dtype=np.float64)
    if keys.ndim != 2 or keys.shape[1] != 2 or len(keys) < 2 or not np.isfinite(keys).all():
        raise ClipError(f"time keys are at least two finite pairs (new time, clip time), not {keys.shape}")
    if keys[0, 0] != 0 or np.any(np.diff(keys[:, 0]) <= 0) or np.any(np.diff(keys[:, 1]) < 0):
        raise ClipError("time keys: new times start at 0 and increase; clip times never decrease")
    if not (np.isfinite(fps) and fps > 0):
        raise ClipError(f"the rate must be positive, not {fps} Hz")
    count = int(np.floor(keys[-1, 0] * fps + 1e-9)) + 1
    curve = PchipInterpolator(keys[:, 0], keys[:, 1])
    times = curve(np.minimum(np.arange(count) / fps, keys[-1, 0]))
    # Rounding in the last bits could still step back by one: the running maximum takes that away.
    return np.clip(np.maximum.accumulate(times), keys[0, 1], keys[-1, 1])
