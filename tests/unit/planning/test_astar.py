"""A*: the best plan, its relatives, and why there is none."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from walkon.errors import PlanError
from walkon.planning import AStar, Reservations, plan_circles
from walkon.rotations import Placement
from walkon.world import Goal, HeightField, build_world

FORWARD, LEFT, RIGHT, WAIT = range(4)
WALLS = [(0.0, 0.0, 4.0, 0.4), (-1.8, -0.8, 0.4, 1.6), (1.8, -0.8, 0.4, 1.6)]
LARGE_WALLS = [(0.0, 0.0, 10.0, 0.4), (-4.8, -2.0, 0.4, 4.0), (4.8, -2.0, 0.4, 4.0)]


@pytest.fixture(scope="module")
def trap(toys):
    """A dead end between start and goal."""
    return toys.make_problem(
        toys.walker(), toys.make_scene(WALLS, duration=40.0), (0.0, -3.0, 0.0), [Goal(0.0, 2.0, 0.4)]
    )


def test_straight_ahead(toys):
    problem = toys.make_problem(toys.walker(), toys.make_scene(), (0.0, -3.0, 0.0), [Goal(0.0, 2.0, 0.2)])
    plan = AStar().plan(problem)
    assert plan.status == "found"
    assert plan.behaviors.tolist() == [FORWARD] * 5
    assert plan.frames.tolist() == [0, 10, 20, 30, 40, 50]
    np.testing.assert_allclose(plan.placements[-1], [0.0, 2.0, 0.0], atol=1e-12)
    assert plan.cost == pytest.approx(5.0)
    assert plan_circles(problem.graph, plan).shape == (51, 3)


def test_already_there(toys):
    problem = toys.make_problem(toys.walker(), toys.make_scene(), (0.0, -3.0, 0.0), [Goal(0.1, -3.0, 0.2)])
    plan = AStar().plan(problem)
    assert (plan.status, len(plan), plan.cost) == ("found", 0, 0.0)


def test_both_heuristics_find_the_same_cost_and_routes_look_at_less(toys):
    scene = toys.make_scene(LARGE_WALLS, bounds=(-9.0, -9.0, 9.0, 9.0), duration=60.0)
    trap = toys.make_problem(toys.drifter(), scene, (0.0, -5.0, 0.3), [Goal(0.0, 3.0, 0.4)])
    line, routes = AStar(heuristic="line").plan(trap), AStar(heuristic="routes").plan(trap)
    assert line.cost == pytest.approx(routes.cost, abs=1e-9)
    assert routes.statistics.expanded < 0.6 * line.statistics.expanded
    for plan in (line, routes):
        assert toys.judge(trap, plan) >= 0.05 - 1e-9


def test_relatives_keep_their_promises(toys, trap):
    best = AStar().plan(trap)
    truncated, inflated = AStar(truncated=True).plan(trap), AStar(inflation=2.0).plan(trap)
    for plan in (truncated, inflated):
        assert plan.status == "found"
        assert toys.judge(trap, plan) >= 0.05 - 1e-9
        assert plan.statistics.nodes < best.statistics.nodes
        assert plan.cost >= best.cost - 1e-9
    # The table merges states, so the factor holds only nearly.
    assert inflated.cost <= 2.05 * best.cost


def test_anytime_says_how_good_it_is(trap):
    best = AStar().plan(trap)
    whole = AStar(anytime=True).plan(trap)
    assert whole.cost == pytest.approx(best.cost)
    assert whole.reason == "there is no better plan"
    first = AStar(inflation=3.0).plan(trap).statistics.expanded
    hasty = AStar(anytime=True, max_expansions=first + 10).plan(trap)
    assert hasty.status == "found"
    assert "budget" in hasty.reason


def test_a_budget_ends_in_the_nearest_place_to_stop(toys, trap):
    plan = AStar(max_expansions=5, heuristic="line").plan(trap)
    assert plan.status == "partial"
    assert "budget" in plan.reason
    assert plan.statistics.expanded == 5
    assert toys.judge(trap, plan) >= 0.05 - 1e-9
    assert np.hypot(*plan.placements[-1, :2] - [0.0, 2.0]) < 5.0
    assert AStar(max_seconds=0.0, heuristic="line").plan(trap).status == "partial"


def test_way_points_are_passed_in_order(toys):
    goals = [Goal(2.0, 2.0, 0.4), Goal(-2.0, 2.0, 0.4), Goal(0.0, -2.0, 0.4, np.pi, 0.1)]
    problem = toys.make_problem(toys.walker(), toys.make_scene(duration=60.0), (0.0, -3.0, 0.0), goals)
    plan = AStar().plan(problem)
    assert plan.status == "found"
    toys.judge(problem, plan)
    met = [np.flatnonzero(np.hypot(*(plan.placements[:, :2] - [g.x, g.z]).T) <= g.tolerance) for g in goals]
    assert met[0][0] < met[1][0] < met[2][-1] == len(plan)
    assert abs(np.sin(plan.placements[-1, 2] - np.pi)) < 0.1
    assert AStar(heuristic="line").plan(problem).cost == pytest.approx(plan.cost)


def test_someone_waits_until_another_has_passed(toys):
    """A corridor as wide as one body: whoever goes at once meets the other at the crossing."""
    scene = toys.make_scene([(-2.3, 0.0, 3.4, 6.0), (2.3, 0.0, 3.4, 6.0)], duration=20.0)
    scene = replace(scene, obstacles=scene.obstacles[:2])
    crossing = np.column_stack([np.zeros(61), np.linspace(3.6, 2.0, 61), np.full(61, 0.3)])
    reservations = Reservations(scene.bounds, 200, clearance=scene.clearance)
    problem = toys.make_problem(
        toys.walker(), scene, (0.0, -3.5, 0.0), [Goal(0.0, 3.5, 0.3)], stays=False, reservations=reservations
    )
    alone = AStar().plan(problem)
    assert WAIT not in alone.behaviors
    reservations.add("other", 0, crossing, stays=False)
    plan = AStar().plan(problem)
    assert plan.status == "found"
    assert plan.cost > alone.cost or WAIT in plan.behaviors
    assert toys.judge(problem, plan, [(0, crossing, False)]) >= 0.05 - 1e-9


def test_nobody_stops_where_somebody_comes_by_later(toys):
    scene = toys.make_scene(duration=30.0)
    way = np.column_stack([np.linspace(-3.6, 3.6, 100), np.full(100, 2.0), np.full(100, 0.3)])
    reservations = Reservations(scene.bounds, 300, clearance=scene.clearance)
    reservations.add("late", 150, way, stays=False)
    problem = toys.make_problem(
        toys.walker(), scene, (0.0, -2.0, 0.0), [Goal(0.0, 2.0, 0.5)], reservations=reservations
    )
    plan = AStar().plan(problem)
    assert plan.status == "found"
    assert toys.judge(problem, plan, [(150, way, False)]) >= 0.05 - 1e-9
    leaves = AStar().plan(replace(problem, stays=False))
    assert leaves.frames[-1] < 60 < plan.frames[-1]


def test_climbing_costs(toys):
    bounds = (-4.0, -4.0, 4.0, 4.0)
    x, z = np.meshgrid(np.linspace(-4, 4, 33), np.linspace(-4, 4, 33))
    hill = HeightField(-4.0, -4.0, 0.25, 0.4 * np.exp(-((x / 1.5) ** 2 + z**2)))
    scene = replace(toys.make_scene(duration=40.0), terrain=hill, bounds=bounds)
    problem = toys.make_problem(toys.walker(), scene, (0.0, -3.0, 0.0), [Goal(0.0, 3.0, 0.5)])
    careless, careful = (AStar().plan(replace(problem, climb=climb)) for climb in (0.0, 40.0))
    assert (careless.behaviors == FORWARD).all()
    assert careful.cost > careless.cost
    assert np.abs(careful.placements[:, 0]).max() > 1.0
    # Up and down, less a little: the path is looked at every few frames.
    over = AStar().plan(replace(problem, climb=0.1))
    assert over.cost - careless.cost == pytest.approx(0.1 * 0.8, rel=0.05)


def test_the_clips_of_a_behavior_are_picked_by_the_seed(toys):
    graph = toys.walker()
    problem = toys.make_problem(graph, toys.make_scene(), (0.0, -3.0, 0.0), [Goal(0.0, 2.0, 0.2)])
    many = repeated(graph, 40)
    plans = [AStar().plan(replace(problem, graph=many, seed=seed)) for seed in (1, 1, 2)]
    assert plans[0].clips.tolist() == plans[1].clips.tolist() != plans[2].clips.tolist()
    assert len(set(plans[0].clips.tolist())) > 1
    for plan in plans:
        assert plan.behaviors.tolist() == [FORWARD] * 5
        assert ((plan.clips >= 0) & (plan.clips < 40)).all()


def repeated(graph, times):
    """The same graph with every clip so many times."""
    clips = np.repeat(np.arange(len(graph.durations)), times)
    lengths = np.diff(graph.frame_starts)[clips]
    starts = np.concatenate([[0], np.cumsum(lengths)])
    rows = np.repeat(graph.frame_starts[clips] - starts[:-1], lengths) + np.arange(starts[-1])
    return replace(
        graph, clip_starts=graph.clip_starts * times, durations=graph.durations[clips],
        displacements=graph.displacements[clips], action_frames=graph.action_frames[clips], frame_starts=starts,
        circles=graph.circles[rows], paths=graph.paths[rows], speeds=graph.speeds[clips],
        capsule_starts=np.zeros(len(clips) + 1, dtype=np.int64),
    )  # fmt: skip


def test_the_tree_holds_every_node(trap):
    plan = AStar(keep_tree=True).plan(trap)
    tree = plan.tree
    assert tree is not None
    assert len(tree.parents) == plan.statistics.nodes == len(tree.placements) == len(tree.costs)
    assert tree.parents[0] == -1
    assert (tree.parents[1:] < np.arange(1, len(tree.parents))).all()
    assert (tree.costs[1:] > tree.costs[tree.parents[1:]]).all()
    assert AStar().plan(trap).tree is None


def test_the_same_problem_has_the_same_plan(trap):
    plans = [AStar().plan(trap) for _ in range(2)]
    assert plans[0].clips.tolist() == plans[1].clips.tolist()
    np.testing.assert_array_equal(plans[0].placements, plans[1].placements)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"start": Placement(0.0, 0.0, 0.0)}, "start at .0.00, 0.00. is blocked by obstacle 'box 0'"),
        ({"start": Placement(3.9, 0.0, 0.0)}, "blocked by the edge of the bounds"),
        ({"goals": (Goal(0.0, 0.0, 0.1),)}, "goal at .0.00, 0.00. is blocked by obstacle 'box 0'"),
        ({"goals": (Goal(9.0, 0.0, 0.1),)}, "blocked by the edge of the bounds"),
        ({"horizon": 40}, "not reached by the end at 4.0 s"),
        ({"start_frame": 500}, "after the end"),
    ],
)
def test_no_plan_has_a_reason(trap, change, words):
    plan = AStar().plan(replace(trap, **change))
    assert (plan.status, len(plan)) == ("none", 0)
    assert plan.frames.tolist() == [plan.frames[0]]
    assert re.search(words, plan.reason), plan.reason


def test_no_room_to_stay_has_a_reason(toys):
    """Hips could be there, but not all of a body that leans forward as it rests."""
    graph = toys.make_graph([("wait", "wait", "stand", "stand", (0.0, 0.0, 0.0), 10, 1.0)], offset=0.25)
    problem = toys.make_problem(graph, toys.make_scene([(0.0, 2.0, 4.0, 0.4), (0.0, 2.9, 4.0, 0.4)]), (0.0, 0.0,
                                0.0), [Goal(0.0, 2.45, 0.05)])  # fmt: skip
    plan = AStar().plan(problem)
    assert plan.status == "none"
    assert "no room to stay at the goal at (0.00, 2.45), next to obstacle 'box" in plan.reason


def test_no_way_has_a_reason(toys, trap):
    closed = toys.make_scene([(0.0, 0.0, 8.0, 0.4)], duration=20.0)
    plan = AStar().plan(replace(trap, world=build_world(closed)))
    assert plan.status == "none"
    assert "no way" in plan.reason
    assert plan.statistics.expanded <= 1
    assert "no way" in AStar(heuristic="line").plan(replace(trap, world=build_world(closed))).reason
    stuck = trap.graph.customized({}) if hasattr(trap.graph.library, "behaviors") else trap.graph
    none = replace(stuck, followers=np.zeros(0, dtype=np.int64), follower_starts=np.zeros(2, dtype=np.int64))
    assert "no allowed behavior begins in the pose 'stand'" in AStar().plan(replace(trap, graph=none)).reason


def test_others_at_the_start_or_at_the_goal_are_named(trap):
    for place, words in (((0.0, -3.0), "start"), ((0.0, 2.0), "goal")):
        reservations = Reservations(trap.world.scene.bounds, trap.horizon)
        reservations.add("bob", 0, [[*place, 0.8]], stays=True)
        plan = AStar().plan(replace(trap, reservations=reservations))
        assert plan.status == "none"
        assert words in plan.reason
        assert "bob" in plan.reason


def test_what_makes_no_sense(trap):
    for change in ({"goals": ()}, {"pose": 7}, {"start_frame": -1}, {"start": Placement(np.nan, 0.0, 0.0)}):
        with pytest.raises(PlanError):
            AStar().plan(replace(trap, **change))
    for wrong in ({"inflation": 0.5}, {"heuristic": "magic"}, {"max_expansions": 0}, {"cell": 0.0}):
        with pytest.raises(PlanError):
            AStar(**wrong)


def test_room_is_made_as_it_is_needed(toys):
    """More nodes than there is room for at first; growth must lose nothing."""
    scene = toys.make_scene(LARGE_WALLS, bounds=(-9.0, -9.0, 9.0, 9.0), duration=40.0)
    problem = toys.make_problem(toys.drifter(), scene, (0.3, -5.0, 0.1), [Goal(0.0, 3.0, 0.3)])
    plan = AStar(cell=0.02, headings=720, heuristic="line").plan(problem)
    assert plan.statistics.nodes > 10_000
    assert toys.judge(problem, plan) >= 0.05 - 1e-9


@pytest.mark.parametrize("heuristic", ["line", "routes"])
def test_estimates_never_exceed_what_the_best_plan_still_costs(toys, heuristic):
    """Along the best plan, and straight ahead where the bound is tight."""
    from walkon.planning.searching import Search

    scene = toys.make_scene(LARGE_WALLS, bounds=(-9.0, -9.0, 9.0, 9.0), duration=60.0)
    planner = AStar(heuristic=heuristic)
    for graph in (toys.drifter(), toys.walker()):
        for goal, tight in ((Goal(0.0, 3.0, 0.4), 0.3), (Goal(0.0, -1.0, 0.01), 0.9)):
            problem = toys.make_problem(graph, scene, (0.0, -7.0, 0.0), [goal])
            plan, search = planner.plan(problem), Search(planner, problem, 1.0)
            spent = np.concatenate([[0.0], np.cumsum(graph.costs[plan.behaviors])])
            ahead = np.array([search.estimate(x, z, 0) for x, z, _ in plan.placements])
            assert (ahead <= plan.cost - spent + 1e-9).all()
            assert ahead[0] >= tight * plan.cost


def test_someone_who_rests_in_the_way_is_walked_around(toys):
    scene = toys.make_scene(duration=20.0)
    reservations = Reservations(scene.bounds, 200, clearance=scene.clearance)
    rester = np.array([[0.0, 0.5, 0.4]])
    reservations.add("rester", 0, rester, stays=True)
    problem = toys.make_problem(
        toys.walker(), scene, (0.0, -3.0, 0.0), [Goal(0.0, 3.0, 0.3)], reservations=reservations
    )
    plan = AStar().plan(problem)
    assert plan.status == "found"
    assert toys.judge(problem, plan, [(0, rester, True)]) >= 0.05 - 1e-9
    assert not (plan.behaviors == FORWARD).all()


def test_nobody_stops_where_something_comes_by_later(toys):
    way = np.column_stack([np.linspace(-3.4, 3.4, 250), np.full(250, 2.0)])
    problem = toys.make_problem(
        toys.walker(), toys.make_scene(discs=[(0.3, way)], duration=30.0), (0.0, -2.0, 0.0), [Goal(0.0, 2.0, 0.5)]
    )
    plan = AStar().plan(problem)
    assert plan.status == "found"
    assert toys.judge(problem, plan) >= 0.05 - 1e-9
    assert AStar().plan(replace(problem, stays=False)).frames[-1] < 100 < plan.frames[-1]
