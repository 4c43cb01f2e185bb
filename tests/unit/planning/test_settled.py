"""Time matters as long as something moves, and no longer; planners in turn stop at the first that finds a way."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pytest

from walkon.errors import PlanError
from walkon.planning import InTurn, Plan, Reservations, SearchStatistics
from walkon.planning._kernels_states import Buckets, state_key


def test_states_differ_in_time_until_everything_rests():
    buckets = Buckets(0.0, 0.0, 0.25, 40, 40, 36, 2, 1, frames=15, settled=90)
    keys = [state_key(1.0, 2.0, 0.3, 1, 0, frame, buckets) for frame in (0, 30, 89, 90, 91, 500)]
    assert len({*keys[:4]}) == 4
    assert keys[3] == keys[4] == keys[5]
    assert state_key(1.0, 2.0, 0.3, 0, 0, 500, buckets) != keys[5]


def test_reservations_say_when_the_last_one_has_come_to_rest():
    kept = Reservations((0.0, 0.0, 10.0, 10.0), 300)
    assert kept.settled == 0
    kept.add("short", 0, np.tile([5.0, 5.0, 0.3], (20, 1)), stays=True)
    kept.add("late", 100, np.tile([2.0, 2.0, 0.3], (50, 1)), stays=False)
    assert kept.settled == 150
    kept.remove("late")
    assert kept.settled == 20


@dataclass(frozen=True)
class Asked:
    """All that planners in turn read of a problem."""

    expansions: int = 100


ASKED = Asked()


@dataclass
class Says:
    """A planner with one answer, that remembers whether it was asked."""

    status: str
    spent: SearchStatistics = field(default_factory=SearchStatistics)
    asked: list[str] = field(default_factory=list)

    def plan(self, problem):
        self.asked.append(self.status)
        none = np.empty(0, dtype=np.int64)
        return Plan(self.status, "", none, none, none, np.empty((0, 3)), 0.0, self.spent)


@pytest.mark.parametrize(("answers", "asked"), [(["found", "none"], 1), (["partial", "found", "none"], 2)])
def test_planners_are_asked_until_one_finds_a_way(answers, asked):
    planners = [Says(answer) for answer in answers]
    assert InTurn(tuple(planners)).plan(ASKED).status == "found"
    assert [len(planner.asked) for planner in planners] == [1] * asked + [0] * (len(answers) - asked)


def test_without_a_way_the_last_answer_counts():
    assert InTurn((Says("partial"), Says("none"))).plan(ASKED).status == "none"
    with pytest.raises(PlanError, match="at least one"):
        InTurn(())


def test_what_all_of_them_spent_is_counted():
    spent = [SearchStatistics(expanded=5, nodes=8, seconds=0.5), SearchStatistics(expanded=2, nodes=3, lookups=4)]
    planners = (Says("none", spent[0]), Says("found", spent[1]), Says("found", SearchStatistics(expanded=99)))
    plan = InTurn(planners).plan(ASKED)
    assert plan.statistics == SearchStatistics(expanded=7, nodes=8, seconds=0.5, lookups=4)
    assert plan.status == "found"
