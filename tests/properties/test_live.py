"""Whatever a live crowd is asked to do, nobody touches anybody or anything: the audit says so, not the engine.

`WALKON_LIVE_SCENES` is how many random scenes are tried of each kind.
"""

from __future__ import annotations

import math
import os

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from walkon.crowd.live import Live, Log, replay
from walkon.errors import SceneError
from walkon.metrics import audit
from walkon.motion.features.outlines import outline_corners
from walkon.rotations import Placement
from walkon.world import Box, Capsule, Character, Cylinder, Goal, Obstacle, Scene, flat_terrain

SCENES = int(os.environ.get("WALKON_LIVE_SCENES", "12"))
SECONDS = 7
often = settings(max_examples=SCENES, deadline=None, database=None)
seeds = st.integers(0, 2**32 - 1)


def turned(heading):
    return [[math.cos(heading / 2), 0.0, math.sin(heading / 2), 0.0]]


def standing(rng, name, x, z):
    size = rng.uniform(0.3, 1.6, 2)
    shape = Box(size[0], 2.0, size[1]) if rng.random() < 0.6 else Cylinder(0.5 * size[0], 2.0)
    return Obstacle(name, shape, [[x, 0.0, z]], turned(rng.uniform(0.0, 3.0)))


def sliding(rng, half):
    """A post that slides to and fro, all the time."""
    start, goal = rng.uniform(-half, half, (2, 2))
    share = 0.5 - 0.5 * np.cos(np.arange(600) / 30.0 * rng.uniform(0.2, 0.8))
    ground = start + share[:, None] * (goal - start)
    places = np.stack([ground[:, 0], np.full(600, 1.0), ground[:, 1]], axis=1)
    return Obstacle("post", Capsule(rng.uniform(0.15, 0.4), 1.4), places, np.repeat(turned(0.0), 600, axis=0))


def hurdle(rng, half):
    """A bar across the scene, to be stepped or jumped over, or to be ducked under."""
    bottom, height, passes = ((0.0, 0.3, ("step_over", "jump_over")), (1.35, 0.3, ("duck_under",)))[
        rng.integers(2)
    ]
    return Obstacle("hurdle", Box(2 * half, height, 0.2), [[0.0, bottom, rng.uniform(-1, 1)]], turned(0.0), passes)


def somebody(rng, name, half, performers=(0, 1), **more):
    x, z, *goals = rng.uniform(0.7 - half, half - 0.7, 6)
    goals = tuple(Goal(*goals[2 * k : 2 * k + 2]) for k in range(rng.integers(3)))
    pose = rng.choice(np.array([None, None, "walk", "jog"]))
    return Character(
        name,
        Placement(x, z, rng.uniform(-3.1, 3.1)),
        goals,
        performer=int(rng.choice(performers)),
        pose=pose,
        **more,
    )


def random_scene(rng):
    half = rng.uniform(3.5, 6.5)
    things = [standing(rng, f"thing {k}", *rng.uniform(-half, half, 2)) for k in range(rng.integers(3))]
    if rng.random() < 0.4:
        wall = Box(1.2 * half, 2.0, 0.3)
        things.append(Obstacle("wall", wall, [[rng.choice([-1, 1]) * half / 2, 0.0, 0.0]], turned(0.0)))
    if rng.random() < 0.5:
        things.append(sliding(rng, half))
    if rng.random() < 0.4:
        things.append(hurdle(rng, half))
    people = [
        somebody(
            rng,
            f"person {k}",
            half,
            start_time=rng.choice([0.0, 0.0, 1.5]),
            at_goal=str(rng.choice(["stay", "leave"], p=[0.8, 0.2])),
        )
        for k in range(rng.integers(1, 9))
    ]
    bounds = (-half, -half, half, half)
    return Scene("random", bounds, flat_terrain(bounds), tuple(things), tuple(people))


def edit(live, rng, half, turn):
    """Something happens: a goal, a newcomer, somebody is taken away, a thing comes, goes or is put elsewhere."""
    performers = [whose.performer for whose in live.performers]
    everybody = list(live.people)
    kind = rng.choice(["goal", "add", "remove", "thing", "gone"], p=[0.4, 0.2, 0.1, 0.2, 0.1])
    x, z = rng.uniform(-half, half, 2)
    alone = not everybody or np.hypot(*(live.state().circles[:, :2] - (x, z)).T).min() > 3.0
    things = [thing.name for thing in live.scene.obstacles if not thing.moves and not thing.passes]
    if kind == "goal" and everybody:
        goal = None if rng.random() < 0.1 else Goal(x, z)
        live.set_goal(int(rng.choice(everybody)), goal)
    elif kind == "add":
        try:
            live.add(somebody(rng, f"newcomer {turn}", half, performers))
        except SceneError:
            return
    elif kind == "remove" and everybody:
        live.remove(int(rng.choice(everybody)))
    elif kind == "thing" and alone:
        if things and rng.random() < 0.7:
            live.move_obstacle(str(rng.choice(things)), x, z, rng.uniform(0.0, 3.0))
        else:
            live.add_obstacle(standing(rng, f"new thing {turn}", x, z))
    elif kind == "gone" and things:
        live.remove_obstacle(str(rng.choice(things)))


