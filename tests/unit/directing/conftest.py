"""Motion graphs to direct on: toys made by hand, a session of built-in motion, and recordings."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType

import pytest

from walkon.graphs import MotionGraph, assemble_graph, gather_corpus
from walkon.graphs.choosing.quality import measure_quality
from walkon.graphs.choosing.thresholds import choose_transitions
from walkon.graphs.comparing.minima import as_transitions, find_minima
from walkon.graphs.pruning import prune
from walkon.motion import Clip, read_clip

SCENES = ("walk_about_1", "stop_and_go_1", "stop_and_go_2", "jumps", "greetings", "walk_and_run_1")


@pytest.fixture(scope="session")
def toys() -> ModuleType:
    """The toy graphs that the tests of graphs use."""
    path = Path(__file__).resolve().parents[1] / "graphs" / "toy_graphs.py"
    spec = importlib.util.spec_from_file_location("toy_graphs", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def build_graph(clips: Sequence[Clip]) -> MotionGraph:
    """The graph that is built without help."""
    corpus = gather_corpus(clips)
    candidates = as_transitions(corpus, find_minima(corpus, limit=0.15))
    chosen = choose_transitions(corpus, candidates, measure_quality(corpus, candidates))
    return prune(assemble_graph(corpus, chosen.transitions)).graph


@pytest.fixture(scope="session")
def graph_of() -> Callable[[Sequence[Clip]], MotionGraph]:
    """Makes the graph of clips."""
    return build_graph


@pytest.fixture(scope="session")
def session_graph(session_of: Callable[[int], dict[str, Clip]]) -> MotionGraph:
    """Some of the clips of a session: built-in motion with the labels stand, walk, run, jump, wave and cheer."""
    return build_graph([clip for name, clip in session_of(0).items() if name in SCENES])


@pytest.fixture(scope="session")
def recorded_graph(mocap: Path) -> MotionGraph:
    """All recordings of subject 16, who walks, runs, turns, stops and jumps; labelled by how the body moves."""
    return build_graph([read_clip(path) for path in sorted((mocap / "cmu" / "bvh").glob("16_*.bvh"))])
