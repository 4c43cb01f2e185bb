"""How high the pelvis of a gait is carried: over stiff legs walking, on the path of a thrown body running."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.interpolate import PchipInterpolator

from walkon.basics import Array
from walkon.builtin.falling import GRAVITY
from walkon.builtin.gait.course import CourseMoments
from walkon.builtin.gait.tables import cycle_period, duty_at
from walkon.builtin.gait.waves import RUN_HEIGHT, RUN_SPEEDS, WALK_HEIGHT, WALK_SPEEDS, waves
from walkon.builtin.human import human_feet
from walkon.builtin.performer import Performer


def walking_height(performer: Performer, now: CourseMoments, still: float) -> Array:
    """Height (F,) [m] of a walking pelvis; `still` [m] is that of standing."""
    skeleton = performer.skeleton()
    hips = waves(WALK_HEIGHT, WALK_SPEEDS, now.phase, now.pace)["hips"].scaled(performer.style.bounce)
    above_hips = -skeleton.offsets[skeleton.index("LeftUpLeg"), 1]
    height = human_feet(skeleton)["Left"].height + performer.leg * hips + above_hips
    return still + now.stepping * (height - still)


def thrown_height(performer: Performer, now: CourseMoments, still: float) -> Array:
    """Height (F,) [m] of a runner's centre of mass; `still` [m] is that of standing.

    In the air it falls freely. On the ground it is caught and thrown again, without a jolt: the leg's force begins
    and ends at zero.
    """
    period = np.sqrt(performer.scale) * performer.stride(1.0) * cycle_period(now.pace, 1.0)
    duty = duty_at(now.pace)
    contact, flight = duty * period, (0.5 - duty) * period
    since = np.mod(now.phase, 0.5) * period
    throw = 0.5 * GRAVITY * flight
    half = 0.5 * contact
    s = (since - half) / half
    stiff = -(GRAVITY * half + throw) * half / 8.0
    spring = 0.5 * throw * half - 2.0 * stiff
    caught = spring * (s**2 - 1.0) + stiff * (s**4 - 1.0)
    airborne = since - contact
    thrown = throw * airborne - 0.5 * GRAVITY * airborne**2
    landing = still + performer.leg * waves(RUN_HEIGHT, RUN_SPEEDS, now.phase, now.pace)["mass"].mean
    return landing + np.where(since < contact, caught, thrown)


@dataclass(frozen=True)
class MassAbove:
    """How far the centre of mass of a runner is above the pelvis, by phase and speed.

    still: standing [m]. sizes: of the cosines and sines (2, H) of the cycle's harmonics at any speed [m].
    """

    still: float
    sizes: PchipInterpolator

    def at(self, now: CourseMoments) -> Array:
        """Metres (F,)."""
        sizes = self.sizes(np.clip(now.pace, RUN_SPEEDS[0], RUN_SPEEDS[-1]))
        angles = 2.0 * np.pi * np.arange(sizes.shape[-1]) * now.phase[:, None]
        return np.sum(sizes[:, 0] * np.cos(angles) + sizes[:, 1] * np.sin(angles), axis=1)


def mass_above(still: float, samples: Array, harmonics: int = 9) -> MassAbove:
    """From samples (N, M) [m] at M equal steps of the phase from 0, for each of the running speeds."""
    spectrum = np.fft.rfft(samples, axis=1)[:, :harmonics] * (2.0 / samples.shape[1])
    spectrum[:, 0] *= 0.5
    return MassAbove(still, PchipInterpolator(RUN_SPEEDS, np.stack([spectrum.real, -spectrum.imag], axis=1)))
