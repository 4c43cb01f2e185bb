"""The tree planner: ways that hold up to a judge who knows nothing of trees, and what it does without them."""

from __future__ import annotations

import gc
import math
import threading
import weakref
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from walkon.crowd import pose_problem
from walkon.errors import PlanError
from walkon.planning import AStar, Plan, Replanning, Reservations, SearchStatistics, plan_circles, replanning
from walkon.planning.moves import drawn_clips, moves_with, passes_of
from walkon.planning.steps import reached, step_is_free, steps_along
from walkon.rotations import Placement
from walkon.trees import planner as planner_module
from walkon.trees.builders.scalable import Scalable
from walkon.trees.lookup import Lookup
from walkon.trees.planner import TreePlanner
from walkon.trees.planting import plant
from walkon.trees.region import disc
from walkon.world import BODY_LEVELS, PASSES, Box, Goal, Obstacle, Scene, build_world, flat_terrain, read_scene
from walkon.world.classics import classic_scene_text

WAIT = 3
"""The behavior of that name, of walker and drifter."""

KEPT = 0.05 - 1e-6
"""[m] between bodies and all else; places in trees are rounded."""


@pytest.fixture(scope="module")
def drifter(toys):
    return toys.drifter()


@pytest.fixture(scope="module")
def forest(drifter):
    return plant(drifter, Scalable(), nodes=4000, region=disc(5.0, cell=0.25))


@pytest.fixture(scope="module")
def alone(forest):
    """Asks nobody else."""
    return TreePlanner(forests=(forest,), forward=None, most=400)


@pytest.fixture(scope="module")
def walker(toys):
    return toys.walker()


@pytest.fixture(scope="module")
def lattice(walker):
    """Asks nobody else; all its turns are right angles."""
    forest = plant(walker, Scalable(), nodes=3000, region=disc(5.0, cell=0.25))
    return TreePlanner(forests=(forest,), forward=None, most=1000)


@pytest.fixture(scope="module")
def spare(walker):
    """A few nodes, just around the root."""
    return plant(walker, Scalable(apart=0.0), nodes=2, region=disc(1.6, cell=0.25))


class Asked:
    """A planner that answers nothing, and remembers what it was asked."""

    def __init__(self):
        self.problems = []

    def plan(self, problem):
        self.problems.append(problem)
        none = np.empty(0, dtype=np.int64)
        spent = SearchStatistics(expanded=7, searches=0)
        place = np.array([[problem.start.x, problem.start.z, problem.start.heading]])
        return Plan("none", "I never know", none, none, np.array([problem.start_frame]), place, 0.0, spent)


def track(start_frame, circles, stays):
    return (start_frame, np.array(circles, dtype=float), stays)


def reserve(scene, tracks, horizon=600):
    kept = Reservations(scene.bounds, horizon, clearance=scene.clearance)
    for key, (begin, circles, stays) in enumerate(tracks):
        kept.add(key, begin, circles, stays)
    return kept


def used(plan):
    spent = plan.statistics
    return {name: getattr(spent, name) for name in ("subgoals", "waits", "searches")}


NOTHING = {"subgoals": 0, "waits": 0, "searches": 0}


def test_who_is_there_already_does_nothing(toys, drifter, alone):
    problem = toys.make_problem(drifter, toys.make_scene(), (1.0, 1.0, 0.3), [Goal(1.2, 1.0, 0.5)], start_frame=7)
    plan = alone.plan(problem)
    assert plan.status == "found"
    assert len(plan) == 0
    assert plan.reason == ""
    assert plan.cost == 0.0
    assert plan.frames.tolist() == [7]
    assert plan.placements.tolist() == [[1.0, 1.0, 0.3]]
    assert plan.statistics.lookups == 0
    assert used(plan) == NOTHING


