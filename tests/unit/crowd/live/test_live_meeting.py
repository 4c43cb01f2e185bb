"""Who meets whom, against loops over all frames; who is near, against everybody."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from walkon.crowd.live._kernels_people import (
    NOTHING_MET,
    STOP_MET,
    WAY_MET,
    Cells,
    Neighbors,
    clip_meets,
    comes_near,
    enter_cell,
    fill_cells,
    gather,
    guess_meets,
    rest_meets,
    stretch_cells,
    tracks_meet,
)
from walkon.crowd.live._kernels_tracks import bound_track
from walkon.crowd.live.crew import BODY, TRACK_ROOM, empty_crew
from walkon.motion.features.outlines import DIRECTIONS
from walkon.rotations.kernels_ground import Stand

GAP = 0.05
STEP = 2.0 * math.pi / DIRECTIONS
seeds = st.integers(0, 2**32 - 1)
often = settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], database=None
)


def random_track(rng, length, around, spread, table):
    """A body (length, BODY) that wanders through a region or shoots through it; the most it moves in a frame. Some
    are seen as circles, some by an outline."""
    if rng.random() < 0.5:
        steps = rng.normal(0.0, rng.choice([0.0, 0.02, 0.1]), (length, 2)) + rng.normal(0.0, 0.03, 2)
        places = around + rng.normal(0.0, spread, 2) + np.cumsum(steps, axis=0)
    else:
        # As fast as it can, straight on: whoever skips a frame too many misses it.
        steps = rng.normal(0.0, rng.choice([0.1, 0.4]), 2) * (np.arange(length)[:, None] - rng.integers(length))
        places = around + rng.normal(0.0, 0.3 * spread, 2) + steps
    row = float(rng.integers(table.resting)) if rng.random() < 0.6 else -1.0
    radius = table.circles[int(row), 2] if row >= 0 else 0.3
    body = np.tile([radius, rng.uniform(-math.pi, math.pi), row], (length, 1))
    moved = np.hypot(*np.diff(places, axis=0).T)
    return np.column_stack([places, body]), max(float(moved.max(initial=0.0)), 1e-6)


def committed(rng, table, first, length, around=(0.0, 0.0), spread=1.0, ends=False):
    """A crew in which row 1 has committed to a random track, and to be gone after it or to stay."""
    crew, tracks = empty_crew(2), np.zeros((2, TRACK_ROOM + 1, BODY))
    track, speed = random_track(rng, length, np.asarray(around), spread, table)
    tracks[1, :length] = track
    crew.here[1], crew.first[1], crew.length[1], crew.speed[1] = True, first, length, speed
    crew.ends[1] = ends
    bound_track(tracks[1], length, crew.bound[1])
    return crew, tracks


def at(track, length, first, frame):
    return track[min(frame - first, length - 1)]


def around(crew, tracks):
    """Those to be minded, as kernels know them."""
    return Neighbors(crew, tracks, np.ones(1, dtype=np.int64), np.array(crew.bound[1:]), 1, GAP)


def reach(body, table, angles):
    """How far (K,) [m] an outline reaches at angles (K,) of the world: a twin of what kernels read off tables."""
    supports = table.supports[int(body[4])].max(axis=0)
    turns = np.mod(angles - body[3], 2.0 * math.pi) / STEP
    low = np.minimum(turns.astype(int), DIRECTIONS - 1)
    share, far = (turns - low) * STEP, np.append(supports, supports[0])
    return (far[low] * np.sin(STEP - share) + far[low + 1] * np.sin(share)) / math.sin(STEP)


def gap_between(one, other, table):
    """What is between two bodies (BODY,) [m]: between circles, or the best that any direction of the first one's
    table leaves between outlines."""
    away = other[:2] - one[:2]
    circles = math.hypot(*away) - one[2] - other[2]
    if circles >= GAP or one[4] < 0 or other[4] < 0:
        return circles
    angles = one[3] + STEP * np.arange(DIRECTIONS)
    left = away[0] * np.sin(angles) + away[1] * np.cos(angles)
    left -= reach(one, table, angles) + reach(other, table, angles + math.pi)
    return float(left.max())


def agree(found, gaps, outlined):
    """Whether what a kernel found is what the least of all gaps says; on the edge either is right. Of outlines it
    tries a few directions, and may miss the one that leaves a gap: then they count as meeting."""
    least = min(gaps, default=math.inf)
    return abs(least - GAP) < 1e-6 or found == (least < GAP) or (outlined and found and least < GAP + 0.05)


@often
@given(seeds, st.integers(-80, 80), st.integers(1, 120), st.booleans())
def test_a_clip_meets_a_commitment_where_a_loop_says_so(table, seed, offset, length, ends):
    """The commitment may have ended before the clip, stay, or begin only while it plays."""
    rng = np.random.default_rng(seed)
    clip, begun = int(rng.integers(len(table.clips))), 1000
    x, z, heading = *rng.normal(0.0, 1.0, 2), rng.uniform(-math.pi, math.pi)
    sine, cosine = math.sin(heading), math.cos(heading)
    own = table.clips[clip]
    rows = own["first"] + np.arange(own["duration"])
    circles = table.circles[rows]
    mine = np.column_stack(
        [
            x + circles[:, 0] * cosine + circles[:, 1] * sine,
            z - circles[:, 0] * sine + circles[:, 1] * cosine,
            circles[:, 2],
            np.full(len(rows), heading),
            rows,
        ]
    )
    first = begun + offset
    crew, tracks = committed(
        rng, table, first, length, around=mine[rng.integers(len(mine)), :2], spread=0.7, ends=ends
    )
    others, (aside, ahead, reach_of_clip) = around(crew, tracks), own["bound"]
    middle = x + aside * cosine + ahead * sine, z - aside * sine + ahead * cosine
    found = NOTHING_MET
    if comes_near(others, 0, *middle, reach_of_clip):
        found = clip_meets(Stand(x, z, sine, cosine), begun, clip, table, others, 1)
    gaps = [
        gap_between(mine[frame], at(tracks[1], length, first, begun + frame), table)
        for frame in range(len(mine))
        if begun + frame >= first and not (ends and begun + frame >= first + length)
    ]
    assert agree(found != NOTHING_MET, gaps, tracks[1, 0, 4] >= 0)
    if found != NOTHING_MET:
        # The first frame in which they meet is on the way there, or after it.
        close = [gap < GAP + 0.05 for gap in gaps]
        moving = [begun + frame < first + length - 1 for frame in range(len(mine)) if begun + frame >= first]
        on_the_way = any(near and moves for near, moves in zip(close, moving, strict=False))
        assert found != WAY_MET or on_the_way
        met = [gap < GAP - 1e-6 for gap in gaps]
        assert found != STOP_MET or not any(near and moves for near, moves in zip(met, moving, strict=False))


@often
@given(seeds, st.integers(-150, 150), st.integers(1, 120), st.booleans())
def test_who_stays_meets_a_commitment_where_a_loop_says_so(table, seed, offset, length, ends):
    rng = np.random.default_rng(seed)
    crew, tracks = committed(rng, table, 1000, length, ends=ends)
    resting = random_track(rng, 1, np.zeros(2), 1.0, table)[0][0]
    others = around(crew, tracks)
    found = comes_near(others, 0, *resting[:3]) and rest_meets(resting, 1000 + offset, table, others, 1)
    frames = range(max(1000 + offset, 1000), 1000 + length if ends else max(1000 + offset, 1000) + length + 1)
    gaps = [gap_between(resting, at(tracks[1], length, 1000, frame), table) for frame in frames]
    assert agree(found, gaps, min(tracks[1, 0, 4], resting[4]) >= 0)


@often
@given(seeds, st.integers(-150, 150), st.integers(1, 120), st.integers(1, 120), st.booleans(), st.booleans())
def test_two_tracks_meet_where_a_loop_says_so(table, seed, offset, length, other_length, ends, other_ends):
    """Whoever ends first stays while the other goes on, or is gone."""
    rng = np.random.default_rng(seed)
    crew, tracks = committed(rng, table, 1000, other_length, ends=other_ends)
    own, speed = random_track(rng, length, np.zeros(2), 1.0, table)
    track, bound, first = np.zeros((TRACK_ROOM + 1, BODY)), np.empty(3), 1000 + offset
    track[:length] = own
    bound_track(track, length, bound)
    found = tracks_meet(track, first, length, ends, speed, bound, crew, tracks, 1, table, GAP)
    last = [first + length] * ends + [1000 + other_length] * other_ends
    frames = range(max(first, 1000), min(last, default=max(first + length, 1000 + other_length) + 1))
    gaps = [gap_between(at(track, length, first, f), at(tracks[1], other_length, 1000, f), table) for f in frames]
    assert agree(found, gaps, min(tracks[1, 0, 4], track[0, 4]) >= 0)


def test_a_commitment_that_only_begins_later_is_not_met_before(table):
    """Somebody who appears at frame 1050 where a walker was at frame 1000 is in nobody's way."""
    crew, tracks = committed(np.random.default_rng(0), table, 1050, 1, spread=0.0)
    track, bound = np.zeros((TRACK_ROOM + 1, BODY)), np.empty(3)
    track[:60] = [tracks[1, 0] + [0.1 * frame, 0.0, 0.0, 0.0, 0.0] for frame in range(60)]
    bound_track(track, 60, bound)
    assert not tracks_meet(track, 1000, 60, False, 0.1, bound, crew, tracks, 1, table, GAP)
    assert tracks_meet(track, 1048, 60, False, 0.1, bound, crew, tracks, 1, table, GAP)


