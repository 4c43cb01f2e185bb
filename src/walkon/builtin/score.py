"""A score: what every part of a body does, channel by channel, before its joints are solved.

Locomotion and actions are written here. A walk is a score; ducking under a bar is the same score with the pelvis
lowered and the trunk bent for a while. A change made under an `envelope` vanishes at both ends with its speed and
its acceleration, so that the changed score joins whatever the unchanged one joined. `play` makes the clip.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from walkon.basics import Array
from walkon.builtin.footwork import SIDES, FootTrack, join_contacts
from walkon.builtin.human import look, pose_arm, pose_trunk, stand_leg
from walkon.builtin.keyframes import ease
from walkon.builtin.posing import Poser, turned
from walkon.errors import ClipError
from walkon.motion import Clip, Label
from walkon.rotations import multiply, rotate, rotation_about_y
from walkon.skeleton import Skeleton

Arm = Mapping[str, Array]
"""Channel of `pose_arm` (swing, spread, inward, elbow, wrist, shrug) -> degrees (F,)."""

ARM_CHANNELS = ("swing", "spread", "inward", "elbow", "wrist", "shrug")
BODY_CHANNELS = ("tilt", "list", "turn", "bend", "twist", "lean", "gaze", "look")
"""Channels of one arm, and of trunk and head, as `Score` explains them; all in degrees."""

MEET = 1e-4
"""Scores that are joined meet to this many metres, radians or degrees."""


@dataclass(frozen=True, eq=False)
class Score:
    """F frames of a person in the making; metres and radians in the world, degrees for what an animator keys.

    times: (F,) [s]. heading: (F,) [rad], where the body faces. pelvis: (F, 3) [m].
    tilt, list, turn: (F,) of the pelvis against the heading: forward, left hip up, to the left.
    bend, twist, lean: (F,) of the spine against the pelvis: forward, to the left, to the right.
    gaze, look: (F,) of the head against the heading, whatever the trunk does: down, to the left.
    arms: by side, every channel of `pose_arm` (F,). feet: by side. knee_out: by side (F,), as in `stand_leg`.
    """

    skeleton: Skeleton
    fps: float
    times: Array
    heading: Array
    pelvis: Array
    tilt: Array
    list: Array
    turn: Array
    bend: Array
    twist: Array
    lean: Array
    gaze: Array
    look: Array
    arms: Mapping[str, Arm]
    feet: Mapping[str, FootTrack]
    knee_out: Mapping[str, Array]

    def __len__(self) -> int:
        return len(self.times)

    def window(self, start: int, stop: int) -> Score:
        """Frames `start` to `stop`, the latter excluded."""
        return _each(lambda value: value[start:stop], self)

    def with_channels(self, **values: ArrayLike) -> Score:
        """The score with body channels replaced: `pelvis`, `heading`, `tilt` ... by name."""
        return replace(self, **{name: _filled(value, getattr(self, name)) for name, value in values.items()})

    def plus(self, **changes: ArrayLike) -> Score:
        """The score with changes added to body channels: `plus(bend=30 * envelope, pelvis=...)`."""
        return self.with_channels(**{name: getattr(self, name) + value for name, value in changes.items()})

    def with_arm(self, side: str, **values: ArrayLike) -> Score:
        """The score with channels of one arm replaced."""
        arm = self.arms[side]
        changed = dict(arm) | {name: _filled(value, arm[name]) for name, value in values.items()}
        return replace(self, arms={**self.arms, side: changed})

    def plus_arm(self, side: str, **changes: ArrayLike) -> Score:
        """The score with changes added to channels of one arm."""
        return self.with_arm(
            side, **{name: self.arms[side][name] + np.asarray(value) for name, value in changes.items()}
        )

    def arm_towards(self, side: str, weight: ArrayLike, **goals: ArrayLike) -> Score:
        """The score with one arm drawn from what it does (weight 0) to `goals` (weight 1)."""
        arm = self.arms[side]
        return self.plus_arm(
            side, **{name: np.asarray(weight) * (np.asarray(goal) - arm[name]) for name, goal in goals.items()}
        )

    def with_foot(self, side: str, track: FootTrack) -> Score:
        """The score with another track for one foot."""
        return replace(self, feet={**self.feet, side: track})

    def moved(self, x: float = 0.0, z: float = 0.0, heading: float = 0.0) -> Score:
        """The score turned by `heading` [rad] about the origin, then moved by (x, z) [m]."""
        turn, shift = rotation_about_y(heading), np.array([x, 0.0, z])
        feet = {
            side: replace(
                track,
                ankles=rotate(turn, track.ankles) + shift,
                foot_rotations=multiply(turn, track.foot_rotations),
            )
            for side, track in self.feet.items()
        }
        return replace(self, pelvis=rotate(turn, self.pelvis) + shift, heading=self.heading + heading, feet=feet)


def play(score: Score, name: str, labels: Sequence[Label] = ()) -> Clip:
    """The clip in which a person does what the score says; labelled with its name when no labels are given."""
    poser = pose(score)
    labels = labels or [Label(name, 0, len(score))]
    return poser.clip(name, score.fps, join_contacts([score.feet[side] for side in SIDES]), labels)


def pose(score: Score) -> Poser:
    """All joints of the score solved: trunk, head and arms by their channels, legs by reaching for the feet."""
    poser = Poser(score.skeleton, score.pelvis)
    facing = rotation_about_y(score.heading)
    pelvis = multiply(facing, turned(score.tilt, score.turn, score.list))
    pose_trunk(poser, pelvis, score.bend, score.twist, score.lean)
    look(poser, multiply(facing, turned(score.gaze, score.look)))
    for side in SIDES:
        pose_arm(poser, side, **score.arms[side])
        stand_leg(poser, side, score.feet[side], score.knee_out[side])
    return poser


def join(scores: Sequence[Score]) -> Score:
    """One score after the other; each begins with the very frame the one before ends with."""
    first, *others = scores
    for other in others:
        _check_meeting(first, other)
        late = replace(other, times=other.times + first.times[-1] - other.times[0]).window(1, len(other))
        first = _each(lambda *values: np.concatenate(values), first, late)
    return first


def envelope(times: ArrayLike, start: float, full: float, ebb: float, stop: float) -> Array:
    """0 until `start` [s], 1 from `full` to `ebb`, 0 from `stop`; speed and acceleration vanish at all four."""
    times = np.asarray(times, dtype=np.float64)
    return ease((times - start) / (full - start)) * (1.0 - ease((times - ebb) / (stop - ebb)))


def _filled(value: ArrayLike, like: Array) -> Array:
    return np.array(np.broadcast_to(np.asarray(value, dtype=np.float64), like.shape))


def _each(change: Any, *scores: Score) -> Score:
    """`change` applied to every array over frames of one or several scores."""
    first = scores[0]

    def track(side: str) -> FootTrack:
        tracks = [score.feet[side] for score in scores]
        arrays = ("ankles", "foot_rotations", "toe_rotations", "planted")
        return replace(tracks[0], **{name: change(*(getattr(track, name) for track in tracks)) for name in arrays})

    names = [field.name for field in fields(Score) if field.type == "Array"]
    arms = {
        side: {name: change(*(score.arms[side][name] for score in scores)) for name in ARM_CHANNELS}
        for side in SIDES
    }
    return replace(
        first,
        **{name: change(*(getattr(score, name) for score in scores)) for name in names},
        arms=arms,
        feet={side: track(side) for side in SIDES},
        knee_out={side: change(*(score.knee_out[side] for score in scores)) for side in SIDES},
    )


def _check_meeting(before: Score, after: Score) -> None:
    """Refuse scores of different people or rates, and scores that do not meet."""
    if not before.skeleton.matches(after.skeleton) or before.fps != after.fps:
        raise ClipError("only scores of one person at one frame rate can be joined")
    for name in ("pelvis", "heading", *BODY_CHANNELS):
        gap = float(np.abs(getattr(before, name)[-1] - getattr(after, name)[0]).max())
        if gap > MEET:
            raise ClipError(f"scores do not meet: {name} is {gap:.3g} apart")