def test_who_is_there_but_looks_elsewhere_turns(toys, drifter, alone):
    scene = toys.make_scene(bounds=(-9.0, -9.0, 9.0, 9.0), duration=60.0)
    problem = toys.make_problem(drifter, scene, (0.0, 0.0, 0.0), [Goal(0.6, 1.0, 1.2, 0.8, 0.2)])
    plan = alone.plan(problem)
    assert plan.status == "found"
    assert len(plan) > 1
    assert toys.judge(problem, plan) >= KEPT


def test_who_is_there_but_in_the_way_of_others_makes_room(toys, drifter, alone):
    scene = toys.make_scene(duration=30.0)
    coming = track(40, np.column_stack([np.linspace(-3.5, 0.0, 60), np.zeros(60), np.full(60, 0.3)]), True)
    problem = toys.make_problem(drifter, scene, (0.0, 0.0, 0.0), [Goal(0.0, 0.0, 2.5)])
    problem = replace(problem, reservations=reserve(scene, [coming]))
    plan = alone.plan(problem)
    assert plan.status == "found"
    assert len(plan) > 0
    assert toys.judge(problem, plan, [coming]) >= KEPT
    # Whoever need not stay is there as it is.
    assert len(alone.plan(replace(problem, stays=False))) == 0


def test_a_goal_within_reach_is_reached_by_the_cheapest_way_of_the_tree(toys, twins, drifter, forest, alone):
    scene = toys.make_scene(boxes=[(0.5, 0.5, 0.6, 0.6)])
    reached_at_once = 0
    for x, z in np.random.default_rng(3).uniform((-2.0, -1.0), (2.0, 3.0), (12, 2)).tolist():
        goal = Goal(x, z, 0.45)
        problem = toys.make_problem(drifter, scene, (0.0, -2.0, 0.1), [goal])
        twin = twins.Twin(forest, drifter, twins.Root(problem.world, problem.start, 0, 0, problem.horizon))
        least = twin.least(goal, stays=True)
        if math.isfinite(least):
            plan = alone.plan(problem)
            assert plan.cost == pytest.approx(least, abs=1e-4)
            assert plan.statistics.lookups == 1
            assert plan.statistics.checked > 0
            assert plan.statistics.seconds > 0.0
            assert used(plan) == NOTHING
            assert toys.judge(problem, plan) >= KEPT
            reached_at_once += 1
    assert reached_at_once > 3


@pytest.mark.parametrize("seed", range(12))
def test_plans_hold_up_to_a_judge(seed, toys, drifter, alone, forest):
    """Boxes, discs that move and people, in a scene larger than the tree."""
    rng = np.random.default_rng(seed)
    bounds = (-9.0, -9.0, 9.0, 9.0)
    boxes = [(*rng.uniform(-7.0, 7.0, 2), *rng.uniform(0.3, 2.5, 2)) for _ in range(6)]
    moving = [(0.4, np.linspace(*rng.uniform(-8.0, 8.0, (2, 2)), 200)) for _ in range(seed % 3)]
    scene = toys.make_scene(boxes=boxes, discs=moving, bounds=bounds, duration=60.0)
    world = build_world(scene)
    others, found = [], 0
    for _ in range(10):
        start, goal = rng.uniform(-8.0, 8.0, (2, 2)).tolist()
        circle = np.array([[*start, toys.RADIUS]])
        if toys.gaps(scene, others, 0, np.repeat(circle, 15, axis=0)) < 0.1:
            continue
        stays = bool(rng.random() < 0.5)
        problem = toys.make_problem(drifter, scene, (*start, rng.uniform(-3, 3)), [Goal(*goal, 0.6)], stays=stays)
        problem = replace(problem, world=world, reservations=reserve(scene, others))
        for planner in (alone, replace(alone, exact=False)):
            plan = planner.plan(problem)
            assert plan.status in ("found", "partial", "none")
            if plan.status == "found":
                assert toys.judge(problem, plan, others) >= KEPT
            else:
                assert "no way" in plan.reason
                assert (plan.status == "partial") == (len(plan) > 0)
        plan = alone.plan(problem)
        found += plan.status == "found"
        if plan.status == "found" and len(plan):
            others.append(track(0, plan_circles(drifter, plan), stays))
    assert found > 0


