"""Sealed files of arrays: what was written comes back as views of the file, and all damage is told as such."""

from __future__ import annotations

import hashlib
import json
import mmap

import numpy as np
import pytest

from walkon import array_files
from walkon.array_files import ALIGNMENT, PREFIX, SEAL, ArrayFormat, map_file, parse_arrays, write_arrays
from walkon.errors import TreeError, WalkonError

KIND = ArrayFormat(b"walkon test file", 3, "file of a test", TreeError, most_header=2000, dimensions=2)
OTHER = ArrayFormat(b"walkon unlike it", 3, "other file", TreeError)
SETTINGS = {"name": "größe", "cell": 0.1, "rows": 7, "nothing": None, "many": [1, 2]}
ARRAYS = {
    "places": np.arange(12.0).reshape(6, 2) / 7.0,
    "flags": np.array([1, 0, 1], dtype="|u1"),
    "none": np.zeros((0, 4), dtype="<i4"),
    "counts": np.array([[5, -(2**62)]], dtype="<i8"),
}
EXPECTED = {"places": ("<f8",), "flags": ("|u1",), "none": ("<i4", "<i8"), "counts": ("<i8",)}


def parsed(data: bytes, kind: ArrayFormat = KIND, expected=None):
    return parse_arrays(np.frombuffer(data, dtype=np.uint8), kind, EXPECTED if expected is None else expected)


@pytest.fixture(scope="module")
def data(tmp_path_factory) -> bytes:
    path = tmp_path_factory.mktemp("sealed") / "a"
    write_arrays(path, KIND, SETTINGS, ARRAYS)
    return path.read_bytes()


def parts(data: bytes) -> tuple[bytes, bytes]:
    """The header of a good file, and the arrays behind it."""
    length = PREFIX.unpack(data[: PREFIX.size])[2]
    begin = -(-(PREFIX.size + length) // ALIGNMENT) * ALIGNMENT
    return data[PREFIX.size : PREFIX.size + length], data[begin:-SEAL]


def sealed(header: bytes, arrays: bytes, *, version: int = KIND.version) -> bytes:
    """A file by someone who knows how to seal it."""
    room = bytes(-(PREFIX.size + len(header)) % ALIGNMENT)
    length = PREFIX.size + len(header) + len(room) + len(arrays) + SEAL
    content = PREFIX.pack(KIND.magic, version, len(header), length) + header + room + arrays
    return content + hashlib.sha256(content).digest()


def test_everything_comes_back_bit_for_bit(data):
    settings, arrays = parsed(data)
    assert settings == SETTINGS
    assert list(arrays) == list(ARRAYS)
    for name, array in ARRAYS.items():
        again = arrays[name]
        assert (again.dtype, again.shape, again.tobytes()) == (array.dtype, array.shape, array.tobytes()), name


def test_the_same_gives_the_same_bytes_whatever_the_memory_is_like(data, tmp_path):
    strided = {name: np.asfortranarray(array) for name, array in ARRAYS.items()}
    write_arrays(tmp_path / "b", KIND, {**SETTINGS, "rows": np.int64(7), "cell": np.float64(0.1)}, strided)
    assert (tmp_path / "b").read_bytes() == data


def test_arrays_are_aligned_views_of_one_map_of_the_file(data, tmp_path):
    (tmp_path / "a").write_bytes(data)
    maps = set()
    for name, array in parse_arrays(map_file(tmp_path / "a", KIND), KIND, EXPECTED)[1].items():
        assert type(array) is np.ndarray, f"{name}: kernels want plain arrays"
        assert not array.flags.writeable
        assert array.size == 0 or array.ctypes.data % ALIGNMENT == 0
        holder = array
        while isinstance(holder, np.ndarray):
            holder = holder.base
        assert isinstance(holder, mmap.mmap), f"{name} was copied"
        maps.add(id(holder))
    assert len(maps) == 1


def test_headers_of_all_lengths_find_room(tmp_path):
    """Where arrays begin depends on how long the header is, and the header says where they begin."""
    for length in range(120):
        write_arrays(tmp_path / "a", KIND, {"text": "x" * length}, ARRAYS)
        settings, arrays = parse_arrays(map_file(tmp_path / "a", KIND), KIND, EXPECTED)
        assert len(settings["text"]) == length
        assert np.array_equal(arrays["counts"], ARRAYS["counts"])


def test_every_single_altered_byte_is_noticed(data):
    for place in range(len(data)):
        altered = bytearray(data)
        altered[place] ^= 0x10
        with pytest.raises(TreeError):
            parsed(bytes(altered))


def test_every_length_a_file_can_be_cut_to_is_noticed(data):
    for length in range(1, len(data)):
        with pytest.raises(TreeError, match=r"cut short|no file of a test"):
            parsed(data[:length])
    with pytest.raises(TreeError, match="cut short or added to"):
        parsed(data + b"\n")


def test_versions_and_kinds(data):
    with pytest.raises(TreeError, match="newer walkon, in version 4; this one reads 3"):
        parsed(sealed(*parts(data), version=4))
    with pytest.raises(TreeError, match="version 0 is none of ours"):
        parsed(sealed(*parts(data), version=0))
    parsed(sealed(*parts(data), version=1))  # older ones are up to whoever knows what they held
    with pytest.raises(TreeError, match="this is no other file"):
        parsed(data, OTHER)


def test_messages_name_the_file(tmp_path):
    with pytest.raises(TreeError, match="gone: No such file"):
        map_file(tmp_path / "gone", KIND)
    with pytest.raises(TreeError, match="Is a directory"):
        map_file(tmp_path, KIND)
    (tmp_path / "empty").touch()
    with pytest.raises(TreeError, match="empty: the file is empty"):
        map_file(tmp_path / "empty", KIND)
    assert issubclass(TreeError, WalkonError)


def described(data: bytes, change) -> bytes:
    """A sealed file with another header; arrays stay where they are."""
    header, arrays = parts(data)
    record = json.loads(header)
    change(record)
    return sealed(json.dumps(record, indent=1).encode().ljust(len(header)), arrays)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda r: r["arrays"]["places"].update(shape=[1000, 2]), r"places \(1000, 2\) would be larger"),
        (lambda r: r["arrays"]["places"].update(shape=[2**47, 2**47]), "larger than the file"),
        (lambda r: r["arrays"]["places"].update(shape=[2**48]), "places has no shape"),
        (lambda r: r["arrays"]["places"].update(shape=[-1]), "places has no shape"),
        (lambda r: r["arrays"]["places"].update(shape=8), "places has no shape"),
        (lambda r: r["arrays"]["places"].update(shape=[]), "places has no shape"),
        (lambda r: r["arrays"]["places"].update(shape=[3, 2, 2]), "places has no shape"),
        (lambda r: r["arrays"]["places"].update(shape=[True]), "places has no shape"),
        (lambda r: r["arrays"]["places"].update(shape=[12.0]), "places has no shape"),
        (lambda r: r["arrays"]["places"].update(dtype="|O"), r"places holds '\|O', expected <f8"),
        (lambda r: r["arrays"]["none"].update(dtype="<i2"), "none holds '<i2', expected <i4 or <i8"),
        (lambda r: r["arrays"]["flags"].update(offset=0), "flags should have dtype, shape and offset"),
        (lambda r: r["arrays"]["flags"].update(more=0), "flags should have dtype, shape and offset"),
        (lambda r: r["arrays"].update(flags=[]), "flags should have dtype, shape and offset"),
        (lambda r: r["arrays"].pop("counts"), "the arrays should be places, flags, none, counts"),
        (lambda r: r["arrays"].update(places=r["arrays"].pop("places")), "in that order"),
        (lambda r: r.update(arrays=[]), "the arrays should be"),
        (lambda r: r["arrays"]["counts"].update(shape=[1, 90]), "larger than the file"),
        (lambda r: r.update(more={}), "settings and arrays, and nothing else"),
        (lambda r: r.pop("settings"), "settings and arrays, and nothing else"),
    ],
)
def test_headers_that_lie_are_found_out(data, change, said):
    with pytest.raises(TreeError, match=said):
        parsed(described(data, change))


