"""Motion graphs of people who walk and run, and ways through them, for tests of what walks look like."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from walkon.builtin import make_run, make_walk
from walkon.graphs.choosing.quality import measure_quality
from walkon.graphs.choosing.thresholds import Chosen, choose_transitions
from walkon.graphs.comparing.minima import as_transitions, find_minima
from walkon.graphs.corpus import Corpus, gather_corpus
from walkon.graphs.graph import MotionGraph, assemble_graph
from walkon.graphs.performing.walks import Walk
from walkon.graphs.pruning import prune
from walkon.motion import Clip, read_clip
from walkon.rotations import Placement

WALKS = ("12", "14", "18", "19", "31", "34", "47", "58")
RUNS = ("08", "36", "38", "40", "42", "44", "46", "56")


def built_in_clips() -> list[Clip]:
    """People who walk and run straight ahead at several speeds."""
    walks = [make_walk(speed=speed, cycles=3).with_changes(name=f"walk {speed}") for speed in (1.0, 1.3, 1.6)]
    return [*walks, *(make_run(speed=speed, cycles=3).with_changes(name=f"run {speed}") for speed in (2.4, 3.0))]


def recorded_clips(mocap: Path, trials: Sequence[str] = (*WALKS, *RUNS)) -> list[Clip]:
    """The walks and runs of Chen's tables 3.1 and 4.2."""
    return [read_clip(mocap / "cmu" / "bvh" / f"16_{trial}.bvh") for trial in trials]


def choose(corpus: Corpus) -> Chosen:
    """The transitions that we choose without help."""
    candidates = as_transitions(corpus, find_minima(corpus))
    return choose_transitions(corpus, candidates, measure_quality(corpus, candidates))


def graph_of(clips: Sequence[Clip]) -> tuple[MotionGraph, Chosen]:
    """The pruned graph of clips, and how its transitions were chosen."""
    corpus = gather_corpus(clips)
    chosen = choose(corpus)
    return prune(assemble_graph(corpus, chosen.transitions)).graph, chosen


def stroll(graph: MotionGraph, seed: int, seconds: float, placement: Placement | None = None) -> Walk:
    """A walk that goes anywhere, and changes over whenever it can."""
    rng = np.random.default_rng(seed)
    start = node = int(rng.integers(graph.node_count))
    edges: list[int] = []
    frames = 1
    while frames < seconds * graph.fps:
        edge = int(rng.choice(graph.leaving(node)))
        edges.append(edge)
        frames += int(graph.frames[edge])
        node = int(graph.heads[edge])
    return Walk(graph, start, np.array(edges, dtype=np.int64), placement or Placement(1.0, -2.0, 0.7))
