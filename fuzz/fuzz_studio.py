"""Feed damaged messages to the studio: nothing but a message, an edit, or a refusal in words may come out.

    python fuzz/fuzz_studio.py --seconds 60            with atheris, guided by coverage
    python fuzz/fuzz_studio.py --seconds 5 --blind     with plain random mutation

Obstacles in it are built and shown, paths are looked up in an empty project. It makes its seeds itself. On a
finding it stops with a traceback, and leaves the input in `--findings`.
"""

from __future__ import annotations

import json
import random
import sys
from functools import cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))  # for tests, which load this file from elsewhere
import _runner

if __name__ == "__main__":
    _runner.instrument("walkon.studio.protocol")
    _runner.instrument("walkon.studio.obstacles_in")

from walkon.errors import WalkonError
from walkon.studio.limits import LARGEST_MESSAGE
from walkon.studio.obstacles_in import make_obstacle
from walkon.studio.project import Project
from walkon.studio.protocol import AddObstacle, MalformedError, Message, Open, Save, parse_message
from walkon.studio.scene_view import show_obstacle, write_json

BOX: dict = {"kind": "box", "width": 1.0, "height": 2.5, "depth": 0.4}
SHAPES: tuple[dict, ...] = (
    BOX,
    {"kind": "cylinder", "radius": 0.5, "height": 3},
    {"kind": "sphere", "radius": 0.7},
    {"kind": "capsule", "radius": 0.2, "length": 4.0},
    {"kind": "polygon", "corners": [[0, 0], [2, 0], [1, 1], [2, 2], [0, 2]], "height": 1.5},
    {"kind": "wall", "points": [[0, 0], [3, 0.05], [6, 0], [6, 4]], "thickness": 0.3, "height": 2},
    {"kind": "mesh", "vertices": [[0, 0, 0], [1, 0, 0], [0, 0, 1], [0, 1, 0]], "faces": [[0, 1, 2], [0, 3, 1]]},
)
TRACK: dict = {"first": 0, "every": 15, "positions": [[0, 0, 0], [3, 0, 0], [3, 0, 4]], "repeat": "back"}
TURNED: dict = {**TRACK, "repeat": "cycle", "rotations": [[1, 0, 0, 0], [0.7071, 0, 0.7071, 0], [0, 0, 1, 0]]}


def _obstacle(shape: dict, **more: object) -> dict:
    return {"op": "add_obstacle", "id": 1, "obstacle": {"shape": shape, "position": [1.5, 0, -2], **more}}


MESSAGES: tuple[dict, ...] = (
    *(_obstacle(shape) for shape in SHAPES),
    _obstacle(BOX, name="bar", rotation=[0.9239, 0, 0.3827, 0], passes=["step_over", "jump_over"]),
    _obstacle(BOX, name="cart", track=TRACK),
    _obstacle(BOX, name="cart 2", track=TURNED),
    {"op": "move_obstacle", "id": "a", "name": "kiosk", "x": 1.0, "z": -2.5, "heading": 0.4, "final": False},
    {"op": "remove", "id": 3, "obstacles": ["kiosk"], "people": [0, 1, 2]},
    {"op": "set_goal", "id": 4, "people": [1, 2], "x": 3.0, "z": 4.0, "spread": 2.0},
    {"op": "move_person", "id": 5, "who": 3, "x": 1, "z": 2, "final": True},
    {"op": "add_people", "id": 6, "count": 20, "x": 0.0, "z": 0.0, "radius": 5.0, "goal": [8, 8]},
    {"op": "add_flow", "id": 7, "from": [-9, -9, -5, 9], "to": [5, -9, 9, 9], "count": 40, "over": 10},
    {"op": "set_bodies", "id": 16, "level": "circle"},
    *({"op": op, "id": 8} for op in ("undo", "redo", "play", "pause", "files")),
    {"op": "step", "id": 9, "frames": 5},
    {"op": "speed", "id": 10, "value": 2.0},
    {"op": "planner", "id": 11, "name": "quick"},
    {"op": "overlay", "id": 12, "kind": "reserved", "on": True, "who": 4},
    {"op": "save", "id": 13, "what": "scene", "path": "evening/plaza.toml", "overwrite": True},
    {"op": "open", "id": 14, "path": "plaza.toml"},
    {"op": "ping", "id": 15, "t": 123.5},
)
"""One of each kind."""

TOKENS = (
    *_runner.JSON_TOKENS,
    *(f'"{message["op"]}"'.encode() for message in MESSAGES),
    *(b'"op":', b'"id":', b'"x":', b'"shape":', b'"kind":', b'"track":', b'"final":true', b'"path":"', b"../"),
    *(b"/etc/passwd", b"\\u0000", b"\\ud800", b"\xf0\x9f\x90\x8e", b"1e308", b"-1e-320", b".toml", b"2147483648"),
)
"""Bits that messages are made of, or should not be."""


@cache
def _project() -> Project:
    import tempfile

    return Project(tempfile.mkdtemp(prefix="walkon-fuzz-"))


def read_one(data: bytes) -> bool:
    """Whether an input was good; nothing but refusals may be raised on the way, and those are caught."""
    text = data.decode("utf-8", "replace")
    if len(text) > LARGEST_MESSAGE:
        return False
    try:
        message = parse_message(text)
        _use(message)
    except (MalformedError, WalkonError):
        return False
    return True


def _use(message: Message) -> None:
    if isinstance(message, AddObstacle):
        write_json(show_obstacle(make_obstacle(message.obstacle, message.obstacle.name or "something")))
    elif isinstance(message, Save):
        path = _project().to_write(message.path, message.what, overwrite=message.overwrite)
        assert path.is_relative_to(_project().folder)
    elif isinstance(message, Open):
        _project().to_read(message.path)  # nothing is there


@cache
def seeds() -> list[bytes]:
    """One good input of each kind."""
    return [json.dumps(message).encode() for message in MESSAGES if message["op"] != "open"]


def mutated(data: bytes, rng: random.Random) -> bytes:
    """`data` after a few cuts, swaps, copies and planted tokens."""
    return _runner.mutated(data, rng, TOKENS)


def damaged(rng: random.Random) -> bytes:
    """A seed after some damage."""
    return mutated(rng.choice(seeds()), rng)


def repeat(count: int, seed: int) -> tuple[int, int]:
    """The short form: so many inputs; how many there were and how many of them were good."""
    return _runner.repeat(read_one, damaged, count=count, seed=seed)


if __name__ == "__main__":
    _runner.run(__doc__, read_one, damaged, "messages and refusals", good=seeds(), tokens=TOKENS)
