"""What animators ask of a take: feet, seams, transitions, repetition, collisions."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from walkon.basics import Array
from walkon.metrics.audit import AuditReport
from walkon.metrics.audit.bodies import Played
from walkon.metrics.plausibility.blocks import Progress
from walkon.metrics.quality.collisions import Collisions, measure_collisions
from walkon.metrics.quality.poses import SeamJumps, SeamMeter, Slide, joints_of, measure_slide
from walkon.metrics.quality.repetition import Repetition, measure_repetition
from walkon.metrics.quality.transitions import TransitionUse, measure_transitions
from walkon.metrics.trajectories import Trajectories
from walkon.metrics.trajectories.takes import ground_track, of_tracks
from walkon.synthesis.perform import perform_with
from walkon.synthesis.stitching import Stitcher
from walkon.take import Role, Take

WORKERS = 2
"""Threads that make poses and measure them."""


@dataclass(frozen=True, eq=False)
class Quality:
    """Of the N roles of a take.

    slides, seams: (N) what the poses show. transitions, repetition: what the role tells. collisions: what the
    audit found; None if there was none.
    """

    slides: tuple[Slide, ...]
    seams: tuple[SeamJumps, ...]
    transitions: TransitionUse
    repetition: Repetition
    collisions: Collisions | None


def measure_quality(
    take: Take,
    *,
    performances: Iterable[Played] | None = None,
    report: AuditReport | None = None,
    progress: Progress | None = None,
    workers: int = WORKERS,
) -> tuple[Quality, Trajectories]:
    """The quality of a take, and the trajectories seen on the way.

    performances: of the take, in the order of its roles, if they are at hand; else one after another is made and
    forgotten. workers: threads that do so. report: of an audit; without one, nothing is said about collisions.
    """
    look = _Look(take)
    slides, seams, tracks = [], [], []
    with ThreadPoolExecutor(max_workers=workers) as pool:
        # Whoever performs here is forgotten once looked at: memory is that of as many as there are threads.
        looked = (
            pool.map(look.at, take.roles)
            if performances is None
            else (look.at(role, one) for role, one in zip(take.roles, performances, strict=True))
        )
        for slide, seam, track in looked:
            slides.append(slide)
            seams.append(seam)
            tracks.append(track)
            if progress is not None:
                progress(len(tracks), len(take.roles))
    names = [role.character for role in take.roles]
    found = Quality(
        slides=tuple(slides),
        seams=tuple(seams),
        transitions=measure_transitions(take),
        repetition=measure_repetition(take),
        collisions=None if report is None else measure_collisions(report, names, take.fps),
    )
    return found, of_tracks(take.scene, take.fps, tracks)


class _Look:
    """What is seen of one role: slides, seams, and where it goes."""

    def __init__(self, take: Take) -> None:
        self._stitcher, self._meter = Stitcher(take), SeamMeter(take)

    def at(self, role: Role, one: Played | None = None) -> tuple[Slide, SeamJumps, tuple[str, int, Array]]:
        """Of its performance, which is made if it is not at hand."""
        played = perform_with(self._stitcher, role) if one is None else one
        positions = joints_of(played.clip)
        track = (played.character, played.start_frame, ground_track(played))
        return measure_slide(played, positions), self._meter.measure(role, played, positions), track
