"""Walking, jogging and running: a course becomes a score.

The feet come first: planted where the course passes, rolling and swinging as people's do at that speed. Pelvis,
trunk and arms follow the phase of the steps. The pelvis is carried over the legs in walking; in running it is
where the centre of mass, thrown from foot to foot, needs it to be.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from walkon.basics import Array
from walkon.builtin.footwork import SIDES
from walkon.builtin.gait.body import carry, within_reach
from walkon.builtin.gait.course import Course, Profile, constant, follow
from walkon.builtin.gait.feet import Nudge, track_foot
from walkon.builtin.gait.height import MassAbove, mass_above, thrown_height, walking_height
from walkon.builtin.gait.standing import stand, standing_pelvis
from walkon.builtin.gait.tables import cycle_period, manner_at
from walkon.builtin.gait.waves import RUN_SPEEDS
from walkon.builtin.performer import Performer
from walkon.builtin.score import Score, play
from walkon.motion import center_of_mass

LEAD_CYCLES = 1.8
"""Cycles by which a course goes on before and after what is wanted of it: feet are planted ahead, and a swing at
either end needs the plants before and after it."""

MASS_SAMPLES = 32
"""Phases of a cycle at which a runner's centre of mass is measured: more than its nine harmonics need."""

MASS_ROUNDS = 2
"""Times it is measured: the legs bend a little differently when the pelvis has found its height."""


def locomote(
    performer: Performer, course: Course, times: ArrayLike, fps: float = 30.0, nudge: Nudge | None = None
) -> Score:
    """The score of a performer on a course at times (F,) [s]."""
    return _locomote(performer, course, np.asarray(times, dtype=np.float64), fps, nudge, None)


def steady(performer: Performer, speed: float, running: bool, rate: float = 1.0, cycles: int = 2) -> Course:
    """Straight on along +z for at least `cycles`: at time 0 the left foot has just landed.

    speed [m/s]; rate: cycles a second over the usual at that speed.
    """
    period = natural_period(performer, speed, running) / rate
    profile = Profile(constant(speed), running=constant(float(running)), rate=constant(rate))
    return follow(performer, profile, (-LEAD_CYCLES * period, (cycles + LEAD_CYCLES) * period), (0.0, 0.0))


def natural_period(performer: Performer, speed: float, running: bool) -> float:
    """Seconds that two steps take the performer at a speed [m/s]."""
    froude = np.sqrt(performer.scale)
    return float(froude * performer.stride(running) * cycle_period(speed / froude, float(running)))


def mid_stance(performer: Performer, speed: float, running: bool) -> float:
    """The phase [cycles] at which the body is over the left foot: where clips of this gait begin and end."""
    return manner_at(speed / float(np.sqrt(performer.scale)), float(running)).over


def _locomote(
    performer: Performer, course: Course, times: Array, fps: float, nudge: Nudge | None, above: MassAbove | None
) -> Score:
    wanted = {side: track_foot(performer, side, course, times, nudge) for side in SIDES}
    carriage = carry(performer, course, times)
    now = carriage.moments
    heights = walking_height(performer, now, float(standing_pelvis(performer)[1]))
    if now.running.any():
        above = above or _runner(performer)
        standing = float(standing_pelvis(performer)[1]) + above.still
        heights += now.running * (thrown_height(performer, now, standing) - above.at(now) - heights)
    heights, feet = within_reach(performer, carriage, heights * np.cos(carriage.bank), wanted)
    pelvis = carriage.ground + heights[:, None] * np.array([0.0, 1.0, 0.0])
    return Score(
        performer.skeleton(),
        fps,
        times,
        now.heading,
        pelvis,
        **carriage.trunk,
        **carriage.head,
        arms=carriage.arms,
        feet=feet,
        knee_out={side: np.zeros(len(times)) for side in SIDES},
    )


@lru_cache(maxsize=64)
def _runner(performer: Performer) -> MassAbove:
    """Where the performer's centre of mass is while running: measured on steady runs."""
    standing = play(stand(performer, 0.0), "stand")
    still = float(center_of_mass(standing)[0, 1] - standing.root_positions[0, 1])
    above = mass_above(still, np.full((len(RUN_SPEEDS), MASS_SAMPLES), still))
    for _ in range(MASS_ROUNDS):
        above = mass_above(still, np.stack([_measured(performer, speed, above) for speed in RUN_SPEEDS]))
    return above


def _measured(performer: Performer, pace: float, above: MassAbove) -> Array:
    """Centre of mass above the pelvis (SAMPLES,) [m] over a cycle."""
    speed = pace * float(np.sqrt(performer.scale))
    period = natural_period(performer, speed, True)
    times = np.arange(MASS_SAMPLES) * period / MASS_SAMPLES
    clip = play(_locomote(performer, steady(performer, speed, True), times, 30.0, None, above), "run")
    return center_of_mass(clip)[:, 1] - clip.root_positions[:, 1]
