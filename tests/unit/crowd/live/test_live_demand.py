"""People who set off later, and at their own pace: what a live crowd is told about it."""

from __future__ import annotations

import numpy as np

from walkon.crowd.live import Live, Log, replay
from walkon.world import Goal


def test_somebody_stands_until_its_premovement_time_is_over(stage):
    late = stage.walker("late", -3.0, 0.0, np.pi / 2, (3.0, 0.0), premovement=2.0)
    live = stage.live([late])
    live.step(1.9)
    x, z, _ = live._engine.place_of(0)
    assert np.hypot(x + 3.0, z) < 0.1
    assert live.people[0].goal == Goal(3.0, 0.0)
    assert 0.0 < live.scene.characters[0].premovement < 0.2
    assert stage.until(live, lambda: bool(live.people[0].reached), 15.0)
    assert live.frame > 60


def test_somebody_sent_elsewhere_goes_at_once_and_the_log_says_the_same(stage):
    late = stage.walker("late", -3.0, 0.0, np.pi / 2, (3.0, 0.0), premovement=30.0)
    scene = stage.scene([late])
    live = Live(scene, workers=1)
    live.step(0.5)
    live.set_goal(0, Goal(-3.0, 3.0))
    assert stage.until(live, lambda: bool(live.people[0].reached), 15.0)
    again = replay(scene, Log.from_json(live.log.to_json()), workers=1)
    assert again._engine.place_of(0) == live._engine.place_of(0)


def test_the_engine_knows_how_fast_everybody_likes_to_walk_and_they_share_a_graph(stage):
    live = stage.live(
        [stage.walker("a", -3.0, 0.0, 0.0, (3.0, 0.0), speed=0.8), stage.walker("b", -3.0, 2.0, 0.0, (3.0, 2.0))]
    )
    assert live._engine.crew.pace[0] == 0.8
    assert np.isnan(live._engine.crew.pace[1])
    assert len(live.performers) == 1
