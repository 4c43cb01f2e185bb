"""Libraries once made are kept on a shelf: making a person takes four seconds, fetching one a fifth.

The shelf is a folder in the user's cache; its label has a digest of the code that makes motion (see
`walkon.caching`). A shelf that cannot be read or written is no error: the library is made again.
"""

from __future__ import annotations

import os
from pathlib import Path

from walkon.behaviors import BehaviorLibrary, read_library, write_library
from walkon.caching import cache_folder, code_digest, keep_newest
from walkon.errors import WalkonError

ROOMS = ("rotations", "skeleton", "motion", "behaviors", "builtin")
"""Whose code decides what a library looks like."""

MOST_LIBRARIES = 64
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
        write_library(place, library)
    except (WalkonError, OSError):
        return


def _place(cast: str, seed: int) -> Path | None:
    folder = cache_folder()
    return None if folder is None else folder / f"casts-{code_digest(*ROOMS)}" / f"{cast}-{seed}"


def _make_room(shelves: Path) -> None:
    keep_newest((path for shelf in shelves.glob("casts-*") for path in shelf.glob("[!.]*")), MOST_LIBRARIES - 1)
