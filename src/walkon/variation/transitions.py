"""Learning a transition network: which numbers tell how each number of a pose goes on.

Greedy search over edges (Lau 2009, algorithm 6). A network is scored by what it is for (equation 5.4): every
clip in turn is held out and made again from its first two frames and the other clips, each frame from the frames
just made, and compared with what was recorded. Two things make that affordable. Which edge would help a node is
judged by making that node alone again while its parents are as they were; and the best changes of all nodes are
made at once. Whether the network is better for them is always decided by making everything again; if not, half
of the changes are tried, and so on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from walkon.basics import Array
from walkon.errors import VariationError
from walkon.variation._kernels_regression import AFTER, BEFORE, Edges, Recall
from walkon.variation._kernels_transition import keep_company, roll_out_all, score_changes
from walkon.variation.examples import Examples, Floats
from walkon.variation.networks import Indices, Network, no_edges

Change = tuple[float, int, int, int]
"""What a change of the network gains, its node, the code of the parent to add and of the one to drop; -1 for
none."""

MOST_PARENTS = 13
"""Most parents that a node may have besides its own two last values; Lau found 2 to 15 in all."""

FLOOR = 0.1**2
"""Least variance, in squared units of coordinates, when a number is compared with the recorded one. Without it a
number that is foreseen too surely would decide the score alone."""

SHORTLIST, STRANGERS, THOROUGH = 20, 6, 5
"""Edges that are tried for a node in a round: the SHORTLIST that helped most when all were tried, and STRANGERS at
random. Every THOROUGH rounds all edges are tried. More of either finds little more and takes longer."""

MOST_ROUNDS = 12
"""Most rounds of a search. Most searches end by themselves before."""

TRUSTING = 3
"""First rounds, in which parents are taken as recorded when edges are judged: what the first networks make is no
guide."""

MOST_NEIGHBOURS, MOST_COMPANY = 1000, 1e4
"""Most neighbours and most company that may be asked for."""


@dataclass(frozen=True)
class Regression:
    """How a moment's neighbours tell what follows.

    neighbours: how many; Lau took 15 to 60. company: see `add_company`. pull: see `predict_change`; Lau
    has neither.
    """

    neighbours: int = 20
    company: float = 3.0
    pull: float = 0.2

    def __post_init__(self) -> None:
        if not 2 <= self.neighbours <= MOST_NEIGHBOURS:
            raise VariationError(f"a moment has 2 to {MOST_NEIGHBOURS} neighbours, not {self.neighbours}")
        if not (0.0 <= self.company <= MOST_COMPANY and 0.0 <= self.pull <= 1.0):
            raise VariationError(
                f"company is 0 to {MOST_COMPANY:g} and pull 0 to 1, not {self.company}, {self.pull}"
            )

    def among(self, examples: Examples, held_out: bool = False) -> int:
        """Neighbours k that the examples allow, if need be without the largest clip: no more than a third of the
        rows."""
        rows = examples.frames - 2 * len(examples)
        if held_out and len(examples) > 1:
            rows -= int(examples.lengths.max()) - 2
        return max(2, min(self.neighbours, rows // 3))

    def recall(self, examples: Examples, held_out: bool = False) -> Recall:
        """What kernels compare a moment with, if need be without the largest clip."""
        k = self.among(examples, held_out)
        return Recall(examples.rows, examples.tempos, np.float32(self.company), np.float32(self.pull), k)


@dataclass
class TransitionSearch:
    """A search that can be stopped after any round and taken up again.

    network, score: the best so far. promising: (n, C) edges that helped most when all were tried. trusting:
    whether parents are still taken as recorded when edges are judged. rounds, stale: done, and since something
    got better.
    """

    examples: Examples
    driven: Indices
    regression: Regression
    seed: int
    network: Network
    score: float = -np.inf
    promising: Indices = field(default_factory=lambda: np.empty((0, 0), np.int64))
    trusting: bool = True
    rounds: int = 0
    finished: bool = False
    made: Floats = field(default_factory=lambda: np.empty((0, 0), np.float32))

    @classmethod
    def begin(
        cls, examples: Examples, driven: Indices, regression: Regression, seed: int, network: Network | None = None
    ) -> TransitionSearch:
        """A search from a network, or from none."""
        network = network or no_edges(examples.rows.shape[0], MOST_PARENTS)
        search = cls(examples, driven, regression, seed, network)
        search.score, search.made = search.judge(network)
        return search

    def run(
        self, rounds: int = MOST_ROUNDS, after_round: Callable[[TransitionSearch], None] | None = None
    ) -> Network:
        """Search until nothing helps, or until that many rounds are done in all."""
        while not self.finished and self.rounds < rounds:
            self.step()
            if after_round is not None:
                after_round(self)
        self.finished = True
        return self.network

    def step(self) -> None:
        """One round: judge changes, make the best of them, keep what helps."""
        changes = self._changes()
        self.rounds += 1
        trusted, self.trusting = self.trusting, self.trusting and self.rounds < TRUSTING
        while changes:
            network = self.network
            for node, add, drop in changes:
                network = network.changed(node, add=add, drop=drop)
            score, made = self.judge(network)
            if score > self.score:
                self.network, self.score, self.made = network, score, made
                return
            changes = changes[: len(changes) // 2]
        self.finished = not trusted
        self.trusting = False

    def judge(self, network: Network) -> tuple[float, Floats]:
        """Log likelihood of every clip made from its first two frames and the other clips, and what was made."""
        examples, n = self.examples, self.examples.rows.shape[0]
        longest, clips = int(examples.lengths.max()), len(examples)
        poses = np.zeros((clips, longest, n), np.float32)
        for clip in range(clips):
            poses[clip, : examples.lengths[clip]] = examples.clip(clip)
        deviations = np.ones_like(poses)
        roll_out_all(
            poses,
            2,
            examples.lengths,
            Edges(self.driven, network.parents, network.counts),
            self.regression.recall(examples, held_out=True),
            examples.bars_without,
            np.ones((clips, examples.frames), np.float32),
            np.zeros_like(poses),
            deviations,
        )
        made = np.concatenate([poses[clip, : examples.lengths[clip]] for clip in range(clips)])
        spread = np.concatenate([deviations[clip, : examples.lengths[clip]] for clip in range(clips)]) ** 2 + FLOOR
        later = np.ones(examples.frames, dtype=bool)
        later[examples.starts[:-1]] = later[examples.starts[:-1] + 1] = False
        gaps = (made - examples.poses).astype(np.float64) ** 2 / spread + np.log(2.0 * np.pi * spread)
        return float(-0.5 * gaps[np.ix_(later, self.driven)].sum()), made

    def _changes(self) -> list[tuple[int, int, int]]:
        """For every node the change that helps it most, if any: (node, code to add, code to drop), the best
        first."""
        thorough = not self.promising.size or self.rounds % THOROUGH == 0
        candidates = self._allowed() if thorough else self._shortlist()
        commons = self._commons()
        added = self._scores(candidates, commons, dropping=False)
        places = np.where(self.network.parents >= 0, np.arange(self.network.parents.shape[1]), -1)
        dropped = self._scores(places, commons, dropping=True)
        if thorough:
            order = np.argsort(-added[:, :-1], axis=1)[:, :SHORTLIST]
            self.promising = np.take_along_axis(candidates, order, axis=1)
        helps: list[Change] = []
        for i in self.driven:
            as_it_is = added[i, -1]
            best = int(np.argmax(added[i, :-1])) if self.network.counts[i] < MOST_PARENTS else -1
            worst = int(np.argmax(dropped[i, :-1]))
            gain = added[i, best] - as_it_is if best >= 0 else -np.inf
            relief = dropped[i, worst] - as_it_is
            if max(gain, relief) > 0.0:
                if gain >= relief:
                    helps.append((float(gain), int(i), int(candidates[i, best]), -1))
                else:
                    helps.append((float(relief), int(i), -1, int(self.network.parents[i, worst])))
        helps += self._reversals(candidates, added, dropped)
        chosen: dict[int, tuple[int, int, int]] = {}
        for _, node, add, drop in sorted(helps, key=lambda one: -one[0]):
            chosen.setdefault(node, (node, add, drop))
        return list(chosen.values())

    def _reversals(self, candidates: Indices, added: Array, dropped: Array) -> list[Change]:
        """Edges that do more good the other way round: both halves of the change, if they help together."""
        found: list[Change] = []
        n, driven = self.examples.rows.shape[0], set(self.driven.tolist())
        for i in self.driven:
            for place, code in enumerate(self.network.of(int(i))):
                lag, j = divmod(int(code), n)
                column = np.flatnonzero(candidates[j] == lag * n + i)
                if j not in driven or lag == AFTER or not len(column) or self.network.counts[j] >= MOST_PARENTS:
                    continue
                gain = dropped[i, place] - added[i, -1] + added[j, column[0]] - added[j, -1]
                if gain > 0.0:
                    found += [(float(gain), int(i), -1, int(code)), (float(gain), j, lag * n + int(i), -1)]
        return found

    def _scores(self, candidates: Indices, commons: Floats, *, dropping: bool) -> Array:
        examples = self.examples
        scores = np.full((examples.rows.shape[0], candidates.shape[1] + 1), -np.inf)
        score_changes(
            examples.poses,
            self._others,
            examples.starts,
            Edges(self.driven, self.network.parents, self.network.counts),
            self.regression.recall(examples, held_out=True),
            commons,
            np.float32(FLOOR),
            candidates,
            dropping,
            scores,
        )
        return scores

    @property
    def _others(self) -> Floats:
        """(N, n) what parents are taken to be when edges are judged."""
        return self.examples.poses if self.trusting else self.made

    def _commons(self) -> Floats:
        """(N, N) distances that all nodes share."""
        examples = self.examples
        commons = np.empty((examples.frames, examples.frames), np.float32)
        recall = self.regression.recall(examples, held_out=True)
        keep_company(self._others, examples.starts, recall, examples.bars_without, commons)
        return commons

    def _allowed(self) -> Indices:
        """(n, C) every edge each node may get: from any other number now and before, and from given ones after."""
        n = self.examples.rows.shape[0]
        given = np.setdiff1d(np.arange(n), self.driven)
        codes = np.concatenate([np.arange(2 * n), AFTER * n + given])
        allowed = np.tile(codes, (n, 1))
        for i in range(n):
            allowed[i, (codes % n == i) & (codes < (BEFORE + 1) * n)] = -1
            allowed[i, np.isin(codes, self.network.of(i))] = -1
        return allowed

    def _shortlist(self) -> Indices:
        """(n, C) the edges that helped most when all were tried, and some at random."""
        allowed = self._allowed()
        random = np.random.default_rng((self.seed, self.rounds))
        strangers = random.permuted(allowed, axis=1)[:, :STRANGERS]
        listed = np.concatenate([self.promising, strangers], axis=1)
        for i in range(len(listed)):
            listed[i, np.isin(listed[i], self.network.of(i))] = -1
        return listed
