"""Clips: reading, describing and editing motion."""

from walkon.motion.clip import Clip, Contacts, Label
from walkon.motion.editing import (
    crop,
    join,
    match_joints,
    mirror,
    place,
    place_at,
    resample,
    retarget,
    retime,
    scale,
    warp_times,
)
from walkon.motion.features import (
    bounding_circles,
    center_of_mass,
    ground_placements,
    measure_gait,
    measure_locomotion,
    placement_at,
    support_phases,
)
from walkon.motion.feet import find_contacts, plant_feet
from walkon.motion.library import ClipLibrary
from walkon.motion.readers import MotionProblem, Recording, read_clip, read_recording, write_clip_file
from walkon.motion.summary import ClipSummary, find_motion_files, summarize, summarize_file

__all__ = [
    "Clip",
    "ClipLibrary",
    "ClipSummary",
    "Contacts",
    "Label",
    "MotionProblem",
    "Recording",
    "bounding_circles",
    "center_of_mass",
    "crop",
    "find_contacts",
    "find_motion_files",
    "ground_placements",
    "join",
    "match_joints",
    "measure_gait",
    "measure_locomotion",
    "mirror",
    "place",
    "place_at",
    "placement_at",
    "plant_feet",
    "read_clip",
    "read_recording",
    "resample",
    "retarget",
    "retime",
    "scale",
    "summarize",
    "summarize_file",
    "support_phases",
    "warp_times",
    "write_clip_file",
]
