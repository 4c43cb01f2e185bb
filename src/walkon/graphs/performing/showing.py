"""A transition by itself, with a little of the recordings before and after: for people to judge it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from walkon.basics import Array
from walkon.errors import GraphError
from walkon.graphs.corpus import Corpus
from walkon.graphs.graph import PLAIN, connect
from walkon.graphs.performing.walks import Walk, perform_walk
from walkon.graphs.transitions import Transitions, blend_weights
from walkon.motion import Clip
from walkon.rotations import Placement

BEFORE = AFTER = 0.5
"""Seconds of the recordings that are shown around a blend."""


class Excerpt(NamedTuple):
    """clip: the motion, feet planted as in a walk. shares: (F,) of the source's recording in every frame."""

    clip: Clip
    shares: Array


def perform_transition(
    corpus: Corpus, transitions: Transitions, number: int, *, before: float = BEFORE, after: float = AFTER
) -> Excerpt:
    """One of the transitions as it looks in a walk, with `before` and `after` seconds of the recordings."""
    if not 0 <= number < len(transitions):
        raise GraphError(f"there is no transition {number}; there are {len(transitions)}, numbered from 0")
    library, window = corpus.library, transitions.window
    source, target = int(transitions.sources[number]), int(transitions.targets[number])
    first = max(source - round(before * corpus.fps), int(library.starts[library.clip_of_frame[source]]))
    last = min(target + round(after * corpus.fps), int(library.stops[library.clip_of_frame[target]]) - 1)
    walk = _walk(corpus, transitions.subset(np.array([number])), first, last)
    shares = np.concatenate([np.ones(source - first + 1), blend_weights(window), np.zeros(last - target)])
    return Excerpt(perform_walk(walk, name=f"transition {number}"), shares)


def _walk(corpus: Corpus, one: Transitions, first: int, last: int) -> Walk:
    """The walk from a row to another by way of the only transition there is, where it was recorded."""
    clips, (source, target) = corpus.library.clip_of_frame, (int(one.sources[0]), int(one.targets[0]))
    # Pieces have the same labels from beginning to end.
    changes = np.flatnonzero(np.diff(corpus.labels))
    nodes = np.unique(np.concatenate([[first, source, target, last], changes]))
    pieces = np.flatnonzero(clips[nodes[:-1]] == clips[nodes[1:]])
    at = {int(row): number for number, row in enumerate(nodes)}
    tails, heads = np.append(pieces, at[source]), np.append(pieces + 1, at[target])
    graph = connect(corpus, one, nodes, tails, heads, np.append(np.full(len(pieces), PLAIN), 0))
    # A piece is the first edge that leaves a node, a transition the last.
    before = [int(graph.offsets[node]) for node in range(at[first], at[source])]
    after = [int(graph.offsets[node]) for node in range(at[target], at[last])]
    blend = int(graph.offsets[at[source] + 1]) - 1
    return Walk(graph, at[first], np.array([*before, blend, *after]), Placement(*corpus.tracks[first]))
