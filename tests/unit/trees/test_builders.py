"""Builders of trees beside their obvious twins."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from walkon.errors import PlanError
from walkon.trees.builders import diverse
from walkon.trees.builders.diverse import InclusionExclusion, InnerProduct, Separation
from walkon.trees.builders.exhaustive import Exhaustive
from walkon.trees.builders.pruned import PrunedTree
from walkon.trees.growing import Soil
from walkon.trees.region import disc

DEPTH = 3
BUILDERS = [
    Exhaustive(DEPTH),
    PrunedTree(2, DEPTH),
    InnerProduct(DEPTH),
    InclusionExclusion(DEPTH, free=0.5),
    Separation(DEPTH),
]


def make_soil(*, radius=9.0, clips=3):
    """Two poses: from the first a straight way, two turns and a change to the second; from there a straight way
    and back. Every behavior has so many clips, no two alike."""
    random = np.random.default_rng(5)
    kinds = [
        (0, 0, 0.0, 1.0),
        (0, 0, 0.5, 1.2),
        (0, 0, -0.5, 1.3),
        (0, 1, 0.1, 1.6),
        (1, 1, 0.0, 2.0),
        (1, 0, 0.2, 1.5),
    ]
    displacements, traces, starts = [], [], [0]
    for _, _, turn, length in kinds:
        for _ in range(clips):
            own_turn, own_length = turn + random.uniform(-0.1, 0.1), length + random.uniform(0.0, 0.3)
            s = np.arange(1, 16) / 15
            heading = own_turn * s
            path = np.cumsum(np.stack([np.sin(heading), np.cos(heading)], 1) * own_length / 15, axis=0)
            displacements.append((*path[-1], own_turn))
            traces.append(path)
            starts.append(starts[-1] + len(path))
    moves = SimpleNamespace(
        exit=np.array([kind[1] for kind in kinds]),
        follower_starts=np.array([0, 4, 6]),
        followers=np.arange(6),
        clip_starts=np.arange(7) * clips,
        displacements=np.array(displacements),
    )
    behavior_of = np.repeat(np.arange(6), clips)
    region = disc(radius, cell=0.25)
    return Soil(moves, behavior_of, 0, region, np.array(starts), np.concatenate(traces))  # pyright: ignore


@pytest.fixture(scope="module")
def soil():
    return make_soil()


@pytest.fixture(scope="module")
def narrow():
    """One clip for each behavior, in a region that the tree does not fit into."""
    return make_soil(radius=4.0, clips=1)


def grow(builder, soil, nodes, seed=1, progress=None):
    return builder.grow(soil, nodes, np.random.default_rng(seed), progress)


def chain(growth, node):
    """The nodes from below the root to this one."""
    return [] if node < 0 else [*chain(growth, growth.parents[node]), node]


def place_of(soil, clips):
    """Where a sequence of clips leads, and the points on its way, a list for each clip."""
    x, z, heading, ways = 0.0, 0.0, 0.0, []
    for clip in clips:
        turn = np.array([[np.cos(heading), -np.sin(heading)], [np.sin(heading), np.cos(heading)]])
        trace = soil.traces[soil.trace_starts[clip] : soil.trace_starts[clip + 1]]
        ways.append(np.array([x, z]) + trace @ turn)
        x, z = np.array([x, z]) + soil.moves.displacements[clip, :2] @ turn
        heading += soil.moves.displacements[clip, 2]
    return np.array([x, z]), ways


def inside(soil, clips):
    return all(soil.region.contains(*way.T).all() for way in place_of(soil, clips)[1])


def followers(soil, behaviors):
    pose = soil.moves.exit[behaviors[-1]] if len(behaviors) else soil.pose
    return soil.moves.followers[soil.moves.follower_starts[pose] : soil.moves.follower_starts[pose + 1]]


def sequences(soil, growth):
    """The behaviors on the way to each node."""
    return [
        tuple(soil.behavior_of[growth.clips[chain(growth, node)]].tolist()) for node in range(len(growth.parents))
    ]


def all_sequences(soil, depth, fits):
    found, level = [], [()]
    for _ in range(depth):
        level = [(*way, int(b)) for way in level for b in followers(soil, way) if fits((*way, int(b)))]
        found += level
    return found


@pytest.mark.parametrize("builder", BUILDERS, ids=lambda builder: builder.name)
@pytest.mark.parametrize("nodes", [1, 7, 40, 1000])
def test_growths_are_trees_of_legal_ways(builder, soil, nodes):
    calls = []
    growth = grow(builder, soil, nodes, progress=lambda *call: calls.append(call))
    assert len(growth.parents) == len(growth.clips) <= nodes
    assert len(growth.parents) == nodes or nodes == 1000
    assert (growth.parents < np.arange(len(growth.parents))).all()
    assert growth.parents.dtype == growth.clips.dtype == np.int32
    ways = sequences(soil, growth)
    assert len(set(ways)) == len(ways)
    assert all(way[-1] in followers(soil, way[:-1]) for way in ways)
    assert max(map(len, ways)) <= DEPTH
    assert calls[-1][0] == len(growth.parents)
    again = grow(builder, soil, nodes)
    assert np.array_equal(growth.parents, again.parents)
    assert np.array_equal(growth.clips, again.clips)


@pytest.mark.parametrize("builder", BUILDERS, ids=lambda builder: builder.name)
def test_clips_vary_and_other_seeds_give_other_trees(builder, soil):
    one, other = grow(builder, soil, 60, 1), grow(builder, soil, 60, 2)
    assert not np.array_equal(one.clips, other.clips)
    assert len(set(one.clips.tolist())) > 6


@pytest.mark.parametrize("builder", BUILDERS, ids=lambda builder: builder.name)
def test_ways_stay_in_the_region(builder, narrow):
    growth = grow(builder, narrow, 1000)
    assert len(growth.parents) > 10
    for node in range(len(growth.parents)):
        assert inside(narrow, growth.clips[chain(growth, node)])


def test_exhaustive_has_everything(soil, narrow):
    found = sequences(soil, grow(Exhaustive(DEPTH), soil, 10_000))
    assert sorted(found) == sorted(all_sequences(soil, DEPTH, lambda way: True))
    found = sequences(narrow, grow(Exhaustive(DEPTH), narrow, 10_000))
    expected = all_sequences(narrow, DEPTH, lambda way: inside(narrow, way))
    assert sorted(found) == sorted(expected)
    assert len(expected) < len(all_sequences(narrow, DEPTH, lambda way: True))


def test_exhaustive_fills_levels_one_after_another(soil):
    sizes = [len(all_sequences(soil, depth, lambda way: True)) for depth in (1, 2, 3)]
    depths = np.array([len(way) for way in sequences(soil, grow(Exhaustive(9), soil, sizes[2] + 5))])
    assert (np.diff(depths) >= 0).all()
    assert [int((depths <= depth).sum()) for depth in (1, 2, 3)] == sizes
    assert depths[-1] == 4


def test_where_exhaustive_runs_out_of_nodes_is_left_to_chance(soil):
    favoured = {int(grow(Exhaustive(2), soil, 4 + 2, seed).parents[-1]) for seed in range(20)}
    assert favoured == {0, 1, 2, 3}


@pytest.mark.parametrize("per_cell", [1, 2])
def test_pruned_leaves_out_only_what_its_cells_have_no_room_for(per_cell):
    soil = make_soil(radius=6.0, clips=1)
    growth = grow(PrunedTree(per_cell, 5), soil, 10_000)
    ways = sequences(soil, growth)

    def cell_of(way):
        x, z = place_of(soil, way)[0]
        region = soil.region
        return int((z - region.origin_z) // region.cell), int((x - region.origin_x) // region.cell)

    counts: dict[tuple[int, int], int] = {}
    for way in ways:
        counts[cell_of(way)] = counts.get(cell_of(way), 0) + 1
    assert max(counts.values()) == per_cell
    left_out, known = 0, set(ways)
    for way in [(), *(way for way in ways if len(way) < 5)]:
        for behavior in followers(soil, way):
            child = (*way, int(behavior))
            if child not in known and inside(soil, child):
                assert counts[cell_of(child)] == per_cell
                left_out += 1
    assert left_out > 3
    assert (np.diff([len(way) for way in ways]) >= 0).all()


def test_a_level_of_the_pruned_tree_is_gone_through_at_random(soil):
    """Not parent by parent: children of one are not all together."""
    parents = grow(PrunedTree(100, 2), soil, 4 + 8).parents[4:]
    assert 1 + (np.diff(parents) != 0).sum() > len(set(parents.tolist()))


def cells_of(soil, clips, size):
    points = np.concatenate(place_of(soil, clips)[1])
    region = soil.region
    return {
        tuple(cell) for cell in np.floor((points - (region.origin_x, region.origin_z)) / size).astype(int).tolist()
    }


def even_way(soil, clips, step):
    """Points at every step along a way, and its end."""
    end, ways = place_of(soil, clips)
    points = np.concatenate([np.zeros((1, 2)), *ways])
    lengths = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])
    at = np.arange(1, int(lengths[-1] / step) + 1) * step
    return np.stack([np.interp(at, lengths, points[:, axis]) for axis in (0, 1)], axis=1), end


def area(one, other):
    (first, first_end), (second, second_end) = one, other
    steps = max(len(first), len(second))
    first = np.concatenate([first, np.tile(first_end, (steps - len(first), 1))])
    second = np.concatenate([second, np.tile(second_end, (steps - len(second), 1))])
    return np.hypot(*(first - second).T).sum()


def choose(candidates, nodes, score):
    """The greedy choice, with no shortcut: the node with the highest score(node, chosen), ties to the first."""
    chosen: list[int] = []
    while len(chosen) < min(nodes, len(candidates.parents)):
        rest = [node for node in range(len(candidates.parents)) if node not in chosen]
        best = max(rest, key=lambda node: score(node, chosen))  # the first of equals
        for node in chain(candidates, best):
            if node not in chosen and len(chosen) < nodes:
                chosen.append(int(node))
    return chosen


def twin_score(builder, soil, candidates):
    clips = [candidates.clips[chain(candidates, node)] for node in range(len(candidates.parents))]
    if isinstance(builder, Separation):
        ways = [even_way(soil, own, builder.step) for own in clips]
        return lambda node, chosen: min((area(ways[node], ways[other]) for other in chosen), default=np.inf)
    cells = [cells_of(soil, own, builder.cell) for own in clips]
    if isinstance(builder, InnerProduct):
        return lambda node, chosen: -sum(len(cells[node] & cells[other]) for other in chosen)
    free = builder.free
    return lambda node, chosen: (
        free ** len(cells[node]) - sum(free ** len(cells[node] | cells[other]) for other in chosen)
    )


@pytest.mark.parametrize(
    "builder",
    [
        InnerProduct(2),
        InnerProduct(DEPTH, cell=0.3),
        # Sums of powers of two are exact, and ties are ties.
        InclusionExclusion(2, free=0.5),
        InclusionExclusion(DEPTH, cell=0.4, free=0.5),
        Separation(2),
        Separation(DEPTH, step=0.3),
    ],
    ids=repr,
)
def test_choices_are_those_of_the_plain_greedy_algorithm(builder, soil):
    candidates = grow(Exhaustive(builder.depth), soil, 10_000)
    score = twin_score(builder, soil, candidates)
    expected = choose(candidates, 45, score)
    for nodes in (3, 17, 45):
        growth = grow(builder, soil, nodes)
        kept = expected[:nodes]
        assert growth.clips.tolist() == candidates.clips[kept].tolist()
        above = [-1 if parent < 0 else kept.index(parent) for parent in candidates.parents[kept]]
        assert growth.parents.tolist() == above


def mean_depth(soil, growth):
    return np.mean([len(way) for way in sequences(soil, growth)])


def test_which_methods_like_short_ways_and_which_long_ones(soil):
    """As Lau (2009) says of figure 4.10."""
    depths = {builder.name: mean_depth(soil, grow(builder, soil, 30)) for builder in BUILDERS}
    assert depths["branicky-ip"] < depths["branicky-ie"]
    assert depths["pruned"] < depths["green-kelly"]


def test_of_too_many_candidates_some_are_taken(soil, monkeypatch):
    monkeypatch.setattr(diverse, "MOST_CANDIDATES", 30)
    for builder in BUILDERS[2:]:
        assert len(grow(builder, soil, 20).parents) == 20
        assert len(grow(builder, soil, 50).parents) == 50


def test_an_interrupted_growth_ends_at_once(soil):
    def stop(*_):
        raise KeyboardInterrupt

    for builder in BUILDERS:
        with pytest.raises(KeyboardInterrupt):
            grow(builder, soil, 70, progress=stop)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: PrunedTree(0), "at least one"),
        (lambda: InnerProduct(cell=0.0), "a cell of 0.01 m"),
        (lambda: InclusionExclusion(cell=np.inf), "a cell of"),
        (lambda: InclusionExclusion(free=1.0), "between 0 and 1"),
        (lambda: Separation(step=-1.0), "a step of"),
    ],
)
def test_what_makes_no_sense_is_refused(make, said):
    with pytest.raises(PlanError, match=said):
        make()


@pytest.mark.parametrize("builder", BUILDERS, ids=lambda builder: builder.name)
def test_without_nodes_or_without_room_a_tree_is_its_root(builder, soil):
    assert len(grow(builder, soil, 0).parents) == 0
    assert len(grow(builder, make_soil(radius=0.5), 10).parents) == 0
