"""Files that are either whole or absent: written under a temporary name, then renamed."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def atomic_path(target: Path | str) -> Iterator[Path]:
    """Give a temporary path beside `target`; rename it to `target` on success, remove it on failure.

    The temporary name keeps the suffix of the target, for libraries that choose a format by suffix.
    """
    target = Path(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{target.stem}.", suffix=target.suffix, dir=target.parent)
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        # mkstemp makes private files; give ours the mode any new file would have had.
        umask = os.umask(0)
        os.umask(umask)
        temporary.chmod(0o666 & ~umask)
        os.replace(temporary, target)
    finally:
        temporary.unlink(missing_ok=True)


def write_bytes(target: Path | str, data: bytes) -> None:
    """Write `data` to `target`, atomically."""
    with atomic_path(target) as temporary:
        temporary.write_bytes(data)


def write_text(target: Path | str, text: str) -> None:
    """Write UTF-8 `text` to `target` with unix line ends, atomically."""
    write_bytes(target, text.encode())
