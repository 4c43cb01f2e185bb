from __future__ import annotations

import io
import json
import zipfile

import numpy as np
import pytest

from walkon.errors import ClipError
from walkon.motion.clip import Clip, Contacts, Label
from walkon.motion.readers import read_clip, read_clip_file, read_recording, write_clip_file
from walkon.rotations import IDENTITY, normalize
from walkon.skeleton import Skeleton

FRAMES, JOINTS = 40, 4


@pytest.fixture
def clip() -> Clip:
    """A clip that uses everything a clip file keeps."""
    rng = np.random.default_rng(1)
    skeleton = Skeleton(
        ["root", "knee ü", "toe", "toe_end"], [-1, 0, 1, 2], rng.normal(size=(4, 3)), [False, False, False, True]
    )
    drift = np.cumsum(rng.normal(scale=1e-3, size=(FRAMES, JOINTS, 4)), axis=0)
    return Clip(
        "a walk",
        skeleton,
        1000 / 3,
        rng.normal(scale=0.01, size=(FRAMES, 3)),
        normalize(drift + IDENTITY),
        bone_offsets=skeleton.offsets + rng.normal(scale=1e-4, size=(FRAMES, JOINTS, 3)),
        labels=(Label("walk", 0, 30), Label("stop", 30, 40)),
        contacts=Contacts(("toe", "toe_end"), rng.random((FRAMES, 2)) < 0.5),
    )


def rezipped(data: bytes, *, method=zipfile.ZIP_STORED, drop=(), **changes: bytes) -> bytes:
    """The same archive with members replaced, dropped or packed otherwise."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(buffer, "w", method) as new:
        for name in old.namelist():
            if name not in drop:
                new.writestr(name, changes.get(name.replace(".", "_"), old.read(name)))
    return buffer.getvalue()


def with_header(data: bytes, **changes: object) -> bytes:
    """The archive with fields of its header replaced."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        header = json.loads(archive.read("clip.json"))
    return rezipped(data, clip_json=json.dumps({**header, **changes}).encode())


def test_everything_comes_back_bit_for_bit(tmp_path, clip):
    path = tmp_path / "a.clip"
    write_clip_file(path, clip)
    back = read_clip(path)
    assert (back.name, back.fps, back.labels) == (clip.name, clip.fps, clip.labels)
    assert back.skeleton.names == clip.skeleton.names
    np.testing.assert_array_equal(back.skeleton.parents, clip.skeleton.parents)
    np.testing.assert_array_equal(back.skeleton.tips, clip.skeleton.tips)
    for field in ("root_positions", "rotations", "bone_offsets"):
        np.testing.assert_array_equal(getattr(back, field), getattr(clip, field))
    np.testing.assert_array_equal(back.skeleton.offsets, clip.skeleton.offsets)
    assert back.contacts is not None
    assert clip.contacts is not None
    assert back.contacts.joints == clip.contacts.joints
    np.testing.assert_array_equal(back.contacts.planted, clip.contacts.planted)


def test_a_bare_clip_comes_back_without_extras(tmp_path, clip):
    bare = clip.with_changes(bone_offsets=None, labels=(), contacts=None)
    write_clip_file(tmp_path / "bare.clip", bare)
    back = read_clip(tmp_path / "bare.clip")
    assert back.bone_offsets is None
    assert back.contacts is None
    assert back.labels == ()


def test_the_same_clip_gives_the_same_bytes_and_no_leftovers(tmp_path, clip):
    write_clip_file(tmp_path / "a.clip", clip)
    write_clip_file(tmp_path / "b.clip", clip)
    assert (tmp_path / "a.clip").read_bytes() == (tmp_path / "b.clip").read_bytes()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.clip", "b.clip"]


def test_trimming_keeps_labels_and_contacts_in_step(tmp_path, clip):
    positions = clip.root_positions.copy()
    positions[:3] += 100.0
    write_clip_file(tmp_path / "a.clip", clip.with_changes(root_positions=positions))
    recording = read_recording(tmp_path / "a.clip", trim="leading")
    assert recording.provenance.trimmed == 3
    assert recording.clip.labels == (Label("walk", 0, 27), Label("stop", 27, 37))
    assert recording.clip.contacts is not None
    assert clip.contacts is not None
    np.testing.assert_array_equal(recording.clip.contacts.planted, clip.contacts.planted[3:])


def test_units_and_axes_are_settled(tmp_path, clip):
    write_clip_file(tmp_path / "a.clip", clip)
    for options in ({"units": "cm"}, {"up": "z"}):
        with pytest.raises(ClipError, match="metres"):
            read_recording(tmp_path / "a.clip", **options)


DAMAGES = {
    "not a zip": lambda data: b"PK\x03\x04" + data[400:],
    "cut short": lambda data: data[: len(data) // 2],
    "a flipped bit": lambda data: data.replace(b"a walk", b"b walk"),
    "compressed": lambda data: rezipped(data, method=zipfile.ZIP_DEFLATED),
    "no header": lambda data: rezipped(data, drop=("clip.json",)),
    "no rotations": lambda data: rezipped(data, drop=("rotations.f8",)),
    "short rotations": lambda data: rezipped(data, rotations_f8=b"\0" * 80),
    "not json": lambda data: rezipped(data, clip_json=b"{" * 100_000),
    "nested json": lambda data: rezipped(data, clip_json=b"[" * 100_000),
    "no format": lambda data: with_header(data, format="zip"),
    "a later version": lambda data: with_header(data, version=2),
    "a huge version": lambda data: with_header(data, version="9" * 10_000),
    "many frames": lambda data: with_header(data, frames=10**15),
    "no frames": lambda data: with_header(data, frames=0),
    "half frames": lambda data: with_header(data, frames=0.5),
    "true frames": lambda data: with_header(data, frames=True),
    "names that are none": lambda data: with_header(data, joints=[1, 2, 3, 4]),
    "a name twice": lambda data: with_header(data, joints=["a", "a", "b", "c"]),
    "many names": lambda data: with_header(data, joints=[str(i) for i in range(20_000)]),
    "a cycle": lambda data: with_header(data, parents=[-1, 2, 1, 2]),
    "a parent beyond": lambda data: with_header(data, parents=[-1, 0, 1, 10**30]),
    "parents that are none": lambda data: with_header(data, parents="abcd"),
    "a tip of nothing": lambda data: with_header(data, tips=[10**30]),
    "a tip in words": lambda data: with_header(data, tips=["toe"]),
    "a label beyond": lambda data: with_header(data, labels=[["x", 5, 4000]]),
    "half a label": lambda data: with_header(data, labels=[["x", 5]]),
    "a rate of nan": lambda data: with_header(data, fps=float("nan")),
    "a rate in words": lambda data: with_header(data, fps="fast"),
    "contacts without planted": lambda data: with_header(data, contacts=["a", "b", "c"]),
    "no labels": lambda data: with_header(data, labels=None),
}


@pytest.mark.parametrize("case", DAMAGES)
def test_damaged_files_raise_a_clip_error(tmp_path, clip, case):
    path = tmp_path / "a.clip"
    write_clip_file(path, clip)
    path.write_bytes(DAMAGES[case](path.read_bytes()))
    with pytest.raises(ClipError) as caught:
        read_clip_file(path)
    assert caught.value.path == path
