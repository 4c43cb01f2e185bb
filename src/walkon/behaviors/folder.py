"""A library as a folder: clip files, and one `library.toml` that a person can read and edit."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from walkon.behaviors.kinds import BEHAVIOR_KINDS
from walkon.behaviors.library import MARGIN, Behavior, BehaviorClip, BehaviorLibrary
from walkon.errors import ClipError, LibraryError
from walkon.files import write_text
from walkon.motion import read_clip, write_clip_file

INDEX = "library.toml"
CLIPS = "clips"
VERSION = 1
MAX_INDEX_BYTES = 4_000_000

HEADER = f"""\
# A walkon behavior library. Edit it freely: rename behaviors, change weights, add clips.
# A behavior may follow another when its `entry` pose is the other's `exit` pose. The clips of a behavior are
# interchangeable. Every clip has `margin` extra frames before and after, for blending; `action` is when the
# action happens, in seconds after the margin. Kinds: {", ".join(BEHAVIOR_KINDS)}.
"""


def write_library(folder: Path | str, library: BehaviorLibrary) -> None:
    """Write the clips, then the index: a folder with an index is whole."""
    folder = Path(folder)
    for behavior, shown, file in _files(library):
        try:
            write_clip_file(folder / file, shown.clip)
        except OSError as error:
            raise LibraryError(f"{folder / file}: cannot write the clip of {behavior.name!r}: {error}") from error
    write_text(folder / INDEX, _index(library))


def read_library(folder: Path | str) -> BehaviorLibrary:
    """Read a library; whatever is wrong is a LibraryError that names the file and the behavior."""
    folder = Path(folder)
    index = folder / INDEX if folder.is_dir() else folder
    table = _load(index)
    if table.get("version") != VERSION:
        raise LibraryError(f"{index}: this walkon reads version {VERSION}, not {table.get('version')!r}")
    entries = table.get("behavior")
    if not isinstance(entries, list):
        raise LibraryError(f"{index}: expected [[behavior]] tables")
    behaviors = _on_one_skeleton([_behavior(entry, index, table.get("margin", MARGIN)) for entry in entries])
    try:
        return BehaviorLibrary(_text(table, "name", index, "the library"), tuple(behaviors))
    except LibraryError as error:
        raise LibraryError(f"{index}: {error}") from error


def _on_one_skeleton(behaviors: list[Behavior]) -> list[Behavior]:
    """The behaviors with equal skeletons made one object: what is computed per skeleton is computed once."""
    shared = [shown.clip.skeleton for behavior in behaviors[:1] for shown in behavior.clips[:1]]

    def on_shared(shown: BehaviorClip) -> BehaviorClip:
        same = [skeleton for skeleton in shared if skeleton.matches(shown.clip.skeleton, tolerance=0.0)]
        return replace(shown, clip=shown.clip.with_changes(skeleton=same[0])) if same else shown

    return [replace(behavior, clips=tuple(map(on_shared, behavior.clips))) for behavior in behaviors]


def _files(library: BehaviorLibrary) -> Iterator[tuple[Behavior, BehaviorClip, str]]:
    """Every clip with the file it is written to, relative to the folder."""
    for behavior in library:
        for number, shown in enumerate(behavior.clips, start=1):
            yield behavior, shown, f"{CLIPS}/{behavior.name}_{number}.clip"


def _index(library: BehaviorLibrary) -> str:
    margin = library.behaviors[0].clips[0].margin
    lines = [HEADER, f"version = {VERSION}", f"name = {_quoted(library.name)}", f"margin = {margin}"]
    files = {id(shown): file for _, shown, file in _files(library)}
    for behavior in library:
        lines += ["", "[[behavior]]", f"name = {_quoted(behavior.name)}", f"kind = {_quoted(behavior.kind)}"]
        lines += [f"entry = {_quoted(behavior.entry)}", f"exit = {_quoted(behavior.exit)}"]
        lines += [f"weight = {float(behavior.weight)!r}", "clips = ["]
        for shown in behavior.clips:
            parts = [f"file = {_quoted(files[id(shown)])}"]
            if shown.action_time is not None:
                parts.append(f"action = {float(shown.action_time)!r}")
            if shown.margin != margin:
                parts.append(f"margin = {shown.margin}")
            lines.append(f"  {{ {', '.join(parts)} }},")
        lines.append("]")
    return "\n".join([*lines, ""])


def _quoted(text: str) -> str:
    """A TOML string: JSON's quoting is a subset of it."""
    return json.dumps(text, ensure_ascii=False)


def _load(index: Path) -> dict[str, Any]:
    try:
        if index.stat().st_size > MAX_INDEX_BYTES:
            raise LibraryError(f"{index}: larger than any index: {index.stat().st_size} bytes")
        return tomllib.loads(index.read_text(encoding="utf-8"))
    except OSError as error:
        raise LibraryError(f"{index}: cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise LibraryError(f"{index}: not TOML: {error}") from error


def _behavior(entry: Any, index: Path, margin: Any) -> Behavior:
    if not isinstance(entry, dict):
        raise LibraryError(f"{index}: a [[behavior]] must be a table, not {entry!r}")
    name = _text(entry, "name", index, "a behavior")
    where = f"behavior {name!r}"
    unknown = set(entry) - {"name", "kind", "entry", "exit", "weight", "clips"}
    if unknown:
        raise LibraryError(f"{index}: {where}: unknown key {', '.join(sorted(unknown))}")
    clips = entry.get("clips")
    if not isinstance(clips, list) or not clips:
        raise LibraryError(f"{index}: {where}: clips must be a list of one or more files")
    try:
        return Behavior(
            name,
            _text(entry, "entry", index, where),
            _text(entry, "exit", index, where),
            tuple(_clip(item, index, where, margin) for item in clips),
            entry.get("kind", Behavior.kind),
            _number(entry.get("weight", 1.0), "weight", index, where),
        )
    except LibraryError as error:
        raise LibraryError(str(error) if str(index) in str(error) else f"{index}: {error}") from error


def _clip(item: Any, index: Path, where: str, margin: Any) -> BehaviorClip:
    item = {"file": item} if isinstance(item, str) else item
    if not isinstance(item, dict):
        raise LibraryError(f"{index}: {where}: a clip is a file name or {{ file = ..., action = ... }}")
    file = _text(item, "file", index, where)
    path = (index.parent / file).resolve()
    # A library that someone sent must not make us open files elsewhere.
    if not path.is_relative_to(index.parent.resolve()):
        raise LibraryError(f"{index}: {where}: {file} lies outside the library's folder")
    own_margin = item.get("margin", margin)
    if not isinstance(own_margin, int) or isinstance(own_margin, bool):
        raise LibraryError(f"{index}: {where}: margin is a number of frames, not {own_margin!r}")
    action = item.get("action")
    try:
        clip = read_clip(path)
    except ClipError as error:
        raise LibraryError(f"{index}: {where}: {error}") from error
    return BehaviorClip(clip, own_margin, None if action is None else _number(action, "action", index, where))


def _text(table: dict[str, Any], key: str, index: Path, where: str) -> str:
    value = table.get(key)
    if not isinstance(value, str) or not value:
        raise LibraryError(f"{index}: {where}: {key} must be a name, not {value!r}")
    return value


def _number(value: Any, key: str, index: Path, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise LibraryError(f"{index}: {where}: {key} must be a number, not {value!r}")
    return float(value)
