"""A person walking or running straight ahead, as a clip that loops."""

from __future__ import annotations

import numpy as np

from walkon.builtin.gait.engine import locomote, natural_period, steady
from walkon.builtin.performer import JOG_SPEED, WALK_SPEED, Performer
from walkon.builtin.score import play
from walkon.builtin.skeletons import human_skeleton
from walkon.builtin.timing import checked, cycle_times
from walkon.motion import Clip
from walkon.skeleton import Skeleton

WALKING = (0.5, 2.0)
"""Speeds [m/s] at which a person of 1.75 m can be seen walking rather than shuffling or running."""

RUNNING = (1.9, 4.6)
"""Speeds [m/s] at which such a person can be seen running."""

STEPS = {False: (0.35, 0.95), True: (0.55, 1.7)}
"""Step lengths [m] of such a person, walking and running."""


def make_walk(
    skeleton: Skeleton | None = None,
    *,
    speed: float | None = None,
    step_length: float | None = None,
    cycles: int = 2,
    fps: float = 30.0,
) -> Clip:
    """A person walks along +z at `speed` [m/s] for a number of `cycles` of two steps; loops without a seam.

    speed, step_length [m]: by default what people of that stature choose, the latter at the given speed. The
    cycle is fitted to a whole number of frames, so the steps may come out a little longer or shorter than
    asked; the speed is exact.
    """
    return _cycle("walk", skeleton, speed, step_length, cycles, fps)


def make_run(
    skeleton: Skeleton | None = None,
    *,
    speed: float | None = None,
    step_length: float | None = None,
    cycles: int = 2,
    fps: float = 30.0,
) -> Clip:
    """A person jogs or runs along +z at `speed` [m/s]; otherwise like `make_walk`."""
    return _cycle("run", skeleton, speed, step_length, cycles, fps)


def _cycle(
    name: str, skeleton: Skeleton | None, speed: float | None, step_length: float | None, cycles: int, fps: float
) -> Clip:
    running = name == "run"
    performer = Performer.of(skeleton or human_skeleton())
    # Bodies of different size move alike when their speeds go with the root of their size (Froude).
    froude = float(np.sqrt(performer.scale))
    what, usual, (slowest, fastest) = (
        ("running speed", JOG_SPEED, RUNNING) if running else ("walking speed", WALK_SPEED, WALKING)
    )
    speed = checked(what, speed, usual * froude, (slowest * froude, fastest * froude), "m/s")
    natural = natural_period(performer, speed, running)
    shortest, longest = (performer.scale * length for length in STEPS[running])
    step = checked("step length", step_length, 0.5 * speed * natural, (shortest, longest), "m")
    period, times = cycle_times(2.0 * step / speed, cycles, fps)
    course = steady(performer, speed, running, rate=natural / period, cycles=cycles)
    return play(locomote(performer, course, times, fps), name)
