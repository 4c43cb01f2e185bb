"""Classic scenes: what they say, whether they are fair, and that the files in examples/ are what is written."""

from __future__ import annotations

import math
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from walkon.errors import SceneError
from walkon.world import read_scene
from walkon.world.classics import classic, classic_names, classic_scene_text

FILES = Path(__file__).resolve().parents[3] / "examples" / "scenes" / "classic"
NAMES = classic_names()
SEEDS = (0, 1, 7)
ROOM, APART = 0.5, 0.9
"""[m] What a body has around it, and between two that start or stay."""

CLOSE = {"door-queue": (0.4, 0.73), "gates": (0.4, 0.73), "office": (0.44, 0.9)}
"""The same where people come close."""

DRAWN = ("concourse", "evacuation", *CLOSE)
"""Scenes in which the seed says where people are."""


@pytest.fixture(scope="module")
def scenes():
    return {(name, seed): read_scene(classic_scene_text(name, seed)) for name in NAMES for seed in SEEDS}


def places(scene) -> tuple[np.ndarray, np.ndarray]:
    """Starts and goals (N, 2)."""
    starts = np.array([(one.start.x, one.start.z) for one in scene.characters])
    return starts, np.array([(one.goals[-1].x, one.goals[-1].z) for one in scene.characters])


def test_there_is_everything_that_was_promised() -> None:
    promised = {"crossing-4", "crossing-multiple", "concourse", "two-corners", "cluttered-grid", "evacuation"}
    promised |= {f"locking-{count}" for count in (4, 8, 16, 24)} | {f"cluttered-{k}" for k in range(1, 10)}
    promised |= {"hallway", "door-0.70", "gap-0.45", "door-queue", "gates", "office"}
    promised |= {"counterflow", "concentric", "confusion-3", "confusion-4", "doorway-one-way", "squeeze-wall"}
    assert promised <= set(NAMES)
    assert len(set(NAMES)) == len(NAMES)


def test_the_files_are_what_is_written() -> None:
    """If this fails after a change that is meant: python tools/make_classic_scenes.py."""
    assert {path.name for path in FILES.iterdir()} == {f"{name}.toml" for name in NAMES}
    for name in NAMES:
        assert (FILES / f"{name}.toml").read_bytes().decode() == classic_scene_text(name), name


@pytest.mark.parametrize("name", NAMES)
def test_a_scene_says_what_it_is_and_where_it_comes_from(name, scenes) -> None:
    scene, text = scenes[name, 0], classic_scene_text(name)
    head = [line for line in text.splitlines() if line.startswith("# ")]
    assert head[0].startswith(f"# {classic(name).title}: ")
    assert any(line.startswith("# After: ") for line in head)
    assert f"# Made by: walkon scene classic {name} -o {name}.toml" in head
    assert scene.name == name
    assert len(scene.characters) == classic(name).people
    assert {one.library for one in scene.characters} == {"human"}


@pytest.mark.parametrize("name", NAMES)
def test_a_seed_is_a_variant_and_always_the_same(name, scenes) -> None:
    assert classic_scene_text(name, 7) == classic_scene_text(name, 7)
    assert len({classic_scene_text(name, seed) for seed in SEEDS}) == len(SEEDS)
    assert "--seed 7\n" in classic_scene_text(name, 7)
    if name not in DRAWN:
        for known, moved in zip(places(scenes[name, 0]), places(scenes[name, 7]), strict=True):
            assert 0.0 < np.abs(known - moved).max() <= 0.1 + 0.011


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", NAMES)
def test_a_scene_is_fair(name, seed, scenes) -> None:
    """Nobody starts in somebody or something, nobody stays where another does, and there is room at every goal."""
    scene = scenes[name, seed]
    starts, goals = places(scene)
    room, apart = CLOSE.get(name, (ROOM, APART))
    left, near, right, far = scene.bounds
    for points in (starts, goals):
        edge = np.min([points[:, 0] - left, right - points[:, 0], points[:, 1] - near, far - points[:, 1]])
        assert edge >= room
    for point in (*starts, *goals):
        assert gap_to_obstacles(scene, point) >= room
    times = [one.start_time for one in scene.characters]
    stays = [one.at_goal == "stay" for one in scene.characters]
    for one, other in combinations(range(len(starts)), 2):
        if abs(times[one] - times[other]) < 1.0:
            assert math.dist(starts[one], starts[other]) >= apart
        if stays[one] and stays[other]:
            assert math.dist(goals[one], goals[other]) >= apart


