"""Random small scenes: a plan that a naive judge accepts, or a stated no plan; and the best one where all can be
tried."""

from __future__ import annotations

import importlib.util
import math
from pathlib import Path

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from walkon.planning import AStar, Reservations
from walkon.rotations import Placement
from walkon.world import Goal

FILE = Path(__file__).resolve().parents[1] / "unit" / "planning" / "toys.py"
SPEC = importlib.util.spec_from_file_location("planning_toys", FILE)
toys = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(toys)

GRAPH = toys.walker()
ERROR, SLOW = 0.06, 0.1
"""By so much [m] the planner may be more careful than it says: sampled distances, and what happens between frames.
Solids that move cover half a frame more on both sides, besides."""

places = st.floats(-3.5, 3.5).map(lambda value: round(value, 2))
boxes = st.lists(st.tuples(places, places, st.floats(0.3, 3.0), st.floats(0.3, 3.0)), max_size=4)


@st.composite
def paths(draw, fastest=0.5):
    """Places (T, 2) of something that moves straight from one place to another, at most so fast [m/frame]."""
    begin, end = np.array([draw(places), draw(places)]), np.array([draw(places), draw(places)])
    steps = max(draw(st.integers(20, 60)), math.ceil(np.hypot(*(end - begin)) / fastest) + 1)
    return begin + np.linspace(0.0, 1.0, steps)[:, None] * (end - begin)


discs = st.lists(st.tuples(st.floats(0.2, 0.6), paths()), max_size=1)
people = st.lists(st.tuples(st.integers(0, 30), paths(), st.booleans()), max_size=3)
starts = st.tuples(places, places, st.sampled_from([0.0, 0.7, np.pi / 2, 3.0]))


def pose_problem(boxes, discs, people, start, goal, horizon, stays):
    scene = toys.make_scene(boxes, discs, duration=horizon / toys.FPS)
    tracks = [(first, np.column_stack([way, np.full(len(way), 0.3)]), rests) for first, way, rests in people]
    reservations = Reservations(scene.bounds, horizon, clearance=scene.clearance)
    for key, (first, circles, rests) in enumerate(tracks):
        reservations.add(f"person {key}", first, circles, rests)
    problem = toys.make_problem(GRAPH, scene, start, [goal], stays=stays, reservations=reservations)
    return problem, tracks


goals = st.builds(Goal, places, places, st.sampled_from([0.4, 0.8]), st.sampled_from([None, None, 0.0]))
scenes = st.builds(pose_problem, boxes, discs, people, starts, goals, st.integers(40, 120), st.booleans())


@st.composite
def small_scenes(draw):
    """Few steps, so that all can be tried; the goal is where some of them lead."""
    start = draw(starts)
    place = Placement(*start)
    for move in draw(st.lists(st.integers(0, 2), min_size=1, max_size=5)):
        place = place @ Placement(*GRAPH.displacements[move])
    goal = Goal(place.x, place.z, 0.3, draw(st.sampled_from([None, None, place.heading])))
    few = draw(st.lists(st.tuples(places, places, st.floats(0.2, 1.5), st.floats(0.2, 1.5)), max_size=3))
    horizon = draw(st.integers(45, 62))
    disc = draw(st.lists(st.tuples(st.floats(0.2, 0.6), paths(fastest=SLOW)), max_size=1))
    person = st.tuples(st.integers(0, 30), paths(fastest=SLOW), st.booleans())
    people = draw(st.lists(person, max_size=3))
    return pose_problem(few, disc, people, start, goal, horizon, draw(st.booleans()))


relaxed = settings(deadline=None, suppress_health_check=list(HealthCheck))


@given(scenes, st.sampled_from([AStar(), AStar(truncated=True), AStar(inflation=2.0), AStar(heuristic="line")]))
@settings(relaxed, max_examples=150)
def test_a_plan_is_free_of_collisions_or_there_is_a_reason(case, planner):
    problem, tracks = case
    plan = planner.plan(problem)
    if plan.status == "found":
        assert toys.judge(problem, plan, tracks) >= problem.world.scene.clearance - 1e-9
    else:
        assert plan.reason
        assert len(plan) == 0 or plan.status == "partial"


@given(small_scenes(), st.sampled_from(["line", "routes"]))
@settings(relaxed, max_examples=60)
def test_the_best_plan_costs_what_trying_everything_finds(case, heuristic):
    problem, tracks = case
    plan = AStar(exact=True, heuristic=heuristic).plan(problem)
    cost = plan.cost if plan.status == "found" else np.inf
    careless = toys.enumerate_best(problem, tracks, margin=problem.world.scene.clearance - 1e-9)
    careful = toys.enumerate_best(problem, tracks, margin=problem.world.scene.clearance + ERROR + 0.5 * SLOW)
    assert careless - 1e-9 <= cost <= careful + 1e-9
