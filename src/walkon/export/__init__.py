"""Writers, one file per format; `write_clips` chooses by suffix. Every one of them leaves a whole file or none."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from walkon.errors import ExportError
from walkon.export.bvh import write_bvh
from walkon.export.cast import the_only
from walkon.export.glb import write_glb
from walkon.export.skin import Skin, build_skin
from walkon.export.takes import export_take
from walkon.export.trajectories import write_trajectories
from walkon.export.usd import write_usd
from walkon.formats import export_format, export_suffixes, found
from walkon.motion import Clip

__all__ = [
    "Skin",
    "build_skin",
    "export_take",
    "write_bvh",
    "write_clips",
    "write_glb",
    "write_trajectories",
    "write_usd",
]


def write_clips(path: Path | str, clips: Clip | Sequence[Clip]) -> None:
    """Write characters, one per clip, in the format that the suffix of `path` names.

    .bvh one character; .glb and .usd, .usda, .usdc any number, with bodies; .csv and .txt ground trajectories;
    .clip one clip, lossless. `walkon.formats` has the table of them.
    """
    chosen = export_format(path)
    if chosen is None:
        valid = " ".join(export_suffixes())
        raise ExportError(f"no format is written as {Path(path).suffix.lower()!r}; valid suffixes: {valid}")
    found(chosen.writer)(path, the_only(clips, chosen.name) if chosen.holds == "one" else clips)
