"""From growths to forests: placements, cells, goal cells and watched points, each worked out the long way."""

from __future__ import annotations

import math

import numpy as np
import pytest

from walkon.errors import PlanError
from walkon.planning.moves import DRAWS, compile_moves, drawn_clips
from walkon.rotations import Placement
from walkon.trees.builders.exhaustive import Exhaustive
from walkon.trees.builders.scalable import Scalable
from walkon.trees.growing import Growth, prepare_soil, tree_moves
from walkon.trees.planting import STRETCH, GridSizes, plant, watch_points
from walkon.trees.region import disc
from walkon.world import PASSES

REGION = disc(6.0, cell=0.25)


@pytest.fixture(scope="module")
def forest(varied):
    """Two trees of a graph with more clips than take part."""
    return plant(
        varied, Scalable(), nodes=700, region=REGION, seed=5, grids=GridSizes(goal_cell=0.8, overlap=0.35)
    )


@pytest.fixture(scope="module", params=["varied", "human"])
def both(request, forest, varied, grove, human):
    """A forest, its graph, the seed of its clips and what it passes."""
    return (forest, varied, ()) if request.param == "varied" else (grove, human, PASSES)


def trees(forest):
    for pose in range(len(forest.starts) - 1):
        if forest.starts[pose] < forest.starts[pose + 1]:
            yield pose, int(forest.starts[pose]), int(forest.starts[pose + 1])


def exact_places(forest, graph):
    """Where every node is, from the clips on its way alone."""
    places = {}

    def place(node):
        if node not in places:
            parent = int(forest.parents[node])
            clip = None if parent < 0 else int(forest.numbers[forest.clips[node]])
            places[node] = Placement() if parent < 0 else place(parent) @ Placement(*graph.displacements[clip])
        return places[node]

    return [place(node) for node in range(len(forest))]


def test_every_node_follows_from_its_parent_and_its_clip(both):
    forest, graph, _ = both
    places = exact_places(forest, graph)
    children = set()
    for pose, root, stop in trees(forest):
        assert forest.parents[root] == forest.clips[root] == forest.behaviors[root] == -1
        assert not forest.placements[root].any()
        assert forest.costs[root] == forest.frames[root] == 0
        for node in range(root + 1, stop):
            parent, behavior = int(forest.parents[node]), int(forest.behaviors[node])
            assert root <= parent < stop
            clip = int(forest.numbers[forest.clips[node]])
            assert graph.behavior_of(clip) == behavior
            assert graph.entry[behavior] == (pose if parent == root else graph.exit[forest.behaviors[parent]])
            np.testing.assert_allclose(forest.placements[node, :2], [places[node].x, places[node].z], atol=1e-5)
            assert abs(math.sin(0.5 * (forest.placements[node, 2] - places[node].heading))) < 1e-6
            assert -math.pi - 1e-6 <= forest.placements[node, 2] <= math.pi + 1e-6
            assert forest.frames[node] - forest.frames[parent] == graph.durations[clip]
            step = float(forest.costs[node]) - float(forest.costs[parent])
            assert step == pytest.approx(graph.costs[behavior], abs=1e-4)
            assert (parent, behavior) not in children
            children.add((parent, behavior))
    assert not forest.parents.flags.writeable


def test_clips_are_those_of_the_forests_draw(forest, varied):
    assert forest.numbers.tolist() == drawn_clips(varied, 5).tolist()
    assert forest.numbers.tolist() != drawn_clips(varied, 6).tolist()


def test_people_share_a_few_draws_that_are_prepared_once(varied):
    draws = [compile_moves(varied, seed, "circle") for seed in range(3 * DRAWS)]
    assert len({id(draw) for draw in draws}) == DRAWS
    assert len({tuple(draw.numbers) for draw in draws}) == DRAWS


