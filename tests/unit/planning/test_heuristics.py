"""Lower bounds never exceed what the way through all goals can cost."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from walkon.planning import AStar
from walkon.planning.heuristics import least_rate, line_bounds
from walkon.planning.moves import compile_moves
from walkon.world import Goal


@pytest.mark.parametrize("seed", range(20))
def test_lines_between_goals_are_no_longer_than_any_way_between_them(toys, seed):
    random = np.random.default_rng(seed)
    moves = compile_moves(toys.walker(), 0, "circle")
    goals = [Goal(*random.uniform(-3.0, 3.0, 2).tolist(), random.uniform(0.0, 1.5)) for _ in range(4)]
    bounds = line_bounds(moves, goals)
    for _ in range(200):
        angles, shares = random.uniform(0.0, 2.0 * math.pi, 4), np.sqrt(random.uniform(0.0, 1.0, 4))
        places = [
            (goal.x + share * goal.tolerance * math.sin(angle), goal.z + share * goal.tolerance * math.cos(angle))
            for goal, angle, share in zip(goals, angles, shares, strict=True)
        ]
        ways = np.hypot(*np.diff(places, axis=0).T)
        assert all(bounds.beyond[leg] <= bounds.rate * ways[leg:].sum() + 1e-12 for leg in range(4))
    apart = [math.hypot(a.x - b.x, a.z - b.z) - a.tolerance - b.tolerance for a, b in pairwise(goals)]
    assert bounds.beyond[0] == pytest.approx(bounds.rate * sum(max(metres, 0.0) for metres in apart))
    assert bounds.beyond[-1] == 0.0


def test_the_rate_is_that_of_the_cheapest_metre(toys):
    moves = compile_moves(toys.walker(), 0, "circle")
    assert line_bounds(moves, [Goal(0.0, 0.0, 0.1)]).rate == pytest.approx(1.0)
    assert least_rate(moves, np.zeros(len(moves.durations))) == 0.0


@pytest.mark.parametrize("boxes", [[], [(-2.3, 0.0, 3.4, 1.0), (2.3, 0.0, 3.4, 1.0)]])
def test_nothing_is_looked_at_that_comes_too_late(toys, boxes):
    """Six steps of ten frames: with less time there is no way, and that is seen at once; with enough there is."""
    scene = toys.make_scene(boxes, duration=30.0)
    soon = toys.make_problem(toys.walker(), scene, (0.0, -3.0, 0.0), [Goal(0.0, 3.0, 0.3)], horizon=60)
    assert AStar().plan(soon).frames[-1] == 60
    late = AStar().plan(replace(soon, horizon=50))
    assert late.status == "none"
    assert late.statistics.expanded <= 4
