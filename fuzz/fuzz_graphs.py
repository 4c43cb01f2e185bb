"""Feed damaged graph files to the reader: nothing but a GraphError or a graph that holds together may come out.

    python fuzz/fuzz_graphs.py --seconds 60

Whole files are damaged at random, which their seal must notice. Headers and numbers are damaged in a file that is
sealed anew, which gets past the seal and hammers what lies behind; every graph that is accepted then is walked,
with a look at every index. It makes its seed itself.
"""

from __future__ import annotations

import functools
import random
import sys
import tempfile
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))  # for tests, which load this file from elsewhere
import _runner
import _sealed

from walkon.errors import GraphError
from walkon.graphs.corpus import Corpus, number_label_sets
from walkon.graphs.file import GRAPH_FILE, parse_graph, write_graph
from walkon.graphs.graph import PLAIN, MotionGraph, assemble_graph
from walkon.graphs.transitions import Transitions
from walkon.motion import Clip, ClipLibrary, Contacts, Label
from walkon.skeleton import Skeleton

TOKENS = (
    *_runner.JSON_TOKENS,
    *(b'"<i8"', b'"|O"', b'"shape": [9999999999, 3]', b'"offset": 0', b'[0, "walk", 0, 4]'),
    *(GRAPH_FILE.magic, b"\x7f\xff\xff\xff", b"\xff\xff\xff\xff"),
)
"""Bits that graphs are made of, or should not be."""


@functools.cache
def seed_graph() -> MotionGraph:
    """Two clips of a body of two bones, three kinds of labels, and four transitions of three frames."""
    skeleton = Skeleton(["root", "arm", "tip"], [-1, 0, 1], np.eye(3), [False, False, True])
    rng = np.random.default_rng(7)
    clips = []
    for name, frames, labels in (
        ("one", 12, (Label("walk", 0, 8), Label("loud", 4, 12))),
        ("two", 14, (Label("walk", 0, 14),)),
    ):
        rotations = np.zeros((frames, 3, 4))
        rotations[..., 0] = 1.0
        planted = np.arange(2 * frames).reshape(frames, 2) % 3 == 0
        roots = rng.normal(0.0, 1.0, (frames, 3))
        contacts = Contacts(("root", "tip"), planted)
        clips.append(Clip(name, skeleton, 30.0, roots, rotations, labels=labels, contacts=contacts))
    library = ClipLibrary.build(clips)
    sets, labels = number_label_sets(library)
    tracks = rng.normal(0.0, 1.0, (26, 3))
    corpus = Corpus(library, sets, labels, np.arange(26) % 4, tracks, {"three": "has no feet"})
    sources, targets = np.array([3, 6, 15, 20]), np.array([16, 5, 10, 18])
    transitions = Transitions(3, sources, targets, np.full(4, 0.05), rng.normal(0.0, 1.0, (4, 3)))
    return assemble_graph(corpus, transitions)


@functools.cache
def seed_bytes() -> bytes:
    """The file of the seed."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "seed.graph"
        write_graph(path, seed_graph(), about={"made": "by hand"})
        return path.read_bytes()


parts = _sealed.parts


def sealed(header: bytes, arrays: bytes, *, version: int = 1) -> bytes:
    """A file with that header and those arrays, its lengths and its seal as they should be."""
    return _sealed.sealed(seed_bytes()[:16], header, arrays, version=version)


def damaged(rng: random.Random) -> bytes:
    """A damaged file: as a whole, or sealed after its header or its arrays were damaged."""
    return _sealed.damaged(seed_bytes(), rng, TOKENS, sizes=(1, 8, 8, 8), most=28)


def read_one(data: bytes) -> bool:
    """Whether a graph came out, and can be walked; anything but a GraphError passes on."""
    try:
        graph, _ = parse_graph(np.frombuffer(data, dtype=np.uint8))
    except GraphError:
        return False
    walk(graph)
    return True


def walk(graph: MotionGraph) -> None:
    """Follow every edge, frame by frame, and look at every index before it is used."""

    def at(array: np.ndarray, index: int) -> int:
        assert 0 <= index < len(array), f"{index} of {len(array)}"
        return int(array[index])

    clips = graph.corpus.library.clip_of_frame
    for node in range(graph.node_count):
        for edge in range(at(graph.offsets, node), at(graph.offsets, node + 1)):
            assert at(graph.tails, edge) == node
            begin, end = at(graph.nodes, node), at(graph.nodes, at(graph.heads, edge))
            assert graph.label_sets[at(graph.labels, edge)] is not None
            number = int(graph.carries[edge])
            if number == PLAIN:
                rows = range(begin, end + 1)
            else:
                assert at(graph.transitions.sources, number) == begin
                assert at(graph.transitions.targets, number) == end
                rows = range(begin, begin + graph.window + 1)
                assert len({at(clips, row) for row in range(end - graph.window + 1, end + 1)}) == 1
            assert len({at(clips, row) for row in rows}) == 1
            last = at(graph.trail_offsets, edge + 1)
            assert last - at(graph.trail_offsets, edge) == graph.frames[edge] > 0
            assert last <= len(graph.trails)
    assert np.isfinite(graph.moves).all()


def fuzz(*, seconds: float | None = None, count: int | None = None, seed: int = 0) -> tuple[int, int]:
    """Read damaged files for so long, or so many; how many there were and how many still were graphs."""
    return _runner.repeat(read_one, damaged, seconds=seconds, count=count, seed=seed)


if __name__ == "__main__":
    _runner.run(__doc__, read_one, damaged, "graphs and GraphErrors", good=[seed_bytes()])
