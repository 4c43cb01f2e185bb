"""Files that lie beside a scene file: what people do not type."""

from __future__ import annotations

import re
from collections.abc import Callable


class Sheets:
    """The files of one scene, in a folder of theirs. frames: of all that moves, so far."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.files: dict[str, bytes] = {}
        self.frames = 0
        self._taken: set[str] = set()
        self._once: dict[object, str] = {}

    def add(self, name: str, data: bytes) -> str:
        """Keep a file under a name of plain letters, with a number if there is one like it; that name."""
        stem, _, suffix = name.rpartition(".")
        stem = re.sub(r"[^A-Za-z0-9_-]+", "_", stem) or "_"
        path, number = f"{self.folder}/{stem}.{suffix}", 2
        while path.lower() in self._taken:
            path, number = f"{self.folder}/{stem}_{number}.{suffix}", number + 1
        self._taken.add(path.lower())
        self.files[path] = data
        return path

    def add_once(self, thing: object, name: str, make: Callable[[], bytes]) -> str:
        """Keep the file that is made of a thing, once however many obstacles have it; its name."""
        if thing not in self._once:
            self._once[thing] = self.add(name, make())
        return self._once[thing]
