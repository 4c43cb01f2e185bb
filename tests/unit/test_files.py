"""Files are whole or absent."""

from __future__ import annotations

import stat

import pytest

from walkon.files import atomic_path, write_bytes, write_text


def test_a_written_file_is_whole_and_alone(tmp_path):
    write_text(tmp_path / "deep" / "a.txt", "hällo\n")
    assert (tmp_path / "deep" / "a.txt").read_bytes() == "hällo\n".encode()
    assert [p.name for p in (tmp_path / "deep").iterdir()] == ["a.txt"]


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path):
    target = tmp_path / "a.bin"
    write_bytes(target, b"old")

    def write_half():
        with atomic_path(target) as temporary:
            temporary.write_bytes(b"half")
            raise RuntimeError("the disk is full")

    with pytest.raises(RuntimeError, match="disk"):
        write_half()
    assert target.read_bytes() == b"old"
    assert [p.name for p in tmp_path.iterdir()] == ["a.bin"]


def test_the_temporary_name_keeps_the_suffix(tmp_path):
    with atomic_path(tmp_path / "scene.usda") as temporary:
        assert temporary.suffix == ".usda"
        assert temporary.parent == tmp_path


def test_others_may_read_what_we_write(tmp_path):
    write_bytes(tmp_path / "a", b"")
    (tmp_path / "b").write_bytes(b"")
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == stat.S_IMODE((tmp_path / "b").stat().st_mode)
