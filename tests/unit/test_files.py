"""Files are whole or absent."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import socket
import stat
import subprocess
import sys

import pytest

from walkon import files
from walkon.errors import OutputError
from walkon.files import SCRATCH, atomic_path, locked, sweep, write_bytes, write_text


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


def test_the_temporary_file_has_the_name_of_the_target_and_lies_on_the_same_disk(tmp_path):
    with atomic_path(tmp_path / "scene.usda") as temporary:
        assert temporary.name == "scene.usda"
        assert temporary.parent.parent == tmp_path
        temporary.touch()


def test_others_may_read_what_we_write_unless_they_might_not_before(tmp_path):
    write_bytes(tmp_path / "a", b"")
    (tmp_path / "b").write_bytes(b"")
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == stat.S_IMODE((tmp_path / "b").stat().st_mode)
    (tmp_path / "b").chmod(0o600)
    write_bytes(tmp_path / "b", b"private")
    assert stat.S_IMODE((tmp_path / "b").stat().st_mode) == 0o600


def test_a_link_stays_and_its_file_is_replaced(tmp_path):
    file, link, dangling = tmp_path / "far" / "a.txt", tmp_path / "link", tmp_path / "dangling"
    write_text(file, "old")
    link.symlink_to("far/a.txt")
    dangling.symlink_to("far/new.txt")
    write_text(link, "new")
    write_text(dangling, "newer")
    assert link.is_symlink()
    assert dangling.is_symlink()
    assert (file.read_text(), (tmp_path / "far" / "new.txt").read_text()) == ("new", "newer")


def test_what_is_no_file_is_refused_and_stays(tmp_path):
    pipe, folder, circle = tmp_path / "pipe", tmp_path / "folder", tmp_path / "circle"
    os.mkfifo(pipe)
    folder.mkdir()
    circle.symlink_to(circle)
    linked = tmp_path / "null"
    linked.symlink_to(os.devnull)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "socket"))
        for name, what in [
            ("pipe", "a pipe"),
            ("folder", "a folder"),
            ("null", "a device"),
            ("socket", "a socket"),
        ]:
            with pytest.raises(OutputError, match=f"{name}: cannot be written: it is {what}"):
                write_text(tmp_path / name, "x")
    with pytest.raises(OutputError, match="symbolic links"):
        write_text(circle, "x")
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert not any(SCRATCH in entry.name for entry in tmp_path.iterdir())


FAULTS = {
    "mkdtemp": (files.tempfile, "mkdtemp"), "fsync": (os, "fsync"), "replace": (os, "replace"),
}  # fmt: skip


@pytest.mark.parametrize("call", FAULTS)
@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO, errno.EACCES, errno.EROFS])
def test_a_failing_call_is_one_line_and_keeps_the_old_file(call, code, tmp_path, monkeypatch):
    target = tmp_path / "a.txt"
    write_text(target, "old")

    def fail(*_args: object, **_named: object) -> None:
        raise OSError(code, os.strerror(code), str(tmp_path / SCRATCH))

    monkeypatch.setattr(*FAULTS[call], fail)
    with pytest.raises(OutputError) as caught:
        write_text(target, "new")
    assert str(caught.value) == f"{target}: cannot be written: {os.strerror(code)}"
    assert caught.value.errno == code
    assert target.read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.txt"]


def test_file_and_folder_are_on_the_disk_in_this_order(tmp_path, monkeypatch):
    done: list[str] = []
    sync, replace = os.fsync, os.replace

    def note_sync(handle: int) -> None:
        done.append("folder" if stat.S_ISDIR(os.fstat(handle).st_mode) else "file")
        sync(handle)

    def note_replace(*paths: object) -> None:
        done.append("rename")
        replace(*paths)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "fsync", note_sync)
    monkeypatch.setattr(os, "replace", note_replace)
    write_text(tmp_path / "a", "x")
    assert done == ["file", "rename", "folder"]


def test_what_a_killed_process_left_is_swept_and_what_a_living_one_has_is_not(tmp_path):
    code = (
        "import os, signal, sys; from walkon.files import atomic_path\n"
        "with atomic_path(sys.argv[1]) as part:\n"
        "    part.write_text('half')\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    killed = subprocess.run([sys.executable, "-c", code, str(tmp_path / "a")], check=False)
    assert killed.returncode == -signal.SIGKILL
    (left,) = tmp_path.iterdir()
    assert left.name.startswith(SCRATCH)
    with atomic_path(tmp_path / "b") as temporary:
        temporary.write_text("whole")
        sweep(tmp_path)
        assert not left.exists()
        assert temporary.exists()
    assert [entry.name for entry in tmp_path.iterdir()] == ["b"]


def test_only_old_folders_are_swept_where_nothing_can_be_locked(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "fcntl", None)
    young, old = tmp_path / f"{SCRATCH}young", tmp_path / f"{SCRATCH}old"
    young.mkdir()
    old.mkdir()
    os.utime(old, (1.0, 1.0))
    write_text(tmp_path / "a", "x")
    assert young.exists()
    assert not old.exists()


def test_a_folder_is_held_by_one(tmp_path):
    with locked(tmp_path), pytest.raises(OutputError, match="another process"), locked(tmp_path):
        pass
    with locked(tmp_path):
        pass


def test_a_folder_taken_away_while_writing_is_an_error_like_any_other(tmp_path):
    with (
        pytest.raises(OutputError, match=r"a\.txt: cannot be written: No such file"),
        atomic_path(tmp_path / "a.txt") as temporary,
    ):
        shutil.rmtree(temporary.parent)
