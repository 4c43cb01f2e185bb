"""Surfaces of the clips of a graph: its transitions are marked where they are, and large ones are pooled."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from walkon.builtin import make
from walkon.errors import ClipError, RenderError
from walkon.graphs import assemble_graph, gather_corpus
from walkon.graphs.comparing.metrics import build_metric
from walkon.graphs.comparing.minima import as_transitions, find_minima
from walkon.graphs.comparing.surface import distance_surface
from walkon.render import clip_surfaces
from walkon.render.clip_surfaces import _minima, _pooled, _rows, draw_clip_surface


@pytest.fixture(scope="module")
def graph():
    """A walk and a slower one, with every other of the transitions there could be."""
    clips = [make("walk", cycles=4), make("walk", cycles=4, speed=1.1).with_changes(name="slow")]
    corpus = gather_corpus(clips)
    found = as_transitions(corpus, find_minima(corpus))
    return assemble_graph(corpus, found.subset(np.arange(0, len(found), 2)))


def test_minima_are_marked_as_kept_where_the_graph_has_a_transition(graph):
    clips = ("walk", "slow")
    rows, columns = (_rows(graph, name) for name in clips)
    starts, kept = _minima(graph, build_metric(graph.corpus), clips, rows, columns)
    assert len(starts) > len(np.flatnonzero(kept)) > 0
    known = {
        frozenset((int(source) + 1, int(target) - graph.window + 1))
        for source, target in zip(graph.transitions.sources, graph.transitions.targets, strict=True)
    }
    for (across, up), stays in zip(starts, kept, strict=True):
        pair = frozenset((int(across) + rows.start, int(up) + columns.start))
        assert (pair in known) == bool(stays)


def test_surfaces_are_drawn_of_two_clips_and_of_all(graph, tmp_path):
    for name, clips, metric in (("a", ("slow", "walk"), "points"), ("b", ("all", "all"), "angles")):
        draw_clip_surface(graph, clips, tmp_path / f"{name}.png", metric=metric, width=500)
        assert Image.open(tmp_path / f"{name}.png").width == 500
    starts, kept = _minima(graph, build_metric(graph.corpus), ("all", "all"), *[_rows(graph, "all")] * 2)
    assert kept.all()
    assert len(starts) >= len(graph.transitions)


def test_cells_of_large_surfaces_are_as_low_as_their_lowest_entry(graph, monkeypatch):
    metric = build_metric(graph.corpus)
    rows = _rows(graph, "all")
    whole = distance_surface(metric, rows, rows)
    np.testing.assert_array_equal(_pooled(metric, rows, rows), whole)
    monkeypatch.setattr(clip_surfaces, "CELLS", 50)
    monkeypatch.setattr(clip_surfaces, "BAND", 32)
    step = -(-len(graph.corpus) // 50)
    pooled = _pooled(metric, rows, rows)
    assert max(pooled.shape) <= 50
    for i, j in ((0, 0), (7, 31), (pooled.shape[0] - 1, 2)):
        block = whole[i * step : (i + 1) * step, j * step : (j + 1) * step]
        assert pooled[i, j] == block.min()


def test_what_is_not_there_or_too_large_is_said(graph, tmp_path, monkeypatch):
    with pytest.raises(ClipError, match="no clip 'sneak'"):
        draw_clip_surface(graph, ("sneak", "walk"), tmp_path / "a.png")
    monkeypatch.setattr(clip_surfaces, "MOST_SURFACE_ROWS", 10)
    with pytest.raises(RenderError, match="name two clips"):
        draw_clip_surface(graph, ("all", "walk"), tmp_path / "a.png")
