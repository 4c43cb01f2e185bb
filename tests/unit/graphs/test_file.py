"""A graph file gives back exactly what was written, or says what is wrong with it."""

from __future__ import annotations

import importlib.util
import json
from dataclasses import fields, replace
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from walkon.builtin import make
from walkon.errors import GraphError
from walkon.graphs import file as graph_file
from walkon.graphs.corpus import gather_corpus
from walkon.graphs.file import parse_graph, read_about, read_graph, write_graph
from walkon.graphs.graph import MotionGraph, assemble_graph
from walkon.graphs.transitions import Transitions, no_transitions
from walkon.motion import write_clip_file

MUTATIONS = 1500


@pytest.fixture(scope="module")
def fuzz() -> ModuleType:
    """The fuzz target, which is a script, and has a small graph."""
    path = Path(__file__).resolve().parents[3] / "fuzz" / "fuzz_graphs.py"
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def graph(fuzz) -> MotionGraph:
    return fuzz.seed_graph()


@pytest.fixture(scope="module")
def data(fuzz) -> bytes:
    return fuzz.seed_bytes()


def parsed(data: bytes) -> MotionGraph:
    return parse_graph(np.frombuffer(data, dtype=np.uint8))[0]


def assert_same(one: MotionGraph, other: MotionGraph) -> None:
    for ours, theirs in ((one, other), (one.corpus, other.corpus), (one.transitions, other.transitions)):
        for field in fields(ours):
            a, b = getattr(ours, field.name), getattr(theirs, field.name)
            if isinstance(a, np.ndarray):
                assert (a.dtype, a.shape, a.tobytes()) == (b.dtype, b.shape, b.tobytes()), field.name
            elif field.name not in ("corpus", "transitions", "library"):
                assert a == b, field.name
    ours, theirs = one.corpus.library, other.corpus.library
    assert (ours.names, ours.fps, ours.skeleton.names) == (theirs.names, theirs.fps, theirs.skeleton.names)
    assert np.array_equal(ours.skeleton.tips, theirs.skeleton.tips)
    assert ours.skeleton.matches(theirs.skeleton, 0.0)
    for name in ("starts", "stops", "root_positions", "rotations", "positions"):
        assert np.array_equal(getattr(ours, name), getattr(theirs, name)), name
    for a, b in zip(ours, theirs, strict=True):
        assert (a.labels, a.contacts.joints) == (b.labels, b.contacts.joints)
        assert np.array_equal(a.contacts.planted, b.contacts.planted)


def test_everything_comes_back_bit_for_bit(graph, tmp_path):
    write_graph(tmp_path / "a.graph", graph, about={"made": "by hand", "größe": "klein"})
    assert_same(read_graph(tmp_path / "a.graph"), graph)
    assert read_about(tmp_path / "a.graph") == {"made": "by hand", "größe": "klein"}
    write_graph(tmp_path / "b.graph", read_graph(tmp_path / "a.graph"), about=read_about(tmp_path / "a.graph"))
    assert (tmp_path / "b.graph").read_bytes() == (tmp_path / "a.graph").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.graph", "b.graph"]


def test_a_graph_of_whole_clips_comes_back_and_the_recordings_may_go(tmp_path):
    corpus = gather_corpus([make("walk", fps=60.0), make("run")], mirrored=True)
    rows = corpus.library.starts
    pairs = np.array([[rows[0] + 20, rows[1] + 15], [rows[1] + 25, rows[0] + 12]])
    transitions = Transitions(10, pairs[:, 0], pairs[:, 1], np.array([0.1, 0.2]), np.ones((2, 3)))
    graph = assemble_graph(corpus, transitions)
    write_graph(tmp_path / "a.graph", graph)
    assert_same(read_graph(tmp_path / "a.graph"), graph)
    empty = assemble_graph(corpus, no_transitions(10))
    write_graph(tmp_path / "b.graph", empty)
    assert_same(read_graph(tmp_path / "b.graph"), empty)


def test_messages_name_the_file(tmp_path):
    path = tmp_path / "gone.graph"
    with pytest.raises(GraphError, match=r"gone\.graph: No such file"):
        read_graph(path)
    write_clip_file(path, make("walk"))
    with pytest.raises(GraphError, match=r"gone\.graph: this is no motion graph"):
        read_graph(path)


