"""Behavior libraries: what a cast can do, which clips show it, what may follow what."""

from walkon.behaviors.folder import read_library, write_library
from walkon.behaviors.library import KINDS, MARGIN, Behavior, BehaviorClip, BehaviorLibrary
from walkon.behaviors.seams import Seam, measure_seam, measure_seams

__all__ = [
    "KINDS",
    "MARGIN",
    "Behavior",
    "BehaviorClip",
    "BehaviorLibrary",
    "Seam",
    "measure_seam",
    "measure_seams",
    "read_library",
    "write_library",
]