def assert_nobody_meets(live):
    """What everybody has committed to, frame by frame and pair by pair."""
    crew, tracks, table = live._engine.crew, live._engine.tracks, live.repertoire.table
    rows = np.array([person.row for person in live.people.values()], dtype=np.int64)
    if len(rows) < 2:
        return
    frames = np.arange(live.frame + 1, int((crew.first[rows] + crew.length[rows]).max()) + 1)
    at = np.clip(frames - crew.first[rows, None], 0, crew.length[rows, None] - 1)
    bodies = tracks[rows[:, None], at]
    gone = crew.ends[rows, None] & (frames >= (crew.first + crew.length)[rows, None])
    for k in range(1, len(rows)):
        for other in range(k):
            both = ~(gone[k] | gone[other])
            gaps = body_gaps(bodies[k][both], bodies[other][both], table)
            assert gaps.min(initial=np.inf) >= live.scene.clearance - 1e-4


def body_gaps(one, other, table):
    """Gaps (F,) [m] between two bodies (F, BODY): of their circles, or of their outlines where these come nearer
    than 0.05 m, by the best of many directions."""
    gaps = np.hypot(*(one - other)[:, :2].T) - one[:, 2] - other[:, 2]
    for frame in np.flatnonzero((gaps < 0.05) & (one[:, 4] >= 0) & (other[:, 4] >= 0)):
        gaps[frame] = -(reach(one[frame], table) + np.roll(reach(other[frame], table), 180)).min()
    return gaps


def reach(body, table):
    """How far (360,) [m] a body (BODY,) reaches from the origin of the world in all directions."""
    supports = table.supports[int(body[4])].max(axis=0).astype(np.float64)
    x, z = Placement(*body[[0, 1, 3]]).point(*outline_corners(supports).T)
    angles = np.radians(np.arange(360))
    return (np.outer(x, np.sin(angles)) + np.outer(z, np.cos(angles))).max(axis=0)


def assert_whole(live):
    """Everybody's segments follow each other without a gap, in time, in place and in pose, and end in a rest, or
    in being gone."""
    table, history, crew = live.repertoire.table, live.history(), live._engine.crew
    for who, begin, end in zip(history.who.tolist(), history.starts[:-1], history.starts[1:], strict=True):
        clips, frames, places = history.clips[begin:end], history.frames[begin:end], history.placements[begin:end]
        assert (np.diff(frames) == table.clips["duration"][clips[:-1]]).all()
        gone = who not in live.people or crew.ends[live.people[who].row]
        assert gone or table.poses["rests"][table.clips["exit"][clips[-1]]]
        for k in range(len(clips) - 1):
            there = Placement(*places[k]) @ Placement(*table.clips["displacement"][clips[k]])
            assert math.hypot(there.x - places[k + 1, 0], there.z - places[k + 1, 1]) < 1e-9
            assert abs(math.remainder(there.heading - places[k + 1, 2], 2.0 * math.pi)) < 1e-9


def wrong_with(live):
    """What the audit finds, but for people onto whom something was dropped."""
    take = live.take()
    names = {
        person.name for person in (*live._roster.gone, *live.people.values()) if person.number in live.dropped
    }
    # A take that ends in the middle of a step over something does not show what was stepped over.
    cut = {"special": take.frames - 1}
    return [
        f for f in audit(take).violations if f.who.split("~")[0] not in names and cut.get(f.kind) != f.last_frame
    ]


@often
@given(seeds)
def test_nobody_touches_anything(seed):
    rng = np.random.default_rng(seed)
    live = Live(random_scene(rng), seed=seed, workers=1)
    for _ in range(3 * SECONDS):
        live.step(1.0 / 3.0)
        assert_nobody_meets(live)
    assert_whole(live)
    assert live.dropped == {}, "nothing was dropped onto anybody"
    assert wrong_with(live) == []


@often
@given(seeds)
def test_nobody_touches_anything_while_all_kinds_of_things_happen(seed):
    rng = np.random.default_rng(seed)
    scene = random_scene(rng)
    live = Live(scene, seed=seed, workers=1)
    for turn in range(3 * SECONDS):
        edit(live, rng, scene.bounds[2], turn)
        assert_nobody_meets(live)
        live.step(1.0 / 3.0)
        assert_nobody_meets(live)
    assert_whole(live)
    assert wrong_with(live) == []
    if seed % 4 == 0:
        again = replay(scene, Log.from_json(live.log.to_json()), workers=2)
        for name in ("who", "starts", "clips", "frames", "placements"):
            np.testing.assert_array_equal(getattr(again.history(), name), getattr(live.history(), name))
        again.close()
