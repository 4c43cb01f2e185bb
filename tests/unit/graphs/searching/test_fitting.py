"""Walks along drawn paths: close to them, without stalling, in the styles that are wanted, and several of them."""

from __future__ import annotations

import importlib.util
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from walkon.errors import GraphError
from walkon.graphs import assemble_graph
from walkon.graphs.performing.walks import Walk
from walkon.graphs.searching.drawn_path import draw_path
from walkon.graphs.searching.fitting import fit_path
from walkon.graphs.searching.following import Follower, LookAhead
from walkon.graphs.searching.shapes import SHAPES
from walkon.graphs.searching.styles import arrange_styles, edges_of_style
from walkon.graphs.searching.variety import DIFFERENT, difference
from walkon.rotations import Placement

SPEC = importlib.util.spec_from_file_location("toy_graphs", Path(__file__).parents[1] / "toy_graphs.py")
toys = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(toys)

PATHS = {name: make() for name, make in SHAPES.items()}


def styles_of(walk):
    """The sets of labels that a walk shows, frame by frame, but for repetitions and blends of several."""
    graph = walk.graph
    shown = []
    for edge in walk.edges:
        own = graph.label_sets[graph.labels[edge]]
        if len(own) == 1 and shown[-1:] != [own]:
            shown.append(own)
    return ["".join(own) for own in shown]


def slowest_second(fit, points):
    """The least way [m] along the path that is made in any second, told from the nearest points in order."""
    path = draw_path(points)
    arcs, arc = [], 0.0
    for place in fit.walk.path():
        ahead = np.arange(arc, arc + 0.6, 0.02)
        arc = ahead[np.argmin(np.hypot(*(path.at(ahead) - place).T))]
        arcs.append(arc)
    arcs = np.array(arcs[: 1 + int(np.argmax(np.array(arcs) > path.length - 0.3))])
    return (arcs[30:] - arcs[:-30]).min()


@pytest.mark.parametrize("name", PATHS)
def test_drawn_paths_are_followed_without_stalling(wander_graph, name):
    fit = fit_path(wander_graph, PATHS[name], styles="walk")
    assert fit.mean_deviation <= 0.15
    assert fit.lags.mean() <= 0.25
    assert (fit.deviations <= fit.lags + 1e-6).all()
    assert edges_of_style(wander_graph, "walk")[fit.walk.edges].all()
    assert slowest_second(fit, PATHS[name]) > 0.2
    assert len(fit.deviations) == len(fit.lags) == fit.walk.frame_count
    assert fit.searched_nodes > 0
    begin, end = fit.walk.path()[[0, -1]]
    assert begin == pytest.approx(PATHS[name][0], abs=1e-9)
    assert np.hypot(*(end - PATHS[name][-1])) < 0.5


def test_who_may_stand_does_not_stall(wander_graph):
    fit = fit_path(wander_graph, PATHS["line"])
    assert fit.mean_deviation <= 0.15
    assert slowest_second(fit, PATHS["line"]) > 0.2


@pytest.mark.parametrize(("least", "expected"), [(0.0, ["s"]), (0.3, ["s", "w"])])
def test_only_who_must_make_progress_sets_off(monkeypatch, least, expected):
    """Standing still costs nothing by arc length alone, walking with a sway does: so progress (γ) is asked for."""
    pairs = [(12, 5), (10, 28), (50, 28)]
    graph = toys.toy_graph("s" * 20, "w" * 40, pairs=pairs)
    ahead = np.arange(40)
    tracks = np.zeros((60, 3))
    tracks[20:, :2] = np.stack([0.03 * np.sin(0.5 * ahead), 0.04 * ahead], axis=1)
    transitions = replace(
        graph.transitions, alignments=np.array([[0, -0.3, 0], [0, 0, 0], [0, 0.92, 0]], dtype=float)
    )
    graph = assemble_graph(replace(graph.corpus, tracks=tracks), transitions)
    monkeypatch.setattr("walkon.graphs.searching.following.LEAST_PROGRESS", least)
    path = draw_path([(0.0, 0.0), (0.0, 10.0)])
    follower = Follower(graph, path, arrange_styles(graph, None), LookAhead(90, 30, 20_000, 0.0))
    desk = follower._desk(20_000)
    length, _, _ = follower._look_ahead(*follower._begin(0, path.placement()), 20_000, desk)
    assert styles_of(Walk(graph, 0, desk.answer[:length], path.placement())) == expected


