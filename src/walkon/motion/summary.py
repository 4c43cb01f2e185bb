"""A motion file in one line: what `walkon clips` shows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from walkon.errors import ClipError
from walkon.formats import MOTION_FORMATS, either
from walkon.motion.features import measure_locomotion
from walkon.motion.feet.contacts import find_contacts
from walkon.motion.readers import MotionProblem, Recording, read_recording
from walkon.motion.readers.formats import recognise_format
from walkon.skeleton import build_body


@dataclass(frozen=True)
class ClipSummary:
    """What one wants to know of a clip before using it.

    seconds: duration; joints: without tips; height [m]: of the standing body; speed [m/s]: path length of the
    root on the ground by duration; turn [°]: whole change of heading, left positive; contacts: how often a foot
    was planted; unit: metres of one unit of the file.
    """

    path: str
    name: str
    format: str
    unit: float
    frames: int
    seconds: float
    fps: float
    joints: int
    height: float
    speed: float
    turn: float
    contacts: int
    problems: tuple[MotionProblem, ...]
    warnings: tuple[str, ...]


def find_motion_files(paths: Iterable[Path]) -> list[Path]:
    """The paths given, folders replaced by the motion files in and below them, in order of name."""
    found: list[Path] = []
    for path in paths:
        if not path.is_dir():
            found.append(path)
            continue
        inside = sorted(file for file in path.rglob("*") if _is_motion(file))
        if not inside:
            titles = either(known.title for known in MOTION_FORMATS if known.moves)
            raise ClipError(f"no motion files in this folder: no {titles} file", path=path)
        found += inside
    return found


def _is_motion(file: Path) -> bool:
    suffix = file.suffix.lower()
    known = next((known for known in MOTION_FORMATS if known.moves and suffix in known.suffixes), None)
    if known is None or not known.shared:
        return known is not None and file.is_file()
    try:
        return recognise_format(file) == known
    except ClipError:
        return False


def summarize_file(path: Path | str, *, units: str | float = "auto", up: str = "auto") -> ClipSummary:
    """Read a motion file and describe it."""
    return summarize(read_recording(path, units=units, up=up))


def summarize(recording: Recording) -> ClipSummary:
    """Describe a recording."""
    clip, origin = recording.clip, recording.provenance
    planted = find_contacts(clip).planted
    travel = measure_locomotion(clip)
    onsets = planted[:1].sum() + np.sum(planted[1:] & ~planted[:-1])
    return ClipSummary(
        path=str(origin.path),
        name=clip.name,
        format=origin.format,
        unit=origin.unit,
        frames=len(clip),
        seconds=clip.duration,
        fps=clip.fps,
        joints=int(np.sum(~clip.skeleton.tips)),
        height=build_body(clip.skeleton).height,
        speed=travel.path_length / clip.duration if clip.duration > 0 else 0.0,
        turn=float(np.degrees(travel.total_turn)),
        contacts=int(onsets),
        problems=recording.problems,
        warnings=recording.warnings,
    )
