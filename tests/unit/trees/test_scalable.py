"""SPST beside an obvious twin: all distances, all cells, equation 4.1 as it stands."""

from __future__ import annotations

import math

import numpy as np
import pytest

from walkon.errors import PlanError
from walkon.planning.heuristics import least_rate
from walkon.trees import _kernels_growing as kernels
from walkon.trees.builders import scalable
from walkon.trees.builders.scalable import DETOUR_SLACK, FAMILY, Scalable
from walkon.trees.growing import prepare_soil, tree_moves
from walkon.trees.planting import plant
from walkon.trees.region import disc, half_disc, polygon

THESIS = Scalable(thrift=0.0, apart=0.0)
WORD = 2**64


@pytest.fixture(scope="module")
def soil(varied):
    """The root stands; cells are large enough to be crossed often."""
    return prepare_soil(tree_moves(varied, seed=1), varied.poses.index("stand"), disc(7.0, cell=0.5))


def grow(builder, soil, nodes, seed=1, progress=None):
    return builder.grow(soil, nodes, np.random.default_rng(seed), progress)


class Mix:
    """splitmix64 in whole numbers."""

    def __init__(self, seed):
        self.state = seed

    def bits(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) % WORD
        mixed = self.state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) % WORD
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) % WORD
        return (mixed ^ (mixed >> 31)) >> 11

    def below(self, count):
        return self.bits() % count

    def uniform(self):
        return self.bits() / 2**53


def density(counts):
    """Equation 4.1."""
    return float(((counts.mean() - counts) ** 2).sum())


def crossed(soil, state, clip):
    """The cells of a clip's path from a state, row by row, or None if it leaves the region."""
    x, z, heading = state[:3]
    region, found = soil.region, []
    for px, pz in soil.traces[soil.trace_starts[clip] : soil.trace_starts[clip + 1]].tolist():
        at_x = x + px * math.cos(heading) + pz * math.sin(heading)
        at_z = z - px * math.sin(heading) + pz * math.cos(heading)
        if not region.contains(at_x, at_z):
            return None
        row, column = (
            math.floor((at_z - region.origin_z) / region.cell),
            math.floor((at_x - region.origin_x) / region.cell),
        )
        found.append(row * region.mask.shape[1] + column)
    return sorted(set(found))


def followed(soil, state, clip):
    x, z, heading, cost = state
    dx, dz, turn = soil.moves.displacements[clip]
    return (
        x + dx * math.cos(heading) + dz * math.sin(heading),
        z - dx * math.sin(heading) + dz * math.cos(heading),
        heading + turn,
        cost + soil.moves.costs[soil.behavior_of[clip]],
    )


