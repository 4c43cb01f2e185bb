"""However a file lies about its size, reading it takes memory in proportion to what is there."""

from __future__ import annotations

import tracemalloc

import pytest

from walkon.errors import ClipError
from walkon.motion.readers import read_recording

ASF = b":root\n order TX TY TZ\n:bonedata\nbegin\nname a\ndirection 0 1 0\nlength 1\ndof rx\nend\n"

MANY = 30_000

BYTES_PER_BYTE, FLOOR = 300, 12e6
"""Memory allowed for a byte of file, and for any file at all."""


def nested(joints: int) -> bytes:
    head = b"HIERARCHY\nROOT r\n{\nOFFSET 0 0 0\nCHANNELS 1 Yposition\n"
    return head + b"JOINT j\n{\nOFFSET 0 1 0\n" * joints + b"}" * (joints + 1)


ONE_FRAME = b"\nMOTION\nFrames: 1\nFrame Time: .1\n"

HOSTILE = {
    "a billion frames announced.bvh": nested(3) + b"MOTION\nFrames: 999999999\nFrame Time: .1\n1\n2\n3\n",
    "many joints, one channel, many rows.bvh": nested(9000)
    + b"\nMOTION\nFrames: 1\nFrame Time: .1\n"
    + b"1\n" * MANY,
    "very many joints.bvh": nested(MANY),
    "many channels.bvh": b"HIERARCHY\nROOT r\n{\nOFFSET 0 0 0\nCHANNELS 99 " + b"a " * MANY,
    "a line of braces.bvh": b"HIERARCHY\nROOT r\n" + b"{" * MANY,
    "blank lines.bvh": b"HIERARCHY\n" + b"\n" * MANY,
    "one long name.bvh": b"HIERARCHY\nROOT " + b"x" * MANY,
    "one long number.bvh": nested(0) + ONE_FRAME + b"1" * MANY,
    "hard numbers.bvh": nested(0) + ONE_FRAME + b"1e-99\n" * (MANY // 20),
    "frames without end.amc": b":DEGREES\n" + b"1\n" * MANY,
    "bones without end.asf": ASF + b"begin\n" * MANY,
    "names without end.asf": b":root\n:hierarchy\n:bonedata\n" + b"begin\nname a\nend\n" * (MANY // 10),
    "brackets.json": b'{"Frames": ' + b"[" * MANY,
    "empty lists.json": b'{"Frames": [' + b"[]," * MANY + b"[]]}",
    "zeros.clip": b"PK\x03\x04" + b"\0" * MANY,
}


@pytest.fixture(autouse=True, scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Read a good file first: what numba needs to load its kernels is not the file's doing."""
    path = tmp_path_factory.mktemp("good") / "good.bvh"
    path.write_bytes(HOSTILE["a billion frames announced.bvh"])
    read_recording(path)


@pytest.mark.parametrize("name", HOSTILE)
def test_memory_stays_in_proportion_to_the_file(write, name):
    data = HOSTILE[name]
    write("any.asf", ASF + b":hierarchy\nbegin\nroot a\nend\n")
    path = write(name, data)
    tracemalloc.start()
    try:
        read_recording(path)
    except ClipError:
        pass
    finally:
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert peak < BYTES_PER_BYTE * len(data) + FLOOR
