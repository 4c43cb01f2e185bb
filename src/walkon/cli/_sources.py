"""What a command may be given as motion: a file, a folder of files, or `builtin:NAME`."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase
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


def read_recordings(
    places: Sequence[Path], only: Sequence[str], *, units: str = "auto", up: str = "auto"
) -> tuple[list[Clip], int]:
    """Recordings of files and folders, bad first rows left out, and how many files could not be read.

    only: patterns of names, such as 16_*; all if there are none. What cannot be read is said on standard error, as
    is a name that is there twice: the second is called name_2.
    """
    from walkon.cli._console import complain, progress
    from walkon.errors import ClipError
    from walkon.motion import find_motion_files, read_recording
    from walkon.motion.readers.source import unique_name

    paths = find_motion_files(places)
    chosen = [path for path in paths if not only or any(fnmatchcase(path.stem, pattern) for pattern in only)]
    if not chosen:
        where = ", ".join(map(str, places))
        raise ClipError(f"{where}: {len(paths)} motion files, none of them named like {', '.join(only)}")
    clips, failures, used, files = [], 0, {}, {}
    for path in progress(chosen, "reading", total=len(chosen)):
        try:
            clip = read_recording(path, units=parse_units(units), up=up, trim="leading").clip
        except ClipError as error:
            failures += 1
            complain(str(error))
            continue
        name = unique_name(clip.name, used)
        if name != clip.name:
            complain(f"{path}: its clip is called {clip.name!r}, as that of {files[clip.name]}; used as {name!r}")
            clip = clip.with_changes(name=name)
        files[name] = path
        clips.append(clip)
    return clips, failures


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
