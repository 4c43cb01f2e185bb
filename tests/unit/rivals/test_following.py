"""Path following: walks of a motion graph along the ways of trajectories, and the collisions that come of it."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.builtin import make_walk
from walkon.errors import GraphError
from walkon.graphs import assemble_graph, gather_corpus
from walkon.graphs.comparing.minima import as_transitions, find_minima
from walkon.graphs.performing.walks import Walk
from walkon.graphs.pruning import prune
from walkon.metrics import Trajectories
from walkon.rivals import PairModel, count_collisions, count_rivals, film_rival, fix_roots, follow_trajectories
from walkon.rivals.following import thin
from walkon.rotations import Placement


@pytest.fixture(scope="module")
def graph():
    """Somebody who can only walk straight on."""
    corpus = gather_corpus([make_walk(cycles=4), make_walk(speed=1.6, cycles=4).with_changes(name="brisk")])
    return prune(assemble_graph(corpus, as_transitions(corpus, find_minima(corpus, limit=0.1, workers=1)))).graph


def straight_on(graph, points, seed: int) -> Walk:
    """A fit that looks at the first and last points only."""
    way = points[-1] - points[0]
    node, edges, frames = 0, [], 1
    while frames < 30 * np.hypot(*way) / 1.4:
        edges.append(int(graph.leaving(node)[0]))
        frames += int(graph.frames[edges[-1]])
        node = int(graph.heads[edges[-1]])
    return Walk(graph, 0, np.array(edges), Placement(*points[0], float(np.arctan2(*way))))


def crossing(late: float) -> Trajectories:
    """Two whose ways cross at a right angle; the second is late [m]."""
    along = 1.4 * np.arange(150) / 30.0 - 3.5
    still = np.zeros(150)
    paths = [np.column_stack([along, still]), np.column_stack([still, along - late])]
    return Trajectories.build(30.0, paths, names=["a", "b"], goals=[(3.5, 0.0), (0.0, 3.5)])


@pytest.fixture
def scene(make_scene):
    return make_scene({"a": (-3.5, 0.0, 3.5, 0.0), "b": (0.0, -3.5, 0.0, 3.5)})


def test_points_are_thinned_and_jitter_is_left_out() -> None:
    path = np.column_stack([np.linspace(0.0, 1.0, 101), 0.001 * np.sin(np.arange(101))])
    points = thin(path, 0.2)
    assert (np.hypot(*np.diff(points, axis=0).T) >= 0.2).all()
    assert len(points) in (5, 6)
    assert len(thin(np.zeros((50, 2)), 0.2)) == 1


def test_everybody_walks_where_the_trajectory_leads(scene, graph) -> None:
    take = follow_trajectories(scene, crossing(2.0), graph, fit=straight_on)
    ends = [shown.clip.root_positions[-1, [0, 2]] for shown in take.clips]
    assert ends[0][0] > 2.0
    assert abs(ends[0][1]) < 0.5
    assert ends[1][1] > 0.0
    assert not take.unplanned


def test_who_finds_no_walk_is_unplanned_with_the_reason(scene, graph) -> None:
    def fail(graph, points, seed):
        raise GraphError("no way")

    assert follow_trajectories(scene, crossing(0.0), graph, fit=fail).unplanned == (
        ("a", "no way"),
        ("b", "no way"),
    )
    still = Trajectories.build(30.0, [np.zeros((9, 2))], names=["a"])
    assert "shorter" in follow_trajectories(scene, still, graph, fit=straight_on).unplanned[0][1]


def test_collisions_are_counted_in_frames_of_pairs(scene) -> None:
    """Two who walk through each other touch for some frames; two who pass two metres apart do not."""
    touched = count_collisions(fix_roots(scene, crossing(0.0)))
    assert touched.events >= 1
    assert 5 < touched.frames < 60
    apart = count_collisions(fix_roots(scene, crossing(2.0)))
    assert (apart.frames, apart.events, apart.walls, apart.unplanned) == (0, 0, 0, 0)


def test_the_table_has_a_row_for_every_model_before_and_after(scene, graph) -> None:
    rows = count_rivals(scene, ["pairs", PairModel(distance=0.05, name="careless")], graph, fit=straight_on)
    assert [row.model for row in rows] == ["pairs", "careless"]
    assert all(row.before is not None and row.before.frames > 0 for row in rows)  # straight on, whoever comes
    assert rows[0].after.frames == 0
    # Two who come to the crossing at the same moment and mind nothing but their middles.
    assert rows[1].after.frames > 0
    assert count_rivals(scene, ["pairs"])[0].before is None


def test_a_rival_is_filmed_in_one_call(scene, graph) -> None:
    """Either way, and the same with the same seed."""
    fixed, again = film_rival(scene, "pairs", seed=2), film_rival(scene, "pairs", seed=2)
    assert fixed.planner == "pairs, root fixing"
    assert [shown.behavior for shown in fixed.clips] == ["root fixing"] * 2
    np.testing.assert_array_equal(fixed.clips[1].clip.rotations, again.clips[1].clip.rotations)
    assert film_rival(scene, "pairs", graph, fit=straight_on).planner == "pairs, path following"


def test_the_search_of_motion_graphs_follows_trajectories(scene, graph) -> None:
    """As it is: no fit is given."""
    take = follow_trajectories(scene, crossing(2.0), graph, seed=1)
    assert len(take.roles) == 2
    ends = [shown.clip.root_positions[-1, [0, 2]] for shown in take.clips]
    assert np.hypot(*(ends[0] - (3.5, 0.0))) < 1.0
