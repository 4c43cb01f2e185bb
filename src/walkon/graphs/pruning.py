"""Pruning: what is left of a graph when every way in it can be gone on with, and every kind of motion kept up.

After KGP02, section 3.4. Of the edges that have exactly one set of labels, the largest strongly connected
component is the *core* of that set: there the same kind of motion goes on for ever, and any piece of it can follow
any other. What is not in a core is kept only where it leads from core to core: blends of one kind of motion with
another, and *passages*, such as a stop that was recorded once, a jump that nobody can keep up, or the first step
of a walk. A search that must keep to one kind of motion uses the edges that are `MotionGraph.lasting`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from walkon.basics import Flags, Indices
from walkon.errors import GraphError
from walkon.graphs.corpus import LabelSet
from walkon.graphs.graph import PLAIN, MotionGraph, connect
from walkon.graphs.reachability import nodes_ahead, nodes_behind, strong_components, touched

LEAST_SHARE = 0.1
"""A component with a smaller share of the recorded frames of its labels is an accident, not a core."""

WORTH_A_WARNING = 0.5
"""A core with a smaller share of the usable frames of its labels is worth a warning."""


@dataclass(frozen=True)
class LabelCore:
    """What became of the motion recorded with one set of labels; all in frames of the recordings.

    labels: the set. recorded: in all. usable: far enough from the ends of clips for a blend before and after them.
    kept: in the core, 0 if there is none. passing: in passages.
    """

    labels: LabelSet
    recorded: int
    usable: int
    kept: int
    passing: int


@dataclass(frozen=True)
class PrunedGraph:
    """A graph without dead ends.

    graph: what is left. cores: one for every set of labels that was recorded. cut_off: ordered pairs of sets, of
    which the second cannot be reached from the core of the first. warnings: what one should know, in words.
    """

    graph: MotionGraph
    cores: tuple[LabelCore, ...]
    cut_off: tuple[tuple[LabelSet, LabelSet], ...]
    warnings: tuple[str, ...]


def prune(graph: MotionGraph, *, least_share: float = LEAST_SHARE, passages: bool = True) -> PrunedGraph:
    """The graph without what leads nowhere.

    least_share: of the recorded frames of a set of labels, for its largest component to be a core.
    passages: keep passages; without, every edge whose labels were recorded is in the core of these labels, as in
    Kovar, Gleicher and Pighin (2002). Raises GraphError if nothing can be gone on with.
    """
    core_of = _cores(graph, least_share)
    keep = _leading_from_core_to_core(graph, core_of, passages)
    if not keep.any():
        raise GraphError(
            "nothing in the recordings can be gone on with: no transition leads back to where it came from; "
            "give more recordings, or allow transitions of worse quality"
        )
    cores = _summaries(graph, core_of, keep)
    cut_off = _cut_off(graph, core_of, keep)
    warnings = [*_thin(cores), *_separate(cores, cut_off)]
    return PrunedGraph(_restricted(graph, keep), cores, cut_off, tuple(warnings))


def _cores(graph: MotionGraph, least_share: float) -> Indices:
    """For every edge the number (E,) of the set of labels in whose core it is, -1 for none.

    If no set has a core, the largest component of the whole graph is one, with a number of its own.
    """
    core_of = np.full(graph.edge_count, -1)
    for number, recorded in enumerate(_recorded_frames(graph)):
        largest = _largest_component(graph, graph.labels == number)
        if _frames_of_recordings(graph, largest) > least_share * recorded:
            core_of[largest] = number
    if np.all(core_of < 0):
        largest = _largest_component(graph, np.ones(graph.edge_count, dtype=np.bool_))
        core_of[largest] = len(graph.label_sets)
    return core_of


def _largest_component(graph: MotionGraph, among: Flags) -> Flags:
    """Edges (E,) within that strongly connected component of a subgraph that has the most recorded frames."""
    component = strong_components(graph.node_count, graph.tails[among], graph.heads[among])
    inside = among & (component[graph.tails] == component[graph.heads])
    plain = inside & (graph.carries == PLAIN)
    if not plain.any():
        return plain
    sizes = np.bincount(component[graph.tails[plain]], weights=graph.frames[plain])
    return inside & (component[graph.tails] == np.argmax(sizes))


def _leading_from_core_to_core(graph: MotionGraph, core_of: Indices, passages: bool) -> Flags:
    """Edges (E,) that are in a core, or on a way from one to one.

    A blend of several kinds of motion must begin and end where one of them is shown: two such blends end to end
    would be a change of mind.
    """
    in_core = core_of >= 0
    blends = graph.labels >= len(graph.corpus.label_sets)
    keep = np.ones(graph.edge_count, dtype=np.bool_) if passages else in_core | blends
    homes = touched(graph.node_count, graph.tails[in_core], graph.heads[in_core])
    while True:
        tails, heads = graph.tails[keep], graph.heads[keep]
        ahead = nodes_ahead(graph.node_count, tails, heads, homes)
        behind = nodes_behind(graph.node_count, tails, heads, homes)
        shown = keep & ~blends
        stops = homes | touched(graph.node_count, graph.tails[shown], graph.heads[shown])
        fits = ~blends | (stops[graph.tails] & stops[graph.heads])
        left = keep & ahead[graph.tails] & behind[graph.heads] & fits
        if np.array_equal(left, keep):
            return keep
        keep = left


def _restricted(graph: MotionGraph, keep: Flags) -> MotionGraph:
    """The graph with only these edges, and the nodes they touch."""
    tails, heads = graph.tails[keep], graph.heads[keep]
    used = np.unique(np.concatenate([tails, heads]))
    return connect(
        graph.corpus,
        graph.transitions,
        graph.nodes[used],
        np.searchsorted(used, tails),
        np.searchsorted(used, heads),
        graph.carries[keep],
    )


def _recorded_frames(graph: MotionGraph) -> list[int]:
    """For every set of labels, how many frames were recorded that can follow another one."""
    labels, starts = graph.corpus.labels, graph.corpus.library.starts
    sets = len(graph.corpus.label_sets)
    return (np.bincount(labels, minlength=sets) - np.bincount(labels[starts], minlength=sets)).tolist()


def _usable_frames(graph: MotionGraph) -> list[int]:
    """For every set of labels, how many frames can be shown between two transitions."""
    corpus = graph.corpus
    rows, clips = np.arange(len(corpus)), corpus.library.clip_of_frame
    usable = (rows >= corpus.library.starts[clips] + graph.window) & (
        rows < corpus.library.stops[clips] - graph.window
    )
    return np.bincount(corpus.labels[usable], minlength=len(corpus.label_sets)).tolist()


def _frames_of_recordings(graph: MotionGraph, edges: Flags) -> int:
    """Frames of recordings on edges (E,)."""
    return int(graph.frames[edges & (graph.carries == PLAIN)].sum())


def _summaries(graph: MotionGraph, core_of: Indices, keep: Flags) -> tuple[LabelCore, ...]:
    return tuple(
        LabelCore(
            labels=labels,
            recorded=recorded,
            usable=usable,
            kept=_frames_of_recordings(graph, core_of == number),
            passing=_frames_of_recordings(graph, keep & (graph.labels == number) & (core_of != number)),
        )
        for number, (labels, recorded, usable) in enumerate(
            zip(graph.corpus.label_sets, _recorded_frames(graph), _usable_frames(graph), strict=True)
        )
    )


def _cut_off(graph: MotionGraph, core_of: Indices, keep: Flags) -> tuple[tuple[LabelSet, LabelSet], ...]:
    """Ordered pairs of sets that are left, of which the second cannot be reached from the first's core."""
    pairs = []
    tails, heads = graph.tails[keep], graph.heads[keep]
    recorded = range(len(graph.corpus.label_sets))
    left = [number for number in recorded if np.any(keep & (graph.labels == number))]
    for first in [number for number in recorded if np.any(core_of == number)]:
        begins = touched(graph.node_count, graph.tails[core_of == first])
        ahead = nodes_ahead(graph.node_count, tails, heads, begins)
        for second in left:
            if not ahead[graph.tails[keep & (graph.labels == second)]].any():
                pairs.append((graph.label_sets[first], graph.label_sets[second]))
    return tuple(pairs)


