"""What a clip does, measured from its motion: where it leads, how fast, over what and under what the body gets."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array, runs
from walkon.behaviors.library import BehaviorClip
from walkon.motion import placement_at
from walkon.motion.features import foot_supports
from walkon.motion.features.smoothing import smooth_over_time
from walkon.rotations import Placement
from walkon.skeleton import build_body, find_roles

BAR = 0.08
"""Half the thickness [m] of the bar that a body is sent over and under."""

RUN_UP = 0.1
"""Share of the way, but at most a quarter of a metre, at either end where no bar is tried."""

LEAST_WAY = 0.4
"""Metres a clip must lead for there to be anything to get over or under."""

SAME_HEIGHT = 0.04
"""Heights that differ by less than this [m] are about the same."""

BAR_SPACING = 0.04
"""Distance [m] between the places at which a bar is tried."""


@dataclass(frozen=True)
class ClipMeasures:
    """What a clip does.

    displacement: of the exit as the entry sees it. length: [m] of the path on the ground. duration: [s].
    slowest: [m/s] the least speed on the way.
    over: [m] height of the highest bar across the way that the body clears; over_time: [s] when it is over it.
    under: [m] height of the lowest ceiling it gets under; under_time: [s] when.
    leap: [m] how much higher than at either end the lowest point of the body gets; leap_time: [s] when.
    flight: [s] the longest time without a foot on the ground. lowest: [m] least height of the hips;
    highest: [m] greatest. stature: [m] of the body.
    pushes: whether a foot takes hold of the ground on the way, between times on none.
    """

    displacement: Placement
    length: float
    duration: float
    slowest: float
    over: float
    over_time: float
    under: float
    under_time: float
    leap: float
    leap_time: float
    flight: float
    lowest: float
    highest: float
    stature: float
    pushes: bool

    @property
    def turn(self) -> float:
        """Turn [rad] of the heading, positive to the left."""
        return self.displacement.heading

    @property
    def distance(self) -> float:
        """Metres from where it begins to where it ends."""
        return float(np.hypot(self.displacement.x, self.displacement.z))


def measure_deed(shown: BehaviorClip) -> ClipMeasures:
    """Measure the core of a clip."""
    clip, core = shown.clip, slice(shown.first, shown.last + 1)
    begin, end = placement_at(clip, shown.first), placement_at(clip, shown.last)
    hips = _hips(shown)
    path = hips[:, [0, 2]]
    steps = np.linalg.norm(np.diff(path, axis=0), axis=1)
    smooth = smooth_over_time(path, clip.fps, 0.1)
    speeds = np.linalg.norm(np.gradient(smooth, 1.0 / clip.fps, axis=0), axis=1)
    body = build_body(clip.skeleton)
    over, over_frame, under, under_frame = _clearances(shown, path)
    soles = (body.capsules(clip.positions[core])[..., 1].min(axis=2) - body.radii).min(axis=1)
    supports = np.asarray(foot_supports(clip)[core].any(axis=1))
    return ClipMeasures(
        displacement=begin.inverse() @ end,
        length=float(steps.sum()),
        duration=shown.duration,
        slowest=float(speeds.min()),
        over=over,
        over_time=over_frame / clip.fps,
        under=under,
        under_time=under_frame / clip.fps,
        leap=float(soles.max() - max(soles[0], soles[-1])),
        leap_time=float(np.argmax(soles)) / clip.fps,
        flight=_longest_run(~supports) / clip.fps,
        lowest=float(hips[:, 1].min()),
        highest=float(hips[:, 1].max()),
        stature=body.height,
        pushes=bool(not supports[0] and not supports[-1] and supports.any()),
    )


def _hips(shown: BehaviorClip) -> Array:
    """Middle of the hips (F, 3) [m] over the core."""
    pair = find_roles(shown.clip.skeleton).pair("hip")
    joints = list(pair) if pair else [0]
    return shown.clip.positions[shown.first : shown.last + 1][:, joints].mean(axis=1)


def _clearances(shown: BehaviorClip, path: Array) -> tuple[float, int, float, int]:
    """Highest bar cleared [m] and lowest ceiling passed [m], each with the frame of the core when that happens.

    Bars are tried across the straight line from the first place to the last. Whoever passes none clears height 0
    and fits under nothing lower than the highest point of the whole clip.
    """
    body = build_body(shown.clip.skeleton)
    ends = body.capsules(shown.clip.positions[shown.first : shown.last + 1])
    middles = 0.5 * (ends[..., :1, :] + ends[..., 1:, :])
    points = np.concatenate([ends, middles], axis=2)
    radii = np.broadcast_to(body.radii[:, None], points.shape[:-1])
    top = float((points[..., 1] + radii).max())
    way = path[-1] - path[0]
    length = float(np.hypot(*way))
    if length < LEAST_WAY:
        return 0.0, 0, top, 0
    along = (points[..., [0, 2]] - path[0]) @ (way / length)
    own = (path - path[0]) @ (way / length)
    spare = min(RUN_UP * length, 0.25)
    places = np.arange(spare, length - spare + 1e-9, BAR_SPACING)
    bottoms, tops = points[..., 1] - radii, points[..., 1] + radii
    near = np.abs(along[..., None] - places) < BAR + radii[..., None]
    over = np.where(near, bottoms[..., None], np.inf).min(axis=(0, 1, 2))
    under = np.where(near, tops[..., None], -np.inf).max(axis=(0, 1, 2))
    # In the middle of where the body is about as high, or as low: a long duck has no one lowest place.
    above, below = (
        places[flags].mean() for flags in (over >= over.max() - SAME_HEIGHT, under <= under.min() + SAME_HEIGHT)
    )
    frames = [int(np.argmin(np.abs(own - place))) for place in (above, below)]
    return float(max(over.max(), 0.0)), frames[0], float(under.min()), frames[1]


def _longest_run(flags: NDArray[np.bool_]) -> int:
    """Length of the longest stretch of True."""
    return max((stop - start for start, stop in runs(flags)), default=0)
