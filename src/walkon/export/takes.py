"""A whole take in a file of any format: people who come and go, and the scene around them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from walkon.errors import ExportError
from walkon.export.bvh import write_bvh
from walkon.export.cast import unique_names
from walkon.export.glb import write_glb
from walkon.export.scenery import build_props
from walkon.export.trajectories import write_trajectories
from walkon.export.usd import write_usd
from walkon.motion import write_clip_file
from walkon.synthesis import Performance, perform_all
from walkon.take import Take

TAKE_SUFFIXES = (".bvh", ".glb", ".usd", ".usda", ".usdc", ".csv", ".txt", ".clip")
"""What `export_take` can write."""


def export_take(
    take: Take,
    path: Path | str,
    *,
    performances: Sequence[Performance] | None = None,
    scenery: bool = True,
) -> list[Path]:
    """Write a take in the format that the suffix of `path` names; returns the files written.

    .glb, .usd, .usda, .usdc: everybody and, with `scenery`, ground and obstacles. .csv, .txt: trajectories on the
    ground. .bvh, .clip: one file for each character; several go to a folder with the name of `path` less its
    suffix, and each begins when its character appears. performances: of the take, if they are at hand.
    """
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix not in TAKE_SUFFIXES:
        raise ExportError(f"no take is written as {suffix!r}; valid suffixes: {' '.join(TAKE_SUFFIXES)}")
    performances = perform_all(take) if performances is None else performances
    if not performances:
        raise ExportError("nobody plays in this take: there is nothing to write")
    # A character is called by its name, whatever clips it was made of.
    clips = [replace(one.clip, name=one.character) for one in performances]
    starts = [one.start_frame for one in performances]
    props = build_props(take.scene, take.frames) if scenery else []
    match suffix:
        case ".glb":
            write_glb(path, clips, starts=starts, frames=take.frames, props=props)
        case ".usd" | ".usda" | ".usdc":
            write_usd(path, clips, starts=starts, frames=take.frames, props=props)
        case ".csv" | ".txt":
            write_trajectories(path, clips, starts=starts)
        case _:
            write = write_bvh if suffix == ".bvh" else write_clip_file
            files = _file_each(path, [clip.name for clip in clips])
            for file, clip in zip(files, clips, strict=True):
                write(file, clip)
            return files
    return [path]


def _file_each(path: Path, names: Sequence[str]) -> list[Path]:
    """A file for every character: `path` itself for one, else a folder of files by their names."""
    if len(names) == 1:
        return [path]
    safe = unique_names(re.sub(r"[^\w.-]+", "_", name).strip("._") or "character" for name in names)
    return [path.with_suffix("") / f"{name}{path.suffix}" for name in safe]
