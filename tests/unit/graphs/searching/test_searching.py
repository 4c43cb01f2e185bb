"""Branch and bound finds what trying everything finds; sketches are walks, too."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from walkon.graphs.graph import PLAIN
from walkon.graphs.searching._kernels_fitting import LATE_FACTOR, USUAL_STEP, PathWish, advance, expected, option
from walkon.graphs.searching._kernels_searching import look_ahead, make_desk, search
from walkon.graphs.searching._kernels_sketching import sketch
from walkon.graphs.searching.drawn_path import draw_path
from walkon.graphs.searching.following import AHEAD, CHANGE, FORESIGHT, ground_of
from walkon.graphs.searching.styles import arrange_styles
from walkon.rotations import Placement

SPEC = importlib.util.spec_from_file_location("toy_graphs", Path(__file__).parents[1] / "toy_graphs.py")
toys = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(toys)

LEAST, EARLY, DETOUR, WEIGHT = 0.05, 0.5, 0.04, 2.0
ENDLESS = 1 << 40


def length_of(graph, edge):
    trail = graph.trails[graph.trail_offsets[edge] : graph.trail_offsets[edge + 1]]
    return np.hypot(*np.diff(trail, axis=0, prepend=np.zeros((1, 2))).T).sum()


class Naive:
    """Kovar et al. 2002, sections 4.2 and 5.1, word for word and as slow as that."""

    def __init__(self, graph, path, styles, horizon):
        self.graph, self.path, self.styles, self.horizon = graph, path, styles, horizon

    def allowed(self, edge, node, style, detour, arc):
        """The style in which the edge is taken, and whether on a detour; None if it is not."""
        ends, edges, reach, ways = self.styles.ends, self.styles.edges, self.styles.reach, self.styles.ways
        last = style == len(ends) - 1
        head, wanted = self.graph.heads[edge], style
        if not detour:
            stays = edges[style, edge] and arc < ends[style] + EARLY
            if stays and not (not last and arc >= ends[style] and edges[style + 1, edge]):
                return style, False
            if last:
                return None
            wanted = style + 1
            begins = arc if edges[wanted, edge] else arc + length_of(self.graph, edge) + ways[wanted, head]
            if begins < ends[style] - EARLY:
                return None
        if edges[wanted, edge]:
            return wanted, False
        there = reach[wanted, head]
        shortest = self.graph.frames[edge] + there == reach[wanted, node]
        return (wanted, True) if reach[wanted, node] > 0 and (there == 0 or shortest) else None

    def error(self, edge, place, frames, style, detour, arc):
        """The error of an edge (eq. 9), and the arc length after it."""
        graph = self.graph
        change = CHANGE**2 + graph.costs[edge] ** 2 if graph.carries[edge] != PLAIN else 0.0
        error = WEIGHT * graph.frames[edge] * change
        trail = graph.trails[graph.trail_offsets[edge] : graph.trail_offsets[edge + 1]]
        before, shown = np.zeros(2), self.styles.shown
        outside = detour and not shown[style, edge] and not (style > 0 and shown[style - 1, edge])
        end = self.styles.ends[style - 1] if detour and style else self.styles.ends[style]
        for number, point in enumerate(trail):
            if frames + number >= self.horizon and arc < self.path.length:
                break
            arc += max(np.hypot(*(point - before)), 0.0 if detour else LEAST)
            before = point
            wanted = self.path.at(min(arc, end, self.path.length))
            weight = LATE_FACTOR if end < min(arc, self.path.length) else 1.0
            off = np.sum((np.array(place.point(*point)) - wanted) ** 2)
            error += weight * off + (DETOUR if outside else 0.0)
        return error, arc

    def due(self, node, style, detour, arc):
        """What is still to come because the next style is not at hand."""
        ends, ways = self.styles.ends, self.styles.ways
        style -= detour
        if style < 0 or style == len(ends) - 1 or arc >= self.path.length:
            return 0.0
        return LATE_FACTOR * max(arc + ways[style + 1, node] - ends[style], 0.0) ** 3 / (3.0 * USUAL_STEP)

    def best(self, node, place, style=0, detour=False, frames=0, arc=0.0):
        """The least error of all walks, and its edges."""
        if frames >= self.horizon or arc >= self.path.length:
            return self.due(node, style, detour, arc), ()
        found = (np.inf, ())
        for edge in self.graph.leaving(node):
            taken = self.allowed(edge, node, style, detour, arc)
            if taken is None:
                continue
            error, after = self.error(edge, place, frames, *taken, arc)
            head, beyond = int(self.graph.heads[edge]), place @ Placement(*self.graph.moves[edge])
            rest, edges = self.best(head, beyond, *taken, frames + self.graph.frames[edge], after)
            found = min(found, (error + rest, (int(edge), *edges)))
        return found


def problems():
    """Graphs of three kinds of motion, paths, and styles."""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        graph = toys.random_graph(rng, clips=4, transitions=40)
        path = draw_path(np.cumsum(rng.normal(0.0, 4.0, (5, 2)), axis=0))
        half = 0.4 * path.length
        for wanted in ([(0.0, None)], [(0.0, "w")], [(0.0, None), (half, "r")], [(0.0, "w"), (half, "s")]):
            try:
                styles = arrange_styles(graph, wanted)
            except ValueError:
                continue
            starts = np.flatnonzero(styles.reach[0] < ENDLESS)
            yield graph, path, styles, int(rng.choice(starts))


def laid_out(graph, path, styles, node, horizon):
    wish = PathWish(path.points, path.spacing, path.length, *styles, LEAST, EARLY, DETOUR, FORESIGHT, AHEAD)
    place = path.placement()
    here = np.array([place.x, place.z, np.sin(place.heading), np.cos(place.heading), 0.0])
    state = np.array([node, 0, styles.reach[0, node] > 0, 0])
    desk = make_desk(horizon, int(np.diff(graph.offsets).max()), 3)
    return here, state, ground_of(graph, WEIGHT), wish, desk


@pytest.mark.parametrize("horizon", [6, 14])
def test_the_best_walk_is_found(horizon):
    tried = 0
    for graph, path, styles, node in problems():
        here, state, ground, wish, desk = laid_out(graph, path, styles, node, horizon)
        outside = bool(styles.reach[0, node] > 0)
        least, edges = Naive(graph, path, styles, horizon).best(node, path.placement(), detour=outside)
        length, error, _ = search(here, state, horizon, ENDLESS, 0.0, 0, ground, wish, desk)
        assert error == pytest.approx(least)
        assert tuple(desk.answer[:length]) == edges
        # The same with a plan to begin with.
        length, error, _ = look_ahead(here, state, horizon, ENDLESS, 0.0, ground, wish, desk)
        assert error == pytest.approx(least)
        assert tuple(desk.answer[:length]) == edges
        tried += len(edges) > 1
    assert tried > 20


def test_edges_may_be_taken_where_the_paper_says():
    rng = np.random.default_rng(0)
    taken = []
    for graph, path, styles, node in problems():
        _, _, ground, wish, _ = laid_out(graph, path, styles, node, 10)
        naive = Naive(graph, path, styles, 10)
        for _ in range(500):
            edge, style = int(rng.integers(graph.edge_count)), int(rng.integers(len(styles.ends)))
            tail, border = int(graph.tails[edge]), min(styles.ends[style], path.length)
            arc, detour = border + rng.normal(0.0, 1.0), bool(rng.random() < 0.3)
            expected = naive.allowed(edge, tail, style, detour, arc)
            found = option(edge, np.array([tail, style, detour, 0]), arc, ground, wish)
            assert found == ((-1, 0) if expected is None else (expected[0], int(expected[1])))
            taken.append(expected)
    assert len(set(taken)) == 5


def test_a_quick_sketch_is_a_walk():
    for graph, path, styles, node in problems():
        here, state, ground, wish, desk = laid_out(graph, path, styles, node, 25)
        for budget in (0, 50, ENDLESS):
            count, _ = sketch(here, state, 25, budget, ground, wish, desk.book, desk.plan)
            edges = desk.plan[:count].copy()
            assert graph.tails[edges].tolist() == [node, *graph.heads[edges[:-1]].tolist()]
            assert graph.frames[edges[:-1]].sum() < 25
            least = Naive(graph, path, styles, 25)
            place, style, detour, frames, arc = path.placement(), 0, bool(state[2]), 0, 0.0
            for edge in edges:
                style, detour = least.allowed(edge, graph.tails[edge], style, detour, arc)
                _, arc = least.error(edge, place, frames, style, detour, arc)
                place, frames = place @ Placement(*graph.moves[edge]), frames + graph.frames[edge]
            assert frames >= 25 or arc >= path.length


def test_who_faces_the_path_has_little_to_expect():
    graph, path, styles, node = next(problems())
    here, _, _, wish, _ = laid_out(graph, path, styles, node, 10)
    here[4] = 0.5 * path.length
    point, further = path.at([here[4], here[4] + AHEAD])
    here[:2], here[2:4] = point, (further - point) / AHEAD
    assert expected(here, wish) < FORESIGHT * 0.05**2
    here[2:4] *= -1.0
    assert expected(here, wish) == pytest.approx(FORESIGHT * (2.0 * AHEAD) ** 2, rel=0.1)


def test_little_time_gives_a_walk_as_well_and_more_time_no_worse_a_one():
    horizon, better = 30, 0
    for graph, path, styles, node in problems():
        here, state, ground, wish, desk = laid_out(graph, path, styles, node, horizon)
        errors = []
        for budget in (1, 30, 300, 3000):
            length, error, looked = search(here, state, horizon, budget, 0.0, 0, ground, wish, desk)
            edges = desk.answer[:length].copy()
            assert graph.tails[edges].tolist() == [node, *graph.heads[edges[:-1]].tolist()]
            assert looked <= budget + graph.edge_count
            errors.append(error)
        assert errors == sorted(errors, reverse=True)
        better += errors[-1] < errors[0]
    assert better > 5


def test_good_enough_is_enough():
    for graph, path, styles, node in problems():
        here, state, ground, wish, desk = laid_out(graph, path, styles, node, 30)
        _, least, most = search(here, state, 30, 3000, 0.0, 0, ground, wish, desk)
        _, error, looked = search(here, state, 30, 3000, 1.5 * least, 0, ground, wish, desk)
        assert error <= 1.5 * least
        assert looked <= most


def test_a_sketch_is_a_walk_whose_error_is_what_it_seems():
    horizon = 20
    for graph, path, styles, node in problems():
        here, state, ground, wish, desk = laid_out(graph, path, styles, node, horizon)
        length, error, _ = look_ahead(here, state, horizon, 1, 0.0, ground, wish, desk)
        edges = desk.answer[:length].copy()
        naive = Naive(graph, path, styles, horizon)
        place, style, detour, frames, arc, total = path.placement(), 0, bool(state[2]), 0, 0.0, 0.0
        for edge in edges:
            style, detour = naive.allowed(edge, graph.tails[edge], style, detour, arc)
            more, arc = naive.error(edge, place, frames, style, detour, arc)
            place, frames, total = place @ Placement(*graph.moves[edge]), frames + graph.frames[edge], total + more
        assert total + naive.due(graph.heads[edges[-1]], style, detour, arc) == pytest.approx(error)
        assert frames >= horizon or arc >= path.length


def test_who_goes_on_is_where_the_edges_lead():
    for graph, path, styles, node in problems():
        here, state, ground, wish, desk = laid_out(graph, path, styles, node, 20)
        length, _, _ = look_ahead(here, state, 20, 300, 0.0, ground, wish, desk)
        edges = desk.answer[:length].copy()
        arcs = np.empty(int(graph.frames[edges].sum()))
        outside = bool(state[2])
        advance(edges, here, state, ground, wish, arcs)
        place = path.placement()
        for edge in edges:
            place = place @ Placement(*graph.moves[edge])
        assert here[:4] == pytest.approx([place.x, place.z, np.sin(place.heading), np.cos(place.heading)])
        assert state[0] == graph.heads[edges[-1]]
        assert here[4] == arcs[-1]
        steps = np.diff(arcs, prepend=0.0)
        assert outside or (steps >= LEAST - 1e-12).all() or len(styles.ends) > 1
