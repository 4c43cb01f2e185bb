"""Recordings in, graph out: whole, incremental, and after a kill in the middle as if nothing had happened."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from walkon.errors import GraphError
from walkon.graphs.building import GROUNDS, Built, build_motion_graph
from walkon.graphs.comparing import clips as comparing
from walkon.graphs.corpus import MIRRORED
from walkon.graphs.file import read_graph, write_graph
from walkon.graphs.graph import MotionGraph
from walkon.motion import Clip, crop, read_clip, write_clip_file

CHEN = (12, 14, 18, 19, 31, 34, 47, 58, 8, 36, 38, 40, 42, 44, 46, 56)
"""Recordings of subject 16 in Chen's tables 3.1 (walks) and 4.2 (runs)."""

WALK, RUN = frozenset({"walk"}), frozenset({"run"})


@pytest.fixture(scope="module")
def clips(session_of) -> list[Clip]:
    """A recording session, cut into pieces of some seconds."""
    pieces = []
    for clip in session_of(0).values():
        for number, start in enumerate(range(0, len(clip) - 149, 150)):
            pieces.append(crop(clip, start, start + 150).with_changes(name=f"{clip.name}{number}"))
    return pieces[:8]


@pytest.fixture(scope="module")
def built(clips) -> Built:
    return build_motion_graph(clips)


def assert_same(one: MotionGraph, other: MotionGraph) -> None:
    for ours, theirs in ((one, other), (one.transitions, other.transitions)):
        for field in fields(ours):
            a, b = getattr(ours, field.name), getattr(theirs, field.name)
            if isinstance(a, np.ndarray):
                assert np.array_equal(a, b), field.name
    assert np.array_equal(one.corpus.library.rotations, other.corpus.library.rotations)
    assert one.label_sets == other.label_sets


def random_walks_end(graph: MotionGraph, walks: int, seconds: float) -> int:
    """How many random walks come to a dead end."""
    rng = np.random.default_rng(0)
    nodes, left = rng.integers(0, graph.node_count, walks), np.full(walks, seconds * graph.fps)
    degrees, dead = np.diff(graph.offsets), 0
    while (left > 0).any():
        going = np.flatnonzero(left > 0)
        stuck = degrees[nodes[going]] == 0
        dead, left[going[stuck]] = dead + int(stuck.sum()), 0
        going = going[~stuck]
        edges = graph.offsets[nodes[going]] + (rng.random(len(going)) * degrees[nodes[going]]).astype(int)
        nodes[going], left[going] = graph.heads[edges], left[going] - graph.frames[edges]
    return dead


def assert_reach_each_other(built: Built, *sets: frozenset[str]) -> None:
    kept = {core.labels: core.kept for core in built.pruned.cores}
    for labels in sets:
        assert kept[labels] > 0
    for first in sets:
        for second in sets:
            assert (first, second) not in built.pruned.cut_off


def test_a_session_becomes_a_graph_without_hand_work(built, clips):
    assert len(built.corpus.library) == len(clips)
    assert built.candidates > len(built.chosen.transitions) >= len(built.graph.transitions) > 0
    assert built.compared == len(clips) * (len(clips) + 1) // 2
    assert random_walks_end(built.graph, 200, 60.0) == 0
    assert built.statistics.nodes == built.graph.node_count
    assert built.statistics.rows_used > 0.3 * built.statistics.rows


def test_a_built_graph_survives_its_file(built, tmp_path):
    write_graph(tmp_path / "a.graph", built.graph)
    assert_same(read_graph(tmp_path / "a.graph"), built.graph)


def test_mirror_images_make_more_of_it(built, clips):
    doubled = build_motion_graph(clips[:3], mirrored=True)
    assert [name.endswith(MIRRORED) for name in doubled.corpus.library.names] == [False] * 3 + [True] * 3
    assert doubled.graph.edge_count > 0


def test_a_store_changes_nothing_and_is_used(built, clips, tmp_path):
    first = build_motion_graph(clips, store=tmp_path)
    assert_same(first.graph, built.graph)
    again = build_motion_graph(clips, store=tmp_path)
    assert (again.compared, again.known) == (0, first.compared)
    assert_same(again.graph, built.graph)


