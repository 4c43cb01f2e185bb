"""Folders as they are on the disk: names and bytes, and whether what is there is old, or new, and whole."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

Tree = dict[str, bytes]
"""Paths below a folder -> bytes; a folder that holds nothing has a name that ends in a slash."""


def tree_of(folder: Path) -> Tree:
    """All there is in a folder."""
    found: Tree = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_dir() and not path.is_symlink():
            if not any(path.iterdir()):
                found[name + "/"] = b""
        elif path.is_symlink() and not path.exists():
            found[name] = b"-> nowhere"
        else:
            found[name] = path.read_bytes()
    return found


def plant(tree: Tree, folder: Path) -> None:
    """Make a folder with these files."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in tree.items():
        path = folder / name
        if name.endswith("/"):
            path.mkdir(parents=True, exist_ok=True)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)


def torn(found: Tree, old: Tree, new: Tree, indices: Collection[str] = ()) -> str | None:
    """What is wrong with the outputs in `found`: each must be the old one or the new one, bit for bit.

    indices: files that say what belongs to their folder. Where the old one is, all that is old must be there,
    where the new one is, all that is new; what it does not name does not count.
    """
    for name in sorted(old.keys() | new.keys()):
        if _index_of(name, indices) in (None, name) and found.get(name) not in (old.get(name), new.get(name)):
            return f"{name} is {_what(found.get(name), new.get(name))}"
    for index in indices:
        whole = old if found.get(index) == old.get(index) else new
        parts = {name for name in whole if _index_of(name, (index,)) and index in whole}
        wrong = sorted(name for name in parts if found.get(name) != whole[name])
        if wrong:
            age = "old" if whole is old else "new"
            return f"{index} is {age}, but of {len(parts)} files {len(wrong)} are not: {wrong[0]}"
    return None


def _index_of(name: str, indices: Collection[str]) -> str | None:
    """The index of the folder that a file lies in, if it has one."""
    return next((index for index in indices if name.startswith(index.rpartition("/")[0] + "/")), None)


def _what(found: bytes | None, new: bytes | None) -> str:
    if found is None:
        return "gone"
    return f"{len(found)} bytes, neither old nor new ({0 if new is None else len(new)})"


def left_over(found: Tree, *known: Tree) -> list[str]:
    """Names that none of the known trees has: what somebody forgot to clear away."""
    return sorted(name for name in found if not any(name in tree for tree in known) and name != "./")
