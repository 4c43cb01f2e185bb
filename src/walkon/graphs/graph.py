"""The motion graph: pieces of recordings and blends between them, joined where one has a choice."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from walkon.graphs.corpus import Corpus, LabelSet
from walkon.graphs.transitions import Transitions, blend_weights

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

PLAIN = -1
"""In place of a transition: the edge is a piece of a recording."""


@dataclass(frozen=True, eq=False)
class MotionGraph:
    """V choice points and E edges between them, sorted by where they begin.

    Who is at a node has just shown its row. A plain edge then shows the rows up to the next node of the same clip;
    a transition shows `window` blended frames, of which the last is the row of the node at its end.

    corpus, transitions: what it is made of. transitions holds only those in use.
    nodes: (V,) rows, rising. offsets: (V + 1,) edges offsets[v] to offsets[v + 1] leave node v, a plain one
    first.
    tails, heads: (E,) nodes at the beginning and at the end. carries: (E,) number of the transition, or PLAIN.
    frames: (E,) shown on the way. labels: (E,) number of the label set in `label_sets`.
    moves: (E, 3) x, z [m], heading [rad] of the end of the way as seen from its beginning.
    trail_offsets: (E + 1,), trails: (sum of frames, 2) [m] where the way leads, frame by frame, from there.
    costs: (E,) [m] distance of the transition, 0 for plain edges.
    label_sets: those of the corpus, then those that blends bring together.
    """

    corpus: Corpus
    transitions: Transitions
    nodes: Indices
    offsets: Indices
    tails: Indices
    heads: Indices
    carries: Indices
    frames: Indices
    labels: Indices
    moves: Array
    trail_offsets: Indices
    trails: Array
    costs: Array
    label_sets: tuple[LabelSet, ...]

    @property
    def window(self) -> int:
        """Frames of a blend."""
        return self.transitions.window

    @property
    def node_count(self) -> int:
        """Number of choice points V."""
        return len(self.nodes)

    @property
    def edge_count(self) -> int:
        """Number of edges E."""
        return len(self.heads)

    @property
    def fps(self) -> float:
        """Frames a second [Hz]."""
        return self.corpus.fps

    def leaving(self, node: int) -> Indices:
        """The edges that leave a node."""
        return np.arange(self.offsets[node], self.offsets[node + 1])

    def __repr__(self) -> str:
        return (
            f"MotionGraph({len(self.corpus.library)} clips, {len(self.corpus)} rows, {self.node_count} "
            f"choice points, {len(self.transitions)} transitions)"
        )


def assemble_graph(corpus: Corpus, transitions: Transitions) -> MotionGraph:
    """The graph of all transitions, and of all pieces of recordings between their ends and changes of label."""
    library = corpus.library
    changes = np.flatnonzero(np.diff(corpus.labels) != 0)
    nodes = np.unique(
        np.concatenate([library.starts, library.stops - 1, changes, transitions.sources, transitions.targets])
    )
    same_clip = library.clip_of_frame[nodes[:-1]] == library.clip_of_frame[nodes[1:]]
    plain_tails = np.flatnonzero(same_clip)
    sources = np.searchsorted(nodes, transitions.sources)
    targets = np.searchsorted(nodes, transitions.targets)
    tails = np.concatenate([plain_tails, sources])
    heads = np.concatenate([plain_tails + 1, targets])
    carries = np.concatenate([np.full(len(plain_tails), PLAIN), np.arange(len(transitions))])
    return connect(corpus, transitions, nodes, tails, heads, carries)


def connect(
    corpus: Corpus, transitions: Transitions, nodes: Indices, tails: Indices, heads: Indices, carries: Indices
) -> MotionGraph:
    """The graph with these nodes and edges, whatever their order; transitions without an edge are left out."""
    used = np.unique(carries[carries != PLAIN])
    renumbered = np.full(len(transitions) + 1, PLAIN)
    renumbered[used] = np.arange(len(used))
    transitions, carries = transitions.subset(used), renumbered[carries]
    order = np.lexsort((heads, carries, tails))
    tails, heads, carries = tails[order], heads[order], carries[order]
    offsets = np.searchsorted(tails, np.arange(len(nodes) + 1))
    sets, labels = _edge_labels(corpus, transitions, nodes[heads], carries)
    frames = np.where(carries == PLAIN, nodes[heads] - nodes[tails], transitions.window)
    trail_offsets = np.concatenate([[0], np.cumsum(frames)])
    moves, trails = _ways(corpus, transitions, nodes[tails], nodes[heads], carries, trail_offsets)
    costs = np.where(carries == PLAIN, 0.0, np.append(transitions.distances, 0.0)[carries])
    return MotionGraph(
        corpus=corpus,
        transitions=transitions,
        nodes=nodes,
        offsets=offsets,
        tails=tails,
        heads=heads,
        carries=carries,
        frames=frames,
        labels=labels,
        moves=moves,
        trail_offsets=trail_offsets,
        trails=trails,
        costs=costs,
        label_sets=sets,
    )


def _edge_labels(
    corpus: Corpus, transitions: Transitions, ends: Indices, carries: Indices
) -> tuple[tuple[LabelSet, ...], Indices]:
    """All label sets, and that of every edge: a piece has its rows', a blend has those of all rows it mixes."""
    sets = {own: number for number, own in enumerate(corpus.label_sets)}
    labels = corpus.labels[ends].copy()
    steps = np.arange(transitions.window)
    for edge in np.flatnonzero(carries != PLAIN):
        transition = carries[edge]
        source, target = transitions.sources[transition], transitions.targets[transition]
        rows = np.concatenate([source + 1 + steps, target - steps])
        mixed = frozenset().union(*(corpus.label_sets[number] for number in np.unique(corpus.labels[rows])))
        labels[edge] = sets.setdefault(mixed, len(sets))
    return tuple(sets), labels


