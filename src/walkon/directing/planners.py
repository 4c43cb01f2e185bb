"""The planners that can be asked for by name, in one table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from walkon.errors import PlanError
from walkon.planning import AStar, Planner
from walkon.trees import TreePlanner


class PlannerChoice(NamedTuple):
    """A planner as people choose it. about: what it finds, in half a sentence. make: from a budget [s] for each
    person, which only some heed; None is `default_planner`."""

    about: str
    make: Callable[[float], Planner | None]


PLANNERS: Mapping[str, PlannerChoice] = MappingProxyType(
    {
        "auto": PlannerChoice("a good way, or any if that is hard", lambda budget: None),
        "astar": PlannerChoice("the cheapest way", lambda budget: AStar()),
        "inflated": PlannerChoice("a good way, sooner", lambda budget: AStar(inflation=2.0)),
        "truncated": PlannerChoice("the first way that astar meets", lambda budget: AStar(truncated=True)),
        "anytime": PlannerChoice(
            "the best way that the budget allows", lambda budget: AStar(anytime=True, max_seconds=budget)
        ),
        "tree": PlannerChoice(
            "looked up in precomputed trees, which are grown first if need be", lambda budget: TreePlanner()
        ),
    }
)
"""Name -> planner. The command line, comparisons and errors list what is here. To add one, write it in a file of
its own (see `planning.Planner`), and add its line here."""


def choose_planner(name: str, *, budget: float = 1.0) -> Planner | None:
    """The planner of that name, as `rehearse` takes it; budget: [s] for each person, which only anytime heeds."""
    if name not in PLANNERS:
        raise PlanError(f"no planner {name!r}; there are: {', '.join(PLANNERS)}")
    return PLANNERS[name].make(budget)
