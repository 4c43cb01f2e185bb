"""Feed damaged scene files to the reader: nothing but a scene or a SceneError may come out.

    python fuzz/fuzz_scenes.py --seconds 60            with atheris, guided by coverage
    python fuzz/fuzz_scenes.py --seconds 5 --blind     with plain random mutation

It makes its seeds itself. On a finding it stops with a traceback, and leaves the input in `--findings`.
"""

from __future__ import annotations

import io
import json
import struct
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))  # for tests, which load this file from elsewhere
import _runner

if __name__ == "__main__":
    _runner.instrument("walkon.world.reading")

from walkon.errors import SceneError
from walkon.world.mesh_files import load_mesh
from walkon.world.motions import Track
from walkon.world.reading import read_scene
from walkon.world.starter import starter_scene
from walkon.world.terrain import read_heights

TOKENS = (
    *(b"1e400", b"-nan", b"inf", b"99999999999999999999999999", b"0x10", b"1_0", b"true", b"1979-05-27", b'"'),
    *(b"[[obstacles]]\n", b"[obstacles.motion]\n", b"[[crowds]]\n", b"[[characters]]\n", b"[terrain]\n", b"'''"),
    *(
        b"shape = ",
        b'"mesh"',
        b'"polygon"',
        b"corners = [[0, 0], [1, 0], [0, 1]]\n",
        b'file = "a.obj"\n',
        b"at = ",
    ),
    *(b"motion = {}", b"keyframes = [", b"{ t = 0 }", b"count = 5000\n", b"radius = 1e-9\n", b"\r\n", b"\0", b"["),
    *(b"[[characters.script]]\n", b"script = [", b"go = [1, 2]", b'do = "walk"', b"path = [[0, 0], [1, 1]]\n"),
    *(b"face = 1e9\n", b"wait = 1\n", b"soft = true\n", b"weight = 0\n", b"times = 1000\n", b"seconds = -1\n"),
    *(
        b'bodies = "body"\n',
        b"{",
        b"}",
        b"]",
        b"=",
        b"tilt = 90",
        b'image = "/dev/zero"\n',
        b"hills = [",
        b"fps = 240\n",
        b"\xff\xfe",
    ),
)
"""Bits that scene files are made of, or should not be."""

CURVES = b"""
bounds = [-10, -10.5, 10, 1_0.5]
bodies = "one-circle"
[terrain]
cell = 0.5
hills = [{ at = [1, 2], height = -0.5, radius = 3 }]
ridges = [{ along = [[-5, 0], [0, 0], [0, 5]], height = 1, radius = 2 }]
[[obstacles]]
shape = "polygon"
at = [4, 4]
corners = [[0, 0], [2, 0], [1, 1], [2, 2], [0, 2]]
height = 1.5
heading = 30
[[obstacles]]
shape = "capsule"
radius = 0.2
length = 4
at = [-6, -6]
passes = ["jump_over", "step_over"]
[obstacles.motion]
ease = "glide"
known = false
keyframes = [{ t = 0, tilt = 0 }, { t = 1.5, tilt = 20 }, { t = 2, tilt = 90, ease = "fall" }]
[[obstacles]]
name = 'gate'
shape = "box"
width = 1
depth = 1.0
height = 2
bottom = 1.3
at = [5, -8]
motion = { repeat = "cycle", keyframes = [{ t = 0 }, { t = 1, at = [6, -8] }, { t = 3.0, at = [5, -8] }] }
[[characters]]
name = "a"
start = [-8, 0]
goal = [8, 0]
via = [[0, -4.0]]
goal_heading = 45
weights = { "jog*" = 2, jump_over = 0.5 }
[[characters]]
name = "b"
start = [-8, 2]
script = [{ style = "run" }, { via = [-4, 2], tolerance = 1 }, { go = [0, 3] }, { face = 90, soft = true }]
[[characters]]
name = "c"
start = [-8, -2]
[[characters.script]]
path = [[-8, -2], [-6, -3], [-4, -2.5]]
[[characters.script]]
do = "jump"
times = 2
[[characters.script]]
wait = 1.5
[[crowds]]
kind = "circle"
count = 6
center = [0, 0]
radius = 8.5
start_time = 3
[[crowds]]
kind = "pairs"
count = 5
region = [[-9, -9, 9, 0], [-9, 1, 9, 9]]
distance = 4
over = 2
"""

TRACK = b"t,x,y,z,qw,qx,qy,qz\n0,0,1,0,1,0,0,0\n1.5,2,1,0,0,1,0,0\n2,2,1e0,-1,0.5,0.5,0.5,0.5\n"
PLANE = b"# comment\nt;x;z;heading\n0;1;2;0\n1;2;2;90\n"
WEDGE = b"mtllib none.mtl\nv 0 0 0\nv 1 0 0\nv 0 0 1\nv 0 1 0\nf 1 2 3\nf 1/1 3/2 4/3\nf 1//1 4//2 2//3 3//1\n"
OFF = b"OFF\n4 2 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 1 2\n3 0 1 3\n"
PLY = (
    b"ply\nformat ascii 1.0\nelement vertex 3\nproperty double x\nproperty double y\nproperty double z\n"
    b"element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"
)