def gap_to_obstacles(scene, point) -> float:
    """From a place to the nearest outline, boxes, cylinders and spheres only."""
    gaps = [math.inf]
    for obstacle in scene.obstacles:
        shape, at = obstacle.shape, obstacle.positions[0, [0, 2]]
        if hasattr(shape, "radius"):
            gaps.append(math.dist(point, at) - shape.radius)
            continue
        w, _, y, _ = obstacle.rotations[0]
        heading = 2.0 * math.atan2(y, w)
        x, z = np.asarray(point) - at
        across = abs(math.cos(heading) * x - math.sin(heading) * z) - shape.width / 2
        along = abs(math.sin(heading) * x + math.cos(heading) * z) - shape.depth / 2
        gaps.append(math.hypot(max(across, 0.0), max(along, 0.0)))
    return min(gaps)


def test_the_crossing_is_of_four_corners(scenes) -> None:
    starts, goals = places(scenes["crossing-4", 0])
    assert np.allclose(goals, -starts)
    assert {tuple(start) for start in starts} == {(-5, -5), (-5, 5), (5, 5), (5, -5)}


def test_four_people_enter_the_multiple_crossing_every_two_seconds_and_keep_to_their_right(scenes) -> None:
    scene = scenes["crossing-multiple", 0]
    times = sorted(one.start_time for one in scene.characters)
    assert times == sorted([0, 2, 4, 6, 8, 10] * 4)
    starts, goals = places(scene)
    for start, goal in zip(starts, goals, strict=True):
        ahead = (goal - start) / np.linalg.norm(goal - start)
        # Y is up and the axes are right-handed: who looks along z has x to the left.
        right = np.array([-ahead[1], ahead[0]])
        assert start @ right == pytest.approx(0.75, abs=0.02)
    for start in {tuple(start) for start in starts}:
        assert np.linalg.norm(goals - start, axis=1).min() == pytest.approx(1.5, abs=0.02)


@pytest.mark.parametrize("count", [4, 8, 16, 24])
def test_central_locking_is_a_circle_to_the_opposite_side(count, scenes) -> None:
    starts, goals = places(scenes[f"locking-{count}", 0])
    assert len(starts) == count
    assert np.allclose(np.linalg.norm(starts, axis=1), 6.0, atol=0.01)
    assert np.allclose(goals, -starts)
    angles = np.sort(np.arctan2(*starts.T))
    assert np.allclose(np.diff(angles), 2.0 * math.pi / count, atol=0.005)


def test_the_grid_of_boxes_has_the_sizes_of_the_thesis(scenes) -> None:
    scene = scenes["cluttered-grid", 0]
    sizes = [(one.shape.width, one.shape.height, one.shape.depth) for one in scene.obstacles]
    assert sizes == [(0.45, 0.9, 0.45)] * 12
    at = np.array([one.positions[0, [0, 2]] for one in scene.obstacles])
    assert sorted(set(at[:, 0])) == pytest.approx([-2.7, -0.9, 0.9, 2.7])
    assert sorted(set(at[:, 1])) == pytest.approx([-1.8, 0.0, 1.8])


@pytest.mark.parametrize("seed", SEEDS)
def test_random_clutter_is_twelve_boxes_that_do_not_overlap_with_a_way_around(seed, scenes) -> None:
    shuffles = set()
    for number in range(1, 10):
        scene = scenes[f"cluttered-{number}", seed]
        reaches = [math.hypot(one.shape.width, one.shape.depth) / 2 for one in scene.obstacles]
        boxes = [(one.positions[0, [0, 2]], reach) for one, reach in zip(scene.obstacles, reaches, strict=True)]
        assert len(boxes) == 12
        for (a, reach), (b, other) in combinations(boxes, 2):
            assert math.dist(a, b) >= reach + other - 0.03
        left, near, right, far = scene.bounds
        for (x, z), reach in boxes:
            assert min(x - left, right - x, z - near, far - z) - reach >= 1.1
        shuffles.add(tuple(np.concatenate([at for at, _ in boxes])))
    assert len(shuffles) == 9


def test_an_unknown_name_is_answered_with_those_there_are() -> None:
    with pytest.raises(SceneError, match=r"no classic scene 'lock'.*locking-24"):
        classic_scene_text("lock")
