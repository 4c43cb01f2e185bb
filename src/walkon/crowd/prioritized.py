"""A crowd, one after another: everyone avoids, in space and time, those planned before.

Whoever finds no way because of others is moved before them: those in the way of its lonely plan give up their own
and are planned again. Where that leaves somebody out, as before doors that many want through, everybody is planned
anew, patiently (see `patient.py`). Where that leaves somebody out, too, everybody is planned as in the beginning,
but to the end, and ways of those who are left are looked for once more. What remains impossible is reported, by
name and reason.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from walkon.basics import Progress
from walkon.behaviors import BehaviorGraph
from walkon.crowd.patient import plan_patiently
from walkon.crowd.pushing import CROWDED_OUT, plan_next
from walkon.crowd.stage import DEFAULT_BUDGET, LAST_SEARCH, CrowdBudget, CrowdStage, set_up
from walkon.planning import Plan, Planner
from walkon.world import Character, World

FEW = 12
"""If more than one in FEW people (but at least two) had to give up their plans for others, everybody is planned
anew, patiently. With a smaller number, dense crowds take longer; with a larger one, people wait who could go
around each other."""


@dataclass(frozen=True, eq=False)
class CrowdPlan:
    """Plans for the characters of a scene, in its order; None for those without one, and why not.

    replanned: how many plans were given up for somebody else's sake. seconds: it took. expanded: nodes, by all
    searches together, also those that found nothing. hopeless: who has no plan, and not because of others.
    """

    plans: tuple[Plan | None, ...]
    reasons: dict[str, str]
    replanned: int
    seconds: float
    expanded: int = 0
    hopeless: frozenset[str] = frozenset()


def plan_crowd(
    world: World,
    graphs: Sequence[BehaviorGraph],
    planner: Planner,
    *,
    seed: int = 0,
    progress: Progress | None = None,
    budget: CrowdBudget = DEFAULT_BUDGET,
) -> CrowdPlan:
    """Plans for all characters of a world: by priority, then by when they start, then by how far they go: the
    farthest first, or the nearest where that leaves somebody out.

    progress: called with (planned so far, all). A KeyboardInterrupt keeps what is finished; whoever is left when
    the budget is spent has no plan, and that as the reason.
    """
    begun = time.perf_counter()
    deadline = math.inf if budget.seconds is None else begun + budget.seconds
    about = world, graphs, planner, seed, budget, deadline
    rounds = [set_up(*about)]
    try:
        # Who waits would have to look out for what moves: only people are waited for.
        if not _plan_eagerly(rounds[0], progress) and not world.moves:
            rounds.append(set_up(*about, patient=True))
            rounds[1].lonely = rounds[0].lonely
            plan_patiently(rounds[1], progress)
            if rounds[1].crowded_out() and time.perf_counter() < deadline:
                rounds.append(set_up(*about, last=True))
                rounds[2].lonely = rounds[0].lonely
                _plan_eagerly(rounds[2], progress)
                _plan_the_rest(rounds[2], progress)
    except KeyboardInterrupt:
        for stage in rounds:
            for character, plan in zip(stage.scene.characters, stage.plans, strict=True):
                if plan is None:
                    stage.reasons.setdefault(character.name, "interrupted before it was planned")
    best = max(rounds, key=CrowdStage.planned)
    seconds, spent = time.perf_counter() - begun, sum(sum(stage.spent) for stage in rounds)
    plans = [None if plan is None else best.whole(index, plan) for index, plan in enumerate(best.plans)]
    hopeless = frozenset(world.scene.characters[index].name for index in best.hopeless())
    return CrowdPlan(tuple(plans), best.reasons, best.replanned, seconds, spent, hopeless)


def _plan_eagerly(stage: CrowdStage, progress: Progress | None) -> bool:
    """Plan everybody, one after another; whether that will do. Where the first is crowded out by others, or many
    had to give up their plans for others, it does not, and everybody is to be planned anew, unless this is the
    last round."""
    characters, count = stage.scene.characters, len(stage.plans)
    queue = sorted(range(count), key=lambda index: _urgency(characters[index], index))
    while queue:
        index = queue.pop(0)
        displaced = plan_next(stage, index)
        stage.replanned += len(displaced)
        queue = [*displaced, *queue]
        if progress is not None:
            progress(stage.planned(), count)
        crowded = CROWDED_OUT in stage.reasons.get(characters[index].name, "")
        if not (stage.world.moves or stage.last) and (crowded or stage.replanned > max(2, count // FEW)):
            return False
    return True


def _plan_the_rest(stage: CrowdStage, progress: Progress | None) -> None:
    """Look once more, and longer, for ways of those who are left, among all others, as far as the budget goes."""
    for index in stage.crowded_out():
        budget = stage.budget.in_all(len(stage.plans)) - sum(stage.spent)
        if budget <= 0 or time.perf_counter() >= stage.deadline:
            return
        stage.release(index)
        problem = replace(stage.problem(index, stage.reservations), expansions=budget, deadline=stage.deadline)
        plan = LAST_SEARCH.plan(problem)
        stage.spent[index] += plan.statistics.expanded
        if plan.status == "found":
            stage.commit(index, plan)
        if progress is not None:
            progress(stage.planned(), len(stage.plans))


def _urgency(character: Character, index: int) -> tuple[float, float, float, int]:
    """What comes first comes before the others: the important, the early, those with a long way."""
    goal = character.goals[-1]
    way = math.hypot(goal.x - character.start.x, goal.z - character.start.z)
    return -character.priority, character.start_time, -way, index
