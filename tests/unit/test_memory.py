"""Input never decides how much memory is taken: small files that announce gigabytes are refused or cost little."""

from __future__ import annotations

import json
import sqlite3
import struct
import subprocess
import sys
import zlib
from pathlib import Path

import numpy as np

from walkon.take.arrays import ArrayWriter
from walkon.take.container import packed

COUNT = 120_000_000
ROOM = 300
"""[MB] of addresses that reading all bombs may take beyond what is there before: 200, and what libraries load."""


def glb(accessors: list[dict], nodes: int = 1, primitives: int = 1) -> bytes:
    """A GLB with one mesh and twelve bytes of data."""
    part = {"attributes": {"POSITION": 0}, "indices": 1}
    tree = {
        "asset": {"version": "2.0"},
        "scenes": [{"nodes": list(range(nodes))}],
        "nodes": [{"mesh": 0}] * nodes,
        "meshes": [{"primitives": [part] * primitives}],
        "accessors": accessors,
        "bufferViews": [{"buffer": 0, "byteLength": 12, "byteStride": 1}],
        "buffers": [{"byteLength": 12}],
    }
    text = json.dumps(tree).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", 12, b"BIN\0") + bytes(12)
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def png(side: int) -> bytes:
    """A black picture."""
    packer = zlib.compressobj(9)
    body = b"".join(packer.compress(bytes(side + 1)) for _ in range(side)) + packer.flush()
    parts = [(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0)), (b"IDAT", body), (b"IEND", b"")]
    chunks = [struct.pack(">I", len(d)) + t + d + struct.pack(">I", zlib.crc32(t + d)) for t, d in parts]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def take(scene: dict, cast: dict, **arrays: np.ndarray) -> bytes:
    """A take of such parts; arrays by their names."""
    members = {}
    for name, values in arrays.items():
        writer = ArrayWriter()
        members[name] = writer.members[writer.add(values, values.dtype.str)]
    return packed({"scene.json": json.dumps(scene).encode(), "take.json": json.dumps(cast).encode(), **members})


def scene_data(obstacles: list[dict], heights: str) -> dict:
    bounds = {"x0": 0.0, "z0": 0.0, "x1": 1.0, "z1": 1.0}
    terrain = {"origin_x": 0.0, "origin_z": 0.0, "cell": 1.0, "heights": heights}
    return {
        "name": "s", "bounds": bounds, "duration": 1.0, "fps": 30.0, "clearance": 0.0, "terrain": terrain,
        "obstacles": obstacles, "characters": [],
    }  # fmt: skip


def shared_obstacles() -> bytes:
    """Four hundred obstacles whose motion is one array: copied for each it would be 11 GB."""
    obstacle = {
        "shape": {"kind": "sphere", "radius": 0.1}, "positions": "p", "rotations": "r", "known": True,
        "passes": [],
    }  # fmt: skip
    moving = [{"name": f"o{k}", **obstacle} for k in range(400)]
    turned = np.tile([1.0, 0, 0, 0], (500_000, 1))
    return take(scene_data(moving, "h"), {}, h=np.zeros((2, 2)), p=np.zeros((500_000, 3)), r=turned)


def database(path: Path) -> None:
    with sqlite3.connect(path) as made:
        made.execute("create table trajectory_data(frame integer, id integer, pos_x real, pos_y real)")
        made.execute("create table metadata(key text, value text)")
        rows = ((k % 2 * 10**9, k, 0, 0) for k in range(2_000))
        made.executemany("insert into trajectory_data values(?, ?, ?, ?)", rows)
    made.close()


