"""Behavior libraries: what a cast can do, which clips show it, what may follow what."""

from walkon.behaviors.building import BuildReport, build_library
from walkon.behaviors.drawing import draw_graph
from walkon.behaviors.folder import read_library, write_library
from walkon.behaviors.graph import SPECIAL, BehaviorGraph, build_graph
from walkon.behaviors.library import KINDS, MARGIN, Behavior, BehaviorClip, BehaviorLibrary
from walkon.behaviors.seams import Seam, measure_seam, measure_seams

__all__ = [
    "KINDS",
    "MARGIN",
    "SPECIAL",
    "Behavior",
    "BehaviorClip",
    "BehaviorGraph",
    "BehaviorLibrary",
    "BuildReport",
    "Seam",
    "build_graph",
    "build_library",
    "draw_graph",
    "measure_seam",
    "measure_seams",
    "read_library",
    "write_library",
]
