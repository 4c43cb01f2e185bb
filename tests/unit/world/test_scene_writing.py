"""Scenes as files again: what stands in them, what lies beside them, and what cannot be written."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from walkon.errors import SceneError
from walkon.rotations import Placement, from_axis_angle, rotate, rotation_about_y
from walkon.world import (
    Box,
    Character,
    Goal,
    HeightField,
    Mesh,
    Obstacle,
    Polygon,
    Scene,
    Sphere,
    flat_terrain,
    read_scene,
    scene_text,
    write_scene,
)
from walkon.world.starter import starter_scene
from walkon.world.toml_text import pair_text, value_text

EXAMPLES = sorted((Path(__file__).resolve().parents[3] / "examples" / "scenes").glob("*.toml"))
BOUNDS = (-10.0, -10.0, 10.0, 10.0)
STILL = rotation_about_y(0.0)


def scene_of(*obstacles, **more):
    return Scene("test", BOUNDS, more.pop("terrain", flat_terrain(BOUNDS)), obstacles, **more)


def again(scene, folder):
    write_scene(scene, folder / "again.toml")
    return read_scene(folder / "again.toml")


def assert_same(one: Scene, other: Scene) -> None:
    """Both are the same scene, as `write_scene` promises."""
    for key in ("name", "bounds", "duration", "fps", "clearance", "bodies"):
        assert getattr(one, key) == getattr(other, key)
    ground, same_ground = one.terrain, other.terrain
    assert np.array_equal(ground.heights, same_ground.heights) or (ground.is_flat and same_ground.is_flat)
    if not ground.is_flat:
        where = ("origin_x", "origin_z", "cell")
        assert [getattr(ground, key) for key in where] == [getattr(same_ground, key) for key in where]
    for ours, theirs in zip(one.obstacles, other.obstacles, strict=True):
        assert (ours.name, ours.passes, ours.known) == (theirs.name, theirs.passes, theirs.known)
        assert_same_body(ours, theirs)
    for ours, theirs in zip(one.characters, other.characters, strict=True):
        assert_same_person(ours, theirs)


def assert_same_body(ours: Obstacle, theirs: Obstacle) -> None:
    assert type(ours.shape) is type(theirs.shape)
    shifted = np.zeros_like(ours.positions)
    if isinstance(ours.shape, Mesh):
        assert np.array_equal(ours.shape.faces, theirs.shape.faces)
        low = ours.shape.vertices[np.unique(ours.shape.faces), 1].min()
        np.testing.assert_allclose(ours.shape.vertices - [0.0, low, 0.0], theirs.shape.vertices, atol=1e-9)
        shifted = rotate(ours.rotations, np.array([0.0, low, 0.0]))
    elif isinstance(ours.shape, Polygon):
        assert np.array_equal(ours.shape.corners, theirs.shape.corners)
        assert ours.shape.height == theirs.shape.height
    else:
        assert ours.shape == theirs.shape
    assert ours.positions.shape == theirs.positions.shape
    np.testing.assert_allclose(ours.positions + shifted, theirs.positions, atol=1e-9, rtol=0.0)
    signs = np.sign(np.sum(ours.rotations * theirs.rotations, axis=1))[:, None]
    np.testing.assert_allclose(ours.rotations * signs, theirs.rotations, atol=1e-9, rtol=0.0)


def assert_same_person(ours: Character, theirs: Character) -> None:
    for key in ("name", "library", "performer", "pose", "start_time", "at_goal", "without", "climb", "priority"):
        assert getattr(ours, key) == getattr(theirs, key), key
    assert dict(ours.weights) == dict(theirs.weights)
    assert (ours.start.x, ours.start.z) == (theirs.start.x, theirs.start.z)
    assert math.remainder(ours.start.heading - theirs.start.heading, 2 * math.pi) == pytest.approx(0.0, abs=1e-9)
    for goal, same in zip(ours.goals, theirs.goals, strict=True):
        assert (goal.x, goal.z, goal.tolerance) == (same.x, same.z, same.tolerance)
        assert goal.heading == pytest.approx(same.heading, abs=1e-9)
        assert goal.heading_tolerance == pytest.approx(same.heading_tolerance, abs=1e-9)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_are_the_same_again(path, tmp_path):
    scene = read_scene(path)
    assert_same(scene, again(scene, tmp_path))


def test_the_starter_scene_is_the_same_again(tmp_path):
    scene = read_scene(starter_scene("new"))
    assert_same(scene, again(scene, tmp_path))


def test_what_people_would_have_written(tmp_path):
    wall = Obstacle("wall", Box(4.0, 2.0, 0.25), [[1.5, 0.0, -2.0]], [rotation_about_y(math.radians(30.0))])
    beam = Obstacle("beam", Box(4.0, 0.2, 0.2), [[0, 1.3, 4]], [STILL], passes=("duck_under",))
    anna = Character("anna", Placement(-6.0, 1.0, math.pi / 2), (Goal(6.0, 2.0),), weights={"jog*": 2.0})
    text = scene_text(scene_of(wall, beam, characters=(anna,), duration=60.0))
    assert text.split("\n", 1)[1] == (
        'name = "test"\nbounds = [-10, -10, 10, 10]\nduration = 60\nfps = 30\nclearance = 0.05\n'
        'bodies = "outline"\n\n'
        '[[obstacles]]\nname = "wall"\nshape = "box"\nwidth = 4\ndepth = 0.25\nheight = 2\nat = [1.5, -2]\n'
        "heading = 30\n\n"
        '[[obstacles]]\nname = "beam"\nshape = "box"\nwidth = 4\ndepth = 0.2\nheight = 0.2\nat = [0, 4]\n'
        'bottom = 1.3\npasses = ["duck_under"]\n\n'
        '[[characters]]\nname = "anna"\nstart = [-6, 1]\nheading = 90\ngoal = [6, 2]\n'
        'weights = { "jog*" = 2 }\n'
    )
    assert text.startswith("#")


def test_files_lie_in_a_folder_beside_it(tmp_path):
    ball = Obstacle("a ball: 1", Sphere(0.5), [[0, 0.5, 0], [0.1, 0.5, 0]], [STILL] * 2)
    other = replace(ball, name="a ball; 1", positions=ball.positions + 1.0)
    hill = HeightField(-10.0, -10.0, 10.0, np.eye(3))
    written = write_scene(scene_of(ball, other, terrain=hill), tmp_path / "deep" / "park.toml")
    assert [path.relative_to(tmp_path / "deep").as_posix() for path in written] == [
        "park.files/terrain.npy",
        "park.files/a_ball_1.csv",
        "park.files/a_ball_1_2.csv",
        "park.toml",
    ]
    assert (tmp_path / "deep/park.files/a_ball_1.csv").read_text().splitlines()[0] == "t,x,y,z"
    assert sorted(path for path in (tmp_path / "deep").rglob("*") if path.is_file()) == sorted(written)


def test_a_mesh_of_many_obstacles_is_written_once(tmp_path):
    tent = Mesh([[-1, 2, -1], [1, 2, -1], [0, 2, 1], [9, 9, 9], [0, 3.5, 0]], [[0, 4, 1], [1, 4, 2], [2, 4, 0]])
    turned = [from_axis_angle(np.array([0.6, 0.0, 0.8]), 0.7)]
    scene = scene_of(
        Obstacle("one", tent, [[1.0, -2.0, 2.0]], [STILL]), Obstacle("two", tent, [[-4, 0.5, 0]], turned)
    )
    assert_same(scene, again(scene, tmp_path))
    assert len(list((tmp_path / "again.files").glob("*.ply"))) == 1
    assert [obstacle.moves for obstacle in again(scene, tmp_path).obstacles] == [False, False]


def test_what_stands_still_and_is_unknown_stays_so(tmp_path):
    scene = scene_of(Obstacle("box", Box(1, 1, 1), [[0, 0.2, 0]], [STILL], known=False))
    assert_same(scene, again(scene, tmp_path))


def test_motion_after_the_end_is_left_out(tmp_path):
    positions = np.linspace([0.0, 0.5, 0.0], [5.0, 0.5, 0.0], 400)
    scene = scene_of(Obstacle("ball", Sphere(0.5), positions, [STILL] * 400), duration=10.0)
    assert np.array_equal(again(scene, tmp_path).obstacles[0].positions, positions[:301])


def test_people_without_a_goal_stay(tmp_path):
    scene = scene_of(characters=(Character("anna", Placement(1.0, 2.0, 0.3), ()),))
    (anna,) = again(scene, tmp_path).characters
    assert [(goal.x, goal.z) for goal in anna.goals] == [(1.0, 2.0)]


@pytest.mark.parametrize("heading", [100.0, -1e5, math.pi, math.radians(0.1), 0.1])
def test_headings_are_numbers_that_files_may_have(heading, tmp_path):
    scene = scene_of(characters=(Character("anna", Placement(1.0, 2.0, heading), (Goal(3.0, 3.0),)),))
    assert_same(scene, again(scene, tmp_path))


def test_libraries_are_found_from_the_scene_file(tmp_path):
    libraries = (str(tmp_path / "mine"), str(tmp_path / "sub" / "mine"), "human", "/elsewhere/mine")
    people = tuple(
        Character(f"p{k}", Placement(2.0 * k, 0.0), (Goal(2.0 * k, 5.0),), library=library)
        for k, library in enumerate(libraries)
    )
    scene = scene_of(characters=people)
    assert 'library = "./mine"' in scene_text(scene, folder=tmp_path)
    assert [person.library for person in again(scene, tmp_path).characters] == list(libraries)


def test_relative_libraries_mean_the_same_place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    scene = scene_of(characters=(Character("anna", Placement(), (Goal(2.0, 5.0),), library="casts/mine"),))
    write_scene(scene, Path("scenes/park.toml"))
    (anna,) = read_scene(Path("scenes/park.toml")).characters
    assert Path(anna.library).resolve() == tmp_path / "casts" / "mine"


@pytest.mark.parametrize(
    ("scene", "message"),
    [
        (scene_of(Obstacle("a/b", Sphere(1.0), [[0, 0, 0]], [STILL])), "obstacles\\[0\\].name: 'a/b'"),
        (
            scene_of(Obstacle("big", Sphere(5000.0), [[0, 0, 0]], [STILL])),
            "radius: must be at most",
        ),
        (scene_of(duration=1e6), "duration: must be at most 3600"),
        (
            scene_of(Obstacle("x", Polygon([[0, 0], [1, 1], [1, 0], [0, 1]], 1.0), [[0, 0, 0]], [STILL])),
            "obstacle 'x': corners: the polygon crosses itself",
        ),
        (
            scene_of(Obstacle("far", Sphere(1.0), [[0, 0, 0], [2e6, 0, 0]], [STILL] * 2)),
            "obstacle 'far': is further away",
        ),
        (scene_of(terrain=HeightField(-10.0, -10.0, 10.0, np.eye(3) * 1e5)), "heights of at most 10000 m"),
        (scene_of(characters=(Character("a", Placement(), (Goal(0, 0),), pose="\ud800"),)), "UTF-8"),
    ],
)
def test_what_no_file_can_say_is_an_error_and_nothing_is_written(scene, message, tmp_path):
    with pytest.raises(SceneError, match=message):
        write_scene(scene, tmp_path / "no.toml")
    assert not list(tmp_path.iterdir())


def test_values_are_short_and_exact():
    assert value_text(0.1 + 0.2) == "0.30000000000000004"
    assert value_text([1.0, -2.5, True, 'a"b\x7f\n']) == '[1, -2.5, true, "a\\"b\\u007f\\n"]'
    assert value_text({"a b": 1e-9, "c": {}}) == '{ "a b" = 1e-09, c = {} }'
    long = pair_text("corners", [[k, k / 3] for k in range(40)])
    assert max(map(len, long.splitlines())) <= 110
    assert long.count("\n") > 5