def make_bombs(folder: Path) -> None:
    """Files by the reader they are for: its name is that of the folder they are in."""
    huge = {"componentType": 5126, "count": COUNT, "type": "VEC3"}
    few = {"componentType": 5125, "count": 3, "type": "SCALAR"}
    sparse = {"count": 1, "indices": {"bufferView": 0, "componentType": 5125}, "values": {"bufferView": 0}}
    one_joint = (
        "HIERARCHY\nROOT a\n{\nOFFSET 0 1 0\nCHANNELS 1 Xrotation\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\nMOTION\n"
    )
    bombs = {
        "mesh/zero.glb": glb([huge, few]),
        "mesh/index.glb": glb([few, {**few, "count": COUNT}]),
        "mesh/sparse.glb": glb([{**huge, "sparse": sparse}, few]),
        "mesh/stride.glb": glb([{**huge, "bufferView": 0}, few]),
        "mesh/nodes.glb": glb([few, few], nodes=50_000),
        "mesh/primitives.glb": glb([few, few], primitives=20_000),
        "mesh/groups.obj": b"v 0 0 0\n" * 3 + b"g a\nusemtl b\nf 1 2 3\n" * 20_000,
        "mesh/vertices.ply": b"ply\nformat ascii 1.0\nelement vertex 90000000\nproperty double x\nend_header\n0\n",
        "mesh/counts.off": b"OFF\n900000000 900000000 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n",
        "heights/large.png": png(4_000),
        "heights/rows.csv": b"12\n" * 500_000,
        "heights/shape.npy": b"\x93NUMPY\x01\x00v\x00"
        + b"{'descr': '<f8', 'fortran_order': False, 'shape': (90000, 90000), }".ljust(117)
        + b"\n",
        "clip/frames.bvh": one_joint.encode() + b"Frames: 900000000\nFrame Time: 0.01\n0\n",
        "clip/terse.bvh": one_joint.encode() + b"Frames: 1\nFrame Time: 0.01\n" + b"0\n" * 1_000_000,
        "trajectories/far.vsp": b"1\n2\n0 0 0\n1 1 900000000\n",
        "trajectories/short.vsp": b"40000\n" + b"2\n0 0 0\n1 1 24\n" * 40_000,
        "trajectories/far.txt": b"# framerate: 25 fps\n# id frame x/m y/m\n1 0 0 0\n1 900000000 1 1\n",
        "take/shared.take": shared_obstacles(),
        "take/zeros.take": take({}, {}, z=np.zeros(5_000_000)),
        "take/nested.take": take({"x": [[]] * 2_000_000}, {}),
        "take/terrain.take": take(scene_data([], "h"), {}, h=np.zeros((2049, 2049))),
    }
    for name, data in bombs.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
    database(folder / "trajectories" / "gaps.sqlite")


READING = """
import resource, sys
from pathlib import Path
import trimesh, trimesh.exchange.gltf, PIL.PngImagePlugin, scipy.interpolate
from walkon.errors import WalkonError
from walkon.metrics.trajectories.reading import read_trajectories
from walkon.motion import read_clip
from walkon.take import read_take
from walkon.world.mesh_files import load_mesh
from walkon.world.terrain import read_heights

READERS = {
    "mesh": lambda path: load_mesh(path.parent, path.name),
    "heights": lambda path: read_heights(path.parent, path.name),
    "clip": read_clip,
    "take": read_take,
    "trajectories": lambda path: read_trajectories(path, fps=25.0, unit=1.0),
}

def addresses():
    return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()

most = addresses() + int(sys.argv[2]) * 2**20
resource.setrlimit(resource.RLIMIT_AS, (most, most))
for path in sorted(Path(sys.argv[1]).glob("*/*")):
    try:
        READERS[path.parent.name](path)
        print("read", path.name)
    except WalkonError as error:
        print("memory" if "MemoryError" in str(error) else "refused", path.name, error)
    except Exception as error:
        print("failed", path.name, repr(error))
"""


def test_all_bombs_together_take_little_memory(tmp_path):
    make_bombs(tmp_path)
    done = subprocess.run(
        [sys.executable, "-c", READING, str(tmp_path), str(ROOM)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    told = done.stdout.splitlines()
    assert len(told) == len(list(tmp_path.glob("*/*")))
    assert not [line for line in told if line.startswith(("failed", "memory"))]
    assert sum(line.startswith("refused") for line in told) >= 18
