"""Reading and writing in one folder alone, where somebody else decides what is read or written.

A studio serves whoever has its session, and opens scenes that strangers wrote: what these name must lie in the
project folder. `confined_to` says so for a thread, and whatever the package opens passes through here. Links are
followed first; then the way from the folder is gone step by step, following none. So a link that is put there
after it was looked at leads nowhere.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import BinaryIO

from walkon.errors import OutsideError

_FOLDER: ContextVar[Path | None] = ContextVar("folder", default=None)

STEPWISE = os.open in os.supports_dir_fd and hasattr(os, "O_NOFOLLOW")
"""Whether the system can go step by step; Windows cannot, and there links are only looked at before."""

_LEAF = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
"""How files are opened. Without O_NONBLOCK a pipe would hold us until somebody writes into it."""


@contextmanager
def confined_to(folder: Path | None) -> Iterator[None]:
    """Until the block is left, this thread reads and writes in `folder` alone, and nothing hidden; None: anywhere.

    What walkon keeps for itself is elsewhere, see `caching`, and goes on being read and written.
    """
    before = _FOLDER.set(None if folder is None else Path(os.path.realpath(folder)))
    try:
        yield
    finally:
        _FOLDER.reset(before)


def confinement() -> Path | None:
    """The folder this thread is confined to, without links; None if it is not."""
    return _FOLDER.get()


def check_inside(path: Path | str) -> None:
    """Raise OutsideError if a path leads out of where we are confined. Ask before anything is told about it."""
    folder = _FOLDER.get()
    if folder is not None:
        _steps(folder, Path(path))


def open_input(path: Path | str) -> BinaryIO:
    """Open a file to read its bytes; OSError if that cannot be, or if it is a folder, a pipe or a device."""
    folder = _FOLDER.get()
    handle = os.open(path, _LEAF) if folder is None else _open_inside(folder, Path(path))
    mode = os.fstat(handle).st_mode
    if stat.S_ISREG(mode):
        return os.fdopen(handle, "rb")
    os.close(handle)
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, "is a folder", str(path))
    raise OSError(errno.EINVAL, "is no regular file", str(path))


@contextmanager
def folder_to_write(path: Path) -> Iterator[int | None]:
    """A handle of a folder, made where it is not there yet; None where we are not confined, or cannot have one."""
    folder = _FOLDER.get()
    steps = () if folder is None else _steps(folder, path)
    if folder is None or not STEPWISE:
        path.mkdir(parents=True, exist_ok=True)
        yield None
        return
    handle = _descend(folder, steps, path, make=True)
    try:
        yield handle
    finally:
        os.close(handle)


def _steps(folder: Path, path: Path) -> tuple[str, ...]:
    """The names on the way from a folder to a path, links followed."""
    real = Path(os.path.realpath(path))
    if not real.is_relative_to(folder):
        raise OutsideError(path)
    steps = real.relative_to(folder).parts
    if any(step.startswith(".") for step in steps):
        raise OutsideError(path, "is hidden, or lies in a hidden folder")
    return steps


def _open_inside(folder: Path, path: Path) -> int:
    steps = _steps(folder, path)
    if not STEPWISE:
        return os.open(os.path.realpath(path), _LEAF)
    if not steps:
        raise IsADirectoryError(errno.EISDIR, "is a folder", str(path))
    parent = _descend(folder, steps[:-1], path)
    try:
        return _step(steps[-1], _LEAF, parent, path)
    finally:
        os.close(parent)


def _descend(folder: Path, steps: tuple[str, ...], path: Path, *, make: bool = False) -> int:
    """A handle of the folder at the end of these steps, no link on the way followed."""
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
    here = os.open(folder, flags)
    for step in steps:
        try:
            if make:
                _make(step, here)
            following = _step(step, flags, here, path)
        finally:
            os.close(here)
        here = following
    return here


def _make(name: str, parent: int) -> None:
    with suppress(FileExistsError):
        os.mkdir(name, dir_fd=parent)


def _step(name: str, flags: int, parent: int, path: Path) -> int:
    try:
        return os.open(name, flags | os.O_NOFOLLOW, dir_fd=parent)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENOTDIR, errno.EMLINK):  # a link, which was none when we looked
            raise OutsideError(path) from None
        raise
