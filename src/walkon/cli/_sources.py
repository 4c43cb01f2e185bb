"""What a command may be given as motion: a file, a folder of files, or `builtin:NAME`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from walkon.motion import Clip

BUILTIN = "builtin:"


def parse_units(text: str) -> str | float:
    """The name of a unit, or metres per unit where the text is a number."""
    try:
        return float(text)
    except ValueError:
        return text


def read_sources(
    sources: Sequence[str], *, units: str = "auto", up: str = "auto", trim: bool = False
) -> list[Clip]:
    """Read every source; warnings go to standard error."""
    from walkon.cli._console import progress
    from walkon.motion import find_motion_files

    paths: list[str | Path] = []
    for source in sources:
        paths += [source] if source.startswith(BUILTIN) else find_motion_files([Path(source)])
    return [_read(path, units, up, trim) for path in progress(paths, "reading", total=len(paths))]


def _read(source: str | Path, units: str, up: str, trim: bool) -> Clip:
    if isinstance(source, str):
        from walkon.builtin import make

        return make(source.removeprefix(BUILTIN))
    from walkon.cli._console import complain
    from walkon.motion import read_recording

    recording = read_recording(source, units=parse_units(units), up=up, trim="leading" if trim else "none")
    for warning in recording.warnings:
        complain(f"{source}: {warning}")
    return recording.clip
