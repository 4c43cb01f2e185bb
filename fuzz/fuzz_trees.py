"""Feed damaged forests to the reader: nothing but a TreeError or a forest that holds together may come out.

    python fuzz/fuzz_trees.py --seconds 60

Whole files are damaged at random, which their seal must notice. Headers and numbers are damaged in a file that is
sealed anew, which gets past the seal and hammers what lies behind; every forest that is accepted then is walked as
kernels walk it, slowly and with a look at every index. It makes its seed itself.
"""

from __future__ import annotations

import functools
import random
import sys
import tempfile
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))  # for tests, which load this file from elsewhere
import _runner
import _sealed

from walkon.errors import TreeError
from walkon.trees.file import FORMAT, parse_forest, write_forest
from walkon.trees.forest import Forest

TOKENS = (
    *_runner.JSON_TOKENS,
    *(b'"<i8"', b'"|O"', b'"shape": [9999999999, 3]', b'"offset": 0'),
    *(b"walkon tree\r\n\x1a\n\0", b"\x7f\xff\xff\xff", b"\xff\xff\xff\xff"),
)
"""Bits that forests are made of, or should not be."""


@functools.cache
def seed_forest() -> Forest:
    """Three poses, the second without a tree; three clips, watched at two, one and three points."""
    parents = np.array([-1, 0, 0, 1, 3, -1, 5, 6], dtype=np.int32)
    clips = np.array([-1, 0, 1, 2, 0, -1, 1, 2], dtype=np.int16)
    behaviors = np.array([-1, 0, 0, 3, 0, -1, 0, 3], dtype=np.int16)
    costs = np.array([0.0, 1.0, 1.0, 2.5, 3.5, 0.0, 1.0, 2.5], dtype=np.float32)
    x = np.array([0.0, 0.25, 0.5, 1.0, 1.5, 0.0, -0.5, 1.0], dtype=np.float32)
    z = np.array([0.0, 1.0, 1.5, 1.5, 0.5, 0.0, 1.0, 0.25], dtype=np.float32)
    counts = np.array([0, 2, 1, 3, 2, 0, 1, 3])
    # Goal cells (2 x 2) of 1.5 m from (-1, 0) on; each node is entered once, by hand.
    entries = [[1, 2, 3, 4], [], [6, 7]]
    begins = np.array([[0, 1, 2, 3, 4], [4, 4, 4, 4, 4], [4, 5, 6, 6, 6]])
    return Forest(
        digest="d" * 64, builder="by hand", seed=7, passes=("jump_over",), cell=0.25, origin_x=-1.0, origin_z=-1.0,
        rows=12, columns=16, goal_cell=1.5, overlap=0.5, goal_x=-1.0, goal_z=0.0, goal_rows=2, goal_columns=2,
        starts=np.array([0, 5, 5, 8]), numbers=np.array([2, 2, 9]), point_starts=np.array([0, 2, 3, 6]),
        points=np.arange(12.0).reshape(6, 2), parents=parents,
        placements=np.stack([x, z, 0.25 * x], axis=1), costs=costs,
        frames=np.array([0, 10, 12, 25, 35, 0, 12, 27], dtype=np.int32), behaviors=behaviors, clips=clips,
        cell_starts=np.concatenate([[0], np.cumsum(counts)]).astype(np.uint32),
        cells=(np.arange(12) * 17 % 192).astype(np.uint16), entry_starts=begins,
        entries=np.array([node for row in entries for node in row], dtype=np.int32),
    )  # fmt: skip


@functools.cache
def seed_bytes() -> bytes:
    """The file of the seed."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "seed.tree"
        write_forest(seed_forest(), path)
        return path.read_bytes()


parts = _sealed.parts


def sealed(header: bytes, arrays: bytes, *, version: int = FORMAT) -> bytes:
    """A file with that header and those arrays, its lengths and its seal as they should be."""
    return _sealed.sealed(seed_bytes()[:16], header, arrays, version=version)


def damaged(rng: random.Random) -> bytes:
    """A damaged file: as a whole, or sealed after its header or its arrays were damaged."""
    return _sealed.damaged(seed_bytes(), rng, TOKENS, sizes=(1, 2, 4, 8), most=12)


def read_one(data: bytes) -> bool:
    """Whether a forest came out, and can be walked; anything but a TreeError passes on."""
    try:
        with np.errstate(over="raise", invalid="raise", divide="raise"):
            forest = parse_forest(np.frombuffer(data, dtype=np.uint8))
    except TreeError:
        return False
    walk(forest)
    return True


def walk(forest: Forest) -> None:
    """Go everywhere a kernel may go, and look at every index before it is used."""

    def at(array: np.ndarray, index: int) -> int:
        assert 0 <= index < len(array), f"{index} of {len(array)}"
        return int(array[index])

    for pose in range(len(forest.starts) - 1):
        first, stop = at(forest.starts, pose), at(forest.starts, pose + 1)
        for cell in range(forest.goal_rows * forest.goal_columns):
            row, before = forest.entry_starts[pose], -1.0
            for entry in range(at(row, cell), at(row, cell + 1)):
                node = at(forest.entries, entry)
                assert first <= node < stop
                assert forest.costs[node] >= before
                before = float(forest.costs[node])
        for leaf in range(first, stop):
            node, steps = leaf, 0
            while at(forest.parents, node) >= 0:
                clip = at(forest.clips, node)
                at(forest.numbers, clip)
                points = range(at(forest.point_starts, clip), at(forest.point_starts, clip + 1))
                cells = range(at(forest.cell_starts, node), at(forest.cell_starts, node + 1))
                for point, cell in zip(points, cells, strict=True):
                    assert 0 <= point < len(forest.points)
                    assert at(forest.cells, cell) < forest.rows * forest.columns
                node, steps = at(forest.parents, node), steps + 1
                assert steps < stop - first
            assert node == first


def fuzz(*, seconds: float | None = None, count: int | None = None, seed: int = 0) -> tuple[int, int]:
    """Read damaged files for so long, or so many; how many there were and how many still were forests."""
    return _runner.repeat(read_one, damaged, seconds=seconds, count=count, seed=seed)


if __name__ == "__main__":
    _runner.run(__doc__, read_one, damaged, "forests and TreeErrors", good=[seed_bytes()])