def test_far_goals_are_reached_over_sub_goals(toys, drifter, alone, forest):
    scene = toys.make_scene(
        boxes=[(-1.0, 6.0, 6.0, 0.5), (1.0, 12.0, 6.0, 0.5)], bounds=(-4.0, -2.0, 4.0, 22.0), duration=120.0
    )
    problem = toys.make_problem(drifter, scene, (0.0, 0.0, 0.0), [Goal(0.0, 20.0, 0.5)])
    plan = alone.plan(problem)
    assert plan.status == "found", plan.reason
    assert np.hypot(*np.diff(plan.placements[[0, -1], :2], axis=0)[0]) > 2 * forest.placements[:, :2].max()
    assert plan.statistics.searches == 0
    assert plan.statistics.lookups > 3
    assert toys.judge(problem, plan) >= KEPT


def test_way_points_are_visited_in_order(toys, drifter, alone):
    scene = toys.make_scene(bounds=(-9.0, -9.0, 9.0, 9.0), duration=120.0)
    goals = [Goal(5.0, 5.0, 0.7), Goal(-5.0, 5.0, 0.7), Goal(5.0, -5.0, 0.7), Goal(-5.0, -5.0, 0.5)]
    problem = toys.make_problem(drifter, scene, (0.0, 0.0, 0.0), goals)
    plan = alone.plan(problem)
    assert plan.status == "found", plan.reason
    assert toys.judge(problem, plan) >= KEPT
    first = [next(step for step, place in enumerate(plan.placements) if reached(goal, place)) for goal in goals]
    assert first == sorted(first)
    assert first[-1] == len(plan)
    assert len(set(first)) == len(goals)


def test_nobody_needs_to_stay_at_a_way_point(toys, walker, lattice):
    """Somebody comes later, and stays there."""
    scene = toys.make_scene(bounds=(-9.0, -9.0, 9.0, 9.0), duration=60.0)
    coming = track(150, np.column_stack([np.linspace(-8.0, 0.0, 80), np.full(80, 3.0), np.full(80, 0.8)]), True)
    goals = [Goal(0.0, 3.0, 0.6), Goal(0.0, 8.0, 0.5)]
    problem = toys.make_problem(walker, scene, (0.0, 0.0, 0.0), goals)
    problem = replace(problem, reservations=reserve(scene, [coming]))
    plan = lattice.plan(problem)
    assert plan.status == "found", plan.reason
    assert plan.statistics.waits == 0
    assert toys.judge(problem, plan, [coming]) >= KEPT
    assert any(reached(goals[0], place) for place in plan.placements)
    # As a goal it would not do.
    assert lattice.plan(replace(problem, goals=goals[:1])).status != "found"


@pytest.mark.parametrize("heading", [0.0, 1.5, -2.5, 9.0])
def test_headings_at_goals_are_kept(heading, toys, drifter, alone):
    alone = replace(alone, forward=AStar(inflation=2.0))
    scene = toys.make_scene(bounds=(-9.0, -9.0, 9.0, 9.0), duration=120.0)
    goals = [Goal(0.0, 3.0, 0.8, heading, 0.5), Goal(3.0, 6.0, 0.8, -heading, 0.5)]
    problem = toys.make_problem(drifter, scene, (0.0, -5.0, 0.7), goals)
    plan = alone.plan(problem)
    assert plan.status == "found", plan.reason
    assert toys.judge(problem, plan) >= KEPT
    at = [step for step, place in enumerate(plan.placements) if reached(goals[0], place)]
    assert at
    assert at[0] < len(plan)


