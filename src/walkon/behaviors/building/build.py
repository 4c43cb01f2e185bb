"""Recordings in, behavior library out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from walkon.behaviors.building.assembly import assemble, hold_rest
from walkon.behaviors.building.coasting import let_coast
from walkon.behaviors.building.cuts import find_cuts
from walkon.behaviors.building.fitting import fit_piece
from walkon.behaviors.building.footing import stands_on_nothing
from walkon.behaviors.building.grouping import Candidate
from walkon.behaviors.building.hubs import SharedPose, find_hubs, over_other_foot
from walkon.behaviors.building.linking import connected_poses
from walkon.behaviors.building.matching import Pass, RecordedStretch, find_passes, find_segments, find_steps
from walkon.behaviors.building.measuring import measure_deed
from walkon.behaviors.building.naming import action_moment, title_of
from walkon.behaviors.building.report import BuildReport, LeftOut, PoseFound
from walkon.behaviors.building.sources import Source, prepare_sources
from walkon.behaviors.building.tally import Refused, left_out_stretches, seam_figures, seconds_shown
from walkon.behaviors.kinds import BEHAVIOR_KINDS
from walkon.behaviors.library import BehaviorLibrary
from walkon.errors import LibraryError
from walkon.motion import Clip
from walkon.skeleton import Skeleton

LONGEST = 6.0
"""A clip of more seconds than this is of little use to a planner."""

LOOSE_REASON = "begins or ends too far from any pose"


@dataclass(frozen=True)
class LibraryOptions:
    """How a library is built.

    fps: [Hz] of its clips. mirrored: use mirror images of the recordings too. bend: fit clips to their poses;
    without, they are only cut. likeness: factor on how far from a pose clips may begin and end. most_clips: of one
    behavior. most_ways: how many behaviors of one name, that differ in length and time, are kept; of turns
    one for each of three ranges of angle.
    """

    fps: float = 30.0
    mirrored: bool = True
    bend: bool = True
    likeness: float = 1.0
    most_clips: int = 4
    most_ways: int = 2


def build_library(
    clips: Sequence[Clip],
    *,
    name: str,
    fps: float = 30.0,
    skeleton: Skeleton | None = None,
    mirrored: bool = True,
    bend: bool = True,
    likeness: float = 1.0,
    most_clips: int = 4,
    most_ways: int = 2,
) -> tuple[BehaviorLibrary, BuildReport]:
    """A behavior library made of whole recordings, and a report on how.

    clips: recordings of any rates and bodies, at least one; names must differ. name: of the library. fps: [Hz] of
    its clips. skeleton: that its clips are brought to, by default the one most recordings have. The other options
    are those of `LibraryOptions`. Raises LibraryError when nothing in the recordings can follow anything.
    """
    options = LibraryOptions(fps, mirrored, bend, likeness, most_clips, most_ways)
    _check(clips, options)
    sources, left_out = prepare_sources(clips, skeleton=skeleton, mirrored=mirrored)
    if not sources:
        raise LibraryError(f"library {name!r}: none of {len(clips)} recordings can be used: {left_out[0].reason}")
    hubs = find_hubs(sources, find_cuts(sources), fps=fps, likeness=likeness)
    hubs += over_other_foot(hubs)
    candidates, refused, passes, kept = _connected(sources, hubs, options, name)
    chosen, crowded = assemble(candidates, kept, options.most_clips, options.most_ways)
    library, notes = hold_rest(BehaviorLibrary(name, tuple(chosen)), kept)
    shown = {id(clip) for behavior in library for clip in behavior.clips}
    used = [candidate for candidate in candidates if id(candidate.piece.shown) in shown]
    return library, BuildReport(
        recordings=len(clips),
        seconds=float(sum(clip.duration for clip in clips)),
        seconds_used=seconds_shown(used, sources),
        poses=_poses(sources, hubs, kept, passes),
        seams_before=seam_figures(library, used, sources, options.fps),
        seams_after=seam_figures(library),
        left_out=tuple(left_out + left_out_stretches(sources, used, refused + crowded)),
        notes=tuple(_notes(hubs, kept, used, library) + notes),
    )


def _check(clips: Sequence[Clip], options: LibraryOptions) -> None:
    if not clips:
        raise LibraryError("there is no recording to build a library from")
    names = [clip.name for clip in clips]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise LibraryError(f"recordings must have different names; repeated: {', '.join(twice)}")
    for what in ("fps", "likeness", "most_clips", "most_ways"):
        if not 0 < getattr(options, what) < float("inf"):
            raise LibraryError(f"{what} must be positive, not {getattr(options, what)}")


def _connected(
    sources: Sequence[Source], hubs: Sequence[SharedPose], options: LibraryOptions, name: str
) -> tuple[list[Candidate], list[Refused], list[list[Pass]], list[SharedPose]]:
    """Candidates between poses that can all reach each other.

    A pose that goes may have cut in two what would lead from one of the others to another: look again without it.
    """
    kept = list(hubs)
    while kept:
        passes, others = (find_passes(sources, kept, foot) for foot in (0, 1))
        whole, steps = find_segments(sources, kept, passes), find_steps(sources, kept, passes, others)
        candidates, refused = _candidates(sources, kept, [*whole, *steps], options)
        links = [(one.piece.entry, one.piece.exit, one.title.kind) for one in candidates]
        poses = connected_poses(links) - _passed_once(kept, links)
        if all(hub.name in poses for hub in kept):
            return candidates, refused, [*passes, *others], kept
        kept = [hub for hub in kept if hub.name in poses]
    found = ", ".join(hub.name for hub in hubs) or "none"
    raise LibraryError(
        f"library {name!r}: nothing in the recordings can be repeated or followed by something else "
        f"(poses found: {found}); give more recordings, or a greater likeness"
    )


def _passed_once(hubs: Sequence[SharedPose], links: Sequence[tuple[str, str, str]]) -> set[str]:
    """Names of slow poses that nobody goes on in, step after step: those who set off and stop pass them, too."""
    steady = {entry for entry, leave, kind in links if entry == leave and kind == "locomotion"}
    once = {id(hub.cut) for hub in hubs if hub.slow and not hub.foot and hub.name not in steady}
    return {hub.name for hub in hubs if id(hub.cut) in once}


def _candidates(
    sources: Sequence[Source],
    hubs: Sequence[SharedPose],
    segments: Sequence[RecordedStretch],
    options: LibraryOptions,
) -> tuple[list[Candidate], list[Refused]]:
    """What can be made of the segments, and what cannot, with reasons."""
    made, refused = [], []
    for segment in segments:
        source, entry, leave = sources[segment.start.source], hubs[segment.start.hub], hubs[segment.stop.hub]
        reason = _objection(source, segment, entry, leave)
        if reason:
            refused.append(Refused(segment, reason))
            continue
        longer, fitted = source, segment
        if segment.loose and entry.kind == leave.kind == "glide":
            longer, fitted = let_coast(source, segment)
        piece = fit_piece(longer, fitted, entry, leave, fps=options.fps, bend=options.bend)
        piece = replace(piece, segment=segment)
        deed = measure_deed(piece.shown)
        title = title_of(deed, entry, leave)
        if BEHAVIOR_KINDS[title.kind].special:
            moment = action_moment(deed, title.kind)
            piece = replace(piece, shown=replace(piece.shown, action_time=moment))
        misfit = max(segment.start.distance / entry.radius, segment.stop.distance / leave.radius)
        made.append(Candidate(piece, deed, title, misfit))
    return _without_needless(made, refused)


def _objection(source: Source, segment: RecordedStretch, entry: SharedPose, leave: SharedPose) -> str:
    """Why a segment cannot be used at all; empty if it can."""
    start, stop = segment.start.frame, segment.stop.frame
    seconds = (stop - start) / source.clip.fps
    if seconds > LONGEST:
        return f"takes {seconds:.1f} s from one pose to the next, more than {LONGEST:g} s"
    if segment.loose and source.mirrored and "glide" in (entry.kind, leave.kind):
        return LOOSE_REASON
    if stands_on_nothing(source, start, stop):
        return "a foot stands on something that is not there"
    return ""


def _without_needless(made: Sequence[Candidate], refused: list[Refused]) -> tuple[list[Candidate], list[Refused]]:
    """Loose clips only where they are needed.

    That is for actions that nothing else shows from the same pose, and for ways from one pose to another where
    there are no others. Of several loose clips of one recording that serve the same, the best fitting one is kept.
    """
    tight = {_purpose(one) for one in made if not one.piece.segment.loose}
    best: dict[tuple[object, ...], Candidate] = {}
    for one in made:
        stays = not one.title.action and one.piece.entry == one.piece.exit
        if one.piece.segment.loose and not stays and _purpose(one) not in tight:
            key = (*_purpose(one), one.piece.source, one.piece.mirrored)
            best[key] = min(one, best.get(key, one), key=lambda candidate: candidate.misfit)
    kept = []
    for one in made:
        if not one.piece.segment.loose or one in best.values():
            kept.append(one)
        else:
            refused.append(Refused(one.piece.segment, LOOSE_REASON))
    return kept, refused


def _purpose(one: Candidate) -> tuple[str, str]:
    return one.piece.entry, one.title.action or one.piece.exit


def _poses(
    sources: Sequence[Source],
    hubs: Sequence[SharedPose],
    kept: Sequence[SharedPose],
    passes: Sequence[Sequence[Pass]],
) -> tuple[PoseFound, ...]:
    found = []
    for number, hub in enumerate(kept):
        own = [one.distance for each in passes for one in each if one.hub == number]
        spread = float(np.mean(own)) if own else 0.0
        clip = sources[hub.cut.source].clip.name
        found.append(PoseFound(hub.name, hub.kind, clip, hub.cut.frame, hub.speed, len(own), spread))
    return tuple(found)


def _notes(
    hubs: Sequence[SharedPose], kept: Sequence[SharedPose], used: Sequence[Candidate], library: BehaviorLibrary
) -> list[str]:
    notes = []
    lost = [hub.name for hub in hubs if hub not in kept and not hub.foot and not hub.slow]
    if lost:
        notes.append(f"poses without a way there or back, left out: {', '.join(lost)}")
    mirrored = sum(one.piece.mirrored for one in used)
    if mirrored:
        notes.append(f"{mirrored} of {len(used)} clips are mirror images of what was recorded")
    loose = [one.piece.shown.clip.name for one in used if one.piece.segment.loose]
    if loose:
        notes.append(f"fitted loosely, bent further than the rest at one end: {', '.join(loose)}")
    if not any(hub.kind == "rest" for hub in kept):
        notes.append(f"nobody in library {library.name!r} can stand still: no rest is both reached and left")
    return notes


__all__ = ["LeftOut", "LibraryOptions", "build_library"]