def _thin(cores: tuple[LabelCore, ...]) -> list[str]:
    """Warnings about motion of which little or nothing is left."""
    said = []
    for core in cores:
        name = label_text(core.labels)
        if core.kept + core.passing == 0:
            said.append(f"nothing is left of {name}: no way leads to it and on ({core.recorded} frames recorded)")
        elif core.kept == 0:
            said.append(f"{name} cannot be kept up: it is only a passage from one kind of motion to another")
        elif core.kept < WORTH_A_WARNING * core.usable:
            said.append(f"only {core.kept} of {core.usable} usable frames of {name} follow each other freely")
    return said


def _separate(cores: tuple[LabelCore, ...], cut_off: tuple[tuple[LabelSet, LabelSet], ...]) -> list[str]:
    """Warnings about motion that cannot be reached from other motion, and of motion that cannot be left at all."""
    left = [core.labels for core in cores if core.kept + core.passing > 0]
    said = [f"no way leads from {label_text(first)} to {label_text(second)}" for first, second in cut_off]
    for labels in left:
        missed = [second for first, second in cut_off if first == labels]
        if missed and len(missed) == len(left) - 1:
            said.append(f"{label_text(labels)} is a sink: once there, nothing else can follow")
    return said


def label_text(labels: LabelSet) -> str:
    """A set of labels as people read it."""
    return '"' + " + ".join(sorted(labels)) + '"' if labels else "motion without labels"
