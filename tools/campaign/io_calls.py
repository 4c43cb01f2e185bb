"""Every call by which this process changes the disk, seen before it happens.

What is patched is Python's own: `os`, `open` and what lies under it. Writers in C (USD, ffmpeg) are not seen, only
what is done to their files before and after.
"""

from __future__ import annotations

import builtins
import io
import os
import stat
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class IoCall:
    """name: `open`, `write`, `close`, `fsync`, `replace`, ... path: of what is changed. to: of what it becomes."""

    name: str
    path: str
    to: str | None = None


Watch = Callable[[IoCall], None]
"""Is told of a call before it happens, and may raise an OSError in its place."""

BY_PATH = ("mkdir", "rmdir", "unlink", "remove", "chmod", "truncate", "symlink")
BY_TWO_PATHS = ("replace", "rename", "link")
BY_HANDLE = ("write", "fsync", "fdatasync", "ftruncate", "fchmod")
WRITING = os.O_WRONLY | os.O_RDWR


@contextmanager
def watched(watch: Watch) -> Iterator[None]:
    """Tell `watch` of every call that changes the disk. Calls that it makes itself are not told of."""
    saved = [(os, name, getattr(os, name)) for name in (*BY_PATH, *BY_TWO_PATHS, *BY_HANDLE, "open")]
    saved += [(builtins, "open", builtins.open), (io, "open", io.open)]
    tell = _once(watch)
    try:
        _patch_os(tell)
        builtins.open = io.open = _opener(tell)  # type: ignore[assignment]
        yield
    finally:
        for module, name, value in saved:
            setattr(module, name, value)


def _once(watch: Watch) -> Watch:
    """`watch`, told of one call at a time, of nothing while it works, and of nothing but files and folders."""
    lock, own = threading.RLock(), threading.local()

    def tell(call: IoCall) -> None:
        if getattr(own, "busy", False) or call.path.startswith(("/dev/", "/proc/")):
            return
        own.busy = True
        try:
            with lock:
                watch(call)
        finally:
            own.busy = False

    return tell


def _patch_os(tell: Watch) -> None:
    def by_path(name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(path: Any, *more: Any, **options: Any) -> Any:
            handle = options.get("dir_fd")
            tell(IoCall(name, path_of(path) if handle is None else os.path.join(path_of(handle), os.fspath(path))))
            return real(path, *more, **options)

        return call

    def by_two(name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(path: Any, to: Any, **options: Any) -> Any:
            tell(IoCall(name, path_of(path), path_of(to)))
            return real(path, to, **options)

        return call

    def by_handle(name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(handle: Any, *more: Any) -> Any:
            number = handle if isinstance(handle, int) else handle.fileno()
            if number > 2 and not _is_stream(number):
                tell(IoCall(name, path_of(number)))
            return real(handle, *more)

        return call

    def opened(path: Any, flags: int, *more: Any, **options: Any) -> int:
        if flags & WRITING:
            tell(IoCall("open", path_of(path)))
        return real_open(path, flags, *more, **options)

    real_open = os.open
    for names, wrap in ((BY_PATH, by_path), (BY_TWO_PATHS, by_two), (BY_HANDLE, by_handle)):
        for name in names:
            setattr(os, name, wrap(name, getattr(os, name)))
    os.open = opened  # type: ignore[assignment]


def path_of(path: Any) -> str:
    """Of a path, or of an open file's number."""
    if isinstance(path, int):
        return os.readlink(f"/proc/self/fd/{path}")
    return os.path.abspath(os.fsdecode(path))


def _is_stream(handle: int) -> bool:
    mode = os.fstat(handle).st_mode
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


class WatchedFile(io.FileIO):
    """A file whose writes, and whose closing, are told of."""

    def __init__(self, file: Any, mode: str, closefd: bool, opener: Any, tell: Watch) -> None:
        self._tell, self._path = tell, path_of(file)
        if not isinstance(file, int):
            tell(IoCall("open", self._path))
        super().__init__(file, mode, closefd, opener)

    def write(self, data: Any) -> int:
        """As FileIO."""
        self._tell(IoCall("write", self._path))
        return super().write(data)

    def truncate(self, size: int | None = None) -> int:
        """As FileIO."""
        self._tell(IoCall("truncate", self._path))
        return super().truncate(size)

    def close(self) -> None:
        """As FileIO. As over a network, an error may come, and the file is closed all the same."""
        if self.closed:
            return
        try:
            self._tell(IoCall("close", self._path))
        finally:
            super().close()


def _opener(tell: Watch) -> Callable[..., Any]:
    real = io.open

    def opened(
        file: Any, mode: str = "r", buffering: int = -1, encoding: str | None = None, errors: str | None = None,
        newline: str | None = None, closefd: bool = True, opener: Any = None,
    ) -> Any:  # fmt: skip
        if not set("wxa+") & set(mode) or (isinstance(file, int) and _is_stream(file)):
            return real(file, mode, buffering, encoding, errors, newline, closefd, opener)
        raw = WatchedFile(file, mode.replace("b", "").replace("t", ""), closefd, opener, tell)
        if buffering == 0:
            return raw
        layer = io.BufferedRandom if "+" in mode else io.BufferedWriter
        buffered = layer(raw) if buffering < 2 else layer(raw, buffering)
        return buffered if "b" in mode else io.TextIOWrapper(buffered, encoding, errors, newline, buffering == 1)

    return opened