def test_who_stays_ends_where_one_can_rest(varied):
    graph = varied
    forest = plant(graph, Scalable(), nodes=3000, region=disc(6.0))
    scene = Scene(
        "open",
        (-9.0, -9.0, 9.0, 9.0),
        flat_terrain((-9.0, -9.0, 9.0, 9.0)),
        duration=60.0,
        fps=10.0,
        bodies="circle",
    )
    world, planner = build_world(scene), TreePlanner(forests=(forest,), forward=None)
    ends = {True: set(), False: set()}
    for stays in (True, False):
        for x in np.linspace(-3.0, 3.0, 9).tolist():
            problem = planner_module.Problem(graph, world, Placement(), 0, (Goal(x, 4.0, 0.5),), 600, stays=stays)
            plan = planner.plan(problem)
            if plan.status == "found":
                ends[stays].add(graph.poses[graph.exit[plan.behaviors[-1]]])
    assert ends[True] == {"stand"}
    assert "run" in ends[False]


def test_the_horizon_is_kept(toys, drifter, alone):
    scene = toys.make_scene(bounds=(-3.0, -2.0, 3.0, 14.0), duration=60.0)
    problem = toys.make_problem(drifter, scene, (0.0, 0.0, 0.0), [Goal(0.0, 12.0, 0.6)], start_frame=30)
    plan = alone.plan(problem)
    assert plan.status == "found"
    late = alone.plan(replace(problem, horizon=int(plan.frames[-1]) - 10))
    assert late.status != "found"
    assert (late.frames <= plan.frames[-1] - 10).all()
    assert alone.plan(replace(problem, horizon=int(plan.frames[-1]) + 10)).status == "found"


CORRIDOR = (-0.75, -1.5, 0.75, 9.0)


def corridor(toys, walker, goal_z, others, **options):
    scene = toys.make_scene(bounds=CORRIDOR, duration=60.0)
    problem = toys.make_problem(walker, scene, (0.0, 0.0, 0.0), [Goal(0.0, goal_z, 0.5)], **options)
    return replace(problem, reservations=reserve(scene, others))


def test_a_corridor_blocked_for_a_while_is_waited_for(toys, walker, lattice):
    """Somebody stands there for six seconds, then goes."""
    others = [track(0, np.tile([0.0, 2.5, 0.4], (60, 1)), False)]
    problem = corridor(toys, walker, 6.0, others)
    plan = lattice.plan(problem)
    assert plan.status == "found", plan.reason
    assert plan.statistics.waits > 0
    assert plan.statistics.subgoals > 0
    assert plan.statistics.searches == 0
    assert 0 < (plan.behaviors == WAIT).sum() <= min(plan.statistics.waits, lattice.waits)
    assert toys.judge(problem, plan, others) >= KEPT
    # Nobody waits without leave, and not for long with too little of it.
    for waits in (0, 2):
        short = replace(lattice, waits=waits).plan(problem)
        assert short.status != "found"
        assert (short.statistics.waits > 0) == (waits > 0)
        assert "trees have no way" in short.reason


def test_nobody_waits_where_nothing_moves(toys, walker, lattice):
    scene = toys.make_scene(boxes=[(0.0, 3.0, 2.0, 0.5)], bounds=CORRIDOR, duration=60.0)
    plan = lattice.plan(toys.make_problem(walker, scene, (0.0, 0.0, 0.0), [Goal(0.0, 6.0, 0.5)]))
    assert plan.status == "none"
    assert plan.statistics.waits == 0
    assert plan.statistics.lookups < 50


def test_waiting_ends_when_somebody_comes(toys, walker, lattice):
    """Where one would wait, somebody comes by: no plan may stand in his way."""
    come = np.column_stack([np.zeros(80), np.linspace(8.0, -1.0, 80), np.full(80, 0.4)])
    others = [track(0, come, True)]
    problem = corridor(toys, walker, 6.0, others)
    plan = lattice.plan(problem)
    assert plan.status != "found"
    assert plan.reason


