"""`walkon convert`: motion in one format becomes motion in another, edited on the way."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from walkon.motion import Clip


def convert(
    paths: list[str] = typer.Argument(
        metavar="IN... OUT",
        help="Motion files, folders or builtin:NAME, then the file to write (.bvh .glb .usda .usdc .csv .clip), "
        "or a folder together with --to.",
    ),
    to: str = typer.Option("", help="Write one file of this format for every input into the folder OUT."),
    units: str = typer.Option("auto", help="Unit of the inputs: auto, m, cm, mm, in, ft, cmu, or a factor."),
    up: str = typer.Option("auto", help="Axis that points up in the inputs: auto, y or z."),
    trim: bool = typer.Option(False, "--trim", help="Drop the bad first rows of a recording."),
    start: float = typer.Option(0.0, help="Keep what comes after this time [s]."),
    stop: float = typer.Option(float("inf"), help="Keep what comes before this time [s].", show_default=False),
    fps: float = typer.Option(0.0, help="Resample to this rate [Hz]; 0 keeps it."),
    mirror: bool = typer.Option(False, "--mirror", help="Swap left and right."),
    skeleton: str = typer.Option("", help="Retarget to the skeleton of this motion file or builtin:NAME."),
) -> None:
    """Convert motion between formats; several inputs become several characters in one GLB, USD or CSV."""
    from walkon.cli._console import progress
    from walkon.cli._sources import read_sources
    from walkon.export import write_clips

    if len(paths) < 2:
        raise typer.BadParameter("give at least one input and one output")
    *sources, out = paths
    clips = read_sources(sources, units=units, up=up, trim=trim)
    target = read_sources([skeleton])[0] if skeleton else None
    edited = [
        _edit(clip, start, stop, fps, mirror, target) for clip in progress(clips, "editing", total=len(clips))
    ]
    if not to:
        write_clips(Path(out), edited)
        return
    for clip in progress(edited, "writing", total=len(edited)):
        write_clips(Path(out) / f"{clip.name}.{to.lstrip('.')}", [clip])


def _edit(clip: Clip, start: float, stop: float, fps: float, mirrored: bool, target: Clip | None) -> Clip:
    """Crop, mirror, retarget and resample, in the order that does the least work."""
    from walkon.errors import ClipError
    from walkon.motion import crop, mirror, resample, retarget

    first = max(0, round(start * clip.fps))
    last = len(clip) if stop == float("inf") else min(len(clip), round(stop * clip.fps) + 1)
    if first >= last:
        raise ClipError(
            f"clip {clip.name!r} lasts {clip.duration:.2f} s: nothing lies between {start} and {stop} s"
        )
    if (first, last) != (0, len(clip)):
        clip = crop(clip, first, last)
    if mirrored:
        clip = mirror(clip)
    if target is not None:
        clip = retarget(clip, target.skeleton)
    return resample(clip, fps) if fps > 0 and fps != clip.fps else clip
