"""From a scene to a take: by planning, or by a script and a motion graph."""

from walkon.directing.graph_takes import take_of_walks
from walkon.directing.planners import PLANNERS, choose_planner
from walkon.directing.planning import (
    TAIL,
    Progress,
    Rehearsal,
    default_planner,
    explore,
    plan_scene,
    rehearse,
)
from walkon.directing.reports import Acted, StepReport
from walkon.directing.scripts import act_script

__all__ = [
    "PLANNERS",
    "TAIL",
    "Acted",
    "Progress",
    "Rehearsal",
    "StepReport",
    "act_script",
    "choose_planner",
    "default_planner",
    "explore",
    "plan_scene",
    "rehearse",
    "take_of_walks",
]