def test_nodes_of_a_goal_cell_are_side_by_side_the_cheapest_first(both):
    forest, graph, _ = both
    places = exact_places(forest, graph)
    for _, root, stop in trees(forest):
        keys = []
        for node in range(root + 1, stop):
            column = math.floor((places[node].x - forest.goal_x) / forest.goal_cell)
            row = math.floor((places[node].z - forest.goal_z) / forest.goal_cell)
            keys.append((row * forest.goal_columns + column, float(forest.costs[node])))
        assert keys == sorted(keys)


def test_ways_stay_in_the_region(forest, varied):
    soil = prepare_soil(tree_moves(varied, seed=5), 0, REGION)
    places = exact_places(forest, varied)
    for node in np.flatnonzero(forest.parents >= 0):
        clip = int(forest.clips[node])
        trace = soil.traces[soil.trace_starts[clip] : soil.trace_starts[clip + 1]]
        x, z = places[forest.parents[node]].point(trace[:, 0], trace[:, 1])
        assert REGION.contains(x, z).all()


def test_traces_follow_the_paths_closely(varied, human):
    for graph in (varied, human):
        moves = tree_moves(graph, seed=5, passes=PASSES)
        soil = prepare_soil(moves, 0, REGION)
        for clip in range(len(moves.numbers)):
            path = moves.paths[moves.frame_starts[clip] : moves.frame_starts[clip + 1]]
            trace = np.concatenate([path[:1], soil.traces[soil.trace_starts[clip] : soil.trace_starts[clip + 1]]])
            frame = np.hypot(*np.diff(path, axis=0).T).max(initial=0.0)
            assert np.hypot(*np.diff(trace, axis=0).T).max() <= max(0.5 * REGION.cell, frame) + 1e-9
            np.testing.assert_allclose(trace[-1], moves.displacements[clip, :2])
            assert all(np.hypot(*(path - point).T).min() < 1e-6 for point in trace[:-1])


