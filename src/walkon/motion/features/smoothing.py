"""Smoothing over time that neither lags nor bends steady motion at the ends of a clip."""

from __future__ import annotations

import numpy as np

from walkon.basics import Array


def smooth_over_time(values: Array, fps: float, width: float) -> Array:
    """Values (F, K) under a Gaussian whose standard deviation is `width` [s].

    Beyond its ends the signal goes on as its point reflection, so a steady change stays exactly as it is.
    """
    sigma = width * fps
    reach = int(np.ceil(3.0 * sigma))
    if reach == 0 or len(values) == 1:
        return values.copy()
    weights = np.exp(-0.5 * (np.arange(-reach, reach + 1) / sigma) ** 2)
    weights /= weights.sum()
    padded = np.pad(values, ((reach, reach), (0, 0)), mode="reflect", reflect_type="odd")
    return np.stack([np.convolve(column, weights, mode="valid") for column in padded.T], axis=1)
