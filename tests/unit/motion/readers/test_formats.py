from __future__ import annotations

import os

import pytest

from walkon.errors import ClipError
from walkon.motion.readers import read_clip, read_recording
from walkon.motion.readers.formats import recognise_format


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("a.bvh", "x", "bvh"),
        ("a.AMC", "x", "amc"),
        ("a.asf", "x", "asf"),
        ("a.clip", "x", "clip"),
        ("a.txt", '\n {"Frames": []}', "deepmimic"),
        ("a.json", "{}", "deepmimic"),
        ("a", "\ufeff hierarchy\nROOT", "bvh"),
        ("a.motion", "# comment\n#more\n\n:version 1.1\n", "asf"),
        ("a.motion", "#!OML:ASF x\n:FULLY-SPECIFIED\n:DEGREES\n1\n", "amc"),
        ("a.motion", "1\nroot 0 0 0 0 0 0\n", "amc"),
        ("a.zip", b"PK\x03\x04...", "clip"),
    ],
)
def test_formats_are_told_by_suffix_or_content(write, name, content, expected):
    assert recognise_format(write(name, content)).name == expected


def test_a_bvh_under_another_name_is_read(write, bvh_text):
    assert len(read_clip(write("capture.dat", bvh_text([[0.0] * 15])))) == 1


@pytest.mark.parametrize("name", ["a.fbx", "a.dat"])
def test_fbx_is_explained(write, name):
    with pytest.raises(ClipError, match="Blender"):
        read_clip(write(name, b"Kaydara FBX Binary  \0\x1a\0"))


@pytest.mark.parametrize("suffix", ["bvh", "amc", "asf", "clip", "txt", "fbx", "dat"])
def test_what_is_not_a_motion_file_is_a_clip_error(write, tmp_path, suffix):
    (tmp_path / f"folder.{suffix}").mkdir()
    paths = [
        tmp_path / f"folder.{suffix}",
        tmp_path / f"missing.{suffix}",
        tmp_path / "missing" / f"a.{suffix}",
        tmp_path / f"{'long' * 2000}.{suffix}",
        tmp_path / f"nul\0.{suffix}",
        write(f"empty.{suffix}", ""),
        write(f"blank.{suffix}", " \r\n\t\n"),
        write(f"binary.{suffix}", bytes(range(256)) * 40),
        write(f"zeros.{suffix}", b"\0" * 1000),
        write(f"text.{suffix}", "Dear reader,\nthis is not a motion.\n"),
    ]
    for path in paths:
        with pytest.raises(ClipError) as caught:
            read_recording(path)
        assert caught.value.path == path


def test_a_pipe_is_not_waited_for(tmp_path):
    path = tmp_path / "pipe.bvh"
    os.mkfifo(path)
    with pytest.raises(ClipError, match="regular"):
        read_clip(path)
