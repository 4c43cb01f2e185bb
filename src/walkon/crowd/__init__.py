"""Crowds: casting a scene, and planning many characters together."""

from walkon.crowd.casting import cast_character, load_library, load_performers, starting_pose
from walkon.crowd.prioritized import CrowdPlan, plan_crowd
from walkon.crowd.stage import DEFAULT_BUDGET, CrowdBudget, pose_problem

__all__ = [
    "DEFAULT_BUDGET",
    "CrowdBudget",
    "CrowdPlan",
    "cast_character",
    "load_library",
    "load_performers",
    "plan_crowd",
    "pose_problem",
    "starting_pose",
]
