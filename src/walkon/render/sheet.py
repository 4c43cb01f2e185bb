"""Many takes from above on one page, all at the same scale."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from walkon.errors import RenderError
from walkon.render.overview import draw_bodies, draw_obstacles, line_colour
from walkon.render.page import Page
from walkon.render.plan_view import FOOT_ROOM, SIDE_ROOM, PlanView
from walkon.render.role_paths import role_path, thin_path
from walkon.render.wording import counted
from walkon.take import Take
from walkon.world import Scene

TILE_GAP = 20
"""Space between tiles [px]."""

TITLE_ROOM = 42
"""Space above every tile, for its name and a line below it [px]."""

TITLE, SUBTITLE = 16, 12
"""Sizes of letters [px]."""

LEAST_TILE = 120
"""Room that every tile takes in its row, for its title [px]."""

MOST_TAKES = 200
"""Takes on one sheet at most."""


class Sheet(PlanView):
    """A page on which one scene after another is drawn, each where it is told to; scale: pixels per metre."""

    def __init__(self, width: int, height: int, scale: float) -> None:
        Page.__init__(self, width, height)
        self.scale = scale

    def turn_to(self, scene: Scene, corner: tuple[float, float]) -> None:
        """From now on draw this scene, with its least x and z at a corner [px]."""
        self._scene = scene
        self._origin = np.array(corner) - self.scale * np.array(scene.bounds[:2])


def draw_sheet(
    takes: Sequence[Take], path: Path | str, *, width: int = 1400, scale: float = 13.0, every: float = 0.0
) -> None:
    """Draw a PNG of all takes from above, in rows, with their paths; a dot is a start, a ring a goal.

    width: [px]; scale: pixels per metre, the same for all. every: [s] between outlines, as in `draw_overview`.
    """
    if not 1 <= len(takes) <= MOST_TAKES:
        raise RenderError(f"a sheet has 1 to {MOST_TAKES} takes, not {len(takes)}")
    places, height = _lay_out([take.scene for take in takes], width, scale)
    sheet = Sheet(width, height, scale)
    for take, (x, y) in zip(takes, places, strict=True):
        sheet.turn_to(take.scene, (x, y))
        sheet.floor()
        draw_obstacles(sheet, take.scene)
        draw_bodies(sheet, take, every)
        _draw_people(sheet, take)
        sheet.text((x, y - 30), take.scene.name, size=TITLE)
        sheet.text((x, y - 10), _subtitle(take), size=SUBTITLE, faint=True)
    sheet.scale_bar()
    sheet.save(path)


def _lay_out(scenes: Sequence[Scene], width: int, scale: float) -> tuple[list[tuple[float, float]], int]:
    """Upper left corners [px] of the scenes, row by row, and how high the page is."""
    places: list[tuple[float, float]] = []
    x, y, row = float(SIDE_ROOM), float(TILE_GAP), 0.0
    for scene in scenes:
        left, near, right, far = scene.bounds
        wide, high = scale * (right - left), scale * (far - near)
        if wide > width - 2 * SIDE_ROOM:
            raise RenderError(f"{scene.name!r} is {wide:.0f} pixels wide at this scale, the sheet only {width}")
        if x > SIDE_ROOM and x + wide > width - SIDE_ROOM:
            x, y, row = float(SIDE_ROOM), y + row + TILE_GAP, 0.0
        places.append((x, y + TITLE_ROOM))
        x += max(wide, LEAST_TILE) + TILE_GAP
        row = max(row, TITLE_ROOM + high)
    return places, round(y + row) + FOOT_ROOM


def _draw_people(sheet: Sheet, take: Take) -> None:
    colours = {character.name: line_colour(index) for index, character in enumerate(take.scene.characters)}
    for role in take.roles:
        sheet.line(thin_path(role_path(take, role)), (*colours[role.character], 215), 1.4)
    for character in take.scene.characters:
        goal, colour = character.goals[-1], colours[character.name]
        sheet.ring((goal.x, goal.z), colour, goal.tolerance, 1.0)
        sheet.dot((character.start.x, character.start.z), colour, 2.4)


def _subtitle(take: Take) -> str:
    left = f" · {len(take.unplanned)} not planned" if take.unplanned else ""
    return f"{counted(len(take.scene.characters), 'person', 'people')} · {take.frames / take.fps:.0f} s{left}"
