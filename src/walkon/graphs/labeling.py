"""What a body is doing, told from how it gets about: for recordings that nobody has labelled."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array, Indices, runs, stretches
from walkon.motion import Clip, Label, center_of_mass, measure_locomotion
from walkon.motion.features import support_phases
from walkon.motion.feet.soles import leg_length

KIND_NAMES = ("stand", "walk", "glide", "run", "jump")
"""Kinds of motion. Who glides is carried, as on a skateboard: no foot rests on the ground, yet nobody falls."""

STAND, WALK, GLIDE, RUN, JUMP = range(len(KIND_NAMES))

STANDING = 0.3
"""Speed [m/s] below which a body stays where it is."""

SPEED_SMOOTHING = 0.25
"""Standard deviation [s] of the smoothing of that speed: it evens out single steps."""

GRAVITY = 9.81
"""[m/s²]"""

FALLING = 0.3
"""Share of gravity at which the body's centre of mass falls for its feet to be in the air, not merely unseen."""

FLIGHT_STANCE = 0.45
"""Seconds before and after a flight that belong to the same motion: one stance."""

SHORTEST_FLIGHT = 0.05
"""Seconds of a flight; shorter ones are seen only at speeds at which everybody runs."""

RUNNING = 1.3
"""Speed [m/s] from which on a flight belongs to a run."""

FROUDE = 0.5
"""v² / (gravity · leg length) above which nobody walks: legs would have to fall faster than they can."""

LEAP = 0.32
"""A flight of at least these seconds is a jump, however fast; runners fly for less."""

SHORTEST_GLIDE = 0.3
"""Seconds without a foot on the ground, in which a body is carried."""

SHORTEST_STRETCH = 0.5
"""Stretches of fewer seconds belong to what is done around them. More would swallow short stops."""


def label_frames(clip: Clip) -> tuple[Label, ...]:
    """Stretches called "stand", "walk", "glide", "run" and "jump" that together cover the clip."""
    kinds = _settle(_kinds(clip), round(SHORTEST_STRETCH * clip.fps))
    return tuple(Label(KIND_NAMES[kinds[start]], start, stop) for start, stop in stretches(kinds))


def _kinds(clip: Clip) -> Indices:
    """For every frame the number (F,) of its kind in KIND_NAMES."""
    speed = measure_locomotion(clip, sway=SPEED_SMOOTHING).speed
    height = center_of_mass(clip)[:, 1]
    fast = np.sqrt(FROUDE * GRAVITY * leg_length(clip.skeleton))
    kinds = np.where(speed < STANDING, STAND, WALK)
    reach = round(FLIGHT_STANCE * clip.fps)
    for start, stop in runs(_unsupported(clip)):
        seconds, mean_speed = (stop - start) / clip.fps, speed[start:stop].mean()
        if _acceleration(height, clip.fps, start, stop) > -FALLING * GRAVITY:
            if seconds >= SHORTEST_GLIDE and mean_speed >= STANDING:
                kinds[start:stop][kinds[start:stop] == WALK] = GLIDE
        elif seconds > SHORTEST_FLIGHT or mean_speed >= fast:
            around = slice(max(start - reach, 0), stop + reach)
            jumps = seconds >= LEAP or mean_speed < RUNNING
            kinds[around] = np.maximum(kinds[around], JUMP if jumps else RUN)
    # In tight turns runners keep to the ground for a step or two.
    for start, stop in runs(speed >= fast):
        if np.any(kinds[start:stop] == RUN):
            kinds[start:stop] = np.maximum(kinds[start:stop], RUN)
    return kinds


def _unsupported(clip: Clip) -> NDArray[np.bool_]:
    """Frames (F,) in which nothing is known to rest on the ground; not only feet do, if contacts say so."""
    resting = np.asarray(support_phases(clip)) > 0
    return ~resting if clip.contacts is None else ~(resting | clip.contacts.planted.any(axis=1))


def _acceleration(height: Array, fps: float, start: int, stop: int) -> float:
    """Of heights (F,) [m] upwards [m/s²]: of the parabola through a stretch and a frame or two around it."""
    spare = max(1, round(0.05 * fps) - (stop - start) // 2)
    first, last = max(start - spare, 0), min(stop + spare, len(height))
    if last - first < 3:
        return 0.0
    times = np.arange(first, last) / fps
    return 2.0 * float(np.polyfit(times - times.mean(), height[first:last], 2)[0])


def _settle(kinds: Indices, shortest: int) -> Indices:
    """The kinds with stretches shorter than `shortest` given to the longer of their neighbours, shortest first."""
    kinds = kinds.copy()
    while True:
        found = stretches(kinds)
        lengths = [stop - start for start, stop in found]
        if len(lengths) < 2 or min(lengths) >= shortest:
            return kinds
        run = int(np.argmin(lengths))
        start, stop = found[run]
        before = lengths[run - 1] if run > 0 else -1
        after = lengths[run + 1] if run + 1 < len(lengths) else -1
        kinds[start:stop] = kinds[start - 1] if before >= after else kinds[stop]
