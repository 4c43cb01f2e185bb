"""Readers, one file per format; `read_clip` and `read_recording` find the right one.

Units and axes are converted here and nowhere else: what comes out is in metres with Y up.
"""

from __future__ import annotations

from pathlib import Path

from walkon.errors import ClipError
from walkon.formats import found
from walkon.motion.clip import Clip
from walkon.motion.readers.amc import read_amc
from walkon.motion.readers.asf import AsfSkeleton, read_asf
from walkon.motion.readers.bvh import read_bvh
from walkon.motion.readers.clip_file import read_clip_file, write_clip_file
from walkon.motion.readers.deepmimic import read_deepmimic
from walkon.motion.readers.formats import recognise_format
from walkon.motion.readers.recording import MotionProblem, Provenance, Recording, Trim
from walkon.motion.readers.screening import find_problems

__all__ = [
    "AsfSkeleton",
    "MotionProblem",
    "Provenance",
    "Recording",
    "find_problems",
    "read_amc",
    "read_asf",
    "read_bvh",
    "read_clip",
    "read_clip_file",
    "read_deepmimic",
    "read_recording",
    "write_clip_file",
]


def read_recording(
    path: Path | str,
    *,
    units: str | float = "auto",
    up: str = "auto",
    trim: Trim = "none",
    keep_t_pose: bool = False,
) -> Recording:
    """Read a motion file of any known format, with its flaws and how it was read.

    units: "auto" (what the format states, else by the skeleton's size), "m", "cm", "mm", "in", "ft", "cmu", or
    metres per unit. up: "auto" (by the way the figure stands), "y" or "z". trim: "leading" leaves out bad first
    rows, "none" only reports them. keep_t_pose: keep a T pose that was added in front of the motion.
    Everything that can be wrong with a file is a ClipError that names the file and, where there is one, the line.
    """
    path = Path(path)
    known = recognise_format(path)
    if known.name == "clip":
        if units not in ("auto", "m", 1.0) or up not in ("auto", "y"):
            raise ClipError("a clip file is in metres with Y up; units and up do not apply", path=path)
        return read_clip_file(path, trim=trim)
    return found(known.reader)(path, units=units, up=up, trim=trim, keep_t_pose=keep_t_pose)


def read_clip(
    path: Path | str,
    *,
    units: str | float = "auto",
    up: str = "auto",
    trim: Trim = "none",
    keep_t_pose: bool = False,
) -> Clip:
    """The clip in a motion file; `read_recording` explains the options and returns more than the clip."""
    return read_recording(path, units=units, up=up, trim=trim, keep_t_pose=keep_t_pose).clip
