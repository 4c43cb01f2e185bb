"""How different walks are."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from walkon.graphs.searching.random_walks import random_walks
from walkon.graphs.searching.variety import difference, pick_different, shared_frames

SPEC = importlib.util.spec_from_file_location("toy_graphs", Path(__file__).parents[1] / "toy_graphs.py")
toys = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(toys)


def naive_shared(one, other, frames):
    if not len(one) or not len(other):
        return 0
    if one[-1] == other[-1]:
        return frames[one[-1]] + naive_shared(one[:-1], other[:-1], frames)
    return max(naive_shared(one[:-1], other, frames), naive_shared(one, other[:-1], frames))


def test_what_is_shared_is_shared_in_order():
    rng = np.random.default_rng(0)
    frames = rng.integers(1, 9, 4)
    for _ in range(40):
        one, other = (rng.integers(0, 4, rng.integers(0, 8)) for _ in range(2))
        assert shared_frames(one, other, frames) == naive_shared(one.tolist(), other.tolist(), frames)


def test_walks_are_like_themselves_and_like_later_parts_of_themselves():
    graph = toys.toy_graph("w" * 20, "w" * 20, pairs=[(15, 8), (35, 28), (12, 30), (33, 6)])
    walk, other = random_walks(graph, 60.0, 2, seed=1)
    assert difference(walk, walk) == 0.0
    assert difference(walk, other) == difference(other, walk) > 0.0
    shifted = type(walk)(graph, int(graph.heads[walk.edges[0]]), walk.edges[1:], walk.placement)
    assert difference(walk, shifted) == pytest.approx(graph.frames[walk.edges[0]] / graph.frames[walk.edges].sum())


def test_the_first_is_always_picked_and_doubles_never():
    graph = toys.toy_graph("w" * 20, "w" * 20, pairs=[(15, 8), (35, 28), (12, 30), (33, 6)])
    walks = random_walks(graph, 10.0, 4, seed=2)
    doubled = [walks[0], walks[0], walks[1], walks[1]]
    assert pick_different(doubled, 4, least=0.0)[:2] == [0, 2]
    assert pick_different(doubled, 1) == [0]
    assert pick_different([], 3) == []
