"""What the kernels of transition networks do, in plain numpy and double precision, one moment at a time."""

from __future__ import annotations

import numpy as np

from walkon.variation._kernels_regression import BARRED, BRISK, NEIGHBOUR_FADE
from walkon.variation.examples import Examples
from walkon.variation.networks import Network
from walkon.variation.transitions import FLOOR, Regression


class Naive:
    """A network and its inputs."""

    def __init__(self, examples: Examples, network: Network, regression: Regression, k: int) -> None:
        self.examples, self.network, self.regression, self.k = examples, network, regression, k

    def with_network(self, network: Network) -> Naive:
        return Naive(self.examples, network, self.regression, self.k)

    def foreseen(self, i, before, now, after, bars, others=None, favour=None) -> tuple[float, float]:
        """Mean of number i in the next frame, and its variance.

        others: poses before, now and after in which parents and company are, if not those of the node itself.
        """
        rows = self.examples.rows.astype(float)
        n, count = rows.shape
        tempos = self.examples.tempos.astype(float)
        other_before, other_now, other_after = others or (before, now, after)
        moments = (other_now, other_before, other_after)
        distances = bars.astype(float)
        for r in range(1, count - 1):
            if distances[r] >= BARRED:
                continue
            changes, pace = rows[:, r] - rows[:, r - 1], other_now - other_before
            whole = (rows[:, r] - other_now) ** 2 + BRISK * tempos * (changes - pace) ** 2
            distances[r] += self.regression.company * whole.mean()
            distances[r] += (rows[i, r - 1] - before[i]) ** 2 + (rows[i, r] - now[i]) ** 2
            distances[r] += tempos[i] * (changes[i] - (now[i] - before[i])) ** 2
            for code in self.network.of(i):
                lag, j = divmod(int(code), n)
                distances[r] += (rows[j, r + (0, -1, 1)[lag]] - moments[lag][j]) ** 2
        near = np.argsort(distances, kind="stable")[: self.k]
        near = near[distances[near] < BARRED]
        weights = np.exp(-NEIGHBOUR_FADE * distances[near] / distances[near].max())
        if favour is not None:
            weights = weights * favour[near]
        changes = rows[i, near + 1] - rows[i, near] + self.regression.pull * (rows[i, near] - now[i])
        mean = np.average(changes, weights=weights)
        variance = np.average((changes - mean) ** 2, weights=weights) * len(near) / max(len(near) - 1, 1)
        return now[i] + mean, variance

    def rolled(self, given, driven, bars, noise, favour=None) -> tuple[np.ndarray, np.ndarray]:
        """Poses (T, n) from the first two on, and their deviations."""
        poses, deviations = given.astype(float), np.full(given.shape, np.nan)
        for t in range(2, len(poses)):
            for i in driven:
                mean, variance = self.foreseen(i, poses[t - 2], poses[t - 1], poses[t], bars, favour=favour)
                deviations[t, i] = np.sqrt(variance)
                poses[t, i] = mean + deviations[t, i] * noise[t, i]
        return poses, deviations

    def alone(self, i, others) -> float:
        """Log likelihood of one node, made again in every clip that is held out, its parents being others."""
        examples, score = self.examples, 0.0
        for clip in range(len(examples)):
            first, stop = examples.starts[clip], examples.starts[clip + 1]
            own = examples.poses[first:stop].astype(float)
            rest = others[first:stop].astype(float)
            for t in range(2, stop - first):
                mean, variance = self.foreseen(
                    i,
                    own[t - 2],
                    own[t - 1],
                    own[t],
                    examples.bars_without[clip],
                    (rest[t - 2], rest[t - 1], rest[t]),
                )
                gap, spread = mean - examples.poses[first + t, i], variance + FLOOR
                own[t, i] = mean
                score -= 0.5 * (gap**2 / spread + np.log(spread))
        return score


def random_examples(seed: int, lengths=(14, 17, 12), n: int = 5) -> Examples:
    """Clips of wandering numbers."""
    random = np.random.default_rng(seed)
    return Examples.of(
        [np.cumsum(random.standard_normal((frames, n)), axis=0) * 0.4 for frames in lengths],
        [f"clip {number}" for number in range(len(lengths))],
    )


def random_network(seed: int, codes, n: int = 5, room: int = 4) -> Network:
    """Up to room - 1 parents for every node, among those codes."""
    random = np.random.default_rng(seed)
    parents, counts = np.full((n, room), -1, np.int64), np.zeros(n, np.int64)
    for i in range(n):
        own = [code for code in codes if code not in (i, n + i)]
        chosen = random.permutation(own)[: random.integers(0, room)]
        parents[i, : len(chosen)], counts[i] = chosen, len(chosen)
    return Network(parents, counts)
