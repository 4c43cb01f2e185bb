"""The plain walk or jog an action is layered on: from the pose of the gait to the same pose some cycles later."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from walkon.basics import Array
from walkon.builtin.gait.course import Course, Profile, constant, follow
from walkon.builtin.gait.engine import LEAD_CYCLES, locomote, mid_stance, natural_period
from walkon.builtin.gait.feet import Nudge, loose_steps
from walkon.builtin.keyframes import Curve
from walkon.builtin.performer import Performer
from walkon.builtin.score import Score

STEP_SPREAD = (0.007, 0.010, np.radians(1.5))
"""How far footprints are off from clip to clip: to the left and forward [m], and in heading [rad]."""


@dataclass(frozen=True)
class PlainGait:
    """A gait from mid-stance of the left foot to mid-stance of the left foot.

    performer, running: who, and whether they jog. course: straight on along +z, at the origin at time 0.
    seconds: of the core. times: (F,) [s] of the frames, with those before the core and after.
    """

    performer: Performer
    running: bool
    course: Course
    seconds: float
    times: Array
    fps: float

    def score(self, nudge: Nudge | None = None) -> Score:
        """The plain gait."""
        return locomote(self.performer, self.course, self.times, self.fps, nudge)

    def loose_steps(self, rng: np.random.Generator | None) -> Nudge | None:
        """Footprints a little off from clip to clip, but where the core begins and ends; none without rng."""
        return None if rng is None else loose_steps(rng, STEP_SPREAD, self.seconds)

    def when(self, phase: float) -> float:
        """The time [s] at which a phase is reached: the left foot lands at 0, 1, 2 ..., the right between."""
        return float(self.course.when(phase))


def lay_gait(
    performer: Performer,
    running: bool,
    cycles: int,
    *,
    hold: float = 0.0,
    pace: Curve | None = None,
    beat: Curve | None = None,
    margin: int = 0,
    fps: float = 30.0,
) -> PlainGait:
    """A gait of a number of `cycles` at the speed the performer prefers.

    hold [s]: by how much longer the cycles take than the plain ones. pace, beat: factors on the speed and on the
    rhythm of the steps by time [s] after the core's first frame; 1 where the core begins and ends. margin: frames
    before and after the core.
    """
    speed = performer.jog_speed if running else performer.walk_speed
    over = mid_stance(performer, speed, running)
    period = natural_period(performer, speed, running)
    frames = round((cycles * period + hold) * fps)
    factor, rhythm = pace or constant(1.0), beat or constant(1.0)
    profile = Profile(lambda time: speed * factor(time), running=constant(float(running)), rate=rhythm)
    span = (-LEAD_CYCLES * period, frames / fps + LEAD_CYCLES * period)
    course = follow(performer, profile, span, (0.0, over), (frames / fps, over + cycles))
    times = np.arange(-margin, frames + margin + 1) / fps
    return PlainGait(performer, running, course, frames / fps, times, fps)
