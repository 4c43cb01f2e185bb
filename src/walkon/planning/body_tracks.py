"""The space that a body takes, frame by frame: what is reserved for somebody."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from walkon.basics import Array, Indices
from walkon.behaviors import BehaviorGraph
from walkon.errors import PlanError
from walkon.motion.features.outlines import DIRECTIONS
from walkon.planning.kernels_capsules import BodyCapsules
from walkon.planning.kernels_moves import clip_chunks, pad_track
from walkon.planning.problem import Plan, Problem, plan_circles, rest_circle
from walkon.planning.sheets import Sheet, clip_sheet, pose_sheet, stack_capsules
from walkon.rotations import Placement
from walkon.world.bodies import OUTLINED, BodyLevel

QUIET = 0.005
"""[m] Rests whose bodies reach no further than this beyond the least are quiet: who stands between others does not
look around. With more, fewer people can stand close together."""


class BodyTrack(NamedTuple):
    """A body in the world for F frames.

    places: (F, 5) x, z, radius [m] of the circle around it, the heading in which its outline is seen, and how much
    more room [m] it takes; in the radius that is included. sheets: of clips; rows: (F, 2) on which sheet the body
    is, and in which row there. Without sheets it is a circle.
    """

    places: Array
    rows: Indices
    sheets: tuple[Sheet, ...] = ()

    @property
    def circles(self) -> Array:
        """x, z, radius (F, 3) [m]."""
        return self.places[:, :3]

    def supports(self) -> NDArray[np.float32]:
        """The outlines of all sheets, one after another; some table if there is none."""
        if not self.sheets:
            return np.zeros((1, 2, DIRECTIONS), dtype=np.float32)
        return np.concatenate([sheet.figures.supports for sheet in self.sheets])

    def capsules(self) -> BodyCapsules:
        """The capsules of all sheets, in the same rows."""
        return stack_capsules(self.sheets)

    def numbered(self, begins: Sequence[int] | None = None) -> NDArray[np.int32]:
        """Rows (F,) of its bodies where sheets begin at these numbers, or one after another; -1 for circles."""
        if not self.sheets:
            return np.full(len(self.places), -1, dtype=np.int32)
        if begins is None:
            begins = np.cumsum([0, *(len(sheet.capsules) for sheet in self.sheets)]).tolist()
        return (np.array(begins)[self.rows[:, 0]] + self.rows[:, 1]).astype(np.int32)

    def with_room(self, more: Array) -> BodyTrack:
        """The same body with `more` (F,) [m] around it, as slopes need. There outlines must do: nobody knows how
        high capsules are."""
        places = self.places.copy()
        places[:, 2] += more
        places[:, 4] += more
        return self._replace(places=places, sheets=tuple(sheet.outlines_alone() for sheet in self.sheets))

    def ending(self) -> BodyTrack:
        """Its last frame alone."""
        return self._replace(places=self.places[-1:], rows=self.rows[-1:])

    def repeated(self, times: int) -> BodyTrack:
        """A track of one frame, held for `times` frames."""
        return self._replace(
            places=np.repeat(self.places, times, axis=0), rows=np.repeat(self.rows, times, axis=0)
        )


class ReadTrack(NamedTuple):
    """A track as kernels read it, for who asks about it again and again.

    places: as in BodyTrack. rows: (F,) of its bodies among supports and capsules; -1 for circles. around: (H, 3)
    circles around every CHUNK of them.
    """

    places: Array
    rows: NDArray[np.int32]
    supports: NDArray[np.float32]
    capsules: BodyCapsules
    around: Array

    def piece(self, begin: int, frames: int) -> ReadTrack:
        """Some frames of it."""
        own = slice(begin, begin + frames)
        return self._replace(places=self.places[own], rows=self.rows[own], around=_around(self.places[own]))


def read_track(track: BodyTrack) -> ReadTrack:
    """A track as kernels read it."""
    return ReadTrack(track.places, track.numbered(), track.supports(), track.capsules(), _around(track.places))


def _around(places: Array) -> Array:
    """Circles (H, 3) around every CHUNK of places."""
    return clip_chunks(places, np.array([0, len(places)]))[1]


def as_track(track: BodyTrack | ArrayLike) -> BodyTrack:
    """A track; one of circles (F, 3) with what these can lose between frames. Raises PlanError for nonsense."""
    if isinstance(track, BodyTrack):
        return track
    circles = np.array(track, dtype=np.float64, order="C")
    if circles.ndim != 2 or circles.shape[1] != 3 or not len(circles) or not np.isfinite(circles).all():
        raise PlanError(f"a track is one or more finite circles (F, 3), not an array {circles.shape}")
    pad_track(circles)
    return _of_circles(circles)


def _of_circles(circles: Array) -> BodyTrack:
    return BodyTrack(
        np.column_stack([circles, np.zeros((len(circles), 2))]), np.zeros((len(circles), 2), np.int64)
    )


def join_tracks(parts: Sequence[BodyTrack]) -> BodyTrack:
    """Tracks one after another. A sheet that several of them use is there once."""
    sheets, rows, numbers = [], [], {}
    for part in parts:
        for sheet in part.sheets:
            if sheet.key not in numbers:
                numbers[sheet.key] = len(sheets)
                sheets.append(sheet)
        own = np.array([numbers[sheet.key] for sheet in part.sheets] or [0])
        rows.append(np.column_stack([own[part.rows[:, 0]], part.rows[:, 1]]))
    return BodyTrack(np.concatenate([part.places for part in parts]), np.concatenate(rows), tuple(sheets))


def plan_track(graph: BehaviorGraph, plan: Plan, bodies: BodyLevel, *, resting: int | None = None) -> BodyTrack:
    """The space that a plan takes, as planners see bodies at a level. resting: the pose in which somebody stays in
    the end, for good; None for who leaves."""
    if bodies in OUTLINED:
        parts = [
            _sheet_track(clip_sheet(graph, clip, bodies), Placement(*place), slice(0, -1))
            for clip, place in zip(plan.clips.tolist(), plan.placements.tolist(), strict=False)
        ]
    else:
        circles = plan_circles(graph, plan)
        parts = [_of_circles(circles)] if len(circles) else []
    if resting is not None:
        parts.append(rest_track(graph, resting, Placement(*plan.placements[-1].tolist()), bodies))
    joined = join_tracks(parts)
    return joined if bodies in OUTLINED else as_track(_widened(graph, joined.circles, bodies))


def clip_track(graph: BehaviorGraph, clip: int, place: Placement, bodies: BodyLevel) -> BodyTrack:
    """The space that a clip takes from a place on, as planners see bodies at a level."""
    if bodies in OUTLINED:
        return _sheet_track(clip_sheet(graph, clip, bodies), place, slice(0, -1))
    frames = graph.circles[graph.frame_starts[clip] : graph.frame_starts[clip + 1]]
    x, z = place.point(frames[:, 0], frames[:, 1])
    return as_track(_widened(graph, np.stack([x, z, frames[:, 2]], axis=1), bodies))


def rest_track(graph: BehaviorGraph, pose: int, place: Placement, bodies: BodyLevel) -> BodyTrack:
    """One frame of a body that stays in a pose at a place. For a pose that nobody can stay in, the largest body
    with which a behavior begins there."""
    if bodies in OUTLINED:
        return _sheet_track(pose_sheet(graph, pose, bodies), place, slice(None))
    return as_track(_widened(graph, rest_circle(graph, pose, place)[None], bodies))


def standing_track(problem: Problem) -> BodyTrack:
    """One frame of somebody who stands where a problem starts, if it can: without moving much if it is quiet."""
    graph, pose, bodies = problem.graph, problem.pose, problem.world.scene.bodies
    if problem.quiet and graph.rests[pose]:
        return clip_track(graph, quiet_rests(graph, pose)[0], problem.start, bodies).ending()
    return rest_track(graph, pose, problem.start, bodies)


def quiet_rests(graph: BehaviorGraph, pose: int) -> list[int]:
    """The clips in which a body reaches no further than it must while it stays in a pose."""
    starts = graph.frame_starts
    reach = {clip: graph.circles[starts[clip] : starts[clip + 1], 2].max() for clip in graph.resting(pose)}
    return [clip for clip, radius in reach.items() if radius <= min(reach.values()) + QUIET]


def _sheet_track(sheet: Sheet, place: Placement, rows: slice) -> BodyTrack:
    """Some rows of a sheet whose entry pose is at a place."""
    circles = sheet.figures.circles
    numbers = np.arange(len(circles))[rows]
    x, z = place.point(circles[numbers, 0], circles[numbers, 1])
    heading, more = np.full(len(numbers), place.heading), np.zeros(len(numbers))
    places = np.stack([x, z, circles[numbers, 2], heading, more], axis=1)
    return BodyTrack(places, np.stack([np.zeros_like(numbers), numbers], axis=1), (sheet,))


def _widened(graph: BehaviorGraph, circles: Array, bodies: BodyLevel) -> Array:
    """Circles (F, 3), all as large as the largest where one is to hold all frames."""
    if bodies != "one-circle":
        return circles
    return np.column_stack([circles[:, :2], np.full(len(circles), graph.circles[:, 2].max())])