def seed_npy() -> bytes:
    """A small height field."""
    stream = io.BytesIO()
    np.save(stream, np.arange(12, dtype=np.float32).reshape(3, 4))
    return stream.getvalue()


def seed_png() -> bytes:
    """The same as a picture."""
    from PIL import Image

    stream = io.BytesIO()
    Image.fromarray(np.arange(48, dtype=np.uint8).reshape(6, 8)).save(stream, "PNG")
    return stream.getvalue()


def seed_glb() -> bytes:
    """A triangle."""
    points = np.eye(3, dtype="<f4").tobytes() + np.arange(3, dtype="<u2").tobytes() + bytes(2)
    views = [{"buffer": 0, "byteOffset": 0, "byteLength": 36}, {"buffer": 0, "byteOffset": 36, "byteLength": 6}]
    accessors = [
        {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 1]},
        {"bufferView": 1, "componentType": 5123, "count": 3, "type": "SCALAR"},
    ]
    document = {
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "accessors": accessors, "bufferViews": views, "buffers": [{"byteLength": len(points)}],
    }  # fmt: skip
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(points), b"BIN\0") + points
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def seed_stl() -> bytes:
    """Two triangles, in its binary form."""
    rows = b"".join(np.arange(12, dtype="<f4").tobytes() + bytes(2) for _ in range(2))
    return bytes(80) + struct.pack("<I", 2) + rows


class Beside:
    """A folder with one file in it, into which each input is written."""

    def __init__(self, name: str, read: Callable[[Path, str], object]) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.name = name
        self.read = read

    def __call__(self, data: bytes) -> None:
        path = Path(self.folder.name)
        (path / self.name).write_bytes(data)
        self.read(path, self.name)


PLACES = b"""bounds = [-8, -8, 8, 8]
[[places]]
name = "out"
kind = "exit"
region = [-8, -1, -7, 1]
[[places]]
name = "desk"
kind = "service"
region = [5, 0, 6, 1]
queue = [[4, 0], [0, 0]]
servers = 2
time = [1, 2]
[[doors]]
name = "door"
from = [-5, -8]
to = [-5, 8]
open = [[1, 5], [9, 20]]
[[stairs]]
region = [0, 4, 3, 7]
up = 90
[[crowds]]
kind = "flow"
from = [-4, -6, 4, 6]
to = ["out"]
choose = "least_crowded"
rate = [[0, 0.5], [10, 1], [20, 0]]
regular = true
ages = { "20-30" = 0.5, "60-70" = 1 }
premovement = { mean = 3, deviation = 2, least = 0, most = 8 }
groups = [1, 2]
via = [{ place = "desk" }, [1, 1]]
[[characters]]
name = "a"
start = [0, 0]
to = "out"
group = "g"
speed = 1.2
premovement = 4
"""
"""A scene with all that is about demand."""


def _read_text(data: bytes) -> None:
    read_scene(data.decode("utf-8", "replace") + "\n")


TARGETS: tuple[tuple[str, Callable[[bytes], object], bytes], ...] = (
    ("scene", _read_text, starter_scene("seed").encode()),
    ("scene with curves", _read_text, CURVES),
    ("scene with places", _read_text, PLACES),
    ("scene file", Beside("s.toml", lambda folder, name: read_scene(folder / name)), CURVES),
    ("track", Beside("t.csv", Track), TRACK),
    ("plane track", Beside("t.csv", Track), PLANE),
    ("npy", Beside("h.npy", read_heights), seed_npy()),
    ("csv heights", Beside("h.csv", read_heights), b"0,1,2\n0.5,1,2.5\n"),
    ("image", Beside("h.png", read_heights), seed_png()),
    ("obj", Beside("m.obj", load_mesh), WEDGE),
    ("off", Beside("m.off", load_mesh), OFF),
    ("ply", Beside("m.ply", load_mesh), PLY),
    ("stl", Beside("m.stl", load_mesh), seed_stl()),
    ("glb", Beside("m.glb", load_mesh), seed_glb()),
)
"""Name, reader and a good file of each kind."""


_kinds = _runner.Kinds(TARGETS, SceneError, TOKENS)
read_one, seeds, mutated, damaged = _kinds.read_one, _kinds.seeds, _kinds.mutated, _kinds.damaged


if __name__ == "__main__":
    _runner.run(__doc__, read_one, damaged, "scenes and SceneErrors", good=seeds(), tokens=TOKENS)
