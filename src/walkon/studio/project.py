"""The project folder: the only place where the studio reads and writes, and only files of the kinds it knows."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

from walkon.confining import open_input
from walkon.errors import WalkonError
from walkon.formats import SCENE_SUFFIX, TAKE_SUFFIX, suffixes_of

STUDIO_EXPORTS = ("glb", "usd", "bvh")
"""Formats of `walkon.formats` that the page offers."""

FILE_KINDS = {SCENE_SUFFIX: "scene", TAKE_SUFFIX: "take"} | {
    suffix: name for name in STUDIO_EXPORTS for suffix in suffixes_of(name)
}
"""Suffix -> what the file holds."""

DEFAULT_SUFFIX = {kind: suffix for suffix, kind in FILE_KINDS.items()}
"""The last suffix of each kind: of USD the binary one."""

MOST_LISTED_FILES = 2_000
MOST_LISTED_FOLDERS = 500
DEEPEST_FOLDER = 5
LARGEST_SCENE = 10_000_000
LONGEST_PART = 200
"""[bytes] of a file's or a folder's name: most systems take 255, and temporary names are a little longer."""


class ProjectError(WalkonError, ValueError):
    """A file that the studio does not touch."""


class Project:
    """A folder, and which of its files the studio has written or opened."""

    def __init__(self, folder: Path | str) -> None:
        self.folder = Path(folder).resolve()
        if not self.folder.is_dir():
            raise ProjectError(f"{folder}: not a folder")
        self._own: set[Path] = set()

    def list(self) -> list[dict[str, Any]]:
        """The files of known kinds: path inside the project, kind, bytes."""
        found = []
        for path in self._walk():
            kind = FILE_KINDS.get(path.suffix.lower())
            if kind is None or path.is_symlink() or (path.suffix.lower() == SCENE_SUFFIX and not _is_scene(path)):
                continue
            name = path.relative_to(self.folder).as_posix()
            found.append({"path": name, "kind": kind, "bytes": path.stat().st_size})
            if len(found) >= MOST_LISTED_FILES:
                break
        return sorted(found, key=lambda file: file["path"])

    def _walk(self) -> Iterator[Path]:
        walk = enumerate(os.walk(self.folder, followlinks=False), start=1)
        for folders, (place, inside, names) in walk:
            depth = len(Path(place).relative_to(self.folder).parts)
            too_far = depth >= DEEPEST_FOLDER or folders >= MOST_LISTED_FOLDERS
            inside[:] = [] if too_far else sorted(map(str, filter(_shown, inside)))
            yield from (Path(place) / name for name in sorted(names) if _shown(name))

    def to_read(self, name: str, kinds: tuple[str, ...] = ("scene", "take")) -> Path:
        """The file of that name; raises ProjectError unless it is there, inside, and of one of the kinds."""
        path = self._inside(name)
        if FILE_KINDS.get(path.suffix.lower()) not in kinds:
            raise ProjectError(f"{name}: not a file of the kind {' or '.join(kinds)}")
        if not path.is_file():
            raise ProjectError(f"{name}: no such file in the project")
        return path

    def to_write(self, name: str, kind: str, *, overwrite: bool = False) -> Path:
        """Where a file of that name goes; its suffix is added if it has none.

        A file that is there already is only written over if the studio made or opened it, or if that is asked for;
        and a TOML file that is no scene, such as a project's settings, never.
        """
        path = self._inside(name if PurePosixPath(name).suffix else name + DEFAULT_SUFFIX[kind])
        if FILE_KINDS.get(path.suffix.lower()) != kind:
            endings = " or ".join(suffix for suffix, known in FILE_KINDS.items() if known == kind)
            raise ProjectError(f"{name}: a {kind} file ends in {endings}")
        for target in (path, *_beside(path, kind)):
            if not target.is_symlink() and not target.exists():
                continue
            # Files beside it are found by their names alone: a link there could lead anywhere.
            if target.is_symlink() or not (target in self._own or overwrite):
                raise ProjectError(f"{target.relative_to(self.folder).as_posix()} is there already")
        if path.suffix.lower() == SCENE_SUFFIX and path.exists() and not _is_scene(path):
            raise ProjectError(f"{name} is there already, and is no scene")
        return path

    def own(self, path: Path) -> None:
        """From now on the studio may write over this file."""
        self._own.add(path)

    def _inside(self, name: str) -> Path:
        """The path that a name means, links followed; raises ProjectError if that is not inside the project."""
        relative = PurePosixPath(name)
        too_long = any(len(part.encode("utf-8", "replace")) > LONGEST_PART for part in relative.parts)
        strange = (
            too_long
            or relative.is_absolute()
            or PureWindowsPath(name).drive
            or "\\" in name
            or not name.isprintable()
        )
        if strange or not relative.parts or not all(map(_shown, relative.parts)):
            raise ProjectError(f"{name[:200]!r}: not a path inside the project folder")
        try:
            path = (self.folder / relative).resolve()
        except (OSError, RuntimeError) as error:  # a loop of links, a name that is too long
            raise ProjectError(f"{name!r}: {error}") from None
        if not path.is_relative_to(self.folder) or not all(map(_shown, path.relative_to(self.folder).parts)):
            raise ProjectError(f"{name!r}: not a path inside the project folder")
        return path


def _beside(path: Path, kind: str) -> list[Path]:
    """Folders that are written as well: one file for each person, or what a scene file does not hold itself."""
    return {"bvh": [path.with_suffix("")], "scene": [path.with_suffix(".files")]}.get(kind, [])


def _shown(part: str) -> bool:
    """Hidden files and folders, and the way up, are none of our business."""
    return not part.startswith(".")


def _is_scene(path: Path) -> bool:
    import tomllib

    try:
        with open_input(path) as stream:
            data = stream.read(LARGEST_SCENE + 1)
        table = {} if len(data) > LARGEST_SCENE else tomllib.loads(data.decode())
    except (OSError, ValueError):
        return False
    return "bounds" in table
