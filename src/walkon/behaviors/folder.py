"""A library as a folder: clip files, and one `library.toml` that a person can read and edit.

A clip file has part of its own checksum in its name: a new library never writes over a clip of the old one. The
index is replaced last, in one go, and clips that nothing names any more go after that. So a folder is the old
library or the new one, whenever a writer is killed; and the index knows the checksum of every clip.
"""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from walkon.behaviors.kinds import BEHAVIOR_KINDS
from walkon.behaviors.library import MARGIN, Behavior, BehaviorClip, BehaviorLibrary
from walkon.confining import open_input
from walkon.containers import zipped
from walkon.errors import ClipError, LibraryError
from walkon.files import locked, remove, sweep, write_bytes, write_text
from walkon.motion import Clip, read_clip
from walkon.motion.readers.clip_file import clip_file_members, parse_clip_file
from walkon.motion.readers.source import load_bytes
from walkon.records import too_many_tables

INDEX = "library.toml"
CLIPS = "clips"
VERSION = 1
MAX_INDEX_BYTES = 4_000_000
"""Of an index, which has some 150 bytes for each clip. TOML is slow to read: a larger one would take a minute."""

WRITERS = 8
"""Clips that are written at a time. More would hardly be quicker, and each holds a clip's bytes."""

SUM_LETTERS = 12
"""Letters of a clip's checksum in its name: enough that two clips of one number never share a name by chance."""

OURS = re.compile(rf".+-[0-9a-f]{{{SUM_LETTERS}}}\.clip")
"""Names that `write_library` gives: such files go when no index names them any more. Files of people stay."""

HEADER = f"""\
# A walkon behavior library. Edit it freely: rename behaviors, change weights, add clips.
# A behavior may follow another when its `entry` pose is the other's `exit` pose. The clips of a behavior are
# interchangeable. Every clip has `margin` extra frames before and after, for blending; `action` is when the
# action happens, in seconds after the margin. Kinds: {", ".join(BEHAVIOR_KINDS)}.
# A clip file that you change, or add, needs no sha256 and no bytes.
"""


@dataclass(frozen=True)
class _Stored:
    """A clip in its file: the name relative to the folder, bytes, SHA-256."""

    file: str
    size: int
    digest: str


def write_library(folder: Path | str, library: BehaviorLibrary) -> None:
    """Write a library; whatever happens, the folder holds what it held before, or all of this."""
    folder = Path(folder)
    shown = [(f"{behavior.name}_{k}", one) for behavior in library for k, one in enumerate(behavior.clips, 1)]
    # Threads wait for the disk together: one wait for each clip would make writing six times as long.
    with locked(folder), ThreadPoolExecutor(WRITERS) as pool:
        files = pool.map(lambda item: _store(folder, item[0], item[1].clip), shown)
        stored = {id(one): file for (_, one), file in zip(shown, files, strict=True)}
        index = _index(library, stored)
        if len(index.encode()) > MAX_INDEX_BYTES:
            raise LibraryError(f"{folder / INDEX}: {len(stored)} clips are more than an index may name")
        write_text(folder / INDEX, index)
        sweep(folder / CLIPS)  # where nothing is written if all clips are there already
        named = {one.file for one in stored.values()}
        for path in sorted((folder / CLIPS).glob("*.clip")):
            if OURS.fullmatch(path.name) and f"{CLIPS}/{path.name}" not in named:
                remove(path)


def read_library(folder: Path | str) -> BehaviorLibrary:
    """Read a library; whatever is wrong is a LibraryError that names the file and the behavior."""
    folder = Path(folder)
    index = folder / INDEX if folder.is_dir() else folder
    table = _load(index)
    try:
        return _build(table, index)
    except LibraryError:
        if repr(_load(index)) == repr(table):  # nan is not equal to itself
            raise
    return read_library(folder)  # it was written anew while we read


def _build(table: dict[str, Any], index: Path) -> BehaviorLibrary:
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


