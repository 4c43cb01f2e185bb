"""Libraries once made are kept on a shelf: making a person takes three seconds, fetching one a tenth.

The shelf is a folder in the user's cache (`WALKON_CACHE` names another, `WALKON_CACHE=off` none). Its label has a
digest of the code that makes motion, so that new code never fetches old libraries. A shelf that cannot be read or
written is no error: the library is made again.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from functools import cache
from pathlib import Path

from walkon.behaviors import BehaviorLibrary, read_library, write_library
from walkon.errors import WalkonError

ROOMS = ("rotations", "skeleton", "motion", "behaviors", "builtin")
"""Whose code decides what a library looks like."""

MOST = 64
"""Libraries kept; the longest unused one goes first."""


def fetch(cast: str, seed: int) -> BehaviorLibrary | None:
    """The library from the shelf, or None."""
    place = _place(cast, seed)
    if place is None or not place.exists():
        return None
    try:
        library = read_library(place)
        os.utime(place)
    except (WalkonError, OSError):
        return None
    return library


def keep(library: BehaviorLibrary, cast: str, seed: int) -> None:
    """Put a library on the shelf, whole or not at all."""
    place = _place(cast, seed)
    if place is None:
        return
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        _make_room(place.parent.parent)
        with tempfile.TemporaryDirectory(dir=place.parent, prefix=".making-") as folder:
            write_library(Path(folder) / "library", library)
            shutil.rmtree(place, ignore_errors=True)
            (Path(folder) / "library").rename(place)
    except (WalkonError, OSError):
        return


def _place(cast: str, seed: int) -> Path | None:
    wanted = os.environ.get("WALKON_CACHE", "")
    if wanted == "off":
        return None
    cache_home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(wanted or Path(cache_home) / "walkon") / f"casts-{_digest()}" / f"{cast}-{seed}"


def _make_room(shelves: Path) -> None:
    kept = [path for shelf in shelves.glob("casts-*") for path in shelf.glob("[!.]*")]
    for path in sorted(kept, key=lambda path: path.stat().st_mtime)[: max(0, len(kept) - MOST + 1)]:
        shutil.rmtree(path, ignore_errors=True)


@cache
def _digest() -> str:
    """Twelve letters that change whenever the code that makes motion does."""
    package = Path(__file__).parents[2]
    code = hashlib.sha256()
    for room in ROOMS:
        for file in sorted((package / room).rglob("*.py")):
            code.update(file.read_bytes())
    return code.hexdigest()[:12]
