"""Small corpora for the tests of motion graphs: built-in motion, and recordings where they are there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from walkon.builtin import make
from walkon.builtin.casts import fetch_library
from walkon.builtin.performer import Performer
from walkon.builtin.session import ERRANDS, WANDERS, run_errands, wander
from walkon.graphs import Corpus, MotionGraph, assemble_graph, gather_corpus
from walkon.graphs.comparing.minima import as_transitions, find_minima
from walkon.graphs.pruning import prune
from walkon.motion import Clip, ClipLibrary, read_clip


@pytest.fixture(scope="session")
def little_corpus() -> Corpus:
    """A walk, a faster walk, a run and a jump."""
    clips = [make("walk"), make("walk", speed=1.7).with_changes(name="brisk"), make("run"), make("jump")]
    return gather_corpus(clips)


@pytest.fixture(scope="session")
def recorded_corpus(mocap: Path) -> Corpus:
    """Two walks and a run of subject 16."""
    return gather_corpus([read_clip(mocap / "cmu" / "bvh" / f"16_{trial}.bvh") for trial in ("12", "31", "36")])


@pytest.fixture(scope="session")
def corpus_of() -> Callable[[Sequence[Clip]], Corpus]:
    """Makes a corpus of clips as they are: `gather_corpus` levels the floor under all of them together."""

    def lay_out(clips: Sequence[Clip]) -> Corpus:
        library = ClipLibrary.build(clips)
        nothing = np.zeros(library.frame_count, np.int64)
        return Corpus(library, (frozenset(),), nothing, nothing, np.zeros((library.frame_count, 3)), {})

    return lay_out


@pytest.fixture(scope="session")
def wander_graph() -> MotionGraph:
    """Somebody walks about, walks and runs, and stops and goes; with enough transitions to go anywhere."""
    performer = Performer(0)
    clips = [wander(performer, name, WANDERS[name]) for name in ("walk_about_1", "walk_slowly", "walk_and_run_2")]
    clips.append(run_errands(fetch_library("human", 0), "stop_and_go_1", ERRANDS["stop_and_go_1"].split()))
    corpus = gather_corpus(clips)
    minima = find_minima(corpus, limit=0.06, workers=1)
    return prune(assemble_graph(corpus, as_transitions(corpus, minima))).graph
