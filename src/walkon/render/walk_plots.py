"""Walks through a motion graph from above: where they were to go, where they go, and what is done on the way."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from walkon.basics import Array, stretches
from walkon.errors import RenderError
from walkon.graphs.graph import PLAIN
from walkon.graphs.performing.walks import Walk
from walkon.render.label_colours import labels_colour, labels_name
from walkon.render.plan_view import FOOT_ROOM, HEAD_ROOM, SIDE_ROOM, PlanView
from walkon.world import Scene, flat_terrain

ASKED = (233, 196, 84)
"""The path to follow, as yellow as in the figures of Kovar, Gleicher and Pighin (2002)."""

TRANSITION = (40, 44, 54)
MARK = (150, 84, 40)
STAY_SECONDS, STAY_WITHIN = 0.5, 0.4
"""Somebody who does something for longer than STAY_SECONDS [s] within STAY_WITHIN [m] is shown by a dot."""

PLAN_MARGIN = 0.8
"""[m] around everything."""

LEGEND_END = 480
"""[px] from the right edge that are kept for other things than labels."""

MOST_DOTS = 600
"""More transitions than this are not marked."""


def draw_walks(
    walks: Walk | Sequence[Walk],
    path: Path | str,
    *,
    asked: ArrayLike | Sequence[ArrayLike] | None = None,
    marks: Sequence[tuple[float, float, str]] = (),
    scene: Scene | None = None,
    title: str = "",
    subtitle: str = "",
    width: int = 1200,
) -> None:
    """Draw a PNG of walks from above, coloured by what is done, with a dot wherever a blend begins.

    asked: points (P, 2) [m] of the path they were to follow, or several, drawn below as broad yellow lines. marks:
    places x, z [m] with a ring and a name. scene: what they walk in, instead of an empty floor. width: at most
    [px].
    """
    given = [walks] if isinstance(walks, Walk) else list(walks)
    if not given:
        raise RenderError("there is no walk to draw")
    tracks = [walk.path() for walk in given]
    wanted = _lines(asked)
    spots = np.array([(x, z) for x, z, _ in marks]).reshape(-1, 2)
    view = PlanView(_around([*tracks, *wanted, spots]) if scene is None else scene, width)
    view.floor()
    for line in wanted:
        _draw_asked(view, line)
    for walk, track in zip(given, tracks, strict=True):
        _draw_track(view, walk, track)
    for track in tracks:
        view.dot(track[0], TRANSITION, 5.0)
    for x, z, name in marks:
        view.ring((x, z), MARK, 0.25, 2.0)
        view.label((x, z), name, above=0.25 * view.scale + 12.0)
    view.clear_margins()
    wide = view.text((SIDE_ROOM, HEAD_ROOM / 2), title or "walk", size=20)
    view.text((SIDE_ROOM + wide + 14, HEAD_ROOM / 2 + 3), subtitle or _told(given), size=13, faint=True)
    _draw_legend(view, given, bool(wanted))
    view.scale_bar()
    view.save(path)


def _lines(asked: ArrayLike | Sequence[ArrayLike] | None) -> list[Array]:
    """None, one line (P, 2) or several, as a list."""
    if asked is None:
        return []
    given = list(asked) if isinstance(asked, Sequence) else [asked]
    if given and np.ndim(given[0]) < 2:
        given = [asked]
    return [np.asarray(line, dtype=np.float64) for line in given]


def _around(drawn: Sequence[Array]) -> Scene:
    """An empty floor as large as everything drawn."""
    points = np.concatenate(drawn)
    low, high = points.min(axis=0) - PLAN_MARGIN, points.max(axis=0) + PLAN_MARGIN
    # A straight line is no picture.
    room = 0.5 * np.maximum(0.3 * (high - low).max() - (high - low), 0.0)
    low, high = low - room, high + room
    bounds = (float(low[0]), float(low[1]), float(high[0]), float(high[1]))
    return Scene("", bounds, flat_terrain(bounds))


def _draw_asked(view: PlanView, wanted: Array) -> None:
    """A broad line, of discs: joints of thick lines leave gaps."""
    radius = max(4.5, 0.08 * view.scale)
    along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(wanted, axis=0).T))])
    stops = np.linspace(0.0, along[-1], max(2, round(along[-1] * view.scale / (0.2 * radius))))
    for x, z in zip(*(np.interp(stops, along, column) for column in wanted.T), strict=True):
        view.spot((x, z), ASKED, radius)


def _draw_track(view: PlanView, walk: Walk, track: Array) -> None:
    """The track in the colours of its labels, and where transitions begin."""
    graph, starts = walk.graph, walk.edge_starts
    kinds = graph.labels[walk.edges]
    ends = np.append(starts, len(track) - 1)
    for start, stop in stretches(kinds):
        first, last, colour = ends[start], ends[stop], labels_colour(graph.label_sets[kinds[start]])
        view.line(track[first : last + 1], colour, 3.2)
        if last - first > STAY_SECONDS * graph.fps and np.ptp(track[first : last + 1], axis=0).max() < STAY_WITHIN:
            view.dot(track[first : last + 1].mean(axis=0), colour, 7.0)
    blends = starts[graph.carries[walk.edges] != PLAIN]
    if len(blends) <= MOST_DOTS:
        for start in blends:
            view.spot(track[start], TRANSITION, 2.2)


def _told(walks: Sequence[Walk]) -> str:
    first = walks[0]
    length = float(np.hypot(*np.diff(first.path(), axis=0).T).sum())
    blends = int((first.graph.carries[first.edges] != PLAIN).sum())
    several = "" if len(walks) == 1 else f"{len(walks)} walks · "
    return f"{several}{first.duration:.1f} s · {length:.1f} m · {blends} transitions"


def _draw_legend(view: PlanView, walks: Sequence[Walk], asked: bool) -> None:
    x, y = float(SIDE_ROOM), view.height - FOOT_ROOM / 2
    frames: dict[frozenset[str], int] = {}
    for walk in walks:
        for edge in walk.edges:
            labels = walk.graph.label_sets[walk.graph.labels[edge]]
            frames[labels] = frames.get(labels, 0) + int(walk.graph.frames[edge])
    # What blends bring together comes last, and only where there is room.
    for labels in sorted(frames, key=lambda kind: (len(kind) > 1, -frames[kind])):
        if x > view.width - LEGEND_END:
            break
        view.swatch((x, y), labels_colour(labels))
        x += 22 + view.text((x + 22, y), labels_name(labels)) + 16
    view.blob((x + 4, y), 2.4, TRANSITION)
    x += 14 + view.text((x + 14, y), "transition") + 16
    if asked:
        view.swatch((x, y), ASKED)
        view.text((x + 22, y), "path to follow")
