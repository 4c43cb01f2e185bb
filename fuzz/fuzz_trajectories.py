"""Feed damaged files of trajectories to their readers: nothing but trajectories or a TrajectoryError may come out.

    python fuzz/fuzz_trajectories.py --seconds 60            with atheris, guided by coverage
    python fuzz/fuzz_trajectories.py --seconds 5 --blind     with plain random mutation

It makes its seeds itself. On a finding it stops with a traceback, and leaves the input in `--findings`.
"""

from __future__ import annotations

import random
import sqlite3
import sys
import tempfile
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))  # for tests, which load this file from elsewhere
import _runner

if __name__ == "__main__":
    _runner.instrument("walkon.metrics.trajectories.reading")

from walkon.errors import TrajectoryError
from walkon.metrics.trajectories.reading import parse_text
from walkon.metrics.trajectories.sqlite import read_sqlite

TOKENS = (
    *(
        b"1e400",
        b"nan",
        b"inf",
        b"-inf",
        b"999999999999999999999999",
        b"1e-400",
        b"0x10",
        b"1_0",
        b".",
        b"-",
        b" - ",
    ),
    *(
        b"\r",
        b"\r\n",
        b"\0",
        b"\xff\xfe",
        b"\n",
        b"#",
        b"# framerate: 0 fps\n",
        b"# framerate: 1e9\n",
        b",",
        b";",
        b"\t",
    ),
    *(b"id,frame,x,y\n", b"time", b"x/cm", b"1 1000000000000 0 0\n", b"# character 7: x\n", b'"', b"100000000"),
)
"""Bits that files are made of, or should not be."""

TABLE = b"# framerate: 25.0 fps\n# character 0: anna\n# id\tframe\tx/m\ty/m\tz/m\n" + b"".join(
    b"%d\t%d\t%.3f\t%.3f\t0\n" % (who, frame, 0.1 * frame, who) for who in range(3) for frame in range(who, 9)
)
NAMED = b"time;id;y;x\n" + b"".join(
    b"%.2f;%d;%.3f;1\n" % (0.04 * k, who, 0.1 * k) for who in (2, 5) for k in range(6)
)
OBSMAT = b"".join(
    b"%.7e %.7e %.7e 0.0 %.7e %.3f 0.0 0.0\n" % (780 + 6 * k, who, 0.5 * k, who, 1.25)
    for k in range(6)
    for who in (1, 2)
)
SPLINES = b"2 - the number of splines\n" + 2 * (
    b"3 - Num of control points\n1.0 2.0 0 90.0 - (2D point, m_id)\n5.0 2.5 40 90.0 - (2D)\n9 3 200 1 - (2D)\n"
)


def _database() -> bytes:
    """A small file of JuPedSim."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "seed"
        made = sqlite3.connect(path)
        made.execute("pragma page_size = 512")
        made.execute("create table trajectory_data (frame integer, id integer, pos_x real, pos_y real)")
        made.execute("create table metadata (key text, value text)")
        made.execute("insert into metadata values ('fps', '10')")
        made.executemany(
            "insert into trajectory_data values (?, ?, ?, ?)", [(k, 1, k * 0.1, 2.0) for k in range(9)]
        )
        made.commit()
        made.close()
        return path.read_bytes()


def _read_database(data: bytes) -> object:
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        return read_sqlite(Path(file.name))


TARGETS = (
    ("table", lambda data: parse_text(data, "table"), TABLE),
    ("named table", lambda data: parse_text(data, "table", unit=1.0), NAMED),
    ("obsmat", lambda data: parse_text(data, "obsmat"), OBSMAT),
    ("vsp", lambda data: parse_text(data, "vsp", unit=0.02), SPLINES),
    (
        "vsp on a plane",
        lambda data: parse_text(data, "vsp", homography=[[0.02, 0, 3], [0, 0.02, 1], [0, 0.001, 1]]),
        SPLINES,
    ),
    ("sqlite", _read_database, _database()),
)
"""Name, reader and a good file of each form."""


def read_one(data: bytes) -> bool:
    """Read `data`, whose first byte says as what; whether trajectories came out. Other errors pass on."""
    if not data:
        return False
    _, reader, _ = TARGETS[data[0] % len(TARGETS)]
    try:
        with np.errstate(over="raise", invalid="raise", divide="raise"):
            reader(data[1:])
    except TrajectoryError:
        return False
    return True


def seeds() -> list[bytes]:
    """One good input of each target, its number in front."""
    return [bytes([number]) + seed for number, (_, _, seed) in enumerate(TARGETS)]


def mutated(data: bytes, rng: random.Random) -> bytes:
    """`data` after a few cuts, swaps, copies and planted tokens; its first byte stays."""
    return data[:1] + _runner.mutated(data[1:], rng, TOKENS)


def damaged(rng: random.Random) -> bytes:
    """A seed after some damage."""
    return mutated(rng.choice(seeds()), rng)


def fuzz(*, seconds: float | None = None, count: int | None = None, seed: int = 0) -> tuple[int, int]:
    """Read damaged files for so long, or so many; how many there were and how many still were good."""
    return _runner.repeat(read_one, damaged, seconds=seconds, count=count, seed=seed)


if __name__ == "__main__":
    _runner.run(__doc__, read_one, damaged, "trajectories and TrajectoryErrors", good=seeds(), tokens=TOKENS)
