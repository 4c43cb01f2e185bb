"""What tests of trees share: the toys of the planner tests, a naive twin of lookups, and someone with trees."""

from __future__ import annotations

import importlib.util
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from walkon.behaviors import build_graph
from walkon.builtin.casts import fetch_library
from walkon.trees.builders.scalable import Scalable
from walkon.trees.planting import GridSizes, plant
from walkon.trees.region import disc
from walkon.world import PASSES

HERE = Path(__file__).parent


def load(path: Path):
    spec = importlib.util.spec_from_file_location(f"{path.stem}_for_trees", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


TOYS, TWINS = load(HERE.parent / "planning" / "toys.py"), load(HERE / "twins.py")


@pytest.fixture(scope="session")
def toys():
    """Small worlds and libraries, and a naive judge of plans."""
    return TOYS


@pytest.fixture(scope="session")
def twins():
    """Lookups the naive way."""
    return TWINS


@pytest.fixture(scope="session")
def human():
    """The graph of the first of the built-in people."""
    return build_graph(fetch_library("human", 0)).customized({}, without=["gesture"])


@pytest.fixture(scope="session")
def grove(human):
    """Small trees of hers, with all that she can pass: few enough for a look at every node."""
    return plant(
        human,
        Scalable(),
        nodes=1000,
        region=disc(4.5),
        poses=["walk", "stand"],
        seed=3,
        passes=PASSES,
        grids=GridSizes(overlap=0.6),
    )


def varied_graph(clips: int = 12):
    """Four behaviors of one pose and one that leads to another and back, all with more clips than a search draws,
    no two alike."""
    random = np.random.default_rng(2)
    kinds = [
        ("forward", "locomotion", "stand", "stand", 0.0, 1.0),
        ("left", "locomotion", "stand", "stand", 0.6, 1.1),
        ("right", "locomotion", "stand", "stand", -0.7, 1.2),
        ("set off", "locomotion", "stand", "run", 0.1, 1.4),
        ("run", "locomotion", "run", "run", 0.2, 1.9),
        ("stop", "locomotion", "run", "stand", -0.2, 1.5),
        ("wait", "wait", "stand", "stand", 0.0, 0.0),
    ]
    moves = []
    for name, kind, entry, leaving, turn, length in kinds:
        for _ in range(clips):
            bend = turn + random.uniform(0.01, 0.15) if length else 0.0
            far = length + random.uniform(0.0, 0.3) if length else 0.0
            place = (
                ((1 - np.cos(bend)) / bend * far, np.sin(bend) / bend * far, bend) if length else (0.0, 0.0, 0.0)
            )
            moves.append((name, kind, entry, leaving, place, int(random.integers(8, 14)), 1.0))
    single = TOYS.make_graph(moves)
    firsts = np.arange(len(kinds)) * clips
    entry = single.entry[firsts]
    rows = [np.flatnonzero(entry == pose) for pose in range(len(single.poses))]
    return replace(
        single,
        entry=entry,
        exit=single.exit[firsts],
        kinds=single.kinds[firsts],
        allowed=np.ones(len(kinds), dtype=bool),
        follower_starts=np.concatenate([[0], np.cumsum([len(row) for row in rows])]),
        followers=np.concatenate(rows),
        costs=single.costs[firsts],
        clip_starts=np.arange(len(kinds) + 1) * clips,
    )


@pytest.fixture(scope="session")
def varied():
    """A graph with many clips for each behavior, of which different draws have others."""
    return varied_graph()
