"""Planning is bounded: by search nodes for each and for all, by the clock if asked; and says so."""

from __future__ import annotations

import math
import time

import numpy as np

from walkon.crowd import CrowdBudget, cast_character, load_performers, plan_crowd
from walkon.directing import default_planner
from walkon.planning import Replanning
from walkon.rotations import Placement
from walkon.world import Box, Character, Cylinder, Goal, Obstacle, Scene, build_world, flat_terrain

BOUNDS = (-15.0, -15.0, 15.0, 15.0)
STILL = [1.0, 0.0, 0.0, 0.0]


def closed_room(people=3, known=True):
    """Goals in a room without a door, whose walls are too thin for the coarse fields of a large scene."""
    walls = [(8.0, 6.0, 4.2, 0.1), (8.0, 10.0, 4.2, 0.1), (6.0, 8.0, 0.1, 4.2), (10.0, 8.0, 0.1, 4.2)]
    things = [
        Obstacle(f"wall {k}", Box(width, 2.0, depth), [[x, 0.0, z]], [STILL])
        for k, (x, z, width, depth) in enumerate(walls)
    ]
    turns = 0.01 * np.arange(900)
    track = 5.0 * np.stack([np.sin(turns), 0.0 * turns, np.cos(turns)], axis=1)
    things.append(Obstacle("post", Cylinder(0.4, 1.8), track, np.tile(STILL, (900, 1)), known=known))
    people = [Character(f"p{k}", Placement(3.0 * k - 10.0, -10.0, 0.0), (Goal(8.0, 8.0),)) for k in range(people)]
    return Scene("closed", BOUNDS, flat_terrain(BOUNDS), tuple(things), tuple(people), duration=60.0)


def planned(scene, budget, planner=None):
    performers = load_performers(scene)
    graphs = [cast_character(character, performers) for character in scene.characters]
    return plan_crowd(build_world(scene), graphs, planner or default_planner(3), budget=budget)


def test_each_has_a_budget_and_whoever_spends_it_is_told():
    made = planned(closed_room(), CrowdBudget(each=3000))
    assert made.plans == (None, None, None)
    assert set(made.reasons.values()) == {"the budget of 3000 expansions was spent"}
    assert made.expanded == 9000


def test_a_crowd_has_a_budget_for_everybody():
    made = planned(closed_room(people=8), CrowdBudget(each=2000))
    assert made.expanded == CrowdBudget(each=2000).in_all(8) == 10_000
    assert made.reasons["p7"] == "the budget of 10000 expansions for everybody was spent"


def test_looking_again_at_every_step_is_one_budget_too():
    made = planned(closed_room(people=1, known=False), CrowdBudget(each=5000), Replanning(default_planner(1)))
    assert made.expanded <= 5000
    assert "the budget of 5000 expansions was spent" in made.reasons["p0"]


def test_the_clock_ends_it_if_asked():
    begun = time.perf_counter()
    made = planned(closed_room(), CrowdBudget(each=10**9, seconds=0.3))
    assert set(made.reasons.values()) == {"the budget of 0.3 s was spent"}
    assert time.perf_counter() - begun < 20.0


def test_whoever_finds_a_way_is_not_held_up():
    scene = closed_room()
    free = Character("free", Placement(-10.0, 0.0, math.pi / 2), (Goal(0.0, 0.0),), priority=-1)
    scene = Scene("two", BOUNDS, scene.terrain, scene.obstacles, (*scene.characters[:1], free), duration=60.0)
    made = planned(scene, CrowdBudget(each=300_000))
    assert made.plans[0] is None
    assert made.plans[1] is not None