def _store(folder: Path, name: str, clip: Clip) -> _Stored:
    """Write a clip, unless it is there already."""
    data = zipped(clip_file_members(clip))
    digest = hashlib.sha256(data).hexdigest()
    stored = _Stored(f"{CLIPS}/{name}-{digest[:SUM_LETTERS]}.clip", len(data), digest)
    path = folder / stored.file
    if not (path.is_file() and path.stat().st_size == len(data) and path.read_bytes() == data):
        write_bytes(path, data)
    return stored


def _on_one_skeleton(behaviors: list[Behavior]) -> list[Behavior]:
    """The behaviors with equal skeletons made one object: what is computed per skeleton is computed once."""
    shared = [shown.clip.skeleton for behavior in behaviors[:1] for shown in behavior.clips[:1]]

    def on_shared(shown: BehaviorClip) -> BehaviorClip:
        same = [skeleton for skeleton in shared if skeleton.matches(shown.clip.skeleton, tolerance=0.0)]
        return replace(shown, clip=shown.clip.with_changes(skeleton=same[0])) if same else shown

    return [replace(behavior, clips=tuple(map(on_shared, behavior.clips))) for behavior in behaviors]


def _index(library: BehaviorLibrary, stored: dict[int, _Stored]) -> str:
    """The text of the index. stored: every `BehaviorClip`'s file, by identity."""
    margin = library.behaviors[0].clips[0].margin
    lines = [HEADER, f"version = {VERSION}", f"name = {_quoted(library.name)}", f"margin = {margin}"]
    for behavior in library:
        lines += ["", "[[behavior]]", f"name = {_quoted(behavior.name)}", f"kind = {_quoted(behavior.kind)}"]
        lines += [f"entry = {_quoted(behavior.entry)}", f"exit = {_quoted(behavior.exit)}"]
        lines += [f"weight = {float(behavior.weight)!r}", "clips = ["]
        for shown in behavior.clips:
            one = stored[id(shown)]
            parts = [f"file = {_quoted(one.file)}"]
            if shown.action_time is not None:
                parts.append(f"action = {float(shown.action_time)!r}")
            if shown.margin != margin:
                parts.append(f"margin = {shown.margin}")
            parts += [f"bytes = {one.size}", f'sha256 = "{one.digest}"']
            lines.append(f"  {{ {', '.join(parts)} }},")
        lines.append("]")
    return "\n".join([*lines, ""])


def _quoted(text: str) -> str:
    """A TOML string: JSON's quoting is a subset of it."""
    return json.dumps(text, ensure_ascii=False)


def _load(index: Path) -> dict[str, Any]:
    try:
        with open_input(index) as stream:
            data = stream.read(MAX_INDEX_BYTES + 1)
        if len(data) > MAX_INDEX_BYTES:
            raise LibraryError(f"{index}: larger than any index: more than {MAX_INDEX_BYTES} bytes")
        text = data.decode()
        if too_many_tables(text):
            raise LibraryError(f"{index}: names more tables than any index")
        return tomllib.loads(text)
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
        clip = _checked(path, item) if "sha256" in item else read_clip(path)
    except ClipError as error:
        raise LibraryError(f"{index}: {where}: {error}") from error
    return BehaviorClip(clip, own_margin, None if action is None else _number(action, "action", index, where))


def _checked(path: Path, item: dict[str, Any]) -> Clip:
    """The clip in a clip file that must be as the index knows it."""
    data = load_bytes(path)
    if item.get("bytes", len(data)) != len(data) or hashlib.sha256(data).hexdigest() != item["sha256"]:
        raise ClipError("it was altered; if you did so, take its sha256 and bytes out of the index", path=path)
    return parse_clip_file(data, path)


def _text(table: dict[str, Any], key: str, index: Path, where: str) -> str:
    value = table.get(key)
    if not isinstance(value, str) or not value:
        raise LibraryError(f"{index}: {where}: {key} must be a name, not {value!r}")
    return value


def _number(value: Any, key: str, index: Path, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise LibraryError(f"{index}: {where}: {key} must be a number, not {value!r}")
    return float(value)
