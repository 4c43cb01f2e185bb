"""Planning: problems, plans, and the searches between them."""

from walkon.planning.astar import AStar
from walkon.planning.footing import footing_of, goals_on_slopes
from walkon.planning.in_turn import InTurn
from walkon.planning.problem import (
    Plan,
    Planner,
    Problem,
    SearchStatistics,
    SearchTree,
    Status,
    plan_circles,
    rest_circle,
)
from walkon.planning.replanning import Replanning
from walkon.planning.reservations import Reservations

__all__ = [
    "AStar",
    "InTurn",
    "Plan",
    "Planner",
    "Problem",
    "Replanning",
    "Reservations",
    "SearchStatistics",
    "SearchTree",
    "Status",
    "footing_of",
    "goals_on_slopes",
    "plan_circles",
    "rest_circle",
]
