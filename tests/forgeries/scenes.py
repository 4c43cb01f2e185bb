"""Forged scenes: the take is true to a scene that nobody asked for. The audit is given the one that was."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from walkon.errors import TakeError
from walkon.take import Take
from walkon.world import Box, Goal, HeightField, Obstacle, Scene

from .stage import Forged, Honest, recast


def _against(honest: Honest, scene: Scene, **fields: object) -> Forged:
    """The take with another scene, audited against its own."""
    return Forged(replace(honest.take, scene=scene, **fields), scene=honest.take.scene)


def _with_obstacle(honest: Honest, name: str, **fields: object) -> Forged:
    scene = honest.take.scene
    things = [replace(one, **fields) if one.name == name else one for one in scene.obstacles]
    return _against(honest, replace(scene, obstacles=tuple(things)))


def obstacle_removed(honest: Honest) -> Forged:
    return _against(honest, replace(honest.take.scene, obstacles=honest.take.scene.obstacles[1:]))


def obstacle_shrunk(honest: Honest) -> Forged:
    return _with_obstacle(honest, "pillar", shape=Box(0.1, 2.0, 0.1))


def obstacle_moved(honest: Honest) -> Forged:
    pillar = honest.take.scene.obstacles[0]
    return _with_obstacle(honest, "pillar", positions=pillar.positions + np.array([0.0, 0.0, 3.0]))


def obstacle_made_passable(honest: Honest) -> Forged:
    return _with_obstacle(honest, "pillar", passes=("step_over",))


def _cart(honest: Honest) -> Obstacle:
    return next(one for one in honest.take.scene.obstacles if one.name == "cart")


def moving_obstacle_delayed(honest: Honest) -> Forged:
    places = _cart(honest).positions
    late = places[np.maximum(np.arange(len(places)) - 30, 0)]
    return _with_obstacle(honest, "cart", positions=late)


def bounds_widened(honest: Honest) -> Forged:
    return _against(honest, replace(honest.take.scene, bounds=(-9.0, -9.0, 9.0, 9.0)))


def goal_moved_to_where_they_are(honest: Honest) -> Forged:
    return _against(honest, recast(honest.take, "ann", goals=(Goal(3.0, 0.0),)))


def start_moved(honest: Honest) -> Forged:
    start = honest.take.scene.characters[0].start
    return _against(honest, recast(honest.take, "ann", start=replace(start, x=start.x + 0.04)))


def character_deleted(honest: Honest) -> Forged:
    scene = honest.take.scene
    return _against(honest, replace(scene, characters=scene.characters[:2]), roles=honest.take.roles[:2])


def character_added(honest: Honest) -> Forged:
    scene = replace(honest.take.scene, characters=honest.take.scene.characters[:2])
    return Forged(honest.take, scene=scene)


def ground_lowered(honest: Honest) -> Forged:
    field = honest.take.scene.terrain
    lower = HeightField(field.origin_x, field.origin_z, field.cell, field.heights - 0.3)
    return _against(honest, replace(honest.take.scene, terrain=lower))


def ground_lowered_in_the_scene_itself(honest: Honest) -> Forged:
    """Poses were made for the old ground."""
    field = honest.take.scene.terrain
    lower = HeightField(field.origin_x, field.origin_z, field.cell, field.heights - 0.3)
    return Forged(replace(honest.take, scene=replace(honest.take.scene, terrain=lower)), honest.shown)


def obstacle_in_the_way(honest: Honest) -> Forged:
    """The take was made without it."""
    scene = honest.take.scene
    x, z, _ = honest.take.role("ann").placements[3]
    crate = replace(scene.obstacles[0], name="crate", positions=np.array([[x, 0.0, z]]))
    return Forged(replace(honest.take, scene=replace(scene, obstacles=(*scene.obstacles, crate))))


def everybody_unplanned(honest: Honest) -> Forged:
    missing = tuple((one.name, "no way") for one in honest.take.scene.characters)
    return Forged(replace(honest.take, clips=(), roles=(), unplanned=missing))


def nobody_and_nothing_said(honest: Honest) -> Forged:
    return Forged(replace(honest.take, clips=(), roles=()))


def one_left_out(honest: Honest) -> Forged:
    return Forged(replace(honest.take, roles=honest.take.roles[:2]))


def duplicated_role(honest: Honest) -> Forged:
    return Forged(replace(honest.take, roles=(*honest.take.roles, honest.take.roles[0])))


def shown_twice(honest: Honest) -> Forged:
    return Forged(honest.take, [*honest.shown, honest.shown[0]])


def a_stranger(honest: Honest) -> Forged:
    return Forged(honest.take, [*honest.shown, replace(honest.shown[0], character="dan")])


def planned_and_unplanned(honest: Honest) -> Forged:
    return Forged(replace(honest.take, unplanned=(("ann", "no way"),)))


def starts_in_another_pose(honest: Honest) -> Forged:
    take: Take = honest.take
    return Forged(replace(take, scene=recast(take, "ann", pose="walk")))


SCENES = {
    obstacle_removed: {"scene"},
    obstacle_shrunk: {"scene"},
    obstacle_moved: {"scene"},
    obstacle_made_passable: {"scene"},
    moving_obstacle_delayed: {"scene"},
    bounds_widened: {"scene"},
    goal_moved_to_where_they_are: {"scene"},
    start_moved: {"scene"},
    character_deleted: {"scene"},
    character_added: {"scene"},
    ground_lowered: {"scene"},
    ground_lowered_in_the_scene_itself: {"floating"},
    obstacle_in_the_way: {"obstacle"},
    everybody_unplanned: {"presence"},
    nobody_and_nothing_said: {"presence"},
    one_left_out: {"presence"},
    duplicated_role: TakeError,
    shown_twice: {"presence"},
    a_stranger: {"presence"},
    planned_and_unplanned: {"presence"},
    starts_in_another_pose: {"start"},
}
