"""Whether a judge who knows examples of both can tell variants from real motion: the 1-NN two-sample test.

Every stretch of motion is said to be of the kind its nearest other stretch is of. A judge who is right half of the
time cannot tell. Stretches of one clip are alike whatever made them, so a clip never votes on itself; and to be
fair each kind votes with as many clips as the other. The null distribution shuffles clips, not stretches, between
kinds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array
from walkon.variation.evaluation._kernels_votes import share_right

STRETCH, STRETCH_MOMENTS = 0.5, 6
"""Length [s] of the stretches that are compared, and how many moments of each."""

MOST_WINDOWS = 40
"""Most stretches of a clip; of more, evenly chosen ones."""

SCORE_DRAWS = 24
"""A score is the mean over this many draws of equally many clips of both kinds."""


@dataclass(frozen=True)
class TwoSample:
    """What a judge gets right.

    score: share of stretches said to be of the right kind: 0.5 where kinds cannot be told apart, 1 where they
    always can. first, second: the same for stretches of either kind, of which it is the mean. If a kind is spread
    about the other, both are nearest to the other: it is told seldom, the other always. p_value: how often clips
    shuffled between the kinds get as high a score. clips: of each kind, that vote. windows: stretches in all.
    """

    score: float
    first: float
    second: float
    p_value: float
    clips: int
    windows: int


def two_sample_test(
    clips: Sequence[Array],
    others: Sequence[Array],
    fps: float,
    *,
    window: float = STRETCH,
    permutations: int = 499,
    seed: int = 0,
) -> TwoSample:
    """Tell clips' values (F, n) from others' (G, n) by their nearest neighbours.

    window: [s] of the stretches that are compared, or as long as the shortest clip. At least two clips of each
    kind are needed for a score; with fewer it is nan.
    """
    every = [*clips, *others]
    least = min(len(clips), len(others))
    size = max(min(round(window * fps), *(len(clip) for clip in every)), 1)
    stretches = [_stretches(clip, size) for clip in every]
    windows = sum(len(part) for part in stretches)
    if least < 2:
        unknown = float("nan")
        return TwoSample(unknown, unknown, unknown, unknown, least, windows)
    nearest = np.concatenate([_nearest_of_each_clip(stretches, k) for k in range(len(every))])
    starts = np.concatenate([[0], np.cumsum([len(part) for part in stretches])])
    kinds = np.arange(len(every)) < len(clips)
    random = np.random.default_rng(seed)
    first, second = _shares(nearest, starts, kinds, least, random, SCORE_DRAWS)
    score = 0.5 * (first + second)
    shuffled = [
        0.5 * sum(_shares(nearest, starts, random.permutation(kinds), least, random, SCORE_DRAWS))
        for _ in range(permutations)
    ]
    # Scores that are the same may differ in their last bits.
    p_value = (1 + sum(one >= score - 1e-9 for one in shuffled)) / (1 + permutations)
    return TwoSample(score, first, second, p_value, least, windows)


def _stretches(values: Array, size: int) -> Array:
    """Stretches (W, M n) of a clip (F, n), half of each in the next, as some moments of each in one row."""
    starts = np.arange(0, len(values) - size + 1, max(size // 2, 1))
    if len(starts) > MOST_WINDOWS:
        starts = starts[np.linspace(0, len(starts) - 1, MOST_WINDOWS).astype(int)]
    moments = np.linspace(0, size - 1, min(STRETCH_MOMENTS, size)).round().astype(int)
    return values[starts[:, None] + moments].reshape(len(starts), -1)


def _nearest_of_each_clip(stretches: Sequence[Array], which: int) -> Array:
    """Distance (W, C) from every stretch of a clip to the nearest one of every other; inf to its own."""
    from scipy.spatial.distance import cdist

    distances = np.full((len(stretches[which]), len(stretches)), np.inf)
    for other, theirs in enumerate(stretches):
        if other != which:
            distances[:, other] = cdist(stretches[which], theirs).min(axis=1)
    return distances


def _shares(
    nearest: Array,
    starts: NDArray[np.int64],
    kinds: NDArray[np.bool_],
    least: int,
    random: np.random.Generator,
    draws: int,
) -> tuple[float, float]:
    """Mean over draws of the share of stretches whose nearest neighbour is of their kind, for both kinds.

    Every clip counts alike.

    A draw has `least` clips of each kind; of the kind that a judged clip is not of, one more is left out, for its
    own kind has one less to vote.
    """
    first, second = np.flatnonzero(kinds), np.flatnonzero(~kinds)
    totals = [0.0, 0.0]
    for _ in range(draws):
        one, other = (random.permutation(kind)[:least] for kind in (first, second))
        absent = random.integers(least, size=(2, least))
        totals[0] += share_right(nearest, starts, one, other, absent[0])
        totals[1] += share_right(nearest, starts, other, one, absent[1])
    return totals[0] / draws, totals[1] / draws
