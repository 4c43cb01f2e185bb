"""Lookups: the cheapest free node of a tree, as a look at all of them finds it."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from walkon.errors import PlanError, TreeError
from walkon.planning import Reservations
from walkon.planning.body_tracks import clip_track
from walkon.rotations import Placement, rotation_about_y
from walkon.trees.builders.scalable import Scalable
from walkon.trees.kernels_backward import REACH
from walkon.trees.lookup import Lookup
from walkon.trees.planting import GridSizes, plant
from walkon.trees.region import disc
from walkon.world import (
    PASSES,
    Box,
    Capsule,
    Cylinder,
    Goal,
    HeightField,
    Obstacle,
    Scene,
    Sphere,
    build_world,
    flat_terrain,
)

BOUNDS = (-7.0, -7.0, 7.0, 7.0)
HORIZON = 400
UPRIGHT = np.array([[1.0, 0.0, 0.0, 0.0]])
SEEDS = 4
KINDS = ("standing", "passable", "moving", "people", "hill", "all")


def standing(rng):
    for index in range(int(rng.integers(4, 9))):
        x, z = rng.uniform(-6.0, 6.0, 2)
        shape = Box(*rng.uniform(0.3, 2.0, 3)) if index % 2 else Cylinder(rng.uniform(0.05, 0.6), 1.5)
        yield Obstacle(f"thing {index}", shape, [[x, 0.0, z]], [rotation_about_y(rng.uniform(0.0, 6.0))])


def passable(rng):
    """Low ones and high ones, side by side."""
    kinds = ((0.0, 0.25, ("step_over", "jump_over")), (1.3, 0.3, ("duck_under", "crawl_under")))
    for index in range(8):
        bottom, height, passes = kinds[index % 2]
        x, z = rng.uniform(-5.0, 5.0, 2)
        shape = Box(rng.uniform(1.5, 4.0), height, 0.2)
        yield Obstacle(f"bar {index}", shape, [[x, bottom, z]], [rotation_about_y(rng.uniform(0.0, 6.0))], passes)


def moving(rng):
    """Some to and fro, and a bar to be jumped that comes and goes."""
    times = np.arange(HORIZON) / 30.0
    for index in range(5):
        (x, z), (to_x, to_z) = rng.uniform(-6.0, 6.0, (2, 2))
        share = 0.5 - 0.5 * np.cos(times * rng.uniform(0.3, 1.5))
        places = np.stack(
            [x + share * (to_x - x), 0.5 * (index % 2) + 0.0 * share, z + share * (to_z - z)], axis=1
        )
        shape = Sphere(0.5) if index % 2 else Capsule(rng.uniform(0.2, 0.5), 1.5)
        shape, passes = (Box(2.0, 0.2, 0.2), ("jump_over",)) if index == 4 else (shape, ())
        yield Obstacle(f"mover {index}", shape, places, np.repeat(UPRIGHT, HORIZON, axis=0), passes)


def people(rng, graph, level):
    """Someone who crosses and goes, some who come and stay, one who stands there all the time; and two who do what
    people do, as they are seen at that level."""
    kept = Reservations(BOUNDS, HORIZON, clearance=0.05)
    for index in range(8):
        start, goal = rng.uniform(-5.0, 5.0, (2, 2))
        frames = int(rng.integers(1, 200)) if index else 1
        share = np.linspace(0.0, 1.0, frames)[:, None]
        circles = np.column_stack([start + share * (goal - start), np.full(frames, rng.uniform(0.3, 0.5))])
        kept.add(index, int(rng.integers(0, 100)) if index else 0, circles, bool(index % 2 == 0))
    for index in range(6):
        clip, place = int(rng.integers(len(graph.durations))), Placement(*rng.uniform(-5.0, 5.0, 3).tolist())
        kept.add(f"body {index}", int(rng.integers(0, 60)), clip_track(graph, clip, place, level), index < 4)
    return kept


def make_world(kind, seed, graph=None):
    """Every second one with outlines, the others with circles of one kind or the other."""
    level = ("outline", "circle", "outline", "one-circle")[seed % 4]
    rng = np.random.default_rng([seed, KINDS.index(kind)])
    makers = {
        "standing": [standing],
        "passable": [passable],
        "moving": [moving],
        "all": [standing, passable, moving],
    }
    things = [thing for maker in makers.get(kind, []) for thing in maker(rng)]
    terrain = flat_terrain(BOUNDS)
    if kind == "hill":
        things = list(standing(rng))
        terrain = HeightField(-7.0, -7.0, 0.5, 0.2 * np.sin(np.arange(29))[:, None] * np.cos(np.arange(29)))
    scene = Scene(kind, BOUNDS, terrain, tuple(things), duration=HORIZON / 30.0, bodies=level)
    return build_world(scene), people(rng, graph, level) if kind in ("people", "all") else None


def random_root(rng, world, reservations, forest, graph, twins):
    """A root from which some of the tree can be reached, but not all."""
    planted = np.flatnonzero(np.diff(forest.starts))
    while True:
        start = Placement(*rng.uniform(-4.0, 4.0, 2).tolist(), rng.uniform(-math.pi, math.pi))
        horizon = HORIZON if rng.random() < 0.7 else int(rng.integers(150, 260))
        frame = int(rng.integers(0, 60)) if rng.random() < 0.5 else 0
        root = twins.Root(world, start, int(rng.choice(planted)), frame, horizon, reservations)
        twin = twins.Twin(forest, graph, root)
        if 40 <= sum(twin.is_free(node) for node in twin.nodes) < len(twin.nodes):
            return root, twin


def begin(lookup, root):
    lookup.begin(
        root.world, root.start, root.pose, frame=root.frame, horizon=root.horizon, reservations=root.reservations
    )


def random_goal(rng, twin, largest):
    """Near to some node, so that there is something to be found."""
    node = int(rng.integers(twin.nodes.start, twin.nodes.stop))
    x, z = twin.place(node)[:2] + rng.uniform(-0.3, 0.3, 2)
    heading = float(rng.uniform(-6.0, 6.0)) if rng.random() < 0.2 else None
    return Goal(float(x), float(z), float(rng.uniform(0.1, largest)), heading, float(rng.uniform(0.2, 1.5)))


def random_wish(rng, goal):
    wish = {"stays": bool(rng.random() < 0.3)}
    if rng.random() < 0.3:
        x, z = (np.array([goal.x, goal.z]) + rng.uniform(-2.0, 2.0, 2)).tolist()
        wish |= {"ahead": (x, z), "rate": float(rng.uniform(0.0, 2.0)), "turning": float(rng.uniform(0.0, 3.0))}
    return wish


def value(twin, node, wish):
    """What a node counts; infinity if there is none."""
    return math.inf if node < 0 else twin.total(node, **{key: of for key, of in wish.items() if key != "stays"})


@pytest.fixture(scope="module")
def lookup(grove, human):
    """One for all tests here: whatever an earlier one left in its memory must not matter."""
    return Lookup(grove, human)


@pytest.fixture(scope="module")
def rough(grove, human):
    return Lookup(grove, human, exact=False)


@pytest.mark.parametrize("kind", KINDS)
def test_the_cheapest_free_node_is_found(kind, twins, grove, human, lookup, rough):
    tally = Counter()
    for seed in range(SEEDS):
        world, reservations = make_world(kind, seed, human)
        rng = np.random.default_rng([seed, 77])
        for _ in range(4):
            root, twin = random_root(rng, world, reservations, grove, human, twins)
            begin(lookup, root)
            begin(rough, root)
            for _ in range(40):
                goal = random_goal(rng, twin, grove.overlap)
                wish = random_wish(rng, goal)
                node, expected = lookup.reach(goal, **wish), twin.least(goal, **wish)
                assert value(twin, node, wish) == pytest.approx(expected, abs=1e-4), (seed, root, goal, wish)
                check_claims(twin, goal, wish, node)
                hasty = rough.reach(goal, **wish)
                assert value(twin, hasty, wish) >= expected - 1e-4, (seed, root, goal, wish)
                check_claims(twin, goal, wish, hasty)
                totals = [value(twin, one, wish) for one in twin.at_goal(goal)]
                dearer = bool(totals) and expected > min(totals) + 1e-5
                tally.update(found=node >= 0, none=node < 0, dearer=dearer, missed=hasty < 0 <= node)
    # All kinds of answers occurred: else nothing was shown.
    assert min(tally["found"], tally["none"], tally["dearer"]) > 10 * SEEDS, tally
    assert tally["missed"] or kind == "passable", tally


def check_claims(twin, goal, wish, node):
    """A node that was found is at the goal, and the way to it is free."""
    if node >= 0:
        assert node in twin.at_goal(goal)
        assert twin.is_free(node)
        assert not wish["stays"] or twin.can_stay(node)


BARS = {
    "step_over": (0.0, 0.2),
    "jump_over": (0.0, 0.3),
    "duck_under": (1.35, 0.3),
    "crawl_under": (0.95, 0.5),
}
"""Bottom and height [m] of what is passed so."""


def across(rng, forest, graph, moves, start, node, moving):
    """A bar across the way that leads to a special node, about where the action happens."""
    clip, behavior = int(forest.clips[node]), int(forest.behaviors[node])
    row = moves.frame_starts[clip] + moves.action_frames[clip]
    parent = start @ Placement(*forest.placements[forest.parents[node]].astype(float).tolist())
    x, z = (float(value) for value in parent.point(*(moves.paths[row] + rng.uniform(-0.1, 0.1, 2))))
    kind = PASSES[moves.special[behavior]]
    bottom, height = BARS[kind]
    times = np.arange(HORIZON if moving else 1)
    z = z + 0.1 * np.sin(0.05 * times)
    turn = rotation_about_y(parent.heading + rng.uniform(-0.2, 0.2))
    places = np.stack([np.full(len(z), x), np.full(len(z), bottom), z], axis=1)
    shape = Box(float(rng.uniform(0.8, 3.0)), height, 0.1)
    return Obstacle(f"bar {node}", shape, places, np.tile(turn, (len(z), 1)), (kind,))


CLOSE_QUARTERS = (
    "walk_slow*",
    "walk_creep*",
    "walk_narrow*",
    "walk_speed_up*",
    "sidle*",
    "walk_step*",
    "set_off*",
    "halt*",
    "close_up",
)
"""Behaviors without which small trees have room for all that can be passed."""


@pytest.fixture(scope="module")
def striding(human):
    """Somebody who takes strides only, and small trees of hers."""
    graph = human.customized({}, without=["gesture", *CLOSE_QUARTERS])
    options = {"region": disc(4.5), "poses": ["walk", "stand"], "seed": 3, "passes": PASSES}
    return graph, plant(graph, Scalable(), nodes=1000, grids=GridSizes(overlap=0.6), **options)


@pytest.mark.parametrize("moving", [False, True])
def test_what_can_be_passed_is_passed_where_that_is_cheapest(moving, twins, striding):
    human, grove = striding
    lookup, rough = Lookup(grove, human), Lookup(grove, human, exact=False)
    lookup.see("outline")
    rng, tally = np.random.default_rng(4), Counter()
    acts = (grove.behaviors >= 0) & (lookup.moves.special[grove.behaviors] >= 0)
    # Those with nothing else to be passed before.
    special = np.array([node for node in np.flatnonzero(acts) if acts[lookup.way(node)].sum() == 1])
    terrain = flat_terrain(BOUNDS)
    for _ in range(80):
        pose = int(rng.choice(np.flatnonzero(np.diff(grove.starts))))
        start = Placement(0.0, 0.0, rng.uniform(-math.pi, math.pi))
        own = special[(special >= grove.starts[pose]) & (special < grove.starts[pose + 1])]
        chosen = rng.choice(own, 3, replace=False).tolist()
        bars = tuple(across(rng, grove, human, lookup.moves, start, node, moving) for node in chosen)
        world = build_world(Scene("bars", BOUNDS, terrain, bars, duration=HORIZON / 30.0))
        root = twins.Root(world, start, pose, int(rng.integers(0, 50)), HORIZON)
        twin = twins.Twin(grove, human, root)
        begin(lookup, root)
        begin(rough, root)
        for node in (*chosen, *chosen, *rng.choice(np.array(twin.nodes), 5).tolist()):
            x, z = (twin.place(node)[:2] + rng.uniform(-0.2, 0.2, 2)).tolist()
            goal = Goal(x, z, float(rng.uniform(0.3, 0.6)))
            found, expected = lookup.reach(goal), twin.least(goal)
            assert value(twin, found, {}) == pytest.approx(expected, abs=1e-5)
            check_claims(twin, goal, {"stays": False}, found)
            hasty = rough.reach(goal)
            assert value(twin, hasty, {}) >= expected - 1e-5
            check_claims(twin, goal, {"stays": False}, hasty)
            way = lookup.way(found) if found >= 0 else []
            for behavior in grove.behaviors[way] if found >= 0 else []:
                tally[int(lookup.moves.special[behavior])] += 1
    assert sum(tally[kind] > 1 for kind in range(len(PASSES))) >= 3, tally


def test_what_is_remembered_is_no_more_than_what_was_asked_since_begin(twins, grove, human, lookup):
    """The same answers as from a new lookup for each question; and what is known is not checked again."""
    rng = np.random.default_rng(5)
    world, reservations = make_world("all", 1, human)
    other, _ = make_world("standing", 3)
    for _ in range(4):
        for root, twin in (
            random_root(rng, world, reservations, grove, human, twins),
            random_root(rng, other, None, grove, human, twins),
        ):
            begin(lookup, root)
            assert lookup.checks == lookup.exact_checks == lookup.mapped == 0
            goals = [random_goal(rng, twin, grove.overlap) for _ in range(15)]
            answers = [lookup.reach(goal) for goal in goals]
            checks = lookup.checks
            assert lookup.exact_checks <= checks <= len(twin.nodes)
            assert [lookup.reach(goal) for goal in goals] == answers
            assert lookup.checks == checks
            for goal, answer in zip(goals, answers, strict=True):
                fresh = Lookup(grove, human)
                begin(fresh, root)
                assert fresh.reach(goal) == answer


def test_nothing_is_checked_behind_a_blocked_clip_nor_twice(twins, grove, human, lookup):
    """Of each way that had to be looked at, the clips up to the first blocked one, each once."""
    rng = np.random.default_rng(6)
    world, _ = make_world("standing", 1)
    for _ in range(6):
        root, twin = random_root(rng, world, None, grove, human, twins)
        begin(lookup, root)
        checked = set()
        for _ in range(12):
            goal = random_goal(rng, twin, grove.overlap)
            node = lookup.reach(goal)
            for other in sorted(twin.at_goal(goal), key=lambda one: grove.costs[one]):
                if node >= 0 and grove.costs[other] > grove.costs[node]:
                    break
                for clip in lookup.way(other).tolist():
                    checked.add(clip)
                    if not twin.is_free(clip):
                        break
        assert lookup.checks <= len(checked)


def test_a_larger_tolerance_than_the_overlap_sees_only_so_far(twins, grove, human, lookup):
    """All of the goal's own cell and as far over its borders as cells reach: no less, no more."""
    rng = np.random.default_rng(8)
    world, _ = make_world("standing", 0)
    short = 0
    for _ in range(6):
        root, twin = random_root(rng, world, None, grove, human, twins)
        begin(lookup, root)
        for _ in range(25):
            goal = replace(random_goal(rng, twin, 0.5), tolerance=2.5, heading=None)
            there = root.start.inverse() @ Placement(goal.x, goal.z, 0.0)
            low = np.array([grove.goal_x, grove.goal_z])
            low += (
                np.floor((np.array([there.x, there.z]) - low) / grove.goal_cell) * grove.goal_cell - grove.overlap
            )
            places = grove.placements[:, :2]
            inside = ((places >= low) & (places < low + grove.goal_cell + 2 * grove.overlap)).all(axis=1)
            among = set(np.flatnonzero(inside).tolist())
            node = lookup.reach(goal)
            assert value(twin, node, {}) == pytest.approx(twin.least(goal, among=among), abs=1e-5)
            short += twin.least(goal) < value(twin, node, {}) - 1e-5
    assert short > 10