def test_another_sub_goal_is_taken_where_people_stand_on_the_way(toys, walker, lattice):
    """The rough path knows nothing of people."""
    bounds = (-8.0, -3.0, 8.0, 16.0)
    scene = toys.make_scene(bounds=bounds, duration=60.0)
    reach = float(np.hypot(*lattice.forests[0].placements[:, :2].T).max())
    others = [track(0, [[0.0, part * reach, 0.7]], True) for part in (0.5, 0.75)]
    problem = toys.make_problem(walker, scene, (0.0, 0.0, 0.0), [Goal(0.0, 13.0, 0.5)])
    problem = replace(problem, reservations=reserve(scene, others))
    plan = lattice.plan(problem)
    assert plan.status == "found", plan.reason
    assert plan.statistics.subgoals > 0
    assert plan.statistics.waits == plan.statistics.searches == 0
    assert toys.judge(problem, plan, others) >= KEPT


def test_a_forward_search_helps_where_the_trees_have_no_way(toys, walker, spare):
    scene = toys.make_scene(boxes=[(-0.5, 1.0, 5.0, 0.4)], duration=30.0)
    problem = toys.make_problem(walker, scene, (0.0, -0.5, 0.0), [Goal(0.0, 3.0, 0.5)])
    alone = TreePlanner(forests=(spare,), forward=None).plan(problem)
    assert alone.status in ("none", "partial")
    assert alone.reason == "the trees have no way"
    assert alone.statistics.searches == 0
    plan = TreePlanner(forests=(spare,), forward=AStar()).plan(problem)
    assert plan.status == "found"
    assert plan.reason == ""
    assert 1 <= plan.statistics.searches <= 2
    assert plan.statistics.expanded > 0
    assert plan.statistics.lookups > 0
    assert toys.judge(problem, plan) >= KEPT


def test_where_a_search_fails_as_well_both_are_to_be_read_in_the_answer(toys, drifter, alone):
    asked = Asked()
    scene = toys.make_scene(boxes=[(0.0, 7.0, 2.0, 0.4)], bounds=CORRIDOR, duration=60.0)
    problem = toys.make_problem(drifter, scene, (0.0, 0.0, 0.0), [Goal(0.0, 8.0, 0.3)], seed=9, start_frame=4)
    plan = replace(alone, forward=asked).plan(problem)
    assert plan.status == "none"
    assert plan.reason == "the trees have no way, nor has a search: I never know"
    assert plan.statistics.searches == len(asked.problems) == 1
    assert plan.statistics.expanded == 7
    assert plan.statistics.lookups > 0
    (asked_for,) = asked.problems
    assert (asked_for.start, asked_for.start_frame, asked_for.goals) == (problem.start, 4, problem.goals)
    assert plan.frames.tolist() == [4]
    # Its steps, too, are among those that the forest draws.
    assert asked_for.seed == alone.forests[0].seed != problem.seed


def test_with_too_few_lookups_there_is_no_plan(toys, drifter, forest):
    scene = toys.make_scene(bounds=(-4.0, -2.0, 4.0, 30.0), duration=120.0)
    problem = toys.make_problem(drifter, scene, (0.0, 0.0, 0.0), [Goal(0.0, 28.0, 0.5)], stays=False)
    plan = TreePlanner(forests=(forest,), forward=None, most=3).plan(problem)
    assert plan.status == "none"
    assert plan.reason == "the trees have no way"
    assert TreePlanner(forests=(forest,), forward=None, most=300).plan(problem).status == "found"


@pytest.mark.parametrize("most", [1, 5, 20])
def test_the_budget_of_lookups_is_kept(most, toys, walker, lattice):
    """But for the options of the last stop."""
    others = [track(0, np.tile([0.0, 2.5, 0.4], (500, 1)), False)]
    plan = replace(lattice, most=most).plan(corridor(toys, walker, 6.0, others))
    assert plan.status != "found"
    assert plan.statistics.lookups <= most + len(planner_module.OPTIONS)


