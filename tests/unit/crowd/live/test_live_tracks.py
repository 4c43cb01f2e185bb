"""The circles of a commitment, how time goes through it, and whom a changed world concerns."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from walkon.crowd.live._kernels_checks import after
from walkon.crowd.live._kernels_commit import advance, begin_segment, look_again, track_is_clear
from walkon.crowd.live._kernels_tracks import bound_track, lay_track
from walkon.crowd.live.crew import BODY, SEGMENTS, TRACK_ROOM, empty_crew
from walkon.crowd.live.engine import EVERYWHERE
from walkon.motion.features.outlines import outline_corners
from walkon.rotations import Placement

often = settings(
    max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], database=None
)
seeds = st.integers(0, 2**32 - 1)


def random_chain(rng, table, most=4):
    """Clips, frames and places of a way through the graph that ends in a rest."""
    pose = int(rng.choice(np.flatnonzero(table.poses["follower_stop"] > table.poses["follower_start"])))
    place, frame, rows = Placement(*rng.normal(0.0, 2.0, 2), rng.uniform(-3.0, 3.0)), int(rng.integers(500)), []
    while len(rows) < most or not table.poses["rests"][pose]:
        own = table.poses[pose]
        behavior = int(rng.choice(table.followers[own["follower_start"] : own["follower_stop"]]))
        if len(rows) >= most:
            behavior = int(own["stop"])
        clip = int(rng.integers(*table.behaviors[behavior][["clip_start", "clip_stop"]].tolist()))
        rows.append((clip, frame, (place.x, place.z, place.heading)))
        place = place @ Placement(*table.clips["displacement"][clip])
        frame, pose = frame + int(table.clips["duration"][clip]), int(table.clips["exit"][clip])
    clips, frames, places = zip(*rows, strict=True)
    return np.array(clips), np.array(frames), np.array(places), frame, place, pose


def in_world(place, circle):
    at = Placement(*place) @ Placement(circle[0], circle[1], 0.0)
    return [at.x, at.z, circle[2]]


def naive_track(table, chain, now):
    clips, frames, places, end, rest, pose = chain
    rows = []
    for frame in range(now, end):
        segment = int(np.searchsorted(frames, frame, side="right")) - 1
        row = int(table.clips["first"][clips[segment]]) + frame - int(frames[segment])
        rows.append([*in_world(places[segment], table.circles[row]), places[segment][2], row])
    resting = in_world((rest.x, rest.z, rest.heading), table.poses["rest_circle"][pose])
    return np.array([*rows, [*resting, rest.heading, table.resting + pose]])


def reaches(table, track):
    """How far (F, K) [m] bodies reach in directions of the world, from its origin."""
    angles = np.arange(96) * math.pi / 48.0
    corners = [outline_corners(table.supports[int(row)].max(axis=0).astype(float)) for row in track[:, 4]]
    aside, ahead = np.moveaxis(np.array(corners), -1, 0)
    sine, cosine = np.sin(track[:, 3:4]), np.cos(track[:, 3:4])
    x, z = track[:, :1] + aside * cosine + ahead * sine, track[:, 1:2] - aside * sine + ahead * cosine
    return (x[:, :, None] * np.sin(angles) + z[:, :, None] * np.cos(angles)).max(axis=1)


@often
@given(seeds, st.floats(0.0, 1.1))
def test_a_track_has_the_body_of_every_frame_and_the_rest(table, seed, share):
    chain = random_chain(np.random.default_rng(seed), table, most=3)
    clips, frames, places, end = chain[:4]
    now = int(frames[0] + share * (end - frames[0]))
    track = np.zeros((TRACK_ROOM + 1, BODY))
    length, speed = lay_track(clips, frames, places, len(clips), now, table, track)
    expected = naive_track(table, chain, now)
    if len(expected) > TRACK_ROOM:
        assert length == -1
        return
    assert length == len(expected)
    turned = np.abs(np.remainder(track[:length, 3] - expected[:, 3] + 1.0, 2.0 * math.pi) - 1.0)
    assert turned.max() < 1e-9
    np.testing.assert_allclose(track[:length, [0, 1, 2, 4]], expected[:, [0, 1, 2, 4]], atol=1e-9)
    moved = np.abs(np.diff(reaches(table, expected), axis=0)).max(initial=0.0)
    assert moved <= speed + 1e-6, "whoever trusts the speed would skip a frame in which they meet"
    bound = np.empty(3)
    bound_track(track, length, bound)
    reach = np.hypot(expected[:, 0] - bound[0], expected[:, 1] - bound[1]) + expected[:, 2]
    assert bound[2] == pytest.approx(reach.max())


def test_there_is_no_room_for_a_track_that_is_too_long(table):
    clip = int(np.argmax(table.clips["duration"]))
    duration = int(table.clips["duration"][clip])
    clips, frames = np.array([clip, clip]), np.array([0, duration])
    track = np.full((duration + 10, BODY), np.nan)
    assert lay_track(clips, frames, np.zeros((2, 3)), 2, 0, table, track)[0] == -1
    assert lay_track(clips, frames, np.zeros((2, 3)), 2, duration, table, track)[0] == duration + 1


@often
@given(seeds)
def test_a_displacement_leads_where_placements_say(table, seed):
    rng = np.random.default_rng(seed)
    place, displacement, out = rng.normal(0.0, 4.0, 3), rng.normal(0.0, 4.0, 3), np.empty(3)
    after(place, displacement, out)
    expected = Placement(*place) @ Placement(*displacement)
    np.testing.assert_allclose(out[:2], (expected.x, expected.z), atol=1e-12)
    assert abs(out[2]) <= math.pi + 1e-12
    assert abs(math.remainder(out[2] - expected.heading, 2.0 * math.pi)) < 1e-9


@settings(often, max_examples=25)
@given(seeds)
def test_segments_begin_one_after_another_at_their_frames(table, seed):
    """Every segment begins once, at its frame; the boundary is where it ends, and who is near to one is due."""
    clips, frames, places, end, _, _ = random_chain(np.random.default_rng(seed), table)
    crew, count, lead = empty_crew(3), len(clips), 16
    crew.here[1], crew.count[1] = True, count
    assert count <= SEGMENTS
    crew.clips[1, :count], crew.frames[1, :count], crew.places[1, :count] = clips, frames, places
    begin_segment(1, crew, table)
    started, due, arrived = (
        np.zeros((3, 3), dtype=np.int64),
        np.zeros(3, dtype=np.int64),
        np.zeros(3, dtype=np.int64),
    )
    begun = [(int(clips[0]), int(frames[0]))]
    for now in range(int(frames[0]), end + 1):
        starts, dues, _ = advance(now, (lead, lead), 4, crew, table, started, due, arrived)
        begun += [(int(row[1]), int(row[2])) for row in started[:starts] if row[0] == 1 and row[2] == now]
        segment = min(int(np.searchsorted(frames, now, side="right")) - 1, count - 1)
        assert crew.count[1] == count - segment
        assert crew.boundary[1] == (frames[segment + 1] if segment + 1 < count else end)
        assert crew.pose[1] == table.clips["exit"][clips[segment]]
        if segment + 1 < count:
            np.testing.assert_allclose(crew.end[1, :2], places[segment + 1, :2], atol=1e-9)
        left = int(crew.boundary[1]) - now
        assert dues == 0 or left <= lead
        assert dues == 1 or left > lead
        np.testing.assert_allclose(crew.places[1, 0], places[segment])
    assert begun == list(zip(clips.tolist(), frames.tolist(), strict=True))


def test_whoever_has_decided_is_not_due_and_whoever_is_in_a_hurry_is(table):
    crew = empty_crew(2)
    walk = int(np.flatnonzero(table.clips["duration"] > 60)[0])
    crew.here[:], crew.count[:], crew.clips[:, 0] = True, 1, walk
    for row in range(2):
        begin_segment(row, crew, table)
    started, due, arrived = (
        np.zeros((2, 3), dtype=np.int64),
        np.zeros(2, dtype=np.int64),
        np.zeros(2, dtype=np.int64),
    )
    crew.hurry[1] = True
    assert advance(1, (16, 16), 4, crew, table, started, due, arrived)[1] == 1
    assert due[0] == 1
    crew.planned[:] = crew.boundary
    assert advance(int(crew.boundary[0]) - 1, (16, 16), 4, crew, table, started, due, arrived)[1] == 0


def rim_to_box(circles, x, z, half):
    """Gaps (F,) [m] between circles (F, 3) and an upright square box."""
    out = np.maximum(np.abs(circles[:, :2] - (x, z)) - half, 0.0)
    return np.hypot(*out.T) - circles[:, 2]


def expected_hit(live, row, x, z, half, now):
    """0, 1 or 2 as look_again has it, by exact distances; None where the grid may say either."""
    crew, table = live._engine.crew, live.repertoire.table
    for segment in range(int(crew.count[row])):
        clip = table.clips[crew.clips[row, segment]]
        passed = min(max(now - int(crew.frames[row, segment]), 0), int(clip["duration"]))
        rows = table.circles[clip["first"] + passed : clip["first"] + clip["duration"] + 1]
        least = rim_to_box(np.array([in_world(crew.places[row, segment], r) for r in rows]), x, z, half).min()
        if abs(least - 0.05) < 0.12:
            return None
        if least < 0.05:
            return 1 if segment == 0 else 2
    resting = live._engine.tracks[row, int(crew.length[row]) - 1 : int(crew.length[row])]
    least = rim_to_box(resting, x, z, half)[0]
    return None if abs(least - 0.05) < 0.12 else (2 if least < 0.05 else 0)


def hits_of(stage, live, x, z, half, where=None):
    """What look_again says of everybody if a box were put somewhere; nothing is changed for good. where: to look
    at, instead of around the box."""
    engine = live._engine
    scene = stage.scene((), [stage.box("box", x, z, 2 * half, 2 * half)])
    around = engine.surroundings.after(scene, live.repertoire.moves)
    assert around.changed is not None, "it is known where"
    crew, hit = engine.crew.copy(), np.zeros(len(engine.crew), dtype=np.int64)
    look_again(
        engine.frame,
        crew,
        engine.tracks,
        engine.repertoire.table,
        around.around,
        around.changed if where is None else where,
        hit,
    )
    return hit, crew


@pytest.fixture(scope="module")
def passers_by(stage):
    """Somebody walks, somebody stands; in the middle of a clip."""
    live = stage.live([stage.walker("walks", 0.0, -5.0, 0.0, (0.0, 5.0)), stage.walker("stands", -3.0, 0.0, 0.0)])
    live.step(4.0)
    assert stage.until(live, lambda: 14 < live.frame - live._engine.crew.frames[0, 0] < 20, 5.0)
    return live


def test_a_changed_world_concerns_those_whose_way_it_blocks(stage, passers_by):
    live, kinds = passers_by, set()
    where = live.state().circles[0, 1]
    # Ahead and to the sides: what was behind in the clip that is playing is another matter.
    for x, z in [
        *((0.0, where + ahead) for ahead in np.arange(0.0, 4.0, 0.25)),
        (-3.0, 0.0),
        (-3.0, 0.9),
        (4.0, 0.0),
    ]:
        hit, crew = hits_of(stage, live, x, z, 0.15)
        for row in range(2):
            expected = expected_hit(live, row, x, z, 0.15, live.frame)
            if expected is not None:
                assert hit[row] == expected, (x, z, row)
                kinds.add((row, expected))
                assert crew.hurry[row] == (expected > 0)
                assert crew.struck[row] == (expected == 1)
                assert crew.planned[row] == -1 or expected == 0
    assert {(0, 0), (0, 1), (0, 2), (1, 0), (1, 1)} <= kinds


def test_who_is_far_from_a_change_need_not_be_looked_at(stage):
    corners = [(x, z) for x in (-5.0, 0.0, 5.0) for z in (-5.0, 0.0, 5.0)]
    live = stage.live([stage.walker(f"one {x} {z}", x, z, 0.0, (0.8 * z, -0.8 * x)) for x, z in corners])
    live.step(2.0)
    hits = 0
    for x, z, _ in live.state().circles:
        near, all_of_it = (hits_of(stage, live, x, z, 0.2, where)[0] for where in (None, EVERYWHERE))
        assert np.array_equal(near, all_of_it)
        hits += np.count_nonzero(near)
    assert hits >= len(corners)


def test_what_is_put_where_somebody_was_before_concerns_nobody(stage, passers_by):
    place = passers_by._engine.crew.places[0, 0]
    assert expected_hit(passers_by, 0, place[0], place[1] - 0.1, 0.1, passers_by.frame) == 0
    assert hits_of(stage, passers_by, place[0], place[1] - 0.1, 0.1)[0][0] == 0


def discs(circles):
    """Circles (F, 3) as bodies of which no outline is seen."""
    return np.column_stack([circles, np.zeros(len(circles)), np.full(len(circles), -1.0)])


@pytest.mark.parametrize(("x", "clear"), [(0.0, True), (2.0, False), (-2.2, True), (5.9, False)])
def test_a_track_is_clear_of_boxes_and_of_the_edge(stage, x, clear):
    live = stage.live([], [stage.box("box", 2.5, 0.0)])
    track = discs([[0.0, 0.0, 0.3], [x, 0.0, 0.3]])
    assert track_is_clear(track, 2, 0, live.repertoire.table, live._engine.surroundings.around) == clear


def test_a_track_is_not_clear_where_something_will_come_by_later(stage):
    """A cart crosses x = 0 from frame 60 on: one may be there before, but not stay."""
    cart = stage.box("cart", 0.0, 0.0)
    places = np.stack([np.linspace(-5.0, 5.0, 121), np.zeros(121), np.zeros(121)], axis=1)
    cart = type(cart)("cart", cart.shape, places, np.tile(cart.rotations, (121, 1)))
    live = stage.live([], [cart])
    table, around = live.repertoire.table, live._engine.surroundings.around
    passing = discs([[0.0, 0.0, 0.3], [0.0, 3.0, 0.3]])
    assert track_is_clear(passing, 2, 0, table, around)
    assert not track_is_clear(passing, 2, 60, table, around)
    assert not track_is_clear(passing[:1], 1, 0, table, around)
    assert track_is_clear(passing[:1], 1, 90, table, around)
