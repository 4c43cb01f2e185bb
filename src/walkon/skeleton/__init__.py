"""Skeleton, forward kinematics, body capsules, joint roles, symmetry and two-bone inverse kinematics."""

from walkon.skeleton.body import Body, build_body
from walkon.skeleton.inverse_kinematics import Limb, bend_poles, reach, solve_two_bone
from walkon.skeleton.kinematics import forward_kinematics
from walkon.skeleton.roles import ROLE_NAMES, Foot, Roles, find_roles
from walkon.skeleton.skeleton import Skeleton
from walkon.skeleton.symmetry import mirror_pairs

__all__ = [
    "ROLE_NAMES",
    "Body",
    "Foot",
    "Limb",
    "Roles",
    "Skeleton",
    "bend_poles",
    "build_body",
    "find_roles",
    "forward_kinematics",
    "mirror_pairs",
    "reach",
    "solve_two_bone",
]
