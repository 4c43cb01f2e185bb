"""Feed damaged files to every reader: nothing but a clip or a ClipError may come out.

    python fuzz/fuzz_readers.py --seconds 60            with atheris, guided by coverage
    python fuzz/fuzz_readers.py --seconds 5 --blind     with plain random mutation

It makes its seeds itself. On a finding it stops with a traceback, and leaves the input in `--findings`.
"""

from __future__ import annotations

import functools
import json
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))  # for tests, which load this file from elsewhere
import _runner

if __name__ == "__main__":
    _runner.instrument("walkon.motion.readers")

from walkon.containers import zipped
from walkon.errors import ClipError
from walkon.motion.clip import Clip, Contacts, Label
from walkon.motion.readers.amc import parse_amc
from walkon.motion.readers.asf import joints_of, parse_asf
from walkon.motion.readers.assembly import build_recording
from walkon.motion.readers.bvh import parse_bvh
from walkon.motion.readers.clip_file import CLIP_HEADER, clip_file_members, parse_clip_file
from walkon.motion.readers.deepmimic import parse_deepmimic
from walkon.motion.readers.deepmimic_characters import CHARACTERS
from walkon.motion.readers.recording import RawMotion
from walkon.skeleton import Skeleton

PATH = Path("fuzzed")
BETWEEN = b"\f"
"""Separates the ASF from the AMC half of one input."""

TOKENS = (
    *(b"1e400", b"-nan", b"inf", b"999999999999999999999999", b"1e-400", b"0x10", b"1_0", b".", b"-", b"+.e5"),
    *(b"{", b"}", b"\r", b"\r\n", b"\0", b"\xff\xfe", b"ROOT r\n{", b"JOINT a b\n{ OFFSET 0 0 0", b"End Site\n{"),
    *(b"CHANNELS 3 Xrotation Xrotation Yposition", b"CHANNELS 99999999", b"MOTION\n", b"Frames: 1000000000\n"),
    *(
        b"Frame Time: 0\n",
        b":bonedata\n",
        b"begin\n",
        b"end\n",
        b"dof l tx rz\n",
        b"limits (-inf inf)\n",
        b"a a\n",
    ),
    *(b'"Frames"', b"[" * 60, b'{"a":', b"null", b"clip.json", b"PK\x03\x04", b"PK\x05\x06"),
)
"""Bits that files are made of, or should not be."""


def seed_bvh() -> bytes:
    """A small figure with mixed orders, a moving bone and a T pose in front."""
    lines = ["HIERARCHY", "ROOT Hips", "{", "OFFSET 0 90 0"]
    lines += ["CHANNELS 6 Zrotation Xrotation Yrotation Xposition Yposition Zposition"]
    lines += ["JOINT Left Leg", "{", "OFFSET 10 0 0", "CHANNELS 3 Xrotation Yrotation Zrotation"]
    lines += ["JOINT Foot", "{", "OFFSET 0 -45 0", "CHANNELS 4 Yposition Xrotation Yrotation Zrotation"]
    lines += ["End Site", "{", "OFFSET 0 -45 5.5e-1", "}", "}", "}", "}", "MOTION", "Frames: 6"]
    lines += ["Frame Time: .0333333"]
    lines += [" ".join(f"{(3 * f + c) % 11 - 5 + 0.125 * f}" for c in range(13)) for f in range(6)]
    return "\r\n".join(lines).encode()


def seed_asf() -> bytes:
    """A root and a two-bone leg, one of them with every degree of freedom."""
    return b"""# comment
:version 1.10
:name seed
:units
  mass 1.0
  length 0.45
  angle deg
:root
  order TX TY TZ RX RY RZ
  axis XYZ
  position 0 0 0
  orientation 0 0 0
:bonedata
  begin
    id 1
    name thigh
    direction 0 -1 0
    length 7.5
    axis 0 0 20 XYZ
    dof rx ry rz tx ty tz l
    limits (-160.0 20.0)
           (-70.0 70.0)
  end
  begin
    id 2
    name shin
    direction 0.1 -1 0
    length 8
    axis 5 0 20 ZYX
    dof rz
  end
:hierarchy
  begin
    root thigh
    thigh shin
  end
"""


def seed_amc() -> bytes:
    """Five frames for the skeleton of `seed_asf`."""
    frames = [
        f"{f + 1}\nroot 0 {15 + f} 0 1 2 {f}\nthigh {f} 2 3 0 0 0.5 {0.1 * f}\nshin {-f}.5e0\n" for f in range(5)
    ]
    return (":FULLY-SPECIFIED\n:DEGREES\n" + "".join(frames)).encode()


def seed_deepmimic() -> bytes:
    """Three frames of a humanoid, of uneven length."""
    length = CHARACTERS[1].frame_length
    frames = [[0.1 + 0.05 * f, f, 1, 0, *([1, 0, 0, 0] * length)[: length - 4]] for f in range(3)]
    return json.dumps({"Loop": "wrap", "Frames": frames}).encode()


@functools.cache
def seed_clip() -> Clip:
    """A clip with everything a clip file can hold."""
    skeleton = Skeleton(["a", "b", "c"], [-1, 0, 1], np.eye(3), [False, False, True])
    rotations = np.tile([1.0, 0, 0, 0], (4, 3, 1))
    contacts = Contacts(("c",), np.ones((4, 1), bool))
    return Clip(
        "seed",
        skeleton,
        30.0,
        np.zeros((4, 3)),
        rotations,
        bone_offsets=np.tile(np.eye(3), (4, 1, 1)),
        labels=(Label("walk", 0, 4),),
        contacts=contacts,
    )


def _finish(raw: RawMotion) -> None:
    build_recording(raw, PATH, units="auto", up="auto", trim="leading", keep_t_pose=False)


def _read_pair(data: bytes) -> None:
    asf, _, amc = data.partition(BETWEEN)
    _finish(parse_amc(amc, PATH, parse_asf(asf, PATH)))


def _read_clip_header(data: bytes) -> None:
    """A clip file with `data` as its header: no mutation of the whole file keeps its checksums right."""
    parse_clip_file(zipped({**clip_file_members(seed_clip()), CLIP_HEADER: data}), PATH)


TARGETS: tuple[tuple[str, Callable[[bytes], object], bytes], ...] = (
    ("bvh", lambda data: _finish(parse_bvh(data, PATH)), seed_bvh()),
    ("asf", lambda data: _finish(joints_of(parse_asf(data, PATH))), seed_asf()),
    ("asf and amc", _read_pair, seed_asf() + BETWEEN + seed_amc()),
    ("deepmimic", lambda data: _finish(parse_deepmimic(data, PATH)), seed_deepmimic()),
    ("clip file", lambda data: parse_clip_file(data, PATH), zipped(clip_file_members(seed_clip()))),
    ("clip header", _read_clip_header, clip_file_members(seed_clip())[CLIP_HEADER]),
)
"""Name, reader and a good file of each format."""


_kinds = _runner.Kinds(
    TARGETS, ClipError, TOKENS, lambda: np.errstate(over="raise", invalid="raise", divide="raise")
)
read_one, seeds, mutated, damaged = _kinds.read_one, _kinds.seeds, _kinds.mutated, _kinds.damaged


if __name__ == "__main__":
    _runner.run(__doc__, read_one, damaged, "clips and ClipErrors", good=seeds(), tokens=TOKENS)
