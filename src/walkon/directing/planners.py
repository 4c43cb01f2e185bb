"""The planners that can be asked for by name, in one table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import NamedTuple

from walkon.errors import PlanError
from walkon.planning import AStar, InTurn, Planner
from walkon.trees import TreePlanner


class PlannerChoice(NamedTuple):
    """A planner as people choose it. about: what it finds, in half a sentence. make: from a budget [s] for each
    person and the number of people, which only some heed; None is `default_planner`."""

    about: str
    make: Callable[[float, int], Planner | None]


FOR_THE_BEST, TOGETHER = 100_000, 2_000_000
"""Expansions after which the cheapest way is no longer looked for: for each, and for all together. With more,
crowds in which many need them spend what they have together (4.5 million); with less, ways are dearer than need
be."""

FOR_ANY = 0.25
"""Share of an anytime planner's budget that is kept for a coarser search, where it has found nothing by then."""


def _cheapest(people: int, *, truncated: bool = False) -> Planner:
    most = min(FOR_THE_BEST, TOGETHER // max(people, 1))
    best = AStar(truncated=truncated, max_expansions=most + 1)
    return InTurn((best, replace(best, inflation=1.5, max_expansions=most // 4 + 1), AStar(inflation=2.0)))


def _anytime(budget: float, people: int) -> Planner:
    best = AStar(anytime=True, max_seconds=(1.0 - FOR_ANY) * budget)
    return InTurn((best, AStar(inflation=2.0, max_seconds=FOR_ANY * budget, cell=0.5, headings=16, time_bin=2.0)))


PLANNERS: Mapping[str, PlannerChoice] = MappingProxyType(
    {
        "auto": PlannerChoice("a good way, or any if that is hard", lambda budget, people: None),
        "astar": PlannerChoice(
            "the cheapest way, or a good one where that takes long", lambda budget, people: _cheapest(people)
        ),
        "inflated": PlannerChoice("a good way, sooner", lambda budget, people: AStar(inflation=2.0)),
        "truncated": PlannerChoice(
            "the first way that astar meets", lambda budget, people: _cheapest(people, truncated=True)
        ),
        "anytime": PlannerChoice("the best way that the budget allows", _anytime),
        "tree": PlannerChoice(
            "looked up in precomputed trees, which are grown first if need be",
            lambda budget, people: TreePlanner(),
        ),
    }
)
"""Name -> planner. The command line, comparisons and errors list what is here. To add one, write it in a file of
its own (see `planning.Planner`), and add its line here."""


def choose_planner(name: str, *, budget: float = 1.0, people: int = 1) -> Planner | None:
    """The planner of that name, as `rehearse` takes it. budget: [s] for each person, which only anytime heeds.
    people: for how many it plans, which astar and truncated heed."""
    if name not in PLANNERS:
        raise PlanError(f"no planner {name!r}; there are: {', '.join(PLANNERS)}")
    return PLANNERS[name].make(budget, people)
