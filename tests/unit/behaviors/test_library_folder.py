"""A library's folder is the old library or the new one, whatever happens while it is written."""

from __future__ import annotations

import contextlib
import errno
import itertools
import os
import re
import shutil

import numpy as np
import pytest

from walkon.behaviors import Behavior, BehaviorClip, BehaviorLibrary, folder, read_library, write_library
from walkon.errors import LibraryError, OutputError
from walkon.motion import Clip
from walkon.skeleton import Skeleton

BODY = Skeleton(["Hips", "Spine"], [-1, 0], [[0, 0, 0], [0, 0.3, 0]])


def glide(speed):
    """A stiff body that glides along +z."""
    roots = np.stack([0 * np.arange(30.0), np.ones(30), speed * np.arange(30) / 30], axis=1)
    return BehaviorClip(Clip(f"glide {speed}", BODY, 30.0, roots, np.tile([1.0, 0, 0, 0], (30, 2, 1))))


def library(*speeds):
    behaviors = [Behavior(f"go{k}", "walk", "walk", (glide(speed), glide(2.0))) for k, speed in enumerate(speeds)]
    return BehaviorLibrary("gliders", tuple(behaviors))


def speeds(place):
    """What is in a folder: the speeds of its clips."""
    return [float(np.ptp(shown.clip.root_positions[:, 2])) for b in read_library(place) for shown in b.clips]


class PowerCutError(BaseException):
    """Nobody handles this: as if the process were gone."""


@pytest.mark.parametrize("call", ["fsync", "replace", "mkdir"])
@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "No space left on device"), PowerCutError()])
def test_a_failure_at_any_call_leaves_the_old_library_or_the_new_one(call, error, tmp_path, monkeypatch):
    monkeypatch.setattr(folder, "WRITERS", 1)
    monkeypatch.setattr(os, "fsync", lambda _handle: None)
    old, new = library(1.0), library(3.0, 4.0)
    tried = 0
    while tried < 100:
        tried += 1
        place = tmp_path / str(tried)
        write_library(place, old)
        calls, real = itertools.count(1), getattr(os, call)

        def fail(*args, at=tried, calls=calls, real=real, **named):
            if next(calls) == at:
                raise error
            return real(*args, **named)

        with monkeypatch.context() as patched:
            patched.setattr(os, call, fail)
            with contextlib.suppress(OutputError, PowerCutError):
                write_library(place, new)
        assert speeds(place) in (speeds_of(old), speeds_of(new))
        write_library(place, new)
        assert speeds(place) == speeds_of(new)
        names = {str(path.relative_to(place)) for path in place.rglob("*")}
        assert len(names) == 6, f"one index, one folder, four clips, and nothing left over: {names}"
        if next(calls) <= tried:
            break
    assert 3 < tried < 100


def test_a_clip_of_another_library_or_an_altered_one_is_noticed(tmp_path):
    write_library(tmp_path, library(1.0, 1.5))
    one, other = sorted((tmp_path / "clips").glob("go*_1-*.clip"))
    right = one.read_bytes()
    for wrong in (other.read_bytes(), right[:-1], right[:2000] + b"\x01" + right[2001:]):
        one.write_bytes(wrong)
        with pytest.raises(LibraryError, match=f"'go0'.*{one.name}: it was altered"):
            read_library(tmp_path)


def test_without_sums_anything_goes_as_it_used_to(tmp_path):
    write_library(tmp_path, library(1.0))
    index = tmp_path / "library.toml"
    for path in (tmp_path / "clips").iterdir():
        path.rename(path.with_name(path.name[: -len("-0123456789ab.clip")] + ".clip"))
    index.write_text(re.sub(r"-\w{12}\.clip|, bytes = \d+|, sha256 = \"\w+\"", _old_words, index.read_text()))
    assert 'file = "clips/go0_1.clip" }' in index.read_text()
    assert speeds(tmp_path) == speeds_of(library(1.0))


def _old_words(match):
    return ".clip" if match[0].endswith(".clip") else ""


def speeds_of(given):
    return [float(np.ptp(shown.clip.root_positions[:, 2])) for behavior in given for shown in behavior.clips]


def test_files_of_people_stay(tmp_path):
    write_library(tmp_path, library(1.0))
    (tmp_path / "clips" / "mine.clip").write_bytes(b"mine")
    (tmp_path / "notes.txt").write_text("notes")
    write_library(tmp_path, library(3.0))
    assert (tmp_path / "clips" / "mine.clip").read_bytes() == b"mine"
    assert (tmp_path / "notes.txt").exists()
    assert len(list((tmp_path / "clips").iterdir())) == 3


def test_a_reader_that_is_overtaken_reads_again(tmp_path, monkeypatch):
    write_library(tmp_path, library(1.0))
    real, loads = folder._load, itertools.count()

    def load(index):
        table = real(index)
        if next(loads) == 0:
            write_library(tmp_path, library(3.0))
        return table

    monkeypatch.setattr(folder, "_load", load)
    assert speeds(tmp_path) == speeds_of(library(3.0))


def test_a_number_that_does_not_equal_itself_is_not_read_again_for_ever(tmp_path):
    write_library(tmp_path, library(1.0))
    index = tmp_path / folder.INDEX
    index.write_text(index.read_text().replace("weight = 1.0", "weight = nan"))
    assert "nan" in index.read_text()
    with pytest.raises(LibraryError):
        read_library(tmp_path)


def test_a_full_disk_is_one_line(tmp_path, monkeypatch):
    def fail(*_args):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OutputError, match=r"^\S+clip: cannot be written: No space left on device$"):
        write_library(tmp_path / "full", library(1.0))
    shutil.rmtree(tmp_path / "full")
    (tmp_path / "full").write_text("a file")
    with pytest.raises(OutputError, match="full: cannot be written"):
        write_library(tmp_path / "full", library(1.0))


def test_an_index_of_nothing_but_tables_is_refused_before_it_fills_the_memory(tmp_path):
    many = "".join(f"[a{number}.b.c.d]\n" for number in range(60_000))
    (tmp_path / "library.toml").write_text('version = 1\nname = "a"\n' + many)
    with pytest.raises(LibraryError, match="more tables than any index"):
        read_library(tmp_path)
