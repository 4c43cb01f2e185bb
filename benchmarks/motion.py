"""Reading BVH and forward kinematics, beside the packages people use today.

Peers that are not installed (`make bench` installs them) or that fail are reported as such, with the reason.
`reads all` counts the files of the recordings folder, where there is one, that a peer opens without an exception.
"""

from __future__ import annotations

import contextlib
import gc
import io
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

MEGABYTES = 5.0
REPEATS = 5
RECORDINGS = Path(__file__).resolve().parents[2] / "shared" / "mocap"
Row = dict[str, object]


def measure() -> list[Row]:
    """Rows for reading one file of 5 MB and for the kinematics of its frames."""
    with tempfile.TemporaryDirectory() as folder:
        file = _large_file(Path(folder))
        return _reading(file) + _kinematics(file)


def _large_file(folder: Path) -> Path:
    """A BVH file of about 5 MB: the built-in walk, long enough."""
    from walkon.builtin import make
    from walkon.export import write_bvh

    walk = make("walk")
    file = folder / "walk.bvh"
    write_bvh(file, walk)
    repeats = int(np.ceil(MEGABYTES * 1e6 / file.stat().st_size))
    header, rows = file.read_text().split("Frame Time:", 1)
    rate, *frames = rows.strip().splitlines()
    count = len(frames) * repeats
    header = header.replace(f"Frames: {len(frames)}", f"Frames: {count}")
    file.write_text(f"{header}Frame Time: {rate.strip()}\n" + "\n".join(frames * repeats) + "\n")
    return file


def _reading(file: Path) -> list[Row]:
    readers = {"walkon": _read_walkon, **_peer_readers()}
    megabytes = file.stat().st_size / 1e6
    seconds = {name: _best_time(read, file) for name, read in readers.items()}
    ours = seconds["walkon"][0]
    rows: list[Row] = []
    for name, (best, failure) in seconds.items():
        rows.append(
            {
                "what": f"read {megabytes:.1f} MB BVH",
                "who": name,
                "ms": None if best is None else best * 1e3,
                "ours is faster by": None if best is None or ours is None else best / ours,
                "reads all": _reads_all(readers[name]),
                "remark": failure,
            }
        )
    return rows


def _best_time(read: Callable[[Path], object], file: Path) -> tuple[float | None, str]:
    """Best of several runs, after one that pays for imports and compilation."""
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            read(file)
            best = float("inf")
            for _ in range(REPEATS):
                gc.collect()
                start = time.perf_counter()
                read(file)
                best = min(best, time.perf_counter() - start)
    except Exception as error:  # a peer may fail in any way; that is part of the measurement
        return None, f"{type(error).__name__}: {error}"[:60]
    return best, ""


def _reads_all(read: Callable[[Path], object]) -> str:
    """How many files of the recordings folder a reader opens."""
    files = sorted(RECORDINGS.rglob("*.bvh"))[:: 1 if read is _read_walkon else 8]
    files += [file for file in sorted((RECORDINGS / "other").rglob("*.bvh")) if file not in files]
    good = 0
    for file in files:
        with contextlib.suppress(Exception), contextlib.redirect_stdout(io.StringIO()):
            read(file)
            good += 1
    return f"{good} of {len(files)}" if files else "-"


def _read_walkon(file: Path) -> object:
    from walkon import read_clip

    return read_clip(file)


def _peer_readers() -> dict[str, Callable[[Path], object]]:
    """Each peer's way from a path to an array of numbers."""

    def pymotion(file: Path) -> object:
        from pymotion.io.bvh import BVH

        peer = BVH()
        peer.load(str(file))
        return peer.get_data()

    def bvh(file: Path) -> object:
        from bvh import Bvh

        return np.array(Bvh(file.read_text()).frames, dtype=float)

    def bvhio(file: Path) -> object:
        import bvhio

        return bvhio.readAsBvh(str(file))

    def bvhtoolbox(file: Path) -> object:
        from bvhtoolbox import BvhTree, get_motion_data

        return get_motion_data(BvhTree(file.read_text()))

    def pybvh(file: Path) -> object:
        from pybvh import read_bvh_file

        return read_bvh_file(str(file))

    return {"upc-pymotion": pymotion, "bvh": bvh, "bvhio": bvhio, "bvhtoolbox": bvhtoolbox, "pybvh": pybvh}


def _kinematics(file: Path) -> list[Row]:
    """World positions and rotations of every joint at every frame, ours beside upc-pymotion's."""
    from pymotion.ops.skeleton import fk

    from walkon import read_clip
    from walkon.skeleton import forward_kinematics

    clip = read_clip(file)
    offsets = np.array(clip.skeleton.offsets)
    offsets[0] = 0.0
    parents = np.array(clip.skeleton.parents)
    parents[0] = 0

    def ours(_: Path) -> object:
        return forward_kinematics(clip.skeleton, clip.root_positions, clip.rotations)

    def theirs(_: Path) -> object:
        return fk(clip.rotations, clip.root_positions, offsets, parents)

    np.testing.assert_allclose(ours(file)[0], theirs(file)[0], atol=1e-6)  # type: ignore[index]
    best = {name: _best_time(run, file) for name, run in {"walkon": ours, "upc-pymotion": theirs}.items()}
    what = f"kinematics, {len(clip)} frames of {len(clip.skeleton)} joints"
    return [
        {
            "what": what,
            "who": name,
            "ms": None if seconds is None else seconds * 1e3,
            "ours is faster by": None if seconds is None else seconds / (best["walkon"][0] or seconds),
            "reads all": "-",
            "remark": failure,
        }
        for name, (seconds, failure) in best.items()
    ]
