"""Behavior libraries from recordings: whole takes are cut where they pass through a few common poses."""

from walkon.behaviors.building.build import build_library
from walkon.behaviors.building.report import BuildReport, LeftOut, PoseFound, SeamFigures

__all__ = ["BuildReport", "LeftOut", "PoseFound", "SeamFigures", "build_library"]
