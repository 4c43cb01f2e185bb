"""A whole take in a file of any format: people who come and go, and the scene around them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from walkon.errors import ExportError
from walkon.export.cast import unique_names
from walkon.export.scenery import build_props
from walkon.formats import export_format, export_suffixes, found
from walkon.synthesis import Performance, perform_all
from walkon.take import Take


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
    chosen = export_format(path)
    if chosen is None:
        valid = " ".join(export_suffixes())
        raise ExportError(f"no take is written as {path.suffix.lower()!r}; valid suffixes: {valid}")
    performances = perform_all(take) if performances is None else performances
    if not performances:
        raise ExportError("nobody plays in this take: there is nothing to write")
    # A character is called by its name, whatever clips it was made of.
    clips = [replace(one.clip, name=one.character) for one in performances]
    starts = [one.start_frame for one in performances]
    write = found(chosen.writer)
    if chosen.holds == "one":
        files = _file_each(path, [clip.name for clip in clips])
        for file, clip in zip(files, clips, strict=True):
            write(file, clip)
        return files
    if chosen.holds == "paths":
        write(path, clips, starts=starts)
    else:
        props = build_props(take.scene, take.frames) if scenery else []
        write(path, clips, starts=starts, frames=take.frames, props=props)
    return [path]


def _file_each(path: Path, names: Sequence[str]) -> list[Path]:
    """A file for every character: `path` itself for one, else a folder of files by their names."""
    if len(names) == 1:
        return [path]
    safe = unique_names(re.sub(r"[^\w.-]+", "_", name).strip("._") or "character" for name in names)
    return [path.with_suffix("") / f"{name}{path.suffix}" for name in safe]
