"""Precomputed trees from above: what is drawn is where the nodes are, the way ahead up the page."""

from __future__ import annotations

import importlib.util
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from walkon.errors import RenderError
from walkon.render import draw_forest_frequency, draw_forest_paths, forest_plots
from walkon.render.forest_view import TreeView
from walkon.render.page import LARGER
from walkon.render.palette import PAPER
from walkon.render.search_trees import COLD_TO_HOT, cost_colours
from walkon.trees.builders.scalable import Scalable
from walkon.trees.planting import plant
from walkon.trees.region import half_disc
from walkon.trees.survey import planted_poses

TOYS = Path(__file__).resolve().parents[1] / "planning" / "toys.py"


@pytest.fixture(scope="module")
def graph():
    spec = importlib.util.spec_from_file_location("toys_for_plots", TOYS)
    toys = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(toys)
    return toys.drifter()


@pytest.fixture(scope="module")
def forest(graph):
    return plant(graph, Scalable(), nodes=400, region=half_disc(5.0))


def read(path) -> np.ndarray:
    with Image.open(path) as image:
        return np.asarray(image.convert("RGB")).astype(int)


def pixels_at(path, forest, places: np.ndarray, width: int, cell: float = 0.2) -> np.ndarray:
    """Colours (K, 3) of a picture of one panel at places (K, 2) of the tree."""
    bounds = forest_plots._bounds(forest_plots._panels(forest, None, ()), cell)
    columns, rows = (TreeView(bounds, width).pixels(-places) / LARGER).astype(int).T
    return read(path)[rows, columns]


def coloured(pixels: np.ndarray) -> np.ndarray:
    """Whether pixels (K, 3) are neither paper nor ink."""
    return np.ptp(pixels, axis=-1) > 25


def test_cells_are_coloured_where_paths_end_and_nowhere_else(forest, tmp_path):
    draw_forest_frequency(forest, tmp_path / "a.png", cell=0.25, width=900)
    places = forest.placements[:, :2].astype(float)
    away = places[np.hypot(*places.T) > 1.2]
    middles = (np.floor(away / 0.25) + 0.5) * 0.25
    assert coloured(pixels_at(tmp_path / "a.png", forest, middles, 900, 0.25)).mean() > 0.97
    occupied = {tuple(cell) for cell in np.floor(places / 0.25).astype(int).tolist()}
    cells = np.stack(np.meshgrid(np.arange(-16, 16), np.arange(6, 18)), axis=-1).reshape(-1, 2)
    empty = np.array([cell for cell in cells.tolist() if tuple(cell) not in occupied])
    assert len(empty) > 30
    assert coloured(pixels_at(tmp_path / "a.png", forest, (empty + 0.5) * 0.25, 900, 0.25)).mean() < 0.02


def test_ahead_is_up_and_left_is_left(forest, tmp_path):
    """Only nodes to the left of the way ahead stay: their half of the page has the colour."""
    left = (forest.placements[:, :1] > 0.3) | (forest.parents < 0)[:, None]
    half = replace(forest, placements=np.where(left, forest.placements, np.float32(0.0)))
    draw_forest_frequency(half, tmp_path / "a.png", width=900)
    x, z = pixels_of_root(half, 900)
    colours = coloured(read(tmp_path / "a.png"))[64:-56]
    assert colours[:, : x - 12].sum() > 50 * max(colours[:, x + 12 :].sum(), 1)
    assert colours[: z - 64].sum() > colours[z - 64 :].sum()


def pixels_of_root(forest, width: int) -> tuple[int, int]:
    bounds = forest_plots._bounds(forest_plots._panels(forest, None, ()), 0.2)
    x, z = (TreeView(bounds, width).pixels(np.zeros(2)) / LARGER).astype(int)
    return int(x), int(z)


def test_the_most_frequented_cell_is_the_hottest(forest, tmp_path):
    crowded = forest.placements.copy()
    crowded[200:, :2] = (2.1, 3.1)
    draw_forest_frequency(replace(forest, placements=crowded), tmp_path / "a.png", width=900)
    (hot,) = pixels_at(tmp_path / "a.png", replace(forest, placements=crowded), np.array([[2.1, 3.1]]), 900)
    assert np.abs(hot - COLD_TO_HOT[-1]).max() < 12


