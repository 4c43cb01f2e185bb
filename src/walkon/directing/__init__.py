"""From a scene to a take: by planning, or by a script and a motion graph."""

from typing import TYPE_CHECKING

from walkon.lazy import lazy_names

if TYPE_CHECKING:
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

_HOMES = {
    "take_of_walks": "walkon.directing.graph_takes",
    "PLANNERS": "walkon.directing.planners",
    "choose_planner": "walkon.directing.planners",
    "TAIL": "walkon.directing.planning",
    "Progress": "walkon.directing.planning",
    "Rehearsal": "walkon.directing.planning",
    "default_planner": "walkon.directing.planning",
    "explore": "walkon.directing.planning",
    "plan_scene": "walkon.directing.planning",
    "rehearse": "walkon.directing.planning",
    "Acted": "walkon.directing.reports",
    "StepReport": "walkon.directing.reports",
    "act_script": "walkon.directing.scripts",
}

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

__getattr__ = lazy_names(__name__, _HOMES)
