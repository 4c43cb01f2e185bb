"""Plans from above: takes and search trees."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from walkon.planning import Plan, SearchStatistics, SearchTree
from walkon.render import RenderError, draw_overview, draw_search_tree
from walkon.render.overview import line_colour
from walkon.render.page import LARGER
from walkon.render.plan_view import PlanView
from walkon.render.role_paths import role_path
from walkon.render.search_trees import COLD_TO_HOT, cost_colours
from walkon.synthesis import perform_all
from walkon.take import outline_at


def pixels_of(path, take, points: np.ndarray, width: int) -> np.ndarray:
    """Colours (K, 3) of a drawing at ground points (K, 2)."""
    with Image.open(path) as image:
        picture = np.asarray(image.convert("RGB")).astype(int)
    places = (PlanView(take.scene, width).pixels(points) / LARGER).astype(int)
    return picture[places[:, 1], places[:, 0]]


def test_paths_are_those_of_the_performances(little_take) -> None:
    for role, performance in zip(little_take.roles, perform_all(little_take), strict=True):
        walked = performance.clip.root_positions[:, [0, 2]]
        path = role_path(little_take, role)
        gaps = np.linalg.norm(path[:, None] - walked[None], axis=2).min(axis=1)
        assert gaps.max() < 0.08


@pytest.mark.parametrize("kind", ["little_take", "hilly_take"])
def test_the_overview_shows_paths_starts_and_obstacles(kind, request, tmp_path) -> None:
    take = request.getfixturevalue(kind)
    draw_overview(take, tmp_path / "a.png", width=900)
    for index, role in enumerate(take.roles):
        path = role_path(take, role)
        colours = pixels_of(tmp_path / "a.png", take, path[20:-10:7], 900)
        assert np.abs(colours - line_colour(index)).max(axis=1).mean() < 60
    wall = pixels_of(tmp_path / "a.png", take, np.array([[3.0, -2.0], [3.0, -1.0]]), 900)
    assert np.abs(wall[0] - wall[1]).max() > 15


def test_outlines_of_bodies_are_drawn_where_bodies_are(little_take, tmp_path) -> None:
    draw_overview(little_take, tmp_path / "bare.png", width=900)
    draw_overview(little_take, tmp_path / "bodies.png", width=900, every=0.5)
    walkers = little_take.roles[:2]
    covered = [outline_at(little_take, role, role.start_frame + 30).mean(axis=0) for role in walkers]
    aside = np.array(covered) + np.array([0.12, 0.12])  # beside the path, within the body
    bare, bodies = (pixels_of(tmp_path / f"{name}.png", little_take, aside, 900) for name in ("bare", "bodies"))
    assert (np.abs(bare.astype(int) - bodies).max(axis=1) > 15).all()
    for every in (0.01, float("inf"), float("nan")):
        with pytest.raises(RenderError, match="outlines are drawn"):
            draw_overview(little_take, tmp_path / "a.png", width=900, every=every)


def test_somebody_without_a_plan_is_crossed_out(little_take, tmp_path) -> None:
    take = replace(little_take, roles=little_take.roles[:2], unplanned=(("cleo", "no way"),))
    draw_overview(take, tmp_path / "a.png", width=900)
    (red, green, blue) = pixels_of(tmp_path / "a.png", take, np.array([[-2.0, 0.0]]), 900)[0]
    assert red > 150 > max(green, blue)


def test_margins_stay_clean(little_take, tmp_path) -> None:
    far = replace(little_take.scene.obstacles[0], name="far", positions=np.array([[3.0, 0.0, -4.4]]))
    scene = replace(little_take.scene, obstacles=(far,))
    draw_overview(replace(little_take, scene=scene), tmp_path / "a.png", width=900)
    with Image.open(tmp_path / "a.png") as image:
        assert image.convert("RGB").getpixel((800, 30)) == (247, 247, 245)


def line_tree(count: int) -> SearchTree:
    places = np.stack([np.linspace(-5.0, 5.0, count), np.full(count, 0.5), np.zeros(count)], axis=1)
    zeros = np.zeros(count, dtype=np.int64)
    return SearchTree(places, np.arange(count) - 1, zeros, zeros, np.arange(count, dtype=np.float64))


def test_a_search_tree_goes_from_blue_to_red(little_take, tmp_path) -> None:
    tree = line_tree(21)
    draw_search_tree(replace(little_take.scene, obstacles=()), tree, tmp_path / "a.png", width=900)
    (cold, hot) = pixels_of(tmp_path / "a.png", little_take, np.array([[-4.2, 0.5], [4.7, 0.5]]), 900)
    assert cold[2] > cold[0] + 40
    assert hot[0] > hot[2] + 40


def test_the_plan_lies_over_the_tree(little_take, tmp_path) -> None:
    tree = line_tree(21)
    steps = np.zeros(20, dtype=np.int64)
    statistics = SearchStatistics(seconds=0.1)
    plan = Plan("found", "", steps, steps, np.arange(21), tree.placements, 7.0, statistics)
    draw_search_tree(little_take.scene, tree, tmp_path / "a.png", plan, width=900)
    (middle,) = pixels_of(tmp_path / "a.png", little_take, np.array([[0.75, 0.5]]), 900)
    assert middle.max() < 90


def test_colours_of_costs() -> None:
    assert cost_colours(np.array([2.0, 5.0])).tolist() == COLD_TO_HOT[[0, -1]].tolist()
    assert len(cost_colours(np.full(3, 4.0))) == 3


def test_refuses_an_empty_tree(little_take, tmp_path) -> None:
    nothing = np.zeros(0, dtype=np.int64)
    tree = SearchTree(np.zeros((0, 3)), nothing, nothing, nothing, np.zeros(0))
    with pytest.raises(RenderError, match="no nodes"):
        draw_search_tree(little_take.scene, tree, tmp_path / "a.png")
