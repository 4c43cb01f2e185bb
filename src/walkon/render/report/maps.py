"""From above: everybody's paths, where it is crowded, and who is near whom at one moment."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array
from walkon.metrics import Trajectories
from walkon.metrics.quality.density import Area, area_around
from walkon.render.overview import line_colour
from walkon.render.report.entries import Entry
from walkon.render.report.heat_maps import colour
from walkon.render.report.images import encode_png
from walkon.render.report.style import PLOT_WIDTH
from walkon.render.svg import drawing, element, line, track, words
from walkon.render.ticks import ticks
from walkon.rotations import rotate
from walkon.take import outline_at
from walkon.world import Scene

LEFT, TOP, BOTTOM = 34.0, 6.0, 34.0
MOST_HEIGHT = 420.0
MOST_PATHS, MOST_POINTS = 80, 60
"""People whose paths are drawn, and points of each."""

OWN_COLOURS = 24
"""Of more people than this, paths have the colour of whoever planned them."""

MOST_TRIANGLES = 3000
MAP_REACH = 3.0
"""Ground [m] above and below somebody that the map of a moment shows; half as much again at the sides."""

DISC = 0.24
"""[m] Radius of those whose bodies are not known: about half the breadth of shoulders."""

TRAIL = 2.0
"""Seconds of everybody's path before that moment."""


class Map:
    """A part of the ground on a drawing: x to the right, z down, in one scale."""

    def __init__(self, area: Area) -> None:
        self.area = area
        wide, deep = area[2] - area[0], area[3] - area[1]
        self.scale = min((PLOT_WIDTH - LEFT - 6) / wide, MOST_HEIGHT / deep)
        self.left = LEFT + 0.5 * (PLOT_WIDTH - LEFT - 6 - self.scale * wide)
        self.right, self.bottom = self.left + self.scale * wide, TOP + self.scale * deep

    def at(self, x: float, z: float) -> tuple[float, float]:
        """Where a point of the ground is drawn."""
        return self.left + self.scale * (x - self.area[0]), TOP + self.scale * (z - self.area[1])

    def line(self, points: Array) -> str:
        """Points (K, 2) of the ground as the data of a path."""
        return track([self.at(x, z) for x, z in points.tolist()])

    def frame(self) -> list[str]:
        """The edge, and axes in metres."""
        parts = [
            element(
                "rect", x=self.left, y=TOP, width=self.right - self.left, height=self.bottom - TOP, cls="frame"
            )
        ]
        for tick in ticks(self.area[0], self.area[2], 6):
            x, _ = self.at(tick, 0.0)
            parts += [line(x, self.bottom, x, self.bottom + 4, "axis")]
            parts += [words(x, self.bottom + 15, f"{tick:g}", "tick", text_anchor="middle")]
        for tick in ticks(self.area[1], self.area[3], 6):
            _, y = self.at(0.0, tick)
            parts += [line(self.left - 4, y, self.left, y, "axis")]
            parts += [words(self.left - 7, y + 4, f"{tick:g}", "tick", text_anchor="end")]
        parts.append(words(self.right, self.bottom + 30, "x, z [m]", "tick", text_anchor="end"))
        return parts

    def inside(self, *parts: str) -> str:
        """What must not stick out of the edge."""
        wide, high = self.right - self.left, self.bottom - TOP
        box = f"{self.left:.1f} {TOP:.1f} {wide:.1f} {high:.1f}"
        return element("svg", *parts, x=self.left, y=TOP, width=wide, height=high, viewBox=box)

    def drawing(self, *parts: str, label: str) -> str:
        """All of it, with axes."""
        return drawing(PLOT_WIDTH, self.bottom + BOTTOM, *parts, *self.frame(), label=label)


def shared_areas(entries: Sequence[Entry]) -> list[Area]:
    """What each map shows: the same for all if they are about the same place."""
    areas = [area_around(entry.measures.trajectories) for entry in entries]
    corners = np.array(areas)
    union = (*corners[:, :2].min(axis=0).tolist(), *corners[:, 2:].max(axis=0).tolist())
    if _size(union) <= 2.0 * max(map(_size, areas)):
        return [union] * len(areas)
    return areas


def _size(area: Sequence[float]) -> float:
    return (area[2] - area[0]) * (area[3] - area[1])


def draw_paths(number: int, entry: Entry, area: Area) -> tuple[str, int]:
    """Paths with a dot where each begins, goals as rings, obstacles, anomalies as red rings; how many people."""
    view = Map(area)
    paths = entry.measures.trajectories
    chosen = np.unique(np.linspace(0, len(paths) - 1, min(len(paths), MOST_PATHS)).astype(int))
    parts = _obstacles(view, entry)
    numbers = _outfits(entry)
    for person in chosen:
        points = paths.path(person)
        points = points[np.unique(np.linspace(0, len(points) - 1, MOST_POINTS).astype(int))]
        style = _own_style(numbers.get(paths.names[person], int(person))) if len(paths) <= OWN_COLOURS else {}
        parts.append(element("path", d=view.line(points), cls="way", **style))
        x, y = view.at(*points[0].tolist())
        parts.append(element("circle", cx=x, cy=y, r=2.6, cls="spot", **_filled(style)))
        goal = paths.goals[person]
        if np.isfinite(goal).all():
            x, y = view.at(*goal.tolist())
            radius = max(view.scale * float(paths.tolerances[person]), 2.5)
            parts.append(element("circle", cx=x, cy=y, r=min(radius, 12.0), cls="ring", **style))
    parts += _marks(view, entry)
    group = element("g", view.inside(*parts), cls=f"c{number}")
    return view.drawing(group, label=f"paths of {entry.name} from above"), len(chosen)


