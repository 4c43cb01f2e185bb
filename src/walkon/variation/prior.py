"""Learning a prior network: how the first two frames of a motion hang together.

Greedy search over the edges of a graph without cycles (Lau 2009, algorithm 5): each time the one addition,
deletion or reversal that raises the score most, until none does; then again from another beginning, and the best
is kept. The score (equation 5.3) adds up over nodes, so after a change only its one or two nodes are judged
again.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from walkon.variation._kernels_prior import draw, score_additions, score_node
from walkon.variation._kernels_regression import BARRED
from walkon.variation.examples import Examples, Floats
from walkon.variation.networks import Indices, Network, no_edges

PAIRS = 10
"""Pairs of frames from the beginning of each clip that count as examples of how a motion begins. With more, motion
begins in the midst of things."""

MOST_PARENTS = 8
"""Most parents that a node may have. A few pairs of frames tell no more."""

FLOOR = 0.1**2
"""Least variance, in squared units of coordinates, when a number is compared with the recorded one; as that of
transitions."""

LEAST_GAIN = 1e-6
"""Least rise of a score that counts: less is rounding, and a search could go round in circles for it."""


def instances_of(examples: Examples, pairs: int = PAIRS) -> tuple[Floats, Indices]:
    """Instances (2n, M) of the first two frames, and which clip (M,) each is from."""
    columns, clips = [], []
    for clip in range(len(examples)):
        poses = examples.clip(clip)
        for first in range(max(1, min(pairs, len(poses) - 1))):
            columns.append(np.concatenate([poses[first], poses[first + 1]]))
            clips.append(clip)
    return np.ascontiguousarray(np.stack(columns, axis=1)), np.array(clips, np.int64)


class PriorSearch:
    """Greedy search for the prior network of some instances."""

    def __init__(self, instances: Floats, parts: Indices, neighbours: int) -> None:
        self.instances, self.parts = instances, _parts(parts)
        width = instances.shape[1]
        held = np.bincount(self.parts)
        self.k = max(2, min(neighbours, (width - int(held.max())) // 2))
        self.bars = np.where(np.arange(len(held))[:, None] == self.parts[None, :], BARRED, 0.0).astype(np.float32)
        self.nodes = instances.shape[0]

    def run(self, seed: int, restarts: int = 2) -> Network:
        """The best network of `restarts` searches: the first from no edges, the others from random ones."""
        random = np.random.default_rng(seed)
        best = self._climb(no_edges(self.nodes, MOST_PARENTS))
        for _ in range(restarts - 1):
            found = self._climb(self._random(random))
            best = found if found[0] > best[0] else best
        return best[1]

    def score(self, network: Network) -> float:
        """Log likelihood of all instances, each told from those of other parts."""
        return float(sum(self._score(network, node) for node in range(self.nodes)))

    def _climb(self, network: Network) -> tuple[float, Network]:
        scores = np.array([self._score(network, node) for node in range(self.nodes)])
        more = np.stack([self._additions(network, node) for node in range(self.nodes)])
        fewer = {node: self._deletions(network, node) for node in range(self.nodes)}
        above = _ancestors(network)
        for _ in range(self.nodes * MOST_PARENTS):
            gain, child, parent, kind = self._best(network, above, scores, more, fewer)
            if gain <= LEAST_GAIN:
                break
            touched = [child]
            network = network.changed(child, add=parent) if kind == "add" else network.changed(child, drop=parent)
            if kind == "reverse":
                network = network.changed(parent, add=child)
                touched.append(parent)
            for node in touched:
                scores[node] = self._score(network, node)
                fewer[node] = self._deletions(network, node)
                more[node] = self._additions(network, node)
            if kind == "add":
                above[np.ix_(above[:, parent], above[child])] = True
            else:
                above = _ancestors(network)
        return float(scores.sum()), network

    def _best(
        self,
        network: Network,
        above: NDArray[np.bool_],
        scores: NDArray[np.float64],
        more: NDArray[np.float64],
        fewer: dict[int, dict[int, float]],
    ) -> tuple[float, int, int, str]:
        """The change that helps most: gain, child, parent and kind."""
        # An edge to a child closes a circle where the child is above the parent already.
        gains = np.where(above, -np.inf, more - scores[:, None])
        child, parent = divmod(int(np.argmax(gains)), self.nodes)
        best = (float(gains[child, parent]), child, parent, "add")
        for child, without in fewer.items():
            for parent, score in without.items():
                relief = score - scores[child]
                if relief > best[0]:
                    best = (relief, child, parent, "drop")
                turned = relief + more[parent, child] - scores[parent]
                # Turned round it closes a circle where another way leads from the parent to the child.
                others = [other for other in network.of(child) if other != parent]
                if turned > best[0] and not above[parent, others].any():
                    best = (turned, child, parent, "reverse")
        return best

    def _score(self, network: Network, node: int) -> float:
        parents = np.ascontiguousarray(network.of(node))
        return self._score_with(node, parents)

    def _score_with(self, node: int, parents: Indices) -> float:
        return score_node(node, parents, self.instances, self.parts, self.bars, self.k, np.float32(FLOOR))

    def _deletions(self, network: Network, node: int) -> dict[int, float]:
        """For every parent of a node, its score without."""
        parents = network.of(node)
        return {int(parent): self._score_with(node, parents[parents != parent].copy()) for parent in parents}

    def _additions(self, network: Network, node: int) -> NDArray[np.float64]:
        """(m,) the score of a node with each other as a parent more."""
        scores = np.empty(self.nodes)
        parents, count = network.parents[node], int(network.counts[node])
        score_additions(
            node, parents, count, self.instances, self.parts, self.bars, self.k, np.float32(FLOOR), scores
        )
        return scores

    def _random(self, random: np.random.Generator) -> Network:
        """One parent for most nodes, from those before it in a random order: no circles."""
        network, order = no_edges(self.nodes, MOST_PARENTS), random.permutation(self.nodes)
        for place, node in enumerate(order[1:], start=1):
            network = network.changed(int(node), add=int(order[random.integers(place)]))
        return network


def order_of(network: Network) -> Indices:
    """The nodes of a network without circles, each after its parents."""
    waiting = network.counts.copy()
    children: list[list[int]] = [[] for _ in waiting]
    for node in range(len(waiting)):
        for parent in network.of(node):
            children[parent].append(node)
    ready, order = [int(node) for node in np.flatnonzero(waiting == 0)], []
    while ready:
        node = ready.pop()
        order.append(node)
        for child in children[node]:
            waiting[child] -= 1
            if waiting[child] == 0:
                ready.append(child)
    return np.array(order, np.int64)


def draw_first_frames(
    network: Network, order: Indices, instances: Floats, favour: Floats, neighbours: int, noise: Floats
) -> Floats:
    """The first two frames (2, n) of a new motion.

    order: of the nodes. favour: (M,) times which instances count. noise: (2n,) in standard deviations.
    """
    values = np.zeros(len(instances), np.float32)
    k = max(2, min(neighbours, instances.shape[1] // 2))
    draw(order, network.parents, network.counts, instances, favour, k, noise, values)
    return values.reshape(2, -1)


def _parts(clips: Indices) -> Indices:
    """What is held out together: clips; of a single clip, each instance for itself."""
    return clips if clips.max() > 0 else np.arange(len(clips))


def _ancestors(network: Network) -> NDArray[np.bool_]:
    """(m, m) whether node i is j, or above j: [i, j]."""
    m = len(network.counts)
    above = np.eye(m, dtype=bool)
    for node in order_of(network):
        for parent in network.of(int(node)):
            above[:, node] |= above[:, parent]
    return above
