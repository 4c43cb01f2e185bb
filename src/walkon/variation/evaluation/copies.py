"""Whether variants are copies: how near every frame comes to a given one, and how the timing differs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array
from walkon.motion import Clip, crop
from walkon.variation.evaluation import _kernels_nearest as _kernels
from walkon.variation.poses import own_positions, own_rotations
from walkon.variation.warping import timing_difference, warp

COPIED = 1e-4
"""A frame is a copy if it is nearer than this to a given one, both in joints [m] and in rotations [rad]."""

LOOSE_SECONDS, LOOSE_SHARE = 1.0, 0.25
"""Time [s], and share of the shorter clip, that may be left out at each end when clips are warped to each other,
besides what one of them is longer."""

CUT_BEYOND = 2.0
"""A clip more than this many times as long as the longest input is cut to pieces of its length before it is
warped."""

FINER = 4
"""How many moments of every frame timing is compared at: less than a frame is a difference, too."""

MOST_PIECES = 60
"""Most pieces that are warped; of more, evenly chosen ones."""


@dataclass(frozen=True, eq=False)
class Copies:
    """How near V clips of M frames in all come to the given ones.

    positions: (M,) [m] root mean square over joints, in the character's own frame, to the nearest given frame.
    angles: (M,) [rad] the same for rotations of joints. copied: (M,) frames that are copies. timings: (P,) [s]
    from the given clip that is timed most alike, of every clip or piece of one.
    """

    positions: Array
    angles: Array
    copied: NDArray[np.bool_]
    timings: Array

    @property
    def least_position(self) -> float:
        """[m] of the frame that is nearest to a given one; above 0 if nothing is copied."""
        return float(self.positions.min())

    @property
    def least_angle(self) -> float:
        """[rad] of the frame that is nearest to a given one."""
        return float(self.angles.min())


def find_copies(inputs: Sequence[Clip], variants: Sequence[Clip]) -> Copies:
    """How near variants come to their inputs, frame by frame, and how differently they are timed."""
    given_positions = np.concatenate([_flat(clip) for clip in inputs])
    given_rotations = np.concatenate([own_rotations(clip) for clip in inputs])
    positions = np.concatenate([_nearest_positions(clip, given_positions) for clip in variants])
    angles = np.concatenate([_nearest_angles(clip, given_rotations) for clip in variants])
    copied = (positions < COPIED) & (angles < COPIED)
    return Copies(positions, angles, copied, timings(inputs, variants))


def among_themselves(clips: Sequence[Clip]) -> Copies | None:
    """The same for every clip against all others: how near they come to each other. None for a single one."""
    if len(clips) < 2:
        return None
    found = [find_copies([other for other in clips if other is not clip], [clip]) for clip in clips]
    return Copies(
        *(
            np.concatenate([getattr(one, name) for one in found])
            for name in ("positions", "angles", "copied", "timings")
        )
    )


def timings(inputs: Sequence[Clip], variants: Sequence[Clip]) -> Array:
    """Difference (P,) [s] in timing of every variant, or piece of a long one, from the input it is most like."""
    longest = max(len(clip) for clip in inputs)
    pieces = [piece for clip in variants for piece in _cut(clip, longest)]
    if len(pieces) > MOST_PIECES:
        pieces = [pieces[k] for k in np.linspace(0, len(pieces) - 1, MOST_PIECES).astype(int)]
    given = [_finer(_flat(clip)) for clip in inputs]
    fps = FINER * inputs[0].fps
    return np.array([min(_timing(_finer(_flat(piece)), other, fps) for other in given) for piece in pieces])


def _finer(values: Array) -> Array:
    """Rows (F, n) with others between them: less than a frame is a difference too."""
    places = np.arange(FINER * (len(values) - 1) + 1) / FINER
    before = places.astype(np.int64)
    after = np.minimum(before + 1, len(values) - 1)
    share = (places - before)[:, None]
    return (1.0 - share) * values[before] + share * values[after]


def _timing(a: Array, b: Array, fps: float) -> float:
    loose = round(min(LOOSE_SECONDS * fps, LOOSE_SHARE * min(len(a), len(b))))
    # A part of a clip is timed as the whole is.
    longer = (max(len(a) - len(b), 0), max(len(b) - len(a), 0))
    return timing_difference(warp(a, b, loose=(loose + longer[0], loose + longer[1])), fps)


def _cut(clip: Clip, longest: int) -> list[Clip]:
    if len(clip) <= CUT_BEYOND * longest:
        return [clip]
    return [crop(clip, start, start + longest) for start in range(0, len(clip) - longest + 1, longest)]


def _flat(clip: Clip) -> Array:
    """Positions (F, 3 J) such that the distance of rows is the root mean square over joints [m]."""
    return own_positions(clip).reshape(len(clip), -1) / np.sqrt(len(clip.skeleton))


def _nearest_positions(clip: Clip, given: Array) -> Array:
    squares = np.empty(len(clip))
    _kernels.nearest_squares(_flat(clip), given, squares)
    return np.sqrt(squares)


def _nearest_angles(clip: Clip, given: Array) -> Array:
    """Angles [rad]: a quaternion moves by half the angle that it turns by."""
    rotations, squares = own_rotations(clip), np.empty(len(clip))
    _kernels.nearest_chords(rotations, given, squares)
    return 2.0 * np.sqrt(squares / rotations.shape[1])
