"""How people get past each other: on the right where there is room, by going back where there is none."""

from __future__ import annotations

import math

import numpy as np
import pytest

from walkon.crowd.live._kernels_going import OUTDATED
from walkon.crowd.live._kernels_routes import REFUGE, Ways, find_refuge
from walkon.metrics import audit

ROOM = (-12.0, -6.0, 12.0, 6.0)


def _corridor(stage, width, length=10.0):
    """A corridor along x in the middle of a room."""
    deep = 6.0 - 0.5 * width
    return [stage.box(f"wall {side}", 0.0, side * 0.5 * (width + deep), length, deep) for side in (-1, 1)]


def _arrived(live):
    return bool(live.state().arrived.all())


def test_two_who_meet_head_on_pass_each_other_without_a_stop(stage):
    """Each turns a little to the right, while there is time."""
    east, west = math.pi / 2.0, -math.pi / 2.0
    people = [
        stage.walker("anna", -9.0, 0.0, east, (9.0, 0.0)),
        stage.walker("ben", 9.0, 0.0, west, (-9.0, 0.0), performer=1),
    ]
    live = stage.live(people, bounds=ROOM)
    assert stage.until(live, lambda: live.state().circles[0, 0] > live.state().circles[1, 0], 20.0)
    circles = live.state().circles
    assert circles[0, 1] > circles[1, 1], "x ahead, z to the right: who goes along x keeps to larger z"
    graph = live.performers[0].graph
    for who in (0, 1):
        clips, frames, _ = stage.segments(live, who)
        performer = live.repertoire.performer_of(int(clips[0]))
        played = [
            graph.names[graph.behavior_of(int(clip) - performer.first_clip)]
            for clip, frame in zip(clips, frames, strict=True)
            if frame <= live.frame
        ]
        assert not {"halt", "stop_walk", "hold"} & set(played), played


@pytest.mark.parametrize("width", [1.2, 1.4])
def test_where_there_is_room_for_one_somebody_goes_back(stage, width):
    people = [
        stage.walker("anna", -8.0, 0.0, math.pi / 2.0, (8.0, 1.5)),
        stage.walker("ben", 8.0, 0.0, -math.pi / 2.0, (-8.0, -1.5)),
    ]
    live = stage.live(people, _corridor(stage, width), bounds=ROOM)
    assert stage.until(live, lambda: _arrived(live), 180.0)
    assert live.dropped == {}
    assert audit(live.take()).violations == ()


def test_who_has_been_back_for_long_enough_goes_for_its_goal_again(stage):
    """The way back is no way to the goal: it does not outlast the retreat."""
    live = stage.live([stage.walker("anna", -8.0, 0.0, math.pi / 2.0, (8.0, 0.0))], bounds=ROOM)
    live.step(1.0)
    crew, row = live._engine.crew, live.people[0].row
    crew.retreating[row], crew.retreats_from[row] = live.frame + 2, row
    crew.corners[row, 0], crew.corner_count[row], crew.aim[row] = (-10.0, 5.0), 1, 0
    live.step(4.0)
    assert live.route(0)[-1].tolist() == [8.0, 0.0]
    assert stage.until(live, lambda: _arrived(live), 40.0)


@pytest.mark.parametrize(("age", "kept"), [(0, True), (OUTDATED + 1, False)])
def test_a_way_around_a_crowd_is_not_followed_for_ever(stage, age, kept):
    """The crowd has dispersed; one may walk about a corner that it cannot turn at without end."""
    live = stage.live([stage.walker("anna", -9.0, 0.0, math.pi / 2.0, (9.0, 0.0))], bounds=ROOM)
    live.step(OUTDATED / live.fps / 4.0)
    crew, row = live._engine.crew, live.people[0].row
    crew.corners[row, :2], crew.corner_count[row], crew.aim[row] = [(-11.0, 5.0), (9.0, 0.0)], 2, 0
    crew.around[row], crew.routed[row] = True, live.frame - age
    live.step(2.0)
    assert bool(crew.around[row]) == kept
    assert (live.route(0)[-2:, 0].min() < -10.0) == kept


def test_a_refuge_is_the_nearest_place_with_room_that_does_not_lead_past_the_other(stage):
    live = stage.live([], _corridor(stage, 1.2), bounds=ROOM)
    land, around = live._engine.surroundings.land, live._engine.surroundings.around
    scouting = live._engine._deciders.workspaces[0].scouting
    ways = Ways(land, scouting, around.raster, around.values, 0.4, 0.4)
    columns = land.room.shape[1]
    for x, other_x in ((-1.0, 0.0), (1.0, 0.0), (-1.0, -2.0), (3.0, 2.0)):
        cell = find_refuge(ways, x, 0.0, other_x, 0.0, 100_000)
        row, column = divmod(int(cell), columns)
        assert land.room[row, column] >= REFUGE
        spot = land.spots[row, column]
        assert math.copysign(1.0, spot[0] - x) == math.copysign(1.0, x - other_x), "away from the other"
        rows, cells = np.nonzero(land.room >= REFUGE)
        far = np.abs(land.spots[rows, cells] - [x, 0.0])
        on_this_side = (land.spots[rows, cells, 0] - x) * (x - other_x) > 0.0
        assert np.abs(spot - [x, 0.0]).sum() <= far[on_this_side].sum(axis=1).min() + 2.0 * land.cell
    # In between of two others there is nowhere to go: a dead end.
    assert find_refuge(ways, 0.0, 0.0, 0.0, 0.0, 10) == -1, "no more cells than it may look at"
