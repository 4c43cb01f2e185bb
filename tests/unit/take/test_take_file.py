"""A take file gives back exactly what was written, or says what is wrong with it."""

from __future__ import annotations

import io
import json
import resource
import subprocess
import sys
import zipfile
import zlib
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from types import MappingProxyType

import numpy as np
import pytest

import walkon.files
from walkon import containers
from walkon.errors import TakeError
from walkon.records import JsonObject
from walkon.take import FORMAT, read_take, write_take
from walkon.take.arrays import ArrayReader, ArrayWriter, parse_array
from walkon.take.container import MANIFEST, packed, unpacked
from walkon.take.file import parse_take, take_bytes


def same(a: object, b: object) -> bool:
    """Whether two values are equal all the way down, arrays bit for bit."""
    if isinstance(a, np.ndarray):
        return (
            isinstance(b, np.ndarray) and a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
        )
    if isinstance(a, tuple):
        return isinstance(b, tuple) and len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict | MappingProxyType):
        return dict(a) == dict(b)  # type: ignore[call-overload]
    if is_dataclass(a):
        return type(a) is type(b) and all(same(getattr(a, f.name), getattr(b, f.name)) for f in fields(a))
    return type(a) is type(b) and a == b


@pytest.fixture(scope="module")
def data(take) -> bytes:
    return take_bytes(take)


def test_everything_comes_back(take, tmp_path):
    write_take(take, tmp_path / "a.take")
    assert same(read_take(tmp_path / "a.take"), take)


def test_takes_from_before_there_was_a_choice_saw_circles(data):
    def with_level(edit) -> bytes:
        members = unpacked(data)
        scene = json.loads(members["scene.json"])
        edit(scene)
        changed = {name: member for name, member in members.items() if name != MANIFEST}
        return packed({**changed, "scene.json": json.dumps(scene).encode()})

    assert parse_take(data).scene.bodies == "body"
    assert parse_take(with_level(lambda scene: scene.pop("bodies"))).scene.bodies == "circle"
    with pytest.raises(TakeError, match="no level of bodies 'disc'; there are: one-circle, circle"):
        parse_take(with_level(lambda scene: scene.update(bodies="disc")))
    with pytest.raises(TakeError, match="bodies should be a text"):
        parse_take(with_level(lambda scene: scene.update(bodies=1)))


def test_the_comparison_above_notices_a_change(take):
    assert not same(replace(take, seed=8), take)
    scene = replace(take.scene, obstacles=take.scene.obstacles[:-1])
    assert not same(replace(take, scene=scene), take)


def test_the_same_take_gives_the_same_bytes(take, data):
    assert take_bytes(take) == data
    assert take_bytes(parse_take(data)) == data
    turned = replace(take.scene.characters[0], weights={"b": 2.0, "a": 1.0})
    other = replace(turned, weights={"a": 1.0, "b": 2.0})
    scenes = [replace(take.scene, characters=(who, take.scene.characters[1])) for who in (turned, other)]
    assert take_bytes(replace(take, scene=scenes[0])) == take_bytes(replace(take, scene=scenes[1]))


def test_skeletons_and_equal_arrays_are_shared(take):
    two = replace(take, clips=take.clips * 2)
    again = parse_take(take_bytes(two))
    assert again.clips[0].clip.skeleton is again.clips[1].clip.skeleton
    assert len(unpacked(take_bytes(two))) == len(unpacked(take_bytes(take)))


def test_every_single_altered_byte_is_noticed(data):
    for place in range(0, len(data), 7):
        altered = bytearray(data)
        altered[place] ^= 0x10
        with pytest.raises(TakeError):
            parse_take(bytes(altered))


def test_an_altered_member_is_named(data):
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        info = archive.getinfo("arrays/0003.npy")
    altered = bytearray(data)
    altered[info.header_offset + 30 + len(info.filename) + 12] ^= 1
    with pytest.raises(TakeError, match=r"arrays/0003\.npy"):
        parse_take(bytes(altered))


def test_every_length_a_file_can_be_cut_to_is_noticed(data):
    for length in range(0, len(data), 11):
        with pytest.raises(TakeError, match=r"cut short|no take|empty"):
            parse_take(data[:length])
    with pytest.raises(TakeError, match="cut short"):
        parse_take(data[:-1])
    with pytest.raises(TakeError, match="cut short"):
        parse_take(data + b"\n")


def test_a_newer_version_is_refused_as_such(data):
    newer = data.replace(b"walkon take 1 ", b"walkon take 9 ")
    with pytest.raises(TakeError, match=f"newer walkon, in version 9 of the format; this one reads {FORMAT}"):
        parse_take(newer)


def test_messages_name_the_file(tmp_path):
    path = tmp_path / "gone.take"
    with pytest.raises(TakeError, match=r"gone\.take: No such file"):
        read_take(path)
    path.write_bytes(b"BVH")
    with pytest.raises(TakeError, match=r"gone\.take: this is no take"):
        read_take(path)


