"""How far numbers stray from what is foreseen, and which of them do so together.

A network says how sure it is of each number by itself. Numbers stray together, though: who swings one arm
farther than foreseen does so with shoulder and elbow. The correlation of what was not foreseen is measured while
clips are held out.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from walkon.basics import Array
from walkon.variation._kernels_regression import Edges
from walkon.variation._kernels_transition import foresee, let_last
from walkon.variation.examples import Examples, Floats
from walkon.variation.networks import Indices, Network
from walkon.variation.transitions import Regression

SHRINKAGE = 0.02
"""How far correlations are drawn towards none, as a share: few frames make correlations by chance."""

WILD = 4.0
"""Straying is cut off at this many standard deviations: more is a fault of the recording."""

LEAST_DEVIATION = 1e-3
"""Least standard deviation, in units of coordinates, by which straying is divided."""

LEAST_LASTING, MOST_LASTING = 0.75, 0.9
"""Least and most correlation of straying with that of the frame before. Recordings tremble, so that what was not
foreseen of them hardly lasts; that of bodies must last, because they have mass. Found by trying: with less,
variants tremble, with more they drift."""


@dataclass(frozen=True, eq=False)
class Noise:
    """Gaussian noise of n numbers.

    factor: (n, n) lower triangle; independent standard noise times its transpose strays together as the inputs
    do. lasting: (n,) correlation with the frame before.
    """

    factor: Floats
    lasting: Floats

    def draw(self, random: np.random.Generator, frames: int, last: Floats | None = None) -> Floats:
        """Noise (T, n) in standard deviations, going on from that of a frame (n,)."""
        fresh = random.standard_normal((frames, len(self.lasting)), dtype=np.float32) @ self.factor.T
        let_last(fresh, fresh[0].copy() if last is None else last, self.lasting, last is None)
        return fresh


def _steadied(lasting: Array, pull: float) -> Array:
    """Times which noise that lasts must be, to lead as far astray in the long run as noise that does not."""
    kept = (1.0 - pull) * lasting
    return np.sqrt((1.0 - kept) / (1.0 + kept))


def measure_noise(examples: Examples, network: Network, driven: Indices, regression: Regression) -> Noise:
    """The noise of a network, from each clip as foreseen, frame after frame, from the others."""
    n = examples.rows.shape[0]
    edges = Edges(driven, network.parents, network.counts)
    recall = regression.recall(examples, held_out=True)
    strays = []
    for clip in range(len(examples)):
        poses = examples.clip(clip)
        means, deviations = np.zeros_like(poses), np.ones_like(poses)
        foresee(poses, edges, recall, examples.bars_without[clip], means, deviations)
        stray = (poses - means) / np.maximum(deviations, LEAST_DEVIATION)
        strays.append(np.clip(stray[2:], -WILD, WILD))
    stray = np.concatenate(strays).astype(np.float64)[:, driven]
    covariance = (1.0 - SHRINKAGE) * stray.T @ stray / len(stray)
    covariance[np.diag_indices(len(driven))] /= 1.0 - SHRINKAGE
    again = np.sum([(one[1:] * one[:-1]).sum(axis=0) for one in strays], axis=0)[driven]
    measured = again / np.maximum((stray**2).sum(axis=0), 1e-9)
    lasting = np.zeros(n)
    lasting[driven] = np.clip(measured, LEAST_LASTING, MOST_LASTING)
    # What lasts by itself was measured as it is.
    excess = _steadied(lasting[driven], regression.pull) / _steadied(
        np.clip(measured, 0.0, MOST_LASTING), regression.pull
    )
    factor = np.zeros((n, n))
    factor[np.ix_(driven, driven)] = excess[:, None] * np.linalg.cholesky(covariance + 1e-6 * np.eye(len(driven)))
    return Noise(factor.astype(np.float32), lasting.astype(np.float32))
