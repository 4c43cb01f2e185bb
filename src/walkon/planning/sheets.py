"""What is known about the bodies of a clip, row by row: outlines, and at the finest level capsules."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from walkon.basics import once_per_object
from walkon.behaviors import BehaviorGraph
from walkon.behaviors.capsules import Capsules, clip_capsules, make_capsules, rest_capsules
from walkon.behaviors.graph import RESTING
from walkon.behaviors.outlines import Figures, clip_figures
from walkon.planning.kernels_capsules import NO_CAPSULES, BodyCapsules
from walkon.world.bodies import BodyLevel


class Sheet(NamedTuple):
    """R bodies one after another: figures (R), and capsules (R, K, 7), or (R, 0, 7) where outlines must do. A row
    of capsules goes over to the next until the next frame; the last one stays."""

    figures: Figures
    capsules: Capsules

    @property
    def known(self) -> bool:
        """Whether there are capsules."""
        return self.capsules.shape[1] > 0

    @property
    def key(self) -> tuple[int, bool]:
        """The same for sheets of the same bodies, as long as there is one of them."""
        return id(self.figures.reaches), self.known

    def outlines_alone(self) -> Sheet:
        """The same bodies without capsules."""
        return self._replace(capsules=self.capsules[:, :0])


def clip_sheet(graph: BehaviorGraph, clip: int, bodies: BodyLevel) -> Sheet:
    """The bodies of a clip of a graph, as they are seen at a level."""
    shown = graph.clip(clip)
    figures = clip_figures(shown)
    return Sheet(figures, clip_capsules(shown) if bodies == "body" else _none(figures))


@once_per_object
def pose_sheet(graph: BehaviorGraph, pose: int, bodies: BodyLevel) -> Sheet:
    """The one body of somebody who stays in a pose; if nobody can, the largest outline with which a behavior
    begins there."""
    figures, row = graph.rest_figures, pose
    if not graph.rests[pose]:
        behaviors = np.flatnonzero(graph.entry == pose)
        clips = [clip for b in behaviors for clip in range(*graph.clip_starts[b : b + 2].tolist())]
        figures = max((clip_figures(graph.clip(clip)) for clip in clips), key=lambda one: one.circles[0, 2])
        row = 0
    own = figures.part(slice(row, row + 1))
    if bodies != "body" or not graph.rests[pose]:
        return Sheet(own, _none(own))
    return Sheet(own, rest_capsules([graph.clip(clip) for clip in graph.resting(pose)], RESTING))


def moves_capsules(graph: BehaviorGraph, clips: Iterable[int]) -> BodyCapsules:
    """The capsules of all frames of some clips, one after another, and then of somebody at rest in each pose."""
    shown = [graph.clip(int(clip)) for clip in clips]
    moving = [Sheet(clip_figures(one), make_capsules(one)) for one in shown]
    return stack_capsules([*moving, *(pose_sheet(graph, pose, "body") for pose in range(len(graph.poses)))])


def stack_capsules(sheets: Iterable[Sheet]) -> BodyCapsules:
    """The capsules of sheets, one after another, for kernels."""
    sheets = list(sheets)
    if not any(sheet.known for sheet in sheets):
        return NO_CAPSULES
    begins = np.cumsum([0, *(sheet.capsules.shape[0] * sheet.capsules.shape[1] for sheet in sheets)]).tolist()
    return BodyCapsules(
        ends=np.concatenate([sheet.capsules.reshape(-1, 7) for sheet in sheets]),
        spans=np.concatenate([spans_of(sheet, begin) for sheet, begin in zip(sheets, begins, strict=False)]),
        middles=np.concatenate([sheet.figures.circles[:, :2] for sheet in sheets]),
    )


def spans_of(sheet: Sheet, begin: int) -> NDArray[np.int32]:
    """Where (R, 3) the capsules of each row are if those of the sheet begin there, as in BodyCapsules."""
    rows, count = np.arange(len(sheet.capsules)), sheet.capsules.shape[1]
    following = np.minimum(rows + 1, len(rows) - 1)
    spans = begin + count * rows, begin + count * following, np.full(len(rows), count)
    return np.stack(spans, axis=1).astype(np.int32)


def _none(figures: Figures) -> Capsules:
    return np.empty((len(figures.circles), 0, 7), dtype=np.float32)