@pytest.mark.parametrize("curved", [False, True])
def test_paths_go_through_their_nodes_and_along_their_clips(forest, graph, tmp_path, curved):
    draw_forest_paths(forest, tmp_path / "a.png", graph=graph if curved else None, width=900)
    places = forest.placements[:, :2].astype(float)
    children = np.flatnonzero(forest.parents >= 0)
    parents = forest.parents[children]
    middles = 0.5 * (places[children] + places[parents])
    if curved:
        frames = graph.frame_starts[forest.numbers[forest.clips[children]]] + 5
        own, heading = graph.paths[frames], forest.placements[parents, 2]
        sine, cosine = np.sin(heading), np.cos(heading)
        turned = np.stack([own[:, 0] * cosine + own[:, 1] * sine, own[:, 1] * cosine - own[:, 0] * sine], axis=1)
        middles = places[parents] + turned
    picture = coloured(read(tmp_path / "a.png"))
    bounds = forest_plots._bounds(forest_plots._panels(forest, None, ()), 0.2)
    columns, rows = (TreeView(bounds, 900).pixels(-middles) / LARGER).astype(int).T
    near = np.any([picture[rows + a, columns + b] for a in (-1, 0, 1) for b in (-1, 0, 1)], axis=0)
    away = np.hypot(*middles.T) > 1.2
    assert near[away].mean() > 0.97


def test_paths_have_the_colour_of_their_cost_and_cheap_ones_lie_on_top(forest, tmp_path, monkeypatch):
    drawn = []

    def line(_view, points, colour, _width):
        if len(colour) == 4 and colour[3] == 190:
            drawn.append((points[-1], colour[:3]))

    monkeypatch.setattr(TreeView, "line", line)
    draw_forest_paths(forest, tmp_path / "a.png", width=900)
    assert len(drawn) == len(forest) - 1
    ends, colours = -np.array([end for end, _ in drawn]), np.array([colour for _, colour in drawn])
    nodes = [int(np.abs(forest.placements[:, :2] - end).sum(axis=1).argmin()) for end in ends]
    costs = forest.costs[nodes].astype(float)
    assert (np.diff(costs) <= 0.0).mean() > 0.95  # two nodes at one place may be mistaken for each other
    expected = cost_colours(np.array([0.0, forest.costs.max(), *costs]))[2:]
    assert (np.abs(colours - expected.astype(int)).max(axis=1) <= 1).mean() > 0.95


def test_curves_end_at_the_nodes(forest, graph):
    for node in np.flatnonzero(forest.parents >= 0)[:50].tolist():
        curve = forest_plots._curve(forest, node, graph)
        straight = forest_plots._curve(forest, node, None)
        np.testing.assert_allclose(curve[[0, -1]], straight, atol=1e-6)
        assert np.hypot(*np.diff(curve, axis=0).T).max() < 0.4


def test_of_very_many_paths_some_are_drawn_with_all_that_lead_to_them(forest, monkeypatch):
    monkeypatch.setattr(forest_plots, "MOST_DRAWN", 50)
    (panel,) = forest_plots._panels(forest, None, ())
    chosen = set(forest_plots._chosen(panel).tolist())
    assert 50 <= len(chosen) < 50 + 30
    assert all(forest.parents[parent] < 0 or parent in chosen for parent in forest.parents[list(chosen)].tolist())


def test_several_forests_stand_side_by_side_in_the_same_bounds(forest, graph, tmp_path):
    small = plant(graph, Scalable(), nodes=60, region=half_disc(2.0))
    draw_forest_paths([forest, small], tmp_path / "a.png", titles=["large", "small"], width=1000)
    picture = read(tmp_path / "a.png")
    assert picture.shape[1] == 1000
    one, other = coloured(picture[64:-56, :500]), coloured(picture[64:-56, 500:])
    assert one.sum() > 2 * other.sum() > 200
    assert np.ptp(np.flatnonzero(other.any(axis=0))) < 0.6 * np.ptp(np.flatnonzero(one.any(axis=0)))
    draw_forest_frequency([small] * 4, tmp_path / "b.png", width=900)
    rows = read(tmp_path / "b.png")
    assert rows.shape[1] == 900
    assert (rows[-30:, 320:] == PAPER).all()
    assert (rows[30] != PAPER).any()


def test_what_makes_no_picture_is_told(forest, tmp_path):
    with pytest.raises(RenderError, match="no tree begins in pose 7; there are: 0"):
        draw_forest_paths(forest, tmp_path / "a.png", pose=7)
    with pytest.raises(RenderError, match="2 titles for 1 trees"):
        draw_forest_paths(forest, tmp_path / "a.png", titles=["a", "b"])
    with pytest.raises(RenderError, match="13 trees"):
        draw_forest_paths([forest] * 13, tmp_path / "a.png")
    with pytest.raises(RenderError, match="0 trees"):
        draw_forest_frequency([], tmp_path / "a.png")
    with pytest.raises(RenderError, match="size"):
        draw_forest_frequency(forest, tmp_path / "a.png", cell=0.0)
    with pytest.raises(RenderError, match="pixels a side"):
        draw_forest_frequency(forest, tmp_path / "a.png", cell=1e-6)
    assert planted_poses(forest) == [0]
    assert not list(tmp_path.iterdir())
