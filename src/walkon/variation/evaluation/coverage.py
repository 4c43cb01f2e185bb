"""Whether variants fill the space that real motion fills, and nothing beyond it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from walkon.basics import Array

ENERGY = 0.95
"""Share of the held-out variance that the principal components keep; the rest is taken for noise."""

NEIGHBOUR = 3
"""The surroundings of a frame reach to the third nearest of the other clips, or to the farthest if there are
fewer. With more, everything is near everything."""

MOST_COMPARED_FRAMES = 1200
"""Most frames of a set that are compared with each other; of more, evenly chosen ones. Time grows with the
square."""


@dataclass(frozen=True)
class Coverage:
    """Of a set of clips against held-out ones.

    dimensions: principal components that keep 95% of the held-out variance. span: share of the held-out variance
    that as many components of the set keep, of what the held-out clips' own keep: 1 is best. precision: share of
    the set's frames in the surroundings of a held-out frame. recall: share of held-out frames with a frame of the
    set in their surroundings. Both go by the surroundings of real frames: those of noise are large, and reach
    everything.
    """

    dimensions: int
    span: float
    precision: float
    recall: float


def measure_coverage(clips: Sequence[Array], held_out: Sequence[Array]) -> Coverage:
    """Coverage of clips' values (F, n) against those of held-out clips."""
    from scipy.spatial.distance import cdist

    mine, real = np.concatenate(list(clips)), np.concatenate(list(held_out))
    own_shares, axes = components(real)
    dimensions = int(np.searchsorted(np.cumsum(own_shares), ENERGY) + 1) if own_shares.sum() > 0 else 1
    dimensions = min(dimensions, len(axes))
    centred = real - real.mean(axis=0)
    kept = [(centred @ found[:dimensions].T).var(axis=0).sum() for found in (components(mine)[1], axes)]
    span = float(kept[0] / kept[1]) if kept[1] > 0 else 1.0
    places = [[(clip - real.mean(axis=0)) @ axes[:dimensions].T for clip in part] for part in (clips, held_out)]
    found, target = (_thinned(part) for part in places)
    near = cdist(np.concatenate(found), np.concatenate(target)) <= np.concatenate(_reaches(target))
    return Coverage(dimensions, span, float(near.any(axis=1).mean()), float(near.any(axis=0).mean()))


def components(values: Array) -> tuple[Array, Array]:
    """Shares of the variance (n,) of principal components and their axes (n, n) as rows, the largest first."""
    variances, axes = np.linalg.eigh(np.cov(values, rowvar=False).reshape(values.shape[1], -1))
    variances = np.maximum(variances[::-1], 0.0)
    return variances / max(float(variances.sum()), 1e-300), axes[:, ::-1].T


def _thinned(clips: Sequence[Array]) -> list[Array]:
    """The clips with every k-th frame only, so that there are not too many."""
    step = -(-sum(len(clip) for clip in clips) // MOST_COMPARED_FRAMES)
    return [clip[::step] for clip in clips]


def _reaches(clips: Sequence[Array]) -> list[Array]:
    """How far the surroundings of every frame reach: other frames of the same clip, which are near in any case, do
    not count, except where there is but one clip, which is then halved."""
    from scipy.spatial.distance import cdist

    if len(clips) == 1:
        half = max(len(clips[0]) // 2, 1)
        parts = [clips[0][:half], clips[0][half:]] if len(clips[0]) > 1 else [clips[0], clips[0]]
        return _reaches(parts)
    reaches = []
    for number, clip in enumerate(clips):
        others = [other for k, other in enumerate(clips) if k != number]
        nearest = np.sort(np.stack([cdist(clip, other).min(axis=1) for other in others]), axis=0)
        reaches.append(nearest[min(NEIGHBOUR, len(others)) - 1])
    return reaches