def naive_growth(soil, nodes, seed, thrift):
    """Algorithm 2 with no shortcut; (parent, clip) of every node, -1 for the root."""
    moves, region = soil.moves, soil.region
    mix = Mix(int(np.random.default_rng(seed).integers(2**63)))
    area = np.flatnonzero(region.mask)
    counts = np.zeros(region.mask.size)
    states, poses, links, tried, done = [(0.0, 0.0, 0.0, 0.0)], [soil.pose], [], [set()], [False]
    while len(links) < nodes and not all(done):
        sample = area[mix.below(len(area))]
        x = region.origin_x + (sample % region.mask.shape[1] + mix.uniform()) * region.cell
        z = region.origin_z + (sample // region.mask.shape[1] + mix.uniform()) * region.cell
        open_ones = [node for node in range(len(states)) if not done[node]]
        near = min(open_ones, key=lambda node: math.hypot(states[node][0] - x, states[node][1] - z))
        best, chosen = math.inf, None
        for behavior in moves.followers[
            moves.follower_starts[poses[near]] : moves.follower_starts[poses[near] + 1]
        ]:
            if behavior in tried[near]:
                continue
            begin, end = moves.clip_starts[behavior], moves.clip_starts[behavior + 1]
            clip = int(begin + mix.below(int(end - begin)))
            cells = crossed(soil, states[near], clip)
            if cells is None:
                tried[near].add(behavior)
                continue
            after = counts.copy()
            after[cells] += 1
            score = (density(after[area]) - density(counts[area])) / len(cells)
            to = followed(soil, states[near], clip)
            mean = counts[area].mean()
            score += thrift * (2.0 * mean + 1.0) * to[3] / max(math.hypot(*to[:2]), 1.0)
            if score < best - 1e-9:
                best, chosen = score, (behavior, clip, cells)
        if chosen is None:
            done[near] = True
            continue
        behavior, clip, cells = chosen
        tried[near].add(behavior)
        counts[cells] += 1
        links.append((near - 1, clip))
        states.append(followed(soil, states[near], clip))
        poses.append(int(moves.exit[behavior]))
        tried.append(set())
        done.append(False)
    return links


@pytest.mark.parametrize("thrift", [0.0, 0.4])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_growth_is_that_of_the_plain_algorithm(soil, seed, thrift):
    growth = grow(Scalable(thrift=thrift, apart=0.0), soil, 150, seed)
    expected = naive_growth(soil, 150, seed, thrift)
    assert list(zip(growth.parents.tolist(), growth.clips.tolist(), strict=True)) == expected


def test_in_a_small_region_everything_that_fits_is_found_and_then_it_ends(varied):
    """With no budget to run out of, what is left out does not fit."""
    soil = prepare_soil(tree_moves(varied, seed=1), 0, half_disc(3.5, behind=0.3, cell=0.2))
    growth = grow(THESIS, soil, 100_000)
    expected = naive_growth(soil, 100_000, 1, 0.0)
    assert 10 < len(growth.parents) < 5000
    assert list(zip(growth.parents.tolist(), growth.clips.tolist(), strict=True)) == expected


@pytest.mark.parametrize("seed", range(3))
def test_the_nearest_node_is_the_nearest_of_all(soil, seed):
    rng = np.random.default_rng(seed)
    nodes = 400
    tree = scalable._empty_tree(soil, nodes)
    kernels.seed_tree(tree, np.zeros(4), soil.pose, 1)
    tree.states[1:, :2] = rng.uniform(-7.1, 7.1, (nodes - 1, 2)) * rng.choice([0.2, 1.0], (nodes - 1, 1))
    for node in range(1, nodes):
        kernels._shelve(tree, node)
    tree.counters[kernels.NODES] = nodes
    while not tree.exhausted.all():
        for x, z in rng.uniform(-7.0, 7.0, (20, 2)).tolist():
            away = np.hypot(tree.states[:, 0] - x, tree.states[:, 1] - z)
            away[tree.exhausted] = np.inf
            assert kernels._nearest(tree, x, z) == away.argmin()
        left = np.flatnonzero(~tree.exhausted)
        tree.exhausted[rng.choice(left, max(1, len(left) // 3), replace=False)] = True
    assert kernels._nearest(tree, 0.0, 0.0) == -1


def states_of(soil, growth):
    states, poses = [], []
    for parent, clip in zip(growth.parents.tolist(), growth.clips.tolist(), strict=True):
        before = (0.0, 0.0, 0.0, 0.0) if parent < 0 else states[parent]
        states.append(followed(soil, before, clip))
        poses.append(int(soil.moves.exit[soil.behavior_of[clip]]))
    return states, poses


BUILDERS = [THESIS, Scalable(), Scalable(thrift=1.0, apart=0.0), Scalable(thrift=0.0, apart=1.0)]


@pytest.mark.parametrize("builder", BUILDERS, ids=repr)
@pytest.mark.parametrize("nodes", [0, 1, 7, 300, 2000])
def test_growths_are_legal_distinct_and_inside(builder, soil, nodes):
    calls = []
    growth = grow(builder, soil, nodes, progress=lambda *call: calls.append(call))
    assert len(growth.parents) == len(growth.clips) == nodes
    assert growth.parents.dtype == growth.clips.dtype == np.int32
    assert (growth.parents < np.arange(nodes)).all()
    assert (growth.parents >= -1).all()
    states, poses = states_of(soil, growth)
    children = set()
    for parent, clip in zip(growth.parents.tolist(), growth.clips.tolist(), strict=True):
        pose, behavior = soil.pose if parent < 0 else poses[parent], int(soil.behavior_of[clip])
        starts = soil.moves.follower_starts
        assert behavior in soil.moves.followers[starts[pose] : starts[pose + 1]]
        assert (parent, behavior) not in children
        children.add((parent, behavior))
        assert crossed(soil, (0.0,) * 4 if parent < 0 else states[parent], clip) is not None
    so_far = [call[0] for call in calls]
    assert so_far == sorted(so_far)
    assert all(call[1] == nodes for call in calls)
    assert not calls or so_far[-1] <= nodes
    assert builder.apart == 1.0 or not nodes or so_far[-1] == nodes


@pytest.mark.parametrize("builder", BUILDERS, ids=repr)
def test_chance_is_in_the_seed_alone(builder, soil):
    one, again, other = (grow(builder, soil, 500, seed) for seed in (1, 1, 2))
    assert one.parents.tobytes() == again.parents.tobytes()
    assert one.clips.tobytes() == again.clips.tobytes()
    assert one.clips.tobytes() != other.clips.tobytes()


def test_reports_do_not_change_the_tree(soil, monkeypatch):
    whole = grow(Scalable(), soil, 700)
    monkeypatch.setattr(scalable, "REPORTED", 13)
    calls = []
    pieces = grow(Scalable(), soil, 700, progress=lambda *call: calls.append(call))
    assert whole.parents.tolist() == pieces.parents.tolist()
    assert whole.clips.tolist() == pieces.clips.tolist()
    assert len(calls) > 20


def ancestors(growth, levels):
    """The first clips of every node's way, as node numbers."""
    chains = []
    for node, parent in enumerate(growth.parents.tolist()):
        chains.append((*(chains[parent] if parent >= 0 else ()), node)[:levels])
    return chains


def test_families_get_even_shares(varied):
    """The last level that is small enough is whole, and behind each node of it grow as many as behind others."""
    soil = prepare_soil(tree_moves(varied, seed=1), varied.poses.index("stand"), disc(25.0, cell=0.5))
    nodes = 3000
    growth = grow(Scalable(thrift=0.0, apart=1.0), soil, nodes)
    chains = ancestors(growth, 99)
    sizes = np.bincount([len(chain) for chain in chains])
    _, poses = states_of(soil, growth)
    wanted = np.diff(soil.moves.follower_starts)
    level = wanted[soil.pose]
    depth = 1
    while True:
        stems = [node for node, chain in enumerate(chains) if len(chain) == depth]
        assert len(stems) == level == sizes[depth]
        level = sum(wanted[poses[stem]] for stem in stems)
        if level > nodes // FAMILY:
            break
        depth += 1
    assert depth > 1
    shares = np.bincount([chain[depth - 1] for chain in chains if len(chain) > depth])[stems]
    assert shares.max() - shares.min() <= 1
    assert shares.min() > FAMILY // 2


def test_ways_are_spread_more_evenly_than_by_chance(soil):
    """Less dense, by equation 4.1, than the same number of children chosen without a look at the cells."""
    area = np.flatnonzero(soil.region.mask)

    def measured(growth):
        counts = np.zeros(soil.region.mask.size)
        states, _ = states_of(soil, growth)
        for parent, clip in zip(growth.parents.tolist(), growth.clips.tolist(), strict=True):
            counts[crossed(soil, (0.0,) * 4 if parent < 0 else states[parent], clip)] += 1
        return density(counts[area]) / counts.sum() ** 2

    even = np.mean([measured(grow(THESIS, soil, 800, seed)) for seed in range(3)])
    thrifty = np.mean([measured(grow(Scalable(thrift=20.0, apart=0.0), soil, 800, seed)) for seed in range(3)])
    assert even < thrifty


def mean_price(soil, growth):
    """Cost per metre of distance from the root."""
    states = np.array(states_of(soil, growth)[0])
    return np.mean(states[:, 3] / np.maximum(np.hypot(*states[:, :2].T), 1.0))


def test_thrift_makes_ways_cheaper(soil):
    prices = [mean_price(soil, grow(Scalable(thrift=thrift, apart=0.0), soil, 800)) for thrift in (0.0, 1.0)]
    assert prices[1] < 0.9 * prices[0]


def test_no_way_is_a_longer_detour_than_allowed(varied):
    """But for the first levels, which families begin with."""
    rate = least_rate(tree_moves(varied), np.hypot(*tree_moves(varied).displacements[:, :2].T))
    dear = {}
    for detour in (1.2, math.inf):
        forest = plant(varied, Scalable(apart=0.0, detour=detour), nodes=2000, region=disc(7.0, cell=0.5))
        away = np.hypot(forest.placements[:, 0], forest.placements[:, 1])
        dear[detour] = forest.costs - rate * (1.2 * away + DETOUR_SLACK)
    assert dear[1.2].max() <= 1e-3
    assert dear[math.inf].max() > 1.0


@pytest.mark.parametrize("builder", BUILDERS, ids=repr)
def test_where_nothing_fits_a_tree_is_its_root(builder, varied):
    moves = tree_moves(varied, seed=1)
    for nodes in (1, 500, 5000):
        tiny = prepare_soil(moves, 0, disc(0.4, cell=0.2))
        assert len(grow(builder, tiny, nodes).parents) == 0
    # Room for one step and no more.
    narrow = prepare_soil(moves, 0, polygon([(-0.3, -0.3), (0.3, -0.3), (0.3, 1.7), (-0.3, 1.7)], cell=0.1))
    growth = grow(builder, narrow, 5000)
    assert 0 < len(growth.parents) < 10


@pytest.mark.parametrize(
    "options", [{"thrift": -0.1}, {"thrift": math.inf}, {"thrift": math.nan}, {"apart": 1.1}, {"detour": 0.9}]
)
def test_what_makes_no_sense_is_refused(options):
    with pytest.raises(PlanError):
        Scalable(**options)


def test_cells_too_small_for_a_clip_are_refused(varied):
    soil = prepare_soil(tree_moves(varied, seed=1), 0, disc(2.0, cell=0.25))
    crowded = soil._replace(
        trace_starts=np.arange(len(soil.trace_starts)) * 2000, traces=np.zeros((2000 * len(soil.trace_starts), 2))
    )
    with pytest.raises(PlanError, match="too small"):
        grow(Scalable(), crowded, 10)
