"""The motion graph: pieces of recordings and blends between them, joined where one has a choice."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from walkon.basics import Array, Flags, Indices
from walkon.errors import GraphError
from walkon.graphs.corpus import Corpus, LabelSet
from walkon.graphs.reachability import edges_on_cycles, nodes_behind, touched
from walkon.graphs.transitions import Transitions
from walkon.graphs.ways import PLAIN, lay_ways


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

    def __post_init__(self) -> None:
        for name, value in list(vars(self).items()):
            if isinstance(value, np.ndarray):
                view = value.view()
                view.flags.writeable = False
                object.__setattr__(self, name, view)

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

    @cached_property
    def lasting(self) -> Flags:
        """Edges (E,) after which one can go on for ever with exactly the same labels.

        Others are passages: blends of one kind of motion with another, and what is only done once, such as a jump.
        """
        found = np.zeros(self.edge_count, dtype=np.bool_)
        for number in range(len(self.label_sets)):
            own = np.flatnonzero(self.labels == number)
            tails, heads = self.tails[own], self.heads[own]
            turning = edges_on_cycles(self.node_count, tails, heads)
            back = nodes_behind(self.node_count, tails, heads, touched(self.node_count, tails[turning]))
            found[own] = back[heads]
        found.flags.writeable = False
        return found

    def __repr__(self) -> str:
        return (
            f"MotionGraph({len(self.corpus.library)} clips, {len(self.corpus)} rows, {self.node_count} "
            f"choice points, {len(self.transitions)} transitions)"
        )


def assemble_graph(corpus: Corpus, transitions: Transitions) -> MotionGraph:
    """The graph of all transitions, and of all pieces of recordings between their ends and changes of label."""
    library = corpus.library
    transitions.check(library.starts, library.stops)
    changes = np.flatnonzero(np.diff(corpus.labels) != 0)
    nodes = np.unique(
        np.concatenate([library.starts, library.stops - 1, changes, transitions.sources, transitions.targets])
    )
    plain_tails = np.flatnonzero(library.clip_of_frame[nodes[:-1]] == library.clip_of_frame[nodes[1:]])
    sources = np.searchsorted(nodes, transitions.sources)
    targets = np.searchsorted(nodes, transitions.targets)
    tails = np.concatenate([plain_tails, sources])
    heads = np.concatenate([plain_tails + 1, targets])
    carries = np.concatenate([np.full(len(plain_tails), PLAIN), np.arange(len(transitions))])
    return connect(corpus, transitions, nodes, tails, heads, carries)


def connect(
    corpus: Corpus, transitions: Transitions, nodes: Indices, tails: Indices, heads: Indices, carries: Indices
) -> MotionGraph:
    """The graph with these nodes and edges, whatever the order of edges; transitions without an edge are left out.

    Raises GraphError where nodes, edges, transitions and clips do not fit together.
    """
    transitions.check(corpus.library.starts, corpus.library.stops)
    _check_edges(corpus, transitions, nodes, tails, heads, carries)
    used = np.unique(carries[carries != PLAIN])
    renumbered = np.full(len(transitions) + 1, PLAIN)
    renumbered[used] = np.arange(len(used))
    transitions, carries = transitions.subset(used), renumbered[carries]
    order = np.lexsort((heads, carries, tails))
    tails, heads, carries = tails[order], heads[order], carries[order]
    sets, labels = _edge_labels(corpus, transitions, nodes[heads], carries)
    frames = np.where(carries == PLAIN, nodes[heads] - nodes[tails], transitions.window)
    trail_offsets = np.concatenate([[0], np.cumsum(frames)])
    moves, trails = lay_ways(corpus.tracks, transitions, nodes[tails], nodes[heads], carries, trail_offsets)
    return MotionGraph(
        corpus=corpus,
        transitions=transitions,
        nodes=nodes,
        offsets=np.searchsorted(tails, np.arange(len(nodes) + 1)),
        tails=tails,
        heads=heads,
        carries=carries,
        frames=frames,
        labels=labels,
        moves=moves,
        trail_offsets=trail_offsets,
        trails=trails,
        costs=np.where(carries == PLAIN, 0.0, np.append(transitions.distances, 0.0)[carries]),
        label_sets=sets,
    )


def _check_edges(
    corpus: Corpus, transitions: Transitions, nodes: Indices, tails: Indices, heads: Indices, carries: Indices
) -> None:
    """Raise GraphError unless every edge leads along its clip, or along its transition."""
    if len(nodes) and (nodes[0] < 0 or nodes[-1] >= len(corpus) or np.any(np.diff(nodes) <= 0)):
        raise GraphError("choice points must be rows of the recordings, each once and in order")
    if not tails.shape == heads.shape == carries.shape or tails.ndim != 1:
        raise GraphError("every edge has one beginning, one end and one transition or none")
    for ends, count in ((tails, len(nodes)), (heads, len(nodes)), (carries + 1, len(transitions) + 1)):
        if len(ends) and (ends.min() < 0 or ends.max() >= count):
            raise GraphError("an edge leads to a choice point or over a transition that is not there")
    plain, over = carries == PLAIN, carries[carries != PLAIN]
    clips = corpus.library.clip_of_frame
    begins, ends = nodes[tails[plain]], nodes[heads[plain]]
    if np.any(ends <= begins) or np.any(clips[begins] != clips[ends]):
        raise GraphError("a piece of a recording must lead forward, within one clip")
    order = np.argsort(begins)
    if np.any(ends[order][:-1] > begins[order][1:]):
        raise GraphError("pieces of recordings overlap")
    changes = _label_changes(corpus)
    if np.any(changes[begins + 1] != changes[ends]):
        raise GraphError("a piece of a recording must have the same labels from its beginning to its end")
    if np.any(nodes[tails[~plain]] != transitions.sources[over]) or np.any(
        nodes[heads[~plain]] != transitions.targets[over]
    ):
        raise GraphError("an edge does not begin or end where its transition does")


def _label_changes(corpus: Corpus) -> Indices:
    """How often labels change up to every row (N,): rows a to b have the same just if their counts are equal."""
    return np.concatenate([[0], np.cumsum(np.diff(corpus.labels) != 0)])


def _edge_labels(
    corpus: Corpus, transitions: Transitions, ends: Indices, carries: Indices
) -> tuple[tuple[LabelSet, ...], Indices]:
    """All label sets, and that of every edge: a piece has its rows', a blend has those of all rows it mixes."""
    sets = {own: number for number, own in enumerate(corpus.label_sets)}
    labels, changes, window = corpus.labels[ends].copy(), _label_changes(corpus), transitions.window
    over = np.flatnonzero(carries != PLAIN)
    sources, targets = transitions.sources[carries[over]], transitions.targets[carries[over]]
    uniform = (
        (corpus.labels[sources + 1] == labels[over])
        & (changes[sources + 1] == changes[sources + window])
        & (changes[targets - window + 1] == changes[targets])
    )
    steps = np.arange(window)
    for edge, source, target in zip(over[~uniform], sources[~uniform], targets[~uniform], strict=True):
        mixed = {*corpus.labels[source + 1 + steps].tolist(), *corpus.labels[target - steps].tolist()}
        together = frozenset().union(*(corpus.label_sets[number] for number in mixed))
        labels[edge] = sets.setdefault(together, len(sets))
    return tuple(sets), labels
