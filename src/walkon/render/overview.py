"""A take on one page: who goes where, among what."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from walkon.errors import RenderError
from walkon.render.outfits import character_colour
from walkon.render.palette import ALARM
from walkon.render.plan_view import FOOT_ROOM, HEAD_ROOM, SIDE_ROOM, PlanView
from walkon.render.role_paths import role_path, thin_path
from walkon.render.wording import counted
from walkon.take import Take, outline_at
from walkon.world import PASSES, Obstacle, Scene
from walkon.world.tints import CLAY, KIND_TINTS, MOVING_TINTS, Colour, obstacle_tint

MOST_NAMES = 16
"""People that are named on the plan at most: the names of more would cover it."""

LEAST_BETWEEN = 0.1
"""[s] Least time between two outlines of a body: more of them cover each other, and take memory and time."""

BRIGHTEST = 172.0
"""Lighter colours are darkened to this, or they would be lost on paper."""


def draw_overview(take: Take, path: Path | str, *, width: int = 1600, every: float = 0.0) -> None:
    """Draw a PNG of the take from above: ground, obstacles, paths with a dot where they start, goals as rings.

    What moves has a dashed track. People for whom there is no plan are marked by a cross. width: [px]. every: [s]
    between two moments at which the outlines of bodies are drawn, from 0.1 on; 0: none are.
    """
    view = PlanView(take.scene, width)
    view.floor()
    draw_obstacles(view, take.scene)
    numbers = {character.name: index for index, character in enumerate(take.scene.characters)}
    few = len(take.scene.characters) <= MOST_NAMES
    draw_bodies(view, take, every)
    crowd = max(len(take.roles), 1)
    thick = float(np.clip(3.6 - 0.3 * np.log2(crowd), 1.7, 3.2))
    for role in take.roles:
        colour = line_colour(numbers.get(role.character, 0))
        view.line(thin_path(role_path(take, role)), (*colour, 215), thick)
    for character in take.scene.characters:
        colour = line_colour(numbers[character.name])
        for number, goal in enumerate(character.goals, start=1):
            last = number == len(character.goals)
            view.ring((goal.x, goal.z), colour if last else (*colour, 140), goal.tolerance, thick * 0.8)
    _draw_starts(view, take, numbers, few)
    label_obstacles(view, take.scene)
    draw_frame(view, take.scene, _subtitle(take), unplanned=bool(take.unplanned))
    view.save(path)


def draw_bodies(view: PlanView, take: Take, every: float) -> None:
    """The ground that bodies cover on their way, at moments `every` [s] apart; nothing for 0."""
    if every == 0.0:
        return
    if not LEAST_BETWEEN <= every < float("inf"):
        raise RenderError(f"outlines are drawn {LEAST_BETWEEN:g} s apart or more, not {every}")
    numbers = {character.name: index for index, character in enumerate(take.scene.characters)}
    for role in take.roles:
        colour = line_colour(numbers.get(role.character, 0))
        stop = take.end_frame(role) if role.arrival is None else role.arrival
        for frame in np.arange(role.start_frame, stop + 1, every * take.fps).astype(int).tolist():
            corners = outline_at(take, role, frame)
            if corners is not None:
                view.area(corners, (*colour, 46), (*colour, 150))


def line_colour(index: int) -> tuple[int, int, int]:
    """The colour a character is known by, dark enough for a line on paper."""
    colour = np.array(character_colour(index), dtype=np.float64)
    bright = float(colour @ (0.3, 0.59, 0.11))
    red, green, blue = (colour * min(1.0, BRIGHTEST / bright)).astype(int).tolist()
    return red, green, blue


def draw_obstacles(view: PlanView, scene: Scene) -> None:
    """What stands, as it stands; what moves where it begins, its track, and faintly where it ends."""
    for index, obstacle in enumerate(scene.obstacles):
        if not obstacle.moves:
            view.obstacle(obstacle, index)
    for index, obstacle in enumerate(scene.obstacles):
        if obstacle.moves:
            view.obstacle(obstacle, index)
            view.obstacle(obstacle, index, frame=len(obstacle.positions) - 1, strength=0.35)
            dark = [int(0.7 * channel) for channel in obstacle_tint(obstacle, index)]
            view.dashes(obstacle.positions[:, [0, 2]], (*dark, 200), 1.6)


def label_obstacles(view: PlanView, scene: Scene) -> None:
    """Names of what can be passed."""
    for obstacle in scene.obstacles:
        if obstacle.passes:
            view.label(obstacle.positions[0, [0, 2]], obstacle.name, size=11)


def draw_frame(view: PlanView, scene: Scene, subtitle: str, *, unplanned: bool = False) -> None:
    """Title above, legend and scale below."""
    view.clear_margins()
    wide = view.text((SIDE_ROOM, HEAD_ROOM / 2), scene.name or "scene", size=22)
    view.text((SIDE_ROOM + wide + 14, HEAD_ROOM / 2 + 3), subtitle, size=14, faint=True)
    x, y = float(SIDE_ROOM), view.height - FOOT_ROOM / 2
    for name, colour in _legend(scene.obstacles):
        view.swatch((x, y), colour)
        x += 24 + view.text((x + 22, y), name) + 18
    if unplanned:
        x += view.text((x, y), "× not planned") + 18
    view.scale_bar()


def _draw_starts(view: PlanView, take: Take, numbers: dict[str, int], few: bool) -> None:
    missing = {name for name, _ in take.unplanned}
    for character in take.scene.characters:
        place = character.start.x, character.start.z
        if character.name in missing:
            view.cross(place, ALARM, 6.0)
        else:
            view.dot(place, line_colour(numbers[character.name]), 5.0 if few else 3.4)
        if few:
            view.label(place, character.name, above=14.0)


def _subtitle(take: Take) -> str:
    count, moving = len(take.roles), sum(obstacle.moves for obstacle in take.scene.obstacles)
    parts = [counted(count, "person", "people"), f"{take.frames / take.fps:.1f} s"]
    if moving:
        parts.append(counted(moving, "moving obstacle"))
    if take.unplanned:
        parts.append(f"{len(take.unplanned)} not planned")
    return " · ".join(parts)


def _legend(obstacles: tuple[Obstacle, ...]) -> list[tuple[str, Colour]]:
    entries: list[tuple[str, Colour]] = []
    if any(not obstacle.moves and not obstacle.passes for obstacle in obstacles):
        entries.append(("in the way", CLAY))
    for kind in PASSES:
        if any(obstacle.passes and obstacle.passes[0] == kind for obstacle in obstacles):
            entries.append((kind.replace("_", " "), KIND_TINTS[kind]))
    if any(obstacle.moves and not obstacle.passes for obstacle in obstacles):
        entries.append(("moves", MOVING_TINTS[0]))
    return entries