def test_staying_at_the_root_is_as_staying_at_a_node(twins, grove, human, lookup):
    """By a naive look at the place where the root is, with and without others."""
    stand, answers = human.poses.index("stand"), Counter()
    for kind in ("standing", "moving", "people", "all"):
        world, reservations = make_world(kind, 2, human)
        rng = np.random.default_rng(9)
        for _ in range(40):
            start = Placement(*rng.uniform(-6.0, 6.0, 2).tolist(), float(rng.uniform(-3.0, 3.0)))
            root = twins.Root(world, start, stand, int(rng.integers(0, 200)), HORIZON, reservations)
            begin(lookup, root)
            assert lookup.can_stay() == twins.Twin(grove, human, root).root_can_stay()
            answers[kind, lookup.can_stay()] += 1
            begin(lookup, root._replace(pose=human.poses.index("walk")))
            assert not lookup.can_stay()
    assert len(answers) == 8, answers


def test_ways_are_chains_of_clips_as_the_graph_numbers_them(grove, human, lookup):
    for pose in np.flatnonzero(np.diff(grove.starts)).tolist():
        for node in range(grove.starts[pose] + 1, grove.starts[pose + 1]):
            way, clips = lookup.way(node), lookup.clips_to(node)
            assert way[-1] == node
            assert grove.parents[way[0]] == grove.starts[pose]
            place, at, frame, cost = Placement(), pose, 0, 0.0
            for step, (behavior, clip) in zip(way, clips, strict=True):
                assert human.entry[behavior] == at
                assert human.behavior_of(clip) == behavior
                place, at = place @ Placement(*human.displacements[clip]), human.exit[behavior]
                frame, cost = frame + human.durations[clip], cost + human.costs[behavior]
                np.testing.assert_allclose(grove.placements[step, :2], [place.x, place.z], atol=1e-5)
                assert grove.frames[step] == frame
                assert grove.costs[step] == pytest.approx(cost, rel=1e-6)
                assert abs(math.sin(0.5 * (grove.placements[step, 2] - place.heading))) < 1e-6


