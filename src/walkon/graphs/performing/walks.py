"""Walks through a motion graph, and the motion that they are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from walkon.basics import Array, Indices
from walkon.errors import GraphError
from walkon.graphs.choosing.blending import Mixture, mix
from walkon.graphs.graph import PLAIN, MotionGraph
from walkon.graphs.performing.footing import standing_joints
from walkon.graphs.performing.planting import plant_walk
from walkon.graphs.transitions import blend_weights
from walkon.motion import Clip, Contacts, Label
from walkon.rotations import Placement, continuous

ORIGIN = Placement()


@dataclass(frozen=True, eq=False)
class Walk:
    """A way through a graph: from node `start` along `edges` (S,), each beginning where the one before ends.

    placement: where the track of the start node's row (`corpus.tracks`) is in the world.
    The first frame is the row of the start node; every edge adds its frames.
    """

    graph: MotionGraph
    start: int
    edges: Indices
    placement: Placement = ORIGIN

    def __post_init__(self) -> None:
        edges = np.array(self.edges, dtype=np.int64).reshape(-1)
        edges.flags.writeable = False
        object.__setattr__(self, "edges", edges)
        _check(self)

    @property
    def frame_count(self) -> int:
        """Frames F that the walk shows."""
        return 1 + int(self.graph.frames[self.edges].sum())

    @property
    def duration(self) -> float:
        """Seconds from the first frame to the last."""
        return (self.frame_count - 1) / self.graph.fps

    @property
    def end(self) -> int:
        """The node at its end."""
        return int(self.graph.heads[self.edges[-1]]) if len(self.edges) else self.start

    @property
    def edge_starts(self) -> Indices:
        """The frame (S,) before the first of every edge: the one that its tail shows."""
        return np.cumsum(self.graph.frames[self.edges]) - self.graph.frames[self.edges]

    def placements(self) -> Array:
        """Where the track is at every node on the way (S + 1, 3): x, z [m] and heading [rad]."""
        places = [self.placement]
        for move in self.graph.moves[self.edges]:
            places.append(places[-1] @ Placement(*move))
        return np.array([(place.x, place.z, place.heading) for place in places])

    def path(self) -> Array:
        """Where the body goes (F, 2): x and z [m] of the track, without the sway of single steps."""
        graph = self.graph
        pieces = [np.array([[self.placement.x, self.placement.z]])]
        for edge, place in zip(self.edges, self.placements(), strict=False):
            trail = graph.trails[graph.trail_offsets[edge] : graph.trail_offsets[edge + 1]]
            pieces.append(np.stack(Placement(*place).point(trail[:, 0], trail[:, 1]), axis=1))
        return np.concatenate(pieces)

    def labels(self) -> tuple[Label, ...]:
        """Named stretches of the walk; a blended frame bears the labels of both rows."""
        mixture = mixture_of_walk(self)
        return self.graph.corpus.labels_shown(mixture.rows_a, mixture.rows_b)


def perform_walk(walk: Walk, *, plant: bool = True, name: str = "walk") -> Clip:
    """The motion of a walk in the world, with labels and contacts.

    plant: bend the legs so that joints which stand do not slide; contacts then are the frames in which they stand.
    """
    corpus = walk.graph.corpus
    mixture = mixture_of_walk(walk)
    rotations, roots = mix(corpus, mixture)
    contacts = corpus.contacts
    clip = Clip(
        name=name,
        skeleton=corpus.library.skeleton,
        fps=corpus.fps,
        root_positions=roots,
        rotations=continuous(rotations),
        labels=corpus.labels_shown(mixture.rows_a, mixture.rows_b),
        contacts=Contacts(contacts.joints, contacts.planted[mixture.leading]),
    )
    if not plant or not contacts.joints:
        return clip
    return plant_walk(corpus, mixture, clip, standing_joints(corpus)[mixture.leading])


def mixture_of_walk(walk: Walk) -> Mixture:
    """Which rows of the corpus every frame of a walk is mixed of, and where they are carried.

    Pieces of recordings follow one another by the placement of the first; behind a transition that placement is
    followed by the transition's alignment.
    """
    graph = walk.graph
    transitions, shares = graph.transitions, blend_weights(graph.window)
    steps = np.arange(graph.window)
    row = int(graph.nodes[walk.start])
    place = walk.placement @ Placement(*graph.corpus.tracks[row]).inverse()
    parts = [_part(np.array([row]), np.array([row]), np.ones(1), place, place)]
    for edge in walk.edges:
        row, carried = int(graph.nodes[graph.tails[edge]]), int(graph.carries[edge])
        if carried == PLAIN:
            rows = np.arange(row + 1, row + 1 + int(graph.frames[edge]))
            parts.append(_part(rows, rows, np.ones(len(rows)), place, place))
            continue
        behind = place @ Placement(*transitions.alignments[carried])
        target = int(transitions.targets[carried])
        parts.append(_part(row + 1 + steps, target - graph.window + 1 + steps, shares, place, behind))
        place = behind
    return Mixture(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def _part(rows_a: Indices, rows_b: Indices, shares: Array, place_a: Placement, place_b: Placement) -> Mixture:
    places = [np.tile([place.x, place.z, place.heading], (len(shares), 1)) for place in (place_a, place_b)]
    return Mixture(rows_a, rows_b, shares, places[0], places[1])


def _check(walk: Walk) -> None:
    graph = walk.graph
    if not 0 <= walk.start < graph.node_count:
        raise GraphError(f"a walk starts at one of {graph.node_count} nodes, not at {walk.start}")
    if len(walk.edges) and not (walk.edges.min() >= 0 and walk.edges.max() < graph.edge_count):
        raise GraphError(f"a walk goes along edges 0 to {graph.edge_count - 1}")
    nodes = np.append(walk.start, graph.heads[walk.edges[:-1]])[: len(walk.edges)]
    wrong = np.flatnonzero(graph.tails[walk.edges] != nodes)
    if len(wrong):
        step = int(wrong[0])
        raise GraphError(f"edge {walk.edges[step]}, number {step} of the walk, does not leave node {nodes[step]}")
