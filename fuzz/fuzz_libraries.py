"""Feed damaged texts to what else is read: indices of libraries, choices of graphs, logs of live crowds.

    python fuzz/fuzz_libraries.py --seconds 60            with atheris, guided by coverage
    python fuzz/fuzz_libraries.py --seconds 5 --blind     with plain random mutation

Nothing but a library, choices, a log, or an error of ours may come out. It makes its seeds itself.
"""

from __future__ import annotations

import functools
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))  # for tests, which load this file from elsewhere
import _runner

if __name__ == "__main__":
    _runner.instrument("walkon.behaviors.folder")

from walkon.behaviors import Behavior, BehaviorClip, BehaviorLibrary, read_library, write_library
from walkon.crowd.live import Log
from walkon.errors import WalkonError
from walkon.graphs.choosing.choices import Choices, ThresholdChoice, TransitionChoice
from walkon.graphs.choosing.choices_text import format_choices, parse_choices
from walkon.motion import Clip
from walkon.skeleton import Skeleton

TOKENS = (
    *_runner.JSON_TOKENS,
    *(
        b"[[behavior]]\n",
        b"clips = [",
        b'{ file = "clips/',
        b"../",
        b"/etc/passwd",
        b"version = 1\n",
        b"margin = ",
    ),
    *(
        b"sha256 = ",
        b"bytes = ",
        b"weight = ",
        b"nan",
        b"inf",
        b"kind = ",
        b"action = 1e9",
        b"'''",
        b'"',
        b"a." * 40,
    ),
    *(
        b"[[accepted]]\n",
        b"[[thresholds]]\n",
        b'from = "',
        b"frame = ",
        b'"entries":',
        b'"arguments":',
        b'"what":',
    ),
)
"""Bits that these texts are made of, or should not be."""

CHOICES = Choices(
    slide=0.02,
    thresholds=(ThresholdChoice(0.08, clips=("walk_1", "run_2"), note=("# because",), aside="# aside"),),
    accepted=(TransitionChoice("walk_1", 40, "run_2", 7),),
    rejected=(TransitionChoice("walk_1", 41, "run_2", 9), TransitionChoice("run_2", 1, "run_2", 30)),
)
LOG = b"""{"version": 2, "seed": 7, "planner": "search", "frames": 90, "entries": [
{"frame": 3, "what": "remove", "arguments": {"number": 4}},
{"frame": 5, "what": "goal", "arguments": {"x": 1.5}}]}"""


@functools.cache
def _folder() -> tuple[tempfile.TemporaryDirectory[str], Path]:
    """A library of one behavior, and the folder that keeps it."""
    keeper = tempfile.TemporaryDirectory(prefix="walkon-fuzz-")
    skeleton = Skeleton(["root", "arm", "tip"], [-1, 0, 1], np.eye(3), [False, False, True])
    rotations = np.tile([1.0, 0.0, 0.0, 0.0], (12, 3, 1))
    shown = [Clip(f"c{k}", skeleton, 30.0, np.full((12, 3), float(k)), rotations) for k in range(2)]
    clips = tuple(BehaviorClip(clip, 2) for clip in shown)
    library = BehaviorLibrary("seed", (Behavior("go", "stand", "stand", clips),))
    write_library(Path(keeper.name), library)
    return keeper, Path(keeper.name) / "library.toml"


def _read_index(data: bytes) -> object:
    index = _folder()[1]
    index.write_bytes(data)
    return read_library(index)


def _read_choices(data: bytes) -> object:
    choices = parse_choices(data.decode("utf-8", "replace"), "fuzzed")
    again = parse_choices(format_choices(choices), "again")
    assert (again.accepted, again.rejected) == (choices.accepted, choices.rejected)
    assert [one.distance for one in again.thresholds] == [one.distance for one in choices.thresholds]
    return choices


TARGETS: tuple[tuple[str, Callable[[bytes], object], bytes], ...] = (
    ("library", _read_index, _folder()[1].read_bytes()),
    ("choices", _read_choices, format_choices(CHOICES).encode()),
    ("log", lambda data: Log.from_json(data.decode("utf-8", "replace")), LOG),
)
"""Name, reader and a good text of each kind."""


_kinds = _runner.Kinds(TARGETS, WalkonError, TOKENS)
read_one, seeds, mutated, damaged = _kinds.read_one, _kinds.seeds, _kinds.mutated, _kinds.damaged


if __name__ == "__main__":
    _runner.run(__doc__, read_one, damaged, "libraries, choices, logs and our errors", good=seeds(), tokens=TOKENS)
