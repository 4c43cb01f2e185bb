"""Behavior libraries: what a cast can do, which clips show it, what may follow what."""

from walkon.behaviors.building import BuildReport, build_library
from walkon.behaviors.folder import read_library, write_library
from walkon.behaviors.graph import BehaviorGraph, build_graph
from walkon.behaviors.kinds import BEHAVIOR_KINDS, BehaviorKind
from walkon.behaviors.library import MARGIN, Behavior, BehaviorClip, BehaviorLibrary
from walkon.behaviors.seams import Seam, measure_seam, measure_seams

__all__ = [
    "BEHAVIOR_KINDS",
    "MARGIN",
    "Behavior",
    "BehaviorClip",
    "BehaviorGraph",
    "BehaviorKind",
    "BehaviorLibrary",
    "BuildReport",
    "Seam",
    "build_graph",
    "build_library",
    "measure_seam",
    "measure_seams",
    "read_library",
    "write_library",
]
