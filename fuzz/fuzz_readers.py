"""Feed damaged files to every reader: nothing but a clip or a ClipError may come out.

    python fuzz/fuzz_readers.py --seconds 60            with atheris, guided by coverage
    python fuzz/fuzz_readers.py --seconds 5 --blind     with plain random mutation

It makes its seeds itself. On a finding it stops with a traceback, and leaves the input in `--findings`.
"""

from __future__ import annotations

import argparse
import functools
import importlib
import io
import json
import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

try:
    import atheris
except ImportError:  # not on every platform; the blind mode needs none
    atheris = None

if atheris is not None and __name__ == "__main__" and "--blind" not in sys.argv:
    # Before anything else imports walkon. Numba compiles kernels from bytecode, which must stay as it is.
    source = Path(__file__).resolve().parents[1] / "src"
    kernels = [".".join(p.relative_to(source).with_suffix("").parts) for p in source.rglob("_kernels.py")]
    with atheris.instrument_imports(["walkon"], kernels):  # pyright: ignore[reportAttributeAccessIssue]
        importlib.import_module("walkon.motion.readers")

from walkon.errors import ClipError
from walkon.motion.clip import Clip, Contacts, Label
from walkon.motion.readers.amc import parse_amc
from walkon.motion.readers.asf import joints_of, parse_asf
from walkon.motion.readers.assembly import build_recording
from walkon.motion.readers.bvh import parse_bvh
from walkon.motion.readers.clip_file import HEADER, clip_file_members, parse_clip_file, zipped
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
    parse_clip_file(zipped({**clip_file_members(seed_clip()), HEADER: data}), PATH)


TARGETS: tuple[tuple[str, Callable[[bytes], object], bytes], ...] = (
    ("bvh", lambda data: _finish(parse_bvh(data, PATH)), seed_bvh()),
    ("asf", lambda data: _finish(joints_of(parse_asf(data, PATH))), seed_asf()),
    ("asf and amc", _read_pair, seed_asf() + BETWEEN + seed_amc()),
    ("deepmimic", lambda data: _finish(parse_deepmimic(data, PATH)), seed_deepmimic()),
    ("clip file", lambda data: parse_clip_file(data, PATH), zipped(clip_file_members(seed_clip()))),
    ("clip header", _read_clip_header, clip_file_members(seed_clip())[HEADER]),
)
"""Name, reader and a good file of each format."""


def read_one(data: bytes) -> bool:
    """Read `data`, whose first byte says as what; whether a clip came out. Anything but a ClipError passes on."""
    if not data:
        return False
    _, reader, _ = TARGETS[data[0] % len(TARGETS)]
    try:
        with np.errstate(over="raise", invalid="raise", divide="raise"):
            reader(data[1:])
    except ClipError:
        return False
    return True


def seeds() -> list[bytes]:
    """One good input of each target, its number in front."""
    return [bytes([number]) + seed for number, (_, _, seed) in enumerate(TARGETS)]


def mutated(data: bytes, rng: random.Random) -> bytes:
    """`data` after a few cuts, swaps, copies and planted tokens; its first byte stays."""
    body = bytearray(data[1:])
    for _ in range(rng.randint(1, 4)):
        a, b = sorted(rng.randrange(len(body) + 1) for _ in range(2))
        match rng.randrange(6):
            case 0:
                body[a:a] = rng.choice(TOKENS)
            case 1:
                body[a : a + rng.randint(1, 12)] = rng.choice(TOKENS)
            case 2:
                del body[a : min(b, a + rng.choice((1, 5, 40, 4000)))]
            case 3:
                body[a:a] = body[a : min(b, a + 200)] * rng.choice((1, 2, 30))
            case 4:
                body[a : a + 1] = bytes([rng.randrange(256)])
            case 5:
                body = body[:b]
    return data[:1] + bytes(body)


def fuzz_blind(seconds: float, seed: int = 0) -> int:
    """Mutate seeds at random for so long; the number of inputs read."""
    rng = random.Random(seed)
    pool, count = seeds(), 0
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        read_one(mutated(rng.choice(pool), rng))
        count += 1
    return count


def _feed(data: bytes) -> None:
    read_one(data)


def fuzz_guided(seconds: float, findings: Path) -> None:
    """Let atheris look for inputs that reach new code. It ends the process itself."""
    if atheris is None:
        sys.exit("atheris is not installed here; use --blind")
    findings.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder) / "corpus"
        corpus.mkdir()
        for number, seed in enumerate(seeds()):
            (corpus / f"seed{number}").write_bytes(seed)
        words = io.StringIO()
        for token in TOKENS:
            words.write('"' + "".join(f"\\x{byte:02x}" for byte in token) + '"\n')
        dictionary = Path(folder) / "tokens"
        dictionary.write_text(words.getvalue())
        options = [f"-max_total_time={int(seconds)}", "-max_len=20000", "-rss_limit_mb=2048", "-timeout=20"]
        options += [f"-artifact_prefix={findings}/", f"-dict={dictionary}"]
        atheris.Setup([sys.argv[0], *options, str(corpus)], _feed)
        atheris.Fuzz()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--blind", action="store_true", help="random mutation, without atheris")
    parser.add_argument("--findings", type=Path, default=Path(tempfile.gettempdir()) / "walkon-fuzz")
    options = parser.parse_args()
    for seed in seeds():
        assert read_one(seed), f"the seed of {TARGETS[seed[0]][0]} is not readable"
    if options.blind:
        print(f"{fuzz_blind(options.seconds)} inputs read, nothing but clips and ClipErrors")
    else:
        fuzz_guided(options.seconds, options.findings)


if __name__ == "__main__":
    main()
