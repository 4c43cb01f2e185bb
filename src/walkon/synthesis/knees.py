"""Knees of bent legs, turned to where they leave the outline of the body least.

A leg that must be shorter than on level ground sticks out its knee. Hip and ankle stay where they are, so the knee
can only go round the line between them: outwards, as whoever climbs sideways or squats does, or a little inwards.
"""

from __future__ import annotations

import numpy as np

from walkon.basics import Array, Flags
from walkon.motion import Clip
from walkon.motion.features.outlines import supports_around
from walkon.motion.feet.kernels import turn_in_world
from walkon.rotations import conjugate, multiply
from walkon.skeleton import Body, build_body, find_roles
from walkon.synthesis._kernels import best_swivels
from walkon.synthesis.slopes import smoothed

MOST_OUTWARDS, MOST_INWARDS = 0.6, 0.4
"""[rad] How far knees are turned from where they point on level ground, at most, away from the other knee and
towards it. With less, they stick out further on slopes; with more, people look bow-legged or knock-kneed."""

SWIVEL_STEPS = 21
"""Angles that are tried between both limits: one every 3 degrees. With fewer, knees jump from one to the next
before they are smoothed; more only take longer."""

DULLNESS = 0.02
"""[m/rad²] How much nearer to the outline a turned knee must be, by the square of the angle: 1 mm for 13 degrees.
With more, knees stick out further; with less, they turn for nothing."""

SWIVEL_TIME = 0.067
"""Half the time [s] over which a knee is turned, averaged twice. With less they jerk; with more they are late."""


def with_turned_knees(clip: Clip, shown: Clip, upright: Flags) -> Clip:
    """The clip as shown on a slope with its knees turned, where it is upright (F,), to where they leave the
    outline of the same body on level ground, `clip`, least. Hips, ankles and feet stay as they are."""
    body, rotations = build_body(clip.skeleton), shown.rotations.copy()
    outline = np.ascontiguousarray(supports_around(clip.positions, body).max(axis=1))
    # Seen from above, a knee that goes round from hip to ankle by more than 0 goes to the right.
    legs = [leg for _, leg in find_roles(clip.skeleton).legs[:2]]
    for leg, other, outwards in zip(legs, reversed(legs), (-1.0, 1.0), strict=False):
        angles = outwards * np.linspace(-MOST_INWARDS, MOST_OUTWARDS, SWIVEL_STEPS)
        places = [np.ascontiguousarray(shown.positions[:, joint]) for joint in (*leg, other[1])]
        found = np.empty(len(clip))
        best_swivels(*places, _thickness(body, leg[1]), outline, angles, DULLNESS, found)
        found = smoothed(np.where(upright, found, 0.0), round(SWIVEL_TIME * clip.fps))
        _swivel(shown, leg, found, rotations)
    return shown.with_changes(rotations=rotations)


def _swivel(shown: Clip, leg: tuple[int, int, int], angle: Array, rotations: Array) -> None:
    """Turn a leg about the line from its hip to its ankle by an angle (F,) [rad], and its foot back."""
    hip, _, ankle = leg
    along = shown.positions[:, ankle] - shown.positions[:, hip]
    along /= np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-9)
    turns = np.column_stack([np.cos(0.5 * angle), np.sin(0.5 * angle)[:, None] * along])
    before = shown.world_rotations
    for joint, turn, world in (
        (hip, turns, before[:, hip]),
        (ankle, conjugate(turns), multiply(turns, before[:, ankle])),
    ):
        own = np.ascontiguousarray(rotations[:, joint])
        turn_in_world(np.ascontiguousarray(turn), np.ascontiguousarray(world), own)
        rotations[:, joint] = own


def _thickness(body: Body, joint: int) -> float:
    """[m] The radius of the thickest capsule that begins or ends at a joint."""
    return float(body.radii[(body.starts == joint) | (body.ends == joint)].max())