def test_styles_change_once_and_where_they_should(wander_graph):
    path = [(0.0, 0.0), (0.0, 20.0)]
    fit = fit_path(wander_graph, path, styles=[(0.0, "walk"), (8.0, "run"), (15.0, "walk")])
    assert styles_of(fit.walk) == ["walk", "run", "walk"]
    assert fit.mean_deviation < 0.15
    graph = wander_graph
    running = edges_of_style(graph, "run")[fit.walk.edges]
    after = np.cumsum(graph.frames[fit.walk.edges])
    track = fit.walk.path()
    first, last = np.flatnonzero(running)[[0, -1]]
    begins, ends = track[after[first] - graph.frames[fit.walk.edges[first]], 1], track[after[last], 1]
    assert abs(begins - 8.0) < 1.2
    assert abs(ends - 15.0) < 1.2


def test_who_stands_sets_off(wander_graph):
    standing = np.flatnonzero(edges_of_style(wander_graph, "stand"))
    start = int(wander_graph.tails[standing[len(standing) // 2]])
    fit = fit_path(wander_graph, PATHS["line"], styles="walk", start=start)
    assert fit.walk.start == start
    assert styles_of(fit.walk)[-1] == "walk"
    assert set(styles_of(fit.walk)) <= {"stand", "walk"}
    assert fit.mean_deviation < 0.15


def test_where_no_way_leads_straight_to_a_style_one_takes_the_shortest_detour():
    # Walking (rows 0-19), running (20-39) and standing (40-59) go on for ever; one runs only after standing.
    loops = [(15, 8), (35, 28), (55, 48)]
    graph = toys.toy_graph("w" * 20, "r" * 20, "s" * 20, pairs=[*loops, (10, 45), (50, 25), (30, 45), (52, 9)])
    fit = fit_path(
        graph, [(0.0, 0.0), (0.0, 30.0)], styles=[(0.0, "w"), (10.0, "r")], look=LookAhead(horizon=30, keep=10)
    )
    assert styles_of(fit.walk) == ["w", "s", "r"]


def test_several_answers_are_different(wander_graph):
    fit = fit_path(wander_graph, PATHS["s"], styles="walk", answers=3)
    fits = [fit, *fit.others]
    assert len(fits) == 3
    for number, one in enumerate(fits):
        assert one.mean_deviation <= 0.15
        assert all(difference(one.walk, other.walk) > DIFFERENT for other in fits[:number])
    squares = [float(np.mean(one.lags**2)) for one in fits]
    assert squares == sorted(squares)


def test_the_same_again(wander_graph):
    first, again = (fit_path(wander_graph, PATHS["line"], styles="walk", seed=4) for _ in range(2))
    assert first.walk.start == again.walk.start
    assert np.array_equal(first.walk.edges, again.walk.edges)


def test_one_begins_where_one_is_told(wander_graph):
    place = Placement(0.3, -0.2, 0.1)
    fit = fit_path(wander_graph, PATHS["line"], styles="walk", placement=place)
    assert fit.walk.placement == place
    assert fit.walk.path()[0] == pytest.approx((0.3, -0.2))


def test_what_cannot_be_is_refused(wander_graph):
    line = PATHS["line"]
    with pytest.raises(GraphError, match="keep"):
        fit_path(wander_graph, line, look=LookAhead(horizon=10, keep=20))
    with pytest.raises(GraphError, match="15 m of a path of 10 m"):
        fit_path(wander_graph, line, styles=[(0.0, "walk"), (15.0, "run")])
    with pytest.raises(GraphError, match="not at 1000000"):
        fit_path(wander_graph, line, start=1_000_000)
    with pytest.raises(GraphError, match="'swim'"):
        fit_path(wander_graph, line, styles="swim")
    apart = toys.toy_graph("w" * 20, "r" * 20, pairs=[(15, 8), (35, 28), (30, 9)])
    running = int(np.searchsorted(apart.nodes, 8))
    with pytest.raises(GraphError, match="no way leads"):
        fit_path(apart, line, styles="r", start=running)