def test_headers_that_are_none_are_found_out(data):
    header, arrays = parts(data)
    for wrong in (b"[" * len(header), b"\xff" * len(header)):
        with pytest.raises(TreeError, match="no JSON"):
            parsed(sealed(wrong, arrays))
    with pytest.raises(TreeError, match="settings and arrays"):
        parsed(sealed(b"3".ljust(len(header)), arrays))
    with pytest.raises(TreeError, match="the arrays end at"):
        parsed(sealed(header, arrays + bytes(ALIGNMENT)))
    with pytest.raises(TreeError, match="none of ours"):
        parsed(sealed(header.ljust(KIND.most_header + 1), arrays))
    content = PREFIX.pack(KIND.magic, 1, 4_000_000_000, 96) + bytes(32)
    with pytest.raises(TreeError, match="none of ours"):
        parsed(content + hashlib.sha256(content).digest())


def test_what_cannot_be_read_again_is_not_written(tmp_path):
    with pytest.raises(TreeError, match="longer than 2000"):
        write_arrays(tmp_path / "a", KIND, {"text": "x" * 2000}, ARRAYS)
    with pytest.raises(ValueError, match="JSON"):
        write_arrays(tmp_path / "a", KIND, {"cell": float("nan")}, ARRAYS)
    assert not list(tmp_path.iterdir())


def test_a_disk_that_fills_up_leaves_the_previous_file(tmp_path, monkeypatch):
    path = tmp_path / "a"
    path.write_bytes(b"the file of yesterday")

    def full(*_):
        raise OSError("no space left")

    monkeypatch.setattr(array_files._Sealed, "fill", full)
    with pytest.raises(OSError, match="no space"):
        write_arrays(path, KIND, SETTINGS, ARRAYS)
    assert path.read_bytes() == b"the file of yesterday"
    assert [found.name for found in tmp_path.iterdir()] == ["a"]


def test_a_long_file_is_checked_in_pieces(tmp_path, monkeypatch):
    monkeypatch.setattr(array_files, "_CHUNK", 64)
    write_arrays(tmp_path / "a", KIND, SETTINGS, ARRAYS)
    data = (tmp_path / "a").read_bytes()
    parsed(data)
    with pytest.raises(TreeError, match="altered"):
        parsed(data[:-SEAL] + bytes(SEAL))
