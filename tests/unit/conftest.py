"""A little take for all rooms that show one: three people who come, go and stay, among all kinds of things.

And the clips of a session, for all rooms that make graphs of them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest

from walkon.builtin import make
from walkon.builtin.session import make_session
from walkon.motion import Clip, placement_at
from walkon.rotations import Placement, from_axis_angle
from walkon.take import Role, Take, TakeClip
from walkon.world import Box, Character, Cylinder, Goal, HeightField, Obstacle, Scene, Sphere, flat_terrain

BOUNDS = (-6.0, -4.0, 6.0, 4.0)
UPRIGHT = np.array([[1.0, 0.0, 0.0, 0.0]])
MARGIN = 4


def rolling(frames: int = 40) -> Obstacle:
    """A ball that crosses from left to right."""
    places = np.stack([np.linspace(-5.0, 5.0, frames), np.full(frames, 0.4), np.full(frames, -2.0)], axis=1)
    return Obstacle("rolling ball", Sphere(0.4), places, np.tile(UPRIGHT, (frames, 1)))


def falling(frames: int = 40) -> Obstacle:
    """A tree that falls over."""
    turns = from_axis_angle(np.array([0.0, 0.0, 1.0]), np.linspace(0.0, 0.5 * np.pi, frames))
    return Obstacle("tree", Cylinder(0.2, 2.0), np.tile([[-4.0, 0.2, 2.0]], (frames, 1)), turns, ("jump_over",))


def build_take(terrain: HeightField) -> Take:
    """Anna is there all the time, Ben comes at frame 12, Cleo leaves after one clip."""
    walk = make("walk")
    shown = TakeClip(walk, MARGIN, "walk_forward", "locomotion", "walk", "walk", "human")
    step = placement_at(walk, shown.first).inverse() @ placement_at(walk, shown.last)
    roles, characters = [], []
    for name, start, place, leaves in (
        ("anna", 0, Placement(0.0, -3.0, 0.0), False),
        ("ben", 12, Placement(2.0, 3.0, np.pi), False),
        ("cleo", 0, Placement(-2.0, 0.0, 0.5 * np.pi), True),
    ):
        second = place @ step
        places = [place, second][: 1 if leaves else 2]
        frames = start + shown.duration * np.arange(len(places))
        end = places[-1] @ step
        rows = [(one.x, one.z, one.heading) for one in places]
        roles.append(Role(name, np.zeros(len(places), int), frames, np.array(rows), int(frames[-1]), leaves))
        characters.append(Character(name, place, (Goal(end.x, end.z),)))
    obstacles = (
        Obstacle("wall", Box(2.0, 1.0, 0.3), np.array([[3.0, 0.0, -2.0]]), UPRIGHT),
        Obstacle("beam", Box(2.0, 0.2, 0.3), np.array([[4.0, 1.4, 2.0]]), UPRIGHT, ("duck_under",)),
        rolling(),
        falling(),
    )
    scene = Scene("little", BOUNDS, terrain, obstacles, tuple(characters))
    return Take(scene, walk.fps, 12 + 2 * shown.duration + 1, (shown,), tuple(roles))


@pytest.fixture(scope="session")
def session_of() -> Callable[[int], dict[str, Clip]]:
    """session_of(seed): the clips of a built-in session by their names, made once for all tests."""
    return cache(lambda seed: {clip.name: clip for clip in make_session(seed)})


@pytest.fixture(scope="session")
def little_take() -> Take:
    """Three people on level ground."""
    return build_take(flat_terrain(BOUNDS))


@pytest.fixture(scope="session")
def hilly_take() -> Take:
    """The same three on a hill."""
    x, z = np.meshgrid(np.linspace(-6.0, 6.0, 49), np.linspace(-4.0, 4.0, 33))
    return build_take(HeightField(-6.0, -4.0, 0.25, 1.2 * np.exp(-(x**2 + z**2) / 8.0)))
