"""Files that are either whole or absent: the one door through which the package writes.

A file is written in a folder of its own beside its target, called `.walkon-` and eight letters; then it is put
onto the disk and renamed. That folder is locked for as long as its process lives: whoever writes beside it later
knows what a dead process left there, and sweeps it away.
"""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from walkon.confining import check_inside, confinement, folder_to_write
from walkon.errors import OutputError

try:
    import fcntl
except ImportError:  # on Windows
    fcntl = None

SCRATCH = ".walkon-"
"""How the names of our temporary folders begin."""

ABANDONED = 86_400.0
"""[s] after which a temporary folder belongs to a dead process, on file systems that know no locks. Less might
take the film of somebody who is still filming."""

_KINDS = ((stat.S_ISDIR, "a folder"), (stat.S_ISFIFO, "a pipe"), (stat.S_ISSOCK, "a socket"))
_swept: set[Path] = set()


@contextmanager
def atomic_path(target: Path | str) -> Iterator[Path]:
    """Give a path of the same name elsewhere; what is written there takes the place of `target` on success alone.

    A link is followed: the file it points to is replaced. Whatever else is no file is refused. Once the block is
    left, file and name are on the disk, and outlast a loss of power. Any OSError becomes an OutputError.
    """
    target = Path(target)
    try:
        check_inside(target)
        place = _place(target)
        # Where we are confined the temporary folder lies at the top, which nobody can put elsewhere meanwhile.
        with folder_to_write(place.parent) as handle, _scratch(confinement() or place.parent) as folder:
            temporary = folder / place.name
            yield temporary
            _commit(temporary, place, handle)
    except OSError as error:
        raise OutputError(target, error) from error


def write_bytes(target: Path | str, data: bytes) -> None:
    """Write `data` to `target`, atomically."""
    with atomic_path(target) as temporary:
        temporary.write_bytes(data)


def write_text(target: Path | str, text: str) -> None:
    """Write UTF-8 `text` to `target` with unix line ends, atomically."""
    write_bytes(target, text.encode())


def remove(path: Path | str) -> None:
    """Remove a file that may be gone already."""
    try:
        Path(path).unlink(missing_ok=True)
    except OSError as error:
        raise OutputError(path, error) from error


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold a folder, made if need be; raise OutputError if somebody else does. Without locks, go on."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle = _lock(folder)
    except BlockingIOError:
        raise OutputError(folder, "another process is writing there") from None
    except OSError as error:
        raise OutputError(folder, error) from error
    try:
        yield
    finally:
        _close(handle)


def sweep(folder: Path) -> None:
    """Remove the temporary folders in `folder` whose processes died; what cannot be removed stays."""
    with suppress(OSError):
        for entry in list(os.scandir(folder)):
            if entry.name.startswith(SCRATCH) and entry.is_dir(follow_symlinks=False):
                _sweep_one(Path(entry.path))


def _sweep_one(scratch: Path) -> None:
    try:
        handle = _lock(scratch)
    except OSError:  # somebody is writing, or was faster
        return
    try:
        if handle is not None or time.time() - scratch.stat().st_mtime > ABANDONED:
            shutil.rmtree(scratch, ignore_errors=True)
    finally:
        _close(handle)


def _place(target: Path) -> Path:
    """Where the file lies, or will."""
    try:
        mode = target.stat().st_mode
    except FileNotFoundError:
        mode = stat.S_IFREG
    if not stat.S_ISREG(mode):
        what = next((name for is_kind, name in _KINDS if is_kind(mode)), "a device")
        raise OutputError(target, f"it is {what}, not a file")
    return Path(os.path.realpath(target)) if target.is_symlink() else target


@contextmanager
def _scratch(parent: Path) -> Iterator[Path]:
    """A new folder in `parent` that is ours alone, locked, and gone afterwards."""
    if parent not in _swept:
        _swept.add(parent)
        sweep(parent)
    while True:
        folder = Path(tempfile.mkdtemp(prefix=SCRATCH, dir=parent))
        try:
            handle = _lock(folder)
        except (BlockingIOError, FileNotFoundError):  # somebody who swept took it for a dead one's
            continue
        if folder.exists():
            break
        _close(handle)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        _close(handle)


def _commit(temporary: Path, place: Path, folder: int | None) -> None:
    """Put a file onto the disk, then in its place, with the mode of what was there. folder: a handle of the one
    it goes to, if that may not be looked for by its name again."""
    _sync(temporary)
    with suppress(FileNotFoundError):
        temporary.chmod(stat.S_IMODE(place.stat().st_mode))
    if folder is not None:
        os.replace(temporary, place.name, dst_dir_fd=folder)
        os.fsync(folder)
        return
    os.replace(temporary, place)
    with suppress(PermissionError):  # one may write to a folder that one may not read
        _sync(place.parent)


def _sync(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk."""
    if os.name == "nt":  # neither is possible there with what is open for reading
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _lock(folder: Path) -> int | None:
    """A handle that holds a folder; None where that is impossible. Raises BlockingIOError if it is held."""
    if fcntl is None:
        return None
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        raise
    except OSError:  # some file systems know no locks
        os.close(handle)
        return None
    return handle


def _close(handle: int | None) -> None:
    if handle is not None:
        os.close(handle)
