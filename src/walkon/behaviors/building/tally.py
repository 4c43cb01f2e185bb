"""Figures for the report: what was shown, what was left out and why, how good the seams are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from walkon.basics import runs
from walkon.behaviors.building.fitting import cut_raw
from walkon.behaviors.building.grouping import Candidate
from walkon.behaviors.building.matching import RecordedStretch
from walkon.behaviors.building.report import LeftOut, SeamFigures
from walkon.behaviors.building.sources import Source
from walkon.behaviors.library import BehaviorClip, BehaviorLibrary
from walkon.behaviors.seams import measure_seams

WORTH_TELLING = 0.3
"""Stretches left out that are shorter than this [s] go without saying."""

MOST_MEASURED = 2
"""Clips of each behavior that seams are measured between: their number grows with the square."""

UNLIKE = "never comes near a pose that clips begin and end in"
LEAST_COVERED = 0.3
"""Share of a stretch that a reason must cover to be the reason for it."""


@dataclass(frozen=True)
class Refused:
    """A segment that is not in the library, and why."""

    segment: RecordedStretch
    reason: str


def seam_figures(
    library: BehaviorLibrary,
    used: Sequence[Candidate] = (),
    sources: Sequence[Source] = (),
    fps: float = 30.0,
) -> SeamFigures:
    """Gaps at the seams between behaviors' first clips; with candidates, of the same clips as recorded."""
    raw = {
        id(one.piece.shown): BehaviorClip(
            cut_raw(sources[one.piece.segment.start.source], one.piece.segment, fps), margin=1
        )
        for one in used
    }
    if raw:
        library = BehaviorLibrary(
            library.name,
            tuple(
                replace(behavior, clips=tuple(raw.get(id(shown), shown) for shown in behavior.clips))
                for behavior in library
            ),
        )
    library = BehaviorLibrary(
        library.name, tuple(replace(behavior, clips=behavior.clips[:MOST_MEASURED]) for behavior in library)
    )
    seams = measure_seams(library)
    poses, velocities = [s.pose_gap for s in seams], [s.velocity_gap for s in seams]
    return SeamFigures(
        len(seams), float(np.median(poses)), max(poses), float(np.median(velocities)), max(velocities)
    )


def seconds_shown(used: Sequence[Candidate], sources: Sequence[Source]) -> float:
    """How many seconds of the recordings some clip shows, in a mirror or not."""
    shown = _shown_frames(used, sources)
    rates = {source.clip.name: source.clip.fps for source in sources}
    return float(sum(frames.sum() / rates[name] for name, frames in shown.items()))


def left_out_stretches(
    sources: Sequence[Source], used: Sequence[Candidate], refused: Sequence[Refused]
) -> list[LeftOut]:
    """Stretches that neither a clip nor a mirror image shows, each with the reason that covers most of it."""
    rates = {source.clip.name: source.clip.fps for source in sources}
    stretches = []
    for name, frames in _shown_frames(used, sources).items():
        own = [one for one in refused if sources[one.segment.start.source].clip.name == name]
        for start, stop in runs(~frames):
            if stop - start >= WORTH_TELLING * rates[name]:
                stretches.append(LeftOut(name, start, stop - 1, _reason(own, start, stop)))
    return stretches


def _shown_frames(used: Sequence[Candidate], sources: Sequence[Source]) -> dict[str, NDArray[np.bool_]]:
    shown = {source.clip.name: np.zeros(len(source.clip), dtype=bool) for source in sources}
    for one in used:
        segment = one.piece.segment
        shown[one.piece.source][segment.start.frame : segment.stop.frame + 1] = True
    return shown


def _reason(refused: Sequence[Refused], start: int, stop: int) -> str:
    """The reason that covers most of the stretch, if any covers a good part of it."""
    overlaps = {UNLIKE: LEAST_COVERED * (stop - start)}
    for one in refused:
        overlap = min(stop, one.segment.stop.frame) - max(start, one.segment.start.frame)
        overlaps[one.reason] = overlaps.get(one.reason, 0.0) + max(overlap, 0)
    return max(overlaps, key=lambda reason: overlaps[reason])
