"""Several planners, asked one after another until one finds a way."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from walkon.basics import Progress
from walkon.behaviors import BehaviorGraph
from walkon.errors import PlanError
from walkon.planning.problem import Plan, Planner, Problem
from walkon.world import World


@dataclass(frozen=True)
class InTurn(Planner):
    """The first plan found by any of the planners, or the last answer.

    A search that wants a good way gives up soon where that is hard; one that takes any way then goes on.
    """

    planners: tuple[Planner, ...]

    def __post_init__(self) -> None:
        if not self.planners:
            raise PlanError("InTurn needs at least one planner")

    def prepare(self, graphs: Iterable[BehaviorGraph], world: World, progress: Progress | None = None) -> None:
        """Prepare each."""
        graphs = list(graphs)
        for planner in self.planners:
            planner.prepare(graphs, world, progress)

    def plan(self, problem: Problem) -> Plan:
        """Ask each in turn; statistics are those of all that were asked, together."""
        answer = self.planners[0].plan(problem)
        spent = answer.statistics
        for planner in self.planners[1:]:
            if answer.status == "found":
                break
            answer = planner.plan(replace(problem, expansions=problem.expansions - spent.expanded))
            spent += answer.statistics
        return replace(answer, statistics=spent)
