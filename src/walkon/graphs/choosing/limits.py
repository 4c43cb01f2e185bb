"""Up to which distance transitions are good, told from how they look once blended, for every pair of motions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from walkon.basics import Array, Flags, Indices
from walkon.graphs.choosing.choices import Choices, ThresholdChoice
from walkon.graphs.choosing.quality import BlendQuality
from walkon.graphs.corpus import Corpus
from walkon.graphs.transitions import Transitions
from walkon.skeleton import build_body

ALLOWED_SLIDE = 0.45
"""Speed [m/s] at which a foot that should stand may slide in a blend: a leg can bend enough to hold it. Faster,
and holding it would pull the hips down."""

ALLOWED_JUMP = 1.01
"""Largest change of velocity in a blend, as a multiple of the largest in the two recordings: no more than there,
but for rounding."""

TOLERANT = 1.15
"""Transitions that jump up to 1.15 times what is allowed still speak for their distance: they are nearly good."""

FARTHEST_SHARE = 0.085
"""Largest threshold, as a share of the body's height (15 cm for 1.75 m): beyond it poses belong to different
motions, however well they blend."""

EXCESS = 3.0
"""How much more it counts by how much a bridge slides or jumps beyond what is allowed."""

ENOUGH, FEWEST_CANDIDATES = 40, 8
"""Candidates from which on two clips have a threshold of their own, and below which two label sets have none."""


@dataclass(frozen=True)
class Limits:
    """The worst that a transition may be to be taken: slide [m per frame], jump, and distance [m] for any pair."""

    slide: float
    jump: float
    distance: float

    @classmethod
    def of(cls, corpus: Corpus, choices: Choices, farthest: float | None = None) -> Limits:
        """Those that a person has chosen, or else ours."""
        return cls(
            slide=ALLOWED_SLIDE / corpus.fps if choices.slide is None else choices.slide,
            jump=ALLOWED_JUMP if choices.jump is None else choices.jump,
            distance=FARTHEST_SHARE * build_body(corpus.library.skeleton).height if farthest is None else farthest,
        )

    def costs(self, transitions: Transitions, quality: BlendQuality) -> Array:
        """How bad transitions (T,) are: at most 1 where all limits are kept; what exceeds them counts more."""
        near = transitions.distances / max(self.distance, 1e-9)
        slide, jump = quality.slides / max(self.slide, 1e-9), quality.jumps / max(self.jump, 1e-9)
        excess = np.maximum(slide - 1.0, 0.0) + np.maximum(jump - 1.0, 0.0)
        return (near + slide + jump) / 3.0 + EXCESS * excess


@dataclass(frozen=True)
class Threshold:
    """Up to which distance [m] transitions of a pair of motions are taken.

    source, target: names of clips, or of sets of labels ("walk", "walk+slow"). by: "clips" or "labels", whose
    candidates decided; "all": there were too few of them; "choice": a person did.
    candidates: how many there are. within: how many of them are near enough.
    """

    source: str
    target: str
    by: str
    distance: float
    candidates: int
    within: int


def name_labels(labels: frozenset[str]) -> str:
    """What we call a set of labels: "walk+slow"; "(none)" without any."""
    return "+".join(sorted(labels)) or "(none)"


def find_thresholds(
    corpus: Corpus,
    transitions: Transitions,
    quality: BlendQuality,
    eligible: Flags,
    limits: Limits,
    choices: Choices,
) -> tuple[Array, Flags, tuple[Threshold, ...]]:
    """For every transition (T,) the distance [m] allowed, whether a person set it, and the table of thresholds.

    eligible: (T,) those that join the right support phases; the others do not count.
    """
    clips = corpus.library.clip_of_frame
    by_labels = _pairs(corpus.labels[transitions.sources], corpus.labels[transitions.targets])
    by_clips = _pairs(clips[transitions.sources], clips[transitions.targets])
    fine = (quality.slides <= limits.slide) & (quality.jumps <= TOLERANT * limits.jump)
    allowed, chosen = np.zeros(len(transitions)), np.zeros(len(transitions), dtype=np.bool_)
    judge = _Judge(transitions.distances, fine, limits.distance)
    overall = judge.threshold(np.flatnonzero(eligible))
    table: list[Threshold] = []
    names = [name_labels(labels) for labels in corpus.label_sets]
    for (source, target), members in _groups(by_labels):
        counted = members[eligible[members]]
        own = len(counted) >= FEWEST_CANDIDATES
        distance = judge.threshold(counted) if own else overall
        table.append(judge.entry(names[source], names[target], "labels" if own else "all", distance, counted))
        allowed[members] = distance
    for (source, target), members in _groups(by_clips):
        counted = members[eligible[members]]
        if len(counted) >= ENOUGH:
            distance = judge.threshold(counted)
            ends = (corpus.library.names[source], corpus.library.names[target])
            table.append(judge.entry(*ends, "clips", distance, counted))
            allowed[members] = distance
    for choice in sorted(choices.thresholds, key=lambda choice: choice.clips is not None):
        members = _chosen_members(corpus, transitions, choice)
        ends = choice.clips or tuple(name_labels(labels) for labels in choice.labels or ())
        table.append(judge.entry(ends[0], ends[1], "choice", choice.distance, members[eligible[members]]))
        allowed[members], chosen[members] = choice.distance, True
    return allowed, chosen, tuple(table)


class _Judge:
    """Finds the distance beyond which more candidates are bad than good."""

    def __init__(self, distances: Array, fine: Flags, farthest: float) -> None:
        self._distances, self._fine, self._farthest = distances, fine, farthest

    def threshold(self, members: Indices) -> float:
        order = members[np.argsort(self._distances[members], kind="stable")]
        balance = np.cumsum(np.where(self._fine[order], 1, -1))
        if len(order) == 0 or balance.max() <= 0:
            return 0.0
        return float(min(self._distances[order[int(np.argmax(balance))]], self._farthest))

    def entry(self, source: str, target: str, by: str, distance: float, members: Indices) -> Threshold:
        within = int((self._distances[members] <= distance).sum())
        return Threshold(source, target, by, float(distance), len(members), within)


def _pairs(sources: Indices, targets: Indices) -> Indices:
    return np.stack([sources, targets], axis=1)


def _groups(pairs: Indices) -> list[tuple[tuple[int, int], Indices]]:
    """Every different pair among (T, 2), and the numbers of those that have it."""
    if len(pairs) == 0:
        return []
    order = np.lexsort((pairs[:, 1], pairs[:, 0]))
    edges = np.flatnonzero(np.any(np.diff(pairs[order], axis=0) != 0, axis=1)) + 1
    parts = np.split(order, edges)
    return [((int(pairs[part[0], 0]), int(pairs[part[0], 1])), np.sort(part)) for part in parts]


def _chosen_members(corpus: Corpus, transitions: Transitions, choice: ThresholdChoice) -> Indices:
    """Numbers of the transitions that a choice of a threshold is about."""
    if choice.clips is not None:
        clips = corpus.library.clip_of_frame
        first, second = (corpus.library.index(name) for name in choice.clips)
        return np.flatnonzero((clips[transitions.sources] == first) & (clips[transitions.targets] == second))
    first, second = (
        np.array([own == labels for own in corpus.label_sets])[corpus.labels] for labels in choice.labels or ()
    )
    return np.flatnonzero(first[transitions.sources] & second[transitions.targets])