def described(fuzz, data: bytes, change) -> bytes:
    """A file whose header was changed by someone who knows how to seal it; arrays stay where they are."""
    header, arrays = fuzz.parts(data)
    record = json.loads(header)
    change(record)
    return fuzz.sealed(json.dumps(record, indent=1).encode().ljust(len(header)), arrays)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda r: r["arrays"]["heads"].update(dtype="<f8"), "heads holds '<f8', expected <i8"),
        (lambda r: r["arrays"].pop("carries"), "the arrays should be"),
        (lambda r: r["settings"].pop("fps"), "the settings should be"),
        (lambda r: r.update(settings=[]), "the settings should be"),
        (lambda r: r["settings"].update(fps=0), "fps should be a positive number"),
        (lambda r: r["settings"].update(fps=True), "fps should be"),
        (lambda r: r["settings"].update(window=0), "window should be a whole number from 1"),
        (lambda r: r["settings"].update(window=10**6), "window should be"),
        (lambda r: r["settings"].update(window=3.0), "window should be"),
        (lambda r: r["settings"].update(window=9), "beyond the ends"),
        (lambda r: r["settings"].update(clips=["one"]), "do not fit together"),
        (lambda r: r["settings"].update(clips=[]), "do not fit together"),
        (lambda r: r["settings"].update(clips=["a", "a"]), "two clips are called 'a'"),
        (lambda r: r["settings"].update(clips="ab"), "clips should be a list"),
        (lambda r: r["settings"].update(joints=["a", "b"]), r"parents is \(3,\), expected \(2,\)"),
        (lambda r: r["settings"].update(joints=["a", "b", "b"]), "unique"),
        (lambda r: r["settings"].update(contacts=["a"]), "planted is"),
        (lambda r: r["settings"]["labels"].append([2, "x", 0, 1]), "the clip of a label"),
        (lambda r: r["settings"]["labels"].append([0, "x", 0, 99]), "its end should be"),
        (lambda r: r["settings"]["labels"].append([0, "x", 5, 5]), "its end should be"),
        (lambda r: r["settings"]["labels"].append([0, 7, 0, 1]), "a label should be"),
        (lambda r: r["settings"].update(labels={}), "labels should be a list"),
        (lambda r: r["settings"].update(labels=[[0, "y", 1, 5]]), "the same labels"),
        (lambda r: r["settings"].update(failed=[]), "failed should be texts"),
        (lambda r: r["settings"].update(about={"a": 1}), "about should be texts"),
    ],
)
def test_headers_that_lie_are_found_out(fuzz, data, change, said):
    with pytest.raises(GraphError, match=said):
        parsed(described(fuzz, data, change))


def place_of(fuzz, data: bytes, name: str) -> int:
    """Where an array begins among the arrays."""
    header, _ = fuzz.parts(data)
    listed = json.loads(header)["arrays"]
    return listed[name]["offset"] - listed["parents"]["offset"]


@pytest.mark.parametrize(
    ("name", "number", "value", "said"),
    [
        ("parents", 1, 2, "before its parent"),
        ("offsets", 0, np.nan, "finite"),
        ("tips", 0, 2, "other than 0 and 1"),
        ("lengths", 0, 11, "frames together"),
        ("lengths", 0, 2**62, "do not fit together"),
        ("root_positions", 4, np.inf, "not finite"),
        ("rotations", 0, 2.0, "not unit"),
        ("planted", 3, 9, "other than 0 and 1"),
        ("supports", 3, -1, "supports"),
        ("tracks", 3, np.nan, "tracks lead out"),
        ("alignments", 3, 1e300, "alignments lead out"),
        ("distances", 0, np.nan, "finite"),
        ("sources", 0, 11, "beyond the ends"),
        ("targets", 0, 13, "beyond the ends"),
        ("nodes", 0, -1, "choice points"),
        ("nodes", 1, 25, "choice points"),
        ("heads", 0, 99, "not there"),
        ("carries", 0, 99, "not there"),
        ("tails", 0, 5, "recording"),
    ],
)
def test_numbers_that_lead_nowhere_are_found_out(fuzz, data, name, number, value, said):
    header, arrays = fuzz.parts(data)
    dtype = np.dtype(graph_file.GRAPH_ARRAYS[name])
    body, place = bytearray(arrays), place_of(fuzz, data, name) + number * dtype.itemsize
    body[place : place + dtype.itemsize] = np.array([value]).astype(dtype).tobytes()
    with pytest.raises(GraphError, match=said):
        parsed(fuzz.sealed(header, bytes(body)))


def test_labels_that_clips_do_not_know_are_not_written(graph, tmp_path):
    corpus = replace(graph.corpus, label_sets=graph.corpus.label_sets[::-1])
    with pytest.raises(GraphError, match="not those of the clips"):
        write_graph(tmp_path / "a.graph", replace(graph, corpus=corpus))
    assert not list(tmp_path.iterdir())


def test_more_labels_than_can_be_told_apart_are_neither_written_nor_read(graph, tmp_path, monkeypatch):
    write_graph(tmp_path / "a.graph", graph)
    monkeypatch.setattr(graph_file, "MOST_LABELS", 1)
    with pytest.raises(GraphError, match="more than"):
        write_graph(tmp_path / "b.graph", graph)
    with pytest.raises(GraphError, match="more than"):
        read_graph(tmp_path / "a.graph")


def test_hundreds_of_damaged_files_give_nothing_but_graph_errors_and_graphs_that_can_be_walked(fuzz):
    done, good = fuzz.fuzz(count=MUTATIONS, seed=4)
    assert done == MUTATIONS
    assert 0 < good < 0.3 * MUTATIONS


def test_the_walk_of_the_fuzz_target_notices_a_wrong_index(fuzz, graph):
    for name, place, value in (("heads", 0, 99), ("offsets", 1, 2), ("nodes", 2, 11), ("trail_offsets", 1, 1)):
        wrong = getattr(graph, name).copy()
        wrong[place] = value
        with pytest.raises(AssertionError):
            fuzz.walk(replace(graph, **{name: wrong}))
