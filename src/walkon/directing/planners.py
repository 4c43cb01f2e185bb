"""The planners that can be asked for by name, in one table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from walkon.errors import PlanError
from walkon.planning import AStar, Planner
from walkon.trees import TreePlanner

PLANNERS: Mapping[str, Callable[[float], Planner | None]] = MappingProxyType(
    {
        "auto": lambda budget: None,
        "astar": lambda budget: AStar(),
        "inflated": lambda budget: AStar(inflation=2.0),
        "truncated": lambda budget: AStar(truncated=True),
        "anytime": lambda budget: AStar(anytime=True, max_seconds=budget),
        "tree": lambda budget: TreePlanner(),
    }
)
"""Name -> the planner for so many seconds for each person; None is `default_planner`."""


def choose_planner(name: str, *, budget: float = 1.0) -> Planner | None:
    """The planner of that name, as `rehearse` takes it; budget: [s] for each person, which only anytime heeds."""
    if name not in PLANNERS:
        raise PlanError(f"no planner {name!r}; there are: {', '.join(PLANNERS)}")
    return PLANNERS[name](budget)