@often
@given(seeds)
def test_guessed_ways_meet_where_fine_steps_say_so(seed):
    rng = np.random.default_rng(seed)
    crew = empty_crew(2)
    crew.guess[1] = *rng.normal(0.0, 1.0, 2), *rng.normal(0.0, 0.04, 2), 90, 0.36
    x0, z0, x1, z1 = rng.normal(0.0, 1.5, 4)
    duration = int(rng.integers(1, 60))
    times = np.linspace(0.0, duration, 2000)[:, None]
    mine = np.array([x0, z0]) + times / duration * np.array([x1 - x0, z1 - z0])
    theirs = crew.guess[1, :2] + (100 - 90 + times) * crew.guess[1, 2:4]
    least = float(np.hypot(*(mine - theirs).T).min())
    if abs(least - 0.72) > 2e-3:
        assert guess_meets(x0, z0, x1, z1, 100, duration, crew, 1, 0.36) == (least < 0.72)


def cells_for(count, size=20.0, cell=4.0):
    shape = (int(size / cell) + 1,) * 2
    return Cells(
        -size / 2,
        -size / 2,
        cell,
        np.full(shape, -1, dtype=np.int32),
        np.full(count, -1, dtype=np.int32),
        np.zeros((count, 2)),
        np.zeros(1),
    )


