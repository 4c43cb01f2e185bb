"""A planner of one's own: it says what it must prepare, and is asked to before anybody plans."""

from __future__ import annotations

import pytest

from walkon.directing import choose_planner, planners, rehearse
from walkon.directing.planners import PlannerChoice
from walkon.planning import AStar, InTurn, Planner, Replanning
from walkon.world import read_scene

SCENE = """
bounds = [-6, -6, 6, 6]
[[characters]]
name = "anna"
start = [-2, 0]
heading = 90
goal = [2, 0]
"""


class Noting(Planner):
    """A planner that notes what it is asked, and leaves the work to A*."""

    def __init__(self):
        self.asked = []

    def prepare(self, graphs, world, progress=None):
        self.asked.append(("prepare", len(list(graphs)), world))

    def plan(self, problem):
        self.asked.append(("plan", 1, problem.world))
        return AStar(inflation=2.0).plan(problem)


@pytest.mark.parametrize(
    "wrap", [lambda p: p, lambda p: InTurn((AStar(), p)), Replanning, lambda p: InTurn((p, p))]
)
def test_whoever_asks_others_has_them_prepared(wrap):
    noting = Noting()
    wrap(noting).prepare(iter(["one", "two"]), "world")
    assert set(noting.asked) == {("prepare", 2, "world")}


def test_most_planners_need_nothing():
    class Plain(Planner):
        def plan(self, problem):
            raise NotImplementedError

    assert Plain().prepare([], None) is None


def test_a_planner_is_added_by_a_line_and_prepared_before_it_plans(monkeypatch):
    noting = Noting()
    choice = PlannerChoice("what A* finds, and notes", lambda budget, people: noting)
    monkeypatch.setattr(planners, "PLANNERS", {**planners.PLANNERS, "noting": choice})
    take = rehearse(read_scene(SCENE), planner=choose_planner("noting")).take
    assert take.unplanned == ()
    assert [what for what, *_ in noting.asked] == ["prepare", "plan"]
    assert noting.asked[0][2] is noting.asked[1][2]
