"""Several steps ahead: what is certain of others, what is only promised, and what was committed to before."""

from __future__ import annotations

import math

import numpy as np
import pytest

from walkon.crowd.live._kernels_checks import met_by
from walkon.crowd.live._kernels_memory import Setting
from walkon.crowd.live._kernels_people import NOTHING_MET, STOP_MET, WAY_MET, Neighbors
from walkon.crowd.live._kernels_search import FARTHEST_AHEAD, look_ahead

EAST = 0.5 * math.pi


@pytest.fixture
def pair(stage):
    """Anna walks along x, and Ben behind her the same way; both are well under way."""
    anna = stage.walker("anna", 0.0, 0.0, EAST, (30.0, 0.0), pose="walk")
    ben = stage.walker("ben", -3.0, 0.0, EAST, (30.0, 0.3), pose="walk")
    live = stage.live([anna, ben], bounds=(-6.0, -4.0, 32.0, 4.0))
    live.step(2.0)
    return live


def row_of(live, name):
    return next(person.row for person in live.people.values() if person.name == name)


def met_at(live, x, frame):
    """What a clip of standing still at x on Anna's way would meet of her, begun at a frame."""
    engine, anna = live._engine, row_of(live, "anna")
    table = engine.repertoire.table
    rest = int(table.poses["short_rests"][np.flatnonzero(table.poses["rests"])[0], 0])
    rims = np.array(engine.crew.bound[[anna]])
    others = Neighbors(engine.crew, engine.tracks, np.array([anna]), rims, 1, engine.gap)
    return met_by(np.array([x, 0.0, EAST]), frame, rest, table, others)


def test_the_way_of_others_is_certain_and_their_stop_only_promised(pair):
    engine, anna = pair._engine, row_of(pair, "anna")
    crew = engine.crew[anna]
    here, end = engine.place_of(anna)[0], engine.tracks[anna, crew.length - 1, 0]
    last = int(crew.first + crew.length - 1)
    assert met_at(pair, here, engine.frame) == WAY_MET
    assert met_at(pair, end, last + 5) == STOP_MET
    assert met_at(pair, here - 2.0, engine.frame) == NOTHING_MET
    # Who wants to be nowhere else stays where it comes to a stand.
    engine.crew.settled[anna] = True
    assert met_at(pair, end, last + 5) == WAY_MET


def looked(live, name, budget):
    """The clips of the way that somebody finds who looks at so many of them, and when it ends in a stop."""
    engine, row = live._engine, row_of(live, name)
    crowd, common, around, rules = engine.context()
    memory, result = engine.workspace.memory, np.zeros(6, dtype=np.int64)
    setting = Setting(common.table, around, common.land)
    number = look_ahead(row, budget, 0.0, crowd, setting, memory, rules, result)
    clips, frame = [], int(memory.nodes["frame"][number])
    while number > 0:
        clips.insert(0, int(memory.nodes["clip"][number]))
        number = int(memory.nodes["parent"][number])
    return clips, frame


def test_what_was_committed_to_is_kept_if_nothing_is_found(pair):
    crew = pair._engine.crew[row_of(pair, "ben")]
    clips, _ = looked(pair, "ben", 0)
    assert clips
    assert clips == crew.clips[1 : crew.count].tolist()


def test_who_looks_ahead_commits_to_more_than_a_step_but_not_to_too_much(pair):
    boundary = int(pair._engine.crew.boundary[row_of(pair, "ben")])
    clips, frame = looked(pair, "ben", 200)
    assert len(clips) >= 3
    assert boundary + 45 < frame <= boundary + FARTHEST_AHEAD
