"""Motion graphs as rings and circles: recordings at their places, transitions from source to target."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from walkon.builtin import make
from walkon.errors import RenderError
from walkon.graphs import Transitions, assemble_graph, gather_corpus
from walkon.graphs.graph import PLAIN, connect
from walkon.motion import Label
from walkon.render import graph_ring
from walkon.render.graph_plots import draw_graph
from walkon.render.graph_ring import THICK, Ring, draw_ring
from walkon.render.graph_schema import draw_schema
from walkon.render.label_colours import KNOWN
from walkon.render.page import Page
from walkon.render.palette import PAPER

WINDOW = 5


@pytest.fixture(scope="module")
def graph():
    """A walk and a run, and a few ways between and within them; nobody has looked whether they are good."""
    clips = [make(name, cycles=4) for name in ("walk", "run")]
    clips = [clip.with_changes(labels=(Label(clip.name, 0, len(clip)),)) for clip in clips]
    corpus = gather_corpus(clips)
    first, second = corpus.library.starts
    pairs = [
        (first + 20, second + 30),
        (first + 40, first + 90),
        (second + 40, first + 30),
        (second + 60, second + 20),
    ]
    sources, targets = (np.array(column) for column in zip(*sorted(pairs), strict=True))
    return assemble_graph(corpus, Transitions(WINDOW, sources, targets, np.full(4, 0.03), np.zeros((4, 3))))


def pixels(path):
    return np.asarray(Image.open(path).convert("RGB")).astype(int)


def test_recordings_go_around_the_ring_with_gaps_between_them(graph):
    ring = Ring(graph, (300.0, 300.0), 200.0)
    angles = ring.angles(np.arange(len(graph.corpus)))
    steps = np.diff(angles)
    assert (steps > 0.0).all()
    assert angles[-1] < 2.0 * np.pi
    change = int(graph.corpus.library.starts[1]) - 1
    assert steps[change] == pytest.approx(np.median(steps) + 2.0 * np.pi * graph_ring.RIM_GAP)
    np.testing.assert_allclose(ring.points(np.array(0.0), 200.0), (300.0, 100.0), atol=1e-9)
    np.testing.assert_allclose(ring.points(np.array(0.5 * np.pi), 200.0), (500.0, 300.0), atol=1e-9)


def test_the_rim_has_the_colours_of_what_is_done_and_what_is_not_in_use_is_pale(graph):
    page = Page(600, 600)
    draw_ring(page, graph, (300.0, 300.0), 200.0)
    picture = page.picture().astype(int)
    ring = Ring(graph, (300.0, 300.0), 200.0)

    def rim(row):
        x, y = ring.points(ring.angles(np.array(row)), 200.0 + 0.5 * THICK)
        return picture[round(y), round(x)]

    starts = graph.corpus.library.starts
    np.testing.assert_allclose(rim(starts[0] + 50), KNOWN["walk"], atol=4)
    np.testing.assert_allclose(rim(starts[1] + 50), KNOWN["run"], atol=4)
    kept = (graph.carries != PLAIN) | (graph.nodes[graph.heads] <= starts[0] + 60)
    fewer = connect(
        graph.corpus, graph.transitions, graph.nodes, *(a[kept] for a in (graph.tails, graph.heads, graph.carries))
    )
    page = Page(600, 600)
    draw_ring(page, fewer, (300.0, 300.0), 200.0)
    picture = page.picture().astype(int)
    assert np.abs(rim(starts[1] + 50) - KNOWN["run"]).max() > 40
    np.testing.assert_allclose(rim(starts[0] + 30), KNOWN["walk"], atol=4)


def test_of_many_transitions_some_are_drawn(graph, monkeypatch):
    monkeypatch.setattr(graph_ring, "MOST_DRAWN", 2)
    assert draw_ring(Page(600, 600), graph, (300.0, 300.0), 200.0) == 2


def test_kinds_of_motion_are_circles_with_arrows_between(graph):
    page = Page(600, 400)
    draw_schema(page, graph, (300.0, 200.0), 120.0)
    picture = page.picture()
    for name in ("walk", "run"):
        assert (np.abs(picture.astype(int) - KNOWN[name]).max(axis=2) < 4).sum() > 1500
    lonely = Page(600, 400)
    only = assemble_graph(gather_corpus([make("walk", cycles=4)]), Transitions(
        WINDOW, np.zeros(0, int), np.zeros(0, int), np.zeros(0), np.zeros((0, 3))))  # fmt: skip
    draw_schema(lonely, only, (300.0, 200.0), 120.0)
    assert (lonely.picture()[200, 300] != PAPER).any()


def test_the_whole_picture_has_the_size_asked_for(graph, tmp_path):
    draw_graph(graph, tmp_path / "a.png", width=1000)
    picture = pixels(tmp_path / "a.png")
    assert picture.shape[1] == 1000
    assert (np.abs(picture - KNOWN["run"]).max(axis=2) < 4).sum() > 1000
    with pytest.raises(RenderError, match="900 pixels"):
        draw_graph(graph, tmp_path / "b.png", width=300)