def test_a_way_that_is_known_goes_before_a_search(toys, walker, lattice):
    """When the lookups are used up, what leads to the goal is taken, however promising others were."""
    plan = replace(lattice, most=1, forward=AStar()).plan(corridor(toys, walker, 4.0, []))
    assert plan.status == "found"
    assert plan.statistics.searches == 0


def test_a_walled_in_goal_is_given_up(toys, drifter, forest):
    walls = [(0.0, 1.5, 3.0, 0.2), (0.0, 3.5, 3.0, 0.2), (-1.4, 2.5, 0.2, 2.2), (1.4, 2.5, 0.2, 2.2)]
    scene = toys.make_scene(boxes=walls, duration=30.0)
    problem = toys.make_problem(drifter, scene, (0.0, -2.0, 0.0), [Goal(0.0, 2.5, 0.3)])
    plan = TreePlanner(forests=(forest,), forward=AStar(max_expansions=2000)).plan(problem)
    assert plan.status != "found"
    assert plan.statistics.searches > 0
    assert plan.reason.startswith("the trees have no way, nor has a search: ")


def test_clips_are_those_the_forest_was_grown_with(varied):
    """Whatever the seed of the problem."""
    forest = plant(varied, Scalable(), nodes=1500, region=disc(6.0), seed=4)
    bounds = (-9.0, -9.0, 9.0, 9.0)
    world = build_world(Scene("open", bounds, flat_terrain(bounds), duration=60.0, fps=10.0, bodies="circle"))
    problem = planner_module.Problem(varied, world, Placement(), 0, (Goal(0.5, 7.0, 0.8),), 600, seed=1)
    plans = [TreePlanner(forests=(forest,), forward=None).plan(replace(problem, seed=seed)) for seed in (1, 2)]
    assert plans[0].status == "found"
    assert plans[0].clips.tolist() == plans[1].clips.tolist()
    assert set(plans[0].clips.tolist()) <= set(forest.numbers.tolist())
    assert plans[0].cost == pytest.approx(varied.costs[plans[0].behaviors].sum())


def test_who_replans_checks_the_clips_that_are_played(varied, monkeypatch):
    forest = plant(varied, Scalable(), nodes=1500, region=disc(6.0), seed=4)
    bounds = (-9.0, -9.0, 9.0, 9.0)
    path = np.column_stack([np.linspace(8.0, 7.0, 300), np.zeros(300), np.full(300, 8.0)])
    ball = Obstacle("ball", Box(0.5, 1.0, 0.5), path, np.tile([1.0, 0.0, 0.0, 0.0], (300, 1)), known=False)
    world = build_world(
        Scene("open", bounds, flat_terrain(bounds), (ball,), duration=60.0, fps=10.0, bodies="circle")
    )
    problem = planner_module.Problem(
        varied, world, Placement(0.0, -6.0, 0.0), 0, (Goal(0.0, 6.0, 0.8),), 600, seed=1
    )
    planner, checked = TreePlanner(forests=(forest,), forward=None), []
    clip = planner.plan(problem).clips[0]
    seed = next(seed for seed in range(1, 100) if clip not in drawn_clips(varied, seed))

    def spy(problem, world, behavior, clip, place, frame):
        moves, own = moves_with(problem.graph, problem.seed, clip, "circle")
        checked.append(moves.numbers[own] == clip)
        return step_is_free(problem, world, behavior, clip, place, frame)

    monkeypatch.setattr(replanning, "step_is_free", spy)
    Replanning(planner, most=5).plan(replace(problem, seed=seed))
    assert checked
    assert all(checked)