def test_adding_a_clip_compares_only_its_pairs(clips, tmp_path):
    build_motion_graph(clips[:-1], store=tmp_path)
    grown = build_motion_graph(clips, store=tmp_path)
    assert (grown.compared, grown.known) == (len(clips), len(clips) * (len(clips) - 1) // 2)
    assert grown.corpus.library.names[-1] == clips[-1].name
    assert random_walks_end(grown.graph, 100, 30.0) == 0


def test_floors_that_cannot_be_are_forgotten(clips, tmp_path):
    for content in ("{", "[]", '{"a": {"turn": [1, 0, 0], "height": 0, "frames": 3}}', '{"a": 7}'):
        (tmp_path / GROUNDS).write_text(content)
        built = build_motion_graph(clips[:2], store=tmp_path)
        assert built.graph.edge_count > 0
        assert "a" not in json.loads((tmp_path / GROUNDS).read_text())


def test_progress_is_told_by_what_is_done(clips):
    told: list[tuple[str, int, int]] = []
    build_motion_graph(clips[:3], progress=lambda *what: told.append(what))
    names = list(dict.fromkeys(what for what, _, _ in told))
    assert names == ["clips made ready", "clips compared", "transitions blended"]
    assert all(told[-1 - number][1] <= told[-1 - number][2] for number in range(len(told)))


def test_a_clip_that_nothing_leads_back_to_is_an_error(clips):
    with pytest.raises(GraphError, match="can be gone on with"):
        build_motion_graph([crop(clips[0], 0, 24)])


KILLED = """
import sys, time
from pathlib import Path
from walkon.graphs.comparing import clips as comparing
from walkon.graphs.building import build_motion_graph
from walkon.graphs.comparing.minima_store import MinimaStore
from walkon.motion import read_clip

comparing.STRIPE = 300
folder = Path(sys.argv[1])
keep, kept = MinimaStore.keep, []

def slowly(*args):
    if len(kept) == 2:
        print("two stripes are kept", flush=True)
        time.sleep(60)
    keep(*args)
    kept.append(1)

MinimaStore.keep = slowly
clips = [read_clip(path) for path in sorted(folder.glob("*.clip"))]
build_motion_graph(clips, store=folder / "store")
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="nobody can be killed here")
def test_after_a_kill_only_the_rest_is_done_and_the_graph_is_the_same(clips, built, tmp_path, monkeypatch):
    for number, clip in enumerate(clips):
        write_clip_file(tmp_path / f"{number:02}.clip", clip)
    source = str(Path(comparing.__file__).parents[3])
    child = subprocess.Popen(
        [sys.executable, "-c", KILLED, str(tmp_path)],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": source},
    )
    try:
        assert child.stdout is not None
        assert child.stdout.readline() == b"two stripes are kept\n"
    finally:
        child.kill()
        child.wait()
    assert len(list((tmp_path / "store").rglob("*.minima"))) == 2
    monkeypatch.setattr(comparing, "STRIPE", 300)
    searched = []
    real = comparing.find_minima

    def counting(*args, pairs, **options):
        searched.extend(pairs)
        return real(*args, pairs=pairs, **options)

    monkeypatch.setattr(comparing, "find_minima", counting)
    read = [read_clip(path) for path in sorted(tmp_path.glob("*.clip"))]
    again = build_motion_graph(read, store=tmp_path / "store")
    assert again.known > 0
    assert again.compared == len(searched)
    assert again.known + again.compared == built.compared
    assert_same(again.graph, built.graph)


def test_chens_recordings_are_one_piece_for_walking_and_one_for_running(mocap):
    clips = [read_clip(mocap / "cmu" / "bvh" / f"16_{number:02}.bvh") for number in sorted(CHEN)]
    built = build_motion_graph(clips)
    assert_reach_each_other(built, WALK, RUN)
    assert random_walks_end(built.graph, 1000, 60.0) == 0