def _own_style(index: int) -> dict[str, str]:
    red, green, blue = line_colour(index)
    return {"style": f"stroke:rgb({red},{green},{blue})"}


def _filled(style: dict[str, str]) -> dict[str, str]:
    return {key: value.replace("stroke:", "fill:") for key, value in style.items()}


def _outfits(entry: Entry) -> dict[str, int]:
    """Numbers in the scene, after which people are dressed in pictures."""
    characters = () if entry.scene is None else entry.scene.characters
    return {character.name: index for index, character in enumerate(characters)}


def _obstacles(view: Map, entry: Entry) -> list[str]:
    shapes = [] if entry.scene is None else _shapes(view, entry.scene)
    return [element("path", d=shape, cls="thing") for shape in shapes]


def _shapes(view: Map, scene: Scene) -> list[str]:
    shapes, drawn = [], 0
    for obstacle in scene.obstacles:
        surface = obstacle.shape.surface(12)
        drawn += len(surface.triangles)
        if drawn > MOST_TRIANGLES:
            break
        points = (rotate(obstacle.rotations[0], surface.points) + obstacle.positions[0])[:, [0, 2]]
        flat = [view.at(x, z) for x, z in points.tolist()]
        turned = _from_above(points, surface.triangles)
        shapes.append("".join(track([flat[k] for k in triangle], closed=True) for triangle in turned.tolist()))
    return shapes


def _from_above(points: Array, triangles: NDArray[np.int64]) -> NDArray[np.int64]:
    """Triangles that cover some ground, all turned the same way: else those below would undo those above."""
    a, b, c = (points[triangles[:, k]] for k in range(3))
    areas = (b - a)[:, 0] * (c - a)[:, 1] - (b - a)[:, 1] * (c - a)[:, 0]
    return np.where((areas < 0.0)[:, None], triangles[:, ::-1], triangles)[np.abs(areas) > 1e-6]


def _marks(view: Map, entry: Entry) -> list[str]:
    """Red rings where something was found at a moment."""
    parts = []
    for found in entry.measures.anomalies[:MOST_PATHS]:
        place = place_of(entry.measures.trajectories, found.who, found.when)
        if place is not None:
            x, y = view.at(*place.tolist())
            parts.append(element("circle", cx=x, cy=y, r=5.0, cls="alarm"))
    return parts


def place_of(paths: Trajectories, who: str, when: float) -> Array | None:
    """Where (2,) somebody is at a time [s]; None if not there."""
    if not math.isfinite(when) or who not in paths.names:
        return None
    person = paths.names.index(who)
    row = round(when * paths.fps) - int(paths.starts[person])
    count = int(paths.counts[person])
    # Between the last row here and the last frame of a take lies less than a row.
    return paths.path(person)[min(max(row, 0), count - 1)] if -1 <= row <= count else None


def draw_density(entry: Entry, area: Area, grid: Array, cell: float, most: float) -> str:
    """Where people are, in colours from none to the most that any map has."""
    view = Map(area)
    rows, columns = grid.shape
    picture = element(
        "image", href=encode_png(colour(grid, most)), x=view.left, y=TOP, width=view.scale * cell * columns,
        height=view.scale * cell * rows, preserveAspectRatio="none", cls="pixels",
    )  # fmt: skip
    inside = view.inside(picture, *_obstacles(view, entry), "")
    return view.drawing(inside, label=f"density of {entry.name}")


def draw_moment_map(number: int, entry: Entry, who: Sequence[str], when: float) -> str | None:
    """Who is near somebody at a time [s], and where they come from; None if nobody is there."""
    paths = entry.measures.trajectories
    places = [place for name in who if (place := place_of(paths, name, when)) is not None]
    if not places:
        return None
    x, z = np.mean(places, axis=0)
    area = (float(x) - 1.5 * MAP_REACH, float(z) - MAP_REACH, float(x) + 1.5 * MAP_REACH, float(z) + MAP_REACH)
    view = Map(area)
    parts = [""]
    frame = round(when * paths.fps)
    for person in np.flatnonzero((paths.starts <= frame) & (frame < paths.stops)).tolist():
        row = frame - int(paths.starts[person])
        trail = paths.path(person)[max(row - round(TRAIL * paths.fps), 0) : row + 1]
        if abs(trail[-1, 0] - x) > 1.5 * MAP_REACH or abs(trail[-1, 1] - z) > MAP_REACH:
            continue
        meant = paths.names[person] in who
        parts.append(element("path", d=view.line(trail), cls="way meant" if meant else "way"))
        parts.append(_body(view, entry, paths.names[person], when, trail[-1], "body meant" if meant else "body"))
    return view.drawing(element("g", view.inside(*parts), cls=f"c{number}"), label="from above")


def _body(view: Map, entry: Entry, name: str, when: float, place: Array, cls: str) -> str:
    """What a body covers of the ground; a disc for somebody of whom only the path is known."""
    take = entry.take
    if take is not None:
        outline = outline_at(take, take.role(name), round(when * take.fps))
        if outline is not None:
            return element("path", d=view.line(outline) + "Z", cls=cls)
    x, y = view.at(*place.tolist())
    return element("circle", cx=x, cy=y, r=DISC * view.scale, cls=cls)