def test_who_replans_with_trees_arrives_and_meets_nobody(toys, drifter, alone):
    t = np.linspace(0.0, 1.0, 120)
    path = np.stack([3.0 - 6.0 * t**2, 3.0 - 4.5 * np.sin(np.pi * t)], axis=1)
    scene = toys.make_scene(discs=[(0.4, path)], duration=60.0, bounds=(-7.0, -7.0, 7.0, 7.0))
    scene = replace(scene, obstacles=tuple(replace(thing, known=False) for thing in scene.obstacles))
    problem = toys.make_problem(drifter, scene, (0.0, -5.0, 0.0), [Goal(0.0, 5.0, 0.6)])
    plan, count = Replanning(alone).follow(problem)
    assert plan.status == "found", plan.reason
    assert count > len(plan)
    assert plan.statistics.lookups >= count - 1
    assert toys.judge(replace(problem, stays=False), plan) >= KEPT


def test_the_answer_to_an_edge_of_the_tolerance_is_an_arrival(toys):
    """Places in trees are rounded: what a lookup calls reached must be reached by the steps it gives."""
    graph = toys.walker()
    forest = plant(graph, Scalable(), nodes=1000, region=disc(6.0))
    scene = toys.make_scene(bounds=(-9.0, -9.0, 9.0, 9.0), duration=60.0)
    lookup, wrong = Lookup(forest, graph), 0
    world = build_world(scene)
    for heading in np.linspace(-3.0, 3.0, 200).tolist():
        start = Placement(0.0, 0.0, heading)
        goal = Goal(3.5 * math.sin(heading), 3.5 * math.cos(heading), 0.5)
        lookup.begin(world, start, 0)
        node = lookup.reach(goal)
        if node >= 0:
            problem = toys.make_problem(graph, scene, (0.0, 0.0, heading), [goal])
            end = steps_along(problem, lookup.clips_to(node))[-1].next_place
            wrong += not reached(goal, end)
    assert wrong == 0


def test_lookups_are_kept_for_each_thread(toys, drifter, forest):
    seen = []
    planner, world = TreePlanner(forests=(forest,)), build_world(toys.make_scene())
    here = [planner.lookup(drifter, world) for _ in range(2)]
    thread = threading.Thread(target=lambda: seen.append(planner.lookup(drifter, world)))
    thread.start()
    thread.join()
    assert here[0] is here[1] is not seen[0]
    assert here[0].exact
    assert not replace(planner, exact=False).lookup(drifter, world).exact


def test_forests_that_nobody_holds_are_forgotten(toys, drifter):
    forest = plant(drifter, Scalable(), nodes=50, region=disc(3.0))
    problem = toys.make_problem(drifter, toys.make_scene(), (0.0, 0.0, 0.0), [Goal(0.0, 2.0, 0.5)])
    TreePlanner(forests=(forest,), forward=None).plan(problem)
    gone = weakref.ref(forest)
    del forest
    gc.collect()
    assert gone() is None


def bar(passes):
    return Obstacle("bar", Box(3.0, 0.3, 0.2), [[0.0, 0.0, 0.0]], [[1.0, 0.0, 0.0, 0.0]], passes)


def test_a_forest_is_fetched_for_what_can_be_passed_here(human, grove, forest, monkeypatch):
    """Only if the planner has none of its own for the graph."""
    bounds, wanted = (-5.0, -5.0, 5.0, 5.0), []
    monkeypatch.setattr(
        planner_module, "fetch_forest", lambda graph, *, passes, **_: wanted.append((graph, passes)) or grove
    )
    assert passes_of(human) == set(PASSES)
    timid = human.customized({}, without=["jump_over"])
    assert passes_of(timid) == set(PASSES) - {"jump_over"}
    for things in ((), (("jump_over",),), (("step_over", "jump_over"), ("crawl_under",))):
        obstacles = tuple(replace(bar(passes), name=f"bar {n}") for n, passes in enumerate(things))
        world = build_world(Scene("bars", bounds, flat_terrain(bounds), obstacles, bodies="circle"))
        TreePlanner().lookup(human, world)
        expected = tuple(sorted({kind for passes in things for kind in passes}))
        assert wanted.pop() == (human, expected)
    assert TreePlanner(forests=(forest, grove)).lookup(human, world).forest is grove
    assert not wanted
    TreePlanner(forests=(forest,)).lookup(human, world)
    assert wanted


