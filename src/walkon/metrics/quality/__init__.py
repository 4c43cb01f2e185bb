"""What animators and planners of spaces ask: feet, seams, repetition, collisions; travel, density and flow."""

from walkon.metrics.quality.collisions import Collisions, measure_collisions
from walkon.metrics.quality.density import Density, LineCrossings, find_crossings, map_density, measure_density
from walkon.metrics.quality.poses import SeamJumps, Slide
from walkon.metrics.quality.quality import Quality, measure_quality
from walkon.metrics.quality.repetition import Repetition, measure_repetition
from walkon.metrics.quality.transitions import TransitionUse, measure_transitions
from walkon.metrics.quality.travel import Travel, measure_travel

__all__ = [
    "Collisions",
    "Density",
    "LineCrossings",
    "Quality",
    "Repetition",
    "SeamJumps",
    "Slide",
    "TransitionUse",
    "Travel",
    "find_crossings",
    "map_density",
    "measure_collisions",
    "measure_density",
    "measure_quality",
    "measure_repetition",
    "measure_transitions",
    "measure_travel",
]
