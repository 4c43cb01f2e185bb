"""Figures about forests, against counting by hand."""

from __future__ import annotations

import importlib.util
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from walkon.trees.builders.scalable import Scalable
from walkon.trees.planting import plant
from walkon.trees.region import disc
from walkon.trees.survey import path_density, planted_poses, survey_forest


def load(*parts: str):
    path = Path(__file__).resolve().parents[3].joinpath(*parts)
    spec = importlib.util.spec_from_file_location(f"{path.stem}_for_survey", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def forest():
    """By hand, and small."""
    return load("fuzz", "fuzz_trees.py").seed_forest()


@pytest.fixture(scope="module")
def deep():
    """Grown, and many steps deep."""
    return plant(load("tests", "unit", "planning", "toys.py").drifter(), Scalable(), nodes=500, region=disc(6.0))


def naive(forest, pose):
    """Depth, length and distance of every node of a tree, and the density of its paths, one by one."""
    nodes = range(int(forest.starts[pose]), int(forest.starts[pose + 1]))
    depths, lengths, away = [], [], []
    counts = np.zeros(forest.rows * forest.columns)
    for leaf in nodes:
        node, depth, length = leaf, 0, 0.0
        while forest.parents[node] >= 0:
            step = forest.placements[node, :2] - forest.placements[forest.parents[node], :2]
            node, depth, length = forest.parents[node], depth + 1, length + float(np.hypot(*step))
        depths.append(depth)
        lengths.append(length)
        away.append(float(np.hypot(*forest.placements[leaf, :2])))
        for cell in set(forest.cells[forest.cell_starts[leaf] : forest.cell_starts[leaf + 1]].tolist()):
            counts[cell] += 1
    return depths, lengths, away, float(((counts.mean() - counts) ** 2).sum())


def check_figures(forest):
    for survey in survey_forest(forest):
        depths, lengths, away, density = naive(forest, survey.pose)
        assert survey.nodes == len(depths)
        assert survey.max_depth == max(depths)
        assert survey.mean_depth == pytest.approx(np.mean(depths))
        assert survey.longest_path == pytest.approx(max(lengths))
        assert survey.reach == pytest.approx(max(away))
        assert survey.density == pytest.approx(density)


def test_figures_are_those_of_counting(forest, deep):
    check_figures(forest)
    check_figures(deep)
    assert survey_forest(deep)[0].max_depth > 8
    assert planted_poses(forest) == [0, 2]
    surveys = survey_forest(forest)
    assert [survey.pose for survey in surveys] == [0, 2]
    walk, stand = surveys
    assert (walk.leaves, stand.leaves) == (2, 1)
    assert walk.behaviors == ((0, 3), (3, 1))
    assert (walk.longest_frames, stand.longest_frames) == (35, 27)
    assert (walk.goal_cells, walk.mean_entries, walk.max_entries) == (4, 1.0, 1)
    assert stand.goal_cells == 2
    assert walk.max_cost == 3.5


def test_a_path_with_two_points_in_a_cell_crosses_it_once(forest):
    crowded = replace(forest, cells=np.zeros_like(forest.cells))
    cells = forest.rows * forest.columns
    assert path_density(crowded, 0) == pytest.approx(naive(crowded, 0)[3])
    assert path_density(crowded, 0) == pytest.approx(16 - 16 / cells)
