"""Editing: every function takes a clip and gives a new one; nothing is changed in place."""

from walkon.motion.editing.crop import crop
from walkon.motion.editing.join import join
from walkon.motion.editing.joint_map import match_joints
from walkon.motion.editing.mirror import mirror
from walkon.motion.editing.place import place, place_at
from walkon.motion.editing.resample import resample
from walkon.motion.editing.retarget import retarget
from walkon.motion.editing.retime import retime, warp_times
from walkon.motion.editing.scale import scale

__all__ = [
    "crop",
    "join",
    "match_joints",
    "mirror",
    "place",
    "place_at",
    "resample",
    "retarget",
    "retime",
    "scale",
    "warp_times",
]
