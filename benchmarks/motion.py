"""Reading BVH and forward kinematics, beside the packages people use today.

Contenders take turns, so that a busy machine slows all of them alike; the best time of each counts. A peer that is
not installed (`make bench` installs them) or that fails is reported with the reason. `reads` counts the BVH files
of the recordings folder, where there is one, that a reader opens without an exception.
"""

from __future__ import annotations

import contextlib
import gc
import io
import os
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

MEGABYTES = 5.0
ROUNDS = 7
RECORDINGS = Path(os.environ.get("WALKON_MOCAP", Path(__file__).resolve().parents[2] / "shared" / "mocap"))

Row = dict[str, object]
Reader = Callable[[Path], Any]


def measure() -> list[Row]:
    """Rows for reading one file of 5 MB and for the kinematics of its frames."""
    with tempfile.TemporaryDirectory() as folder:
        file = _large_file(Path(folder))
        return _reading(file) + _kinematics(file)


def _large_file(folder: Path) -> Path:
    """A BVH file of about 5 MB: the rows of the built-in walk, again and again."""
    from walkon.builtin import make
    from walkon.export import write_bvh

    file = folder / "walk.bvh"
    write_bvh(file, make("walk"))
    header, rows = file.read_text().split("Frame Time:", 1)
    rate, *frames = rows.strip().splitlines()
    repeats = int(np.ceil(MEGABYTES * 1e6 / len("\n".join(frames))))
    header = header.replace(f"Frames: {len(frames)}", f"Frames: {len(frames) * repeats}")
    file.write_text(f"{header}Frame Time: {rate.strip()}\n" + "\n".join(frames * repeats) + "\n")
    return file


def _reading(file: Path) -> list[Row]:
    readers: dict[str, Reader] = {
        "walkon": _read_walkon,
        "upc-pymotion": _read_pymotion,
        "bvh": _read_bvh,
        "bvhio": _read_bvhio,
        "bvhtoolbox": _read_bvhtoolbox,
        "pybvh": _read_pybvh,
    }
    contenders = {name: lambda read=read: read(file) for name, read in readers.items()}
    counts = {name: _count_read(read) for name, read in readers.items()}
    return _rows(f"read {file.stat().st_size / 1e6:.1f} MB of BVH", contenders, counts)


def _kinematics(file: Path) -> list[Row]:
    """World positions and rotations of every joint at every frame, ours beside upc-pymotion's."""
    from pymotion.ops.skeleton import fk

    from walkon import read_clip
    from walkon.skeleton import forward_kinematics

    clip = read_clip(file)
    offsets, parents = np.array(clip.skeleton.offsets), np.array(clip.skeleton.parents)
    offsets[0], parents[0] = 0.0, 0
    contenders = {
        "walkon": lambda: forward_kinematics(clip.skeleton, clip.root_positions, clip.rotations),
        "upc-pymotion": lambda: fk(clip.rotations, clip.root_positions, offsets, parents),
    }
    np.testing.assert_allclose(contenders["walkon"]()[0], contenders["upc-pymotion"]()[0], atol=1e-6)
    return _rows(f"kinematics, {len(clip)} frames of {len(clip.skeleton)} joints", contenders, {})


def _rows(what: str, contenders: dict[str, Callable[[], Any]], counts: dict[str, str]) -> list[Row]:
    seconds, failures = _best_times(contenders)
    return [
        {
            "what": what,
            "who": name,
            "ms": seconds[name] * 1e3 if name in seconds else None,
            "ours is faster by": seconds[name] / seconds["walkon"] if name in seconds else None,
            "reads": counts.get(name, "-"),
            "remark": failures.get(name, ""),
        }
        for name in contenders
    ]


def _best_times(contenders: dict[str, Callable[[], Any]]) -> tuple[dict[str, float], dict[str, str]]:
    """Best time [s] of each over several rounds, after one that pays for imports and compilation."""
    best: dict[str, float] = {}
    failures: dict[str, str] = {}
    for round_number in range(ROUNDS + 1):
        for name in [name for name in contenders if name not in failures]:
            gc.collect()
            start = time.perf_counter()
            try:
                with _quiet():
                    contenders[name]()
            except Exception as error:  # a peer may fail in any way; that is part of the measurement
                failures[name] = f"{type(error).__name__}: {error}"[:60]
                continue
            if round_number > 0:
                best[name] = min(best.get(name, np.inf), time.perf_counter() - start)
    return best, failures


def _count_read(read: Reader) -> str:
    """How many of the recorded BVH files a reader opens."""
    files = sorted(RECORDINGS.rglob("*.bvh"))
    good = 0
    for file in files:
        with contextlib.suppress(Exception), _quiet():
            read(file)
            good += 1
    return f"{good} of {len(files)}" if files else "-"


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Peers print and warn; the table should not drown in it."""
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _read_walkon(file: Path) -> Any:
    from walkon import read_clip

    return read_clip(file)


def _read_pymotion(file: Path) -> Any:
    from pymotion.io.bvh import BVH

    peer = BVH()
    peer.load(str(file))
    return peer.get_data()


def _read_bvh(file: Path) -> Any:
    return np.array(import_module("bvh").Bvh(file.read_text()).frames, dtype=float)


def _read_bvhio(file: Path) -> Any:
    return import_module("bvhio").readAsBvh(str(file))


def _read_bvhtoolbox(file: Path) -> Any:
    peer = import_module("bvhtoolbox")
    return peer.get_motion_data(peer.BvhTree(file.read_text()))


def _read_pybvh(file: Path) -> Any:
    return import_module("pybvh").read_bvh_file(str(file))
