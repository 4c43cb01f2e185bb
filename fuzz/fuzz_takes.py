"""Feed damaged takes to the reader: nothing but a take or a TakeError may come out.

    python fuzz/fuzz_takes.py --seconds 60

Whole files are damaged at random, which their seal must notice. Members are damaged inside a file that is sealed
anew, which gets past the seal and hammers what reads them. It makes its seed itself.
"""

from __future__ import annotations

import argparse
import functools
import random
import time

import numpy as np

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
    Goal,
    HeightField,
    Mesh,
    Obstacle,
    Polygon,
    Scene,
    Shape,
    Sphere,
)

TOKENS = (
    *(
        b"1e400",
        b"-1",
        b"null",
        b"true",
        b"[]",
        b"{}",
        b'""',
        b"99999999999999999999",
        b"0.5",
        b"NaN",
        b"Infinity",
    ),
    *(b"[" * 60, b'"arrays/0000.npy"', b'"../x"', b"}", b"]", b",", b"\xff", b"\0", b"'shape': (99999999, 3)"),
    *(b"'descr': '|O'", b"'fortran_order': True", b"<f8", b"<i8", b"PK\x03\x04", b"PK\x05\x06"),
)
"""Bits that takes are made of, or should not be."""


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
        Character("Béla", Placement(), (), pose="stand", at_goal="leave", without=()),
    )
    heights = HeightField(-5.0, -5.0, 5.0, np.arange(9.0).reshape(3, 3))
    scene = Scene("seed", (-5.0, -5.0, 5.0, 5.0), heights, tuple(obstacles), people)
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


def mutated(data: bytes, rng: random.Random) -> bytes:
    """`data` after a few cuts, swaps, copies and planted tokens."""
    body = bytearray(data)
    for _ in range(rng.randint(1, 3)):
        a = rng.randrange(len(body) + 1)
        match rng.randrange(6):
            case 0:
                body[a:a] = rng.choice(TOKENS)
            case 1:
                body[a : a + rng.randint(1, 12)] = rng.choice(TOKENS)
            case 2:
                del body[a : a + rng.choice((1, 5, 40, 4000))]
            case 3:
                body[a:a] = body[a : a + 200] * rng.choice((1, 2, 30))
            case 4:
                body[a : a + 1] = bytes([rng.randrange(256)])
            case 5:
                body = body[:a]
    return bytes(body)


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
        return mutated(data, rng)
    name = rng.choice(["scene.json", "take.json", *members])
    return packed({**members, name: mutated(members[name], rng)})


def fuzz(*, seconds: float | None = None, count: int | None = None, seed: int = 0) -> tuple[int, int]:
    """Read damaged files for so long, or so many; how many there were and how many still were takes."""
    rng = random.Random(seed)
    deadline = None if seconds is None else time.monotonic() + seconds
    done = good = 0
    while (count is None or done < count) and (deadline is None or time.monotonic() < deadline):
        good += read_one(damaged(rng))
        done += 1
    return done, good


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    assert read_one(_seed()[0]), "the seed is not readable"
    done, good = fuzz(seconds=options.seconds, seed=options.seed)
    print(f"{done} files read, {good} of them still takes, the others TakeErrors")


if __name__ == "__main__":
    main()
