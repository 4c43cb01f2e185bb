"""How recordings tremble: what is in them of markers that jitter and of bodies solved from them, frame by frame.

Variants are smooth, because what leads them astray lasts. Whoever wants them to look recorded adds the tremble
of the inputs: as much as the third differences of the inputs have more than those of variants, between numbers
as they are. Tremble is rarely large, so that as much is added as the mean size says and not the mean square.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from walkon.variation.examples import Examples, Floats

ORDER = 3
"""Order of the differences in which tremble is measured: smooth motion vanishes in them."""

GAIN = 20.0
"""Variance of third differences of independent numbers of variance 1: 1 + 9 + 9 + 1."""

GAUSSIAN = 0.798
"""Mean absolute value of a Gaussian, in standard deviations: the root of 2/π."""


def measure_tremble(examples: Examples, made: Sequence[NDArray[np.floating]]) -> Floats:
    """Factor (n, n): independent standard noise times its transpose trembles like the inputs beyond what is
    made."""
    recorded = _differences([examples.clip(clip) for clip in range(len(examples))])
    smooth = _differences(made)
    n = examples.rows.shape[0]
    if not len(recorded) or not len(smooth):
        return np.zeros((n, n), np.float32)
    covariance = recorded.T @ recorded / len(recorded)
    spread = np.sqrt(np.maximum(np.diag(covariance), 1e-12))
    excess = (covariance - smooth.T @ smooth / len(smooth)) / spread[:, None] / spread
    sizes, axes = np.linalg.eigh(excess)
    rarity = np.minimum(np.abs(recorded).mean(axis=0) / (GAUSSIAN * spread), 1.0)
    factor = axes * np.sqrt(np.maximum(sizes, 0.0) / GAIN) * (spread * rarity)[:, None]
    return factor.astype(np.float32)


def _differences(clips: Sequence[NDArray[np.floating]]) -> NDArray[np.float64]:
    """Third differences of all clips, one after another."""
    parts = [np.diff(np.asarray(clip, dtype=np.float64), ORDER, axis=0) for clip in clips if len(clip) > ORDER]
    return np.concatenate(parts) if parts else np.empty((0, 0))