def _ways(
    corpus: Corpus,
    transitions: Transitions,
    begins: Indices,
    ends: Indices,
    carries: Indices,
    trail_offsets: Indices,
) -> tuple[Array, Array]:
    """Moves (E, 3) and trails (sum of frames, 2) of edges, each as seen from its beginning."""
    tracks = corpus.tracks
    lengths = np.diff(trail_offsets)
    edge = np.repeat(np.arange(len(begins)), lengths)
    step = np.arange(trail_offsets[-1]) - trail_offsets[:-1][edge]
    plain = carries[edge] == PLAIN
    own = tracks[np.minimum(begins[edge] + 1 + step, len(tracks) - 1)]
    carried = np.append(transitions.alignments, np.zeros((1, 3)), axis=0)[carries[edge]]
    other = _carry(carried, tracks[np.maximum(ends[edge] - (lengths[edge] - 1 - step), 0)])
    share = np.where(plain, 1.0, np.append(blend_weights(transitions.window), 1.0)[np.where(plain, -1, step)])
    # Headings of different recordings may differ by whole turns.
    turn = other[:, 2] - own[:, 2]
    other[:, 2] -= 2.0 * np.pi * np.round(turn / (2.0 * np.pi))
    seen = _seen_from(tracks[begins[edge]], share[:, None] * own + (1.0 - share[:, None]) * other)
    moves = seen[trail_offsets[1:] - 1]
    moves[:, 2] = np.arctan2(np.sin(moves[:, 2]), np.cos(moves[:, 2]))
    return moves, np.ascontiguousarray(seen[:, :2])


def _carry(placements: Array, places: Array) -> Array:
    """Places (M, 3) of x, z and heading carried by placements (M, 3)."""
    sine, cosine = np.sin(placements[:, 2]), np.cos(placements[:, 2])
    x, z = places[:, 0], places[:, 1]
    return np.stack(
        [
            x * cosine + z * sine + placements[:, 0],
            -x * sine + z * cosine + placements[:, 1],
            places[:, 2] + placements[:, 2],
        ],
        axis=1,
    )


def _seen_from(viewers: Array, places: Array) -> Array:
    """Places (M, 3) of x, z and heading as seen from viewers (M, 3)."""
    sine, cosine = np.sin(viewers[:, 2]), np.cos(viewers[:, 2])
    x, z = places[:, 0] - viewers[:, 0], places[:, 1] - viewers[:, 1]
    return np.stack([x * cosine - z * sine, x * sine + z * cosine, places[:, 2] - viewers[:, 2]], axis=1)
