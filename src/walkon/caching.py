"""Where things that take long to make are kept between runs: a folder in the user's cache.

`WALKON_CACHE` names another folder, `WALKON_CACHE=off` none. Labels have a digest of the code that made the thing,
so that new code never fetches what old code made.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from functools import cache
from pathlib import Path
from typing import IO

from walkon.confining import confined_to

try:
    import fcntl
except ImportError:  # on Windows
    fcntl = None


def cache_folder() -> Path | None:
    """The folder, which need not exist yet, or None if nothing is to be kept."""
    wanted = os.environ.get("WALKON_CACHE", "")
    if wanted == "off":
        return None
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(wanted or Path(home) / "walkon")


@cache
def code_digest(*places: str) -> str:
    """Twelve letters that change whenever the code of these rooms and files of the package does.

    places: relative to the package, such as "motion" or "planning/moves.py".
    """
    package = Path(__file__).parent
    code = hashlib.sha256()
    for place in places:
        found = package / place
        for file in [found] if found.is_file() else sorted(found.rglob("*.py")):
            code.update(file.read_bytes())
    return code.hexdigest()[:12]


def lock_file(name: str) -> Path | None:
    """For `one_process_at_a_time`, while the thing of this name is made for the cache; None if nothing is kept."""
    folder = cache_folder()
    return None if folder is None else folder / "locks" / name


@contextmanager
def one_process_at_a_time(file: Path | None) -> Iterator[None]:
    """Whoever makes something for all waits here while another process makes it; then it may be there already.

    file: made empty, and locked for as long as the block lasts. Where no file can be locked nobody waits.
    """
    lock = _opened(file)
    # What is kept for all is no part of a project, whoever asks for it.
    with confined_to(None), lock or nullcontext():
        if lock is not None and fcntl is not None:
            with suppress(OSError):  # some file systems know no locks
                fcntl.lockf(lock, fcntl.LOCK_EX)
        yield


def _opened(file: Path | None) -> IO[str] | None:
    if file is None:
        return None
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        return file.open("a")
    except OSError:
        return None


def keep_newest(paths: Iterable[Path], most: int) -> None:
    """Remove all but the `most` files or folders used last; what cannot be removed stays."""
    used = []
    for path in paths:
        try:
            used.append((path.stat().st_mtime, path))
        except OSError:  # another process was faster
            continue
    for _, path in sorted(used)[: max(0, len(used) - most)]:
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            try:
                path.unlink(missing_ok=True)
            except OSError:
                continue
