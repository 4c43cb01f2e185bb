"""Somebody of another cast comes while the crowd walks: the repertoire grows, and all who read it must know."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numba import njit

from walkon.crowd.live import Live
from walkon.errors import SceneError
from walkon.metrics import audit, measure
from walkon.world import HeightField, Scene


@njit
def clips_known(scenery):
    return len(scenery.moves.durations)


def test_old_numbers_stand_when_another_performer_comes(stage):
    live = stage.live([stage.walker("anna", -4.0, 0.0, 1.57, (4.0, 0.0))])
    live.step(1.0)
    before, clips = live.repertoire, len(live.repertoire.table.clips)
    live.add(stage.walker("ben", 0.0, -4.0, 0.0, (0.0, 4.0), performer=1))
    after = live.repertoire
    assert len(live.performers) == 2
    assert live.performers[1].first_clip == clips < len(after.table.clips)
    assert live.people[1].performer == 1
    for name in ("clips", "behaviors"):
        old, new = getattr(before.table, name), getattr(after.table, name)
        np.testing.assert_array_equal(old, new[: len(old)])
    assert after.performer_of(clips - 1) is live.performers[0]
    assert after.performer_of(clips) is live.performers[1]
    assert stage.until(live, lambda: bool(live.state().arrived.all()), 30.0)
    used = live.history()
    assert (used.clips[used.starts[0] : used.starts[1]] < clips).all()
    assert (used.clips[used.starts[1] : used.starts[2]] >= clips).all()
    stage.assert_sound(live)
    assert audit(live.take()).violations == ()


def test_what_moves_is_checked_against_the_clips_of_newcomers_too(stage):
    live = stage.live([stage.walker("anna", -4.0, 0.0, 0.0)])
    live.add(stage.walker("ben", 0.0, -4.0, 0.0, performer=1))
    assert clips_known(live._engine.surroundings.around.scenery) == len(live.repertoire.table.clips)


def test_on_a_slope_people_keep_room_and_who_cannot_walk_it_is_sent_away(stage):
    rise = HeightField(-8.0, -8.0, 16.0, np.array([[0.0, 3.2], [0.0, 3.2]]))
    people = tuple(
        stage.walker(f"p{k}", 3.0 * side, 0.8 * k - 1.6, -side * 1.57, (-3.0 * side, 0.8 * k - 1.6))
        for k in range(5)
        for side in (1 if k % 2 else -1,)
    )
    live = Live(Scene("slope", (-8.0, -8.0, 8.0, 8.0), rise, (), people))
    live.step(12.0)
    assert audit(live.take()).violations == ()
    with pytest.raises(SceneError, match=r"walks slopes up to 0\.10"):
        live.add(replace(stage.walker("wheels", 0.0, -6.0, 0.0), library="skateboarder"))
    live.close()


def test_whoever_left_at_its_goal_has_arrived_in_the_take(stage):
    people = [replace(stage.walker(f"p{k}", 2.0 * k, -4.0, 0.0, (2.0 * k, 3.0)), at_goal="leave") for k in (-1, 1)]
    live = stage.live([*people, stage.walker("far", -5.0, -5.0, 0.0, (5.0, 5.0))])
    live.step(8.0)
    take = live.take()
    report = audit(take)
    assert report.violations == ()
    assert [role.arrival is not None for role in take.roles] == [True, True, False]
    summary = measure(take, audited=report).summary()
    assert summary["people"] == 3.0
    assert summary["arrived"] == pytest.approx(2 / 3)
