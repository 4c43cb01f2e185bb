"""Skeleton, forward kinematics, body capsules, joint roles and two-bone inverse kinematics."""

from walkon.skeleton.body import Body, build_body
from walkon.skeleton.kinematics import forward_kinematics
from walkon.skeleton.skeleton import Skeleton

__all__ = ["Body", "Skeleton", "build_body", "forward_kinematics"]
