"""What somebody has committed to is a promise: nothing is decided later that others could be met in."""

from __future__ import annotations

import math

import numpy as np
import pytest

from walkon.crowd.live._kernels_propose import AT_HOME
from walkon.crowd.live._kernels_tracks import bound_track
from walkon.crowd.live.crew import COMMITTED, GO, REST
from walkon.crowd.live.engine import LAST_CALL

FAR = 10**6


def forge(live, row, circles):
    """Make somebody keep circles (F, 3) from the next frame on, and never decide anything again."""
    crew, tracks = live._engine.crew, live._engine.tracks
    tracks[row, : len(circles), :3], tracks[row, : len(circles), 3:] = circles, (0.0, -1.0)
    crew.first[row], crew.length[row], crew.speed[row] = live.frame + 1, len(circles), 10.0
    crew.boundary[row] = crew.planned[row] = FAR
    bound_track(tracks[row], len(circles), crew.bound[row])


def least_gap(live, one, other, frames):
    crew, tracks = live._engine.crew, live._engine.tracks
    a, b = (tracks[row, np.clip(frames - crew.first[row], 0, crew.length[row] - 1)] for row in (one, other))
    return float((np.hypot(*(a - b)[:, :2].T) - a[:, 2] - b[:, 2]).min())


def passes_through_a_rest(live, row):
    """Whether somebody has committed to stand at its boundary, and to go on from there."""
    crew = live._engine.crew
    last = live._engine.tracks[row, crew.length[row] - 1, :3]
    return bool(
        crew.count[row] > 1
        and live.repertoire.table.poses["rests"][crew.pose[row]]
        and crew.boundary[row] - live.frame > 20
        and math.hypot(*(crew.end[row] - last)[:2]) > 0.8
    )


def test_who_promised_to_go_on_does_not_stay_where_another_will_come(stage):
    """Anna turns around to walk off. Ben was told she will, and comes to where she stood. Then she has no goal."""
    for heading in np.arange(1.6, 3.2, 0.2):
        anna = stage.walker("anna", 0.0, 0.0, heading, (0.0, 5.0))
        live = stage.live([anna, stage.walker("ben", 4.0, -4.0, 0.0)])
        if stage.until(live, lambda live=live: passes_through_a_rest(live, 0), 3.0):
            break
    else:
        pytest.skip("nobody turns first and then walks off: there is nothing to look at")
    crew, tracks = live._engine.crew, live._engine.tracks
    boundary, end = int(crew.boundary[0]), int(crew.first[0] + crew.length[0])
    away = np.array([4.0, -4.0, 0.3])
    here = np.array([*crew.end[0, :2], 0.25])
    # He comes when she has gone, as far as can be told from what she has committed to.
    frames = np.arange(boundary, end)
    rows = tracks[0, frames - crew.first[0], :3]
    gone = frames[np.hypot(*(rows - here)[:, :2].T) - rows[:, 2] - here[2] < 0.06].max() + 1
    assert gone < end
    forge(live, 1, np.array([away] * (gone - live.frame - 1) + [here]))
    assert least_gap(live, 0, 1, np.arange(live.frame + 1, end + 1)) >= 0.05
    live.set_goal(0, None)
    while live.frame < end:
        live.step()
        assert least_gap(live, 0, 1, np.arange(live.frame + 1, max(end, live.frame) + 400)) >= 0.05 - 1e-9


def test_a_longer_rest_is_not_taken_where_somebody_has_just_decided_to_pass(stage):
    live = stage.live([stage.walker("anna", 0.0, 0.0, 0.0, (0.0, 0.0)), stage.walker("ben", 3.0, 3.0, 0.0)])
    engine = live._engine
    crew, tracks, proposals = engine.crew, engine.tracks, engine._deciders.proposals
    at_home = lambda: bool(crew.settled[0]) and engine.frame - crew.home[0] > AT_HOME  # noqa: E731
    assert stage.until(live, lambda: at_home() and crew.planned[0] != crew.boundary[0], 20.0)
    proposals.row[:2] = 1, 0
    engine._deciders.propose(2, engine.frame, engine.context(), None)
    assert proposals.kind[1] == REST
    idle = proposals.track[1, : proposals.length[1], :3]
    rest = tracks[0, crew.length[0] - 1, :3]
    # The way in which the longer rest goes beyond the circle of all short ones, and somebody there.
    beyond = np.hypot(*(idle - rest)[:, :2].T) + idle[:, 2] - rest[2]
    assert beyond.max() > 0.01, "she does not take a longer rest: this test looks at nothing"
    way = (idle[beyond.argmax()] - rest)[:2]
    way /= np.hypot(*way)
    beside = np.array([*(rest[:2] + (rest[2] + 0.3 + 0.051) * way), 0.3])
    proposals.kind[0], proposals.good[0], proposals.length[0], proposals.speed[0] = GO, True, 2, 10.0
    proposals.track[0, :2, :3], proposals.track[0, :2, 3:] = (crew.bound[1], beside), (0.0, -1.0)
    bound_track(proposals.track[0], 2, proposals.bound[0])
    now = engine.frame
    engine._deciders.settle(2, now, now + LAST_CALL, engine.context())
    assert proposals.kind[0] == GO + COMMITTED
    # She takes a short rest instead, which stays in the circle that was hers already.
    first, stop = live.repertoire.table.poses["short_rests"][crew.pose[0]]
    assert first <= proposals.clips[1, 0] < stop