def test_every_point_of_every_clip_is_in_its_cell(both):
    forest, graph, _ = both
    places = exact_places(forest, graph)
    assert forest.cell_starts[0] == 0
    assert forest.cell_starts[-1] == len(forest.cells)
    for node in range(len(forest)):
        cells = forest.cells[forest.cell_starts[node] : forest.cell_starts[node + 1]].astype(int)
        clip = int(forest.clips[node])
        if clip < 0:
            assert len(cells) == 0
            continue
        points = forest.points[forest.point_starts[clip] : forest.point_starts[clip + 1]]
        assert len(cells) == len(points)
        x, z = places[forest.parents[node]].point(points[:, 0], points[:, 1])
        left = forest.origin_x + (cells % forest.columns) * forest.cell
        near = forest.origin_z + (cells // forest.columns) * forest.cell
        for value, low in ((x, left), (z, near)):
            assert (value >= low - 1e-9).all()
            assert (value <= low + forest.cell + 1e-9).all()
    assert forest.cells.max() < forest.rows * forest.columns


def test_goal_cells_hold_all_nodes_within_their_reach_by_cost(both):
    forest, _, _ = both
    for pose, root, stop in trees(forest):
        x, z = forest.placements[root + 1 : stop, :2].astype(float).T
        costs = forest.costs[root + 1 : stop]
        seen = 0
        for index in range(forest.goal_rows * forest.goal_columns):
            row, column = divmod(index, forest.goal_columns)
            left, near = forest.goal_x + column * forest.goal_cell, forest.goal_z + row * forest.goal_cell
            ahead, aside = forest.overlap + 1e-6, forest.goal_cell + forest.overlap + 1e-6
            wide = (x >= left - ahead) & (x <= left + aside) & (z >= near - ahead) & (z <= near + aside)
            ahead, aside = forest.overlap - 1e-6, forest.goal_cell + forest.overlap - 1e-6
            sure = (x >= left - ahead) & (x <= left + aside) & (z >= near - ahead) & (z <= near + aside)
            first, last = forest.entry_starts[pose, index : index + 2]
            entries = forest.entries[first:last] - root - 1
            assert len(set(entries.tolist())) == len(entries)
            assert (
                set(np.flatnonzero(sure).tolist()) <= set(entries.tolist()) <= set(np.flatnonzero(wide).tolist())
            )
            assert (np.diff(costs[entries]) >= 0).all()
            seen += len(entries)
        assert seen > len(x)
    # Every node is in the grid, with all of its reach.
    low = forest.placements[:, :2].min(axis=0) - forest.overlap
    high = forest.placements[:, :2].max(axis=0) + forest.overlap
    assert (low >= [forest.goal_x - 1e-6, forest.goal_z - 1e-6]).all()
    assert high[0] <= forest.goal_x + forest.goal_columns * forest.goal_cell + 1e-6
    assert high[1] <= forest.goal_z + forest.goal_rows * forest.goal_cell + 1e-6


def test_a_pose_without_a_tree_has_no_entries(grove, human):
    sit = human.poses.index("sit")
    assert grove.starts[sit] == grove.starts[sit + 1]
    assert not np.diff(grove.entry_starts[sit]).any()


@pytest.mark.parametrize("spacing", [0.1, 0.5, 3.0])
def test_points_are_watched_all_along_a_clip(human, spacing):
    moves = tree_moves(human, passes=PASSES)
    starts, points = watch_points(moves, spacing)
    assert len(starts) == len(moves.numbers) + 1
    assert starts[-1] == len(points)
    for clip in range(len(moves.numbers)):
        circles = moves.circles[moves.frame_starts[clip] : moves.frame_starts[clip + 1]]
        own = points[starts[clip] : starts[clip + 1]]
        apart = np.hypot(circles[:, None, 0] - own[None, :, 0], circles[:, None, 1] - own[None, :, 1])
        assert (apart.min(axis=0) < 1e-12).all()
        # No more of them than the way is long, and none far from a place where the body is.
        length = np.hypot(*np.diff(circles[:, :2], axis=0).T).sum()
        behavior = human.behavior_of(int(moves.numbers[clip]))
        assert len(own) <= max(1, math.ceil(length / spacing)) + (moves.special[behavior] >= 0)
        frame = np.hypot(*np.diff(circles[:, :2], axis=0).T).max(initial=0.0)
        assert apart.min(axis=1).max() <= 0.75 * spacing + frame + 1e-9
        if moves.special[behavior] >= 0:
            np.testing.assert_allclose(own[0], circles[moves.action_frames[clip], :2])


def test_the_forest_watches_at_points_as_far_apart_as_said(grove, human):
    starts, points = watch_points(tree_moves(human, seed=3), STRETCH * grove.cell)
    assert starts.tolist() == grove.point_starts.tolist()
    np.testing.assert_array_equal(points, grove.points)


def test_what_leads_nowhere_and_what_passes_nothing_is_left_out(human):
    everything = compile_moves(human, 0, "circle")
    for passes in ((), ("jump_over",), PASSES):
        moves = tree_moves(human, passes=passes)
        for pose in range(len(human.poses)):
            own = set(moves.followers[moves.follower_starts[pose] : moves.follower_starts[pose + 1]].tolist())
            starts = everything.follower_starts
            expected = {
                behavior
                for behavior in everything.followers[starts[pose] : starts[pose + 1]].tolist()
                if human.library.behaviors[behavior].kind not in ("wait", "gesture")
                and human.library.behaviors[behavior].kind not in set(PASSES) - set(passes)
            }
            assert own == expected
            assert own or human.poses[pose] == "sit"


def test_the_same_seed_gives_the_same_bytes(varied, forest):
    options = {"nodes": 700, "region": REGION, "grids": GridSizes(goal_cell=0.8, overlap=0.35)}
    again = plant(varied, Scalable(), seed=5, **options)
    assert again.settings() == forest.settings()
    for name, array in forest.arrays().items():
        assert array.tobytes() == again.arrays()[name].tobytes(), name
    other = plant(varied, Scalable(), seed=6, **options)
    assert other.clips.tobytes() != forest.clips.tobytes()
    opposite = plant(varied, Scalable(), seed=-5, **options)
    assert opposite.parents.tobytes() != forest.parents.tobytes()


@pytest.mark.parametrize("nodes", [2, 3, 51, 400])
def test_budgets_are_shared_out_by_what_can_be_done_and_kept(varied, nodes):
    calls = []
    forest = plant(
        varied, Exhaustive(9), nodes=nodes, region=disc(30.0), progress=lambda *call: calls.append(call)
    )
    sizes = np.diff(forest.starts)
    assert sizes.sum() == nodes == len(forest)
    followers = np.diff(tree_moves(varied).follower_starts)
    assert (np.abs(sizes - 1 - (nodes - 2) * followers / followers.sum()) < 1.0).all()
    assert all(done <= total == nodes for done, total in calls)
    assert [done for done, _ in calls] == sorted(done for done, _ in calls)


def test_only_the_poses_asked_for_get_trees(varied, toys):
    forest = plant(varied, Scalable(), nodes=100, region=REGION, poses=["run"])
    sizes = dict(zip(varied.poses, np.diff(forest.starts).tolist(), strict=True))
    assert sizes == {"stand": 0, "run": 100}


class Stump:
    """A builder that grows nothing."""

    name = "stump"

    def grow(self, soil, nodes, random, progress=None):
        return Growth(np.empty(0, dtype=np.int32), np.empty(0, dtype=np.int32))


def test_every_tree_of_every_seed_has_a_chance_of_its_own(varied):
    class Diviner(Stump):
        drawn: list = []  # noqa: RUF012

        def grow(self, soil, nodes, random, progress=None):
            self.drawn.append(int(random.integers(2**62)))
            return super().grow(soil, nodes, random, progress)

    for seed in (5, -5, 0, 5):
        plant(varied, Diviner(), nodes=10, region=REGION, seed=seed)
    assert len(set(Diviner.drawn)) == 6
    assert Diviner.drawn[:2] == Diviner.drawn[-2:]


def test_a_forest_of_roots_alone_is_one(varied):
    forest = plant(varied, Stump(), nodes=100, region=REGION)
    assert len(forest) == 2
    assert forest.depth == 0
    assert not len(forest.entries)
    assert not len(forest.cells)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"nodes": 1}, "1 nodes for 2 trees"),
        ({"nodes": 10**9}, "at most"),
        ({"nodes": 50, "poses": ["fly"]}, "no pose 'fly'"),
        ({"nodes": 50, "poses": []}, "nothing to grow"),
    ],
)
def test_what_makes_no_sense_is_refused(varied, options, said):
    with pytest.raises(PlanError, match=said):
        plant(varied, Scalable(), region=REGION, **options)


@pytest.mark.parametrize("sizes", [{"cell": 0.0}, {"goal_cell": -1.0}, {"overlap": math.nan}])
def test_grids_without_a_size_are_refused(sizes):
    with pytest.raises(PlanError, match="cells must have a size"):
        GridSizes(**sizes)


def test_a_pose_in_which_one_can_only_wait_has_no_tree(toys):
    graph = toys.make_graph(
        [
            ("forward", "locomotion", "stand", "stand", (0.0, 1.0, 0.0), 10, 1.0),
            ("left", "locomotion", "stand", "stand", (0.5, 0.5, 1.5), 8, 1.1),
            ("lie down", "locomotion", "stand", "lie", (0.0, 0.3, 0.0), 8, 1.0),
            ("sleep", "wait", "lie", "lie", (0.0, 0.0, 0.0), 10, 1.0),
        ]
    )
    forest = plant(graph, Scalable(), nodes=100, region=disc(5.0))
    assert np.diff(forest.starts).tolist() == [100, 0]
    with pytest.raises(PlanError, match="nothing to be done from pose 'lie'"):
        plant(graph, Scalable(), nodes=100, region=disc(5.0), poses=["lie"])
