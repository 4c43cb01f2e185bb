"""What people of a live crowd cover of the ground, as outlines to look at: now, and in all that they committed to.

It is made anew from the clips they play: planners ask nothing here.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from walkon.basics import Array
from walkon.behaviors import BehaviorClip
from walkon.behaviors.outlines import Figures, clip_figures, rest_figure
from walkon.crowd.live.repertoire import Repertoire
from walkon.motion.features.outlines import COMPASS, DIRECTIONS, outline_corners
from walkon.rotations import Placement, carry
from walkon.world import BodyLevel


def outlines_now(repertoire: Repertoire, members: Iterable[Any], frame: int) -> Array:
    """Corners (N, 2, DIRECTIONS, 2) x, z [m] of what people cover in a frame, below and above the split; nan where
    there is nothing of them. members: their records in the crew."""
    found = [_now(repertoire, member, frame) for member in members]
    supports = np.array([figures.supports[row] for figures, _, row in found], dtype=np.float64)
    middles = np.array([figures.circles[row, :2] for figures, _, row in found])
    places = np.array([(place.x, place.z, place.heading) for _, place, _ in found])
    # All at once: somebody looks at hundreds twice a second.
    corners = outline_corners(supports.reshape(-1, 2, DIRECTIONS)) + middles.reshape(-1, 1, 1, 2)
    return carry(places.reshape(-1, 3), corners)


def outlines_ahead(repertoire: Repertoire, member: Any, frame: int, level: BodyLevel) -> Array:
    """Corners (F, DIRECTIONS, 2) x, z [m] of what somebody has committed to cover from a frame on, as planners see
    it at that level; the last one for good."""
    parts = []
    for segment in range(int(member["count"])):
        figures = clip_figures(_clip(repertoire, int(member["clips"][segment])))
        begun = max(frame - int(member["frames"][segment]), 0)
        parts.append(_placed(_seen(figures, level)[begun:-1], Placement(*member["places"][segment].tolist())))
    figures, place = _rest(repertoire, member)
    return np.concatenate([*parts, _placed(_seen(figures, level), place)])


def _now(repertoire: Repertoire, member: Any, frame: int) -> tuple[Figures, Placement, int]:
    """The figures of what somebody plays, where that began, and the row of a frame."""
    if member["count"] == 0:
        return *_rest(repertoire, member), 0
    figures = clip_figures(_clip(repertoire, int(member["clips"][0])))
    row = min(max(frame - int(member["frames"][0]), 0), len(figures.circles) - 1)
    return figures, Placement(*member["places"][0].tolist()), row


def _rest(repertoire: Repertoire, member: Any) -> tuple[Figures, Placement]:
    """The figure in which somebody ends up resting, and where."""
    table, last = repertoire.table, int(member["count"]) - 1
    pose, place = int(member["pose"]), Placement(*member["end"].tolist())
    if last >= 0:
        clip = table.clips[int(member["clips"][last])]
        pose, place = int(clip["exit"]), Placement(*member["places"][last]) @ Placement(*clip["displacement"])
    return rest_figure([_clip(repertoire, k) for k in range(*table.poses["short_rests"][pose])], 0.0), place


def _clip(repertoire: Repertoire, number: int) -> BehaviorClip:
    performer = repertoire.performer_of(number)
    return performer.graph.clip(number - performer.first_clip)


def _seen(figures: Figures, level: BodyLevel) -> Array:
    """Corners (F, DIRECTIONS, 2) x, z [m] of what planners see at a level in each frame of a clip."""
    middles, radii = figures.circles[:, None, :2], figures.circles[:, 2]
    if level in ("outline", "body"):
        return outline_corners(figures.supports.max(axis=1).astype(np.float64)) + middles
    if level == "one-circle":
        middles = np.broadcast_to(0.5 * (middles.min(axis=0) + middles.max(axis=0)), middles.shape)
        radii = np.full(len(radii), (np.linalg.norm(figures.circles[:, :2] - middles[:, 0], axis=1) + radii).max())
    return middles + radii[:, None, None] * COMPASS


def _placed(corners: Array, place: Placement) -> Array:
    return np.stack(place.point(corners[..., 0], corners[..., 1]), axis=-1)
