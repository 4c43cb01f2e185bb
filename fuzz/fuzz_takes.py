"""Feed damaged takes to the reader: nothing but a take or a TakeError may come out.

    python fuzz/fuzz_takes.py --seconds 60

Whole files are damaged at random, which their seal must notice. Members are damaged inside a file that is sealed
anew, which gets past the seal and hammers what reads them. It makes its seed itself.
"""

from __future__ import annotations

import functools
import random
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))  # for tests, which load this file from elsewhere
import _runner

from walkon.errors import TakeError
from walkon.motion import Clip, Contacts, Label
from walkon.rotations import Placement
from walkon.skeleton import Skeleton
from walkon.take import Role, Take, TakeClip
from walkon.take.container import packed, unpacked
from walkon.take.file import parse_take, take_bytes
from walkon.world import (
    Box,
    Capsule,
    Character,
    Cylinder,
    Do,
    Face,
    Follow,
    Go,
    Goal,
    HeightField,
    Mesh,
    Obstacle,
    Polygon,
    Scene,
    Shape,
    Sphere,
    Style,
    Via,
    Wait,
)

TOKENS = (
    *_runner.JSON_TOKENS,
    *(b'"arrays/0000.npy"', b'"../x"', b"'shape': (99999999, 3)"),
    *(b"'descr': '|O'", b"'fortran_order': True", b"<f8", b"<i8", b"PK\x03\x04", b"PK\x05\x06"),
)
"""Bits that takes are made of, or should not be."""


SCRIPT = (
    Style("run"),
    Via(1.0, 2.0, 0.5, soft=True, weight=2.0),
    Go(1.5, 2.5, 0.2),
    Face(0.5, 0.1),
    Follow(((1.5, 2.5), (2.0, 3.0), (3.0, 3.0)), 0.4),
    Do("jump", 2),
    Do("wave", seconds=1.5),
    Wait(2.0),
)


@functools.cache
def seed_take() -> Take:
    """A small take with everything a take can hold."""
    still, up = np.zeros((1, 3)), np.array([[1.0, 0.0, 0.0, 0.0]])
    shapes: list[Shape] = [
        Box(1.0, 2.0, 3.0),
        Cylinder(0.5, 2.0),
        Sphere(0.4),
        Capsule(0.1, 2.0),
        Polygon(np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]), 2.0),
        Mesh(np.eye(3), np.array([[0, 1, 2]])),
    ]
    obstacles = [Obstacle(f"thing {i}", shape, still, up, ("jump_over",)) for i, shape in enumerate(shapes)]
    obstacles.append(Obstacle("ball", Sphere(1.0), np.arange(9.0).reshape(3, 3), np.tile(up, (3, 1)), known=False))
    people = (
        Character(
            "Ann", Placement(1.0, 2.0, 0.5), (Goal(3.0, 4.0), Goal(1.0, 1.0, heading=0.2)), weights={"jog": 2.0}
        ),
        Character("Béla", Placement(), (), pose="stand", at_goal="leave", without=(), script=SCRIPT),
    )
    heights = HeightField(-5.0, -5.0, 5.0, np.arange(9.0).reshape(3, 3))
    scene = Scene("seed", (-5.0, -5.0, 5.0, 5.0), heights, tuple(obstacles), people, bodies="body")
    skeleton = Skeleton(["a", "b", "c"], [-1, 0, 1], np.eye(3), [False, False, True])
    clip = Clip(
        "walk_1",
        skeleton,
        30.0,
        np.linspace(0.0, 1.0, 18).reshape(6, 3),
        np.tile([1.0, 0.0, 0.0, 0.0], (6, 3, 1)),
        bone_offsets=np.tile(np.eye(3), (6, 1, 1)),
        labels=(Label("walk", 0, 6),),
        contacts=Contacts(("c",), np.ones((6, 1), dtype=bool)),
    )
    clips = (TakeClip(clip, 1, "walk", "locomotion", "walk", "walk", "tiny"),)
    role = Role("Ann", np.array([0, 0]), np.array([2, 5]), np.arange(6.0).reshape(2, 3), 8)
    return Take(scene, 30.0, 40, clips, (role,), (("Béla", "no way"),), seed=7, planner="astar")


@functools.cache
def _seed() -> tuple[bytes, dict[str, bytes]]:
    data = take_bytes(seed_take())
    return data, unpacked(data)


def read_one(data: bytes) -> bool:
    """Whether a take came out; anything but a TakeError passes on."""
    try:
        with np.errstate(over="raise", invalid="raise", divide="raise"):
            parse_take(data)
    except TakeError:
        return False
    return True


def damaged(rng: random.Random) -> bytes:
    """A damaged file: half of them as a whole, half of them sealed after one member was damaged."""
    data, members = _seed()
    if rng.random() < 0.5:
        return _runner.mutated(data, rng, TOKENS)
    name = rng.choice(["scene.json", "take.json", *members])
    return packed({**members, name: _runner.mutated(members[name], rng, TOKENS)})


def fuzz(*, seconds: float | None = None, count: int | None = None, seed: int = 0) -> tuple[int, int]:
    """Read damaged files for so long, or so many; how many there were and how many still were takes."""
    return _runner.repeat(read_one, damaged, seconds=seconds, count=count, seed=seed)


if __name__ == "__main__":
    _runner.run(__doc__, read_one, damaged, "takes and TakeErrors", good=[_seed()[0]])
