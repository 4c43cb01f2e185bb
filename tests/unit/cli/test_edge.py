"""The edge of the command line: what goes wrong outside of us is one line and an exit code, never a traceback."""

from __future__ import annotations

import builtins
import errno
import io
import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import walkon.cli
from walkon import plan_scene, read_scene
from walkon.cli import main
from walkon.take import write_take

CODES = (errno.ENOSPC, errno.EACCES, errno.EIO, errno.EISDIR, errno.ENOTDIR)
TOUCHING = ("replace", "mkdir", "fsync", "chmod")
SCENE = """name = "one"
bounds = [-3, -3, 3, 3]
duration = 6
[[characters]]
name = "a"
start = [-1, 0]
heading = 90
goal = [1, 0]
"""


class Faults:
    """Counts calls that touch the disk, and lets one of them fail. at: which. code: with which error."""

    def __init__(self, at: int, code: int) -> None:
        self.at, self.code, self.seen = at, code, 0

    def touch(self, path: object) -> None:
        self.seen += 1
        if self.seen == self.at:
            raise OSError(self.code, os.strerror(self.code), str(path))

    def install(self, monkeypatch: pytest.MonkeyPatch) -> None:
        real = builtins.open

        def opened(file, mode="r", *rest, **named):
            if set(mode) & set("wax+"):
                self.touch(file)
            return real(file, mode, *rest, **named)

        def failing(name):
            call = getattr(os, name)

            def called(*args, **named):
                self.touch(args[0])
                return call(*args, **named)

            return called

        for module in (builtins, io):
            monkeypatch.setattr(module, "open", opened)
        for name in TOUCHING:
            monkeypatch.setattr(os, name, failing(name))


def run(capsys, monkeypatch, arguments: list[object]) -> tuple[int, list[str]]:
    """Exit code of a command, and its lines on standard error. An exception that is no exit passes on."""
    monkeypatch.setattr("sys.argv", ["walkon", *map(str, arguments)])
    capsys.readouterr()
    try:
        main()
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 0
    return code, [line for line in capsys.readouterr().err.splitlines() if line.strip()]


@pytest.fixture(scope="module")
def stage(tmp_path_factory) -> Path:
    """A folder with a scene and a take of it."""
    place = tmp_path_factory.mktemp("stage")
    (place / "s.toml").write_text(SCENE)
    write_take(plan_scene(read_scene(place / "s.toml")), place / "s.take")
    return place


WRITING = {
    "plan": "plan s.toml -o OUT/x.take",
    **{f"export {kind}": f"export s.take OUT/x.{kind}" for kind in ("glb", "usda", "usdc", "csv", "clip")},
    **{f"export {kind}": f"export s.take OUT/x.{kind} --size 64x48 --fps 1" for kind in ("gif", "mp4", "png")},
    "bvh of many": "export s.take OUT/x.bvh",
    "measure": "measure s.take --no-audit --csv OUT/folder",
    "scene": "scene new x -o OUT/x.toml --force",
}

SLOW = ("export gif", "export png", "export usdc")
"""Not done again for every call."""


@pytest.mark.parametrize("command", [name for name in WRITING if name not in SLOW])
def test_every_call_that_may_fail_does_so_in_one_line(command, stage, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(stage)
    arguments: list[object] = [part.replace("OUT/", f"{tmp_path}/") for part in WRITING[command].split()]
    assert run(capsys, monkeypatch, arguments)[0] == 0
    content = {path: path.stat().st_size for path in tmp_path.rglob("*") if path.is_file()}
    failed = 0
    for at in range(1, 1000):
        with monkeypatch.context() as patched:
            faults = Faults(at, CODES[at % len(CODES)])
            faults.install(patched)
            code, said = run(capsys, monkeypatch, arguments)
        assert (code, len(said)) in ((0, 0), (1, 1)), f"call {at}: {said}"
        assert {path: path.stat().st_size for path in tmp_path.rglob("*") if path.is_file()} == content
        failed += code
        if faults.seen < at:
            break
    assert failed >= 3


@contextmanager
def full_disk(size: int) -> Iterator[None]:
    """No file grows beyond `size` bytes; that is an OSError, as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize("command", [name for name in WRITING if name not in ("scene", "measure")])
def test_a_full_disk_keeps_the_old_file(command, stage, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(stage)
    arguments: list[object] = [part.replace("OUT/", f"{tmp_path}/") for part in WRITING[command].split()]
    (old,) = [Path(str(part)) for part in arguments if str(tmp_path) in str(part)]
    old.write_bytes(b"old")
    with full_disk(512):
        code, said = run(capsys, monkeypatch, arguments)
    assert (code, len(said)) == (1, 1), said
    assert old.name in said[0]
    assert old.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [old]


def test_an_error_of_the_system_says_where_and_why(capsys, monkeypatch):
    def fail() -> None:
        raise OSError(errno.EIO, "Input/output error", "/disk/file")

    monkeypatch.setattr("walkon.cli.app.app", fail)
    assert run(capsys, monkeypatch, []) == (1, ["walkon: /disk/file: Input/output error"])


@pytest.mark.parametrize("how", [KeyboardInterrupt, ImportError])
def test_an_interrupt_is_one_line_and_ends_at_once(how, capsys, monkeypatch):
    def stop() -> None:
        try:
            raise KeyboardInterrupt
        except KeyboardInterrupt as cause:
            raise how("initialization failed") from cause

    monkeypatch.setattr("walkon.cli.app.app", stop)
    monkeypatch.setattr(walkon.cli.os, "_exit", lambda code: (_ for _ in ()).throw(SystemExit(code)))
    assert run(capsys, monkeypatch, []) == (130, ["walkon: interrupted"])
