"""From a file's raw motion to a Recording: metres, Y up, added poses dropped, flaws reported."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from walkon.errors import ClipError
from walkon.motion.clip import Clip, Contacts, Label
from walkon.motion.readers.axes import resolve_up, rest_up, turn_rest, turn_world
from walkon.motion.readers.recording import MotionProblem, Provenance, RawMotion, Recording, Trim
from walkon.motion.readers.screening import find_problems, has_added_t_pose
from walkon.motion.readers.units import resolve_units
from walkon.skeleton import Skeleton


def build_recording(
    raw: RawMotion, path: Path, *, units: str | float, up: str, trim: Trim, keep_t_pose: bool
) -> Recording:
    """Convert and screen what a format's parser found; ClipErrors name the file."""
    try:
        clip, provenance = _convert(raw, path, units, up)
    except ClipError as error:
        raise ClipError(error.what, path=path) from error
    return screen_recording(clip, provenance, raw.warnings, trim=trim, keep_t_pose=keep_t_pose)


def screen_recording(
    clip: Clip, provenance: Provenance, warnings: Sequence[str], *, trim: Trim, keep_t_pose: bool
) -> Recording:
    """Drop an added T pose unless it is to be kept, report flaws, and trim bad leading rows if asked to."""
    if trim not in ("none", "leading"):
        raise ClipError(f"unknown trim {trim!r}; valid: none, leading")
    if not keep_t_pose and has_added_t_pose(clip):
        clip, provenance = _without_first(clip, 1), replace(provenance, dropped_t_pose=True)
    problems = find_problems(clip, first_row=provenance.first_row)
    if trim == "leading" and problems and problems[0].kind == "bad start":
        bad = problems[0].stop - provenance.first_row
        clip, provenance = _without_first(clip, bad), replace(provenance, trimmed=bad)
        problems = _renumbered(problems, bad)
    return Recording(clip, provenance, problems, tuple(warnings))


def _convert(raw: RawMotion, path: Path, units: str | float, up: str) -> tuple[Clip, Provenance]:
    skeleton = Skeleton(raw.names, raw.parents, raw.offsets, raw.tips)
    unit_name, unit = resolve_units(units, skeleton, raw.unit)
    up = resolve_up(up, skeleton, raw.root_positions, raw.rotations, raw.up)
    root_positions, rotations = raw.root_positions, raw.rotations
    offsets, stretching = raw.offsets, raw.bone_offsets
    if up == "z":
        root_positions, rotations = turn_world(root_positions, rotations)
        if rest_up(skeleton) == "z":
            rotations, offsets, stretching = turn_rest(rotations, offsets, stretching)
    clip = Clip(
        path.stem,
        Skeleton(raw.names, raw.parents, offsets * unit, raw.tips),
        raw.fps,
        root_positions * unit,
        rotations,
        None if stretching is None else stretching * unit,
    )
    return clip, Provenance(path, raw.format, unit, unit_name, up, len(clip))


def _without_first(clip: Clip, count: int) -> Clip:
    """The clip from frame `count` on."""
    labels = (
        Label(label.name, max(label.start - count, 0), label.stop - count)
        for label in clip.labels
        if label.stop > count
    )
    contacts = clip.contacts
    return clip.with_changes(
        root_positions=clip.root_positions[count:],
        rotations=clip.rotations[count:],
        bone_offsets=None if clip.bone_offsets is None else clip.bone_offsets[count:],
        labels=tuple(labels),
        contacts=None if contacts is None else Contacts(contacts.joints, contacts.planted[count:]),
    )


def _renumbered(problems: tuple[MotionProblem, ...], trimmed: int) -> tuple[MotionProblem, ...]:
    """The same problems after `trimmed` leading frames, the first problem, are gone."""
    later = [p if p.frame is None else replace(p, frame=p.frame - trimmed) for p in problems[1:]]
    return (replace(problems[0], frame=None), *later)
