"""Writers, one file per format; `write_clips` chooses by suffix. Every one of them leaves a whole file or none."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from walkon.errors import ExportError
from walkon.export.bvh import write_bvh
from walkon.export.cast import the_only
from walkon.export.glb import write_glb
from walkon.export.skin import Skin, build_skin
from walkon.export.takes import TAKE_SUFFIXES, export_take
from walkon.export.trajectories import write_trajectories
from walkon.export.usd import write_usd
from walkon.motion import Clip, write_clip_file

__all__ = [
    "SUFFIXES",
    "TAKE_SUFFIXES",
    "Skin",
    "build_skin",
    "export_take",
    "write_bvh",
    "write_clips",
    "write_glb",
    "write_trajectories",
    "write_usd",
]

SUFFIXES = (".bvh", ".glb", ".usd", ".usda", ".usdc", ".csv", ".txt", ".clip")
"""What `write_clips` can write."""


def write_clips(path: Path | str, clips: Clip | Sequence[Clip]) -> None:
    """Write characters, one per clip, in the format that the suffix of `path` names.

    .bvh one character; .glb and .usd, .usda, .usdc any number, with bodies; .csv and .txt ground trajectories;
    .clip one clip, lossless.
    """
    match Path(path).suffix.lower():
        case ".bvh":
            write_bvh(path, clips)
        case ".glb":
            write_glb(path, clips)
        case ".usd" | ".usda" | ".usdc":
            write_usd(path, clips)
        case ".csv" | ".txt":
            write_trajectories(path, clips)
        case ".clip":
            write_clip_file(path, the_only(clips, "clip"))
        case suffix:
            raise ExportError(f"no format is written as {suffix!r}; valid suffixes: {' '.join(SUFFIXES)}")