@pytest.mark.parametrize("options", [{"waits": -1}, {"most": 0}])
def test_what_makes_no_sense_is_refused(options):
    with pytest.raises(PlanError, match="waits must be 0 or more"):
        TreePlanner(**options)


def test_impossible_problems_are_refused(toys, drifter, alone):
    problem = toys.make_problem(drifter, toys.make_scene(), (0.0, 0.0, 0.0), [Goal(0.0, 2.0, 0.5)])
    with pytest.raises(PlanError):
        alone.plan(replace(problem, goals=()))


def test_a_dear_way_to_the_goal_is_not_taken_where_there_is_a_cheaper_one(human, grove):
    """A tree that begins in a stand has ways by side steps; several shorter ways in a row may be cheaper."""
    bounds = (-12.0, -12.0, 12.0, 12.0)
    world = build_world(Scene("open", bounds, flat_terrain(bounds), duration=90.0))
    planner, saved = TreePlanner(forests=(grove,), forward=None), []
    lookup, pose = planner.lookup(human, world), human.poses.index("stand")
    for away, angle in product((3.0, 3.8, 4.4), np.linspace(0.0, 6.0, 25).tolist()):
        goal = Goal(away * math.sin(angle), away * math.cos(angle), 0.5)
        plan = planner.plan(planner_module.Problem(human, world, Placement(0.0, 0.0, 0.0), pose, (goal,), 2700))
        lookup.begin(world, Placement(0.0, 0.0, 0.0), pose, horizon=2700)
        node = lookup.reach(goal, stays=True)
        if node >= 0:
            assert plan.status == "found"
            saved.append(float(grove.costs[node]) - plan.cost)
    assert min(saved) > -1e-3
    assert max(saved) > 1.0


def test_rough_paths_lead_through_doors_that_bodies_fit_through(human):
    """0.8 m are too narrow for a walker's circle, which is led around the wall instead."""
    bounds, up = (-9.0, -9.0, 9.0, 9.0), [[1.0, 0.0, 0.0, 0.0]]
    walls = [Obstacle(f"wall {x}", Box(5.0, 2.0, 1.0), [[x, 0.0, 0.0]], up) for x in (-2.9, 2.9)]
    lengths = {}
    for level in BODY_LEVELS:
        world = build_world(Scene("door", bounds, flat_terrain(bounds), tuple(walls), bodies=level))
        now = planner_module.Problem(human, world, Placement(0.0, -3.0, 0.0), 0, (Goal(0.0, 3.0),), 600)
        lengths[level] = planner_module._rough_path(now)[1][-1]
    assert lengths["outline"] == lengths["body"] < 6.5
    assert min(lengths["circle"], lengths["one-circle"]) > 11.0


def test_whoever_is_alone_gets_from_room_to_room(human, grove):
    """What small trees miss, the search in reserve finds."""
    scene = read_scene(classic_scene_text("office"))
    world = build_world(scene)
    planner = TreePlanner(forests=(grove,))
    for character in scene.characters[:6]:
        plan = planner.plan(pose_problem(world, character, human))
        assert plan.status == "found", (character.name, plan.reason)


def test_the_search_in_reserve_looks_closely_where_a_hasty_one_finds_no_gap(human):
    """What a hasty search takes for one state is in front of a gap of 0.45 m, or in it."""
    scene = read_scene(classic_scene_text("gap-0.45", 3))
    reserve = planner_module._forward()
    problem = pose_problem(build_world(scene), scene.characters[0], human)
    problem = replace(problem, reservations=Reservations(scene.bounds, problem.horizon, clearance=scene.clearance))
    assert reserve.plan(problem).status == "found"
