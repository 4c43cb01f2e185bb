"""Behavior planning by A* and its relatives: whole clips, one after another, from a start to a goal."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, replace
from typing import Literal

from walkon.errors import PlanError
from walkon.planning import _kernels_memory as counting
from walkon.planning.explaining import check_problem, explain, obstruction
from walkon.planning.problem import Plan, Planner, Problem, SearchStatistics
from walkon.planning.searching import Search

INFLATIONS = (3.0, 2.0, 1.5, 1.0)
"""What an anytime search tries, one after another."""

BETTER, BEST = "budget used up: there may be a better plan", "there is no better plan"
"""What an anytime search says of the plan it found."""

EXPANSIONS = 4096
"""Expansions between two looks at the clock, and an eighth of it where there is a time limit. More would overrun
the limit; fewer would make calls count."""


@dataclass(frozen=True)
class AStar(Planner):
    """A planner.

    inflation: 1 for the best plan; with more, a plan that costs at most `inflation` times the best
    is found sooner. truncated: take
    the first goal that is generated. heuristic: around obstacles, or straight through them. max_expansions,
    max_seconds: the budget; what leads nearest to the goal by then is the answer. anytime: find some plan soon,
    then better ones while the budget lasts. keep_tree: hand out the whole search tree. cell [m], headings (bins
    of a turn), time_bin [s]: states closer than this are the same; time counts only if something moves. exact:
    tell apart what differs by a millimetre, a milliradian or a frame.
    """

    inflation: float = 1.0
    truncated: bool = False
    heuristic: Literal["routes", "line"] = "routes"
    max_expansions: int = 1_000_000
    max_seconds: float | None = None
    anytime: bool = False
    keep_tree: bool = False
    cell: float = 0.25
    headings: int = 36
    time_bin: float = 0.5
    exact: bool = False

    def __post_init__(self) -> None:
        if not 1.0 <= self.inflation < math.inf:
            raise PlanError(f"inflation must be 1 or more, not {self.inflation}")
        if self.heuristic not in ("routes", "line"):
            raise PlanError(f"no heuristic {self.heuristic!r}; there are: routes, line")
        if self.max_expansions < 1 or not (self.cell > 0.0 and self.headings > 0 and self.time_bin > 0.0):
            raise PlanError("max_expansions, cell, headings and time_bin must be positive")

    def plan(self, problem: Problem) -> Plan:
        """The best plan found; one with a reason where there is none. Raises PlanError for what makes no sense."""
        begun = time.perf_counter()
        check_problem(problem)
        if self.anytime:
            return self._plan_anytime(problem, begun)
        return self._plan_once(problem, self.inflation, begun, self.max_expansions)

    def _plan_once(self, problem: Problem, inflation: float, begun: float, expansions: int) -> Plan:
        search = Search(self, problem, inflation)
        blocked = obstruction(search)
        if blocked:
            search.plant()
            return search.plan(-1, "none", blocked, time.perf_counter() - begun, self.keep_tree)
        outcome = self._run(search, begun, min(expansions, problem.expansions))
        if outcome == counting.EXHAUSTED and search.count(counting.BEYOND) and not search.strict:
            # The cheapest way to a state may be too slow for the horizon where a dearer one is not.
            spent = search.count(counting.EXPANDED)
            search = Search(self, problem, inflation, strict=True)
            outcome = self._run(search, begun, min(expansions, problem.expansions - spent))
            plan = self._answer(search, outcome, begun)
            return replace(plan, statistics=plan.statistics + SearchStatistics(expanded=spent))
        return self._answer(search, outcome, begun)

    def _run(self, search: Search, begun: float, expansions: int) -> int:
        deadline = search.problem.deadline
        if self.max_seconds is not None:
            deadline = min(deadline, begun + self.max_seconds)
        outcome = search.plant()
        while outcome == counting.RUNNING:
            left = expansions - search.count(counting.EXPANDED)
            if left <= 0 or time.perf_counter() >= deadline:
                break
            outcome = search.run(min(left, EXPANSIONS if deadline == math.inf else EXPANSIONS // 8))
        return outcome

    def _plan_anytime(self, problem: Problem, begun: float) -> Plan:
        """Plans of decreasing inflation until the budget is used up; the cheapest counts."""
        best: Plan | None = None
        left = self.max_expansions
        for inflation in INFLATIONS:
            plan = self._plan_once(problem, inflation, begun, left)
            left -= plan.statistics.expanded
            problem = replace(problem, expansions=problem.expansions - plan.statistics.expanded)
            if best is None or (plan.status == "found" and (best.status != "found" or plan.cost < best.cost)):
                best = plan
            if plan.status != "found":
                return replace(best, reason=BETTER) if best.status == "found" else best
        return replace(best, reason=BEST) if best is not None else self._plan_once(problem, 1.0, begun, left)

    def _answer(self, search: Search, outcome: int, begun: float) -> Plan:
        node = search.count(counting.GOAL)
        status, reason = "found", ""
        if outcome == counting.EXHAUSTED:
            node, status, reason = -1, "none", explain(search)
        elif outcome != counting.FOUND:
            node = search.best_stop()
            status, reason = "partial", f"budget used up after {search.count(counting.EXPANDED)} expansions"
            if node < 0:
                status, reason = "none", f"{reason}, without a place to stop at"
        return search.plan(node, status, reason, time.perf_counter() - begun, self.keep_tree)
