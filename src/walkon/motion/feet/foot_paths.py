"""A foot on its way through a motion: where it would be if nothing held it, and where it goes when it is held."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from walkon.basics import Array, Flags, runs
from walkon.motion.easing import ease_between_holds
from walkon.motion.feet.spots import (
    close_gaps,
    follow_spots,
    mean_spots,
    set_apart,
    share_out,
    smoothed_while,
)
from walkon.rotations import from_axis_angle, multiply, rotate, rotation_about_y, wrap_angles

RETURN_TIME = 0.3
"""Time [s] in which a foot that has stood returns to its recorded path, and in which it leaves it before it
stands: a little less than a swing takes. A shorter one shows as a jerk, a longer one no longer fits between two
steps."""

NO_STEP = 0.1
"""Time [s] too short to lift a foot and put it down elsewhere. A joint that does not stand for less than that, and
gets no farther than `NO_STRIDE`, has stood all the time."""

NO_STRIDE = 0.08
"""Distance [m] too short for a step in that time; chosen by eye."""

APART_WINDOW = 0.2
"""Time [s] over which the distance on the ground between heel and toe, both held, is averaged: longer than markers
shake, shorter than a foot takes to roll."""

APART_SPEED = 0.045
"""Speed [m/s] at which heel and toe near each other on the ground above which the foot rolls over one of them, so
that only that one is held. Found by trying: with more, rolling feet are held flat and their ankles jerk."""

CREEP_TIME = 8.0
"""Time [s] of standing after which a joint may creep after its recorded place: its spot is then the mean over this
time. Somebody who stands through many blends would else be pulled ever farther from where the recording is."""

SHORTEST_FOOT = 0.03
"""Distance [m] on the ground between heel and toe below which they do not tell which way a foot points."""


@dataclass(frozen=True, eq=False)
class FootPath:
    """A foot that nothing holds, in F frames: world places [m] of ankle, heel, ball and tip, each (F, 3)."""

    ankle: Array
    heel: Array
    toe: Array
    tip: Array
    fps: float

    def __len__(self) -> int:
        """Number of frames F."""
        return len(self.ankle)

    @property
    def apart(self) -> Array:
        """Distance (F,) [m] on the ground from heel to toe."""
        return np.hypot(*(self.toe - self.heel)[:, [0, 2]].T)


@dataclass(frozen=True, eq=False)
class HeldFoot:
    """A foot whose heel, ball and tip are held where they stand.

    ankle: (F, 3) [m] where it goes. yaw, tilt: (F, 4) turns of the foot in the world, the tilt first.
    heel_held, toe_held, tip_held: (F,) the frames in which they are held.
    """

    ankle: Array
    yaw: Array
    tilt: Array
    heel_held: Flags
    toe_held: Flags
    tip_held: Flags


def hold_foot(foot: FootPath, heel_stands: Flags, toe_stands: Flags, tip_stands: Flags) -> HeldFoot:
    """Hold heel, ball and tip in one spot for as long as they stand, (F,) each; the swings take up the rest."""
    heel_held, toe_held, tip_held = (flags.copy() for flags in (heel_stands, toe_stands, tip_stands))
    for held, path in ((heel_held, foot.heel), (toe_held, foot.toe), (tip_held, foot.tip)):
        close_gaps(held, path, round(NO_STEP * foot.fps), NO_STRIDE)
    _release_rolling(foot, heel_held, toe_held)
    creep, ease = round(CREEP_TIME * foot.fps), round(RETURN_TIME * foot.fps)
    heel_spots, toe_spots = mean_spots(foot.heel, heel_held, creep), mean_spots(foot.toe, toe_held, creep)
    both = heel_held & toe_held
    apart = smoothed_while(foot.apart, both, _rolling(foot))
    set_apart(heel_spots, toe_spots, heel_held, toe_held, apart)
    yaw, tilt = _turns(foot, toe_spots - heel_spots, apart, both, toe_held & tip_held, ease)
    heel, toe = (foot.ankle + rotate(multiply(yaw, tilt), end - foot.ankle) for end in (foot.heel, foot.toe))
    # Toes stay as they are when the foot tilts above them.
    tip = toe + rotate(yaw, foot.tip - foot.toe)
    tip_spots = mean_spots(tip, tip_held, creep)
    follow_spots(tip, toe, toe_spots, tip_spots, tip_held, toe_held & tip_held)
    ankle = foot.ankle.copy()
    shares = share_out(heel_held, toe_held, tip_held)
    ends = ((heel, heel_spots, heel_held), (toe, toe_spots, toe_held), (tip, tip_spots, tip_held))
    for number, (path, spots, held) in enumerate(ends):
        ankle[:, [0, 2]] += shares[:, number, None] * ease_between_holds(spots - path[:, [0, 2]], held, ease)
    return HeldFoot(ankle, yaw, tilt, heel_held, toe_held, tip_held)


def _rolling(foot: FootPath) -> int:
    return round(APART_WINDOW * foot.fps)


def _release_rolling(foot: FootPath, heel_held: Flags, toe_held: Flags) -> None:
    """Where heel and toe, both held, near each other or part, let go the one that moves up or down.

    Blends roll where neither recording does: one of them has its heel up already.
    """
    rises = [np.abs(np.diff(end[:, 1])) for end in (foot.heel, foot.toe)]
    heel_moves = rises[0] >= rises[1]
    for _ in range(2):
        both = heel_held & toe_held
        apart = smoothed_while(foot.apart, both, _rolling(foot))
        rolls = (np.abs(np.diff(apart)) * foot.fps > APART_SPEED) & both[1:] & both[:-1]
        for held, moves in ((heel_held, rolls & heel_moves), (toe_held, rolls & ~heel_moves)):
            held[1:] &= ~moves
            held[:-1] &= ~moves


def _turns(
    foot: FootPath, wanted: Array, apart: Array, both: Flags, on_toes: Flags, ease: int
) -> tuple[Array, Array]:
    """Turns (F, 4), about the vertical and across the foot, that take it from its heel's spot to its toe's.

    wanted: (F, 2) [m] from spot to spot. apart: (F,) [m] how far heel and toe should be from each other on the
    ground. on_toes: (F,) where ball and tip are held: they keep their direction when the heel has left, though the
    blend turns. Elsewhere the turns fade.
    """
    own = foot.toe - foot.heel
    both = both & (foot.apart > SHORTEST_FOOT) & (np.hypot(*wanted.T) > SHORTEST_FOOT)
    heading = np.arctan2(own[:, 0], own[:, 2])
    yaw = wrap_angles(np.arctan2(wanted[:, 0], wanted[:, 1]) - heading)
    length = np.maximum(np.linalg.norm(own, axis=1), 1e-9)
    rise = np.arctan2(own[:, 1], foot.apart)
    tilt = np.copysign(np.arccos(np.clip(apart / length, 0.0, 1.0)), rise) - rise
    tilt = ease_between_holds(np.where(both, tilt, 0.0)[:, None], both, ease)[:, 0]
    yaw, turned = _kept_on_toes(foot, np.where(both, yaw, 0.0), both, on_toes)
    yaw = ease_between_holds(yaw[:, None], turned, ease)[:, 0]
    # Raising the toe is a turn about the axis to the right of where the foot points.
    across = np.stack([-np.cos(heading), np.zeros(len(foot)), np.sin(heading)], axis=1)
    return rotation_about_y(yaw), from_axis_angle(across, tilt)


def _kept_on_toes(foot: FootPath, yaw: Array, both: Flags, on_toes: Flags) -> tuple[Array, Flags]:
    """The yaw (F,) [rad] of a foot that keeps its toes' direction while it stands on them, and where it does.

    The direction is that in which heel and toe were last held, or are next; without either the recorded mean.
    """
    toes = (foot.tip - foot.toe)[:, [0, 2]]
    on_toes = on_toes & (np.hypot(*toes.T) > SHORTEST_FOOT)
    heading = np.arctan2(toes[:, 0], toes[:, 1])
    yaw = yaw.copy()
    for start, stop in runs(on_toes):
        frames = np.arange(start, stop)
        flat = frames[both[start:stop]]
        if not len(flat):
            mean = np.arctan2(np.sin(heading[frames]).mean(), np.cos(heading[frames]).mean())
            yaw[frames] = wrap_angles(mean - heading[frames])
            continue
        known = flat[np.maximum(np.searchsorted(flat, frames, side="right") - 1, 0)]
        yaw[frames] = np.where(both[frames], yaw[frames], wrap_angles((heading + yaw)[known] - heading[frames]))
    return yaw, both | on_toes
