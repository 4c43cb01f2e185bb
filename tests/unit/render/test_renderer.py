"""The renderer: what it refuses, that it repeats itself, and that a frame leaves nothing behind."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.render import Camera, GroundPath, Look, Renderer, RenderError, level_setting
from walkon.rotations import IDENTITY
from walkon.world import Box, Obstacle

CAMERA = Camera.orbit((0.0, 0.8, 0.0), 6.0, azimuth=0.5, elevation=0.3)
STARTS = np.array([[0.0, 0.3, 0.0], [0.6, 0.2, 0.3]])
ENDS = np.array([[0.0, 1.2, 0.0], [0.9, 0.9, 0.1]])
RADII = np.array([0.2, 0.1])
COLOURS = np.array([[220.0, 90.0, 80.0], [60.0, 130.0, 170.0]])
NOTHING = np.zeros((0, 3)), np.zeros((0, 3)), np.zeros(0), np.zeros((0, 3))


def block(x: float, z: float, width: float, depth: float, height: float) -> Obstacle:
    """A box that stands at a place."""
    return Obstacle("block", Box(width, height, depth), np.array([[x, 0.0, z]]), IDENTITY[None])


def test_picture_shape_and_contents() -> None:
    picture = Renderer(160, 90, CAMERA).draw(STARTS, ENDS, RADII, COLOURS)
    assert picture.shape == (90, 160, 3)
    assert picture.dtype == np.uint8
    centre = picture[45, 80].astype(int)
    assert centre[0] > centre[1] + 40  # the red capsule stands in the middle


def test_same_input_same_bytes() -> None:
    pictures = [Renderer(160, 90, CAMERA).draw(STARTS, ENDS, RADII, COLOURS).tobytes() for _ in range(2)]
    assert pictures[0] == pictures[1]


def test_a_frame_leaves_no_trace_in_the_next() -> None:
    renderer = Renderer(160, 90, CAMERA, setting=level_setting([block(1.0, 0.0, 0.5, 0.5, 0.5)]))
    empty = renderer.draw(*NOTHING)
    busy = renderer.draw(STARTS, ENDS, RADII, COLOURS)
    assert np.any(busy != empty)
    assert np.array_equal(renderer.draw(*NOTHING), empty)
    assert np.array_equal(renderer.draw(STARTS, ENDS, RADII, COLOURS), busy)


def test_a_camera_that_returns_sees_the_same() -> None:
    renderer = Renderer(160, 90, CAMERA)
    before = renderer.draw(STARTS, ENDS, RADII, COLOURS)
    renderer.camera = Camera.orbit((0.0, 0.8, 0.0), 3.0, azimuth=2.0)
    assert np.any(renderer.draw(STARTS, ENDS, RADII, COLOURS) != before)
    renderer.camera = CAMERA
    assert np.array_equal(renderer.draw(STARTS, ENDS, RADII, COLOURS), before)


@pytest.mark.parametrize("width", [160, 161, 162, 163])
def test_any_width_and_any_out(width: int) -> None:
    renderer = Renderer(width, 90, CAMERA)
    picture = renderer.draw(STARTS, ENDS, RADII, COLOURS)
    loose = np.zeros((90, width, 6), np.uint8)[..., ::2]
    assert renderer.draw(STARTS, ENDS, RADII, COLOURS, out=loose) is loose
    assert np.array_equal(loose, picture)


def test_feet_darken_the_ground_and_sink_into_it() -> None:
    renderer = Renderer(160, 90, CAMERA)
    empty = renderer.draw(*NOTHING)
    buried = np.array([[0.0, -1.0, 0.0]])
    assert np.array_equal(renderer.draw(buried, buried, [0.3], COLOURS[:1]), empty)


def test_a_path_is_drawn_in_its_colour() -> None:
    path = GroundPath([(-1.0, 0.0), (1.0, 0.0)], width=0.2, colour=(200.0, 40.0, 40.0), opacity=1.0)
    camera = Camera.orbit((0.0, 0.0, 0.0), 6.0, elevation=0.6)
    picture = Renderer(160, 90, camera, setting=level_setting(paths=[path]), look=Look(fog=1e3)).draw(*NOTHING)
    assert picture[45, 80].tolist() == pytest.approx([200, 40, 40], abs=1)


def test_an_obstacle_hides_what_is_behind_and_shades_the_ground() -> None:
    camera = Camera.orbit((0.0, 0.5, 0.0), 6.0, azimuth=0.0, elevation=0.3)
    wall = block(0.0, 0.0, 1.0, 0.2, 1.0)
    towards = np.subtract(camera.position, camera.target)[None] / camera.distance
    behind, before = camera.target - 0.6 * towards, camera.target + 0.6 * towards
    renderer = Renderer(160, 90, camera, setting=level_setting([wall]))
    red = np.array([[255.0, 0.0, 0.0]])
    hidden = renderer.draw(behind, behind, [0.2], red)[45, 80].astype(int)
    shown = renderer.draw(before, before, [0.2], red)[45, 80].astype(int)
    assert hidden[1] > 80
    assert shown[1] < 20
    bare = Renderer(160, 90, camera).draw(*NOTHING).astype(int)
    assert (bare - renderer.draw(*NOTHING)).max() > 50


def test_people_in_the_shade_of_a_wall_are_darker() -> None:
    look = Look(sun_azimuth=np.pi, sun_elevation=0.7)
    camera = Camera.orbit((0.0, 0.5, 1.0), 8.0, azimuth=1.2, elevation=0.6)
    person = np.array([[0.0, 0.4, 0.8]])
    white = np.full((1, 3), 220.0)
    pictures = [
        Renderer(160, 90, camera, look=look, setting=level_setting(obstacles)).draw(person, person, [0.3], white)
        for obstacles in ([], [block(0.0, 0.0, 3.0, 0.2, 2.0)])
    ]
    column, row, _ = camera.project(person[0] + [0.0, 0.15, -0.1], 160, 90)
    sunny, shady = (picture[int(row), int(column)].astype(int).sum() for picture in pictures)
    assert shady < 0.9 * sunny


@pytest.mark.parametrize(
    ("starts", "ends", "radii", "colours"),
    [
        (STARTS, ENDS, RADII[:1], COLOURS),
        (STARTS[:, :2], ENDS, RADII, COLOURS),
        (np.full((2, 3), np.nan), ENDS, RADII, COLOURS),
        (STARTS, np.full((2, 3), np.inf), RADII, COLOURS),
        (STARTS, np.full((2, 3), 1e30), RADII, COLOURS),
        (STARTS, ENDS, np.array([0.1, 0.0]), COLOURS),
        (STARTS, ENDS, np.array([0.1, np.nan]), COLOURS),
        (STARTS, ENDS, RADII, COLOURS - 300.0),
        (STARTS, ENDS, RADII, np.full((2, 3), np.nan)),
    ],
)
def test_refuses_what_is_no_capsule(starts, ends, radii, colours) -> None:
    with pytest.raises(RenderError):
        Renderer(32, 32, CAMERA).draw(starts, ends, radii, colours)


def test_refuses_impossible_pictures() -> None:
    with pytest.raises(RenderError, match="pixels"):
        Renderer(0, 32, CAMERA)
    with pytest.raises(RenderError, match="pixels"):
        Renderer(32, 10**6, CAMERA)
    with pytest.raises(RenderError, match="out is"):
        Renderer(32, 32, CAMERA).draw(*NOTHING, out=np.zeros((32, 32), np.uint8))
    with pytest.raises(RenderError, match="sun"):
        Look(sun_elevation=0.0)
