"""Small corpora for the tests of motion graphs: built-in motion, and recordings where they are there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from walkon.builtin import make
from walkon.graphs import Corpus, gather_corpus
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
