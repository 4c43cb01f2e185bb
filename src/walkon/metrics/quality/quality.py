"""What animators ask of a take: feet, seams, transitions, repetition, collisions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from walkon.metrics.audit import AuditReport
from walkon.metrics.audit.bodies import Played
from walkon.metrics.plausibility.blocks import Progress
from walkon.metrics.quality.collisions import Collisions, measure_collisions
from walkon.metrics.quality.poses import SeamJumps, SeamMeter, Slide, joints_of, measure_slide
from walkon.metrics.quality.repetition import Repetition, measure_repetition
from walkon.metrics.quality.transitions import TransitionUse, measure_transitions
from walkon.metrics.trajectories import Trajectories
from walkon.metrics.trajectories.takes import ground_track, of_tracks
from walkon.synthesis import perform_each
from walkon.take import Take

Array = NDArray[np.float64]


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
) -> tuple[Quality, Trajectories]:
    """The quality of a take, and the trajectories seen on the way.

    performances: of the take, in the order of its roles, if they are at hand; else one after another is made and
    forgotten. report: of an audit; without one, nothing is said about collisions.
    """
    meter = SeamMeter(take)
    slides, seams, tracks = [], [], []
    played = perform_each(take) if performances is None else performances
    for role, one in zip(take.roles, played, strict=True):
        positions = joints_of(one.clip)
        slides.append(measure_slide(one, positions))
        seams.append(meter.measure(role, one, positions))
        tracks.append((one.character, one.start_frame, ground_track(one)))
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
    return found, of_tracks(take, tracks)