@often
@given(seeds, st.integers(1, 40))
def test_all_who_are_near_are_gathered_and_nobody_else(seed, count):
    """Also those beyond the edge, those who came after the cells were filled, and those who committed since."""
    rng = np.random.default_rng(seed)
    crew, cells = empty_crew(count), cells_for(count)
    crew.here[:] = rng.random(count) < 0.8
    crew.bound[:] = np.column_stack([rng.uniform(-14.0, 14.0, (count, 2)), rng.uniform(0.2, 4.0, count)])
    fill_cells(crew, cells)
    for row in range(count):
        kind = rng.random()
        if crew.here[row] and kind < 0.3:
            crew.bound[row, :2] += rng.normal(0.0, 4.0, 2)
            crew.bound[row, 2] = rng.uniform(0.2, 6.0)
            stretch_cells(crew, cells, row)
        elif not crew.here[row] and kind < 0.3:
            crew.here[row] = True
            enter_cell(crew, cells, row)
    x, z, radius, own = *rng.uniform(-12.0, 12.0, 2), rng.uniform(0.0, 5.0), int(rng.integers(count))
    found = np.zeros(64, dtype=np.int64)
    number = gather(crew, cells, own, x, z, radius, found)
    away = np.hypot(crew.bound[:, 0] - x, crew.bound[:, 1] - z) - crew.bound[:, 2]
    expected = [row for row in range(count) if crew.here[row] and row != own and away[row] <= radius]
    assert sorted(found[:number]) == expected


@pytest.mark.parametrize(("room", "said"), [(2, 3), (3, 3), (5, 3)])
def test_too_many_to_be_gathered_are_said_to_be(room, said):
    crew, cells = empty_crew(4), cells_for(4)
    crew.here[:] = True
    crew.bound[:] = [0.0, 0.0, 0.3]
    fill_cells(crew, cells)
    found = np.zeros(room, dtype=np.int64)
    assert gather(crew, cells, 0, 0.0, 0.0, 1.0, found) == said