def test_questions_without_an_answer(twins, grove, human):
    lookup, world = Lookup(grove, human), make_world("people", 0, human)[0]
    for ask in (lambda: lookup.reach(Goal(0.0, 1.0)), lookup.can_stay):
        with pytest.raises(PlanError, match="begin"):
            ask()
    with pytest.raises(TreeError, match="another"):
        Lookup(grove, human.customized({"walk_*": 2.0}))
    begin(lookup, twins.Root(world, Placement(), human.poses.index("walk")))
    assert lookup.radius == pytest.approx(np.hypot(*grove.placements[:, :2].T).max(), rel=1e-6)
    for x, z in ((50.0, 0.0), (-50.0, 0.0), (0.0, 50.0), (0.0, -50.0)):
        assert lookup.reach(Goal(x, z)) == -1
    assert lookup.reach(Goal(0.0, 2.0, 0.6)) >= 0
    # There is no tree for those who sit.
    begin(lookup, twins.Root(world, Placement(), human.poses.index("sit")))
    assert lookup.reach(Goal(0.0, 2.0, 0.6)) == -1
    assert len(lookup.way(int(grove.starts[0]))) == 0


def test_bodies_are_near_enough_to_where_they_are_watched_when_they_act(grove, lookup):
    """What the cells say of special behaviors counts on it."""
    moves = lookup.moves
    special = (
        moves.special[np.searchsorted(moves.clip_starts, np.arange(len(moves.numbers)), side="right") - 1] >= 0
    )
    rows = (moves.frame_starts[:-1] + moves.action_frames)[special]
    watched = grove.points[grove.point_starts[:-1][special]]
    assert np.hypot(*(watched - moves.paths[rows]).T).max() <= REACH
