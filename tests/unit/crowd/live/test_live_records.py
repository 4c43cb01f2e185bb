"""What is kept: decisions as they come, everything that was begun, and where things stood."""

from __future__ import annotations

import numpy as np

from walkon.crowd.live.commits import CommitPile, Commits, Diary, join_commits
from walkon.crowd.live.obstacles import LiveObstacles
from walkon.world import Box, Obstacle, Sphere

UPRIGHT = np.array([[1.0, 0.0, 0.0, 0.0]])


def decisions(who, lengths, first=0):
    total = sum(lengths)
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    numbers = np.arange(first, first + total)
    return Commits(
        np.array(who), starts, numbers, 10 * numbers, np.repeat(numbers[:, None], 3, axis=1).astype(float)
    )


def test_decisions_are_joined_one_after_another():
    joined = join_commits([decisions([4, 2], [2, 1]), decisions([], [], 3), decisions([7], [3], 3)])
    assert len(joined) == 3
    assert joined.who.tolist() == [4, 2, 7]
    assert joined.starts.tolist() == [0, 2, 3, 6]
    assert joined.clips.tolist() == list(range(6))
    assert joined.frames.tolist() == list(range(0, 60, 10))
    np.testing.assert_array_equal(joined.placements[:, 2], np.arange(6.0))
    empty = join_commits([])
    assert len(empty) == 0
    assert empty.starts.tolist() == [0]
    assert empty.placements.shape == (0, 3)


def test_a_pile_is_empty_once_taken_and_never_grows_without_end():
    pile = CommitPile(most=5)
    for first in range(0, 20, 2):
        pile.add(decisions([first], [2], first))
    taken = pile.take()
    assert taken.who.tolist() == [16, 18], "the oldest go"
    assert len(pile.take()) == 0
    pile.add(decisions([1], [1]))
    assert pile.take().who.tolist() == [1]


def test_a_diary_keeps_all_that_is_written():
    diary, rng, written = Diary(), np.random.default_rng(0), []
    for _ in range(60):
        count = int(rng.integers(0, 90))
        numbers, places = rng.integers(0, 99, (count, 3)), rng.normal(size=(count, 3))
        diary.write(numbers[:, 0], numbers[:, 1], numbers[:, 2], places)
        written.append(np.column_stack([numbers, places]))
    everything = np.concatenate(written)
    assert len(diary) == len(everything) > 2048
    who, clips, frames, places = diary.read()
    np.testing.assert_array_equal(np.column_stack([who, clips, frames, places]), everything)


def test_what_is_drained_piece_by_piece_is_what_was_played(stage):
    """A listener who knows only decisions plays the same clips at the same frames and places."""
    people = [stage.walker(f"p{k}", -4.0 + 2 * k, -5.0, 0.0, (4.0 - 2 * k, 5.0)) for k in range(5)]
    live = stage.live(people)
    heard: dict[int, list] = {}
    for _ in range(40):
        live.step(0.25)
        commits = live.drain()
        for m, who in enumerate(commits.who.tolist()):
            rows = range(int(commits.starts[m]), int(commits.starts[m + 1]))
            new = [(int(commits.frames[s]), int(commits.clips[s]), *commits.placements[s].tolist()) for s in rows]
            assert new[0][0] >= live.frame - 8, "a decision about what was played long ago"
            heard[who] = [old for old in heard.get(who, []) if old[0] < new[0][0]] + new
    who, clips, frames, places = live._engine.diary.read()
    for number in live.people:
        own = who == number
        played = list(zip(frames[own].tolist(), clips[own].tolist(), *places[own].T.tolist(), strict=True))
        assert [row for row in heard[number] if row[0] <= live.frame] == played
        clips_ahead, frames_ahead, _ = stage.segments(live, number)
        assert [row[:2] for row in heard[number]] == list(
            zip(frames_ahead.tolist(), clips_ahead.tolist(), strict=True)
        )


def box(name="box", x=0.0, shape=None, frames=1, **more):
    places = np.stack([x + np.arange(float(frames)), np.zeros(frames), np.zeros(frames)], axis=1)
    return Obstacle(name, shape or Box(1.0, 1.0, 1.0), places, np.repeat(UPRIGHT, frames, axis=0), **more)


def where(thing, frame):
    """Place of a thing at a frame, or None while it is below the ground."""
    place = thing.positions[min(frame, len(thing.positions) - 1)]
    return None if place[1] < -100.0 else float(place[0])


def test_what_was_never_touched_is_told_as_it_is():
    things, thing = LiveObstacles(), box()
    things.put(0, thing)
    assert things.ever(50) == (thing,)


def test_what_was_put_elsewhere_sinks_and_rises():
    things, shape = LiveObstacles(), Box(1.0, 1.0, 1.0)
    things.put(0, box(shape=shape, x=1.0))
    things.put(10, box(shape=shape, x=5.0))
    things.put(20, box(shape=shape, x=2.0))
    (told,) = things.ever(50)
    seen = [where(told, frame) for frame in range(50)]
    assert seen == [1.0] * 10 + [None] + [5.0] * 9 + [None] + [2.0] * 29
    assert [where(things.ever(15)[0], frame) for frame in range(15)] == seen[:15]
    # What was put twice in one frame is where it was put last.
    things.put(20, box(shape=shape, x=9.0))
    (told,) = things.ever(50)
    assert [where(told, frame) for frame in (19, 20, 21, 49)] == [5.0, None, 9.0, 9.0]


def test_what_comes_later_and_goes_is_only_there_in_between():
    things = LiveObstacles()
    things.put(10, box(x=3.0))
    things.strike(30, "box")
    (told,) = things.ever(50)
    assert [where(told, frame) for frame in range(50)] == [None] * 10 + [3.0] * 20 + [None] * 20
    assert things.ever(5) == ()


def test_what_moves_goes_on_from_the_frame_it_was_put_at():
    things = LiveObstacles()
    things.put(10, box(x=0.0, frames=6))
    (told,) = things.ever(40)
    assert [where(told, frame) for frame in (9, 10, 13, 15, 39)] == [None, 0.0, 3.0, 5.0, 5.0]


def test_another_thing_of_the_same_name_is_another_thing():
    things = LiveObstacles()
    things.put(0, box(x=1.0))
    things.strike(10, "box")
    things.put(20, box(x=2.0, shape=Sphere(0.5)))
    first, second = things.ever(40)
    assert len({first.name, second.name}) == 2
    assert isinstance(second.shape, Sphere)
    assert [where(first, frame) for frame in (9, 10, 20, 39)] == [1.0, None, None, None]
    assert [where(second, frame) for frame in (9, 19, 20, 39)] == [None, None, 2.0, 2.0]


def test_what_is_struck_and_put_elsewhere_in_one_frame_sinks_first():
    things, shape = LiveObstacles(), Box(1.0, 1.0, 1.0)
    things.put(0, box(shape=shape, x=1.0))
    things.strike(10, "box")
    things.put(10, box(shape=shape, x=5.0))
    (told,) = things.ever(50)
    assert [where(told, frame) for frame in (9, 10, 11)] == [1.0, None, 5.0]
