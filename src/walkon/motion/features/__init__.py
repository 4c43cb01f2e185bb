"""What a clip says about its motion: place, room, gait, travel and mass, frame by frame."""

from walkon.motion.features.bounding import GroundCircles, bounding_circles
from walkon.motion.features.gait import (
    Gait,
    GaitCycle,
    GaitStep,
    Support,
    foot_supports,
    measure_gait,
    support_phases,
)
from walkon.motion.features.locomotion import Locomotion, measure_locomotion
from walkon.motion.features.mass import center_of_mass, center_of_mass_velocity
from walkon.motion.features.placement import ground_placements, placement_at

__all__ = [
    "Gait",
    "GaitCycle",
    "GaitStep",
    "GroundCircles",
    "Locomotion",
    "Support",
    "bounding_circles",
    "center_of_mass",
    "center_of_mass_velocity",
    "foot_supports",
    "ground_placements",
    "measure_gait",
    "measure_locomotion",
    "placement_at",
    "support_phases",
]
