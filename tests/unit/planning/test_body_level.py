"""The finest level: where outlines on the ground overlap, bodies may still be apart, and then planners know it."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from walkon.behaviors import build_graph
from walkon.behaviors.capsules import clip_capsules
from walkon.builtin.casts import fetch_library
from walkon.directing import plan_scene
from walkon.metrics import audit
from walkon.planning import Reservations
from walkon.planning.body_tracks import clip_track
from walkon.planning.kernels_capsules import NO_CAPSULES, BodyCapsules, capsules_apart
from walkon.planning.kernels_collision import hits_people
from walkon.planning.moves import compile_moves
from walkon.planning.sheets import pose_sheet
from walkon.rotations import Placement
from walkon.rotations.kernels_ground import Stand
from walkon.take import Role, Take, TakeClip
from walkon.world import Box, Character, Goal, Obstacle, Scene, flat_terrain, read_scene
from walkon.world.bodies import BODY_LEVELS
from walkon.world.classics import classic_scene_text

BOUNDS = (-6.0, -6.0, 6.0, 6.0)
NEAR = {
    "arms over feet": ("step_forward", "cheer", (0.0, 1.0, math.pi)),
    "upright behind one who crouches": ("crawl_under", "cheer", (0.0, -0.5, 0.0)),
    "one steps up to another": ("step_forward", "step_forward", (0.0, 0.45, 0.0)),
}
"""What two people do, and where the second begins as the first sees it."""


@pytest.fixture(scope="module")
def human():
    return build_graph(fetch_library("human", 0))


def first_clip(graph, name):
    return int(graph.clip_starts[graph.names.index(name)])


def is_free(graph, first, second, place, level, sloping=False):
    """Whether the second may do that while the first does something, by reservations."""
    kept = Reservations(BOUNDS, 300, clearance=0.05)
    ours = clip_track(graph, first_clip(graph, first), Placement(), level)
    theirs = clip_track(graph, first_clip(graph, second), Placement(*place), level)
    kept.add("first", 0, ours.with_room(np.zeros(len(ours.places))) if sloping else ours, stays=False)
    return not kept.conflicts(0, theirs, stays=False)


def shown(graph, first, second, place):
    """A take of both, with a bar over whoever crawls."""
    clips, roles, people, bars = [], [], [], []
    for index, (name, start) in enumerate(((first, Placement()), (second, Placement(*place)))):
        number = first_clip(graph, name)
        clip, behavior = graph.clip(number), graph.library[name]
        clips.append(TakeClip(clip.clip, clip.margin, name, behavior.kind, behavior.entry, behavior.exit, "human"))
        ends = start @ Placement(*graph.displacements[number])
        people.append(Character(f"p{index}", start, (Goal(ends.x, ends.z, 0.3),), at_goal="leave", without=()))
        places = np.array([[start.x, start.z, start.heading]])
        roles.append(Role(f"p{index}", np.array([index]), np.array([0]), places, clips[-1].duration, leaves=True))
        if behavior.kind == "crawl_under":
            z = float(graph.paths[graph.frame_starts[number] + graph.action_frames[number], 1])
            upright = np.array([[1.0, 0.0, 0.0, 0.0]])
            bars.append(Obstacle("bar", Box(3.0, 1.0, 0.3), np.array([[0.0, 0.75, z]]), upright, ("crawl_under",)))
    scene = Scene("near", BOUNDS, flat_terrain(BOUNDS), tuple(bars), tuple(people), bodies="body")
    return Take(scene, 30.0, 1 + max(clip.duration for clip in clips), tuple(clips), tuple(roles))


@pytest.mark.parametrize("case", NEAR)
def test_bodies_pass_where_outlines_do_not(human, case):
    """What outlines refuse and capsules allow is clean by the exact audit, and near."""
    free = {level: is_free(human, *NEAR[case], level) for level in BODY_LEVELS}
    assert free == {"one-circle": False, "circle": False, "outline": False, "body": True}
    report = audit(shown(human, *NEAR[case]))
    assert report.clean, report.violations
    assert 0.05 <= report.figures.body_gap.gap < 0.25


def test_searches_and_trees_ask_about_capsules_too(human):
    """A clip beside somebody who cheers is free for kernels of searches exactly where reservations say so."""
    answers = set()
    for level in ("outline", "body"):
        moves = compile_moves(human, 0, level)
        for away in (0.6, 0.8, 0.9, 1.0, 1.1, 1.3):
            kept = Reservations(BOUNDS, 300, clearance=0.05)
            cheering = clip_track(human, first_clip(human, "cheer"), Placement(0.0, away, math.pi), level)
            kept.add("other", 0, cheering, stays=False)
            stepping = first_clip(human, "step_forward")
            met = hits_people(Stand(0.0, 0.0, 0.0, 1.0), 0, stepping, moves, kept.tracks)
            assert met == bool(kept.conflicts(0, clip_track(human, stepping, Placement(), level), stays=False))
            answers.add((level, away, met))
    assert {("outline", 1.0, True), ("body", 1.0, False), ("body", 0.6, True)} <= answers


def test_somebody_at_rest_is_held_by_one_body(human):
    """All that is done while resting is inside of the capsules that are reserved for it."""
    pose = human.poses.index("stand")
    held = pose_sheet(human, pose, "body").capsules[0].astype(float)
    shares = np.linspace(0.0, 1.0, 5)[:, None, None]
    for clip in human.resting(pose):
        for frame in clip_capsules(human.clip(clip)).astype(float):
            points = frame[:, :3] + shares * (frame[:, 3:6] - frame[:, :3])
            axes = held[:, :3] + shares * (held[:, 3:6] - held[:, :3])
            assert (np.linalg.norm(points - axes, axis=2) + frame[:, 6] <= held[:, 6] + 1e-3).all()


def test_nobody_pays_for_capsules_who_does_not_ask(human):
    for level in ("one-circle", "circle", "outline"):
        assert compile_moves(human, 0, level).body_capsules is NO_CAPSULES
        kept = Reservations(BOUNDS, 300)
        kept.add("one", 0, clip_track(human, 0, Placement(), level), stays=False)
        assert len(kept.tracks.capsules.ends) == len(kept.tracks.capsules.spans) == 0


def test_on_slopes_outlines_must_do(human):
    """Nobody knows how high somebody else stands there."""
    case = NEAR["arms over feet"]
    assert is_free(human, *case, "body")
    assert not is_free(human, *case, "body", sloping=True)


@pytest.mark.parametrize(("name", "seeds"), [("crossing-multiple", 3), ("doorway-two-way", 2), ("hallway", 1)])
def test_plans_at_the_level_of_bodies_are_clean(name, seeds):
    for seed in range(seeds):
        scene = replace(read_scene(classic_scene_text(name), seed=seed), bodies="body")
        take = plan_scene(scene, seed=seed)
        assert len(take.roles) == len(scene.characters)
        report = audit(take)
        assert report.clean, report.violations
        assert report.figures.planned_with == "body"


def closest(one, two):
    """The least distance [m] of two segments (2, 3): from many points of one, exactly to the other."""
    least = math.inf
    for a, b in ((one, two), (two, one)):
        points, along = a[0] + np.linspace(0.0, 1.0, 201)[:, None] * (a[1] - a[0]), b[1] - b[0]
        squared = float(along @ along)
        shares = np.clip((points - b[0]) @ along / squared, 0.0, 1.0) if squared else np.zeros(len(points))
        least = min(least, float(np.linalg.norm(points - b[0] - shares[:, None] * along, axis=1).min()))
    return least


def random_body(random, count, step):
    """Capsules (2, K, 7) of two frames, some of them balls, whose ends move by about so much [m]."""
    first = random.uniform(-0.5, 0.5, (count, 7))
    first[:, 6] = random.uniform(0.02, 0.1, count)
    first[:1, 3:6] = first[:1, :3]
    second = first + np.pad(random.normal(0.0, step, (count, 6)), ((0, 0), (0, 1)))
    return np.stack([first, second]).astype(np.float32)


def in_table(body):
    """The same as the one row that kernels read."""
    count = len(body[0])
    return BodyCapsules(body.reshape(-1, 7), np.array([[0, count, count]], dtype=np.int32), np.zeros((1, 2)))


def in_world(body, share, place):
    """Segments (K, 2, 3) at a share of the way, about a place x, z, radius, heading."""
    ends = (body[0] + share * (body[1] - body[0]))[:, :6].reshape(-1, 2, 3).astype(float)
    return Placement(place[0], place[1], place[3]).points(ends)


def test_capsules_are_apart_exactly_where_a_naive_twin_says_so():
    """At frames and between, for random bodies; the kernel may be careful by what fast ends can lose."""
    random, answers = np.random.default_rng(3), []
    for step in (0.05, 0.4) * 40:
        one, two = (random_body(random, count, step) for count in (4, 3))
        place = 0.3, -0.2, 2.0, random.uniform(-3.0, 3.0)
        bearing, away = random.uniform(-3.0, 3.0), random.uniform(0.3, 1.6)
        other = 0.3 + away * math.sin(bearing), -0.2 + away * math.cos(bearing), 2.0, random.uniform(-3.0, 3.0)
        tables = [in_table(body) for body in (one, two)]
        apart = capsules_apart(place, 0, tables[0], other, 0, tables[1], 0.05)
        gaps = [
            closest(a, b) - one[0, i, 6] - two[0, j, 6]
            for share in np.linspace(0.0, 1.0, 7)
            for i, a in enumerate(in_world(one, share, place))
            for j, b in enumerate(in_world(two, share, other))
        ]
        assert min(gaps) >= 0.05 - 1e-6 if apart else min(gaps) < 0.05 + 0.25 * step
        answers.append(apart)
    assert 20 < sum(answers) < 60
