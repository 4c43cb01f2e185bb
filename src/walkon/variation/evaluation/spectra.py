"""How alike two sets of clips are in how fast things move: their power spectra."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from walkon.basics import Array

SEGMENT = 1.0
"""Length [s] of the windows in which spectra are measured; shorter if clips are."""

FASTEST_MOTION = 12.0
"""Rate [Hz] beyond which spectra are not compared: bodies do not move as fast, but markers shake."""

FLOOR = 1e-6
"""Power, as a share of the variance a hertz, below which nobody sees a difference: -60 dB. Less would let silence
decide."""


def spectrum(values: Sequence[Array], fps: float, segment: int) -> Array:
    """Power (B, n) a hertz of columns of clips' values (F, n), averaged over windows of `segment` frames."""
    taper = np.hanning(segment + 2)[1:-1]
    total, count = 0.0, 0
    for clip in values:
        starts = range(0, len(clip) - segment + 1, max(segment // 2, 1))
        for start in starts:
            part = clip[start : start + segment]
            waves = np.fft.rfft((part - part.mean(axis=0)) * taper[:, None], axis=0)
            total, count = total + np.abs(waves) ** 2, count + 1
    return 2.0 * np.asarray(total) / (count * fps * (taper**2).sum())


def spectral_distance(a: Sequence[Array], b: Sequence[Array], fps: float) -> Array:
    """Log-spectral distance (n,) [dB] of every column: root mean square over frequencies up to 12 Hz."""
    segment = min(round(SEGMENT * fps), *(len(clip) for clip in [*a, *b]))
    frequencies = np.fft.rfftfreq(segment, 1.0 / fps)
    used = (frequencies > 0.0) & (frequencies <= FASTEST_MOTION)
    if not used.any():
        return np.zeros(a[0].shape[1])
    levels = [10.0 * np.log10(spectrum(part, fps, segment)[used] + FLOOR) for part in (a, b)]
    return np.sqrt(np.mean((levels[0] - levels[1]) ** 2, axis=0))