def test_wrong_fields_are_named_with_their_place(data):
    members = unpacked(data)
    for what, before, after in (
        (r"take\.json:\.roles\[0\]\.leaves should be true or false", b'"leaves": false', b'"leaves": 3'),
        (r"take\.json:\.clips\[0\]\.margin should be a whole number", b'"margin": 1', b'"margin": 1.5'),
        (r"take\.json:\.clips\[0\]\.skeleton: there is no skeleton 4", b'"skeleton": 0', b'"skeleton": 4'),
    ):
        assert before in members["take.json"]
        changed = {**members, "take.json": members["take.json"].replace(before, after)}
        with pytest.raises(TakeError, match=what):
            parse_take(packed(changed))
    changed = {**members, "scene.json": members["scene.json"].replace(b'"sphere"', b'"cube"')}
    with pytest.raises(TakeError, match=r"scene\.json:\.obstacles\[2\]\.shape: no shape 'cube'"):
        parse_take(packed(changed))
    changed = {**members, "scene.json": members["scene.json"].replace(b'"verb": "wait"', b'"verb": "nap"')}
    with pytest.raises(TakeError, match=r"scene\.json:\.characters\[1\]\.script\[7\]: no step 'nap'"):
        parse_take(packed(changed))


def test_only_those_who_have_a_script_mention_one(data):
    assert unpacked(data)["scene.json"].count(b'"script"') == 1


def test_a_take_that_does_not_fit_together_is_a_take_error(data):
    members = unpacked(data)
    changed = {**members, "scene.json": members["scene.json"].replace(b'"radius": 0.4', b'"radius": -1')}
    with pytest.raises(TakeError, match=r"does not fit together.*radius of a sphere"):
        parse_take(packed(changed))


def test_a_bomb_is_refused_before_it_goes_off(monkeypatch):
    bomb = packed({"scene.json": b"0" * (16 << 20)})
    monkeypatch.setattr(containers, "FREE_UNFOLDED", 1 << 20)
    assert len(bomb) < 1 << 17
    with pytest.raises(TakeError, match="too many for its size"):
        unpacked(bomb)


def test_what_folds_too_well_to_be_believed_is_stored_as_it_is(monkeypatch):
    monkeypatch.setattr(containers, "FREE_UNFOLDED", 1 << 20)
    members = {"scene.json": b"0" * (2 << 20)}
    assert unpacked(packed(members)) == members


def test_a_header_that_claims_more_numbers_than_there_are():
    writer = ArrayWriter()
    content = writer.members[writer.add(np.zeros((4, 3)), "<f8")]
    claimed = content.replace(b"(4, 3), }        ", b"(999999999, 3), }")
    assert len(claimed) == len(content)
    assert claimed != content
    with pytest.raises(TakeError, match="x has 96 bytes of numbers"):
        parse_array(claimed, "x")


@pytest.mark.parametrize("dtype", ["O", "<f4", ">f8", "<c16"])
def test_other_types_of_arrays_are_refused(dtype):
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, np.zeros(3, dtype=dtype), version=(1, 0), allow_pickle=True)
    with pytest.raises(TakeError, match="no array of a take"):
        parse_array(buffer.getvalue(), "x")


def test_arrays_of_another_shape_than_expected_are_refused():
    writer = ArrayWriter()
    name = writer.add(np.zeros((4, 3)), "<f8")
    reader = ArrayReader(writer.members)
    record = JsonObject({"here": name, "nowhere": "arrays/0001.npy"}, "take", TakeError)
    assert reader.get(record, "here", "<f8", (None, 3)).shape == (4, 3)
    with pytest.raises(TakeError, match=r"holds <f8 \(4, 3\), expected <f8 \(any, 4\)"):
        reader.get(record, "here", "<f8", (None, 4))
    with pytest.raises(TakeError, match=r"no array 'arrays/0001\.npy'"):
        reader.get(record, "nowhere", "<f8", (None,))


def test_arrays_can_be_read_by_numpy(data):
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        names = [name for name in archive.namelist() if name.endswith(".npy")]
        assert names
        for name in names:
            np.load(io.BytesIO(archive.read(name)), allow_pickle=False)
        assert archive.namelist()[0] == MANIFEST


def test_a_failing_disk_leaves_the_file_that_was_there(take, tmp_path, monkeypatch):
    path = tmp_path / "a.take"
    write_take(take, path)
    before = path.read_bytes()

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(walkon.files.os, "replace", fail)
    with pytest.raises(OSError, match="No space left"):
        write_take(replace(take, seed=99), path)
    monkeypatch.setattr(Path, "write_bytes", fail)
    with pytest.raises(OSError, match="No space left"):
        write_take(replace(take, seed=99), path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


LIMITED = """
import resource, signal, sys
sys.path.insert(0, sys.argv[2])
import fuzz_takes
from walkon.take import write_take
if sys.argv[3] == "full":
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
else:
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
write_take(fuzz_takes.seed_take(), sys.argv[1])
"""


@pytest.mark.skipif(not hasattr(resource, "RLIMIT_FSIZE"), reason="needs limits on file sizes")
@pytest.mark.parametrize("how", ["full", "killed"])
def test_a_full_disk_or_a_kill_in_the_middle_of_writing_leaves_the_previous_file(take, tmp_path, fuzz_takes, how):
    path = tmp_path / "a.take"
    write_take(replace(take, seed=1), path)
    before = path.read_bytes()
    folder = str(Path(fuzz_takes.__file__).parent)
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, str(path), folder, how], capture_output=True, text=True, check=False
    )
    assert done.returncode != 0
    assert ("File too large" in done.stderr) == (how == "full")
    assert path.read_bytes() == before
    assert read_take(path).seed == 1


def test_zlib_errors_are_take_errors(data):
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        info = archive.getinfo("take.json")
    altered = bytearray(data)
    start = info.header_offset + 30 + len(info.filename)
    altered[start : start + 8] = b"\xff" * 8
    with pytest.raises(zlib.error):
        zlib.decompress(bytes(altered[start : start + info.compress_size]), -15)
    with pytest.raises(TakeError, match=r"take\.json"):
        parse_take(bytes(altered))
